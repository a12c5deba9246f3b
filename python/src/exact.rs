//! Numbers of Python as exact rationals, and back; how accurately something is asked, and how long it may take.

use crate::signals::AskedLimits;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyMapping, PyString, PyTuple, PyType};
use rug::{Float, Integer};
use smoothish::number::tuning::{Tuning, TuningError};
use smoothish::number::{Accuracy, Rational, decimal};
use smoothish::session::AccuracyGoal;
use smoothish::session::limits::tuning_message;
use smoothish::session::question::sampled::MOST_ORDER;
use smoothish::session::tolerance::{Digits, Tolerance};
use std::sync::Arc;
use std::time::Duration;

/// An end beyond 2 to this power, or below its inverse, is not handed out as a fraction.
const LARGEST: i32 = 1 << 24;

/// The exact number that a float, an int, a Fraction, a Decimal, a NumPy scalar or a text is.
pub fn rational(x: &Bound<'_, PyAny>) -> PyResult<Rational> {
    if let Ok(float) = x.cast::<PyFloat>() {
        let none = || PyValueError::new_err(format!("expected a real number, found {float}"));
        return Rational::from_f64(float.value()).ok_or_else(none);
    }
    if let Ok(text) = x.cast::<PyString>() {
        return parse(text.to_str()?);
    }
    unmasked(x)?;
    if x.hasattr("as_integer_ratio")? {
        let pair = x.call_method0("as_integer_ratio")?;
        let (p, q): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        return Ok(Rational::from((integer(&p)?, integer(&q)?)));
    }
    match x.call_method0("__index__") {
        Ok(index) => Ok(Rational::from(integer(&index)?)),
        Err(_) => {
            let kind = x.get_type().name()?;
            let message =
                format!("expected a real number (float, int, Fraction, Decimal or a text such as '1/3'), found {kind}");
            Err(PyTypeError::new_err(message))
        }
    }
}

fn parse(text: &str) -> PyResult<Rational> {
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    match text.split_once('/') {
        None => decimal::parse(text.trim()).map_err(|error| wrong(&error)),
        Some((p, q)) => {
            let p = decimal::parse(p.trim()).map_err(|error| wrong(&error))?;
            let q = decimal::parse(q.trim()).map_err(|error| wrong(&error))?;
            if q == 0 { Err(PyValueError::new_err(format!("`{text}` divides by zero"))) } else { Ok(p / q) }
        }
    }
}

fn integer(x: &Bound<'_, PyAny>) -> PyResult<Integer> {
    if let Ok(small) = x.extract::<i64>() {
        return Ok(small.into());
    }
    // texts in base 16 are not limited in length
    let text: String = x.call_method1("__format__", ("x",))?.extract()?;
    Integer::from_str_radix(&text, 16).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An int of Python.
pub fn python_integer<'py>(py: Python<'py>, n: &Integer) -> PyResult<Bound<'py, PyAny>> {
    match n.to_i64() {
        Some(small) => Ok(small.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((n.to_string_radix(16), 16)),
    }
}

/// `fractions.Fraction`
fn fraction_type<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "fractions", "Fraction")
}

pub fn fraction<'py>(py: Python<'py>, q: &Rational) -> PyResult<Bound<'py, PyAny>> {
    let (p, q) = (python_integer(py, q.numer())?, python_integer(py, q.denom())?);
    fraction_type(py)?.call1((p, q))
}

/// An end as a Fraction, or an infinite float.
pub fn end<'py>(py: Python<'py>, x: &Float) -> PyResult<Bound<'py, PyAny>> {
    if x.is_infinite() {
        return Ok(x.to_f64().into_pyobject(py)?.into_any());
    }
    if x.get_exp().is_some_and(|exponent| !(-LARGEST..=LARGEST).contains(&exponent)) {
        return Err(PyOverflowError::new_err("this end is too large or too small for a Fraction; print the interval"));
    }
    fraction(py, &x.to_rational().unwrap_or_default())
}

