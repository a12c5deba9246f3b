//! `smoothish repl`: one question after another, at the paper's prompt.
//!
//! | module | what it holds |
//! |---|---|
//! | [`prompt`] | what one input does: a question, a definition, a command |
//! | [`command`] | the table of commands |
//! | [`describe`] | what is said about names |
//! | [`layout`] | how an answer is shown |
//! | [`lines`] | inputs from lines |
//! | [`protocol`] | the prompt for other programs |
//! | [`editor`], [`completion`], [`history`] | a terminal: line editing, what Tab offers, what was typed before |
//!
//! Inputs come from a terminal or from a pipe. A pipe gets no prompt and no echo; the exit status is that of the worst
//! answer, as of [`eval`](super::eval). A terminal has asked on after every answer: there the status is 0.

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

/// What messages call the input that is piped in.
const PIPE: &str = "standard input";
/// The power of ten to which a width is asked for where nothing is said.
const USUAL: i32 = -3;
/// How many significant digits are enough where nothing is said: an answer has one line.
const ENOUGH: u32 = 9;

/// Answers every input of the standard input: of a terminal, until it is left; of a pipe, until it ends.
///
/// # Errors
/// What reading, or writing to `out` or `err`, fails with.
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
    // a protocol has nothing but replies on its output
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

/// Answers every input of a stream; after Ctrl-C, no further one. The answer is the worst status.
///
/// # Errors
/// What reading or writing fails with.
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
                lines.take();
            }
            None => ready.extend(lines.take()),
        }
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
