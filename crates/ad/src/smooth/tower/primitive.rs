//! Arithmetic and powers as towers (S §4.3.1).
//!
//! Each is `foldDer` of its value and its derivative. A derivative that refers to the map itself is built on demand, so
//! the recursion ends: order k + 1 of the map needs order k of its derivative.

use super::{DerivativeTable, EnclosureVector, LinearMap, Tower, TowerError, TowerRule};
use crate::number::Rational;
use crate::number::context::{Context, Sign};

/// Returns `foldDer(value, derivative)` on ℝⁿ. The derivative is built when it is first needed.
pub(super) fn fold_der_lazily<C: Context>(
    inputs: usize,
    value: impl Fn(&C, &[C::Num]) -> C::Num + Clone + Send + Sync + 'static,
    derivative: impl Fn() -> Result<Tower<C>, TowerError> + Clone + Send + Sync + 'static,
) -> Tower<C> {
    Tower::lazy(inputs, 1, move || {
        let value = value.clone();
        let derivative = Tower::lazy(2 * inputs, 1, derivative.clone());
        Tower::fold_der(move |context, x| Ok(vec![value(context, x)]), &derivative)
    })
}

/// Returns a constant map ℝⁿ ⇝ ℝ: `foldDer(c, 0)`.
pub fn constant<C: Context>(inputs: usize, value: impl Fn(&C) -> C::Num + Clone + Send + Sync + 'static) -> Tower<C> {
    fold_der_lazily(inputs, move |context, _| value(context), move || Ok(Tower::zero(2 * inputs, 1)))
}

/// Returns `+ : ℝ × ℝ ⇝ ℝ`, linear.
#[must_use]
pub fn sum<C: Context>() -> Tower<C> {
    Tower::linear(&LinearMap::sum(1))
}

/// Returns `- : ℝ × ℝ ⇝ ℝ`, linear.
#[must_use]
pub fn difference<C: Context>() -> Tower<C> {
    Tower::linear(&LinearMap::difference(1))
}

/// Returns `* : ℝ × ℝ ⇝ ℝ` as in S §4.3.1: `foldDer(×, (x, y), (dx, dy) ⊢ x * dy + y * dx)`, whose derivative refers to the
/// tower itself twice.
///
/// So `(xy)⁽²⁾((a, b), (c, d)) = ad + bc`, and from order 3 on 0 times every component of point and directions: 0 where
/// those are bounded, ⊥ otherwise (E42).
#[must_use]
pub fn product<C: Context>() -> Tower<C> {
    let derivative = || {
        let product = product();
        product.after_linear(&LinearMap::select(4, [0, 3]))?.plus(&product.after_linear(&LinearMap::select(4, [1, 2]))?)
    };
    fold_der_lazily(2, |context: &C, x| context.mul(&x[0], &x[1]), derivative)
}

/// Returns `1/x`, ⊥ at every order where x may be 0 (S §4.3.1): `power(-1, 1)`.
#[must_use]
pub fn reciprocal<C: Context>() -> Tower<C> {
    power(-1, 1)
}

/// Returns `x / y = x * (1/y)`.
#[must_use]
pub fn quotient<C: Context>() -> Tower<C> {
    Tower::lazy(2, 1, || {
        Tower::first(1, 1).pair(&reciprocal().after_linear(&LinearMap::select(2, [1]))?)?.then(&product())
    })
}

/// Returns x^(p/q), the exponent in lowest terms, q ≥ 1: `foldDer(x^(p/q), (x, dx) ↦ (p/q)·x^(p/q - 1)·dx)`.
///
/// | exponent | value | derivatives |
/// |---|---|---|
/// | p = 0 | 1 | 0 |
/// | p > 0, q = 1 | everywhere | everywhere |
/// | p > 0, q odd | everywhere | order j where x ≠ 0, or j ≤ p/q |
/// | p > 0, q even | x ≥ 0 | x > 0: the value has no open neighbourhood of 0 to be Lipschitz on |
/// | p < 0 | x ≠ 0, for q even x > 0 | the same |
///
/// ⊥ outside (S74).
#[must_use]
pub fn power<C: Context>(p: i64, q: u32) -> Tower<C> {
    let derivative = move || {
        if p == 0 {
            return Ok(Tower::zero(2, 1));
        }
        let exponent = LinearMap::scalar_multiple(1, &Rational::from((p, q)));
        let slope = power(p.saturating_sub(i64::from(q)), q).then_linear(&exponent)?;
        // An even root has a value at 0, but no neighbourhood there.
        Ok(times_dx(&if q.is_multiple_of(2) { restrict_to_open(&slope, is_positive) } else { slope }))
    };
    fold_der_lazily(1, move |context: &C, x| power_value(context, &x[0], p, q), derivative)
}

