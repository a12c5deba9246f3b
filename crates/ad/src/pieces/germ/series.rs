//! Truncated series in fractional powers.

use super::GermError;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph};

/// A truncated series `Σ cₖ·t^(k/m)`. Its terms are known up to some power, or all of them are.
#[derive(Clone, Debug)]
pub struct Germ {
    first_power: i64,
    coefficients: Vec<Graph>,
    /// The denominator m of all exponents.
    ramification: u32,
    /// `true` if there are no further terms; otherwise they are unknown.
    finite: bool,
}

fn is_zero(c: &Graph) -> bool {
    c.as_rational().is_some_and(|q| *q == 0)
}

fn is_one(c: &Graph) -> bool {
    c.as_rational().is_some_and(|q| *q == 1)
}

/// Returns a + sign·b, for a sign of ±1.
pub(super) fn add_coefficients(a: &Graph, b: &Graph, sign: i64) -> Graph {
    match (is_zero(a), is_zero(b)) {
        (_, true) => a.clone(),
        (true, false) => multiply_coefficients(&Graph::integer(sign), b),
        _ => Graph::binary(if sign < 0 { Binary::Subtract } else { Binary::Add }, a, b),
    }
}

/// Returns a·b. Factors 0 and 1 are simplified, which keeps the graphs of coefficients small.
pub(super) fn multiply_coefficients(a: &Graph, b: &Graph) -> Graph {
    if is_zero(a) || is_zero(b) {
        Graph::integer(0)
    } else if is_one(a) {
        b.clone()
    } else if is_one(b) {
        a.clone()
    } else {
        Graph::binary(Binary::Multiply, a, b)
    }
}

/// The largest common denominator of exponents. A choice, as the next: beyond it expansions would be too long.
pub(super) const LARGEST_RAMIFICATION: u32 = 24;
/// The largest number of terms: a sum of powers far apart would need many.
const LONGEST: i64 = 1 << 10;

fn lcm(a: u32, b: u32) -> Result<u32, GermError> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let least = (a / x).checked_mul(b).filter(|m| *m <= LARGEST_RAMIFICATION);
    least.ok_or_else(|| GermError::NoExpansion("a product or a sum of roots of so high orders".to_owned()))
}

impl Germ {
    /// Creates a constant.
    pub(super) fn constant(c: Graph) -> Self {
        Self { first_power: 0, coefficients: vec![c], ramification: 1, finite: true }
    }

    /// Creates a + b·t.
    pub(super) fn affine_germ(a: Graph, b: Graph) -> Self {
        Self { coefficients: vec![a, b], ..Self::constant(Graph::integer(0)) }
    }

    /// Creates c·t^(power/m).
    pub(super) fn monomial(power: i64, c: Graph, ramification: u32) -> Self {
        Self { first_power: power, coefficients: vec![c], ramification, finite: true }
    }

    /// Creates a series whose terms from power `first` on, in units of 1/m, are `coefficients`. Terms beyond are
    /// unknown.
    pub(super) fn from(first_power: i64, coefficients: Vec<Graph>, ramification: u32) -> Self {
        Self { first_power, coefficients, ramification, finite: false }
    }

    /// Returns the power of the first stored term, in units of 1/m.
    pub(super) fn first_power(&self) -> i64 {
        self.first_power
    }

    /// Returns the known coefficients, from the first on.
    pub(super) fn coefficients(&self) -> &[Graph] {
        &self.coefficients
    }

    /// Returns the denominator of all exponents.
    pub(super) fn ramification(&self) -> u32 {
        self.ramification
    }

    /// Returns `true` if there are no further terms.
    pub(super) fn is_finite(&self) -> bool {
        self.finite
    }

    /// Returns the first unknown power. Returns `None` if all terms are known.
    pub(super) fn first_unknown_power(&self) -> Option<i64> {
        (!self.finite).then(|| self.first_power + self.coefficients.len() as i64)
    }

    /// Returns the coefficient of a power. Returns `None` if it is unknown.
    pub(super) fn coefficient(&self, power: i64) -> Option<Graph> {
        let index = power - self.first_power;
        match usize::try_from(index).ok().map(|index| self.coefficients.get(index)) {
            None => Some(Graph::integer(0)),
            Some(Some(c)) => Some(c.clone()),
            Some(None) => self.finite.then(|| Graph::integer(0)),
        }
    }

    /// Drops leading terms, which must be 0.
    pub(super) fn drop_leading(&self, terms: usize) -> Self {
        Self {
            first_power: self.first_power + terms as i64,
            coefficients: self.coefficients[terms..].to_vec(),
            ..self.clone()
        }
    }

    /// Truncates to the powers below `power`.
    pub(super) fn truncate_below(&self, power: i64) -> Self {
        let known = usize::try_from(power - self.first_power).unwrap_or(0);
        if known >= self.coefficients.len() {
            return self.clone();
        }
        Self { coefficients: self.coefficients[..known].to_vec(), finite: false, ..self.clone() }
    }

    /// Truncates to `terms` terms for each whole power of t.
    pub(super) fn truncate_terms(self, terms: usize) -> Self {
        let most = terms * self.ramification as usize;
        if self.coefficients.len() > most { self.truncate_below(self.first_power + most as i64) } else { self }
    }

