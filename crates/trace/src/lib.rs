//! Operational semantics of programs with conditionals and recursion (Abadi and Plotkin 2020).
//!
//! A program runs to a value and leaves a trace without conditionals; derivatives, forward and reverse, are those of the trace.
//!
//! | module | holds |
//! |---|---|
//! | [`trace::term`](mod@trace::term) | the core language |
//! | [`trace::embed`](mod@trace::embed) | the programs of the language that are of the core language |
//! | [`trace::compiled`](mod@trace::compiled) | partial maps ℝⁿ ⇀ ℝᵐ that run on numbers of any kind |

pub mod prelude;
pub mod trace;

// The layers below, under the paths that the code has them by.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_semantics::{meaning, model, simple, terms};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
