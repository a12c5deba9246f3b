//! Open intervals with rational or infinite ends.

use crate::number::Rational;
use crate::random::Random;
use std::fmt;

/// An open interval; `None` is an end at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub lo: Option<Rational>,
    /// The upper end.
    pub hi: Option<Rational>,
}

impl Interval {
    /// ℝ
    #[must_use]
    pub fn line() -> Self {
        Self { lo: None, hi: None }
    }

    /// (lo, hi)
    #[must_use]
    pub fn between(lo: impl Into<Rational>, hi: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    /// (lo, ∞)
    #[must_use]
    pub fn above(lo: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: None }
    }

    /// (−∞, hi)
    #[must_use]
    pub fn below(hi: impl Into<Rational>) -> Self {
        Self { lo: None, hi: Some(hi.into()) }
    }

    /// Whether there is a number in it.
    #[must_use]
    pub fn is_inhabited(&self) -> bool {
        !matches!((&self.lo, &self.hi), (Some(lo), Some(hi)) if lo >= hi)
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo < x) && self.hi.as_ref().is_none_or(|hi| x < hi)
    }

    /// The numbers of both.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        let largest = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let smallest = |a: &Option<Rational>, b: &Option<Rational>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Self { lo: largest(&self.lo, &other.lo), hi: smallest(&self.hi, &other.hi) }
    }

    /// A bounded part of the interval with the same ends where it has any.
    #[must_use]
    pub fn bounded(&self) -> [Rational; 2] {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) => [lo.clone(), hi.clone()],
            (Some(lo), None) => [lo.clone(), Rational::from(lo + 2)],
            (None, Some(hi)) => [Rational::from(hi - 2), hi.clone()],
            (None, None) => [Rational::from(-2), Rational::from(2)],
        }
    }

    /// The number at a share of the bounded part, between 0 and 1.
    pub(super) fn at(&self, share: &Rational) -> Rational {
        let [lo, hi] = self.bounded();
        let width = Rational::from(&hi - &lo);
        lo + width * share
    }

    /// A short number in the interval: an integer, where kinks lie, more often than another.
    pub(super) fn sample(&self, random: &mut Random) -> Rational {
        let short = match random.below(3) {
            0 => Rational::new(),
            1 => Rational::from(random.below(5) as i64 - 2),
            _ => Rational::from((random.below(65) as i64 - 32, 16)),
        };
        if self.contains(&short) { short } else { self.at(&Rational::from((1 + random.below(31) as i64, 32))) }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end =
            |end: &Option<Rational>, infinite: &str| end.as_ref().map_or(infinite.to_owned(), ToString::to_string);
        write!(f, "({}, {})", end(&self.lo, "-∞"), end(&self.hi, "∞"))
    }
}
