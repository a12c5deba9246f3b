//! The evaluator of the command line: the theories of the program, and a [`Session`] over them.
//!
//! Commands and the prompt ask it questions, load theories from files into it, and save its definitions as a theory.

use super::book::confine;
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
use crate::session::{Answer, ConstantError, Diagnostic, Evaluate, Limits, Question, Session, SessionError, saved};
use crate::syntax::library::Library as Modules;
use crate::syntax::name::{Name, is_capital};
use crate::syntax::normal::normalise;
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::loader::TheoryCollection;
use crate::theory::{Theory, builtin};
use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first argument of a process that answers for a page of the book.
const CONFINED: &str = "--confined";

/// The loaded theories, and a session over them.
#[derive(Debug)]
pub struct TheorySession {
    pub(super) theories: TheoryCollection,
    /// The session; its library holds the definitions of `theories`, and its own.
    pub(super) session: Session,
    /// The files of theories loaded so far, in the order in which they were loaded, as they were named.
    pub(super) files: Vec<PathBuf>,
    pub(super) shows_progress: bool,
    /// `true` in a process that answers for a page: it reads and writes no files outside of its folder.
    pub(super) is_confined: bool,
}

/// Adds the constants from outside of a session to theories.
fn lend_constants(session: &Session, theories: &mut TheoryCollection) {
    session.foreign_definitions().for_each(|definition| theories.insert_definition(definition.clone()));
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
        Self { theories, session, files: Vec::new(), shows_progress: false, is_confined: false }
    }

    /// Adds a semantics to the session, as [`Session::with_semantics`] does.
    #[must_use]
    pub fn with_semantics(self, meaning: Arc<dyn Semantics>) -> Self {
        Self { session: self.session.with_semantics(meaning), ..self }
    }

    /// Defines constants from outside by a function, as [`Session::define_constant`] does. Theories that are loaded later see them.
    ///
    /// # Errors
    /// The error of the function. The constants that it defined before remain.
    ///
    /// # Examples
    /// ```
    /// use smoothish::cli::evaluator::TheorySession;
    /// use smoothish::number::foreign::RationalExtension;
    /// use smoothish::prelude::*;
    /// let mut evaluator = TheorySession::load();
    /// let double = RationalExtension::new(|lo, hi| Ok(Some([lo, hi].map(|x| Rational::from(x * 2)))));
    /// evaluator.define_constants(|session| {
    ///     session.define_constant("doubled", double).slope(r"\x => 2").boxes([(-1, 1)]).add().map(drop)
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn define_constants<T>(
        &mut self,
        define: impl FnOnce(&mut Session) -> Result<T, ConstantError>,
    ) -> Result<T, ConstantError> {
        let defined = define(&mut self.session);
        lend_constants(&self.session, &mut self.theories);
        defined
    }

    /// Returns the session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Confines this process if its first argument is `--confined`, with the seconds on the processor that it may take; these two
    /// arguments are removed. Returns a refusal if the system sets no limits.
    ///
    /// This is no option of the command line: a server gives it to the processes that it starts, and nobody else does.
    pub(super) fn confine_if_asked(&mut self, arguments: &mut Vec<OsString>) -> Option<Diagnostic> {
        if arguments.get(1).is_none_or(|first| first != CONFINED) {
            return None;
        }
        let seconds = arguments.get(2).and_then(|seconds| seconds.to_str()?.parse().ok());
        let Some(seconds) = seconds else {
            return Some(Diagnostic::invalid_input(format!("error: {CONFINED} has seconds, a number, behind it")));
        };
        arguments.drain(1..3);
        self.is_confined = true;
        confine::limit_process(seconds).err()
    }

    /// Sets whether long questions show their progress on the error stream, which should be a terminal.
    pub fn show_progress(&mut self, shows: bool) {
        self.shows_progress = shows;
    }

    /// Answers a question by the session, with progress on the error stream if that is [set](Self::show_progress).
    ///
    /// # Errors
    /// As [`Session::ask`].
    pub fn ask<Q: Question + ?Sized>(&self, question: &Q, limits: &Limits) -> Result<Answer<Q::Output>, Diagnostic> {
        self.ask_with_progress("nothing yet", None, question, limits)
    }

    /// Answers a question like [`TheorySession::ask`]. The progress shows `work` until there is an enclosure, then the
    /// enclosure to the width `eps`.
    pub(super) fn ask_with_progress<Q: Question + ?Sized>(
        &self,
        work: &str,
        eps: Option<&Rational>,
        question: &Q,
        limits: &Limits,
    ) -> Result<Answer<Q::Output>, Diagnostic> {
        if !self.shows_progress && !self.is_confined {
            return self.session.ask(question, limits);
        }
        let progress = Progress::new(work, eps, Box::new(io::stderr()));
        let progress = Arc::new(if self.is_confined { progress.as_reports() } else { progress });
        // Only the observer is replaced, and an observer changes no answer.
        let result = self.session.ask(question, &Limits { observer: Some(progress.clone()), ..limits.clone() });
        progress.clear_line();
        result
    }

    /// Renders an error at its position: in the question, or in the theory whose definition failed.
    pub(super) fn diagnose(&self, source: &Arc<SourceText>, error: &SessionError) -> Diagnostic {
        self.session.diagnose(source, error)
    }

    /// Creates the diagnostic of a question with an error at a place.
    pub(super) fn diagnose_at(&self, source: &Arc<SourceText>, message: &str, place: &SourceLocation) -> Diagnostic {
        self.session.diagnostic_at("wrong", ErrorKind::InvalidInput, source, message, place)
    }

    /// Returns the text at a place with its position: `x == 0 (1:15)`. `None` if the text is not known.
    pub(super) fn excerpt_at(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<String> {
        self.session.excerpt_at(question, place)
    }

    /// Returns the position of a place, as `source:line:column`. `None` if the text is not known.
    pub(super) fn format_position(&self, question: &Arc<SourceText>, place: &SourceLocation) -> Option<String> {
        self.session.locate(question, place).map(|found| found.to_string())
    }

    /// Infers the type of an expression. Returns its term and the type.
    ///
    /// # Errors
    /// A [`Diagnostic`] with the position of the error, if the expression does not parse or has no type.
    pub(super) fn infer(&self, source: &Arc<SourceText>) -> Result<(Term, Ty), Diagnostic> {
        self.session.infer(&source.text).map_err(|e| self.diagnose(source, &e.into()))
    }
}

