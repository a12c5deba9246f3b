//! Of `session::tolerance`.

use rug::Float;
use smoothish::model::answer::{AnswerNumber, AnswerTruth};
use smoothish::number::Enclosure;
use smoothish::number::real::RefinedEnclosure;
use smoothish::session::tolerance::ToleranceError::*;
use smoothish::session::tolerance::*;
use smoothish::value::Value;
use std::time::Duration;

fn value(text: &str) -> Result<String, ToleranceError> {
    text.parse::<Tolerance>().map(|eps| eps.value().to_string())
}

#[test]
fn a_tolerance_is_read_exactly() {
    for (text, exact) in [
        ("1e-6", "1/1000000"),
        ("0.1", "1/10"),
        (".5", "1/2"),
        ("2", "2"),
        ("1/3", "1/3"),
        ("1e-3/4", "1/4000"),
        ("+2.50e1", "25"),
        ("1E-2", "1/100"),
    ] {
        assert_eq!(value(text).as_deref(), Ok(exact), "{text}");
    }
    assert_eq!("1e-3".parse::<Tolerance>().unwrap().to_string(), "1e-3");
}

#[test]
fn a_very_small_tolerance_is_allowed() {
    let eps: Tolerance = "1e-5000".parse().unwrap();
    assert_eq!(eps.value().clone().recip().to_string().len(), 5001);
    assert_eq!(value("1e-100000").map(|digits| digits.len()), Ok(100_003));
    assert_eq!(value("1e000000000005").as_deref(), Ok("100000"));
}

#[test]
fn what_is_not_positive_is_refused() {
    for text in ["0", "0.000", "-1e-3", "-1", "0e5", "0/3", "1/-3"] {
        assert_eq!(value(text), Err(NotPositive), "{text}");
    }
}

#[test]
fn what_is_not_a_number_is_refused() {
    for text in [
        "", " ", "x", "1e", "1e-", "e-6", "1..2", "1e1.5", "nan", "inf", "-inf", "1/0", "1/", "1/2/3", "1e-6 ", "0x1",
        "1_000", "١", "1e--6",
    ] {
        assert_eq!(value(text), Err(NotANumber), "{text}");
    }
}

#[test]
fn a_huge_exponent_is_refused_before_it_is_computed() {
    for text in ["1e-100001", "1e100001", "1e999999999", "1e-99999999999999999999", "1/1e1000000"] {
        assert_eq!(value(text), Err(Exponent), "{text}");
    }
}

#[test]
fn a_timeout_is_a_positive_number_of_seconds() {
    assert_eq!("0.5".parse::<Timeout>(), Ok(Timeout(Duration::from_millis(500))));
    assert_eq!(Timeout::default().to_string(), "60");
    for text in ["0", "-1", "", "x", "nan", "inf", "1e300", "1e-30"] {
        assert_eq!(text.parse::<Timeout>(), Err(Seconds), "{text}");
    }
}

#[test]
fn what_was_missed_says_why() {
    let real = |lo: f64, hi: f64| {
        let enclosure = Enclosure::new(Float::with_val(53, lo), Float::with_val(53, hi), true).unwrap();
        Value::Real(AnswerNumber::Enclosure(Box::new(RefinedEnclosure { enclosure, ..RefinedEnclosure::unknown() })))
    };
    let word = || Value::Boolean(AnswerTruth::Decided(true));
    let tuple = |parts: &[Value<AnswerNumber>]| Value::Tuple(parts.into());
    let list = |parts: &[Value<AnswerNumber>]| Value::List(parts.iter().cloned().collect());
    let goal = AccuracyGoal::of_digits("5".parse().unwrap());
    let zero = ": a number may be 0, which has no significant digits; give a width by --eps";
    for (value, why) in [
        (real(1.0, 1.5), ": the relative width is 0.5"),
        (real(-1.0, 1.0), zero),
        (real(0.0, 1.0), zero),
        (real(1.0, f64::INFINITY), ": a number is not bounded"),
        (real(f64::NEG_INFINITY, f64::INFINITY), ": a number is not bounded"),
        // what is no number has no width, and the worst of the numbers counts
        (tuple(&[word(), real(1.0, 3.0)]), ": the relative width is 2"),
        (tuple(&[real(1.0, 3.0), list(&[real(1.0, 1.5), real(4.0, 4.0)])]), ": the relative width is 2"),
        (tuple(&[real(1.0, 3.0), real(-1.0, 1.0), word()]), zero),
        (tuple(&[real(1.0, f64::INFINITY), real(-1.0, 1.0)]), ": a number is not bounded"),
        (tuple(&[word(), word()]), ""),
    ] {
        let said = goal.describe_miss(&value, "");
        assert_eq!(said, format!("the tolerance of 5 digits was not reached{why}"));
    }
    let either = AccuracyGoal { eps: Some("1e-3".parse().unwrap()), ..goal };
    let said = either.describe_miss(&real(1.0, f64::INFINITY), " within 1 s");
    assert_eq!(
        said,
        "neither the tolerance of 5 digits nor that of 1e-3 was reached within 1 s: a number is not bounded"
    );
}
