//! The errors of the tests of logical relations.

use crate::diffeology::DiffeologyError;
use crate::diffeology::manifold::AtlasError;
use crate::meaning::taylor::derive::DeriveError;
use crate::meaning::taylor::jet::BasisError;
use crate::model::InterpretError;
use crate::smooth::error::SmoothError;
use crate::value::ValueError;

/// The reason why a pair of plots was not judged.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlueError {
    /// A program that could not be run, or an element of another type than expected.
    #[error(transparent)]
    Element(#[from] ValueError),
    /// A number that could not be computed.
    #[error(transparent)]
    Number(#[from] SmoothError),
    /// A program without a derived program.
    #[error(transparent)]
    Macro(#[from] DeriveError),
    /// A program without an interpretation in the gluing category.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// A Taylor basis that does not exist: k or R is 0 or too large.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// A plot or a map of manifolds that could not be evaluated.
    #[error(transparent)]
    Space(#[from] DiffeologyError),
    /// A manifold without an atlas.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// A jet in a chart that is not known to contain its point.
    #[error("the point {point} is not known to be in chart {chart}; ask in a chart that contains it")]
    Chart {
        /// The point, in the chart in which it is given.
        point: String,
        /// The index of the chart.
        chart: usize,
    },
    /// A statement about one k and R, tested with others.
    #[error("this is a statement about k = {directions} and R = {order}; leave k and R out")]
    Only {
        /// The k of the statement.
        directions: usize,
        /// The R of the statement.
        order: usize,
    },
    /// A Taylor basis with more coordinates than random programs are tested with.
    #[error(
        "derivatives of order {order} in {directions} directions are {found} numbers for each number; random programs are \
         tried with at most {most}: give a smaller order, or fewer directions"
    )]
    LargeBasis {
        /// The k that was given, or the largest that may be drawn.
        directions: usize,
        /// The R that was given, or the largest that may be drawn.
        order: usize,
        /// The number of coordinates of a jet.
        found: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// More levels of nested derivatives than are tested.
    #[error("k = {directions} and R = {order} are {} levels; at most {most} are tried: give a smaller k or R", directions * order)]
    Levels {
        /// The k that was given.
        directions: usize,
        /// The R that was given.
        order: usize,
        /// The largest number of levels, k · R.
        most: usize,
    },
    /// A random or shrunk program that is not well-typed.
    #[error("`{program}` is no program: {because}")]
    Program {
        /// The program as text.
        program: String,
        /// The message of the type inference.
        because: String,
    },
    /// A relation from which no related pairs can be drawn.
    #[error(
        "no pair can be drawn from this relation: what is drawn is a plot with its Taylor representation, which it does not relate: \
         {because}"
    )]
    UnrelatedDraw {
        /// The position at which the drawn pair is not related, with both sides.
        because: String,
    },
    /// A type that has no object in the gluing category.
    #[error(
        "the type `{ty}` has no object in the gluing category; use real numbers, tuples, functions, variants, lists"
    )]
    Type {
        /// The type.
        ty: String,
    },
}
