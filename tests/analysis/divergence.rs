//! Integrals that have no value: what is said of them, and of which integrals it must not be said.
//!
//! The bound in a reason is itself a program. So it is compared with the integrand at places that go to the end.

use super::ends::number;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::{RefinedEnclosure, WidthReason};
use smoothish::session::{Answer, Evaluate, Limits, Session, UndefinedNumber};
use smoothish::undefined::UndefinedCause;
use smoothish::value::Value;
use std::sync::LazyLock;

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

fn ask(question: &str) -> Answer<Value<AnswerNumber>> {
    let limits = Limits { work: Some(100_000_000), ..Limits::none() };
    SESSION.ask(&Evaluate::new(question).with_width("1e-6"), &limits).unwrap_or_else(|e| panic!("{question}: {e}"))
}

fn enclosure(answer: &Answer<Value<AnswerNumber>>) -> &RefinedEnclosure {
    match answer.value() {
        Value::Real(AnswerNumber::Enclosure(found)) => found,
        other => panic!("{other:?}"),
    }
}

/// The reason for which a question has no value.
#[track_caller]
fn reason(question: &str) -> UndefinedNumber {
    let answer = ask(question);
    assert!(!enclosure(&answer).enclosure.is_defined(), "{question}: {:?}", enclosure(&answer));
    answer.undefined().unwrap_or_else(|| panic!("{question}: no reason")).clone()
}

/// It is said that the integral diverges, and why.
#[track_caller]
fn diverges(question: &str, message: &str) {
    let answer = ask(question);
    let found = answer.undefined().unwrap_or_else(|| panic!("{question}: no reason"));
    assert_eq!((found.cause, &*found.message), (UndefinedCause::Divergence, message), "{question}");
    assert_eq!(enclosure(&answer).reason, Some(WidthReason::Diverges), "{question}");
    assert!(answer.notes().iter().any(|note| note.text.starts_with(&format!("not defined: {message}"))), "{question}");
}

/// A printed bound of the integrand holds at these places: the integrand less the bound is not negative, or not positive.
#[track_caller]
fn bound_holds(question: &str, integrand: &str, places: &[&str]) {
    let message = reason(question).message;
    let (before, bound) = message.split_once("the integrand is ").unwrap_or_else(|| panic!("{question}: {message}"));
    assert!(before.starts_with("the integral diverges: beside "), "{message}");
    let (sign, bound) = match bound.split_once(' ').expect("a bound") {
        ("at", rest) if rest.starts_with("least ") => ("", &rest["least ".len()..]),
        ("at", rest) => ("-", &rest["most ".len()..]),
        _ => panic!("{message}"),
    };
    for place in places {
        let difference = ask(&format!(r"(\x => {sign}(({integrand}) - ({bound}))) ({place})"));
        let found = enclosure(&difference);
        assert!(found.enclosure.is_defined() && *found.enclosure.hi() >= 0, "{message}, at {place}: {found:?}");
    }
}

#[test]
fn an_infinite_integral_is_called_one() {
    for (question, message) in [
        (r"beyond 1 (\x => 1/x)", "the integral diverges: beside its upper end the integrand is at least 0.99/x"),
        (
            r"integral 1 infinity (\y => -3/y)",
            "the integral diverges: beside its upper end the integrand is at most -2.9/y",
        ),
        (
            r"beyond 2 (\x => 1/(x*log x))",
            "the integral diverges: beside its upper end the integrand is at least 0.99/(x*log x)",
        ),
        (r"beyond 0 (\x => 1)", "the integral diverges: beside its upper end the integrand is at least 0.99"),
        (
            r"beyond 1 (\x => 1/sqrt x)",
            "the integral diverges: beside its upper end the integrand is at least 0.99/x^(1/2)",
        ),
        (
            r"integral (-infinity) 0 (\x => 1/(x-1))",
            "the integral diverges: beside its lower end the integrand is at most -0.99/abs x",
        ),
        (
            r"line (\x => 1/(1+abs x))",
            "the integral diverges: beside an infinite end the integrand is at least 0.99/abs x",
        ),
        (r"beyond 0 (\x => 1/x^2)", "the integral diverges: beside x = 0 the integrand is at least 0.99/x^2"),
        (r"integral01 (\t => 1/t)", "the integral diverges: beside t = 0 the integrand is at least 0.99/t"),
        (
            r"integral01 (\x => -1/(1-x)^(3/2))",
            "the integral diverges: beside x = 1 the integrand is at most -0.99/(1 - x)^(3/2)",
        ),
        (r"integral 2 5 (\x => 1/(x-2))", "the integral diverges: beside x = 2 the integrand is at least 0.99/(x - 2)"),
        (
            r"integral 2 5 (\x => 4/(5-x)^2)",
            "the integral diverges: beside x = 5 the integrand is at least 3.9/(5 - x)^2",
        ),
        (
            r"deriv (\c => beyond 1 (\x => c/x)) 2",
            "the integral diverges: beside its upper end the integrand is at least 1.9/x",
        ),
        (r"beyond 0 exp", "the integral diverges: beside its upper end the integrand is at least 0.99"),
    ] {
        diverges(question, message);
    }
}

