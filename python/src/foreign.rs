//! Constants from outside: functions of Python as names of the language.
//!
//! A function is called on a thread of its own, so that a question can end while it runs. Nothing ends a thread, but what Python does
//! there ends by an exception, `SystemExit`, at its next instruction. The interpreter waits for that before it ends: a thread that
//! comes back to an interpreter that is gone would crash the process.

use crate::exact::{fraction, rational};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyDict, PyTuple};
use smoothish::number::Rational;
use smoothish::number::foreign::{RationalExtension, RationalResult};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The numbers by which Python knows threads.
type Identifiers = Mutex<HashMap<ThreadId, u64>>;

/// The calls of functions that have not ended.
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// The time that the end of the interpreter waits for them. A choice: one that sleeps in C is not waited for until it wakes.
const PATIENCE: Duration = Duration::from_secs(5);

/// A call of a function, while it lasts.
struct RunningCall;

impl RunningCall {
    fn begin() -> Self {
        CALLS.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Makes the end of the interpreter wait for calls that were told to end. Once is enough.
pub fn wait_at_exit(py: Python<'_>) -> PyResult<()> {
    static REGISTERED: PyOnceLock<()> = PyOnceLock::new();
    let wait = |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        arguments.py().detach(|| {
            let start = Instant::now();
            while CALLS.load(Ordering::SeqCst) > 0 && start.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(1));
            }
        });
    };
    let register = || {
        let wait = PyCFunction::new_closure(py, Some(c"wait_for_functions"), None, wait)?;
        py.import("atexit")?.call_method1("register", (wait,)).map(drop)
    };
    REGISTERED.get_or_try_init(py, register)?;
    Ok(())
}

/// The extension that a function `f(lo, hi) -> (lo, hi)` of Fractions is; a result of None says that nothing is known.
pub fn extension(function: Py<PyAny>) -> RationalExtension {
    let identifiers: Arc<Identifiers> = Arc::default();
    let known = identifiers.clone();
    let called = move |lo: &Rational, hi: &Rational| -> RationalResult {
        // ends after the interpreter's lock is given back
        let _call = RunningCall::begin();
        Python::attach(|py| {
            let enclosed = || {
                let here: u64 = py.import("threading")?.call_method0("get_ident")?.extract()?;
                known.lock().unwrap_or_else(PoisonError::into_inner).insert(thread::current().id(), here);
                let found = function.bind(py).call1((fraction(py, lo)?, fraction(py, hi)?))?;
                interval(&found)
            };
            enclosed().map_err(|error: PyErr| described(py, &error))
        })
    };
    RationalExtension::new(called).when_abandoned(move |thread| {
        let identifier = identifiers.lock().unwrap_or_else(PoisonError::into_inner).get(&thread).copied();
        // A failure leaves the thread running, as nothing else could end it.
        let _ = identifier.map(|identifier| Python::attach(|py| end_thread(py, identifier)));
    })
}

/// The interval that a function returned.
fn interval(found: &Bound<'_, PyAny>) -> PyResult<Option<[Rational; 2]>> {
    if found.is_none() {
        return Ok(None);
    }
    let ends: Vec<Bound<'_, PyAny>> = found.try_iter()?.collect::<PyResult<_>>()?;
    match &ends[..] {
        [lo, hi] => Ok(Some([rational(lo)?, rational(hi)?])),
        _ => {
            let message = format!("expected a pair (lo, hi) or None, found {} values", ends.len());
            Err(PyTypeError::new_err(message))
        }
    }
}

/// An exception on one line: its type and its text.
fn described(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    format!("{name}: {}", error.value(py))
}

/// Raises SystemExit in a thread, at the next instruction of Python there.
fn end_thread(py: Python<'_>, identifier: u64) -> PyResult<()> {
    let ctypes = py.import("ctypes")?;
    let (number, exit) =
        (ctypes.getattr("c_ulong")?.call1((identifier,))?, py.import("builtins")?.getattr("SystemExit")?);
    let exception = ctypes.getattr("py_object")?.call1((exit,))?;
    ctypes.getattr("pythonapi")?.call_method1("PyThreadState_SetAsyncExc", (number, exception))?;
    Ok(())
}

/// Pairs of numbers, lo <= hi.
pub fn boxes(pairs: &Bound<'_, PyAny>) -> PyResult<Vec<(Rational, Rational)>> {
    let pair = |pair: PyResult<Bound<'_, PyAny>>| match interval(&pair?)? {
        Some([lo, hi]) => Ok((lo, hi)),
        None => Err(PyTypeError::new_err("expected a pair (lo, hi), found None")),
    };
    pairs.try_iter()?.map(pair).collect()
}
