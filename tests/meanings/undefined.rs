//! Why a program has no number: what is found, and where.

use smoothish::meaning::presheaf::PresheafInterpreter;
use smoothish::model::answer::AnswerNumber;
use smoothish::model::answer::UndefinedCause::{self, Boundary, Domain, Undecided};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::{Arc, LazyLock};

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

/// The cause, the message, and the column of the place.
fn undefined(program: &str, limits: &Limits) -> Option<(UndefinedCause, String, Option<u32>)> {
    let answer = SESSION.ask(&Evaluate::new(program).with_width("1e-6"), limits);
    let answer = answer.unwrap_or_else(|e| panic!("{program}: {e}"));
    let found = answer.undefined()?;
    Some((found.cause, found.message.clone(), found.place.as_ref().map(|place| place.span.start + 1)))
}

/// Programs without a number, with the operation that has no value or no derivative and the column where it stands. Each is
/// undefined for the reason that stands beside it.
const PROGRAMS: &[(&str, UndefinedCause, &str, u32, &str)] = &[
    ("1/0", Domain, "/", 1, "division by 0"),
    ("log (-1)", Domain, "log", 1, "log needs x > 0"),
    ("log 0", Domain, "log", 1, "0 does not belong to the domain"),
    ("1 + asin 2", Domain, "asin", 5, "|2| > 1"),
    ("(1 - 2)^(1/2)", Domain, "^", 1, "the root of -1"),
    ("tan (pi/2)", Boundary, "tan", 1, "a pole, of which π/2 is not distinguished"),
    ("2 / sin pi", Boundary, "/", 1, "sin π is 0, which no enclosure shows"),
    ("deriv sqrt 0", Boundary, "sqrt", 7, "slope 1/0, and nothing to the left"),
    ("deriv cbrt 0", Boundary, "cbrt", 7, "slope 1/0"),
    ("deriv (\\x => max 1 (sqrt x)) 0", Boundary, "sqrt", 21, "no value for x < 0, though max is decided"),
    ("deriv (\\x => x^2 * sin (1/x)) 0", Domain, "/", 24, "1/0"),
    ("deriv (deriv (\\x => max 0 x)) 0", Undecided, "max", 21, "the slope jumps"),
    ("deriv signum 0", Undecided, "signum", 7, "the value jumps"),
    ("lgamma 0", Domain, "lgamma", 1, "a pole"),
    ("polygamma 2 (-3)", Domain, "polygamma 2", 1, "a pole of the second derivative of digamma"),
    ("digamma (sin pi)", Boundary, "digamma", 1, "a pole, which no enclosure shows"),
    ("atan2 0 0", Domain, "atan2", 1, "the origin has no angle"),
    ("atan2 (sin pi) (sin pi)", Boundary, "atan2", 1, "the origin, which no enclosure shows"),
    ("deriv (\\y => atan2 y (-1)) 0", Undecided, "atan2", 14, "the value jumps"),
    ("deriv (deriv abs) 0", Undecided, "abs", 14, "the slope jumps"),
    ("(\\x => if sin x > x^2 then x else 0) 0", Undecided, "if", 11, "0 > 0 on its border"),
    ("integral01 (\\x => sqrt (x - 1/2))", Domain, "sqrt", 19, "no value for x < 1/2"),
    ("deriv (\\c => argmax01 (\\x => c * x)) 0", Undecided, "argmax01", 14, "the place jumps from 0 to 1"),
    ("deriv (\\c => cutRoot (\\x => c - x^3)) 0", Undecided, "cutRoot", 14, "the root is ∛c"),
    ("deriv (deriv (\\c => integral01 (\\x => max 0 (x - c)))) 1", Undecided, "max", 39, "the slope jumps where x = c"),
    ("let f = \\x => 1/(x - 1) in 2 + f 1", Domain, "/", 15, "inside of a function"),
    // not the operation that is computed from what is undefined, and not one that has a value
    ("exp (sin (sqrt (-1)))", Domain, "sqrt", 11, "the others are computed from it"),
    ("sqrt 2 + log (-2) * 1/0", Domain, "log", 10, "the first that has none"),
    // what a solver met on its way to a result says nothing: √ is undecided on the first panel, and 1/(x + 1/3) at first
    ("integral01 (\\x => sqrt (x * (x + 1/3))) + log (-1)", Domain, "log", 43, "the integral is a number"),
    ("max01 (\\x => 1 / (x^2 - x + 0.26)) + 1/0", Domain, "/", 38, "x² - x + 0.26 ≥ 0.01"),
];

