//! Adequacy on many random programs: their features, and the number of samples until a wrong rule is refuted.
//!
//! Recursive programs are run as drawn, and `M⁽ⁿ⁾` is compared with µⁿ. A verdict without a claim counts as vacuous.

use super::pap;
use super::partial::denotation::Denotation;
use super::partial::{self, adequate};
use super::trace::generate::{Sample, Shape, sample};
use super::trace::{self, Outcome};
use crate::meaning::partial::hooks::{Hooks, Library};
use crate::number::context::Context;
use crate::number::{Mpfr, Rational};
use crate::random::Random;
use crate::trace::environment::{Environment, Functions};
use crate::trace::error::Obstacle;
use crate::trace::evaluation::{Evaluator, Strategy};
use crate::trace::hooks::Library as Literally;
use crate::trace::limited::approximant;
use crate::trace::number::{Certified, Numbers, Rationals};
use crate::trace::operation::Operation;
use crate::trace::term::{Boolean, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use crate::value::Cause;
use crate::verdict::Verdict;
use crate::wrong::{Pap, Partial, Trace};
use std::sync::Arc;

/// The numbers that programs are run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Rational numbers. Every guard is decided, and both directions of adequacy are tested.
    Rationals,
    /// Certified real numbers. The input is an elementary function of a rational number, so guards are tested at
    /// irrational numbers.
    Reals,
}

/// The counts over a number of programs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
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
    pub moving: u64,
}

impl Tally {
    /// Tests program number `index`, and counts it with its features.
    pub fn add(&mut self, seed: u64, index: u64, over: Over) {
        let rules: Arc<dyn Hooks> = Arc::new(Library);
        // the same stream is drawn again inside `adequate`, so the features belong to the tested program
        let drawn = drawn(Random::of(seed, index), over);
        let (verdict, features) = match over {
            Over::Rationals => {
                let is_zero = |x: &Rational| *x == 0;
                let features = Features::of(&Rationals::default(), &drawn, &Rational::clone, &is_zero);
                (adequate(Random::of(seed, index), &rules), features)
            }
            Over::Reals => {
                let c = Mpfr::new(BITS[1]);
                let features = Features::of(&Certified(c), &drawn, &|x| c.rational(x), &|x| c.contains_zero(x));
                (adequate_over_reals(&drawn, &rules), features)
            }
        };
        self.programs += 1;
        match verdict {
            Verdict::Survived => self.survived += 1,
            Verdict::Vacuous => self.vacuous += 1,
            refuted => self.refuted.push((index, refuted)),
        }
        self.recursive += u64::from(!matches!(drawn.shape, Shape::Plain | Shape::Shadowed));
        self.branching += u64::from(branches(&drawn.term));
        self.diverging += u64::from(features.diverges);
        self.moving += u64::from(features.moves);
    }
}

/// The number of unfoldings after which a program counts as divergent. A choice.
const UNFOLDINGS: u64 = 6;
/// The precisions of certified numbers, in bits: one coarse and one fine. A choice.
const BITS: [u32; 2] = [64, 256];

/// Returns `true` if a program has a conditional on a predicate.
fn branches(term: &Term) -> bool {
    let mut found = matches!(term.kind(), TermKind::If(Boolean::Predicate(..), ..));
    term.kind().children(|part| found = found || crate::stack::deep(|| branches(part)));
    found
}

/// The behaviour of a program at its points.
/// The run at some point does not end within the limit of unfoldings.
struct Features {
    diverges: bool,
    moves: bool,
}

impl Features {
    /// Runs a program and its derivative at its points, with recursions unfolded [`UNFOLDINGS`] times.
    fn of<N: Numbers>(
        numbers: &N,
        drawn: &Sample,
        number: &dyn Fn(&Rational) -> N::Number,
        may_be_zero: &dyn Fn(&N::Number) -> bool,
    ) -> Features {
        let ran = |term: &Term, point: &Value<Rational>| {
            let rho = Environment::of(&drawn.x, point.map(&mut |x| number(x)));
            Evaluator::new(numbers).ordinary(&Functions::default(), &rho, &approximant(term, UNFOLDINGS))
        };
        let is_fuel = |error: Obstacle| error.undefined().is_some_and(|found| found.cause == Cause::Fuel);
        let derivative = trace::derivative(drawn, &drawn.term);
        let moves = |found: Value<N::Number>| found.reals().into_iter().any(|x| !may_be_zero(x));
        Features {
            diverges: drawn.points.iter().any(|point| ran(&drawn.term, point).is_err_and(is_fuel)),
            moves: drawn.points.iter().any(|point| ran(&derivative, point).is_ok_and(moves)),
        }
    }
}

