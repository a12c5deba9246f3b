//! Certified plots.

use crate::answer::notes;
use crate::exact::{argument, fraction, rational, whole};
use crate::interval::Interval;
use crate::signals::ask;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use smoothish::plot::figure::{self, Figure};
use smoothish::plot::{self, PlotRequest, png, svg};
use smoothish::session::{Answer, Question, Session};
use std::time::Duration;

/// A certified plot: over every column an interval that contains all values of the function, or of a derivative.
///
/// In a notebook it shows itself.
#[pyclass(frozen, module = "smoothish")]
pub struct Plot {
    answer: Answer<plot::CertifiedPlot>,
    size: [u32; 2],
}

/// The part of a picture's width that its columns have, where nothing else is said.
const COLUMNS: f64 = 0.9;

/// What is to be plotted, and the size of the picture.
pub fn request(
    lo: &Bound<'_, PyAny>,
    hi: &Bound<'_, PyAny>,
    orders: &[i64],
    columns: Option<u32>,
    width: u32,
    height: Option<u32>,
) -> PyResult<(PlotRequest, [u32; 2])> {
    let known = orders.iter().map(|order| u32::try_from(*order)).collect::<Result<Vec<_>, _>>();
    let orders = known.ok().filter(|orders| !orders.is_empty()).ok_or_else(|| {
        PyValueError::new_err(format!("orders are those of derivatives, one at least and none below 0; not {orders:?}"))
    })?;
    let height = height.unwrap_or_else(|| figure::default_height(orders.len()).min(figure::MAX_SIZE));
    for (what, size) in [("width", width), ("height", height)] {
        if !(figure::MIN_SIZE..=figure::MAX_SIZE).contains(&size) {
            let message = format!("{what} must lie between {} and {}, not {size}", figure::MIN_SIZE, figure::MAX_SIZE);
            return Err(PyValueError::new_err(message));
        }
    }
    let rows = figure::rows_per_panel(height, orders.len().max(1));
    let columns = columns.unwrap_or((f64::from(width) * COLUMNS) as u32);
    let request = PlotRequest {
        columns,
        rows,
        orders,
        ..PlotRequest::new(argument("lo", lo, rational)?, argument("hi", hi, rational)?)
    };
    Ok((request, [width, height]))
}

impl Plot {
    /// The plot that answers a question, in a picture of some size.
    pub fn of<Q: Question<Output = plot::CertifiedPlot> + Sync>(
        py: Python<'_>,
        session: &Session,
        question: &Q,
        size: [u32; 2],
        timeout: Option<Duration>,
    ) -> PyResult<Self> {
        Ok(Self { answer: ask(py, session, question, timeout)?, size })
    }

    fn figure(&self) -> Figure {
        Figure::new(self.answer.value(), self.size[0], self.size[1])
    }
}

#[pymethods]
impl Plot {
    /// The picture as SVG.
    #[getter]
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| svg::render_svg(&self.figure()))
    }

    /// The picture as PNG.
    #[getter]
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| png::render_png(&self.figure()).map_err(|error| error.to_string()));
        Ok(PyBytes::new(py, &bytes.map_err(PyValueError::new_err)?))
    }

    /// The orders of the derivatives.
    #[getter]
    fn orders(&self) -> Vec<u32> {
        self.answer.value().request.orders.clone()
    }

    /// The columns of the derivative of an order: for each its left end, its right end, and an Interval of all values between; None
    /// where nothing is known.
    #[pyo3(signature = (order = 0))]
    fn columns<'py>(&self, py: Python<'py>, #[pyo3(from_py_with = whole)] order: u32) -> PyResult<Vec<Column<'py>>> {
        let envelope = self.answer.value().envelopes.iter().find(|envelope| envelope.order == order);
        let envelope = envelope.ok_or_else(|| PyIndexError::new_err(format!("there is no plot of order {order}")))?;
        let column = |column: &plot::PlotColumn| {
            let [lo, hi] = [fraction(py, &column.x[0])?, fraction(py, &column.x[1])?];
            Ok((lo, hi, column.enclosure().map(|found| Interval::known(found.clone()))))
        };
        envelope.columns.iter().map(column).collect()
    }

    /// What there is to say beside the picture: on which columns the function is not shown to be defined, for one.
    ///
    /// >>> [str(note) for note in smoothish.plot('\\x => sqrt x', -1, 1, columns=4).notes]
    /// ['not shown to be defined on 2 of 4 columns: x in [-1, 0]']
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        notes(py, self.answer.notes())
    }

    /// Whether every column is as narrow as a pixel shows.
    #[getter]
    fn reached(&self) -> bool {
        self.answer.is_reached()
    }

    /// What cut the work short: time, work, memory or interrupt; None where nothing did.
    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.answer.stopped().map(|stop| stop.id())
    }

    /// How long it took, in seconds.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.answer.elapsed().as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let plot = self.answer.value();
        let [lo, hi] = [&plot.request.from, &plot.request.to];
        format!("<Plot of {} from {lo} to {hi}>", plot.source)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py)
    }
}

/// The ends of a column, and what is known of it.
type Column<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Interval>);
