//! Functions of functions: presheaves, spaces of plots, and Rust as a host for both.

mod diffeology;
mod host;
mod presheaf;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
