//! The theorems of A on its denotational semantics, tested on random programs: adequacy to the operational semantics,
//! and the properties of partial functions.
//!
//! Over the rationals everything is decided, and recursions are limited. So both directions of a theorem are tested: a
//! program that certainly has no value counts as much as one that has. Each law is a function of the
//! [rules](crate::meaning::partial), so that it can be tested with wrong ones.
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
//! | `values_are_vectors` | closed values of a type are vectors, and denote them (L5.1) |
//! | `contexts_compose` | what `E[M]` denotes depends on E and on what M denotes (L5.2, L5.3) |
//! | `category_axioms`, `restriction_axioms`, `joins_are_least`, `differential_axioms`, `reverse_axioms`, `chains_increase` | partial maps are a reverse differential restriction category with joins, and recursions are suprema of chains in it (§4) |
//!
//! # ⟦M⟧: the denotation of a core term as a partial map, in any
//!
//! ⟦M⟧: the denotation of a core term as a partial map, in any arithmetic.
//!
//! The term is printed in the library's language and evaluated by the denotational semantics there. Independent of the
//! evaluators in [`trace`](crate::trace).
//!
//! # Comparison of partial maps with presheaves
//!
//! # Programs of the whole language
//!
//! Programs of the whole language, in the presheaf semantics and, as far as that goes, in partial maps.
//!
//! # Partial maps as a restriction category
//!
//! The laws of [`law::restriction`](crate::law::category), tested on random
//! maps.

use super::generate::oracle::{KnownReal, KnownReals};
use super::generate::program::{ProgramVocabulary, TraceSample, draw_trace_sample, draw_trace_sample_in};
use super::trace::{KnownPoint, RunOutcome, kleene_equal, known_point, run_known};
use crate::category::restriction::{DifferentialRestriction, Joins, RestrictionCategory, RestrictionProducts};
use crate::category::{Arrow, Category, ObjectName};
use crate::function::{Function, Planar};
use crate::law::category::{
    associativity, chain_laws, differential_join_law, differential_laws, forward_from_reverse, identity, join_laws,
    meet_laws, pair_laws, restriction_laws, reverse_laws, unfolding_law,
};
use crate::law::generate::{TermGenerator, TermVocabulary};
use crate::law::property::{LawSuite, SampleSettings, suite_of_table};
use crate::meaning::partial::map::{PartialMap, PartialMapCategory, PartialTestConfig};
use crate::meaning::partial::{JetElement, PartialHooks, PartialUniverse, PartialValue};
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::model::universe::EvaluatorModel;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Double, Enclosure, Exact, Mpfr, Rational};
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, RealObject};
use crate::smooth::jet::Jet;
use crate::syntax::source::Span;
use crate::syntax::term as program;
use crate::syntax::ty::{Ty, Ty as ProgramTy};
use crate::trace::evaluation::{Focus, TraceEvaluator, decompose, plug_context};
use crate::trace::number::CertifiedReals;
use crate::trace::operation::OperationSymbol;
use crate::trace::printer::to_language_program;
use crate::trace::term;
use crate::trace::term::{
    BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable, Renaming, approximant,
};
use crate::trace::typing::{CoreEnvironment, FunctionEnvironment, type_of_value};
use crate::value;
use crate::value::{Value, ValueError};
use crate::verdict::Verdict;
use crate::wrong::RuleSet;
use std::convert::Infallible;
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type PartialMapLaw = fn(SplitMix64, &RuleSet) -> Verdict;

/// Returns [`LAWS`] as a suite for quickcheck, with rules that may be wrong.
pub fn partial_suite(rules: &RuleSet, samples: &SampleSettings) -> LawSuite<Infallible> {
    let rules = rules.clone();
    suite_of_table(LAWS, samples, move |law: PartialMapLaw, random| law(random, &rules))
}

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
    ("values_are_vectors", values_are_vectors),
    ("contexts_compose", contexts_compose),
];

/// The greatest size in bits of rational numbers, in both semantics. A choice: nested squares would grow without limit.
const BITS: u32 = 2_000;
/// The numbers of unfoldings of recursions that are compared. A choice.
const UNFOLDINGS: [u64; 5] = [0, 1, 2, 3, 6];

/// A value with rational components.
type RationalPoint = CoreValue<Rational>;

