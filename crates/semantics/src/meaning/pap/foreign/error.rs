//! What is wrong with a primitive given from Rust.

use crate::failure::{ErrorKind, Failure};

/// Why a primitive is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// It has no pieces.
    #[error(
        "the primitive `{name}` gives no pieces; say by which guards it is which analytic map, and its derivatives there"
    )]
    NoPieces {
        /// Its name.
        name: String,
    },
    /// It has no derivative.
    #[error(
        "the primitive `{name}` gives no derivative on one of its pieces: of {expected} variables there are {found} partial derivatives"
    )]
    NoDerivative {
        /// Its name.
        name: String,
        /// How many partial derivatives there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A map on a piece, or a guard of it, is not analytic at a point at which it is asked.
    #[error("the primitive `{name}` has {what} in a piece, which is not analytic at {point}; cut the piece there")]
    NotAnalytic {
        /// Its name.
        name: String,
        /// What is not analytic.
        what: String,
        /// The point, or between which numbers it lies.
        point: String,
    },
    /// A map on a piece, or a guard of it, has an operation of which it is not known where it is analytic.
    #[error("the primitive `{name}` has {what} in a piece, of which it is not known where it is analytic")]
    Opaque {
        /// Its name.
        name: String,
        /// The operation.
        what: String,
    },
    /// A map on a piece has another variable than those of the primitive.
    #[error("the primitive `{name}` has a variable in a piece that is none of its own")]
    Variable {
        /// Its name.
        name: String,
    },
    /// Two pieces have a point in common.
    #[error("the primitive `{name}` has two pieces at {point}; pieces have no points in common")]
    Overlap {
        /// Its name.
        name: String,
        /// The point, or between which numbers it lies.
        point: String,
    },
    /// There are points on no piece.
    #[error("the primitive `{name}` has no piece at {point}")]
    Gap {
        /// Its name.
        name: String,
        /// A point, or between which numbers it lies.
        point: String,
    },
    /// What must hold of the pieces was not proven.
    #[error(
        "of the primitive `{name}` it was not proven that {what}; add guards that say so, or that bound the pieces"
    )]
    Unproven {
        /// Its name.
        name: String,
        /// What was to be proven.
        what: String,
    },
    /// The program that it is given to takes something else.
    #[error("the primitive `{name}` is of type {found}, where a program takes {expected}")]
    Type {
        /// Its name.
        name: String,
        /// What the program takes.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The derivative is none.
    #[error(
        "the primitive `{name}` is not differentiated by its derivative: at {witness} that is {left}, where {right} is right"
    )]
    NotDual {
        /// Its name.
        name: String,
        /// Where.
        witness: String,
        /// What it gives.
        left: String,
        /// What it should.
        right: String,
    },
    /// Nothing could be tried.
    #[error("of the primitive `{name}` nothing could be tried: it has no value at any argument that was drawn")]
    Untried {
        /// Its name.
        name: String,
    },
}

impl Failure for ForeignError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Wrong
    }
}
