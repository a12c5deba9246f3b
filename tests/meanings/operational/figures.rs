//! The figures of A, rule by rule.

use super::*;
use smoothish::function::Function;
use smoothish::number::budget::Budget;
use smoothish::trace::differentiate::{literal_derivative, operation_pullback};
use smoothish::trace::evaluation::{DefaultTraceHooks, Focus, decompose};
use smoothish::trace::number::{Doubles, evaluate_operation};
use smoothish::trace::operation::{OperationSymbol, PredicateSymbol};
use smoothish::trace::printer::to_text;
use smoothish::trace::term;
use smoothish::trace::term::{BooleanTerm, CoreDefinition, CoreTermKind, CoreVariable, Renaming};
use smoothish::trace::typing::FunctionClosure;
use std::sync::Arc;

fn variable(name: &str) -> (CoreVariable, CoreTerm) {
    let x = CoreVariable::fresh(&name.into());
    (x.clone(), CoreTerm::variable(&x))
}

fn real(n: i64) -> CoreValue<Rational> {
    CoreValue::Real(Rational::from(n))
}

fn product(a: &CoreTerm, b: &CoreTerm) -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Multiply, a.clone(), b.clone())
}

fn reals(left: &CoreTerm, right: &CoreTerm) -> CoreTerm {
    CoreTerm::pair(CoreTy::Real, CoreTy::Real, left.clone(), right.clone())
}

/// The value in an environment, and the trace as text.
fn both(rho: &CoreEnvironment<Rational>, term: &CoreTerm) -> (String, String) {
    let numbers = Rationals::default();
    let evaluator = TraceEvaluator::new(&numbers).with_step_limit(STEPS);
    let phi = FunctionEnvironment::default();
    let value = shown(&evaluator.evaluate_ordinary(&phi, rho, term));
    let trace =
        evaluator.evaluate_symbolic(&phi, rho, term).map_or_else(|e| e.to_string(), |(trace, _)| trace.to_string());
    (value, trace)
}

/// Figs. 2 and 4: values and redexes, one by one.
#[test]
fn values_and_redexes() {
    let ((x, at_x), (y, at_y)) = (variable("x"), variable("y"));
    let mut rho = CoreEnvironment::of_variable(&x, real(3));
    let p = variable("p");
    rho.bind_value(&p.0, CoreValue::pair(real(5), real(7)));
    let sum = CoreTerm::sum(at_x.clone(), CoreTerm::number(1));
    let choice = |b| CoreTermKind::If(BooleanTerm::Value(b), at_x.clone(), CoreTerm::number(0)).into();
    let f = variable("f").0;
    let definition = CoreDefinition {
        function: f.clone(),
        parameter: y.clone(),
        domain: CoreTy::Real,
        codomain: CoreTy::Real,
        body: product(&at_y, &at_y),
        limit: None,
    };
    let call: CoreTerm = CoreTermKind::Call(f, at_x.clone()).into();
    let body = product(&at_y, &at_x);
    for (term, value, trace) in [
        (at_x.clone(), "3", "x"),
        (CoreTerm::unit(), "()", "()"),
        (reals(&at_x, &CoreTerm::number(2)), "(3, 2)", "(x, 2)"),
        (sum, "4", "x + 1"),
        (product(&at_x, &at_x), "9", "x * x"),
        (CoreTerm::bind(&y, CoreTy::Real, at_x.clone(), at_y.clone()), "3", "let y = x in y"),
        (CoreTermKind::First(CoreTy::Real, CoreTy::Real, p.1.clone()).into(), "5", "fst p"),
        (CoreTermKind::Second(CoreTy::Real, CoreTy::Real, p.1.clone()).into(), "7", "snd p"),
        (choice(true), "3", "x"),
        (choice(false), "0", "0"),
        (CoreTermKind::LetRec(Arc::new(definition), call).into(), "9", "let y = x in y * y"),
        // W.rd_V(y. y x): the slope x, after y x was computed
        (
            term::reverse_derivative(CoreTerm::number(2), at_x.clone(), &y, &CoreTy::Real, body),
            "6",
            "let y = x in let t = y * x in let t_bar = 2 in t_bar * x",
        ),
    ] {
        assert_eq!(both(&rho, &term), (value.to_owned(), trace.to_owned()));
    }
}

