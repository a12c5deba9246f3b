//! Smoothish maps with their dimensions as types: closed forms, laws, errors, printing, and the tower against the jets.

mod closed_forms;
mod depth;
mod finite;
mod kinks;
mod laws;
mod mutants;
#[expect(dead_code, reason = "an example, of which some parts are tried")]
#[path = "../../examples/own_primitive.rs"]
mod own;
mod pictures;
mod primitives;
mod printing;
mod ranges;
mod refusals;
mod support;
mod towers;
