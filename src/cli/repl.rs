//! The command `repl`: answers one question after another, at a prompt.
//!
//! | module | contents |
//! |---|---|
//! | [`prompt`] | the result of one input: of a question, a definition or a command |
//! | [`command`] | the table of commands |
//! | [`describe`] | the descriptions of names |
//! | [`layout`] | the line that shows an answer |
//! | [`lines`] | inputs from lines |
//! | [`protocol`] | the prompt for other programs |
//! | [`editor`], [`completion`], [`history`] | the prompt on a terminal: line editing, completion, and earlier inputs |
//!
//! Inputs come from a terminal or from a pipe. A pipe gets no prompt and no echo; the exit status is that of the worst
//! answer, as for [`eval`](super::eval). On a terminal every answer was seen, and the status is 0.

pub mod command;
pub mod completion;
pub mod describe;
pub mod editor;
pub mod history;
mod laws;
pub mod layout;
pub mod lines;
pub mod prompt;
pub mod protocol;

use super::arguments::ReplOptions;
use super::evaluator::Workbench;
use super::interrupt::Awaited;
use super::output::Streams;
use super::status::Status;
use lines::Lines;
use prompt::{Done, Prompt};
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The name of piped input in messages.
const PIPE: &str = "standard input";
/// The power of ten of the default width. A choice: an answer has one line.
const USUAL: i32 = -3;
/// The default number of significant digits that are enough. A choice: an answer has one line.
const ENOUGH: u32 = 9;

/// Answers every input of the standard input: of a terminal until the user leaves, of a pipe until it ends.
///
/// # Errors
/// Errors of reading, and of writing to `out` or `err`.
pub fn run(
    options: &ReplOptions,
    library: &mut Workbench,
    interrupted: &Arc<AtomicBool>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let goal = options.demand.goal.goal().or_power(USUAL);
    let mut prompt = Prompt {
        library,
        goal: if options.json { goal } else { goal.with_enough(ENOUGH) },
        timeout: options.demand.timeout,
        timed: false,
        interrupted: interrupted.clone(),
        name: if options.json { "input" } else { PIPE }.to_owned(),
        line: 1,
    };
    let stdin = io::stdin();
    let streams = &mut Streams { out, err };
    // The output of the protocol has replies only, so what loading prints is dropped.
    let (mut worst, mut quiet) = (Status::default(), io::sink());
    let files = [options.load.as_slice(), &options.files].concat();
    if !files.is_empty()
        && let Done::Status(status) = prompt
            .load(&files, &mut Streams { out: if options.json { &mut quiet } else { streams.out }, err: streams.err })?
    {
        worst = status;
    }
    if options.json {
        protocol::run(&mut prompt, &mut Awaited(stdin.lock()), streams.out)
    } else if stdin.is_terminal() {
        editor::run(&mut prompt, streams)
    } else {
        Ok(Status::worst([worst, piped(&mut prompt, &mut Awaited(stdin.lock()), streams)?]))
    }
}

/// Answers every input of a stream. Ctrl-C ends it after the running one. Returns the worst status.
///
/// # Errors
/// Errors of reading and of writing.
pub fn piped(prompt: &mut Prompt<'_>, input: &mut dyn BufRead, streams: &mut Streams<'_>) -> io::Result<Status> {
    let (mut lines, mut worst, mut number) = (Lines::default(), Status::default(), 0);
    loop {
        let line = lines::next(input, PIPE, number + 1)?;
        let is_last = line.is_none();
        let mut ready = Vec::new();
        match line {
            Some(Ok(line)) => {
                number += 1;
                ready.extend(lines.push(&line));
            }
            Some(Err(refusal)) => {
                number += 1;
                streams.refuse(&refusal)?;
                worst = Status::worst([worst, Status::from(refusal.kind)]);
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
            match prompt.enter(&text, streams)? {
                Done::Status(status) => worst = Status::worst([worst, status]),
                Done::Quit => return Ok(worst),
            }
        }
        if is_last || prompt.interrupted.load(Ordering::Relaxed) {
            return Ok(worst);
        }
    }
}
