//! Normal draws that depend on each other, and are integrated over in closed form.
//!
//! True values by closed forms of normal distributions, found again by quadrature by mpmath, at 30 digits.

use super::{Ask, PLAIN, asked, holds};

const CHAIN: &str = "do { m <- sample (normal 0 1); x <- sample (normal m 1); observe (normal x 1) 1; return (m, x) }";

#[test]
fn chains_of_normal_draws() {
    // e^(-1/6)/√(6π); of a prior variance 1, 2 and a noise 1: 1/3 and 2/3, and E x² = 2/3 + 4/9
    holds(CHAIN, None, PLAIN, "0.194969655722741");
    holds(CHAIN, Some("\\(m, x) => m"), PLAIN, "0.333333333333333333");
    holds(CHAIN, Some("\\(m, x) => x"), PLAIN, "0.666666666666666667");
    holds(CHAIN, Some("\\(m, x) => x^2"), PLAIN, "1.11111111111111111");
    holds(CHAIN, Some("\\(m, x) => (x - m)^4 / 3"), PLAIN, "0.596707818930041152");
    // P(x > 0): Φ(√(2/3)), the guard on one of the draws
    holds(CHAIN, Some("\\(m, x) => if x > 0 then 1 else 0"), PLAIN, "0.792891910878737");
    // one more level, with scales, seen at 2: variances 1 + 4 + 1/4 + 9
    let long = "do { a <- sample (normal 1 1); b <- sample (normal a 2); c <- sample (normal (b / 2) 3); observe (normal c 0.5) 2; return b }";
    holds(long, None, PLAIN, "0.1106073187508302");
    holds(long, Some("\\b => b"), PLAIN, "1.35714285714285714");
}

/// Of five draws, the last of which is seen: N(1; 0, 6), and a sixth of it in the mean.
#[test]
fn longer_chains() {
    let five = |rest: &str| {
        format!(
            "do {{ a <- sample (normal 0 1); b <- sample (normal a 1); c <- sample (normal b 1); d <- sample (normal c 1);
              e <- sample (normal d 1); {rest} observe (normal e 1) 1; return (a, c) }}"
        )
    };
    holds(&five(""), None, PLAIN, "0.149845337350046301");
    holds(&five(""), Some("\\(a, c) => a"), PLAIN, "0.166666666666666667");
    holds(&five(""), Some("\\(a, c) => c - a"), PLAIN, "0.333333333333333333");
    // a guard in the middle of a chain of three: ∫ N(b; 0, 2) N(1; b, 2) db over b > 0
    let middle = "do { a <- sample (normal 0 1); b <- sample (normal a 1); c <- sample (normal b 1);
                  if b > 0 then return () else score 0; observe (normal c 1) 1; return a }";
    holds(middle, None, PLAIN, "0.121719978686841098");
    // the border moves: -N(t; 0, 2) N(1; t, 2) at 0
    let moving = "\\t => do { a <- sample (normal 0 1); b <- sample (normal a 1); c <- sample (normal b 1);
                  if b > t then return () else score 0; observe (normal c 1) 1; return a }";
    holds(moving, None, Ask { at: Some("0"), order: 1, ..PLAIN }, "-0.0619749971548264831");
}

#[test]
fn derivatives_of_chains() {
    // N(1; t, 3): e^(-(1 - t)²/6)/√(6π), and its derivatives at 0: (1 - t)/3, and (1 - t)²/9 - 1/3
    let at = |order| Ask { at: Some("0"), order, ..PLAIN };
    let moved = "\\t => do { m <- sample (normal t 1); x <- sample (normal m 1); observe (normal x 1) 1; return x }";
    holds(moved, None, at(1), "0.0649898852409137");
    holds(moved, None, at(2), "-0.0433265901606091");
    // E x = t + 2/3 (1 - t)
    holds(moved, Some("\\x => x"), at(1), "0.333333333333333333");
}

#[test]
fn sums_of_normal_draws() {
    // a variance of 1 + 4, and a fourth moment of 3 · 25
    let sum = "do { x <- sample (normal 0 1); y <- sample (normal 0 2); return (x + y) }";
    holds(sum, Some("\\z => z^2"), PLAIN, "5");
    holds(sum, Some("\\z => z^4"), PLAIN, "75");
    holds(sum, Some("\\z => exp z"), PLAIN, "12.1824939607034734");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// What has no such form is not taken for one: a weight that grows as fast as the density falls.
    #[test]
    fn a_quadratic_that_does_not_fall_is_no_normal_draw() {
        for weight in ["exp (x^2 / 2)", "exp (x * y)", "exp (x^2)"] {
            let model =
                format!("do {{ x <- sample (normal 0 1); y <- sample (normal 0 1); score ({weight}); return x }}");
            let answer = asked(&model, None, Ask { seconds: 1, ..PLAIN }).expect("an answer");
            assert!(!answer.enclosure.is_bounded(), "{weight}: {}", answer.enclosure);
        }
    }
}
