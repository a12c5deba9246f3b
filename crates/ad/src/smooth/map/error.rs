//! Errors in building or evaluating a map. An undefined value is not an error: it is the answer ⊥.

use crate::number::Rational;
use crate::smooth::algebra::MOST_MONOMIALS;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Variable;
use crate::smooth::tower::TowerError;

/// An error of a smoothish map.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A slice of the wrong length. Arrays of the wrong length do not compile.
    #[error("{what} has {found} {unit}{}, but {expected} {} needed here", plural_suffix(*found), if *expected == 1 { "is" } else { "are" })]
    Length {
        /// The argument.
        what: &'static str,
        /// The unit that is counted.
        unit: &'static str,
        /// The required number.
        expected: usize,
        /// The actual number.
        found: usize,
    },
    /// There is no such coordinate.
    #[error("there is no coordinate {index} in a space of dimension {dimension}: they are counted from 0")]
    Coordinate {
        /// The requested coordinate.
        index: usize,
        /// The dimension.
        dimension: usize,
    },
    /// A graph mentions a variable that is not among the inputs.
    #[error("the graph mentions {variable:?}, which is not among the inputs of the map")]
    Unbound {
        /// The variable.
        variable: Variable,
    },
    /// An input that is not a real number.
    #[error("coordinate {index} (counted from 0) of {what} is {value}, which is no real number")]
    NotFinite {
        /// The argument: the point, or the direction.
        what: &'static str,
        /// The index of the coordinate.
        index: usize,
        /// The value.
        value: f64,
    },
    /// An interval with its endpoints in the wrong order.
    #[error("coordinate {index} of the box is [{lo}, {hi}], with its ends in the wrong order")]
    ReversedInterval {
        /// The index of the coordinate.
        index: usize,
        /// The lower endpoint as given.
        lo: Box<Rational>,
        /// The upper endpoint as given.
        hi: Box<Rational>,
    },
    /// A tolerance that is not positive.
    #[error("the tolerance is {eps}, but it must be greater than 0")]
    Tolerance {
        /// The tolerance as given.
        eps: Box<Rational>,
    },
    /// More directions than a jet can hold.
    #[error(
        "{found} directions are too many: a jet has at most {MOST_MONOMIALS} monomials, and each direction doubles them, so \
         at most {most} fit; along one direction, `taylor_at` goes further"
    )]
    Directions {
        /// The actual number.
        found: usize,
        /// The largest number that fits.
        most: u32,
    },
    /// An order that is higher than a jet can hold.
    #[error(
        "the order {found} is too high: a jet has at most {MOST_MONOMIALS} monomials, enough for order {most} along one \
         direction"
    )]
    Order {
        /// The requested order.
        found: u32,
        /// The highest order that fits.
        most: u32,
    },
    /// An exponent that is too large.
    #[error("the exponent {exponent} is too large: numerator and denominator are at most 1000000")]
    Exponent {
        /// The exponent.
        exponent: Box<Rational>,
    },
    /// The evaluation failed.
    #[error(transparent)]
    Smooth(#[from] SmoothError),
    /// The reference tower failed.
    #[error(transparent)]
    Tower(#[from] TowerError),
}

fn plural_suffix(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Fails unless `found` is `expected`.
pub(super) fn check_length(
    what: &'static str,
    unit: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), MapError> {
    // checked at run time only for slices: arrays are checked by their types
    if expected == found { Ok(()) } else { Err(MapError::Length { what, unit, expected, found }) }
}