/// How accurate an answer is to be: to a width, to a relative width, to digits, or to either of two; as is usual for the question where
/// nothing is said.
pub fn goal(
    eps: Option<&Bound<'_, PyAny>>,
    rel: Option<&Bound<'_, PyAny>>,
    digits: Option<&Bound<'_, PyAny>>,
) -> PyResult<AccuracyGoal> {
    if rel.is_some() && digits.is_some() {
        return Err(PyTypeError::new_err("give rel or digits, not both"));
    }
    let digits = digits.map(|digits| {
        let n = argument("digits", digits, whole_number)?;
        let count = n.to_u32().and_then(|n| Digits::new(n).ok());
        count.ok_or_else(|| PyValueError::new_err(format!("digits must lie between 1 and 100000, not {}", shown(&n))))
    });
    Ok(AccuracyGoal {
        eps: eps.map(|eps| tolerance("eps", eps)).transpose()?,
        rel: rel.map(|rel| tolerance("rel", rel)).transpose()?,
        of_digits: digits.transpose()?,
        default_digits: None,
    })
}

/// The same of a function, to 10⁻⁶ where nothing is said.
pub fn accuracy(
    eps: Option<&Bound<'_, PyAny>>,
    rel: Option<&Bound<'_, PyAny>>,
    digits: Option<&Bound<'_, PyAny>>,
) -> PyResult<Accuracy> {
    let goal = goal(eps, rel, digits)?;
    Ok(match goal == AccuracyGoal::default() {
        true => Accuracy::within(Rational::from((1, 1_000_000))),
        false => goal.accuracy(),
    })
}

/// A positive number among the arguments of a function, exactly; messages write it as it was given.
pub fn tolerance(what: &str, x: &Bound<'_, PyAny>) -> PyResult<Tolerance> {
    let value = argument(what, x, rational)?;
    let found = Tolerance::new(value).map_err(|_| PyValueError::new_err(format!("{what} must be greater than 0")))?;
    Ok(match (x.cast::<PyString>(), x.cast::<PyFloat>()) {
        (Ok(text), _) => found.written_as(text.to_str()?.trim()),
        (_, Ok(float)) => found.written_as(float.repr()?.to_str()?),
        _ => found,
    })
}

/// Reads an argument; what is wrong with it is told with its name.
pub fn argument<'py, T>(
    name: &str,
    x: &Bound<'py, PyAny>,
    read: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<T> {
    let py = x.py();
    read(x).map_err(|error| match error.get_type(py) {
        kind if kind.is(py.get_type::<PyTypeError>()) => PyTypeError::new_err(format!("{name}: {}", error.value(py))),
        kind if kind.is(py.get_type::<PyValueError>()) => PyValueError::new_err(format!("{name}: {}", error.value(py))),
        _ => error,
    })
}

/// The order of a derivative in the parameter of a program.
pub fn order(x: &Bound<'_, PyAny>) -> PyResult<u32> {
    let n = argument("deriv", x, whole_number)?;
    n.to_u32().filter(|n| *n <= MOST_ORDER).ok_or_else(|| {
        PyValueError::new_err(format!("deriv is the order of a derivative, from 0 to {MOST_ORDER}, not {}", shown(&n)))
    })
}

/// Refuses what NumPy has masked: it is no number, though one is kept there.
pub fn unmasked(x: &Bound<'_, PyAny>) -> PyResult<()> {
    if x.hasattr("mask")? {
        x.py().import("smoothish._values")?.getattr("unmasked")?.call1((x,))?;
    }
    Ok(())
}

/// A whole number among the arguments of a function, which may be of any size in Python.
fn whole_number(x: &Bound<'_, PyAny>) -> PyResult<Integer> {
    match x.call_method0("__index__") {
        Ok(index) => integer(&index),
        Err(_) => Err(PyTypeError::new_err(format!("expected a whole number, found {}", x.get_type().name()?))),
    }
}

