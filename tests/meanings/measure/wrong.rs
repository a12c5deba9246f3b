//! Programs that have no mass, or none that is found.

use super::{Ask, PLAIN, asked, holds};
use smoothish::measure::MeasureError;

#[test]
fn faults_are_named() {
    let fault = |model: &str| asked(model, None, PLAIN).expect_err(model);
    assert!(matches!(fault("do { score (-1); return 1 }"), MeasureError::NegativeScore));
    assert!(matches!(fault("do { x <- sample (normal 0 1); score x; return x }"), MeasureError::NegativeScore));
    // a product of two negative weights is positive, and no weight
    assert!(matches!(fault("do { score (-1); score (-2); return 1 }"), MeasureError::NegativeScore));
    assert!(matches!(fault("do { x <- sample (normal 0 (-1)); return x }"), MeasureError::ParameterConstraint { .. }));
    assert!(matches!(
        fault("do { x <- sample (uniformOn 1 1); return x }"),
        MeasureError::ParameterConstraint { certain: true, .. }
    ));
    assert!(matches!(
        fault("do { x <- sample (normal 0 1); b <- sample (bernoulli x); return b }"),
        MeasureError::ParameterConstraint { certain: true, .. }
    ));
    let no_value = fault("do { x <- sample (normal 0 1); score (log x); return x }");
    assert!(matches!(no_value, MeasureError::Undefined(_)) && no_value.to_string().contains("`log`"), "{no_value}");
    let no_mass = asked("do { score 0; return 1 }", Some("\\x => x"), PLAIN).expect_err("no mass");
    assert!(matches!(no_mass, MeasureError::ZeroNormalisingConstant));
}

/// Where the roots of a guard are not found there are boxes and no cells: then nothing says that a weight or a chance is as it must be, and what
/// is found rests on that, or is refused. (Each was answered without a word once, one by a chance of 2.55.)
#[test]
fn what_is_known_in_boxes_alone_is_not_right_everywhere() {
    let guarded = |then: &str, otherwise: &str| format!("do {{ x <- sample (normal 0 1); {then} {otherwise} }}");
    let scores = guarded("if sin (x^2) > 0.5 then score (x - 1) else score 0;", "return x");
    let moved = "\\t => do { x <- sample (normal t 1); if sin (x^2) > 0.5 then score (x - 1) else score 1; return x }";
    let chance = guarded("b <- if sin (x^2) > 0.5 then sample (bernoulli (5 * x^2)) else return ff;", "return b");
    let rate = guarded("if sin (x^2) > 0.5 then sample (exponential x) else return 5", "");
    let indicator = Some("\\b => if b then 1 else 0");
    for (model, f, order) in [(&*scores, None, 0), (moved, None, 1), (&*chance, indicator, 0), (&*rate, None, 0)] {
        let at = (order > 0).then_some("0.3");
        match asked(model, f, Ask { at, order, ..PLAIN }) {
            Ok(answer) => {
                assert!(!answer.assumptions.is_empty() || !answer.enclosure.is_bounded(), "{model}: {answer:?}")
            }
            Err(fault) => {
                assert!(
                    matches!(fault, MeasureError::NegativeScore | MeasureError::ParameterConstraint { .. }),
                    "{model}: {fault}"
                )
            }
        }
    }
    // what is right is not refused
    let right = guarded("if sin (x^2) > 0.5 then score (x^2) else score 0;", "return x");
    assert!(
        asked(&right, None, PLAIN).is_ok_and(|answer| answer.assumptions.is_empty() && answer.enclosure.is_bounded())
    );
}

/// What is wrong with no chance is not wrong.
#[test]
fn what_has_no_chance_does_not_count() {
    let half = "do { x <- sample (uniformOn 0 1); if x < 0 then score (-1) else score 1; return x }";
    let answer = asked(half, None, PLAIN).expect("no draw is negative");
    assert!(answer.assumptions.is_empty() && answer.enclosure.contains(&1.into()));
    let log = "do { x <- sample (exponential 1); score (if x > 1 then log x else 0); return x }";
    assert!(asked(log, None, PLAIN).is_ok_and(|answer| answer.enclosure.is_defined()));
}

