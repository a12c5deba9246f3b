//! Conversion of answers to printable values; the type supplies the names of the constructors.

use crate::model::answer::{Decision, Number};
use crate::number::Enclosure;
use crate::stack::deep;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Carrier, Value as Found};
use serde_json::{Value as Json, json};

/// A value that can be printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number; the enclosure says whether it is certainly defined.
    Real(Enclosure),
    /// A floating-point number, of which nothing is certain.
    Float {
        /// The number, or NaN.
        value: f64,
        /// Its estimated error.
        error: f64,
    },
    /// A truth value, a natural number or the unit, as the language writes it.
    Word(String),
    /// An undecided truth value: the number, whose sign decides it, is 0 or too near to 0.
    Undecided(String),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// A list, elementwise.
    List(Vec<Value>),
    /// A constructor, and its argument if it has one.
    Variant(String, Option<Box<Value>>),
}

impl Value {
    /// Returns the components of the value; none for a number.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Tuple(parts) | Value::List(parts) => parts,
            Value::Variant(_, Some(argument)) => std::slice::from_ref(&**argument),
            Value::Real(_) | Value::Float { .. } | Value::Word(_) | Value::Undecided(_) | Value::Variant(_, None) => {
                &[]
            }
        }
    }
}

/// Converts a value of a type to its printable form. An error names a kind of value that shows no number.
pub(super) fn value<N: Carrier<Truth = Decision>>(
    reply: &Found<N>,
    ty: &Ty,
    number: &mut impl FnMut(&N) -> Value,
) -> Result<Value, &'static str> {
    Ok(match (reply, ty.kind()) {
        (Found::Real(found), _) => number(found),
        (Found::Natural(n), _) => Value::Word(n.to_string()),
        (Found::Boolean(Decision::Known(true)), _) => Value::Word("tt".to_owned()),
        (Found::Boolean(Decision::Known(false)), _) => Value::Word("ff".to_owned()),
        (Found::Boolean(Decision::Border(number)), _) => Value::Undecided(number.to_string()),
        (Found::Unit, _) => Value::Word("()".to_owned()),
        (Found::Tuple(parts), TyKind::Tuple(types)) => {
            let parts = parts.iter().zip(types).map(|(part, ty)| value(part, ty, number));
            Value::Tuple(parts.collect::<Result<_, _>>()?)
        }
        (Found::List(parts), TyKind::Data(_, of)) => {
            // A list type is a data type with one parameter, the type of its elements.
            let of = of.first().ok_or("a list of an unknown type")?;
            Value::List(parts.iter().map(|part| value(part, of, number)).collect::<Result<_, _>>()?)
        }
        (Found::Variant(index, argument), TyKind::Data(data, arguments)) => {
            let constructor = data.constructors().nth(*index).ok_or("a variant of an unknown type")?;
            let argument = match constructor.argument() {
                // Variants nest as deeply as the data, so the stack must be able to grow.
                Some(ty) => Some(Box::new(deep(|| value(argument, &ty.with(arguments), number))?)),
                None => None,
            };
            Value::Variant(constructor.name().to_string(), argument)
        }
        (Found::Function(_) | Found::Tangent(_) | Found::Isomorphism(..), _) => return Err(reply.kind().name()),
        (Found::Tuple(_) | Found::List(_) | Found::Variant(..), _) => return Err("a value of an unknown type"),
    })
}

/// The text of an undecided truth value.
pub(super) const UNDECIDED: &str = "undecided";

/// Converts the value of an answer to its printable form, without loss.
pub(super) fn printed(found: &Found<Number>, ty: &Ty) -> Result<Value, &'static str> {
    value(found, ty, &mut |number| match number {
        Number::Enclosure(found) => Value::Real(found.enclosure.clone()),
        Number::Float { value, error } => Value::Float { value: *value, error: *error },
    })
}

/// Replaces the enclosures that are not certainly defined by the whole line: bounds on a number that need not exist
/// would be read as an answer.
pub(super) fn certain(value: Value) -> Value {
    match value {
        Value::Real(number) if !number.is_defined() => Value::Real(Enclosure::bottom()),
        Value::Tuple(parts) => Value::Tuple(parts.into_iter().map(certain).collect()),
        Value::List(parts) => Value::List(parts.into_iter().map(certain).collect()),
        Value::Variant(name, argument) => Value::Variant(name, argument.map(|argument| Box::new(certain(*argument)))),
        value => value,
    }
}

/// Formats a value, with each number formatted by `number`. Returns `None` if that returns `None` for a number. A list
/// is written with `::`, so that brackets always hold the ends of one number.
pub fn text(value: &Value, number: &impl Fn(&Value) -> Option<String>) -> Option<String> {
    let is_list = |part: &Value| matches!(part, Value::List(parts) if !parts.is_empty());
    let grouped = |text: String, is_loose: bool| if is_loose { format!("({text})") } else { text };
    Some(match value {
        Value::Real(_) | Value::Float { .. } => return number(value),
        Value::Word(word) => word.clone(),
        Value::Undecided(_) => UNDECIDED.to_owned(),
        Value::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| text(part, number)).collect();
            format!("({})", parts?.join(", "))
        }
        Value::List(parts) => {
            let mut whole = String::new();
            for part in parts {
                whole += &grouped(text(part, number)?, is_list(part));
                whole += " :: ";
            }
            whole + "[]"
        }
        Value::Variant(name, None) => name.clone(),
        Value::Variant(name, Some(argument)) => {
            let inner = deep(|| text(argument, number))?;
            let is_applied = matches!(&**argument, Value::Variant(_, Some(_)));
            // Lists, applications and signs bind less than the application of a constructor.
            let is_loose = is_list(argument) || is_applied || inner.starts_with('-');
            format!("{name} {}", grouped(inner, is_loose))
        }
    })
}

/// Writes a value as JSON, with each number written by `number`: lists for tuples and lists,
/// `{"constructor":…,"argument":…}` for variants, `null` for an undecided truth value.
pub(super) fn json(value: &Value, number: &impl Fn(&Value) -> Json) -> Json {
    match value {
        Value::Real(_) | Value::Float { .. } => number(value),
        Value::Word(word) => json!(word),
        Value::Undecided(_) => Json::Null,
        Value::Tuple(parts) | Value::List(parts) => parts.iter().map(|part| json(part, number)).collect(),
        Value::Variant(name, None) => json!({ "constructor": name }),
        Value::Variant(name, Some(argument)) => {
            json!({ "constructor": name, "argument": deep(|| json(argument, number)) })
        }
    }
}
