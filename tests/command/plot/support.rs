//! Plots of programs, and what they are held against.

use smoothish::model::answer::AnswerNumber;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::plot::axis::parse_coordinate;
use smoothish::plot::{CertifiedPlot, ColumnValues, Envelope, PlotError, PlotRequest, plot_function};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The session of all tests.
pub static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

/// A rational, as it is written on the command line.
pub fn q(text: &str) -> Rational {
    parse_coordinate(text).unwrap()
}

/// What to plot: a program, its ends, columns, and orders.
pub fn request(from: &str, to: &str, columns: u32, orders: &[u32]) -> PlotRequest {
    PlotRequest { columns, rows: 100, orders: orders.to_vec(), ..PlotRequest::new(q(from), q(to)) }
}

/// The plot of a program.
pub fn plot(source: &str, request: &PlotRequest) -> Result<CertifiedPlot, PlotError> {
    plot_function(
        &SESSION.infer_curve(source)?,
        source,
        request,
        &Arc::new(Budget::with_time_limit(Duration::from_secs(100))),
    )
}

/// The plot of a program that is right.
pub fn plotted(source: &str, request: &PlotRequest) -> CertifiedPlot {
    let plot = plot(source, request).unwrap_or_else(|e| panic!("{source}: {e}"));
    assert!(!plot.exhausted, "{source}");
    plot
}

/// The value of a real program, by another way than that of plots: asked at a point.
pub fn ask(source: &str) -> Enclosure {
    let answer = SESSION.ask(&Evaluate::new(source).with_width("1e-12"), &Limits::seconds(20));
    match answer.unwrap_or_else(|e| panic!("{source}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => found.enclosure,
        other => panic!("{source}: {other:?}"),
    }
}

/// The samples of a column: its ends, and points between.
pub fn samples(x: &[Rational; 2], parts: u32) -> impl Iterator<Item = Rational> {
    let width = Rational::from(&x[1] - &x[0]);
    (0..=parts).map(move |i| &x[0] + Rational::from(&width * i) / parts)
}

/// What is wrong with an envelope, given the value at any point: one that lies outside, and one that is not defined
/// though the column is said to be.
pub fn faults(envelope: &Envelope, parts: u32, value: impl Fn(&Rational) -> Enclosure) -> Vec<String> {
    let mut faults = Vec::new();
    for column in &envelope.columns {
        let ColumnValues::Within(range) = &column.values else { continue };
        for x in samples(&column.x, parts) {
            let value = value(&x);
            // a value that is a set lies in the range with both of its ends, each known to 1e-12
            let ends = [value.lo(), value.hi()].map(|end| Enclosure::point(end.clone()));
            let near = ends.into_iter().all(|end| {
                end.is_ok_and(|end| {
                    let slack = decimal::parse("1e-12").unwrap();
                    *end.lo() >= range.lo().clone() - &slack && *end.hi() <= range.hi().clone() + &slack
                })
            });
            if !value.is_defined() || !range.overlaps(&value) || !near {
                faults.push(format!("at {x}: {value} is not in {range}"));
            }
        }
    }
    faults
}
