//! What became of a statement at one sample: the verdict, and the numbers that it is about.
//!
//! A statement about derivatives says little where all derivatives are 0, and nothing where there is no number. So the
//! numbers of the left side are kept beside the verdict: [`Judged::moves`] is whether some derivative is certainly not 0,
//! and [`content`](super::content) compares the numbers of two programs.

use crate::number::{Enclosure, Rational};
use crate::verdict::Verdict;
use std::fmt;

/// A verdict at one sample, with the numbers of the left side.
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Enclosures of the numbers that are values.
    pub values: Vec<Enclosure>,
    /// Enclosures of those that are derivatives.
    pub slopes: Vec<Enclosure>,
}

impl From<Verdict> for Judged {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, values: Vec::new(), slopes: Vec::new() }
    }
}

impl PartialEq<Verdict> for Judged {
    fn eq(&self, verdict: &Verdict) -> bool {
        self.verdict == *verdict
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(f)
    }
}

impl Judged {
    /// A verdict on these numbers, each said to be a derivative or a value.
    pub fn on(verdict: Verdict, numbers: impl IntoIterator<Item = (bool, Enclosure)>) -> Self {
        let mut judged = Self::from(verdict);
        for (is_slope, number) in numbers {
            if is_slope { &mut judged.slopes } else { &mut judged.values }.push(number);
        }
        judged
    }

    /// Whether the verdict refutes.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.verdict.is_refuted()
    }

    /// Whether a derivative is certainly not 0.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.slopes.iter().any(|slope| slope.is_defined() && !slope.contains(&Rational::new()))
    }

    /// Whether a derivative is certainly another one.
    #[must_use]
    pub fn slopes_differ(&self, other: &Self) -> bool {
        differ(&self.slopes, &other.slopes)
    }

    /// Whether a number is certainly another one.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        self.slopes_differ(other) || differ(&self.values, &other.values)
    }

    /// [`Verdict::and`], of all numbers.
    pub fn and(self, other: Self) -> Self {
        self.joined(other, Verdict::and)
    }

    /// [`Verdict::both`], of all numbers.
    pub fn both(self, other: Self) -> Self {
        self.joined(other, Verdict::both)
    }

    fn joined(mut self, other: Self, join: fn(Verdict, Verdict) -> Verdict) -> Self {
        self.verdict = join(self.verdict, other.verdict);
        self.values.extend(other.values);
        self.slopes.extend(other.slopes);
        self
    }
}

fn differ(left: &[Enclosure], right: &[Enclosure]) -> bool {
    let apart = |(a, b): (&Enclosure, &Enclosure)| a.is_defined() && b.is_defined() && !a.overlaps(b);
    left.len() != right.len() || left.iter().zip(right).any(apart)
}
