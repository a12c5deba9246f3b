//! Comparison of the answers of several semantics to one program.
//!
//! Two enclosures of one number have a point in common, or one of the semantics is refuted. It is not known which one.
//! If one of three enclosures lies apart, all three are refuted, each with the names of those it does not meet. Answers
//! with different numbers of parts, or a number and a truth value, are reported as incomparable.
//!
//! A semantics whose answers [are no enclosures](ModelAnswer::encloses) refutes no other, and is compared with those that
//! are.
//!
//! | verdict on a floating-point number | when |
//! |---|---|
//! | [inside](PartComparison::Inside) | it lies in the enclosure |
//! | [near](PartComparison::Near) | it lies outside, by no more than its estimated error |
//! | [different](PartComparison::Different) | it lies outside by more, or is no number; with the reason where one is known |
//! | [open](PartComparison::NotCompared) | the enclosure contains no information |
//!
//! # The parts of answers
//!
//! The units of comparison between semantics.

pub mod derivatives;

use crate::model::answer::{AnswerNumber, AnswerTruth, ProgramAnswer, Semantics, SemanticsError};
use crate::number::budget::Budget;
use crate::number::{Rational, real};
use crate::stack::with_stack;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
pub use crate::value::ValueKind;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The answer of one semantics to a program, with its time.
#[derive(Debug)]
pub struct ModelAnswer {
    /// The name of the semantics.
    pub name: &'static str,
    /// `true` if its answers certainly contain the true value ([`Semantics::is_certified`]). Otherwise it refutes no other
    /// answer.
    pub encloses: bool,
    /// The answer, or the error.
    pub outcome: Result<ProgramAnswer, SemanticsError>,
    /// The time it took.
    pub elapsed: Duration,
}

impl ModelAnswer {
    /// Evaluates a closed, well-typed program in a semantics.
    pub fn answer_of(meaning: &dyn Semantics, term: &Term, ty: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Self {
        let start = Instant::now();
        let outcome = meaning.evaluate(term, ty, eps, budget);
        Self { name: meaning.name(), encloses: meaning.is_certified(), outcome, elapsed: start.elapsed() }
    }
}

/// The result of comparing one part of an answer with the other answers.
#[derive(Clone, Debug, PartialEq)]
pub enum PartComparison {
    /// The part agrees with that of another semantics.
    Agrees,
    /// An enclosure where no other meaning has one.
    OnlyEnclosure,
    /// A part that is no number, where no other enclosing semantics has an answer.
    OnlyAnswer,
    /// An enclosure that does not meet those of these semantics, or a word that differs from theirs.
    Disjoint(Vec<&'static str>),
    /// The part cannot be compared with the answer of this semantics, for this reason.
    Incomparable(&'static str, Mismatch),
    /// A floating-point number in the enclosure.
    Inside,
    /// A floating-point number outside the enclosure by this many units in the last place, within its estimated error.
    Near(f64),
    /// An answer that may be wrong and that differs, with the reason.
    Different(DisagreementReason),
    /// Floating-point arithmetic finds no number, and no enclosure shows that there is one.
    NoNumber,
    /// No comparison is possible, with the reason.
    NotCompared(DisagreementReason),
}

/// The reason why an answer that may be wrong differs from an enclosure, or cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum DisagreementReason {
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
    OffByUlps(f64),
}

impl fmt::Display for DisagreementReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DisagreementReason::Apart(others) => write!(f, "disjoint from {}", others.join(", ")),
            DisagreementReason::NotANumber => f.write_str("floating-point arithmetic finds no number (NaN)"),
            DisagreementReason::Overflow => {
                f.write_str("floating-point arithmetic finds ±inf: an overflow, or a division by 0")
            }
            DisagreementReason::Undefined => f.write_str("the value is undefined, or not shown to be defined"),
            DisagreementReason::Unknown => f.write_str("no information about the value"),
            DisagreementReason::Unestimated => f.write_str("the rounding error of the number has no estimate"),
            DisagreementReason::Border => f.write_str("a derivative on a border is that of the piece"),
            DisagreementReason::Set => f.write_str("the value is a set, as at a kink, and this is not in it"),
            DisagreementReason::OffByUlps(ulps) => {
                write!(f, "off by {} ulps, more than rounding explains", format_ulps(*ulps))
            }
        }
    }
}

