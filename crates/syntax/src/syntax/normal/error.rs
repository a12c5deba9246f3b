//! Limits of normalisation, and the reasons why a program has no normal form within them.

use crate::syntax::library;
use thiserror::Error;

/// The work and memory that a normalisation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormaliseLimits {
    /// The steps of evaluation: β-steps, unfoldings of definitions, visits of nodes.
    pub steps: u64,
    /// The nodes of the normal form and of its types, shared parts counted once.
    pub nodes: usize,
}

impl Default for NormaliseLimits {
    /// A million steps and 300 000 nodes: less than a second, and less than a gigabyte.
    fn default() -> Self {
        Self { steps: 1_000_000, nodes: 300_000 }
    }
}

/// An error of a normal form that was not reached, or cannot be written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalError {
    /// The steps are used up: a recursion does not end, or takes long.
    #[error(
        "no normal form after {limit} steps: a recursion may not end, or take long; try a smaller number, or leave it a variable"
    )]
    Steps {
        /// The number of steps.
        limit: u64,
    },
    /// The normal form, or a type in it, is too large.
    #[error("the normal form has more than {limit} different parts; normalise a smaller part of the program")]
    Size {
        /// The largest number allowed.
        limit: usize,
    },
    /// The normal form, or the recursion on the way to it, is too deep.
    #[error("the normal form is deeper than {limit} levels, or the way to it is; a recursion may be too long")]
    Depth {
        /// The largest depth allowed.
        limit: u32,
    },
    /// A part of the term does not have the type that it carries, or carries none.
    #[error("the term does not have the types that it carries; normalise what inference found")]
    IllTyped,
    /// The term has a free variable, or a projection beyond its tuple.
    #[error("the term mentions a variable that it does not bind, or a component that a tuple does not have")]
    IllScoped,
    /// Written out, with shared parts repeated, the normal form is too long.
    #[error("the normal form has {size} parts when it is written out, more than the {limit} of a program")]
    TooLong {
        /// The number of parts; at most `u64::MAX`.
        size: u64,
        /// The largest number of parts of a program.
        limit: u32,
    },
    /// Written out, the normal form is beyond a limit of programs.
    #[error("the normal form cannot be written as a program: {error}")]
    Unreadable {
        /// The error of the program.
        error: Box<library::ProgramError>,
    },
    /// The text of the normal form would be read as another program.
    #[error(
        "the normal form `{text}` would be read as another program: its type cannot be written, or a definition hides a constant"
    )]
    Hidden {
        /// The text, cut short.
        text: String,
    },
}

impl NormalError {
    /// Returns the error of a normal form, or a recursion on the way to it, that is too deep.
    pub(super) fn too_deep() -> NormalError {
        NormalError::Depth { limit: super::readback::MAX_FORM_DEPTH }
    }
}
