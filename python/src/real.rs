//! Real numbers that can be asked again and again.

use crate::error;
use crate::exact::{accuracy, duration, seconds};
use crate::interval::Interval;
use crate::signals::working;
use pyo3::prelude::*;
use smoothish::number::real;
use smoothish::session::Session;
use smoothish::smooth::question::GraphEvaluation;

/// A real number that can be asked again and again: what it has learnt it keeps.
///
/// >>> number = smoothish.Real('integral01 (\\x => exp (x * x))')
/// >>> number.refine(eps='1e-3')
/// <Interval [1.46265, 1.46266]>
/// >>> number.refine(digits=20).digits
/// '1.462651745907181608804…'
/// >>> number.best in number.refine(eps=0.1)
/// True
#[pyclass(frozen, module = "smoothish")]
pub struct Real {
    text: String,
    number: real::RefinableReal<GraphEvaluation>,
}

impl Real {
    pub fn of(py: Python<'_>, session: &Session, text: String, timeout: Option<f64>) -> PyResult<Self> {
        let found = working(py, duration(timeout)?, |budget| session.compile_real(&text, budget))?;
        let number = found.map_err(|error| error::of_session(py, session, &text, &error))?;
        Ok(Self { text, number })
    }
}

#[pymethods]
impl Real {
    #[new]
    #[pyo3(signature = (text, *, timeout = Some(60.0)))]
    fn new(py: Python<'_>, text: String, #[pyo3(from_py_with = seconds)] timeout: Option<f64>) -> PyResult<Self> {
        Self::of(py, &Session::new(), text, timeout)
    }

    /// An interval that contains the number, as narrow as is asked: within `eps`, within `rel` of its size, or with so many
    /// `digits`; or what was found in `timeout` seconds.
    #[pyo3(signature = (eps = None, *, rel = None, digits = None, timeout = Some(60.0)))]
    fn refine(
        &self,
        py: Python<'_>,
        eps: Option<&Bound<'_, PyAny>>,
        rel: Option<&Bound<'_, PyAny>>,
        digits: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = seconds)] timeout: Option<f64>,
    ) -> PyResult<Interval> {
        let to = accuracy(eps, rel, digits)?;
        let found = working(py, duration(timeout)?, |budget| self.number.enclose_to(&to, budget))?;
        Ok(Interval::answer(&found.map_err(|error| error::plain(py, &error))?, &to))
    }

    /// The best interval so far.
    #[getter]
    fn best(&self) -> Interval {
        Interval::known(self.number.best_enclosure())
    }

    /// The program.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Real({:?})", self.text)
    }

    fn _repr_html_(&self) -> String {
        self.best().html()
    }
}
