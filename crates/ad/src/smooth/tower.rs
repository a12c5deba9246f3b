//! Derivative towers, literally: a map is all of its derivatives ([Sherman et al. 2021], §4).
//!
//! A tower `f : ℝⁿ ⇝ ℝᵐ` is a family of maps `f⁽ᵏ⁾ : ℝⁿ × (ℝⁿ)ᵏ → ℝᵐ`, k ∈ ℕ: the kth derivative at a point along k
//! directions. Composition is Faà di Bruno's formula, a sum over set partitions. This module is the *reference*: slow, and
//! as close to the printed definitions as they can be run. Questions are answered by [`jet`](super::jet); the tests compare the
//! two.
//!
//! | here | in the paper (S) |
//! |---|---|
//! | [`Tower`], [`Tower::derivative`] | a derivative tower, `f⁽ᵏ⁾(x; v₁, …, v_k)`, §4.2 |
//! | [`Tower::derivative_matrix`] | Mat_k, §4.2 |
//! | [`Tower::zero`], [`Tower::linear`] | `0` and `linear(f)`, §4.3; [`LinearMap`] is the f |
//! | [`Tower::fold_der`] | `foldDer(f, g)`, §4.3 |
//! | [`primitive`], [`kink`] | the primitives of §4.3.1 and Fig. 2; max, §4.3.2 (E6) |
//! | [`Tower::prime`], [`Tower::value_map`] | `f′` and `f⁽⁰⁾`, §4.3.3, §4.3.4 |
//! | [`Tower::identity`], [`Tower::terminal`], [`Tower::first`], [`Tower::second`] | `id`, `!`, `fst`, `snd`, §4.4 |
//! | [`Tower::pair`], [`Tower::then`] | `⟨f, g⟩`, and `g ∘ f` as `f.then(&g)`, §4.4 |
//! | [`Tower::then_linear`], [`Tower::after_linear`] | the right-hand sides of Props. 4.2 and 4.3 |
//! | [`partitions`] | H(S), the partitions of a set, §4.4 |
//! | [`Tower::of_graph`] | ⟦·⟧ of Fig. 4 |
//! | [`consistency`] | successive consistency, Def. 4.1, as a refuter |
//!
//! **Interval inputs.** A tower is evaluated on enclosures. S §4.4 extends `g⁽ⁿ⁾` from points to boxes by the hull of its
//! values. Here it is the interval evaluation of the same formula. It contains that hull, and equals it where each variable
//! occurs once; [`Tower::with_subdivision`] comes as near to it as wanted.
//!
//! **No zero is structural.** A direction of zeros is a vector of numbers that happen to be 0, and 0·⊥ = ⊥ (E42: an interval
//! that contains 0 times one with an infinite end is the whole line). So a tower may give ⊥ where jets give more: jets know
//! that a value does not depend on a direction at all.
//!
//! | map at a point | tower | jets |
//! |---|---|---|
//! | √(x²) at 0, order 1 | ⊥·0 = ⊥ (not {0}, which would exclude the Clarke derivative [-1, 1]) | ⊥ |
//! | cbrt x · cbrt x at 0, order 1 | 0·⊥ + 0·⊥ = ⊥ (the truth: x^{2/3} is not Lipschitz at 0) | ⊥ |
//! | ∂/∂y (y + √x) at x = 0 (Fig. 4 moves x along 0) | 1 + ⊥·0 = ⊥ | 1 |
//! | x·√c along x, with c a constant 0 | √c + x·(⊥·0) = ⊥ | √c = 0 |
//!
//! **Derivatives need a neighbourhood** (S §4.1). A result of [`Tower::derivative`] or ′ is defined only where the value is
//! defined for all points nearby, in the coordinates that move. The clauses of §4.3 alone do not require it where a branch
//! is left out: they have `max⁽¹⁾((1, √0); (0, ⊥)) = 0`, though `c ↦ max 1 √c` has no value for c < 0.
//!
//! In one case the jets give less. `linear(f)⁽¹⁾(⊥; v) = f v` does not use the point, so the derivative of u ↦ -u is -1 even at
//! log(-1). A derivative by jets is defined only where the map is.
//!
//! Only parts that a definition leaves out altogether are absent: the components that a linear map drops, and the orders from 2
//! on of a linear map, which the paper defines to be 0.
//!
//! Laws, each a test of `tests/analysis/tower`: the Cartesian ones (S Prop. 4.5) where both sides are maximal, overlap at kinks
//! (E43); multilinearity and symmetry where maximal; the section-retraction of (value, ′) and foldDer; isotonicity.
//!
//! Second-order primitives (integral, roots) have no tower here: [`TowerError::Unsupported`].
//!
//! [Sherman et al. 2021]: https://doi.org/10.1145/3434284

