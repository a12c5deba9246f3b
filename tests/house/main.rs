//! The book says what the program prints, and the house is built as its design says. These tests change the working directory.

mod book;
mod layers;
mod links;
mod others;
mod own_crate;
mod reference;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
