//! Whether a number is the derivative of a function at a point.

use crate::error;
use crate::exact::{duration, rational};
use crate::interval::Interval;
use crate::signals::working;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use smoothish::audit::file::read;
use smoothish::audit::{Claim, Finding, Format, Subject, Tolerance};
use smoothish::model::answer::MeaningError;
use smoothish::number::Accuracy;
use smoothish::session::{Session, SessionError};

/// What is found: the verdict, in words, its cause, the limits of the derivative from both sides and Clarke's set where they are known, and
/// the places of borders: (line, column) in a program, numbers of steps.
type Found = (
    &'static str,
    String,
    Option<&'static str>,
    [Option<Interval>; 2],
    Option<Interval>,
    Vec<(usize, usize)>,
    Vec<usize>,
);

fn claim(x: &Bound<'_, PyAny>) -> PyResult<Claim> {
    match x.cast::<PyFloat>() {
        Ok(float) => Ok(Claim::from(float.value())),
        Err(_) => Ok(Claim::Number(rational(x)?)),
    }
}

/// What is true of a claim about the derivative of a program, or of a list of steps as JSON, at a point.
#[pyfunction]
#[pyo3(signature = (function, is_program, x, grad, dtype, ulps, timeout))]
#[expect(clippy::too_many_arguments, reason = "the package calls it, and names them")]
pub fn audited(
    py: Python<'_>,
    function: &str,
    is_program: bool,
    x: &Bound<'_, PyAny>,
    grad: &Bound<'_, PyAny>,
    dtype: &str,
    ulps: u32,
    timeout: Option<f64>,
) -> PyResult<Found> {
    let (at, claim) = (rational(x)?, claim(grad)?);
    let format: Format = dtype.parse().map_err(|message: String| PyValueError::new_err(message))?;
    let tolerance = Tolerance { format, units: ulps };
    let subject = if is_program {
        Subject::new(&Session::new(), function).map_err(|error| error::of_program(py, function, &error))?
    } else {
        let steps = read(function).and_then(Subject::of_steps);
        steps.map_err(|error| PyValueError::new_err(error.to_string()))?
    };
    let report = working(py, duration(timeout)?, |budget| subject.audit(&at, &claim, &tolerance, budget))?;
    let failed = |error: MeaningError| error::of_session(py, function, &SessionError::Meaning(error));
    let report = report.map_err(failed)?;
    let cause = match &report.finding {
        Finding::Outside(cause) => Some(cause.name()),
        _ => None,
    };
    let interval = |found: &smoothish::number::Enclosure| {
        let accuracy: Accuracy = tolerance.accuracy();
        Interval::of(found.clone(), &accuracy)
    };
    let source = smoothish::syntax::source::Source::new("program", function);
    let in_program = report.borders.places.iter().filter(|place| place.definition.is_none());
    let places = in_program.map(|place| source.position(place.span.start)).collect();
    let limits = report.limits.each_ref().map(|limit| limit.as_ref().map(interval));
    let set = report.set.as_ref().map(interval);
    Ok((report.finding.name(), report.finding.to_string(), cause, limits, set, places, report.borders.steps.clone()))
}
