//! Notes on answers that miss the requested accuracy.

use super::answer::{Note, NoteKind};
use super::limits::Stop;
use super::question::Scope;
use super::reach::{Reach, border, enclosures, float_error, is_defined, why};
use super::tolerance::Goal;
use crate::model::answer::Number;
use crate::number::Enclosure;
use crate::number::why::Why;
use crate::value::Value;

/// The reason for a number with one infinite end, and the other too large to be told from infinity.
const HUGE: &str = ": what is so large is not told from infinity; ask for its logarithm";

/// Describes values that are sets: derivatives at kinks, for example. `is_all` is `true` if the answer has no other
/// number.
fn of_sets(sets: &[&(&Enclosure, Why)], is_all: bool) -> String {
    // One number alone has a full sentence; several share the width that is known of the worst.
    if let ([(number, why)], true) = (sets, is_all) {
        return why.sentence(number);
    }
    let widths: Option<Vec<_>> = sets.iter().map(|(number, why)| why.known_to(number)).collect();
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
pub(super) fn note(value: &Value<Number>, goal: &Goal, on: &mut Scope<'_>) {
    let accuracy = goal.accuracy();
    let mut outcome = |id, text: String| on.note(Note::new(id, NoteKind::Outcome, text));
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
        (Some(Stop::Time), Some(time)) if on.elapsed() < time * 9 / 10 => {
            format!(", and would not be within {} s", on.limits().seconds_written())
        }
        (Some(stop), _) => stop.within(on.limits()),
    };
    // An undecided truth value comes first: no width of another number explains it.
    if let Some(number) = border(value) {
        match number {
            "" => {}
            "0" => on.note(Note::new(
                "border",
                NoteKind::Outcome,
                "both sides of a comparison are equal: it is undecided on its border",
            )),
            number => on.note(Note::new(
                "border",
                NoteKind::Outcome,
                format!("a condition is on its border, or not shown to be off it{cut}: where {number} is 0"),
            )),
        }
        return;
    }
    match Reach::of_value(value, &accuracy) {
        Reach::Reached => {}
        Reach::Wide => wide(value, goal, &cut, on),
        Reach::Nothing => {
            let (id, text) = if is_defined(value) {
                ("nothing", format!("nothing was found out{cut}"))
            } else if on.stopped().is_some() {
                ("undefined", format!("not shown to be defined{cut}"))
            } else {
                let because = on.undefined().map_or_else(String::new, |found| format!(": {found}"));
                ("undefined", format!("not defined, or not shown to be defined{because}"))
            };
            on.note(Note::new(id, NoteKind::Outcome, text));
        }
    }
}

/// Notes why a value is wider than requested. `cut` names the limit that ended the work, and is empty if none did.
fn wide(value: &Value<Number>, goal: &Goal, cut: &str, on: &mut Scope<'_>) {
    let mut outcome = |id, text| on.note(Note::new(id, NoteKind::Outcome, text));
    if let Value::Real(Number::Enclosure(number)) = value
        && number.enclosure.is_huge()
    {
        return outcome("huge", goal.missed(value, HUGE));
    }
    let (accuracy, is_cut) = (goal.accuracy(), !cut.is_empty());
    let all = enclosures(value);
    let wide: Vec<(&Enclosure, Why)> =
        all.iter().filter_map(|number| Some((&number.enclosure, why(number, is_cut, &accuracy)?))).collect();
    let is_set = |(_, why): &&(&Enclosure, Why)| matches!(why, Why::Set(_));
    let sets: Vec<_> = wide.iter().filter(is_set).collect();
    let is_absolute = goal.rel.is_none() && goal.digits.is_none();
    if !sets.is_empty() {
        let said = of_sets(&sets, all.len() == 1);
        outcome("set", if is_absolute { goal.missed(value, &format!(": {said}")) } else { said });
    }
    // The first reason that says something stands for all: one sentence is read, a list is not.
    let others: Vec<_> = wide.iter().filter(|found| !is_set(found)).map(|(_, why)| why).collect();
    let known = others.iter().find(|why| !matches!(why, Why::Unknown));
    match known.or(others.first()) {
        None => {}
        Some(why @ Why::Time { pieces: None }) => outcome(why.id(), goal.missed(value, cut)),
        Some(why) if is_absolute => outcome(why.id(), goal.missed(value, &format!(": {why}"))),
        // A relative width is stated by `missed` already; `Why::Unknown` would add nothing.
        Some(why @ Why::Unknown) => outcome(why.id(), goal.missed(value, "")),
        Some(why) => {
            outcome(why.id(), goal.missed(value, ""));
            outcome(why.id(), why.to_string());
        }
    }
}
