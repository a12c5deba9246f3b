//! Randomised tests of the semantics: laws, theories and mutants of the rules, and logical relations.
//!
//! | module | holds |
//! |---|---|
//! | [`arbitrary`] | maps, programs, elements and plots as arguments of quickcheck's properties |
//! | [`law`] | laws that relate the semantics of programs, tested on random programs; shrinking; hostile texts |
//! | [`wrong`] | mutants: each replaces one rule of the library by a wrong one, and a law must refute it |
//! | [`glue`] | correctness of the Taylor macro by logical relations (Huot, Staton and Vákár 2022, §6, §7) |
//! | [`theory`] | the claims and laws of theory files, tested in the models |
//!
//! Programs that only compute derivatives do not need this crate.
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod arbitrary;
pub mod glue;
pub mod law;
pub mod theory;
pub mod wrong;

// Re-exports of the layers below, so that the modules of this crate can name them `crate::…`.
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
#[doc(hidden)]
pub use smoothish_trace::trace;
