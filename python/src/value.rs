//! The values of programs as values of Python.

use crate::interval::Interval;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smoothish::model::answer::{AnswerNumber, AnswerTruth};
use smoothish::number::Accuracy;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::value::Value;

/// An answer: an [`Interval`] for a real number, a float in a model of floating-point numbers, an int for a natural one, True, False or None for a truth value that is not
/// decided, tuples, lists, `Variant`s. `None` where the value shows no number: a function, for one. The first number that is not
/// shown to be defined takes with it why.
pub fn python<'py>(
    py: Python<'py>,
    value: &Value<AnswerNumber>,
    ty: &Ty,
    accuracy: &Accuracy,
    undefined: &mut Option<String>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let mut all =
        |parts: &mut dyn Iterator<Item = (&Value<AnswerNumber>, Ty)>| -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
            parts.map(|(part, ty)| python(py, part, &ty, accuracy, undefined)).collect()
        };
    Ok(Some(match (value, ty.kind()) {
        (Value::Real(AnswerNumber::Enclosure(answer)), _) => {
            let why = if answer.enclosure.is_defined() { None } else { undefined.take() };
            Interval::answer(answer, accuracy).because(why).into_bound_py_any(py)?
        }
        (Value::Real(AnswerNumber::Float { value, .. }), _) => value.into_bound_py_any(py)?,
        (Value::Natural(n), _) => n.into_bound_py_any(py)?,
        (Value::Boolean(AnswerTruth::Decided(truth)), _) => truth.into_bound_py_any(py)?,
        (Value::Boolean(AnswerTruth::Undecided(_)), _) => py.None().into_bound(py),
        (Value::Unit, _) => PyTuple::empty(py).into_any(),
        (Value::Tuple(parts), TyKind::Tuple(types)) => {
            let Some(parts) = all(&mut parts.iter().zip(types.iter().cloned()))? else { return Ok(None) };
            PyTuple::new(py, parts)?.into_any()
        }
        (Value::List(parts), TyKind::Data(_, of)) => {
            let Some(of) = of.first() else { return Ok(None) };
            let Some(parts) = all(&mut parts.iter().map(|part| (part, of.clone())))? else { return Ok(None) };
            PyList::new(py, parts)?.into_any()
        }
        (Value::Variant(index, argument), TyKind::Data(data, arguments)) => {
            let Some(constructor) = data.constructors().nth(*index) else { return Ok(None) };
            let argument = match constructor.argument() {
                Some(ty) => match python(py, argument, &ty.with_arguments(arguments), accuracy, undefined)? {
                    Some(argument) => argument,
                    None => return Ok(None),
                },
                None => PyTuple::empty(py).into_any(),
            };
            let variant = py.import("smoothish._values")?.getattr("Variant")?;
            variant.call1((constructor.name().to_string(), argument))?
        }
        _ => return Ok(None),
    }))
}