impl fmt::Display for PartComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartComparison::Agrees => f.write_str("agrees"),
            PartComparison::OnlyEnclosure => f.write_str("the only enclosure"),
            PartComparison::OnlyAnswer => f.write_str("the only answer"),
            PartComparison::Disjoint(others) => write!(f, "refuted: disjoint from {}", others.join(", ")),
            PartComparison::Incomparable(other, Mismatch::Count { own, other: theirs }) => {
                let plural = if *own == 1 { "" } else { "s" };
                write!(f, "not comparable: {own} part{plural}, but {theirs} of {other}")
            }
            PartComparison::Incomparable(other, Mismatch::Shape { own, other: theirs }) => {
                write!(f, "not comparable: a part of {own}, but {theirs} of {other}")
            }
            PartComparison::Incomparable(other, Mismatch::Kind { own, other: theirs }) => {
                write!(f, "not comparable: {own}, but {theirs} of {other}")
            }
            PartComparison::Inside => f.write_str("inside"),
            PartComparison::Near(ulps) => {
                write!(f, "outside by {} ulps, within its estimated error", format_ulps(*ulps))
            }
            PartComparison::Different(reason) => write!(f, "different: {reason}"),
            PartComparison::NoNumber => f.write_str("finds no number either"),
            PartComparison::NotCompared(reason) => write!(f, "not compared: {reason}"),
        }
    }
}

/// Prints a number of units in the last place, shortened.
fn format_ulps(ulps: f64) -> String {
    if ulps < 1e6 { format!("{}", (ulps * 10.0).ceil() / 10.0) } else { format!("{ulps:.0e}") }
}

/// One answer in the comparison.
struct ComparedAnswer {
    name: &'static str,
    encloses: bool,
    /// `true` if the answer rests on a derivative on a border, where other semantics may choose another value.
    on_border: bool,
    parts: Vec<AnswerPart>,
}

impl ComparedAnswer {
    /// Returns the mismatch with another answer at a part. Returns `None` if the parts are comparable.
    fn mismatch_at(&self, other: &Self, place: usize) -> Option<Mismatch> {
        Mismatch::find_mismatch(&self.parts, &other.parts, place)
    }
}

/// Compares every part of every answer with the others; `None` for a semantics without an answer. Agreement of shapes
/// is left out, unless an answer consists of shapes alone.
#[must_use]
pub fn compare_answers(statements: &[ModelAnswer]) -> Vec<Option<Vec<PartComparison>>> {
    let row = |statement: &ModelAnswer| {
        let ModelAnswer { name, encloses, outcome, .. } = statement;
        let answer = outcome.as_ref().ok()?;
        let on_border = answer.on_border;
        // a derivative on a border is a choice of the semantics, so it refutes no other
        Some(ComparedAnswer { name, encloses: *encloses && !on_border, on_border, parts: answer_parts(answer) })
    };
    let rows: Vec<Option<ComparedAnswer>> = statements.iter().map(row).collect();
    let judged = |(index, own): (usize, &Option<ComparedAnswer>)| {
        let own = own.as_ref()?;
        let others: Vec<&ComparedAnswer> =
            rows.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, row)| row.as_ref()).collect();
        let judged = own.parts.iter().enumerate().map(|(place, part)| (part, compare_part(own, place, &others)));
        let judged: Vec<_> = judged.collect();
        let only_shapes = own.parts.iter().all(AnswerPart::is_shape);
        let is_told = |(part, judgement): &(&AnswerPart, PartComparison)| {
            only_shapes || !part.is_shape() || !matches!(judgement, PartComparison::Agrees | PartComparison::OnlyAnswer)
        };
        Some(judged.into_iter().filter(is_told).map(|(_, judgement)| judgement).collect())
    };
    rows.iter().enumerate().map(judged).collect()
}

