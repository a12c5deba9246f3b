//! Answers of questions about traces, and about pieces.

use crate::answer::{answer, class, told};
use crate::exact::fraction;
use crate::interval::Interval;
use crate::words::in_python;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smoothish::number::{Accuracy, Enclosure, Rational};
use smoothish::pieces::proof::SetPoints;
use smoothish::pieces::{LineInterval, StopReason};
use smoothish::session::question::pieces::{PrintedPiece, UnexploredParts};
use smoothish::session::{Answer, PieceList, QUESTION_NAME, Session, SweptValue, TraceResult};
use smoothish::syntax::source::SourceText;
use smoothish::trace::evaluation::DecidedComparison;
use smoothish::trace::question::{TapeAnswer, ValidityInterval};
use smoothish::trace::steps::DerivationStep;
use smoothish::trace::term::CoreValue;
use std::sync::Arc;

/// The answer of a question for the trace of a text.
pub fn trace<'py>(
    py: Python<'py>,
    session: &Session,
    text: &str,
    found: &Answer<TraceResult>,
) -> PyResult<Bound<'py, PyAny>> {
    let traced = found.value();
    let source = Arc::new(SourceText::new(QUESTION_NAME, text));
    let (of_guard, of_step) = (class(py, "TraceGuard")?, class(py, "TraceStep")?);
    let guard = |guard: &DecidedComparison| {
        let place = traced.program.position_of(guard.site).and_then(|place| session.locate(&source, place));
        of_guard.call1((guard.predicate.to_string(), guard.holds, place.map(|place| place.to_string())))
    };
    let step = |DerivationStep { rule, level, redex, context, trace }: &DerivationStep| {
        of_step.call1((rule.to_string(), *level, redex, context.as_deref(), trace))
    };
    let range = |range: &ValidityInterval| Interval::between(range.lo.as_ref(), range.hi.as_ref());
    let parts = PyDict::new(py);
    parts.set_item("text", &traced.text)?;
    parts.set_item("type", &traced.ty)?;
    parts.set_item("value", python(py, &traced.answer.value, certified)?)?;
    let guards = traced.answer.guards.iter().map(guard).collect::<PyResult<Vec<_>>>()?;
    parts.set_item("guards", PyTuple::new(py, guards)?)?;
    let valid = traced.answer.validity_region.as_ref().filter(|_| !traced.program.parameters.is_empty());
    parts.set_item("valid", valid.map(|ranges| PyTuple::new(py, ranges.iter().map(range))).transpose()?)?;
    parts.set_item("size", traced.answer.trace.size())?;
    parts.set_item("steps", traced.answer.steps)?;
    let reduction = traced.steps.as_ref().map(|(kept, _)| kept.iter().map(step).collect::<PyResult<Vec<_>>>());
    parts.set_item("reduction", reduction.transpose()?.map(|kept| PyTuple::new(py, kept)).transpose()?)?;
    parts.set_item("further", traced.steps.as_ref().map_or(0, |(_, further)| *further))?;
    let value = class(py, "Trace")?.call((), Some(&parts))?;
    answer(py, "Answer", value, &told(py, found)?)
}

/// The answer of a question for a value and its derivatives by a tape.
pub fn sweep<'py>(py: Python<'py>, found: &Answer<SweptValue>) -> PyResult<Bound<'py, PyAny>> {
    let told = told(py, found)?;
    let (value, rows) = match found.value() {
        SweptValue::Certified(swept) => {
            told.set_item("errors", py.None())?;
            parts(py, swept, certified)?
        }
        SweptValue::Doubles(swept) => {
            told.set_item("errors", parts(py, swept, |py, x| x.error_bound().into_bound_py_any(py))?)?;
            parts(py, swept, |py, x| x.value().into_bound_py_any(py))?
        }
    };
    told.set_item("rows", rows)?;
    answer(py, "Sweep", value, &told)
}

type Number<'py, R> = fn(Python<'py>, &R) -> PyResult<Bound<'py, PyAny>>;

