//! Questions: the interface of everything that a session answers.
//!
//! # Positions
//!
//! From places of terms to ranges of texts, and diagnostics there.

#[cfg(feature = "laws")]
pub mod agree;
#[cfg(feature = "plot")]
pub mod envelope;
pub mod evaluate;
pub mod pieces;
pub mod sampled;
pub mod trace;

use super::answer::{Answer, Diagnostic, Note, SourceSpan, UndefinedNumber};
use super::limits::{Limits, ReachedLimit};
use super::{Session, SessionError, foreign, remedy};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::meaning;
use crate::measure::MeasureError;
use crate::model::answer::{AnswerNote, AnswerNumber, SemanticsError};
use crate::model::{SourceLocation, answer};
use crate::number::budget;
use crate::number::budget::Budget;
use crate::session::answer::NoteKind;
use crate::session::compile::SESSION_MODULE;
use crate::session::question::evaluate::{COUNTING_HINT, EQUALITY_HINT};
use crate::session::tolerance::{AccuracyClass, AccuracyGoal, DEFAULT_WIDTH_EXPONENT, Tolerance, ToleranceError};
use crate::syntax::constant::Constant;
use crate::syntax::lexer::message_excerpt;
use crate::syntax::library::{EVERYDAY, ProgramError};
use crate::syntax::source;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::substitution::{ShadowedRecursion, find_constant, find_shadowed_recursions};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::undefined::UndefinedCause;
use crate::value::{NegativeDifference, ValueError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question to a session.
///
/// Implement it for a question of your own: `pose` returns the value, and records the notes on the [`QuestionContext`].
///
/// # Examples
/// ```
/// use smoothish::session::{Diagnostic, Limits, Question, QuestionContext, Session};
///
/// /// How many definitions the theories have.
/// struct Definitions;
///
/// impl Question for Definitions {
///     type Output = usize;
///     fn answer_in(&self, session: &Session, _: &mut QuestionContext<'_>) -> Result<usize, Diagnostic> {
///         Ok(session.library().modules().iter().map(|module| module.definitions().len()).sum())
///     }
/// }
/// assert!(*Session::new().ask(&Definitions, &Limits::none())?.value() > 100);
/// # Ok::<(), Diagnostic>(())
/// ```
pub trait Question {
    /// The type of the answer.
    type Output;

    /// Answers the question.
    ///
    /// # Errors
    /// A [`Diagnostic`]: the question is wrong, or has no answer.
    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<Self::Output, Diagnostic>;
}

/// The state of a question in progress: its limits, and the notes recorded so far.
#[derive(Debug)]
pub struct QuestionContext<'l> {
    limits: &'l Limits,
    budget: Arc<Budget>,
    started: Instant,
    ty: Option<Ty>,
    reached: bool,
    stopped: Option<ReachedLimit>,
    undefined: Option<UndefinedNumber>,
    notes: Vec<Note>,
    trusted: Vec<String>,
}

impl<'l> QuestionContext<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            budget: Arc::new(limits.start_budget()),
            started: Instant::now(),
            ty: None,
            reached: true,
            stopped: None,
            undefined: None,
            notes: Vec::new(),
            trusted: Vec::new(),
        }
    }

    /// Returns the limits of the question.
    #[must_use]
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Returns the budget: the part of the limits that is not spent.
    #[must_use]
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Returns the time that the question has taken so far.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Records the type of the program.
    pub fn record_type(&mut self, ty: Ty) {
        self.ty = Some(ty);
    }

    /// Records that the answer misses the requested accuracy.
    pub fn record_wide(&mut self) {
        self.reached = false;
    }

    /// Records that a limit ended the work, and returns the limit.
    pub fn record_limit(&mut self) -> ReachedLimit {
        let stop = self.limits.reached_limit(self.budget.work_done());
        self.stopped = Some(stop);
        stop
    }

    /// Returns the limit that ended the work. `None` if none did.
    #[must_use]
    pub fn stopped(&self) -> Option<ReachedLimit> {
        self.stopped
    }

    /// Records the reason why a number is undefined.
    pub fn record_undefined(&mut self, undefined: UndefinedNumber) {
        self.undefined = Some(undefined);
    }

    /// Returns the recorded reason why a number is undefined. `None` if there is none.
    #[must_use]
    pub fn undefined(&self) -> Option<&UndefinedNumber> {
        self.undefined.as_ref()
    }

    /// Records a note.
    pub fn record_note(&mut self, note: Note) {
        self.notes.push(note);
    }

    fn into_answer<T>(self, value: T) -> Answer<T> {
        let Self { ty, reached, stopped, undefined, notes, trusted, .. } = self;
        Answer { value, ty, reached, stopped, undefined, notes, trusted, elapsed: self.started.elapsed() }
    }
}

