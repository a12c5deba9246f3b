//! Laws of the derivatives of traces (A Fig. 6, Thm 6.1).

use super::dual::{Dual, Duals};
use super::generate::{Sample, clash};
use super::{NUMBERS, Outcome, at_points, rational, same, shown, trace, value};
use crate::function::Function;
use crate::number::Rational;
use crate::random::Random;
use crate::trace::environment::Environment;
use crate::trace::evaluation::{Evaluator, Strategy};
use crate::trace::hooks::Library;
use crate::trace::number::Doubles;
use crate::trace::operation::Operation;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{Term, Variable};
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use crate::verdict::Verdict;
use crate::wrong::{Compared, TraceRules};

/// Tests that both strategies give the same derivative of a program, and of its trace at all points.
pub fn strategies_agree(random: Random, rules: &dyn TraceRules) -> Verdict {
    at_points(random, |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in places(sample, rho).into_iter().filter(|(term, rho)| is_short(term, rho)) {
            let reverse = derivative(sample, &term);
            let run = |strategy| value(&NUMBERS, rules, strategy, &rho, &reverse);
            all = all.and(same(String::new, run(Strategy::Literal), run(Strategy::Accumulated)));
        }
        all
    })
}

/// The greatest size of a trace that is differentiated by the literal clauses. Their derivative grows much faster than
/// the trace. A choice.
const SHORT: u64 = 24;

/// Returns `true` if the trace of a program is short enough for the literal clauses.
fn is_short(term: &Term, rho: &Environment<Rational>) -> bool {
    term.is_trace() && term.size() <= SHORT
        || matches!(trace(&Library, rho, term), Outcome::Defined((trace, _)) if trace.size() <= SHORT)
}

/// Returns `W.rd_x(x. M)`, the transposed derivative of `term` at the variable of the sample.
pub(in crate::law) fn derivative(sample: &Sample, term: &Term) -> Term {
    let inner = sample.x.renamed();
    let body = Renaming::substitute(term, &sample.x, Term::variable(&inner));
    sugar::reverse(sample.cotangent.clone(), Term::variable(&sample.x), &inner, &sample.ty, body)
}

/// Returns the derivative of a sample, and the derivative of that.
pub(super) fn twice(sample: &Sample) -> [Term; 2] {
    let first = derivative(sample, &sample.term);
    let again = Sample { codomain: sample.ty.clone(), cotangent: ones(&sample.ty), ..sample.clone() };
    [first.clone(), derivative(&again, &first)]
}

/// Returns the cotangent of ones: `1`, `⟨1, 1⟩`, ….
fn ones(ty: &Ty) -> Term {
    match ty {
        Ty::Real => Term::number(1),
        Ty::Unit => Term::unit(),
        Ty::Product(parts) => {
            let (t, u) = &**parts;
            Term::pair(t.clone(), u.clone(), ones(t), ones(u))
        }
    }
}

/// Returns a program at its point, and its trace from there at all points. At other points the trace may be undefined.
fn places(sample: &Sample, rho: &Environment<Rational>) -> Vec<(Term, Environment<Rational>)> {
    let mut places = vec![(sample.term.clone(), rho.clone())];
    if let Outcome::Defined((trace, _)) = trace(&Library, rho, &sample.term) {
        let at = |point: &Value<Rational>| (trace.clone(), Environment::of(&sample.x, point.clone()));
        places.extend(sample.points.iter().map(at));
    }
    places
}

/// Computes Jᵗ W by forward mode, with one run on dual numbers for each coordinate.
pub fn transposed(sample: &Sample, term: &Term, at: &Value<Rational>) -> Outcome<Value<Rational>> {
    let numbers = Duals(NUMBERS);
    // the cotangent is closed, so it needs no environment
    let none = Environment::default();
    let Outcome::Defined(cotangent) = rational(&Library, &none, &sample.cotangent) else { return Outcome::Unknown };
    let mut slopes = Vec::new();
    for moved in 0..sample.ty.dimension() {
        let mut place = 0;
        let point = at.map(&mut |x| {
            let slope = Rational::from(u8::from(place == moved));
            place += 1;
            Dual { value: x.clone(), slope }
        });
        let rho = Environment::of(&sample.x, point);
        match value(&numbers, &Library, Strategy::Accumulated, &rho, term) {
            Outcome::Defined(found) => {
                // component i of Jᵗ W is the inner product of W with the derivative along coordinate i
                let products = found.reals().into_iter().zip(cotangent.reals());
                slopes.push(products.map(|(dual, w)| Rational::from(&dual.slope * w)).sum());
            }
            Outcome::Undefined => return Outcome::Undefined,
            Outcome::Unknown => return Outcome::Unknown,
        }
    }
    match Value::from_reals(&sample.ty, &mut slopes.into_iter()) {
        Some(value) => Outcome::Defined(value),
        None => Outcome::Unknown,
    }
}

