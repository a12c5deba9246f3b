//! Maps on arrays: one run in `f64` for every point.

use crate::error;
use crate::signals::Signals;
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use smoothish::number::budget::Budget;
use smoothish::number::real::Precision;
use smoothish::number::{Enclosure, Interval, Rational};
use smoothish::smooth::dimension::Dyn;
use smoothish::smooth::map::range::DEFAULT_WORK;
use smoothish::smooth::map::{Map, MapError};

/// Columns of results: lower ends, upper ends, and whether each is certainly defined.
#[derive(Default)]
struct Columns {
    lo: Vec<f64>,
    hi: Vec<f64>,
    defined: Vec<bool>,
}

impl Columns {
    fn push(&mut self, lo: f64, hi: f64, defined: bool) {
        self.lo.push(lo);
        self.hi.push(hi);
        self.defined.push(defined);
    }
}

/// What is computed of every point.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// The values.
    Value,
    /// All Clarke derivatives.
    Jacobian,
    /// What a cotangent is carried to.
    Vjp(&'a [f64]),
}

/// What a signal or an error ended.
enum Ended {
    Signal,
    Error(usize, MapError),
}

impl Wanted<'_> {
    fn at(self, map: &Map<Dyn, Dyn>, x: &[f64], signals: &Signals, into: &mut Columns) -> Result<(), MapError> {
        let doubles = |found: Vec<Interval<f64>>, into: &mut Columns| {
            found.iter().for_each(|e| into.push(*e.lo(), *e.hi(), e.is_defined()));
        };
        let budget = |parts: usize| -> Budget { signals.budget(DEFAULT_WORK.saturating_mul(parts as u64), None) };
        match self {
            Self::Value => doubles(map.doubles_within(x, &budget(1))?, into),
            Self::Vjp(w) => doubles(map.vjp_doubles_within(x, w, &budget(1))?, into),
            Self::Jacobian => {
                let point = |(index, &value): (usize, &f64)| {
                    let not_finite = MapError::NotFinite { what: "the point", index, value };
                    Rational::from_f64(value).map(|q| [q.clone(), q]).ok_or(not_finite)
                };
                let point = x.iter().enumerate().map(point).collect::<Result<Vec<_>, _>>()?;
                for entry in
                    map.derivative_over(&point, Precision::Double, &budget(x.len().max(1)))?.into_iter().flatten()
                {
                    let [lo, hi] = ends(&entry);
                    into.push(lo, hi, entry.is_defined());
                }
            }
        }
        Ok(())
    }
}

/// The ends, which are doubles already.
fn ends(e: &Enclosure) -> [f64; 2] {
    let down = e.lo().to_f64_round(rug::float::Round::Down);
    [down, e.hi().to_f64_round(rug::float::Round::Up)]
}

/// The results for the rows of an array, as a `Batch` of arrays of a shape.
pub fn run<'py>(
    py: Python<'py>,
    map: &Map<Dyn, Dyn>,
    points: &PyReadonlyArray2<'py, f64>,
    wanted: Wanted<'_>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let n = points.shape()[1];
    let points = points.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let signals = Signals::new();
    let count = shape.first().copied().unwrap_or(1);
    let done = py.detach(|| {
        let mut found = Columns::default();
        for index in 0..count {
            let row = &points[index * n..(index + 1) * n];
            wanted.at(map, row, &signals, &mut found).map_err(|error| Ended::Error(index, error))?;
            if signals.is_stopped() {
                return Err(Ended::Signal);
            }
        }
        Ok(found)
    });
    signals.check()?;
    let found = match done {
        Ok(found) => found,
        Err(Ended::Signal) => return Err(PyErr::new::<pyo3::exceptions::PyKeyboardInterrupt, _>(())),
        Err(Ended::Error(index, error @ MapError::NotFinite { .. })) => {
            return Err(PyValueError::new_err(format!("point {index}: {error}")));
        }
        Err(Ended::Error(_, error)) => return Err(error::of_map(py, &error)),
    };
    let shaped = |column: Vec<f64>| -> PyResult<Bound<'py, PyArrayDyn<f64>>> { column.into_pyarray(py).reshape(shape) };
    let defined: Bound<'py, PyArrayDyn<bool>> = found.defined.into_pyarray(py).reshape(shape)?;
    let batch = py.import("smoothish._values")?.getattr("Batch")?;
    batch.call1((shaped(found.lo)?, shaped(found.hi)?, defined))
}
