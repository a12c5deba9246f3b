//! The theorems of A on its denotational semantics, tested on random programs: adequacy to the operational semantics,
//! and the properties of partial functions.
//!
//! Over the rationals everything is decided, and recursions are limited. So both directions of a theorem are tested: a
//! program that certainly has no value counts as much as one that has. Each law is a function of the
//! [rules](crate::meaning::partial::hooks), so that it can be tested with wrong ones.
//!
//! | law | statement |
//! |---|---|
//! | `adequate` | `M⁽ⁿ⁾ ⇒ V` if and only if ⟦M⟧ by µⁿ is V, for each n; of derivatives too (Thms 6.2 (1) and 6.7) |
//! | `traces_adequate` | ⟦C⟧ is ⟦M⟧ by µⁿ, for the trace C of `M⁽ⁿ⁾` (Thm 6.2 (2)) |
//! | `reverse_denotes_transposed` | ⟦W.R_V(x. C)⟧ = ⟦W.rd_V(x. C)⟧, and one is defined where the other is (Thm 6.1) |
//! | `traced_derivatives` | tracing and then differentiating is differentiating (Cor. 6.3) |
//! | `approximants_increase` | where µⁿ is defined, so is µⁿ⁺¹, with the same value, and so is their supremum (§5) |
//! | `domains_are_open` | a map defined at a point is defined near it, and continuous (§4) |
//! | `boxes_are_certain` | a map defined on a box is defined at two opposite corners and in the middle, with values in its range |
//! | `precisions_agree` | enclosures hold the exact value, and certain ⊥ is certain at every precision |
//! | `operations_agree` | operations with domains are defined where the operational semantics has them (11) |
//! | `below_presheaves` | a program defined by value is defined in presheaves, with the same value |
//! | `language_below_presheaves` | `below_presheaves` for programs of the whole language |
//! | `category_axioms`, `restriction_axioms`, `joins_are_least`, `differential_axioms`, `reverse_axioms`, `chains_increase` | partial maps are a reverse differential restriction category with joins, and recursions are suprema of chains in it (§4) |

mod category;
pub mod denotation;
mod language;
mod presheaf;

pub use category::{
    category_axioms, chains_increase, differential_axioms, joins_are_least, restriction_axioms, reverse_axioms,
};
pub use language::language_below_presheaves;
pub use presheaf::below_presheaves;

use super::trace::generate::{TraceSample, draw_sample};
use super::trace::{RunOutcome, kleene_equal, run_ordinary};
use crate::function::{Function, Planar};
use crate::meaning::partial::hooks::PartialHooks;
use crate::number::context::Context;
use crate::number::{Double, Exact, Mpfr, Rational};
use crate::random::SplitMix64;
use crate::trace::environment::{CoreEnvironment, FunctionEnvironment};
use crate::trace::evaluation::{Strategy, TraceEvaluator};
use crate::trace::hooks::DefaultTraceHooks;
use crate::trace::limited::approximant;
use crate::trace::number::{CertifiedReals, Rationals};
use crate::trace::operation::OperationSymbol;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{CoreTerm, CoreVariable};
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;
use crate::verdict::Verdict;
use denotation::TermDenotation;
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type PartialMapLaw = fn(SplitMix64, &Arc<dyn PartialHooks>) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, PartialMapLaw)] = &[
    ("adequate", adequate),
    ("traces_adequate", traces_adequate),
    ("reverse_denotes_transposed", reverse_denotes_transposed),
    ("traced_derivatives", traced_derivatives),
    ("approximants_increase", approximants_increase),
    ("domains_are_open", domains_are_open),
    ("boxes_are_certain", boxes_are_certain),
    ("precisions_agree", precisions_agree),
    ("operations_agree", operations_agree),
    ("below_presheaves", below_presheaves),
    ("language_below_presheaves", language_below_presheaves),
    ("category_axioms", category_axioms),
    ("restriction_axioms", restriction_axioms),
    ("joins_are_least", joins_are_least),
    ("differential_axioms", differential_axioms),
    ("reverse_axioms", reverse_axioms),
    ("chains_increase", chains_increase),
];

/// The greatest size in bits of rational numbers, in both semantics. A choice: nested squares would grow without limit.
const BITS: u32 = 2_000;
/// The numbers of unfoldings of recursions that are compared. A choice.
const UNFOLDINGS: [u64; 5] = [0, 1, 2, 3, 6];

/// A value with rational components.
type RationalPoint = CoreValue<Rational>;

