//! Questions: whatever can be asked of a session.

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

/// Something that can be asked of a session.
///
/// A question of your own answers with whatever it likes, and notes on the [`Scope`] what is to be told beside it.
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
    /// What it is answered.
    type Output;

    /// Answers it.
    ///
    /// # Errors
    /// A [`Diagnostic`]: the question is wrong, or has no answer.
    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Self::Output, Diagnostic>;
}

/// What a question has while it is answered: its limits, and what is noted on the way.
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

    /// What the question may cost.
    #[must_use]
    pub fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// What is left of it.
    #[must_use]
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// How long the question has taken until now.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says the type of the program.
    pub fn is_of_type(&mut self, ty: Ty) {
        self.ty = Some(ty);
    }

    /// Says that the answer is not as accurate as was asked.
    pub fn is_wide(&mut self) {
        self.reached = false;
    }

    /// Says that the limits ended the work; returns by what.
    pub fn is_cut_short(&mut self) -> Stop {
        let stop = self.limits.stop(self.budget.work_done());
        self.stopped = Some(stop);
        stop
    }

    /// What ended the work, where something did.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Says why there is no number.
    pub fn is_undefined(&mut self, undefined: Undefined) {
        self.undefined = Some(undefined);
    }

    /// Why there is no number, where that was said.
    #[must_use]
    pub fn undefined(&self) -> Option<&Undefined> {
        self.undefined.as_ref()
    }

    /// Notes something that is told beside the answer.
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
