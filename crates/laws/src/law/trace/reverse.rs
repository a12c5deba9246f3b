//! Laws of the derivatives of traces (A Fig. 6, Thm 6.1).

use super::dual::{RationalDual, RationalDuals};
use super::generate::{TraceSample, draw_name_clash};
use super::{
    NUMBERS, RunOutcome, check_at_points, kleene_equal, print_shortened, run_ordinary, run_rational, run_symbolic,
};
use crate::function::Function;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::trace::environment::CoreEnvironment;
use crate::trace::evaluation::{Strategy, TraceEvaluator};
use crate::trace::hooks::DefaultTraceHooks;
use crate::trace::number::Doubles;
use crate::trace::operation::OperationSymbol;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{CoreTerm, CoreVariable};
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;
use crate::verdict::Verdict;
use crate::wrong::{HookedNumbers, TraceMutationHooks};

/// Tests that both strategies give the same derivative of a program, and of its trace at all points.
pub fn strategies_agree(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in programs_at_points(sample, rho).into_iter().filter(|(term, rho)| is_short(term, rho)) {
            let reverse = transposed_derivative(sample, &term);
            let run = |strategy| run_ordinary(&NUMBERS, rules, strategy, &rho, &reverse);
            all = all.and(kleene_equal(String::new, run(Strategy::Literal), run(Strategy::Accumulated)));
        }
        all
    })
}

/// The greatest size of a trace that is differentiated by the literal clauses. Their derivative grows much faster than
/// the trace. A choice.
const MAX_LITERAL_SIZE: u64 = 24;

/// Returns `true` if the trace of a program is short enough for the literal clauses.
fn is_short(term: &CoreTerm, rho: &CoreEnvironment<Rational>) -> bool {
    term.is_trace() && term.size() <= MAX_LITERAL_SIZE
        || matches!(run_symbolic(&DefaultTraceHooks, rho, term), RunOutcome::Defined((trace, _)) if trace.size() <= MAX_LITERAL_SIZE)
}

/// Returns `W.rd_x(x. M)`, the transposed derivative of `term` at the variable of the sample.
pub(in crate::law) fn transposed_derivative(sample: &TraceSample, term: &CoreTerm) -> CoreTerm {
    let inner = sample.x.renamed();
    let body = Renaming::substitute(term, &sample.x, CoreTerm::variable(&inner));
    sugar::reverse_derivative(sample.cotangent.clone(), CoreTerm::variable(&sample.x), &inner, &sample.ty, body)
}

/// Returns the derivative of a sample, and the derivative of that.
pub(super) fn two_derivatives(sample: &TraceSample) -> [CoreTerm; 2] {
    let first = transposed_derivative(sample, &sample.term);
    let again = TraceSample { codomain: sample.ty.clone(), cotangent: ones_cotangent(&sample.ty), ..sample.clone() };
    [first.clone(), transposed_derivative(&again, &first)]
}

/// Returns the cotangent of ones: `1`, `⟨1, 1⟩`, ….
fn ones_cotangent(ty: &CoreTy) -> CoreTerm {
    match ty {
        CoreTy::Real => CoreTerm::number(1),
        CoreTy::Unit => CoreTerm::unit(),
        CoreTy::Product(parts) => {
            let (t, u) = &**parts;
            CoreTerm::pair(t.clone(), u.clone(), ones_cotangent(t), ones_cotangent(u))
        }
    }
}

/// Returns a program at its point, and its trace from there at all points. At other points the trace may be undefined.
fn programs_at_points(
    sample: &TraceSample,
    rho: &CoreEnvironment<Rational>,
) -> Vec<(CoreTerm, CoreEnvironment<Rational>)> {
    let mut places = vec![(sample.term.clone(), rho.clone())];
    if let RunOutcome::Defined((trace, _)) = run_symbolic(&DefaultTraceHooks, rho, &sample.term) {
        let at = |point: &CoreValue<Rational>| (trace.clone(), CoreEnvironment::of_variable(&sample.x, point.clone()));
        places.extend(sample.points.iter().map(at));
    }
    places
}

/// Computes Jᵗ W by forward mode, with one run on dual numbers for each coordinate.
pub fn transposed_by_forward_mode(
    sample: &TraceSample,
    term: &CoreTerm,
    at: &CoreValue<Rational>,
) -> RunOutcome<CoreValue<Rational>> {
    let numbers = RationalDuals(NUMBERS);
    // the cotangent is closed, so it needs no environment
    let none = CoreEnvironment::default();
    let RunOutcome::Defined(cotangent) = run_rational(&DefaultTraceHooks, &none, &sample.cotangent) else {
        return RunOutcome::Unknown;
    };
    let mut slopes = Vec::new();
    for moved in 0..sample.ty.dimension() {
        let mut place = 0;
        let point = at.map(&mut |x| {
            let slope = Rational::from(u8::from(place == moved));
            place += 1;
            RationalDual { value: x.clone(), slope }
        });
        let rho = CoreEnvironment::of_variable(&sample.x, point);
        match run_ordinary(&numbers, &DefaultTraceHooks, Strategy::Accumulated, &rho, term) {
            RunOutcome::Defined(found) => {
                // component i of Jᵗ W is the inner product of W with the derivative along coordinate i
                let products = found.real_components().into_iter().zip(cotangent.real_components());
                slopes.push(products.map(|(dual, w)| Rational::from(&dual.slope * w)).sum());
            }
            RunOutcome::Undefined => return RunOutcome::Undefined,
            RunOutcome::Unknown => return RunOutcome::Unknown,
        }
    }
    match CoreValue::from_reals(&sample.ty, &mut slopes.into_iter()) {
        Some(value) => RunOutcome::Defined(value),
        None => RunOutcome::Unknown,
    }
}