/// Draws a program; over the reals, composed with an elementary function of its input.
fn drawn(mut random: Random, over: Over) -> Sample {
    use crate::function::Function::{Atan, Exp, Sin};
    if over == Over::Rationals {
        return sample(random);
    }
    let function = Operation::Function(*random.pick(&[Exp, Sin, Atan]));
    let Sample { shape, x, ty, codomain, term, points, cotangent } = sample(random);
    let y = Variable::fresh(&"y".into());
    let through = |x: Term| Term::operation(function.clone(), x);
    let whole = Term::variable(&y);
    let value = match ty {
        Ty::Product(_) => {
            let part = |kind: fn(Ty, Ty, Term) -> TermKind| through(kind(Ty::Real, Ty::Real, whole.clone()).into());
            Term::pair(Ty::Real, Ty::Real, part(TermKind::First), part(TermKind::Second))
        }
        _ => through(whole),
    };
    let term = Term::bind(&x, ty.clone(), value, term);
    Sample { shape, x: y, ty, codomain, term, points, cotangent }
}

/// Tests theorems 6.2 (1) and 6.7 over real numbers: the enclosures of `M⁽ⁿ⁾` and µⁿ meet, and neither certainly has a
/// value where the other certainly has none.
fn adequate_over_reals(drawn: &Sample, rules: &Arc<dyn Hooks>) -> Verdict {
    let mut all = Verdict::Vacuous;
    for term in [drawn.term.clone(), trace::derivative(drawn, &drawn.term)] {
        for point in &drawn.points {
            for bits in BITS {
                all = all.and(at_precision(&Mpfr::new(bits), rules, drawn, &term, point));
            }
        }
    }
    all
}

/// Tests the two theorems on one program at one point, at the precision of `c`.
fn at_precision(c: &Mpfr, rules: &Arc<dyn Hooks>, drawn: &Sample, term: &Term, point: &Value<Rational>) -> Verdict {
    let at = point.map(&mut |x| c.rational(x));
    let rho = Environment::of(&drawn.x, at.clone());
    let limited = approximant(term, UNFOLDINGS);
    // both sides unfold recursions equally often, since the theorem compares M⁽ⁿ⁾ with µⁿ
    let left = trace::value(&Certified(*c), &Literally, Strategy::Accumulated, &rho, &limited);
    let meaning = Denotation { context: *c, rules: rules.clone(), unfoldings: Some(UNFOLDINGS) };
    let right = meaning.at((&drawn.x, &drawn.ty), term, &at);
    let told = || format!("{} = {point}, {} bits, in {}", drawn.x.name(), c.precision(), trace::shown(term));
    match (left, right) {
        // two undefined results agree, but claim nothing about a value
        (Outcome::Unknown, _) | (_, Outcome::Unknown) | (Outcome::Undefined, Outcome::Undefined) => Verdict::Vacuous,
        (Outcome::Defined(left), Outcome::Defined(right)) => {
            let enclosure = |x: &<Mpfr as Context>::Num| c.to_enclosure(x);
            let (left, right) = (left.map(&mut |x| enclosure(x)), right.map(&mut |x| enclosure(x)));
            let (a, b) = (left.reals(), right.reals());
            match a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.overlaps(b)) {
                true => Verdict::Survived,
                false => Verdict::refuted(told(), &left, &right),
            }
        }
        (left, right) => Verdict::refuted(told(), format!("{left:?}"), format!("{right:?}")),
    }
}

