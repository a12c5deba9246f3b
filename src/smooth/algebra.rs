//! Truncated polynomial (Weil) algebras: ℝ[ε₁, …, ε_m] modulo all but finitely many monomials.
//!
//! A smooth map extends uniquely to every Weil algebra, and its value there holds its derivatives (S §4.3, read as
//! power series): over ℝ[ε]/ε², `f(x + vε) = f(x) + f⁽¹⁾(x; v)ε`; over ℝ[t]/t^{p+1}, `f(m + ht)` has the Taylor
//! coefficients. An [`Algebra`] is the index set of monomials with its multiplication table. Algebras are built by
//! adjoining one generator at a time; the monomials of the smaller algebra are a prefix of those of the larger, so
//! an element of the one *is* an element of the other.

use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How a generator is adjoined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generator {
    /// ε with ε² = 0: a direction of differentiation.
    Infinitesimal,
    /// t with t^{p+1} = 0: a direction of Taylor expansion. Monomials whose total degree in Taylor generators exceeds
    /// p are dropped as well.
    Taylor(u32),
}

/// One term `left · right` of a product.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The index of the monomial taken from the left factor.
    pub left: u32,
    /// The index of the monomial taken from the right factor.
    pub right: u32,
}

#[derive(Debug)]
struct Monomial {
    exponents: Vec<u32>,
    degree: u32,
    taylor: u32,
}

/// A Weil algebra; see the [module](self).
#[derive(Debug)]
pub struct Algebra {
    monomials: Vec<Monomial>,
    terms: Vec<Term>,
    starts: Vec<u32>,
    taylor_generators: Vec<bool>,
    slices: Vec<Vec<(u32, u32)>>,
    extensions: Mutex<FxHashMap<Generator, Arc<Algebra>>>,
}

impl Algebra {
    /// ℝ itself: one monomial, 1.
    #[must_use]
    pub fn real() -> Arc<Self> {
        let one = Monomial { exponents: Vec::new(), degree: 0, taylor: 0 };
        Self::build(vec![one], Vec::new(), Vec::new())
    }

    /// The algebra with one more generator. The same call gives the same algebra.
    #[must_use]
    pub fn adjoin(&self, generator: Generator) -> Arc<Self> {
        let mut known = self.extensions.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(generator).or_insert_with(|| self.extend(generator)).clone()
    }

    fn extend(&self, generator: Generator) -> Arc<Self> {
        let (height, is_taylor) = match generator {
            Generator::Infinitesimal => (1, false),
            Generator::Taylor(p) => (p, true),
        };
        let mut monomials = Vec::new();
        let mut slices = Vec::new();
        for power in 0..=height {
            let mut slice = Vec::new();
            for (index, m) in (0..).zip(&self.monomials) {
                if power > 0 && is_taylor && m.taylor + power > height {
                    continue;
                }
                let mut exponents = m.exponents.clone();
                exponents.push(power);
                slice.push((index, monomials.len() as u32));
                let taylor = m.taylor + if is_taylor { power } else { 0 };
                monomials.push(Monomial { exponents, degree: m.degree + power, taylor });
            }
            slices.push(slice);
        }
        let mut taylor_generators = self.taylor_generators.clone();
        taylor_generators.push(is_taylor);
        Self::build(monomials, taylor_generators, slices)
    }

    fn build(monomials: Vec<Monomial>, taylor_generators: Vec<bool>, slices: Vec<Vec<(u32, u32)>>) -> Arc<Self> {
        let index: FxHashMap<&[u32], u32> = (0..).zip(&monomials).map(|(i, m)| (m.exponents.as_slice(), i)).collect();
        let mut products: Vec<Vec<Term>> = monomials.iter().map(|_| Vec::new()).collect();
        let mut sum = Vec::new();
        for (left, a) in (0..).zip(&monomials) {
            for (right, b) in (0..).zip(&monomials) {
                sum.clear();
                sum.extend(a.exponents.iter().zip(&b.exponents).map(|(i, j)| i + j));
                if let Some(&product) = index.get(sum.as_slice()) {
                    products[product as usize].push(Term { left, right });
                }
            }
        }
        let mut starts = vec![0];
        let mut terms = Vec::new();
        for product in products {
            terms.extend(product);
            starts.push(terms.len() as u32);
        }
        drop(index);
        Arc::new(Self { monomials, terms, starts, taylor_generators, slices, extensions: Mutex::default() })
    }

