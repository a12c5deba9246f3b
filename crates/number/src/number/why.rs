//! The reason for an enclosure wider than asked. A reason is given only if it is proved.
//!
//! | id | said only if |
//! |---|---|
//! | `set` | two numbers of the set are enclosed apart: the answer is no single number |
//! | `time` | a search ended at the limit of time, or at one on its pieces, where more would have narrowed it |
//! | `method` | a search is stuck: no more pieces narrow it, and it is seen why |
//! | `unknown` | none of these is shown |
//!
//! That more digits do not narrow an answer proves nothing. They do not narrow a smooth integral over a thousand
//! waves either, until there are more panels.

use super::enclosure::Enclosure;
use super::width::DecimalWidth;
use rug::Float;
use rug::float::Round;
use std::fmt;

/// The reason for an enclosure wider than asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WidthReason {
    /// The answer encloses a set of several numbers. One of its numbers lies in the first of these enclosures, another one in the
    /// second, which lies above the first. The ends of the set lie between these and the ends of the answer.
    Set(Box<[Enclosure; 2]>),
    /// A search was ended by the clock, or at a limit of pieces, although more work would have narrowed it.
    Time {
        /// The number of pieces, if that was the limit.
        pieces: Option<u64>,
    },
    /// A search at a numbered place is stuck.
    Method {
        /// The decision that the search cannot make.
        stuck: UndecidedSearch,
        /// The place.
        site: u32,
    },
    /// None of these is shown.
    Unknown,
}

/// A decision that a stuck search cannot make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndecidedSearch {
    /// The side of a kink on which the integrand of an integral lies.
    KinkSide,
    /// The place, among several, at which the function of an optimum is largest.
    MaximiserPlace,
}

impl WidthReason {
    /// Returns the name of the reason for programs.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::Set(_) => "set",
            Self::Time { .. } => "time",
            Self::Method { .. } => "method",
            Self::Unknown => "unknown",
        }
    }

    /// Returns an upper bound of the error of the ends of the set, given the answer that encloses it.
    ///
    /// Returns `None` unless the reason is a set, or if an end of the answer is infinite.
    #[must_use]
    pub fn error_of_ends(&self, answer: &Enclosure) -> Option<DecimalWidth> {
        let Self::Set(within) = self else { return None };
        let [low, high] = &**within;
        // Rounded up at 64 bits, more than the four digits that are printed; never below 0.
        let up = |a: &Float, b: &Float| Float::with_val_round(64, a - b, Round::Up).0.max(&Float::new(64));
        let gap = up(low.hi(), answer.lo()).max(&up(answer.hi(), high.lo()));
        gap.is_finite().then(|| DecimalWidth::between_decimals("0", &gap.to_string_radix_round(10, Some(4), Round::Up)))
    }

    /// Returns the reason as a sentence about an answer.
    #[must_use]
    pub fn to_sentence(&self, answer: &Enclosure) -> String {
        match self {
            Self::Set(_) => match self.error_of_ends(answer) {
                Some(width) if width.is_zero() => "this is a set, not one number: its ends are exact".to_owned(),
                Some(width) => format!("this is a set, not one number: its ends are known to {width}"),
                None => "this is a set, not one number: its ends are not known".to_owned(),
            },
            other => other.to_string(),
        }
    }
}

/// Prints the reason without the numbers that depend on the answer.
impl fmt::Display for WidthReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(_) => f.write_str("this is a set, not one number"),
            Self::Time { pieces: None } => f.write_str("given up when its time was over"),
            Self::Time { pieces: Some(pieces) } => write!(f, "given up at the limit of {pieces} pieces"),
            Self::Method { stuck: UndecidedSearch::KinkSide, .. } => f.write_str(
                "no method here tells on which side of a kink the integrand lies, and the ends are not shown to be those of a set",
            ),
            Self::Method { stuck: UndecidedSearch::MaximiserPlace, .. } => f.write_str("no method here tells the places apart"),
            Self::Unknown => f.write_str("wider than asked; the cause is not known"),
        }
    }
}
