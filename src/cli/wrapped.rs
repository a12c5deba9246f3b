//! Word wrap for terminals. A continued line is indented a little further.
//!
//! Lines of source code, and the marks below them, are not wrapped.

use std::io::{self, IsTerminal, Write};
use terminal_size::{Width, terminal_size_of};

/// The additional indent of a continued line, in columns.
const INDENT: usize = 2;
/// The least width of a terminal at which lines are wrapped. A choice: in fewer columns hardly a word fits.
const NARROWEST: usize = 20;

/// Returns the width of the terminal of the standard output, in columns. `None` if there is none, or it is very narrow.
#[must_use]
pub fn output_columns() -> Option<usize> {
    let out = io::stdout();
    // Piped into a pager, the output is still read on the terminal, whose width the error stream knows.
    let size = if out.is_terminal() { terminal_size_of(out) } else { terminal_size_of(io::stderr()) };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// Returns the width of the terminal of the error stream, in columns. `None` if that stream is not a terminal: lines in
/// a file stay whole.
#[must_use]
pub fn error_columns() -> Option<usize> {
    let err = io::stderr();
    let size = if err.is_terminal() { terminal_size_of(err) } else { None };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// Wraps the lines of a text at spaces, to at most `columns` letters. A longer word stays whole.
#[must_use]
pub fn wrap_lines(text: &str, columns: usize) -> String {
    let mut broken = String::new();
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        broken += &wrap_line(line.trim_end_matches('\n'), columns);
        broken += end;
    }
    broken
}

/// Wraps one line, without its end.
fn wrap_line(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns || is_of_source(line) {
        return line.to_owned();
    }
    let own = line.chars().take_while(|letter| *letter == ' ').count();
    // At most half of the width: a deeply indented line must still make progress.
    let indent = " ".repeat((own + INDENT).min(columns / 2));
    let (mut broken, mut width, mut is_begun) = (" ".repeat(own), own, false);
    for word in line[own..].split(' ') {
        let length = word.chars().count();
        if is_begun && width + 1 + length > columns {
            let kept = broken.trim_end_matches(' ').len();
            broken.truncate(kept);
            broken += "\n";
            broken += &indent;
            width = indent.len();
        } else if is_begun {
            broken.push(' ');
            width += 1;
        }
        broken += word;
        width += length;
        is_begun = true;
    }
    broken
}

/// Returns `true` if a line shows source code, or marks in it: a line number or blanks, and a bar.
fn is_of_source(line: &str) -> bool {
    let margin = line.split_once(" |").map(|(margin, _)| margin.trim());
    margin.is_some_and(|margin| margin.chars().all(|c| c.is_ascii_digit()))
}

/// A writer that wraps lines to the width that `columns` returns. The width is read for each line, since a terminal may
/// be resized.
pub struct Wrapped<'w> {
    inner: &'w mut dyn Write,
    columns: fn() -> Option<usize>,
    line: Vec<u8>,
}

impl<'w> Wrapped<'w> {
    /// Wraps the lines written to `inner`.
    pub fn new(inner: &'w mut dyn Write, columns: fn() -> Option<usize>) -> Self {
        Self { inner, columns, line: Vec::new() }
    }

    /// Writes the collected line, wrapped if the terminal has a width and the line is UTF-8.
    fn write_wrapped_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match ((self.columns)(), std::str::from_utf8(&line)) {
            (Some(columns), Ok(text)) => self.inner.write_all(wrap_lines(text, columns).as_bytes()),
            _ => self.inner.write_all(&line),
        }
    }
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Only whole lines are wrapped: a line may come in several writes.
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_wrapped_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.write_wrapped_line()?;
        }
        self.inner.flush()
    }
}