// A pole of odd order has a principal value, which is none of the integral. One of even order has one sign on both sides.
#[test]
fn a_pole_inside_has_no_integral() {
    let cancels = |place: &str| format!("not absolutely integrable at {place}; a principal value is no integral");
    diverges(r"integral 0 2 (\x => 1/(x-1))", &cancels("x = 1"));
    diverges(r"integral01 (\x => 1/(x-1/4)^3)", &cancels("x = 0.25"));
    diverges(r"integral 0 3 (\y => 1/(y^2-2))", &cancels("about y = 1.41421"));
    diverges(r"beyond 0 (\x => 1/(x^3-8))", &cancels("about x = 2"));
    diverges(
        r"integral 0 2 (\x => 1/(x-1)^2)",
        "the integral diverges: beside x = 1 the integrand is at least 0.99/(x - 1)^2",
    );
    diverges(
        r"integral 2 4 (\x => -1/(abs (x-3))^(3/2))",
        "the integral diverges: beside x = 3 the integrand is at most -0.99/(abs (x - 3))^(3/2)",
    );
    // a third is no dyadic number, so that the place is not known exactly
    diverges(
        r"integral01 (\x => (x-1/3)^(-4))",
        "the integral diverges: at the distance d from about x = 0.333333 the integrand is at least 0.99/d^4",
    );
}

#[test]
fn the_bounds_of_divergent_integrands_are_true() {
    let far = ["1e9", "1e20", "1e200"];
    let near = |a: &str| ["1e-9", "1e-20", "1e-200"].map(|d| format!("{a} {d}"));
    bound_holds(r"beyond 7 (\x => 1/x)", "1/x", &far);
    bound_holds(r"beyond 7 (\x => (2 + exp (-x))/x)", "(2 + exp (-x))/x", &far);
    bound_holds(r"beyond 7 (\x => -x/(x^2 + 5*x + 1))", "-x/(x^2 + 5*x + 1)", &far);
    bound_holds(r"beyond 2 (\x => 1/(x*sqrt (log x)))", "1/(x*sqrt (log x))", &far);
    bound_holds(r"beyond 2 (\x => log x/x)", "log x/x", &far);
    bound_holds(r"beyond 0 (\x => x^2 - x)", "x^2 - x", &far);
    bound_holds(r"beyond 0 exp", "exp x", &["1e3", "1e4"]);
    for (question, integrand, a) in [
        (r"integral01 (\x => 1/(x*log x))", "1/(x*log x)", ""),
        (r"integral01 (\x => exp (1/x)/x)", "exp (1/x)/x", ""),
        (r"integral01 (\x => cos x/x^(5/4))", "cos x/x^(5/4)", ""),
        (r"integral 3 8 (\x => (x-7)/(x-3)^(4/3))", "(x-7)/(x-3)^(4/3)", "3 +"),
        (r"integral 3 8 (\x => (x-7)/(8-x)^3)", "(x-7)/(8-x)^3", "8 -"),
        (r"integral 0 8 (\x => x/(x-3)^2)", "x/(x-3)^2", "3 +"),
        (r"integral 0 8 (\x => (x+1)/(x-3)^2)", "(x+1)/(x-3)^2", "3 -"),
        (r"beyond 4 (\x => 1/(x*(x-4)))", "1/(x*(x-4))", "4 +"),
    ] {
        let places = near(a);
        bound_holds(question, integrand, &places.each_ref().map(String::as_str));
    }
}

#[test]
fn an_operation_that_no_method_bounds_is_named() {
    for (question, message, column) in [
        (r"integral01 (\x => tan (1/x))", "no method here bounds `tan` where its argument is unbounded", "1:19"),
        (r"beyond 1 (\x => tan x/x^2)", "no method here bounds `tan` where its argument is unbounded", "1:17"),
    ] {
        let found = reason(question);
        assert_eq!((found.cause, &*found.message), (UndefinedCause::Method, message), "{question}");
        assert!(found.place.as_ref().is_some_and(|place| place.to_string().ends_with(column)), "{question}: {found}");
    }
    // a logarithm of negative numbers is one, whatever else there is; that of an unbounded number is bounded
    assert_eq!(reason(r"integral01 (\x => log (x - 2)*tan (1/x))").cause, UndefinedCause::Domain);
    assert_eq!(reason(r"integral01 (\x => log (1/x)/x)").cause, UndefinedCause::Divergence);
}

/// Wrong rules say of these that they diverge: a weight without its logarithms, a factor that may be 0, an absolute value for the
/// integral.
#[test]
fn what_converges_is_not_called_divergent() {
    for (question, value) in [
        (r"beyond 2 (\x => 1/(x*(log x)^2))", "1.442695040888963407359"),
        (r"integral01 (\x => 1/sqrt x)", "2"),
        (r"integral01 (\x => x^(-0.999))", "1000"),
        // the coefficient vanishes by identity
        (r"beyond 1 (\x => (x - x)/x)", "0"),
        (r"integral01 (\x => (exp (log 2) - 2)/x + x)", "0.5"),
    ] {
        let answer = ask(question);
        let found = enclosure(&answer);
        assert!(answer.undefined().is_none_or(|reason| reason.cause != UndefinedCause::Divergence), "{question}");
        assert!(
            found.enclosure.lo() <= &number(value) && found.enclosure.hi() >= &number(value),
            "{question}: {found:?}"
        );
    }
    for question in [
        r"beyond 1 (\x => ((sin x)^2 + (cos x)^2 - 1)/x)",
        r"beyond 1 (\x => sin x/x)",
        r"beyond 0 sin",
        r"beyond 1 (\x => x*sin (x^2))",
        r"integral01 (\x => sin (1/x)/x)",
        // 0 for c = 0 alone, and 0 is what c is
        r"(\c => integral01 (\x => c/x)) (sin 0)",
        r"firstRoot (\y => y - 1/2 + integral01 (\x => 1/(x + abs (y - 3/4))))",
    ] {
        let answer = ask(question);
        let cause = answer.undefined().map(|found| found.cause);
        assert_ne!(cause, Some(UndefinedCause::Divergence), "{question}");
        assert_ne!(enclosure(&answer).reason, Some(WidthReason::Diverges), "{question}");
    }
}
