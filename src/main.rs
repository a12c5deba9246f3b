//! The command line of `smoothish`.

use smoothish::cli;
use smoothish::cli::evaluator::Workbench;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Workbench::load() {
        Ok(mut library) => cli::main(&mut library),
        Err(refusal) => {
            eprintln!("{refusal}");
            refusal.status.into()
        }
    }
}
