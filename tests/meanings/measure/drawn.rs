//! Distributions whose parameters are what was drawn before.
//!
//! True values by closed forms, found again by quadrature by mpmath at 25 digits over the draw on which the other depends.

use super::{Ask, PLAIN, asked, holds};
use smoothish::measure::MeasureError;

/// Two draws, the second from a distribution in which the first occurs.
fn then(second: &str) -> String {
    format!("do {{ x <- sample (normal 0 1); y <- sample ({second}); return y }}")
}

const FINE: Ask<'static> = Ask { eps: "1e-6", ..PLAIN };
const COARSE: Ask<'static> = Ask { eps: "1e-2", ..PLAIN };
const SQUARE: Option<&str> = Some("\\y => y^2");
const BEYOND: Option<&str> = Some("\\y => if y > 1 then 1 else 0");

#[test]
fn deviations_that_are_exponentials() {
    let drawn = then("normal 0 (exp x)");
    holds(&drawn, None, PLAIN, "1");
    // ∫ φ(x) Φ(-e^(-x)) dx
    holds(&drawn, BEYOND, COARSE, "0.175915553210420492");
}

#[test]
fn ends_that_are_drawn() {
    let drawn = then("uniformOn x (x + 1)");
    holds(&drawn, None, PLAIN, "1");
    // E (x + u)² = 1 + 1/3, and ∫ min(1, max(0, x)) φ(x) dx = ∫₀¹ (1 - Φ)
    holds(&drawn, SQUARE, FINE, "1.33333333333333333");
    holds(&drawn, BEYOND, COARSE, "0.315626809813746380");
}

#[test]
fn deviations_with_kinks_and_polynomials() {
    let drawn = then("normal 0 (0.5 + abs x)");
    holds(&drawn, None, PLAIN, "1");
    // E (1/2 + |x|)² = 1/4 + √(2/π) + 1
    holds(&drawn, SQUARE, COARSE, "2.04788456080286536");
    // E (x² - x + 1)² = 3 + 3 + 1, the odd powers being 0: x⁴ - 2x³ + 3x² - 2x + 1
    let polynomial = then("normal 0 (x^2 - x + 1)");
    holds(&polynomial, None, PLAIN, "1");
    holds(&polynomial, SQUARE, Ask { eps: "0.1", ..PLAIN }, "7");
    // on both sides of 0, where the deviation is: ∫ φ(x) N(1; 0, 1 + x²) dx
    let sides = "do { x <- sample (normal 0 1); y <- if x > 0 then sample (normal 0 x) else sample (normal 0 (- x));
                 observe (normal y 1) 1; return y }";
    holds(sides, None, Ask { eps: "0.05", ..PLAIN }, "0.221988951019592780");
}

/// What is not positive for some draws is refused, and what is positive but for a set of chance 0 is not.
#[test]
fn what_is_no_distribution_for_some_draws_is_refused() {
    for second in ["normal 0 x", "normal 0 (x^2 - 1)", "normal 0 (- exp x)", "uniformOn x (2 * x)", "normal 0 (1 + x)"]
    {
        let found = asked(&then(second), None, PLAIN);
        assert!(matches!(found, Err(MeasureError::ParameterConstraint { .. })), "{second}: {found:?}");
    }
    for second in ["normal 0 (x^2)", "exponential (x * x)", "uniformOn (x - abs x) (x^2 + x)", "uniformOn (-1) (exp x)"]
    {
        holds(&then(second), None, PLAIN, "1");
    }
    // not so for two draws that cancel
    let cancels = "do { x <- sample (normal 0 1); y <- sample (normal x 1); z <- sample (normal 0 (x - y)); return z }";
    assert!(matches!(asked(cancels, None, PLAIN), Err(MeasureError::ParameterConstraint { .. })));
}

/// The sign of a product needs those of both factors: ∫ φ(x) (1 - 0.2/x) dx over x > 0.2.
#[test]
fn a_factor_that_is_not_negative_is_no_sign_of_a_product() {
    let product = "do { x <- sample (normal 0 1); a <- return (abs x); y <- sample (uniformOn 0 1);
                   if x * y - 0.2 > 0 then score 1 else score 0; return a }";
    holds(product, None, COARSE, "0.28690681324549589742");
    let quotient = "do { x <- sample (normal 0 1); a <- return (abs x); y <- sample (uniformOn (-1) 1);
                    if x / (2 + y) + y > 0.5 then score 1 else score 0; return a }";
    holds(quotient, None, COARSE, "0.30118960792686191335");
}
