//! The evaluator: the theories of the program, and a session with their definitions.
//!
//! # The definitions of a session at the prompt
//!
//! The definitions of a session at the prompt, theories from files, and saving.

use super::eval::Evaluated;
use super::output::Progress;
use super::status::Status;
use super::{output, read};
use crate::failure::ErrorKind;
use crate::model::SourceLocation;
use crate::model::answer::Semantics;
use crate::number::Rational;
use crate::session::compile::{Definitions, SESSION_MODULE, SessionDefinition};
use crate::session::saved::FIRST_LINE;
use crate::session::tolerance::AccuracyGoal;
use crate::session::{Answer, Diagnostic, Evaluate, Limits, Question, Session, SessionError, saved};
use crate::syntax::library::Library as Modules;
use crate::syntax::name::{Name, is_capital};
use crate::syntax::normal::normalise;
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::loader::TheoryCollection;
use crate::theory::{Theory, builtin};
use std::io;
use std::path::{Path, PathBuf};
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

impl TheorySession {
    /// Returns the theories, each after those that it extends.
    #[must_use]
    pub fn theories(&self) -> &TheoryCollection {
        &self.theories
    }

    /// Returns the loaded files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the modules of the theories and of the session.
    #[must_use]
    pub fn modules(&self) -> &Modules {
        self.session.library()
    }