/// Compares the part at `place` of one answer with the others.
fn compare_part(own: &ComparedAnswer, place: usize, others: &[&ComparedAnswer]) -> PartComparison {
    // only enclosing answers can judge: the others may be wrong themselves
    let judges: Vec<&ComparedAnswer> = others.iter().copied().filter(|other| other.encloses).collect();
    let comparable: Vec<(&'static str, &AnswerPart)> = judges
        .iter()
        .filter(|other| own.mismatch_at(other, place).is_none())
        .map(|other| (other.name, &other.parts[place]))
        .collect();
    let part = &own.parts[place];
    let apart: Vec<_> = comparable.iter().filter(|(_, other)| are_apart(part, other)).map(|(name, _)| *name).collect();
    if own.encloses && !apart.is_empty() {
        return PartComparison::Disjoint(apart);
    }
    // of two enclosing answers that mismatch one is wrong; any other answer is incomparable only if nothing compares
    // with it
    if own.encloses || comparable.is_empty() {
        let found = judges.iter().find_map(|other| Some((other.name, own.mismatch_at(other, place)?)));
        if let Some((name, mismatch)) = found {
            return PartComparison::Incomparable(name, mismatch);
        }
    }
    match part {
        // an undefined enclosure contradicts nothing
        AnswerPart::Enclosure(answer) if !answer.enclosure.is_defined() => {
            PartComparison::NotCompared(DisagreementReason::Undefined)
        }
        AnswerPart::Enclosure(_) => {
            let met = comparable
                .iter()
                .any(|(_, other)| matches!(other, AnswerPart::Enclosure(o) if o.enclosure.is_defined()));
            match (own.encloses, met) {
                _ if own.on_border && (!apart.is_empty() || !met) => {
                    PartComparison::NotCompared(DisagreementReason::Border)
                }
                _ if !apart.is_empty() => PartComparison::Different(DisagreementReason::Apart(apart)),
                (_, true) => PartComparison::Agrees,
                (true, false) => PartComparison::OnlyEnclosure,
                (false, false) if comparable.is_empty() => PartComparison::NotCompared(DisagreementReason::Unknown),
                (false, false) => PartComparison::NotCompared(DisagreementReason::Undefined),
            }
        }
        AnswerPart::Word { text, .. } => {
            let same = |other: &&ComparedAnswer| {
                own.mismatch_at(other, place).is_none()
                    && matches!(&other.parts[place], AnswerPart::Word { text: other, .. } if other == text)
            };
            if !apart.is_empty() {
                PartComparison::Different(DisagreementReason::Apart(apart))
            } else if others.iter().any(same) {
                PartComparison::Agrees
            } else if own.encloses || others.is_empty() {
                PartComparison::OnlyAnswer
            } else {
                PartComparison::NotCompared(DisagreementReason::Unknown)
            }
        }
        AnswerPart::Undecided => PartComparison::NotCompared(DisagreementReason::Undefined),
        AnswerPart::Float { value, error } => {
            match intersect_enclosures(comparable.into_iter().map(|(_, other)| other)) {
                Some(best) => compare_float(*value, *error, &best),
                None => PartComparison::NotCompared(DisagreementReason::Unknown),
            }
        }
    }
}

/// Returns `true` if two parts of one kind cannot be the same value.
fn are_apart(own: &AnswerPart, other: &AnswerPart) -> bool {
    match (own, other) {
        (AnswerPart::Enclosure(own), AnswerPart::Enclosure(other)) => {
            let [own, other] = [&own.enclosure, &other.enclosure];
            own.is_defined() && other.is_defined() && !own.overlaps(other)
        }
        (AnswerPart::Word { text, .. }, AnswerPart::Word { text: other, .. }) => text != other,
        _ => false,
    }
}

/// Returns the intersection of the enclosures among `parts`. Returns `None` if there are none.
fn intersect_enclosures<'a>(parts: impl Iterator<Item = &'a AnswerPart>) -> Option<real::RefinedEnclosure> {
    let mut best: Option<real::RefinedEnclosure> = None;
    for part in parts {
        let AnswerPart::Enclosure(other) = part else { continue };
        // a defined enclosure replaces an undefined one, never the reverse
        if !other.enclosure.is_defined() && best.is_some() {
            continue;
        }
        best = Some(match best {
            Some(best) if !best.enclosure.is_defined() => real::RefinedEnclosure::clone(other),
            None => real::RefinedEnclosure::clone(other),
            // disjoint enclosures have no intersection; they are reported where they are compared with each other
            Some(best) => match best.enclosure.intersection(&other.enclosure) {
                Some(enclosure) => {
                    let (reached, exhausted) = (best.reached || other.reached, best.exhausted && other.exhausted);
                    real::RefinedEnclosure { enclosure, reached, exhausted, reason: None, exact: None, ..best }
                }
                None => best,
            },
        });
    }
    best
}

