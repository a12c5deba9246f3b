//! The command line: options in, questions asked, answers and an exit status out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`arguments`] | the options, and how they are read |
//! | [`tolerance`] | `--eps` and `--timeout`: what a question may cost and how wide its answer may be |
//! | [`ask`] | what the command line needs of an evaluator |
//! | [`evaluator`] | the evaluator: the theories and a session |
//! | [`eval`], [`check`], [`demo`], [`repl`] | one command each |
//! | [`workspace`] | definitions, theories from files, and saving, for the prompt |
//! | [`read`] | texts from files and streams |
//! | [`demo_programs`] | the programs of `demo`, with their true values |
//! | [`status`] | exit statuses |
//! | [`interrupt`] | Ctrl-C |
//!
//! Results go to the output stream and diagnostics to the error stream. An answer is judged by its *printed* ends,
//! because they are what the reader has.

pub mod arguments;
pub mod ask;
pub mod check;
pub mod demo;
pub mod demo_programs;
pub mod eval;
pub mod evaluator;
pub mod interrupt;
pub mod read;
pub mod repl;
pub mod status;
pub mod tolerance;
pub mod workspace;

use arguments::{Arguments, Command};
use ask::Limits;
use clap::Parser;
use evaluator::Library;
use status::Status;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tolerance::Timeout;

/// The whole of the program: runs the command line that it was started with.
pub fn main(evaluator: &mut Library) -> ExitCode {
    let interrupted = interrupt::watch();
    // Not locked: a thread of the evaluator may have something to say.
    let (mut out, mut err) = (io::stdout(), io::stderr());
    match run(std::env::args_os(), evaluator, &interrupted, &mut out, &mut err) {
        Ok(status) => status.into(),
        // `smoothish demo | head`: nobody reads any more.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            // If this cannot be written either, the status has to do.
            let _ = writeln!(err, "error: {e}");
            Status::Wrong.into()
        }
    }
}

/// Runs one command line, the program's name first, and says how it went.
///
/// # Errors
/// What writing to `out` or `err` fails with, a reader that has gone away ([`io::ErrorKind::BrokenPipe`]) included.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    evaluator: &mut Library,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(refused) => {
            // clap prints in colour where that is wanted, and to the right stream.
            refused.print()?;
            return Ok(if refused.use_stderr() { Status::Wrong } else { Status::Reached });
        }
    };
    let limits = |timeout| Limits { timeout, interrupted: interrupted.clone() };
    match arguments.command {
        Command::Demo => demo::run(evaluator, &limits(Timeout::default()), out),
        Command::Eval(options) => eval::run(&options, evaluator, &limits(options.timeout), &mut io::stdin(), out, err),
        Command::Repl(options) => repl::run(&options, evaluator, interrupted, out, err),
        Command::Check(options) => check::run(&options, evaluator, &limits(options.timeout), out, err),
    }
}
