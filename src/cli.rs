//! The command line: parses options, asks questions, prints answers, and returns an exit status.
//!
//! | module | contents |
//! |---|---|
//! | [`arguments`] | the options, their parser, and the commands in groups |
//! | [`evaluator`] | the theories, and the session that answers every question; definitions, theories from files, and saving, for the prompt |
//! | [`eval`], [`agree`], [`mod@derive`], [`mod@trace`], [`pieces`], [`measure`], [`features`], [`adequacy`], [`check`], [`demo`], [`mutants`], [`theorem`], [`repl`], [`plot`], [`campaign`], [`fuzz`] | one command each |
//! | [`questions`] | the questions of `eval` and others, from the command line and from files |
//! | [`mod@reference`] | the documentation of names, and the chapter of the book that lists them |
//! | [`read`] | reading of files and streams; interrupts by Ctrl-C |
//! | [`output`] | progress of long questions, and coloured diagnostics, on a terminal; atomic writing of files |
//! | [`arguments`] | completions and the manual page |
//! | [`book`] | the book as live pages; its examples, and the processes that answer them |
//! | [`demo`] | the programs of `demo`, with their true values; first steps |
//! | [`status`] | the options common to commands, and their errors; exit statuses |
//!
//! Results go to the output stream, diagnostics to the error stream. An answer is judged by its *printed* ends, since
//! the reader has no others.

pub mod adequacy;
pub mod agree;
pub mod arguments;
pub mod audit;
pub mod book;
pub mod campaign;
pub mod check;
pub mod correspondence;
pub mod demo;
pub mod derive;
pub mod eval;
pub mod evaluator;
pub mod features;
pub mod fmt;
pub mod fuzz;
pub mod measure;
pub mod mutants;
pub mod output;
pub mod pieces;
pub mod plot;
pub mod questions;
pub mod read;
pub mod reference;
pub mod render;
pub mod repl;
pub mod status;
pub mod table;
pub mod theorem;
pub mod tip;
pub mod trace;
pub mod value;

use crate::number::budget;
use crate::number::tuning::Tuning;
use crate::session::Limits;
use crate::session::tolerance::Timeout;
use arguments::{Arguments, Command};
use clap::Parser;
use evaluator::TheorySession;
use measure::EvidenceOptions;
use output::{Coloured, Streams, Wrapped};
use questions::QuestionArgs;
use read::BlockingInput;
use status::{CommandError, CommonArgs, Status};
use std::ffi::OsString;
use std::io;
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The limit on the memory of the process, in bytes; above it a question is cut short. A choice: with what is built
/// between two checks it stays below the 1 GB that messages name.
pub const MEMORY_LIMIT: u64 = 768 << 20;

/// Runs the command line of the process.
pub fn main(evaluator: &mut TheorySession) -> ExitCode {
    let interrupted = read::install_handler();
    budget::set_limit(MEMORY_LIMIT);
    // Not locked: a thread of the evaluator may write too.
    let mut out = io::stdout();
    let stderr = output::IgnoreBrokenPipe(io::stderr());
    let mut err: Box<dyn Write> =
        if output::is_wanted(&io::stderr()) { Box::new(Coloured::new(stderr)) } else { Box::new(stderr) };
    // The progress line is erased by escape codes, which a dumb terminal prints as text.
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    evaluator.show_progress(io::stderr().is_terminal() && !is_dumb);
    let mut lines = Wrapped::new(&mut *err, output::error_columns);
    let mut given: Vec<OsString> = std::env::args_os().collect();
    // Before anything is parsed: the number of an option may be an expression, which is evaluated there.
    if let Some(refusal) = evaluator.confine_if_asked(&mut given) {
        let _ = writeln!(lines, "{}", refusal.report()).and_then(|()| lines.flush());
        return Status::Wrong.into();
    }
    let ran = run_command_line(given, evaluator, &interrupted, &mut out, &mut lines);
    match ran.and_then(|status| lines.flush().map(|()| status)) {
        Ok(status) => status.into(),
        // As in `smoothish demo | head`: the reader has closed the pipe.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(output::BROKEN_PIPE_STATUS),
        Err(e) => {
            // If the error stream is closed as well, only the status is left to tell it.
            let _ = writeln!(err, "error: {e}");
            Status::Wrong.into()
        }
    }
}

