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

use super::trace::generate::{Sample, sample};
use super::trace::{Outcome, same, value};
use crate::function::{Function, Planar};
use crate::meaning::partial::hooks::Hooks;
use crate::number::context::Context;
use crate::number::{Double, Exact, Mpfr, Rational};
use crate::random::Random;
use crate::trace::environment::{Environment, Functions};
use crate::trace::evaluation::{Evaluator, Strategy};
use crate::trace::hooks::Library;
use crate::trace::limited::approximant;
use crate::trace::number::{Certified, Rationals};
use crate::trace::operation::Operation;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{Term, Variable};
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use crate::verdict::Verdict;
use denotation::Denotation;
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type Law = fn(Random, &Arc<dyn Hooks>) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, Law)] = &[
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
type Point = Value<Rational>;

/// ⟦x : T ⊢ M⟧ by µⁿ, over the rationals.
fn denoted(rules: &Arc<dyn Hooks>, n: Option<u64>, sample: &Sample, term: &Term, point: &Point) -> Outcome<Point> {
    let meaning = Denotation { context: Exact { bits: BITS }, rules: rules.clone(), unfoldings: n };
    match meaning.at((&sample.x, &sample.ty), term, &point.map(&mut |x| Some(x.clone()))) {
        // a number that grew beyond `BITS` is unknown, which claims nothing
        Outcome::Defined(found) if found.reals().iter().any(|x| x.is_none()) => Outcome::Unknown,
        found => found.map(|found| found.map(&mut |x| x.clone().unwrap_or_default())),
    }
}

/// `M⁽ⁿ⁾ ⇒ V`, over the rationals.
fn ran(n: u64, sample: &Sample, term: &Term, point: &Point) -> Outcome<Point> {
    let rho = Environment::of(&sample.x, point.clone());
    value(&Rationals { bits: BITS }, &Library, Strategy::Accumulated, &rho, &approximant(term, n))
}

/// Returns the program and its transposed derivative.
fn with_derivative(sample: &Sample) -> [Term; 2] {
    [sample.term.clone(), super::trace::derivative(sample, &sample.term)]
}

/// Prints a program with its point, for a refutation.
fn shown(sample: &Sample, term: &Term, point: &Point) -> String {
    format!("{} = {point} in {}", sample.x.name(), super::trace::shown(term))
}

/// Returns the conjunction of the verdicts of `law` at the points of a random sample.
fn at_points(random: Random, law: impl Fn(&Sample, &Point) -> Verdict) -> Verdict {
    let sample = sample(random);
    let verdicts = sample.points.iter().map(|point| law(&sample, point));
    verdicts.fold(Verdict::Vacuous, Verdict::and)
}

/// Tests theorems 6.2 (1) and 6.7.
pub fn adequate(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            for n in UNFOLDINGS {
                let at = || format!("n = {n}, {}", shown(sample, &term, point));
                all = all.and(same(at, ran(n, sample, &term, point), denoted(rules, Some(n), sample, &term, point)));
            }
        }
        all
    })
}

/// Returns the trace of `M⁽ⁿ⁾`.
fn traced(n: u64, sample: &Sample, term: &Term, point: &Point) -> Outcome<Term> {
    let rho = Environment::of(&sample.x, point.clone());
    super::trace::trace(&Library, &rho, &approximant(term, n)).map(|(trace, _)| trace)
}

/// Tests theorem 6.2 (2), at the point itself.
pub fn traces_adequate(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let n = 6;
    at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let through = match traced(n, sample, &term, point) {
                Outcome::Defined(trace) => denoted(rules, Some(n), sample, &trace, point),
                Outcome::Undefined => Outcome::Undefined,
                Outcome::Unknown => Outcome::Unknown,
            };
            all = all.and(same(|| shown(sample, &term, point), through, denoted(rules, Some(n), sample, &term, point)));
        }
        all
    })
}

/// Returns ⟦W.R_V(x. C)⟧ for a trace C, at V.
fn reversed(rules: &Arc<dyn Hooks>, sample: &Sample, trace: &Term, point: &Point) -> Outcome<Point> {
    let numbers = Rationals { bits: BITS };
    // the derivative binds its own variable, so the trace is renamed before it stands under it
    let inner = sample.x.renamed();
    let body = Renaming::substitute(trace, &sample.x, Term::variable(&inner));
    let at = Term::variable(&sample.x);
    let reverse = Evaluator::new(&numbers).differentiate(&sample.cotangent, &at, &inner, &sample.ty, &body);
    reverse.map_or(Outcome::Unknown, |reverse| denoted(rules, None, sample, &reverse, point))
}

