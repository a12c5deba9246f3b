//! What can go wrong while a theorem is tried.

use crate::diffeology::DiffeologyError;
use crate::diffeology::atlas::AtlasError;
use crate::meaning::taylor::basis::BasisError;
use crate::meaning::taylor::derive::DeriveError;
use crate::model::InterpretError;
use crate::smooth::error::SmoothError;
use crate::value::ValueError;

/// Why a pair of plots was not judged.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlueError {
    /// A program could not be run, or was applied to what does not fit its type.
    #[error(transparent)]
    Element(#[from] ValueError),
    /// A number could not be computed.
    #[error(transparent)]
    Number(#[from] SmoothError),
    /// A program has no derived program.
    #[error(transparent)]
    Macro(#[from] DeriveError),
    /// A program has no meaning in the gluing category.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// There is no such Taylor representation.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// A plot of a manifold, or a map of manifolds, could not be evaluated.
    #[error(transparent)]
    Space(#[from] DiffeologyError),
    /// A manifold has no atlas.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// A jet that was asked for in a chart of which its point is not known to be one.
    #[error("the point {point} is not known to be in chart {chart}; ask in a chart that contains it")]
    Chart {
        /// The point, in the chart in which it is given.
        point: String,
        /// The number of the chart.
        chart: usize,
    },
    /// A statement about one k and one R, asked for others.
    #[error("this is a statement about k = {directions} and R = {order}; leave k and R out")]
    Only {
        /// k
        directions: usize,
        /// R
        order: usize,
    },
    /// A Taylor representation with more coordinates than random programs are tried with.
    #[error(
        "derivatives of order {order} in {directions} directions are {found} numbers for each number; random programs are \
         tried with at most {most}: give a smaller order, or fewer directions"
    )]
    Large {
        /// k
        directions: usize,
        /// R
        order: usize,
        /// How many coordinates there would be.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// More levels of nested derivatives than are tried.
    #[error("k = {directions} and R = {order} are {} levels; at most {most} are tried: give a smaller k or R", directions * order)]
    Levels {
        /// k
        directions: usize,
        /// R
        order: usize,
        /// How many levels there may be.
        most: usize,
    },
    /// A program that was drawn, or made smaller, is not well-typed.
    #[error("`{program}` is no program: {because}")]
    Program {
        /// The text.
        program: String,
        /// What the type inference says.
        because: String,
    },
    /// A relation of which no pairs can be drawn.
    #[error(
        "no pair can be drawn from this relation: what is drawn is a plot with its Taylor representation, which it does not relate: \
         {because}"
    )]
    Undrawn {
        /// Where they are not related, and both sides.
        because: String,
    },
    /// A type without a meaning here.
    #[error(
        "the type `{ty}` has no object in the gluing category; use real numbers, tuples, functions, variants, lists"
    )]
    Type {
        /// The type.
        ty: String,
    },
}
