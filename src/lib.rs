//! The semantics of differentiable programming, executable.
pub mod number;
pub mod presheaf;
pub mod smooth;
pub mod syntax;
