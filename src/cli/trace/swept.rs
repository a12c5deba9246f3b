//! The option `trace --strategy tape`: values and derivatives by a tape, without a trace.

use super::{TraceOptions, json_value, value};
use crate::cli::eval::JSON_VERSION;
use crate::cli::evaluator::Workbench;
use crate::session::{Diagnostic, Limits, Sweep, SweptValue};
use crate::syntax::source::Source;
use crate::trace::question::Swept;
use crate::trace::value::Value;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// Evaluates an expression by a tape, and formats its value, and its derivative if requested.
pub(super) fn line(
    options: &TraceOptions,
    library: &Workbench,
    limits: &Limits,
    source: &Arc<Source>,
) -> Result<String, Diagnostic> {
    let question = Sweep::of(source.clone()).reverse(options.reverse).unfoldings(options.fuel);
    let question = question.in_doubles(options.double);
    let question = match &options.at {
        Some(point) => question.at(point),
        None => question,
    };
    let found = library.ask(&question, limits)?.into_value();
    Ok(if options.asked.format.is_json() { to_json(&source.text, &found) } else { text(&found) })
}

/// Formats a value with the arithmetic by which it was computed.
fn text(found: &SweptValue) -> String {
    match found {
        SweptValue::Certified(swept) => shown(swept, "certified", &value),
        SweptValue::Doubles(swept) => shown(swept, "doubles, of which nothing is certain", &|found| found.to_string()),
    }
}

/// Formats the value. With derivatives, the value is a comment, and the derivative of each of its numbers follows.
fn shown<R>(swept: &Swept<R>, numbers: &str, of: &dyn Fn(&Value<R>) -> String) -> String {
    let value = of(&swept.value);
    let rows: Vec<String> = swept.reverse.iter().map(of).collect();
    match &rows[..] {
        [] => format!("! by a tape, {numbers}\n{value}"),
        [row] => format!("! by a tape, {numbers}; the value is {value}\n{row}"),
        rows => format!("! by a tape, {numbers}; the value is {value}\n({})", rows.join(", ")),
    }
}

/// Writes `{"version":1,"question":…,"certified":…,"value":…,"reverse":[…]}`.
fn to_json(question: &str, found: &SweptValue) -> String {
    let (certified, value, reverse) = match found {
        SweptValue::Certified(swept) => (true, json_value(&swept.value), all(&swept.reverse, &json_value)),
        SweptValue::Doubles(swept) => (false, doubles(&swept.value), all(&swept.reverse, &doubles)),
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
fn all<R>(rows: &[Value<R>], of: &dyn Fn(&Value<R>) -> Json) -> Vec<Json> {
    rows.iter().map(of).collect()
}

/// Writes a value of doubles as JSON.
fn doubles(value: &Value<f64>) -> Json {
    match value {
        // JSON has no NaN and no infinities: these become `null`.
        Value::Real(x) => json!(x),
        Value::Unit => json!([]),
        Value::Pair(parts) => json!([doubles(&parts.0), doubles(&parts.1)]),
    }
}
