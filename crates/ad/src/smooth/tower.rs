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
//! | [`primitive`] | the primitives of §4.3.1 and Fig. 2; max, §4.3.2 (E6) |
//! | [`Tower::prime`], [`Tower::value_map`] | `f′` and `f⁽⁰⁾`, §4.3.3, §4.3.4 |
//! | [`Tower::identity`], [`Tower::terminal`], [`Tower::first`], [`Tower::second`] | `id`, `!`, `fst`, `snd`, §4.4 |
//! | [`Tower::pair`], [`Tower::then`] | `⟨f, g⟩`, and `g ∘ f` as `f.then(&g)`, §4.4 |
//! | [`Tower::then_linear`], [`Tower::after_linear`] | the right-hand sides of Props. 4.2 and 4.3 |
//! | [`graph`] | H(S), the partitions of a set, §4.4 |
//! | [`Tower::of_graph`] | ⟦·⟧ of Fig. 4 |
//! | [`functional`] | `⟦integral01⟧`, `⟦cutRoot⟧`, `⟦firstRoot⟧`, `⟦argmax01⟧`, `⟦max01⟧`, §5.2 |
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
//! Laws, each a test of `crates/laws/tests/laws/tower`: the Cartesian ones (S Prop. 4.5) where both sides are maximal, overlap at kinks
//! (E43); multilinearity and symmetry where maximal; the section-retraction of (value, ′) and foldDer; isotonicity.
//!
//! The second-order primitives of S §5.2 (integral, roots, optima) are towers by their printed clauses, in [`functional`].
//!
//! [Sherman et al. 2021]: https://doi.org/10.1145/3434284
//!
//! # The choice between two maps by the sign of a third; ⊥ if
//!
//! The choice between two maps by the sign of a third; ⊥ if the sign is undecided.
//!
//! The paper's language has no conditional on real numbers (S §8.1); this is the tower of one. A guard that is decided at a
//! point is decided nearby. So every derivative is that of the side taken, and the other side is not evaluated.
//!
//! # Pairing and composition
//!
//! Pairing and composition (S §4.4).
//!
//! # foldDer and ′
//!
//! foldDer and ′, the two halves of a tower (S §4.3, §4.3.3, §4.3.4).
//!
//! # Towers with a permission test before each evaluation
//!
//! Towers with a permission test before each evaluation. A tower shares nothing between its parts, so it may take very long.
//!
//! # Derivatives as matrices
//!
//! Mat_k: a derivative as a matrix, if it is one (S §4.2).
//!
//! # The hull extension of S §4
//!
//! The hull extension of S §4.4, approximated by subdivision.

pub mod consistency;
pub mod functional;
pub mod graph;
pub mod primitive;

use crate::number::arithmetic::{Context, Sign};
use crate::stack::with_stack;
pub use graph::{FunctionalClauses, TowerError, TowerOperand};
use graph::{SetPartitions, check_dimension};
pub use primitive::LinearMap;
use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, OnceLock};

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
#[doc(alias = "tower")]
pub struct Tower<C: Context> {
    inputs: usize,
    outputs: usize,
    /// The definition; `None` only while the tower is dropped.
    rule: Option<Arc<dyn TowerRule<C>>>,
}

impl<C: Context> Tower<C> {
    /// Defines a tower by its rule `(x, (v₁, …, v_k)) ↦ f⁽ᵏ⁾(x; v₁, …, v_k)`.
    ///
    /// Only the dimension of the rule's results is checked.
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
    /// [`TowerError::Dimension`] when a vector does not fit; [`TowerError::Unbound`] when the derivative of a
    /// primitive from outside, which is built when it is first needed, mentions an unknown variable.
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

/// The rule of a choice. Evaluation and drop are safe at any depth.
struct GuardedChoice<C: Context> {
    /// The guard and the two sides; `None` only while the choice is dropped.
    parts: Option<[Tower<C>; 3]>,
}

impl<C: Context> Drop for GuardedChoice<C> {
    fn drop(&mut self) {
        let parts = self.parts.take();
        with_stack(|| drop(parts));
    }
}

impl<C: Context> GuardedChoice<C> {
    /// Returns the side that the sign of the guard selects. Returns `None` if the sign is undecided.
    fn selected_side(&self, context: &C, x: &[C::Num]) -> Result<Option<&Tower<C>>, TowerError> {
        let Some([guard, then, otherwise]) = &self.parts else { return Ok(None) };
        let guard = guard.evaluate(context, x, &[])?;
        Ok(match guard.first().map(|g| context.sign(g)) {
            Some(Sign::Positive) => Some(then),
            Some(Sign::Negative) => Some(otherwise),
            _ => None,
        })
    }

