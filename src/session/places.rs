//! Positions: from places of terms to ranges of texts, and diagnostics there.

use super::answer::{Diagnostic, SourceSpan, UndefinedNumber};
use super::{Session, SessionError, remedy};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::answer::{AnswerNote, SemanticsError};
use crate::model::{SourceLocation, answer};
use crate::session::compile::SESSION_MODULE;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::library::ProgramError;
use crate::syntax::source;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::substitution::ShadowedRecursion;
use crate::undefined::UndefinedCause;
use crate::value::{NegativeDifference, ValueError};
use std::sync::Arc;

/// The name of the text of a question in messages.
pub const QUESTION_NAME: &str = "question";

impl Session {
    /// Returns the source range of a place of a program. `None` if its text is not known.
    #[must_use]
    pub fn locate(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<SourceSpan> {
        let source = match &place.definition {
            None => question,
            Some(definition) => match self.definitions.source_of(definition) {
                Some(source) => source,
                None => self.source_of_module(&definition.module)?,
            },
        };
        Some(SourceSpan { source: source.clone(), span: place.span })
    }

    fn source_of_module(&self, name: &str) -> Option<&Arc<SourceText>> {
        self.sources.iter().find(|(module, _)| &**module == name).map(|(_, source)| source)
    }

    /// Returns the text at a place with its position: `x == 0 (1:15)`. `None` if the text is not known.
    #[must_use]
    pub fn excerpt_at(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<String> {
        let found = self.locate(question, place)?;
        let position = found.to_string();
        // A position in the question needs no name of a text; one in a theory keeps it.
        let position = position.strip_prefix(&format!("{QUESTION_NAME}:")).unwrap_or(&position);
        Some(format!("{} ({position})", message_excerpt(found.text())))
    }

    /// Renders an error of a question at its position: in the question, or in the theory whose definition failed.
    #[must_use]
    pub fn diagnose(&self, question: &Arc<SourceText>, error: &SessionError) -> Diagnostic {
        let kind = error.kind();
        match error {
            SessionError::Program(error) => self.program_diagnostic(question, error),
            SessionError::Interpretation(ValueError::NegativeDifference(below)) => {
                self.below_zero_diagnostic(question, below)
            }
            SessionError::Evaluation { place: Some(place), .. } => {
                self.diagnostic_at("evaluation", kind, question, &error.to_string(), place)
            }
            SessionError::Semantics(SemanticsError::Undefined(found)) => {
                let diagnostic = match &found.place {
                    Some(place) => self.diagnostic_at("undefined", kind, question, &found.message, place),
                    None => Diagnostic::rendered("undefined", kind, format!("error: {}", found.message)),
                };
                diagnostic.with_undefined(self.locate_undefined(question, found))
            }
            other => Diagnostic::rendered(other.id(), kind, format!("error: {other}")),
        }
    }

    fn program_diagnostic(&self, question: &Arc<SourceText>, error: &ProgramError) -> Diagnostic {
        let place = error.span().map(|span| SourceSpan { source: question.clone(), span });
        Diagnostic::rendered("program", ErrorKind::InvalidInput, source::render_error(question, error))
            .with_place(place)
            .with_program_error(error)
    }

    /// Creates a diagnostic at a place of a program: in the question, or in the theory that holds the definition. It
    /// has no position if the text is not known.
    #[must_use]
    pub fn diagnostic_at(
        &self,
        id: &'static str,
        kind: ErrorKind,
        question: &Arc<SourceText>,
        message: &str,
        place: &SourceLocation,
    ) -> Diagnostic {
        match self.locate(question, place) {
            Some(place) => Diagnostic::at_place(id, kind, message, place, None),
            None => Diagnostic::rendered(id, kind, format!("error: {message}")),
        }
    }

    /// Creates the diagnostic of a negative difference of natural numbers, with its position and an alternative.
    #[must_use]
    pub fn below_zero_diagnostic(&self, question: &Arc<SourceText>, below: &NegativeDifference) -> Diagnostic {
        let source = match &below.definition {
            None => Some(question),
            Some((module, name)) => {
                let definition = self.library.module(module).and_then(|module| module.find_definition(name));
                // A definition of the session is looked up by its own text; any other is in the text of its theory.
                let own = definition.and_then(|definition| self.definitions.source_of(definition));
                own.or_else(|| self.source_of_module(module))
            }
        };
        let kind = ErrorKind::InvalidInput;
        let (Some(source), Some((start, end))) = (source, below.span) else {
            return Diagnostic::rendered("below-zero", kind, format!("error: {below}"));
        };
        let compared = below.comparison_span.map(|(start, _)| source.line_and_column(start));
        let place = SourceSpan { source: source.clone(), span: Span::new(start, end) };
        Diagnostic::at_place("below-zero", kind, &below.format_message(compared), place, below.help.clone())
    }

    /// Adds the source range and the help to the reason why a number is undefined.
    #[must_use]
    pub fn locate_undefined(&self, question: &Arc<SourceText>, found: &answer::UndefinedReason) -> UndefinedNumber {
        let place = found.place.as_ref().and_then(|place| self.locate(question, place));
        UndefinedNumber::new(found.cause, found.message.clone(), place, self.help_for(question, found))
    }

    /// Creates the diagnostic of an undefined operation at a place of a program.
    pub(crate) fn undefined_diagnostic(
        &self,
        question: &Arc<SourceText>,
        cause: UndefinedCause,
        message: String,
        place: Option<&SourceLocation>,
    ) -> Diagnostic {
        let found = place.and_then(|place| self.locate(question, place));
        let diagnostic = match &found {
            Some(place) => Diagnostic::at_place("undefined", ErrorKind::Limit, &message, place.clone(), None),
            None => Diagnostic::rendered("undefined", ErrorKind::Limit, format!("error: {message}")),
        };
        diagnostic.with_undefined(UndefinedNumber::new(cause, message, found, None))
    }

    /// Returns the help for an undefined number. `None` if there is nothing to add.
    fn help_for(&self, question: &Arc<SourceText>, found: &answer::UndefinedReason) -> Option<String> {
        if let Some(name) = &found.library {
            let is_told = remedy::hint_for_undefined(name, "", None);
            return Some(is_told.unwrap_or_else(|| format!("smoothish doc {name} says where it has a value")));
        }
        self.hint_at(question, found.place.as_ref()?, &found.message)
    }

    /// Returns the help for an undefined operation at a place. `None` if there is none, or the text is not known.
    #[must_use]
    pub fn hint_at(&self, question: &Arc<SourceText>, place: &SourceLocation, operation: &str) -> Option<String> {
        let found = self.locate(question, place)?;
        // The user knows definitions of the session; only one of a theory is worth naming.
        let of = place.definition.as_ref().filter(|of| self.definitions.source_of(of).is_none());
        remedy::hint_for_undefined(found.text(), operation, of.map(|of| &*of.name))
    }

    /// Returns the assumption of `cutRoot` that an answer relies on, with the position where it was made.
    #[must_use]
    pub fn promise_text(&self, question: &Arc<SourceText>, place: &SourceLocation) -> String {
        let promise = "assuming that cutRoot was given a function with one change of sign";
        match self.locate(question, place) {
            Some(place) => format!("{promise}, at {place}"),
            None => promise.to_owned(),
        }
    }

    /// Renders a remark on an answer, with the text at its place.
    pub(super) fn remark_text(
        &self,
        question: &Arc<SourceText>,
        AnswerNote { before, place, after }: &AnswerNote,
    ) -> String {
        let written = place.as_ref().and_then(|place| self.excerpt_at(question, place));
        let written = written.map_or_else(String::new, |text| format!(" {text}"));
        format!("{before}{written}{after}").trim_start().to_owned()
    }

    /// Returns a remark if a function in its own definition means an earlier one of its name: `let` without `rec`.
    /// `None` if the name is written with its module, which is on purpose.
    #[must_use]
    pub fn note_shadowed_recursion(
        source: &SourceText,
        ShadowedRecursion { name, module, span }: &ShadowedRecursion,
    ) -> Option<String> {
        let (line, column) = source.line_and_column(span.start);
        let whose = match module.as_deref() {
            None => "that of the language".to_owned(),
            Some(SESSION_MODULE) => "the earlier one".to_owned(),
            Some(theory) => format!("that of the theory {theory}"),
        };
        (span.text_in(&source.text) == &**name).then(|| {
            format!(
                "in its own definition `{name}` ({line}:{column}) is {whose}; a function that calls itself is defined by \
                 let rec {name}"
            )
        })
    }
}