/// ⟦x : T ⊢ M⟧ by µⁿ, over the rationals.
fn denote_program(
    rules: &Arc<dyn PartialHooks>,
    n: Option<u64>,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<RationalPoint> {
    let meaning = TermDenotation { context: Exact { bits: BITS }, rules: rules.clone(), unfoldings: n };
    match meaning.denote_at((&sample.x, &sample.ty), term, &point.map(&mut |x| Some(x.clone()))) {
        // a number that grew beyond `BITS` is unknown, which claims nothing
        RunOutcome::Defined(found) if found.real_components().iter().any(|x| x.is_none()) => RunOutcome::Unknown,
        found => found.map(|found| found.map(&mut |x| x.clone().unwrap_or_default())),
    }
}

/// `M⁽ⁿ⁾ ⇒ V`, over the rationals.
fn run_approximant(n: u64, sample: &TraceSample, term: &CoreTerm, point: &RationalPoint) -> RunOutcome<RationalPoint> {
    let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
    run_ordinary(&Rationals { max_bits: BITS }, &DefaultTraceHooks, Strategy::Accumulated, &rho, &approximant(term, n))
}

/// Returns the program and its transposed derivative.
fn with_derivative(sample: &TraceSample) -> [CoreTerm; 2] {
    [sample.term.clone(), super::trace::transposed_derivative(sample, &sample.term)]
}

/// Prints a program with its point, for a refutation.
fn describe_case(sample: &TraceSample, term: &CoreTerm, point: &RationalPoint) -> String {
    format!("{} = {point} in {}", sample.x.name(), super::trace::print_shortened(term))
}

/// Returns the conjunction of the verdicts of `law` at the points of a random sample.
fn check_at_points(random: SplitMix64, law: impl Fn(&TraceSample, &RationalPoint) -> Verdict) -> Verdict {
    let sample = draw_sample(random);
    let verdicts = sample.points.iter().map(|point| law(&sample, point));
    verdicts.fold(Verdict::Vacuous, Verdict::and)
}

/// Tests theorems 6.2 (1) and 6.7.
pub fn adequate(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            for n in UNFOLDINGS {
                let at = || format!("n = {n}, {}", describe_case(sample, &term, point));
                all = all.and(kleene_equal(
                    at,
                    run_approximant(n, sample, &term, point),
                    denote_program(rules, Some(n), sample, &term, point),
                ));
            }
        }
        all
    })
}

/// Returns the trace of `M⁽ⁿ⁾`.
fn trace_approximant(n: u64, sample: &TraceSample, term: &CoreTerm, point: &RationalPoint) -> RunOutcome<CoreTerm> {
    let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
    super::trace::run_symbolic(&DefaultTraceHooks, &rho, &approximant(term, n)).map(|(trace, _)| trace)
}

/// Tests theorem 6.2 (2), at the point itself.
pub fn traces_adequate(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    let n = 6;
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let through = match trace_approximant(n, sample, &term, point) {
                RunOutcome::Defined(trace) => denote_program(rules, Some(n), sample, &trace, point),
                RunOutcome::Undefined => RunOutcome::Undefined,
                RunOutcome::Unknown => RunOutcome::Unknown,
            };
            all = all.and(kleene_equal(
                || describe_case(sample, &term, point),
                through,
                denote_program(rules, Some(n), sample, &term, point),
            ));
        }
        all
    })
}

/// Returns ⟦W.R_V(x. C)⟧ for a trace C, at V.
fn denote_reverse(
    rules: &Arc<dyn PartialHooks>,
    sample: &TraceSample,
    trace: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<RationalPoint> {
    let numbers = Rationals { max_bits: BITS };
    // the derivative binds its own variable, so the trace is renamed before it stands under it
    let inner = sample.x.renamed();
    let body = Renaming::substitute(trace, &sample.x, CoreTerm::variable(&inner));
    let at = CoreTerm::variable(&sample.x);
    let reverse = TraceEvaluator::new(&numbers).differentiate(&sample.cotangent, &at, &inner, &sample.ty, &body);
    reverse.map_or(RunOutcome::Unknown, |reverse| denote_program(rules, None, sample, &reverse, point))
}

/// Tests theorem 6.1 for the traces of programs, at all points: also where a trace has no value.
pub fn reverse_denotes_transposed(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let RunOutcome::Defined(trace) = trace_approximant(6, sample, &sample.term, point) else {
            return Verdict::Vacuous;
        };
        let derivative = super::trace::transposed_derivative(sample, &trace);
        let mut all = Verdict::Vacuous;
        // a trace is one straight line of the program; at other points it may be undefined, and both sides must be
        for other in &sample.points {
            let (left, right) =
                (denote_reverse(rules, sample, &trace, other), denote_program(rules, None, sample, &derivative, other));
            all = all.and(kleene_equal(|| describe_case(sample, &derivative, other), left, right));
        }
        all
    })
}