/// A program that does not end has a chance of which nothing is known, within its time.
#[test]
fn what_does_not_end_is_told() {
    let endless = "let rec f x = do { y <- return x; f x } in f (1 : Real)";
    let answer = asked(endless, None, Ask { seconds: 2, ..PLAIN }).expect("an answer");
    assert!(*answer.enclosure.lo() == 0.0 && *answer.enclosure.hi() == 1.0 && answer.width_reason.is_some());
}

/// Where borders meet, the derivative need not exist, and none is claimed.
#[test]
fn no_derivative_is_claimed_where_borders_meet() {
    let ask = Ask { at: Some("0"), order: 1, ..PLAIN };
    // max(0, t) and 1 - √max(0, t), for small t
    let edge = "\\t => do { x <- sample (uniformOn 0 1); if x < t then score 1 else score 0; return x }";
    let touches = "\\t => do { x <- sample (uniformOn (-1) 1); if x^2 > t then score 1 else score 0; return x }";
    let kink = "\\t => do { x <- sample (normal 0 1); if t > 0 then score 2 else score 1; return x }";
    // √t from 0 on, and up to 1; min(1, log t) for t > 1
    let inside = "\\t => do { x <- sample (uniformOn 0 1); if x^2 > t then score 1 else score 0; return x }";
    let whole = "\\t => do { x <- sample (uniformOn 0 1); if x^2 < 1 + t then score 1 else score 0; return x }";
    let above = "\\t => do { x <- sample (uniformOn 0 1); if exp x < 1 + t then score 1 else score 0; return x }";
    // a root that comes in from an end where the guard has no value: x·log x < t
    let no_value = "\\t => do { x <- sample (uniformOn 0 1); if x * log x < t then score 1 else score 0; return x }";
    for model in [edge, touches, kink, inside, whole, above, no_value] {
        let answer = asked(model, None, ask).expect("an answer");
        assert!(!answer.enclosure.is_defined() && answer.width_reason.is_some(), "{model}: {}", answer.enclosure);
        assert!(
            asked(model, None, Ask { order: 0, ..ask }).is_ok_and(|answer| answer.enclosure.is_defined()),
            "{model}"
        );
    }
}

