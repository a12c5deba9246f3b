//! Types and terms as text that can be read back.
//!
//! Variables keep their names, with primes added where a name would be captured or would hide what is used inside.
//! Definitions are printed with their modules.

mod cases;
mod lines;
mod operators;
mod terms;
mod types;

pub use lines::broken;
pub(crate) use operators::{compared_literals, said_of};
#[doc(hidden)]
pub use terms::{Annotated, Of};
