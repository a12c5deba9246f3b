//! Diffeological spaces: sets with plots (H Def. 4.1).
//!
//! A space is a set X with, for every open U ⊆ ℝⁿ, a set of functions U → X, its *plots*. Three axioms: constants are
//! plots; `f;p` is a plot for f : V → U smooth and p a plot; a compatible family of plots over a cover glues to a plot. A
//! function f : X → Y is *smooth* when `p;f` is a plot of Y for every plot p of X.
//!
//! | module | H |
//! |---|---|
//! | [`open`], [`reparametrisation`] | the opens U ⊆ ℝⁿ, and smooth maps between them |
//! | [`space`] | the definition, as the trait [`Diffeology`](space::Diffeology) |
//! | [`region`], [`piecewise`] | functions given by pieces: what gluing makes |
//! | [`smoothness`], [`germ`], [`real`] | how smoothness and equality of numbers are refuted |
//! | [`cartesian`] | Cartesian diffeologies, opens of ℝᵐ |
//!
//! A plot is *given* as a function that claims to be one, and [`is_plot`](space::Diffeology::is_plot) tries to refute the
//! claim. Every refutation is certain: it rests on enclosures that exclude, and on exact ends. What is merely not shown,
//! such as a derivative that does not converge, is [`Vacuous`](crate::verdict::Verdict::Vacuous), and smoothness is tried
//! at points and to a finite order, so that surviving is no proof.
//!
//! Real numbers are closed [graphs](crate::smooth::graph::Graph), and a real-valued plot is a graph over the coordinates.
//! The laws are in [`law::diffeology`](crate::law::diffeology).

pub mod cartesian;
pub mod error;
pub mod germ;
pub mod open;
pub mod piecewise;
pub mod real;
pub mod region;
pub mod reparametrisation;
pub mod smoothness;
pub mod space;

pub use error::DiffeologyError;
pub use space::Diffeology;

use crate::verdict::Verdict;

/// A verdict, or why there is none.
pub type Tried = Result<Verdict, DiffeologyError>;
