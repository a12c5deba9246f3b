//! The parts of answers: what is compared with what.

use crate::model::answer::{Answer, Decision, Number};
use crate::number::real;
use crate::stack::deep;
use crate::value::{Kind, Value};

/// A number, or whatever else stands in one place of an answer.
#[derive(Clone, Debug)]
pub enum Part {
    /// An interval.
    Enclosure(Box<real::Refined>),
    /// A floating-point number.
    Float {
        /// The number.
        value: f64,
        /// Its estimated error.
        error: f64,
    },
    /// What is not a number, as the language writes it or in words.
    Word {
        /// What it is.
        kind: Kind,
        /// How it is written.
        text: String,
    },
    /// A truth value that is not decided.
    Undecided,
}

impl Part {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Part::Enclosure(_) | Part::Float { .. } => Kind::Real,
            Part::Word { kind, .. } => *kind,
            Part::Undecided => Kind::Boolean,
        }
    }

    /// A constructor or the length of a list: on which it depends what the parts after it are.
    #[must_use]
    pub fn is_shape(&self) -> bool {
        matches!(self.kind(), Kind::Variant | Kind::List)
    }
}

/// Why two answers cannot be compared in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// They have different numbers of parts.
    Count {
        /// The parts of this one.
        own: usize,
        /// The parts of the other.
        other: usize,
    },
    /// They have parts of different kinds.
    Kind {
        /// What this one has.
        own: Kind,
        /// What the other has.
        other: Kind,
    },
    /// They are parts of different constructors, or of lists of different lengths.
    Shape {
        /// What this one is a part of.
        own: String,
        /// What the other is a part of.
        other: String,
    },
}

impl Mismatch {
    /// Why two answers cannot be compared in a place, unless they can.
    #[must_use]
    pub fn between(own: &[Part], other: &[Part], place: usize) -> Option<Self> {
        for (index, (mine, theirs)) in own.iter().zip(other).enumerate() {
            match (mine, theirs) {
                (Part::Word { kind, text }, Part::Word { kind: other_kind, text: other })
                    if mine.is_shape() && kind == other_kind && text != other =>
                {
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

/// The parts of an answer, from left to right.
#[must_use]
pub fn parts(answer: &Answer) -> Vec<Part> {
    let mut parts = Vec::new();
    collect(&answer.value, &mut parts);
    parts
}

fn collect(value: &Value<Number>, into: &mut Vec<Part>) {
    let word = |kind: Kind, text: &str| Part::Word { kind, text: text.to_owned() };
    into.push(match value {
        Value::Real(Number::Enclosure(answer)) => Part::Enclosure(answer.clone()),
        Value::Real(Number::Float { value, error }) => Part::Float { value: *value, error: *error },
        Value::Natural(n) => word(Kind::Natural, &n.to_string()),
        Value::Boolean(Decision::Known(b)) => word(Kind::Boolean, if *b { "tt" } else { "ff" }),
        Value::Boolean(Decision::Border(_)) => Part::Undecided,
        Value::Unit => word(Kind::Unit, "()"),
        Value::Tuple(parts) => return parts.iter().for_each(|part| collect(part, into)),
        Value::Variant(index, argument) => {
            into.push(word(Kind::Variant, &format!("constructor {index}")));
            if !matches!(**argument, Value::Unit) {
                deep(|| collect(argument, into));
            }
            return;
        }
        Value::List(elements) => {
            into.push(word(Kind::List, &format!("a list of {}", elements.iter().count())));
            return elements.iter().for_each(|element| collect(element, into));
        }
        Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..) => word(value.kind(), value.kind().name()),
    });
}
