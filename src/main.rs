//! The command line of `smoothish`.

use smoothish::cli;
use smoothish::cli::evaluator::Workbench;
use std::process::ExitCode;

/// Programs are many small values that come and go: between a tenth and a third of the time of a question was that of the usual allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main(&mut Workbench::load())
}