/// A whole number in words: how long it is, where it is very long.
fn shown(n: &Integer) -> String {
    match n.significant_bits() {
        ..=200 => n.to_string(),
        bits => format!("one of {bits} bits"),
    }
}

/// One that has to fit a machine, as `from_py_with`.
pub fn whole<T: TryFrom<Integer>>(x: &Bound<'_, PyAny>) -> PyResult<T> {
    let n = whole_number(x)?;
    let said = shown(&n);
    T::try_from(n)
        .map_err(|_| PyValueError::new_err(format!("a whole number of the arguments is out of range: {said}")))
}

/// The same where nothing need be said.
pub fn whole_or_none<T: TryFrom<Integer>>(x: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if x.is_none() { Ok(None) } else { whole(x).map(Some) }
}

/// Several of them.
pub fn wholes<T: TryFrom<Integer>>(x: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    x.try_iter()?.map(|one| whole(&one?)).collect()
}

/// A number of seconds, or none, among the arguments of a function.
pub fn seconds(x: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if x.is_none() {
        return Ok(None);
    }
    x.extract::<f64>().map(Some).map_err(|error| match error.is_instance_of::<PyOverflowError>(x.py()) {
        true => PyValueError::new_err("a timeout is a number of seconds, and this is no float64; None is for no limit"),
        false => match x.get_type().name() {
            Ok(kind) => {
                PyTypeError::new_err(format!("expected a number of seconds, or None for no limit; found {kind}"))
            }
            Err(error) => error,
        },
    })
}

/// The limits of a question: its time, the factor on the limits of its searches, and changes of these, by their names.
pub fn limits(timeout: Option<f64>, effort: Option<f64>, tuning: Option<&Bound<'_, PyAny>>) -> PyResult<AskedLimits> {
    let time = duration(timeout)?;
    if effort.is_none() && tuning.is_none() {
        return Ok(AskedLimits::from(time));
    }
    let wrong = |error: &TuningError| PyValueError::new_err(tuning_message(error));
    let mut limits = Tuning::default();
    if let Some(changes) = tuning {
        let changes = changes.cast::<PyMapping>().map_err(|_| {
            let kind = changes.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!(
                "tuning is a dict of limits by their names, as {{'panels': 262144}}; found {kind}"
            ))
        })?;
        for entry in changes.items()?.iter() {
            let (key, value): (String, Bound<'_, PyAny>) = entry.extract()?;
            if limits.value_of(&key).is_none() {
                return Err(wrong(&TuningError::UnknownKey(key)));
            }
            // A number that fits no machine word is out of every range.
            let value =
                value.extract::<i128>().map_err(|error| match error.is_instance_of::<PyOverflowError>(value.py()) {
                    true => PyValueError::new_err(format!("{key} is out of range: {value}")),
                    false => PyTypeError::new_err(format!("{key} is a whole number, not {value}")),
                })?;
            limits.change_key(&key, value).map_err(|error| wrong(&error))?;
        }
    }
    let limits = limits.with_effort(effort.unwrap_or(1.0)).map_err(|error| wrong(&error))?;
    Ok(AskedLimits { time, tuning: Some(Arc::new(limits)) })
}

/// So many seconds; `None` for no limit.
pub fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let duration = |seconds: f64| {
        Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!("a timeout is a number of seconds, 0 or more; found {seconds:?}"))
        })
    };
    seconds.map(duration).transpose()
}

/// A point: a number, or several of them.
pub fn point(x: &Bound<'_, PyAny>) -> PyResult<Vec<Rational>> {
    unmasked(x)?;
    if x.cast::<PyString>().is_err()
        && let Ok(parts) = x.try_iter()
    {
        return parts.map(|part| rational(&part?)).collect();
    }
    Ok(vec![rational(x)?])
}

/// Points that are given as several arguments, or as one.
pub fn arguments<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    match args.len() {
        1 => args.get_item(0),
        _ => Ok(args.clone().into_any()),
    }
}
