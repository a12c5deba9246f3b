//! Extensions from code of the caller that is not trusted to be well behaved.
//!
//! An [`Extension`] of the library's own kind is written over [`Context`], and has no way to fail. A function of a caller may panic,
//! return ends in the wrong order or NaN, or never return. This module turns each of these into an [`ExtensionFault`].
//!
//! | type | the function | it runs |
//! |---|---|---|
//! | [`GuardedExtension`] | any [`Extension`] | on the thread of the question: no cost, and it must return |
//! | [`RationalExtension`] | `(lo, hi) ↦ (lo, hi)` on rational numbers | on a thread of its own, which a question with a limit can leave |
//!
//! No code can end a thread. A function that does not return keeps its thread until the process ends.

use super::arithmetic::{Context, Endpoint, Extension, Interval};
use super::budget::Budget;
use super::double::Double;
use super::enclosure::Enclosure;
use super::mpfr::Mpfr;
use rug::{Float, Rational};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// A reason why a function from outside has no enclosure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtensionFault {
    /// The function panicked.
    #[error("it panicked on {at}: {message}")]
    Panicked {
        /// The inputs.
        at: String,
        /// The message of the panic.
        message: String,
    },
    /// The function returned an error, or raised an exception.
    #[error("it failed on {at}: {message}")]
    Failed {
        /// The inputs.
        at: String,
        /// The error.
        message: String,
    },
    /// The ends of its result are in the wrong order.
    #[error("on {at} it returned [{lo}, {hi}], with its ends in the wrong order: return the smaller end first")]
    Reversed {
        /// The inputs.
        at: String,
        /// The lower end.
        lo: String,
        /// The upper end.
        hi: String,
    },
    /// An end of its result is not a number.
    #[error("on {at} it returned an end that is not a number: return an unbounded interval where nothing is known")]
    NotNumber {
        /// The inputs.
        at: String,
    },
    /// The function did not return before the limits of the question.
    #[error("on {at} it did not return in time")]
    NoReturn {
        /// The inputs.
        at: String,
    },
}

/// A function from outside that has no enclosure, by its name, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the enclosure of `{name}`, which was given from outside, failed: {fault}")]
pub struct ExtensionFailure {
    /// The name of the function.
    pub name: String,
    /// The reason.
    pub fault: ExtensionFault,
}

impl ExtensionFault {
    /// Returns the fault of a function that panicked with a payload.
    #[must_use]
    pub fn from_panic(at: String, payload: &(dyn Any + Send)) -> Self {
        Self::Panicked { at, message: panic_message(payload) }
    }
}

/// Formats the inputs of a function.
fn format_inputs<E: Endpoint>(inputs: &[Interval<E>]) -> String {
    let each = inputs.iter().map(|x| format!("[{:?}, {:?}]", x.lo(), x.hi()));
    each.collect::<Vec<_>>().join(" × ")
}

/// Returns the message of a panic.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// An extension whose panics and impossible results are faults. It runs on the thread of the question, so that it must return.
pub struct GuardedExtension(pub Arc<dyn Extension>);

impl GuardedExtension {
    fn run_guarded<E: Endpoint>(
        inputs: &[Interval<E>],
        run: impl FnOnce() -> Result<Interval<E>, ExtensionFault>,
    ) -> Result<Interval<E>, ExtensionFault> {
        // An extension takes `&self` and is shared by threads, so a panic leaves no more behind than another thread could see.
        let found = catch_unwind(AssertUnwindSafe(run)).map_err(|payload| ExtensionFault::Panicked {
            at: format_inputs(inputs),
            message: panic_message(&*payload),
        })??;
        if found.lo() <= found.hi() {
            return Ok(found);
        }
        let at = format_inputs(inputs);
        let is_ordered = found.hi() < found.lo();
        let end = |x: &E| format!("{x:?}");
        Err(match is_ordered {
            true => ExtensionFault::Reversed { at, lo: end(found.lo()), hi: end(found.hi()) },
            false => ExtensionFault::NotNumber { at },
        })
    }
}

