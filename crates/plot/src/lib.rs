//! Certified plots.
//!
//! Every column of a picture, or every pixel, carries an interval that certainly contains all values of the function there: no sample can
//! miss a peak. Envelopes of functions and their derivatives, densities of programs that sample, functions of two variables; as numbers, text,
//! SVG and PNG. All of it is in [`plot`](mod@plot).

pub mod plot;

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
