//! The spaces in which programs have their values.
//!
//! | module | holds | source |
//! |---|---|---|
//! | [`value`] | values of programs over any representation of real numbers | |
//! | [`presheaf`] | presheaves over smoothish maps: functions of functions, second-order primitives, tangents | Sherman et al. 2021, §5 |
//! | [`diffeology`] | sets with plots, manifolds, gluing | Huot, Staton and Vákár 2022, §4 |
//!
//! ```
//! use smoothish_spaces::presheaf::exponential::PresheafTransformation;
//! use smoothish_spaces::presheaf::exponential::{Functional, NaturalFamily};
//! use smoothish_spaces::smooth::map::Space;
//!
//! // the integral as a natural transformation (ℜ → ℜ) → ℜ
//! let square = PresheafTransformation::new(|_, x| x * x);
//! let integral = Functional::Integral.to_transformation().component_at(&Space::new(), &square);
//! assert_eq!(integral.to_string(), "integral01 (\\t => t * t)");
//! ```
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod diffeology;
pub mod prelude;
pub mod presheaf;
pub mod value;

// Re-exports of the layers below under the paths that this crate's code uses.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
