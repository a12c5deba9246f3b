//! Why numbers of an answer are wider than was asked, in notes and in JSON.

use super::ask::{Report, Stop, Value};
use super::status::Status;
use super::tolerance::Goal;
use crate::number::why::Why;
use crate::number::{Accuracy, Enclosure};
use std::cell::Cell;

/// What is said of a number that is larger than any that is written down.
const HUGE: &str = ": what is so large is not told from infinity; ask for its logarithm";

/// The real numbers of a value, in order.
fn numbers(value: &Value) -> Vec<&Enclosure> {
    match value {
        Value::Real(number) => vec![number],
        _ => value.parts().iter().flat_map(numbers).collect(),
    }
}

/// Why a number is wider than was asked; `None` where it is not.
fn of(number: &Enclosure, known: Option<&Why>, stopped: Option<Stop>, to: &Accuracy) -> Option<Why> {
    let other = || stopped.map_or(Why::Unknown, |_| Why::Time { pieces: None });
    (Status::of(number, to) == Status::Wide).then(|| known.cloned().unwrap_or_else(other))
}

/// The numbers of an answer that are wider than was asked, with why.
pub(super) fn wide<'a>(answer: &'a Report, to: &Accuracy) -> Vec<(&'a Enclosure, Why)> {
    let all = numbers(&answer.value).into_iter().enumerate();
    let known = |i: usize| answer.whys.get(i).and_then(Option::as_ref);
    all.filter_map(|(i, number)| Some((number, of(number, known(i), answer.stopped, to)?))).collect()
}

/// What tells, number by number, why the next one is wider than was asked.
pub(super) fn ids<'a>(
    whys: &'a [Option<Why>],
    stopped: Option<Stop>,
    to: &'a Accuracy,
) -> impl Fn(&Enclosure) -> Option<&'static str> + use<'a> {
    let next = Cell::new(0);
    move |number| {
        let known = whys.get(next.replace(next.get() + 1)).and_then(Option::as_ref);
        of(number, known, stopped, to).map(|why| why.id())
    }
}

/// What is said of several sets.
fn of_sets(sets: &[&(&Enclosure, Why)], is_all: bool) -> String {
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

/// What a person is told of an answer that is wider than was asked. `cut` says what ended it before.
pub(super) fn notes(answer: &Report, goal: &Goal, cut: &str) -> Vec<String> {
    if matches!(&answer.value, Value::Real(number) if number.is_huge()) {
        return vec![goal.missed(&answer.value, HUGE)];
    }
    let wide = wide(answer, &goal.accuracy());
    let is_set = |(_, why): &&(&Enclosure, Why)| matches!(why, Why::Set(_));
    let sets: Vec<_> = wide.iter().filter(is_set).collect();
    let mut notes = Vec::new();
    let is_absolute = goal.rel.is_none() && goal.digits.is_none();
    if !sets.is_empty() {
        let said = of_sets(&sets, numbers(&answer.value).len() == 1);
        notes.push(if is_absolute { goal.missed(&answer.value, &format!(": {said}")) } else { said });
    }
    let others: Vec<_> = wide.iter().filter(|found| !is_set(found)).map(|(_, why)| why).collect();
    let known = others.iter().find(|why| !matches!(why, Why::Unknown));
    match known.or(others.first()) {
        None => {}
        Some(Why::Time { pieces: None }) => notes.push(goal.missed(&answer.value, cut)),
        Some(why) if is_absolute => notes.push(goal.missed(&answer.value, &format!(": {why}"))),
        // that is what a relative width says
        Some(Why::Unknown) => notes.push(goal.missed(&answer.value, "")),
        Some(why) => notes.extend([goal.missed(&answer.value, ""), why.to_string()]),
    }
    notes
}
