//! What is not decided, and what does not end.

use super::*;

const SQUARES: &str = "let rec f (x : Real) : Real = if 10 < x then x else f (x * x) in f (sqrt 10)";

/// A15: the branch that is taken, with its variable.
#[test]
fn relu_leaves_a_branch() {
    for (at, text) in [("1", r"\(x : Real) => x"), ("-1", r"\(x : Real) => 0")] {
        let (program, trace, _) = traced(r"\x => if x < 0 then 0 else x", at).unwrap();
        assert_eq!(smoothish::trace::printer::to_text(&program.parameters, &trace), text);
    }
}

/// At √10 certified numbers have no answer, and say so; doubles take a branch.
#[test]
fn doubles_decide_what_certified_numbers_do_not() {
    use smoothish::number::Mpfr;
    use smoothish::trace::number::{CertifiedReals, Doubles};
    let program = program(SQUARES);
    let (functions, numbers) = (FunctionEnvironment::default(), CertifiedReals(Mpfr::new(512)));
    let certified =
        TraceEvaluator::new(&numbers).evaluate_ordinary(&functions, &CoreEnvironment::default(), &program.term);
    assert_eq!(certified.unwrap_err().as_undefined().map(|u| u.cause), Some(UndefinedCause::Undecided));
    let rounded = TraceEvaluator::new(&Doubles)
        .evaluate_ordinary(&functions, &CoreEnvironment::default(), &program.term)
        .unwrap();
    // the double nearest to √10 has the square 10.000000000000002 in doubles
    assert_eq!(rounded.real_components(), [&10.000_000_000_000_002]);
}

/// A guard on numbers that are equal is not decided at any precision, and says how nearly they agree.
#[test]
fn an_undecided_guard_says_how_nearly() {
    use smoothish::number::Mpfr;
    use smoothish::trace::number::CertifiedReals;
    let program = program("if sqrt 2 * sqrt 2 < 2 then 1 else 0");
    let numbers = CertifiedReals(Mpfr::new(256));
    let evaluator = TraceEvaluator::new(&numbers);
    let error = evaluator
        .evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &program.term)
        .unwrap_err();
    let undefined = error.as_undefined().unwrap();
    assert_eq!(undefined.cause, UndefinedCause::Undecided);
    assert!(undefined.agreement.unwrap() < -240, "{error}");
    assert_eq!(program.position_of(undefined.site).unwrap().span.start, 3);
}

/// Deep recursions, and endless ones, end with a message.
#[test]
fn endless_recursions_end() {
    let numbers = Rationals::default();
    for text in [
        "let rec f (x : Real) : Real = f x in f 1",
        "let rec f (x : Real) : Real = x + f x in f 1",
        "let rec f (x : Real) : Real = rd f x 1 in f 1",
        r"let rec f (x : Real) : Real = f (x * x) in f 2",
    ] {
        let program = program(text);
        let evaluator = TraceEvaluator::new(&numbers).with_step_limit(300_000);
        let error = evaluator
            .evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &program.term)
            .unwrap_err();
        assert_eq!(error.as_undefined().map(|u| u.cause), Some(UndefinedCause::Fuel), "{text}: {error}");
    }
    // the numbers of a program that only the limit on levels stops are exact up to there
    assert_eq!(numbers.exact_rational(&ratio("1/3")), Some(ratio("1/3")));
    assert_eq!(CoreTy::real_vector(3).dimension(), 3);
    assert!(library().modules().len() > 5);
}
