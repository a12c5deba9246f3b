//! Arithmetic and powers as towers (S §4.3.1).
//!
//! Each is `foldDer` of its value and its derivative. A derivative that refers to the map itself is built on demand, so
//! the recursion ends: order k + 1 of the map needs order k of its derivative.
//!
//! # The elementary functions as towers
//!
//! The elementary functions as towers (S Fig. 2, S22), each `foldDer` of its value and its derivative.
//!
//! The slope is that of the function's [row](crate::function::FunctionSpec); for a root it is the power rule. The way from slopes to
//! towers of every order, by Faà di Bruno's formula, shares no code with the jets: they are tested against it.
//!
//! Where the function is not certainly defined its derivatives are ⊥, even if the formula has a value: log has no derivative
//! at -1.
//!
//! # Lipschitz maps that are not smooth
//!
//! Max and maps made of it (S §4.3.2), and the sign.
//!
//! The printed second case of max⁽¹⁾ repeats the condition of the first; it is meant for x < y (E6). On a box where the
//! branch is undecided the hull-extension of §4.4 gives the hull of both at order 1, and ⊥ from order 2 on.
//!
//! # Linear maps
//!
//! Linear maps, and their towers (S §4.3).
//!
//! A linear map ℝⁿ → ℝᵐ is given by a matrix, so [`Tower::linear`] takes nothing that is not linear. A function is read as
//! a matrix by [`LinearMap::of_function`], which refutes linearity where it can. An entry 0 is absent: a projection does not
//! use the components it drops.

use super::{DerivativeTable, EnclosureVector, Tower, TowerError, TowerRule};
use crate::function::{Formula, FormulaStep, Function, Planar};
use crate::number::Rational;
use crate::number::arithmetic::{Context, Sign};
use crate::smooth::tower::graph::{TowerOperand, check_dimension};

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
    if let Some(n) = f.root_degree() {
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

/// Returns a piecewise linear map with two pieces.
///
/// Order 0 is `value`. Order 1 is the branch of the direction by the sign of `switch`, or the hull of both branches if the
/// sign is undecided. Higher orders are 0, or ⊥ if the sign is undecided.
fn two_pieces<C: Context>(
    inputs: usize,
    value: impl Fn(&C, &[C::Num]) -> C::Num + Send + Sync + 'static,
    switch: impl Fn(&C, &[C::Num]) -> C::Num + Send + Sync + 'static,
    branches: impl Fn(&C, &[C::Num]) -> [C::Num; 2] + Send + Sync + 'static,
) -> Tower<C> {
    Tower::new(
        inputs,
        1,
        move |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
            let switch = switch(context, x);
            let sign = context.sign(&switch);
            Ok(vec![match (directions, sign) {
                ([], _) => value(context, x),
                ([v], _) => {
                    let [left, right] = branches(context, v);
                    match sign {
                        Sign::Positive => left,
                        Sign::Negative => right,
                        Sign::Undecided => {
                            let hull = context.hull(&left, &right);
                            // At the kink itself the Clarke derivative is the hull, certainly so if the argument is defined.
                            if context.is_defined(&switch) { hull } else { context.mark_undefined(hull) }
                        }
                    }
                }
                // At a kink the derivative of order 1 is a set, and a set has no derivative (S §4.1).
                (_, Sign::Undecided) => context.bottom(),
                _ => context.enclose_integer(0),
            }])
        },
    )
}

/// Returns `max : ℝ × ℝ ⇝ ℝ` (S §4.3.2, E6).
///
/// | | x > y | x < y | x = y, or undecided |
/// |---|---|---|---|
/// | max⁽¹⁾((x, y); (dx, dy)) | dx | dy | hull {dx, dy} |
/// | max⁽ᵏ⁺²⁾ | 0 | 0 | ⊥ |
#[must_use]
pub fn maximum<C: Context>() -> Tower<C> {
    let gap = |context: &C, x: &[C::Num]| context.sub(&x[0], &x[1]);
    two_pieces(2, |context: &C, x| context.max(&x[0], &x[1]), gap, |_, v| [v[0].clone(), v[1].clone()])
}

/// Returns `min : ℝ × ℝ ⇝ ℝ`, `-max(-x, -y)`.
#[must_use]
pub fn minimum<C: Context>() -> Tower<C> {
    let gap = |context: &C, x: &[C::Num]| context.sub(&x[1], &x[0]);
    two_pieces(2, |context: &C, x| context.min(&x[0], &x[1]), gap, |_, v| [v[0].clone(), v[1].clone()])
}

/// Returns `|·| : ℝ ⇝ ℝ`, `max(x, -x)` with a value that is tight on boxes.
#[must_use]
pub fn absolute<C: Context>() -> Tower<C> {
    let branches = |context: &C, v: &[C::Num]| [v[0].clone(), context.neg(&v[0])];
    two_pieces(1, |context: &C, x| context.abs(&x[0]), |_, x| x[0].clone(), branches)
}

/// Returns `relu : ℝ ⇝ ℝ`, `max(x, 0)` (S §2.3).
#[must_use]
pub fn relu<C: Context>() -> Tower<C> {
    Tower::lazy(1, 1, || Tower::identity(1).pair(&Tower::zero(1, 1))?.then(&maximum()))
}

