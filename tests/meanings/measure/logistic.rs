//! Logistic weights, on infinite lines: what grows faster than any power is in a divisor, or has a logarithm.
//!
//! True values by symmetry or in closed form where that is told, all of them by quadrature by mpmath, at 25 digits.

use super::{AT_3, Ask, PLAIN, asked, holds};

/// A standard normal draw with weights.
fn weighted(weights: &[&str]) -> String {
    let scores: Vec<String> = weights.iter().map(|weight| format!("score ({weight});")).collect();
    format!("do {{ x <- sample (normal 0 1); {} return x }}", scores.join(" "))
}

const X: Option<&str> = Some("\\x => x");
const SLOPE: Ask<'static> = Ask { order: 1, ..AT_3 };
const CURVATURE: Ask<'static> = Ask { order: 2, ..AT_3 };

#[test]
fn a_logistic_weight_has_a_mass_however_it_is_written() {
    // 1/2 by symmetry; the mean is E σ′ / (1/2) by parts
    for sigmoid in
        ["sigmoid x", "1 / (1 + exp (- x))", "exp x / (1 + exp x)", "1/2 + tanh (x/2) / 2", "1 / (2 + expm1 (- x))"]
    {
        holds(&weighted(&[sigmoid]), None, PLAIN, "0.5");
        holds(&weighted(&[sigmoid]), X, PLAIN, "0.4132419282838140745");
    }
    let tanh = "((exp x - exp (- x)) / (exp x + exp (- x)))^2";
    holds(&weighted(&[tanh]), None, PLAIN, "0.3942944903978411744");
    holds(&weighted(&["log (1 + exp x)"]), None, PLAIN, "0.8060591833474397845");
    holds(&weighted(&["1 / (1 + x^2)"]), None, PLAIN, "0.6556795424187984715");
}

#[test]
fn logistic_regression_on_a_few_observations() {
    holds(&weighted(&["sigmoid (2*x + 1)", "sigmoid (1 - x)", "sigmoid (x/2)"]), None, PLAIN, "0.2114732053980131292");
    let seen = "\\t => do { x <- sample (normal 0 1); observe (bernoulli (sigmoid (t*x))) tt;
                observe (bernoulli (sigmoid (x + 1))) ff; return x }";
    holds(seen, X, SLOPE, "0.4605987409617569389");
    // waiting times and a scale are no normal draws
    let others = "do { r <- sample (gamma 2 1); e <- sample (exponential 1); score (sigmoid r); score (sigmoid (- e)); return e }";
    holds(others, None, PLAIN, "0.2523763281026868395");
}

#[test]
fn they_have_derivatives_in_a_parameter() {
    let moved = |weight: &str| format!("\\t => {}", weighted(&[weight]));
    // E σ′; 0 by symmetry
    holds(&moved("sigmoid (x + t)"), None, SLOPE, "0.2038347270659185036");
    holds(&moved("sigmoid (x * t)"), None, SLOPE, "0");
    holds(&moved("sigmoid (x * t + 0.3)"), None, SLOPE, "-0.0100475540955988508");
    holds(&moved("1 + tanh (x + t)"), None, SLOPE, "0.5895727204868769118");
    holds(&moved("1 + tanh (x * t + t)"), None, CURVATURE, "-1.2854168686587128728");
    holds(&moved("1 + erf (x * t + 0.2)"), None, SLOPE, "-0.1021154481272552464");
    holds(&moved("2 + atan (x * t + 0.4)"), None, CURVATURE, "-0.2161656037149823958");
    holds(&moved("1 / (1 + t * x^2)"), None, SLOPE, "-0.3845573130792145933");
    // the slope of softplus is logistic
    let mean = "\\t => do { x <- sample (normal t 1); return x }";
    holds(mean, Some("\\x => log (1 + exp x)"), SLOPE, "0.5617068034592420724");
}

/// Numbers without an end: by moments, the relative slopes of sums of exponentials being bounded.
#[test]
fn logistic_weights_of_counts() {
    let two = Ask { at: Some("2"), order: 1, ..PLAIN };
    // E (σ (n + 1) - σ n) for Poisson's n
    let counted = |weight: &str| format!("\\r => do {{ n <- sample (poisson r); score ({weight}); return n }}");
    holds(&counted("exp (toReal n) / (1 + exp (toReal n))"), None, two, "0.09773261179485784993");
    holds(&counted("1 - 1 / (1 + exp (toReal n))"), None, two, "0.09773261179485784993");
    let soft = "do { n <- sample (poisson 3); score (log (1 + exp (toReal n))); return n }";
    holds(soft, None, PLAIN, "3.124496059357744476");
    let moved = "\\t => do { n <- sample (geometric 0.5); score (sigmoid (t * toReal n)); return n }";
    holds(moved, None, SLOPE, "0.4023621308444020187");
    // E eⁿ is infinite for p = 1/2, and so is this
    let infinite = "do { n <- sample (geometric 0.5); score (exp (2 * toReal n) / (1 + exp (toReal n))); return n }";
    let answer = asked(infinite, None, PLAIN).expect("an answer");
    assert!(!answer.enclosure.is_bounded() && answer.width_reason.is_some(), "{}", answer.enclosure);
}

/// Two draws: a derivative of what is integrated over as boxes is the mean of another map.
#[test]
fn two_slopes_and_their_derivatives() {
    let coarse = Ask { eps: "1e-3", seconds: 60, ..SLOPE };
    let prior = "\\t => do { w <- sample (normal t 1); b <- sample (normal 0 1);
                 score (sigmoid (2*w + b)); score (sigmoid (b - w)); return w }";
    holds(prior, None, coarse, "0.0231779620973227");
}