    /// Returns the definitions of the session.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        self.session.definitions()
    }

    /// Evaluates an expression. `ans` names it from now on. The answer is shown to `goal`, but computed to `finer`.
    ///
    /// # Errors
    /// As [`Session::ask`](crate::session::Session::ask); then `ans` keeps its meaning.
    pub fn ask_and_set_ans(
        &mut self,
        source: SourceText,
        goal: &AccuracyGoal,
        finer: &AccuracyGoal,
        limits: &Limits,
    ) -> Result<Evaluated, Diagnostic> {
        let source = Arc::new(source);
        let (term, ty) = self.infer(&source)?;
        let question = Evaluate::from_term(source.clone(), term.clone(), ty.clone())
            .with_goal(goal.clone())
            .with_finer_goal(finer.clone());
        let answer = self.ask_with_progress("nothing yet", goal.accuracy().eps(), &question, limits)?;
        self.session.bind_answer(source, term, ty);
        Ok(answer)
    }

    /// Returns the type of an expression, as the language writes it.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the expression does not parse or has no type.
    pub fn type_of(&self, source: &Arc<SourceText>) -> Result<String, Diagnostic> {
        Ok(self.infer(source)?.1.to_string())
    }

    /// Returns the βη-normal form of an expression, as a program that parses in the session.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the expression does not parse or has no type, or if its normal form is not reached or cannot
    /// be written.
    pub fn normal_form_of(&self, source: &Arc<SourceText>) -> Result<String, Diagnostic> {
        let (term, _) = self.infer(source)?;
        let program = normalise(&term).and_then(|normal| normal.to_program(self.modules(), Some(SESSION_MODULE)));
        program.map_err(|error| Diagnostic::without_answer(format!("error: {error}")))
    }

    /// Adds a definition to the session.
    ///
    /// # Errors
    /// A [`Diagnostic`] if the definition is wrong; then nothing changes.
    pub fn define(&mut self, source: SourceText) -> Result<SessionDefinition, Diagnostic> {
        let source = Arc::new(source);
        let defined = self.session.define(source.clone()).cloned();
        defined.map_err(|e| self.diagnose(&source, &e.into()))
    }

    /// Loads theories from files. If a file was loaded before, all files and definitions are read again.
    ///
    /// Returns the theories of these files, and the diagnostics of the lost definitions ([`TheorySession::reload`]).
    ///
    /// # Errors
    /// A [`Diagnostic`] if a file cannot be read, is no theory, or clashes with a loaded theory; then nothing changes.
    pub fn load_files(&mut self, paths: &[PathBuf]) -> Result<(Vec<Theory>, Vec<Diagnostic>), Diagnostic> {
        if paths.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut files = self.files.clone();
        let mut new: Vec<PathBuf> = Vec::new();
        let again = paths.iter().any(|path| files.contains(path));
        for path in paths {
            if !files.contains(path) {
                files.push(path.clone());
                new.push(path.clone());
            }
        }
        let (theories, left) = if again {
            self.rebuild(files)?
        } else {
            let mut theories = self.theories.clone();
            load_theory_files(&mut theories, &new)?;
            self.session = self.session.with_texts(theories.texts());
            self.theories = theories;
            self.files = files;
            (&self.theories, Vec::new())
        };
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let loaded = theories.theories().iter().filter(|theory| names.contains(&theory.source.name));
        Ok((loaded.cloned().collect(), left))
    }

    /// Reads every loaded file again, and every definition of the session. Returns the diagnostics of the definitions
    /// that are wrong over the new theories: these definitions are lost.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a file is wrong; then nothing changes.
    pub fn reload(&mut self) -> Result<Vec<Diagnostic>, Diagnostic> {
        Ok(self.rebuild(self.files.clone())?.1)
    }

    /// Loads the standard library and `files`, and replays the definitions of the session over them.
    fn rebuild(&mut self, files: Vec<PathBuf>) -> Result<(&TheoryCollection, Vec<Diagnostic>), Diagnostic> {
        let mut theories = builtin::load_theories();
        load_theory_files(&mut theories, &files)?;
        let (session, wrong) = self.session.retype_over(theories.texts());
        let wrong = wrong.into_iter().map(|(entry, error)| self.diagnose(&entry.source, &error.into())).collect();
        // Assigned only after everything has succeeded: an error leaves the workspace as it was.
        self.session = session;
        self.theories = theories;
        self.files = files;
        Ok((&self.theories, wrong))
    }

    /// Writes the definitions of the session to a file, as a theory named after it. An existing file is overwritten
    /// only if it is a saved session. Returns the name of the theory and the number of its definitions.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there is nothing to save, if the file is another one or cannot be written, or if the
    /// definitions would have other types as a theory.
    pub fn save_definitions(&self, path: &Path) -> Result<(String, usize), Diagnostic> {
        let shown = path.display().to_string();
        let wrong = |what: String| Diagnostic::invalid_input(format!("error: {what}"));
        let name = theory_name(path)
            .ok_or_else(|| wrong(format!("{shown}: a theory needs a name: begin that of the file with a letter")))?;
        if let Some(other) = self.theories.find_theory(&name).filter(|theory| theory.source.name != shown) {
            let place = &other.source.name;
            return Err(wrong(format!("the theory would be called {name}, like that of {place}: choose another file")));
        }
        let saved = saved::export_theory(&name, self.definitions(), self.modules());
        if saved.definitions.is_empty() {
            return Err(wrong("nothing to save: no definition was made in this session".to_owned()));
        }
        self.verify(&name, path, &saved)?;
        if path.exists() && !(path.is_file() && read::read_file(path).is_ok_and(|text| text.starts_with(FIRST_LINE))) {
            return Err(wrong(format!("{shown} is there, and is no saved session: choose another name")));
        }
        output::write_atomically(path, saved.text.as_bytes()).map_err(|e| wrong(format!("{shown}: {e}")))?;
        Ok((name, saved.definitions.len()))
    }

    /// Checks that the text means the same as the session: reads it back, and compares the types.
    fn verify(&self, name: &str, path: &Path, saved: &saved::SavedTheory) -> Result<(), Diagnostic> {
        let mut theories = builtin::load_theories();
        // The file may be loaded already, as an older version of the same theory.
        let others: Vec<PathBuf> = self.files.iter().filter(|file| *file != path).cloned().collect();
        load_theory_files(&mut theories, &others)?;
        let cannot = |why: String| {
            Diagnostic::invalid_input(format!(
                "error: these definitions cannot be saved as a theory, where they read otherwise\n{why}"
            ))
        };
        let text = SourceText::new(path.display().to_string(), saved.text.as_str());
        theories.load([text]).map_err(|e| cannot(e.render().trim_end().to_owned()))?;
        let module = theories.library().module(name);
        for (name, entry) in &saved.definitions {
            let same = match entry.definition() {
                // Compared as text: the types that the session declares are different types there, of the same names.
                Some(mine) => {
                    let its = module.and_then(|m| m.find_definition(name));
                    its.is_some_and(|its| its.scheme.to_string() == mine.scheme.to_string())
                }
                None => module.is_some_and(|m| m.find_named_type(name).is_some()),
            };
            if !same {
                return Err(cannot(format!("  = note: `{name}` has another type there")));
            }
        }
        Ok(())
    }
}

/// Reads files, and loads their theories.
fn load_theory_files(theories: &mut TheoryCollection, paths: &[PathBuf]) -> Result<(), Diagnostic> {
    let sources = paths.iter().map(|path| read::read_theory(path)).collect::<Result<Vec<_>, _>>()?;
    theories.load(sources).map_err(|e| Diagnostic::invalid_input(e.render().trim_end()))
}

/// Returns the name of the theory in a file: `MyShapes` for `my-shapes.theory`. `None` if that is no capitalised name.
fn theory_name(path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_string_lossy().into_owned();
    let words = stem.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.collect::<Vec<_>>())
        })
        .filter(|letter| letter.is_alphabetic() || letter.is_ascii_digit())
        .collect();
    is_capital(&name).then_some(name)
}

/// Returns the names of the session, the theories and the language, sorted and without repetition.
#[must_use]
pub fn names_in_scope(modules: &Modules) -> Vec<Name> {
    let mut names: Vec<Name> = modules
        .modules()
        .iter()
        .flat_map(|module| {
            let values = module.definitions().iter().map(|definition| definition.name.clone());
            values.chain(module.named_types().iter().map(|alias| alias.name.clone()))
        })
        .chain(crate::syntax::constant::constant_names().map(Name::from))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
