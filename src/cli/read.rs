//! Texts from files and streams, none longer than the language reads.

use super::interrupt::{Awaited, awaited};
use crate::session::Diagnostic;
use crate::syntax::limit::SOURCE_BYTES;
use crate::syntax::source::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// One byte more than the language reads, so that its own message is seen.
pub const INPUT_LIMIT: u64 = SOURCE_BYTES as u64 + 1;

/// The text of a stream, which messages call `name`.
///
/// # Errors
/// What reading fails with; the inner [`Diagnostic`] where the bytes are not UTF-8.
pub fn text(name: &str, input: &mut dyn Read) -> io::Result<Result<String, Diagnostic>> {
    let mut bytes = Vec::new();
    input.take(INPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(decode(name, bytes, 1))
}

/// Bytes as a text that begins on some line.
///
/// # Errors
/// A [`Diagnostic`] with the place of the first byte that is not UTF-8.
pub fn decode(name: &str, mut bytes: Vec<u8>, first_line: usize) -> Result<String, Diagnostic> {
    if bytes.len() as u64 >= INPUT_LIMIT {
        // Refused for its length later: a character that was cut is not at fault.
        bytes.truncate(INPUT_LIMIT as usize);
        while bytes.last().is_some_and(|&byte| byte & 0x80 != 0) {
            bytes.pop();
        }
        bytes.resize(INPUT_LIMIT as usize, b' ');
    }
    String::from_utf8(bytes).map_err(|e| {
        let place = e.utf8_error().valid_up_to();
        let line = e.as_bytes()[..place].iter().filter(|&&b| b == b'\n').count() + first_line;
        Diagnostic::wrong(format!("error: {name} is not UTF-8: line {line}, byte {place} of the whole"))
    })
}

/// The text of a file.
///
/// # Errors
/// A [`Diagnostic`] where it cannot be read or is no text.
pub fn file(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display().to_string();
    let text = awaited(|| File::open(path)).and_then(|file| text(&name, &mut Awaited(file)));
    text.map_err(|e| Diagnostic::wrong(format!("error: {name}: {}", reason(&e))))?
}

/// Why a file cannot be read or written, without the number that the system has for it.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let whole = error.to_string();
    whole.split(" (os error").next().unwrap_or(&whole).to_owned()
}

/// The theory in a file, not yet parsed.
///
/// # Errors
/// As [`file()`].
pub fn theory(path: &Path) -> Result<Source, Diagnostic> {
    Ok(Source::new(path.display().to_string(), file(path)?))
}
