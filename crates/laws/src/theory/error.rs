//! The errors of theories: of their text, and of their statements.

use crate::law::property::SampleCondition;
use crate::meaning::taylor::jet::BasisError;
use crate::syntax::library::ProgramError;
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::source;
use crate::syntax::source::{SourceText, Span};
use crate::syntax::ty::Ty;
use crate::syntax::type_error::TypeError;
use crate::theory::texts::TextError;
use std::sync::Arc;
use thiserror::Error;

/// An error that prevents a theory from being loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TheoryError {
    /// An error of its text: syntax, names or types of definitions, citations, extended theories.
    #[error(transparent)]
    Text(#[from] TextError),
    /// An error of one of its statements.
    #[error("{error}")]
    Statement {
        /// The source of the theory.
        source_text: Arc<SourceText>,
        /// The error inside it.
        error: Box<StatementError>,
    },
}

impl TheoryError {
    /// Makes the error of a statement in the text of a theory.
    pub(super) fn from_statement(source: &Arc<SourceText>, error: StatementError) -> Self {
        match error {
            // an error of the language itself is rendered like that of a definition
            StatementError::Program(error) => TextError::from_program(source, error).into(),
            error => Self::Statement { source_text: source.clone(), error: Box::new(error) },
        }
    }

    /// Renders the error with its place in the source.
    pub fn render(&self) -> String {
        match self {
            Self::Text(error) => error.render(),
            Self::Statement { source_text, error } => {
                source::render_message(source_text, &error.to_string(), error.span(), error.help())
            }
        }
    }
}

/// A statement of a theory that cannot be tested.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatementError {
    /// An error of syntax, scope or type.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A program that should be a real number, in a claim or a condition, and has another type.
    #[error("expected a program of type Real, found {found}")]
    NotReal {
        /// The type of the program.
        found: Ty,
        /// The place of the program.
        span: Span,
    },
    /// Sides whose values cannot be compared.
    #[error("values of type {ty} cannot be compared")]
    Incomparable {
        /// The type of both sides.
        ty: Ty,
        /// The place of the statement.
        span: Span,
    },
    /// `derives` in a law none of whose variables is a number.
    #[error("expected a law with a variable of numbers to differentiate in, found none")]
    NoDirection {
        /// The place of the statement.
        span: Span,
    },
    /// `derives` of an order that has too many coefficients in that many variables.
    #[error("{error}")]
    Basis {
        /// The error of the Taylor basis.
        error: BasisError,
        /// The place of the statement.
        span: Span,
    },
    /// A variable of a type that has no random values.
    #[error("no samples are made of type {ty}")]
    NoSamples {
        /// The type of the variable.
        ty: Ty,
        /// The place where the type is written, or the variable if it is not.
        span: Span,
    },
    /// A type that the statement leaves undetermined.
    #[error("the type of {} is not determined", variable.as_ref().map_or("a part".to_owned(), |name| format!("`{name}`")))]
    UndeterminedType {
        /// The variable of that type; `None` if only a part of the statement has it.
        variable: Option<String>,
        /// The type, as far as it is inferred.
        ty: Ty,
        /// The place of the variable, or of the statement.
        span: Span,
    },
    /// An unknown condition.
    #[error("the condition `{word}` is not known")]
    Condition {
        /// The word that was written.
        word: Name,
        /// The place of the word.
        span: Span,
    },
    /// A condition with the wrong number of arguments.
    #[error("`{word}` takes {} argument{}, found {given}", if &**word == "apart" { 2 } else { 1 }, if &**word == "apart" { "s" } else { "" })]
    ConditionArguments {
        /// The word of the condition.
        word: Name,
        /// The number of arguments written.
        given: usize,
        /// The place of the condition.
        span: Span,
    },
    /// A demand on an expression that is not a variable of the law.
    #[error("`{word}` takes a variable of the law, and this is none")]
    NotAVariable {
        /// The word of the demand.
        word: Name,
        /// The place of the expression.
        span: Span,
    },
    /// A demand that no value of the type can meet.
    #[error("no value of type {ty} is {}", demand.condition_name())]
    Demand {
        /// The demand that was made.
        demand: SampleCondition,
        /// The type of the variable.
        ty: Ty,
        /// The place of the demand.
        span: Span,
    },
    /// A demand on a named type whose values are drawn by constructors.
    #[error("samples of {name} are made by its constructors, so no condition can be put on them")]
    Sampled {
        /// The name of the type.
        name: Name,
        /// The place of the demand.
        span: Span,
    },
    /// A sampler for a type that is not a named type.
    #[error("expected a named type with its arguments after `sample`, such as Integral Real")]
    NotNamed {
        /// The place of the type.
        span: Span,
    },
    /// A sampler each of whose constructors takes a value of the type, so that none can begin.
    #[error("expected a constructor that takes no element of the type, found none")]
    NoLeaf {
        /// The place of the type.
        span: Span,
    },
    /// A constructor of a sampler that makes values of another type.
    #[error("expected a constructor of {expected}, found one of {found}")]
    Constructor {
        /// The type that the sampler is for.
        expected: Ty,
        /// The type of the constructor's result.
        found: Ty,
        /// The place of the constructor.
        span: Span,
    },
    /// A model that does not exist, or that does not enclose.
    #[error("there is no model `{name}`")]
    Model {
        /// The name that was written.
        name: Name,
        /// The names of the models that enclose.
        known: Vec<String>,
        /// The place of the name.
        span: Span,
    },
    /// A mutant that does not exist.
    #[error("there is no mutant `{name}`")]
    Mutant {
        /// The name that was written.
        name: Name,
        /// The names of all mutants.
        known: Vec<String>,
        /// The place of the name.
        span: Span,
    },
    /// A law or claim that the theory does not have.
    #[error("there is no law or claim `{name}` here")]
    Missing {
        /// The name that was written.
        name: Name,
        /// The names of the laws and claims of the theory.
        known: Vec<String>,
        /// The place of the name.
        span: Span,
    },
}

