//! Limits on the cost of a question, and the limit that ended it.

use crate::number::budget;
use crate::number::budget::{Budget, BudgetObserver};
use crate::number::tuning::{Tuning, TuningError};
use crate::syntax::name::nearest_name;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Limits on the cost of one question. A field that is `None` sets no limit.
///
/// # Examples
/// ```
/// use smoothish::session::Limits;
/// let limits = Limits { work: Some(1_000_000), ..Limits::seconds(60) };
/// assert!(!limits.is_interrupted());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The limit of time. After it the best enclosure found so far is the answer.
    pub time: Option<Duration>,
    /// The limit of work, in the work units of [`Budget`], which are the same on every machine.
    pub work: Option<u64>,
    /// The greatest depth of unfolded recursive calls.
    pub unfoldings: Option<u64>,
    /// A flag that ends the question once it is set.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The limits of the searches. With `None`, those of [`Tuning::default`](crate::number::tuning::Tuning).
    pub tuning: Option<Arc<Tuning>>,
    /// An observer of the progress of the question. A panic of the observer is a panic of the question.
    pub observer: Option<Arc<dyn BudgetObserver>>,
}

impl Limits {
    /// Returns no limits.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Limits the time alone, in seconds.
    #[must_use]
    pub fn seconds(seconds: u64) -> Self {
        Self::within_time(Duration::from_secs(seconds))
    }

    /// Limits the time alone.
    #[must_use]
    pub fn within_time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns `true` if the interrupt is set.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns the limits of what follows in a question that has taken `elapsed` so far: the limit of time is what is left of it.
    #[must_use]
    pub fn after(&self, elapsed: Duration) -> Self {
        Self { time: self.time.map(|time| time.saturating_sub(elapsed)), ..self.clone() }
    }

    /// Returns the limit that ended a question after `work_done` work units. The order is: interrupt, memory, work,
    /// time.
    #[must_use]
    pub fn reached_limit(&self, work_done: u64) -> ReachedLimit {
        // Several limits may hold at once. An interrupt is what the user did last; short memory cuts the budget by
        // itself. Without a limit of time, a limit of work is the only other reason.
        let has_worked = self.work.is_some_and(|most| work_done >= most || self.time.is_none());
        match (self.is_interrupted(), budget::was_short(), has_worked) {
            (true, ..) => ReachedLimit::Interrupt,
            (false, true, _) => ReachedLimit::Memory,
            (false, false, true) => ReachedLimit::Work,
            (false, false, false) => ReachedLimit::Time,
        }
    }

    /// Creates the budget of a question that begins now.
    #[must_use]
    pub fn start_budget(&self) -> Budget {
        // Forgets that an earlier question ran short of memory: `reached_limit` reports this question alone.
        budget::begin_question();
        let work = self.work.unwrap_or(u64::MAX);
        let budget = Budget::new(work, self.time, self.interrupt.clone()).reserving_drop_time();
        let budget = match &self.tuning {
            Some(tuning) => budget.with_tuning(tuning.clone()),
            None => budget,
        };
        match &self.observer {
            Some(observer) => budget.with_observer(observer.clone()),
            None => budget,
        }
    }

    /// Returns the limit of time in seconds, as a text.
    #[must_use]
    pub(crate) fn seconds_written(&self) -> String {
        self.time.map_or_else(|| "any number of".to_owned(), |time| time.as_secs_f64().to_string())
    }
}

/// Returns the message of an error in a change of the limits of searches: for an unknown name with the nearest known one.
#[must_use]
pub fn tuning_message(error: &TuningError) -> String {
    let near = match error {
        TuningError::UnknownKey(key) => nearest_name(key, Tuning::KEYS.iter().map(|known| known.name)),
        _ => None,
    };
    near.map_or_else(|| error.to_string(), |near| format!("{error}; did you mean \"{near}\"?"))
}

/// The limit that ended a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReachedLimit {
    /// The limit of time.
    Time,
    /// The limit of work.
    Work,
    /// The limit on memory.
    Memory,
    /// An interrupt, such as Ctrl-C.
    Interrupt,
}

impl ReachedLimit {
    /// Returns the name in JSON and Python.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Work => "work",
            Self::Memory => "memory",
            Self::Interrupt => "interrupt",
        }
    }

    /// Returns the limit as the end of a sentence, such as ` within 60 s`.
    #[must_use]
    pub(crate) fn describe_end(self, limits: &Limits) -> String {
        match self {
            Self::Time => format!(" within {} s", limits.seconds_written()),
            Self::Work => " within the limit of work".to_owned(),
            Self::Memory => " within 1 GB of memory".to_owned(),
            Self::Interrupt => " before it was interrupted".to_owned(),
        }
    }
}

impl fmt::Display for ReachedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
