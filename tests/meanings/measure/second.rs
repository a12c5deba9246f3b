//! Second derivatives in a parameter: borders bring their speed and how it changes.
//!
//! True values are closed forms that were derived twice by hand, and found again by mpmath as second differences of the value at 25 digits.

use super::{Ask, PLAIN, asked, holds};

fn at(place: &str) -> Ask<'_> {
    Ask { at: Some(place), order: 2, eps: "1e-6", ..PLAIN }
}

#[test]
fn borders_that_move_have_second_derivatives() {
    // 1 - Φ(t): the slope -φ(t), and t·φ(t)
    let beyond = "\\t => do { x <- sample (normal 0 1); if x > t then score 1 else score 0; return x }";
    holds(beyond, None, at("0.3"), "0.1144163446381572256824");
    // ½c² for c < 1
    let corner = "\\c => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if x + y < c then 1 else 0); return x }";
    holds(corner, None, at("0.77"), "1");
    // the slope is ∫₀ᶜ e^(x(c - x)) dx, and by symmetry its own 1 + ½c times that
    let weighed = "\\c => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (exp (x*y)); score (if x + y < c then 1 else 0); return x }";
    holds(weighed, None, at("0.77"), "1.327557099391041394812");
    // c - c log c: a border that is no line
    let below = "\\c => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if x*y < c then 1 else 0); return x }";
    holds(below, None, at("0.3"), "-3.333333333333333333333");
}

#[test]
fn means_have_second_derivatives() {
    // 5Φ(t) + t(1 - Φ(t)) - φ(t): 5φ(t) + 1 - Φ(t), and -φ(t)(5t + 1)
    let moved = "\\t => do { x <- sample (normal t 1); return x }";
    holds(moved, Some("\\x => if x > 0 then 5 else x"), at("0.3"), "-0.9534695386513102140200");
    // a quotient: after one observation the mean is (1 + t)/2 and the variance ½, so that the mean of m² is (1 + t)²/4 + ½
    let seen = "\\t => do { m <- sample (normal t 1); observe (normal m 1) 1; return m }";
    holds(seen, Some("\\m => m^2"), at("0.3"), "0.5");
    // infinitely many paths: p/(e - 1 + p), and -2(e - 1)/(e - 1 + p)³
    let counted = "\\p => do { n <- sample (geometric p); score (exp (- (toReal n))); return n }";
    holds(counted, None, at("0.3"), "-0.418002580384003611383");
    // Z = e^(-g/2)/(2π√3) with g = (1 - t)² + (2 - t)² - (3 - 2t)²/3: Z ((1 - 2t/3)² - 2/3)
    let both = "\\t => do { m <- sample (normal t 1); observe (normal m 1) 1; observe (normal m 1) 2; return m }";
    holds(both, None, at("0.5"), "-0.0113948481675532875470");
}

/// Where a border begins, turns or is not transversal to any axis that is followed, nothing is claimed.
#[test]
fn no_second_derivative_is_claimed_where_no_axis_is_transversal() {
    // max(0, t)² has the slope 2 max(0, t), and no second derivative at 0
    let begins = "\\t => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if x < t then (if y < t then 1 else 0) else 0); return x }";
    // 1 - √t for t > 0
    let turns = "\\t => do { x <- sample (uniformOn (-1) 1); score (if x^2 > t then 1 else 0); return x }";
    for model in [begins, turns] {
        let answer = asked(model, None, at("0")).expect("an answer");
        assert!(!answer.enclosure.is_defined() && answer.width_reason.is_some(), "{model}: {}", answer.enclosure);
    }
    // a closed curve is met by each axis along which it is a tangent, and this one is followed along none: c√c has a slope, and it is not known
    let closed = "\\c => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (if x^4 + y^4 < c then 1 else 0); return x }";
    let answer = asked(closed, None, Ask { seconds: 4, ..at("0.5") }).expect("an answer");
    assert!(!answer.enclosure.is_bounded() && answer.width_reason.is_some(), "{}", answer.enclosure);
}
