//! Lines for a terminal, broken between words: what is longer than the terminal is wide goes on below, a little further in.
//!
//! Lines of a source, and the marks under them, stay as they are.

use std::io::{self, IsTerminal, Write};
use terminal_size::{Width, terminal_size_of};

/// How much further in a line goes on.
const INDENT: usize = 2;
/// The narrowest terminal for which lines are broken.
const NARROWEST: usize = 20;

/// How many letters wide the terminal of the standard output is, where it is one.
#[must_use]
pub fn columns() -> Option<usize> {
    let out = io::stdout();
    let size = if out.is_terminal() { terminal_size_of(out) } else { terminal_size_of(io::stderr()) };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// The same of the standard error stream alone, where what is not of a terminal stays in the lines that it has.
#[must_use]
pub fn columns_of_errors() -> Option<usize> {
    let err = io::stderr();
    let size = if err.is_terminal() { terminal_size_of(err) } else { None };
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|columns| *columns >= NARROWEST)
}

/// A text with its lines broken at spaces, so that each has at most so many letters, where its words allow that.
#[must_use]
pub fn wrapped(text: &str, columns: usize) -> String {
    let mut broken = String::new();
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        broken += &of_line(line.trim_end_matches('\n'), columns);
        broken += end;
    }
    broken
}

fn of_line(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns || is_of_source(line) {
        return line.to_owned();
    }
    let own = line.chars().take_while(|letter| *letter == ' ').count();
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

/// Whether a line shows a source, or marks in it: a number or nothing, and a bar.
fn is_of_source(line: &str) -> bool {
    let margin = line.split_once(" |").map(|(margin, _)| margin.trim());
    margin.is_some_and(|margin| margin.chars().all(|c| c.is_ascii_digit()))
}

/// A stream whose lines are broken for a terminal of the width that `columns` says, at each of them.
pub struct Wrapped<'w> {
    inner: &'w mut dyn Write,
    columns: fn() -> Option<usize>,
    line: Vec<u8>,
}

impl<'w> Wrapped<'w> {
    /// Breaks what is written to `inner`.
    pub fn new(inner: &'w mut dyn Write, columns: fn() -> Option<usize>) -> Self {
        Self { inner, columns, line: Vec::new() }
    }

    fn put(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match ((self.columns)(), std::str::from_utf8(&line)) {
            (Some(columns), Ok(text)) => self.inner.write_all(wrapped(text, columns).as_bytes()),
            _ => self.inner.write_all(&line),
        }
    }
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.put()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.put()?;
        }
        self.inner.flush()
    }
}
