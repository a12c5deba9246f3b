//! Smoothish maps: AD, the category of S §4, erased.
//!
//! A map `Γ ⇝ ℝ` is a [`Graph`](graph::Graph); composition is substitution, so it is strictly associative. What a map
//! *means*, its value and all its derivatives, is computed by running it over truncated polynomial
//! ([`Algebra`](algebra::Algebra), Weil) algebras whose coefficients are enclosures: [`jet`] has the arithmetic,
//! [`program`] the flat form of a graph, [`machine`] the evaluator, [`solve`] the engines of the second-order
//! primitives, [`spine`] what is known before they are done, [`nearby`] the condition for derivatives, [`witness`] why there is no value, [`curve`] the range of
//! a map ℝ ⇝ ℝ on an interval, [`hooks`] how to compute by others than these, [`exchange`] maps as files. [`mod@map`] is the typed form, `Map<N, M>`, in which a
//! wrong [`dimension`] does not compile, with the category that these maps form. [`tower`] is the paper's own definition,
//! slow and literal: the reference the jets are tested against.
pub mod algebra;
pub mod curve;
pub mod dimension;
pub mod error;
pub mod exchange;
pub mod fold_der;
pub mod graph;
pub mod hooks;
pub mod jet;
mod linear;
pub mod machine;
pub mod map;
pub mod nearby;
pub mod primitive;
pub mod program;
pub mod question;
pub mod reverse;
pub mod solve;
pub mod spine;
pub mod substitution;
pub mod tape;
pub mod tower;
pub mod witness;
