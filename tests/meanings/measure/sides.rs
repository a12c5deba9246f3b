//! Derivatives at the end of where a program has a meaning: on one side a score is negative, so that there are none.

use super::{AT_0, Ask, PLAIN, asked, holds};

fn at(order: u32) -> Ask<'static> {
    Ask { order, ..AT_0 }
}

/// Weights that are negative for parameters as near as one likes, all of them 0 at 0.
const ONE_SIDED: &[&str] = &[
    "\\t => do { score t; return (1 : Real) }",
    "\\t => do { score (- t); return (1 : Real) }",
    "\\t => do { score (t^3); return (1 : Real) }",
    "\\t => do { score (sin t); return (1 : Real) }",
    "\\t => do { score (exp t - 1); return (1 : Real) }",
    "\\t => do { score (t - t^2); return (1 : Real) }",
    "\\t => do { score (- t^2); return (1 : Real) }",
    "\\t => do { score (cos t - 1); return (1 : Real) }",
    "\\t => do { x <- sample (uniformOn 0 1); score (t*x); return x }",
    "\\t => do { x <- sample (normal 0 1); score (t*x^2); return x }",
    "\\t => do { x <- sample (normal 0 1); score (t^2*x); return x }",
    "\\t => do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); score (t*x*y); return x }",
    "\\t => do { x <- sample (uniformOn 0 1); score (if x < 0.5 then t else 1); return x }",
    "\\t => do { x <- sample (uniformOn 0 1); score (1 + x); score (t*(1 + x)); return x }",
];

#[test]
fn a_score_that_is_negative_nearby_has_no_derivative() {
    for model in ONE_SIDED {
        for (of, order) in [(None, 1), (None, 2), (Some("\\x => x"), 1)] {
            match asked(model, of, at(order)) {
                Ok(answer) => {
                    assert!(!answer.enclosure.is_defined(), "{model}, {order}: {}", answer.enclosure);
                    let why = answer.width_reason.unwrap_or_default();
                    assert!(why.contains("negative for parameters near the place"), "{model}: {why}");
                    assert!(answer.assumptions.is_empty(), "{model}: {:?}", answer.assumptions);
                }
                // nothing is divided by 0
                Err(fault) => assert!(of.is_some(), "{model}: {fault}"),
            }
        }
        // at the place itself there is a program, whose mass is a number
        assert!(asked(model, None, at(0)).is_ok_and(|answer| answer.enclosure.is_defined()), "{model}");
    }
}

/// What is negative nearby for some draws is not claimed either, though which they are is not told.
#[test]
fn a_score_that_may_be_negative_nearby_is_not_claimed() {
    for model in [
        "\\t => do { x <- sample (uniformOn 0 1); score (t + x); return x }",
        "\\t => do { x <- sample (uniformOn 0 1); score (x - t); return x }",
        "\\t => do { x <- sample (normal 0 1); score (exp (- x^2) + t); return x }",
    ] {
        let answer = asked(model, None, at(1)).unwrap_or_else(|fault| panic!("{model}: {fault}"));
        assert!(!answer.enclosure.is_defined() || answer.has_unproved_assumption, "{model}: {answer:?}");
    }
}

/// True derivatives stay: weights that are 0 at 0 and negative nowhere, and those that are positive there. Each by its Taylor series.
#[test]
fn weights_that_touch_0_keep_their_derivatives() {
    for (model, order, truth) in [
        ("\\t => do { score (t^2); return () }", 1, "0"),
        ("\\t => do { score (t^2); return () }", 2, "2"),
        ("\\t => do { score (t*t); return () }", 2, "2"),
        ("\\t => do { score (t^4); return () }", 4, "24"),
        ("\\t => do { score (1 - cos t); return () }", 2, "1"),
        ("\\t => do { score (t^2 - t^3); return () }", 2, "2"),
        ("\\t => do { score ((sin t)^2); return () }", 2, "2"),
        ("\\t => do { score 0; return () }", 1, "0"),
        ("\\t => do { score (0*t); return () }", 1, "0"),
        ("\\t => do { score (t + 1); return () }", 1, "1"),
        ("\\t => do { score (exp t); return () }", 1, "1"),
        ("\\t => do { x <- sample (uniformOn 0 1); score (t^2*x); return x }", 2, "1"),
        ("\\t => do { x <- sample (uniformOn 0 1); score ((1 - cos t)*x); return x }", 2, "0.5"),
        ("\\t => do { x <- sample (uniformOn 0 1); score (x*(1 + t)); return x }", 1, "0.5"),
        ("\\t => do { x <- sample (uniformOn 0 1); score ((x - t)^2); return x }", 1, "-1"),
        ("\\t => do { x <- sample (uniformOn 0 1); score (x^2 + t^2); return x }", 2, "2"),
        ("\\t => do { observe (bernoulli (t^2)) tt; return () }", 2, "2"),
        ("\\t => do { observe (bernoulli (t + 0.5)) tt; return () }", 1, "1"),
        ("\\t => do { x <- sample (uniformOn 0 1); score (if x < 0.5 then t^2 else 1); return x }", 2, "1"),
    ] {
        holds(model, None, at(order), truth);
        let answer = asked(model, None, at(order)).expect("an answer");
        assert!(!answer.has_unproved_assumption && answer.assumptions.is_empty(), "{model}: {:?}", answer.assumptions);
    }
    // E[x] with the weight 1 + t x: (1/2 + t/3)/(1 + t/2), of which the slope at 0 is 1/3 - 1/4
    let tilted = "\\t => do { x <- sample (uniformOn 0 1); score (1 + t*x); return x }";
    holds(tilted, Some("\\x => x"), at(1), "0.0833333333333333333");
    let plain = "\\t => do { x <- sample (uniformOn 0 1); return (x + t) }";
    holds(plain, Some("\\x => x"), Ask { at: Some("0"), order: 1, ..PLAIN }, "1");
}
