//! The command line of `smoothish`.

use smoothish::cli;
use smoothish::cli::evaluator::Workbench;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(&mut Workbench::load())
}
