//! The elementary functions as towers (S Fig. 2, S22), each `foldDer` of its value and its derivative.
//!
//! The slope is that of the function's [row](crate::function::FunctionSpec); for a root it is the power rule. The way from slopes to
//! towers of every order, by Faà di Bruno's formula, shares no code with the jets: they are tested against it.
//!
//! Where the function is not certainly defined its derivatives are ⊥, even if the formula has a value: log has no derivative
//! at -1.

use super::primitive::{constant, fold_der_lazily, power, product, quotient, restrict_to_open, times_dx};
use super::{LinearMap, Tower, TowerError};
use crate::function::{Formula, FormulaStep, Function, Monotonicity, Planar};
use crate::number::Rational;
use crate::number::context::Context;

/// Returns the tower of an elementary function `ℝ ⇝ ℝ`.
#[must_use]
pub fn elementary_tower<C: Context>(f: Function) -> Tower<C> {
    let derivative = move || {
        // The formula of the slope may be defined where the function is not.
        let is_inside = move |context: &C, x: &[C::Num]| context.is_defined(&context.apply_function(f, &x[0]));
        Ok(times_dx(&restrict_to_open(&slope_tower(f)?, is_inside)))
    };
    fold_der_lazily(1, move |context: &C, x| context.apply_function(f, &x[0]), derivative)
}

/// Returns the tower of an elementary function `ℝ × ℝ ⇝ ℝ`.
///
/// It is `foldDer(f, ((x, y), (dx, dy)) ↦ ∂₁f(x, y)·dx + ∂₂f(x, y)·dy)`, ⊥ from order 1 on where f is not smooth.
#[must_use]
pub fn planar_tower<C: Context>(f: Planar) -> Tower<C> {
    let derivative = move || {
        let is_smooth = move |context: &C, x: &[C::Num]| {
            context.is_smooth_near(f, &x[0], &x[1]) && context.is_defined(&x[0]) && context.is_defined(&x[1])
        };
        let along = |index: usize| {
            let slope = restrict_to_open(&formula_tower(&f.slope_formulas()[index], &Tower::zero(2, 1))?, is_smooth);
            let direction = Tower::linear(&LinearMap::select(4, [2 + index]));
            slope.after_linear(&LinearMap::select(4, [0, 1]))?.pair(&direction)?.then(&product())
        };
        along(0)?.plus(&along(1)?)
    };
    fold_der_lazily(2, move |context: &C, x| context.apply_binary_function(f, &x[0], &x[1]), derivative)
}

/// Returns the derivative as a map of the point.
fn slope_tower<C: Context>(f: Function) -> Result<Tower<C>, TowerError> {
    // The n-th root is x^(1/n), with slope x^(1/n - 1)/n.
    if let Monotonicity::Root(n) = f.row().monotonicity {
        let n = i64::from(n);
        return power(1 - n, n as u32).then_linear(&LinearMap::scalar_multiple(1, &Rational::from((1, n))));
    }
    formula_tower(&f.slope_formula(), &elementary_tower(f))
}

/// Returns a formula as a map of the point. The function whose slope it is has the tower y.
pub fn formula_tower<C: Context>(formula: &Formula, y: &Tower<C>) -> Result<Tower<C>, TowerError> {
    Ok(or_identity(formula.eval_with(&mut |step| formula_step(step, y))?))
}

/// A part of a formula. `None` is the identity on ℝ: each composition with the identity would cost a sum over partitions.
type FormulaPart<C> = Option<Tower<C>>;

/// Returns the tower of a part.
fn or_identity<C: Context>(part: FormulaPart<C>) -> Tower<C> {
    part.unwrap_or_else(|| Tower::identity(1))
}

/// Interprets one step of a formula. The function whose slope it is has the tower y.
fn formula_step<C: Context>(
    step: FormulaStep<Result<FormulaPart<C>, TowerError>>,
    y: &Tower<C>,
) -> Result<FormulaPart<C>, TowerError> {
    let n = y.inputs();
    let both = |a: FormulaPart<C>, b: FormulaPart<C>| or_identity(a).pair(&or_identity(b));
    let multiple =
        |a: FormulaPart<C>, by: i32| or_identity(a).then_linear(&LinearMap::scalar_multiple(1, &Rational::from(by)));
    // No composition with the identity.
    let after = |a: FormulaPart<C>, f: Tower<C>| match a {
        None => Ok(f),
        Some(a) => a.then(&f),
    };
    Ok(Some(match step {
        FormulaStep::Argument(_) if n == 1 => return Ok(None),
        FormulaStep::Argument(index) => Tower::linear(&LinearMap::select(n, [index])),
        FormulaStep::Y => y.clone(),
        FormulaStep::Number(p, q) => constant(n, move |context: &C| context.enclose_rational(&Rational::from((p, q)))),
        FormulaStep::Pi => constant(n, C::pi),
        FormulaStep::Negate(a) => multiple(a?, -1)?,
        FormulaStep::Add(a, b) => or_identity(a?).plus(&or_identity(b?))?,
        FormulaStep::Subtract(a, b) => both(a?, b?)?.then_linear(&LinearMap::difference(1))?,
        FormulaStep::Multiply(a, b) => both(a?, b?)?.then(&product())?,
        FormulaStep::Divide(a, b) => both(a?, b?)?.then(&quotient())?,
        FormulaStep::Square(a) => after(a?, power(2, 1))?,
        FormulaStep::Inverse(a) => after(a?, power(-1, 1))?,
        FormulaStep::InverseRoot(a) => after(a?, power(-1, 2))?,
        FormulaStep::Apply(f, a) => after(a?, elementary_tower(f))?,
    }))
}
