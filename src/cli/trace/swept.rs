//! The option `trace --strategy tape`: values and derivatives by a tape, without a trace.

use super::{TraceOptions, format_value, value_to_json};
use crate::cli::eval::JSON_VERSION;
use crate::cli::evaluator::TheorySession;
use crate::session::{Diagnostic, Limits, RunTape, SweptValue};
use crate::syntax::source::SourceText;
use crate::trace::question::TapeAnswer;
use crate::trace::value::CoreValue;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Evaluates an expression by a tape, and formats its value, and its derivative if requested.
pub(super) fn answer_by_tape(
    options: &TraceOptions,
    library: &TheorySession,
    limits: &Limits,
    source: &Arc<SourceText>,
) -> Result<String, Diagnostic> {
    let question = RunTape::from_source(source.clone()).reverse(options.reverse).unfoldings(options.fuel);
    let question = question.in_doubles(options.double);
    let question = match &options.at {
        Some(point) => question.at(point),
        None => question,
    };
    let found = library.ask(&question, limits)?.into_value();
    Ok(if options.asked.format.is_json() { sweep_to_json(&source.text, &found) } else { format_swept(&found) })
}

/// Formats a value with the arithmetic by which it was computed.
fn format_swept(found: &SweptValue) -> String {
    match found {
        SweptValue::Certified(swept) => format_sweep(swept, "certified", &format_value),
        SweptValue::Doubles(swept) => {
            format_sweep(swept, "doubles, of which nothing is certain", &|found| found.to_string())
        }
    }
}

/// Formats the value. With derivatives, the value is a comment, and the derivative of each of its numbers follows.
fn format_sweep<R>(swept: &TapeAnswer<R>, numbers: &str, of: &dyn Fn(&CoreValue<R>) -> String) -> String {
    let value = of(&swept.value);
    let rows: Vec<String> = swept.reverse.iter().map(of).collect();
    match &rows[..] {
        [] => format!("! by a tape, {numbers}\n{value}"),
        [row] => format!("! by a tape, {numbers}; the value is {value}\n{row}"),
        rows => format!("! by a tape, {numbers}; the value is {value}\n({})", rows.join(", ")),
    }
}

/// Writes `{"version":1,"question":…,"certified":…,"value":…,"reverse":[…]}`.
fn sweep_to_json(question: &str, found: &SweptValue) -> String {
    let (certified, value, reverse) = match found {
        SweptValue::Certified(swept) => {
            (true, value_to_json(&swept.value), rows_to_json(&swept.reverse, &value_to_json))
        }
        SweptValue::Doubles(swept) => {
            (false, doubles_to_json(&swept.value), rows_to_json(&swept.reverse, &doubles_to_json))
        }
    };
    json!({
        "version": JSON_VERSION,
        "question": question,
        "certified": certified,
        "value": value,
        "reverse": reverse,
    })
    .to_string()
}

/// Writes each row as JSON.
fn rows_to_json<R>(rows: &[CoreValue<R>], of: &dyn Fn(&CoreValue<R>) -> Json) -> Vec<Json> {
    rows.iter().map(of).collect()
}

/// Writes a value of doubles as JSON.
fn doubles_to_json(value: &CoreValue<f64>) -> Json {
    match value {
        // JSON has no NaN and no infinities: these become `null`.
        CoreValue::Real(x) => json!(x),
        CoreValue::Unit => json!([]),
        CoreValue::Pair(parts) => json!([doubles_to_json(&parts.0), doubles_to_json(&parts.1)]),
    }
}
