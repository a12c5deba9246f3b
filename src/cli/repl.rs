//! `smoothish repl`: one question after another, at the paper's prompt.
//!
//! | module | what it holds |
//! |---|---|
//! | [`prompt`] | what one input does: a question, a definition, a command |
//! | [`command`] | the table of commands |
//! | [`describe`] | what is said about names |
//! | [`layout`] | how an answer is shown |
//! | [`lines`] | inputs from lines |
//!
//! Inputs come from a terminal or from a pipe. A pipe gets no prompt and no echo; the exit status is that of the worst
//! answer, as of [`eval`](super::eval).

pub mod command;
pub mod describe;
pub mod layout;
pub mod lines;
pub mod prompt;

use super::arguments::ReplOptions;
use super::evaluator::Library;
use super::status::Status;
use lines::Lines;
use prompt::{Done, Prompt, Streams};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What messages call the input that is piped in.
const PIPE: &str = "standard input";

/// Answers every input; after Ctrl-C, no further one.
///
/// # Errors
/// What reading `input` or writing to `out` or `err` fails with.
pub fn run(
    options: &ReplOptions,
    library: &mut Library,
    interrupted: &Arc<AtomicBool>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let mut prompt = Prompt {
        library,
        eps: options.eps.clone(),
        timeout: options.timeout,
        timed: false,
        interrupted: interrupted.clone(),
        name: PIPE.to_owned(),
        line: 1,
    };
    let streams = &mut Streams { out, err };
    let mut worst = Status::default();
    if !options.files.is_empty()
        && let Done::Status(status) = prompt.load(&options.files, streams)?
    {
        worst = status;
    }
    Ok(Status::worst([worst, piped(&mut prompt, input, streams)?]))
}

/// Answers the inputs of a stream.
fn piped(prompt: &mut Prompt<'_>, input: &mut dyn BufRead, streams: &mut Streams<'_>) -> io::Result<Status> {
    let (mut lines, mut worst, mut number) = (Lines::default(), Status::default(), 0);
    loop {
        let line = lines::next(input, PIPE, number + 1)?;
        let is_last = line.is_none();
        let ready = match line {
            Some(Ok(line)) => {
                number += 1;
                lines.push(&line)
            }
            Some(Err(refusal)) => {
                number += 1;
                streams.refuse(&refusal)?;
                worst = Status::worst([worst, refusal.status]);
                lines.take();
                None
            }
            None => lines.take(),
        };
        if let Some((text, count)) = ready {
            prompt.line = number + 1 - count;
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
