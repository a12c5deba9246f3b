//! What can be wrong with opens, reparametrisations, covers and plots that are built.

use crate::number::Rational;
use crate::smooth::error::SmoothError;
use crate::smooth::map::MapError;
use crate::value::ValueError;

/// An error of the layer of diffeological spaces.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffeologyError {
    /// Something of another dimension.
    #[error("{what} has dimension {found}, but {expected} is needed here")]
    Dimension {
        /// What was given.
        what: &'static str,
        /// The dimension that fits.
        expected: usize,
        /// The dimension it has.
        found: usize,
    },
    /// An open set of too many boxes.
    #[error("an open set of {found} boxes is too large: there may be {most}; use fewer and larger boxes")]
    TooManyBoxes {
        /// How many there were.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A cover whose ends make too many cells.
    #[error(
        "the ends of the cover cut space into too many cells: cells times boxes may be {most}; use fewer boxes, or boxes \
         with common ends"
    )]
    TooManyCells {
        /// How many there may be, times the number of boxes.
        most: usize,
    },
    /// A map that leaves the open set it should map into.
    #[error("the map should go into {to}, but at {at} it is {value}")]
    Leaves {
        /// The open set.
        to: String,
        /// Where it leaves it.
        at: String,
        /// What it is there.
        value: String,
    },
    /// A map that should be smooth and certainly is not.
    #[error("the map should be smooth, but {witness}: {left} is not {right}")]
    NotSmooth {
        /// Where and along what.
        witness: String,
        /// From one side.
        left: String,
        /// From the other.
        right: String,
    },
    /// A family of too many plots to compare each two.
    #[error("a family of {found} plots is too large to glue: there may be {most}; glue some of them first")]
    TooManyParts {
        /// How many there were.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A family of plots that does not cover.
    #[error("the family does not cover {whole}: {} is in none of its domains", shown(.point))]
    NotCovered {
        /// What should be covered.
        whole: String,
        /// A point that is not.
        point: Vec<Rational>,
    },
    /// Two plots of a family that differ where both are defined.
    #[error("plots {first} and {second} of the family differ at {}: {left} is not {right}", shown(.point))]
    Incompatible {
        /// The number of one of them…
        first: usize,
        /// …and of the other.
        second: usize,
        /// A point of both domains.
        point: Vec<Rational>,
        /// What the first says.
        left: String,
        /// What the second says.
        right: String,
    },
    /// No piece of a function is known to contain a point: it lies outside, or where that is not known.
    #[error("no piece of the function is known to contain {point}; ask at a point of its domain, or at an exact one")]
    NoPiece {
        /// The point.
        point: String,
    },
    /// Data of another shape than a space has: a plot of the wrong summand, a tuple of the wrong length.
    #[error("expected {expected}, found {found}")]
    Shape {
        /// What the space has.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A map could not be built or evaluated.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A value of the language could not be computed.
    #[error(transparent)]
    Presheaf(#[from] ValueError),
}

impl DiffeologyError {
    /// Fails unless the dimension is the one expected.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`]
    pub fn fits(what: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::Dimension { what, expected, found }) }
    }
}

impl From<SmoothError> for DiffeologyError {
    fn from(error: SmoothError) -> Self {
        Self::Map(error.into())
    }
}

/// A point, as it is written.
#[must_use]
pub fn shown(point: &[Rational]) -> String {
    format!("({})", point.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "))
}
