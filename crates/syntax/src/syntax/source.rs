//! Source texts and spans in them.
//!
//! # The display of errors
//!
//! The message, the place in the source, the reason, and a suggestion.
//!
//! ```text
//! error: the name `dervi` is not known here
//!  --> question:1:1
//!   |
//! 1 | dervi sin 0
//!   | ^^^^^
//!   |
//!   = help: did you mean `deriv`?
//! ```

use super::error::SyntaxError;
use super::library::ProgramError;
use super::{error, idiom};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

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

    /// Returns the part of a span that is drawn, in bytes: at most the rest of its first line, and not much of a long line.
    ///
    /// A span outside of the text becomes the empty range at the end of the text.
    fn drawable_range(&self, span: Span) -> Range<usize> {
        let start = span.start as usize;
        let Some(rest) = self.text.get(start..) else { return self.text.len()..self.text.len() };
        let marked = span.text_in(&self.text).split('\n').next().unwrap_or("");
        let end = marked.char_indices().nth(MAX_MARKED).map_or(marked.len(), |(at, _)| at);
        start..start + end.min(rest.len())
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

/// The largest number of columns of a drawn line. A choice: a line of a terminal.
const MAX_LINE_WIDTH: usize = 100;
/// The largest number of characters that are marked, all of which are shown. A choice: longer parts are seen to go on.
const MAX_MARKED: usize = 80;

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
///   |       -     ^
///   |       |
///   |       opened here
/// ");
/// ```
pub fn render_error(source: &SourceText, error: &ProgramError) -> String {
    let (related, note, help) = match error {
        ProgramError::Syntax(error) => (error.related_span(), None, error.help()),
        ProgramError::Type(error) => (None, error.note(), error.help()),
    };
    // A notation of another language explains more than the general help of the error.
    let help = idiom::suggest_for_error(&source.text, error).or(help);
    render_report(source, &error.to_string(), error.span(), related, note, help)
}

/// Renders a message at a span of a source text.
pub fn render_message(source: &SourceText, message: &str, span: Span, help: Option<String>) -> String {
    render_report(source, message, Some(span), None, None, help)
}

/// Draws a report without colours.
fn render_report(
    source: &SourceText,
    message: &str,
    span: Option<Span>,
    related: Option<(Span, &str)>,
    note: Option<String>,
    help: Option<String>,
) -> String {
    // The end of a text that ends with a line end is the beginning of the line below; a blank makes that line one that is drawn.
    let text = if source.text.ends_with('\n') { format!("{} ", source.text) } else { source.text.clone() };
    let excerpt = || Snippet::source(&text).line_start(source.first_line).path(&source.name);
    let mark = |kind: AnnotationKind, span| kind.span(source.drawable_range(span));
    let mut report = Group::with_title(Level::ERROR.primary_title(message));
    report = match (span, related) {
        (None, _) => report.element(Origin::path(&source.name)),
        (Some(span), None) => report.element(excerpt().annotation(mark(AnnotationKind::Primary, span))),
        (Some(span), Some((other, label))) => {
            let primary = excerpt().annotation(mark(AnnotationKind::Primary, span));
            let context = mark(AnnotationKind::Context, other).label(label);
            // Marks that are far apart on one line would keep all that is between them: each gets an excerpt.
            if source.text.get(other.start as usize..span.start as usize).is_some_and(|t| t.len() < MAX_LINE_WIDTH) {
                report.element(primary.annotation(context))
            } else {
                report.element(primary).element(excerpt().annotation(context))
            }
        }
    };
    let notes = [(Level::NOTE, note), (Level::HELP, help)];
    let notes = notes.into_iter().filter_map(|(level, content)| Some(level.message(content?)));
    let report = notes.fold(report, Group::element);
    Renderer::plain().term_width(MAX_LINE_WIDTH).render(&[report]) + "\n"
}
