//! The evaluator: the theories of the program, and a session with their definitions.

use super::progress::Progress;
use super::status::Status;
use crate::failure::ErrorKind;
use crate::model::SourceLocation;
use crate::model::answer::Semantics;
use crate::number::Rational;
use crate::session::{Answer, Diagnostic, Limits, Question, Session, SessionError};
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::builtin;
use crate::theory::loader::TheoryCollection;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The loaded theories, and a session over them.
#[derive(Debug)]
pub struct TheorySession {
    pub(super) theories: TheoryCollection,
    pub(super) session: Session,
    pub(super) files: Vec<PathBuf>,
    pub(super) shows_progress: bool,
}

impl TheorySession {
    /// Loads the theories of the standard library.
    #[must_use]
    pub fn load() -> Self {
        Self::over_theories(builtin::load_theories())
    }

    /// Opens a session over loaded theories.
    fn over_theories(theories: TheoryCollection) -> Self {
        let session = Session::from_texts(theories.texts());
        Self { theories, session, files: Vec::new(), shows_progress: false }
    }

    /// Adds a semantics to the session, as [`Session::with_semantics`] does.
    #[must_use]
    pub fn with_semantics(self, meaning: Arc<dyn Semantics>) -> Self {
        Self { session: self.session.with_semantics(meaning), ..self }
    }

    /// Returns the session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Sets whether long questions show their progress on the error stream, which should be a terminal.
    pub fn show_progress(&mut self, shows: bool) {
        self.shows_progress = shows;
    }

    /// Answers a question by the session, with progress on the terminal.
    ///
    /// # Errors
    /// As [`Session::ask`].
    pub fn ask<Q: Question + ?Sized>(&self, question: &Q, limits: &Limits) -> Result<Answer<Q::Output>, Diagnostic> {
        self.ask_with_progress("nothing yet", None, question, limits)
    }

    /// Answers a question like [`TheorySession::ask`]. `work` is shown until there is an enclosure, which is then shown to
    /// the width `eps`.
    pub(super) fn ask_with_progress<Q: Question + ?Sized>(
        &self,
        work: &str,
        eps: Option<&Rational>,
        question: &Q,
        limits: &Limits,
    ) -> Result<Answer<Q::Output>, Diagnostic> {
        if !self.shows_progress {
            return self.session.ask(question, limits);
        }
        let progress = Arc::new(Progress::new(work, eps, Box::new(io::stderr())));
        // The observer is the only difference: watching changes no answer.
        let result = self.session.ask(question, &Limits { observer: Some(progress.clone()), ..limits.clone() });
        progress.clear_line();
        result
    }

    /// Renders an error at its position: in the question, or in the theory whose definition failed.
    pub(super) fn diagnose(&self, source: &Arc<SourceText>, error: &SessionError) -> Diagnostic {
        self.session.diagnose(source, error)
    }

    /// Creates the diagnostic of a question that is wrong at a place.
    pub(super) fn diagnose_at(&self, source: &Arc<SourceText>, message: &str, place: &SourceLocation) -> Diagnostic {
        self.session.diagnostic_at("wrong", ErrorKind::InvalidInput, source, message, place)
    }

    /// Returns the text at a place with its position: `x == 0 (1:15)`.
    pub(super) fn source_text_at(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<String> {
        self.session.excerpt_at(question, place)
    }

    /// Returns the position of a place, as `source:line:column`.
    pub(super) fn locate(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<String> {
        self.session.locate(question, place).map(|found| found.to_string())
    }

    /// Infers the type of an expression. Returns its term and the type.
    ///
    /// # Errors
    /// A [`Diagnostic`] with the position of the error.
    pub(super) fn infer(&self, source: &Arc<SourceText>) -> Result<(Term, Ty), Diagnostic> {
        self.session.infer(&source.text).map_err(|e| self.diagnose(source, &e.into()))
    }
}

/// The status of a diagnostic.
impl From<&Diagnostic> for Status {
    fn from(diagnostic: &Diagnostic) -> Self {
        diagnostic.kind.into()
    }
}
