//! Jets: elements of a Weil algebra whose coefficients are enclosures.
//!
//! A coefficient is `None` if it is *structurally* zero: the value does not depend on that direction at all. Only a
//! structural zero times ⊥ is 0 (E42): a computed 0 times ⊥ is ⊥. A jet may be shorter than its algebra; missing
//! coefficients are structurally zero, so a constant is a jet of length 1 in every algebra.
//!
//! Coefficients are Taylor coefficients (derivatives divided by factorials). Each elementary function is computed by
//! one recurrence: with E the Euler derivation, `E(ε^α) = |α|·ε^α`, a function with `y′ = h` satisfies `E y = h·E a`,
//! which determines `y` degree by degree (Moore 1966, by one pass over the multiplication table of any graded algebra).

pub mod arithmetic;
pub mod elementary;
pub mod kinks;
pub mod series;

use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::work;
use crate::smooth::algebra::Algebra;
use smallvec::SmallVec;

/// An element of a Weil algebra; see the [module](self).
#[derive(Clone, Debug)]
pub struct Jet<N>(SmallVec<[Option<N>; 4]>);

impl<N: Clone> Jet<N> {
    /// Creates a jet without nilpotent part.
    #[must_use]
    pub fn constant(value: N) -> Self {
        Self(smallvec::smallvec![Some(value)])
    }

    /// Creates the jet with the given coefficients.
    #[must_use]
    pub fn new(coefficients: impl IntoIterator<Item = Option<N>>) -> Self {
        Self(coefficients.into_iter().collect())
    }

    /// Creates the structural 0.
    #[must_use]
    pub fn zero() -> Self {
        Self(SmallVec::new())
    }

    /// Returns the coefficient of a monomial. Returns `None` if it is structurally zero.
    #[must_use]
    pub fn get(&self, monomial: usize) -> Option<&N> {
        self.0.get(monomial).and_then(Option::as_ref)
    }

    /// Sets a coefficient.
    pub fn set(&mut self, monomial: usize, value: Option<N>) {
        if monomial >= self.0.len() {
            // a structural zero beyond the end is not stored
            if value.is_none() {
                return;
            }
            self.0.resize(monomial + 1, None);
        }
        self.0[monomial] = value;
    }

    /// Returns the number of stored coefficients. Those beyond are structurally zero.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` for the structural 0, which stores nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the jet has no nilpotent part.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.0.iter().skip(1).all(Option::is_none)
    }

    /// Returns the number if nothing but a value is stored. Most jets are numbers, and need no multiplication table.
    #[must_use]
    pub fn as_number(&self) -> Option<&N> {
        match &self.0[..] {
            [value] => value.as_ref(),
            _ => None,
        }
    }

    /// Returns the stored coefficients.
    pub fn coefficients(&self) -> impl Iterator<Item = Option<&N>> {
        self.0.iter().map(Option::as_ref)
    }

    /// Drops the coefficients from `len` on.
    #[must_use]
    pub fn truncate_to(&self, len: usize) -> Self {
        Self(self.0.iter().take(len).cloned().collect())
    }
}

/// The arithmetic of one algebra at one precision.
#[derive(Clone, Copy, Debug)]
pub struct JetArithmetic<'a, C> {
    /// The arithmetic of coefficients.
    pub context: &'a C,
    /// The algebra.
    pub algebra: &'a Algebra,
    /// The limit of long operations: once it is exhausted, the remaining coefficients are ⊥.
    pub budget: Option<&'a Budget>,
}

/// The number of terms above which a multiplication takes long at any precision. A choice.
const LARGE_TABLE: u64 = 20_000;

impl<'a, C: Context> JetArithmetic<'a, C> {
    /// Creates the arithmetic of an algebra, without a budget.
    #[must_use]
    pub fn new(context: &'a C, algebra: &'a Algebra) -> Self {
        Self { context, algebra, budget: None }
    }

    /// Returns `true` if the budget is exhausted, so that the coefficient of a monomial is not computed. Checked only
    /// if computing takes long.
    fn is_cut_short(&self, monomial: usize) -> bool {
        // above 8 limbs, 512 bits, each coefficient is charged
        let limbs = work::limb_count(self.context.precision());
        if limbs > 8 {
            let units = work::product_units(limbs).saturating_mul(self.algebra.factor_pairs(monomial).len() as u64);
            return self.budget.is_some_and(|budget| !budget.spend(units));
        }
        // the work of a large table is charged beforehand, but the time may run out meanwhile
        self.algebra.product_count() > LARGE_TABLE && self.budget.is_some_and(Budget::is_exhausted)
    }

