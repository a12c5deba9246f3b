//! Theory files: parser, layout and loader for files of definitions, claims and laws.
//!
//! The definitions of a theory become a module of a [`Library`](syntax::library::Library). Its claims and laws are
//! returned as they are written; the crate `smoothish-laws` tests them.
//!
//! ```
//! use smoothish_theory::prelude::*;
//! use smoothish_theory::syntax::source::SourceText;
//! use std::sync::Arc;
//!
//! let mut texts = TheoryTexts::new();
//! let text = "theory Double\nabout \"Twice.\"\nlet double (x : Real) : Real = 2 * x\nclaim four : double 2 within 1e-9 of 4 because \"2 + 2\"\n";
//! let documents = texts.define([Arc::new(SourceText::new("double.theory", text))])?;
//! assert_eq!(texts.library().infer_expression("double 3")?.1.to_string(), "Real");
//! // the claim is handed back as it is written
//! assert_eq!(documents[0].items.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod prelude;
pub mod theory;

// Re-exports of the layers below, so that the modules of this crate can name them `crate::…`.
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
