//! The semantics of differentiable programming, executable.
pub mod meaning;
pub mod number;
pub mod presheaf;
pub mod session;
pub mod smooth;
pub mod syntax;
pub mod theory;