/// Tests corollary 6.3.
pub fn traced_derivatives(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let n = 6;
        let derivative = super::trace::transposed_derivative(sample, &sample.term);
        let through = match trace_approximant(n, sample, &sample.term, point) {
            RunOutcome::Defined(trace) => denote_reverse(rules, sample, &trace, point),
            RunOutcome::Undefined => RunOutcome::Undefined,
            RunOutcome::Unknown => RunOutcome::Unknown,
        };
        let found = denote_program(rules, Some(n), sample, &derivative, point);
        kleene_equal(|| describe_case(sample, &derivative, point), through, found)
    })
}

/// Tests that µⁿ ≤ µⁿ⁺¹ ≤ µ.
pub fn approximants_increase(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let mut before = RunOutcome::Undefined;
            for n in UNFOLDINGS.map(Some).into_iter().chain([None]) {
                let next = denote_program(rules, n, sample, &term, point);
                // only a defined approximant claims something about the next one
                if let RunOutcome::Defined(_) = before {
                    all = all.and(kleene_equal(|| describe_case(sample, &term, point), before, next.clone()));
                }
                before = next;
            }
        }
        all
    })
}

/// Returns the two points at which every coordinate differs by 2⁻³⁰⁰, below and above. A choice: far
/// below the 2⁻⁴⁰ by which sample points lie off borders.
fn nearby_points(point: &RationalPoint) -> [RationalPoint; 2] {
    [-1, 1].map(|side| point.map(&mut |x| x.clone() + (Rational::from(side) >> 300u32)))
}

/// Tests that a program defined at a point is defined next to it, with a value that is near.
pub fn domains_are_open(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let here = denote_program(rules, Some(6), sample, &term, point);
            let RunOutcome::Defined(value) = here else { continue };
            for near in nearby_points(point) {
                let at = || describe_case(sample, &term, &near);
                all = all.and(match denote_program(rules, Some(6), sample, &term, &near) {
                    RunOutcome::Unknown => Verdict::Vacuous,
                    RunOutcome::Defined(found) if is_near(&value, &found) => Verdict::Survived,
                    found => Verdict::refuted(at(), &value, format!("{found:?}")),
                });
            }
        }
        all
    })
}

/// Returns `true` if all numbers differ by less than 2⁻¹⁰⁰. At a distance of 2⁻³⁰⁰ that admits slopes up to 2²⁰⁰.
fn is_near(a: &RationalPoint, b: &RationalPoint) -> bool {
    let (a, b) = (a.real_components(), b.real_components());
    let close = |(a, b): (&&Rational, &&Rational)| Rational::from(*a - *b).abs() < Rational::from(1) >> 100u32;
    a.len() == b.len() && a.iter().zip(&b).all(close)
}

/// Returns `true` if enclosures contain these rational numbers and are certainly defined.
fn contains_exact<C: Context>(context: &C, found: &CoreValue<C::Num>, exact: &RationalPoint) -> bool {
    let (found, exact) = (found.real_components(), exact.real_components());
    let fits = |(found, exact): (&&C::Num, &&Rational)| {
        let found = context.to_enclosure(found);
        found.is_defined() && found.contains(exact)
    };
    found.len() == exact.len() && found.iter().zip(&exact).all(fits)
}

/// Tests that a program defined on a box is defined at two opposite corners and in the middle, with values in its
/// range.
pub fn boxes_are_certain(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let (c, mut all) = (Mpfr::new(400), Verdict::Vacuous);
        for term in with_derivative(sample) {
            for radius in [4u32, 20, 50] {
                let radius = Rational::from(1) >> radius;
                let ends = [-1, 1].map(|side| point.map(&mut |x| x.clone() + radius.clone() * side));
                let mut corners = ends[0].real_components().into_iter().zip(ends[1].real_components());
                let whole = point.map(&mut |x| {
                    let (lo, hi) = corners.next().unwrap_or((x, x));
                    c.hull(&c.enclose_rational(lo), &c.enclose_rational(hi))
                });
                let meaning = TermDenotation { context: c, rules: rules.clone(), unfoldings: Some(6) };
                let RunOutcome::Defined(range) = meaning.denote_at((&sample.x, &sample.ty), &term, &whole) else {
                    continue;
                };
                // a hull contains its ends, so the range must contain the exact values there
                for at in ends.iter().chain([point]) {
                    all = all.and(match denote_program(rules, Some(6), sample, &term, at) {
                        RunOutcome::Unknown => Verdict::Vacuous,
                        RunOutcome::Defined(exact) if contains_exact(&c, &range, &exact) => Verdict::Survived,
                        found => Verdict::refuted(
                            describe_case(sample, &term, at),
                            format!("{range:?}"),
                            format!("{found:?}"),
                        ),
                    });
                }
            }
        }
        all
    })
}

