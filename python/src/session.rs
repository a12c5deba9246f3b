//! Sessions: programs as text, with definitions.

use crate::error;
use crate::exact::{accuracy, duration, seconds, whole, whole_or_none, wholes};
use crate::function::Function;
use crate::plot::{self, Plot};
use crate::real::Real;
use crate::signals::working;
use crate::value::python;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smoothish::session;
use smoothish::session::definitions::Content;
use smoothish::syntax::source::Source;
use std::sync::{Mutex, PoisonError};

/// Programs of λ_S, one after another, with definitions.
///
/// >>> session = smoothish.Session()
/// >>> session.define('let brightness c = integral01 (\\x => max 0 (x - c))')
/// 'brightness : Real -> Real'
/// >>> session.eval('deriv brightness 0.6', eps='1e-9')
/// <Interval [-0.40000000001, -0.39999999999]>
/// >>> session.definitions
/// ['let brightness c = integral01 (\\x => max 0 (x - c))']
/// >>> session.type_of('brightness')
/// 'Real -> Real'
#[pyclass(frozen, module = "smoothish")]
pub struct Session {
    session: Mutex<session::Session>,
}

impl Session {
    /// The session as it is now. Cheap: it shares its theories.
    pub fn now(&self) -> session::Session {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (definitions = Vec::new()))]
    fn new(py: Python<'_>, definitions: Vec<String>) -> PyResult<Self> {
        let own = Self { session: Mutex::new(session::Session::new()) };
        for text in definitions {
            own.define(py, text)?;
        }
        Ok(own)
    }

    /// Keeps a definition, `let f x = e` or `type A = T`, and says its type. A later one may hide it.
    fn define(&self, py: Python<'_>, text: String) -> PyResult<String> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = session.define(Source::new("definition", &*text).into());
        let entry = entry.map_err(|error| error::of_program(py, &text, &error))?;
        Ok(match &entry.content {
            Content::Value(definition) | Content::Answer(definition) => {
                format!("{} : {}", definition.name, definition.scheme)
            }
            Content::Type(alias) => format!("type {}", alias.name),
        })
    }

    /// The definitions, in order.
    #[getter]
    fn definitions(&self) -> Vec<String> {
        self.now().definitions().entries().iter().map(|entry| entry.source.text.clone()).collect()
    }

    /// The type of a program.
    fn type_of(&self, py: Python<'_>, text: String) -> PyResult<String> {
        let found = self.now().infer(&text);
        found.map(|(_, ty)| ty.to_string()).map_err(|error| error::of_program(py, &text, &error))
    }

    /// The value of a program, every real number in it as an Interval: within `eps` (10⁻⁶, where nothing is said), within `rel` of its
    /// size, or with so many `digits`. Natural numbers are ints, truth values are bools, or None on a border.
    ///
    /// >>> session = smoothish.Session()
    /// >>> session.eval('(sqrt 2, [1, 1/3], 2 < 3)', eps=0.01)
    /// (<Interval [1.4142, 1.4143]>, [<Interval [1, 1]>, <Interval [0.3333, 0.3334]>], True)
    /// >>> session.eval('exp (-1000)', digits=12).digits
    /// '5.075958897549…e-435'
    /// >>> session.eval('sin', eps=0.01)
    /// Traceback (most recent call last):
    ///     ...
    /// TypeError: a value of type `Real -> Real` shows no number; compile it
    #[pyo3(signature = (text, eps = None, *, rel = None, digits = None, timeout = Some(60.0)))]
    fn eval<'py>(
        &self,
        py: Python<'py>,
        text: String,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (to, session) = (accuracy(eps, rel, digits)?, self.now());
        let found = working(py, duration(timeout)?, |budget| session.ask(&text, &to, budget))?;
        let found = found.map_err(|error| error::of_session(py, &text, &error))?;
        let wrong = || PyTypeError::new_err(format!("a value of type `{}` shows no number; compile it", found.ty));
        python(py, &found.reply, &found.ty, &to)?.ok_or_else(wrong)
    }

    /// The Function that a program is: of type `A -> B -> … -> C`, all of them vectors.
    ///
    /// >>> f = smoothish.Session().compile('\\x y => (x * y, x / y)')
    /// >>> f.inputs, f.outputs
    /// (2, 2)
    #[pyo3(signature = (text, *, timeout = Some(60.0)))]
    fn compile(
        &self,
        py: Python<'_>,
        text: String,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Function> {
        let session = self.now();
        let found = working(py, duration(timeout)?, |budget| session.compile_within(&text, budget))?;
        let map = found.map_err(|error| error::of_session(py, &text, &error))?;
        Ok(Function::new(map, Some(text)))
    }

    /// The Real that a program is.
    #[pyo3(signature = (text, *, timeout = Some(60.0)))]
    fn real(
        &self,
        py: Python<'_>,
        text: String,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Real> {
        Real::of(py, &self.now(), text, timeout)
    }

    /// The certified Plot of a function from x = `lo` to x = `hi`, and of its derivatives of some `orders`.
    ///
    /// >>> picture = smoothish.Session().plot('\\x => abs x', -1, 1, orders=[0, 1], columns=5)
    /// >>> picture.columns(1)[2]
    /// (Fraction(-1, 5), Fraction(1, 5), <Interval [-1, 1]>)
    /// >>> picture.svg.startswith('<svg')
    /// True
    #[pyo3(signature = (text, lo, hi, *, orders = vec![0], columns = None, width = 640, height = None, timeout = Some(60.0)))]
    #[expect(clippy::too_many_arguments, reason = "they are named")]
    fn plot(
        &self,
        py: Python<'_>,
        text: String,
        lo: &Bound<'_, PyAny>,
        hi: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = wholes)] orders: Vec<i64>,
        #[pyo3(from_py_with = whole_or_none)] columns: Option<u32>,
        #[pyo3(from_py_with = whole)] width: u32,
        #[pyo3(from_py_with = whole_or_none)] height: Option<u32>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Plot> {
        let request = plot::request(lo, hi, &orders, columns, width, height)?;
        Plot::of(py, &self.now(), text, request, duration(timeout)?)
    }

    fn __repr__(&self) -> String {
        format!("<Session with {} definitions>", self.now().definitions().entries().len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let definitions = slf.get().definitions();
        Ok((slf.get_type().into_any(), (definitions,).into_pyobject(slf.py())?))
    }
}
