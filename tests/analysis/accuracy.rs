//! Accuracy that is relative to the size of a number: which enclosures it admits, and what asking reaches.

use rug::Float;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::accuracy::relative_width;
use smoothish::number::budget::Budget;
use smoothish::number::{Accuracy, Enclosure, Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::map::{Map, coordinates};
use smoothish::value::Value;
use std::time::Duration;
use typenum::U1;

fn q(text: &str) -> Rational {
    decimal::parse(text).unwrap()
}

fn enclosure(lo: f64, hi: f64) -> Enclosure {
    Enclosure::new(Float::with_val(53, lo), Float::with_val(53, hi), true).unwrap()
}

#[test]
fn a_relative_accuracy_is_judged_by_the_end_that_is_nearer_to_zero() {
    let tenth = Accuracy::relative(q("0.1"));
    for (lo, hi, holds) in [
        (1.0, 1.0625, true),
        (1.0, 1.125, false),
        (-1.0625, -1.0, true),
        (-1.125, -1.0, false),
        (1e-300, 1.0625e-300, true),
        (1e300, 1.0625e300, true),
        (0.0, 0.0, true),
        (0.0, 1e-300, false),
        (-1e-300, 1e-300, false),
        (1.0, f64::INFINITY, false),
    ] {
        assert_eq!(tenth.is_reached_by(&enclosure(lo, hi)), holds, "[{lo}, {hi}]");
        assert_eq!(Accuracy::significant_digits(1).is_reached_by(&enclosure(lo, hi)), holds, "[{lo}, {hi}]");
    }
    // a width beside it is enough by itself
    let either = tenth.or_within(q("1e-3"));
    assert!(either.is_reached_by(&enclosure(-1e-4, 1e-4)) && either.is_reached_by(&enclosure(100.0, 101.0)));
    assert!(!either.is_reached_by(&enclosure(-0.1, 0.1)));
}

/// The digits by mpmath 1.3 at 60 digits.
#[test]
fn what_was_reached_is_rounded_up() {
    for (lo, hi, shown) in [
        (1.0, 1.5, Some("0.5")),
        (-1.5, -1.0, Some("0.5")),
        (3.0, 4.0, Some("0.34")),
        (1e-300, 1.0625e-300, Some("0.063")),
        (0.0, 0.0, Some("0")),
        (0.0, 1.0, None),
        (-1.0, 2.0, None),
        (1.0, f64::INFINITY, None),
    ] {
        assert_eq!(relative_width(&enclosure(lo, hi)).map(|width| width.to_string()).as_deref(), shown, "[{lo}, {hi}]");
    }
}

#[test]
fn digits_are_reached_at_every_size() {
    let session = Session::new();
    for (program, lo, hi) in [
        ("exp (-1000)", "5.07595889754945676529e-435", "5.07595889754945676530e-435"),
        ("exp 1000", "1.97007111401704699388e434", "1.97007111401704699389e434"),
        ("exp (-100000)", "3.56294956530937312107e-43430", "3.56294956530937312108e-43430"),
        ("1e40 * sin 1e-40", "0.99999999999999999999", "1"),
        ("integral01 (\\x => exp (x - 700))", "1.69417030396262986001e-304", "1.69417030396262986002e-304"),
        ("cos (pi/2 + 1e-30)", "-1.00000000000000000001e-30", "-9.99999999999999999999e-31"),
        ("integral01 (\\x => max 0 (x - 0.999999))", "4.99999999999999999999e-13", "5.00000000000000000001e-13"),
    ] {
        let found = session.enclose_to(program, Accuracy::significant_digits(15)).unwrap();
        let (lo, hi) = (q(lo), q(hi));
        assert!(found.reached && *found.enclosure.lo() <= hi && *found.enclosure.hi() >= lo, "{program}: {found:?}");
        let width = found.enclosure.hi().to_rational().unwrap() - found.enclosure.lo().to_rational().unwrap();
        assert!(width <= lo.abs() * q("1.01e-15"), "{program}: {width}");
    }
}

#[test]
fn what_may_be_zero_has_no_digits_and_ends() {
    let session = Session::new();
    for program in ["sin pi", "sqrt 2 * sqrt 2 - 2", "deriv relu 0", "integral01 (\\x => x - 1/2)"] {
        let limits = Limits::within_time(Duration::from_secs(20));
        let found = session.ask(&Evaluate::new(program).with_digits(12), &limits).unwrap().into_value();
        let reply = format!("{found:?}");
        let Value::Real(AnswerNumber::Enclosure(answer)) = found else { panic!("{program}") };
        // only what is the point 0 is a 0 with digits
        assert_eq!(answer.reached, answer.enclosure.is_point(), "{program}: {reply}");
        assert!(!answer.exhausted && answer.enclosure.contains(&Rational::new()), "{program}: {reply}");
        let either = session.enclose_to(program, Accuracy::significant_digits(12).or_within(q("2"))).unwrap();
        assert!(either.reached, "{program}");
    }
}

#[test]
fn components_of_a_map_have_digits_each() {
    let [x]: [Map<U1, U1>; 1] = coordinates();
    let both = x.exp().pair(&(&x * -1).exp());
    let found =
        both.at([Rational::from(300)]).enclose_to(&Accuracy::significant_digits(20), &Budget::unlimited()).unwrap();
    // e³⁰⁰ and e⁻³⁰⁰, by mpmath
    for (answer, near) in
        found.components.iter().zip(["1.94242639524125593658420883602e130", "5.14820022241201378115486192107e-131"])
    {
        let near = q(near);
        let apart = |end: &Float| (end.to_rational().unwrap() - &near).abs();
        let most = near.clone() * q("1.2e-20");
        assert!(answer.reached && apart(answer.enclosure.lo()) <= most && apart(answer.enclosure.hi()) <= most);
    }
    let refused = both.at([Rational::from(300)]).enclose_to(&Accuracy::relative(q("0")), &Budget::unlimited());
    assert!(refused.unwrap_err().to_string().contains("must be greater than 0"));
}

/// A number of few digits times 2 to a power that no `f64` has.
fn scaled(x: f64, exponent: i32) -> Float {
    Float::with_val(64, x) << exponent
}

#[test]
fn sizes_without_end_are_judged_as_any_other() {
    for exponent in [-700_000_000, -3_000_000, -2_097_153, -2_097_151, 2_097_151, 2_097_153, 3_000_000, 700_000_000] {
        for (lo, hi, digits, holds) in [
            // a hundredth, and a part in 2³⁰
            (1.0, 1.01, 1, true),
            (1.0, 1.01, 3, false),
            (1.0, 1.01, 12, false),
            (1.0, 1.0 + 1e-9, 8, true),
            (1.0, 1.0 + 1e-9, 12, false),
            (1.0, 3.0, 1, false),
            (-1.01, -1.0, 1, true),
            (-1.01, -1.0, 3, false),
            (-1.0, 1.0, 1, false),
            (0.0, 1.0, 1, false),
        ] {
            let found = Enclosure::new(scaled(lo, exponent), scaled(hi, exponent), true).unwrap();
            let to = Accuracy::significant_digits(digits);
            assert_eq!(to.is_reached_by(&found), holds, "[{lo}, {hi}] · 2^{exponent}, {digits} digits");
            // a width is another matter: all of the small numbers are near enough to each other
            let either = to.or_within(q("1e-9"));
            assert_eq!(
                either.is_reached_by(&found),
                holds || exponent < 0,
                "[{lo}, {hi}] · 2^{exponent}, {digits} digits"
            );
            // what is admitted is what is printed
            if holds && !found.is_point() {
                let printed = Accuracy::significant_digits(digits).print_decimals(&found);
                assert!(printed.lo().len() < 40 && printed.hi().len() < 40, "{printed}");
            }
        }
        // to the other end of the sizes
        let far = Enclosure::new(scaled(1.0, exponent.min(-exponent)), scaled(1.0, 4), true).unwrap();
        assert!(!Accuracy::significant_digits(1).is_reached_by(&far), "2^{exponent} to 16");
        let unbounded = Enclosure::new(scaled(1.0, exponent), Float::with_val(53, f64::INFINITY), true).unwrap();
        assert!(!Accuracy::significant_digits(1).is_reached_by(&unbounded), "from 2^{exponent}");
    }
    assert!(Accuracy::significant_digits(12).is_reached_by(&enclosure(0.0, 0.0)));
}

/// By mpmath 1.3 at 60 digits: e²⁰/ln 10 is 210704567.177984800556…, and 10 to its fraction is 1.506554338855640….
#[test]
fn digits_are_reached_beyond_all_sizes() {
    let session = Session::new();
    for (program, digits, ends) in [
        ("exp (-exp 20)", 12, "[6.63766300497058e-210704568, 6.63766300497059e-210704568]"),
        ("(1e-99999)^7", 5, "[9.9999999e-699994, 1.00000001e-699993]"),
        ("exp (exp 20)", 5, "[1.5065543e210704567, 1.5065544e210704567]"),
    ] {
        let found = session.enclose_to(program, Accuracy::significant_digits(digits)).unwrap();
        let printed = Accuracy::significant_digits(digits).print_decimals(&found.enclosure);
        assert!(found.reached, "{program}: {printed}");
        assert_eq!(printed.to_string(), ends, "{program}");
    }
}
