//! The command `eval`: an interval that contains the value of each expression.

use super::arguments::EvalOptions;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::status::Status;
use super::value;
use super::value::{PrintableValue, format_with};
use crate::model::answer::AnswerNumber;
use crate::number::real::{RefinedEnclosure, WidthReason};
use crate::number::{Accuracy, Decimals, Enclosure, Rational};
pub(super) use crate::session::tolerance::DEFAULT_WIDTH_EXPONENT;
use crate::session::tolerance::{AccuracyClass, AccuracyGoal};
use crate::session::{Answer, Diagnostic, Evaluate, Limits, Note, NoteKind, UndefinedNumber, tolerance};
use crate::syntax::source::SourceText;
use serde_json::{Map, Value as Json, json};
use std::io;
use std::io::Read;
use std::sync::Arc;

/// The version of the printed JSON.
pub const JSON_VERSION: u32 = 1;

/// Prints an interval for every expression.
///
/// # Errors
/// As [`Asked::ask_each`](super::questions::QuestionArgs::ask_each).
pub fn run_eval(
    options: &EvalOptions,
    library: &TheorySession,
    limits: &Limits,
    input: &mut dyn Read,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let goal = options.demand.goal.goal().or_default(DEFAULT_WIDTH_EXPONENT);
    let (to, format) = (&goal.accuracy(), options.asked.format);
    let ask = |source: &Arc<SourceText>| {
        let question = Evaluate::from_source(source.clone()).with_model(&options.model).with_goal(goal.clone());
        library.ask_with_progress("nothing yet", to.eps(), &question, limits)
    };
    options.asked.ask_each(limits, input, streams, ask, |source, answer, streams| {
        // By the printed ends, since the reader has no others.
        let status = AccuracyClass::of_value(answer.value(), to).into();
        let value = printable_value(&answer);
        if format.is_json() {
            writeln!(streams.out, "{}", to_json(&source.text, &answer, &value, &goal))?;
        } else if format.is_short() {
            writeln!(streams.out, "{}", format_bare(&value, to))?;
        } else {
            writeln!(streams.out, "{}", format_value(&value, to))?;
        }
        // Before the notes: the streams are independent, and the answer comes first.
        streams.out.flush()?;
        streams.print_notes(answer.notes())?;
        Ok(status)
    })
}

/// Returns the printed form of an answer's value. A value without one, such as a function, is shown as `()`.
pub(super) fn printable_value(answer: &Evaluated) -> PrintableValue {
    let nothing = || PrintableValue::Word("()".to_owned());
    answer.ty().and_then(|ty| value::answer_to_printable(answer.value(), ty).ok()).unwrap_or_else(nothing)
}

/// The answer to a question for a value.
pub(super) type Evaluated = Answer<crate::value::Value<AnswerNumber>>;

/// Rounds the ends of an enclosure outwards to decimals, to the accuracy `to`.
pub(super) fn round_to_decimals(number: &Enclosure, to: &Accuracy) -> Decimals {
    to.print_decimals(number)
}

/// Returns the status of an answer: the worst of its numbers.
pub(super) fn value_status(value: &PrintableValue, to: &Accuracy) -> Status {
    match value {
        PrintableValue::Real { enclosure, .. } => Status::of_enclosure(enclosure, to),
        PrintableValue::Float { value, .. } if value.is_nan() => Status::Nothing,
        // A floating-point number is finite information, but certifies no width.
        PrintableValue::Float { .. } => Status::Wide,
        PrintableValue::Undecided(_) => Status::Nothing,
        _ => Status::worst_of(value.parts().iter().map(|part| value_status(part, to))),
    }
}

/// Formats a number for people: exactly if it is known and short, or else as an interval rounded to the accuracy `to`.
fn format_number(enclosure: &Enclosure, exact: Option<&Rational>, to: &Accuracy) -> String {
    value::format_exact_number(enclosure, exact, to).unwrap_or_else(|| round_to_decimals(enclosure, to).to_string())
}

/// Formats a value for people, with its enclosures rounded to the accuracy `to`.
pub(super) fn format_value(value: &PrintableValue, to: &Accuracy) -> String {
    let number = |number: &PrintableValue| match number {
        PrintableValue::Real { enclosure, exact } => Some(format_number(enclosure, exact.as_ref(), to)),
        PrintableValue::Float { value, .. } => Some(format_float(*value)),
        _ => None,
    };
    format_with(value, &number).unwrap_or_default()
}

/// Formats a floating-point number as the shortest decimal that is read back as the same number.
pub(super) fn format_float(x: f64) -> String {
    let size = x.abs();
    // A choice: outside these sizes plain digits are mostly zeros.
    if size != 0.0 && !(1e-5..1e16).contains(&size) && x.is_finite() { format!("{x:e}") } else { format!("{x}") }
}

/// Formats a value without brackets and commas: `lo hi` for an enclosure.
fn format_bare(value: &PrintableValue, to: &Accuracy) -> String {
    match value {
        PrintableValue::Real { enclosure, .. } => {
            let ends = round_to_decimals(enclosure, to);
            format!("{} {}", ends.lo(), ends.hi())
        }
        PrintableValue::Float { value, .. } => format_float(*value),
        PrintableValue::Word(word) => word.clone(),
        PrintableValue::Undecided(_) => value::UNDECIDED.to_owned(),
        _ => {
            let name = match value {
                PrintableValue::Variant(name, _) => Some(name.clone()),
                _ => None,
            };
            let parts = value.parts().iter().map(|part| format_bare(part, to));
            name.into_iter().chain(parts).collect::<Vec<_>>().join(" ")
        }
    }
}

