//! Adequacy on many random programs: their features, and the number of samples until a wrong rule is refuted.
//!
//! Recursive programs are run as drawn, and `M⁽ⁿ⁾` is compared with µⁿ. A verdict without a claim counts as vacuous.

use super::generate::program::{TraceSample, draw_trace_sample};
use super::partial::{TermDenotation, adequate};
use super::trace::RunOutcome;
use super::{pap, partial, property, trace};
use crate::number::arithmetic::Context;
use crate::number::{Mpfr, Rational};
use crate::random::SplitMix64;
use crate::syntax::constant::foreign::ForeignId;
use crate::trace::evaluation::{DefaultTraceHooks as Literally, Strategy, TraceError, TraceEvaluator};
use crate::trace::number::{CertifiedReals, NumberSystem, Rationals};
use crate::trace::operation::OperationSymbol;
use crate::trace::term::{BooleanTerm, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable, approximant};
use crate::trace::typing::{CoreEnvironment, FunctionEnvironment};
use crate::value::UndefinedCause;
use crate::verdict::Verdict;
use crate::wrong::{Pap, Partial, RuleSet, Trace, WrongRule};

/// The numbers that programs are run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseNumbers {
    /// Rational numbers. Every guard is decided, and both directions of adequacy are tested.
    Rationals,
    /// Certified real numbers. The input is an elementary function of a rational number, so guards are tested at
    /// irrational numbers.
    Reals,
    /// Certified real numbers. The input is that of a function from outside, so that its slope is a part of each derivative.
    Foreign(ForeignId),
}

/// The counts over a number of programs.
#[derive(Clone, Debug, Default)]
#[doc(alias = "adequacy")]
pub struct AdequacyTally {
    /// The number of programs.
    pub programs: u64,
    /// The number of programs on which both semantics agree.
    pub survived: u64,
    /// The number of programs without a claim.
    pub vacuous: u64,
    /// The refuted programs, by index, with their verdicts.
    pub refuted: Vec<(u64, Verdict)>,
    /// The number of recursive programs.
    pub recursive: u64,
    /// The number of programs with a conditional.
    pub branching: u64,
    /// The number of programs that have not ended after 6 unfoldings at one of their points.
    pub diverging: u64,
    /// The number of programs with a derivative other than 0 at one of their points.
    pub nonconstant: u64,
}

impl AdequacyTally {
    /// Tests program number `index`, and counts it with its features.
    pub fn add_program(&mut self, seed: u64, index: u64, over: BaseNumbers) {
        let rules = RuleSet::default();
        // the same stream is drawn again inside `adequate`, so the features belong to the tested program
        let drawn = draw_program(SplitMix64::for_sample(seed, index), over);
        let (verdict, features) = match over {
            BaseNumbers::Rationals => {
                let is_zero = |x: &Rational| *x == 0;
                let features =
                    ProgramBehaviour::observe_program(&Rationals::default(), &drawn, &Rational::clone, &is_zero);
                (adequate(SplitMix64::for_sample(seed, index), &rules), features)
            }
            BaseNumbers::Reals | BaseNumbers::Foreign(_) => {
                let c = Mpfr::new(PRECISIONS[1]);
                let features =
                    ProgramBehaviour::observe_program(&CertifiedReals(c), &drawn, &|x| c.enclose_rational(x), &|x| {
                        c.contains_zero(x)
                    });
                (check_over_reals(&drawn, &rules), features)
            }
        };
        self.programs += 1;
        match verdict {
            Verdict::Survived => self.survived += 1,
            Verdict::Vacuous => self.vacuous += 1,
            refuted => self.refuted.push((index, refuted)),
        }
        self.recursive += u64::from(drawn.features().recursion);
        self.branching += u64::from(has_conditional(&drawn.term));
        self.diverging += u64::from(features.diverges);
        self.nonconstant += u64::from(features.moves);
    }
}

/// The number of unfoldings after which a program counts as divergent. A choice.
const UNFOLDINGS: u64 = 6;
/// The precisions of certified numbers, in bits: one coarse and one fine. A choice.
const PRECISIONS: [u32; 2] = [64, 256];