/// ⟦x : T ⊢ M⟧ by µⁿ, over the rationals, or in certified arithmetic if M has elementary functions.
fn denote_program(
    rules: &RuleSet,
    n: Option<u64>,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<KnownPoint> {
    if has_function(term) {
        let context = KnownReals::arithmetic();
        let meaning = TermDenotation { context, rules: rules.partial_hooks(), unfoldings: n };
        let at = point.map(&mut |x| context.enclose_rational(x));
        return match meaning.denote_at((&sample.x, &sample.ty), term, &at) {
            RunOutcome::Defined(found) => {
                let mut known =
                    found.real_components().into_iter().map(KnownReal::of_range).collect::<Vec<_>>().into_iter();
                // a number that is not known well is unknown, which claims nothing
                if known.as_slice().iter().any(Option::is_none) {
                    return RunOutcome::Unknown;
                }
                RunOutcome::Defined(
                    found.map(&mut |_| known.next().flatten().unwrap_or_else(|| Rational::new().into())),
                )
            }
            other => other.map(|_| CoreValue::Unit),
        };
    }
    let meaning = TermDenotation { context: Exact { bits: BITS }, rules: rules.partial_hooks(), unfoldings: n };
    match meaning.denote_at((&sample.x, &sample.ty), term, &point.map(&mut |x| Some(x.clone()))) {
        // a number that grew beyond `BITS` is unknown, which claims nothing
        RunOutcome::Defined(found) if found.real_components().iter().any(|x| x.is_none()) => RunOutcome::Unknown,
        found => found.map(|found| found.map(&mut |x| x.clone().unwrap_or_default().into())),
    }
}

/// Returns `true` if an elementary function occurs in the term.
fn has_function(term: &CoreTerm) -> bool {
    let mut found = matches!(term.kind(), CoreTermKind::Operation(OperationSymbol::Function(_), _));
    term.kind().for_each_child(|part| found = found || crate::stack::with_stack(|| has_function(part)));
    found
}

/// `M⁽ⁿ⁾ ⇒ V`, over known numbers.
fn run_approximant(
    rules: &RuleSet,
    n: u64,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<KnownPoint> {
    let rho = CoreEnvironment::of_variable(&sample.x, known_point(point));
    run_known(&*rules.trace, &rho, &approximant(term, n))
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
    check_sample(&draw_trace_sample(random), law)
}

/// The language of A without recursions.
const PLAIN: ProgramVocabulary = ProgramVocabulary::TRACES.with_definitions(0);
/// The language of the maps of which composites are made. Their numbers are rational, as those of the comparison of maps.
const MAPS: ProgramVocabulary = ProgramVocabulary::RATIONAL.with_definitions(1);

/// Returns the conjunction of the verdicts of `law` at the points of a sample.
fn check_sample(sample: &TraceSample, law: impl Fn(&TraceSample, &RationalPoint) -> Verdict) -> Verdict {
    let verdicts = sample.points.iter().map(|point| law(sample, point));
    verdicts.fold(Verdict::Vacuous, Verdict::and)
}

/// Tests theorems 6.2 (1) and 6.7.
pub fn adequate(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            for n in UNFOLDINGS {
                let at = || format!("n = {n}, {}", describe_case(sample, &term, point));
                all = all.and(kleene_equal(
                    at,
                    run_approximant(rules, n, sample, &term, point),
                    denote_program(rules, Some(n), sample, &term, point),
                ));
            }
        }
        all
    })
}

