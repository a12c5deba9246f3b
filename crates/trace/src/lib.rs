//! Operational semantics of programs with conditionals and recursion (Abadi and Plotkin 2020).
//!
//! A program evaluates to a value, and to a trace without conditionals and calls. Forward and reverse derivatives are
//! those of the trace.
//!
//! | module | holds |
//! |---|---|
//! | [`trace::term`](mod@trace::term) | the terms of the core language |
//! | [`trace::embed`](mod@trace::embed) | the translation of programs into the core language |
//! | [`trace::compiled`](mod@trace::compiled) | partial maps ℝⁿ ⇀ ℝᵐ, compiled once, evaluated on any kind of numbers |
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod prelude;
pub mod trace;

// The layers below, re-exported so that `crate::number`, `crate::stack` and so on resolve in this crate.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_semantics::{meaning, model, simple};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
