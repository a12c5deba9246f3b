//! Borders, points beside them, what has no answer, and what is long.

use super::*;
use crate::acceptance::is;
use crate::acceptance::routes::Route::Partial;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// X10b: where other meanings have a value, and this one has none, since nothing is smooth there.
#[test]
fn edges_are_undefined() {
    for text in [
        "sqrt 0",
        "cbrt 0",
        "0 ^ (1/3)",
        "0 ^ (4/3)",
        "0 ^ (1/2)",
        "abs 0",
        "signum 0",
        "max 1 1",
        "min (1/2) (1/2)",
        "asin 1",
        "acos (-1)",
        "acosh 1",
        "atan2 0 (-1)",
        "1/2 < 1/2",
        "1/2 >= 1/2",
    ] {
        assert_eq!(cause(text), Some(UndefinedCause::Boundary), "{text}");
        // nor has it a derivative there
        assert_eq!(
            cause(&format!(r"rd (\(x : Real) => let y = {text} in x) 1 1")),
            Some(UndefinedCause::Boundary),
            "{text}"
        );
    }
    for text in [
        "log 0",
        "atanh 1",
        "1 / 0",
        "0 ^ (-1)",
        "sqrt (-1)",
        "asin 2",
        "atan2 0 0",
        "(-8) ^ (1/2)",
        "lgamma (-2)",
        "digamma 0",
    ] {
        assert_eq!(cause(text), Some(UndefinedCause::Domain), "{text}");
    }
    for (text, value) in [("(-8) ^ (1/3)", "-2"), ("0 ^ 0", "1"), ("abs (-3)", "3"), ("max 1 2", "2"), ("0 ^ 5", "0")] {
        is(&[Partial], text, value);
    }
    is(&[Partial], r"rd (\x => x ^ 3) 0 1", "0");
}

/// An exponent is a constant where it is written as one. Elsewhere `x ^ y` is exp (y log x), or it would be defined at (-2, 2) and
/// nowhere near.
#[test]
fn powers_are_smooth_in_their_exponents() {
    is(&[Partial], "(-2) ^ 2", "4");
    is(&[Partial], r"(\y => (-2) ^ y) 2", "domain");
    is(&[Partial], r"(\y => 2 ^ y) 2", "4");
    is(&[Partial], "let y = 2 in (-2) ^ y", "4");
    is(&[Partial], "let y = sqrt 4 in (-2) ^ y", "domain");
    // what is defined for negative numbers is not said to be undefined there
    assert!(answer("(-1) ^ (2000000 / 1)").is_err_and(|error| error.unsupported_construct().is_some()));
    is(&[Partial], "1 ^ (2000000 / 1)", "1");
    // d/dy 2^y = 4 log 2 at 2
    let found = answer(r"rd (\y => 2 ^ y) 2 1").unwrap();
    assert!(enclosures(&found.value)[0].print_decimals(&ratio("1e-9")).lo().starts_with("2.77258872"));
}

/// Beside a border a program is defined, however near; on it, however it is written, it is not.
#[test]
fn points_beside_a_border() {
    let beside = "1 / 1000000000000000000000000000000000000000000000000000000000000";
    is(&[Partial], &format!("if 1 < 1 + {beside} then 3 else 4"), "3");
    is(&[Partial], &format!("if 1 < 1 - {beside} then 3 else 4"), "4");
    is(&[Partial], "if 1/3 * 3 < 1 then 3 else 4", "boundary");
    is(&[Partial], r"(\x => if x < x then 3 else 4) (1/3)", "boundary");
    // known to be 1, both of them
    is(&[Partial], "max (exp 0) (cos 0)", "boundary");
    for text in ["if sqrt 2 * sqrt 2 < 2 then 1 else 0", r"(\x => if x < x then 3 else 4) pi", "max (exp 1) (exp 1)"] {
        is(&[Partial], text, "undecided");
    }
    // nearer than 1024 bits can tell, and rational
    is(&[Partial], "if 1 < 1 + 2^(-9000) then 3 else 4", "3");
}

#[test]
fn what_is_undecided_says_how_nearly() {
    let Err(SemanticsError::Undefined(found)) = answer("if sqrt 2 * sqrt 2 < 2 then 1 else 0") else { panic!() };
    assert!(found.message.contains("1024 bits; the two sides agree to within 2^-10"), "{}", found.message);
    assert_eq!(found.place.map(|place| place.span.start), Some(3));
}

#[test]
fn derivatives_within_each_other_have_a_limit() {
    let text = format!(r"{}\x => x * x{} 3", "deriv (".repeat(11), ")".repeat(11));
    is(&[Partial], &text, "0");
    let text = format!(r"{}\x => x * x{} 3", "deriv (".repeat(12), ")".repeat(12));
    assert!(answer(&text).is_err_and(|e| e.unsupported_construct().is_some()));
}

/// Loops without an end are ended by the budget: its work, its time, or Ctrl-C.
#[test]
fn endless_loops_end() {
    let (term, ty) = inferred("let rec f (x : Real) : Real = f (x + 1) in f 0");
    let interrupted = Arc::new(AtomicBool::new(true));
    for budget in [
        Budget::new(100_000, None, None),
        Budget::new(u64::MAX, Some(Duration::from_millis(300)), None),
        Budget::new(u64::MAX, None, Some(interrupted)),
    ] {
        let start = Instant::now();
        let found = PartialSemantics::default().evaluate(&term, &ty, &ratio("1e-6"), &Arc::new(budget));
        let Err(SemanticsError::Undefined(found)) = found else { panic!() };
        assert_eq!(found.cause, UndefinedCause::Fuel);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    let (term, ty) = inferred(r"let rec f (x : Real) : Real = rd f x 1 in f 0");
    let found = PartialSemantics::default().evaluate(&term, &ty, &ratio("1e-6"), &budget());
    assert!(found.is_err());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Loops go on in place, and recursions that are too deep end with a message.
    #[test]
    fn deep_recursions() {
        let long = Arc::new(Budget::new(u64::MAX, Some(Duration::from_secs(120)), None));
        let asked = |text: &str| {
            let (term, ty) = inferred(text);
            PartialSemantics::default().evaluate(&term, &ty, &ratio("1e-6"), &long)
        };
        let down = "let rec down (x : Real) : Real = if x < 1/2 then x else down (x - 1) in down";
        let found = asked(&format!("{down} 100000")).unwrap();
        assert!(enclosures(&found.value)[0].contains(&ratio("0")));
        let sum = "let rec sum (x : Real) : Real = if x < 1/2 then 0 else x + sum (x - 1) in sum";
        let found = asked(&format!("{sum} 10000")).unwrap();
        assert!(enclosures(&found.value)[0].contains(&ratio("50005000")));
        let Err(SemanticsError::Undefined(found)) = asked(&format!("{sum} 10000000")) else { panic!() };
        assert_eq!(found.cause, UndefinedCause::Fuel);
    }
}
