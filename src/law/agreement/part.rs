//! The parts of answers: what is compared with what.

use crate::model::answer::{Answer, Number, Reply};
use crate::number::real;
use crate::stack::deep;
use std::fmt;

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
    Word {
        /// What it is.
        kind: Kind,
        /// How it is written.
        text: String,
    },
}

/// What stands in one place of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Real,
    /// A natural number.
    Natural,
    /// A truth value.
    Boolean,
    /// The unit value.
    Unit,
    /// A constructor of a variant; its argument follows.
    Variant,
    /// A list, by its length; its elements follow.
    List,
    /// A function.
    Function,
    /// A tangent.
    Tangent,
    /// An isomorphism.
    Isomorphism,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Real => "a real number",
            Kind::Natural => "a natural number",
            Kind::Boolean => "a truth value",
            Kind::Unit => "the unit value",
            Kind::Variant => "a variant",
            Kind::List => "a list",
            Kind::Function => "a function",
            Kind::Tangent => "a tangent",
            Kind::Isomorphism => "an isomorphism",
        })
    }
}

impl Part {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Part::Enclosure(_) | Part::Float { .. } => Kind::Real,
            Part::Word { kind, .. } => *kind,
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

fn collect(value: &Reply<Number>, into: &mut Vec<Part>) {
    let word = |kind: Kind, text: &str| Part::Word { kind, text: text.to_owned() };
    into.push(match value {
        Reply::Real(Number::Enclosure(answer)) => Part::Enclosure(answer.clone()),
        Reply::Real(Number::Float { value, error }) => Part::Float { value: *value, error: *error },
        Reply::Natural(n) => word(Kind::Natural, &n.to_string()),
        Reply::Boolean(b) => word(Kind::Boolean, if *b { "tt" } else { "ff" }),
        Reply::Unit => word(Kind::Unit, "()"),
        Reply::Tuple(components) => return components.iter().for_each(|component| collect(component, into)),
        Reply::Variant(index, argument) => {
            into.push(word(Kind::Variant, &format!("constructor {index}")));
            if !matches!(**argument, Reply::Unit) {
                deep(|| collect(argument, into));
            }
            return;
        }
        Reply::List(elements) => {
            into.push(word(Kind::List, &format!("a list of {}", elements.len())));
            return elements.iter().for_each(|element| collect(element, into));
        }
        Reply::Function => word(Kind::Function, "a function"),
        Reply::Tangent => word(Kind::Tangent, "a tangent"),
        Reply::Isomorphism => word(Kind::Isomorphism, "an isomorphism"),
    });
}
