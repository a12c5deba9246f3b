//! The parts of answers: the units of comparison between semantics.

use crate::model::answer::{AnswerNumber, AnswerTruth, ProgramAnswer};
use crate::number::real;
use crate::stack::with_stack;
use crate::value::{Value, ValueKind};

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
