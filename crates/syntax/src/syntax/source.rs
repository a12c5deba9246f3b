//! Source texts and spans in them.
//!
//! # The display of errors
//!
//! The display of errors: the message, the place in the source, the reason, and a suggestion.
//!
//! ```text
//! error: the name `dervi` is not known here
//!  --> question:1:1
//!   |
//! 1 | dervi sin 0
//!   | ^^^^^
//!   = help: did you mean `deriv`?
//! ```

use super::error::SyntaxError;
use super::library::ProgramError;
use super::{error, idiom};
use std::fmt;
use std::fmt::Write;

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
/// [`SyntaxError::TooLong`] beyond [`error::SOURCE_BYTES`]; [`SyntaxError::NotUtf8`], with the offset of the first byte
/// that is not UTF-8.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, SyntaxError> {
    check_length(bytes.len())?;
    std::str::from_utf8(bytes).map_err(|error| SyntaxError::NotUtf8 { offset: error.valid_up_to() })
}

/// Checks that a text of this many bytes is within [`error::SOURCE_BYTES`].
///
/// # Errors
/// [`SyntaxError::TooLong`] otherwise.
pub(crate) fn check_length(bytes: usize) -> Result<(), SyntaxError> {
    if bytes > error::SOURCE_BYTES { Err(SyntaxError::TooLong { bytes }) } else { Ok(()) }
}

/// The largest number of characters of a line that are shown. A choice: a line of a terminal.
const MAX_LINE_WIDTH: usize = 100;
/// The number of characters before the error that are kept of a longer line. A choice.
const KEPT_BEFORE: usize = 40;

/// Renders an error with the line of the source that it is in.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::{library::Library, source::{self, SourceText}};
/// let source = SourceText::new("question", "deriv (sin 0");
/// let error = Library::new().infer_expression(&source.text).unwrap_err();
/// assert_eq!(source::render_error(&source, &error), "\
/// error: expected `)`, found the end
///  --> question:1:13
///   |
/// 1 | deriv (sin 0
///   |             ^
///   |
/// 1 | deriv (sin 0
///   |       ^ opened here
/// ");
/// ```
pub fn render_error(source: &SourceText, error: &ProgramError) -> String {
    let (related, note, help) = match error {
        ProgramError::Syntax(error) => (error.related_span(), None, error.help()),
        ProgramError::Type(error) => (None, error.note(), error.help()),
    };
    // A notation of another language explains more than the general help of the error.
    let help = idiom::suggest_for_error(&source.text, error).or(help);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_report(&mut text, source, &error.to_string(), error.span(), related, note, help);
    text
}

/// Renders a message at a span of a source text.
pub fn render_message(source: &SourceText, message: &str, span: Span, help: Option<String>) -> String {
    let mut text = String::new();
    let _ = write_report(&mut text, source, message, Some(span), None, None, help);
    text
}

fn write_report(
    text: &mut String,
    source: &SourceText,
    message: &str,
    span: Option<Span>,
    related: Option<(Span, &str)>,
    note: Option<String>,
    help: Option<String>,
) -> fmt::Result {
    writeln!(text, "error: {message}")?;
    match span {
        Some(span) => {
            let (line, column) = source.line_and_column(span.start);
            writeln!(text, " --> {}:{line}:{column}", source.name)?;
            write_excerpt(text, source, span, "")?;
        }
        None => writeln!(text, " --> {}", source.name)?,
    }
    if let Some((span, label)) = related {
        write_excerpt(text, source, span, label)?;
    }
    for (kind, content) in [("note", note), ("help", help)] {
        if let Some(content) = content {
            writeln!(text, "  = {kind}: {content}")?;
        }
    }
    Ok(())
}

/// Writes the line of a span with marks under the span. A long line is cut around the beginning of the span.
fn write_excerpt(text: &mut String, source: &SourceText, span: Span, label: &str) -> fmt::Result {
    let number = source.line_and_column(span.start).0.to_string();
    let margin = " ".repeat(number.len());
    // A span outside of the text marks its end.
    let (before, after) = source.text.split_at_checked(span.start as usize).unwrap_or((&source.text, ""));
    let before = before.rsplit('\n').next().unwrap_or("");
    let after = after.split('\n').next().unwrap_or("");
    let is_long = before.chars().chain(after.chars()).nth(MAX_LINE_WIDTH).is_some();
    // A short line is kept as a whole; `nth` counts from 0, so that at most `MAX_LINE_WIDTH` characters come first.
    let kept = if is_long { KEPT_BEFORE } else { MAX_LINE_WIDTH };
    let (cut_before, before) = match before.char_indices().rev().nth(kept) {
        Some((at, letter)) => ("…", &before[at + letter.len_utf8()..]),
        None => ("", before),
    };
    let column = before.chars().count();
    // At least one character stays above the mark.
    let (cut_after, after) = match after.char_indices().nth(MAX_LINE_WIDTH.saturating_sub(column).max(1)) {
        Some((at, _)) => ("…", &after[..at]),
        None => ("", after),
    };
    // Control characters, tabs too, would move the marks away from their characters.
    let shown =
        |part: &str| -> String { part.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect() };
    let marked = span.text_in(&source.text).lines().next().unwrap_or("").chars().take(after.chars().count()).count();
    let indent = " ".repeat(column + cut_before.chars().count());
    writeln!(text, "{margin} |")?;
    writeln!(text, "{number} | {cut_before}{}{}{cut_after}", shown(before), shown(after))?;
    // An empty span, as the end of the text has, still gets one mark.
    write!(text, "{margin} | {indent}{}", "^".repeat(marked.max(1)))?;
    if label.is_empty() { text.write_char('\n') } else { writeln!(text, " {label}") }
}
