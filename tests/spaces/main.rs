//! Functions of functions: presheaves, spaces of plots, and Rust as a host for both.

mod diffeology;
mod host;
#[path = "../../examples/own_crate/src/lib.rs"]
mod own_crate;
mod presheaf;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
