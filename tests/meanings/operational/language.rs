//! The core language: what is in it, its types, and its text.

use super::*;
use crate::acceptance::{A, is};
use smoothish::trace::operation::OperationSymbol;
use smoothish::trace::printer::to_text;
use smoothish::trace::term;
use smoothish::trace::term::{BooleanTerm, CoreDefinition, CoreTermKind, CoreVariable};
use smoothish::trace::typing::{CoreVariableTypes, FunctionTypes, check_boolean, type_of};
use std::sync::Arc;

/// What the core language has not, with the place.
#[test]
fn what_is_outside_is_refused_at_its_place() {
    for (text, construct, place) in [
        (r"(\x => (\y => y, x), 1.0)", "functions as values", 0),
        ("[1.0, 2.0]", "constructors", 0),
        ("1 + integral01 (\\x => x)", "`integral01`", 4),
        ("let n : Nat = 3 in toReal n", "natural numbers", 14),
        (r"(\(x : Real) => let b = x < 1 in 1.0) 2", "truth values", 24),
        (r"if (\(n : Nat) => n == 3) 3 then 1.0 else 2", "natural numbers", 26),
        ("tangent_R.to", "isomorphisms", 0),
    ] {
        let error = embedded(text).expect_err(text);
        assert!(error.to_string().contains(construct), "{text}: {error}");
        let found = error.location().span.start;
        assert_eq!(found, place, "{text}: {error}");
    }
}

/// A §2, globals: a recursive function takes what it mentions from outside as arguments. The values are by hand, and those of partial
/// maps, which have globals.
#[test]
fn functions_that_mention_what_is_outside_are_lifted() {
    for (text, expected) in [
        (r"(\x => let rec f (y : Real) : Real = if y < 0 then x else f (y - 1) in f (7/2)) 5", "5"),
        // 13 - 2 c
        (r"rd (\c => let rec f (y : Real) : Real = if y < c then y else f (y - c) in f 13) 5 1", "-2"),
        // two, in the order of their binders, and one that is bound by a let: 1, 6, 36
        (r"(\a b => let rec f (y : Real) : Real = if y < 0 then a - 2 * b else f (y - 1) in f (5/2)) 7 2", "3"),
        ("let k = 2 * 3 in let rec f (x : Real) : Real = if x > 10 then x else f (k * x) in f 1", "36"),
        // a pair, and a function of one number that mentions another
        (
            r"(\(p : Real * Real) => let rec f (y : Real) : Real = if y < 0 then p[0] - p[1] else f (y - 1) in f (5/2)) (8, 3)",
            "5",
        ),
        (
            r"rd (\x => let g = \y => y * x in let rec f (n : Real) : Real = if n < 1/2 then 1 else g (f (n - 1)) in f 3) 2 1",
            "12",
        ),
        // a recursion in another: (2 + 10) + (1 + 10) + 10, then one that calls the outer one: a³
        (
            r"(\a => let rec f (n : Real) : Real = if n < 1/2 then a else (let rec g (m : Real) : Real = if m < 1/2 then n + a else g (m - 1) in g 2 + f (n - 1)) in f 2) 10",
            "33",
        ),
        (
            r"rd (\a => let rec f (n : Real) : Real = if n < 1/2 then a else (let rec g (m : Real) : Real = if m < 1/2 then f (n - 1) else g (m - 1) in a * g 1) in f 2) 3 1",
            "27",
        ),
        // names that are bound again, inside of the function and where it is called
        (r"(\x => let rec f (y : Real) : Real = if y < 0 then x else (let x = 1 in f (y - x)) in f (5/2)) 9", "9"),
        (r"(\c => let rec f (y : Real) : Real = if y < 0 then c else f (y - 1) in (\c => f (3/2) + c) 100) 5", "105"),
        // a derivative in the body, at the variable from outside: f 1 = x²
        (
            r"rd (\x => let rec f (n : Real) : Real = if n < 1/2 then x * x else rd (\z => z * f (n - 1)) x 1 in f 1) 3 1",
            "6",
        ),
    ] {
        is(A, text, expected);
        let lifted = program(text).lifted;
        assert!(!lifted.is_empty() && lifted.iter().all(|lifted| !lifted.variables.is_empty()), "{text}: {lifted:?}");
    }
    let [lifted] = <[_; 1]>::try_from(
        program(r"\a b => let rec f (y : Real) : Real = if y < 0 then b - a else f (y - 1) in f 3").lifted,
    )
    .expect("one function");
    let told = "the recursive function `f` mentions `a`, `b`, bound outside of it, and takes them as further arguments";
    assert_eq!(lifted.to_string(), told);
    // what is closed stays as it is
    assert!(program("let rec f (y : Real) : Real = if y < 0 then y else f (y - 1) in f 3").lifted.is_empty());
}

