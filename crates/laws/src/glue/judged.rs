//! The result of a statement at one sample: the verdict, and the numbers that it concerns.
//!
//! A statement about derivatives says little if all derivatives are 0, and nothing if there is no number. So the
//! numbers of the left side are kept beside the verdict. [`VerdictWithValues::has_nonzero_slope`] tells whether some derivative is certainly
//! not 0. [`content`](super::content) compares the numbers of two programs.

use crate::number::{Enclosure, Rational};
use crate::verdict::Verdict;
use std::fmt;

/// A verdict at one sample, with the numbers of the left side.
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub struct VerdictWithValues {
    /// The verdict.
    pub verdict: Verdict,
    /// Enclosures of the numbers that are values.
    pub values: Vec<Enclosure>,
    /// Enclosures of the numbers that are derivatives.
    pub slopes: Vec<Enclosure>,
}

impl From<Verdict> for VerdictWithValues {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, values: Vec::new(), slopes: Vec::new() }
    }
}

impl PartialEq<Verdict> for VerdictWithValues {
    fn eq(&self, verdict: &Verdict) -> bool {
        self.verdict == *verdict
    }
}

impl fmt::Display for VerdictWithValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(f)
    }
}

impl VerdictWithValues {
    /// Makes a verdict on numbers, each marked `true` if it is a derivative and `false` if it is a value.
    pub fn with_numbers(verdict: Verdict, numbers: impl IntoIterator<Item = (bool, Enclosure)>) -> Self {
        let mut judged = Self::from(verdict);
        for (is_slope, number) in numbers {
            if is_slope { &mut judged.slopes } else { &mut judged.values }.push(number);
        }
        judged
    }

    /// Returns `true` if the verdict is a refutation.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.verdict.is_refuted()
    }

    /// Returns `true` if some derivative is certainly not 0.
    #[must_use]
    pub fn has_nonzero_slope(&self) -> bool {
        self.slopes.iter().any(|slope| slope.is_defined() && !slope.contains(&Rational::new()))
    }

    /// Returns `true` if some derivative certainly differs from that of `other`.
    #[must_use]
    pub fn slopes_differ(&self, other: &Self) -> bool {
        certainly_differ(&self.slopes, &other.slopes)
    }

    /// Returns `true` if some number certainly differs from that of `other`.
    #[must_use]
    pub fn numbers_differ(&self, other: &Self) -> bool {
        self.slopes_differ(other) || certainly_differ(&self.values, &other.values)
    }

    /// Combines the verdicts by [`Verdict::and`], and keeps the numbers of both.
    pub fn and(self, other: Self) -> Self {
        self.join_with(other, Verdict::and)
    }

    /// Combines the verdicts by [`Verdict::and_part`], and keeps the numbers of both.
    pub fn both(self, other: Self) -> Self {
        self.join_with(other, Verdict::and_part)
    }

    fn join_with(mut self, other: Self, join: fn(Verdict, Verdict) -> Verdict) -> Self {
        self.verdict = join(self.verdict, other.verdict);
        self.values.extend(other.values);
        self.slopes.extend(other.slopes);
        self
    }
}

/// Returns `true` if the lists have different lengths, or two defined enclosures are disjoint.
fn certainly_differ(left: &[Enclosure], right: &[Enclosure]) -> bool {
    let apart = |(a, b): (&Enclosure, &Enclosure)| a.is_defined() && b.is_defined() && !a.overlaps(b);
    left.len() != right.len() || left.iter().zip(right).any(apart)
}
