//! Errors of names and types, before a program runs.
//!
//! # Notes and suggestions for type errors
//!
//! # Parts of the sentences of type errors

use super::error;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use super::ty::{Class, Ty};
use crate::syntax::library::TRACE;
use crate::syntax::ty::TyKind;
use thiserror::Error;

/// An argument position: the number of the argument, and the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentOf {
    /// The number of the argument, from 1.
    pub number: usize,
    /// The function, as written.
    pub function: String,
    /// The type of the function.
    pub ty: Ty,
}

/// An error of names or types. In the types `_` stands for an unknown part.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeError {
    /// A name that nothing in scope has.
    #[error("{} `{name}` is not known here", if *is_type { "the type" } else { "the name" })]
    Unknown {
        /// The name.
        name: String,
        /// `true` if a type is expected there.
        is_type: bool,
        /// A similar name, or the counterpart of a name of another language.
        suggestion: Option<String>,
        /// The span of the name.
        span: Span,
    },
    /// An unknown type in the constructors of another.
    #[error("the type `{name}` is not known here")]
    UndeclaredType {
        /// The name.
        name: String,
        /// The span of the name.
        span: Span,
    },
    /// A module that is not loaded.
    #[error("there is no module `{module}`")]
    UnknownModule {
        /// The module.
        module: String,
        /// A module of a similar name.
        suggestion: Option<String>,
        /// The span of the name.
        span: Span,
    },
    /// A name that several modules define.
    #[error("`{name}` is defined in several modules")]
    Ambiguous {
        /// The name.
        name: String,
        /// The modules.
        modules: Vec<Name>,
        /// The span of the name.
        span: Span,
    },
    /// A type where a value must stand.
    #[error("`{name}` is a type, not a value")]
    TypeAsValue {
        /// The type.
        name: String,
        /// The span of the type.
        span: Span,
    },
    /// A type of the wrong number of arguments.
    #[error("the type `{name}` takes {takes} argument{}, not {given}", if *takes == 1 { "" } else { "s" })]
    TypeArguments {
        /// The type.
        name: String,
        /// The number of arguments that it takes.
        takes: usize,
        /// The number of arguments that it is given.
        given: usize,
        /// The span of the type.
        span: Span,
    },
    /// A definition of a name that the module has already.
    #[error("`{name}` is defined twice in the module `{module}`")]
    DefinedTwice {
        /// The name.
        name: String,
        /// The module.
        module: Name,
        /// The span of the second definition.
        span: Span,
    },
    /// Two types that should be equal.
    #[error(
        "expected {expected}{}, found {found}{}",
        redefinition_note(before_expected),
        redefinition_note(before_found)
    )]
    Mismatch {
        /// The type that the context needs.
        expected: Ty,
        /// The type in it whose name a later declaration has taken.
        before_expected: Option<Name>,
        /// The type that is there.
        found: Ty,
        /// The type in the found type whose name a later declaration has taken.
        before_found: Option<Name>,
        /// The argument position, if the error is at an argument.
        argument: Option<ArgumentOf>,
        /// The name of an operand of `==`, if this alone made a part of one type natural that is real in the other.
        counted: Option<Box<Name>>,
        /// The span of the expression of the found type.
        span: Span,
    },
    /// An operator at a type that it is not defined at.
    #[error("`{operator}` works on {}, not on {found}", class.summary())]
    Operator {
        /// The operator.
        operator: &'static str,
        /// The types that the operator works on.
        class: Class,
        /// The type of the operand.
        found: Ty,
        /// The span of the operand.
        span: Span,
    },
    /// A type that must be a vector space and is none.
    #[error("{} vectors ({}), not on {found}", works_on(construct), Class::VECTOR.summary())]
    NoVector {
        /// The definition or the constant that works on vectors, if known.
        construct: Option<String>,
        /// The type that is there.
        found: Ty,
        /// The span of the expression of that type.
        span: Span,
    },
    /// A type that would contain itself.
    #[error("this expression has no finite type: the type would contain itself")]
    Infinite {
        /// The span of the expression whose type it would be.
        span: Span,
    },
    /// A type parameter that would have to be a known type, or to leave its scope.
    #[error("the type parameter `{name}` cannot be fixed by a use outside its definition")]
    Escape {
        /// The parameter.
        name: Name,
        /// The span of the use outside.
        span: Span,
    },
    /// An application of something other than a function.
    #[error("`{function}` is not a function: it has the type {ty}")]
    NotAFunction {
        /// The expression before the arguments, as written.
        function: String,
        /// The type of that expression.
        ty: Ty,
        /// The span of that expression.
        span: Span,
    },
    /// A function with more arguments than it takes.
    #[error("`{function}` takes {takes} argument{}, and is given {given}", if *takes == 1 { "" } else { "s" })]
    TooManyArguments {
        /// The function, as written.
        function: String,
        /// The type of the function.
        ty: Ty,
        /// The number of arguments that it takes.
        takes: usize,
        /// The number of arguments that it is given.
        given: usize,
        /// The span of the first argument too many.
        span: Span,
    },
    /// A component that a tuple does not have.
    #[error("there is no component [{index}]: the tuple is of type {ty}, with the components [0] to [{}]", width - 1)]
    NoComponent {
        /// The index of the component, from 0.
        index: usize,
        /// The number of components.
        width: usize,
        /// The type of the tuple.
        ty: Ty,
        /// The span of the projection.
        span: Span,
    },
    /// A component of something that is not a tuple.
    #[error("expected a tuple before [{index}], found a value of type {ty}")]
    NotATuple {
        /// The index of the component, from 0.
        index: usize,
        /// The type.
        ty: Ty,
        /// The span of the expression that is no tuple.
        span: Span,
    },
    /// A component of something of unknown type.
    #[error("expected a tuple before [{index}], found an expression whose type is not known yet")]
    UnknownTuple {
        /// The index of the component, from 0.
        index: usize,
        /// The expression before the index, as written.
        tuple: String,
        /// The span of the projection.
        span: Span,
    },
    /// `.to` or `.from` of something that is not an isomorphism.
    #[error("`.to` and `.from` are the parts of an isomorphism; this has the type {ty}")]
    NotAnIsomorphism {
        /// The type.
        ty: Ty,
        /// The span of the expression before the member.
        span: Span,
    },
    /// Infinity where it is no end of an integral: it is no number.
    #[error("infinity stands only at an end of an integral")]
    Infinity {
        /// The span of the word.
        span: Span,
    },
    /// Infinite ends of an integral that are not in order, as from infinity to 0.
    #[error("the ends of an integral without an end go from the lesser to the greater one")]
    InfiniteEnds {
        /// The span of both ends.
        span: Span,
    },
    /// A `match` that leaves out constructors.
    #[error("this match has no case for {}", list_names(missing))]
    MissingCases {
        /// Examples of the cases.
        missing: Vec<String>,
        /// The type that is matched.
        ty: Ty,
        /// The span of the `match`.
        span: Span,
    },
    /// A name or `_` in the place of a case.
    #[error(
        "`{pattern}` is no case: a match names every constructor, and has no case for all others{}",
        missing_cases_note(missing)
    )]
    CatchAll {
        /// The pattern, as written.
        pattern: String,
        /// Examples of the missing cases, if they are known.
        missing: Vec<String>,
        /// The span of the pattern.
        span: Span,
    },
    /// A constructor that has two cases.
    #[error("`{constructor}` has two cases in this match")]
    CaseTwice {
        /// The constructor.
        constructor: String,
        /// The span of the second case.
        span: Span,
    },
    /// A case for a name that is no constructor.
    #[error("there is no constructor `{name}`")]
    UnknownConstructor {
        /// The name in the place of a constructor.
        name: String,
        /// A constructor of a similar name.
        suggestion: Option<String>,
        /// The span of the case.
        span: Span,
    },
    /// A case for a constructor of another type than the one that is matched.
    #[error(
        "`{constructor}` is a constructor of {data}{}, but `{scrutinee}` is of type {ty}{}",
        redefinition_note(before_data),
        redefinition_note(before)
    )]
    CaseOfAnotherType {
        /// The constructor.
        constructor: String,
        /// The name of its type.
        data: String,
        /// That name again, if a later declaration has taken it.
        before_data: Option<Name>,
        /// The type that is matched.
        ty: Ty,
        /// The type in the matched type whose name a later declaration has taken.
        before: Option<Name>,
        /// The scrutinee, as written.
        scrutinee: String,
        /// The span of the case.
        span: Span,
    },
    /// A case with an argument for a constructor without one, or without an argument for one that takes it.
    #[error("this constructor takes {}: its case is `{case}`", if *takes { "an argument" } else { "no argument" })]
    ConstructorArgument {
        /// The case as it should be.
        case: String,
        /// `true` if the constructor takes an argument.
        takes: bool,
        /// The span of the case.
        span: Span,
    },
    /// A type that occurs in its own constructors at other arguments than its parameters.
    #[error("a type occurs in its own constructors with its own parameters: expected `{expected}`, found `{found}`")]
    Irregular {
        /// The type at its parameters.
        expected: String,
        /// The type as written.
        found: String,
        /// The span of the occurrence.
        span: Span,
    },
    /// A type that occurs in its own constructors outside of polynomials.
    #[error(
        "`{name}` occurs in its own constructors, in {found}: it may stand in tuples, lists and other types of constructors, \
         but not under ->, Tan or ~="
    )]
    NotPolynomial {
        /// The type.
        name: String,
        /// The part of the argument that is no polynomial in the type.
        found: Ty,
        /// The span of the constructor's argument.
        span: Span,
    },
    /// A type without values.
    #[error("no value has the type `{name}`: {} a value of it first", constructors_need(constructors))]
    NoValue {
        /// The type.
        name: String,
        /// The names of its constructors.
        constructors: Vec<String>,
        /// The span of its name in the declaration.
        span: Span,
    },
    /// A literal of type `Nat` that does not fit into `u64`.
    #[error("this natural number is too large: at most {} is allowed", u64::MAX)]
    NaturalTooLarge {
        /// The span of the literal.
        span: Span,
    },
    /// A type that is too large or too deep, or an inference that takes too many steps.
    #[error(
        "the types here are too large: at most {} parts and {} levels are allowed",
        error::TYPE_NODES,
        error::DEPTH
    )]
    TooLarge {
        /// The span of the place where a limit was passed.
        span: Span,
    },
}

