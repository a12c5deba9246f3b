//! Smoothish maps with their dimensions as types: closed forms, laws, errors, printing, and the tower against the jets.

mod closed_forms;
mod depth;
mod finite;
mod kinks;
mod laws;
mod mutants;
#[allow(dead_code)]
#[path = "../../examples/own_primitive.rs"]
mod own;
mod pictures;
mod primitives;
mod printing;
mod ranges;
mod refusals;
mod support;
mod towers;
