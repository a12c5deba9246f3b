//! Jets: elements of a Weil algebra whose coefficients are enclosures.
//!
//! A coefficient is `None` if it is *structurally* zero: the value does not depend on that direction at all. Only a
//! structural zero times ⊥ is 0 (E42): a computed 0 times ⊥ is ⊥. A jet may be shorter than its algebra; missing
//! coefficients are structurally zero, so a constant is a jet of length 1 in every algebra.
//!
//! Coefficients are Taylor coefficients (derivatives divided by factorials). Each elementary function is computed by
//! one recurrence: with E the Euler derivation, `E(ε^α) = |α|·ε^α`, a function with `y′ = h` satisfies `E y = h·E a`,
//! which determines `y` degree by degree (Moore 1966, by one pass over the multiplication table of any graded algebra).
//!
//! # Ring operations
//!
//! Ring operations, division and powers of jets.
//!
//! # Composition with a power series
//!
//! `f(a₀ + n) = Σ f_j nʲ` for a nilpotent n.
//!
//! # max, min
//!
//! max, min, abs and signum of jets: Clarke's rules (S §4.1, §4.3.2, E6).
//!
//! Away from a kink the result is the jet of the branch that is taken. If the branch is undecided, the value is still
//! enclosed; a coefficient of total degree 1 is the hull of those of the branches; one of higher degree is ⊥ (S10),
//! unless it is structurally zero.
//!
//! # Elementary functions of jets
//!
//! Elementary functions of jets, by the differential equation in the row of each function.
//!
//! | derivative | recurrence |
//! |---|---|
//! | a formula in x | the formula first, then E y = slope · E a |
//! | a polynomial in y, or in functions with such derivatives: exp, tan, sin with cos | all of them together, degree by degree |
//! | of a root | y^n = a, which has half as many products |
//! | of log Γ and its derivatives | each is the next function at x: those that contribute to the result, from the last one down |
//! | two formulas, of two arguments | E y = slope · E a + slope · E b |
//! | any other formula in x and y | the first method, once per degree: each round makes one more degree right |

