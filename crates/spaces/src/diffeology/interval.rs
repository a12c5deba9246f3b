//! Open intervals with rational or infinite endpoints.

use crate::number::Rational;
use crate::random::SplitMix64;
use std::fmt;

/// An open interval. An endpoint `None` lies at infinity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenInterval {
    /// The lower endpoint; `None` for −∞.
    pub lo: Option<Rational>,
    /// The upper endpoint; `None` for ∞.
    pub hi: Option<Rational>,
}

impl OpenInterval {
    /// Returns ℝ.
    #[must_use]
    pub fn real_line() -> Self {
        Self { lo: None, hi: None }
    }

    /// Returns (lo, hi).
    #[must_use]
    pub fn from_endpoints(lo: impl Into<Rational>, hi: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    /// Returns (lo, ∞).
    #[must_use]
    pub fn ray_above(lo: impl Into<Rational>) -> Self {
        Self { lo: Some(lo.into()), hi: None }
    }

    /// Returns (−∞, hi).
    #[must_use]
    pub fn ray_below(hi: impl Into<Rational>) -> Self {
        Self { lo: None, hi: Some(hi.into()) }
    }

    /// Returns `true` if the interval is not empty.
    #[must_use]
    pub fn is_inhabited(&self) -> bool {
        !matches!((&self.lo, &self.hi), (Some(lo), Some(hi)) if lo >= hi)
    }

    /// Returns `true` if the interval contains `x`.
    #[must_use]
    pub fn contains(&self, x: &Rational) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo < x) && self.hi.as_ref().is_none_or(|hi| x < hi)
    }

    /// Returns the intersection of two intervals. It may be empty.
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

    /// Returns the endpoints of a bounded part. The part keeps all finite endpoints of the interval.
    #[must_use]
    // The widths 2 and 4 are a choice: kinks of test functions lie mostly at small integers.
    pub fn bounded_endpoints(&self) -> [Rational; 2] {
        match (&self.lo, &self.hi) {
            (Some(lo), Some(hi)) => [lo.clone(), hi.clone()],
            (Some(lo), None) => [lo.clone(), Rational::from(lo + 2)],
            (None, Some(hi)) => [Rational::from(hi - 2), hi.clone()],
            (None, None) => [Rational::from(-2), Rational::from(2)],
        }
    }

    /// Returns the point that divides the bounded part in the ratio `share`, which lies between 0 and 1.
    pub(super) fn point_at_ratio(&self, share: &Rational) -> Rational {
        let [lo, hi] = self.bounded_endpoints();
        let width = Rational::from(&hi - &lo);
        lo + width * share
    }

    /// Returns a random number in the interval, where integers are more likely than other numbers. The interval must
    /// not be empty.
    // Kinks lie at integers, and 0 is the commonest: a third of the draws are 0, a third small integers, the rest
    // sixteenths.
    pub(super) fn draw_number(&self, random: &mut SplitMix64) -> Rational {
        let short = match random.next_below(3) {
            0 => Rational::new(),
            1 => Rational::from(random.next_below(5) as i64 - 2),
            _ => Rational::from((random.next_below(65) as i64 - 32, 16)),
        };
        // A short number may lie outside of a narrow interval: then one of 31 equidistant inner points.
        if self.contains(&short) {
            short
        } else {
            self.point_at_ratio(&Rational::from((1 + random.next_below(31) as i64, 32)))
        }
    }
}

impl fmt::Display for OpenInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end =
            |end: &Option<Rational>, infinite: &str| end.as_ref().map_or(infinite.to_owned(), ToString::to_string);
        write!(f, "({}, {})", end(&self.lo, "-∞"), end(&self.hi, "∞"))
    }
}
