//! Errors in evaluating a map. An undefined value is not an error: it is the answer ⊥.

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::number::Rational;
use crate::number::enclosure::Enclosure;
use crate::number::foreign::ExtensionFailure;
use crate::smooth::graph::SourceId;

/// An error of evaluation.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SmoothError {
    /// `cutRoot` was given a function that is certainly negative somewhere left of where it is certainly positive.
    #[error(
        "cutRoot needs a function that is positive left of its root and negative right of it. This one is negative at {} \
         and positive at {}: negate it if that is its one change of sign. Of several changes, firstRoot finds the first \
         from positive to negative on [0, 1]; it is 0 if the function is negative at 0",
        format_location(negative),
        format_location(positive)
    )]
    PromiseBroken {
        /// The source position of the `cutRoot`.
        site: SourceId,
        /// A point where the function is certainly negative …
        negative: Box<Enclosure>,
        /// … and one further right where it is certainly positive.
        positive: Box<Enclosure>,
    },
    /// A function from outside has no enclosure.
    #[error(transparent)]
    Extension(Box<ExtensionFailure>),
    /// Two enclosures of one number were disjoint: an enclosure that the computation rests on is wrong.
    #[error(
        "two enclosures of the same number are disjoint in {construct}: a trusted primitive may be wrong, or this is a bug"
    )]
    DisjointEnclosures {
        /// The construct whose value was computed.
        construct: &'static str,
    },
    /// Two passes gave disjoint enclosures.
    #[error(transparent)]
    DisjointPasses(crate::number::real::DisjointEnclosures),
    /// Derivatives, integrals, roots and optima lie deeper within each other than can be evaluated.
    #[error("derivatives, integrals, roots and optima are nested {depth} levels deep; at most {most} can be evaluated")]
    Nesting {
        /// The nesting depth of the map.
        depth: u32,
        /// The largest depth that can be evaluated.
        most: u32,
    },
    /// A number of inputs that does not fit the map.
    #[error("expected {expected} inputs, one for each variable of the map, found {found}")]
    Dimension {
        /// The number of variables.
        expected: usize,
        /// The number of inputs.
        found: usize,
    },
}

impl ErrorWithKind for SmoothError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::DisjointEnclosures { .. } | Self::DisjointPasses(_) => ErrorKind::DisjointEnclosures,
            Self::Nesting { .. } => ErrorKind::Limit,
            Self::PromiseBroken { .. } | Self::Dimension { .. } | Self::Extension(_) => ErrorKind::InvalidInput,
        }
    }
}

impl From<crate::number::real::DisjointEnclosures> for SmoothError {
    fn from(c: crate::number::real::DisjointEnclosures) -> Self {
        Self::DisjointPasses(c)
    }
}

/// Formats a point: as a number if the enclosure is one.
fn format_location(e: &Enclosure) -> String {
    if e.is_point() { e.print_decimals(&Rational::new()).lo().to_owned() } else { e.to_string() }
}
