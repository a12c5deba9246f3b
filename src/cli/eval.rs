//! `smoothish eval`: an interval for each expression.

use super::arguments::EvalOptions;
use super::ask::{Limits, Report, Respondent, Stop, Value};
use super::output::Streams;
use super::status::Status;
use super::tolerance::{Goal, Timeout};
use super::value::{self, text};
use super::why;
use crate::number::{Accuracy, Decimals, Enclosure};
use crate::syntax::source::Source;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Read};

/// The version of the JSON that is printed.
pub const JSON_VERSION: u32 = 1;

/// The power of ten to which a width is asked for where nothing is said.
pub(super) const USUAL: i32 = -6;

/// Prints an interval for every expression.
///
/// # Errors
/// As [`Asked::each`](super::questions::Asked::each).
pub fn run(
    options: &EvalOptions,
    evaluator: &mut dyn Respondent,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let goal = options.demand.goal.or_power(USUAL);
    let (to, format) = (&goal.accuracy(), options.asked.format);
    let ask = |source: &Source| evaluator.ask_in(&options.model, source, to, limits);
    options.asked.each(&limits.interrupted, input, streams, ask, |source, answer, streams| {
        let status = status(&answer.value, to);
        if format.is_json() {
            writeln!(streams.out, "{}", to_json(&source.text, &answer, &goal))?;
        } else if format.is_short() {
            writeln!(streams.out, "{}", bare(&answer.value, to))?;
        } else {
            writeln!(streams.out, "{}", shown(&answer.value, to))?;
        }
        streams.out.flush()?;
        for note in notes(&answer, status, &goal, options.demand.timeout) {
            writeln!(streams.err, "note: {note}")?;
        }
        Ok(status)
    })
}

/// The ends of a number as they are printed.
pub(super) fn printed(number: &Enclosure, to: &Accuracy) -> Decimals {
    to.decimals(number)
}

/// The status of an answer: the worst of its numbers.
pub(super) fn status(value: &Value, to: &Accuracy) -> Status {
    match value {
        Value::Real(number) => Status::of(number, to),
        Value::Float { value, .. } if value.is_nan() => Status::Nothing,
        Value::Float { .. } => Status::Wide,
        Value::Undecided(_) => Status::Nothing,
        _ => Status::worst(value.parts().iter().map(|part| status(part, to))),
    }
}

pub(super) fn is_defined(value: &Value) -> bool {
    match value {
        Value::Real(number) => number.is_defined(),
        Value::Float { value, .. } => !value.is_nan(),
        Value::Undecided(_) => false,
        _ => value.parts().iter().all(is_defined),
    }
}

/// The number at whose sign a truth value in a value is not decided.
fn border(value: &Value) -> Option<&str> {
    match value {
        Value::Undecided(number) => Some(number),
        _ => value.parts().iter().find_map(border),
    }
}

/// The largest estimated error of the floating-point numbers in a value, if there are any.
fn float_error(value: &Value) -> Option<f64> {
    match value {
        Value::Float { error, .. } => Some(*error),
        _ => value.parts().iter().filter_map(float_error).reduce(f64::max),
    }
}

/// A value as it is printed.
pub(super) fn shown(value: &Value, to: &Accuracy) -> String {
    let number = |number: &Value| match number {
        Value::Real(number) => Some(printed(number, to).to_string()),
        Value::Float { value, .. } => Some(float(*value)),
        _ => None,
    };
    text(value, &number).unwrap_or_default()
}

/// A floating-point number as the shortest decimal that is read back as the same.
pub(super) fn float(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) && x.is_finite() { format!("{x:e}") } else { format!("{x}") }
}

