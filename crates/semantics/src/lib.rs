//! Denotational semantics of the language: models, the interpretation of terms in them, and the semantics that come with the
//! library.
//!
//! [`model`] defines a model and the one functor from terms to its arrows. [`meaning`] holds the instances: presheaves with
//! certified derivatives, literal towers of derivatives, floating-point numbers, the Taylor macro, diffeological spaces, partial
//! maps and piecewise analytic functions. A semantics of your own implements [`Model`](model::Model) or
//! [`Semantics`](model::answer::Semantics).
//!
//! ```
//! use smoothish_semantics::meaning;
//! use smoothish_semantics::prelude::*;
//! use std::sync::Arc;
//!
//! let (term, ty) = Library::default().infer_expression(r"deriv (\x => max 0 x) 0")?;
//! let budget = Arc::new(Budget::unlimited());
//! let presheaf = meaning::semantics_named("presheaf").expect("it comes with the library");
//! let answer = presheaf.evaluate_to(&term, &ty, &Rational::from((1, 1000)).into(), &budget)?;
//! assert!(answer.promises.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod meaning;
pub mod model;
pub mod prelude;
pub mod simple;

// The layers below, under the module paths that this crate's code uses.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
