//! What can be wrong with a map that is built or evaluated. Being undefined is not an error: it is the answer ⊥.

use crate::number::Rational;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Variable;
use crate::smooth::tower::TowerError;

/// An error of a smoothish map.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A slice of the wrong length. Arrays of the wrong length do not compile.
    #[error("{what} has {found} components, but {expected} are needed here")]
    Length {
        /// What was given.
        what: &'static str,
        /// How many fit.
        expected: usize,
        /// How many there were.
        found: usize,
    },
    /// There is no such coordinate.
    #[error("there is no coordinate {index} in a space of dimension {dimension}: they are counted from 0")]
    Coordinate {
        /// The coordinate asked for.
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
    /// An input that is no real number.
    #[error("coordinate {index} of the input is {value}, which is no real number")]
    NotFinite {
        /// Which coordinate.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// An interval with its ends in the wrong order.
    #[error("coordinate {index} of the box is [{lo}, {hi}], with its ends in the wrong order")]
    Reversed {
        /// Which coordinate.
        index: usize,
        /// The lower end as given.
        lo: Box<Rational>,
        /// The upper end as given.
        hi: Box<Rational>,
    },
    /// A tolerance that nothing can meet.
    #[error("the tolerance is {eps}, but it must be greater than 0")]
    Tolerance {
        /// The tolerance as given.
        eps: Box<Rational>,
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

/// Fails unless `found` is `expected`.
pub(super) fn fits(what: &'static str, expected: usize, found: usize) -> Result<(), MapError> {
    if expected == found { Ok(()) } else { Err(MapError::Length { what, expected, found }) }
}