/// Returns `true` if a program has a conditional on a predicate.
fn has_conditional(term: &CoreTerm) -> bool {
    let mut found = matches!(term.kind(), CoreTermKind::If(BooleanTerm::Predicate(..), ..));
    term.kind().for_each_child(|part| found = found || crate::stack::with_stack(|| has_conditional(part)));
    found
}

/// The behaviour of a program at its points.
/// The run at some point does not end within the limit of unfoldings.
struct ProgramBehaviour {
    diverges: bool,
    moves: bool,
}

impl ProgramBehaviour {
    /// Runs a program and its derivative at its points, with recursions unfolded [`UNFOLDINGS`] times.
    fn observe_program<N: NumberSystem>(
        numbers: &N,
        drawn: &TraceSample,
        number: &dyn Fn(&Rational) -> N::Number,
        may_be_zero: &dyn Fn(&N::Number) -> bool,
    ) -> ProgramBehaviour {
        let ran = |term: &CoreTerm, point: &CoreValue<Rational>| {
            let rho = CoreEnvironment::of_variable(&drawn.x, point.map(&mut |x| number(x)));
            TraceEvaluator::new(numbers).evaluate_ordinary(
                &FunctionEnvironment::default(),
                &rho,
                &approximant(term, UNFOLDINGS),
            )
        };
        let is_fuel = |error: TraceError| error.as_undefined().is_some_and(|found| found.cause == UndefinedCause::Fuel);
        let derivative = trace::transposed_derivative(drawn, &drawn.term);
        let moves = |found: CoreValue<N::Number>| found.real_components().into_iter().any(|x| !may_be_zero(x));
        ProgramBehaviour {
            diverges: drawn.points.iter().any(|point| ran(&drawn.term, point).is_err_and(is_fuel)),
            moves: drawn.points.iter().any(|point| ran(&derivative, point).is_ok_and(moves)),
        }
    }
}

/// Draws a program; over the reals, composed with an elementary function of its input, or with one from outside.
fn draw_program(mut random: SplitMix64, over: BaseNumbers) -> TraceSample {
    use crate::function::Function::{Atan, Exp, Sin};
    let function = match over {
        BaseNumbers::Rationals => return draw_trace_sample(random),
        BaseNumbers::Reals => OperationSymbol::Function(*random.pick(&[Exp, Sin, Atan])),
        BaseNumbers::Foreign(id) => OperationSymbol::Foreign(id),
    };
    let sample = draw_trace_sample(random);
    let (x, ty, term) = (&sample.x, sample.ty.clone(), sample.term.clone());
    let y = CoreVariable::fresh(&"y".into());
    let through = |x: CoreTerm| CoreTerm::operation(function.clone(), x);
    let whole = CoreTerm::variable(&y);
    let value = match ty {
        CoreTy::Product(_) => {
            let part = |kind: fn(CoreTy, CoreTy, CoreTerm) -> CoreTermKind| {
                through(kind(CoreTy::Real, CoreTy::Real, whole.clone()).into())
            };
            CoreTerm::pair(CoreTy::Real, CoreTy::Real, part(CoreTermKind::First), part(CoreTermKind::Second))
        }
        _ => through(whole),
    };
    let term = CoreTerm::bind(x, ty, value, term);
    TraceSample { x: y, term, ..sample }
}

/// Tests theorems 6.2 (1) and 6.7 on a random program whose input goes through a function from outside, for clauses of partial maps
/// that may be wrong.
pub fn adequate_at_foreign(random: SplitMix64, rules: &RuleSet, id: ForeignId) -> Verdict {
    check_over_reals(&draw_program(random, BaseNumbers::Foreign(id)), rules)
}