/// Figs. 3 and 5: what stands in a context gets a name that is not in ρ.
#[test]
fn contexts_name_what_stands_in_them() {
    let (_, trace, _) = traced(r"\x => if x < 0 then 0 else x * x + 1", "3").unwrap();
    assert_eq!(trace.to_string(), "let c = x * x in c + 1");
    // the name c is taken by a variable of the program
    let (program, trace, value) = traced(r"\c => c * c + (c + 1) * c", "3").unwrap();
    assert_eq!(value, real(21));
    let shown = to_text(&program.parameters, &trace);
    assert_eq!(shown, r"\(c : Real) => let c' = c * c in let c'' = c + 1 in let c''' = c'' * c in c' + c'''");
    assert_eq!(run(&format!("({shown}) 3"), Strategy::default()).unwrap(), real(21));
}

/// Fig. 2: the environment of a body is its parameter alone, and the functions are those of the closure.
#[test]
fn a_body_sees_its_parameter_alone() {
    let ((f, _), (y, _), (x, at_x)) = (variable("f"), variable("y"), variable("x"));
    // f(y) = x, where x is bound where f is called
    let definition = CoreDefinition {
        function: f.clone(),
        parameter: y,
        domain: CoreTy::Real,
        codomain: CoreTy::Real,
        body: at_x,
        limit: None,
    };
    let call = CoreTermKind::Call(f.clone(), CoreTerm::number(1)).into();
    let numbers = Rationals::default();
    let rho = CoreEnvironment::of_variable(&x, real(3));
    let term = CoreTermKind::LetRec(Arc::new(definition.clone()), call).into();
    let error =
        TraceEvaluator::new(&numbers).evaluate_ordinary(&FunctionEnvironment::default(), &rho, &term).unwrap_err();
    assert_eq!(error, TraceError::Stuck { construct: "a variable" });
    // such a closure has no type (A8)
    let closure =
        FunctionClosure { functions: FunctionEnvironment::default(), definition: Arc::new(definition), limit: None };
    let phi = FunctionEnvironment::default().with_closure(&f, Arc::new(closure));
    assert!(smoothish::trace::typing::type_of_functions(&phi).is_err());
}

/// A11: one decomposition, leftmost first, and the point of `rd` before its cotangent.
#[test]
fn the_first_redex() {
    let (x, _) = variable("x");
    let sum = |n| CoreTerm::sum(CoreTerm::number(n), CoreTerm::number(1));
    let found = |term: &CoreTerm| match decompose(term) {
        (context, Focus::Redex(redex)) => (context.len(), redex.to_string()),
        (context, Focus::Boolean { argument, .. }) => (context.len(), argument.to_string()),
        (context, Focus::Value(value)) => (context.len(), value.to_string()),
    };
    for (term, levels, redex) in [
        (CoreTerm::sum(sum(1), sum(2)), 1, "1 + 1"),
        (CoreTerm::sum(CoreTerm::number(0), sum(2)), 1, "2 + 1"),
        (reals(&sum(1), &sum(2)), 1, "1 + 1"),
        (term::reverse_derivative(sum(1), sum(2), &x, &CoreTy::Real, sum(3)), 1, "2 + 1"),
        (term::reverse_derivative(sum(1), CoreTerm::number(2), &x, &CoreTy::Real, sum(3)), 1, "1 + 1"),
        (CoreTerm::if_less(sum(1), sum(2), sum(3), sum(4)), 2, "1 + 1"),
        (CoreTerm::if_less(CoreTerm::number(1), CoreTerm::number(2), sum(3), sum(4)), 0, "(1, 2)"),
        (CoreTerm::bind(&x, CoreTy::Real, sum(1), sum(2)), 1, "1 + 1"),
        (reals(&CoreTerm::number(1), &CoreTerm::variable(&x)), 0, "(1, x)"),
    ] {
        assert_eq!(found(&term), (levels, redex.to_owned()));
    }
}