/// Compares a floating-point number with an enclosure of its true value.
#[must_use]
pub fn compare_float(value: f64, error: f64, answer: &real::RefinedEnclosure) -> PartComparison {
    let enclosure = &answer.enclosure;
    if !enclosure.is_defined() && value.is_nan() {
        return PartComparison::NoNumber;
    }
    if !enclosure.is_defined() {
        return PartComparison::NotCompared(DisagreementReason::Undefined);
    }
    if enclosure.is_bottom() {
        return PartComparison::NotCompared(DisagreementReason::Unknown);
    }
    let Some(exact) = Rational::from_f64(value) else {
        return PartComparison::Different(if value.is_nan() {
            DisagreementReason::NotANumber
        } else {
            DisagreementReason::Overflow
        });
    };
    if enclosure.contains(&exact) {
        return PartComparison::Inside;
    }
    let end = if *enclosure.lo() > exact { enclosure.lo() } else { enclosure.hi() };
    // an infinite end, as after an overflow, is infinitely far
    let distance = end.to_rational().map_or(f64::INFINITY, |end| Rational::from(&end - &exact).abs().to_f64());
    let ulps = distance / ulp(value.abs().max(end.to_f64().abs()));
    if !error.is_finite() {
        PartComparison::NotCompared(DisagreementReason::Unestimated)
    } else if distance <= error {
        PartComparison::Near(ulps)
        // the enclosure stays wide although time is left: a set of values, as at a kink
    } else if !answer.reached && !answer.exhausted {
        PartComparison::Different(DisagreementReason::Set)
    } else {
        PartComparison::Different(DisagreementReason::OffByUlps(ulps))
    }
}

/// Returns the distance from a number ≥ 0 to the next one.
fn ulp(x: f64) -> f64 {
    if x < f64::MAX { x.next_up() - x } else { x - x.next_down() }
}

/// One part of an answer: a number, a word or the shape of the parts after it.
#[derive(Clone, Debug)]
pub enum AnswerPart {
    /// An interval.
    Enclosure(Box<real::RefinedEnclosure>),
    /// A floating-point number.
    Float {
        /// The number.
        value: f64,
        /// Its estimated error.
        error: f64,
    },
    /// A part that is not a number, as the language prints it or in words.
    Word {
        /// The kind of value.
        kind: ValueKind,
        /// The printed form.
        text: String,
    },
    /// A truth value on the border of its guard, which is not decided.
    Undecided,
}

impl AnswerPart {
    /// Returns the kind of value.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        match self {
            AnswerPart::Enclosure(_) | AnswerPart::Float { .. } => ValueKind::Real,
            AnswerPart::Word { kind, .. } => *kind,
            AnswerPart::Undecided => ValueKind::Boolean,
        }
    }

    /// Returns `true` for a constructor or the length of a list. The meaning of the parts after it depends on it.
    #[must_use]
    pub fn is_shape(&self) -> bool {
        matches!(self.kind(), ValueKind::Variant | ValueKind::List)
    }
}

