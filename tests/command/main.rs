//! The command line, the prompt and the pictures, as processes.

mod advice;
mod agreement;
mod aliases;
mod audits;
mod book;
mod cli;
mod culprits;
mod demand;
mod doors;
mod endless;
mod equality;
mod evidence;
#[cfg(target_os = "linux")]
mod limits;
mod moves;
mod parameters;
mod plot;
mod render;
mod repl;
mod table;
mod total;
mod undecided;
mod units;
mod why;
mod words;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
