//! Comparison of the answers of several semantics to one program.
//!
//! Two enclosures of one number have a point in common, or one of the semantics is refuted. It is not known which one.
//! If one of three enclosures lies apart, all three are refuted, each with the names of those it does not meet. Answers
//! with different numbers of parts, or a number and a truth value, are reported as incomparable.
//!
//! A semantics whose answers [are no enclosures](Testimony::encloses) refutes no other, and is compared with those that
//! are.
//!
//! | verdict on a floating-point number | when |
//! |---|---|
//! | [inside](Judgement::Inside) | it lies in the enclosure |
//! | [near](Judgement::Near) | it lies outside, by no more than its estimated error |
//! | [different](Judgement::Different) | it lies outside by more, or is no number; with the reason where one is known |
//! | [open](Judgement::Open) | the enclosure contains no information |

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

/// The answer of one semantics to a program, with its time.
#[derive(Debug)]
pub struct Testimony {
    /// The name of the semantics.
    pub name: &'static str,
    /// `true` if its answers certainly contain the true value ([`Meaning::encloses`]). Otherwise it refutes no other
    /// answer.
    pub encloses: bool,
    /// The answer, or the error.
    pub outcome: Result<Answer, MeaningError>,
    /// The time it took.
    pub elapsed: Duration,
}

impl Testimony {
    /// Evaluates a closed, well-typed program in a semantics.
    pub fn of(meaning: &dyn Meaning, term: &Term, ty: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Self {
        let start = Instant::now();
        let outcome = meaning.answer(term, ty, eps, budget);
        Self { name: meaning.name(), encloses: meaning.encloses(), outcome, elapsed: start.elapsed() }
    }
}

/// The result of comparing one part of an answer with the other answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// The part agrees with that of another semantics.
    Agrees,
    /// An enclosure where no other meaning has one.
    Alone,
    /// A part that is no number, where no other enclosing semantics has an answer.
    Only,
    /// An enclosure that does not meet those of these semantics, or a word that differs from theirs.
    Disjoint(Vec<&'static str>),
    /// The part cannot be compared with the answer of this semantics, for this reason.
    Incomparable(&'static str, Mismatch),
    /// A floating-point number in the enclosure.
    Inside,
    /// A floating-point number outside the enclosure by this many units in the last place, within its estimated error.
    Near(f64),
    /// An answer that may be wrong and that differs, with the reason.
    Different(Reason),
    /// Floating-point arithmetic finds no number, and no enclosure shows that there is one.
    NoNumber,
    /// No comparison is possible, with the reason.
    Open(Reason),
}

/// The reason why an answer that may be wrong differs from an enclosure, or cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The answer does not meet those of these semantics.
    Apart(Vec<&'static str>),
    /// Floating-point arithmetic found no number.
    NotANumber,
    /// A floating-point result overflowed.
    Overflow,
    /// The value is not defined, or was not shown to be.
    Undefined,
    /// The answers contain no information about the value.
    Unknown,
    /// The rounding error of the number has no estimate.
    Unestimated,
    /// The value rests on a derivative on a border, taken of the piece to which the border belongs.
    Border,
    /// The value is a set, as at a kink, and the number is outside it.
    Set,
    /// None of these: it is off by this many units in the last place.
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

/// Prints a number of units in the last place, shortened.
fn count(ulps: f64) -> String {
    if ulps < 1e6 { format!("{}", (ulps * 10.0).ceil() / 10.0) } else { format!("{ulps:.0e}") }
}

/// One answer in the comparison.
struct Row {
    name: &'static str,
    encloses: bool,
    /// `true` if the answer rests on a derivative on a border, where other semantics may choose another value.
    on_border: bool,
    parts: Vec<Part>,
}

impl Row {
    /// Returns the mismatch with another answer at a part. Returns `None` if the parts are comparable.
    fn mismatch(&self, other: &Self, place: usize) -> Option<Mismatch> {
        Mismatch::between(&self.parts, &other.parts, place)
    }
}

/// Compares every part of every answer with the others; `None` for a semantics without an answer. Agreement of shapes
/// is left out, unless an answer consists of shapes alone.
#[must_use]
pub fn judge(statements: &[Testimony]) -> Vec<Option<Vec<Judgement>>> {
    let row = |statement: &Testimony| {
        let Testimony { name, encloses, outcome, .. } = statement;
        let answer = outcome.as_ref().ok()?;
        let on_border = answer.on_border;
        // a derivative on a border is a choice of the semantics, so it refutes no other
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

/// Compares the part at `place` of one answer with the others.
fn judge_part(own: &Row, place: usize, others: &[&Row]) -> Judgement {
    // only enclosing answers can judge: the others may be wrong themselves
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
    // of two enclosing answers that mismatch one is wrong; any other answer is incomparable only if nothing compares
    // with it
    if own.encloses || comparable.is_empty() {
        let found = judges.iter().find_map(|other| Some((other.name, own.mismatch(other, place)?)));
        if let Some((name, mismatch)) = found {
            return Judgement::Incomparable(name, mismatch);
        }
    }
    match part {
        // an undefined enclosure contradicts nothing
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

/// Returns `true` if two parts of one kind cannot be the same value.
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

/// Returns the intersection of the enclosures among `parts`. Returns `None` if there are none.
fn narrowest<'a>(parts: impl Iterator<Item = &'a Part>) -> Option<real::Refined> {
    let mut best: Option<real::Refined> = None;
    for part in parts {
        let Part::Enclosure(other) = part else { continue };
        // a defined enclosure replaces an undefined one, never the reverse
        if !other.enclosure.is_defined() && best.is_some() {
            continue;
        }
        best = Some(match best {
            Some(best) if !best.enclosure.is_defined() => real::Refined::clone(other),
            None => real::Refined::clone(other),
            // disjoint enclosures have no intersection; they are reported where they are compared with each other
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

/// Compares a floating-point number with an enclosure of its true value.
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
    // an infinite end, as after an overflow, is infinitely far
    let distance = end.to_rational().map_or(f64::INFINITY, |end| Rational::from(&end - &exact).abs().to_f64());
    let ulps = distance / ulp(value.abs().max(end.to_f64().abs()));
    if !error.is_finite() {
        Judgement::Open(Reason::Unestimated)
    } else if distance <= error {
        Judgement::Near(ulps)
        // the enclosure stays wide although time is left: a set of values, as at a kink
    } else if !answer.reached && !answer.exhausted {
        Judgement::Different(Reason::Set)
    } else {
        Judgement::Different(Reason::Off(ulps))
    }
}

/// Returns the distance from a number ≥ 0 to the next one.
fn ulp(x: f64) -> f64 {
    if x < f64::MAX { x.next_up() - x } else { x - x.next_down() }
}