/// Compares the semantics in one arithmetic with the exact value.
fn check_precision<C: Context>(
    context: &C,
    rules: &Arc<dyn PartialHooks>,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> Verdict {
    let meaning = TermDenotation { context: context.clone(), rules: rules.clone(), unfoldings: Some(6) };
    let at = point.map(&mut |x| context.enclose_rational(x));
    let exact = denote_program(rules, Some(6), sample, term, point);
    match (meaning.denote_at((&sample.x, &sample.ty), term, &at), exact) {
        (RunOutcome::Unknown, _) | (_, RunOutcome::Unknown) | (RunOutcome::Undefined, RunOutcome::Undefined) => {
            Verdict::Vacuous
        }
        (RunOutcome::Defined(found), RunOutcome::Defined(exact)) if contains_exact(context, &found, &exact) => {
            Verdict::Survived
        }
        (found, exact) => {
            Verdict::refuted(describe_case(sample, term, point), format!("{found:?}"), format!("{exact:?}"))
        }
    }
}

/// Tests doubles and 200-bit numbers against fractions.
pub fn precisions_agree(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_at_points(random, |sample, point| {
        let [term, derivative] = with_derivative(sample);
        [term, derivative].iter().fold(Verdict::Vacuous, |all, term| {
            all.and(check_precision(&Double, rules, sample, term, point)).and(check_precision(
                &Mpfr::new(200),
                rules,
                sample,
                term,
                point,
            ))
        })
    })
}

/// Tests an operation with a domain, and a composite of two, inside and outside of the domain and at its edges.
pub fn operations_agree(mut random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    let [x, inner] = ["x", "x"].map(|name| CoreVariable::fresh(&name.into()));
    let mut of = |argument: CoreTerm| match random.next_below(3) {
        0 => {
            let powers = [(1, 2), (1, 3), (-1, 1), (4, 3), (3, 2), (0, 1), (3, 1), (-2, 3)];
            CoreTerm::operation(OperationSymbol::Power(Rational::from(*random.pick(&powers))), argument)
        }
        1 => CoreTerm::binary_operation(
            OperationSymbol::BinaryFunction(*random.pick(Planar::ALL)),
            argument,
            CoreTerm::number(-1),
        ),
        _ => CoreTerm::operation(OperationSymbol::Function(*random.pick(Function::ALL)), argument),
    };
    let (once, twice) = (of(CoreTerm::variable(&inner)), of(CoreTerm::variable(&inner)));
    let chain = Renaming::substitute(&twice, &inner, once.clone());
    let c = Mpfr::new(200);
    let meaning = TermDenotation { context: c, rules: rules.clone(), unfoldings: None };
    let mut all = Verdict::Vacuous;
    for body in [once, chain] {
        // derivatives have domains of their own: that of √x excludes 0
        let derivative = sugar::gradient(CoreTerm::variable(&x), &inner, &CoreTy::Real, body.clone());
        let term = Renaming::substitute(&body, &inner, CoreTerm::variable(&x));
        for at in
            [-2, -1, 0, 1, 2].into_iter().map(Rational::from).chain([Rational::from((1, 2)), Rational::from((-1, 2))])
        {
            for term in [&term, &derivative] {
                let point = CoreValue::Real(c.enclose_rational(&at));
                let numbers = CertifiedReals(c);
                let run = TraceEvaluator::new(&numbers).with_step_limit(10_000);
                let run = run.evaluate_ordinary(
                    &FunctionEnvironment::default(),
                    &CoreEnvironment::of_variable(&x, point.clone()),
                    term,
                );
                let (run, found) = (RunOutcome::from_result(run), meaning.denote_at((&x, &CoreTy::Real), term, &point));
                let witness = || format!("x = {at} in {}", super::trace::print_shortened(term));
                all = all.and(match (&run, &found) {
                    // two undefined results agree, but claim nothing about a value
                    (RunOutcome::Unknown, _)
                    | (_, RunOutcome::Unknown)
                    | (RunOutcome::Undefined, RunOutcome::Undefined) => Verdict::Vacuous,
                    (RunOutcome::Defined(a), RunOutcome::Defined(b)) if values_overlap(&c, a, b) => Verdict::Survived,
                    _ => Verdict::refuted(witness(), format!("{run:?}"), format!("{found:?}")),
                });
            }
        }
    }
    all
}

/// Returns `true` if the enclosures of all numbers meet.
fn values_overlap<C: Context>(context: &C, a: &CoreValue<C::Num>, b: &CoreValue<C::Num>) -> bool {
    let (a, b) = (a.real_components(), b.real_components());
    let meet = |(a, b): (&&C::Num, &&C::Num)| context.to_enclosure(a).overlaps(&context.to_enclosure(b));
    a.len() == b.len() && a.iter().zip(&b).all(meet)
}
