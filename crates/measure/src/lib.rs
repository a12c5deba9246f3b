//! Programs that sample and score.
//!
//! Masses, means, densities and their derivatives in parameters as enclosures ([`measure`]), found on the paths of a program; changes of
//! variables; and samplers that these judge ([`sampler`]). The semantics is that of Lew et al. 2021.
//!
//! The programs are those of the theory `Trace`, which comes with `smoothish`; there a text is asked as
//! `smoothish normaliser` and `smoothish expect` do.
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod measure;
pub mod prelude;
pub mod sampler;

// The layers below, under the paths that the code has them by.
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