/// What can be written out is: functions of functions, connectives, tuples of functions, several arguments.
#[test]
fn what_can_be_written_out_is() {
    for (text, expected) in [
        (r"let twice f x = f (f x) in twice (twice (\x => x * x)) 2", "65536"),
        (r"let a = 2 in let g y = a * y in g (g 3)", "12"),
        ("if 1.0 < 2 && 3.0 < 2 then 1 else 0", "0"),
        ("if not (1.0 < 2) || 1.0 < 2 then 1 else 0", "1"),
        (r"let inside (p : Real * Real) = p[0] < 1 && p[1] > 0 in if inside (0, 1) then 5 else 6", "5"),
        (r"let p = (\x => x + 1, 3) in fst p (snd p)", "4"),
        ("let rec f (x : Real) (y : Real) : Real = if x < 0 then y else f (x - 1) (y + 2) in f (5/2) 0", "6"),
        ("let v = (1, 2, 3) in v[0] + 10 * v[1] + 100 * v[2]", "321"),
        ("(1, 2) + (3, 4) - (1, 1)", "(3, 5)"),
        ("-(1, (2, 3))", "(-1, (-2, -3))"),
        ("max 1 (min 5 3) + abs (-4)", "7"),
        (r"(\() => 3) ()", "3"),
        ("let rec f (u : Unit) : Real = 7 in f ()", "7"),
    ] {
        is(A, text, expected);
    }
    // tuples are nested to the left
    assert_eq!(program("(1, 2, 3)").ty, CoreTy::real_vector(3));
    assert_eq!(program("(1, (2, 3))").ty, CoreTy::product(CoreTy::Real, CoreTy::real_vector(2)));
    assert_eq!((CoreTy::real_vector(0), CoreTy::real_vector(1)), (CoreTy::Unit, CoreTy::Real));
    assert_eq!(CoreTy::product(CoreTy::Real, CoreTy::real_vector(3)).to_string(), "real × (real × real × real)");
}

/// A2: text that is read back means the same.
#[test]
fn terms_are_programs() {
    for source in [
        "1 + 2 * 3 - 4 / 5",
        r"rd (\x => x ^ 3 / (1 + x)) (-2) 3",
        "let rec pow (p : Real * Real) : Real = if p[1] < 1/2 then 1 else p[0] * pow (p[0], p[1] - 1) in rd pow (3, 4) 1",
        "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in (f (5/2), ((), -f (3/2)))",
        "if (1 : Real) < 2 then if (2 : Real) > 1 then 3 else 4 else 5",
        "2 ^ (-3) + (1, 2, 3)[1]",
        "let rec f (x : Real) : Real = x in let rec g (x : Real) : Real = f x + 1 in g (f 2)",
    ] {
        let once = program(source);
        let text = once.term.to_string();
        let again = program(&text);
        assert_eq!(again.term.to_string(), text, "{source}");
        assert_eq!(
            shown(&run_term(&again.term, Strategy::default())),
            shown(&run_term(&once.term, Strategy::default())),
            "{text}"
        );
    }
}

/// A trace is a program for the other meanings too: that of presheaves agrees with it.
#[test]
fn traces_are_programs_of_other_meanings() {
    let f = r"\x => let rec f (y : Real) : Real = if 10 < y then y else f (y * y + sin y) in f x";
    let numbers = smoothish::trace::number::CertifiedReals(smoothish::number::Double);
    let program = program(f);
    let (x, _) = &program.parameters[0];
    let rho =
        CoreEnvironment::of_variable(x, CoreValue::Real(smoothish::number::Context::enclose_integer(&numbers.0, 2)));
    let (trace, value) =
        TraceEvaluator::new(&numbers).evaluate_symbolic(&FunctionEnvironment::default(), &rho, &program.term).unwrap();
    let asked = format!("({}) 2", to_text(&program.parameters, &trace));
    let answer = Session::new().enclose(&asked, 1e-9).unwrap();
    let value = smoothish::number::Context::to_enclosure(&numbers.0, value.real_components()[0]);
    assert!(answer.reached && answer.enclosure.overlaps(&value), "{asked}");
    assert!(trace.is_trace() && !program.term.is_trace());
}