/// Fig. 6, clause by clause: W.R_V(x : real. C) for W = w, V = v.
#[test]
fn nine_clauses() {
    let ((x, at_x), (_, w), (_, v), (y, at_y), (_, at_u)) =
        (variable("x"), variable("w"), variable("v"), variable("y"), variable("u"));
    let reverse = |w: &CoreTerm, trace: &CoreTerm| {
        literal_derivative(&DefaultTraceHooks, w, &v, &x, &CoreTy::Real, trace).unwrap().to_string()
    };
    let square = product(&at_x, &at_x);
    let pair = reals(&w, &w);
    for (w, trace, expected) in [
        (&w, at_x.clone(), "w"),
        (&w, at_u.clone(), "0"),
        (&w, CoreTerm::number(3), "0"),
        (&w, CoreTerm::unit(), "0"),
        (&w, CoreTerm::sum(at_x.clone(), at_u.clone()), "w + 0"),
        (
            &w,
            square.clone(),
            "let x = v in let y = let d = (x, x) in (w * snd d, w * fst d) in \
             let z = y in let y' = fst z in let z' = snd z in y' + z'",
        ),
        (
            &w,
            CoreTerm::bind(&y, CoreTy::Real, at_x.clone(), CoreTerm::sum(at_y.clone(), at_x.clone())),
            "let x = v in let y = x in 0 + w + (let y_bar = w + 0 in y_bar)",
        ),
        (&pair, reals(&at_x, &at_u), "let z = (w, w) in let y = fst z in let z' = snd z in y + 0"),
        (
            &w,
            CoreTermKind::First(CoreTy::Real, CoreTy::Real, reals(&at_x, &at_u)).into(),
            "let x = v in let y = (x, u) in let z = (w, 0) in let y' = fst z in let z' = snd z in y' + 0",
        ),
        (
            &w,
            CoreTermKind::Second(CoreTy::Real, CoreTy::Real, reals(&at_x, &at_u)).into(),
            "let x = v in let y = (x, u) in let z = (0, w) in let y' = fst z in let z' = snd z in y' + 0",
        ),
    ] {
        assert_eq!(reverse(w, &trace), expected);
    }
    // what is no trace term has no clause
    let choice = CoreTerm::if_less(at_x.clone(), CoreTerm::number(0), at_x.clone(), at_x);
    assert!(!choice.is_trace() && literal_derivative(&DefaultTraceHooks, &w, &v, &x, &CoreTy::Real, &choice).is_err());
}

/// A17: a binder of C that is called as a variable of V and W.
#[test]
fn nothing_is_captured() {
    let ((x, at_x), (z, at_z)) = (variable("x"), variable("z"));
    // C = let z = 2 x in z x, at V = z, W = z: z · 4 z
    let trace = CoreTerm::bind(&z, CoreTy::Real, product(&CoreTerm::number(2), &at_x), product(&at_z, &at_x));
    let rho = CoreEnvironment::of_variable(&z, real(5));
    let reverse = literal_derivative(&DefaultTraceHooks, &at_z, &at_z, &x, &CoreTy::Real, &trace).unwrap();
    assert_eq!(both(&rho, &reverse).0, "100");
    let rd = term::reverse_derivative(at_z.clone(), at_z, &x, &CoreTy::Real, Renaming::rename_apart(&trace));
    assert_eq!(both(&rho, &rd).0, "100");
}

/// E23: nested lets, literally and added up. Every `y + y` is one line, so the second is linear.
#[test]
fn the_literal_derivative_is_exponential() {
    let (x, at_x) = variable("x");
    let nested = |n: usize| {
        let names: Vec<_> = (0..=n).map(|_| variable("y")).collect();
        let last = CoreTerm::sum(names[n].1.clone(), names[n].1.clone());
        let body = (1..=n).rev().fold(last, |body, i| {
            CoreTerm::bind(
                &names[i].0,
                CoreTy::Real,
                CoreTerm::sum(names[i - 1].1.clone(), names[i - 1].1.clone()),
                body,
            )
        });
        Renaming::substitute(&body, &names[0].0, at_x.clone())
    };
    let numbers = Rationals::default();
    let size = |n, strategy| {
        let evaluator = TraceEvaluator::new(&numbers).with_strategy(strategy);
        let (v, w) = (CoreTerm::number(1), CoreTerm::number(1));
        evaluator.differentiate(&w, &v, &x, &CoreTy::Real, &nested(n)).map(|term| term.size())
    };
    let literal: Vec<_> = [2, 4, 6, 8].map(|n| size(n, Strategy::Literal).unwrap()).into();
    assert!(literal.windows(2).all(|pair| pair[1] > 3 * pair[0]), "{literal:?}");
    let error = size(20, Strategy::Literal).unwrap_err();
    assert!(error == TraceError::LiteralTooLarge && error.to_string().contains("`accumulated`"));
    let [ten, twenty, forty] = [10, 20, 40].map(|n| size(n, Strategy::Accumulated).unwrap());
    assert_eq!(forty - twenty, 2 * (twenty - ten));
}

/// The derivative of the trace of `pow (3, n)` is linear in n, to 1000.
#[test]
fn the_accumulated_derivative_is_linear() {
    let pow = r"\x => let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in pow (x, N)";
    let sizes = [250, 500, 1000].map(|n| {
        let (program, trace, _) = traced(&pow.replace('N', &n.to_string()), "1").unwrap();
        let (x, ty) = &program.parameters[0];
        let numbers = Rationals::default();
        let (v, w) = (variable("v").1, CoreTerm::number(1));
        let reverse = TraceEvaluator::new(&numbers).differentiate(&w, &v, x, ty, &trace).unwrap();
        (trace.size(), reverse.size())
    });
    assert_eq!(sizes[2].0 - sizes[1].0, 2 * (sizes[1].0 - sizes[0].0));
    assert_eq!(sizes[2].1 - sizes[1].1, 2 * (sizes[1].1 - sizes[0].1));
}

