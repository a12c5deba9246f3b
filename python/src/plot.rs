//! Certified plots.

use crate::error;
use crate::exact::{fraction, rational, whole};
use crate::interval::Interval;
use crate::signals::working;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use smoothish::plot::figure::{self, Figure};
use smoothish::plot::{self, PlotError, Request, png, svg};
use smoothish::session::Session;
use std::time::Duration;

/// A certified plot: over every column an interval that contains all values of the function, or of a derivative.
///
/// In a notebook it shows itself.
#[pyclass(frozen, module = "smoothish")]
pub struct Plot {
    plot: plot::Plot,
    size: [u32; 2],
}

/// What is to be plotted, and the size of the picture.
pub struct Asked {
    request: Request,
    size: [u32; 2],
}

/// The part of a picture's width that its columns have, where nothing else is said.
const COLUMNS: f64 = 0.9;

pub fn request(
    lo: &Bound<'_, PyAny>,
    hi: &Bound<'_, PyAny>,
    orders: &[i64],
    columns: Option<u32>,
    width: u32,
    height: Option<u32>,
) -> PyResult<Asked> {
    let known = orders.iter().map(|order| u32::try_from(*order)).collect::<Result<Vec<_>, _>>();
    let orders = known.ok().filter(|orders| !orders.is_empty()).ok_or_else(|| {
        PyValueError::new_err(format!("orders are those of derivatives, one at least and none below 0; not {orders:?}"))
    })?;
    let height = height.unwrap_or_else(|| figure::usual_height(orders.len()).min(figure::MOST));
    for (what, size) in [("width", width), ("height", height)] {
        if !(figure::LEAST..=figure::MOST).contains(&size) {
            let message = format!("{what} must lie between {} and {}, not {size}", figure::LEAST, figure::MOST);
            return Err(PyValueError::new_err(message));
        }
    }
    let rows = figure::rows(height, orders.len().max(1));
    let columns = columns.unwrap_or((f64::from(width) * COLUMNS) as u32);
    let request = Request { columns, rows, orders, ..Request::new(rational(lo)?, rational(hi)?) };
    Ok(Asked { request, size: [width, height] })
}

impl Plot {
    pub fn of(
        py: Python<'_>,
        session: &Session,
        text: String,
        asked: Asked,
        timeout: Option<Duration>,
    ) -> PyResult<Self> {
        let found = working(py, timeout, |budget| {
            asked.request.check()?;
            plot::envelopes(&session.curve(&text)?, &text, &asked.request, budget)
        })?;
        let failed = |error: PlotError| match error {
            PlotError::Program(error) => error::of_program(py, &text, &error),
            PlotError::Interpretation(error) => error::plain(py, &error),
            PlotError::Evaluation { error, .. } => error::plain(py, &error),
            other => PyValueError::new_err(other.to_string()),
        };
        Ok(Self { plot: found.map_err(failed)?, size: asked.size })
    }

    fn figure(&self) -> Figure {
        Figure::new(&self.plot, self.size[0], self.size[1])
    }
}

#[pymethods]
impl Plot {
    /// The picture as SVG.
    #[getter]
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| svg::render(&self.figure()))
    }

    /// The picture as PNG.
    #[getter]
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| png::render(&self.figure()).map_err(|error| error.to_string()));
        Ok(PyBytes::new(py, &bytes.map_err(PyValueError::new_err)?))
    }

    /// The orders of the derivatives.
    #[getter]
    fn orders(&self) -> Vec<u32> {
        self.plot.request.orders.clone()
    }

    /// The columns of the derivative of an order: for each its left end, its right end, and an Interval of all values between; None
    /// where nothing is known.
    #[pyo3(signature = (order = 0))]
    fn columns<'py>(&self, py: Python<'py>, #[pyo3(from_py_with = whole)] order: u32) -> PyResult<Vec<Column<'py>>> {
        let envelope = self.plot.envelopes.iter().find(|envelope| envelope.order == order);
        let envelope = envelope.ok_or_else(|| PyIndexError::new_err(format!("there is no plot of order {order}")))?;
        let column = |column: &plot::Column| {
            let [lo, hi] = [fraction(py, &column.x[0])?, fraction(py, &column.x[1])?];
            Ok((lo, hi, column.enclosure().map(|found| Interval::known(found.clone()))))
        };
        envelope.columns.iter().map(column).collect()
    }

    fn __repr__(&self) -> String {
        let [lo, hi] = [&self.plot.request.from, &self.plot.request.to];
        format!("<Plot of {} from {lo} to {hi}>", self.plot.source)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py)
    }
}

/// The ends of a column, and what is known of it.
type Column<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Interval>);