/// Fig. 1: each rule, with what it accepts and what it refuses.
#[test]
fn sixteen_rules() {
    let [x, y, f] = ["x", "y", "f"].map(|name| CoreVariable::fresh(&name.into()));
    let gamma = CoreVariableTypes::default().with_entry(&x, CoreTy::Real);
    let phi = FunctionTypes::default().with_entry(&f, (CoreTy::real_vector(2), CoreTy::Unit));
    let of = |term: CoreTerm| type_of(&phi, &gamma, &term).ok();
    let (unit, one, at) = (CoreTerm::unit, || CoreTerm::number(1), CoreTerm::variable(&x));
    let pair = || CoreTerm::pair(CoreTy::Real, CoreTy::Unit, one(), unit());
    let call = |argument| -> CoreTerm { CoreTermKind::Call(f.clone(), argument).into() };
    let first = |term| -> CoreTerm { CoreTermKind::First(CoreTy::Real, CoreTy::Unit, term).into() };
    let second = |term| -> CoreTerm { CoreTermKind::Second(CoreTy::Real, CoreTy::Unit, term).into() };
    let reals = || CoreTerm::pair(CoreTy::Real, CoreTy::Real, one(), one());
    let when = |left, then, otherwise| CoreTerm::if_less(left, one(), then, otherwise);
    let function = |body: CoreTerm, codomain: CoreTy, rest: CoreTerm| -> CoreTerm {
        let (function, parameter) = (f.clone(), y.clone());
        let definition = CoreDefinition { function, parameter, domain: CoreTy::Real, codomain, body, limit: None };
        CoreTermKind::LetRec(Arc::new(definition), rest).into()
    };
    let at_y = || CoreTerm::variable(&y);
    for (accepted, ty, refused) in [
        (at.clone(), CoreTy::Real, at_y()),
        (one(), CoreTy::Real, CoreTerm::sum(one(), unit())),
        (CoreTerm::sum(at.clone(), one()), CoreTy::Real, CoreTerm::sum(unit(), one())),
        (
            CoreTerm::operation(OperationSymbol::Negate, one()),
            CoreTy::Real,
            CoreTerm::operation(OperationSymbol::Negate, reals()),
        ),
        (
            CoreTerm::operation(OperationSymbol::Multiply, reals()),
            CoreTy::Real,
            CoreTerm::operation(OperationSymbol::Multiply, one()),
        ),
        (
            CoreTerm::bind(&y, CoreTy::Unit, unit(), at_y()),
            CoreTy::Unit,
            CoreTerm::bind(&y, CoreTy::Real, unit(), at_y()),
        ),
        (unit(), CoreTy::Unit, CoreTerm::bind(&y, CoreTy::Unit, one(), unit())),
        (
            pair(),
            CoreTy::product(CoreTy::Real, CoreTy::Unit),
            CoreTerm::pair(CoreTy::Real, CoreTy::Real, one(), unit()),
        ),
        (first(pair()), CoreTy::Real, first(reals())),
        (second(pair()), CoreTy::Unit, second(one())),
        (when(one(), unit(), unit()), CoreTy::Unit, when(one(), unit(), one())),
        (call(reals()), CoreTy::Unit, call(one())),
        // the body of a function has its parameter, and no other variable
        (function(at_y(), CoreTy::Real, call(one())), CoreTy::Real, function(at.clone(), CoreTy::Real, one())),
        (function(call(at_y()), CoreTy::Unit, unit()), CoreTy::Unit, function(at_y(), CoreTy::Unit, unit())),
        (
            term::gradient(one(), &y, &CoreTy::Real, at_y()),
            CoreTy::Real,
            term::gradient(one(), &y, &CoreTy::Real, unit()),
        ),
        (
            term::reverse_derivative(unit(), reals(), &y, &CoreTy::real_vector(2), unit()),
            CoreTy::real_vector(2),
            term::reverse_derivative(unit(), one(), &y, &CoreTy::real_vector(2), unit()),
        ),
    ] {
        assert_eq!(of(accepted.clone()), Some(ty), "{accepted}");
        assert_eq!(of(refused.clone()), None, "{refused}");
    }
    assert!(check_boolean(&phi, &gamma, &BooleanTerm::Value(true)).is_ok());
    assert_eq!(of(when(unit(), one(), one())), None);
    // A5: abbreviations
    let t = CoreTy::product(CoreTy::real_vector(2), CoreTy::Unit);
    assert_eq!(of(term::zero_of_type(&t)), Some(t.clone()));
    assert_eq!(of(term::sum_of_type(&t, term::zero_of_type(&t), term::zero_of_type(&t))), Some(t.clone()));
    let forward =
        term::forward_derivative(term::zero_of_type(&t), term::zero_of_type(&t), &y, [&t, &CoreTy::Unit], unit());
    assert_eq!(of(forward), Some(CoreTy::Unit));
}