use crate::function::{BinaryShape, Formula, FormulaStep, Function, Planar};
use crate::number::arithmetic::{Context, Sign};
use crate::number::budget;
use crate::number::budget::Budget;
use crate::smooth::algebra::Algebra;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

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
        let limbs = budget::limb_count(self.context.precision());
        if limbs > 8 {
            let units = budget::product_units(limbs).saturating_mul(self.algebra.factor_pairs(monomial).len() as u64);
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

/// Returns `true` if a jet has at most two coefficients: then it is cheaper to visit these than the multiplication
/// table.
fn is_sparse<N: Clone>(a: &Jet<N>) -> bool {
    a.coefficients().flatten().take(3).count() < 3
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Returns a + b.
    #[must_use]
    pub fn add(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
            return Jet::constant(self.context.add(x, y));
        }
        Jet::new((0..a.len().max(b.len())).map(|i| match (a.get(i), b.get(i)) {
            (Some(x), Some(y)) => Some(self.context.add(x, y)),
            (x, y) => x.or(y).cloned(),
        }))
    }

    /// Returns a - b.
    #[must_use]
    pub fn subtract(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
            return Jet::constant(self.context.sub(x, y));
        }
        Jet::new((0..a.len().max(b.len())).map(|i| match (a.get(i), b.get(i)) {
            (Some(x), Some(y)) => Some(self.context.sub(x, y)),
            (x, None) => x.cloned(),
            (None, Some(y)) => Some(self.context.neg(y)),
        }))
    }

    /// Maps every stored coefficient.
    #[must_use]
    pub fn map_coefficients(&self, a: &Jet<C::Num>, f: impl Fn(&C::Num) -> C::Num) -> Jet<C::Num> {
        if let Some(x) = a.as_number() {
            return Jet::constant(f(x));
        }
        Jet::new(a.coefficients().map(|c| c.map(&f)))
    }

    /// Returns -a.
    #[must_use]
    pub fn negate(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.map_coefficients(a, |c| self.context.neg(c))
    }

    /// Returns s·a for a number s.
    #[must_use]
    pub fn scale(&self, a: &Jet<C::Num>, s: &C::Num) -> Jet<C::Num> {
        self.map_coefficients(a, |c| self.context.mul(c, s))
    }

    /// Returns a·b.
    #[must_use]
    pub fn multiply(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        match (a.len(), b.len()) {
            (0, _) | (_, 0) => Jet::zero(),
            (1, _) => a.get(0).map_or_else(Jet::zero, |s| self.scale(b, s)),
            (_, 1) => b.get(0).map_or_else(Jet::zero, |s| self.scale(a, s)),
            _ if self.algebra.generator_count() == 1 && is_sparse(b) => self.multiply_by_sparse(a, b),
            _ if self.algebra.generator_count() == 1 && is_sparse(a) => self.multiply_by_sparse(b, a),
            _ => Jet::new((0..self.product_len(a, b)).map(|m| self.product_coefficient(a, b, m))),
        }
    }

    /// Returns a·b over a single generator, where the product of two monomials has the sum of their indices.
    fn multiply_by_sparse(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let mut y = Jet::zero();
        for (j, c) in b.coefficients().enumerate().filter_map(|(j, c)| c.map(|c| (j, c))) {
            if self.is_cut_short(self.algebra.len() - 1) {
                return Jet::new((0..self.algebra.len()).map(|_| Some(self.context.bottom())));
            }
            for i in 0..a.len().min(self.algebra.len() - j) {
                if let Some(x) = a.get(i) {
                    let term = self.context.mul(x, c);
                    y.set(i + j, Some(y.get(i + j).map_or_else(|| term.clone(), |s| self.context.add(s, &term))));
                }
            }
        }
        y
    }

    /// Returns a bound on the number of coefficients of a product.
    fn product_len(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> usize {
        if a.is_constant() {
            b.len()
        } else if b.is_constant() {
            a.len()
        } else {
            self.algebra.len()
        }
    }

    /// Returns one coefficient of a·b.
    fn product_coefficient(&self, a: &Jet<C::Num>, b: &Jet<C::Num>, monomial: usize) -> Option<C::Num> {
        if self.is_cut_short(monomial) {
            return Some(self.context.bottom());
        }
        let mut sum: Option<C::Num> = None;
        for t in self.algebra.factor_pairs(monomial) {
            if let (Some(x), Some(y)) = (a.get(t.left as usize), b.get(t.right as usize)) {
                self.add_product(&mut sum, x, y);
            }
        }
        sum
    }

    /// Returns x² for a number x.
    #[must_use]
    pub fn square_of(&self, x: &C::Num) -> C::Num {
        if self.is_cut_short(0) { self.context.bottom() } else { self.context.square(x) }
    }

    /// Returns a². Even coefficients contain a square of a coefficient, which is tighter than a product.
    #[must_use]
    pub fn square(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        if let Some(x) = a.as_number() {
            return Jet::constant(self.square_of(x));
        }
        let reach = self.product_len(a, a);
        Jet::new((0..reach).map(|monomial| {
            if self.is_cut_short(monomial) {
                return Some(self.context.bottom());
            }
            let mut twice: Option<C::Num> = None;
            // the table has both orders of each pair: one of them counts twice
            let mut middle = None;
            for t in self.algebra.factor_pairs(monomial) {
                if let (Some(x), Some(y)) = (a.get(t.left as usize), a.get(t.right as usize)) {
                    match t.left.cmp(&t.right) {
                        std::cmp::Ordering::Less => self.add_product(&mut twice, x, y),
                        std::cmp::Ordering::Equal => middle = Some(self.context.square(x)),
                        std::cmp::Ordering::Greater => {}
                    }
                }
            }
            match (twice, middle) {
                (Some(s), Some(m)) => Some(self.context.add(&self.context.mul_integer(&s, 2), &m)),
                (Some(s), None) => Some(self.context.mul_integer(&s, 2)),
                (None, m) => m,
            }
        }))
    }

    /// Returns a/b. If b may be 0: ⊥, with every coefficient that is not structurally zero.
    #[must_use]
    pub fn divide(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let divisor = self.value_of(b);
        // a structural 0 over b is 0 only where b is not 0
        let nought = (a.get(0).is_none() && self.context.contains_zero(&divisor))
            .then(|| self.context.div(&self.context.enclose_integer(0), &divisor));
        if b.is_constant() {
            let mut y = self.map_coefficients(a, |c| self.context.div(c, &divisor));
            if nought.is_some() {
                y.set(0, nought);
            }
            return self.defined_as_its_value(y);
        }
        let opposite = self.negate(b);
        let mut y = Jet::new([nought.or_else(|| a.get(0).map(|c| self.context.div(c, &divisor)))]);
        for monomial in 1..self.algebra.len() {
            if self.is_cut_short(monomial) {
                y.set(monomial, Some(self.context.bottom()));
                continue;
            }
            let rest = self.recurrence_residual(a, &y, &opposite, monomial);
            y.set(monomial, rest.map(|r| self.context.div(&r, &divisor)));
        }
        self.defined_as_its_value(y)
    }

    /// Returns `a_γ + Σ y_α z_β` over α + β = γ, where y has no coefficient of γ yet.
    fn recurrence_residual(
        &self,
        a: &Jet<C::Num>,
        y: &Jet<C::Num>,
        z: &Jet<C::Num>,
        monomial: usize,
    ) -> Option<C::Num> {
        let mut rest = a.get(monomial).cloned();
        for t in self.algebra.factor_pairs(monomial) {
            if let (Some(p), Some(q)) = (y.get(t.left as usize), z.get(t.right as usize)) {
                self.add_product(&mut rest, p, q);
            }
        }
        rest
    }

    /// Returns 1/a.
    #[must_use]
    pub fn reciprocal(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.divide(&Jet::constant(self.context.enclose_integer(1)), a)
    }

    /// Returns a^(p/q) for p/q in lowest terms (S74): q odd on all of ℝ, q even for a ≥ 0, negative powers away from 0.
    #[must_use]
    pub fn power(&self, a: &Jet<C::Num>, p: i64, q: u32) -> Jet<C::Num> {
        if p == 2 && q == 1 {
            return self.square(a);
        }
        // a⁰ is 1 where a is defined, and depends on nothing
        if p == 0 {
            let one = Jet::constant(self.power_value(&self.value_of(a), p, q));
            return if self.context.is_defined(&self.value_of(a)) { one } else { self.mark_undefined(one, [a]) };
        }
        // the recurrence divides by the base; the binomial series does not
        if q == 1 && p > 0 && self.context.contains_zero(&self.value_of(a)) {
            return self.defined_as_its_value(self.series_power(a, p.unsigned_abs() as u32));
        }
        let value = self.power_value(&self.value_of(a), p, q);
        if a.is_constant() {
            return Jet::constant(value);
        }
        self.defined_as_its_value(self.power_beyond(a, value, p, q))
    }

    /// Returns a power with the given value, for a jet that is not constant.
    ///
    /// The recurrence divides the value by the base. With a positive exponent that loses precision on an interval. If
    /// the base may be 0, the result is ⊥, though the function may be smooth there. Then the derivatives are taken one
    /// by one. On an interval without 0 this is done to low orders only: a long Taylor expansion gains little by it,
    /// and pays for every pass. (A root of even order has no derivative at 0: the left of 0 is outside its domain.)
    fn power_beyond(&self, a: &Jet<C::Num>, value: C::Num, p: i64, q: u32) -> Jet<C::Num> {
        // a choice: up to this order the derivatives one by one are tight and cheap
        const LOW: u32 = 4;
        let base = self.value_of(a);
        let orders = self.nilpotency_bound(&self.nilpotent_part(a)) - 1;
        let one_by_one = if self.context.contains_zero(&base) {
            q % 2 == 1
        } else {
            let half_the_digits = -i64::from(self.context.precision() / 2);
            orders <= LOW && self.context.width(&base) > self.context.magnitude(&base).mul_exp2(half_the_digits)
        };
        if p > 0 && one_by_one {
            self.power_by_derivatives(a, value, p, q, orders)
        } else {
            self.power_recurrence(a, value, p, q)
        }
    }

    /// From E y = (p/q)·a^{p/q - 1}·E a: computes as many derivatives as have a positive exponent, and at most
    /// `orders`.
    fn power_by_derivatives(&self, a: &Jet<C::Num>, value: C::Num, p: i64, q: u32, orders: u32) -> Jet<C::Num> {
        if orders == 0 || p == 0 {
            return Jet::constant(value);
        }
        if p < 0 {
            return self.power_recurrence(a, value, p, q);
        }
        let lower = p - i64::from(q);
        let slope = self.power_by_derivatives(a, self.power_value(&self.value_of(a), lower, q), lower, q, orders - 1);
        let slope =
            self.map_coefficients(&slope, |c| self.context.div_integer(&self.context.mul_integer(c, p), u64::from(q)));
        self.antiderivative(a, &slope, value)
    }

    fn power_value(&self, x: &C::Num, p: i64, q: u32) -> C::Num {
        let n = u32::try_from(p.unsigned_abs()).unwrap_or(u32::MAX);
        let root = if q == 1 { x.clone() } else { self.context.root(x, q) };
        let y = self.context.power(&root, n);
        if p < 0 { self.context.div(&self.context.enclose_integer(1), &y) } else { y }
    }

    /// Solves a·E y = (p/q)·y·E a.
    fn power_recurrence(&self, a: &Jet<C::Num>, value: C::Num, p: i64, q: u32) -> Jet<C::Num> {
        let base = self.value_of(a);
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            if self.is_cut_short(monomial) {
                y.set(monomial, Some(self.context.bottom()));
                continue;
            }
            let mut sum: Option<C::Num> = None;
            for t in self.algebra.factor_pairs(monomial) {
                let (left, right) = (t.left as usize, t.right as usize);
                if left == 0 {
                    continue;
                }
                if let (Some(x), Some(z)) = (a.get(left), y.get(right)) {
                    let weight = p.saturating_mul(i64::from(self.algebra.degree(left)))
                        - i64::from(q) * i64::from(self.algebra.degree(right));
                    let x = self.context.mul_integer(x, weight);
                    self.add_product(&mut sum, &x, z);
                }
            }
            let degree = u64::from(q) * u64::from(self.algebra.degree(monomial));
            y.set(monomial, sum.map(|s| self.context.div_integer(&self.context.div(&s, &base), degree)));
        }
        y
    }
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Returns the nilpotent part of a jet.
    #[must_use]
    pub fn nilpotent_part(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let mut n = a.clone();
        n.set(0, None);
        n
    }

    /// Returns an upper bound of the least k with nᵏ = 0, by the degrees of the coefficients that are present.
    #[must_use]
    pub fn nilpotency_bound(&self, n: &Jet<C::Num>) -> u32 {
        let mut support = vec![false; self.algebra.generator_count()];
        let mut least = u32::MAX;
        for m in 1..n.len() {
            if n.get(m).is_some() {
                self.algebra.generators_of(m).for_each(|g| support[g] = true);
                least = least.min(self.algebra.degree(m));
            }
        }
        let reachable = |m: &usize| self.algebra.generators_of(*m).all(|g| support[g]);
        let top = (1..self.algebra.len()).filter(reachable).map(|m| self.algebra.degree(m)).max();
        top.map_or(1, |top| top / least.max(1) + 1)
    }

    /// Returns Σ `coefficients[j]` nʲ by Horner's rule. A coefficient `None` is structurally zero.
    #[must_use]
    pub fn compose(&self, coefficients: &[Option<C::Num>], n: &Jet<C::Num>) -> Jet<C::Num> {
        // one power of one generator, as x + t usually is: no products of jets
        if let Some((monomial, c)) = self.only_power(n) {
            return self.compose_with_power(coefficients, monomial, c);
        }
        let mut sum = Jet::zero();
        for c in coefficients.iter().rev() {
            sum = self.multiply(&sum, n);
            if let Some(c) = c {
                let value = sum.get(0).map_or_else(|| c.clone(), |v| self.context.add(v, c));
                sum.set(0, Some(value));
            }
        }
        sum
    }

    /// Returns the index and the coefficient of `c·εᵐ`, over a single generator ε. Returns `None` for other jets.
    fn only_power<'j>(&self, n: &'j Jet<C::Num>) -> Option<(usize, &'j C::Num)> {
        let mut present = n.coefficients().enumerate().filter_map(|(m, c)| c.map(|c| (m, c)));
        let only = present.next().filter(|(m, _)| *m > 0)?;
        (self.algebra.generator_count() == 1 && present.next().is_none()).then_some(only)
    }

    /// Returns Σ `coefficients[j]` cʲ ε^{mj}, where each power of c is computed once.
    fn compose_with_power(&self, coefficients: &[Option<C::Num>], monomial: usize, c: &C::Num) -> Jet<C::Num> {
        let mut sum = Jet::zero();
        let mut power = None;
        for (j, f) in coefficients.iter().enumerate().take_while(|(j, _)| j * monomial < self.algebra.len()) {
            if j > 0 {
                power = Some(power.map_or_else(|| c.clone(), |p| self.context.mul(&p, c)));
            }
            if let Some(f) = f {
                let term = power.as_ref().map_or_else(|| f.clone(), |p| self.context.mul(f, p));
                sum.set(j * monomial, Some(term));
            }
        }
        sum
    }

    /// Returns aᵖ as Σ binomial(p, j) a₀^{p-j} nʲ: every power of a₀ is as tight as a power of one variable.
    fn series_power(&self, a: &Jet<C::Num>, p: u32) -> Jet<C::Num> {
        let base = self.value_of(a);
        let n = self.nilpotent_part(a);
        let count = self.nilpotency_bound(&n).min(p + 1);
        let mut binomial = self.context.enclose_integer(1);
        let mut coefficients = Vec::with_capacity(count as usize);
        for j in 0..count {
            coefficients.push(Some(self.context.mul(&binomial, &self.context.power(&base, p - j))));
            binomial =
                self.context.div_integer(&self.context.mul_integer(&binomial, i64::from(p - j)), u64::from(j) + 1);
        }
        self.compose(&coefficients, &n)
    }
}

