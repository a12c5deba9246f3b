//! The language of `smoothish` as typed Rust expressions.
//!
//! ```
//! use smoothish_edsl::host::prelude::{Expr, Real, deriv, integral01, lam, max, real};
//!
//! let ramp = lam(|c: Expr<Real>| integral01(lam(|x: Expr<Real>| max(0, x - &c))));
//! let slope = deriv(ramp).apply(real!(0.6)).enclose(1e-9)?;
//! // (1 − c)²/2 has the derivative c − 1
//! assert!(slope.enclosure.contains(&smoothish_edsl::number::Rational::from((-2, 5))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod host;

// Re-exports of the layers below under the paths that this crate's code uses.
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
