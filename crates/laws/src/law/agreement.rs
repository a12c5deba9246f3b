//! What several meanings of one program say about each other.
//!
//! Two enclosures of one number have a point in common, or one of the meanings is refuted. Which is not known: of three
//! enclosures of which one is apart, all are refuted, each with the names of those that it has nothing in common with.
//! Answers with different numbers of parts, or a number against a truth value, cannot be compared, and say so.
//!
//! A meaning whose answers [are no enclosures](Testimony::encloses) refutes nothing: it is judged by those that are.
//!
//! | verdict on a floating-point number | when |
//! |---|---|
//! | [inside](Judgement::Inside) | it lies in the enclosure |
//! | [near](Judgement::Near) | it lies outside, by no more than its estimated error |
//! | [different](Judgement::Different) | it lies outside by more, or is no number; with the reason where one is known |
//! | [open](Judgement::Open) | the enclosure says nothing |

pub mod compiled;
pub mod derivatives;
mod part;

pub use crate::value::Kind;
pub use part::{Mismatch, Part, parts};

use crate::model::answer::{Answer, Meaning, MeaningError};
use crate::number::budget::Budget;
use crate::number::{Rational, real};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What one meaning says of a program.
#[derive(Debug)]
pub struct Testimony {
    /// The meaning.
    pub name: &'static str,
    /// Whether its answers certainly contain the true value ([`Meaning::encloses`]). One
    /// whose answers may not refutes nothing.
    pub encloses: bool,
    /// Its answer.
    pub outcome: Result<Answer, MeaningError>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Testimony {
    /// What a meaning says of a closed, well-typed program.
    pub fn of(meaning: &dyn Meaning, term: &Term, ty: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Self {
        let start = Instant::now();
        let outcome = meaning.answer(term, ty, eps, budget);
        Self { name: meaning.name(), encloses: meaning.encloses(), outcome, elapsed: start.elapsed() }
    }
}

/// What is found out about one place of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// It agrees with another meaning's.
    Agrees,
    /// An enclosure where no other meaning has one.
    Alone,
    /// What is no number, where no other meaning has an answer.
    Only,
    /// An enclosure without a point in common with those of these meanings, or another value than theirs.
    Disjoint(Vec<&'static str>),
    /// It cannot be compared with the answer of this meaning, and why.
    Incomparable(&'static str, Mismatch),
    /// A floating-point number in the enclosure.
    Inside,
    /// A floating-point number outside, by so many units in the last place; that is within its estimated error.
    Near(f64),
    /// An answer that may be wrong, and is, and why.
    Different(Reason),
    /// Floating-point arithmetic finds no number, and no enclosure shows that there is one.
    NoNumber,
    /// There is nothing to compare with, and why.
    Open(Reason),
}

/// Why an answer that may be wrong and an enclosure differ, or cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It has nothing in common with the answers of these meanings.
    Apart(Vec<&'static str>),
    /// Floating-point arithmetic found no number.
    NotANumber,
    /// A floating-point result overflowed.
    Overflow,
    /// The value is not defined, or was not shown to be.
    Undefined,
    /// Nothing was found out about the value.
    Unknown,
    /// How far rounding may have moved the number was not found out.
    Unestimated,
    /// A derivative on a border: that of the piece to which the border belongs.
    Border,
    /// The value is a set, as at a kink, and the number is outside it.
    Set,
    /// None of these: it is off by so many units in its last place.
    Off(f64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Apart(others) => write!(f, "nothing in common with {}", others.join(", ")),
            Reason::NotANumber => f.write_str("floating-point arithmetic finds no number (NaN)"),
            Reason::Overflow => f.write_str("floating-point arithmetic finds ±inf: an overflow, or a division by 0"),
            Reason::Undefined => f.write_str("the value is undefined, or not shown to be defined"),
            Reason::Unknown => f.write_str("nothing is known about the value"),
            Reason::Unestimated => f.write_str("the rounding error of the number has no estimate"),
            Reason::Border => f.write_str("a derivative on a border is that of the piece"),
            Reason::Set => f.write_str("the value is a set, as at a kink, and this is not in it"),
            Reason::Off(ulps) => write!(f, "off by {} ulps, more than rounding explains", count(*ulps)),
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judgement::Agrees => f.write_str("agrees"),
            Judgement::Alone => f.write_str("the only enclosure"),
            Judgement::Only => f.write_str("the only answer"),
            Judgement::Disjoint(others) => write!(f, "refuted: nothing in common with {}", others.join(", ")),
            Judgement::Incomparable(other, Mismatch::Count { own, other: theirs }) => {
                let plural = if *own == 1 { "" } else { "s" };
                write!(f, "not comparable: {own} part{plural}, but {theirs} of {other}")
            }
            Judgement::Incomparable(other, Mismatch::Shape { own, other: theirs }) => {
                write!(f, "not comparable: a part of {own}, but {theirs} of {other}")
            }
            Judgement::Incomparable(other, Mismatch::Kind { own, other: theirs }) => {
                write!(f, "not comparable: {own}, but {theirs} of {other}")
            }
            Judgement::Inside => f.write_str("inside"),
            Judgement::Near(ulps) => write!(f, "outside by {} ulps, within its estimated error", count(*ulps)),
            Judgement::Different(reason) => write!(f, "different: {reason}"),
            Judgement::NoNumber => f.write_str("finds no number either"),
            Judgement::Open(reason) => write!(f, "not compared: {reason}"),
        }
    }
}

/// A number of units, short.
fn count(ulps: f64) -> String {
    if ulps < 1e6 { format!("{}", (ulps * 10.0).ceil() / 10.0) } else { format!("{ulps:.0e}") }
}

/// An answer among several.
struct Row {
    name: &'static str,
    encloses: bool,
    /// Whether it rests on a derivative on a border, which other meanings may choose otherwise.
    on_border: bool,
    parts: Vec<Part>,
}

impl Row {
    fn mismatch(&self, other: &Self, place: usize) -> Option<Mismatch> {
        Mismatch::between(&self.parts, &other.parts, place)
    }
}

/// What is found out about every part of every answer; nothing for a meaning without one. Where shapes agree nothing is
/// said of them, unless there is nothing else.
#[must_use]
pub fn judge(statements: &[Testimony]) -> Vec<Option<Vec<Judgement>>> {
    let row = |statement: &Testimony| {
        let Testimony { name, encloses, outcome, .. } = statement;
        let answer = outcome.as_ref().ok()?;
        let on_border = answer.on_border;
        Some(Row { name, encloses: *encloses && !on_border, on_border, parts: parts(answer) })
    };
    let rows: Vec<Option<Row>> = statements.iter().map(row).collect();
    let judged = |(index, own): (usize, &Option<Row>)| {
        let own = own.as_ref()?;
        let others: Vec<&Row> =
            rows.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, row)| row.as_ref()).collect();
        let judged = own.parts.iter().enumerate().map(|(place, part)| (part, judge_part(own, place, &others)));
        let judged: Vec<_> = judged.collect();
        let only_shapes = own.parts.iter().all(Part::is_shape);
        let is_told = |(part, judgement): &(&Part, Judgement)| {
            only_shapes || !part.is_shape() || !matches!(judgement, Judgement::Agrees | Judgement::Only)
        };
        Some(judged.into_iter().filter(is_told).map(|(_, judgement)| judgement).collect())
    };
    rows.iter().enumerate().map(judged).collect()
}