/// The status of a diagnostic is that of its kind.
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

    /// Returns the files of theories loaded so far, as they were named.
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

    /// Evaluates an expression, and binds `ans` to it. The answer is shown to `goal`, but computed to `finer`.
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
    /// A [`Diagnostic`] if the text is no definition or has an error of names or types; then nothing changes.
    pub fn define(&mut self, source: SourceText) -> Result<SessionDefinition, Diagnostic> {
        let source = Arc::new(source);
        let defined = self.session.define(source.clone()).cloned();
        defined.map_err(|e| self.diagnose(&source, &e.into()))
    }

    /// Loads theories from files. If a file was loaded before, all files and definitions are read again. Two names of one file
    /// count as two files.
    ///
    /// Returns the theories of these files, and the diagnostics of the lost definitions ([`TheorySession::reload`]).
    ///
    /// # Errors
    /// A [`Diagnostic`] if a file cannot be read, is no theory, or clashes with a loaded theory; then nothing changes.
    pub fn load_files(&mut self, paths: &[PathBuf]) -> Result<(Vec<Theory>, Vec<Diagnostic>), Diagnostic> {
        if paths.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        if self.is_confined {
            paths.iter().try_for_each(|path| confine::check_readable(path))?;
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
            self.load_again(files)?
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
    /// that have an error over the new theories: these definitions are lost.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a file cannot be read or is no theory; then nothing changes.
    pub fn reload(&mut self) -> Result<Vec<Diagnostic>, Diagnostic> {
        Ok(self.load_again(self.files.clone())?.1)
    }

    /// Loads the standard library and `files`, and types the definitions of the session again over them.
    fn load_again(&mut self, files: Vec<PathBuf>) -> Result<(&TheoryCollection, Vec<Diagnostic>), Diagnostic> {
        let mut theories = builtin::load_theories();
        lend_constants(&self.session, &mut theories);
        load_theory_files(&mut theories, &files)?;
        let (session, wrong) = self.session.retype_over(theories.texts());
        let wrong = wrong.into_iter().map(|(entry, error)| self.diagnose(&entry.source, &error.into())).collect();
        // Assigned only after everything has succeeded: an error leaves `self` as it was.
        self.session = session;
        self.theories = theories;
        self.files = files;
        Ok((&self.theories, wrong))
    }

    /// Writes the definitions of the session to a file, as a theory named after it. Returns the name of the theory and the
    /// number of its definitions.
    ///
    /// An existing file is overwritten only if it is a saved session, and all that it defines is saved again if it is loaded.
    ///
    /// # Errors
    /// A [`Diagnostic`] in each of these cases:
    /// - the session has no definitions;
    /// - the first letter or digit in the name of the file is a digit, or has no capital form;
    /// - another file or the standard library has a theory of that name;
    /// - the file exists and is no saved session, or cannot be written;
    /// - the file is loaded, and defines a name that the session does not;
    /// - a loaded file cannot be read again, or its theory extends the one of the file to be written;
    /// - a definition would have another type as part of a theory.
    pub fn save_definitions(&self, path: &Path) -> Result<(String, usize), Diagnostic> {
        let shown = path.display().to_string();
        let wrong = |what: String| Diagnostic::invalid_input(format!("error: {what}"));
        if self.is_confined {
            return Err(wrong(format!("a page writes no files: {shown}")));
        }
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
        // The file would lose what it defines and the session does not: a loaded theory is no part of the session.
        let is_loaded = self.files.iter().any(|file| file == path);
        if let Some(module) = self.modules().module(&name).filter(|_| is_loaded) {
            let kept: HashSet<&str> = saved.definitions.iter().map(|(name, _)| &**name).collect();
            let defined = module.definitions().iter().map(|definition| &*definition.name);
            let types = module.named_types().iter().map(|ty| &*ty.name);
            if let Some(lost) = defined.chain(types).find(|name| !kept.contains(name)) {
                return Err(wrong(format!(
                    "{shown} is loaded, and saving would lose its `{lost}`: save to another file, which will extend it"
                )));
            }
        }
        self.verify_saved_theory(&name, path, &saved)?;
        if path.exists() && !(path.is_file() && read::read_file(path).is_ok_and(|text| text.starts_with(FIRST_LINE))) {
            return Err(wrong(format!("{shown} is there, and is no saved session: choose another name")));
        }
        output::write_atomically(path, saved.text.as_bytes()).map_err(|e| wrong(format!("{shown}: {e}")))?;
        Ok((name, saved.definitions.len()))
    }

    /// Checks that the text loads as a theory over the loaded files, read again, and that its values have their types there.
    /// Of a defined type only the presence of its name is checked.
    fn verify_saved_theory(&self, name: &str, path: &Path, saved: &saved::SavedTheory) -> Result<(), Diagnostic> {
        let mut theories = builtin::load_theories();
        // The file itself may be loaded, as an older version of the same theory.
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
                // Compared as text: the theory declares its types anew, as different types of the same names.
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

/// Returns the name of the theory in a file: `MyShapes` for `my-shapes.theory`. `None` if the result has no capital initial,
/// as for `2d.theory`.
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

/// Returns the names of definitions and types in all modules, and of the constants, sorted and without repetition.
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
