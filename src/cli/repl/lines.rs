//! Inputs from lines: a line that ends too early goes on in the next.

use crate::cli::read::{self, INPUT_LIMIT};
use crate::session::Diagnostic;
use crate::syntax::error::SyntaxError;
use crate::syntax::parser::parse_input;
use std::io::{self, BufRead};

/// How many bytes are parsed in search of the end of one input. Beyond that, an empty line ends it.
const PATIENCE: usize = 20_000_000;

/// Lines that wait for more.
#[derive(Debug, Default)]
pub struct Lines {
    text: String,
    count: usize,
    parsed: usize,
    /// Whether they are complete but for the `else` of an `if`.
    lacks_else: bool,
}

fn begins_with_else(line: &str) -> bool {
    line.strip_prefix("else").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl Lines {
    /// Whether an unfinished input waits for more.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.count > 0
    }

    /// Adds a line. The answer is the inputs that are complete, or that the line ends, and how many lines each has. An `if` that lacks
    /// nothing but its `else` is ended by a line that begins neither with that nor with space: whoever forgets the `else` is told so, and
    /// the line is an input of its own.
    pub fn push(&mut self, line: &str) -> Vec<(String, usize)> {
        let mut ended = Vec::new();
        if self.lacks_else
            && !line.trim().is_empty()
            && !line.starts_with(char::is_whitespace)
            && !begins_with_else(line)
        {
            ended.extend(self.take());
        }
        ended.extend(self.add(line));
        ended
    }

    fn add(&mut self, line: &str) -> Option<(String, usize)> {
        let ends = self.is_waiting() && line.trim().is_empty();
        if self.is_waiting() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.count += 1;
        if ends || !self.is_unfinished() { self.take() } else { None }
    }

    /// The input so far, complete or not; nothing where none waits.
    pub fn take(&mut self) -> Option<(String, usize)> {
        let lines = std::mem::take(self);
        lines.is_waiting().then_some((lines.text, lines.count))
    }

    /// Whether more text could make sense of this one. Commands have one line.
    fn is_unfinished(&mut self) -> bool {
        if self.text.trim_start().starts_with(':') {
            return false;
        }
        self.parsed += self.text.len();
        if self.parsed > PATIENCE {
            return true;
        }
        let error = parse_input(&self.text, &[]).err().filter(SyntaxError::is_unfinished);
        self.lacks_else = error.as_ref().is_some_and(SyntaxError::lacks_else);
        error.is_some()
    }
}

/// The next line of a stream without its end, `None` at the end of the stream. No more of a line is kept than is refused
/// for its length.
///
/// # Errors
/// What reading fails with; the inner [`Diagnostic`] where the line is not UTF-8.
pub fn next(input: &mut dyn BufRead, name: &str, number: usize) -> io::Result<Option<Result<String, Diagnostic>>> {
    let mut line: Vec<u8> = Vec::new();
    let mut begun = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if available.is_empty() {
            break;
        }
        begun = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = (INPUT_LIMIT as usize).saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if !begun {
        return Ok(None);
    }
    if line.ends_with(b"\r") {
        line.pop();
    }
    Ok(Some(read::decode(name, line, number)))
}