/// Runs one command line, the program's name first. Returns its status.
///
/// # Errors
/// Errors of writing to `out` or `err`, also if the reader has closed them ([`io::ErrorKind::BrokenPipe`]).
pub fn run_command_line(
    arguments: impl IntoIterator<Item = OsString>,
    evaluator: &mut TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let given = arguments::expand_shorthand(arguments.into_iter().collect());
    if given.len() < 2 {
        demo::print_first_steps(out)?;
        return Ok(Status::Reached);
    }
    let arguments = match Arguments::try_parse_from(&given) {
        Ok(arguments) => arguments,
        Err(refused) => {
            let texts: Vec<String> = given.iter().map(|text| text.to_string_lossy().into_owned()).collect();
            let refused = tip::with_tip(refused, &texts);
            // clap prints in colour if the stream is a terminal, and chooses the stream: help is no error.
            refused.print()?;
            if !refused.use_stderr() {
                return Ok(Status::Reached);
            }
            // A caller that asked for JSON gets the usage error as an object too.
            tip::refuse_usage(&given, &refused, &mut Streams { out, err })?;
            return Ok(Status::Wrong);
        }
    };
    match dispatch(arguments, evaluator, interrupted, out, err) {
        Ok(status) => Ok(status),
        Err(CommandError::Stream(error)) => Err(error),
        Err(CommandError::Refused(refusal)) => tip::refuse_command_line(&given, &refusal, &mut Streams { out, err }),
    }
}

/// Dispatches to the command.
fn dispatch(
    arguments: Arguments,
    evaluator: &mut TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, CommandError> {
    // `repl`, `check`, `mutants` and `theorem` get the flag itself: each of their questions or statements has its own
    // limit of time.
    let limits = |timeout: Timeout| timeout.to_limits(interrupted);
    if evaluator.is_confined {
        let is_built_in = |name: &str| evaluator.theories.find_theory(name).is_some();
        arguments.command.check_confined(is_built_in)?;
    }
    match arguments.command {
        Command::Demo => {
            let limits = limits(Timeout::default());
            let found = demo::run_demo(evaluator, &limits, output::is_wanted(&io::stdout()), out)?;
            // Ctrl-C ends the demonstration, not only the program at hand.
            if limits.is_interrupted() {
                return Ok(found);
            }
            Ok(Status::worst_of([found, demo::print_next_steps(evaluator, &limits, out)?]))
        }
        Command::Eval(options) => {
            let tuning = options.search.load_tuning()?;
            let limits = Limits { unfoldings: options.fuel, tuning, ..limits(options.demand.timeout) };
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                eval::run_eval(&options, library, &limits, input, streams)
            })
        }
        Command::Agree(options) => {
            let limits = Limits { tuning: options.search.load_tuning()?, ..limits(options.demand.timeout) };
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                agree::run_agree(&options, library, &limits, input, streams)
            })
        }
        Command::Derive(options) => {
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                derive::run_derive(&options, library, &limits(Timeout::default()), input, streams)
            })
        }
        Command::Fragment(options) => {
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                features::run_fragment(&options, library, &limits(Timeout::default()), input, streams)
            })
        }
        Command::Features(options) => Ok(features::run_features(&options, evaluator, out)?),
        Command::Trace(options) => {
            let limits = limits(options.timeout);
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                trace::run_trace(&options, library, &limits, input, streams)
            })
        }
        Command::Pieces(options) => {
            let limits = Limits { tuning: options.search.load_tuning()?, ..limits(options.timeout) };
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                pieces::run_pieces(&options, library, &limits, input, streams)
            })
        }
        Command::Audit(options) => {
            let limits = Limits { tuning: options.search.load_tuning()?, ..limits(options.timeout) };
            run_with_questions(&options.asked, evaluator, out, err, |library, input, streams| {
                audit::run_audit(&options, library, &limits, input, streams)
            })
        }
        Command::Evidence(EvidenceOptions { measure: options, goal, log }) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, _, streams| {
                measure::run_measure(
                    &options,
                    &goal.into(),
                    measure::MeasuredQuantity::Mass { log },
                    library,
                    limits,
                    streams,
                )
            })
        }
        Command::Expect(expect) => {
            let setting = &expect.measure.setting;
            run_within_limits(setting, interrupted, evaluator, out, err, |library, limits, _, streams| {
                let (goal, asked) = (expect.goal.goal(), expect.quantity());
                measure::run_measure(&expect.measure, &goal, asked, library, limits, streams)
            })
        }
        Command::Estimators(options) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, _, streams| {
                measure::run_estimators(&options, library, limits, streams)
            })
        }
        Command::Pushforward(options) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, _, streams| {
                measure::run_pushforward(&options, library, limits, streams)
            })
        }
        Command::Infer(options) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, _, streams| {
                measure::run_infer(&options, library, limits, streams)
            })
        }
        Command::Render(options) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, input, streams| {
                render::run_render(&options, library, limits, input, streams)
            })
        }
        Command::Plot(options) => {
            run_within_limits(&options.setting, interrupted, evaluator, out, err, |library, limits, input, streams| {
                plot::run_plot(&options, library, limits, input, streams)
            })
        }
        Command::Table(options) => {
            let limits = Limits { tuning: options.search.load_tuning()?, ..limits(options.demand.timeout) };
            with_theories(&options.load, evaluator, out, err, |library, input, streams| {
                table::run_table(&options, library, &limits, input, streams)
            })
        }
        Command::Tuning(options) => {
            let tuning = options.search.load_tuning()?;
            write!(out, "{}", tuning.as_deref().unwrap_or(&Tuning::DEFAULT))?;
            Ok(Status::Reached)
        }
        Command::Doc(options) => Ok(reference::run_doc(&options, evaluator, &mut Streams { out, err })?),
        Command::Repl(options) => repl::run_repl(&options, evaluator, interrupted, out, err),
        Command::Check(options) => Ok(check::run_check(&options, evaluator, interrupted, out, err)?),
        Command::Mutants(options) => Ok(mutants::run_mutants(&options, evaluator, interrupted, out, err)?),
        Command::Theorem(options) => Ok(theorem::run_theorem(&options, evaluator, interrupted, out, err)?),
        Command::Fmt(options) => Ok(fmt::run_fmt(&options, &mut BlockingInput(io::stdin()), out, err)?),
        Command::Fuzz(options) => Ok(fuzz::run_fuzz(&options, &limits(Timeout::default()), out, err)?),
        Command::Adequacy(options) => Ok(adequacy::run_adequacy(&options, &limits(Timeout::default()), out)?),
        Command::Campaign(options) => Ok(campaign::run_campaign(&options, &limits(Timeout::default()), out, err)?),
        Command::Book(options) => book::run_book(&options, evaluator, interrupted, out, err),
        Command::Completions { shell } => Ok(arguments::print_completions(shell, out).map(|()| Status::Reached)?),
        Command::Man { command } => match arguments::print_man_page(command.as_deref(), out)? {
            Some(()) => Ok(Status::Reached),
            None => {
                writeln!(err, "error: there is no command `{}`; see smoothish --help", command.unwrap_or_default())?;
                Ok(Status::Wrong)
            }
        },
    }
}

