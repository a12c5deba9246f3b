//! Piecewise analytic functions ([Lee et al. 2020](crate::refs::LEE_2020); W §2.1): guards, pieces and intensional derivatives.
//!
//! A PAP function is a partition of its domain into countably many *analytic sets*, finite conjunctions of g > 0 and h ≤ 0 for
//! analytic g and h, and on each of them an analytic function that is defined on an open set around it. This module
//! does not depend on programs: `meaning::pap` finds the pieces of a program by running it with its branch decisions
//! replayed.
//!
//! | module | W §2.1 | contents |
//! |---|---|---|
//! | [`function`] | g(x) > 0, h(x) ≤ 0 | sign conditions on an analytic map, and the side taken; {⟨Aᵢ, fᵢ⟩} | a function by its pieces, and the unexplored part of its domain |
//! | [`analytic`] | analytic maps | conditions on the operations of a map to be analytic at a point |
//! | [`facts`] | – | ranges, signs, definedness and monotonicity of maps, together |
//! | [`proof`] | analytic sets | proofs that a set is empty, or a point of it |
//! | [`normal_form`](crate::smooth::normal_form), [`function`] | – | the sign of a number, decided by enclosures, by rational arithmetic, by normal forms |
//! | [`family`] | countable unions | a member by its number, and a bound of what the first members leave |
//! | [`germ`] | – | one-sided expansion of a map at a point, in fractional powers |
//! | [`line`](mod@line) | analytic sets in one variable | unions of intervals, with their lengths |
//! | [`paving`] | analytic sets in a box of ℝⁿ | boxes that cover a set, a point of it, its dimension |
//! | [`intensional`] | D fᵢ on Aᵢ | intensional derivatives, and a test whether a function is one |
//!
//! Countable unions are [families](family) that need not end. Unions, finite intersections and preimages are supported. There is no
//! complement: in general the complement of the pieces of a recursion is no such set (W8).

pub mod analytic;
pub mod facts;
pub mod family;
pub mod function;
pub mod germ;
pub mod intensional;
pub mod line;
pub mod paving;
pub mod proof;

pub use family::CountableFamily;
pub use function::{
    AnalyticPiece, Frontier, GuardCondition, PartExtent, PieceValue, PiecewiseMap, SignGuard, SignTest, StopReason,
};
pub use line::{IntervalEndpoint, IntervalUnion, LineInterval};
pub use paving::{Paving, RationalBox, SetDimension};
