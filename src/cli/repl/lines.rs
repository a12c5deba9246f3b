//! Assembly of inputs from lines: an input that is unfinished at the end of a line goes on in the next.
//!
//! An input is unfinished if its parse error stands at the end of the text. The parser knows that, so there is no
//! second grammar of open brackets. An `if` without its `else` is an exception: it is complete for a reader who
//! forgot the `else`.

use crate::cli::read::{self, READ_LIMIT};
use crate::session::Diagnostic;
use crate::syntax::error::SyntaxError;
use crate::syntax::parser::parse_input;
use std::io::{self, BufRead};

/// The number of bytes that are parsed to find the end of one input. Beyond it, an empty line ends the input. A choice:
/// each line parses the whole input again, which is quadratic.
const PARSED_BYTES_LIMIT: usize = 20_000_000;

/// The lines of an unfinished input.
#[derive(Debug, Default)]
pub struct InputLines {
    text: String,
    line_count: usize,
    parsed_bytes: usize,
    /// `true` if the lines are complete except for the `else` of an `if`.
    lacks_else: bool,
}

/// Returns `true` if a line begins with the word `else`.
fn begins_with_else(line: &str) -> bool {
    line.strip_prefix("else").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

impl InputLines {
    /// Returns `true` if an unfinished input waits for more lines.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.line_count > 0
    }

    /// Adds a line. Returns the inputs that it completes or ends, each with its number of lines. An `if` that lacks
    /// only its `else` is ended by a line that begins neither with `else` nor with space. Then the missing `else` is
    /// reported, and the line is an input of its own.
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

    /// Adds a line to the unfinished input. Returns the input if that completes or ends it.
    fn add(&mut self, line: &str) -> Option<(String, usize)> {
        // An empty line ends an unfinished input in every case, so a user is never caught in it.
        let ends = self.is_waiting() && line.trim().is_empty();
        if self.is_waiting() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.line_count += 1;
        if ends || !self.is_unfinished() { self.take() } else { None }
    }

    /// Takes the input so far, complete or not. Returns `None` if no line waits.
    pub fn take(&mut self) -> Option<(String, usize)> {
        let lines = std::mem::take(self);
        lines.is_waiting().then_some((lines.text, lines.line_count))
    }

    /// Returns `true` if the input could become valid by more text. Commands have one line.
    fn is_unfinished(&mut self) -> bool {
        if self.text.trim_start().starts_with(':') {
            return false;
        }
        self.parsed_bytes += self.text.len();
        if self.parsed_bytes > PARSED_BYTES_LIMIT {
            return true;
        }
        let error = parse_input(&self.text, &[]).err().filter(SyntaxError::is_unfinished);
        self.lacks_else = error.as_ref().is_some_and(SyntaxError::lacks_else);
        error.is_some()
    }
}

/// Reads the next line of a stream, without its end. Returns `None` at the end of the stream. Bytes beyond the greatest
/// length are skipped; one more is kept, so that the line is refused for its length.
///
/// # Errors
/// Errors of reading; the inner [`Diagnostic`] if the line is not UTF-8.
pub fn read_line(input: &mut dyn BufRead, name: &str, number: usize) -> io::Result<Option<Result<String, Diagnostic>>> {
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
        // A line without end, as of a device, must not fill the memory.
        let room = (READ_LIMIT as usize).saturating_sub(line.len());
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
