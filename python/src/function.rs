//! Maps ℝⁿ ⇝ ℝᵐ.

use crate::batch::Wanted;
use crate::exact::{accuracy, arguments, duration, point, rational, seconds};
use crate::interval::Interval;
use crate::signals::{Signals, working};
use crate::{batch, error};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyTuple};
use smoothish::number::Rational;
use smoothish::number::real::Precision;
use smoothish::session::Session;
use smoothish::smooth::dimension::Dyn;
use smoothish::smooth::graph::Graph;
use smoothish::smooth::map::Map;
use smoothish::smooth::map::range::DEFAULT_WORK;

/// A function from vectors to vectors, which is asked for values, Jacobians and gradients: enclosures, all of them.
///
/// Made by `compile`, `from_jax`, `from_bytes` or `from_json`. Points in float64 are those exact numbers.
///
/// >>> f = smoothish.compile('\\x y => x * sin x + max x y')
/// >>> f(1.0, 2.0)
/// <Interval [2.84147098480789628, 2.84147098480789673]>
/// >>> f.at((1, '1/3'), eps='1e-20')
/// <Interval [1.8414709848078965066525, 1.8414709848078965066526]>
/// >>> f.jacobian_at((1, 1), eps='1e-6')[0][1]
/// <Interval [0, 1], not as narrow as asked>
/// >>> batch = f.batch([[1.0, 2.0], [3.0, 4.0]])
/// >>> batch.lo.shape, bool((batch.hi - batch.lo < 1e-14).all())
/// ((2,), True)
/// >>> f.gradient([3.0, 4.0]).lo.round(6).tolist()
/// [-2.828857, 1.0]
#[pyclass(frozen, module = "smoothish")]
pub struct Function {
    map: Map<Dyn, Dyn>,
    source: Option<String>,
    notes: Vec<String>,
    /// The session with the definitions of the names in its source, if it was compiled here.
    session: Option<Session>,
}

impl Function {
    /// Makes the function that a program was compiled to.
    pub fn of_program(map: Map<Dyn, Dyn>, source: String, session: Session) -> Self {
        Self { map, source: Some(source), notes: Vec::new(), session: Some(session) }
    }

    /// The program that it was compiled from, and what the names in it are.
    pub fn program(&self) -> Option<(&str, &Session)> {
        Some((self.source.as_deref()?, self.session.as_ref()?))
    }

    pub fn map(&self) -> &Map<Dyn, Dyn> {
        &self.map
    }

    fn n(&self) -> usize {
        self.map.as_dyn().input_count()
    }

    fn m(&self) -> usize {
        self.map.as_dyn().outputs().len()
    }

    /// A point of doubles; exact, or refused.
    fn doubles(&self, x: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let double = |q: &Rational| {
            let double = q.to_f64();
            let is_it = Rational::from_f64(double).as_ref() == Some(q);
            is_it.then_some(double).ok_or_else(|| PyValueError::new_err(format!("{q} is no float64; ask `at`")))
        };
        self.fits(point(x)?)?.iter().map(double).collect()
    }

    fn fits<T>(&self, x: Vec<T>) -> PyResult<Vec<T>> {
        if x.len() == self.n() {
            return Ok(x);
        }
        Err(PyValueError::new_err(format!("a point of this function has {} coordinates, not {}", self.n(), x.len())))
    }

    /// Rows of points, and whether there is only one, which was no array of rows.
    fn rows<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>) -> PyResult<(PyReadonlyArray2<'py, f64>, bool)> {
        py.import("smoothish._values")?.getattr("rows")?.call1((x, self.n()))?.extract()
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        wanted: Wanted<'_>,
        inner: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let (rows, is_single) = self.rows(py, x)?;
        let count = numpy::PyUntypedArrayMethods::shape(&*rows)[0];
        let shape: Vec<usize> = std::iter::once(count).chain(inner.iter().copied()).collect();
        let found = batch::run(py, &self.map, &rows, wanted, &shape)?;
        if is_single { found.call_method0("first") } else { Ok(found) }
    }

    /// One number, or several.
    fn one_or_all<'py>(&self, py: Python<'py>, all: Vec<Interval>) -> PyResult<Bound<'py, PyAny>> {
        match <[Interval; 1]>::try_from(all) {
            Ok([one]) => Ok(Bound::new(py, one)?.into_any()),
            Err(all) => Ok(PyTuple::new(py, all)?.into_any()),
        }
    }

    fn cotangent(&self, w: &Bound<'_, PyAny>) -> PyResult<Vec<Rational>> {
        let w = point(w)?;
        if w.len() == self.m() {
            return Ok(w);
        }
        Err(PyValueError::new_err(format!("a cotangent of this function has {} components, not {}", self.m(), w.len())))
    }

    /// That of a gradient.
    fn single(&self) -> PyResult<()> {
        if self.m() == 1 {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "a gradient is that of one number, not of {}; ask `vjp` or `jacobian`",
            self.m()
        )))
    }

    fn eps(eps: Option<&Bound<'_, PyAny>>) -> PyResult<Rational> {
        Ok(accuracy(eps, None, None)?.smallest_tolerance())
    }
}