/// A branch of a kink or of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KinkBranch {
    /// The left argument of max or min; `a` itself for abs a; the result of a choice where its guard holds.
    Left,
    /// The right argument of max or min; `-a` for abs a; the result of a choice where its guard fails.
    Right,
    /// Not decided at this precision on this input.
    Undecided,
}

impl KinkBranch {
    /// Returns the branch for the sign of the number that decides it.
    #[must_use]
    pub fn from_sign(sign: Sign) -> Self {
        match sign {
            Sign::Positive => Self::Left,
            Sign::Negative => Self::Right,
            Sign::Undecided => Self::Undecided,
        }
    }

    /// Returns the branch for the order of that number and 0.
    #[must_use]
    pub fn from_order(order: Ordering) -> Self {
        match order {
            Ordering::Greater => Self::Left,
            Ordering::Less => Self::Right,
            Ordering::Equal => Self::Undecided,
        }
    }

    /// Returns the alternative of this branch. Returns `None` for an undecided one.
    pub fn choose_between<T>(self, left: T, right: T) -> Option<T> {
        match self {
            Self::Left => Some(left),
            Self::Right => Some(right),
            Self::Undecided => None,
        }
    }

    /// Returns the branch that is not taken.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Undecided => Self::Undecided,
        }
    }
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Returns max(a, b) for an undecided branch.
    #[must_use]
    pub fn undecided_maximum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.max(&self.value_of(a), &self.value_of(b)), a, b)
    }

    /// Returns min(a, b) for an undecided branch.
    #[must_use]
    pub fn undecided_minimum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.min(&self.value_of(a), &self.value_of(b)), a, b)
    }

    /// Returns |a| for an undecided sign of a.
    #[must_use]
    pub fn undecided_abs(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.abs(&self.value_of(a)), a, &self.negate(a))
    }

    /// Returns the sign of a. If undecided, its derivatives are ⊥.
    #[must_use]
    pub fn signum(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.signum(&self.value_of(a));
        match self.context.sign(&self.value_of(a)) {
            Sign::Positive | Sign::Negative => Jet::constant(value),
            Sign::Undecided => self.bottom_beyond(value, &[a]),
        }
    }

    /// Returns a or b by an undecided guard: the hull of both, not certainly defined, and without derivatives. The
    /// result depends on all generators of the guard.
    #[must_use]
    pub fn undecided_choice(&self, guard: &Jet<C::Num>, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.mark_undefined(self.context.hull(&self.value_of(a), &self.value_of(b)));
        self.bottom_beyond(value, &[guard, a, b])
    }

    /// Returns the hull of two branches at order 1, ⊥ beyond.
    #[must_use]
    pub fn clarke_hull(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.hull_to_order(value, a, b, 1)
    }

    /// Returns the hull of two branches up to an order, ⊥ beyond, for branches whose derivatives of lower order agree
    /// where they meet.
    #[must_use]
    pub fn hull_to_order(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>, order: u32) -> Jet<C::Num> {
        let defined = self.context.is_defined(&value);
        // ⊥ first; the orders that the branches bound are filled in below
        let mut y = self.bottom_beyond(value, &[a, b]);
        for monomial in 1..y.len() {
            if self.algebra.degree(monomial) <= order && y.get(monomial).is_some() {
                // a structural zero on one branch is a number 0 in the hull
                let zero = self.context.enclose_integer(0);
                let hull = self.context.hull(a.get(monomial).unwrap_or(&zero), b.get(monomial).unwrap_or(&zero));
                y.set(monomial, Some(if defined { hull } else { self.context.mark_undefined(hull) }));
            }
        }
        y
    }
}