/// Writes an answer as
/// `{"version":1,"question":…,"type":…,"lo":…,"hi":…,"eps":…,"rel":…,"digits":…,"reached":…,"defined":…,"ms":…}`. An
/// answer that is no number has a `"value"` in place of the ends: a list for a tuple or a list,
/// `{"constructor":…,"argument":…}` for a variant. `"trusted"` lists the constants from outside that
/// it rests on. A number that is wider than requested also has `"why"`, the
/// [id](crate::number::reason_for_width::WidthReason::id) of the reason; for a set `"ends"`, how well its ends are known, and
/// `"pieces"` for a search that was ended with so many. A number that is known to be rational has `"exact"`, as in
/// `"1/3"`.
pub(super) fn to_json(source: &str, answer: &Evaluated, value: &PrintableValue, goal: &AccuracyGoal) -> Json {
    let to = goal.accuracy();
    let mut object = Map::new();
    object.insert("version".into(), json!(JSON_VERSION));
    object.insert("question".into(), json!(source));
    object.insert("type".into(), json!(answer.ty().map(ToString::to_string)));
    match value_to_json(answer, value, &to) {
        // The ends of one number are members of the answer itself. A variant is an object too, but not a number.
        Json::Object(ends) if matches!(value, PrintableValue::Real { .. } | PrintableValue::Float { .. }) => {
            object.extend(ends)
        }
        other => drop(object.insert("value".into(), other)),
    }
    object.extend(goal_to_json(goal));
    object.insert("reached".into(), json!(answer.is_reached()));
    object.insert("defined".into(), json!(tolerance::is_defined(answer.value())));
    if let Some(number) = tolerance::undecided_number(answer.value()) {
        object.insert("border".into(), json!(number));
    }
    if let Some(undefined) = answer.undefined() {
        object.insert("undefined".into(), undefined_to_json(undefined));
    }
    let notes = notes_to_json(answer.notes());
    if !notes.is_empty() {
        object.insert("notes".into(), json!(notes));
    }
    if !answer.trusted().is_empty() {
        object.insert("trusted".into(), json!(answer.trusted()));
    }
    object.insert("ms".into(), json!((answer.elapsed().as_secs_f64() * 1e6).round() / 1e3));
    Json::Object(object)
}

/// Returns the enclosures in an answer that are wider than requested, with the reasons.
pub(super) fn wide_enclosures<'a>(
    answer: &'a Evaluated,
    to: &'a Accuracy,
) -> impl Iterator<Item = (&'a RefinedEnclosure, WidthReason)> {
    let is_cut = answer.stopped().is_some();
    let all = tolerance::list_enclosures(answer.value()).into_iter();
    all.filter_map(move |number| Some((number, tolerance::reason_for_width(number, is_cut, to)?)))
}

/// Returns the notes on an answer, without those on the accuracy: other members of the JSON object have it.
pub(super) fn notes_to_json(notes: &[Note]) -> Vec<&str> {
    notes.iter().filter(|note| note.kind != NoteKind::Outcome).map(|note| &*note.text).collect()
}

/// Writes `{"cause":…,"message":…,"place":…}`, with `"help"` if there is any.
pub(super) fn undefined_to_json(undefined: &UndefinedNumber) -> Json {
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
pub(super) fn goal_to_json(goal: &AccuracyGoal) -> impl Iterator<Item = (String, Json)> {
    let eps = goal.eps.as_ref().map(|eps| ("eps", json!(eps.to_string())));
    let rel = goal.rel.as_ref().map(|rel| ("rel", json!(rel.to_string())));
    let digits = goal.of_digits.map(|digits| ("digits", json!(digits.count())));
    [eps, rel, digits].into_iter().flatten().map(|(name, asked)| (name.to_owned(), asked))
}

/// Writes a value as JSON, with the reason for each number that is wider than requested.
pub(super) fn value_to_json(answer: &Evaluated, value: &PrintableValue, to: &Accuracy) -> Json {
    let mut whys = tolerance::list_enclosures(answer.value())
        .into_iter()
        .map(|number| {
            let why = tolerance::reason_for_width(number, answer.stopped().is_some(), to)?;
            let ends = why.error_of_ends(&number.enclosure).map(|width| width.to_string());
            Some((why, ends))
        })
        .collect::<Vec<_>>()
        .into_iter();
    // A cell, since the writer takes a `Fn`. It meets the numbers in the order in which the reasons were collected.
    let next = std::cell::RefCell::new(&mut whys);
    value::json_with(value, &|number| match number {
        PrintableValue::Real { enclosure, exact } => {
            let ends = round_to_decimals(enclosure, to);
            let mut object = json!({ "lo": ends.lo(), "hi": ends.hi() });
            if let Some(exact) = exact {
                object["exact"] = json!(exact.to_string());
            }
            if let Some((why, ends)) = next.borrow_mut().next().flatten() {
                object["why"] = json!(why.id());
                if let Some(ends) = ends {
                    object["ends"] = json!(ends);
                }
                if let WidthReason::Time { pieces: Some(pieces), .. } = why {
                    object["pieces"] = json!(pieces);
                }
            }
            object
        }
        PrintableValue::Float { value, error } => {
            json!({ "float": format_float(*value), "error": format_float(*error) })
        }
        _ => Json::Null,
    })
}
