//! What a question is answered, and why it is not.

use super::limits::Stop;
use crate::failure::{ErrorKind, Failure};
use crate::syntax::library::Error as ProgramError;
use crate::syntax::name::nearest;
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use crate::syntax::ty::Ty;
use crate::undefined::Cause;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A place in a text. It is written as `name:line:column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// The text: the question, or the theory or definition that it uses.
    pub source: Arc<Source>,
    /// Where in it.
    pub span: Span,
}

impl SourceSpan {
    /// Returns the line and the column of its beginning, from 1.
    #[must_use]
    pub fn position(&self) -> (usize, usize) {
        self.source.position(self.span.start)
    }

    /// Returns what is written there.
    #[must_use]
    pub fn text(&self) -> &str {
        self.span.of(&self.source.text)
    }
}

impl fmt::Display for SourceSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A promise that the answer rests on, which was not shown.
    Assumption,
    /// What the reader should know of the program or of its value.
    Remark,
    /// How far the answer is from what was asked, and why.
    Outcome,
}

/// Something that is said beside an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// By what programs tell notes apart.
    pub id: &'static str,
    /// What it is about.
    pub kind: NoteKind,
    /// The sentence.
    pub text: String,
    /// The place that it is about, where it is about one.
    pub place: Option<SourceSpan>,
}

impl Note {
    /// A note about no place.
    pub(crate) fn new(id: &'static str, kind: NoteKind, text: impl Into<String>) -> Self {
        Self { id, kind, text: text.into(), place: None }
    }

    /// The same note, about a place.
    pub(crate) fn at(self, place: Option<SourceSpan>) -> Self {
        Self { place, ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why there is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undefined {
    /// What kind of reason it is.
    pub cause: Cause,
    /// The reason in words.
    pub message: String,
    /// Where the operation stands that has no value or no derivative.
    pub place: Option<SourceSpan>,
    /// What explains it further, where something does.
    pub help: Option<String>,
}

impl Undefined {
    /// A reason, by its parts.
    pub(crate) fn new(cause: Cause, message: String, place: Option<SourceSpan>, help: Option<String>) -> Self {
        Self { cause, message, place, help }
    }
}

/// The reason, where it stands, and what explains it.
impl fmt::Display for Undefined {
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

/// What a question is answered: [`Session::ask`](super::Session::ask) alone makes one, so that nothing that was noted on the way is lost.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    pub(super) value: T,
    pub(super) ty: Option<Ty>,
    pub(super) reached: bool,
    pub(super) stopped: Option<Stop>,
    pub(super) undefined: Option<Undefined>,
    pub(super) notes: Vec<Note>,
    pub(super) elapsed: Duration,
}

impl<T> Answer<T> {
    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The value alone: what is noted beside it is dropped.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The type of the program that was asked, where it is one program.
    pub fn ty(&self) -> Option<&Ty> {
        self.ty.as_ref()
    }

    /// Whether the value is as accurate as was asked.
    pub fn is_reached(&self) -> bool {
        self.reached
    }

    /// What cut the question short, where something did before it was answered as asked.
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Why the first number in the value that is not shown to be defined is not.
    pub fn undefined(&self) -> Option<&Undefined> {
        self.undefined.as_ref()
    }

    /// What there is to say beside the value.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The answer with another value; all else is kept.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        let Self { value, ty, reached, stopped, undefined, notes, elapsed } = self;
        Answer { value: f(value), ty, reached, stopped, undefined, notes, elapsed }
    }
}

/// Why a question has no answer, and what to tell the person who asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Diagnostic {
    /// By what programs tell reasons apart.
    pub id: &'static str,
    /// What can be done about it.
    pub kind: ErrorKind,
    /// What is wrong, as a sentence.
    pub message: String,
    /// Where.
    pub place: Option<SourceSpan>,
    /// What to try.
    pub help: Option<String>,
    /// Why there is no value, where that is why.
    pub undefined: Option<Box<Undefined>>,
    /// What is wrong with the form, the names or the types of the program, where that is why: its parts, for programs.
    pub program: Option<Box<ProgramError>>,
    shown: Box<Shown>,
}

/// What is shown of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    report: String,
    /// Where, as `name:line:column`.
    position: Option<String>,
}

impl Failure for Diagnostic {
    fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl Diagnostic {
    /// A diagnostic, from what is shown of it: `error: …` and lines `--> name:line:column` and `= help: …`.
    #[must_use]
    pub fn shown(id: &'static str, kind: ErrorKind, report: impl Into<String>) -> Self {
        let report = report.into();
        let report = report.trim_end().to_owned();
        let head = report.lines().next().unwrap_or_default();
        let message = head.strip_prefix("error: ").unwrap_or(head).to_owned();
        let behind =
            |sign: &str| report.lines().find_map(|line| line.trim_start().strip_prefix(sign)).map(str::to_owned);
        let (position, help) = (behind("--> "), behind("= help: "));
        let shown = Box::new(Shown { report, position });
        Self { id, kind, message, place: None, help, undefined: None, program: None, shown }
    }

    /// That the question is wrong.
    #[must_use]
    pub fn wrong(report: impl Into<String>) -> Self {
        Self::shown("wrong", ErrorKind::Wrong, report)
    }

    /// That the question has no answer, and may be right.
    #[must_use]
    pub fn nothing(report: impl Into<String>) -> Self {
        Self::shown("limit", ErrorKind::Limit, report)
    }

    /// That a name is none of those that are known: `fault` says so, and the nearest one is offered.
    #[must_use]
    pub fn unknown<'n>(fault: impl fmt::Display, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let help = nearest(name, known).map_or_else(String::new, |near| format!("\n  = help: did you mean `{near}`?"));
        Self::shown("unknown", ErrorKind::Wrong, format!("error: {fault}{help}"))
    }

    /// That something is wrong at a place.
    pub(crate) fn at(
        id: &'static str,
        kind: ErrorKind,
        message: &str,
        place: SourceSpan,
        help: Option<String>,
    ) -> Self {
        let report = report::render_message(&place.source, message, place.span, help);
        Self { place: Some(place), ..Self::shown(id, kind, report) }
    }

    /// The same, with another name.
    pub(crate) fn named(self, id: &'static str) -> Self {
        Self { id, ..self }
    }

    /// The same, with why there is no value.
    pub(crate) fn because(self, undefined: Undefined) -> Self {
        Self { undefined: Some(Box::new(undefined)), ..self }
    }

    /// The same, with what is wrong with the program.
    pub(crate) fn malformed(self, error: &ProgramError) -> Self {
        Self { program: Some(Box::new(error.clone())), ..self }
    }

    /// The same, with a place.
    pub(crate) fn placed(self, place: Option<SourceSpan>) -> Self {
        Self { place: place.or(self.place), ..self }
    }

    /// The same, with one more line of what is shown.
    #[cfg(feature = "plot")]
    pub(crate) fn noting(mut self, note: &str) -> Self {
        self.shown.report += &format!("\n  = note: {note}");
        self
    }

    /// The same, with what to try.
    #[must_use]
    pub fn helped(mut self, help: &str) -> Self {
        self.shown.report += &format!("\n  = help: {help}");
        self.help.get_or_insert_with(|| help.to_owned());
        self
    }

    /// What is shown of it: several lines where the text is shown.
    #[must_use]
    pub fn report(&self) -> &str {
        &self.shown.report
    }

    /// Where it is, as `name:line:column`; `None` if it is about no place.
    #[must_use]
    pub fn position(&self) -> Option<&str> {
        self.shown.position.as_deref()
    }

    /// The same on one line, its place first where it has one: `name:line:column: error: …`.
    #[must_use]
    pub fn short(&self) -> String {
        let head = self.report().lines().next().unwrap_or_default();
        match self.position() {
            Some(position) => format!("{position}: {head}"),
            None => head.to_owned(),
        }
    }
}