impl Session {
    /// Answers a question within limits.
    ///
    /// # Errors
    /// A [`Diagnostic`]: the question is wrong, or has no answer.
    ///
    /// # Examples
    /// ```
    /// use smoothish::session::{Evaluate, Limits, Session};
    /// let session = Session::new();
    /// let answer = session.ask(&Evaluate::new(r"firstRoot (\x => x - 1/2)").with_width("1e-9"), &Limits::seconds(60))?;
    /// assert!(answer.is_reached());
    /// // the answer is 0, and the note says why
    /// assert!(answer.notes()[0].text.contains("negative at 0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask<Q: Question + ?Sized>(&self, question: &Q, limits: &Limits) -> Result<Answer<Q::Output>, Diagnostic> {
        let mut scope = QuestionContext::new(limits);
        // A copy records the constants from outside that programs mention, so that no question can leave them out.
        let Some(session) = foreign::recording_uses(self) else {
            let value = question.answer_in(self, &mut scope)?;
            return Ok(scope.into_answer(value));
        };
        let found = question.answer_in(&session, &mut scope);
        scope.trusted = foreign::used_constants(&session);
        let value = found.map_err(|diagnostic| foreign::blame_constants(diagnostic, &scope.trusted))?;
        if let Some(text) = foreign::trust_text(&scope.trusted) {
            scope.record_note(Note::new("trusted", NoteKind::Assumption, text));
        }
        Ok(scope.into_answer(value))
    }
}

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
        if found.divergence.is_some() {
            return None;
        }
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

impl Session {
    /// Returns the requested accuracy, or the default: a width of 10 to `usual`.
    pub(super) fn resolve_goal(
        &self,
        goal: &Result<AccuracyGoal, ToleranceError>,
        usual: i32,
    ) -> Result<AccuracyGoal, Diagnostic> {
        let goal =
            goal.as_ref().map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("tolerance"))?;
        Ok(goal.or_default(usual))
    }

    /// Records the notes on a value.
    fn record_value_notes(
        &self,
        source: &Arc<SourceText>,
        term: &Term,
        ty: &Ty,
        goal: &AccuracyGoal,
        found: &answer::ProgramAnswer,
        on: &mut QuestionContext<'_>,
    ) {
        // Of several numbers one is enough: any that ran out of budget makes the answer one that was cut short.
        let is_cut = |number: &AnswerNumber| match number {
            AnswerNumber::Enclosure(found) => found.exhausted && !found.reached,
            AnswerNumber::Float { .. } => false,
        };
        if found.value.real_numbers().into_iter().any(is_cut) {
            on.record_limit();
        }
        // The definitions of `EVERYDAY` keep what the solvers are promised: the function of a quantile is monotone, and a
        // root is asked for between two signs.
        let is_kept = |place: &SourceLocation| place.definition.as_ref().is_some_and(|of| &*of.module == EVERYDAY);
        for place in found.promises.iter().filter(|place| !is_kept(place)) {
            let note = Note::new("assumed", NoteKind::Assumption, self.promise_text(source, place));
            on.record_note(note.with_place(self.locate(source, place)));
        }
        let mut remark = |id, text: String| on.record_note(Note::new(id, NoteKind::Remark, text));
        find_shadowed_recursions(None, term)
            .iter()
            .filter_map(|found| Self::note_shadowed_recursion(source, found))
            .for_each(|text| remark("namesake", text));
        for said in found.notes.iter().filter(|said| !said.place.as_ref().is_some_and(is_kept)) {
            let note = Note::new("remark", NoteKind::Remark, self.remark_text(source, said));
            on.record_note(note.with_place(said.place.as_ref().and_then(|place| self.locate(source, place))));
        }
        let mut remark = |id, text: Option<String>| {
            if let Some(text) = text {
                on.record_note(Note::new(id, NoteKind::Remark, text));
            }
        };
        remark("exact", remedy::note_exact_number(&found.value, &goal.accuracy()));
        // At most one of these two: beside a hint on the value, one on its type would distract.
        match remedy::hint_for_difference(term, &found.value) {
            Some(text) => remark("difference", Some(text)),
            None => remark("rows", remedy::hint_for_rows(ty)),
        }
        remark("tight", remedy::hint_for_tight_application(&source.text));
        if let Some(undefined) = &found.undefined {
            let mut reason = self.locate_undefined(source, undefined);
            reason.message = self.describe_divergence(source, undefined, term, on.budget()).unwrap_or(reason.message);
            if undefined.stated_by.as_deref() == Some(remedy::ROOT_SIGNS) {
                reason.help = reason.help.or_else(|| remedy::describe_root_ends(term, on.budget()));
            }
            on.record_undefined(reason);
        }
        if AccuracyClass::of_value(&found.value, &goal.accuracy()) != AccuracyClass::Reached {
            on.record_wide();
        }
        remedy::record_miss(&found.value, goal, on);
    }

    /// Renders the error of a semantics, with advice.
    pub(super) fn semantics_diagnostic(
        &self,
        source: &Arc<SourceText>,
        model: &str,
        term: &Term,
        ty: &Ty,
        error: SemanticsError,
        on: &QuestionContext<'_>,
    ) -> Diagnostic {
        if let Some(unsupported) = error.unsupported_construct() {
            let mut others = meaning::supporting_semantics(term, ty, model);
            let equated = find_constant(term, Constant::equates_reals)
                .and_then(Constant::operator_sign)
                .filter(|sign| unsupported.construct.starts_with(&format!("`{sign}`")));
            // The semantics made for borders comes first, before the one that evaluates by value.
            others.sort_by_key(|other| equated.is_some() && *other != meaning::pap::NAME);
            let others = others.join(", or --model ");
            let recursive = unsupported.construct.strip_prefix("the recursion of `");
            let counts = recursive.map_or_else(String::new, |rest| {
                let function = rest.split('`').next().unwrap_or_default();
                match remedy::rewrite_as_counting(function, term, &source.text) {
                    Some((name, written)) => {
                        format!("annotate a parameter that counts, ({name} : Nat): {written}; otherwise ")
                    }
                    None => COUNTING_HINT.to_owned(),
                }
            });
            let help = match (equated, &*others) {
                (None, "") => String::new(),
                (None, others) => format!("\n  = help: {counts}try --model {others}"),
                (Some(_), "") => format!("\n  = help: {EQUALITY_HINT}"),
                (Some(_), others) => {
                    format!("\n  = help: {EQUALITY_HINT}; whether they are equal, ask --model {others}")
                }
            };
            return Diagnostic::rendered("unsupported", ErrorKind::Unsupported, format!("error: {unsupported}{help}"));
        }
        let limits = on.limits();
        // Only an exhausted unfolding has several causes; the most specific one is reported.
        let error = error.into();
        if !matches!(error, SessionError::Interpretation(ValueError::Exhausted { .. })) {
            return self.diagnose(source, &error);
        }
        if limits.is_interrupted() {
            return Diagnostic::without_answer("error: interrupted before the program was unfolded")
                .with_id("interrupt");
        }
        if budget::was_short() {
            let text =
                "error: 1 GB of memory was not enough to unfold the program: its recursion may be long, or not end";
            return Diagnostic::without_answer(text).with_id("memory");
        }
        if limits.time.is_some_and(|time| on.elapsed() >= time) {
            return Diagnostic::without_answer(format!(
                "error: {} s were not enough to unfold the program: its recursion may be long",
                limits.seconds_written()
            ))
            .with_id("time");
        }
        self.diagnose(source, &error)
    }

    fn without_approximants(&self, model: &str, count: u64) -> Diagnostic {
        let have = self.semantics().filter(|meaning| meaning.with_unfolding_limit(count).is_some());
        let have = have.map(|meaning| format!("--model {}", meaning.name())).collect::<Vec<_>>();
        let have = have.join(", or ");
        Diagnostic::invalid_input(format!(
            "error: the model `{model}` has no approximants of recursion\n  = help: try {have}"
        ))
    }
}

