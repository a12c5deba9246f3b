//! `smoothish trace --strategy tape`: values and derivatives, and no trace.

use super::{TraceOptions, eps, json_value, refused, value};
use crate::cli::ask::{Limits, Refusal};
use crate::cli::eval::JSON_VERSION;
use crate::cli::evaluator::Workbench;
use crate::number::Enclosure;
use crate::syntax::source::Source;
use crate::trace::evaluation::Strategy;
use crate::trace::question::{Question, Swept, swept, swept_in_doubles};
use crate::trace::value::Value;
use serde_json::{Value as Json, json};

/// What is found, over both kinds of numbers.
enum Found {
    Certified(Swept<Enclosure>),
    Doubles(Swept<f64>),
}

/// What is printed of an expression: its value, and its derivative where that is asked for.
pub(super) fn line(
    options: &TraceOptions,
    library: &Workbench,
    limits: &Limits,
    source: &Source,
) -> Result<String, Refusal> {
    let found = found(options, library, limits, source)?;
    Ok(if options.asked.format.is_json() { to_json(&source.text, &found) } else { text(&found) })
}

fn found(options: &TraceOptions, library: &Workbench, limits: &Limits, source: &Source) -> Result<Found, Refusal> {
    let (program, point) = super::asked(options, library, source)?;
    let budget = limits.budget();
    let (strategy, record) = (Strategy::default(), None);
    let question = Question { program: &program, point: point.as_ref(), strategy, record, budget: &budget };
    let found = if options.double {
        swept_in_doubles(&question, options.reverse).map(Found::Doubles)
    } else {
        swept(&question, options.reverse, &eps()).map(Found::Certified)
    };
    found.map_err(|error| refused(library, source, &program, &error))
}

fn text(found: &Found) -> String {
    match found {
        Found::Certified(swept) => shown(swept, "certified", &value),
        Found::Doubles(swept) => shown(swept, "doubles, of which nothing is certain", &|found| found.to_string()),
    }
}

/// The value; or as a comment, and the derivative of each number of it.
fn shown<R>(swept: &Swept<R>, numbers: &str, of: &dyn Fn(&Value<R>) -> String) -> String {
    let value = of(&swept.value);
    let rows: Vec<String> = swept.reverse.iter().map(of).collect();
    match &rows[..] {
        [] => format!("! by a tape, {numbers}\n{value}"),
        [row] => format!("! by a tape, {numbers}; the value is {value}\n{row}"),
        rows => format!("! by a tape, {numbers}; the value is {value}\n({})", rows.join(", ")),
    }
}

/// `{"version":1,"question":…,"certified":…,"value":…,"reverse":[…]}`
fn to_json(question: &str, found: &Found) -> String {
    let (certified, value, reverse) = match found {
        Found::Certified(swept) => (true, json_value(&swept.value), all(&swept.reverse, &json_value)),
        Found::Doubles(swept) => (false, doubles(&swept.value), all(&swept.reverse, &doubles)),
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

fn all<R>(rows: &[Value<R>], of: &dyn Fn(&Value<R>) -> Json) -> Vec<Json> {
    rows.iter().map(of).collect()
}

fn doubles(value: &Value<f64>) -> Json {
    match value {
        Value::Real(x) => json!(x),
        Value::Unit => json!([]),
        Value::Pair(parts) => json!([doubles(&parts.0), doubles(&parts.1)]),
    }
}
