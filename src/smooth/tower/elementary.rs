//! The elementary functions as towers (S Fig. 2, S22), each `foldDer` of its value and its derivative.
//!
//! | function | derivative |
//! |---|---|
//! | exp | exp x · dx |
//! | sin, cos | cos x · dx, -sin x · dx: each the other's (S §4.3) |
//! | sinh, cosh | cosh x · dx, sinh x · dx |
//! | tan, tanh | (1 + tan² x)·dx, (1 - tanh² x)·dx |
//! | log | 1/x · dx |
//! | atan, atanh | 1/(1 + x²)·dx, 1/(1 - x²)·dx |
//! | asin, acos | ±(1 - x²)^(-½)·dx |
//! | asinh, acosh | (x² ± 1)^(-½)·dx |
//! | sqrt, cbrt | ½·x^(-½)·dx, ⅓·x^(-⅔)·dx |
//!
//! Where the function is not certainly defined its derivatives are ⊥, though the formula may go on: log has no derivative
//! at -1.

use super::primitive::{constant, fold, power, times_dx, within};
use super::{Linear, Tower, TowerError};
use crate::number::Rational;
use crate::number::context::{Context, Function};

/// An elementary function `ℝ ⇝ ℝ`.
#[must_use]
pub fn function<C: Context>(f: Function) -> Tower<C> {
    let derivative = move || {
        let is_inside = move |context: &C, x: &[C::Num]| context.is_defined(&context.function(f, &x[0]));
        Ok(times_dx(&within(&slope(f)?, is_inside)?))
    };
    fold(1, move |context: &C, x| context.function(f, &x[0]), derivative)
}

/// The derivative as a map of the point.
fn slope<C: Context>(f: Function) -> Result<Tower<C>, TowerError> {
    match f {
        Function::Exp => Ok(function(Function::Exp)),
        Function::Sin => Ok(function(Function::Cos)),
        Function::Cos => multiple(&function(Function::Sin), -1),
        Function::Sinh => Ok(function(Function::Cosh)),
        Function::Cosh => Ok(function(Function::Sinh)),
        Function::Tan => quadratic_in(&function(Function::Tan), 1, 1),
        Function::Tanh => quadratic_in(&function(Function::Tanh), 1, -1),
        Function::Log => Ok(power(-1, 1)),
        Function::Atan => quadratic(1, 1)?.then(&power(-1, 1)),
        Function::Atanh => quadratic(1, -1)?.then(&power(-1, 1)),
        Function::Asin => quadratic(1, -1)?.then(&power(-1, 2)),
        Function::Acos => multiple(&quadratic(1, -1)?.then(&power(-1, 2))?, -1),
        Function::Asinh => quadratic(1, 1)?.then(&power(-1, 2)),
        Function::Acosh => quadratic(-1, 1)?.then(&power(-1, 2)),
        Function::Sqrt => power(-1, 2).then_linear(&Linear::multiple(1, &Rational::from((1, 2)))),
        Function::Cbrt => power(-2, 3).then_linear(&Linear::multiple(1, &Rational::from((1, 3)))),
    }
}

fn multiple<C: Context>(f: &Tower<C>, c: i64) -> Result<Tower<C>, TowerError> {
    f.then_linear(&Linear::multiple(1, &Rational::from(c)))
}

/// x ↦ a + b·x²
fn quadratic<C: Context>(a: i64, b: i64) -> Result<Tower<C>, TowerError> {
    constant(1, move |context: &C| context.integer(a)).plus(&multiple(&power(2, 1), b)?)
}

/// x ↦ a + b·f(x)²
fn quadratic_in<C: Context>(f: &Tower<C>, a: i64, b: i64) -> Result<Tower<C>, TowerError> {
    f.then(&quadratic(a, b)?)
}