/// One of several functions that are each other's derivatives, computed up to some degree.
struct CoupledFunction<N> {
    function: Function,
    value: Jet<N>,
    /// The derivative, unless it is one of the unknowns itself.
    slope: Jet<N>,
}

/// Returns `true` if a derivative is a polynomial, of degree at most 2 in each variable, in the functions found; adds
/// them to `found`.
fn is_polynomial_system(slope: &Formula, found: &mut SmallVec<[Function; 2]>) -> bool {
    match slope {
        Formula::Y | Formula::Number(_, 1) => true,
        Formula::Apply(f, Formula::X) => {
            found.contains(f) || {
                found.push(*f);
                // two functions at most: sine and cosine
                found.len() <= 2 && is_polynomial_system(&f.slope_formula(), found)
            }
        }
        Formula::Negate(a) => is_polynomial_system(a, found),
        Formula::Square(a) => matches!(a, Formula::Y) && is_polynomial_system(a, found),
        Formula::Add(a, b) | Formula::Subtract(a, b) => {
            is_polynomial_system(a, found) && is_polynomial_system(b, found)
        }
        _ => false,
    }
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Applies an elementary function to a jet.
    #[must_use]
    pub fn apply_function(&self, f: Function, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.apply_function(f, &self.value_of(a));
        if a.is_constant() {
            return Jet::constant(value);
        }
        let slope = f.slope_formula();
        let y = match f.root_degree() {
            Some(2) => self.square_root(a, value),
            Some(n) => self.power_beyond(a, value, 1, n.into()),
            _ if f.derivative_function().is_some() => self.derivative_sequence(f, a, value),
            _ => {
                let mut found = smallvec![f];
                if is_polynomial_system(&slope, &mut found) {
                    self.solve_coupled(a, value, &found)
                } else {
                    // a slope that mentions y is right up to the degree to which y is
                    let rounds = if slope.mentions_value() { self.algebra.max_degree() } else { 1 };
                    (0..rounds).fold(Jet::constant(value.clone()), |y, _| {
                        self.antiderivative(a, &self.evaluate_formula(&slope, &[a], &y), value.clone())
                    })
                }
            }
        };
        self.defined_as_its_value(y)
    }

    /// Applies a function of two variables. If it may not be smooth at the arguments, only its value is known.
    #[must_use]
    pub fn apply_binary(&self, f: Planar, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let (at, beside) = (self.value_of(a), self.value_of(b));
        let value = self.context.apply_binary_function(f, &at, &beside);
        if a.is_constant() && b.is_constant() {
            return Jet::constant(value);
        }
        if !self.context.is_smooth_near(f, &at, &beside) {
            return self.bottom_beyond(value, &[a, b]);
        }
        self.integrate_slopes(f.slope_formulas(), a, b, value)
    }

    /// Returns `true` if the arguments may lie on either side of a jump of the function, by the sign of the first one,
    /// and where the function is defined.
    #[must_use]
    pub fn may_jump(&self, f: Planar, a: &Jet<C::Num>, b: &Jet<C::Num>) -> bool {
        let (at, beside) = (self.value_of(a), self.value_of(b));
        match f.row().shape {
            BinaryShape::Angle => {
                !self.context.is_smooth_near(f, &at, &beside) && self.context.sign(&beside) == Sign::Negative
            }
        }
    }

    /// Applies a function on one side of a jump, continued smoothly to the other side.
    #[must_use]
    pub fn beside_jump(&self, f: Planar, side: KinkBranch, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        match f.row().shape {
            BinaryShape::Angle => {
                let angle = || self.apply_function(Function::Atan, &self.divide(a, b));
                let half_turn = Jet::constant(self.context.pi());
                match side {
                    KinkBranch::Left => self.add(&angle(), &half_turn),
                    KinkBranch::Right => self.subtract(&angle(), &half_turn),
                    KinkBranch::Undecided => self.apply_binary(f, a, b),
                }
            }
        }
    }

    /// Returns the function of two jets with these partial derivatives and the given value.
    #[must_use]
    pub fn integrate_slopes(
        &self,
        slopes: &[Formula; 2],
        a: &Jet<C::Num>,
        b: &Jet<C::Num>,
        value: C::Num,
    ) -> Jet<C::Num> {
        let value = Jet::constant(value);
        let along = |slope: &Formula, x: &Jet<C::Num>| {
            if x.is_constant() {
                return Jet::zero();
            }
            let y =
                self.antiderivative(x, &self.evaluate_formula(slope, &[a, b], &value), self.context.enclose_integer(0));
            self.nilpotent_part(&y)
        };
        let y = self.add(&along(&slopes[0], a), &along(&slopes[1], b));
        self.defined_as_its_value(self.add(&value, &y))
    }

    /// Evaluates the formula of a derivative at jets; y is the value of the function.
    #[must_use]
    pub fn evaluate_formula(&self, formula: &Formula, x: &[&Jet<C::Num>], y: &Jet<C::Num>) -> Jet<C::Num> {
        formula.eval_with(&mut |step| match step {
            FormulaStep::Argument(index) => x[index].clone(),
            FormulaStep::Y => y.clone(),
            FormulaStep::Number(p, 1) => Jet::constant(self.context.enclose_integer(p.into())),
            FormulaStep::Number(p, q) => {
                Jet::constant(self.context.div_integer(&self.context.enclose_integer(p.into()), q.into()))
            }
            FormulaStep::Pi => Jet::constant(self.context.pi()),
            FormulaStep::Negate(a) => self.negate(&a),
            FormulaStep::Add(a, b) => self.add(&a, &b),
            FormulaStep::Subtract(a, b) => self.subtract(&a, &b),
            FormulaStep::Multiply(a, b) => self.multiply(&a, &b),
            FormulaStep::Divide(a, b) => self.divide(&a, &b),
            FormulaStep::Square(a) => self.square(&a),
            FormulaStep::Inverse(a) => self.reciprocal(&a),
            FormulaStep::InverseRoot(a) => self.reciprocal(&self.apply_function(Function::Sqrt, &a)),
            FormulaStep::Apply(f, a) => self.apply_function(f, &a),
        })
    }

    /// Computes the first of a sequence of functions, each the derivative of the one before. From the last one that
    /// contributes to the result, each is found up to one degree more.
    fn derivative_sequence(&self, f: Function, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let at = self.value_of(a);
        let slopes = std::iter::successors(f.derivative_function(), |f| f.derivative_function())
            .take(self.algebra.max_degree() as usize);
        let value_of = |f| if self.can_afford(f) { self.context.apply_function(f, &at) } else { self.context.bottom() };
        let slopes: Vec<_> = slopes.map(value_of).collect();
        let values = std::iter::once(value).chain(slopes).rev();
        values.fold(Jet::zero(), |slope, value| self.antiderivative(a, &slope, value))
    }

    /// Charges the budget for an additional function. Returns `false` if it should not be computed.
    fn can_afford(&self, f: Function) -> bool {
        let bits = self.context.precision();
        // in `f64` a function is fast, so only the end of the budget is checked
        self.budget.is_none_or(|budget| match bits {
            0..=64 => !budget.is_exhausted(),
            _ => budget.spend(budget::function_units(f, budget::limb_count(bits), 0)),
        })
    }

    /// Computes the first of several functions that are each other's derivatives.
    fn solve_coupled(&self, a: &Jet<C::Num>, value: C::Num, functions: &[Function]) -> Jet<C::Num> {
        let (at, change) = (self.value_of(a), self.euler_derivation(a));
        let mut unknowns: SmallVec<[CoupledFunction<C::Num>; 2]> = SmallVec::new();
        for f in functions {
            let value = if unknowns.is_empty() { value.clone() } else { self.context.apply_function(*f, &at) };
            unknowns.push(CoupledFunction { function: *f, value: Jet::constant(value), slope: Jet::zero() });
        }
        for monomial in 0..self.algebra.len() {
            if monomial > 0 {
                let next: SmallVec<[_; 2]> = (0..unknowns.len())
                    .map(|i| {
                        // all next coefficients before any is stored: they use the unknowns up to the same degree
                        let slope = slope_index(&unknowns, i).map_or(&unknowns[i].slope, |j| &unknowns[j].value);
                        self.euler_coefficient(&change, slope, monomial)
                    })
                    .collect();
                for (unknown, next) in unknowns.iter_mut().zip(next) {
                    unknown.value.set(monomial, next);
                }
            }
            for i in 0..unknowns.len() {
                if slope_index(&unknowns, i).is_none() {
                    let slope = self.formula_coefficient(&unknowns[i].function.slope_formula(), &unknowns, i, monomial);
                    unknowns[i].slope.set(monomial, slope);
                }
            }
        }
        unknowns.swap_remove(0).value
    }

    /// Returns a coefficient of a polynomial in the unknowns, where y is the one at index `own`.
    fn formula_coefficient(
        &self,
        formula: &Formula,
        unknowns: &[CoupledFunction<C::Num>],
        own: usize,
        monomial: usize,
    ) -> Option<C::Num> {
        let of = |formula| self.formula_coefficient(formula, unknowns, own, monomial);
        match formula {
            Formula::Number(p, _) => (monomial == 0).then(|| self.context.enclose_integer((*p).into())),
            Formula::Negate(a) => of(a).map(|a| self.context.neg(&a)),
            // the value is a square, so it is not negative; the other coefficients are those of a product
            Formula::Square(_) if monomial == 0 => Some(self.context.square(&self.value_of(&unknowns[own].value))),
            Formula::Square(_) => self.product_coefficient(&unknowns[own].value, &unknowns[own].value, monomial),
            Formula::Add(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(self.context.add(&a, &b)),
                (a, b) => a.or(b),
            },
            Formula::Subtract(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(self.context.sub(&a, &b)),
                (a, b) => a.or_else(|| b.map(|b| self.context.neg(&b))),
            },
            Formula::Apply(f, _) => unknowns.iter().find(|u| u.function == *f)?.value.get(monomial).cloned(),
            _ => unknowns[own].value.get(monomial).cloned(),
        }
    }

    /// Returns the y with E y = slope · E a and the given value.
    #[must_use]
    pub fn antiderivative(&self, a: &Jet<C::Num>, slope: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        let (mut y, change) = (Jet::constant(value), self.euler_derivation(a));
        for monomial in 1..self.algebra.len() {
            y.set(monomial, self.euler_coefficient(&change, slope, monomial));
        }
        y
    }

    /// Returns E a: every coefficient times its degree.
    fn euler_derivation(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        Jet::new(a.coefficients().enumerate().map(|(monomial, c)| match (self.algebra.degree(monomial), c) {
            (0, _) | (_, None) => None,
            (1, Some(c)) => Some(c.clone()),
            (degree, Some(c)) => Some(self.context.mul_integer(c, degree.into())),
        }))
    }

    /// Returns a coefficient of E⁻¹(z·w), for w = E a: `(1/|γ|) Σ w_α z_β` over α + β = γ.
    fn euler_coefficient(&self, w: &Jet<C::Num>, z: &Jet<C::Num>, monomial: usize) -> Option<C::Num> {
        if self.is_cut_short(monomial) {
            return Some(self.context.bottom());
        }
        let mut sum: Option<C::Num> = None;
        for t in self.algebra.factor_pairs(monomial) {
            if let (Some(x), Some(y)) = (w.get(t.left as usize), z.get(t.right as usize)) {
                self.add_product(&mut sum, x, y);
            }
        }
        let degree = u64::from(self.algebra.degree(monomial));
        sum.map(|s| if degree == 1 { s } else { self.context.div_integer(&s, degree) })
    }

    fn square_root(&self, a: &Jet<C::Num>, value: C::Num) -> Jet<C::Num> {
        // 2·y₀·y_γ = a_γ - Σ y_α·y_β over α, β ≠ 0, γ
        let twice = self.context.mul_integer(&value, 2);
        let mut opposite = Jet::constant(self.context.neg(&value));
        let mut y = Jet::constant(value);
        for monomial in 1..self.algebra.len() {
            let next = if self.is_cut_short(monomial) {
                Some(self.context.bottom())
            } else {
                self.recurrence_residual(a, &y, &opposite, monomial).map(|r| self.context.div(&r, &twice))
            };
            opposite.set(monomial, next.as_ref().map(|c| self.context.neg(c)));
            y.set(monomial, next);
        }
        y
    }
}

/// Returns the index of the unknown that is the derivative of the one at `own`, if any.
fn slope_index<N>(unknowns: &[CoupledFunction<N>], own: usize) -> Option<usize> {
    match unknowns[own].function.slope_formula() {
        Formula::Y => Some(own),
        Formula::Apply(f, _) => unknowns.iter().position(|u| u.function == f),
        _ => None,
    }
}
