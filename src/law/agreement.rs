//! What several meanings of one program say about each other.
//!
//! Two enclosures of one number have a point in common, or one of the meanings is refuted. A floating-point number refutes
//! nothing: it is judged by the enclosure.
//!
//! | verdict on a floating-point number | when |
//! |---|---|
//! | [inside](Judgement::Inside) | it lies in the enclosure |
//! | [near](Judgement::Near) | it lies outside, by no more than its estimated error |
//! | [different](Judgement::Different) | it lies outside by more, or is no number; with the reason where one is known |
//! | [open](Judgement::Open) | the enclosure says nothing |

use crate::model::answer::{Answer, MeaningError, Number, Reply};
use crate::number::{Rational, real};
use std::fmt;
use std::time::Duration;

/// What one meaning says of a program.
#[derive(Debug)]
pub struct Statement {
    /// The meaning.
    pub name: &'static str,
    /// Its answer.
    pub outcome: Result<Answer, MeaningError>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A number, or whatever else stands in one place of an answer.
#[derive(Clone, Debug)]
pub enum Part {
    /// An interval.
    Enclosure(Box<real::Answer>),
    /// A floating-point number.
    Float {
        /// The number.
        value: f64,
        /// Its estimated error.
        error: f64,
    },
    /// What is not a number, as the language writes it or in words.
    Word(String),
    /// Which constructor a variant has, or how long a list is; its parts follow.
    Shape(String),
}

/// What is found out about one place of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// It agrees with another meaning's.
    Agrees,
    /// An enclosure where no other meaning has one.
    Alone,
    /// An enclosure without a point in common with another meaning's.
    Disjoint(&'static str),
    /// A floating-point number in the enclosure.
    Inside,
    /// A floating-point number outside, by so many units in the last place; that is within its estimated error.
    Near(f64),
    /// A floating-point number that is another one, and why.
    Different(Reason),
    /// Floating-point arithmetic finds no number, and no enclosure shows that there is one.
    NoNumber,
    /// There is nothing to compare with, and why.
    Open(Reason),
}

/// Why a floating-point number and an enclosure differ, or cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
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
    /// The value is a set, as at a kink, and the number is outside it.
    Set,
    /// None of these: it is off by so many units in its last place.
    Off(f64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotANumber => f.write_str("floating-point arithmetic finds no number (NaN)"),
            Reason::Overflow => f.write_str("floating-point arithmetic finds ±inf: an overflow, or a division by 0"),
            Reason::Undefined => f.write_str("the value is undefined, or not shown to be defined"),
            Reason::Unknown => f.write_str("nothing is known about the value"),
            Reason::Unestimated => f.write_str("the rounding error of the number has no estimate"),
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
            Judgement::Disjoint(other) => write!(f, "refuted: nothing in common with {other}"),
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

/// The parts of an answer, from left to right.
#[must_use]
pub fn parts(answer: &Answer) -> Vec<Part> {
    let mut parts = Vec::new();
    collect(&answer.value, &mut parts);
    parts
}

fn collect(value: &Reply<Number>, into: &mut Vec<Part>) {
    into.push(match value {
        Reply::Real(Number::Enclosure(answer)) => Part::Enclosure(answer.clone()),
        Reply::Real(Number::Float { value, error }) => Part::Float { value: *value, error: *error },
        Reply::Natural(n) => Part::Word(n.to_string()),
        Reply::Boolean(b) => Part::Word(if *b { "tt" } else { "ff" }.to_owned()),
        Reply::Unit => Part::Word("()".to_owned()),
        Reply::Tuple(components) => return components.iter().for_each(|component| collect(component, into)),
        Reply::Variant(index, argument) => {
            into.push(Part::Shape(format!("constructor {index}")));
            if !matches!(**argument, Reply::Unit) {
                collect(argument, into);
            }
            return;
        }
        Reply::List(elements) => {
            into.push(Part::Shape(format!("a list of {}", elements.len())));
            return elements.iter().for_each(|element| collect(element, into));
        }
        Reply::Function => Part::Word("a function".to_owned()),
        Reply::Tangent => Part::Word("a tangent".to_owned()),
        Reply::Isomorphism => Part::Word("an isomorphism".to_owned()),
    });
}

/// What is found out about every part of every answer; nothing for a meaning without one. Where shapes agree nothing is
/// said of them, unless there is nothing else.
#[must_use]
pub fn judge(statements: &[Statement]) -> Vec<Option<Vec<Judgement>>> {
    let answers: Vec<Option<Vec<Part>>> =
        statements.iter().map(|statement| statement.outcome.as_ref().ok().map(parts)).collect();
    let judged = |(row, answer): (usize, &Option<Vec<Part>>)| {
        let answer = answer.as_ref()?;
        let others = || {
            let others = answers.iter().enumerate().filter(move |(other, _)| *other != row);
            others.filter_map(|(other, answer)| Some((statements[other].name, answer.as_ref()?)))
        };
        let judged = answer.iter().enumerate().map(|(i, part)| (part, judge_part(part, i, others())));
        let judged: Vec<_> = judged.collect();
        let only_shapes = answer.iter().all(|part| matches!(part, Part::Shape(_)));
        let is_told = |(part, judgement): &(&Part, Judgement)| {
            only_shapes || !matches!(part, Part::Shape(_)) || *judgement != Judgement::Agrees
        };
        Some(judged.into_iter().filter(is_told).map(|(_, judgement)| judgement).collect())
    };
    answers.iter().enumerate().map(judged).collect()
}

fn judge_part<'a>(
    part: &Part,
    index: usize,
    others: impl Iterator<Item = (&'static str, &'a Vec<Part>)> + Clone,
) -> Judgement {
    let against = others.filter_map(|(name, parts)| Some((name, parts.get(index)?)));
    match part {
        // a number that may not exist contradicts nothing
        Part::Enclosure(answer) if !answer.enclosure.is_defined() => Judgement::Open(Reason::Undefined),
        Part::Enclosure(answer) => against
            .clone()
            .find_map(|(name, other)| match other {
                Part::Enclosure(other)
                    if other.enclosure.is_defined() && !answer.enclosure.overlaps(&other.enclosure) =>
                {
                    Some(Judgement::Disjoint(name))
                }
                _ => None,
            })
            .unwrap_or_else(|| {
                let is_enclosure =
                    |(_, other): (_, &Part)| matches!(other, Part::Enclosure(o) if o.enclosure.is_defined());
                if against.clone().any(is_enclosure) { Judgement::Agrees } else { Judgement::Alone }
            }),
        Part::Word(word) | Part::Shape(word) => against
            .clone()
            .find_map(|(name, other)| match other {
                Part::Word(other) | Part::Shape(other) if word != other => Some(Judgement::Disjoint(name)),
                _ => None,
            })
            .unwrap_or(Judgement::Agrees),
        Part::Float { value, error } => {
            let mut best: Option<real::Answer> = None;
            for (_, other) in against {
                let Part::Enclosure(other) = other else { continue };
                if !other.enclosure.is_defined() && best.is_some() {
                    continue;
                }
                best = Some(match best {
                    Some(best) if !best.enclosure.is_defined() => real::Answer::clone(other),
                    None => real::Answer::clone(other),
                    // of two that are disjoint neither is better; they are judged themselves
                    Some(best) => match best.enclosure.intersection(&other.enclosure) {
                        Some(enclosure) => {
                            let (reached, exhausted) =
                                (best.reached || other.reached, best.exhausted && other.exhausted);
                            real::Answer { enclosure, reached, exhausted, ..best }
                        }
                        None => best,
                    },
                });
            }
            match best {
                Some(best) => judge_float(*value, *error, &best),
                None => Judgement::Open(Reason::Unknown),
            }
        }
    }
}

/// A floating-point number, beside an enclosure of what it should be.
#[must_use]
pub fn judge_float(value: f64, error: f64, answer: &real::Answer) -> Judgement {
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