    /// Returns the hull of both values, marked as undefined. A derivative is ⊥.
    fn undecided_result(&self, context: &C, x: &[C::Num], directions: usize) -> Result<EnclosureVector<C>, TowerError> {
        match &self.parts {
            Some([_, then, otherwise]) if directions == 0 => {
                // Either side may be taken, so both values are enclosed; neither is certain.
                let [a, b] = [then.evaluate(context, x, &[])?, otherwise.evaluate(context, x, &[])?];
                Ok(a.iter().zip(&b).map(|(a, b)| context.mark_undefined(context.hull(a, b))).collect())
            }
            _ => Ok(vec![context.bottom()]),
        }
    }
}

impl<C: Context> TowerRule<C> for GuardedChoice<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        match self.selected_side(context, x)? {
            Some(side) => side.evaluate(context, x, directions),
            None => self.undecided_result(context, x, directions.len()),
        }
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        match self.selected_side(context, x)? {
            Some(side) => side.derivative_table(context, x, directions),
            None => {
                let orders = (0..1usize << directions.len()).map(|s| s.count_ones() as usize);
                orders.map(|order| self.undecided_result(context, x, order)).collect()
            }
        }
    }
}

impl<C: Context> Tower<C> {
    /// Returns the choice of `then` where this map ℝⁿ ⇝ ℝ is positive, and of `otherwise` where it is negative. All three
    /// have one domain.
    fn select_by_sign(&self, then: &Self, otherwise: &Self) -> Self {
        let parts = Some([self.clone(), then.clone(), otherwise.clone()]);
        Self::new(self.inputs(), then.outputs(), GuardedChoice { parts })
    }
}

/// The rule of `g ∘ f`, by Faà di Bruno's formula.
struct Composition<C: Context> {
    f: Tower<C>,
    g: Tower<C>,
}

impl<C: Context> Composition<C> {
    /// Returns Σ over the partitions π of a set of directions of `g⁽ⁿ⁾(f(x); f⁽|π₁|⁾(x; v_π₁), …, f⁽|πₙ|⁾(x; v_πₙ))`.
    ///
    /// `f` holds the derivatives of f along every set of directions, `set` the bits of the directions that are used.
    fn sum_over_partitions(
        &self,
        context: &C,
        f: &DerivativeTable<C>,
        set: usize,
    ) -> Result<EnclosureVector<C>, TowerError> {
        let elements: Vec<usize> = (0..usize::BITS as usize).filter(|i| set >> i & 1 == 1).collect();
        let mut sum: Option<EnclosureVector<C>> = None;
        for partition in SetPartitions::new(elements.len()) {
            // A block of the partition is a set of directions, so its derivative of f is an entry of the table.
            let along = |block: &Vec<usize>| f[block.iter().map(|i| 1 << elements[*i]).sum::<usize>()].as_slice();
            let directions: Vec<_> = partition.iter().map(along).collect();
            let term = self.g.evaluate(context, &f[0], &directions)?;
            sum = Some(match sum {
                Some(sum) => sum.iter().zip(&term).map(|(a, b)| context.add(a, b)).collect(),
                None => term,
            });
        }
        Ok(sum.unwrap_or_default())
    }
}

impl<C: Context> TowerRule<C> for Composition<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let f = self.f.derivative_table(context, x, directions)?;
        self.sum_over_partitions(context, &f, f.len() - 1)
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        // The table of f is computed once for all sets.
        let f = self.f.derivative_table(context, x, directions)?;
        (0..f.len()).map(|set| self.sum_over_partitions(context, &f, set)).collect()
    }
}

/// A function from the k-th derivatives of some maps to that of the result.
type Combination<C> = dyn Fn(&C, &[&[<C as Context>::Num]]) -> EnclosureVector<C> + Send + Sync;