/// The same without brackets and commas: of a number, `lo hi`.
fn bare(value: &Value, to: &Accuracy) -> String {
    match value {
        Value::Real(number) => {
            let ends = printed(number, to);
            format!("{} {}", ends.lo(), ends.hi())
        }
        Value::Float { value, .. } => float(*value),
        Value::Word(word) => word.clone(),
        Value::Undecided(_) => value::UNDECIDED.to_owned(),
        _ => {
            let name = match value {
                Value::Variant(name, _) => Some(name.clone()),
                _ => None,
            };
            let parts = value.parts().iter().map(|part| bare(part, to));
            name.into_iter().chain(parts).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Within what a question that was cut short by the limit on memory was worked on.
pub(super) const MEMORY_SHORT: &str = " within 1 GB of memory";

/// What a person is told beside the answer.
pub(super) fn notes(answer: &Report, status: Status, goal: &Goal, timeout: Timeout) -> Vec<String> {
    let mut notes = answer.notes.clone();
    if let Some(error) = float_error(&answer.value) {
        let error = if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") };
        notes.push(format!("floating-point: nothing is certain; the rounding error is estimated at {error}"));
        return notes;
    }
    let cut = match answer.stopped {
        None => String::new(),
        // a part of the time is kept back for taking down what was built
        Some(Stop::Time) if answer.elapsed < timeout.0 * 9 / 10 => format!(", and would not be within {timeout} s"),
        Some(Stop::Time) => format!(" within {timeout} s"),
        Some(Stop::Memory) => MEMORY_SHORT.to_owned(),
        Some(Stop::Interrupt) => " before it was interrupted".to_owned(),
    };
    notes.extend(border(&answer.value).filter(|number| !number.is_empty()).map(|number| match number {
        "0" => "both sides of a comparison are equal: it is undecided on its border".to_owned(),
        number => format!("a condition is on its border, or not shown to be off it{cut}: where {number} is 0"),
    }));
    match status {
        _ if border(&answer.value).is_some() => {}
        Status::Wide => notes.extend(why::notes(answer, goal, &cut)),
        Status::Nothing if is_defined(&answer.value) => notes.push(format!("nothing was found out{cut}")),
        Status::Nothing if answer.stopped.is_some() => notes.push(format!("not shown to be defined{cut}")),
        Status::Nothing => {
            let because = answer.undefined.as_ref().map_or_else(String::new, |found| format!(": {found}"));
            notes.push(format!("not defined, or not shown to be defined{because}"));
        }
        Status::Reached | Status::Refuted | Status::Wrong => {}
    }
    notes
}

/// `{"version":1,"question":…,"type":…,"lo":…,"hi":…,"eps":…,"rel":…,"digits":…,"reached":…,"defined":…,"ms":…}`; in place of the ends a
/// `"value"` where the answer is not a number: a list for a tuple or a list, `{"constructor":…,"argument":…}` for a variant. Beside the ends
/// of a number that is wider than was asked there is `"why"`, the [id](crate::number::why::Why::id) of the reason.
pub(super) fn to_json(source: &str, answer: &Report, goal: &Goal) -> Json {
    let to = goal.accuracy();
    let status = status(&answer.value, &to);
    let mut object = Map::new();
    object.insert("version".into(), json!(JSON_VERSION));
    object.insert("question".into(), json!(source));
    object.insert("type".into(), json!(answer.ty));
    match value_to_json(answer, &to) {
        Json::Object(ends) if !matches!(answer.value, Value::Variant(..)) => object.extend(ends),
        other => drop(object.insert("value".into(), other)),
    }
    object.extend(goal.to_json());
    object.insert("reached".into(), json!(status == Status::Reached));
    object.insert("defined".into(), json!(is_defined(&answer.value)));
    if let Some(number) = border(&answer.value) {
        object.insert("border".into(), json!(number));
    }
    if let Some(undefined) = &answer.undefined {
        object.insert("undefined".into(), undefined.to_json());
    }
    if !answer.notes.is_empty() {
        object.insert("notes".into(), json!(answer.notes));
    }
    object.insert("ms".into(), json!((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3));
    Json::Object(object)
}

pub(super) fn value_to_json(answer: &Report, to: &Accuracy) -> Json {
    let why = why::ids(&answer.whys, answer.stopped, to);
    value::json(&answer.value, &|number| match number {
        Value::Real(number) => {
            let ends = printed(number, to);
            let mut object = json!({ "lo": ends.lo(), "hi": ends.hi() });
            if let Some(why) = why(number) {
                object["why"] = json!(why);
            }
            object
        }
        Value::Float { value, error } => json!({ "float": float(*value), "error": float(*error) }),
        _ => Json::Null,
    })
}
