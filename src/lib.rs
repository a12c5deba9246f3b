//! The semantics of differentiable programming, executable.
pub mod number;
pub mod refs;
