//! Questions: the interface of everything that a session answers.

#[cfg(feature = "laws")]
pub mod agree;
#[cfg(feature = "plot")]
pub mod envelope;
pub mod evaluate;
pub mod pieces;
pub mod sampled;
pub mod trace;

use super::Session;
use super::answer::{Answer, Diagnostic, Note, UndefinedNumber};
use super::limits::{Limits, ReachedLimit};
use crate::number::budget::Budget;
use crate::syntax::ty::Ty;
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
        let Self { ty, reached, stopped, undefined, notes, .. } = self;
        Answer { value, ty, reached, stopped, undefined, notes, elapsed: self.started.elapsed() }
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
        let value = question.answer_in(self, &mut scope)?;
        Ok(scope.into_answer(value))
    }
}
