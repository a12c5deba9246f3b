//! Answers and diagnostics: the value of a question with its notes, or the reason why it has none.

use super::limits::ReachedLimit;
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::syntax::library::ProgramError;
use crate::syntax::name::nearest_name;
use crate::syntax::source;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::ty::Ty;
use crate::undefined::UndefinedCause;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A range of a source text. It is displayed as `name:line:column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// The text: the question, or the theory or definition that it uses.
    pub source: Arc<SourceText>,
    /// The byte range in the text.
    pub span: Span,
}

impl SourceSpan {
    /// Returns the line and the column of its start, from 1.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        self.source.line_and_column(self.span.start)
    }

    /// Returns the text of the range.
    #[must_use]
    pub fn text(&self) -> &str {
        self.span.text_in(&self.source.text)
    }
}

impl fmt::Display for SourceSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

/// The subject of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// An assumption that the answer relies on, and that was not proved.
    Assumption,
    /// A remark on the program or on its value.
    Remark,
    /// The distance of the answer from the goal, and its reason.
    Outcome,
}

/// A note beside an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The stable name of this kind of note, for programs.
    pub id: &'static str,
    /// The subject.
    pub kind: NoteKind,
    /// The text, a sentence.
    pub text: String,
    /// The position in a source text, if the note has one.
    pub place: Option<SourceSpan>,
}

impl Note {
    /// Creates a note without a position.
    pub(crate) fn new(id: &'static str, kind: NoteKind, text: impl Into<String>) -> Self {
        Self { id, kind, text: text.into(), place: None }
    }

    /// Replaces the position of the note.
    pub(crate) fn with_place(self, place: Option<SourceSpan>) -> Self {
        Self { place, ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The reason why a number is undefined, or is not shown to be defined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UndefinedNumber {
    /// The kind of reason.
    pub cause: UndefinedCause,
    /// The reason, as a sentence.
    pub message: String,
    /// The position of the operation that has no value or no derivative.
    pub place: Option<SourceSpan>,
    /// An explanation, if there is one.
    pub help: Option<String>,
}

impl UndefinedNumber {
    /// Creates a reason from its parts.
    pub(crate) fn new(cause: UndefinedCause, message: String, place: Option<SourceSpan>, help: Option<String>) -> Self {
        Self { cause, message, place, help }
    }
}

/// The reason, its position, and the explanation.
impl fmt::Display for UndefinedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(place) = &self.place {
            write!(f, ", at {place}")?;
        }
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// The answer to a question. Only [`Session::ask`](super::Session::ask) makes one, so no note is lost on the way.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    pub(super) value: T,
    pub(super) ty: Option<Ty>,
    pub(super) reached: bool,
    pub(super) stopped: Option<ReachedLimit>,
    pub(super) undefined: Option<UndefinedNumber>,
    pub(super) notes: Vec<Note>,
    pub(super) trusted: Vec<String>,
    pub(super) elapsed: Duration,
}

impl<T> Answer<T> {
    /// Returns the value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the value alone, and drops the notes.
    pub fn into_value(self) -> T {
        self.value
    }

    /// Returns the type of the program. `None` if the question has no single program.
    pub fn ty(&self) -> Option<&Ty> {
        self.ty.as_ref()
    }

    /// Returns `true` if the value has the requested accuracy.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// Returns the limit that ended the work early. `None` if no limit did.
    pub fn stopped(&self) -> Option<ReachedLimit> {
        self.stopped
    }

    /// Returns the reason why the first number not shown to be defined is undefined. `None` if no reason was found.
    pub fn undefined(&self) -> Option<&UndefinedNumber> {
        self.undefined.as_ref()
    }

    /// Returns the notes beside the value.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the names of the constants from outside that the answer rests on, in alphabetical order: what they enclose is
    /// trusted. See [`Session::define_constant`](super::Session::define_constant).
    pub fn trusted(&self) -> &[String] {
        &self.trusted
    }

    /// Returns the time that the question took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Maps the value by `f`, and keeps all else.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        let Self { value, ty, reached, stopped, undefined, notes, trusted, elapsed } = self;
        Answer { value: f(value), ty, reached, stopped, undefined, notes, trusted, elapsed }
    }
}

/// An error message for the person who asked: the reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Diagnostic {
    /// The stable name of the reason, for programs.
    pub id: &'static str,
    /// The kind of error: who can mend it.
    pub kind: ErrorKind,
    /// The error, as a sentence.
    pub message: String,
    /// The position in a source text, if known.
    pub place: Option<SourceSpan>,
    /// Advice, if there is some.
    pub help: Option<String>,
    /// The reason why a value is undefined, if that is the error.
    pub undefined: Option<Box<UndefinedNumber>>,
    /// The error of syntax, names or types, if that is the error: its parts, for programs.
    pub program: Option<Box<ProgramError>>,
    rendered: Box<RenderedDiagnostic>,
}

/// The rendered text of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RenderedDiagnostic {
    report: String,
    /// The position, as `name:line:column`.
    position: Option<String>,
}

impl RenderedDiagnostic {
    /// Appends a line `= kind: text`.
    fn append_footnote(&mut self, kind: &str, text: &str) {
        // As `source` draws reports: a bar separates footnotes from the marks of an excerpt, and stands in the column of its bars.
        let last = self.report.lines().last().unwrap_or_default();
        let margin = last.find("| ").filter(|&at| last[..at].trim().is_empty()).map(|at| &last[..at]);
        let line = match margin {
            Some(margin) => format!("\n{margin}|\n{margin}= {kind}: {text}"),
            None => format!("\n  = {kind}: {text}"),
        };
        self.report += &line;
    }
}

impl ErrorWithKind for Diagnostic {
    fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl Diagnostic {
    /// Creates a diagnostic from its rendered text: `error: …` and lines `--> name:line:column` and `= help: …`.
    #[must_use]
    pub fn rendered(id: &'static str, kind: ErrorKind, report: impl Into<String>) -> Self {
        let report = report.into();
        let report = report.trim_end().to_owned();
        let head = report.lines().next().unwrap_or_default();
        let message = head.strip_prefix("error: ").unwrap_or(head).to_owned();
        // The rendered report is the one source: message, position and help are read back out of it, so they cannot
        // disagree.
        let behind =
            |sign: &str| report.lines().find_map(|line| line.trim_start().strip_prefix(sign)).map(str::to_owned);
        let (position, help) = (behind("--> "), behind("= help: "));
        let rendered = Box::new(RenderedDiagnostic { report, position });
        Self { id, kind, message, place: None, help, undefined: None, program: None, rendered }
    }

    /// Creates a diagnostic of a wrong question.
    #[must_use]
    pub fn invalid_input(report: impl Into<String>) -> Self {
        Self::rendered("wrong", ErrorKind::InvalidInput, report)
    }

    /// Creates a diagnostic of a question without an answer; the question may be right.
    #[must_use]
    pub fn without_answer(report: impl Into<String>) -> Self {
        Self::rendered("limit", ErrorKind::Limit, report)
    }

    /// Creates a diagnostic of an unknown name. `fault` says so, and the nearest of the `known` names is offered.
    #[must_use]
    pub fn unknown_name<'n>(fault: impl fmt::Display, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let help =
            nearest_name(name, known).map_or_else(String::new, |near| format!("\n  = help: did you mean `{near}`?"));
        Self::rendered("unknown", ErrorKind::InvalidInput, format!("error: {fault}{help}"))
    }

    /// Creates a diagnostic at a position of a text, whose line is shown.
    pub(crate) fn at_place(
        id: &'static str,
        kind: ErrorKind,
        message: &str,
        place: SourceSpan,
        help: Option<String>,
    ) -> Self {
        let report = source::render_message(&place.source, message, place.span, help);
        Self { place: Some(place), ..Self::rendered(id, kind, report) }
    }

    /// Replaces the name of the reason.
    pub(crate) fn with_id(self, id: &'static str) -> Self {
        Self { id, ..self }
    }

    /// Adds the reason why the value is undefined.
    pub(crate) fn with_undefined(self, undefined: UndefinedNumber) -> Self {
        Self { undefined: Some(Box::new(undefined)), ..self }
    }

    /// Adds the error of the program.
    pub(crate) fn with_program_error(self, error: &ProgramError) -> Self {
        Self { program: Some(Box::new(error.clone())), ..self }
    }

    /// Replaces the position, if `place` is one.
    pub(crate) fn with_place(self, place: Option<SourceSpan>) -> Self {
        Self { place: place.or(self.place), ..self }
    }

    /// Adds a line `= note: …` to the rendered text.
    #[cfg(feature = "plot")]
    pub(crate) fn with_note(mut self, note: &str) -> Self {
        self.rendered.append_footnote("note", note);
        self
    }

    /// Adds a line `= help: …` to the rendered text. An earlier help stays the one in the field.
    #[must_use]
    pub fn with_help(mut self, help: &str) -> Self {
        self.rendered.append_footnote("help", help);
        self.help.get_or_insert_with(|| help.to_owned());
        self
    }

    /// Returns the rendered text. It has several lines if the source is shown.
    #[must_use]
    pub fn report(&self) -> &str {
        &self.rendered.report
    }

    /// Returns the position, as `name:line:column`. `None` if the diagnostic has none.
    #[must_use]
    pub fn position(&self) -> Option<&str> {
        self.rendered.position.as_deref()
    }

    /// Returns the message on one line, with the position first if there is one: `name:line:column: error: …`.
    #[must_use]
    pub fn one_line(&self) -> String {
        let head = self.report().lines().next().unwrap_or_default();
        match self.position() {
            Some(position) => format!("{position}: {head}"),
            None => head.to_owned(),
        }
    }
}