/// Tests theorem 6.1 for the traces of programs, at all points: also where a trace has no value.
pub fn reverse_denotes_transposed(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let Outcome::Defined(trace) = traced(6, sample, &sample.term, point) else { return Verdict::Vacuous };
        let derivative = super::trace::derivative(sample, &trace);
        let mut all = Verdict::Vacuous;
        // a trace is one straight line of the program; at other points it may be undefined, and both sides must be
        for other in &sample.points {
            let (left, right) =
                (reversed(rules, sample, &trace, other), denoted(rules, None, sample, &derivative, other));
            all = all.and(same(|| shown(sample, &derivative, other), left, right));
        }
        all
    })
}

/// Tests corollary 6.3.
pub fn traced_derivatives(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let n = 6;
        let derivative = super::trace::derivative(sample, &sample.term);
        let through = match traced(n, sample, &sample.term, point) {
            Outcome::Defined(trace) => reversed(rules, sample, &trace, point),
            Outcome::Undefined => Outcome::Undefined,
            Outcome::Unknown => Outcome::Unknown,
        };
        let found = denoted(rules, Some(n), sample, &derivative, point);
        same(|| shown(sample, &derivative, point), through, found)
    })
}

/// Tests that µⁿ ≤ µⁿ⁺¹ ≤ µ.
pub fn approximants_increase(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let mut before = Outcome::Undefined;
            for n in UNFOLDINGS.map(Some).into_iter().chain([None]) {
                let next = denoted(rules, n, sample, &term, point);
                // only a defined approximant claims something about the next one
                if let Outcome::Defined(_) = before {
                    all = all.and(same(|| shown(sample, &term, point), before, next.clone()));
                }
                before = next;
            }
        }
        all
    })
}

/// Returns the two points at which every coordinate differs by 2⁻³⁰⁰, below and above. A choice: far
/// below the 2⁻⁴⁰ by which sample points lie off borders.
fn beside(point: &Point) -> [Point; 2] {
    [-1, 1].map(|side| point.map(&mut |x| x.clone() + (Rational::from(side) >> 300u32)))
}

/// Tests that a program defined at a point is defined next to it, with a value that is near.
pub fn domains_are_open(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let mut all = Verdict::Vacuous;
        for term in with_derivative(sample) {
            let here = denoted(rules, Some(6), sample, &term, point);
            let Outcome::Defined(value) = here else { continue };
            for near in beside(point) {
                let at = || shown(sample, &term, &near);
                all = all.and(match denoted(rules, Some(6), sample, &term, &near) {
                    Outcome::Unknown => Verdict::Vacuous,
                    Outcome::Defined(found) if is_near(&value, &found) => Verdict::Survived,
                    found => Verdict::refuted(at(), &value, format!("{found:?}")),
                });
            }
        }
        all
    })
}

/// Returns `true` if all numbers differ by less than 2⁻¹⁰⁰. At a distance of 2⁻³⁰⁰ that admits slopes up to 2²⁰⁰.
fn is_near(a: &Point, b: &Point) -> bool {
    let (a, b) = (a.reals(), b.reals());
    let close = |(a, b): (&&Rational, &&Rational)| Rational::from(*a - *b).abs() < Rational::from(1) >> 100u32;
    a.len() == b.len() && a.iter().zip(&b).all(close)
}

/// Returns `true` if enclosures contain these rational numbers and are certainly defined.
fn holds<C: Context>(context: &C, found: &Value<C::Num>, exact: &Point) -> bool {
    let (found, exact) = (found.reals(), exact.reals());
    let fits = |(found, exact): (&&C::Num, &&Rational)| {
        let found = context.to_enclosure(found);
        found.is_defined() && found.contains(exact)
    };
    found.len() == exact.len() && found.iter().zip(&exact).all(fits)
}

/// Tests that a program defined on a box is defined at two opposite corners and in the middle, with values in its
/// range.
pub fn boxes_are_certain(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let (c, mut all) = (Mpfr::new(400), Verdict::Vacuous);
        for term in with_derivative(sample) {
            for radius in [4u32, 20, 50] {
                let radius = Rational::from(1) >> radius;
                let ends = [-1, 1].map(|side| point.map(&mut |x| x.clone() + radius.clone() * side));
                let mut corners = ends[0].reals().into_iter().zip(ends[1].reals());
                let whole = point.map(&mut |x| {
                    let (lo, hi) = corners.next().unwrap_or((x, x));
                    c.hull(&c.rational(lo), &c.rational(hi))
                });
                let meaning = Denotation { context: c, rules: rules.clone(), unfoldings: Some(6) };
                let Outcome::Defined(range) = meaning.at((&sample.x, &sample.ty), &term, &whole) else { continue };
                // a hull contains its ends, so the range must contain the exact values there
                for at in ends.iter().chain([point]) {
                    all = all.and(match denoted(rules, Some(6), sample, &term, at) {
                        Outcome::Unknown => Verdict::Vacuous,
                        Outcome::Defined(exact) if holds(&c, &range, &exact) => Verdict::Survived,
                        found => Verdict::refuted(shown(sample, &term, at), format!("{range:?}"), format!("{found:?}")),
                    });
                }
            }
        }
        all
    })
}