impl Extension for GuardedExtension {
    fn eval_double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64> {
        self.try_double(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn eval_mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float> {
        self.try_mpfr(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn try_double(
        &self,
        context: &Double,
        inputs: &[Interval<f64>],
        budget: &Budget,
    ) -> Result<Interval<f64>, ExtensionFault> {
        Self::run_guarded(inputs, || self.0.try_double(context, inputs, budget))
    }
    fn try_mpfr(
        &self,
        context: &Mpfr,
        inputs: &[Interval<Float>],
        budget: &Budget,
    ) -> Result<Interval<Float>, ExtensionFault> {
        Self::run_guarded(inputs, || self.0.try_mpfr(context, inputs, budget))
    }
    fn abandon_calls(&self) {
        self.0.abandon_calls();
    }
}

/// A functional (ℝ → ℝ) → ℝ that sees its argument by enclosures alone.
///
/// An implementation calls `f` on intervals, and returns an interval that contains the value for every function that lies in the
/// answers. A smaller answer of `f` gives a smaller result. It is certainly defined only if `f` said so where that matters.
pub trait FunctionalExtension: Send + Sync {
    /// Encloses the functional at a function, of which `f` encloses the values on an interval.
    fn enclose(&self, f: &mut dyn FnMut(&Enclosure) -> Enclosure, effort: &FunctionalEffort<'_>) -> Enclosure;
}

/// The accuracy and the budget of one evaluation of a functional.
#[derive(Clone, Copy, Debug)]
pub struct FunctionalEffort<'b> {
    /// The precision of the arithmetic, in bits: at this precision, results should be as narrow as the tolerance.
    pub precision: u32,
    /// The budget of the question.
    pub budget: &'b Budget,
}

impl FunctionalEffort<'_> {
    /// Returns the width that is wanted: 2⁻ᵇ for a third of the bits. A choice, as most methods gain less than an operation has.
    #[must_use]
    pub fn tolerance(&self) -> Rational {
        Rational::from(1) >> (self.precision / 3)
    }

    /// Returns `true` once the limits of the question are reached: the functional should then return what it has.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted()
    }
}

/// A result of a function on rational numbers: an interval, `None` where it does not know the function to be defined, or an error.
pub type RationalResult = Result<Option<[Rational; 2]>, String>;

/// A function that encloses another one, from an interval with rational ends to such an interval.
pub type RationalFunction = dyn Fn(&Rational, &Rational) -> RationalResult + Send + Sync;

/// The extension of a function of one variable that is enclosed on intervals with rational ends.
///
/// The function is called with `lo ≤ hi`. It returns an interval that contains every value there, on which it is continuous. It is
/// called on several threads.
///
/// At a point the interval has to be narrower than 2⁻⁵⁰, times the value where that is above 1. A wider one is taken for a
/// set of values. A set has no slope, so that a constant with it is refused whatever its slope is.
pub struct RationalExtension {
    function: Arc<RationalFunction>,
    /// Threads that wait for a call.
    idle_threads: Mutex<Vec<CallThread>>,
    /// `true` once nobody waits for calls any more.
    is_abandoned: AtomicBool,
    /// Hears of the threads that are left alone.
    on_abandoned_thread: Option<Arc<dyn Fn(ThreadId) + Send + Sync>>,
}

impl fmt::Debug for RationalExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RationalExtension").finish_non_exhaustive()
    }
}

/// A thread that calls a function.
struct CallThread {
    id: ThreadId,
    requests: Sender<[Rational; 2]>,
    results: Receiver<Result<RationalResult, String>>,
}

/// The time between two looks at the budget while a function runs. A choice: Ctrl-C feels immediate.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// The time that a function has to return once the budget is exhausted. A choice: longer than a call of a slow function.
const GRACE: Duration = Duration::from_secs(1);
/// The time after which a call is given up although the question has time left, or has no limits. A choice: every question ends.
const LONGEST_CALL: Duration = Duration::from_secs(600);

impl RationalExtension {
    /// Makes the extension of a function that runs on threads of its own, so that a question can end while it runs.
    pub fn new(function: impl Fn(&Rational, &Rational) -> RationalResult + Send + Sync + 'static) -> Self {
        let (idle_threads, is_abandoned) = (Mutex::default(), AtomicBool::new(false));
        Self { function: Arc::new(function), idle_threads, is_abandoned, on_abandoned_thread: None }
    }

