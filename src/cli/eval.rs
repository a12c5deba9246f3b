//! The command `eval`: an interval that contains the value of each expression.

use super::arguments::EvalOptions;
use super::evaluator::Workbench;
use super::output::Streams;
use super::status::Status;
use super::value::{self, Value, text};
use crate::model::answer::Number;
use crate::number::real::Refined;
use crate::number::why::Why;
use crate::number::{Accuracy, Decimals, Enclosure};
use crate::session::reach::{self, Reach};
use crate::session::tolerance::Goal;
pub(super) use crate::session::tolerance::USUAL;
use crate::session::{Answer, Diagnostic, Evaluate, Limits, Note, NoteKind, Undefined};
use crate::syntax::source::Source;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Read};
use std::sync::Arc;

/// The version of the printed JSON.
pub const JSON_VERSION: u32 = 1;

/// Prints an interval for every expression.
///
/// # Errors
/// As [`Asked::each`](super::questions::Asked::each).
pub fn run(
    options: &EvalOptions,
    library: &Workbench,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let goal = options.demand.goal.goal().or_power(USUAL);
    let (to, format) = (&goal.accuracy(), options.asked.format);
    let ask = |source: &Arc<Source>| {
        let question = Evaluate::of(source.clone()).model(&options.model).goal(goal.clone());
        library.ask_shown("nothing yet", to.eps(), &question, limits)
    };
    options.asked.each(limits, input, streams, ask, |source, answer, streams| {
        // By the printed ends, since the reader has no others.
        let status = Reach::of_value(answer.value(), to).into();
        let value = shown_value(&answer);
        if format.is_json() {
            writeln!(streams.out, "{}", to_json(&source.text, &answer, &value, &goal))?;
        } else if format.is_short() {
            writeln!(streams.out, "{}", bare(&value, to))?;
        } else {
            writeln!(streams.out, "{}", shown(&value, to))?;
        }
        // Before the notes: the streams are independent, and the answer comes first.
        streams.out.flush()?;
        streams.notes(answer.notes())?;
        Ok(status)
    })
}

/// Returns the printed form of an answer's value. A value without one, such as a function, is shown as `()`.
pub(super) fn shown_value(answer: &Evaluated) -> Value {
    let nothing = || Value::Word("()".to_owned());
    answer.ty().and_then(|ty| value::printed(answer.value(), ty).ok()).unwrap_or_else(nothing)
}

/// The answer to a question for a value.
pub(super) type Evaluated = Answer<crate::value::Value<Number>>;

/// Rounds the ends of an enclosure outwards to decimals, to the accuracy `to`.
pub(super) fn printed(number: &Enclosure, to: &Accuracy) -> Decimals {
    to.decimals(number)
}

/// Returns the status of an answer: the worst of its numbers.
pub(super) fn status(value: &Value, to: &Accuracy) -> Status {
    match value {
        Value::Real(number) => Status::of(number, to),
        Value::Float { value, .. } if value.is_nan() => Status::Nothing,
        // A floating-point number is finite information, but certifies no width.
        Value::Float { .. } => Status::Wide,
        Value::Undecided(_) => Status::Nothing,
        _ => Status::worst(value.parts().iter().map(|part| status(part, to))),
    }
}

/// Formats a value for people, with its enclosures rounded to the accuracy `to`.
pub(super) fn shown(value: &Value, to: &Accuracy) -> String {
    let number = |number: &Value| match number {
        Value::Real(number) => Some(printed(number, to).to_string()),
        Value::Float { value, .. } => Some(float(*value)),
        _ => None,
    };
    text(value, &number).unwrap_or_default()
}

/// Formats a floating-point number as the shortest decimal that is read back as the same number.
pub(super) fn float(x: f64) -> String {
    let size = x.abs();
    // A choice: outside these sizes plain digits are mostly zeros.
    if size != 0.0 && !(1e-5..1e16).contains(&size) && x.is_finite() { format!("{x:e}") } else { format!("{x}") }
}

/// Formats a value without brackets and commas: `lo hi` for an enclosure.
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