/// Returns `true` if the point of ℝ is certainly positive.
fn is_positive<C: Context>(context: &C, x: &[C::Num]) -> bool {
    context.sign(&x[0]) == Sign::Positive
}

/// Encloses x^(p/q).
fn power_value<C: Context>(context: &C, x: &C::Num, p: i64, q: u32) -> C::Num {
    // The root first, so that the powers of a large x stay small.
    let root = if q == 1 { x.clone() } else { context.root(x, q) };
    let y = context.power(&root, u32::try_from(p.unsigned_abs()).unwrap_or(u32::MAX));
    if p < 0 { context.div(&context.enclose_integer(1), &y) } else { y }
}

/// Returns `(x, dx) ↦ h(x)·dx : ℝ × ℝ ⇝ ℝ` for `h : ℝ ⇝ ℝ`, that is `* ∘ ⟨h ∘ fst, snd⟩`, by the product rule of Leibniz:
/// `h⁽ᵏ⁾(x; dx₁, …, dx_k)·v + Σ_j h⁽ᵏ⁻¹⁾(x; …, dx_{j-1}, dx_{j+1}, …)·dv_j` at (x, v) along the (dx_i, dv_i).
///
/// Where a direction contains an infinite end, the composite has more terms, all 0·⊥.
pub(super) fn times_dx<C: Context>(h: &Tower<C>) -> Tower<C> {
    Tower::new(2, 1, Leibniz(h.clone()))
}

/// The rule of `(x, dx) ↦ h(x)·dx`.
struct Leibniz<C: Context>(Tower<C>);

impl<C: Context> Leibniz<C> {
    /// Returns the derivative along a set of directions, from the table of h, by the product rule.
    fn product_rule_entry(
        &self,
        context: &C,
        h: &DerivativeTable<C>,
        v: &C::Num,
        directions: &[&[C::Num]],
        set: usize,
    ) -> EnclosureVector<C> {
        let mut sum = context.mul(&h[set][0], v);
        for (j, direction) in directions.iter().enumerate().filter(|(j, _)| set >> j & 1 == 1) {
            sum = context.add(&sum, &context.mul(&h[set & !(1 << j)][0], &direction[1]));
        }
        vec![sum]
    }

    /// Returns the derivatives of h along all subsets of the directions.
    fn slope_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        self.0.derivative_table(context, &x[..1], &directions.iter().map(|d| &d[..1]).collect::<Vec<_>>())
    }
}

impl<C: Context> TowerRule<C> for Leibniz<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let h = self.slope_table(context, x, directions)?;
        Ok(self.product_rule_entry(context, &h, &x[1], directions, h.len() - 1))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        let h = self.slope_table(context, x, directions)?;
        Ok((0..h.len()).map(|set| self.product_rule_entry(context, &h, &x[1], directions, set)).collect())
    }
}

/// Restricts a tower to an open set: ⊥ at every order where the point is not known to lie in it.
pub(super) fn restrict_to_open<C: Context>(
    f: &Tower<C>,
    open: impl Fn(&C, &[C::Num]) -> bool + Send + Sync + 'static,
) -> Tower<C> {
    Tower::new(f.inputs(), f.outputs(), OpenRestriction { f: f.clone(), open })
}

/// The rule of a restriction to an open set.
struct OpenRestriction<C: Context, F> {
    f: Tower<C>,
    open: F,
}

impl<C: Context, F: Fn(&C, &[C::Num]) -> bool + Send + Sync> TowerRule<C> for OpenRestriction<C, F> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        if (self.open)(context, x) {
            self.f.evaluate(context, x, directions)
        } else {
            Ok(vec![context.bottom(); self.f.outputs()])
        }
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        if (self.open)(context, x) {
            self.f.derivative_table(context, x, directions)
        } else {
            Ok(vec![vec![context.bottom(); self.f.outputs()]; 1 << directions.len()])
        }
    }
}
