//! The semantics of differentiable programming, executable.
pub mod number;
pub mod smooth;
pub mod syntax;
pub mod theory;