fn judge_part(own: &Row, place: usize, others: &[&Row]) -> Judgement {
    // what may be wrong says nothing about what is not
    let judges: Vec<&Row> = others.iter().copied().filter(|other| other.encloses).collect();
    let comparable: Vec<(&'static str, &Part)> = judges
        .iter()
        .filter(|other| own.mismatch(other, place).is_none())
        .map(|other| (other.name, &other.parts[place]))
        .collect();
    let part = &own.parts[place];
    let apart: Vec<_> = comparable.iter().filter(|(_, other)| are_apart(part, other)).map(|(name, _)| *name).collect();
    if own.encloses && !apart.is_empty() {
        return Judgement::Disjoint(apart);
    }
    // of two that enclose, one is wrong; of what may be wrong it is enough that nothing can be compared with it
    if own.encloses || comparable.is_empty() {
        let found = judges.iter().find_map(|other| Some((other.name, own.mismatch(other, place)?)));
        if let Some((name, mismatch)) = found {
            return Judgement::Incomparable(name, mismatch);
        }
    }
    match part {
        // a number that may not exist contradicts nothing
        Part::Enclosure(answer) if !answer.enclosure.is_defined() => Judgement::Open(Reason::Undefined),
        Part::Enclosure(_) => {
            let met =
                comparable.iter().any(|(_, other)| matches!(other, Part::Enclosure(o) if o.enclosure.is_defined()));
            match (own.encloses, met) {
                _ if own.on_border && (!apart.is_empty() || !met) => Judgement::Open(Reason::Border),
                _ if !apart.is_empty() => Judgement::Different(Reason::Apart(apart)),
                (_, true) => Judgement::Agrees,
                (true, false) => Judgement::Alone,
                (false, false) if comparable.is_empty() => Judgement::Open(Reason::Unknown),
                (false, false) => Judgement::Open(Reason::Undefined),
            }
        }
        Part::Word { text, .. } => {
            let same = |other: &&Row| {
                own.mismatch(other, place).is_none()
                    && matches!(&other.parts[place], Part::Word { text: other, .. } if other == text)
            };
            if !apart.is_empty() {
                Judgement::Different(Reason::Apart(apart))
            } else if others.iter().any(same) {
                Judgement::Agrees
            } else if own.encloses || others.is_empty() {
                Judgement::Only
            } else {
                Judgement::Open(Reason::Unknown)
            }
        }
        Part::Undecided => Judgement::Open(Reason::Undefined),
        Part::Float { value, error } => match narrowest(comparable.into_iter().map(|(_, other)| other)) {
            Some(best) => judge_float(*value, *error, &best),
            None => Judgement::Open(Reason::Unknown),
        },
    }
}

/// Whether two parts of one kind cannot be one value.
fn are_apart(own: &Part, other: &Part) -> bool {
    match (own, other) {
        (Part::Enclosure(own), Part::Enclosure(other)) => {
            let [own, other] = [&own.enclosure, &other.enclosure];
            own.is_defined() && other.is_defined() && !own.overlaps(other)
        }
        (Part::Word { text, .. }, Part::Word { text: other, .. }) => text != other,
        _ => false,
    }
}

/// What enclosures say of a number together.
fn narrowest<'a>(parts: impl Iterator<Item = &'a Part>) -> Option<real::Refined> {
    let mut best: Option<real::Refined> = None;
    for part in parts {
        let Part::Enclosure(other) = part else { continue };
        if !other.enclosure.is_defined() && best.is_some() {
            continue;
        }
        best = Some(match best {
            Some(best) if !best.enclosure.is_defined() => real::Refined::clone(other),
            None => real::Refined::clone(other),
            // of two that are disjoint neither is better; they are judged themselves
            Some(best) => match best.enclosure.intersection(&other.enclosure) {
                Some(enclosure) => {
                    let (reached, exhausted) = (best.reached || other.reached, best.exhausted && other.exhausted);
                    real::Refined { enclosure, reached, exhausted, why: None, ..best }
                }
                None => best,
            },
        });
    }
    best
}