/// Tests theorems 6.2 (1) and 6.7 over real numbers: the enclosures of `M⁽ⁿ⁾` and µⁿ meet, and neither certainly has a
/// value where the other certainly has none.
fn check_over_reals(drawn: &TraceSample, rules: &RuleSet) -> Verdict {
    let mut all = Verdict::Vacuous;
    for term in [drawn.term.clone(), trace::transposed_derivative(drawn, &drawn.term)] {
        for point in &drawn.points {
            for bits in PRECISIONS {
                all = all.and(check_at_precision(&Mpfr::new(bits), rules, drawn, &term, point));
            }
        }
    }
    all
}

/// Tests the two theorems on one program at one point, at the precision of `c`.
fn check_at_precision(
    c: &Mpfr,
    rules: &RuleSet,
    drawn: &TraceSample,
    term: &CoreTerm,
    point: &CoreValue<Rational>,
) -> Verdict {
    let at = point.map(&mut |x| c.enclose_rational(x));
    let rho = CoreEnvironment::of_variable(&drawn.x, at.clone());
    let limited = approximant(term, UNFOLDINGS);
    // both sides unfold recursions equally often, since the theorem compares M⁽ⁿ⁾ with µⁿ
    let left = trace::run_ordinary(&CertifiedReals(*c), &Literally, Strategy::Accumulated, &rho, &limited);
    let meaning = TermDenotation { context: *c, rules: rules.partial_hooks(), unfoldings: Some(UNFOLDINGS) };
    let right = meaning.denote_at((&drawn.x, &drawn.ty), term, &at);
    let told = || format!("{} = {point}, {} bits, in {}", drawn.x.name(), c.precision(), trace::print_shortened(term));
    match (left, right) {
        // two undefined results agree, but claim nothing about a value
        (RunOutcome::Unknown, _) | (_, RunOutcome::Unknown) | (RunOutcome::Undefined, RunOutcome::Undefined) => {
            Verdict::Vacuous
        }
        (RunOutcome::Defined(left), RunOutcome::Defined(right)) => {
            let enclosure = |x: &<Mpfr as Context>::Num| c.to_enclosure(x);
            let (left, right) = (left.map(&mut |x| enclosure(x)), right.map(&mut |x| enclosure(x)));
            let (a, b) = (left.real_components(), right.real_components());
            match a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.overlaps(b)) {
                true => Verdict::Survived,
                false => Verdict::refuted(told(), &left, &right),
            }
        }
        (left, right) => Verdict::refuted(told(), format!("{left:?}"), format!("{right:?}")),
    }
}

/// A family of laws about random programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawFamily {
    /// The laws of [`trace`].
    Trace,
    /// The laws of [`partial`].
    Partial,
    /// The laws of [`pap`].
    Pieces,
}

use LawFamily::{Partial as OfMaps, Pieces as OfPieces, Trace as OfTraces};
use WrongRule::{Partial as Map, Pieces as Piece, Trace as Traced};

