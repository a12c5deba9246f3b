//! Certified plots.
//!
//! Every column of a picture, or every pixel, carries an interval that certainly contains all values of the function
//! there: no peak falls between samples. The module [`plot`](mod@plot) holds envelopes of functions and their
//! derivatives, densities of programs that sample, and pictures of functions of two variables. The output is numbers,
//! text, SVG or PNG.
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod plot;

// The lower layers, re-exported under the paths that the code of this crate uses.
#[doc(hidden)]
pub use smoothish_ad::{category, pieces, smooth, undefined};
#[doc(hidden)]
pub use smoothish_measure::{measure, sampler};
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_semantics::{meaning, model, simple};
#[doc(hidden)]
pub use smoothish_spaces::{diffeology, presheaf, value};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
