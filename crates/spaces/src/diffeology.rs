//! Diffeological spaces: sets with plots (H Def. 4.1).
//!
//! A space is a set X with, for every open U ⊆ ℝⁿ, a set of functions U → X, its *plots*. Three axioms: constants are
//! plots; `f;p` is a plot for f : V → U smooth and p a plot; a compatible family of plots over a cover glues to a plot. A
//! function f : X → Y is *smooth* when `p;f` is a plot of Y for every plot p of X.
//!
//! | module | H |
//! |---|---|
//! | [`open`], [`ball`] | the opens U ⊆ ℝⁿ, and smooth maps between them; open balls |
//! | [`space`] | the sets on which plots are defined, and their covers; the definition, as the trait [`Diffeology`] |
//! | [`piecewise`] | functions given by pieces: the results of gluing |
//! | [`smoothness`] | refutation of smoothness, and of equality of numbers |
//! | [`product`], [`map`] | Cartesian, product and functional diffeologies |
//! | [`product`] | variants and lists, H §5.2 |
//! | [`subspace`], [`quotient`], [`wire`] | – |
//! | [`map`] | smooth maps, and their Cartesian closed category |
//! | [`manifold`] | manifolds, H §6.3; products and disjoint unions of manifolds, H §6.3; maps of spheres, H §6.3 |
//! | [`analytic`], [`omega`] | ωPAP spaces, W §3.2: plots on c-analytic sets, with an order |
//!
//! A plot is *given* as a function with the claim that it is a plot. [`test_plot`](space::Diffeology::test_plot) tries to
//! refute the claim. Every refutation is certain: it rests on disjoint enclosures and on exact endpoints. A property
//! that is merely not shown, such as a derivative that does not converge, is
//! [`Vacuous`](crate::verdict::Verdict::Vacuous). Smoothness is tested at points and to a finite order, so survival is
//! no proof.
//!
//! Real numbers are closed [graphs](crate::smooth::graph::Graph), and a real-valued plot is a graph over the coordinates.
//! The laws are in `law::diffeology`.
//!
//! Opens are finite unions of rational boxes, so inclusions and covers are decided exactly. They may also be cut by balls of
//! rational centre and squared radius; then covers are decided unless rims touch. A preimage of an open set
//! under a smooth map is no such union: a glued function keeps its pieces with the maps that say where they lie
//! ([`piecewise`]). A point that lies in no piece for certain is an error at that point, and makes a law vacuous.
//!
//! Points of a function space are compared at random arguments.

pub mod analytic;
pub mod ball;
pub mod manifold;
pub mod map;
pub mod omega;
pub mod open;
pub mod piecewise;
pub mod product;
pub mod quotient;
pub mod smoothness;
pub mod space;
pub mod subspace;
pub mod wire;

use crate::verdict::Verdict;
pub use space::{Diffeology, DiffeologyError};

/// A verdict, or the error that prevented it.
pub type DiffeologyVerdict = Result<Verdict, DiffeologyError>;
