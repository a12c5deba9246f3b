//! Source texts and spans in them.

use super::error::SyntaxError;
use super::limit;

/// A range of a source text, in bytes: from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset just after the last byte.
    pub end: u32,
}

impl Span {
    /// Makes the span from `start` up to `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// Returns the smallest span that covers `self` and `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the text of `source` in this span; empty if the span lies outside `source` or cuts a character.
    pub fn text_in(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A text together with its name in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// A file name, or a label in its place.
    pub name: String,
    /// The text.
    pub text: String,
    /// The number of its first line: 1, unless the text is a part of a file.
    pub first_line: usize,
}

impl SourceText {
    /// Makes a source text with this name. Its lines count from 1.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceText {
        SourceText { name: name.into(), text: text.into(), first_line: 1 }
    }

    /// Replaces the number of the first line, for a text that is part of a file.
    #[must_use]
    pub fn from_line(self, first_line: usize) -> SourceText {
        SourceText { first_line, ..self }
    }

    /// Returns the line and column of a byte offset, columns in characters. Lines count from `first_line`, columns from
    /// 1.
    ///
    /// An offset beyond the end gives the position just after the last character.
    pub fn line_and_column(&self, offset: u32) -> (usize, usize) {
        let mut end = (offset as usize).min(self.text.len());
        // An offset inside a character is moved to its start, since a slice there would panic.
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + self.first_line;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

/// Decodes bytes as a source text.
///
/// # Errors
/// [`SyntaxError::TooLong`] beyond [`limit::SOURCE_BYTES`]; [`SyntaxError::NotUtf8`], with the offset of the first byte
/// that is not UTF-8.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, SyntaxError> {
    check_length(bytes.len())?;
    std::str::from_utf8(bytes).map_err(|error| SyntaxError::NotUtf8 { offset: error.valid_up_to() })
}

/// Checks that a text of this many bytes is within [`limit::SOURCE_BYTES`].
///
/// # Errors
/// [`SyntaxError::TooLong`] otherwise.
pub(crate) fn check_length(bytes: usize) -> Result<(), SyntaxError> {
    if bytes > limit::SOURCE_BYTES { Err(SyntaxError::TooLong { bytes }) } else { Ok(()) }
}
