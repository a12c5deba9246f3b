//! Conversion of answers to printable values; the type supplies the names of the constructors.

use crate::model::answer::{AnswerNumber, AnswerTruth};
use crate::number::Enclosure;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Carrier, Value};
use serde_json::{Value as Json, json};

/// A value that can be printed.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintableValue {
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
    Tuple(Vec<PrintableValue>),
    /// A list, elementwise.
    List(Vec<PrintableValue>),
    /// A constructor, and its argument if it has one.
    Variant(String, Option<Box<PrintableValue>>),
}

impl PrintableValue {
    /// Returns the components of the value; none for a number.
    #[must_use]
    pub fn parts(&self) -> &[PrintableValue] {
        match self {
            PrintableValue::Tuple(parts) | PrintableValue::List(parts) => parts,
            PrintableValue::Variant(_, Some(argument)) => std::slice::from_ref(&**argument),
            PrintableValue::Real(_)
            | PrintableValue::Float { .. }
            | PrintableValue::Word(_)
            | PrintableValue::Undecided(_)
            | PrintableValue::Variant(_, None) => &[],
        }
    }
}

/// Converts a value of a type to its printable form. An error names a kind of value that shows no number.
pub(super) fn to_printable<N: Carrier<Truth = AnswerTruth>>(
    reply: &Value<N>,
    ty: &Ty,
    number: &mut impl FnMut(&N) -> PrintableValue,
) -> Result<PrintableValue, &'static str> {
    Ok(match (reply, ty.kind()) {
        (Value::Real(found), _) => number(found),
        (Value::Natural(n), _) => PrintableValue::Word(n.to_string()),
        (Value::Boolean(AnswerTruth::Decided(true)), _) => PrintableValue::Word("tt".to_owned()),
        (Value::Boolean(AnswerTruth::Decided(false)), _) => PrintableValue::Word("ff".to_owned()),
        (Value::Boolean(AnswerTruth::Undecided(number)), _) => PrintableValue::Undecided(number.to_string()),
        (Value::Unit, _) => PrintableValue::Word("()".to_owned()),
        (Value::Tuple(parts), TyKind::Tuple(types)) => {
            let parts = parts.iter().zip(types).map(|(part, ty)| to_printable(part, ty, number));
            PrintableValue::Tuple(parts.collect::<Result<_, _>>()?)
        }
        (Value::List(parts), TyKind::Data(_, of)) => {
            // A list type is a data type with one parameter, the type of its elements.
            let of = of.first().ok_or("a list of an unknown type")?;
            PrintableValue::List(parts.iter().map(|part| to_printable(part, of, number)).collect::<Result<_, _>>()?)
        }
        (Value::Variant(index, argument), TyKind::Data(data, arguments)) => {
            let constructor = data.constructors().nth(*index).ok_or("a variant of an unknown type")?;
            let argument = match constructor.argument() {
                // Variants nest as deeply as the data, so the stack must be able to grow.
                Some(ty) => {
                    Some(Box::new(with_stack(|| to_printable(argument, &ty.with_arguments(arguments), number))?))
                }
                None => None,
            };
            PrintableValue::Variant(constructor.name().to_string(), argument)
        }
        (Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..), _) => return Err(reply.kind().noun_phrase()),
        (Value::Tuple(_) | Value::List(_) | Value::Variant(..), _) => return Err("a value of an unknown type"),
    })
}

/// The text of an undecided truth value.
pub(super) const UNDECIDED: &str = "undecided";

/// Converts the value of an answer to its printable form, without loss.
pub(super) fn answer_to_printable(found: &Value<AnswerNumber>, ty: &Ty) -> Result<PrintableValue, &'static str> {
    to_printable(found, ty, &mut |number| match number {
        AnswerNumber::Enclosure(found) => PrintableValue::Real(found.enclosure.clone()),
        AnswerNumber::Float { value, error } => PrintableValue::Float { value: *value, error: *error },
    })
}

/// Replaces the enclosures that are not certainly defined by the whole line: bounds on a number that need not exist
/// would be read as an answer.
pub(super) fn replace_undefined(value: PrintableValue) -> PrintableValue {
    match value {
        PrintableValue::Real(number) if !number.is_defined() => PrintableValue::Real(Enclosure::bottom()),
        PrintableValue::Tuple(parts) => PrintableValue::Tuple(parts.into_iter().map(replace_undefined).collect()),
        PrintableValue::List(parts) => PrintableValue::List(parts.into_iter().map(replace_undefined).collect()),
        PrintableValue::Variant(name, argument) => {
            PrintableValue::Variant(name, argument.map(|argument| Box::new(replace_undefined(*argument))))
        }
        value => value,
    }
}

/// Formats a value, with each number formatted by `number`. Returns `None` if that returns `None` for a number. A list
/// is written with `::`, so that `[a, b]` is always an enclosure.
pub fn format_with(value: &PrintableValue, number: &impl Fn(&PrintableValue) -> Option<String>) -> Option<String> {
    let is_list = |part: &PrintableValue| matches!(part, PrintableValue::List(parts) if !parts.is_empty());
    let grouped = |text: String, is_loose: bool| if is_loose { format!("({text})") } else { text };
    Some(match value {
        PrintableValue::Real(_) | PrintableValue::Float { .. } => return number(value),
        PrintableValue::Word(word) => word.clone(),
        PrintableValue::Undecided(_) => UNDECIDED.to_owned(),
        PrintableValue::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| format_with(part, number)).collect();
            format!("({})", parts?.join(", "))
        }
        PrintableValue::List(parts) => {
            let mut whole = String::new();
            for part in parts {
                whole += &grouped(format_with(part, number)?, is_list(part));
                whole += " :: ";
            }
            whole + "[]"
        }
        PrintableValue::Variant(name, None) => name.clone(),
        PrintableValue::Variant(name, Some(argument)) => {
            let inner = with_stack(|| format_with(argument, number))?;
            let is_applied = matches!(&**argument, PrintableValue::Variant(_, Some(_)));
            // Lists, applications and signs bind less than the application of a constructor.
            let is_loose = is_list(argument) || is_applied || inner.starts_with('-');
            format!("{name} {}", grouped(inner, is_loose))
        }
    })
}

/// Writes a value as JSON, with each number written by `number`: lists for tuples and lists,
/// `{"constructor":…,"argument":…}` for variants, `null` for an undecided truth value.
pub(super) fn json_with(value: &PrintableValue, number: &impl Fn(&PrintableValue) -> Json) -> Json {
    match value {
        PrintableValue::Real(_) | PrintableValue::Float { .. } => number(value),
        PrintableValue::Word(word) => json!(word),
        PrintableValue::Undecided(_) => Json::Null,
        PrintableValue::Tuple(parts) | PrintableValue::List(parts) => {
            parts.iter().map(|part| json_with(part, number)).collect()
        }
        PrintableValue::Variant(name, None) => json!({ "constructor": name }),
        PrintableValue::Variant(name, Some(argument)) => {
            json!({ "constructor": name, "argument": with_stack(|| json_with(argument, number)) })
        }
    }
}
