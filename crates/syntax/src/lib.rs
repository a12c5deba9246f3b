//! The language of `smoothish`: source texts, types and terms.
//!
//! A small typed language with higher-order functions, integrals, roots and optima (λ_S, Sherman et al. 2021), with
//! conditionals, recursion and sampling. This crate parses programs, infers their types, computes normal forms and
//! prints them. Their semantics is in `smoothish-semantics`.
//!
//! ```
//! use smoothish_syntax::prelude::*;
//! use smoothish_syntax::syntax::normal::normalise;
//!
//! let library = Library::default();
//! let (term, ty) = library.infer_expression(r"\c => integral01 (\x => max 0 (x - c))")?;
//! assert_eq!(ty.to_string(), "Real -> Real");
//! // β: the function applied to a number
//! let (redex, _) = library.infer_expression(r"(\f => f 2) (\x => x * x)")?;
//! assert_eq!(normalise(&redex)?.to_string(), "2 * 2");
//! # let _ = term;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod prelude;
pub mod syntax;

// The layers below, re-exported so that `crate::number`, `crate::stack` and so on resolve in this crate.
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
