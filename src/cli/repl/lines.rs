//! Inputs from lines: a line that ends too early goes on in the next.

use crate::cli::ask::Refusal;
use crate::cli::read::{self, INPUT_LIMIT};
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
}

impl Lines {
    /// Whether an unfinished input waits for more.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.count > 0
    }

    /// Adds a line. The answer is an input that is complete, or that an empty line ends, and how many lines it has.
    pub fn push(&mut self, line: &str) -> Option<(String, usize)> {
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
        self.parsed > PATIENCE || parse_input(&self.text, &[]).is_err_and(|error| error.is_unfinished())
    }
}

/// The next line of a stream without its end, `None` at the end of the stream. No more of a line is kept than is refused
/// for its length.
///
/// # Errors
/// What reading fails with; the inner [`Refusal`] where the line is not UTF-8.
pub fn next(input: &mut dyn BufRead, name: &str, number: usize) -> io::Result<Option<Result<String, Refusal>>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(text: &str) -> Vec<(String, usize)> {
        let mut lines = Lines::default();
        let mut found: Vec<_> = text.lines().filter_map(|line| lines.push(line)).collect();
        found.extend(lines.take());
        found
    }

    #[test]
    fn an_unfinished_line_goes_on() {
        assert_eq!(inputs("1 +\n2\n3"), [("1 +\n2".into(), 2), ("3".into(), 1)]);
        assert_eq!(inputs("let f x =\n  x\nf 1"), [("let f x =\n  x".into(), 2), ("f 1".into(), 1)]);
        assert_eq!(inputs("(1\n\n2"), [("(1\n".into(), 2), ("2".into(), 1)]);
        assert_eq!(inputs(":help (\n1"), [(":help (".into(), 1), ("1".into(), 1)]);
        assert_eq!(inputs("(1"), [("(1".into(), 1)]);
        assert_eq!(inputs("\n)\n"), [(String::new(), 1), (")".into(), 1)]);
    }

    #[test]
    fn lines_end_with_the_stream_and_are_kept_within_bounds() {
        let read = |mut bytes: &[u8]| {
            let mut found = Vec::new();
            while let Some(line) = next(&mut bytes, "input", found.len() + 1).unwrap() {
                found.push(line.map_err(|refusal| refusal.message));
            }
            found
        };
        assert_eq!(read(b"1\r\n\n2"), [Ok("1".into()), Ok(String::new()), Ok("2".into())]);
        assert_eq!(
            read(b"1\n\xff"),
            [Ok("1".into()), Err("error: input is not UTF-8: line 2, byte 0 of the whole".into())]
        );
        let long = [vec![b' '; INPUT_LIMIT as usize + 100], b"\n1".to_vec()].concat();
        let found = read(&long);
        assert_eq!((found[0].as_ref().map(String::len), found[1].clone()), (Ok(INPUT_LIMIT as usize), Ok("1".into())));
    }
}
