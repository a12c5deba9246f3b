//! Positions: from places of terms to ranges of texts, and diagnostics there.

use super::answer::{Diagnostic, SourceSpan, Undefined};
use super::{Session, SessionError, remedy};
use crate::failure::{ErrorKind, Failure};
use crate::model::Place;
use crate::model::answer::{self, MeaningError, Remark};
use crate::session::definitions::MODULE;
use crate::syntax::lexer::excerpt;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::mention::Namesake;
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use crate::undefined::Cause;
use crate::value::{BelowZero, ValueError};
use std::sync::Arc;

/// The name of the text of a question in messages.
pub const QUESTION: &str = "question";

impl Session {
    /// Returns the source range of a place of a program. `None` if its text is not known.
    #[must_use]
    pub fn locate(&self, question: &Arc<Source>, place: &Place) -> Option<SourceSpan> {
        let source = match &place.definition {
            None => question,
            Some(definition) => match self.definitions.source_of(definition) {
                Some(source) => source,
                None => self.source_of_module(&definition.module)?,
            },
        };
        Some(SourceSpan { source: source.clone(), span: place.span })
    }

    fn source_of_module(&self, name: &str) -> Option<&Arc<Source>> {
        self.sources.iter().find(|(module, _)| &**module == name).map(|(_, source)| source)
    }

    /// Returns the text at a place with its position: `x == 0 (1:15)`. `None` if the text is not known.
    #[must_use]
    pub fn written(&self, question: &Arc<Source>, place: &Place) -> Option<String> {
        let found = self.locate(question, place)?;
        let position = found.to_string();
        // A position in the question needs no name of a text; one in a theory keeps it.
        let position = position.strip_prefix(&format!("{QUESTION}:")).unwrap_or(&position);
        Some(format!("{} ({position})", excerpt(found.text())))
    }

    /// Renders an error of a question at its position: in the question, or in the theory whose definition failed.
    #[must_use]
    pub fn diagnose(&self, question: &Arc<Source>, error: &SessionError) -> Diagnostic {
        let kind = error.kind();
        match error {
            SessionError::Program(error) => self.malformed(question, error),
            SessionError::Interpretation(ValueError::BelowZero(below)) => self.below_zero(question, below),
            SessionError::Evaluation { place: Some(place), .. } => {
                self.at("evaluation", kind, question, &error.to_string(), place)
            }
            SessionError::Meaning(MeaningError::Undefined(found)) => {
                let diagnostic = match &found.place {
                    Some(place) => self.at("undefined", kind, question, &found.message, place),
                    None => Diagnostic::shown("undefined", kind, format!("error: {}", found.message)),
                };
                diagnostic.because(self.undefined(question, found))
            }
            other => Diagnostic::shown(other.id(), kind, format!("error: {other}")),
        }
    }

    fn malformed(&self, question: &Arc<Source>, error: &ProgramError) -> Diagnostic {
        let place = error.span().map(|span| SourceSpan { source: question.clone(), span });
        Diagnostic::shown("program", ErrorKind::Wrong, report::render(question, error)).placed(place).malformed(error)
    }

    /// Creates a diagnostic at a place of a program: in the question, or in the theory that holds the definition. It
    /// has no position if the text is not known.
    #[must_use]
    pub fn at(
        &self,
        id: &'static str,
        kind: ErrorKind,
        question: &Arc<Source>,
        message: &str,
        place: &Place,
    ) -> Diagnostic {
        match self.locate(question, place) {
            Some(place) => Diagnostic::at(id, kind, message, place, None),
            None => Diagnostic::shown(id, kind, format!("error: {message}")),
        }
    }