impl Session {
    /// Infers the type of a text, with diagnostics in its source.
    pub(super) fn infer_source(&self, source: &Arc<SourceText>) -> Result<(Term, Ty), Diagnostic> {
        self.infer(&source.text).map_err(|error| self.diagnose(source, &error.into()))
    }

    /// Checks a text against a type, with diagnostics in its source.
    pub(crate) fn check_source(&self, source: &Arc<SourceText>, ty: &Ty) -> Result<Term, Diagnostic> {
        self.infer_at(&source.text, ty).map_err(|error| self.diagnose(source, &error.into()))
    }

    /// Returns the requested accuracy without a default.
    fn requested_goal(&self, goal: &Result<AccuracyGoal, ToleranceError>) -> Result<AccuracyGoal, Diagnostic> {
        goal.clone().map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("tolerance"))
    }

    /// Returns the requested width, or the default one.
    pub(super) fn resolve_width(
        &self,
        eps: &Result<Option<Tolerance>, ToleranceError>,
    ) -> Result<AccuracyGoal, Diagnostic> {
        let eps =
            eps.as_ref().map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("tolerance"))?;
        Ok(AccuracyGoal::of_width(eps.as_ref(), DEFAULT_WIDTH_EXPONENT))
    }

    /// Renders an error of a measure.
    pub(crate) fn measure_diagnostic(&self, source: &Arc<SourceText>, fault: MeasureError) -> Diagnostic {
        match fault {
            MeasureError::Meaning(error) => self.diagnose(source, &SessionError::Semantics(error)),
            fault if fault.has_no_answer() => Diagnostic::without_answer(format!("error: {fault}")),
            fault => Diagnostic::rendered("measure", ErrorKind::InvalidInput, format!("error: {fault}")),
        }
    }
}

/// The name of the text of a question in messages.
pub const QUESTION_NAME: &str = "question";