/// Compares the semantics in one arithmetic with the exact value.
fn at_precision<C: Context>(
    context: &C,
    rules: &Arc<dyn Hooks>,
    sample: &Sample,
    term: &Term,
    point: &Point,
) -> Verdict {
    let meaning = Denotation { context: context.clone(), rules: rules.clone(), unfoldings: Some(6) };
    let at = point.map(&mut |x| context.rational(x));
    let exact = denoted(rules, Some(6), sample, term, point);
    match (meaning.at((&sample.x, &sample.ty), term, &at), exact) {
        (Outcome::Unknown, _) | (_, Outcome::Unknown) | (Outcome::Undefined, Outcome::Undefined) => Verdict::Vacuous,
        (Outcome::Defined(found), Outcome::Defined(exact)) if holds(context, &found, &exact) => Verdict::Survived,
        (found, exact) => Verdict::refuted(shown(sample, term, point), format!("{found:?}"), format!("{exact:?}")),
    }
}

/// Tests doubles and 200-bit numbers against fractions.
pub fn precisions_agree(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    at_points(random, |sample, point| {
        let [term, derivative] = with_derivative(sample);
        [term, derivative].iter().fold(Verdict::Vacuous, |all, term| {
            all.and(at_precision(&Double, rules, sample, term, point)).and(at_precision(
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
pub fn operations_agree(mut random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let [x, inner] = ["x", "x"].map(|name| Variable::fresh(&name.into()));
    let mut of = |argument: Term| match random.below(3) {
        0 => {
            let powers = [(1, 2), (1, 3), (-1, 1), (4, 3), (3, 2), (0, 1), (3, 1), (-2, 3)];
            Term::operation(Operation::Power(Rational::from(*random.pick(&powers))), argument)
        }
        1 => Term::binary(Operation::Planar(*random.pick(Planar::ALL)), argument, Term::number(-1)),
        _ => Term::operation(Operation::Function(*random.pick(Function::ALL)), argument),
    };
    let (once, twice) = (of(Term::variable(&inner)), of(Term::variable(&inner)));
    let chain = Renaming::substitute(&twice, &inner, once.clone());
    let c = Mpfr::new(200);
    let meaning = Denotation { context: c, rules: rules.clone(), unfoldings: None };
    let mut all = Verdict::Vacuous;
    for body in [once, chain] {
        // derivatives have domains of their own: that of √x excludes 0
        let derivative = sugar::gradient(Term::variable(&x), &inner, &Ty::Real, body.clone());
        let term = Renaming::substitute(&body, &inner, Term::variable(&x));
        for at in
            [-2, -1, 0, 1, 2].into_iter().map(Rational::from).chain([Rational::from((1, 2)), Rational::from((-1, 2))])
        {
            for term in [&term, &derivative] {
                let point = Value::Real(c.rational(&at));
                let numbers = Certified(c);
                let run = Evaluator::new(&numbers).within(10_000);
                let run = run.ordinary(&Functions::default(), &Environment::of(&x, point.clone()), term);
                let (run, found) = (Outcome::of(run), meaning.at((&x, &Ty::Real), term, &point));
                let witness = || format!("x = {at} in {}", super::trace::shown(term));
                all = all.and(match (&run, &found) {
                    // two undefined results agree, but claim nothing about a value
                    (Outcome::Unknown, _) | (_, Outcome::Unknown) | (Outcome::Undefined, Outcome::Undefined) => {
                        Verdict::Vacuous
                    }
                    (Outcome::Defined(a), Outcome::Defined(b)) if overlap(&c, a, b) => Verdict::Survived,
                    _ => Verdict::refuted(witness(), format!("{run:?}"), format!("{found:?}")),
                });
            }
        }
    }
    all
}

/// Returns `true` if the enclosures of all numbers meet.
fn overlap<C: Context>(context: &C, a: &Value<C::Num>, b: &Value<C::Num>) -> bool {
    let (a, b) = (a.reals(), b.reals());
    let meet = |(a, b): (&&C::Num, &&C::Num)| context.to_enclosure(a).overlaps(&context.to_enclosure(b));
    a.len() == b.len() && a.iter().zip(&b).all(meet)
}