#[test]
fn what_is_undefined_is_told_with_its_place() {
    for &(program, cause, operation, column, because) in PROGRAMS {
        let (found, message, place) =
            undefined(program, &Limits::seconds(60)).unwrap_or_else(|| panic!("{program}: nothing found"));
        assert_eq!((found, place), (cause, Some(column)), "{program} ({because}): {message}");
        assert!(message.starts_with(&format!("`{operation}` ")), "{program} ({because}): {message}");
    }
}

/// An infinite integral is the reason, and not the quotient that it is made of.
#[test]
fn an_infinite_integral_is_told_with_its_place() {
    let (cause, message, place) = undefined("1 + integral01 (\\x => 1/x)", &Limits::seconds(60)).expect("a reason");
    assert_eq!((cause, place), (UndefinedCause::Divergence, Some(5)), "{message}");
}

#[test]
fn what_is_defined_is_not_told_to_be_undefined() {
    for program in [
        "1/3",
        "deriv abs 0",
        "max 1 (sqrt 0)",
        "integral01 sqrt",
        "(1, tt, cbrt 0)",
        "signum 0",
        "atan2 0 (-1)",
        "argmax01 (\\x => 0)",
    ] {
        assert_eq!(undefined(program, &Limits::seconds(60)), None, "{program}");
    }
}

/// Where the budget is used up, nothing else is to blame.
#[test]
fn a_budget_that_is_used_up_is_the_cause() {
    let program = "integral01 (\\x => integral01 (\\y => log (x + y - 1)))";
    let (cause, message, place) = undefined(program, &Limits { work: Some(300), ..Limits::none() }).unwrap();
    assert_eq!((cause, place), (UndefinedCause::Fuel, None), "{message}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// No answer depends on the search for a reason: with every budget the numbers of a pair are those that are found one after
    /// another without it.
    #[test]
    fn looking_for_a_reason_changes_no_answer() {
        let program = "(deriv (\\c => integral01 (\\x => max 2 (sqrt (x - c)))) 0, integral01 (\\x => exp (sin x)))";
        let eps = Rational::from((1, 1_000_000_000));
        let (term, _) = SESSION.infer(program).unwrap();
        let question = Evaluate::new(program).with_width(eps.clone());
        let (mut reasons, mut cut) = (0, 0);
        for step in (0..120).step_by(crate::in_tiers(4, 1)) {
            // from 64 to 5 million, each a tenth more
            let units = (64.0 * 1.1f64.powi(step)) as u64;
            let limits = Limits { work: Some(units), ..Limits::none() };
            let Ok(answer) = SESSION.ask(&question, &limits) else { continue };
            let one_budget = Arc::new(Budget::new(units, None, None));
            let Ok(Value::Tuple(numbers)) = PresheafInterpreter::new(one_budget.clone()).interpret_program(&term)
            else {
                panic!("a pair")
            };
            let alone = numbers.iter().map(|number| {
                let Value::Real(graph) = number else { panic!("a number") };
                graph.to_real().unwrap().enclose(&eps, &one_budget).unwrap().enclosure
            });
            let Value::Tuple(found) = answer.value() else { panic!("a pair") };
            for (found, alone) in found.iter().zip(alone) {
                let Value::Real(AnswerNumber::Enclosure(found)) = found else { panic!("a number") };
                assert_eq!(found.enclosure, alone, "{units} units");
                cut += usize::from(!found.reached && found.exhausted);
            }
            reasons += usize::from(answer.undefined().is_some_and(|found| found.cause == Boundary));
        }
        assert!(
            reasons >= crate::in_tiers(1, 3) && cut >= crate::in_tiers(1, 3),
            "{reasons} with a reason, {cut} cut short"
        );
    }
}
