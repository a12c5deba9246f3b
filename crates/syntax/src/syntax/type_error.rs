//! What can be wrong with the meaning of a program before it is run: names and types.

mod help;
mod words;

use super::limit;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use super::ty::{Class, Ty};
use thiserror::Error;
use words::{earlier, list, need, remaining, works_on};

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
    /// A type in the constructors of another that nothing in scope has the name of.
    #[error("the type `{name}` is not known here")]
    UndeclaredType {
        /// The name.
        name: String,
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
    #[error("expected {expected}{}, found {found}{}", earlier(before_expected), earlier(before_found))]
    Mismatch {
        /// The type that the context needs.
        expected: Ty,
        /// The type in it whose name a later declaration has taken.
        before_expected: Option<Name>,
        /// The type that is there.
        found: Ty,
        /// The same for this type.
        before_found: Option<Name>,
        /// The application in which the context is.
        argument: Option<ArgumentOf>,
        /// What is compared by `==`, where that alone makes a natural number of a part of one that is real in the other.
        counted: Option<Box<Name>>,
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
    /// Something else where a vector must be.
    #[error("{} vectors ({}), not on {found}", works_on(construct), Class::VECTOR.about())]
    NoVector {
        /// The definition or the constant that works on vectors, where it is known which.
        construct: Option<String>,
        /// The type that is there.
        found: Ty,
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
    /// A `match` that leaves out constructors.
    #[error("this match has no case for {}", list(missing))]
    MissingCases {
        /// Examples of the cases.
        missing: Vec<String>,
        /// The type that is matched.
        ty: Ty,
        /// The `match`.
        span: Span,
    },
    /// A name or `_` in the place of a case.
    #[error(
        "`{pattern}` is no case: a match names every constructor, there is no case for all others{}",
        remaining(missing)
    )]
    CatchAll {
        /// What stands there.
        pattern: String,
        /// Examples of the cases that it would stand for, where they are known.
        missing: Vec<String>,
        /// Where.
        span: Span,
    },
    /// A constructor that has two cases.
    #[error("`{constructor}` has two cases in this match")]
    CaseTwice {
        /// The constructor.
        constructor: String,
        /// The second case.
        span: Span,
    },
    /// A case for something that is no constructor.
    #[error("there is no constructor `{name}`")]
    UnknownConstructor {
        /// What stands in its place.
        name: String,
        /// A constructor of a similar name.
        suggestion: Option<String>,
        /// The case.
        span: Span,
    },
    /// A case for a constructor of another type than the one that is matched.
    #[error(
        "`{constructor}` is a constructor of {data}{}, but `{scrutinee}` is of type {ty}{}",
        earlier(before_data),
        earlier(before)
    )]
    CaseOfAnotherType {
        /// The constructor.
        constructor: String,
        /// Its type.
        data: String,
        /// The same, where a later declaration has taken its name.
        before_data: Option<Name>,
        /// The type that is matched.
        ty: Ty,
        /// The type in it whose name a later declaration has taken.
        before: Option<Name>,
        /// What is matched, as written.
        scrutinee: String,
        /// The case.
        span: Span,
    },
    /// A case with an argument for a constructor without one, or the other way round.
    #[error("this constructor takes {}: its case is `{case}`", if *takes { "an argument" } else { "no argument" })]
    ConstructorArgument {
        /// The case as it should be.
        case: String,
        /// Whether the constructor takes an argument.
        takes: bool,
        /// The case.
        span: Span,
    },
    /// A type that occurs in its own constructors with other arguments than its parameters.
    #[error("a type occurs in its own constructors with its own parameters: expected `{expected}`, found `{found}`")]
    Irregular {
        /// The type at its parameters.
        expected: String,
        /// What is written.
        found: String,
        /// Where it occurs.
        span: Span,
    },
    /// A type that occurs in its own constructors where it is no polynomial.
    #[error(
        "`{name}` occurs in its own constructors, in {found}: it may stand in tuples, lists and other types of constructors, \
         but not under ->, Tan or ~="
    )]
    NotPolynomial {
        /// The type.
        name: String,
        /// The part of the constructor in which it occurs.
        found: Ty,
        /// The argument of the constructor.
        span: Span,
    },
    /// A type without values.
    #[error("no value has the type `{name}`: {} a value of it first", need(constructors))]
    NoValue {
        /// The type.
        name: String,
        /// Its constructors.
        constructors: Vec<String>,
        /// Its name in the declaration.
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
    /// The error in an application of this term: if the term asks for vectors, then it is what asks for this one.
    pub(super) fn within(self, head: &Term) -> TypeError {
        let (name, scheme) = match head.kind() {
            TermKind::Constant(constant) => (constant.name(), constant.scheme()),
            TermKind::Global(definition) => (&*definition.name, &definition.scheme),
            _ => return self,
        };
        let is_of_vectors = scheme.parameters.iter().any(|(_, class)| class.has_unit() && *class != Class::ANY);
        match self {
            TypeError::NoVector { construct: None, found, span } if is_of_vectors => {
                TypeError::NoVector { construct: Some(name.to_owned()), found, span }
            }
            other => other,
        }
    }
}
