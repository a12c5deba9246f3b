//! The language before it means anything: types, normal forms, random and hostile programs.

mod first_order;
mod fuzz;
mod language;
mod laws;
mod messages;
mod normal;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