impl From<TypeError> for StatementError {
    fn from(error: TypeError) -> Self {
        Self::Program(error.into())
    }
}

impl StatementError {
    /// Returns the place of the error in the source.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Program(error) => error.span().unwrap_or_default(),
            Self::NotReal { span, .. }
            | Self::Incomparable { span, .. }
            | Self::NoDirection { span }
            | Self::Basis { span, .. }
            | Self::NoSamples { span, .. }
            | Self::UndeterminedType { span, .. }
            | Self::Condition { span, .. }
            | Self::ConditionArguments { span, .. }
            | Self::NotAVariable { span, .. }
            | Self::Demand { span, .. }
            | Self::Sampled { span, .. }
            | Self::NotNamed { span }
            | Self::NoLeaf { span }
            | Self::Constructor { span, .. }
            | Self::Model { span, .. }
            | Self::Mutant { span, .. }
            | Self::Missing { span, .. } => *span,
        }
    }

    /// Returns advice on how to correct the statement. Returns `None` if the message says it all.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        // an unknown name has a near one as its only help
        let near = |name: &str, names: &[String]| {
            let found = nearest_name(name, names.iter().map(String::as_str));
            found.map(|name| format!("did you mean `{name}`?"))
        };
        match self {
            Self::Incomparable { .. } => Some(
                "compare numbers, truth values, tuples or lists, or functions that answer with such; take tangents apart \
                 by `.to`, or ask for equal normal forms by `=`"
                    .to_owned(),
            ),
            Self::NoDirection { .. } => Some("quantify over numbers too, as in (x : Real)".to_owned()),
            Self::NoSamples { .. } => Some("quantify over its two sides, as functions".to_owned()),
            Self::UndeterminedType { variable, .. } => Some(match variable {
                Some(name) => format!("write its type, as in ({name} : Real), or make the type a parameter of the law"),
                None => "write a type where one is missing, as in ([] : List Real)".to_owned(),
            }),
            Self::Condition { word, .. } => Some(
                nearest_name(word, ["smooth", "increasing", "positive", "apart"].into_iter())
                    .map_or_else(|| "conditions are smooth f, increasing f, positive e, apart e f".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    }),
            ),
            Self::Demand { demand: SampleCondition::Increasing, .. } => Some("`increasing` is for functions Real -> Real".to_owned()),
            Self::Demand { demand: SampleCondition::Smooth, .. } => Some("`smooth` is for functions".to_owned()),
            Self::Sampled { .. } => Some("write the type that the name stands for, or give constructors that fit".to_owned()),
            Self::NotAVariable { .. } => Some("conditions on expressions are `positive e` and `apart e f`".to_owned()),
            Self::NoLeaf { .. } => Some("add a constructor without arguments, or with numbers or functions only".to_owned()),
            Self::Constructor { .. } => {
                Some("write its arguments as the parameters of a \\, each with its type".to_owned())
            }
            Self::Model { name, known, .. } | Self::Missing { name, known, .. } => near(name, known),
            // without a near name, the complete list is too long for a message
            Self::Mutant { name, known, .. } => {
                Some(near(name, known).unwrap_or_else(|| "`smoothish mutants --list` shows all".to_owned()))
            }
            _ => None,
        }
    }
}
