//! Presheaves, functions and tangents (S §5): the typed library with its laws, wrong models that they refute, and the
//! values of the language.

mod dynamic;
mod language;
mod laws;
mod mutants;
mod second_order;
mod tangents;
mod terms;
