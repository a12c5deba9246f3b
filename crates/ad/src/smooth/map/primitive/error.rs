//! Errors in registering a primitive from outside.

use crate::number::Enclosure;
use crate::smooth::error::SmoothError;
use crate::smooth::map::error::MapError;
use crate::smooth::tower::TowerError;
use crate::smooth::tower::consistency::{Discrepancy, TowerRefutation};

/// The reason why a primitive was rejected.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrimitiveError {
    /// The name cannot be the name of a function.
    #[error("`{name}` is no name for a function: a lower-case letter is expected, then letters, digits and `_`")]
    Name {
        /// The name as given.
        name: String,
    },
    /// The name is a word of the language.
    #[error("`{name}` is a word of the language, and a printed map would mean that: give another name")]
    Reserved {
        /// The name as given.
        name: String,
    },
    /// The derivative has the wrong shape.
    #[error(
        "the derivative of `{name}` is a map ℝ^{inputs} ⇝ ℝ^{outputs}, but a point and a direction with {arity} components \
         each, and one result, are needed: ℝ^{} ⇝ ℝ^1", 2 * arity
    )]
    Dimension {
        /// The primitive.
        name: String,
        /// The dimension of its domain.
        arity: usize,
        /// The dimension of the domain of the derivative.
        inputs: usize,
        /// The dimension of the codomain of the derivative.
        outputs: usize,
    },
    /// Two enclosures of one value are disjoint.
    #[error("the extension of `{name}` does not enclose: at {narrow_at} it gives {narrow}, but on {wide_at}, {wide}")]
    NotEnclosing {
        /// The primitive.
        name: String,
        /// A box.
        narrow_at: String,
        /// The value there.
        narrow: Box<Enclosure>,
        /// A box that contains it.
        wide_at: String,
        /// The values there.
        wide: Box<Enclosure>,
    },
    /// The derivative is not linear in its direction.
    #[error(
        "the derivative of `{name}` is not linear in its direction: at {at}, g(x, 2v - 3w) is {found}, but \
         2·g(x, v) - 3·g(x, w) is {expected}"
    )]
    NotLinear {
        /// The primitive.
        name: String,
        /// The point and the directions v and w.
        at: String,
        /// The left side.
        found: Box<Enclosure>,
        /// The right side.
        expected: Box<Enclosure>,
    },
    /// The derivative is not that of the value.
    #[error("the derivative of `{name}` is not its derivative: {why}")]
    Inconsistent {
        /// The primitive.
        name: String,
        /// The smallest counterexample that was found.
        why: Box<TowerRefutation>,
    },
    /// The derivative does not seem to be that of the value, by evidence at a single point.
    #[error("the derivative of `{name}` does not seem to be its derivative: {why}")]
    Doubtful {
        /// The primitive.
        name: String,
        /// The evidence.
        why: Box<Discrepancy>,
    },
    /// The primitive has no tower of derivatives to be tested.
    #[error("trying `{name}`: {error}")]
    Tower {
        /// The primitive.
        name: String,
        /// The error.
        error: Box<TowerError>,
    },
    /// Every box is a point in some coordinate, so the partial derivative cannot be tested.
    #[error(
        "every box to try `{name}` on is a point in coordinate {coordinate} (counted from 0), where nothing can be asked of \
         its derivative: give an interval with an interior"
    )]
    Point {
        /// The primitive.
        name: String,
        /// The coordinate.
        coordinate: usize,
    },
    /// No test saw a defined value, or none in some coordinate.
    #[error(
        "`{name}` or its derivative is not shown to be defined on the boxes, or not along every coordinate: give boxes \
         inside its domain"
    )]
    Untested {
        /// The primitive.
        name: String,
    },
    /// A box with a wrong number of intervals, or with endpoints in the wrong order.
    #[error("a box to try `{name}` on: {error}")]
    Box {
        /// The primitive.
        name: String,
        /// The error of the box.
        error: MapError,
    },
    /// The evaluation failed.
    #[error("trying `{name}`: {error}")]
    Evaluation {
        /// The primitive.
        name: String,
        /// The error.
        error: SmoothError,
    },
}
