//! The errors of numbers that are given to this layer.
use rug::Float;

/// The reason why an input is no enclosure, or no decimal.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// An end of an enclosure is not a number.
    #[error("an end of an enclosure is not a number")]
    NotANumber,
    /// The lower end lies above the upper one.
    #[error("the ends of an enclosure are in the wrong order: {lo} > {hi}")]
    Reversed {
        /// The lower end as given.
        lo: Float,
        /// The upper end as given.
        hi: Float,
    },
    /// Both ends are the same infinity, so that no real number lies between them.
    #[error("no real number lies between {end} and {end}")]
    NoRealNumber {
        /// The infinite end.
        end: Float,
    },
    /// A text that is not a decimal number.
    #[error("`{text}` is not a decimal number: expected digits, as in `-12.5` or `1e-30`")]
    Decimal {
        /// The text as given.
        text: String,
    },
    /// A decimal whose exponent is so large that the exact number would fill the memory.
    #[error("the exponent of `{text}` is beyond ±{limit}")]
    Exponent {
        /// The text as given.
        text: String,
        /// The largest exponent that is read.
        limit: u32,
    },
}
