//! Piecewise analytic functions ([Lee et al. 2020](crate::refs::LEE_2020); W §2.1): guards, pieces and intensional derivatives.
//!
//! A PAP function is a partition of its domain into countably many *analytic sets*, finite conjunctions of g > 0 and h ≤ 0 for
//! analytic g and h, and on each of them an analytic function that is defined on an open set around it. Nothing here knows of
//! programs: `meaning::pap` makes pieces of these by running them with their decisions replayed.
//!
//! | module | W §2.1 | what it holds |
//! |---|---|---|
//! | [`guard`] | g(x) > 0, h(x) ≤ 0 | questions on the sign of an analytic map, and their answers |
//! | [`analytic`] | analytic maps | what the operations of a map need to be analytic at a point |
//! | [`proof`] | analytic sets | whether one has points: that it has none, or one of them |
//! | [`fraction`], [`sign`] | – | the sign of a number, decided: by enclosures, by rational arithmetic, by normal forms |
//! | [`univariate`] | – | polynomials in one variable, with their real roots isolated |
//! | [`germ`] | – | a map on one side of a point, by its expansion in fractional powers |
//! | [`line`](mod@line) | analytic sets in one variable | stretches of a line, with their lengths |
//! | [`function`] | {⟨Aᵢ, fᵢ⟩} | a function by its pieces, and what of it was not unfolded |
//! | [`intensional`] | D fᵢ on Aᵢ | its derivatives, and whether a function is one of them |
//!
//! Countable unions are lists that need not end; unions, finite intersections and preimages are all that is offered. There is no
//! complement: where the pieces of a recursion are, and where it ends, is no such set in general (W8).

pub mod analytic;
pub mod fraction;
pub mod function;
pub mod germ;
pub mod guard;
pub mod intensional;
pub mod line;
pub mod proof;
pub mod sign;
pub mod univariate;

pub use function::{Frontier, Outcome, Pap, Piece, Rest};
pub use guard::{Decided, Guard, Test};
pub use line::{End, Region, Stretch};
