//! The semantics of differentiable programming, executable.
#[cfg(doctest)]
pub mod book;
pub mod cli;
pub mod number;
pub mod refs;
