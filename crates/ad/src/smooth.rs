//! Smoothish maps: AD, the category of S §4, erased.
//!
//! A map `Γ ⇝ ℝ` is a [`Graph`](graph::Graph); composition is substitution, so it is strictly associative. Values and
//! all derivatives are computed by running the graph over truncated polynomial ([`Algebra`](algebra::Algebra), Weil)
//! algebras whose coefficients are enclosures.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@map`] | the typed form `Map<N, M>`, in which a wrong [`dimension`] does not compile, and the category of these maps |
//! | [`jet`], [`program`], [`machine`] | arithmetic in the algebras; the flat form of a graph; its evaluator |
//! | [`solve`], [`spine`] | solvers of the second-order primitives; their results before they are done |
//! | [`nearby`] | the condition for derivatives; the diagnosis of a missing value |
//! | [`normal_form`], [`univariate`] | normal forms, which show that a map is 0; polynomials over ℚ |
//! | [`curve`] | the range of a map ℝ ⇝ ℝ on an interval |
//! | [`hooks`] | evaluation with other implementations than these |
//! | [`exchange`] | maps as files |
//! | [`tower`] | the paper's own definition, slow and literal: the reference for the tests of jets |
pub mod algebra;
pub mod asymptotic;
pub mod curve;
pub mod dimension;
pub mod error;
pub mod exact;
pub mod exchange;
pub mod fold;
pub mod graph;
pub mod hooks;
pub mod jet;
mod linear;
pub mod machine;
pub mod map;
pub mod nearby;
pub mod normal_form;
pub mod primitive;
pub mod program;
pub mod question;
pub mod reverse;
pub mod solve;
pub mod spine;
pub mod substitution;
pub mod tape;
pub mod tower;
pub mod univariate;
