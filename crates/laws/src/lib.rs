//! Laws of the semantics of differentiable programming, and what refutes them.
//!
//! | module | holds |
//! |---|---|
//! | [`law`] | laws that connect the meanings of programs, tried on random programs; shrinking; hostile texts |
//! | [`wrong`] | the rules of the library, each with a wrong one in its place, which the laws refute |
//! | [`glue`] | why the Taylor macro is right (Huot, Staton and Vákár 2022, §6, §7) |
//! | [`theory`] | claims and laws of theories: what becomes of them in which model |
//!
//! Whoever computes derivatives needs none of it.

pub mod glue;
pub mod law;
pub mod theory;
pub mod wrong;

// The layers below, under the paths that the code has them by.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_measure::{measure, sampler};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_semantics::{meaning, model, simple, terms};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
#[doc(hidden)]
pub use smoothish_trace::trace;