    /// Creates the diagnostic of a negative difference of natural numbers, with its position and an alternative.
    #[must_use]
    pub fn below_zero(&self, question: &Arc<Source>, below: &BelowZero) -> Diagnostic {
        let source = match &below.definition {
            None => Some(question),
            Some((module, name)) => {
                let definition = self.library.module(module).and_then(|module| module.definition(name));
                // A definition of the session is looked up by its own text; any other is in the text of its theory.
                let own = definition.and_then(|definition| self.definitions.source_of(definition));
                own.or_else(|| self.source_of_module(module))
            }
        };
        let kind = ErrorKind::Wrong;
        let (Some(source), Some((start, end))) = (source, below.span) else {
            return Diagnostic::shown("below-zero", kind, format!("error: {below}"));
        };
        let compared = below.compared.map(|(start, _)| source.position(start));
        let place = SourceSpan { source: source.clone(), span: Span::new(start, end) };
        Diagnostic::at("below-zero", kind, &below.message(compared), place, below.help.clone())
    }

    /// Adds the source range and the help to the reason why a number is undefined.
    #[must_use]
    pub fn undefined(&self, question: &Arc<Source>, found: &answer::Undefined) -> Undefined {
        let place = found.place.as_ref().and_then(|place| self.locate(question, place));
        Undefined::new(found.cause, found.message.clone(), place, self.help_for(question, found))
    }

    /// Creates the diagnostic of an undefined operation at a place of a program.
    pub(crate) fn undefined_at(
        &self,
        question: &Arc<Source>,
        cause: Cause,
        message: String,
        place: Option<&Place>,
    ) -> Diagnostic {
        let found = place.and_then(|place| self.locate(question, place));
        let diagnostic = match &found {
            Some(place) => Diagnostic::at("undefined", ErrorKind::Limit, &message, place.clone(), None),
            None => Diagnostic::shown("undefined", ErrorKind::Limit, format!("error: {message}")),
        };
        diagnostic.because(Undefined::new(cause, message, found, None))
    }

    /// Returns the help for an undefined number. `None` if there is nothing to add.
    fn help_for(&self, question: &Arc<Source>, found: &answer::Undefined) -> Option<String> {
        if let Some(name) = &found.library {
            let is_told = remedy::of_undefined(name, "", None);
            return Some(is_told.unwrap_or_else(|| format!("smoothish doc {name} says where it has a value")));
        }
        self.cause_of(question, found.place.as_ref()?, &found.message)
    }

    /// Returns the help for an undefined operation at a place. `None` if there is none, or the text is not known.
    #[must_use]
    pub fn cause_of(&self, question: &Arc<Source>, place: &Place, operation: &str) -> Option<String> {
        let found = self.locate(question, place)?;
        // The user knows definitions of the session; only one of a theory is worth naming.
        let of = place.definition.as_ref().filter(|of| self.definitions.source_of(of).is_none());
        remedy::of_undefined(found.text(), operation, of.map(|of| &*of.name))
    }

    /// Returns the assumption of `cutRoot` that an answer relies on, with the position where it was made.
    #[must_use]
    pub fn promise(&self, question: &Arc<Source>, place: &Place) -> String {
        let promise = "assuming that cutRoot was given a function with one change of sign";
        match self.locate(question, place) {
            Some(place) => format!("{promise}, at {place}"),
            None => promise.to_owned(),
        }
    }

    /// Renders a remark on an answer, with the text at its place.
    pub(super) fn remark(&self, question: &Arc<Source>, Remark { before, place, after }: &Remark) -> String {
        let written = place.as_ref().and_then(|place| self.written(question, place));
        let written = written.map_or_else(String::new, |text| format!(" {text}"));
        format!("{before}{written}{after}").trim_start().to_owned()
    }

    /// Returns a remark if a function in its own definition means an earlier one of its name: `let` without `rec`.
    /// `None` if the name is written with its module, which is on purpose.
    #[must_use]
    pub fn means_earlier(source: &Source, Namesake { name, module, span }: &Namesake) -> Option<String> {
        let (line, column) = source.position(span.start);
        let whose = match module.as_deref() {
            None => "that of the language".to_owned(),
            Some(MODULE) => "the earlier one".to_owned(),
            Some(theory) => format!("that of the theory {theory}"),
        };
        (span.of(&source.text) == &**name).then(|| {
            format!(
                "in its own definition `{name}` ({line}:{column}) is {whose}; a function that calls itself is defined by \
                 let rec {name}"
            )
        })
    }
}