impl TypeError {
    /// Returns the span of the error.
    pub fn span(&self) -> Span {
        match self {
            TypeError::Unknown { span, .. }
            | TypeError::UndeclaredType { span, .. }
            | TypeError::UnknownModule { span, .. }
            | TypeError::Ambiguous { span, .. }
            | TypeError::TypeAsValue { span, .. }
            | TypeError::TypeArguments { span, .. }
            | TypeError::DefinedTwice { span, .. }
            | TypeError::Mismatch { span, .. }
            | TypeError::Operator { span, .. }
            | TypeError::NoVector { span, .. }
            | TypeError::Infinite { span }
            | TypeError::Escape { span, .. }
            | TypeError::NotAFunction { span, .. }
            | TypeError::TooManyArguments { span, .. }
            | TypeError::NoComponent { span, .. }
            | TypeError::NotATuple { span, .. }
            | TypeError::UnknownTuple { span, .. }
            | TypeError::NotAnIsomorphism { span, .. }
            | TypeError::Infinity { span }
            | TypeError::InfiniteEnds { span }
            | TypeError::MissingCases { span, .. }
            | TypeError::CatchAll { span, .. }
            | TypeError::CaseTwice { span, .. }
            | TypeError::UnknownConstructor { span, .. }
            | TypeError::CaseOfAnotherType { span, .. }
            | TypeError::ConstructorArgument { span, .. }
            | TypeError::Irregular { span, .. }
            | TypeError::NotPolynomial { span, .. }
            | TypeError::NoValue { span, .. }
            | TypeError::NaturalTooLarge { span }
            | TypeError::TooLarge { span } => *span,
        }
    }
}