mod choice;
mod compose;
pub mod consistency;
pub mod elementary;
pub mod error;
mod fold_der;
pub mod graph;
mod guard;
pub mod jets;
pub mod kink;
pub mod linear;
mod matrix;
pub mod partitions;
pub mod primitive;
mod refine;

pub use error::{TowerError, TowerOperand};
pub use linear::LinearMap;

use crate::number::context::Context;
use crate::stack::with_stack;
use error::check_dimension;
use std::fmt;
use std::sync::Arc;

/// A vector of enclosures.
pub type EnclosureVector<C> = Vec<<C as Context>::Num>;
/// The derivatives `f⁽ˢ⁾(x; v_S)` for all subsets S of the directions. Bit i of the index tells whether S contains direction i.
pub type DerivativeTable<C> = Vec<EnclosureVector<C>>;

/// A definition of a tower by its derivatives. Callers check the dimensions of point and directions first.
pub trait TowerRule<C: Context>: Send + Sync {
    /// Returns `f⁽ᵏ⁾(x; v₁, …, v_k)`, with k the number of directions.
    ///
    /// # Errors
    /// See [`Tower::derivative`].
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError>;

    /// Returns the derivatives along every subset of the directions, which a composition needs.
    ///
    /// By default each is a [`TowerRule::derivative_along`]. A rule that shares work between them overrides this.
    ///
    /// # Errors
    /// See [`Tower::derivative`].
    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        (0..1 << directions.len())
            .map(|s| self.derivative_along(context, x, &select_directions(directions, s)))
            .collect()
    }
}

impl<C: Context, F> TowerRule<C> for F
where
    F: Fn(&C, &[C::Num], &[&[C::Num]]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync,
{
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        self(context, x, directions)
    }
}

/// Returns the directions whose bits are set.
fn select_directions<'v, T>(directions: &[&'v [T]], bits: usize) -> Vec<&'v [T]> {
    directions.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, v)| *v).collect()
}

/// A derivative tower `ℝⁿ ⇝ ℝᵐ`; see the [module](self). Cheap to clone.
pub struct Tower<C: Context> {
    inputs: usize,
    outputs: usize,
    /// The definition; `None` only while the tower is dropped.
    rule: Option<Arc<dyn TowerRule<C>>>,
}

impl<C: Context> Tower<C> {
    /// Defines a tower by its rule `(x, (v₁, …, v_k)) ↦ f⁽ᵏ⁾(x; v₁, …, v_k)`.
    ///
    /// Nothing is checked about the rule but the dimension of its results.
    pub fn new(inputs: usize, outputs: usize, rule: impl TowerRule<C> + 'static) -> Self {
        Self { inputs, outputs, rule: Some(Arc::new(rule)) }
    }

    /// Returns the dimension n of the domain.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the dimension m of the codomain.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the value `f⁽⁰⁾(x)`.
    ///
    /// # Errors
    /// As for [`Tower::derivative`].
    pub fn value_at(&self, x: &[C::Num], context: &C) -> Result<EnclosureVector<C>, TowerError> {
        self.derivative(x, &[], context)
    }

