//! What can be wrong with the meaning of a program before it is run: names and types.

use super::limit;
use super::name::Name;
use super::source::Span;
use super::ty::{Class, Ty, TyKind};
use thiserror::Error;

/// Which argument of which function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentOf {
    /// The number of the argument, from 1.
    pub number: usize,
    /// The function, as written.
    pub function: String,
    /// The type of the function.
    pub ty: Ty,
}

/// A program whose names or types do not fit. In the types, `_` stands for a part that is not known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeError {
    /// A name that nothing in scope has.
    #[error("{} `{name}` is not known here", if *is_type { "the type" } else { "the name" })]
    Unknown {
        /// The name.
        name: String,
        /// Whether it stands where a type must.
        is_type: bool,
        /// What to try instead.
        suggestion: Option<String>,
        /// Where.
        span: Span,
    },
    /// A module that is not loaded.
    #[error("there is no module `{module}`")]
    UnknownModule {
        /// The module.
        module: String,
        /// A module of a similar name.
        suggestion: Option<String>,
        /// Where.
        span: Span,
    },
    /// A name that several modules define.
    #[error("`{name}` is defined in several modules")]
    Ambiguous {
        /// The name.
        name: String,
        /// The modules.
        modules: Vec<Name>,
        /// Where.
        span: Span,
    },
    /// A type where a value must stand.
    #[error("`{name}` is a type, not a value")]
    TypeAsValue {
        /// The type.
        name: String,
        /// Where.
        span: Span,
    },
    /// A type of the wrong number of arguments.
    #[error("the type `{name}` takes {takes} argument{}, not {given}", if *takes == 1 { "" } else { "s" })]
    TypeArguments {
        /// The type.
        name: String,
        /// How many arguments it takes.
        takes: usize,
        /// How many it was given.
        given: usize,
        /// Where.
        span: Span,
    },
    /// A definition of a name that the module has already.
    #[error("`{name}` is defined twice in the module `{module}`")]
    DefinedTwice {
        /// The name.
        name: String,
        /// The module.
        module: Name,
        /// The second place.
        span: Span,
    },
    /// Two types that should be the same.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// The type that the context needs.
        expected: Ty,
        /// The type that is there.
        found: Ty,
        /// The application in which the context is.
        argument: Option<ArgumentOf>,
        /// Where.
        span: Span,
    },
    /// An operator at a type that it is not defined at.
    #[error("`{operator}` works on {}, not on {found}", class.about())]
    Operator {
        /// The operator.
        operator: &'static str,
        /// What it works on.
        class: Class,
        /// The type that is there.
        found: Ty,
        /// Where.
        span: Span,
    },
    /// A comparison of real numbers.
    #[error("real numbers cannot be compared by `{operator}`")]
    RealComparison {
        /// The comparison.
        operator: &'static str,
        /// Where.
        span: Span,
    },
    /// A type that would contain itself.
    #[error("the type of this is infinite: it would have to be a part of itself")]
    Infinite {
        /// Where.
        span: Span,
    },
    /// A type parameter that would have to be a known type, or to leave its scope.
    #[error("the type parameter `{name}` cannot be determined by what it is used with outside its definition")]
    Escape {
        /// The parameter.
        name: Name,
        /// Where.
        span: Span,
    },
    /// Something is applied that is not a function.
    #[error("`{function}` is not a function: it has the type {ty}")]
    NotAFunction {
        /// What is applied, as written.
        function: String,
        /// Its type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A function is given more arguments than it takes.
    #[error("`{function}` takes {takes} argument{}, and is given {given}", if *takes == 1 { "" } else { "s" })]
    TooManyArguments {
        /// The function, as written.
        function: String,
        /// Its type.
        ty: Ty,
        /// How many arguments it takes.
        takes: usize,
        /// How many it is given.
        given: usize,
        /// The first argument too many.
        span: Span,
    },
    /// A component that a tuple does not have.
    #[error("there is no component [{index}]: the tuple is of type {ty}, with the components [0] to [{}]", width - 1)]
    NoComponent {
        /// The number of the component.
        index: usize,
        /// How many there are.
        width: usize,
        /// The type of the tuple.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A component of something that is not a tuple.
    #[error("a component [{index}] is selected from something that is not a tuple: it has the type {ty}")]
    NotATuple {
        /// The number of the component.
        index: usize,
        /// The type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A component of something of unknown type.
    #[error("a component [{index}] is selected from something whose type is not known")]
    UnknownTuple {
        /// The number of the component.
        index: usize,
        /// What it is selected from, as written.
        tuple: String,
        /// Where.
        span: Span,
    },
    /// `.to` or `.from` of something that is not an isomorphism.
    #[error("`.to` and `.from` are the parts of an isomorphism; this has the type {ty}")]
    NotAnIsomorphism {
        /// The type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A natural number that does not fit.
    #[error("this natural number is too large: at most {} is allowed", u64::MAX)]
    NaturalTooLarge {
        /// Where.
        span: Span,
    },
    /// A type that is too large or too deep, or an inference that takes too long.
    #[error(
        "the types here are too large: at most {} parts and {} levels are allowed",
        limit::TYPE_NODES,
        limit::DEPTH
    )]
    TooLarge {
        /// Where the limit was passed.
        span: Span,
    },
}

impl TypeError {
    /// Where in the source.
    pub fn span(&self) -> Span {
        match self {
            TypeError::Unknown { span, .. }
            | TypeError::UnknownModule { span, .. }
            | TypeError::Ambiguous { span, .. }
            | TypeError::TypeAsValue { span, .. }
            | TypeError::TypeArguments { span, .. }
            | TypeError::DefinedTwice { span, .. }
            | TypeError::Mismatch { span, .. }
            | TypeError::Operator { span, .. }
            | TypeError::RealComparison { span, .. }
            | TypeError::Infinite { span }
            | TypeError::Escape { span, .. }
            | TypeError::NotAFunction { span, .. }
            | TypeError::TooManyArguments { span, .. }
            | TypeError::NoComponent { span, .. }
            | TypeError::NotATuple { span, .. }
            | TypeError::UnknownTuple { span, .. }
            | TypeError::NotAnIsomorphism { span, .. }
            | TypeError::NaturalTooLarge { span }
            | TypeError::TooLarge { span } => *span,
        }
    }

    /// What explains the message further, for instance the type of the function whose argument is wrong.
    pub fn note(&self) -> Option<String> {
        match self {
            TypeError::Mismatch { argument: Some(ArgumentOf { number, function, ty }), .. } => {
                Some(format!("this is argument {number} of `{function}` : {ty}"))
            }
            TypeError::TooManyArguments { function, ty, .. } => Some(format!("`{function}` : {ty}")),
            TypeError::RealComparison { .. } => Some(NO_BOOLEAN.to_owned()),
            TypeError::Mismatch { expected, found, .. } if is_bool(expected) && is_real(found) => {
                Some(NO_BOOLEAN.to_owned())
            }
            _ => None,
        }
    }

    /// What to try, where that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            TypeError::Unknown { suggestion, .. } | TypeError::UnknownModule { suggestion, .. } => {
                suggestion.as_ref().map(|name| format!("did you mean {name}?"))
            }
            TypeError::Ambiguous { name, modules, .. } => {
                let all: Vec<String> = modules.iter().map(|module| format!("{module}.{name}")).collect();
                Some(format!("write {}", all.join(" or ")))
            }
            TypeError::TypeAsValue { name, .. } => Some(format!("type arguments are inferred: leave out `{name}`")),
            TypeError::Mismatch { expected, found, .. } => mismatch_help(expected, found),
            TypeError::Operator { operator, found, .. } => operator_help(operator, found),
            TypeError::RealComparison { .. } => Some(USE_MAX.to_owned()),
            TypeError::NotAFunction { ty, .. } if is_real(ty) => {
                Some("a product is written with a sign: 2 * x".to_owned())
            }
            TypeError::TooManyArguments { .. } => Some(
                "a tuple is written with parentheses and commas; a negative argument needs parentheses: f (-1)"
                    .to_owned(),
            ),
            TypeError::UnknownTuple { tuple, .. } => {
                Some(format!("annotate `{tuple}` where it is bound, for instance ({tuple} : Real^2)"))
            }
            TypeError::NotAnIsomorphism { .. } => {
                Some("the isomorphisms are tangent_R, tangentProd and tangentTo_R".to_owned())
            }
            TypeError::Infinite { .. } => Some("is an argument missing, or a function applied to itself?".to_owned()),
            TypeError::Escape { name, .. } => {
                Some(format!("annotate with a type in place of `{name}`, or leave `{name}` out"))
            }
            TypeError::TooLarge { .. } => Some(
                "each use of a polymorphic definition copies its type; annotate parameters, or build smaller tuples"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

const NO_BOOLEAN: &str = "λ_S has no Boolean that depends on a real number: such a function would not be continuous";
const USE_MAX: &str = "use max, min or abs, which are continuous; Nat can be compared";

fn is_real(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Real)
}

fn is_bool(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool)
}