    /// Returns the value of a jet: its coefficient of 1, 0 if that is structurally zero.
    #[must_use]
    pub fn value_of(&self, a: &Jet<C::Num>) -> C::Num {
        a.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0))
    }

    /// Returns the smallest jet of intervals that contains both.
    #[must_use]
    pub fn hull(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let zero = self.context.enclose_integer(0);
        Jet::new((0..a.len().max(b.len())).map(|m| match (a.get(m), b.get(m)) {
            (None, None) => None,
            // structurally zero in one of them only: the number 0
            (a, b) => Some(self.context.hull(a.unwrap_or(&zero), b.unwrap_or(&zero))),
        }))
    }

    /// Returns the jet with ⊥ in every coefficient.
    #[must_use]
    pub fn bottom_everywhere(&self) -> Jet<C::Num> {
        Jet::new((0..self.algebra.len()).map(|_| Some(self.context.bottom())))
    }

    /// sum := sum + x·y, where `None` is a structural zero.
    fn add_product(&self, sum: &mut Option<C::Num>, x: &C::Num, y: &C::Num) {
        match sum {
            Some(s) => self.context.mul_add(s, x, y),
            None => *sum = Some(self.context.mul(x, y)),
        }
    }

    /// Returns a jet with the given value whose other coefficients are ⊥, for a map that is not smooth. Coefficients
    /// with a generator that none of `inputs` has are structurally zero.
    #[must_use]
    pub fn bottom_beyond(&self, value: C::Num, inputs: &[&Jet<C::Num>]) -> Jet<C::Num> {
        let support = self.generator_support(inputs.iter().copied());
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            if self.algebra.generators_of(monomial).all(|g| support[g]) {
                y.set(monomial, Some(self.context.bottom()));
            }
        }
        y
    }

    /// Returns for each generator whether it occurs in some of the jets.
    pub(in crate::smooth) fn generator_support<'j>(&self, jets: impl IntoIterator<Item = &'j Jet<C::Num>>) -> Vec<bool>
    where
        C: 'j,
    {
        let mut support = vec![false; self.algebra.generator_count()];
        for jet in jets {
            for monomial in (1..jet.len()).filter(|&m| jet.get(m).is_some()) {
                self.algebra.generators_of(monomial).for_each(|g| support[g] = true);
            }
        }
        support
    }

    /// Marks all coefficients of a result of `inputs` as not certainly defined.
    #[must_use]
    pub fn mark_undefined<'j>(&self, y: Jet<C::Num>, inputs: impl IntoIterator<Item = &'j Jet<C::Num>>) -> Jet<C::Num>
    where
        C: 'j,
    {
        self.mark_undefined_where(y, inputs, |_| true)
    }

    /// Marks some coefficients of a result of `inputs` as not certainly defined. A structurally zero coefficient is
    /// marked as well if the inputs vary in its generators.
    #[must_use]
    pub fn mark_undefined_where<'j>(
        &self,
        mut y: Jet<C::Num>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
        lost: impl Fn(usize) -> bool,
    ) -> Jet<C::Num>
    where
        C: 'j,
    {
        let support = self.generator_support(inputs);
        for monomial in (0..self.algebra.len()).filter(|&m| lost(m)) {
            // the inputs decide whether a structural zero is one, so it is not certain either
            let c = y.get(monomial).cloned();
            if c.is_some() || self.algebra.generators_of(monomial).all(|g| support[g]) {
                let c = c.unwrap_or_else(|| self.context.enclose_integer(0));
                y.set(monomial, Some(self.context.mark_undefined(c)));
            }
        }
        y
    }

    /// Turns a coefficient into a value of its own: a structural zero becomes the number 0. It is not certainly defined
    /// unless `source`, the number that it is a coefficient of, is.
    #[must_use]
    pub fn as_value<'j>(
        &self,
        mut slope: Jet<C::Num>,
        source: Option<&C::Num>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
    ) -> Jet<C::Num>
    where
        C: 'j,
    {
        slope.set(0, Some(self.value_of(&slope)));
        if source.is_none_or(|v| self.context.is_defined(v)) { slope } else { self.mark_undefined(slope, inputs) }
    }

    /// Marks every coefficient as not certainly defined if the value is not.
    fn defined_as_its_value(&self, mut y: Jet<C::Num>) -> Jet<C::Num> {
        if y.get(0).is_some_and(|v| !self.context.is_defined(v)) {
            for c in y.0.iter_mut().flatten() {
                *c = self.context.mark_undefined(c.clone());
            }
        }
        y
    }
}
