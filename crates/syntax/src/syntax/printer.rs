//! The printer: types and terms as text that parses back.
//!
//! Variables keep their names. A prime is added if a name would be captured, or would hide a name used inside.
//! Definitions are printed with their modules.

mod cases;
mod lines;
mod operators;
mod terms;
mod types;

pub use lines::break_lines;
pub(crate) use operators::{ascribed_type, compares_literals_as_reals};
#[doc(hidden)]
pub use terms::{AnnotatedTerm, TypePosition};
