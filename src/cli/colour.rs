//! Colours of diagnostics and of the demonstration, on terminals that support them.
//!
//! `NO_COLOR` switches them off, `CLICOLOR_FORCE` on; otherwise they are on for terminals.

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

pub(super) const RED: &str = "\x1b[1;31m";
pub(super) const GREEN: &str = "\x1b[32m";
pub(super) const BOLD: &str = "\x1b[1m";
const CYAN: &str = "\x1b[1;36m";
const BLUE: &str = "\x1b[34m";
pub(super) const PLAIN: &str = "\x1b[0m";

/// Returns `true` if output to a stream is to be coloured.
#[must_use]
pub fn is_wanted(stream: &impl RawStream) -> bool {
    !matches!(AutoStream::choice(stream), ColorChoice::Never)
}

/// A writer that colours the lines of diagnostics.
#[derive(Debug)]
pub struct Coloured<W: Write> {
    inner: W,
    line: Vec<u8>,
}

impl<W: Write> Coloured<W> {
    /// Colours the lines written to `inner`.
    pub fn new(inner: W) -> Self {
        Self { inner, line: Vec::new() }
    }

    /// Writes the collected line, coloured by its beginning.
    fn write_coloured_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let at = |prefix: &str| text.strip_prefix(prefix);
        if let Some(rest) = at("error:") {
            write!(self.inner, "{RED}error:{PLAIN}{rest}")
        } else if let Some(rest) = at("note:") {
            write!(self.inner, "{CYAN}note:{PLAIN}{rest}")
        // The lines of a rendered diagnostic: its position and its help, then the marks below the source.
        } else if text.trim_start().starts_with("--> ") || text.trim_start().starts_with("= ") {
            write!(
                self.inner,
                "{BLUE}{}{PLAIN}{}",
                text.trim_end_matches('\n'),
                if text.ends_with('\n') { "\n" } else { "" }
            )
        } else if let Some((margin, marks)) = text
            .split_once("| ")
            .filter(|(margin, marks)| margin.trim().is_empty() && marks.trim_start().starts_with('^'))
        {
            let marks = marks.trim_end_matches('\n');
            writeln!(self.inner, "{margin}| {RED}{marks}{PLAIN}")
        } else {
            self.inner.write_all(&line)
        }
    }
}

impl<W: Write> Write for Coloured<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            // The kind of a line is known only when it is complete: a write may end anywhere in it.
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_coloured_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.write_coloured_line()?;
        }
        self.inner.flush()
    }
}

impl<W: Write> Drop for Coloured<W> {
    fn drop(&mut self) {
        // A destructor cannot report an error.
        let _ = self.flush();
    }
}
