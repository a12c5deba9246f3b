//! Pairing and composition (S §4.4).

use super::error::check_dimension;
use super::partitions::SetPartitions;
use super::{DerivativeTable, EnclosureVector, LinearMap, Tower, TowerError, TowerOperand, TowerRule};
use crate::number::context::Context;

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
