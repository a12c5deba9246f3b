//! The semantics of differentiable programming, executable.
#[cfg(doctest)]
pub mod book;
pub mod category;
pub mod cli;
pub mod diffeology;
pub mod glue;
pub mod host;
pub mod law;
pub mod meaning;
pub mod model;
pub mod mutation;
pub mod number;
pub mod plot;
pub mod presheaf;
pub mod random;
pub mod refs;
pub mod session;
pub mod smooth;
pub mod stack;
pub mod syntax;
pub mod theory;
pub mod verdict;
