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
    assert!(asked(SCORED, None, AT_3).is_ok_and(|answer| answer.assumptions.is_empty()));
}

#[test]
fn derivatives_of_infinite_sums_are_those_of_their_terms() {
    // -1/p², 2/p³; 2r + 1
    let mean = Some("\\n => toReal n");
    holds(GEOMETRIC, mean, Ask { order: 1, ..AT_3 }, "-11.1111111111111111111");
    holds(GEOMETRIC, mean, Ask { order: 2, eps: "1e-6", ..AT_3 }, "74.0740740740740740741");
    holds(POISSON, Some(SQUARE), Ask { at: Some("2"), order: 1, ..PLAIN }, "5");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Exponentials of natural numbers: p c/(1 - (1 - p) c) for a geometric one, e^(r (c - 1)) for Poisson's, r e^(r (t - 1)) its slope in t, and the same in
    /// sums. Widely asked for, what is left is most of the answer.
    #[test]
    fn exponentials_of_natural_numbers_are_bounded_by_other_distributions_of_them() {
        let geometric = "do { n <- sample (geometric 0.5); return n }";
        let poisson = "do { n <- sample (poisson 3); return n }";
        let both = "do { m <- sample (geometric 0.5); n <- sample (poisson 2); return (m + n) }";
        let power = Some("\\n => 1.5 ^ toReal n");
        for eps in ["0.5", "0.01", "1e-9"] {
            let ask = Ask { eps, ..PLAIN };
            holds(geometric, power, ask, "3");
            holds(poisson, power, ask, "4.4816890703380648226");
            holds(both, power, ask, "8.1548454853771357061");
            holds(
                "do { n <- sample (poisson 3); score (exp (0.3 * toReal n - 1)); return n }",
                None,
                ask,
                "1.0508258961279081175518",
            );
            let moving = "\\t => do { n <- sample (poisson 3); return (t ^ toReal n) }";
            holds(moving, Some("\\z => z"), Ask { at: Some("1.5"), order: 1, ..ask }, "13.445067211014194468");
        }
    }

    /// What is not followed counts: with all that the function may be, or not at all as known.
    #[test]
    fn paths_that_are_left_count() {
        let count =
            |of: &str| format!("let rec go (n : Nat) : P Nat = do {{ b <- sample (bernoulli 0.5); {of} }} in go 1");
        let trials = count("if b then return n else go (n + 1)");
        holds(&trials, Some("\\n => if n == 2 then 1 else 0"), Ask { eps: "1e-5", ..PLAIN }, "0.25");
        holds(&trials, Some("\\n => toReal n"), Ask { eps: "1e-6", ..PLAIN }, "2");
        // E 3ⁿ is infinite, and of what is summed at least 3/2 in each step
        let answer = asked(&trials, Some("\\n => exp (toReal n * log 3)"), PLAIN).expect("an answer");
        let near = rational("15");
        assert!(*answer.enclosure.lo() >= near && *answer.enclosure.hi() > 1e300, "{}", answer.enclosure);
        // E 2ⁿ and E 3ⁿ are infinite for p = 1/2, and E e^(n²/9) is
        for of in ["toReal n * log 2", "toReal n * log 3", "(toReal n)^2 / 9"] {
            let of = format!("\\n => exp ({of})");
            let answer = asked("do { n <- sample (geometric 0.5); return n }", Some(&of), PLAIN).expect("an answer");
            assert!(!answer.enclosure.is_bounded() && answer.width_reason.is_some(), "{}", answer.enclosure);
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
}
