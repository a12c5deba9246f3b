//! Conversion of answers to printable values; the type supplies the names of the constructors.

use crate::model::answer::{AnswerNumber, AnswerTruth};
use crate::number::{Accuracy, Enclosure, Rational};
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Carrier, Value};
use serde_json::{Value as Json, json};

/// A value that can be printed.
#[derive(Clone, Debug, PartialEq)]
pub enum PrintableValue {
    /// A real number.
    Real {
        /// An interval that contains it; it says whether the number is certainly defined.
        enclosure: Enclosure,
        /// The number itself, if it is known to be rational.
        exact: Option<Rational>,
    },
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
    /// A value in which lists occur, with its type: the type tells the brackets of a list from those of an interval.
    Typed(Box<PrintableValue>, String),
}

impl PrintableValue {
    /// Returns the components of the value; none for a number.
    #[must_use]
    pub fn parts(&self) -> &[PrintableValue] {
        match self {
            PrintableValue::Tuple(parts) | PrintableValue::List(parts) => parts,
            PrintableValue::Variant(_, Some(part)) | PrintableValue::Typed(part, _) => std::slice::from_ref(&**part),
            PrintableValue::Real { .. }
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
    let value = to_printable(found, ty, &mut |number| match number {
        AnswerNumber::Enclosure(found) => {
            PrintableValue::Real { enclosure: found.enclosure.clone(), exact: found.exact_value() }
        }
        AnswerNumber::Float { value, error } => PrintableValue::Float { value: *value, error: *error },
    })?;
    Ok(if has_list(&value) { PrintableValue::Typed(Box::new(value), ty.to_string()) } else { value })
}

/// Returns `true` if a list occurs in a value.
fn has_list(value: &PrintableValue) -> bool {
    matches!(value, PrintableValue::List(_)) || with_stack(|| value.parts().iter().any(has_list))
}

/// Formats a number exactly, if it is known to be a decimal that is short enough for the accuracy `to`; or else `None`.
pub(super) fn format_exact_number(enclosure: &Enclosure, exact: Option<&Rational>, to: &Accuracy) -> Option<String> {
    exact.filter(|_| enclosure.is_defined()).and_then(|exact| to.print_exact(exact))
}

/// Replaces the enclosures that are not certainly defined by the whole line: bounds on a number that need not exist
/// would be read as an answer.
pub(super) fn replace_undefined(value: PrintableValue) -> PrintableValue {
    match value {
        PrintableValue::Real { enclosure, .. } if !enclosure.is_defined() => {
            PrintableValue::Real { enclosure: Enclosure::bottom(), exact: None }
        }
        PrintableValue::Tuple(parts) => PrintableValue::Tuple(parts.into_iter().map(replace_undefined).collect()),
        PrintableValue::List(parts) => PrintableValue::List(parts.into_iter().map(replace_undefined).collect()),
        PrintableValue::Variant(name, argument) => {
            PrintableValue::Variant(name, argument.map(|argument| Box::new(replace_undefined(*argument))))
        }
        PrintableValue::Typed(value, ty) => PrintableValue::Typed(Box::new(replace_undefined(*value)), ty),
        value => value,
    }
}

/// Formats a value, with each number formatted by `number`. Returns `None` if that returns `None` for a number. A list is
/// written `[a, b]`, and its type tells it from an interval.
pub fn format_with(value: &PrintableValue, number: &impl Fn(&PrintableValue) -> Option<String>) -> Option<String> {
    let grouped = |text: String, is_loose: bool| if is_loose { format!("({text})") } else { text };
    Some(match value {
        PrintableValue::Real { .. } | PrintableValue::Float { .. } => return number(value),
        PrintableValue::Word(word) => word.clone(),
        PrintableValue::Undecided(_) => UNDECIDED.to_owned(),
        PrintableValue::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| format_with(part, number)).collect();
            format!("({})", parts?.join(", "))
        }
        PrintableValue::List(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| format_with(part, number)).collect();
            format!("[{}]", parts?.join(", "))
        }
        PrintableValue::Typed(value, ty) => format!("{} : {ty}", format_with(value, number)?),
        PrintableValue::Variant(name, None) => name.clone(),
        PrintableValue::Variant(name, Some(argument)) => {
            let inner = with_stack(|| format_with(argument, number))?;
            let is_applied = matches!(&**argument, PrintableValue::Variant(_, Some(_)));
            // Applications and signs bind less than the application of a constructor.
            let is_loose = is_applied || inner.starts_with('-');
            format!("{name} {}", grouped(inner, is_loose))
        }
    })
}

/// Writes a value as JSON, with each number written by `number`: lists for tuples and lists,
/// `{"constructor":…,"argument":…}` for variants, `null` for an undecided truth value.
pub(super) fn json_with(value: &PrintableValue, number: &impl Fn(&PrintableValue) -> Json) -> Json {
    match value {
        PrintableValue::Real { .. } | PrintableValue::Float { .. } => number(value),
        PrintableValue::Word(word) => json!(word),
        PrintableValue::Undecided(_) => Json::Null,
        PrintableValue::Tuple(parts) | PrintableValue::List(parts) => {
            parts.iter().map(|part| json_with(part, number)).collect()
        }
        PrintableValue::Typed(value, _) => json_with(value, number),
        PrintableValue::Variant(name, None) => json!({ "constructor": name }),
        PrintableValue::Variant(name, Some(argument)) => {
            json!({ "constructor": name, "argument": with_stack(|| json_with(argument, number)) })
        }
    }
}