/// Runs a command that has questions, after loading the theories of `--load`.
fn run_with_questions(
    asked: &QuestionArgs,
    library: &mut TheorySession,
    out: &mut dyn Write,
    err: &mut dyn Write,
    answer: impl FnOnce(&mut TheorySession, &mut dyn Read, &mut Streams<'_>) -> io::Result<Status>,
) -> Result<Status, CommandError> {
    with_theories(&asked.load, library, out, err, |library, input, streams| Ok(answer(library, input, streams)?))
}

/// Runs a command within the limits of its common options.
fn run_within_limits(
    setting: &CommonArgs,
    interrupted: &Arc<AtomicBool>,
    library: &mut TheorySession,
    out: &mut dyn Write,
    err: &mut dyn Write,
    answer: impl FnOnce(&mut TheorySession, &Limits, &mut dyn Read, &mut Streams<'_>) -> Result<Status, CommandError>,
) -> Result<Status, CommandError> {
    let limits = Limits { tuning: setting.search.load_tuning()?, ..setting.timeout.to_limits(interrupted) };
    with_theories(&setting.load, library, out, err, |library, input, streams| answer(library, &limits, input, streams))
}

/// Runs a command after loading theories.
fn with_theories(
    files: &[PathBuf],
    library: &mut TheorySession,
    out: &mut dyn Write,
    err: &mut dyn Write,
    answer: impl FnOnce(&mut TheorySession, &mut dyn Read, &mut Streams<'_>) -> Result<Status, CommandError>,
) -> Result<Status, CommandError> {
    library.load_files(files)?;
    answer(library, &mut BlockingInput(io::stdin()), &mut Streams { out, err })
}
