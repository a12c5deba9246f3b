//! Diffeological spaces (H §4.1, §5.2, §6.3): opens, plots, the axioms and the wrong spaces that they refute, smooth maps,
//! and the language in them.

mod cartesian;
mod certainty;
mod flat;
mod language;
mod manifolds;
mod maps;
mod omega;
mod opens;
#[expect(dead_code, reason = "an example, of which some parts are tried")]
#[path = "../../examples/own_space.rs"]
mod own_space;
mod own_space_laws;
mod spaces;
mod support;
mod wrong;
