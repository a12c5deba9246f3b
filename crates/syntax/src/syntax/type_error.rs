//! Errors of names and types, before a program runs.

mod help;
mod words;

use super::limit;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use super::ty::{Class, Ty};
use thiserror::Error;
use words::{constructors_need, list_names, missing_cases_note, redefinition_note, works_on};

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
    #[error("the type of this is infinite: it would have to be a part of itself")]
    Infinite {
        /// The span of the expression whose type it would be.
        span: Span,
    },
    /// A type parameter that would have to be a known type, or to leave its scope.
    #[error("the type parameter `{name}` cannot be determined by what it is used with outside its definition")]
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
    #[error("a component [{index}] is selected from something that is not a tuple: it has the type {ty}")]
    NotATuple {
        /// The index of the component, from 0.
        index: usize,
        /// The type.
        ty: Ty,
        /// The span of the expression that is no tuple.
        span: Span,
    },
    /// A component of something of unknown type.
    #[error("a component [{index}] is selected from something whose type is not known")]
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
        "`{pattern}` is no case: a match names every constructor, there is no case for all others{}",
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
        limit::TYPE_NODES,
        limit::DEPTH
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
