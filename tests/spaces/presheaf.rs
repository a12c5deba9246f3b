//! Presheaves, functions and tangents (S §5): the typed library with its laws, wrong models that they refute, presheaves of
//! one's own, and the values of the language.

#[expect(dead_code, reason = "an example has a main of its own")]
#[path = "../../examples/circle.rs"]
mod circle;
mod circle_laws;
mod dynamic;
mod language;
mod laws;
mod mutants;
mod polynomial_laws;
#[expect(dead_code, reason = "an example has a main of its own")]
#[path = "../../examples/polynomials.rs"]
mod polynomials;
mod second_order;
mod sharing;
mod tangents;
mod terms;