/// Returns `sgn : ℝ ⇝ ℝ`: 1, -1, and [-1, 1] at 0. Its derivatives are 0 away from 0 and ⊥ at 0, where it is not Lipschitz.
#[must_use]
pub fn signum<C: Context>() -> Tower<C> {
    Tower::new(1, 1, |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
        Ok(vec![match (directions, context.sign(&x[0])) {
            ([], _) => context.signum(&x[0]),
            (_, Sign::Undecided) => context.bottom(),
            _ => context.enclose_integer(0),
        }])
    })
}

/// A linear map ℝⁿ → ℝᵐ with rational coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearMap {
    inputs: usize,
    /// The non-zero coefficients of each component of the result, by increasing index.
    rows: Vec<Vec<(usize, Rational)>>,
}

impl LinearMap {
    /// Returns the linear map with these non-zero integer coefficients.
    pub(super) fn from_sparse_rows(inputs: usize, rows: impl IntoIterator<Item = Vec<(usize, i64)>>) -> Self {
        let row = |r: Vec<(usize, i64)>| r.into_iter().map(|(j, c)| (j, Rational::from(c))).collect();
        Self { inputs, rows: rows.into_iter().map(row).collect() }
    }

    /// Returns the linear map with these matrix rows, each of n coefficients.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] for a row of another length.
    pub fn from_rows(inputs: usize, rows: &[Vec<Rational>]) -> Result<Self, TowerError> {
        let mut sparse = Vec::with_capacity(rows.len());
        for (i, row) in rows.iter().enumerate() {
            check_dimension(TowerOperand::Row(i), inputs, row.len())?;
            sparse.push(row.iter().cloned().enumerate().filter(|(_, c)| !c.is_zero()).collect());
        }
        Ok(Self { inputs, rows: sparse })
    }

    /// Returns the matrix of a function, from its values at the unit vectors.
    ///
    /// The function is then compared with the matrix at 0, at the negative unit vectors, and at sums and differences of
    /// multiples of two of them: a function that is not linear most often differs there. Agreement there proves nothing.
    ///
    /// # Errors
    /// [`TowerError::NotLinear`] with a place where the function is not its matrix; [`TowerError::Dimension`] when it
    /// returns vectors of different lengths.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::Rational;
    /// use smoothish_ad::smooth::tower::{LinearMap, TowerError};
    ///
    /// let difference = LinearMap::of_function(2, |x| vec![Rational::from(&x[0] - &x[1])])?;
    /// assert_eq!(difference, LinearMap::difference(1));
    /// let absolute = LinearMap::of_function(1, |x| vec![x[0].clone().abs()]);
    /// assert!(matches!(absolute, Err(TowerError::NotLinear { .. })));
    /// # Ok::<(), TowerError>(())
    /// ```
    pub fn of_function(inputs: usize, f: impl Fn(&[Rational]) -> Vec<Rational>) -> Result<Self, TowerError> {
        let unit = |i: usize, c: i64| (0..inputs).map(move |j| Rational::from(if i == j { c } else { 0 }));
        let origin = vec![Rational::new(); inputs];
        let columns: Vec<_> = (0..inputs).map(|i| f(&unit(i, 1).collect::<Vec<_>>())).collect();
        let outputs = columns.first().map_or_else(|| f(&origin).len(), Vec::len);
        for column in &columns {
            check_dimension(TowerOperand::Result, outputs, column.len())?;
        }
        let row = |i: usize| columns.iter().map(|c| c[i].clone()).collect();
        let map = Self::from_rows(inputs, &(0..outputs).map(row).collect::<Vec<_>>())?;
        let combination = |i: usize, j: usize, c: i64, d: i64| unit(i, c).zip(unit(j, d)).map(|(a, b)| a + b).collect();
        let pairs = (0..inputs).flat_map(|i| (0..inputs).map(move |j| (i, j)));
        let trials =
            pairs.flat_map(|(i, j)| [combination(i, j, -1, 0), combination(i, j, 2, 3), combination(i, j, 5, -7)]);
        // The origin comes first: an affine function fails there.
        for input in std::iter::once(origin.clone()).chain(trials) {
            let found = f(&input);
            check_dimension(TowerOperand::Result, outputs, found.len())?;
            for (component, found) in found.into_iter().enumerate() {
                let terms = map.rows[component].iter().map(|(j, c)| Rational::from(c * &input[*j]));
                let expected = terms.fold(Rational::new(), |sum, t| sum + t);
                if expected != found {
                    return Err(TowerError::NotLinear { input, component, expected, found });
                }
            }
        }
        Ok(map)
    }

    /// Returns 0 : ℝⁿ → ℝᵐ.
    #[must_use]
    pub fn zero(inputs: usize, outputs: usize) -> Self {
        Self::from_sparse_rows(inputs, (0..outputs).map(|_| Vec::new()))
    }

