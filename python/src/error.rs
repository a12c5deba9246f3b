//! Exceptions: those of `smoothish._errors`, made from the [`Diagnostic`] of a question, and from errors of functions.

use crate::words::in_python;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use smoothish::failure::{ErrorKind, ErrorWithKind};
use smoothish::session::{Diagnostic, QUESTION_NAME, Session, SessionError, SourceSpan};
use smoothish::smooth::exchange::ExchangeError;
use smoothish::smooth::map::MapError;
use smoothish::syntax::error::SyntaxError;
use smoothish::syntax::library::ProgramError;
use smoothish::syntax::source::SourceText;
use std::sync::Arc;

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
        ErrorKind::InvalidInput => "EvaluationError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::DisjointEnclosures => "ContradictionError",
    }
}

/// An error without a place.
pub fn plain(py: Python<'_>, error: &(impl ErrorWithKind + ?Sized)) -> PyErr {
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

/// The exception for a question that has no answer: by what is wrong with it, else by what can be done about it.
pub fn of_diagnostic(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    let name = match (&diagnostic.program, diagnostic.id) {
        (Some(_), _) => "ProgramError",
        (None, "no-number") => "NoNumberError",
        (None, "constant" | "tolerance" | "parameter" | "order" | "interval" | "steps" | "plot" | "unknown") => {
            "ArgumentError"
        }
        (None, _) => named(diagnostic.kind),
    };
    match attributes(py, diagnostic) {
        Ok(attributes) => exception(py, name, &in_python(&diagnostic.message), &attributes),
        Err(error) => error,
    }
}

/// What an exception has beside its message.
fn attributes<'py>(py: Python<'py>, diagnostic: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let attributes = PyDict::new(py);
    attributes.set_item("id", diagnostic.id)?;
    attributes.set_item("position", diagnostic.position())?;
    attributes.set_item("help", diagnostic.help.as_deref().map(in_python))?;
    attributes.set_item("report", in_python(diagnostic.report()))?;
    if let Some(place) = &diagnostic.place {
        let (line, column) = place.position();
        attributes.set_item("line", line)?;
        attributes.set_item("column", column)?;
        attributes.set_item("span", characters(place))?;
        attributes.set_item("source", &place.source.text)?;
    }
    if let Some(error) = &diagnostic.program {
        let (expected, found, note) = parts(error);
        attributes.set_item("expected", expected)?;
        attributes.set_item("found", found)?;
        attributes.set_item("note", note)?;
    }
    Ok(attributes)
}

/// Where a place begins and ends, in characters from 0.
fn characters(place: &SourceSpan) -> (usize, usize) {
    let count = |offset: u32| place.source.text.get(..offset as usize).map_or(0, |text| text.chars().count());
    (count(place.span.start), count(place.span.end))
}

/// What was expected in a program, what was found, and what there is to say of it.
fn parts(error: &ProgramError) -> (Option<String>, Option<String>, Option<String>) {
    match error {
        ProgramError::Syntax(SyntaxError::Expected { expected, found, .. }) => {
            (Some(expected.clone()), Some(found.clone()), None)
        }
        ProgramError::Syntax(SyntaxError::Unclosed { closing, found, .. }) => {
            (Some(format!("`{closing}`")), Some(found.clone()), None)
        }
        ProgramError::Type(error) => {
            let (expected, found) = error.mismatched_types().unzip();
            (expected, found, error.note())
        }
        _ => (None, None, None),
    }
}

/// The exception for an error of a session, of a text.
pub fn of_session(py: Python<'_>, session: &Session, text: &str, error: &SessionError) -> PyErr {
    of_diagnostic(py, &session.diagnose(&Arc::new(SourceText::new(QUESTION_NAME, text)), error))
}

/// The exception for a program that is wrong.
pub fn of_program(py: Python<'_>, session: &Session, text: &str, error: ProgramError) -> PyErr {
    of_session(py, session, text, &SessionError::Program(error))
}