impl TypeError {
    /// Adds the head of the application that the error is in: if its type asks for vectors, it is the construct that
    /// needs one.
    pub(super) fn in_application(self, head: &Term) -> TypeError {
        let (name, scheme) = match head.kind() {
            TermKind::Constant(constant) => (constant.name(), constant.scheme()),
            TermKind::Global(definition) => (&*definition.name, &definition.scheme),
            _ => return self,
        };
        // The classes of vectors have the unit type. So has `ANY`, which asks for nothing.
        let is_of_vectors = scheme.parameters.iter().any(|(_, class)| class.has_unit() && *class != Class::ANY);
        match self {
            TypeError::NoVector { construct: None, found, span } if is_of_vectors => {
                TypeError::NoVector { construct: Some(name.to_owned()), found, span }
            }
            other => other,
        }
    }
}

impl TypeError {
    /// Returns the expected and the found type of a mismatch. `None` for other errors.
    pub fn mismatched_types(&self) -> Option<(String, String)> {
        match self {
            TypeError::Mismatch { expected, found, .. } => Some((expected.to_string(), found.to_string())),
            _ => None,
        }
    }

    /// Returns a note on the message, such as the type of the function of a wrong argument. `None` if there is none.
    pub fn note(&self) -> Option<String> {
        match self {
            TypeError::Mismatch { argument: Some(ArgumentOf { number, function, ty }), .. } => {
                Some(format!("this is argument {number} of `{function}` : {ty}"))
            }
            TypeError::TooManyArguments { function, ty, .. } => Some(format!("`{function}` : {ty}")),
            TypeError::Mismatch { expected, found, .. } if is_bool(expected) && is_real(found) => {
                Some(NO_BOOLEAN.to_owned())
            }
            _ => None,
        }
    }

