//! The language, small parts by themselves.

mod data;
mod inductive;
mod input;
mod literal;
mod mentions;
mod name;
mod nesting;
mod report;
mod source;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