/// A9: ev and op_r, for each operation by differences, and at the edges of the domains.
#[test]
fn operations_and_their_reverse_derivatives() {
    let ev = |operation: &OperationSymbol, x: &[f64]| {
        let parts = x.iter().map(|x| CoreValue::Real(*x));
        evaluate_operation(
            &Doubles,
            operation,
            &parts.reduce(CoreValue::pair).unwrap_or(CoreValue::Unit),
            &Budget::unlimited(),
        )
    };
    let one = |x: &[f64], operation: &OperationSymbol| match ev(operation, x) {
        Ok(CoreValue::Real(y)) => y,
        other => panic!("{operation} {x:?}: {other:?}"),
    };
    let mut operations =
        vec![OperationSymbol::Negate, OperationSymbol::Subtract, OperationSymbol::Multiply, OperationSymbol::Divide];
    operations.extend([(3, 1), (-2, 1), (1, 3), (-3, 2)].map(|q| OperationSymbol::Power(Rational::from(q))));
    operations.extend(Function::ALL.iter().map(|f| OperationSymbol::Function(*f)));
    operations.push(OperationSymbol::BinaryFunction(smoothish::function::Planar::Atan2));
    for operation in operations {
        let at = if operation == OperationSymbol::Function(Function::Acosh) { 1.6 } else { 0.6 };
        let x = [at, 0.7][..operation.arity()].to_vec();
        let terms: Vec<CoreTerm> = x.iter().map(|x| CoreTerm::number(Rational::from_f64(*x).unwrap())).collect();
        let point = terms.into_iter().reduce(|a, b| reals(&a, &b)).unwrap();
        let reverse = operation_pullback(&DefaultTraceHooks, &operation, &point, &CoreTerm::number(2));
        let found = TraceEvaluator::new(&Doubles)
            .evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &reverse)
            .unwrap();
        for (index, slope) in found.real_components().into_iter().enumerate() {
            let moved = |h: f64| {
                let mut x = x.clone();
                x[index] += h;
                one(&x, &operation)
            };
            let difference = 2.0 * (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((slope - difference).abs() < 1e-6 * (1.0 + slope.abs()), "{operation}: {slope}, {difference}");
        }
    }
}

/// X10b: operations have no value on the edge of where they are smooth, nor has op_r: log_r is not W/L alone.
#[test]
fn edges_are_undefined() {
    let cause = |text: &str| {
        let program = program(text);
        let run = TraceEvaluator::new(&Doubles).evaluate_ordinary(
            &FunctionEnvironment::default(),
            &CoreEnvironment::default(),
            &program.term,
        );
        run.map_or_else(|e| e.as_undefined().map(|u| u.cause.name()), |_| Some("defined"))
    };
    for (text, expected) in [
        ("sqrt 0", "boundary"),
        ("cbrt 0", "boundary"),
        ("0 ^ (1/3)", "boundary"),
        ("0 ^ (4/3)", "boundary"),
        ("asin 1", "boundary"),
        ("acos (-1)", "boundary"),
        ("acosh 1", "boundary"),
        ("abs 0", "boundary"),
        ("signum 0", "boundary"),
        ("max 1 1", "boundary"),
        ("min 2 2", "boundary"),
        ("log 0", "domain"),
        ("log (-1)", "domain"),
        ("1 / 0", "domain"),
        ("0 ^ (-1)", "domain"),
        ("(-8) ^ (1/3)", "defined"),
        ("abs (-2) + max 1 2", "defined"),
        (r"rd (\x => log x) (-1) 1", "domain"),
        (r"rd (\x => log x) (-1) 0", "domain"),
    ] {
        assert_eq!(cause(text), Some(expected), "{text}");
    }
    let reverse = operation_pullback(
        &DefaultTraceHooks,
        &OperationSymbol::Function(Function::Log),
        &CoreTerm::number(-1),
        &CoreTerm::number(1),
    );
    let found = TraceEvaluator::new(&Doubles).evaluate_ordinary(
        &FunctionEnvironment::default(),
        &CoreEnvironment::default(),
        &reverse,
    );
    assert!(found.is_err());
    // comparisons have no answer on the diagonal, in either direction
    let numbers = Rationals::default();
    for predicate in [PredicateSymbol::Less, PredicateSymbol::Greater] {
        let equal = CoreValue::pair(real(2), real(2));
        assert!(smoothish::trace::number::decide_predicate(&numbers, predicate, &equal).is_err());
    }
}