/// The reason why two answers cannot be compared at a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The answers have different numbers of parts.
    Count {
        /// The number of parts of this answer.
        own: usize,
        /// The number of parts of the other answer.
        other: usize,
    },
    /// The parts have different kinds.
    Kind {
        /// The kind of this part.
        own: ValueKind,
        /// The kind of the other part.
        other: ValueKind,
    },
    /// The parts lie below different constructors, or in lists of different lengths.
    Shape {
        /// The shape around this part.
        own: String,
        /// The shape around the other part.
        other: String,
    },
}

impl Mismatch {
    /// Returns the reason why two answers cannot be compared at `place`. Returns `None` if they can.
    #[must_use]
    pub fn find_mismatch(own: &[AnswerPart], other: &[AnswerPart], place: usize) -> Option<Self> {
        // shapes come before their parts, so the first difference of shapes decides about all parts after it
        for (index, (mine, theirs)) in own.iter().zip(other).enumerate() {
            match (mine, theirs) {
                (AnswerPart::Word { kind, text }, AnswerPart::Word { kind: other_kind, text: other })
                    if mine.is_shape() && kind == other_kind && text != other =>
                {
                    // the shapes themselves are comparable, as different words
                    return (place > index).then(|| Self::Shape { own: text.clone(), other: other.clone() });
                }
                _ if mine.kind() != theirs.kind() && (mine.is_shape() || theirs.is_shape()) => {
                    return (place >= index).then(|| Self::Kind { own: mine.kind(), other: theirs.kind() });
                }
                _ => {}
            }
        }
        if own.len() != other.len() {
            return Some(Self::Count { own: own.len(), other: other.len() });
        }
        let [own, other] = [own.get(place)?.kind(), other.get(place)?.kind()];
        (own != other).then_some(Self::Kind { own, other })
    }
}

/// Returns the parts of an answer, from left to right.
#[must_use]
pub fn answer_parts(answer: &ProgramAnswer) -> Vec<AnswerPart> {
    let mut parts = Vec::new();
    collect_parts(&answer.value, &mut parts);
    parts
}

/// Appends the parts of a value to `into`, from left to right.
fn collect_parts(value: &Value<AnswerNumber>, into: &mut Vec<AnswerPart>) {
    let word = |kind: ValueKind, text: &str| AnswerPart::Word { kind, text: text.to_owned() };
    into.push(match value {
        Value::Real(AnswerNumber::Enclosure(answer)) => AnswerPart::Enclosure(answer.clone()),
        Value::Real(AnswerNumber::Float { value, error }) => AnswerPart::Float { value: *value, error: *error },
        Value::Natural(n) => word(ValueKind::Natural, &n.to_string()),
        Value::Boolean(AnswerTruth::Decided(b)) => word(ValueKind::Boolean, if *b { "tt" } else { "ff" }),
        Value::Boolean(AnswerTruth::Undecided(_)) => AnswerPart::Undecided,
        Value::Unit => word(ValueKind::Unit, "()"),
        Value::Tuple(parts) => return parts.iter().for_each(|part| collect_parts(part, into)),
        Value::Variant(index, argument) => {
            into.push(word(ValueKind::Variant, &format!("constructor {index}")));
            // a constructor without an argument has `()` as one, which is no part of its own
            if !matches!(**argument, Value::Unit) {
                with_stack(|| collect_parts(argument, into));
            }
            return;
        }
        Value::List(elements) => {
            into.push(word(ValueKind::List, &format!("a list of {}", elements.iter().count())));
            return elements.iter().for_each(|element| collect_parts(element, into));
        }
        Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..) => {
            word(value.kind(), value.kind().noun_phrase())
        }
    });
}