/// Writes an answer as
/// `{"version":1,"question":…,"type":…,"lo":…,"hi":…,"eps":…,"rel":…,"digits":…,"reached":…,"defined":…,"ms":…}`. An
/// answer that is no number has a `"value"` in place of the ends: a list for a tuple or a list,
/// `{"constructor":…,"argument":…}` for a variant. A number that is wider than requested also has `"why"`, the
/// [id](crate::number::why::Why::id) of the reason.
pub(super) fn to_json(source: &str, answer: &Evaluated, value: &Value, goal: &Goal) -> Json {
    let to = goal.accuracy();
    let mut object = Map::new();
    object.insert("version".into(), json!(JSON_VERSION));
    object.insert("question".into(), json!(source));
    object.insert("type".into(), json!(answer.ty().map(ToString::to_string)));
    match value_to_json(answer, value, &to) {
        // The ends of one number are members of the answer itself. A variant is an object too, but not a number.
        Json::Object(ends) if !matches!(value, Value::Variant(..)) => object.extend(ends),
        other => drop(object.insert("value".into(), other)),
    }
    object.extend(goal_to_json(goal));
    object.insert("reached".into(), json!(answer.is_reached()));
    object.insert("defined".into(), json!(reach::is_defined(answer.value())));
    if let Some(number) = reach::border(answer.value()) {
        object.insert("border".into(), json!(number));
    }
    if let Some(undefined) = answer.undefined() {
        object.insert("undefined".into(), undefined_to_json(undefined));
    }
    let notes = notes_to_json(answer.notes());
    if !notes.is_empty() {
        object.insert("notes".into(), json!(notes));
    }
    object.insert("ms".into(), json!((answer.elapsed().as_secs_f64() * 1e6).round() / 1e3));
    Json::Object(object)
}

/// Returns the enclosures in an answer that are wider than requested, with the reasons.
pub(super) fn wide<'a>(answer: &'a Evaluated, to: &'a Accuracy) -> impl Iterator<Item = (&'a Refined, Why)> {
    let is_cut = answer.stopped().is_some();
    let all = reach::enclosures(answer.value()).into_iter();
    all.filter_map(move |number| Some((number, reach::why(number, is_cut, to)?)))
}

/// Returns the notes on an answer, without those on the accuracy: other members of the JSON object have it.
pub(super) fn notes_to_json(notes: &[Note]) -> Vec<&str> {
    notes.iter().filter(|note| note.kind != NoteKind::Outcome).map(|note| &*note.text).collect()
}

/// Writes `{"cause":…,"message":…,"place":…}`, with `"help"` if there is any.
pub(super) fn undefined_to_json(undefined: &Undefined) -> Json {
    let place = undefined.place.as_ref().map(ToString::to_string);
    let mut object = json!({ "cause": undefined.cause.name(), "message": undefined.message, "place": place });
    if let Some(help) = &undefined.help {
        object["help"] = json!(help);
    }
    object
}

/// Writes `{"message":…,"place":…,"help":…,"status":…}`: the sentence, its position, the advice, and the exit status.
pub(super) fn diagnostic_to_json(diagnostic: &Diagnostic) -> Json {
    let Diagnostic { message, help, kind, .. } = diagnostic;
    let status = Status::from(*kind).code();
    json!({ "message": message, "place": diagnostic.position(), "help": help, "status": status })
}

/// Returns the members of a JSON object that state the requested accuracy.
pub(super) fn goal_to_json(goal: &Goal) -> impl Iterator<Item = (String, Json)> {
    let eps = goal.eps.as_ref().map(|eps| ("eps", json!(eps.to_string())));
    let rel = goal.rel.as_ref().map(|rel| ("rel", json!(rel.to_string())));
    let digits = goal.digits.map(|digits| ("digits", json!(digits.count())));
    [eps, rel, digits].into_iter().flatten().map(|(name, asked)| (name.to_owned(), asked))
}

/// Writes a value as JSON, with the reason for each number that is wider than requested.
pub(super) fn value_to_json(answer: &Evaluated, value: &Value, to: &Accuracy) -> Json {
    let mut whys = reach::enclosures(answer.value())
        .into_iter()
        .map(|number| reach::why(number, answer.stopped().is_some(), to).map(|why| why.id()))
        .collect::<Vec<_>>()
        .into_iter();
    // A cell, since the writer takes an `Fn`. It meets the numbers in the order in which the reasons were collected.
    let next = std::cell::RefCell::new(&mut whys);
    value::json(value, &|number| match number {
        Value::Real(number) => {
            let ends = printed(number, to);
            let mut object = json!({ "lo": ends.lo(), "hi": ends.hi() });
            if let Some(why) = next.borrow_mut().next().flatten() {
                object["why"] = json!(why);
            }
            object
        }
        Value::Float { value, error } => json!({ "float": float(*value), "error": float(*error) }),
        _ => Json::Null,
    })
}
