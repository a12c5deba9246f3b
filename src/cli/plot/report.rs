//! What is said about a plot: its status, notes for a person, numbers for a program.

use super::is_utf8;
use crate::cli::ask::{Drawn, Stop};
use crate::cli::eval::{JSON_VERSION, MEMORY_SHORT};
use crate::cli::status::Status;
use crate::cli::tolerance::Timeout;
use crate::number::Rational;
use crate::plot::grid::written;
use crate::plot::{Column, Envelope, Values, symbol};
use serde_json::{Value as Json, json};

/// How many parts of the interval a note names.
const NAMED: usize = 3;

/// The tolerance of a plot is a pixel, to be reached on every column.
#[must_use]
pub fn status(envelopes: &[Envelope]) -> Status {
    let mut columns = envelopes.iter().flat_map(|e| &e.columns);
    if columns.clone().all(|c| c.settled) {
        Status::Reached
    } else if columns.any(|c| c.enclosure().is_some_and(|range| !range.is_bottom())) {
        Status::Wide
    } else {
        Status::Nothing
    }
}

/// What can be wrong with a column, how it is found out, and what cut the work short where that may be why.
type Kind<'c> = (&'static str, &'c dyn Fn(&Column) -> bool, &'c str);

/// What a person is told beside the picture.
#[must_use]
pub fn notes(drawn: &Drawn, timeout: Timeout) -> Vec<String> {
    let mut notes = drawn.notes.clone();
    let cut = match drawn.stopped {
        None => String::new(),
        Some(Stop::Time) => format!(" within {timeout} s"),
        Some(Stop::Memory) => MEMORY_SHORT.to_owned(),
        Some(Stop::Interrupt) => " before it was interrupted".to_owned(),
    };
    for envelope in &drawn.plot.envelopes {
        let all = envelope.columns.len();
        let name = match (envelope.order, drawn.plot.envelopes.len()) {
            (0, 1) => String::new(),
            (k, _) => format!("{}: ", symbol(k, !is_utf8())),
        };
        let kinds: [Kind; 3] = [
            ("not shown to be defined", &|c| c.values == Values::Undefined, ""),
            ("nothing was found out", &|c| c.values == Values::Unknown, &cut),
            ("not shown to be within a pixel of the truth", &|c| c.enclosure().is_some() && !c.settled, &cut),
        ];
        for (what, belongs, cut) in kinds {
            let found: Vec<&Column> = envelope.columns.iter().filter(|c| belongs(c)).collect();
            if !found.is_empty() {
                notes.push(format!("{name}{what}{cut} on {} of {all} columns: {}", found.len(), places(&found)));
            }
        }
    }
    notes
}

/// The intervals that columns make up together.
fn places(columns: &[&Column]) -> String {
    let mut runs: Vec<[&Rational; 2]> = Vec::new();
    for column in columns {
        let [left, right] = column.x.each_ref();
        match runs.last_mut() {
            Some(run) if run[1] == left => run[1] = right,
            _ => runs.push([left, right]),
        }
    }
    let named = runs.iter().take(NAMED).map(|[a, b]| format!("[{}, {}]", written(a), written(b)));
    let more = if runs.len() > NAMED { ", …" } else { "" };
    format!("x in {}{more}", named.collect::<Vec<_>>().join(", "))
}

/// `{"version":1,"question":…,"from":…,"to":…,"plots":[{"deriv":0,"columns":[{"x_lo":…,"x_hi":…,"y_lo":…,"y_hi":…,
/// "state":…,"settled":…,"kink":{"lo":…,"hi":…}},…]},…],"reached":…,"ms":…}`: the ends of a column exactly, those of its values
/// rounded outward; `kink` where the column has one.
#[must_use]
pub fn to_json(drawn: &Drawn) -> Json {
    let plot = &drawn.plot;
    let column = |c: &Column, eps: &Rational| {
        let [x_lo, x_hi] = c.x.each_ref().map(written);
        let (state, ends) = match &c.values {
            Values::Within(range) => {
                let ends = range.decimals(eps);
                ("enclosed", [ends.lo().to_owned(), ends.hi().to_owned()])
            }
            Values::Undefined => ("undefined", ["-inf", "inf"].map(str::to_owned)),
            Values::Unknown => ("unknown", ["-inf", "inf"].map(str::to_owned)),
        };
        let [y_lo, y_hi] = ends;
        let mut column =
            json!({ "x_lo": x_lo, "x_hi": x_hi, "y_lo": y_lo, "y_hi": y_hi, "state": state, "settled": c.settled });
        if let Some(set) = &c.kink {
            let ends = set.decimals(eps);
            column["kink"] = json!({ "lo": ends.lo(), "hi": ends.hi() });
        }
        column
    };
    let envelope = |e: &Envelope| {
        let eps = e.window.height() / plot.request.rows / 16u32;
        json!({ "deriv": e.order, "columns": e.columns.iter().map(|c| column(c, &eps)).collect::<Vec<_>>() })
    };
    let mut object = json!({ "version": JSON_VERSION, "question": plot.source });
    object["from"] = json!(written(&plot.request.from));
    object["to"] = json!(written(&plot.request.to));
    object["plots"] = plot.envelopes.iter().map(envelope).collect();
    object["reached"] = json!(status(&plot.envelopes) == Status::Reached);
    if !drawn.notes.is_empty() {
        object["notes"] = json!(drawn.notes);
    }
    object["ms"] = json!((drawn.elapsed.as_secs_f64() * 1e6).round() / 1e3);
    object
}
