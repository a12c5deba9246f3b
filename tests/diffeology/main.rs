//! Diffeological spaces (H §4.1, §5.2, §6.3): opens, plots, the axioms and the wrong spaces that they refute, smooth maps,
//! and the language in them.

mod cartesian;
mod opens;
mod support;