/// Tests theorem 6.1 by both strategies, for programs and for their traces at all points, where these may be undefined.
pub fn reverse_is_transposed(random: Random, rules: &dyn TraceRules) -> Verdict {
    at_points(random, |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in places(sample, rho) {
            let Some(point) = rho.get(&sample.x).cloned() else { continue };
            let expected = transposed(sample, &term, &point);
            let strategies: &[_] = match is_short(&term, &rho) {
                true => &[Strategy::Accumulated, Strategy::Literal],
                false => &[Strategy::Accumulated],
            };
            for strategy in strategies.iter().copied() {
                let found = value(&NUMBERS, rules, strategy, &rho, &derivative(sample, &term));
                all = all.and(same(String::new, found, expected.clone()));
                // `rd` runs its body to a trace first; a trace can be differentiated directly as well
                if term.is_trace() {
                    let point = Term::variable(&sample.x);
                    let inner = sample.x.renamed();
                    let trace = Renaming::substitute(&term, &sample.x, Term::variable(&inner));
                    let compared = Compared { numbers: &NUMBERS, rules };
                    let evaluator = Evaluator::new(&compared).under(rules).by(strategy);
                    let w = &sample.cotangent;
                    let reverse = Outcome::of(evaluator.differentiate(w, &point, &inner, &sample.ty, &trace));
                    if let Outcome::Defined(reverse) = reverse {
                        let found = value(&NUMBERS, rules, strategy, &rho, &reverse);
                        all = all.and(same(String::new, found, expected.clone()));
                    }
                }
            }
        }
        all
    })
}

/// Tests that `W.R_V(x. C)` is defined where C is, in doubles, for traces with functions that are not defined
/// everywhere.
pub fn reverse_has_the_domain(mut random: Random, rules: &dyn TraceRules) -> Verdict {
    let [x, inner, y] = ["x", "x", "y"].map(|name| Variable::fresh(&name.into()));
    let functions = [Function::Log, Function::Sqrt, Function::Asin, Function::Acos, Function::Cbrt, Function::Acosh];
    let function = Term::operation(Operation::Function(*random.pick(&functions)), Term::variable(&inner));
    // two of the three ignore the value of y, or multiply it by 0: its domain must count all the same
    let of_y = match random.below(3) {
        0 => Term::number(3),
        1 => Term::binary(Operation::Multiply, Term::variable(&y), Term::variable(&inner)),
        _ => Term::binary(Operation::Multiply, Term::number(0), Term::variable(&y)),
    };
    let trace = Term::bind(&y, Ty::Real, function.clone(), of_y);
    let trace = if random.chance(30) { function } else { trace };
    let w = Term::number(*random.pick(&[0, 1]));
    let mut all = Verdict::Vacuous;
    for at in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0] {
        // the value itself is compared elsewhere; here only definedness counts
        let value_at = |x: &Variable, term: &Term| {
            let rho = Environment::of(x, Value::Real(at));
            value(&Doubles, rules, Strategy::Accumulated, &rho, term).map(|_| ())
        };
        let expected = value_at(&inner, &trace);
        for strategy in [Strategy::Accumulated, Strategy::Literal] {
            let compared = Compared { numbers: &Doubles, rules };
            let evaluator = Evaluator::new(&compared).under(rules).by(strategy);
            let reverse = evaluator.differentiate(&w, &Term::variable(&x), &inner, &Ty::Real, &trace);
            let found = match Outcome::of(reverse) {
                Outcome::Defined(reverse) => value_at(&x, &reverse),
                other => other.map(|_| ()),
            };
            all = all.and(same(|| format!("x = {at} in {}", shown(&trace)), found, expected.clone()));
        }
    }
    all
}

/// Tests that `z.R_z(x. C)`, where C binds z, is the same as with another name for the bound z in C.
pub fn reverse_captures_nothing(mut random: Random, rules: &dyn TraceRules) -> Verdict {
    let at = Value::Real(Rational::from(1 + random.below(5) as i64));
    let (trace, x, z) = clash(random);
    let apart = Renaming::apart(&trace);
    let rho = Environment::of(&z, at);
    let run = |strategy, rules: &dyn TraceRules, trace: &Term| {
        let compared = Compared { numbers: &NUMBERS, rules };
        let evaluator = Evaluator::new(&compared).under(rules).by(strategy);
        let v = Term::variable(&z);
        match Outcome::of(evaluator.differentiate(&v, &v, &x, &Ty::Real, trace)) {
            Outcome::Defined(reverse) => rational(rules, &rho, &reverse),
            other => other.map(|_| Value::Unit),
        }
    };
    let verdicts = [Strategy::Accumulated, Strategy::Literal]
        // renamed apart there is no clash, so the library's own rules are the reference
        .map(|strategy| same(|| shown(&trace), run(strategy, rules, &trace), run(strategy, &Library, &apart)));
    let [first, second] = verdicts;
    first.and(second)
}