/// The wrong rules of traces, each with the law that refutes it.
pub const OF_TRACES: &[(Trace, &str)] = &[
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
pub const OF_PARTIAL_MAPS: &[(Partial, &[&str])] = &[
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
pub const OF_PIECES: &[(Pap, &[&str])] = &[
    (Pap::TestBorder, &["derivative_of_the_path", "pieces_are_the_program"]),
    (Pap::BranchByTangent, &["derivative_of_the_path", "almost_everywhere"]),
    (Pap::ReplayForgets, &["pieces_are_the_program", "lengths_sum_up"]),
    (Pap::FrontierDropped, &["lengths_sum_up"]),
    (Pap::DomainConditionLost, &["pieces_are_the_program"]),
    (Pap::AbsSmooth, &["derivative_of_the_path", "pieces_are_the_program"]),
    (Pap::FuelIsUndefined, &["fuel_says_nothing"]),
];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const SAMPLES: u64 = 500;

/// A wrong rule and a law that refutes it, by name.
#[derive(Clone, Copy, Debug)]
pub struct Catch {
    /// The name of the rule.
    pub rule: &'static str,
    /// The name of the law.
    pub law: &'static str,
    tried: Tried,
}

/// A wrong rule with the function of its law, for each of the three families.
#[derive(Clone, Copy, Debug)]
enum Tried {
    Trace(Trace, trace::Law),
    Partial(Partial, partial::Law),
    Pieces(Pap, pap::Law),
}

/// Returns all wrong rules with the laws that refute them.
#[must_use]
pub fn catches() -> Vec<Catch> {
    let of_trace = |&(rule, wanted): &(Trace, &str)| {
        let (law, run) = trace::LAWS.iter().find(|(name, _)| *name == wanted)?;
        Some(Catch { rule: rule.name(), law, tried: Tried::Trace(rule, *run) })
    };
    let of_partial = |&(rule, laws): &(Partial, &'static [&'static str])| {
        by_name(partial::LAWS, laws).map(move |(law, run)| {
            let tried = Tried::Partial(rule, run);
            Catch { rule: rule.name(), law, tried }
        })
    };
    let of_pieces = |&(rule, laws): &(Pap, &'static [&'static str])| {
        by_name(pap::LAWS, laws).map(move |(law, run)| {
            let tried = Tried::Pieces(rule, run);
            Catch { rule: rule.name(), law, tried }
        })
    };
    let of_maps = OF_PARTIAL_MAPS.iter().flat_map(of_partial).chain(OF_PIECES.iter().flat_map(of_pieces));
    OF_TRACES.iter().filter_map(of_trace).chain(of_maps).collect()
}

/// Returns the laws with these names.
fn by_name<L: Copy>(
    all: &'static [(&'static str, L)],
    names: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, L)> {
    names.iter().filter_map(|wanted| all.iter().copied().find(|(name, _)| name == wanted))
}

impl Catch {
    /// Returns the number of samples of a seed until the law refutes the rule. Returns `None` if [`SAMPLES`] are not
    /// enough.
    #[must_use]
    pub fn after(&self, seed: u64) -> Option<u64> {
        let refutes = |index: &u64| {
            let random = Random::of(seed, *index);
            match self.tried {
                Tried::Trace(rule, law) => law(random, &rule),
                Tried::Partial(rule, law) => law(random, &(Arc::new(rule) as Arc<dyn Hooks>)),
                Tried::Pieces(rule, law) => {
                    law(random, &(Arc::new(rule) as Arc<dyn crate::meaning::pap::hooks::Hooks>))
                }
            }
            .is_refuted()
        };
        (0..SAMPLES).find(refutes).map(|index| index + 1)
    }

    /// Returns the upper median of [`Catch::after`] over `seeds` seeds. Returns `None` if that seed does not refute the
    /// rule.
    #[must_use]
    pub fn median(&self, seeds: u64) -> Option<u64> {
        // a seed without a refutation counts as infinite, so the median stays honest
        let mut found: Vec<u64> = (0..seeds).map(|seed| self.after(seed).unwrap_or(u64::MAX)).collect();
        found.sort_unstable();
        found.get(found.len() / 2).copied().filter(|samples| *samples <= SAMPLES)
    }
}
