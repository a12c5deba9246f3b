//! Infinitely many paths: what lies far out is bounded by moments.
//!
//! The true values are closed forms, each found again by mpmath as a sum of 260 terms, and its derivatives by differences of that.

use super::{AT_3, Ask, PLAIN, asked, holds, rational};
use smoothish::number::Rational;

const GEOMETRIC: &str = "\\p => do { n <- sample (geometric p); return n }";
const POISSON: &str = "\\r => do { n <- sample (poisson r); return n }";
const SCORED: &str = "\\p => do { n <- sample (geometric p); score (exp (- toReal n)); return n }";
const SQUARE: &str = "\\n => toReal n * toReal n";

#[test]
fn means_of_unbounded_functions_are_enclosed() {
    // 1/p, (2 - p)/p², r, r² + r
    holds(GEOMETRIC, Some("\\n => toReal n"), AT_3, "3.33333333333333333333");
    holds(GEOMETRIC, Some(SQUARE), AT_3, "18.8888888888888888889");
    let two = Ask { at: Some("2"), ..PLAIN };
    holds(POISSON, Some("\\n => toReal n"), two, "2");
    holds(POISSON, Some("\\n => toReal (n * n)"), two, "6");
    // two draws: 2 · 3
    let both = "do { n <- sample (geometric 0.5); m <- sample (poisson 3); return (n, m) }";
    holds(both, Some("\\(n, m) => toReal n * toReal m"), Ask { eps: "1e-6", ..PLAIN }, "6");
}

#[test]
fn weights_are_bounded_without_an_assumption() {
    // p/(e - 1 + p), (e - 1)/(e - 1 + p)²; and as its mean (1 - (1 - p)/e)⁻¹
    holds(SCORED, None, AT_3, "0.148641282783113");
    holds(SCORED, None, Ask { order: 1, ..AT_3 }, "0.421823506119013");
    holds(SCORED, Some("\\n => toReal n"), AT_3, "1.34682965982726");
    assert!(asked(SCORED, None, AT_3).is_ok_and(|answer| answer.assumed.is_empty()));
}

#[test]
fn derivatives_of_infinite_sums_are_those_of_their_terms() {
    // -1/p², 2/p³; 2r + 1
    let mean = Some("\\n => toReal n");
    holds(GEOMETRIC, mean, Ask { order: 1, ..AT_3 }, "-11.1111111111111111111");
    holds(GEOMETRIC, mean, Ask { order: 2, eps: "1e-6", ..AT_3 }, "74.0740740740740740741");
    holds(POISSON, Some(SQUARE), Ask { at: Some("2"), order: 1, ..PLAIN }, "5");
}

/// What is not followed counts: with all that the function may be, or not at all as known.
#[test]
fn paths_that_are_left_count() {
    let count = |of: &str| format!("let rec go (n : Nat) : P Nat = do {{ b <- sample (bernoulli 0.5); {of} }} in go 1");
    let trials = count("if b then return n else go (n + 1)");
    holds(&trials, Some("\\n => if n == 2 then 1 else 0"), Ask { eps: "1e-5", ..PLAIN }, "0.25");
    let answer = asked(&trials, Some("\\n => toReal n"), PLAIN).expect("an answer");
    let near = rational("1.99999");
    assert!(*answer.enclosure.lo() >= near && *answer.enclosure.hi() > 1e300, "{}", answer.enclosure);
    // E 3ⁿ is infinite for p = 1/2, and E 1.1ⁿ finite, but no polynomial bounds it: neither is claimed
    for base in ["3", "1.1"] {
        let of = format!("\\n => exp (toReal n * log {base})");
        let answer = asked("do { n <- sample (geometric 0.5); return n }", Some(&of), PLAIN).expect("an answer");
        assert!(!answer.enclosure.is_bounded() && answer.why.is_some(), "{}", answer.enclosure);
    }
    // a recursion on the number drawn: the tail has no end that is found
    let power = "do { n <- sample (geometric 0.5); score (power 0.5 n); return n }";
    let answer = asked(power, None, Ask { eps: "1e-3", ..PLAIN }).expect("an answer");
    assert!(
        answer.enclosure.contains(&Rational::from((1, 3))) && !answer.enclosure.is_bounded(),
        "{}",
        answer.enclosure
    );
}
