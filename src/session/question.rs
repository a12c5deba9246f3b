//! Questions: the interface of everything that a session answers.

#[cfg(feature = "laws")]
pub mod agree;
#[cfg(feature = "plot")]
pub mod envelope;
pub mod evaluate;
pub mod image;
pub mod pieces;
#[cfg(feature = "plot")]
pub mod raster;
pub mod sampled;
pub mod trace;

use super::Session;
use super::answer::{Answer, Diagnostic, Note, Undefined};
use super::limits::{Limits, Stop};
use crate::number::budget::Budget;
use crate::syntax::ty::Ty;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A question to a session.
///
/// Implement it for a question of your own: `pose` returns the value, and records the notes on the [`Scope`].
///
/// # Examples
/// ```
/// use smoothish::session::{Diagnostic, Limits, Question, Scope, Session};
///
/// /// How many definitions the theories have.
/// struct Definitions;
///
/// impl Question for Definitions {
///     type Output = usize;
///     fn pose(&self, session: &Session, _: &mut Scope<'_>) -> Result<usize, Diagnostic> {
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
    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Self::Output, Diagnostic>;
}

/// The state of a question in progress: its limits, and the notes recorded so far.
#[derive(Debug)]
pub struct Scope<'l> {
    limits: &'l Limits,
    budget: Arc<Budget>,
    started: Instant,
    ty: Option<Ty>,
    reached: bool,
    stopped: Option<Stop>,
    undefined: Option<Undefined>,
    notes: Vec<Note>,
}

impl<'l> Scope<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            budget: Arc::new(limits.budget()),
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
    pub fn is_of_type(&mut self, ty: Ty) {
        self.ty = Some(ty);
    }

    /// Records that the answer misses the requested accuracy.
    pub fn is_wide(&mut self) {
        self.reached = false;
    }

    /// Records that a limit ended the work, and returns the limit.
    pub fn is_cut_short(&mut self) -> Stop {
        let stop = self.limits.stop(self.budget.work_done());
        self.stopped = Some(stop);
        stop
    }

    /// Returns the limit that ended the work. `None` if none did.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Records the reason why a number is undefined.
    pub fn is_undefined(&mut self, undefined: Undefined) {
        self.undefined = Some(undefined);
    }

    /// Returns the recorded reason why a number is undefined. `None` if there is none.
    #[must_use]
    pub fn undefined(&self) -> Option<&Undefined> {
        self.undefined.as_ref()
    }

    /// Records a note.
    pub fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    fn answer<T>(self, value: T) -> Answer<T> {
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
    /// let answer = session.ask(&Evaluate::new(r"firstRoot (\x => x - 1/2)").within("1e-9"), &Limits::seconds(60))?;
    /// assert!(answer.is_reached());
    /// // the answer is 0, and the note says why
    /// assert!(answer.notes()[0].text.contains("negative at 0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask<Q: Question + ?Sized>(&self, question: &Q, limits: &Limits) -> Result<Answer<Q::Output>, Diagnostic> {
        let mut scope = Scope::new(limits);
        let value = question.pose(self, &mut scope)?;
        Ok(scope.answer(value))
    }
}
