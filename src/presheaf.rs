//! Presheaves over smoothish maps: HAD, the higher-order semantics of S §5.
//!
//! A presheaf F assigns to every stage Γ (a Cartesian space, here a finite set of [variables](crate::smooth::graph::Variable))
//! a set F(Γ) of elements, and to every map Δ ⇝ Γ a restriction F(Γ) → F(Δ). Variables being globally fresh names,
//! weakening along a projection is the identity, and only substitutions do anything.
//!
//! | module | S |
//! |---|---|
//! | [`dynamic`] | the presheaf of all values of the language: representables, products, exponentials, §5.1, Fig. 6 |
//! | [`second_order`] | integral01, cutRoot, firstRoot as natural families `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, §5.2 |
//! | [`sequence`] | lists: the elements of `List A`, H §5.1 |
//! | [`tangent`] | Tan as a coend, tangent, tangentValue and the three isomorphisms, §5.3 |
//!
//! This layer computes no number: an element of ground type is a graph.

pub mod dynamic;
pub mod error;
pub mod second_order;
pub mod sequence;
pub mod tangent;
