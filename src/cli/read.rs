//! Reading of texts from files and streams, up to the length that the language accepts.

use super::interrupt::{BlockingInput, run_while_reading};
use crate::session::Diagnostic;
use crate::syntax::limit::SOURCE_BYTES;
use crate::syntax::source::SourceText;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

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
