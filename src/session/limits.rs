//! What a question may cost, and what ends it.

use crate::number::budget::{Budget, Observer};
use crate::number::memory;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What one question may cost. Where nothing is said, there is no limit.
///
/// # Examples
/// ```
/// use smoothish::session::Limits;
/// let limits = Limits { work: Some(1_000_000), ..Limits::seconds(60) };
/// assert!(!limits.is_interrupted());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The time after which the best that was found so far is the answer.
    pub time: Option<Duration>,
    /// The work after which it is, in the units of [`Budget`]: the same on every machine.
    pub work: Option<u64>,
    /// How many levels deep recursive functions may be unfolded.
    pub unfoldings: Option<u64>,
    /// A flag that ends the question when somebody sets it.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Who is told how far the question is. A panic of an observer is one of the question.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Limits {
    /// No limits.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// A limit of time alone, in seconds.
    #[must_use]
    pub fn seconds(seconds: u64) -> Self {
        Self::within(Duration::from_secs(seconds))
    }

    /// A limit of time alone.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// Returns whether somebody has set the interrupt.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns what cut a question short that was cut short after so much work: an interrupt, the memory, the work, or the time.
    #[must_use]
    pub fn stop(&self, work_done: u64) -> Stop {
        let has_worked = self.work.is_some_and(|most| work_done >= most || self.time.is_none());
        match (self.is_interrupted(), memory::was_short(), has_worked) {
            (true, ..) => Stop::Interrupt,
            (false, true, _) => Stop::Memory,
            (false, false, true) => Stop::Work,
            (false, false, false) => Stop::Time,
        }
    }

    /// Returns the budget of a question that begins now.
    #[must_use]
    pub fn budget(&self) -> Budget {
        memory::begin();
        let work = self.work.unwrap_or(u64::MAX);
        let budget = Budget::new(work, self.time, self.interrupt.clone()).taking_down();
        match &self.observer {
            Some(observer) => budget.observed_by(observer.clone()),
            None => budget,
        }
    }

    /// Returns the limit of time in seconds, as it is written.
    #[must_use]
    pub(crate) fn seconds_written(&self) -> String {
        self.time.map_or_else(|| "any number of".to_owned(), |time| time.as_secs_f64().to_string())
    }
}

/// What cut a question short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The limit of time.
    Time,
    /// The limit of work.
    Work,
    /// The limit on memory.
    Memory,
    /// An interrupt, such as Ctrl-C.
    Interrupt,
}

impl Stop {
    /// Returns its name in JSON and Python.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Work => "work",
            Self::Memory => "memory",
            Self::Interrupt => "interrupt",
        }
    }

    /// Returns within what a question was worked on that was cut short, as the end of a sentence.
    #[must_use]
    pub(crate) fn within(self, limits: &Limits) -> String {
        match self {
            Self::Time => format!(" within {} s", limits.seconds_written()),
            Self::Work => " within the limit of work".to_owned(),
            Self::Memory => " within 1 GB of memory".to_owned(),
            Self::Interrupt => " before it was interrupted".to_owned(),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
