//! The three answers of a law.
//!
//! Equality of real numbers can be refuted and never confirmed, so a tested law has one of three answers. It was *refuted*, and
//! both sides are shown; or it *survived*; or it is *vacuous*, because no sample gave any information. A vacuous law is no
//! success: it has not been tested.

use std::fmt;

/// The outcome of a law on samples.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub enum Verdict {
    /// Both sides were computed, and cannot be equal.
    Refuted {
        /// The sample at which both sides were computed.
        witness: String,
        /// The left side.
        left: String,
        /// The right side.
        right: String,
    },
    /// Both sides were computed as narrowly as asked at one sample or more, and no sample shows a difference.
    Survived,
    /// No sample gave both sides.
    Vacuous,
}

impl Verdict {
    /// Returns a refutation with both sides printed.
    pub fn refuted(witness: impl fmt::Display, left: impl fmt::Display, right: impl fmt::Display) -> Self {
        Self::Refuted { witness: witness.to_string(), left: left.to_string(), right: right.to_string() }
    }

    /// Replaces the witness of a refutation; other verdicts stay as they are.
    pub fn with_witness(self, place: impl FnOnce() -> String) -> Self {
        match self {
            Self::Refuted { left, right, .. } => Self::Refuted { witness: place(), left, right },
            other => other,
        }
    }

    /// Returns `true` if the law is refuted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Refuted { .. })
    }

    /// Combines the verdicts on two samples or two laws: refuted if either is, vacuous only if both are.
    ///
    /// ```
    /// use smoothish_number::verdict::Verdict;
    /// assert_eq!(Verdict::Vacuous.and(Verdict::Survived), Verdict::Survived);
    /// assert!(Verdict::Survived.and(Verdict::refuted("x = 0", 0, 1)).is_refuted());
    /// ```
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            // A refutation on either side wins; of two, the first is shown.
            (refuted @ Self::Refuted { .. }, _) | (_, refuted @ Self::Refuted { .. }) => refuted,
            (Self::Survived, _) | (_, Self::Survived) => Self::Survived,
            (Self::Vacuous, Self::Vacuous) => Self::Vacuous,
        }
    }

    /// Combines the verdicts on two parts of one statement at one sample: refuted if a part is, else vacuous if a part is.
    ///
    /// ```
    /// use smoothish_number::verdict::Verdict;
    /// assert_eq!(Verdict::Vacuous.and_part(Verdict::Survived), Verdict::Vacuous);
    /// assert!(Verdict::Vacuous.and_part(Verdict::refuted("x = 0", 0, 1)).is_refuted());
    /// ```
    pub fn and_part(self, other: Self) -> Self {
        match (self, other) {
            // Unlike `and`, a vacuous part leaves the whole statement untested.
            (Self::Survived, other) => other,
            (Self::Vacuous, refuted @ Self::Refuted { .. }) => refuted,
            (first, _) => first,
        }
    }

    /// Combines the verdicts of all samples, up to the first that refutes. Vacuous if there are no samples.
    ///
    /// # Errors
    /// The first error of a sample, unless one before it refutes.
    pub fn all_samples<E>(samples: impl IntoIterator<Item = Result<Self, E>>) -> Result<Self, E> {
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