/// The rule of a map whose k-th derivative is a combination of the k-th derivatives of some maps, by one formula for all k.
struct Derivativewise<C: Context> {
    maps: Vec<Tower<C>>,
    combine: Box<Combination<C>>,
}

impl<C: Context> TowerRule<C> for Derivativewise<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let parts: Vec<_> = self.maps.iter().map(|f| f.evaluate(context, x, directions)).collect::<Result<_, _>>()?;
        Ok((self.combine)(context, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        let tables: Vec<_> =
            self.maps.iter().map(|f| f.derivative_table(context, x, directions)).collect::<Result<_, _>>()?;
        let entry = |s: usize| (self.combine)(context, &tables.iter().map(|t| t[s].as_slice()).collect::<Vec<_>>());
        Ok((0..1 << directions.len()).map(entry).collect())
    }
}

/// The rule of `g ∘ linear(f)`: point and directions are mapped by f.
struct AfterLinear<C: Context> {
    f: LinearMap,
    g: Tower<C>,
}

impl<C: Context> AfterLinear<C> {
    /// Calls `ask` with the images of point and directions.
    fn with_mapped_inputs<T>(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
        ask: impl Fn(&[C::Num], &[&[C::Num]]) -> Result<T, TowerError>,
    ) -> Result<T, TowerError> {
        let directions: Vec<_> = directions.iter().map(|v| self.f.image_of_box(context, v)).collect();
        ask(&self.f.image_of_box(context, x), &directions.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}

impl<C: Context> TowerRule<C> for AfterLinear<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        self.with_mapped_inputs(context, x, directions, |x, directions| self.g.evaluate(context, x, directions))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        self.with_mapped_inputs(context, x, directions, |x, directions| self.g.derivative_table(context, x, directions))
    }
}

impl<C: Context> Tower<C> {
    /// Returns the composite `g ∘ self : ℝⁿ ⇝ ℝᵏ`, by Faà di Bruno's formula (S §4.4):
    /// `(g ∘ f)⁽ᵏ⁾(x; v) = Σ_π g⁽|π|⁾(f(x); f⁽|π₁|⁾(x; v_π₁), …)` over the partitions π of {1, …, k}.
    ///
    /// Composition is associative and unital where both sides are maximal (S Prop. 4.5); at a kink the two bracketings
    /// may differ (E43), and both enclose the Clarke derivative.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when g does not start where `self` ends.
    #[doc(alias("Faà di Bruno", "Faa di Bruno"))]
    pub fn then(&self, g: &Self) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Composition, self.outputs, g.inputs)?;
        Ok(Self::new(self.inputs, g.outputs, Composition { f: self.clone(), g: g.clone() }))
    }

    /// Returns `⟨self, g⟩ : ℝⁿ ⇝ ℝᵐ × ℝᵏ` (S §4.4).
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when the domains differ.
    pub fn pair(&self, g: &Self) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Domains, self.inputs, g.inputs)?;
        let rule = Derivativewise { maps: vec![self.clone(), g.clone()], combine: Box::new(|_, parts| parts.concat()) };
        Ok(Self::new(self.inputs, self.outputs + g.outputs, rule))
    }

    /// Returns `linear(g) ∘ self` by the right-hand side of S Prop. 4.2: `x; v ↦ g(f⁽ᵏ⁾(x; v))`. Always equal to
    /// `self.then(&Tower::linear(g))`, as the orders from 2 on of a linear map are 0.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when g does not start where `self` ends.
    pub fn then_linear(&self, g: &LinearMap) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Composition, self.outputs, g.inputs())?;
        let (outputs, g) = (g.outputs(), g.clone());
        let combine: Box<Combination<C>> = Box::new(move |context, parts| g.image_of_box(context, parts[0]));
        Ok(Self::new(self.inputs, outputs, Derivativewise { maps: vec![self.clone()], combine }))
    }

    /// Returns `self ∘ linear(f)` by the right-hand side of S Prop. 4.3: `x; v ↦ g⁽ᵏ⁾(f x; f v₁, …, f v_k)`.
    ///
    /// Equal to `Tower::linear(f).then(self)` where that is maximal. Otherwise at least as defined: the composite has
    /// terms in which a direction is 0, and those are ⊥ where 0 meets a ⊥ (E42).
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when `self` does not start where f ends.
    pub fn after_linear(&self, f: &LinearMap) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Composition, f.outputs(), self.inputs)?;
        Ok(Self::new(f.inputs(), self.outputs, AfterLinear { f: f.clone(), g: self.clone() }))
    }

    /// Returns `self + g`, that is `linear(+) ∘ ⟨self, g⟩` (S Prop. 4.2).
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when domains or codomains differ.
    pub fn plus(&self, g: &Self) -> Result<Self, TowerError> {
        check_dimension(TowerOperand::Codomains, self.outputs, g.outputs)?;
        self.pair(g)?.then_linear(&LinearMap::sum(self.outputs))
    }
}