    /// Returns the k-th derivative `f⁽ᵏ⁾(x; v₁, …, v_k)`, with k the number of directions (S §4.2).
    ///
    /// | argument | shape | meaning |
    /// |---|---|---|
    /// | `x` | n | the point |
    /// | `directions` | k vectors of n | v₁, …, v_k, in the units of the domain |
    /// | result | m | units of the codomain |
    ///
    /// Where the map is k times continuously differentiable the result is multilinear and symmetric in the directions. On
    /// a kink it is the hull of the branches at order 1 and ⊥ beyond.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when a vector does not fit; [`TowerError::Unsupported`] when the derivative of a
    /// primitive from outside, which is built when it is first needed, contains a construct without a tower.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Context, Double};
    /// use smoothish_ad::smooth::tower::{Tower, primitive};
    ///
    /// let product: Tower<Double> = primitive::product();
    /// let vector = |x: i64, y: i64| vec![Double.enclose_integer(x), Double.enclose_integer(y)];
    /// // (xy)⁽²⁾((a, b), (c, d)) = ad + bc
    /// let second = product.derivative(&vector(7, 8), &[vector(1, 2), vector(3, 4)], &Double)?;
    /// assert_eq!(Double.to_enclosure(&second[0]).lo().to_f64(), 10.0);
    /// assert!(product.derivative(&vector(7, 8), &[vec![]], &Double).is_err());
    /// # Ok::<(), smoothish_ad::smooth::tower::TowerError>(())
    /// ```
    pub fn derivative(
        &self,
        x: &[C::Num],
        directions: &[EnclosureVector<C>],
        context: &C,
    ) -> Result<EnclosureVector<C>, TowerError> {
        check_dimension(TowerOperand::Point, self.inputs, x.len())?;
        for (i, v) in directions.iter().enumerate() {
            check_dimension(TowerOperand::Direction(i), self.inputs, v.len())?;
        }
        let directions: Vec<_> = directions.iter().map(Vec::as_slice).collect();
        let result = self.evaluate(context, x, &directions)?;
        self.require_neighbourhood(context, x, &directions, result)
    }

    /// Marks a derivative as undefined unless the value is defined for all points near `x`, in the coordinates that some
    /// direction moves.
    ///
    /// A map that does not use its argument has derivatives even where its argument has no value: those stay.
    fn require_neighbourhood(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
        result: EnclosureVector<C>,
    ) -> Result<EnclosureVector<C>, TowerError> {
        let is_zero = |n: &C::Num| context.is_point(n) && context.contains_zero(n);
        let moves = |i: usize| directions.iter().any(|v| !is_zero(&v[i]));
        // Only coordinates that move are widened: along a zero direction nothing has to be differentiable.
        let near: Vec<_> =
            x.iter().enumerate().map(|(i, x)| if moves(i) { context.inflate_slightly(x) } else { x.clone() }).collect();
        let defined = |value: &C::Num| context.is_defined(value);
        // A value needs no neighbourhood.
        if directions.is_empty() {
            return Ok(result);
        }
        let beside = self.evaluate(context, &near, &[])?;
        if beside.iter().all(defined) {
            return Ok(result);
        }
        // Lost is what has a value here and none nearby. Without a value here, the rule itself decides.
        let here = self.evaluate(context, x, &[])?;
        let lost = beside.iter().zip(&here).map(|(beside, here)| defined(here) && !defined(beside));
        Ok(result.into_iter().zip(lost).map(|(y, lost)| if lost { context.mark_undefined(y) } else { y }).collect())
    }

    /// Like [`Tower::derivative`], for dimensions known to fit and without the test of a neighbourhood.
    fn evaluate(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<EnclosureVector<C>, TowerError> {
        let Some(rule) = &self.rule else { return Ok(vec![context.bottom(); self.outputs]) };
        let result = with_stack(|| rule.derivative_along(context, x, directions))?;
        check_dimension(TowerOperand::Result, self.outputs, result.len())?;
        Ok(result)
    }

    /// Returns the derivatives along every subset of the directions, for dimensions known to fit.
    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        let Some(rule) = &self.rule else {
            return Ok(vec![vec![context.bottom(); self.outputs]; 1 << directions.len()]);
        };
        let table = with_stack(|| rule.derivative_table(context, x, directions))?;
        for result in &table {
            check_dimension(TowerOperand::Result, self.outputs, result.len())?;
        }
        Ok(table)
    }
}

impl<C: Context> Clone for Tower<C> {
    fn clone(&self) -> Self {
        Self { inputs: self.inputs, outputs: self.outputs, rule: self.rule.clone() }
    }
}

impl<C: Context> Drop for Tower<C> {
    fn drop(&mut self) {
        // Rules hold towers, and these rules: dropping may recurse deeply.
        let rule = self.rule.take();
        with_stack(|| drop(rule));
    }
}

impl<C: Context> fmt::Debug for Tower<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tower(ℝ^{} ⇝ ℝ^{})", self.inputs, self.outputs)
    }
}