#[pymethods]
impl Function {
    /// The number of arguments.
    #[getter]
    fn inputs(&self) -> usize {
        self.n()
    }

    /// The number of values.
    #[getter]
    fn outputs(&self) -> usize {
        self.m()
    }

    /// The number of operations, equal ones that are shared counted once.
    #[getter]
    fn nodes(&self) -> usize {
        Graph::all_nodes(self.map.as_dyn().outputs()).len()
    }

    /// The program that it was compiled from, if it was.
    #[getter]
    fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// What a translation has to say of it.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.notes)
    }

    /// The value at a point of float64, by one run in float64: an Interval, or a tuple of them. Rows of points make a `batch`.
    ///
    /// >>> smoothish.compile('\\x => abs x')(-2.5)
    /// <Interval 2.5>
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let floats =
            args.iter_borrowed().map(|x| x.cast::<PyFloat>().ok().map(|x| x.value())).collect::<Option<Vec<_>>>();
        let x = match floats {
            Some(floats) if floats.len() == self.n() => floats,
            _ => {
                let x = arguments(args)?;
                let has_rows = |x: &Bound<'py, PyAny>| -> Option<bool> {
                    let dimensions: usize = x.getattr_opt("ndim").ok()??.extract().ok()?;
                    Some(dimensions >= 2 || (dimensions == 1 && self.n() == 1))
                };
                if has_rows(&x) == Some(true) {
                    return self.batch(py, &x);
                }
                self.doubles(&x)?
            }
        };
        let signals = Signals::new();
        let budget = signals.budget(DEFAULT_WORK, None);
        let found = py.detach(|| self.map.doubles_within(&x, &budget));
        signals.check()?;
        let found = found.map_err(|error| error::of_map(py, &error))?;
        self.one_or_all(py, found.iter().map(Interval::found).collect())
    }

    /// The values at rows of points, by one run in float64 each: a Batch of arrays `lo`, `hi`, `defined`, of shape (k, outputs), or
    /// (k,) for one output. The points are an array of shape (k, inputs), or (k,) for one input.
    ///
    /// >>> import numpy
    /// >>> sqrt = smoothish.compile('\\x => sqrt x')
    /// >>> sqrt.batch(numpy.array([4.0, -1.0])).defined.tolist()
    /// [True, False]
    fn batch<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let inner = [self.m()];
        self.run(py, points, Wanted::Value, if self.m() == 1 { &[] } else { &inner })
    }

    /// The value at an exact point, as narrow as is asked: an Interval, or a tuple of them. Coordinates are ints, floats,
    /// Fractions, or texts such as '1/3' and '0.1'.
    ///
    /// >>> smoothish.compile('\\x => exp x').at('0.1', digits=20).digits
    /// '1.105170918075647624811…'
    #[pyo3(signature = (x, eps = None, *, rel = None, digits = None, timeout = Some(60.0)))]
    fn at<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        rel: Option<&Bound<'py, PyAny>>,
        digits: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (to, x) = (accuracy(eps, rel, digits)?, self.fits(point(x)?)?);
        let found = working(py, duration(timeout)?, |budget| self.map.at_slice(&x)?.enclose_to(&to, budget))?;
        let found = found.map_err(|error| error::of_map(py, &error))?;
        self.one_or_all(py, found.components.iter().map(|answer| Interval::answer(answer, &to)).collect())
    }

    /// All Clarke derivatives at a point of float64, or at rows of them, by one run in float64: a Batch of arrays of shape (outputs, inputs),
    /// or (k, outputs, inputs).
    ///
    /// >>> smoothish.compile('\\x y => max x y').jacobian([1.0, 1.0]).hi.tolist()
    /// [[1.0, 1.0]]
    fn jacobian<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, points, Wanted::Jacobian, &[self.m(), self.n()])
    }

    /// All Clarke derivatives at an exact point, within `eps`: a tuple of rows, tuples of Intervals. At a kink they stay wide.
    #[pyo3(signature = (x, eps = None, *, timeout = Some(60.0)))]
    fn jacobian_at<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (eps, x) = (Self::eps(eps)?, self.fits(point(x)?)?);
        let found = working(py, duration(timeout)?, |budget| self.map.jacobian_at(&x, &eps, budget))?;
        let to = eps.into();
        let row = |answers: &smoothish::smooth::map::range::Evaluations| {
            PyTuple::new(py, answers.components.iter().map(|answer| Interval::answer(answer, &to)))
        };
        let rows: PyResult<Vec<_>> = found.map_err(|error| error::of_map(py, &error))?.iter().map(row).collect();
        PyTuple::new(py, rows?)
    }

    /// The gradient of a function of one output at a point of float64, or at rows of them, in one sweep back: a Batch of arrays of shape
    /// (inputs,), or (k, inputs).
    fn gradient<'py>(&self, py: Python<'py>, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.single()?;
        self.run(py, points, Wanted::Vjp(&[1.0]), &[self.n()])
    }

    /// The gradient at an exact point, within `eps`, in one sweep back: a tuple of Intervals.
    ///
    /// >>> smoothish.compile('\\x y => x * y').gradient_at(('1/3', 2), eps='1e-9')[1]
    /// <Interval [0.33333333333, 0.33333333334]>
    #[pyo3(signature = (x, eps = None, *, timeout = Some(60.0)))]
    fn gradient_at<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        self.single()?;
        self.vjp_at(py, x, &1i64.into_pyobject(py)?.into_any(), eps, timeout)
    }

    /// The product of a cotangent with the Jacobian at a point of float64, or at rows of them, in one sweep back: a Batch of arrays of
    /// shape (inputs,), or (k, inputs).
    fn vjp<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        cotangent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let w: Vec<f64> = self.cotangent(cotangent)?.iter().map(Rational::to_f64).collect();
        self.run(py, points, Wanted::Vjp(&w), &[self.n()])
    }

    /// The same at an exact point, within `eps`: a tuple of Intervals.
    #[pyo3(signature = (x, cotangent, eps = None, *, timeout = Some(60.0)))]
    fn vjp_at<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        cotangent: &Bound<'py, PyAny>,
        eps: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (eps, x, w) = (Self::eps(eps)?, self.fits(point(x)?)?, self.cotangent(cotangent)?);
        let found = working(py, duration(timeout)?, |budget| self.map.vjp_at(&x, &w, &eps, budget))?;
        let found = found.map_err(|error| error::of_map(py, &error))?;
        let to = eps.into();
        PyTuple::new(py, found.components.iter().map(|answer| Interval::answer(answer, &to)))
    }

    /// Enclosures of all values on a box, by one run with so many bits: what the package follows loops with.
    fn _range(
        &self,
        py: Python<'_>,
        lo: Vec<Bound<'_, PyAny>>,
        hi: Vec<Bound<'_, PyAny>>,
        bits: u32,
    ) -> PyResult<Vec<Interval>> {
        let side = |(lo, hi): (&Bound<'_, PyAny>, &Bound<'_, PyAny>)| Ok([rational(lo)?, rational(hi)?]);
        let ranges = lo.iter().zip(&hi).map(side).collect::<PyResult<Vec<_>>>()?;
        let found = working(py, None, |budget| self.map.range_slice(&ranges, Precision::Mpfr(bits), budget))?;
        let found = found.map_err(|error| error::of_map(py, &error))?;
        Ok(found.into_iter().map(Interval::known).collect())
    }

    /// The function as bytes, for other programs and other machines; the book says what they are.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.map.to_bytes());
        Ok(PyBytes::new(py, &bytes.map_err(|error| error::of_exchange(py, &error))?))
    }

    /// The function that bytes are. Any bytes can be tried: there is a Function or a FormatError.
    ///
    /// >>> f = smoothish.compile('\\x => x * x')
    /// >>> smoothish.Function.from_bytes(f.to_bytes())(3.0)
    /// <Interval 9>
    #[staticmethod]
    #[pyo3(signature = (data, source = None, notes = Vec::new()))]
    fn from_bytes(py: Python<'_>, data: &[u8], source: Option<String>, notes: Vec<String>) -> PyResult<Self> {
        let map = py.detach(|| Map::from_bytes(data)).map_err(|error| error::of_exchange(py, &error))?;
        Ok(Self { map, source, notes, session: None })
    }

    /// The function as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.map.to_json()).map_err(|error| error::of_exchange(py, &error))
    }

    /// The function that JSON is.
    #[staticmethod]
    #[pyo3(signature = (text, source = None, notes = Vec::new()))]
    fn from_json(py: Python<'_>, text: &str, source: Option<String>, notes: Vec<String>) -> PyResult<Self> {
        let map = py.detach(|| Map::from_json(text)).map_err(|error| error::of_exchange(py, &error))?;
        Ok(Self { map, source, notes, session: None })
    }

    fn __repr__(&self) -> String {
        let space = |n: usize| if n == 1 { "R".to_owned() } else { format!("R^{n}") };
        let of = self.source.as_ref().map(|source| format!(" of {source}")).unwrap_or_default();
        format!("<Function {} -> {}{of}>", space(self.n()), space(self.m()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, own) = (slf.py(), slf.get());
        let state = (own.to_bytes(py)?, own.source.clone(), own.notes.clone());
        Ok((slf.get_type().getattr("from_bytes")?, state.into_pyobject(py)?))
    }

    fn __dask_tokenize__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        ("smoothish.Function", self.to_bytes(py)?).into_pyobject(py)
    }
}
