//! The meanings of programs.
//!
//! What a model is ([`model`]), the one functor from terms to its arrows, and the meanings that come with the library ([`meaning`]):
//! presheaves with certified derivatives, the literal towers, floating-point numbers, the Taylor macro, diffeological spaces, partial
//! maps, piecewise analytic functions. A meaning of your own implements [`Model`](model::Model) or [`Meaning`](model::answer::Meaning).
//!
//! ```
//! use smoothish_semantics::meaning;
//! use smoothish_semantics::prelude::*;
//! use std::sync::Arc;
//!
//! let (term, ty) = Library::default().infer_expression(r"deriv (\x => max 0 x) 0")?;
//! let budget = Arc::new(Budget::unlimited());
//! let presheaf = meaning::named("presheaf").expect("it comes with the library");
//! let answer = presheaf.answer_to(&term, &ty, &Rational::from((1, 1000)).into(), &budget)?;
//! assert!(answer.assumed.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod meaning;
pub mod model;
pub mod prelude;
pub mod simple;
pub mod terms;

// The layers below, under the paths that the code has them by.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
