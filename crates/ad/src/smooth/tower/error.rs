//! Errors of towers. Being undefined is not an error: the result is ⊥.

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::number::Rational;
use crate::number::real::DisjointEnclosures;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Variable;
use std::fmt;

/// The vector of an application `f⁽ᵏ⁾(x; v₁…v_k)`, or the map of a construction, that has a wrong dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TowerOperand {
    /// The point x.
    Point,
    /// The direction v with this index, from 0.
    Direction(usize),
    /// The result of a rule.
    Result,
    /// The domain of the second map of a composition: as large as the codomain of the first.
    Composition,
    /// The domains of a pair or a sum of maps: equal.
    Domains,
    /// The codomains of a sum of maps: equal.
    Codomains,
    /// The domain of the derivative in `foldDer`: pairs of a point and a direction.
    Derivative,
    /// The number of directions: as many as the algebra has generators.
    Directions,
    /// A row of a matrix.
    Row(usize),
    /// A box: an interval for each coordinate of the domain.
    Box,
}

/// An error of building or evaluating a [`Tower`](super::Tower).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TowerError {
    /// A vector, or a map, of the wrong dimension.
    #[error("{part} has dimension {found} where {expected} was expected")]
    Dimension {
        /// The vector or map.
        part: TowerOperand,
        /// The dimension that fits.
        expected: usize,
        /// The dimension that was given.
        found: usize,
    },
    /// An interval with its ends in the wrong order.
    #[error("coordinate {index} of the box is [{lo}, {hi}], with its ends in the wrong order")]
    Reversed {
        /// The index of the coordinate, from 0.
        index: usize,
        /// The lower end as given.
        lo: Rational,
        /// The upper end as given.
        hi: Rational,
    },
    /// A construct of graphs that the literal definition does not interpret.
    #[error("towers have no rule for {construct}; evaluate the graph with jets, which do")]
    Unsupported {
        /// The name of the construct.
        construct: &'static str,
    },
    /// A definition that leads back to itself at the same order of the derivative.
    #[error("the tower is defined by itself; a recursion needs a `fold_der` between the tower and its own mention")]
    Unproductive,
    /// The evaluation was not allowed to go on: see [`Tower::with_permission`](super::Tower::with_permission).
    #[error(
        "the tower was not evaluated within the budget; its cost grows with the number of set partitions of the order"
    )]
    Exhausted,
    /// A free variable of a graph that is not among the inputs.
    #[error("the graph mentions {variable:?}, which is not among the inputs of the tower")]
    Unbound {
        /// The variable.
        variable: Variable,
    },
    /// A function that was to be read as a matrix is not linear.
    #[error(
        "not linear: at {input:?} component {component} is {found}, but the matrix of the function gives {expected}"
    )]
    NotLinear {
        /// The input at which it shows.
        input: Vec<Rational>,
        /// The index of the component of the result.
        component: usize,
        /// The value that the matrix gives there.
        expected: Rational,
        /// The value that the function gives there.
        found: Rational,
    },
    /// An error of the jets, for a tower that is computed by jets.
    #[error(transparent)]
    Jets(#[from] SmoothError),
}

impl ErrorWithKind for TowerError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Exhausted => ErrorKind::Limit,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::Jets(error) => error.kind(),
            Self::Dimension { .. }
            | Self::Reversed { .. }
            | Self::Unproductive
            | Self::Unbound { .. }
            | Self::NotLinear { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl From<DisjointEnclosures> for TowerError {
    fn from(error: DisjointEnclosures) -> Self {
        SmoothError::from(error).into()
    }
}

impl fmt::Display for TowerOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point => write!(f, "the point"),
            Self::Direction(i) => write!(f, "direction {i} (counted from 0)"),
            Self::Result => write!(f, "the result of a rule"),
            Self::Composition => write!(f, "the domain of the second map of a composition"),
            Self::Domains => write!(f, "the domain of the second map"),
            Self::Codomains => write!(f, "the codomain of the second map"),
            Self::Derivative => write!(f, "the domain of the derivative in foldDer, a point and a direction,"),
            Self::Directions => write!(f, "the list of directions, one for each generator,"),
            Self::Box => write!(f, "the box"),
            Self::Row(i) => write!(f, "row {i} (counted from 0) of the matrix"),
        }
    }
}

/// Fails with [`TowerError::Dimension`] unless `found` is `expected`.
pub(super) fn check_dimension(part: TowerOperand, expected: usize, found: usize) -> Result<(), TowerError> {
    if expected == found { Ok(()) } else { Err(TowerError::Dimension { part, expected, found }) }
}