/// The rule of `foldDer(f, g)`.
struct FoldDer<C: Context, F> {
    /// f
    value: F,
    /// g
    derivative: Tower<C>,
}

impl<C: Context, F> FoldDer<C, F> {
    /// Calls `ask` with the point and the directions of g: `(x, v₁)`; `(v₂, 0), …, (v_k, 0)`.
    fn with_lifted_directions<T>(
        context: &C,
        x: &[C::Num],
        first: &[C::Num],
        others: &[&[C::Num]],
        ask: impl FnOnce(&[C::Num], &[&[C::Num]]) -> T,
    ) -> T {
        let zero = vec![context.enclose_integer(0); x.len()];
        let others: Vec<_> = others.iter().map(|v| [*v, &zero].concat()).collect();
        ask(&[x, first].concat(), &others.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}

impl<C: Context, F: Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync> TowerRule<C>
    for FoldDer<C, F>
{
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        match directions {
            [] => (self.value)(context, x),
            [first, others @ ..] => Self::with_lifted_directions(context, x, first, others, |x, others| {
                self.derivative.evaluate(context, x, others)
            }),
        }
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        // Each set of directions is computed with its least element as the first direction.
        let mut table = vec![Vec::new(); 1 << directions.len()];
        table[0] = (self.value)(context, x)?;
        for (least, first) in directions.iter().enumerate() {
            let others = &directions[least + 1..];
            let rest = Self::with_lifted_directions(context, x, first, others, |x, others| {
                self.derivative.derivative_table(context, x, others)
            })?;
            for (set, result) in rest.into_iter().enumerate() {
                // `set` is a set of the directions behind `least`.
                table[(set << 1 | 1) << least] = result;
            }
        }
        Ok(table)
    }
}

/// The nesting depth of lazy towers in one evaluation, at most. A choice: a productive tower is as deep as the order of the
/// derivative times the depth of the definitions.
const DEEPEST: u32 = 2000;

thread_local! {
    /// The nesting depth of lazy towers on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The rule of a tower that is built at its first evaluation.
struct LazyTower<C: Context, F> {
    build: F,
    built: OnceLock<Result<Tower<C>, TowerError>>,
}

impl<C: Context, F: Fn() -> Result<Tower<C>, TowerError>> LazyTower<C, F> {
    /// Builds the tower, if necessary, and passes it to `question`.
    ///
    /// # Errors
    /// [`TowerError::Unproductive`] if lazy towers are nested deeper than [`DEEPEST`], those of building, and those of
    /// `question`.
    fn with_built<T>(&self, question: impl FnOnce(&Tower<C>) -> Result<T, TowerError>) -> Result<T, TowerError> {
        let depth = DEPTH.get();
        if depth >= DEEPEST {
            return Err(TowerError::Unproductive);
        }
        /// Restores the depth, also if a primitive panics: the thread may catch it and go on.
        struct RestoredDepth(u32);
        impl Drop for RestoredDepth {
            fn drop(&mut self) {
                DEPTH.set(self.0);
            }
        }
        let _restored = RestoredDepth(depth);
        DEPTH.set(depth + 1);
        with_stack(|| question(self.built.get_or_init(&self.build).as_ref().map_err(Clone::clone)?))
    }
}

impl<C: Context, F: Fn() -> Result<Tower<C>, TowerError> + Send + Sync> TowerRule<C> for LazyTower<C, F> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        self.with_built(|f| f.evaluate(context, x, directions))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        self.with_built(|f| f.derivative_table(context, x, directions))
    }
}

/// The rule of `f′`.
struct Prime<C: Context>(Tower<C>);

