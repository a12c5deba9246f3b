//! Adequacy on many random programs: their features, and the number of samples until a wrong rule is refuted.
//!
//! Recursive programs are run as drawn, and `M⁽ⁿ⁾` is compared with µⁿ. A verdict without a claim counts as vacuous.

use super::partial::{TermDenotation, adequate};
use super::trace::RunOutcome;
use super::trace::generate::{ProgramShape, TraceSample, draw_sample};
use super::{pap, partial, property, trace};
use crate::meaning::partial::{DefaultPartialHooks, PartialHooks};
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
use crate::wrong::{Pap, Partial, Trace};
use std::sync::Arc;

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
        let rules: Arc<dyn PartialHooks> = Arc::new(DefaultPartialHooks);
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
        self.recursive += u64::from(!matches!(drawn.shape, ProgramShape::Plain | ProgramShape::Shadowed));
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
        BaseNumbers::Rationals => return draw_sample(random),
        BaseNumbers::Reals => OperationSymbol::Function(*random.pick(&[Exp, Sin, Atan])),
        BaseNumbers::Foreign(id) => OperationSymbol::Foreign(id),
    };
    let TraceSample { shape, x, ty, codomain, term, points, cotangent } = draw_sample(random);
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
    let term = CoreTerm::bind(&x, ty.clone(), value, term);
    TraceSample { shape, x: y, ty, codomain, term, points, cotangent }
}

/// Tests theorems 6.2 (1) and 6.7 on a random program whose input goes through a function from outside, for clauses of partial maps
/// that may be wrong.
pub fn adequate_at_foreign(random: SplitMix64, rules: &Arc<dyn PartialHooks>, id: ForeignId) -> Verdict {
    check_over_reals(&draw_program(random, BaseNumbers::Foreign(id)), rules)
}

/// Tests theorems 6.2 (1) and 6.7 over real numbers: the enclosures of `M⁽ⁿ⁾` and µⁿ meet, and neither certainly has a
/// value where the other certainly has none.
fn check_over_reals(drawn: &TraceSample, rules: &Arc<dyn PartialHooks>) -> Verdict {
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
    rules: &Arc<dyn PartialHooks>,
    drawn: &TraceSample,
    term: &CoreTerm,
    point: &CoreValue<Rational>,
) -> Verdict {
    let at = point.map(&mut |x| c.enclose_rational(x));
    let rho = CoreEnvironment::of_variable(&drawn.x, at.clone());
    let limited = approximant(term, UNFOLDINGS);
    // both sides unfold recursions equally often, since the theorem compares M⁽ⁿ⁾ with µⁿ
    let left = trace::run_ordinary(&CertifiedReals(*c), &Literally, Strategy::Accumulated, &rho, &limited);
    let meaning = TermDenotation { context: *c, rules: rules.clone(), unfoldings: Some(UNFOLDINGS) };
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

/// The wrong rules of traces, each with the law that refutes it.
pub const TRACE_MUTANTS: &[(Trace, &str)] = &[
    (Trace::Diagonal, "guards_turn"),
    (Trace::DynamicScope, "scope_is_static"),
    (Trace::BothBranches, "interpolation"),
    (Trace::OtherBranch, "interpolation"),
    (Trace::Inlined, "trace_is_local"),
    (Trace::LimitOff, "limited_is_unrolled"),
    (Trace::LimitAnswers, "limited_is_unrolled"),
    (Trace::Captured, "reverse_captures_nothing"),
    (Trace::AtCotangent, "reverse_is_transposed"),
    (Trace::OwnFactor, "reverse_is_transposed"),
    (Trace::LargerDomain, "reverse_has_the_domain"),
    (Trace::LastUse, "reverse_is_transposed"),
    (Trace::PairSwapped, "reverse_is_transposed"),
    (Trace::FirstBoth, "reverse_is_transposed"),
    (Trace::ConstantsSkipped, "reverse_has_the_domain"),
    (Trace::OtherSlope, "source_is_accumulated"),
    (Trace::ConstantCall, "source_is_accumulated"),
    (Trace::BoxByWidth, "printed_box_holds_the_point"),
    (Trace::LetAtPoint, "reverse_is_transposed"),
];

/// The wrong clauses of partial maps, each with laws that refute it.
pub const PARTIAL_MAP_MUTANTS: &[(Partial, &[&str])] = &[
    (Partial::Diagonal, &["adequate", "domains_are_open"]),
    (Partial::ClosedDomain, &["operations_agree"]),
    (Partial::LazyLet, &["adequate"]),
    (Partial::LazyPair, &["adequate"]),
    (Partial::BothBranches, &["adequate"]),
    (Partial::LevelsOff, &["adequate", "chains_increase"]),
    (Partial::BottomAnswers, &["adequate", "approximants_increase", "chains_increase"]),
    (Partial::OneDirection, &["adequate", "reverse_axioms"]),
    (Partial::Untransposed, &["adequate", "reverse_axioms"]),
    (Partial::Unrestricted, &["restriction_axioms", "joins_are_least"]),
    (Partial::JoinLeft, &["joins_are_least", "chains_increase"]),
    (Partial::NothingForNothing, &["adequate", "reverse_axioms"]),
];

/// The wrong clauses of programs in pieces, each with laws that refute it.
pub const PIECES_MUTANTS: &[(Pap, &[&str])] = &[
    (Pap::TestBorder, &["derivative_of_the_path", "pieces_are_the_program"]),
    (Pap::BranchByTangent, &["derivative_of_the_path", "almost_everywhere"]),
    (Pap::ReplayForgets, &["pieces_are_the_program", "lengths_sum_up"]),
    (Pap::FrontierDropped, &["lengths_sum_up"]),
    (Pap::DomainConditionLost, &["pieces_are_the_program"]),
    (Pap::AbsSmooth, &["derivative_of_the_path", "pieces_are_the_program"]),
    (Pap::FuelIsUndefined, &["fuel_says_nothing"]),
];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const MAX_CATCH_SAMPLES: u64 = 500;

/// A wrong rule and a law that refutes it, by name.
#[derive(Clone, Copy, Debug)]
pub struct MutantCatch {
    /// The name of the rule.
    pub rule: &'static str,
    /// The name of the law.
    pub law: &'static str,
    tried: MutantAndLaw,
}

/// The families of wrong rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleFamily {
    /// Rules of traces.
    Trace,
    /// Clauses of partial maps.
    Partial,
    /// Clauses of programs in pieces.
    Pieces,
}