/// Returns the trace of `M⁽ⁿ⁾`.
fn trace_approximant(
    rules: &RuleSet,
    n: u64,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<CoreTerm> {
    let rho = CoreEnvironment::of_variable(&sample.x, known_point(point));
    super::trace::run_symbolic(&*rules.trace, &rho, &approximant(term, n)).map(|(trace, _)| trace)
}

/// Tests theorem 6.2 (2), at the point itself.
pub fn traces_adequate(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let n = 6;
    check_at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let through = match trace_approximant(rules, n, sample, &term, point) {
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

/// Returns ⟦W.R_V(x. C)⟧ for a trace C, at V. The rules of traces make the derivative.
fn denote_reverse(
    rules: &RuleSet,
    sample: &TraceSample,
    trace: &CoreTerm,
    point: &RationalPoint,
) -> RunOutcome<KnownPoint> {
    let asked = rules.trace.program_to_run(&super::trace::transposed_derivative(sample, trace));
    let CoreTermKind::Reverse { cotangent, point: at, variable, ty, body } = asked.kind() else {
        // a wrong rule that has another program in the place of the derivative
        return denote_program(rules, None, sample, &asked, point);
    };
    let evaluator = TraceEvaluator::new(&KnownReals).with_hooks(&*rules.trace);
    let reverse = evaluator.differentiate(cotangent, at, variable, ty, body);
    reverse.map_or(RunOutcome::Unknown, |reverse| denote_program(rules, None, sample, &reverse, point))
}

/// Tests theorem 6.1 for the traces of programs, at all points: also where a trace has no value.
pub fn reverse_denotes_transposed(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_at_points(random, |sample, point| {
        let RunOutcome::Defined(trace) = trace_approximant(rules, 6, sample, &sample.term, point) else {
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
pub fn traced_derivatives(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_at_points(random, |sample, point| {
        let n = 6;
        let derivative = super::trace::transposed_derivative(sample, &sample.term);
        let through = match trace_approximant(rules, n, sample, &sample.term, point) {
            RunOutcome::Defined(trace) => denote_reverse(rules, sample, &trace, point),
            RunOutcome::Undefined => RunOutcome::Undefined,
            RunOutcome::Unknown => RunOutcome::Unknown,
        };
        let found = denote_program(rules, Some(n), sample, &derivative, point);
        kleene_equal(|| describe_case(sample, &derivative, point), through, found)
    })
}

/// Tests that µⁿ ≤ µⁿ⁺¹ ≤ µ.
pub fn approximants_increase(random: SplitMix64, rules: &RuleSet) -> Verdict {
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
pub fn domains_are_open(random: SplitMix64, rules: &RuleSet) -> Verdict {
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
                    found => Verdict::refuted(at(), format!("{value:?}"), format!("{found:?}")),
                });
            }
        }
        all
    })
}

/// Returns `true` if no two numbers certainly differ by 2⁻¹⁰⁰. At a distance of 2⁻³⁰⁰ that admits slopes up to 2²⁰⁰.
fn is_near(a: &KnownPoint, b: &KnownPoint) -> bool {
    let (a, b) = (a.real_components(), b.real_components());
    let close = |(a, b): (&&KnownReal, &&KnownReal)| {
        let (far, below) = (Rational::from(1) >> 100u32, -(Rational::from(1) >> 100u32));
        a.minus(b).is_ok_and(|apart| {
            let apart = apart.enclosure();
            *apart.lo() < far && *apart.hi() > below
        })
    };
    a.len() == b.len() && a.iter().zip(&b).all(close)
}

/// Returns `true` if enclosures are certainly defined, and contain these numbers as far as that is known.
fn contains_exact<C: Context>(context: &C, found: &CoreValue<C::Num>, exact: &KnownPoint) -> bool {
    let (found, exact) = (found.real_components(), exact.real_components());
    let fits = |(found, exact): (&&C::Num, &&KnownReal)| {
        let found = context.to_enclosure(found);
        found.is_defined() && contains_known(&found, exact)
    };
    found.len() == exact.len() && found.iter().zip(&exact).all(fits)
}

/// Returns `true` if an enclosure contains a number, or if that number is not rational and this is not refuted.
fn contains_known(found: &Enclosure, exact: &KnownReal) -> bool {
    exact.rational().map_or_else(|| found.overlaps(&exact.enclosure()), |q| found.contains(q))
}

/// Returns `true` if the middles of enclosures are these numbers: what enclosures of one number each would need.
fn has_exact_middle<C: Context>(context: &C, found: &CoreValue<C::Num>, exact: &KnownPoint) -> bool {
    let (found, exact) = (found.real_components(), exact.real_components());
    let fits = |(found, exact): (&&C::Num, &&KnownReal)| {
        let found = context.to_enclosure(found);
        let ends = [found.lo(), found.hi()].map(|end| end.to_rational());
        matches!(ends, [Some(lo), Some(hi)] if exact.enclosure().contains(&(Rational::from(&lo + &hi) / 2)))
    };
    found.len() == exact.len() && found.iter().zip(&exact).all(fits)
}

/// Tests that a program defined on a box is defined at two opposite corners and in the middle, with values in its
/// range.
pub fn boxes_are_certain(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_at_points(random, |sample, point| {
        let (c, mut all) = (Mpfr::new(400), Verdict::Vacuous);
        for term in with_derivative(sample) {
            for radius in [4u32, 20, 50] {
                let radius = Rational::from(1) >> radius;
                let ends = [-1, 1].map(|side| point.map(&mut |x| x.clone() + radius.clone() * side));
                let [low, high] =
                    if rules.partial.evaluates_at_middle() { [point, point] } else { [&ends[0], &ends[1]] };
                let mut corners = low.real_components().into_iter().zip(high.real_components());
                let whole = point.map(&mut |x| {
                    let (lo, hi) = corners.next().unwrap_or((x, x));
                    c.hull(&c.enclose_rational(lo), &c.enclose_rational(hi))
                });
                let meaning = TermDenotation { context: c, rules: rules.partial_hooks(), unfoldings: Some(6) };
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
    rules: &RuleSet,
    sample: &TraceSample,
    term: &CoreTerm,
    point: &RationalPoint,
) -> Verdict {
    let meaning = TermDenotation { context: context.clone(), rules: rules.partial_hooks(), unfoldings: Some(6) };
    let at = point.map(&mut |x| context.enclose_rational(x));
    let exact = denote_program(rules, Some(6), sample, term, point);
    match (meaning.denote_at((&sample.x, &sample.ty), term, &at), exact) {
        (RunOutcome::Unknown, _) | (_, RunOutcome::Unknown) | (RunOutcome::Undefined, RunOutcome::Undefined) => {
            Verdict::Vacuous
        }
        (RunOutcome::Defined(found), RunOutcome::Defined(exact))
            if !rules.partial.rounds_to_nearest() && contains_exact(context, &found, &exact)
                || rules.partial.rounds_to_nearest() && has_exact_middle(context, &found, &exact) =>
        {
            Verdict::Survived
        }
        (found, exact) => {
            Verdict::refuted(describe_case(sample, term, point), format!("{found:?}"), format!("{exact:?}"))
        }
    }
}

/// Tests doubles and 200-bit numbers against fractions.
pub fn precisions_agree(random: SplitMix64, rules: &RuleSet) -> Verdict {
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
pub fn operations_agree(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
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
    let meaning = TermDenotation { context: c, rules: rules.partial_hooks(), unfoldings: None };
    let mut all = Verdict::Vacuous;
    for body in [once, chain] {
        // derivatives have domains of their own: that of √x excludes 0
        let derivative = term::gradient(CoreTerm::variable(&x), &inner, &CoreTy::Real, body.clone());
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

/// The work units of one run. A choice.
const WORK: u64 = 400_000;

/// A denotational semantics for core terms, with its parameters.
#[derive(Clone, Debug)]
pub struct TermDenotation<C> {
    /// The arithmetic.
    pub context: C,
    /// The clauses of the semantics, which mutants replace.
    pub rules: Arc<dyn PartialHooks>,
    /// The number of unfoldings of recursive functions. `None` if it is not limited.
    pub unfoldings: Option<u64>,
}

impl<C: Context> TermDenotation<C> {
    /// Returns ⟦x : T ⊢ M⟧ at a value of x.
    pub fn denote_at(
        &self,
        (x, ty): (&CoreVariable, &CoreTy),
        term: &CoreTerm,
        point: &CoreValue<C::Num>,
    ) -> RunOutcome<CoreValue<C::Num>> {
        let function = to_language_program(&[(x.clone(), ty.clone())], term);
        let universe = PartialUniverse::new(self.context.clone(), Arc::new(Budget::new(WORK, None, None)));
        let model = EvaluatorModel::new(universe.with_unfolding_limit(self.unfoldings).with_hooks(self.rules.clone()));
        let found = model
            .evaluate_closed(&function)
            .and_then(|function: PartialValue<C>| Ok(function.as_function()?.apply(&from_core_value::<C>(point))?));
        match found {
            Ok(found) => self.to_core_value(&found).map_or(RunOutcome::Undefined, RunOutcome::Defined),
            Err(SemanticsError::Run(ValueError::Undefined(undefined))) if !undefined.certain => RunOutcome::Unknown,
            // any other failure, such as a value of a wrong kind, counts as undefined and so differs from every value
            Err(SemanticsError::Run(_)) => RunOutcome::Undefined,
            Err(_) => RunOutcome::Unknown,
        }
    }

    /// Converts a value of the denotational semantics. Returns `None` if the core language has no such value.
    fn to_core_value(&self, found: &PartialValue<C>) -> Option<CoreValue<C::Num>> {
        Some(match found {
            value::Value::Real(x) => CoreValue::Real(x.value_in(&self.context)),
            value::Value::Unit => CoreValue::Unit,
            value::Value::Tuple(parts) => match &**parts {
                [left, right] => CoreValue::pair(self.to_core_value(left)?, self.to_core_value(right)?),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Converts a value of the core language for the denotational semantics.
fn from_core_value<C: Context>(point: &CoreValue<C::Num>) -> PartialValue<C> {
    match point {
        CoreValue::Real(x) => value::Value::Real(JetElement::new(Jet::constant(x.clone()))),
        CoreValue::Unit => value::Value::Unit,
        CoreValue::Pair(parts) => {
            value::Value::tuple_of([from_core_value::<C>(&parts.0), from_core_value::<C>(&parts.1)])
        }
    }
}

/// Tests programs without recursion: where the call-by-value semantics is defined, the presheaf semantics has the same
/// value.
pub fn below_presheaves(random: SplitMix64, rules: &RuleSet) -> Verdict {
    // presheaves have no value recursion of this kind, so only plain programs are compared
    let sample = draw_trace_sample_in(random, PLAIN);
    check_sample(&sample, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let RunOutcome::Defined(exact) = denote_program(rules, None, sample, &term, point) else { continue };
            let function = to_language_program(&[(sample.x.clone(), sample.ty.clone())], &term);
            let closed = program::Term::apply(function, point_literal(point), Span::default());
            let budget = Arc::new(Budget::new(2_000_000, None, None));
            let eps = Rational::from((1, 1_000_000));
            let ty = sample.ty.to_language_type();
            let Ok(answer) = crate::meaning::presheaf::PresheafSemantics.evaluate(&closed, &ty, &eps, &budget) else {
                continue;
            };
            let mut numbers = Vec::new();
            collect_enclosures(&answer.value, &mut numbers);
            let holds = |(found, exact): (&Enclosure, &&KnownReal)| found.is_defined() && contains_known(found, exact);
            let fits = numbers.iter().zip(&exact.real_components()).all(holds)
                && numbers.len() == exact.real_components().len();
            all = all.and(match fits {
                // a run that was cut short may have given up before it found a value
                _ if budget.was_exhausted() => Verdict::Vacuous,
                true => Verdict::Survived,
                false => {
                    Verdict::refuted(describe_case(sample, &term, point), format!("{numbers:?}"), format!("{exact:?}"))
                }
            });
        }
        all
    })
}

/// Returns a point as a program.
fn point_literal(point: &RationalPoint) -> program::Term {
    let term = |kind| program::Term::new(kind, Span::default());
    term(match point {
        CoreValue::Real(q) => program::TermKind::Real(q.clone()),
        CoreValue::Unit => program::TermKind::Unit,
        CoreValue::Pair(parts) => program::TermKind::Tuple(vec![point_literal(&parts.0), point_literal(&parts.1)]),
    })
}

/// Collects the enclosures of the numbers in a value, from left to right.
fn collect_enclosures(value: &value::Value<AnswerNumber>, found: &mut Vec<Enclosure>) {
    match value {
        value::Value::Real(AnswerNumber::Enclosure(answer)) => found.push(answer.enclosure.clone()),
        other => other.direct_parts().for_each(|part| collect_enclosures(part, found)),
    }
}

/// The size of a program, in heads. A choice.
const PROGRAM_SIZE: usize = 14;

/// Tests closed programs of type `Real` with functions, data, kinks and edges, and guards that compare such a program with
/// itself. Where a program is defined by value it is defined by name, and the enclosures meet.
pub fn language_below_presheaves(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let vocabulary =
        *random.pick(&[TermVocabulary::Full, TermVocabulary::Total, TermVocabulary::Derivable, TermVocabulary::Smooth]);
    let mut generator = TermGenerator::with_vocabulary(random, vocabulary);
    let term = match vocabulary {
        // full programs get a derivative at the root, where kinks and edges matter most
        TermVocabulary::Full => generator.draw_derivative(1, PROGRAM_SIZE),
        _ => generator.draw_term(&Ty::real(), PROGRAM_SIZE),
    };
    let Some(program) = term.to_core() else { return Verdict::Vacuous };
    let guard = crate::law::generate::data_library().infer_expression(&format!("if ({term}) < ({term}) then 0 else 1"));
    let on_border = guard.map_or(Verdict::Vacuous, |(guard, _)| compare_with_presheaves(&guard, rules));
    compare_with_presheaves(&program, rules).with_witness(|| term.to_string()).and(on_border)
}

/// Compares a closed real program by value with the same by name.
fn compare_with_presheaves(program: &program::Term, rules: &RuleSet) -> Verdict {
    let context = Mpfr::new(256);
    let budget = || Arc::new(Budget::new(1_000_000, None, None));
    let model = EvaluatorModel::new(PartialUniverse::new(context, budget()).with_hooks(rules.partial_hooks()));
    let Ok(Value::Real(found)) = model.evaluate_closed(program) else { return Verdict::Vacuous };
    let (by_value, asked) = (context.to_enclosure(&found.value_in(&context)), budget());
    let Ok(answer) = PresheafSemantics.evaluate(program, &Ty::real(), &Rational::from((1, 1_000_000)), &asked) else {
        return Verdict::Vacuous;
    };
    let mut numbers = Vec::new();
    collect_enclosures(&answer.value, &mut numbers);
    match &numbers[..] {
        [by_name] if by_name.is_defined() && by_name.overlaps(&by_value) => Verdict::Survived,
        // presheaves ran out of work: no claim
        [by_name] if !by_name.is_defined() && asked.was_exhausted() => Verdict::Vacuous,
        _ => Verdict::refuted(program, format!("{by_value}"), format!("{numbers:?}")),
    }
}

/// ℝ² as an object.
type RealPlane = (RealObject, RealObject);
/// An arrow of the category of partial maps.
type MapArrow<A, B> = Arrow<PartialMapCategory, A, B>;

/// A generator of random partial maps, which also collects the numbers at which they change.
struct PartialMapGenerator {
    random: SplitMix64,
    borders: Vec<Rational>,
}

/// The greatest number of programs drawn until one has the wanted dimensions. A choice.
const MAX_DRAWS: usize = 200;

impl PartialMapGenerator {
    /// Draws a program from `ty` to the reals in a vocabulary. Returns `None` if [`MAX_DRAWS`] have none.
    fn draw_program(&mut self, ty: &CoreTy, vocabulary: ProgramVocabulary) -> Option<TraceSample> {
        let mut drawn = (0..MAX_DRAWS).map(|_| draw_trace_sample_in(SplitMix64::new(self.random.next()), vocabulary));
        // composites of functions that call their own derivatives nest too many derivatives
        let fits = |sample: &TraceSample| !sample.features().own_derivative;
        let found = drawn.find(|sample| sample.ty == *ty && sample.codomain == CoreTy::Real && fits(sample))?;
        self.borders.extend(found.points.iter().flat_map(|point| point.real_components().into_iter().cloned()));
        Some(found)
    }

    /// Draws a map from `ty` to the reals.
    fn draw_map<A: Dim + ObjectName<PartialMapCategory>>(&mut self, ty: &CoreTy) -> Option<MapArrow<A, RealObject>> {
        let TraceSample { x, term, .. } = self.draw_program(ty, MAPS)?;
        map_arrow(&x, ty, &term)
    }

    /// Draws a map ℝ ⇀ ℝ.
    fn draw_line_map(&mut self) -> Option<MapArrow<RealObject, RealObject>> {
        self.draw_map(&CoreTy::Real)
    }

    /// Draws a map ℝ² ⇀ ℝ.
    fn draw_plane_map(&mut self) -> Option<MapArrow<RealPlane, RealObject>> {
        self.draw_map(&CoreTy::real_vector(2))
    }

    /// Draws a border, and returns the identity above it and the identity below it. Both are undefined on the border.
    fn draw_half_lines(&mut self) -> Option<(Rational, [MapArrow<RealObject, RealObject>; 2])> {
        let border = Rational::from(self.random.next_below(7) as i64 - 3);
        self.borders.push(border.clone());
        let x = CoreVariable::fresh(&"x".into());
        let side = |below: bool| {
            let (at, border) = (CoreTerm::variable(&x), CoreTerm::number(border.clone()));
            // a guard on equal numbers is undefined (A §2), so the border belongs to neither side
            let (left, right) = if below { (at.clone(), border) } else { (border, at.clone()) };
            map_arrow(&x, &CoreTy::Real, &CoreTerm::if_less(left, right, at, bottom_term()))
        };
        Some((border.clone(), [side(false)?, side(true)?]))
    }

    /// Returns the comparison of arrows for these maps. It samples near the collected borders.
    fn into_trial(mut self, rules: &RuleSet) -> PartialTestConfig {
        PartialTestConfig {
            seed: self.random.next(),
            samples: 6,
            borders: self.borders,
            budget_units: 2_000,
            hooks: rules.partial_hooks(),
        }
    }
}

/// Tests lemma 5.1: closed values of a type are the vectors of as many numbers. What a value denotes is the list of its
/// numbers from left to right, and the value is made of that list again.
pub fn values_are_vectors(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let ty = draw_vector_type(&mut random, 3);
    let mut number = || Rational::from((random.next_below(41) as i64 - 20, 1 + random.next_below(3) as i64));
    let numbers: Vec<Rational> = (0..ty.dimension()).map(|_| number()).collect();
    let Some(value) = CoreValue::from_reals(&ty, &mut numbers.iter().cloned()) else {
        return Verdict::refuted(&ty, "a value", "none");
    };
    let vector = rules.partial.vector_of_value(&value);
    let again = CoreValue::from_reals(&ty, &mut vector.iter().cloned());
    let term = super::trace::small_steps::value_term(&value);
    let universe = PartialUniverse::new(Exact { bits: BITS }, Arc::new(Budget::new(WORK, None, None)));
    let model = EvaluatorModel::new(universe.with_hooks(rules.partial_hooks()));
    let denoted = model.evaluate_closed(&to_language_program(&[], &term));
    let coordinates = denoted.and_then(|found: PartialValue<Exact>| {
        Ok(found.coordinates()?.into_iter().map(|x| x.value_in(&Exact { bits: BITS })).collect::<Vec<_>>())
    });
    let known: Option<Vec<Rational>> = coordinates.ok().and_then(|found| found.into_iter().collect());
    match (known, again) {
        (Some(known), Some(again)) if known == vector && again == value && type_of_value(&value) == ty => {
            Verdict::Survived
        }
        (known, _) => Verdict::refuted(format!("{value} : {ty}"), format!("{vector:?}"), format!("{known:?}")),
    }
}

/// Draws a product of real and unit.
fn draw_vector_type(random: &mut SplitMix64, depth: usize) -> CoreTy {
    match random.next_below(if depth == 0 { 4 } else { 8 }) {
        0 => CoreTy::Unit,
        1..=3 => CoreTy::Real,
        _ => CoreTy::product(draw_vector_type(random, depth - 1), draw_vector_type(random, depth - 1)),
    }
}

/// Tests lemmas 5.2 and 5.3. A program `E[M]` denotes what `E[V]` denotes, where M denotes V, and `E[⊥]` is undefined. All
/// contexts on the way to the redex are tried. So is `fst ⟨0, E⟩`, in which the part that is not used must have a value.
pub fn contexts_compose(random: SplitMix64, rules: &RuleSet) -> Verdict {
    // values are written into contexts, so their numbers must be rational
    check_sample(&draw_trace_sample_in(random, ProgramVocabulary::RATIONAL), |sample, point| {
        let mut all = Verdict::Vacuous;
        let [own, derivative] = with_derivative(sample);
        for (term, ty) in [(own, &sample.codomain), (derivative, &sample.ty)] {
            // definitions around the program stay around its parts
            let (mut definitions, mut inner) = (Vec::new(), term.clone());
            while let CoreTermKind::LetRec(definition, rest) = inner.kind() {
                definitions.push(definition.clone());
                inner = rest.clone();
            }
            let define = |term: CoreTerm| -> CoreTerm {
                let around =
                    |term, definition: &Arc<CoreDefinition>| CoreTermKind::LetRec(definition.clone(), term).into();
                definitions.iter().rev().fold(term, around)
            };
            // three frames more, since the redex of many a program is at its root: `fst ⟨let y = M in y, 0⟩`
            let y = CoreVariable::fresh(&"y".into());
            let bound = CoreTerm::bind(&y, ty.clone(), inner, CoreTerm::variable(&y));
            let pair = CoreTerm::pair(ty.clone(), CoreTy::Real, bound, CoreTerm::number(0));
            let (context, found) = decompose(&CoreTermKind::First(ty.clone(), CoreTy::Real, pair).into());
            let redex = match found {
                Focus::Redex(redex) => redex,
                Focus::Boolean { predicate, argument, then, otherwise, .. } => {
                    CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise).into()
                }
                Focus::Value(_) => continue,
            };
            let whole = denote_program(rules, Some(UNFOLDINGS[4]), sample, &term, point);
            for depth in 1..=context.len() {
                let part = define(plug_context(&context[depth..], redex.clone()));
                let filled = match denote_program(rules, Some(UNFOLDINGS[4]), sample, &part, point) {
                    RunOutcome::Defined(value) => {
                        let value = value.map(&mut |x| x.rational().cloned().unwrap_or_default());
                        let filled = plug_context(&context[..depth], super::trace::small_steps::value_term(&value));
                        denote_program(rules, Some(UNFOLDINGS[4]), sample, &define(filled), point)
                    }
                    other => other,
                };
                let at = || format!("{} in the place of {part}", describe_case(sample, &term, point));
                all = all.and(kleene_equal(at, whole.clone(), filled));
                let Ok(ty) = super::trace::type_in_sample(sample, &part) else { continue };
                let y = CoreVariable::fresh(&"y".into());
                let nowhere = CoreTermKind::Let(y, CoreTy::Real, bottom_term(), term::zero_of_type(&ty)).into();
                let nowhere = define(plug_context(&context[..depth], nowhere));
                let Ok(ty) = super::trace::type_in_sample(sample, &nowhere) else { continue };
                let beside = CoreTerm::pair(CoreTy::Real, ty.clone(), CoreTerm::number(0), nowhere.clone());
                let beside = CoreTermKind::First(CoreTy::Real, ty, beside).into();
                for nowhere in [nowhere, beside] {
                    all = all.and(match denote_program(rules, Some(UNFOLDINGS[4]), sample, &nowhere, point) {
                        RunOutcome::Undefined => Verdict::Survived,
                        RunOutcome::Unknown => Verdict::Vacuous,
                        RunOutcome::Defined(value) => {
                            Verdict::refuted(describe_case(sample, &nowhere, point), format!("{value:?}"), "no value")
                        }
                    });
                }
            }
        }
        all
    })
}

/// Returns a term of type real that is undefined everywhere.
fn bottom_term() -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), CoreTerm::number(0))
}

/// Interprets a term with one free variable as an arrow. Returns `None` if that fails.
fn map_arrow<A: Dim + ObjectName<PartialMapCategory>>(
    x: &CoreVariable,
    ty: &CoreTy,
    term: &CoreTerm,
) -> Option<MapArrow<A, RealObject>> {
    let program = to_language_program(&[(x.clone(), ty.clone())], term);
    PartialMap::of_program(&program, &ProgramTy::function(ty.to_language_type(), ProgramTy::real())).map(Arrow)
}

/// Restricts `f` to the domain of `to`.
fn restrict_to<A: ObjectName<PartialMapCategory>>(
    to: &MapArrow<A, RealObject>,
    f: &MapArrow<A, RealObject>,
) -> MapArrow<A, RealObject> {
    Arrow(PartialMapCategory::then(&PartialMapCategory::restriction(&to.0), &f.0))
}

/// Tests a law on random maps. Vacuous if the generator finds no maps.
fn check_law(
    random: SplitMix64,
    rules: &RuleSet,
    law: impl FnOnce(&mut PartialMapGenerator) -> Option<Box<dyn FnOnce(&PartialTestConfig) -> Result<Verdict, ValueError>>>,
) -> Verdict {
    let mut maker = PartialMapGenerator { random, borders: Vec::new() };
    let Some(law) = law(&mut maker) else { return Verdict::Vacuous };
    // the laws hold for well-typed arrows, so an error of evaluation is a refutation
    law(&maker.into_trial(rules)).unwrap_or_else(|error| Verdict::refuted("a random map", "a vector", error))
}

/// Tests the laws of a category, and that the composite of the maps of two programs is the map of the composite program.
pub fn category_axioms(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let swaps = rules.partial.swaps_coordinates();
    check_law(random, rules, |maker| {
        let (f, g, h) = (maker.draw_plane_map()?, maker.draw_line_map()?, maker.draw_line_map()?);
        let [p, q, r] = [(); 3].map(|()| maker.draw_program(&CoreTy::real_vector(2), MAPS));
        let (p, q, r) = (p?, q?, r?);
        let x = CoreVariable::fresh(&"x".into());
        let at = |sample: &TraceSample, x: &CoreVariable| {
            Renaming::substitute(&sample.term, &sample.x, CoreTerm::variable(x))
        };
        let plane = CoreTy::real_vector(2);
        let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, at(&p, &x), at(&q, &x));
        let y = CoreVariable::fresh(&"y".into());
        let whole = CoreTerm::bind(&y, plane.clone(), pair, at(&r, &y));
        let whole: MapArrow<RealPlane, RealObject> = map_arrow(&x, &plane, &whole)?;
        let [p, q, r]: [Option<MapArrow<RealPlane, RealObject>>; 3] =
            [p, q, r].map(|sample| map_arrow(&sample.x, &plane, &sample.term));
        let (p, q, r) = (p?, q?, r?);
        let [first, second] = if swaps { [&q, &p] } else { [&p, &q] };
        let inner: MapArrow<RealPlane, RealPlane> = Arrow(PartialMapCategory::pair(&first.0, &second.0));
        Some(Box::new(move |trial| {
            let composite = inner.then(&r).agrees(&whole, trial)?;
            Ok(identity(&f, trial)?.and(associativity(&f, &g, &h, trial)?).and(composite))
        }))
    })
}

/// Tests R1 to R4, and the laws of pairs.
pub fn restriction_axioms(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_law(random, rules, |maker| {
        let [f, g, h] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        Some(Box::new(move |trial| Ok(restriction_laws(&f, &g, &h, trial)?.and(pair_laws(&f, &g, trial)?))))
    })
}

/// Tests joins of two parts of one map, and the meets of two independent maps.
pub fn joins_are_least(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_law(random, rules, |maker| {
        let [k, h, other] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        let (_, [above, below]) = maker.draw_half_lines()?;
        // both are restrictions of h, so they are compatible and h is an upper bound
        let (f, g) = (restrict_to(&above, &h), restrict_to(&restrict_to(&other, &below), &h));
        Some(Box::new(move |trial| {
            let least = join_laws(&k, [&f, &g, &h], trial)?;
            Ok(least.and(meet_laws(&h, &other, trial)?).and(differential_join_law(&f, &g, trial)?))
        }))
    })
}

/// Tests forward derivatives of maps of one and of two numbers. The chain rule is tested once more with rules that may be
/// wrong.
pub fn differential_axioms(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let keeps_the_point = rules.partial.keeps_the_point();
    check_law(random, rules, |maker| {
        let [f, g, h] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        let [p, q] = [maker.draw_plane_map()?, maker.draw_plane_map()?];
        Some(Box::new(move |trial| {
            let first: MapArrow<RealPlane, RealObject> = Arrow(PartialMapCategory::first::<RealObject, RealObject>());
            let derivative = |f: &MapArrow<RealObject, RealObject>| -> MapArrow<RealPlane, RealObject> {
                Arrow(PartialMapCategory::forward_derivative(&f.0))
            };
            // (x, v) ↦ (f(x), f′(x) v), which is (x, f′(x) v) by the wrong rule
            let place = if keeps_the_point { first } else { first.then(&f) };
            let moved: MapArrow<RealPlane, RealPlane> = Arrow(PartialMapCategory::pair(&place.0, &derivative(&f).0));
            let chain = derivative(&f.then(&g)).agrees(&moved.then(&derivative(&g)), trial)?;
            Ok(chain.and(differential_laws(&f, &g, &h, trial)?).and(differential_laws(&p, &g, &q, trial)?))
        }))
    })
}

/// Tests reverse derivatives of maps from ℝ² to ℝ, and of pairs of them to ℝ².
pub fn reverse_axioms(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_law(random, rules, |maker| {
        let g = maker.draw_line_map()?;
        let [p, q] = [maker.draw_plane_map()?, maker.draw_plane_map()?];
        Some(Box::new(move |trial| {
            let both: MapArrow<RealPlane, RealPlane> = Arrow(PartialMapCategory::pair(&p.0, &q.0));
            let axioms = reverse_laws(&p, &g, &q, trial)?.and(reverse_laws(&both, &p, &q, trial)?);
            Ok(axioms.and(forward_from_reverse(&p, trial)?))
        }))
    })
}

/// Tests that the approximants of a recursion increase. Those of `f x = if b < x then e x else f (s x)` are also
/// compared with their unfolding, a join of both branches.
pub fn chains_increase(random: SplitMix64, rules: &RuleSet) -> Verdict {
    check_law(random, rules, |maker| {
        let any = maker.draw_line_map()?;
        let (border, [above, below]) = maker.draw_half_lines()?;
        let plain = |maker: &mut PartialMapGenerator| maker.draw_program(&CoreTy::Real, MAPS.with_definitions(0));
        let (end, step) = (plain(maker)?, plain(maker)?);
        let [x, f] = ["x", "f"].map(|name| CoreVariable::fresh(&name.into()));
        let at = |sample: &TraceSample| Renaming::substitute(&sample.term, &sample.x, CoreTerm::variable(&x));
        let again: CoreTerm = CoreTermKind::Call(f.clone(), at(&step)).into();
        let body = CoreTerm::if_less(CoreTerm::number(border), CoreTerm::variable(&x), at(&end), again);
        let (domain, codomain) = (CoreTy::Real, CoreTy::Real);
        let definition =
            CoreDefinition { function: f.clone(), parameter: x.clone(), domain, codomain, body, limit: None };
        let y = CoreVariable::fresh(&"y".into());
        let call: CoreTerm = CoreTermKind::Call(f, CoreTerm::variable(&y)).into();
        let whole: MapArrow<RealObject, RealObject> =
            map_arrow(&y, &CoreTy::Real, &CoreTermKind::LetRec(Arc::new(definition), call).into())?;
        let end: MapArrow<RealObject, RealObject> = map_arrow(&end.x, &CoreTy::Real, &end.term)?;
        let step: MapArrow<RealObject, RealObject> = map_arrow(&step.x, &CoreTy::Real, &step.term)?;
        let nowhere: MapArrow<RealObject, RealObject> = map_arrow(&y, &CoreTy::Real, &bottom_term())?;
        let n = maker.random.next_below(4) as u64;
        Some(Box::new(move |trial| {
            // F(f) = (x > b; e) ∨ (x < b; s; f)
            let unfold = |f: &PartialMap<RealObject, RealObject>| {
                PartialMapCategory::join(&above.then(&end).0, &below.then(&step).0.then(f))
            };
            let unfolded =
                unfolding_law::<PartialMapCategory, RealObject, RealObject>(&whole.0, unfold, &nowhere, n, trial)?;
            let increase = chain_laws::<PartialMapCategory, RealObject, RealObject>(&any.0, &[0, 1, 2, 5], trial)?;
            Ok(unfolded.and(increase).and(chain_laws::<PartialMapCategory, RealObject, RealObject>(
                &whole.0,
                &[0, 1, 3],
                trial,
            )?))
        }))
    })
}