/// The value and the rows, of either kind of numbers.
fn parts<'py, R>(
    py: Python<'py>,
    swept: &TapeAnswer<R>,
    number: Number<'py, R>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
    let rows = swept.reverse.iter().map(|row| python(py, row, number)).collect::<PyResult<Vec<_>>>()?;
    Ok((python(py, &swept.value, number)?, PyTuple::new(py, rows)?))
}

/// A number to a millionth, which is what these questions ask for.
fn certified<'py>(py: Python<'py>, found: &Enclosure) -> PyResult<Bound<'py, PyAny>> {
    Interval::asked(found, &Accuracy::within(Rational::from((1, 1_000_000)))).into_bound_py_any(py)
}

/// A number, `()`, or a pair of values.
fn python<'py, R>(py: Python<'py>, value: &CoreValue<R>, number: Number<'py, R>) -> PyResult<Bound<'py, PyAny>> {
    match value {
        CoreValue::Real(x) => number(py, x),
        CoreValue::Unit => Ok(PyTuple::empty(py).into_any()),
        CoreValue::Pair(parts) => (python(py, &parts.0, number)?, python(py, &parts.1, number)?).into_bound_py_any(py),
    }
}

/// The answer of a question for the pieces of a function.
pub fn pieces<'py>(py: Python<'py>, found: &Answer<PieceList>) -> PyResult<Bound<'py, PyAny>> {
    let (of_piece, of_stretch, of_rest) = (class(py, "Piece")?, class(py, "Stretch")?, class(py, "NotUnfolded")?);
    let stretch = |LineInterval { left, right, closed }: &LineInterval| {
        of_stretch.call1((between(py, &left.lo, &left.hi)?, between(py, &right.lo, &right.hi)?, (closed[0], closed[1])))
    };
    let piece = |PrintedPiece { region, points, dimension, size, maps, guards }: &PrintedPiece| {
        let region = region.iter().flat_map(|region| &region.0).map(stretch).collect::<PyResult<Vec<_>>>()?;
        let sample = match points {
            SetPoints::At(point) => {
                let point = point.iter().map(|x| fraction(py, x)).collect::<PyResult<Vec<_>>>()?;
                Some(PyTuple::new(py, point)?)
            }
            _ => None,
        };
        let (size, bounds) = (between(py, &size[0], &size[1])?, (dimension.at_least, dimension.at_most));
        let undefined = maps.as_ref().err().map(|why| in_python(why));
        let maps = maps.as_ref().ok().map(|maps| PyTuple::new(py, maps)).transpose()?;
        let region = PyTuple::new(py, region)?;
        of_piece.call1((region, maps, undefined, PyTuple::new(py, guards)?, sample, bounds, size))
    };
    let rest = |UnexploredParts { reason: why, parts, size, places }: &UnexploredParts| {
        let why = match why {
            StopReason::Limit => "limit",
            StopReason::Fuel => "fuel",
            StopReason::Undecided => "undecided",
            StopReason::Outside => "outside",
        };
        let places = places.iter().map(|(place, count)| (place.as_deref(), *count));
        of_rest.call1((why, *parts, between(py, &size[0], &size[1])?, PyTuple::new(py, places)?))
    };
    let pieces = found.value().rows.iter().map(piece).collect::<PyResult<Vec<_>>>()?;
    let rest = found.value().unexplored.iter().map(rest).collect::<PyResult<Vec<_>>>()?;
    let value = class(py, "Pieces")?.call1((PyTuple::new(py, pieces)?, PyTuple::new(py, rest)?))?;
    answer(py, "Answer", value, &told(py, found)?)
}

/// A number: as a Fraction where it is known, else as an Interval.
fn between<'py>(py: Python<'py>, least: &Rational, most: &Rational) -> PyResult<Bound<'py, PyAny>> {
    if least == most { fraction(py, least) } else { Interval::around(least, most).into_bound_py_any(py) }
}