impl<C: Context> TowerRule<C> for Prime<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let f = &self.0;
        let (x, v) = x.split_at(f.inputs);
        let moved: Vec<_> = directions.iter().map(|d| d.split_at(f.inputs)).collect();
        let points: Vec<_> = moved.iter().map(|(dx, _)| *dx).collect();
        let mut along = vec![v];
        along.extend(&points);
        // The chain rule in x and v: f⁽ᵏ⁺¹⁾ along v and all dx, plus f⁽ᵏ⁾ with one dx replaced by its dv.
        let mut sum = f.evaluate(context, x, &along)?;
        for (j, (_, dv)) in moved.iter().enumerate() {
            let mut along = points.clone();
            along[j] = dv;
            let term = f.evaluate(context, x, &along)?;
            sum = sum.iter().zip(&term).map(|(a, b)| context.add(a, b)).collect();
        }
        // f′ is a derivative itself, so its value needs the neighbourhood that f⁽¹⁾ needs.
        f.require_neighbourhood(context, x, &[v], sum)
    }
}

impl<C: Context> Tower<C> {
    /// Returns `foldDer(f, g) : A ⇝ B` for `f : A → B` and `g : A × A ⇝ B` (S §4.3):
    /// `f` at order 0, and `(x; v₁, …, v_{k+1}) ↦ g⁽ᵏ⁾((x, v₁); (v₂, 0), …, (v_{k+1}, 0))` at order k + 1.
    ///
    /// The analogue of `cons` for streams. A map that occurs in its own derivative is made by [`Tower::lazy`].
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when the domain of g is not of the form A × A. A value of the wrong dimension is found
    /// when it is computed.
    #[doc(alias = "foldDer")]
    pub fn fold_der(
        value: impl Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync + 'static,
        derivative: &Self,
    ) -> Result<Self, TowerError> {
        let inputs = derivative.inputs / 2;
        check_dimension(TowerOperand::Derivative, 2 * inputs, derivative.inputs)?;
        let rule = FoldDer { value, derivative: derivative.clone() };
        Ok(Self::new(inputs, derivative.outputs, rule))
    }

    /// Returns a tower that is built at its first evaluation, and then kept.
    ///
    /// This makes self-reference well-founded, as the tail of a lazy stream does (S §4.3.1). The dimensions are those of
    /// the tower to be built. A tower that is defined as itself, with no `foldDer` in between, fails at evaluation with
    /// [`TowerError::Unproductive`].
    #[doc(alias("evens", "odds", "productive recursion"))]
    pub fn lazy(
        inputs: usize,
        outputs: usize,
        build: impl Fn() -> Result<Self, TowerError> + Send + Sync + 'static,
    ) -> Self {
        let checked = move || {
            let built = build()?;
            check_dimension(TowerOperand::Domains, inputs, built.inputs)?;
            check_dimension(TowerOperand::Codomains, outputs, built.outputs)?;
            Ok(built)
        };
        Self::new(inputs, outputs, LazyTower { build: checked, built: OnceLock::new() })
    }

    /// Returns the value `f⁽⁰⁾ : A → B`, in the form that [`Tower::fold_der`] takes.
    pub fn value_map(
        &self,
    ) -> impl Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync + 'static {
        let f = self.clone();
        move |context, x| f.evaluate(context, x, &[])
    }

    /// Returns the derivative `f′ : A × A ⇝ B`, `(x, v) ↦ f⁽¹⁾(x; v)`, with all its own derivatives (S §4.3.3):
    /// `f′⁽ᵏ⁾((x, v); (dx_i, dv_i)_i) = f⁽ᵏ⁺¹⁾(x; v, dx₁, …, dx_k) + Σ_j f⁽ᵏ⁾(x; dx₁, …, dv_j, …, dx_k)`.
    ///
    /// `fold_der(f.value_map(), f.prime())` is f; `fold_der(f, g).prime()` is g only where g is linear in v (S §4.3.4).
    #[must_use]
    pub fn prime(&self) -> Self {
        Self::new(2 * self.inputs, self.outputs, Prime(self.clone()))
    }

    /// Returns the tangent map `A × A ⇝ B × B`, `(x, v) ↦ (f(x), f′(x, v))`.
    #[must_use]
    pub fn with_derivative(&self) -> Self {
        let (n, f) = (self.inputs, self.clone());
        Self::lazy(2 * n, 2 * self.outputs, move || f.after_linear(&LinearMap::select(2 * n, 0..n))?.pair(&f.prime()))
    }
}