    /// Returns a suggestion. `None` if none is known.
    pub fn help(&self) -> Option<String> {
        match self {
            TypeError::Unknown { suggestion, .. }
            | TypeError::UnknownModule { suggestion, .. }
            | TypeError::UnknownConstructor { suggestion, .. } => {
                suggestion.as_ref().map(|name| format!("did you mean {name}?"))
            }
            TypeError::UndeclaredType { name, .. } => Some(format!(
                "declare `{name}` before; a type mentions itself and earlier ones, so of two that mention each other one goes \
                 into the other"
            )),
            TypeError::Ambiguous { name, modules, .. } => {
                let all: Vec<String> = modules.iter().map(|module| format!("{module}.{name}")).collect();
                Some(format!("write {}", all.join(" or ")))
            }
            TypeError::TypeAsValue { name, .. } => Some(format!("type arguments are inferred: leave out `{name}`")),
            // A redefined type first: both types print alike, and only this explains the mismatch.
            TypeError::Mismatch { before_expected: Some(name), .. }
            | TypeError::Mismatch { before_found: Some(name), .. } => Some(redefined_help(name)),
            TypeError::Mismatch { counted: Some(name), .. } => Some(format!(
                "`{name}` is a natural number because it is compared by ==; where it is real, write ({name} : Real)"
            )),
            TypeError::Mismatch { expected, found, .. }
                if matches!(expected.kind(), TyKind::Function(..)) && is_matrix(found) =>
            {
                Some(MATRIX.to_owned())
            }
            TypeError::Mismatch { argument: Some(argument), found, .. } if is_given_all_at_once(argument, found) => {
                Some("arguments stand side by side, without commas: f x y".to_owned())
            }
            TypeError::Mismatch { expected, found, .. } => mismatch_help(expected, found),
            TypeError::Operator { operator, found, .. } => operator_help(operator, found),
            TypeError::NoVector { found, .. } => no_vector_help(found),
            TypeError::NotAFunction { ty, .. } if is_real(ty) => {
                Some("a product is written with a sign: 2 * x".to_owned())
            }
            TypeError::TooManyArguments { .. } => Some(
                "a product is written with a sign, f x * g x; an argument of several words needs parentheses: f (-1), f (g x)"
                    .to_owned(),
            ),
            TypeError::UnknownTuple { tuple, .. } => {
                Some(format!("annotate `{tuple}` where it is bound, for instance ({tuple} : Real^2)"))
            }
            TypeError::NotAnIsomorphism { .. } => {
                Some("the isomorphisms are tangent_R, tangentProd and tangentTo_R".to_owned())
            }
            TypeError::Infinity { .. } => Some(
                "integral 0 infinity f, integral (-infinity) 0 f and integral (-infinity) infinity f; all numbers are finite".to_owned(),
            ),
            TypeError::InfiniteEnds { .. } => {
                Some("integral (-infinity) infinity f; the other way round, it is - integral 0 infinity f".to_owned())
            }
            TypeError::MissingCases { missing, .. } => {
                let cases: String = missing.iter().take(3).map(|case| format!(" | {case} => …")).collect();
                Some(format!("add{cases}"))
            }
            TypeError::CatchAll { missing, .. } if missing.is_empty() => None,
            TypeError::CatchAll { missing, .. } => {
                let cases: Vec<String> = missing.iter().take(10).map(|case| format!("{case} => …")).collect();
                Some(format!("write {} in its place", cases.join(" | ")))
            }
            TypeError::CaseTwice { .. } => Some(
                "leave one out; a match inside a case goes on as far as it can, unless it is in parentheses".to_owned(),
            ),
            TypeError::CaseOfAnotherType { ty, .. } if is_real(ty) => Some(USE_MAX.to_owned()),
            TypeError::CaseOfAnotherType { before: Some(name), .. } => Some(redefined_help(name)),
            TypeError::CaseOfAnotherType { ty, constructor, data, .. } => match ty.kind() {
                TyKind::Data(own, _) if own.constructors().any(|c| **c.name() == **constructor) => {
                    Some(hidden_constructor(constructor, own.name(), data))
                }
                TyKind::Data(data, _) => {
                    let names: Vec<String> = data.constructors().take(5).map(|c| format!("`{}`", c.name())).collect();
                    Some(format!("the constructors of {} are {}", data.name(), names.join(", ")))
                }
                TyKind::Bool => Some("truth values are decided by if".to_owned()),
                _ => None,
            },
            TypeError::Irregular { expected, .. } => Some(format!(
                "write `{expected}`; put the part that differs into another parameter or a variant"
            )),
            TypeError::NotPolynomial { found, .. } => Some(match found.kind() {
                TyKind::Function(..) => {
                    "give the constructor data in place of the function, such as a list of its values".to_owned()
                }
                TyKind::Tangent(_) => {
                    "a tangent is a value and a direction of the same form: try a pair of both".to_owned()
                }
                TyKind::Iso(..) => "give the constructor data in place of the functions of an isomorphism".to_owned(),
                _ => "another type may hold it if its constructors use that parameter without functions".to_owned(),
            }),
            TypeError::NoValue { .. } => {
                Some("add a constructor without it, or put it into a List or a Maybe, which may be empty".to_owned())
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

const NO_BOOLEAN: &str = "a real number is no truth value; a comparison of two is one, undefined on its border";
const USE_MAX: &str = "compare it, as in x > 0, or use max, min or abs, which are continuous everywhere";
const MATRIX: &str = "the linear map of a matrix of two rows is matrix2 m, that of three matrix3 m";

/// Returns `true` for a tuple of tuples of reals.
fn is_matrix(ty: &Ty) -> bool {
    let is_row = |ty: &Ty| matches!(ty.kind(), TyKind::Tuple(parts) if parts.iter().all(is_real));
    matches!(ty.kind(), TyKind::Tuple(rows) if rows.iter().all(is_row))
}

fn is_real(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Real)
}

/// Returns `true` if the arguments of a function of several are given as one tuple.
fn is_given_all_at_once(ArgumentOf { number, ty, .. }: &ArgumentOf, found: &Ty) -> bool {
    let takes_two = matches!(ty.kind(), TyKind::Function(_, rest) if matches!(rest.kind(), TyKind::Function(..)));
    let takes_tuple = matches!(ty.kind(), TyKind::Function(first, _) if matches!(first.kind(), TyKind::Tuple(_)));
    let (TyKind::Function(first, _), TyKind::Tuple(parts)) = (ty.kind(), found.kind()) else { return false };
    // If the function does take a tuple first, the tuple must begin with it to be meant as all arguments.
    *number == 1 && takes_two && (!takes_tuple || parts.first() == Some(first))
}

fn is_bool(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool)
}

fn redefined_help(name: &str) -> String {
    format!("repeat the definitions that use the earlier `{name}`, or give the two types different names")
}

fn hidden_constructor(constructor: &str, one: &str, other: &str) -> String {
    format!(
        "{one} and {other} both have a constructor `{constructor}`, and the later declaration hides the earlier one's"
    )
}

fn mismatch_help(expected: &Ty, found: &Ty) -> Option<String> {
    if let (TyKind::Data(one, _), TyKind::Data(other, _)) = (expected.kind(), found.kind())
        && one != other
        && one.module() == other.module()
        && let Some(both) = one.constructors().find(|c| other.constructors().any(|d| c.name() == d.name()))
    {
        return Some(hidden_constructor(both.name(), one.name(), other.name()));
    }
    // Two modules may each declare a type of the same name; their constructors may differ.
    if let (TyKind::Data(one, _), TyKind::Data(other, _)) = (expected.kind(), found.kind())
        && one != other
        && one.name() == other.name()
    {
        let (name, modules) = (one.name(), [one.module(), other.module()]);
        return Some(format!("these are two types called {name}: those of {} and of {}", modules[0], modules[1]));
    }
    let text = match (expected.kind(), found.kind()) {
        (TyKind::Bool, TyKind::Real) => USE_MAX,
        (TyKind::Nat, TyKind::Real) => {
            "a real number is no natural one; real numbers are compared by <, >, <= and >=, since == has no value on a border"
        }
        (TyKind::Real, TyKind::Nat) => "toReal turns a natural number into a real number",
        (TyKind::Data(program, _), TyKind::Data(distribution, _))
            if &**program.module() == TRACE && &**program.name() == "P" && &**distribution.name() == "Dist" =>
        {
            "a draw is written x <- sample (normal 0 1)"
        }
        (TyKind::Data(program, _), TyKind::Real | TyKind::Tuple(_) | TyKind::Bool | TyKind::Nat)
            if &**program.module() == TRACE && &**program.name() == "P" =>
        {
            "a block ends with its value: do { x <- sample (normal 0 1); return x }"
        }
        (TyKind::Variable(_, name), _) | (_, TyKind::Variable(_, name)) if &**name != "_" => {
            return Some(format!(
                "`{name}` is a type parameter: it stands for any type, so no operation of it is known"
            ));
        }
        // The rules are tried in order: the general rules on functions come after the special ones.
        (TyKind::Function(..), TyKind::Function(..)) => return None,
        (TyKind::Variable(..), _) => return None,
        (_, TyKind::Function(..)) => "this is a function: apply it to an argument",
        (TyKind::Function(..), TyKind::Tuple(parts)) if parts.iter().all(is_real) => {
            "a function is written \\x => e; the shape that is one point is `point (x, y)`"
        }
        (TyKind::Function(..), TyKind::Tuple(_)) => {
            "arguments stand side by side, without commas: f x y; a function is written \\x => e"
        }
        (TyKind::Tuple(_), TyKind::Real) => "a point is one tuple: (1, 2)",
        (TyKind::Tuple(_), TyKind::Data(data, _)) if data.is_list() => "a point is a tuple, (1, 2), and no list",
        (TyKind::Data(data, _), TyKind::Tuple(_) | TyKind::Real) if data.is_list() => "a list is written [1, 2, 3]",
        (TyKind::Function(..) | TyKind::Real, TyKind::Data(data, _)) if data.is_list() => {
            "of lists there are sum, fold, mapList and length: fold (\\x rest => x * rest) 1 [2, 3]"
        }
        (TyKind::Data(list, of), TyKind::Data(other, natural))
            if list.is_list()
                && other.is_list()
                && of.iter().all(is_real)
                && natural.iter().all(|ty| matches!(ty.kind(), TyKind::Nat)) =>
        {
            "toReal turns a natural number into a real number: in place of range 5, mapList toReal (range 5)"
        }
        (TyKind::Function(..), _) => "a function is written \\x => e",
        (TyKind::Tangent(inner), _) if is_real(inner) => "a tangent is made by tangent_R.from (value, derivative)",
        (_, TyKind::Tangent(inner)) if is_real(inner) => "a tangent is taken apart by tangent_R.to",
        (_, TyKind::Iso(..)) => "an isomorphism is used by its parts .to and .from",
        _ => return None,
    };
    Some(text.to_owned())
}

fn no_vector_help(found: &Ty) -> Option<String> {
    let text = match found.kind() {
        TyKind::Function(..) => {
            "a function has no coordinates: `tangent` is the derivative of any function, as a map of tangents; or apply this \
             one to an argument"
        }
        TyKind::Data(data, _) if data.is_list() => {
            "a list has no fixed number of coordinates: write a tuple; a function of a list is differentiated along a curve, \
             as deriv (\\t => f (curve t)) 0"
        }
        TyKind::Data(data, _) if &**data.module() == TRACE => {
            "a distribution has no coordinates; a negative argument needs parentheses: normal (-1) 1"
        }
        TyKind::Data(..) | TyKind::Bool => {
            "a value of a type with cases does not vary: differentiate a function of the numbers in it"
        }
        TyKind::Nat => "a natural number does not vary: take a Real in its place; toReal turns one into the other",
        TyKind::Tangent(_) => "a tangent of Real is taken apart by tangent_R.to",
        TyKind::Tuple(_) => "every component must be a vector",
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
        ("*", TyKind::Tuple(_)) if is_matrix(found) => {
            "matrix2 m v is the product of a matrix of two rows with a vector, rows2 (compose (matrix2 m) (matrix2 n)) that of two"
        }
        ("/", TyKind::Tuple(_)) => "scale (1 / c) v divides a vector by a number; linearSolve divides by a matrix",
        ("^", TyKind::Tuple(_)) => "norm2 v is the square of the length of a vector",
        ("*", TyKind::Tuple(_)) => "scale c v multiplies a vector by a number, dot v w multiplies two",
        (_, TyKind::Bool) => "a truth value is no number: if b then 1 else 0",
        (_, TyKind::Data(data, _)) if data.is_list() => {
            "a vector is a tuple: (1, 2) + (3, 4); lists are joined by append xs ys, and taken by mapList"
        }
        ("-", TyKind::Nat) => "toReal turns a natural number into a real number, which can be negative",
        (_, TyKind::Tangent(_)) => "a tangent of Real is taken apart by tangent_R.to",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Returns the subject of the sentence for a type that is no vector space.
fn works_on(construct: &Option<String>) -> String {
    construct.as_ref().map_or_else(|| "this operation works on".to_owned(), |name| format!("`{name}` works on"))
}

/// Returns a remark on a type whose name a later declaration has taken; empty if there is none.
fn redefinition_note(before: &Option<Name>) -> String {
    before.as_ref().map_or_else(String::new, |name| format!(" (`{name}` as it was before it was redefined)"))
}

/// Returns the missing cases, for the end of a sentence; empty if there are none.
fn missing_cases_note(missing: &[String]) -> String {
    if missing.is_empty() { String::new() } else { format!("; missing here: {}", list_names(missing)) }
}

/// Returns constructors as the subject of a sentence, with its verb.
fn constructors_need(constructors: &[String]) -> String {
    let verb = if constructors.len() == 1 { "needs" } else { "need" };
    format!("{} {verb}", list_names(constructors))
}

/// Lists names in a sentence, three at most. A choice: the sentence stays readable.
fn list_names(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    match names.len() - shown.len() {
        0 => shown.join(" and "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
