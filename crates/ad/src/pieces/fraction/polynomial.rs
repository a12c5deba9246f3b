//! Polynomials in atoms.

use crate::number::Rational;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The largest number of terms. A choice, as the next: normal forms give up before they get slow.
const MOST_TERMS: usize = 400;
/// The largest number of bits of a numerator or denominator.
const MOST_BITS: u32 = 1 << 14;

/// A monomial: pairs (number of an atom, power), in increasing order of atoms.
pub(super) type AtomMonomial = Vec<(u32, u32)>;

/// A polynomial over ℚ in atoms. No stored coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtomPolynomial(pub(super) BTreeMap<AtomMonomial, Rational>);

impl AtomPolynomial {
    pub(super) fn constant(q: Rational) -> Self {
        let mut terms = BTreeMap::new();
        if q != 0 {
            terms.insert(AtomMonomial::new(), q);
        }
        Self(terms)
    }

    pub(super) fn from_atom(number: u32) -> Self {
        Self(BTreeMap::from([(vec![(number, 1)], Rational::from(1))]))
    }

    pub(super) fn square_of_atom(number: u32) -> Self {
        Self(BTreeMap::from([(vec![(number, 2)], Rational::from(1))]))
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn as_constant(&self) -> Option<Rational> {
        match self.0.first_key_value() {
            None => Some(Rational::new()),
            Some((powers, q)) => (self.0.len() == 1 && powers.is_empty()).then(|| q.clone()),
        }
    }

    pub(super) fn add_term(&mut self, powers: AtomMonomial, q: &Rational) -> Option<()> {
        // checked before adding: a product of short numbers may be long
        if q.numer().significant_bits().max(q.denom().significant_bits()) > MOST_BITS {
            return None;
        }
        let sum = self.0.remove(&powers).unwrap_or_default() + q;
        if sum != 0 {
            self.0.insert(powers, sum);
        }
        (self.0.len() <= MOST_TERMS).then_some(())
    }

    pub(super) fn add_multiple(&self, other: &Self, factor: i32) -> Option<Self> {
        let mut sum = self.clone();
        for (powers, q) in &other.0 {
            sum.add_term(powers.clone(), &Rational::from(q * factor))?;
        }
        Some(sum)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        // at most 16 products per remaining term are worth multiplying out
        if self.0.len().saturating_mul(other.0.len()) > MOST_TERMS * 16 {
            return None;
        }
        let mut product = Self::default();
        for (a, p) in &self.0 {
            for (b, q) in &other.0 {
                product.add_term(multiply_monomials(a, b)?, &Rational::from(p * q))?;
            }
        }
        Some(product)
    }

    /// Divides by the number `scale`, and by the powers `common` of atoms, which must divide every term.
    pub(super) fn divide_monomial(&self, common: &FxHashMap<u32, u32>, scale: &Rational) -> Self {
        let less = |powers: &AtomMonomial| {
            let rest = powers.iter().map(|(atom, power)| (*atom, power - common.get(atom).unwrap_or(&0)));
            rest.filter(|(_, power)| *power > 0).collect()
        };
        Self(self.0.iter().map(|(powers, q)| (less(powers), Rational::from(q / scale))).collect())
    }

    /// Returns `true` if the square of `atom`, or of any atom for `None`, divides some term.
    pub(super) fn has_square(&self, atom: Option<u32>) -> bool {
        let is_square = |(a, power): &(u32, u32)| *power > 1 && atom.is_none_or(|atom| *a == atom);
        self.0.keys().any(|powers| powers.iter().any(is_square))
    }

    /// Replaces the square of the atom `root` by `square`, as often as it occurs. Returns `None` if the result is too
    /// large.
    pub(super) fn reduce_square(&self, root: u32, square: &Self) -> Option<Self> {
        if !self.has_square(Some(root)) {
            return Some(self.clone());
        }
        let mut found = Self::default();
        for (powers, q) in &self.0 {
            let squares = powers.iter().find(|(atom, _)| *atom == root).map_or(0, |(_, power)| power / 2);
            let rest = powers.iter().filter_map(|&(atom, power)| {
                let left = if atom == root { power % 2 } else { power };
                (left > 0).then_some((atom, left))
            });
            let mut term = Self(BTreeMap::from([(rest.collect::<AtomMonomial>(), q.clone())]));
            for _ in 0..squares {
                term = term.times(square)?;
            }
            found = found.add_multiple(&term, 1)?;
        }
        Some(found)
    }

    /// Returns the formal derivative along an atom, with the other atoms constant.
    pub(super) fn derivative(&self, atom: u32) -> Option<Self> {
        let mut slope = Self::default();
        for (powers, q) in &self.0 {
            let Some(place) = powers.iter().position(|(a, _)| *a == atom) else { continue };
            let (mut lower, power) = (powers.clone(), powers[place].1);
            match power {
                1 => drop(lower.remove(place)),
                _ => lower[place].1 -= 1,
            }
            slope.add_term(lower, &Rational::from(q * power))?;
        }
        Some(slope)
    }
}

/// Multiplies two monomials. Returns `None` if a power overflows.
fn multiply_monomials(a: &[(u32, u32)], b: &[(u32, u32)]) -> Option<AtomMonomial> {
    let mut powers: BTreeMap<u32, u32> = a.iter().copied().collect();
    for (atom, power) in b {
        let sum = powers.entry(*atom).or_default();
        *sum = sum.checked_add(*power)?;
    }
    Some(powers.into_iter().collect())
}
