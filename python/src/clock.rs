//! How long the library takes for what Python asks, without Python: what `examples/overhead.py` compares with.

use crate::error;
use crate::exact::{accuracy, goal, point};
use crate::function::Function;
use crate::session::Session;
use pyo3::prelude::*;
use smoothish::number::budget::Budget;
use smoothish::session::{Evaluate, Limits};
use std::hint::black_box;
use std::time::Instant;

/// The seconds of one `f.at(x, eps)`, as the mean of some.
#[pyfunction]
pub fn seconds_of_at(
    py: Python<'_>,
    f: &Bound<'_, Function>,
    x: &Bound<'_, PyAny>,
    eps: &Bound<'_, PyAny>,
    count: u32,
) -> PyResult<f64> {
    let (to, x) = (accuracy(Some(eps), None, None)?, point(x)?);
    let map = f.get().map();
    let start = Instant::now();
    for _ in 0..count {
        let found = map.at_slice(&x).and_then(|value| value.enclose_to(&to, &Budget::new(u64::MAX, None, None)));
        black_box(found).map_err(|error| error::of_map(py, &error))?;
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(count))
}

/// The seconds of one `session.eval(text, eps)`, as the mean of some.
#[pyfunction]
pub fn seconds_of_eval(
    py: Python<'_>,
    session: &Bound<'_, Session>,
    text: &str,
    eps: &Bound<'_, PyAny>,
    count: u32,
) -> PyResult<f64> {
    let (question, session) = (Evaluate::new(text).with_goal(goal(Some(eps), None, None)?), session.get().now());
    let start = Instant::now();
    for _ in 0..count {
        let found = session.ask(&question, &Limits::none());
        black_box(found).map_err(|diagnostic| error::of_diagnostic(py, &diagnostic))?;
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(count))
}
