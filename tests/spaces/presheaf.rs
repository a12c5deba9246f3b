//! Presheaves, functions and tangents (S §5): the typed library with its laws, wrong models that they refute, presheaves of
//! one's own, and the values of the language.

#[allow(dead_code)]
#[path = "../../examples/circle.rs"]
mod circle;
mod circle_laws;
mod dynamic;
mod language;
mod laws;
mod mutants;
mod polynomial_laws;
#[allow(dead_code)]
#[path = "../../examples/polynomials.rs"]
mod polynomials;
mod second_order;
mod sharing;
mod tangents;
mod terms;