    /// Adds a function that is told the thread of a call that nobody waits for any more. It may end what runs there.
    #[must_use]
    pub fn when_abandoned(self, tell: impl Fn(ThreadId) + Send + Sync + 'static) -> Self {
        Self { on_abandoned_thread: Some(Arc::new(tell)), ..self }
    }

    fn enclose_interval<C: Context>(
        &self,
        context: &C,
        input: &C::Num,
        budget: &Budget,
    ) -> Result<C::Num, ExtensionFault> {
        let found = context.to_enclosure(input);
        let (Some(lo), Some(hi)) = (found.lo().to_rational(), found.hi().to_rational()) else {
            return Ok(context.bottom());
        };
        let at = || format!("[{lo}, {hi}]");
        let Some([below, above]) = self.call_function(&lo, &hi, budget, &at)? else { return Ok(context.bottom()) };
        if above < below {
            return Err(ExtensionFault::Reversed { at: at(), lo: below.to_string(), hi: above.to_string() });
        }
        let image = context.hull(&context.enclose_rational(&below), &context.enclose_rational(&above));
        Ok(if context.is_defined(input) { image } else { context.mark_undefined(image) })
    }

    fn call_function(
        &self,
        lo: &Rational,
        hi: &Rational,
        budget: &Budget,
        at: &dyn Fn() -> String,
    ) -> Result<Option<[Rational; 2]>, ExtensionFault> {
        let failed = |message| ExtensionFault::Failed { at: at(), message };
        let idle = || self.idle_threads.lock().unwrap_or_else(PoisonError::into_inner);
        let next = idle().pop();
        let thread = match next {
            Some(thread) => thread,
            None => self.start_thread().map_err(failed)?,
        };
        let ended = || ExtensionFault::Failed { at: at(), message: "its thread ended".to_owned() };
        thread.requests.send([lo.clone(), hi.clone()]).map_err(|_| ended())?;
        let (started, mut exhausted_at) = (Instant::now(), None);
        loop {
            match thread.results.recv_timeout(LOOK_EVERY) {
                Ok(called) => {
                    idle().push(thread);
                    return called.map_err(|message| ExtensionFault::Panicked { at: at(), message })?.map_err(failed);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_late = started.elapsed() >= LONGEST_CALL
                || budget.is_exhausted() && exhausted_at.get_or_insert_with(Instant::now).elapsed() >= GRACE;
            if is_late || self.is_abandoned.load(Ordering::Relaxed) {
                // The thread is left alone: it ends when the function returns, as no result is wanted any more.
                if let Some(tell) = &self.on_abandoned_thread {
                    tell(thread.id);
                }
                return Err(ExtensionFault::NoReturn { at: at() });
            }
        }
    }

    fn start_thread(&self) -> Result<CallThread, String> {
        let (requests, inbox) = channel::<[Rational; 2]>();
        let (outbox, results) = channel();
        let function = self.function.clone();
        let serve = move || {
            for [lo, hi] in inbox {
                let called = catch_unwind(AssertUnwindSafe(|| function(&lo, &hi)));
                if outbox.send(called.map_err(|payload| panic_message(&*payload))).is_err() {
                    return;
                }
            }
        };
        let name = "function from outside".to_owned();
        let thread = std::thread::Builder::new().name(name).spawn(serve).map_err(|error| error.to_string())?;
        Ok(CallThread { id: thread.thread().id(), requests, results })
    }
}

impl Extension for RationalExtension {
    fn eval_double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64> {
        self.try_double(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn eval_mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float> {
        self.try_mpfr(context, inputs, &Budget::unlimited()).unwrap_or_else(|_| context.bottom())
    }
    fn try_double(
        &self,
        context: &Double,
        inputs: &[Interval<f64>],
        budget: &Budget,
    ) -> Result<Interval<f64>, ExtensionFault> {
        inputs.first().map_or_else(|| Ok(context.bottom()), |x| self.enclose_interval(context, x, budget))
    }
    fn try_mpfr(
        &self,
        context: &Mpfr,
        inputs: &[Interval<Float>],
        budget: &Budget,
    ) -> Result<Interval<Float>, ExtensionFault> {
        inputs.first().map_or_else(|| Ok(context.bottom()), |x| self.enclose_interval(context, x, budget))
    }
    fn abandon_calls(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}