    /// The number of monomials.
    #[must_use]
    pub fn len(&self) -> usize {
        self.monomials.len()
    }

    /// An algebra always has the monomial 1.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The total degree of a monomial.
    #[must_use]
    pub fn degree(&self, monomial: usize) -> u32 {
        self.monomials[monomial].degree
    }

    /// The number of coefficient operations in one multiplication.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.terms.len() as u64
    }

    /// The exponents of a monomial, one for each generator.
    #[must_use]
    pub fn exponents(&self, monomial: usize) -> &[u32] {
        &self.monomials[monomial].exponents
    }

    /// The monomial with the given exponents.
    #[must_use]
    pub fn index(&self, exponents: &[u32]) -> Option<usize> {
        self.monomials.iter().position(|m| m.exponents == exponents)
    }

    /// The largest total degree.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.monomials.iter().map(|m| m.degree).max().unwrap_or(0)
    }

    /// All pairs of monomials whose product is `monomial`, by increasing left index: the first is `(1, monomial)`, the
    /// last `(monomial, 1)`.
    #[must_use]
    pub fn products(&self, monomial: usize) -> &[Term] {
        &self.terms[self.starts[monomial] as usize..self.starts[monomial + 1] as usize]
    }

    /// Which generators divide a monomial, as flags by generator.
    pub fn generators(&self, monomial: usize) -> impl Iterator<Item = usize> + '_ {
        let exponents = &self.monomials[monomial].exponents;
        exponents.iter().enumerate().filter(|(_, e)| **e > 0).map(|(g, _)| g)
    }

    /// The number of generators.
    #[must_use]
    pub fn generator_count(&self) -> usize {
        self.taylor_generators.len()
    }

    /// Whether the monomial is a product of Taylor generators alone (1 included).
    #[must_use]
    pub fn is_taylor(&self, monomial: usize) -> bool {
        self.monomials[monomial].degree == self.monomials[monomial].taylor
    }

    /// The monomials with the given power of the last generator, as pairs (index in the algebra before that generator
    /// was adjoined, index here).
    #[must_use]
    pub fn slice(&self, power: usize) -> &[(u32, u32)] {
        self.slices.get(power).map_or(&[], Vec::as_slice)
    }

    /// The index of the last generator itself.
    #[must_use]
    pub fn generator(&self) -> usize {
        self.slice(1).first().map_or(0, |(_, here)| *here as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_a_univariate_algebra_are_the_convolution() {
        let a = Algebra::real().adjoin(Generator::Taylor(4));
        assert_eq!(a.len(), 5);
        assert_eq!(
            a.products(3).iter().map(|t| (t.left, t.right)).collect::<Vec<_>>(),
            [(0, 3), (1, 2), (2, 1), (3, 0)]
        );
    }

    #[test]
    fn the_smaller_algebra_is_a_prefix() {
        let a = Algebra::real().adjoin(Generator::Infinitesimal);
        let b = a.adjoin(Generator::Taylor(3));
        assert_eq!(b.slice(0), [(0, 0), (1, 1)]);
        assert_eq!(b.slice(3), [(0, 6), (1, 7)]);
        assert_eq!(b.products(3).len(), 4); // εt = 1·εt = ε·t = t·ε = εt·1
    }

    #[test]
    fn taylor_generators_share_one_degree() {
        let a = Algebra::real().adjoin(Generator::Taylor(3)).adjoin(Generator::Taylor(3));
        assert_eq!(a.len(), 10); // monomials of total degree ≤ 3 in two variables
        let c = a.adjoin(Generator::Infinitesimal);
        assert_eq!(c.len(), 20);
        assert!(!c.is_taylor(c.generator()));
    }
}
