//! The three answers of a law.
//!
//! Equality of real numbers can be refuted and never confirmed, so a law that was tried answers one of three things: it
//! was *refuted*, and here are both sides; it *survived*; or nothing was tried, because every sample was without
//! information. The last is not a success: a law that is vacuous everywhere has not been tested.

use std::fmt;

/// What became of a law that was tried on samples.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub enum Verdict {
    /// Both sides were computed, and cannot be equal.
    Refuted {
        /// What they were computed at.
        witness: String,
        /// The left side.
        left: String,
        /// The right side.
        right: String,
    },
    /// Both sides were computed as narrowly as asked, at some sample at least, and nowhere do they differ.
    Survived,
    /// No sample gave both sides.
    Vacuous,
}

impl Verdict {
    /// A refutation, both sides printed.
    pub fn refuted(witness: impl fmt::Display, left: impl fmt::Display, right: impl fmt::Display) -> Self {
        Self::Refuted { witness: witness.to_string(), left: left.to_string(), right: right.to_string() }
    }

    /// The verdict with another witness, if it refutes.
    pub fn at(self, place: impl FnOnce() -> String) -> Self {
        match self {
            Self::Refuted { left, right, .. } => Self::Refuted { witness: place(), left, right },
            other => other,
        }
    }

    /// Whether the law is refuted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Refuted { .. })
    }

    /// Both laws together: refuted if either is, vacuous if both are.
    ///
    /// ```
    /// use smoothish_number::verdict::Verdict;
    /// assert_eq!(Verdict::Vacuous.and(Verdict::Survived), Verdict::Survived);
    /// assert!(Verdict::Survived.and(Verdict::refuted("x = 0", 0, 1)).is_refuted());
    /// ```
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (refuted @ Self::Refuted { .. }, _) | (_, refuted @ Self::Refuted { .. }) => refuted,
            (Self::Survived, _) | (_, Self::Survived) => Self::Survived,
            (Self::Vacuous, Self::Vacuous) => Self::Vacuous,
        }
    }

    /// The verdict on a statement of two parts at one sample: refuted if a part is, and vacuous if a part is.
    ///
    /// ```
    /// use smoothish_number::verdict::Verdict;
    /// assert_eq!(Verdict::Vacuous.both(Verdict::Survived), Verdict::Vacuous);
    /// assert!(Verdict::Vacuous.both(Verdict::refuted("x = 0", 0, 1)).is_refuted());
    /// ```
    pub fn both(self, other: Self) -> Self {
        match (self, other) {
            (Self::Survived, other) => other,
            (Self::Vacuous, refuted @ Self::Refuted { .. }) => refuted,
            (first, _) => first,
        }
    }

    /// The verdict over all samples, up to the first that refutes. Of no samples it is vacuous.
    ///
    /// # Errors
    /// The first error of a sample, unless one before it refutes.
    pub fn all<E>(samples: impl IntoIterator<Item = Result<Self, E>>) -> Result<Self, E> {
        let mut all = Self::Vacuous;
        for sample in samples {
            all = all.and(sample?);
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted { witness, left, right } => write!(f, "refuted at {witness}: {left} is not {right}"),
            Self::Survived => write!(f, "survived"),
            Self::Vacuous => write!(f, "vacuous"),
        }
    }
}
