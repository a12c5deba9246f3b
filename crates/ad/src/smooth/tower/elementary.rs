//! The elementary functions as towers (S Fig. 2, S22), each `foldDer` of its value and its derivative.
//!
//! The slope is that of the function's [row](crate::function::Row); for a root it is the power rule. The way from slopes to
//! towers of every order, by Faà di Bruno's formula, shares no code with the jets: they are tested against it.
//!
//! Where the function is not certainly defined its derivatives are ⊥, even if the formula has a value: log has no derivative
//! at -1.

use super::primitive::{constant, fold, power, product, quotient, times_dx, within};
use super::{Linear, Tower, TowerError};
use crate::function::{Course, Formula, Function, Planar, Step};
use crate::number::Rational;
use crate::number::context::Context;

/// Returns the tower of an elementary function `ℝ ⇝ ℝ`.
#[must_use]
pub fn function<C: Context>(f: Function) -> Tower<C> {
    let derivative = move || {
        // The formula of the slope may be defined where the function is not.
        let is_inside = move |context: &C, x: &[C::Num]| context.is_defined(&context.function(f, &x[0]));
        Ok(times_dx(&within(&slope(f)?, is_inside)))
    };
    fold(1, move |context: &C, x| context.function(f, &x[0]), derivative)
}

/// Returns the tower of an elementary function `ℝ × ℝ ⇝ ℝ`.
///
/// It is `foldDer(f, ((x, y), (dx, dy)) ↦ ∂₁f(x, y)·dx + ∂₂f(x, y)·dy)`, ⊥ from order 1 on where f is not smooth.
#[must_use]
pub fn planar<C: Context>(f: Planar) -> Tower<C> {
    let derivative = move || {
        let is_smooth = move |context: &C, x: &[C::Num]| {
            context.is_smooth(f, &x[0], &x[1]) && context.is_defined(&x[0]) && context.is_defined(&x[1])
        };
        let along = |index: usize| {
            let slope = within(&formula(&f.slopes()[index], &Tower::zero(2, 1))?, is_smooth);
            let direction = Tower::linear(&Linear::select(4, [2 + index]));
            slope.after(&Linear::select(4, [0, 1]))?.pair(&direction)?.then(&product())
        };
        along(0)?.plus(&along(1)?)
    };
    fold(2, move |context: &C, x| context.planar(f, &x[0], &x[1]), derivative)
}

/// Returns the derivative as a map of the point.
fn slope<C: Context>(f: Function) -> Result<Tower<C>, TowerError> {
    // The n-th root is x^(1/n), with slope x^(1/n - 1)/n.
    if let Course::Root(n) = f.row().course {
        let n = i64::from(n);
        return power(1 - n, n as u32).then_linear(&Linear::multiple(1, &Rational::from((1, n))));
    }
    formula(&f.slope(), &function(f))
}

/// Returns a formula as a map of the point. The function whose slope it is has the tower y.
pub fn formula<C: Context>(formula: &Formula, y: &Tower<C>) -> Result<Tower<C>, TowerError> {
    Ok(whole(formula.evaluate(&mut |step| part(step, y))?))
}

/// A part of a formula. `None` is the identity on ℝ: each composition with the identity would cost a sum over partitions.
type Part<C> = Option<Tower<C>>;

/// Returns the tower of a part.
fn whole<C: Context>(part: Part<C>) -> Tower<C> {
    part.unwrap_or_else(|| Tower::identity(1))
}

/// Interprets one step of a formula. The function whose slope it is has the tower y.
fn part<C: Context>(step: Step<Result<Part<C>, TowerError>>, y: &Tower<C>) -> Result<Part<C>, TowerError> {
    let n = y.inputs();
    let both = |a: Part<C>, b: Part<C>| whole(a).pair(&whole(b));
    let multiple = |a: Part<C>, by: i32| whole(a).then_linear(&Linear::multiple(1, &Rational::from(by)));
    // No composition with the identity.
    let after = |a: Part<C>, f: Tower<C>| match a {
        None => Ok(f),
        Some(a) => a.then(&f),
    };
    Ok(Some(match step {
        Step::Argument(_) if n == 1 => return Ok(None),
        Step::Argument(index) => Tower::linear(&Linear::select(n, [index])),
        Step::Y => y.clone(),
        Step::Number(p, q) => constant(n, move |context: &C| context.rational(&Rational::from((p, q)))),
        Step::Pi => constant(n, C::pi),
        Step::Negate(a) => multiple(a?, -1)?,
        Step::Add(a, b) => whole(a?).plus(&whole(b?))?,
        Step::Subtract(a, b) => both(a?, b?)?.then_linear(&Linear::difference(1))?,
        Step::Multiply(a, b) => both(a?, b?)?.then(&product())?,
        Step::Divide(a, b) => both(a?, b?)?.then(&quotient())?,
        Step::Square(a) => after(a?, power(2, 1))?,
        Step::Inverse(a) => after(a?, power(-1, 1))?,
        Step::InverseRoot(a) => after(a?, power(-1, 2))?,
        Step::Of(f, a) => after(a?, function(f))?,
    }))
}
