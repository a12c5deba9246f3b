//! Reading of texts from files and streams, up to the length that the language accepts.
//!
//! # Ctrl-C
//!
//! The first one asks the running question for its best enclosure, the second one ends the program.

use crate::session::Diagnostic;
use crate::syntax::error::SOURCE_BYTES;
use crate::syntax::source::SourceText;
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, process};

/// The greatest number of bytes that are read: one more than the language accepts, so that its own message is seen.
pub const READ_LIMIT: u64 = SOURCE_BYTES as u64 + 1;

/// Reads the text of a stream, which messages call `name`.
///
/// # Errors
/// Errors of reading; the inner [`Diagnostic`] if the bytes are not UTF-8.
pub fn read_text(name: &str, input: &mut dyn Read) -> io::Result<Result<String, Diagnostic>> {
    let mut bytes = Vec::new();
    input.take(READ_LIMIT).read_to_end(&mut bytes)?;
    Ok(decode(name, bytes, 1))
}

/// Decodes bytes as a text that begins at `first_line`.
///
/// # Errors
/// A [`Diagnostic`] with the position of the first byte that is not UTF-8.
pub fn decode(name: &str, mut bytes: Vec<u8>, first_line: usize) -> Result<String, Diagnostic> {
    if bytes.len() as u64 >= READ_LIMIT {
        // The text is refused for its length later, so a character that was cut at the limit must not be reported.
        bytes.truncate(READ_LIMIT as usize);
        while bytes.last().is_some_and(|&byte| byte & 0x80 != 0) {
            bytes.pop();
        }
        bytes.resize(READ_LIMIT as usize, b' ');
    }
    String::from_utf8(bytes).map_err(|e| {
        let place = e.utf8_error().valid_up_to();
        let line = e.as_bytes()[..place].iter().filter(|&&b| b == b'\n').count() + first_line;
        Diagnostic::invalid_input(format!("error: {name} is not UTF-8: line {line}, byte {place} of the whole"))
    })
}

/// Reads the text of a file.
///
/// # Errors
/// A [`Diagnostic`] if the file cannot be read or is not UTF-8.
pub fn read_file(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display().to_string();
    // Opening may block as well, for instance on a named pipe without a writer.
    let text = run_while_reading(|| File::open(path)).and_then(|file| read_text(&name, &mut BlockingInput(file)));
    text.map_err(|e| Diagnostic::invalid_input(format!("error: {name}: {}", io_reason(&e))))?
}

/// Returns the reason of an error of the file system, without the number that the system has for it.
#[must_use]
pub fn io_reason(error: &io::Error) -> String {
    let whole = error.to_string();
    whole.split(" (os error").next().unwrap_or(&whole).to_owned()
}

/// Reads the theory in a file, without parsing it.
///
/// # Errors
/// As [`read_file()`].
pub fn read_theory(path: &Path) -> Result<SourceText, Diagnostic> {
    Ok(SourceText::new(path.display().to_string(), read_file(path)?))
}

/// The exit status of a program that was ended by Ctrl-C, as shells expect it: 128 + SIGINT.
const INTERRUPTED_STATUS: i32 = 130;

/// `true` while the program waits for input, and no question runs that an interrupt could end.
static IS_READING: AtomicBool = AtomicBool::new(false);

/// A stream that may block. While it does, the first Ctrl-C ends the program.
#[derive(Debug)]
pub struct BlockingInput<R>(pub R);

/// Runs `read`, which may block, for instance on the other end of a pipe. Meanwhile the first Ctrl-C ends the program.
pub fn run_while_reading<T>(read: impl FnOnce() -> T) -> T {
    IS_READING.store(true, Ordering::Relaxed);
    let result = read();
    IS_READING.store(false, Ordering::Relaxed);
    result
}

impl<R: Read> Read for BlockingInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        run_while_reading(|| self.0.read(into))
    }
}

impl<R: BufRead> BufRead for BlockingInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        run_while_reading(|| self.0.fill_buf())
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// Returns a flag that the first Ctrl-C sets. If no handler can be installed, Ctrl-C ends the program as it does
/// without.
pub fn install_handler() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // An error means that another handler is installed already; then that one decides.
    let _ = ctrlc::set_handler(move || {
        // The second Ctrl-C, or one at an input: there is nothing to wait for.
        if flag.swap(true, Ordering::Relaxed) || IS_READING.load(Ordering::Relaxed) {
            process::exit(INTERRUPTED_STATUS);
        }
    });
    interrupted
}