/// A wrong rule with the function of its law, for each of the three families.
#[derive(Clone, Copy, Debug)]
enum MutantAndLaw {
    Trace(Trace, trace::TraceLaw),
    Partial(Partial, partial::PartialMapLaw),
    Pieces(Pap, pap::PiecesLaw),
}

/// Returns all wrong rules with the laws that refute them.
#[must_use]
pub fn mutant_catches() -> Vec<MutantCatch> {
    let of_trace = |&(rule, wanted): &(Trace, &str)| {
        let (law, run) = trace::LAWS.iter().find(|(name, _)| *name == wanted)?;
        Some(MutantCatch { rule: rule.name(), law, tried: MutantAndLaw::Trace(rule, *run) })
    };
    let of_partial = |&(rule, laws): &(Partial, &'static [&'static str])| {
        laws_by_name(partial::LAWS, laws).map(move |(law, run)| {
            let tried = MutantAndLaw::Partial(rule, run);
            MutantCatch { rule: rule.name(), law, tried }
        })
    };
    let of_pieces = |&(rule, laws): &(Pap, &'static [&'static str])| {
        laws_by_name(pap::LAWS, laws).map(move |(law, run)| {
            let tried = MutantAndLaw::Pieces(rule, run);
            MutantCatch { rule: rule.name(), law, tried }
        })
    };
    let of_maps = PARTIAL_MAP_MUTANTS.iter().flat_map(of_partial).chain(PIECES_MUTANTS.iter().flat_map(of_pieces));
    TRACE_MUTANTS.iter().filter_map(of_trace).chain(of_maps).collect()
}

/// Returns the laws with these names.
fn laws_by_name<L: Copy>(
    all: &'static [(&'static str, L)],
    names: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, L)> {
    names.iter().filter_map(|wanted| all.iter().copied().find(|(name, _)| name == wanted))
}

impl MutantCatch {
    /// Returns the family of the rule.
    #[must_use]
    pub fn family(&self) -> RuleFamily {
        match self.tried {
            MutantAndLaw::Trace(..) => RuleFamily::Trace,
            MutantAndLaw::Partial(..) => RuleFamily::Partial,
            MutantAndLaw::Pieces(..) => RuleFamily::Pieces,
        }
    }

    /// Returns the right rule and the wrong one, in words.
    #[must_use]
    pub fn rule_texts(&self) -> [&'static str; 2] {
        match self.tried {
            MutantAndLaw::Trace(rule, _) => [rule.rule(), rule.instead()],
            MutantAndLaw::Partial(rule, _) => [rule.rule(), rule.instead()],
            MutantAndLaw::Pieces(rule, _) => [rule.rule(), rule.instead()],
        }
    }

    /// Returns the number of samples of a seed until the law refutes the rule. Returns `None` if [`MAX_CATCH_SAMPLES`] are not
    /// enough.
    #[must_use]
    pub fn samples_until_refuted(&self, seed: u64) -> Option<u64> {
        property::samples_until_refuted(seed, MAX_CATCH_SAMPLES, |random| match self.tried {
            MutantAndLaw::Trace(rule, law) => law(random, &rule),
            MutantAndLaw::Partial(rule, law) => law(random, &(Arc::new(rule) as Arc<dyn PartialHooks>)),
            MutantAndLaw::Pieces(rule, law) => {
                law(random, &(Arc::new(rule) as Arc<dyn crate::meaning::pap::PiecewiseHooks>))
            }
        })
    }

    /// Returns the upper median of [`MutantCatch::samples_until_refuted`] over `seeds` seeds. Returns `None` if that seed does not refute the
    /// rule.
    #[must_use]
    pub fn median_samples(&self, seeds: u64) -> Option<u64> {
        // a seed without a refutation counts as infinite, so the median stays honest
        let mut found: Vec<u64> = (0..seeds).map(|seed| self.samples_until_refuted(seed).unwrap_or(u64::MAX)).collect();
        found.sort_unstable();
        found.get(found.len() / 2).copied().filter(|samples| *samples <= MAX_CATCH_SAMPLES)
    }
}
