//! Theories as texts: definitions, claims and laws.
//!
//! Definitions become modules of a [`Library`](syntax::library::Library). What a theory claims of them is tried by `smoothish-laws`.
//!
//! ```
//! use smoothish_theory::prelude::*;
//! use smoothish_theory::syntax::source::Source;
//! use std::sync::Arc;
//!
//! let mut texts = Texts::new();
//! let text = "theory Double\nabout \"Twice.\"\nlet double (x : Real) : Real = 2 * x\nclaim four : double 2 within 1e-9 of 4 because \"2 + 2\"\n";
//! let documents = texts.define([Arc::new(Source::new("double.theory", text))])?;
//! assert_eq!(texts.library().infer_expression("double 3")?.1.to_string(), "Real");
//! // the claim is handed back as it is written
//! assert_eq!(documents[0].items.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod prelude;
pub mod theory;

// The layers below, under the paths that the code has them by.
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
#[doc(hidden)]
pub use smoothish_syntax::syntax;
