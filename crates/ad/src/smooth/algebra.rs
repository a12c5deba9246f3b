//! Truncated polynomial (Weil) algebras: `ℝ[ε₁, …, ε_m]` modulo all but finitely many monomials.
//!
//! A smooth map extends uniquely to every Weil algebra, and its value there holds its derivatives (S §4.3, read as
//! power series): over `ℝ[ε]/ε²`, `f(x + vε) = f(x) + f⁽¹⁾(x; v)ε`; over `ℝ[t]/t^{p+1}`, `f(m + ht)` has the Taylor
//! coefficients. An [`Algebra`] is the index set of monomials with its multiplication table. Algebras are built by
//! adjoining one generator at a time; the monomials of the smaller algebra are a prefix of those of the larger, so
//! an element of the one *is* an element of the other.
//!
//! So a jet over `ℝ[ε]` is a jet over `ℝ[ε][t]` as it stands. A value that a binder captures from outside is not
//! copied, and a constant is a jet of length 1 everywhere. An algebra has at most [`MOST_MONOMIALS`] monomials. A
//! result that needs more is ⊥, or an error if that is known beforehand.

use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The largest number of monomials of an algebra. A choice: products take up to its square in time.
pub const MOST_MONOMIALS: usize = 2048;
/// Algebras with at most this many monomials are cached, …
pub const MOST_KEPT: usize = 512;
/// … and larger ones, which take long to build, while their tables together have at most this many terms (32 MB).
const MOST_TERMS_KEPT: usize = 1 << 22;
/// The number of terms of the larger cached algebras.
static TERMS_KEPT: AtomicUsize = AtomicUsize::new(0);

/// A generator, with its truncation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AlgebraGenerator {
    /// ε with ε^{k+1} = 0: a direction of differentiation, to order k.
    Direction(u32),
    /// k generators ε whose pairwise products are 0: k directions of differentiation to order 1, side by side. The
    /// monomials with the i-th of them, from 1 on, are the [slice](Algebra::power_slice) of the power i.
    Directions(u32),
    /// t with t^{p+1} = 0: a direction of Taylor expansion. Several of these are truncated by weighted total degree:
    /// monomials with Σ eᵢ/pᵢ > 1 are dropped.
    Taylor(u32),
    /// Like `Taylor`, but the first `by` degrees have weight 0: a series that is divided by t^by loses no terms.
    Divided {
        /// p
        order: u32,
        /// The number of degrees without weight.
        by: u32,
    },
}

/// One term `left · right` of a product.
#[derive(Clone, Copy, Debug)]
pub struct FactorPair {
    /// The index of the monomial taken from the left factor.
    pub left: u32,
    /// The index of the monomial taken from the right factor.
    pub right: u32,
}

#[derive(Debug)]
struct AlgebraMonomial {
    exponents: Vec<u32>,
    degree: u32,
    /// The weighted degree Σ eᵢ/pᵢ over the Taylor generators, in units of 1/[`WHOLE`].
    share: u64,
}

/// The unit of weighted degrees.
const WHOLE: u64 = 1 << 32;

/// A Weil algebra; see the [module](self).
#[derive(Debug)]
pub struct Algebra {
    monomials: Vec<AlgebraMonomial>,
    terms: Arc<[FactorPair]>,
    starts: Vec<u32>,
    taylor_generators: Vec<bool>,
    slices: Vec<Vec<(u32, u32)>>,
    extensions: Mutex<FxHashMap<AlgebraGenerator, Arc<Algebra>>>,
}

impl Algebra {
    /// ℝ itself: one monomial, 1. Every call gives the same algebra.
    #[must_use]
    pub fn real() -> Arc<Self> {
        static REAL: LazyLock<Arc<Algebra>> = LazyLock::new(|| {
            let one = AlgebraMonomial { exponents: Vec::new(), degree: 0, share: 0 };
            Algebra::from_monomials(vec![one], Vec::new(), Vec::new())
        });
        REAL.clone()
    }

