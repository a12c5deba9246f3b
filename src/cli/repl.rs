//! The command `repl`: answers one question after another, at a prompt.
//!
//! | module | contents |
//! |---|---|
//! | [`prompt`] | the result of one input: of a question, a definition or a command; the table of commands; the line that shows an answer |
//! | [`reference`](crate::cli::reference) | the descriptions of names |
//! | [`editor`] | inputs from lines; the prompt on a terminal: line editing, completion, and earlier inputs |
//! | [`protocol`] | the prompt for other programs |
//!
//! Inputs come from a terminal or from a pipe. A pipe gets no prompt and no echo; the exit status is that of the worst
//! answer, as for [`eval`](super::eval). On a terminal every answer was seen, and the status is 0.

pub mod editor;
pub mod prompt;
pub mod protocol;

use super::arguments::ReplOptions;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::read::BlockingInput;
use super::status::{CommandError, Status};
use editor::InputLines;
use prompt::{InputResult, Prompt};
use std::io;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of piped input in messages.
const PIPE_NAME: &str = "standard input";
/// The power of ten of the default width. A choice: an answer has one line.
const DEFAULT_WIDTH_POWER: i32 = -3;
/// The default number of significant digits that are enough. A choice: an answer has one line.
const ENOUGH_DIGITS: u32 = 9;

/// Answers every input of the standard input: of a terminal until the user leaves, of a pipe until it ends.
///
/// # Errors
/// A [`Diagnostic`](crate::session::Diagnostic) for wrong limits of the searches; errors of reading, and of writing to `out` or `err`.
pub fn run_repl(
    options: &ReplOptions,
    library: &mut TheorySession,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, CommandError> {
    let tuning = options.search.load_tuning()?;
    let goal = options.demand.goal.goal().or_default(DEFAULT_WIDTH_POWER);
    let mut prompt = Prompt {
        library,
        goal: if options.json { goal } else { goal.with_default_digits(ENOUGH_DIGITS) },
        timeout: options.demand.timeout,
        tuning,
        shows_time: false,
        interrupted: interrupted.clone(),
        name: if options.json { "input" } else { PIPE_NAME }.to_owned(),
        line: 1,
    };
    let stdin = io::stdin();
    let streams = &mut Streams { out, err };
    // The output of the protocol has replies only, so what loading prints is dropped.
    let (mut worst, mut quiet) = (Status::default(), io::sink());
    let files = [options.load.as_slice(), &options.files].concat();
    if !files.is_empty()
        && let InputResult::Status(status) = prompt.load_theories(
            &files,
            &mut Streams { out: if options.json { &mut quiet } else { streams.out }, err: streams.err },
        )?
    {
        worst = status;
    }
    if options.json {
        Ok(protocol::run_protocol(&mut prompt, &mut BlockingInput(stdin.lock()), streams.out)?)
    } else if stdin.is_terminal() {
        Ok(editor::run_editor(&mut prompt, streams)?)
    } else {
        Ok(Status::worst_of([worst, answer_piped(&mut prompt, &mut BlockingInput(stdin.lock()), streams)?]))
    }
}

/// Answers every input of a stream. Ctrl-C ends it after the running one. Returns the worst status.
///
/// # Errors
/// Errors of reading and of writing.
pub fn answer_piped(prompt: &mut Prompt<'_>, input: &mut dyn BufRead, streams: &mut Streams<'_>) -> io::Result<Status> {
    let (mut lines, mut worst, mut number) = (InputLines::default(), Status::default(), 0);
    loop {
        let line = editor::read_line(input, PIPE_NAME, number + 1)?;
        let is_last = line.is_none();
        let mut ready = Vec::new();
        match line {
            Some(Ok(line)) => {
                number += 1;
                ready.extend(lines.push(&line));
            }
            Some(Err(refusal)) => {
                number += 1;
                streams.print_refusal(&refusal)?;
                worst = Status::worst_of([worst, Status::from(refusal.kind)]);
                // A line that is not UTF-8 also drops the unfinished input before it.
                lines.take();
            }
            None => ready.extend(lines.take()),
        }
        // A line may end several inputs: the number of the first line of each is counted back from the last.
        let mut ahead: usize = ready.iter().map(|(_, count)| count).sum();
        for (text, count) in ready {
            prompt.line = number + 1 - ahead;
            ahead -= count;
            match prompt.answer_input(&text, streams)? {
                InputResult::Status(status) => worst = Status::worst_of([worst, status]),
                InputResult::Quit => return Ok(worst),
            }
        }
        if is_last || prompt.interrupted.load(Ordering::Relaxed) {
            return Ok(worst);
        }
    }
}
