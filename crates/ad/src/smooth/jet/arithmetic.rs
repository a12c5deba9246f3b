//! Ring operations, division and powers of jets.

use super::{Jet, JetArithmetic};
use crate::number::context::Context;

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
    pub(super) fn product_coefficient(&self, a: &Jet<C::Num>, b: &Jet<C::Num>, monomial: usize) -> Option<C::Num> {
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
    pub(super) fn recurrence_residual(
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
    pub(super) fn power_beyond(&self, a: &Jet<C::Num>, value: C::Num, p: i64, q: u32) -> Jet<C::Num> {
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