/// The laws of A and W about random programs, each with wrong rules that it refutes. A test holds that no law and no rule
/// is left out.
pub const LAW_MUTANTS: &[(LawFamily, &str, &[WrongRule])] = &[
    (OfTraces, "determinacy", &[Traced(Trace::TwoAnswers), Traced(Trace::Diagonal)]),
    (OfTraces, "interpolation", &[Traced(Trace::BothBranches), Traced(Trace::OtherBranch)]),
    (OfTraces, "subject_reduction", &[Traced(Trace::ProjectionsSwapped)]),
    (OfTraces, "unique_decomposition", &[Traced(Trace::RightFirst)]),
    (OfTraces, "strategies_agree", &[Traced(Trace::LastUse)]),
    (OfTraces, "tape_is_accumulated", &[Traced(Trace::LastUse)]),
    (OfTraces, "source_is_accumulated", &[Traced(Trace::OtherSlope), Traced(Trace::ConstantCall)]),
    (
        OfTraces,
        "reverse_is_transposed",
        &[
            Traced(Trace::AtCotangent),
            Traced(Trace::OwnFactor),
            Traced(Trace::LastUse),
            Traced(Trace::PairSwapped),
            Traced(Trace::FirstBoth),
            Traced(Trace::LetAtPoint),
        ],
    ),
    (OfTraces, "reverse_has_the_domain", &[Traced(Trace::LargerDomain), Traced(Trace::ConstantsSkipped)]),
    (OfTraces, "reverse_captures_nothing", &[Traced(Trace::Captured)]),
    (OfTraces, "trace_is_local", &[Traced(Trace::Inlined)]),
    (OfTraces, "printed_box_holds_the_point", &[Traced(Trace::BoxByWidth)]),
    (OfTraces, "printed_box_holds", &[Traced(Trace::BoxDoubled)]),
    (OfTraces, "trace_is_linear", &[Traced(Trace::LetCopied)]),
    (OfTraces, "guards_turn", &[Traced(Trace::Diagonal)]),
    (OfTraces, "scope_is_static", &[Traced(Trace::DynamicScope)]),
    (OfTraces, "limited_is_unrolled", &[Traced(Trace::LimitOff), Traced(Trace::LimitAnswers)]),
    (OfTraces, "approximants_increase", &[Traced(Trace::LimitAnswers)]),
    (
        OfMaps,
        "adequate",
        &[
            Map(Partial::Diagonal),
            Map(Partial::LazyLet),
            Map(Partial::BothBranches),
            Map(Partial::LevelsOff),
            Map(Partial::BottomAnswers),
            Map(Partial::OneDirection),
            Map(Partial::Untransposed),
            Map(Partial::NothingForNothing),
        ],
    ),
    (OfMaps, "traces_adequate", &[Traced(Trace::OtherBranch), Map(Partial::Diagonal)]),
    (OfMaps, "reverse_denotes_transposed", &[Traced(Trace::Untransposed), Traced(Trace::LastUse)]),
    (OfMaps, "traced_derivatives", &[Traced(Trace::OwnFactor), Map(Partial::OneDirection)]),
    (OfMaps, "approximants_increase", &[Map(Partial::BottomAnswers)]),
    (OfMaps, "domains_are_open", &[Map(Partial::Diagonal)]),
    (OfMaps, "boxes_are_certain", &[Map(Partial::BoxAtMiddle)]),
    (OfMaps, "precisions_agree", &[Map(Partial::RoundedToNearest)]),
    (OfMaps, "operations_agree", &[Map(Partial::ClosedDomain)]),
    (OfMaps, "below_presheaves", &[Map(Partial::Diagonal), Map(Partial::Untransposed)]),
    (OfMaps, "language_below_presheaves", &[Map(Partial::Diagonal)]),
    (OfMaps, "category_axioms", &[Map(Partial::CompositeSwapped)]),
    (OfMaps, "restriction_axioms", &[Map(Partial::Unrestricted)]),
    (OfMaps, "joins_are_least", &[Map(Partial::Unrestricted), Map(Partial::JoinLeft)]),
    (OfMaps, "differential_axioms", &[Map(Partial::ChainAtPoint), Map(Partial::OneDirection)]),
    (
        OfMaps,
        "reverse_axioms",
        &[Map(Partial::OneDirection), Map(Partial::Untransposed), Map(Partial::NothingForNothing)],
    ),
    (OfMaps, "chains_increase", &[Map(Partial::LevelsOff), Map(Partial::BottomAnswers), Map(Partial::JoinLeft)]),
    (OfMaps, "values_are_vectors", &[Map(Partial::PartsReversed)]),
    (OfMaps, "contexts_compose", &[Map(Partial::LazyLet), Map(Partial::LazyPair)]),
    (OfPieces, "derivative_of_the_path", &[Piece(Pap::TestBorder), Piece(Pap::BranchByTangent), Piece(Pap::AbsSmooth)]),
    (
        OfPieces,
        "pieces_are_the_program",
        &[Piece(Pap::TestBorder), Piece(Pap::ReplayForgets), Piece(Pap::DomainConditionLost), Piece(Pap::AbsSmooth)],
    ),
    (OfPieces, "lengths_sum_up", &[Piece(Pap::ReplayForgets), Piece(Pap::FrontierDropped)]),
    (OfPieces, "composites_are_preimages", &[Piece(Pap::OuterGuardsKept)]),
    (
        OfPieces,
        "derivatives_are_intensional",
        &[Piece(Pap::SlopesDoubled), Piece(Pap::SlopeShifted), Piece(Pap::BranchByTangent)],
    ),
    (
        OfPieces,
        "claims_compose",
        &[Piece(Pap::InnerSlopeLost), Piece(Pap::OuterSlopeLost), Piece(Pap::SlopesAdded), Piece(Pap::OuterAtInner)],
    ),
    (OfPieces, "fuel_says_nothing", &[Piece(Pap::FuelIsUndefined)]),
    (OfPieces, "almost_everywhere", &[Piece(Pap::BranchByTangent)]),
    (OfPieces, "meanings_agree", &[Piece(Pap::TestBorder), Map(Partial::Diagonal)]),
    (OfPieces, "borders_without_a_seam", &[Map(Partial::Diagonal)]),
    (OfPieces, "cells_are_the_program", &[Piece(Pap::TestBorder), Piece(Pap::ReplayForgets)]),
    (OfPieces, "volumes_sum_up", &[Piece(Pap::ReplayForgets), Piece(Pap::FrontierDropped)]),
    (OfPieces, "samples_lie_alone", &[Piece(Pap::SampleAtMiddle), Piece(Pap::EquationsIgnored)]),
    (OfPieces, "composites_in_the_plane", &[Piece(Pap::OuterGuardsKept)]),
];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const MAX_CATCH_SAMPLES: u64 = 200;

