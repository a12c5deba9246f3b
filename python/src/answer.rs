//! Answers of questions, with what is told beside their values: the classes of `smoothish._answers`.

use crate::words::in_python;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smoothish::session::{Answer, Note, NoteKind, UndefinedNumber};

/// A class of `smoothish._answers`.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("smoothish._answers")?.getattr(name)
}

/// What an answer says beside its value, as arguments of a class.
pub fn told<'py, T>(py: Python<'py>, answer: &Answer<T>) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("type", answer.ty().map(ToString::to_string))?;
    told.set_item("reached", answer.is_reached())?;
    told.set_item("stopped", answer.stopped().map(|stop| stop.id()))?;
    told.set_item("undefined", answer.undefined().map(|found| undefined(py, found)).transpose()?)?;
    told.set_item("notes", notes(py, answer.notes())?)?;
    told.set_item("trusted", PyTuple::new(py, answer.trusted())?)?;
    told.set_item("elapsed", answer.elapsed().as_secs_f64())?;
    Ok(told)
}

/// The answer of a class, with a value and what is told beside it.
pub fn answer<'py>(
    py: Python<'py>,
    name: &str,
    value: impl IntoPyObject<'py>,
    told: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    class(py, name)?.call((value.into_bound_py_any(py)?,), Some(told))
}

/// The notes of an answer.
pub fn notes<'py>(py: Python<'py>, notes: &[Note]) -> PyResult<Bound<'py, PyTuple>> {
    let class = class(py, "Note")?;
    let note = |note: &Note| {
        let position = note.place.as_ref().map(ToString::to_string);
        class.call1((note.id, kind(note.kind), in_python(&note.text), position))
    };
    PyTuple::new(py, notes.iter().map(note).collect::<PyResult<Vec<_>>>()?)
}

fn kind(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::Assumption => "assumption",
        NoteKind::Outcome => "outcome",
        _ => "remark",
    }
}

/// Why there is no number.
fn undefined<'py>(py: Python<'py>, found: &UndefinedNumber) -> PyResult<Bound<'py, PyAny>> {
    let (text, help) = (in_python(&found.message), found.help.as_deref().map(in_python));
    let position = found.place.as_ref().map(ToString::to_string);
    class(py, "Undefined")?.call1((found.cause.name(), text, position, help))
}
