//! Whether a number is the derivative of a function at a point.

use crate::error;
use crate::exact::{duration, rational, seconds};
use crate::interval::Interval;
use crate::signals::working;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyType};
use smoothish::audit::file::read;
use smoothish::audit::{Claim, Finding, Format, Gradient, Subject, Tolerance};
use smoothish::meaning::pap::steps::{StepError, Steps};
use smoothish::model::answer::MeaningError;
use smoothish::number::{Accuracy, Rational};
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

/// The same of a gradient.
type FoundOfGradient = (&'static str, String, Option<&'static str>, Option<Vec<Interval>>);

fn claim(x: &Bound<'_, PyAny>) -> PyResult<Claim> {
    match x.cast::<PyFloat>() {
        Ok(float) => Ok(Claim::from(float.value())),
        Err(_) => Ok(Claim::Number(rational(x)?)),
    }
}

/// A function of one variable: a program, or a list of steps as JSON; of several variables on a line.
#[pyclass(frozen, module = "smoothish._smoothish")]
pub struct Audited {
    text: String,
    made: Made,
}

enum Made {
    Program(Subject),
    Steps(Steps),
}

#[pymethods]
impl Audited {
    #[new]
    fn new(py: Python<'_>, text: String, is_program: bool) -> PyResult<Self> {
        let made = if is_program {
            let subject = Subject::new(&Session::new(), &text);
            Made::Program(subject.map_err(|error| error::of_program(py, &text, &error))?)
        } else {
            Made::Steps(read(&text).map_err(|error| wrong(&error))?)
        };
        Ok(Self { text, made })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str, bool)) {
        (py.get_type::<Self>(), (&self.text, matches!(self.made, Made::Program(_))))
    }

    /// What is true of a claim about the derivative at a point; on the line through it in a direction, if there is one.
    #[pyo3(signature = (x, direction, grad, terms, dtype, ulps, timeout))]
    #[expect(clippy::too_many_arguments, reason = "the package calls it, and names them")]
    fn audited(
        &self,
        py: Python<'_>,
        x: Vec<Bound<'_, PyAny>>,
        direction: Option<Vec<Bound<'_, PyAny>>>,
        grad: &Bound<'_, PyAny>,
        terms: &Bound<'_, PyAny>,
        dtype: &str,
        ulps: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Found> {
        let numbers = |all: Vec<Bound<'_, PyAny>>| all.iter().map(rational).collect::<PyResult<Vec<_>>>();
        let (point, direction) = (numbers(x)?, direction.map(numbers).transpose()?);
        let claim = claim(grad)?;
        let format: Format = dtype.parse().map_err(|message: String| PyValueError::new_err(message))?;
        let tolerance = Tolerance { terms: rational(terms)?, ..allowed(format, ulps)? };
        let on_line;
        let (subject, at) = match (&self.made, &point[..], direction) {
            (Made::Program(subject), [at], None) => (subject, at.clone()),
            (Made::Steps(steps), [at], None) => {
                on_line = Subject::of_steps(steps.clone()).map_err(|error| wrong(&error))?;
                (&on_line, at.clone())
            }
            (Made::Steps(steps), point, Some(direction)) => {
                let line = steps.along(point, &direction).and_then(Subject::of_steps);
                on_line = line.map_err(|error| wrong(&error))?;
                (&on_line, Rational::new())
            }
            _ => return Err(PyValueError::new_err("a program is one of one variable, at one number")),
        };
        let report = working(py, duration(timeout)?, |budget| subject.audit(&at, &claim, &tolerance, budget))?;
        let failed = |error: MeaningError| error::of_session(py, &self.text, &SessionError::Meaning(error));
        let report = report.map_err(failed)?;
        let interval = |found: &smoothish::number::Enclosure| {
            let accuracy: Accuracy = tolerance.accuracy();
            Interval::of(found.clone(), &accuracy)
        };
        let source = smoothish::syntax::source::Source::new("program", self.text.as_str());
        let in_program = report.borders.places.iter().filter(|place| place.definition.is_none());
        let places = in_program.map(|place| source.position(place.span.start)).collect();
        let limits = report.limits.each_ref().map(|limit| limit.as_ref().map(interval));
        let set = report.set.as_ref().map(interval);
        let steps = report.borders.steps.clone();
        Ok((report.finding.name(), report.finding.to_string(), cause(&report.finding), limits, set, places, steps))
    }

    /// What is true of a claim about the whole gradient of steps of several variables: the verdict, in words, its cause, and an interval
    /// for each coordinate where they are known.
    fn gradient(
        &self,
        py: Python<'_>,
        x: Vec<Bound<'_, PyAny>>,
        grad: Vec<Bound<'_, PyAny>>,
        dtype: &str,
        ulps: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<FoundOfGradient> {
        let Made::Steps(steps) = &self.made else {
            return Err(PyValueError::new_err("a program is one of one variable, at one number"));
        };
        let point = x.iter().map(rational).collect::<PyResult<Vec<_>>>()?;
        let claims = grad.iter().map(claim).collect::<PyResult<Vec<_>>>()?;
        let format: Format = dtype.parse().map_err(|message: String| PyValueError::new_err(message))?;
        let tolerance = allowed(format, ulps)?;
        let subject = Gradient::of_steps(steps.clone(), point.len()).map_err(|error| wrong(&error))?;
        let report = working(py, duration(timeout)?, |budget| subject.audit(&point, &claims, &tolerance, budget))?;
        let report = report.map_err(|error| error::of_session(py, &self.text, &SessionError::Meaning(error)))?;
        let to = tolerance.accuracy();
        let set = report.set.map(|set| set.into_iter().map(|e| Interval::of(e, &to)).collect());
        let (words, place) = (report.finding.to_string(), report.coordinate);
        let words = place.map_or(words.clone(), |place| format!("{words} (coordinate {})", place + 1));
        Ok((report.finding.name(), words, cause(&report.finding), set))
    }
}

/// Why a claim is outside.
fn cause(finding: &Finding) -> Option<&'static str> {
    match finding {
        Finding::Outside(cause) => Some(cause.name()),
        _ => None,
    }
}

/// What a claim may be off: so many units in the last place, or what is usual in the format.
fn allowed(format: Format, ulps: &Bound<'_, PyAny>) -> PyResult<Tolerance> {
    let usual = Tolerance::of(format);
    if ulps.is_none() {
        return Ok(usual);
    }
    let wrong = |_| {
        PyValueError::new_err(format!(
            "ulps is how many units in the last place a claim may be off, 0 or more; not {ulps}"
        ))
    };
    Ok(Tolerance { units: ulps.extract().map_err(wrong)?, ..usual })
}

fn wrong(error: &StepError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
