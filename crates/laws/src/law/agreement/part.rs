//! The parts of answers: the units of comparison between semantics.

use crate::model::answer::{Answer, Decision, Number};
use crate::number::real;
use crate::stack::deep;
use crate::value::{Kind, Value};

/// One part of an answer: a number, a word or the shape of the parts after it.
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
    /// A part that is not a number, as the language prints it or in words.
    Word {
        /// The kind of value.
        kind: Kind,
        /// The printed form.
        text: String,
    },
    /// A truth value on the border of its guard, which is not decided.
    Undecided,
}

impl Part {
    /// Returns the kind of value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Part::Enclosure(_) | Part::Float { .. } => Kind::Real,
            Part::Word { kind, .. } => *kind,
            Part::Undecided => Kind::Boolean,
        }
    }

    /// Returns `true` for a constructor or the length of a list. The meaning of the parts after it depends on it.
    #[must_use]
    pub fn is_shape(&self) -> bool {
        matches!(self.kind(), Kind::Variant | Kind::List)
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
        own: Kind,
        /// The kind of the other part.
        other: Kind,
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
    pub fn between(own: &[Part], other: &[Part], place: usize) -> Option<Self> {
        // shapes come before their parts, so the first difference of shapes decides about all parts after it
        for (index, (mine, theirs)) in own.iter().zip(other).enumerate() {
            match (mine, theirs) {
                (Part::Word { kind, text }, Part::Word { kind: other_kind, text: other })
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
pub fn parts(answer: &Answer) -> Vec<Part> {
    let mut parts = Vec::new();
    collect(&answer.value, &mut parts);
    parts
}

/// Appends the parts of a value to `into`, from left to right.
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
            // a constructor without an argument has `()` as one, which is no part of its own
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
