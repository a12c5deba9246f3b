//! Composition with a power series: `f(a₀ + n) = Σ f_j nʲ` for a nilpotent n.

use super::{Jet, JetArithmetic};
use crate::number::context::Context;

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
    pub(super) fn series_power(&self, a: &Jet<C::Num>, p: u32) -> Jet<C::Num> {
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
