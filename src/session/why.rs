//! Notes on answers that miss the requested accuracy.

use super::answer::{Note, NoteKind};
use super::limits::ReachedLimit;
use super::question::QuestionContext;
use super::reach::{AccuracyClass, float_error, is_defined, list_enclosures, reason_for_width, undecided_number};
use super::tolerance::AccuracyGoal;
use crate::model::answer::AnswerNumber;
use crate::number::Enclosure;
use crate::number::why::WidthReason;
use crate::value::Value;

/// The reason for a number with one infinite end, and the other too large to be told from infinity.
const HUGE_HINT: &str = ": what is so large is not told from infinity; ask for its logarithm";

/// Describes values that are sets: derivatives at kinks, for example. `is_all` is `true` if the answer has no other
/// number.
fn describe_sets(sets: &[&(&Enclosure, WidthReason)], is_all: bool) -> String {
    // One number alone has a full sentence; several share the width that is known of the worst.
    if let ([(number, why)], true) = (sets, is_all) {
        return why.to_sentence(number);
    }
    let widths: Option<Vec<_>> = sets.iter().map(|(number, why)| why.error_of_ends(number)).collect();
    let known = match widths.and_then(|widths| widths.into_iter().max()) {
        Some(width) if width.is_zero() => "the ends are exact".to_owned(),
        Some(width) => format!("the ends are known to {width}"),
        None => "not all ends are known".to_owned(),
    };
    match sets.len() {
        1 => format!("one of the numbers is a set, not one number: {known}"),
        count => format!("{count} of the numbers are sets, not single numbers: {known}"),
    }
}

/// Notes how a value misses the goal: it is a floating-point number, undecided on a border, wide, or not defined.
pub(super) fn record_miss(value: &Value<AnswerNumber>, goal: &AccuracyGoal, on: &mut QuestionContext<'_>) {
    let accuracy = goal.accuracy();
    let mut outcome = |id, text: String| on.record_note(Note::new(id, NoteKind::Outcome, text));
    if let Some(error) = float_error(value) {
        let error = if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") };
        outcome(
            "floating-point",
            format!("floating-point: nothing is certain; the rounding error is estimated at {error}"),
        );
        return;
    }
    let cut = match (on.stopped(), on.limits().time) {
        (None, _) => String::new(),
        // Part of the time is kept back for freeing what was built. An end well before the limit means that the next
        // pass was expected to take too long.
        (Some(ReachedLimit::Time), Some(time)) if on.elapsed() < time * 9 / 10 => {
            format!(", and would not be within {} s", on.limits().seconds_written())
        }
        (Some(stop), _) => stop.describe_end(on.limits()),
    };
    // An undecided truth value comes first: no width of another number explains it.
    if let Some(number) = undecided_number(value) {
        match number {
            "" => {}
            "0" => on.record_note(Note::new(
                "border",
                NoteKind::Outcome,
                "both sides of a comparison are equal: it is undecided on its border",
            )),
            number => on.record_note(Note::new(
                "border",
                NoteKind::Outcome,
                format!("a condition is on its border, or not shown to be off it{cut}: where {number} is 0"),
            )),
        }
        return;
    }
    match AccuracyClass::of_value(value, &accuracy) {
        AccuracyClass::Reached => {}
        AccuracyClass::Wide => record_width_reason(value, goal, &cut, on),
        AccuracyClass::NoBound => {
            let (id, text) = if is_defined(value) {
                ("nothing", format!("nothing was found out{cut}"))
            } else if on.stopped().is_some() {
                ("undefined", format!("not shown to be defined{cut}"))
            } else {
                let because = on.undefined().map_or_else(String::new, |found| format!(": {found}"));
                ("undefined", format!("not defined, or not shown to be defined{because}"))
            };
            on.record_note(Note::new(id, NoteKind::Outcome, text));
        }
    }
}

/// Notes why a value is wider than requested. `cut` names the limit that ended the work, and is empty if none did.
fn record_width_reason(value: &Value<AnswerNumber>, goal: &AccuracyGoal, cut: &str, on: &mut QuestionContext<'_>) {
    let mut outcome = |id, text| on.record_note(Note::new(id, NoteKind::Outcome, text));
    if let Value::Real(AnswerNumber::Enclosure(number)) = value
        && number.enclosure.is_near_overflow()
    {
        return outcome("huge", goal.describe_miss(value, HUGE_HINT));
    }
    let (accuracy, is_cut) = (goal.accuracy(), !cut.is_empty());
    let all = list_enclosures(value);
    let wide: Vec<(&Enclosure, WidthReason)> = all
        .iter()
        .filter_map(|number| Some((&number.enclosure, reason_for_width(number, is_cut, &accuracy)?)))
        .collect();
    let is_set = |(_, why): &&(&Enclosure, WidthReason)| matches!(why, WidthReason::Set(_));
    let sets: Vec<_> = wide.iter().filter(is_set).collect();
    let is_absolute = goal.rel.is_none() && goal.of_digits.is_none();
    if !sets.is_empty() {
        let said = describe_sets(&sets, all.len() == 1);
        outcome("set", if is_absolute { goal.describe_miss(value, &format!(": {said}")) } else { said });
    }
    // The first reason that says something stands for all: one sentence is read, a list is not.
    let others: Vec<_> = wide.iter().filter(|found| !is_set(found)).map(|(_, why)| why).collect();
    let known = others.iter().find(|why| !matches!(why, WidthReason::Unknown));
    match known.or(others.first()) {
        None => {}
        Some(why @ WidthReason::Time { pieces: None }) => outcome(why.id(), goal.describe_miss(value, cut)),
        Some(why) if is_absolute => outcome(why.id(), goal.describe_miss(value, &format!(": {why}"))),
        // A relative width is stated by `describe_miss` already; `WidthReason::Unknown` would add nothing.
        Some(why @ WidthReason::Unknown) => outcome(why.id(), goal.describe_miss(value, "")),
        Some(why) => {
            outcome(why.id(), goal.describe_miss(value, ""));
            outcome(why.id(), why.to_string());
        }
    }
}
