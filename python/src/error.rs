//! Exceptions: those of `smoothish._errors`, made from the errors of the library.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use smoothish::failure::{ErrorKind, Failure};
use smoothish::model::Place;
use smoothish::session::SessionError;
use smoothish::smooth::exchange::ExchangeError;
use smoothish::smooth::map::MapError;
use smoothish::syntax::error::SyntaxError;
use smoothish::syntax::library::Error as ProgramError;
use smoothish::syntax::report;
use smoothish::syntax::source::{Source, Span};
use smoothish::value::ValueError;

/// The exception of a name, with its attributes.
fn exception(py: Python<'_>, name: &str, message: &str, attributes: &Bound<'_, PyDict>) -> PyErr {
    let made = || py.import("smoothish._errors")?.getattr(name)?.call((message,), Some(attributes));
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The name of the exception for what can be done about an error.
fn named(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Wrong => "EvaluationError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Contradiction => "ContradictionError",
    }
}

/// An error without a place.
pub fn plain(py: Python<'_>, error: &(impl Failure + ?Sized)) -> PyErr {
    exception(py, named(error.kind()), &error.to_string(), &PyDict::new(py))
}

pub fn of_map(py: Python<'_>, error: &MapError) -> PyErr {
    match error {
        MapError::Smooth(error) => plain(py, error),
        MapError::Tower(_) => exception(py, "EvaluationError", &error.to_string(), &PyDict::new(py)),
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub fn of_exchange(py: Python<'_>, error: &ExchangeError) -> PyErr {
    let name = match error.kind() {
        ErrorKind::Unsupported => "UnsupportedError",
        _ => "FormatError",
    };
    exception(py, name, &error.to_string(), &PyDict::new(py))
}

/// What is known of a place, as attributes.
fn placed<'py>(py: Python<'py>, source: &Source, span: Option<Span>) -> PyResult<Bound<'py, PyDict>> {
    let attributes = PyDict::new(py);
    if let Some(span) = span {
        let (line, column) = source.position(span.start);
        let characters = |offset: u32| source.text.get(..offset as usize).map_or(0, |text| text.chars().count());
        attributes.set_item("line", line)?;
        attributes.set_item("column", column)?;
        attributes.set_item("span", (characters(span.start), characters(span.end)))?;
    }
    attributes.set_item("source", &source.text)?;
    Ok(attributes)
}

/// A program that is wrong, with the report that shows where.
pub fn of_program(py: Python<'_>, text: &str, error: &ProgramError) -> PyErr {
    let source = Source::new("program", text);
    let made = || -> PyResult<PyErr> {
        let attributes = placed(py, &source, error.span())?;
        let (expected, found, note, help) = match error {
            ProgramError::Syntax(error) => {
                let (expected, found) = match error {
                    SyntaxError::Expected { expected, found, .. } => (Some(expected.clone()), Some(found.clone())),
                    SyntaxError::Unclosed { closing, found, .. } => (Some(format!("`{closing}`")), Some(found.clone())),
                    _ => (None, None),
                };
                (expected, found, None, error.help())
            }
            ProgramError::Type(error) => {
                let (expected, found) = error.mismatch().unzip();
                (expected, found, error.note(), error.help())
            }
            _ => (None, None, None, None),
        };
        attributes.set_item("expected", expected)?;
        attributes.set_item("found", found)?;
        attributes.set_item("note", note)?;
        attributes.set_item("help", help)?;
        attributes.set_item("report", report::render(&source, error))?;
        Ok(exception(py, "ProgramError", &error.to_string(), &attributes))
    };
    made().unwrap_or_else(|error| error)
}

/// An error of a question.
pub fn of_session(py: Python<'_>, text: &str, error: &SessionError) -> PyErr {
    let in_program = |place: &Option<Place>| place.as_ref().filter(|p| p.definition.is_none()).map(|p| p.span);
    let span = match error {
        SessionError::Program(error) => return of_program(py, text, error),
        SessionError::Evaluation { place, .. } => in_program(place),
        SessionError::Interpretation(ValueError::BelowZero(below)) if below.definition.is_none() => {
            below.span.map(|(start, end)| Span::new(start, end))
        }
        _ => None,
    };
    match placed(py, &Source::new("program", text), span) {
        Ok(attributes) => exception(py, named(error.kind()), &error.to_string(), &attributes),
        Err(error) => error,
    }
}