/// A floating-point number, beside an enclosure of what it should be.
#[must_use]
pub fn judge_float(value: f64, error: f64, answer: &real::Refined) -> Judgement {
    let enclosure = &answer.enclosure;
    if !enclosure.is_defined() && value.is_nan() {
        return Judgement::NoNumber;
    }
    if !enclosure.is_defined() {
        return Judgement::Open(Reason::Undefined);
    }
    if enclosure.is_bottom() {
        return Judgement::Open(Reason::Unknown);
    }
    let Some(exact) = Rational::from_f64(value) else {
        return Judgement::Different(if value.is_nan() { Reason::NotANumber } else { Reason::Overflow });
    };
    if enclosure.contains(&exact) {
        return Judgement::Inside;
    }
    let end = if *enclosure.lo() > exact { enclosure.lo() } else { enclosure.hi() };
    let distance = end.to_rational().map_or(f64::INFINITY, |end| Rational::from(&end - &exact).abs().to_f64());
    let ulps = distance / ulp(value.abs().max(end.to_f64().abs()));
    if !error.is_finite() {
        Judgement::Open(Reason::Unestimated)
    } else if distance <= error {
        Judgement::Near(ulps)
    } else if !answer.reached && !answer.exhausted {
        Judgement::Different(Reason::Set)
    } else {
        Judgement::Different(Reason::Off(ulps))
    }
}

/// The distance from a number ≥ 0 to the next one.
fn ulp(x: f64) -> f64 {
    if x < f64::MAX { x.next_up() - x } else { x - x.next_down() }
}