/// Tests theorem 6.1 by both strategies, for programs and for their traces at all points, where these may be undefined.
pub fn reverse_is_transposed(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in programs_at_points(sample, rho) {
            let Some(point) = rho.get(&sample.x).cloned() else { continue };
            let expected = transposed_by_forward_mode(sample, &term, &point);
            let strategies: &[_] = match is_short(&term, &rho) {
                true => &[Strategy::Accumulated, Strategy::Literal],
                false => &[Strategy::Accumulated],
            };
            for strategy in strategies.iter().copied() {
                let found = run_ordinary(&NUMBERS, rules, strategy, &rho, &transposed_derivative(sample, &term));
                all = all.and(kleene_equal(String::new, found, expected.clone()));
                // `rd` runs its body to a trace first; a trace can be differentiated directly as well
                if term.is_trace() {
                    let point = CoreTerm::variable(&sample.x);
                    let inner = sample.x.renamed();
                    let trace = Renaming::substitute(&term, &sample.x, CoreTerm::variable(&inner));
                    let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
                    let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
                    let w = &sample.cotangent;
                    let reverse =
                        RunOutcome::from_result(evaluator.differentiate(w, &point, &inner, &sample.ty, &trace));
                    if let RunOutcome::Defined(reverse) = reverse {
                        let found = run_ordinary(&NUMBERS, rules, strategy, &rho, &reverse);
                        all = all.and(kleene_equal(String::new, found, expected.clone()));
                    }
                }
            }
        }
        all
    })
}

/// Tests that `W.R_V(x. C)` is defined where C is, in doubles, for traces with functions that are not defined
/// everywhere.
pub fn reverse_has_the_domain(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let [x, inner, y] = ["x", "x", "y"].map(|name| CoreVariable::fresh(&name.into()));
    let functions = [Function::Log, Function::Sqrt, Function::Asin, Function::Acos, Function::Cbrt, Function::Acosh];
    let function = CoreTerm::operation(OperationSymbol::Function(*random.pick(&functions)), CoreTerm::variable(&inner));
    // two of the three ignore the value of y, or multiply it by 0: its domain must count all the same
    let of_y = match random.next_below(3) {
        0 => CoreTerm::number(3),
        1 => CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::variable(&y), CoreTerm::variable(&inner)),
        _ => CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(0), CoreTerm::variable(&y)),
    };
    let trace = CoreTerm::bind(&y, CoreTy::Real, function.clone(), of_y);
    let trace = if random.random_bool(30) { function } else { trace };
    let w = CoreTerm::number(*random.pick(&[0, 1]));
    let mut all = Verdict::Vacuous;
    for at in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0] {
        // the value itself is compared elsewhere; here only definedness counts
        let value_at = |x: &CoreVariable, term: &CoreTerm| {
            let rho = CoreEnvironment::of_variable(x, CoreValue::Real(at));
            run_ordinary(&Doubles, rules, Strategy::Accumulated, &rho, term).map(|_| ())
        };
        let expected = value_at(&inner, &trace);
        for strategy in [Strategy::Accumulated, Strategy::Literal] {
            let compared = HookedNumbers { numbers: &Doubles, hooks: rules };
            let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
            let reverse = evaluator.differentiate(&w, &CoreTerm::variable(&x), &inner, &CoreTy::Real, &trace);
            let found = match RunOutcome::from_result(reverse) {
                RunOutcome::Defined(reverse) => value_at(&x, &reverse),
                other => other.map(|_| ()),
            };
            all = all.and(kleene_equal(|| format!("x = {at} in {}", print_shortened(&trace)), found, expected.clone()));
        }
    }
    all
}

/// Tests that `z.R_z(x. C)`, where C binds z, is the same as with another name for the bound z in C.
pub fn reverse_captures_nothing(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let at = CoreValue::Real(Rational::from(1 + random.next_below(5) as i64));
    let (trace, x, z) = draw_name_clash(random);
    let apart = Renaming::rename_apart(&trace);
    let rho = CoreEnvironment::of_variable(&z, at);
    let run = |strategy, rules: &dyn TraceMutationHooks, trace: &CoreTerm| {
        let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
        let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
        let v = CoreTerm::variable(&z);
        match RunOutcome::from_result(evaluator.differentiate(&v, &v, &x, &CoreTy::Real, trace)) {
            RunOutcome::Defined(reverse) => run_rational(rules, &rho, &reverse),
            other => other.map(|_| CoreValue::Unit),
        }
    };
    let verdicts = [Strategy::Accumulated, Strategy::Literal]
        // renamed apart there is no clash, so the library's own rules are the reference
        .map(|strategy| {
            kleene_equal(
                || print_shortened(&trace),
                run(strategy, rules, &trace),
                run(strategy, &DefaultTraceHooks, &apart),
            )
        });
    let [first, second] = verdicts;
    first.and(second)
}