/// The rule of a guarded tower. Evaluation and drop are safe at any depth.
struct Guarded<C: Context, F> {
    /// The tower; `None` only while it is dropped.
    f: Option<Tower<C>>,
    /// The permission, by the number of directions and the precision in bits.
    may_evaluate: F,
}

impl<C: Context, F> Drop for Guarded<C, F> {
    fn drop(&mut self) {
        let f = self.f.take();
        with_stack(|| drop(f));
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool> Guarded<C, F> {
    /// Returns the tower if it may be evaluated.
    fn if_permitted(&self, context: &C, directions: usize) -> Result<&Tower<C>, TowerError> {
        self.f.as_ref().filter(|_| (self.may_evaluate)(directions, context.precision())).ok_or(TowerError::Exhausted)
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool + Send + Sync> TowerRule<C> for Guarded<C, F> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let f = self.if_permitted(context, directions.len())?;
        with_stack(|| f.evaluate(context, x, directions))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        let f = self.if_permitted(context, directions.len())?;
        with_stack(|| f.derivative_table(context, x, directions))
    }
}

impl<C: Context> Tower<C> {
    /// Returns a tower that asks `may` before each evaluation, with the number of directions and the precision in bits.
    ///
    /// An evaluation that is not permitted fails with [`TowerError::Exhausted`].
    #[must_use]
    pub fn with_permission(&self, may: impl Fn(usize, u32) -> bool + Send + Sync + 'static) -> Self {
        Self::new(self.inputs(), self.outputs(), Guarded { f: Some(self.clone()), may_evaluate: may })
    }
}

impl<C: Context> Tower<C> {
    /// Returns Mat_k(f⁽ᵏ⁾)(x): the vectors `f⁽ᵏ⁾(x; e_{i₁}, …, e_{i_k})`, ordered by (i₁, …, i_k). Returns `None` for ⊥.
    ///
    /// The matrix is ⊥ if no matrix M has `f⁽ᵏ⁾(x; v₁, …, v_k) = M·(v₁ ⊗ … ⊗ v_k)`. It is refuted by an entry that is
    /// unbounded, undefined or not narrow (wider than half the digits of the precision allow). It is also refuted by
    /// directions where the two sides are disjoint, or the left one is not narrow. So max⁽¹⁾ has a matrix off the diagonal
    /// and none on it. `Some` means that nothing refuted it.
    ///
    /// # Errors
    /// As for [`Tower::derivative`].
    #[doc(alias = "Mat_k")]
    pub fn derivative_matrix(
        &self,
        k: usize,
        x: &[C::Num],
        context: &C,
    ) -> Result<Option<Vec<EnclosureVector<C>>>, TowerError> {
        let n = self.inputs();
        let unit =
            |i: usize| (0..n).map(|j| context.enclose_integer(i64::from(i == j))).collect::<EnclosureVector<C>>();
        let mut indices = vec![Vec::new()];
        for _ in 0..k {
            indices = indices.iter().flat_map(|index| (0..n).map(move |i| [index.as_slice(), &[i]].concat())).collect();
        }
        let mut entries = Vec::with_capacity(indices.len());
        for index in &indices {
            let entry = self.derivative(x, &index.iter().map(|i| unit(*i)).collect::<Vec<_>>(), context)?;
            if !entry.iter().all(|c| is_narrow(context, c)) {
                return Ok(None);
            }
            entries.push(entry);
        }
        // Three sets of directions with small integer coefficients, the same in every run: a choice, not a proof of
        // multilinearity.
        for trial in 0..if k == 0 { 0 } else { 3i64 } {
            let weight = |slot: usize, i: usize| (slot as i64 + 2 * trial + 3 * i as i64) % 7 - 3;
            let directions: Vec<EnclosureVector<C>> =
                (0..k).map(|slot| (0..n).map(|i| context.enclose_integer(weight(slot, i))).collect()).collect();
            let found = self.derivative(x, &directions, context)?;
            for (component, found) in found.iter().enumerate() {
                let mut expected = context.enclose_integer(0);
                for (index, entry) in indices.iter().zip(&entries) {
                    let weight = index.iter().enumerate().map(|(slot, i)| weight(slot, *i)).product();
                    expected = context.add(&expected, &context.mul_integer(&entry[component], weight));
                }
                let agree = context.intersect(found, &expected).is_some();
                if !agree || !is_narrow(context, found) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(entries))
    }
}

/// Returns `true` if an enclosure is defined and narrow enough to be taken for a number: to half of the digits.
fn is_narrow<C: Context>(context: &C, x: &C::Num) -> bool {
    let size = context.magnitude(x).max(context.magnitude(&context.enclose_integer(1)));
    context.is_defined(x)
        && context.is_bounded(x)
        && context.width(x) <= size.mul_exp2(-i64::from(context.precision() / 2))
}

/// The rule of a tower evaluated on subboxes.
struct Refinement<C: Context> {
    f: Tower<C>,
    pieces: u32,
}

impl<C: Context> Refinement<C> {
    /// Splits the bounded interval `x`, unless it is a point, into `pieces` parts that cover it. Any other `x` is the only
    /// part.
    fn split_interval(&self, context: &C, x: &C::Num) -> EnclosureVector<C> {
        let (Some(lower), Some(upper)) = (context.lower(x), context.upper(x)) else { return vec![x.clone()] };
        if context.is_point(x) {
            return vec![x.clone()];
        }
        let step = context.div_integer(&context.sub(&upper, &lower), u64::from(self.pieces));
        let inner = (1..self.pieces).map(|i| {
            // Rounding may move a cut beyond the ends: it is clamped.
            let cut = context.midpoint(&context.add(&lower, &context.mul_integer(&step, i64::from(i))));
            context.min(&context.max(&cut, &lower), &upper)
        });
        let cuts: Vec<_> = std::iter::once(lower.clone()).chain(inner).chain([upper.clone()]).collect();
        let part = |ends: &[C::Num]| {
            // Parts of an interval that is not known to be defined are not either.
            let part = context.hull(&ends[0], &ends[1]);
            if context.is_defined(x) { part } else { context.mark_undefined(part) }
        };
        cuts.windows(2).map(part).collect()
    }

    /// Returns the hull of the results over all choices of parts for the components from `position` on. Restores `box_`.
    fn hull_over_parts(
        &self,
        context: &C,
        box_: &mut EnclosureVector<C>,
        position: usize,
    ) -> Result<EnclosureVector<C>, TowerError> {
        let Some(component) = box_.get(position).cloned() else {
            let (x, directions) = box_.split_at(self.f.inputs());
            let directions: Vec<_> = match self.f.inputs() {
                0 => Vec::new(),
                n => directions.chunks(n).collect(),
            };
            return self.f.evaluate(context, x, &directions);
        };
        let mut hull: Option<EnclosureVector<C>> = None;
        for part in self.split_interval(context, &component) {
            box_[position] = part;
            let result = self.hull_over_parts(context, box_, position + 1)?;
            // Sequential hull: the number of boxes is exponential in the number of intervals, but only one is kept.
            hull = Some(match hull {
                Some(hull) => hull.iter().zip(&result).map(|(a, b)| context.hull(a, b)).collect(),
                None => result,
            });
        }
        box_[position] = component;
        Ok(hull.unwrap_or_default())
    }
}

impl<C: Context> TowerRule<C> for Refinement<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        if self.f.inputs() == 0 {
            return self.f.evaluate(context, x, directions);
        }
        let mut components = [&[x], directions].concat().concat();
        self.hull_over_parts(context, &mut components, 0)
    }
}

impl<C: Context> Tower<C> {
    /// Returns the same tower with a tighter extension to boxes, nearer to `hull {f⁽ᵏ⁾(y; w) | y ∈ x, w ∈ v}` (S §4.4). Every
    /// interval among point and directions is cut into `pieces` parts, and the hull is taken over all boxes of parts.
    ///
    /// On points nothing changes. For a Lipschitz formula the excess over the hull falls like 1/`pieces`; the cost is
    /// `pieces` to the number of intervals that are not points.
    #[must_use]
    pub fn with_subdivision(&self, pieces: u32) -> Self {
        Self::new(self.inputs(), self.outputs(), Refinement { f: self.clone(), pieces: pieces.max(1) })
    }
}
