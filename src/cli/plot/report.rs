//! The report on a plot: its status, and its numbers as JSON.

use crate::cli::eval::{JSON_VERSION, notes_to_json};
use crate::cli::status::Status;
use crate::number::Rational;
use crate::plot::grid::format_exact;
use crate::plot::{CertifiedPlot, ColumnValues, Envelope, PlotColumn};
use crate::session::Answer;
use serde_json::{Value as Json, json};

/// Returns the status of a plot. Its tolerance is a pixel, to be reached in every column.
#[must_use]
pub fn plot_status(envelopes: &[Envelope]) -> Status {
    let mut columns = envelopes.iter().flat_map(|e| &e.columns);
    if columns.clone().all(|c| c.settled) {
        Status::Reached
    } else if columns.any(|c| c.enclosure().is_some_and(|range| !range.is_bottom())) {
        Status::Wide
    } else {
        Status::Nothing
    }
}

/// Writes
/// `{"version":1,"question":…,"from":…,"to":…,"plots":[{"deriv":0,"columns":[{"x_lo":…,"x_hi":…,"y_lo":…,"y_hi":…,
/// "state":…,"settled":…,"kink":{"lo":…,"hi":…}},…]},…],"reached":…,"ms":…}`. The ends of a column are exact, those of
/// its values are rounded outwards. `kink` is present if the column has one.
#[must_use]
pub fn to_json(drawn: &Answer<CertifiedPlot>) -> Json {
    let plot = drawn.value();
    let column = |c: &PlotColumn, eps: &Rational| {
        let [x_lo, x_hi] = c.x.each_ref().map(format_exact);
        let (state, ends) = match &c.values {
            ColumnValues::Within(range) => {
                let ends = range.print_decimals(eps);
                ("enclosed", [ends.lo().to_owned(), ends.hi().to_owned()])
            }
            ColumnValues::Undefined => ("undefined", ["-inf", "inf"].map(str::to_owned)),
            ColumnValues::Unknown => ("unknown", ["-inf", "inf"].map(str::to_owned)),
        };
        let [y_lo, y_hi] = ends;
        let mut column =
            json!({ "x_lo": x_lo, "x_hi": x_hi, "y_lo": y_lo, "y_hi": y_hi, "state": state, "settled": c.settled });
        if let Some(set) = &c.kink {
            let ends = set.print_decimals(eps);
            column["kink"] = json!({ "lo": ends.lo(), "hi": ends.hi() });
        }
        column
    };
    let envelope = |e: &Envelope| {
        // A choice: a sixteenth of a pixel, so that rounding is not visible in a picture drawn from the numbers.
        let eps = e.window.height() / plot.request.rows / 16u32;
        json!({ "deriv": e.order, "columns": e.columns.iter().map(|c| column(c, &eps)).collect::<Vec<_>>() })
    };
    let mut object = json!({ "version": JSON_VERSION, "question": plot.source });
    object["from"] = json!(format_exact(&plot.request.from));
    object["to"] = json!(format_exact(&plot.request.to));
    object["plots"] = plot.envelopes.iter().map(envelope).collect();
    object["reached"] = json!(plot_status(&plot.envelopes) == Status::Reached);
    let notes = notes_to_json(drawn.notes());
    if !notes.is_empty() {
        object["notes"] = json!(notes);
    }
    object["ms"] = json!((drawn.elapsed().as_secs_f64() * 1e6).round() / 1e3);
    object
}
