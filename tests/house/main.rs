//! The book says what the program prints, and the house is built as its design says. These tests change the working directory.

mod book;
mod commands;
mod deprecated;
mod layers;
mod links;
mod ordinals;
mod others;
mod own_crate;
mod reference;
mod standard;
mod words;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