    /// Selects the components with these indices, each below n: (x₀, …, x_{n-1}) ↦ (x_i)_i.
    #[must_use]
    pub fn select(inputs: usize, indices: impl IntoIterator<Item = usize>) -> Self {
        Self::from_sparse_rows(inputs, indices.into_iter().map(|i| vec![(i, 1)]))
    }

    /// Returns c·id on ℝⁿ.
    #[must_use]
    pub fn scalar_multiple(n: usize, c: &Rational) -> Self {
        let row = |i| if c.is_zero() { Vec::new() } else { vec![(i, c.clone())] };
        Self { inputs: n, rows: (0..n).map(row).collect() }
    }

    /// Returns (x, y) ↦ x + y on ℝⁿ × ℝⁿ.
    #[must_use]
    pub fn sum(n: usize) -> Self {
        Self::from_sparse_rows(2 * n, (0..n).map(|i| vec![(i, 1), (n + i, 1)]))
    }

    /// Returns (x, y) ↦ x - y on ℝⁿ × ℝⁿ.
    #[must_use]
    pub fn difference(n: usize) -> Self {
        Self::from_sparse_rows(2 * n, (0..n).map(|i| vec![(i, 1), (n + i, -1)]))
    }

    /// Returns the composite `g ∘ self`, the product of the matrices.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when the dimensions do not fit.
    pub fn then(&self, g: &Self) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Composition, self.rows.len(), g.inputs)?;
        let entry = |row: &[(usize, Rational)], j: usize| {
            let terms = row.iter().filter_map(|(i, c)| {
                let inner = self.rows[*i].iter().find(|(k, _)| *k == j)?;
                Some(Rational::from(c * &inner.1))
            });
            terms.fold(Rational::new(), |sum, t| sum + t)
        };
        let rows: Vec<_> = g.rows.iter().map(|row| (0..self.inputs).map(|j| entry(row, j)).collect()).collect();
        Self::from_rows(self.inputs, &rows)
    }

    /// Returns the dimension n of the domain.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the dimension m of the codomain.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.rows.len()
    }

    /// Returns the non-zero coefficients of each component of the result, with their indices, by increasing index.
    pub fn rows(&self) -> impl Iterator<Item = &[(usize, Rational)]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// Returns the image of a box: exactly the hull of the images of its points, up to rounding, as each component occurs
    /// once in each row.
    pub(super) fn image_of_box<C: Context>(&self, context: &C, x: &[C::Num]) -> EnclosureVector<C> {
        let component = |row: &Vec<(usize, Rational)>| {
            let term = |(j, c): &(usize, Rational)| {
                // ±1 need no rounding.
                if *c == 1 {
                    x[*j].clone()
                } else if *c == -1 {
                    context.neg(&x[*j])
                } else {
                    context.mul(&context.enclose_rational(c), &x[*j])
                }
            };
            let sum = row.iter().map(term).reduce(|a, b| context.add(&a, &b));
            sum.unwrap_or_else(|| context.enclose_integer(0))
        };
        self.rows.iter().map(component).collect()
    }
}

impl<C: Context> TowerRule<C> for LinearMap {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        Ok(match directions {
            [] => self.image_of_box(context, x),
            [v] => self.image_of_box(context, v),
            // Structurally 0, whatever the directions: S §4.3 defines it so.
            _ => vec![context.enclose_integer(0); self.rows.len()],
        })
    }
}

impl<C: Context> Tower<C> {
    /// Returns `linear(f) : ℝⁿ ⇝ ℝᵐ` (S §4.3): f x, then f v, then 0 at every order from 2 on, whatever the directions.
    #[must_use]
    pub fn linear(f: &LinearMap) -> Self {
        Self::new(f.inputs, f.rows.len(), f.clone())
    }

    /// Returns `0 : ℝⁿ ⇝ ℝᵐ` (S §4.3).
    #[must_use]
    pub fn zero(inputs: usize, outputs: usize) -> Self {
        Self::linear(&LinearMap::zero(inputs, outputs))
    }

    /// Returns `id : ℝⁿ ⇝ ℝⁿ` (S §4.4).
    #[must_use]
    pub fn identity(n: usize) -> Self {
        Self::linear(&LinearMap::select(n, 0..n))
    }

    /// Returns `! : ℝⁿ ⇝ ℝ⁰` (S §4.4).
    #[must_use]
    pub fn terminal(n: usize) -> Self {
        Self::zero(n, 0)
    }

    /// Returns `⟨id, id⟩ : ℝⁿ ⇝ ℝⁿ × ℝⁿ`.
    #[must_use]
    pub fn diagonal(n: usize) -> Self {
        Self::linear(&LinearMap::select(n, (0..n).chain(0..n)))
    }

    /// Returns `fst : ℝᵃ × ℝᵇ ⇝ ℝᵃ` (S §4.4).
    #[must_use]
    pub fn first(a: usize, b: usize) -> Self {
        Self::linear(&LinearMap::select(a + b, 0..a))
    }

    /// Returns `snd : ℝᵃ × ℝᵇ ⇝ ℝᵇ` (S §4.4).
    #[must_use]
    pub fn second(a: usize, b: usize) -> Self {
        Self::linear(&LinearMap::select(a + b, a..a + b))
    }
}