    /// Rewrites the series over a multiple of its denominator.
    pub(super) fn with_ramification(&self, ramification: u32) -> Self {
        let factor = ramification / self.ramification;
        if factor == 1 {
            return self.clone();
        }
        let between = factor as usize - 1;
        let mut coefficients = Vec::new();
        for c in &self.coefficients {
            coefficients.push(c.clone());
            coefficients.extend(std::iter::repeat_n(Graph::integer(0), between));
        }
        Self { first_power: self.first_power * i64::from(factor), coefficients, ramification, finite: self.finite }
    }

    fn align_exponents(&self, other: &Self) -> Result<[Self; 2], GermError> {
        let m = lcm(self.ramification, other.ramification)?;
        Ok([self.with_ramification(m), other.with_ramification(m)])
    }

    /// Returns `self + other` for `sign` 1, `self - other` for -1.
    ///
    /// # Errors
    /// [`GermError::NoExpansion`] if the exponents have no small common denominator; so for the product.
    pub(super) fn add_signed(&self, other: &Self, sign: i64) -> Result<Self, GermError> {
        let [a, b] = self.align_exponents(other)?;
        let last = |g: &Self| g.first_power + g.coefficients.len() as i64;
        // a sum is known as far as both summands are
        let all = match (a.first_unknown_power(), b.first_unknown_power()) {
            (Some(p), Some(q)) => p.min(q),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => last(&a).max(last(&b)),
        };
        let first = a.first_power.min(b.first_power).min(all);
        // a sum that is cut off here is no longer finite
        let end = all.min(first + LONGEST);
        let zero = || Graph::integer(0);
        let at = |g: &Self, k: i64| g.coefficient(k).unwrap_or_else(zero);
        let coefficients = (first..end).map(|k| add_coefficients(&at(&a, k), &at(&b, k), sign)).collect();
        let finite = a.finite && b.finite && end == all;
        Ok(Self { first_power: first, coefficients, ramification: a.ramification, finite })
    }

    /// Drops leading coefficients that are literally 0: they would shorten the known part of a product.
    fn strip_zeros(&self) -> Self {
        self.drop_leading(self.coefficients.iter().take_while(|c| is_zero(c)).count())
    }

    /// Returns the product.
    pub(super) fn times(&self, other: &Self) -> Result<Self, GermError> {
        let [a, b] = self.strip_zeros().align_exponents(&other.strip_zeros())?;
        let all = (a.coefficients.len() + b.coefficients.len()).saturating_sub(1) as i64;
        let first = a.first_power + b.first_power;
        // aᵢ·t^i + O(t^p) times bⱼ·t^j + O(t^q) is known below min(i + q, j + p)
        let ends = [
            b.first_unknown_power().map(|end| a.first_power + end),
            a.first_unknown_power().map(|end| b.first_power + end),
        ];
        let known = ends.into_iter().flatten().min().unwrap_or(first + all).max(first);
        let end = known.min(first + LONGEST);
        let finite = a.finite && b.finite && end == known;
        let mut coefficients = vec![Graph::integer(0); (end - first) as usize];
        for (i, x) in a.coefficients.iter().enumerate().filter(|(_, x)| !is_zero(x)) {
            for (c, y) in coefficients.iter_mut().skip(i).zip(&b.coefficients) {
                *c = add_coefficients(c, &multiply_coefficients(x, y), 1);
            }
        }
        Ok(Self { first_power: first, coefficients, ramification: a.ramification, finite })
    }

    /// Returns the known terms as an exact finite series, if they are all of `a^q`: `√((1 + t)²) = 1 + t`. Returns
    /// `None` otherwise.
    pub(super) fn as_finite_power(&self, a: &Self, q: &Rational) -> Option<Self> {
        let (n, d) = (q.numer().to_u32()?, q.denom().to_u32()?);
        let most = (a.coefficients.len() as u32).checked_sub(1)?.checked_mul(n)?;
        let length = (most.is_multiple_of(d) && n <= 8 && d <= 8).then(|| most as usize / d as usize + 1)?;
        // exact if the d-th power is aⁿ, checked by multiplying out: the degree of the root is n/d times that of a
        let root = Self { coefficients: self.coefficients.get(..length)?.to_vec(), finite: true, ..self.clone() };
        let power = |g: &Self, n: u32| (1..n).try_fold(g.clone(), |power, _| power.times(g)).ok();
        let rest =
            power(&root, d).filter(|_| a.is_finite())?.add_signed(&power(a, n)?, -1).ok().filter(Self::is_finite)?;
        rest.coefficients.iter().all(is_zero).then_some(root)
    }

    /// Returns d/dt, term by term.
    pub(super) fn derivative(&self) -> Self {
        let m = i64::from(self.ramification);
        let term = |(k, c): (i64, &Graph)| multiply_coefficients(&Graph::rational(Rational::from((k, m))), c);
        Self {
            first_power: self.first_power - m,
            coefficients: (self.first_power..).zip(&self.coefficients).map(term).collect(),
            ..self.clone()
        }
    }

    /// Returns an antiderivative without constant term. A term of power -1, whose antiderivative is a logarithm, is
    /// left out.
    pub(super) fn integrate_terms(&self) -> Self {
        let m = i64::from(self.ramification);
        let term = |(k, c): (i64, &Graph)| match k + m {
            0 => Graph::integer(0),
            next => multiply_coefficients(&Graph::rational(Rational::from((m, next))), c),
        };
        Self {
            first_power: self.first_power + m,
            coefficients: (self.first_power..).zip(&self.coefficients).map(term).collect(),
            ..self.clone()
        }
    }
}