    /// Adjoins a generator. Returns `None` if the result has more than [`MOST_MONOMIALS`] monomials, or more than four
    /// times as many before truncation. Small algebras are cached, and larger ones while there is room: equal calls
    /// then give the same algebra.
    #[must_use]
    pub fn adjoin(&self, generator: AlgebraGenerator) -> Option<Arc<Self>> {
        let height = match generator {
            AlgebraGenerator::Direction(k) | AlgebraGenerator::Directions(k) => k as usize,
            AlgebraGenerator::Taylor(p) | AlgebraGenerator::Divided { order: p, .. } => p as usize,
        };
        // a cheap bound, before the monomials are listed
        if self.len().saturating_mul(height + 1) > MOST_MONOMIALS * 4 {
            return None;
        }
        let mut known = self.extensions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&generator) {
            return Some(known.clone());
        }
        let extended = self.extend(generator);
        if extended.len() > MOST_MONOMIALS {
            return None;
        }
        let terms = extended.terms.len();
        let fits = |kept: usize| (kept + terms <= MOST_TERMS_KEPT).then_some(kept + terms);
        if extended.len() <= MOST_KEPT || TERMS_KEPT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok() {
            known.insert(generator, extended.clone());
        }
        Some(extended)
    }

    fn extend(&self, generator: AlgebraGenerator) -> Arc<Self> {
        let (height, is_taylor, count) = match generator {
            AlgebraGenerator::Direction(k) => (k, false, 1),
            AlgebraGenerator::Directions(k) => (k, false, k as usize),
            AlgebraGenerator::Taylor(p) | AlgebraGenerator::Divided { order: p, .. } => (p, true, 1),
        };
        let free = if let AlgebraGenerator::Divided { by, .. } = generator { by.min(height) } else { 0 };
        let counted = height - free;
        let side_by_side = matches!(generator, AlgebraGenerator::Directions(_));
        let mut monomials = Vec::new();
        let mut slices = Vec::new();
        for power in 0..=height {
            let mut slice = Vec::new();
            for (index, m) in (0..).zip(&self.monomials) {
                let degree = u64::from(power.saturating_sub(free));
                let part = if is_taylor && counted > 0 { degree * WHOLE / u64::from(counted) } else { 0 };
                // the monomials of the smaller algebra are kept, so they stay a prefix
                if power > 0 && m.share + part > WHOLE {
                    continue;
                }
                let mut exponents = m.exponents.clone();
                let degree = if side_by_side {
                    exponents.extend((1..=height).map(|direction| u32::from(direction == power)));
                    m.degree + power.min(1)
                } else {
                    exponents.push(power);
                    m.degree + power
                };
                slice.push((index, monomials.len() as u32));
                monomials.push(AlgebraMonomial { exponents, degree, share: m.share + part });
            }
            slices.push(slice);
        }
        let mut taylor_generators = self.taylor_generators.clone();
        taylor_generators.resize(taylor_generators.len() + count, is_taylor);
        Self::from_monomials(monomials, taylor_generators, slices)
    }

    /// Returns the multiplication table of one generator. All powers share one table: the rows of a small one are a
    /// prefix.
    fn univariate_table(height: u32) -> (Arc<[FactorPair]>, Vec<u32>) {
        // kept for all threads, and extended by doubling when a longer one is needed
        static LONGEST: Mutex<Option<(u32, Arc<[FactorPair]>)>> = Mutex::new(None);
        let mut longest = LONGEST.lock().unwrap_or_else(PoisonError::into_inner);
        let table = match &*longest {
            Some((known, table)) if *known >= height => table.clone(),
            _ => {
                let longer = height.next_power_of_two().max(64);
                let rows = (0..=longer).flat_map(|m| (0..=m).map(move |left| FactorPair { left, right: m - left }));
                let table: Arc<[FactorPair]> = rows.collect();
                *longest = Some((longer, table.clone()));
                table
            }
        };
        (table, (0..=height + 1).map(|m| m * (m + 1) / 2).collect())
    }

    fn from_monomials(
        monomials: Vec<AlgebraMonomial>,
        taylor_generators: Vec<bool>,
        slices: Vec<Vec<(u32, u32)>>,
    ) -> Arc<Self> {
        if let [_] = taylor_generators[..] {
            let (terms, starts) = Self::univariate_table(monomials.len() as u32 - 1);
            return Arc::new(Self {
                monomials,
                terms,
                starts,
                taylor_generators,
                slices,
                extensions: Mutex::default(),
            });
        }
        // exponents as digits in mixed radix: a product of monomials is a sum of codes, without carries
        let mut weight = 1u128;
        let mut weights = Vec::new();
        for g in 0..taylor_generators.len() {
            weights.push(weight);
            let highest = monomials.iter().map(|m: &AlgebraMonomial| m.exponents[g]).max().unwrap_or(0);
            weight = weight.saturating_mul(2 * u128::from(highest) + 1);
        }
        let code =
            |m: &AlgebraMonomial| m.exponents.iter().zip(&weights).map(|(e, w)| u128::from(*e) * w).sum::<u128>();
        let codes: Vec<_> = monomials.iter().map(code).collect();
        let index: FxHashMap<u128, u32> = codes.iter().copied().zip(0..).collect();
        let height = monomials.iter().map(|m| m.degree).max().unwrap_or(0);
        let mut products: Vec<Vec<FactorPair>> = monomials.iter().map(|_| Vec::new()).collect();
        for (left, a) in (0..).zip(&monomials) {
            for (right, b) in (0..).zip(&monomials) {
                // beyond the largest degree there is no monomial; a cheap test before the hash table
                if a.degree + b.degree > height {
                    continue;
                }
                if let Some(&product) = index.get(&(codes[left as usize] + codes[right as usize])) {
                    products[product as usize].push(FactorPair { left, right });
                }
            }
        }
        let mut starts = vec![0];
        let mut terms = Vec::new();
        for product in products {
            terms.extend(product);
            starts.push(terms.len() as u32);
        }
        let terms = terms.into();
        Arc::new(Self { monomials, terms, starts, taylor_generators, slices, extensions: Mutex::default() })
    }

    /// The number of monomials.
    #[must_use]
    pub fn len(&self) -> usize {
        self.monomials.len()
    }

    /// Returns `false`: an algebra always has the monomial 1.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the total degree of a monomial.
    #[must_use]
    pub fn degree(&self, monomial: usize) -> u32 {
        self.monomials[monomial].degree
    }

    /// Returns the degree of a monomial in the directions of differentiation alone.
    #[must_use]
    pub fn derivative_order(&self, monomial: usize) -> u32 {
        self.direction_exponents(monomial).sum()
    }

    /// Returns the exponents of a monomial in the directions of differentiation.
    pub fn direction_exponents(&self, monomial: usize) -> impl Iterator<Item = u32> + '_ {
        let exponents = self.exponents(monomial).iter().zip(&self.taylor_generators);
        exponents.filter(|(_, taylor)| !**taylor).map(|(exponent, _)| *exponent)
    }

    /// Returns the number of coefficient products in one multiplication.
    #[must_use]
    pub fn product_count(&self) -> u64 {
        self.starts.last().copied().map_or(1, u64::from)
    }

    /// Returns the exponents of a monomial, one per generator.
    #[must_use]
    pub fn exponents(&self, monomial: usize) -> &[u32] {
        &self.monomials[monomial].exponents
    }

    /// Returns the index of the monomial with the given exponents. Returns `None` if it was truncated.
    #[must_use]
    pub fn index(&self, exponents: &[u32]) -> Option<usize> {
        self.monomials.iter().position(|m| m.exponents == exponents)
    }

    /// Returns the largest total degree.
    #[must_use]
    pub fn max_degree(&self) -> u32 {
        self.monomials.iter().map(|m| m.degree).max().unwrap_or(0)
    }

    /// Returns all pairs of monomials with the product `monomial`, by increasing left index: the first is `(1,
    /// monomial)`, the last `(monomial, 1)`.
    #[must_use]
    pub fn factor_pairs(&self, monomial: usize) -> &[FactorPair] {
        &self.terms[self.starts[monomial] as usize..self.starts[monomial + 1] as usize]
    }

    /// Returns the generators that divide a monomial, by increasing index.
    pub fn generators_of(&self, monomial: usize) -> impl Iterator<Item = usize> + '_ {
        let exponents = &self.monomials[monomial].exponents;
        exponents.iter().enumerate().filter(|(_, e)| **e > 0).map(|(g, _)| g)
    }

    /// Returns the number of generators.
    #[must_use]
    pub fn generator_count(&self) -> usize {
        self.taylor_generators.len()
    }

    /// Returns the number of Taylor generators.
    #[must_use]
    pub fn taylor_generator_count(&self) -> usize {
        self.taylor_generators.iter().filter(|t| **t).count()
    }

    /// Returns the monomials with the given power of the last generator, or with one of the last
    /// [directions](AlgebraGenerator::Directions). Pairs: index in the algebra before that generator was adjoined, index here.
    #[must_use]
    pub fn power_slice(&self, power: usize) -> &[(u32, u32)] {
        self.slices.get(power).map_or(&[], Vec::as_slice)
    }

    /// Returns, for each of the `monomials` monomials before the last generator was adjoined, the indices of its
    /// products with the powers of that generator, from 0 on.
    #[must_use]
    pub fn generator_columns(&self, monomials: usize) -> Vec<Vec<usize>> {
        let mut columns = vec![Vec::new(); monomials];
        for &(monomial, here) in self.slices.iter().flatten() {
            columns[monomial as usize].push(here as usize);
        }
        columns
    }

    /// Returns the index of the last generator as a monomial.
    #[must_use]
    pub fn last_generator(&self) -> usize {
        self.power_slice(1).first().map_or(0, |(_, here)| *here as usize)
    }
}