/// Where the dimension of the support changes with the parameter the mass and the mean are known, and no derivative is claimed.
#[test]
fn a_dimension_that_changes_with_the_parameter_is_told() {
    let begun = std::time::Instant::now();
    let at = |place, order| Ask { at: Some(place), order, eps: "1e-6", seconds: 6, ..PLAIN };
    // one draw up to 0, two from there on: 1, and the mean of e^(-(x-y)²), 1/√5
    let grows = "\\t => do { x <- sample (normal 0 1); y <- if t > 0 then sample (normal 0 1) else return x; score (exp (- (x - y)^2)); return x }";
    holds(grows, None, at("0", 0), "1");
    holds(grows, None, at("1", 0), "0.447213595499957939282");
    holds(grows, None, at("1", 1), "0");
    let answer = asked(grows, None, at("0", 1)).expect("an answer");
    let why = answer.width_reason.unwrap_or_default();
    assert!(!answer.enclosure.is_bounded() && why.contains("another dimension"), "{}, {why}", answer.enclosure);
    // a line that is a point at 0: 1/2 for other t, and 0 there
    let shrinks = "\\t => do { x <- sample (normal 0 1); return (t * x) }";
    let above = Some("\\y => if y > 0 then 1 else 0");
    holds(shrinks, above, at("0", 0), "0");
    holds(shrinks, above, at("1", 0), "0.5");
    let answer = asked(shrinks, above, at("0", 1)).expect("an answer");
    assert!(!answer.enclosure.is_defined() && answer.width_reason.is_some(), "{}", answer.enclosure);
    // a deviation that becomes 0
    let fault = asked("\\t => do { x <- sample (normal 0 t); return x }", None, at("0", 0)).expect_err("no deviation");
    assert!(matches!(fault, MeasureError::ParameterConstraint { certain: true, .. }), "{fault}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// A guard in which draws cancel is one of the parameter alone, and so is a kink.
#[test]
fn no_derivative_is_claimed_where_draws_cancel() {
    let ask = Ask { at: Some("1"), order: 1, ..PLAIN };
    let same = "\\t => do { x <- sample (normal 0 1); return (x - (x - t)) }";
    let noise = "\\t => do { x <- sample (normal t 1); let e = x - t; return (if x > e + 1 then 1 else 0) }";
    let square = "\\t => do { x <- sample (normal 0 1); return (if x^2 + t > x^2 + 1 then 1 else 0) }";
    let other = "\\t => do { x <- sample (normal 0 1); return (if exp x + t > exp x + 1 then 1 else 0) }";
    let two =
        "\\t => do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (if x*y + t > y*x + 1 then 1 else 0) }";
    for (model, of) in [
        (same, "\\y => if y > 1 then 5 else 0"),
        (same, "\\y => abs (y - 1)"),
        (same, "\\y => max 1 y"),
        (noise, "\\y => y"),
        (square, "\\y => y"),
        (other, "\\y => y"),
        (two, "\\y => y"),
    ] {
        let answer = asked(model, Some(of), ask).expect("an answer");
        assert!(!answer.enclosure.is_defined(), "{model}, {of}: {}", answer.enclosure);
    }
    let mass = "\\t => do { x <- sample (uniformOn 0 1); score (if x + t > x + 1 then 1 else 0); return x }";
    let answer = asked(mass, None, ask).expect("an answer");
    assert!(!answer.enclosure.is_defined(), "{}", answer.enclosure);
    // beside it there is one
    let beside = Ask { at: Some("1.5"), ..ask };
    assert!(asked(same, Some("\\y => abs (y - 1)"), beside).is_ok_and(|found| found.enclosure.contains(&1.into())));
}

/// Sums of sums in an exponent that share their parts: 2^60 terms are not looked at one by one.
#[test]
fn shared_sums_in_exponents_take_no_time() {
    let shared = "let rec f (n : Nat) (y : Real) : Real = if n == 0 then y else f (n - 1) (y / 2 + y / 2) in
                  let rec g (n : Nat) (y : Real) : Real = if n == 0 then y else g (n - 1) (y + y) in
                  do { x <- sample (uniformOn 0 1); score (exp (g 60 (f 60 (log x) / 2^60))); return x }";
    let begun = std::time::Instant::now();
    let answer = asked(shared, None, Ask { seconds: 3, ..PLAIN }).expect("an answer");
    assert!(*answer.enclosure.lo() <= 0.5 && *answer.enclosure.hi() >= 0.5, "{}", answer.enclosure);
    assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// What has no absolute value with a mean has none, whatever cancels in the order in which draws are integrated over.
    #[test]
    fn a_mean_that_cancels_is_not_claimed() {
        let two =
            |value: &str| format!("do {{ x <- sample (normal 0 1); y <- sample (normal 0 1); return ({value}) }}");
        for value in ["y / x", "y^3 / x^2", "(y^2 - 1) / x^2", "5 + y * exp (x^2)"] {
            let answer = asked(&two(value), Some("\\x => x"), Ask { seconds: 1, ..PLAIN }).expect("an answer");
            assert!(!answer.enclosure.is_bounded(), "{value}: {}", answer.enclosure);
        }
        let uniform = "do { x <- sample (uniformOn 0 1); y <- sample (normal 1 1); z <- sample (normal 1 1); return ((y - z) / x) }";
        let answer = asked(uniform, Some("\\x => x"), Ask { seconds: 1, ..PLAIN }).expect("an answer");
        assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
    }

    /// A weight without a bound has no mass, and none is claimed.
    #[test]
    fn an_improper_mass_is_not_claimed() {
        let improper = "do { x <- sample (normal 0 1); score (exp (x^2)); return x }";
        let answer = asked(improper, None, Ask { seconds: 1, ..PLAIN }).expect("an answer");
        assert!(!answer.enclosure.is_bounded(), "{}", answer.enclosure);
    }

    /// Five draws that have to do with each other: an enclosure that is wide, within the time.
    #[test]
    fn too_many_coordinates_are_told() {
        let begun = std::time::Instant::now();
        let five = "do { a <- sample (normal 0 1); b <- sample (normal 0 1); c <- sample (normal 0 1); d <- sample (normal 0 1); e <- sample (normal 0 1);
                score (if a*b + c*d + e*a > 1 then 1 else 0); return a }";
        let answer = asked(five, None, Ask { seconds: 3, ..PLAIN }).expect("an answer");
        // 0.219 by 400,000 samples
        assert!(*answer.enclosure.lo() <= 0.21 && *answer.enclosure.hi() >= 0.23, "{}", answer.enclosure);
        assert!(
            answer.width_reason.as_ref().is_some_and(|why| why.contains("three real draws")),
            "{:?}",
            answer.width_reason
        );
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
    }
}
