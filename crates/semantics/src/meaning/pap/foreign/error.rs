//! Errors of primitives given from Rust.

use crate::failure::{ErrorKind, ErrorWithKind};

/// The reason why a primitive is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The primitive has no pieces.
    #[error(
        "the primitive `{name}` gives no pieces; say by which guards it is which analytic map, and its derivatives there"
    )]
    NoPieces {
        /// The name of the primitive.
        name: String,
    },
    /// A piece lacks partial derivatives.
    #[error(
        "the primitive `{name}` gives no derivative on one of its pieces: of {expected} variables there are {found} partial derivatives"
    )]
    NoDerivative {
        /// The name of the primitive.
        name: String,
        /// The number of partial derivatives required.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A map on a piece, or a guard of it, is not analytic at a point where it is used.
    #[error("the primitive `{name}` has {what} in a piece, which is not analytic at {point}; cut the piece there")]
    NotAnalytic {
        /// The name of the primitive.
        name: String,
        /// The operation that is not analytic.
        what: String,
        /// The point, or the numbers between which it lies.
        point: String,
    },
    /// A map on a piece, or a guard of it, has an operation of which it is unknown where it is analytic.
    #[error("the primitive `{name}` has {what} in a piece, of which it is not known where it is analytic")]
    Opaque {
        /// The name of the primitive.
        name: String,
        /// The operation.
        what: String,
    },
    /// A map on a piece has a variable that is not one of the primitive's.
    #[error("the primitive `{name}` has a variable in a piece that is none of its own")]
    Variable {
        /// The name of the primitive.
        name: String,
    },
    /// Two pieces have a point in common.
    #[error("the primitive `{name}` has two pieces at {point}; pieces have no points in common")]
    Overlap {
        /// The name of the primitive.
        name: String,
        /// The point, or the numbers between which it lies.
        point: String,
    },
    /// Some points lie on no piece.
    #[error("the primitive `{name}` has no piece at {point}")]
    Gap {
        /// The name of the primitive.
        name: String,
        /// Such a point, or the numbers between which it lies.
        point: String,
    },
    /// A required property of the pieces was not proven.
    #[error(
        "of the primitive `{name}` it was not proven that {what}; add guards that say so, or that bound the pieces"
    )]
    Unproven {
        /// The name of the primitive.
        name: String,
        /// The property.
        what: String,
    },
    /// A program expects another type.
    #[error("the primitive `{name}` is of type {found}, where a program takes {expected}")]
    Type {
        /// The name of the primitive.
        name: String,
        /// The type that the program expects.
        expected: String,
        /// The type of the primitive.
        found: String,
    },
    /// The given derivative is not one of the primitive.
    #[error(
        "the primitive `{name}` is not differentiated by its derivative: at {witness} that is {left}, where {right} is right"
    )]
    NotDual {
        /// The name of the primitive.
        name: String,
        /// The counterexample.
        witness: String,
        /// The derivative given there.
        left: String,
        /// The correct derivative there.
        right: String,
    },
    /// No test was possible.
    #[error("of the primitive `{name}` nothing could be tried: it has no value at any argument that was drawn")]
    Untried {
        /// The name of the primitive.
        name: String,
    },
}

impl ErrorWithKind for ForeignError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}