fn mismatch_help(expected: &Ty, found: &Ty) -> Option<String> {
    let text = match (expected.kind(), found.kind()) {
        (TyKind::Bool, TyKind::Real) => USE_MAX,
        (TyKind::Real, TyKind::Nat) => "toReal turns a natural number into a real number",
        (TyKind::Variable(_, name), _) | (_, TyKind::Variable(_, name)) if &**name != "_" => {
            return Some(format!("`{name}` is a type parameter: it stands for any type, so nothing is known of it"));
        }
        (TyKind::Function(..), TyKind::Function(..)) => return None,
        (TyKind::Variable(..), _) => return None,
        (_, TyKind::Function(..)) => "this is a function: apply it to an argument",
        (TyKind::Function(..), TyKind::Tuple(parts)) if parts.iter().all(is_real) => {
            "a function is written \\x => e; the shape that is one point is `point (x, y)`"
        }
        (TyKind::Function(..), TyKind::Tuple(_)) => {
            "arguments stand side by side, without commas: f x y; a function is written \\x => e"
        }
        (TyKind::Function(..), _) => "a function is written \\x => e",
        (TyKind::Tangent(inner), _) if is_real(inner) => "a tangent is made by tangent_R.from (value, derivative)",
        (_, TyKind::Tangent(inner)) if is_real(inner) => "a tangent is taken apart by tangent_R.to",
        (_, TyKind::Iso(..)) => "an isomorphism is used by its parts .to and .from",
        _ => return None,
    };
    Some(text.to_owned())
}

fn operator_help(operator: &str, found: &Ty) -> Option<String> {
    let text = match (operator, found.kind()) {
        ("-", TyKind::Function(..)) => {
            "a negative argument needs parentheses: f (-x); otherwise apply the function first"
        }
        ("^", TyKind::Function(..)) => "a power of a function's answer is written (f x)^2",
        (_, TyKind::Function(..)) => "this is a function: apply it to an argument",
        ("*", TyKind::Tuple(_)) => "scale c v multiplies a vector of Real^2 by a number, dot v w multiplies two",
        ("-", TyKind::Nat) => "toReal turns a natural number into a real number, which can be negative",
        (_, TyKind::Tangent(_)) => "a tangent of Real is taken apart by tangent_R.to",
        _ => return None,
    };
    Some(text.to_owned())
}
