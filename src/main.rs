//! The command line of `smoothish`.

use smoothish::cli;
use smoothish::cli::evaluator::TheorySession;
use std::process::ExitCode;

/// The allocator. Programs allocate many small short-lived values; the system allocator took between a tenth and a
/// third of the time of a question.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main(&mut TheorySession::load())
}