/// A law of A or W about random programs, with a wrong rule that it refutes.
#[derive(Clone, Copy, Debug)]
pub struct MutantCatch {
    /// The family of the law.
    pub family: LawFamily,
    /// The name of the law.
    pub law: &'static str,
    /// The wrong rule.
    pub rule: WrongRule,
}

/// Returns all laws of A and W about random programs with the wrong rules that they refute.
#[must_use]
pub fn mutant_catches() -> Vec<MutantCatch> {
    let of_law = |(family, law, rules): &(LawFamily, &'static str, &'static [WrongRule])| {
        let (family, law) = (*family, *law);
        rules.iter().map(move |rule| MutantCatch { family, law, rule: *rule })
    };
    LAW_MUTANTS.iter().flat_map(of_law).collect()
}

/// Returns the names of all laws of A and W about random programs, with their families.
#[must_use]
pub fn laws_of_programs() -> Vec<(LawFamily, &'static str)> {
    let of_traces = trace::LAWS.iter().map(|(name, _)| (OfTraces, *name));
    let of_maps = partial::LAWS.iter().map(|(name, _)| (OfMaps, *name));
    of_traces.chain(of_maps).chain(pap::LAWS.iter().map(|(name, _)| (OfPieces, *name))).collect()
}

/// Returns the verdict of a law at a sample, with these rules. `None` if there is no law of this name in the family.
#[must_use]
pub fn judge_law(family: LawFamily, law: &str, random: SplitMix64, rules: &RuleSet) -> Option<Verdict> {
    Some(match family {
        OfTraces => trace::LAWS.iter().find(|(name, _)| *name == law)?.1(random, &*rules.trace),
        OfMaps => partial::LAWS.iter().find(|(name, _)| *name == law)?.1(random, rules),
        OfPieces => pap::LAWS.iter().find(|(name, _)| *name == law)?.1(random, rules),
    })
}

impl MutantCatch {
    /// Returns the number of samples of a seed until the law refutes the rule. Returns `None` if [`MAX_CATCH_SAMPLES`] are not
    /// enough.
    #[must_use]
    pub fn samples_until_refuted(&self, seed: u64) -> Option<u64> {
        let rules = RuleSet::from(self.rule);
        property::samples_until_refuted(seed, MAX_CATCH_SAMPLES, |random| {
            judge_law(self.family, self.law, random, &rules).unwrap_or(Verdict::Vacuous)
        })
    }
}
