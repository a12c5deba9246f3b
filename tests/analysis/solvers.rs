//! What the solvers cost, counted in operations and not in seconds (S70, S71).

use super::Counted;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::OnceLock;

/// The answer, and the work it took.
fn ask(question: &str, eps: &str) -> (RefinedEnclosure, u64) {
    static SESSION: OnceLock<Session> = OnceLock::new();
    let session = SESSION.get_or_init(Session::new);
    let limits = Limits { work: Some(200_000_000), ..Limits::none() };
    let answer = session.ask(&Counted(Evaluate::new(question).with_width(eps)), &limits);
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        (Value::Real(AnswerNumber::Enclosure(found)), work) => (*found, work),
        other => panic!("{question}: {other:?}"),
    }
}

fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

/// The work to reach a tolerance, the answer holding the value.
fn work(question: &str, value: &str, eps: &str) -> u64 {
    let (RefinedEnclosure { enclosure, reached, .. }, work) = ask(question, eps);
    let slack = number("1e-60");
    let (low, high) = (number(value) - &slack, number(value) + &slack);
    let holds = *enclosure.lo() <= high && *enclosure.hi() >= low;
    assert!(reached && holds, "{question} at {eps}: {enclosure:?}");
    work
}

/// 2^(1/3) and 3 digits more than any test asks for.
const CUBE_ROOT_OF_2: &str =
    "1.25992104989487316476721060727822835057025146470150798008197511215529967651395948372939656";

#[test]
fn newton_doubles_the_digits_of_a_simple_root() {
    let simple = r"cutRoot (\x => 2 - x^3)";
    let (few, many) = (work(simple, CUBE_ROOT_OF_2, "1e-15"), work(simple, CUBE_ROOT_OF_2, "1e-60"));
    assert!(many < 10 * few, "{few} operations for 15 digits, {many} for 60");
    // the same root where the slope is unbounded, so that only bisection is left: digits cost as much as they are many
    let steep = r"cutRoot (\x => cbrt (cbrt 2 - x))";
    let by_halving = work(steep, CUBE_ROOT_OF_2, "1e-60");
    assert!(by_halving > 3 * many, "{by_halving} operations by halving, {many} by Newton's method");
}

#[test]
fn roots_with_a_kink_or_with_slope_0_are_found_by_halving() {
    work(r"cutRoot (\x => 1/4 - x - abs (x - 1/4) / 2)", "0.25", "1e-40");
    work(
        r"cutRoot (\x => min (1/3 - x) (1 - 3 * x))",
        "0.333333333333333333333333333333333333333333333333333333333333333333333",
        "1e-40",
    );
    work(r"cutRoot (\x => -x^3)", "0", "1e-20");
    work(r"cutRoot (\x => -(x - 1/4)^5)", "0.25", "1e-6");
    // a slope whose enclosure holds 0 contracts nothing: f is flat on [1, 2]
    let (answer, _) = ask(r"cutRoot (\x => max (1 - x) 0 + min (2 - x) 0)", "1e-3");
    assert!(!answer.reached && answer.enclosure.contains(&number("1")) && answer.enclosure.contains(&number("2")));
}

#[test]
fn smooth_integrals_cost_little_more_for_more_digits() {
    // cos 0 - cos 1 and e - 1
    for (question, value) in [
        (r"integral01 sin", "0.459697694131860282599063392557023396267689579382077772329902744618467"),
        (r"integral01 exp", "1.718281828459045235360287471352662497757247093699959574966967627724076"),
    ] {
        let (few, many) = (work(question, value, "1e-6"), work(question, value, "1e-24"));
        // halving alone would take 10¹⁸ times as much
        assert!(many < 200 * few, "{question}: {few} operations for 6 digits, {many} for 24");
    }
}

#[test]
fn integrals_over_kinks_hold_the_value() {
    work(r"integral01 (\x => relu (x - 0.3))", "0.245", "1e-30");
    work(r"integral01 (\x => abs (x^2 - 1/4))", "0.25", "1e-20");
    work(
        r"integral01 (\x => max01 (\y => y * (x - 1/3)))",
        "0.222222222222222222222222222222222222222222222222222222222222222222222",
        "1e-4",
    );
}

#[test]
fn a_maximum_that_ignores_its_variable_has_every_derivative() {
    work(r"nthDeriv 2 (\c => max01 (\x => c^3)) 2", "12", "1e-20");
    work(r"deriv (\c => integral01 (\x => min01 (\y => c * x))) (1/3)", "0.5", "1e-20");
}
