//! Budgets that Ctrl-C ends: while the library works, Python's signals are looked at every 50 ms. Python hears them in the main thread
//! alone, which ends what others do by a [`Stop`].

use crate::error;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use smoothish::number::Enclosure;
use smoothish::number::budget::{Budget, BudgetObserver};
use smoothish::number::tuning::Tuning;
use smoothish::session::{Answer, Limits, Question, Session};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often signals are looked at, in milliseconds.
const EVERY: u64 = 50;

thread_local! {
    /// What ends the computations of this thread from elsewhere.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Ends what another thread computes.
#[pyclass(frozen, module = "smoothish._smoothish")]
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[getter]
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A function at an argument; a KeyboardInterrupt soon after this is set, where the library works.
    fn run<'py>(&self, function: &Bound<'py, PyAny>, argument: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let outer = STOP.replace(Some(self.0.clone()));
        let found = function.call1((argument,));
        STOP.set(outer);
        found
    }
}

#[derive(Debug)]
struct Watch {
    stop: Arc<AtomicBool>,
    start: Instant,
    next: AtomicU64,
    raised: Mutex<Option<PyErr>>,
}

impl BudgetObserver for Watch {
    fn on_work(&self) {
        let now = self.start.elapsed().as_millis() as u64;
        if now < self.next.load(Ordering::Relaxed) {
            return;
        }
        self.next.store(now + EVERY, Ordering::Relaxed);
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn on_improvement(&self, _: &Enclosure) {}
}

/// The limits that a caller gives a question: its time, and the sizes of its searches.
#[derive(Clone, Debug, Default)]
pub struct AskedLimits {
    pub time: Option<Duration>,
    /// The limits of the searches, unless they are the usual ones.
    pub tuning: Option<Arc<Tuning>>,
}

impl From<Option<Duration>> for AskedLimits {
    fn from(time: Option<Duration>) -> Self {
        Self { time, tuning: None }
    }
}

/// What stands between a computation and the person at the keyboard.
#[derive(Clone)]
pub struct Signals(Arc<Watch>);

impl Signals {
    pub fn new() -> Self {
        let stop = STOP.with_borrow(Clone::clone).unwrap_or_default();
        Self(Arc::new(Watch { stop, start: Instant::now(), next: AtomicU64::new(EVERY), raised: Mutex::new(None) }))
    }

    /// A budget of some work, until some time, that a signal ends.
    pub fn budget(&self, work: u64, timeout: Option<Duration>) -> Budget {
        Budget::new(work, timeout, Some(self.0.stop.clone())).with_observer(self.0.clone())
    }

    /// The limits of a question, which a signal ends.
    pub fn limits(&self, asked: AskedLimits) -> Limits {
        let (interrupt, observer) = (Some(self.0.stop.clone()), Some(self.0.clone() as Arc<dyn BudgetObserver>));
        Limits { time: asked.time, tuning: asked.tuning, interrupt, observer, ..Limits::none() }
    }

    /// A look from between two pieces of work.
    pub fn is_stopped(&self) -> bool {
        self.0.on_work();
        self.0.stop.load(Ordering::Relaxed)
    }

    /// The exception of a signal, if one came, to this thread or to that which stops it.
    pub fn check(&self) -> PyResult<()> {
        match self.0.raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None if self.0.stop.load(Ordering::Relaxed) => Err(PyKeyboardInterrupt::new_err(())),
            None => Ok(()),
        }
    }
}

/// Asks a session a question without the interpreter's lock, within some limits.
pub fn ask<Q: Question<Output: Send> + Sync>(
    py: Python<'_>,
    session: &Session,
    question: &Q,
    limits: impl Into<AskedLimits>,
) -> PyResult<Answer<Q::Output>> {
    let signals = Signals::new();
    let limits = signals.limits(limits.into());
    let found = py.detach(|| session.ask(question, &limits).map_err(Box::new));
    signals.check()?;
    found.map_err(|diagnostic| error::of_diagnostic(py, &diagnostic))
}

/// Computes something without the interpreter's lock, within some seconds.
pub fn working<T: Send>(
    py: Python<'_>,
    timeout: Option<Duration>,
    work: impl FnOnce(&Arc<Budget>) -> T + Send,
) -> PyResult<T> {
    let signals = Signals::new();
    let budget = Arc::new(signals.budget(u64::MAX, timeout));
    let found = py.detach(|| work(&budget));
    signals.check()?;
    Ok(found)
}
