//! Errors in the construction of open sets, reparametrisations, covers and plots.

use crate::number::Rational;
use crate::smooth::error::SmoothError;
use crate::smooth::map::MapError;
use crate::value::ValueError;

/// An error of the layer of diffeological spaces.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffeologyError {
    /// An item has the wrong dimension.
    #[error("{what} has dimension {found}, but {expected} is needed here")]
    Dimension {
        /// The item, as a noun phrase.
        what: &'static str,
        /// The dimension that is required.
        expected: usize,
        /// The dimension of the item.
        found: usize,
    },
    /// An open set has too many boxes.
    #[error("an open set of {found} boxes is too large: there may be {most}; use fewer and larger boxes")]
    TooManyBoxes {
        /// The number of boxes, as far as they were built.
        found: usize,
        /// The largest number of boxes.
        most: usize,
    },
    /// The endpoints of a cover cut space into too many cells.
    #[error(
        "the ends of the cover cut space into too many cells: cells times boxes may be {most}; use fewer boxes, or boxes \
         with common ends"
    )]
    TooManyCells {
        /// The largest product of the number of cells and the number of boxes.
        most: usize,
    },
    /// A map leaves the open set that should contain its values.
    #[error("the map should go into {to}, but at {at} it is {value}")]
    LeavesCodomain {
        /// The open set.
        to: String,
        /// The point where the map leaves the set.
        at: String,
        /// The value of the map at that point.
        value: String,
    },
    /// A map that should be smooth is certainly not smooth.
    #[error("the map should be smooth, but {witness}: {left} is not {right}")]
    NotSmooth {
        /// The point, the direction and the order of the derivative.
        witness: String,
        /// The Taylor coefficient from the left, or the value at the point.
        left: String,
        /// The Taylor coefficient from the right, or the limit.
        right: String,
    },
    /// A family has too many plots for a comparison of all pairs.
    #[error("a family of {found} plots is too large to glue: there may be {most}; glue some of them first")]
    TooManyParts {
        /// The number of plots.
        found: usize,
        /// The largest number of plots.
        most: usize,
    },
    /// The domains of a family of plots do not cover the whole set.
    #[error("the family does not cover {whole}: {} is in none of its domains", format_rational_point(.point))]
    NotCovered {
        /// The set that should be covered.
        whole: String,
        /// A point outside of all domains.
        point: Vec<Rational>,
    },
    /// Two plots of a family differ at a common point of their domains.
    #[error("plots {first} and {second} of the family differ at {}: {left} is not {right}", format_rational_point(.point))]
    Incompatible {
        /// The index of the first plot, from 0.
        first: usize,
        /// The index of the second plot, from 0.
        second: usize,
        /// A point of both domains.
        point: Vec<Rational>,
        /// The value of the first plot.
        left: String,
        /// The value of the second plot.
        right: String,
    },
    /// No piece of a function is known to contain a point. The point lies outside of the domain, or no piece could be
    /// decided.
    #[error("no piece of the function is known to contain {point}; ask at a point of its domain, or at an exact one")]
    NoPiece {
        /// The point.
        point: String,
    },
    /// Data of the wrong shape for a space, such as a plot of another summand or a tuple of the wrong length.
    #[error("expected {expected}, found {found}")]
    Shape {
        /// The shape that the space requires.
        expected: String,
        /// The shape that was found.
        found: String,
    },
    /// The construction or the evaluation of a map failed.
    #[error(transparent)]
    Map(#[from] MapError),
    /// The evaluation of a value of the language failed.
    #[error(transparent)]
    Presheaf(#[from] ValueError),
}

impl DiffeologyError {
    /// Checks that a dimension is the expected one. `what` names the item in the error.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if it is not.
    pub fn check_dimension(what: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::Dimension { what, expected, found }) }
    }
}

impl From<SmoothError> for DiffeologyError {
    fn from(error: SmoothError) -> Self {
        Self::Map(error.into())
    }
}

/// Formats a point as a tuple of its coordinates.
#[must_use]
pub fn format_rational_point(point: &[Rational]) -> String {
    format!("({})", point.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "))
}
