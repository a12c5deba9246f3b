//! What can be wrong with a theory.

use crate::law::sampling::Demand;
use crate::meaning::taylor::basis::BasisError;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::name::{Name, nearest};
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use crate::syntax::ty::Ty;
use crate::syntax::type_error::TypeError;
use crate::theory::unreadable::TextError;
use std::sync::Arc;
use thiserror::Error;

/// A theory that cannot be loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TheoryError {
    /// Its text.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A statement of it.
    #[error("{error}")]
    Statement {
        /// The text.
        source_text: Arc<Source>,
        /// What is wrong with it.
        error: Box<StatementError>,
    },
}

impl TheoryError {
    /// The error of a statement in the text of a theory.
    pub(super) fn statement(source: &Arc<Source>, error: StatementError) -> Self {
        match error {
            StatementError::Program(error) => TextError::program(source, error).into(),
            error => Self::Statement { source_text: source.clone(), error: Box::new(error) },
        }
    }

    /// The error as it is shown, with its place in the source.
    pub fn render(&self) -> String {
        match self {
            Self::Text(error) => error.render(),
            Self::Statement { source_text, error } => {
                report::render_message(source_text, &error.to_string(), error.span(), error.help())
            }
        }
    }
}

/// A statement of a theory that says nothing.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatementError {
    /// Its form, its names or its types.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A claim or a condition about something that is no number.
    #[error("expected a program of type Real, found {found}")]
    NotReal {
        /// Its type.
        found: Ty,
        /// Where.
        span: Span,
    },
    /// Sides that show nothing that could be compared.
    #[error("values of type {ty} cannot be compared")]
    Incomparable {
        /// Their type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// Derivatives in no variable.
    #[error("no variable of the law is a number, so there is nothing to differentiate in")]
    NoDirection {
        /// Where.
        span: Span,
    },
    /// Derivatives of an order that is too high in so many variables.
    #[error("{error}")]
    Basis {
        /// Why there are none.
        error: BasisError,
        /// Where.
        span: Span,
    },
    /// A type of which no samples are made.
    #[error("no samples are made of type {ty}")]
    NoSamples {
        /// The type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A type that nothing determines.
    #[error("the type of {} is not determined", variable.as_ref().map_or("a part".to_owned(), |name| format!("`{name}`")))]
    Free {
        /// Whose type it is.
        variable: Option<String>,
        /// What is known of it.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A condition that is not known.
    #[error("the condition `{word}` is not known")]
    Condition {
        /// Its name.
        word: Name,
        /// Where.
        span: Span,
    },
    /// A condition on the wrong number of things.
    #[error("`{word}` takes {} argument{}, found {given}", if &**word == "apart" { 2 } else { 1 }, if &**word == "apart" { "s" } else { "" })]
    ConditionArguments {
        /// Its name.
        word: Name,
        /// How many there are.
        given: usize,
        /// Where.
        span: Span,
    },
    /// A demand on something that is not quantified over.
    #[error("`{word}` is demanded of what the law quantifies over, and this is no variable of it")]
    NotAVariable {
        /// The demand.
        word: Name,
        /// Where.
        span: Span,
    },
    /// A demand on a type that it is not for.
    #[error("nothing of type {ty} is {}", demand.word())]
    Demand {
        /// The demand.
        demand: Demand,
        /// The type.
        ty: Ty,
        /// Where.
        span: Span,
    },
    /// A demand on a type that has its own constructors of samples.
    #[error("samples of {name} are made by its constructors, and none is demanded of them")]
    Sampled {
        /// The named type.
        name: Name,
        /// Where.
        span: Span,
    },
    /// A sampler of something that is no named type.
    #[error("`sample` is for a named type with its arguments, such as Integral Real")]
    NotNamed {
        /// Where.
        span: Span,
    },
    /// A sampler whose constructors all take elements of the type.
    #[error("no constructor begins: each takes an element of the type")]
    NoLeaf {
        /// Where.
        span: Span,
    },
    /// A constructor of a sampler with another type.
    #[error("expected a constructor of {expected}, found one of {found}")]
    Constructor {
        /// What it should make.
        expected: Ty,
        /// What it makes.
        found: Ty,
        /// Where.
        span: Span,
    },
    /// A model that does not exist.
    #[error("there is no model `{name}`")]
    Model {
        /// The name.
        name: Name,
        /// Those that enclose.
        known: Vec<String>,
        /// Where.
        span: Span,
    },
    /// A mutant that does not exist.
    #[error("there is no mutant `{name}`")]
    Mutant {
        /// The name.
        name: Name,
        /// Those that exist.
        known: Vec<String>,
        /// Where.
        span: Span,
    },
    /// A law or claim that does not exist.
    #[error("there is no law or claim `{name}` here")]
    Missing {
        /// The name.
        name: Name,
        /// Those that exist.
        known: Vec<String>,
        /// Where.
        span: Span,
    },
}

impl From<TypeError> for StatementError {
    fn from(error: TypeError) -> Self {
        Self::Program(error.into())
    }
}

impl StatementError {
    /// Where.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Program(error) => error.span().unwrap_or_default(),
            Self::NotReal { span, .. }
            | Self::Incomparable { span, .. }
            | Self::NoDirection { span }
            | Self::Basis { span, .. }
            | Self::NoSamples { span, .. }
            | Self::Free { span, .. }
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

    /// What to try.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let near = |name: &str, names: &[String]| {
            let found = nearest(name, names.iter().map(String::as_str));
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
            Self::Free { variable, .. } => Some(match variable {
                Some(name) => format!("write its type, as in ({name} : Real), or make the type a parameter of the law"),
                None => "write a type where one is missing, as in ([] : List Real)".to_owned(),
            }),
            Self::Condition { word, .. } => Some(
                nearest(word, ["smooth", "increasing", "positive", "apart"].into_iter())
                    .map_or_else(|| "conditions are smooth f, increasing f, positive e, apart e f".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    }),
            ),
            Self::Demand { demand: Demand::Increasing, .. } => Some("it is for functions Real -> Real".to_owned()),
            Self::Demand { demand: Demand::Smooth, .. } => Some("it is for functions".to_owned()),
            Self::Sampled { .. } => Some("write the type that the name stands for, or give constructors that fit".to_owned()),
            Self::NotAVariable { .. } => Some("conditions on expressions are `positive e` and `apart e f`".to_owned()),
            Self::NoLeaf { .. } => Some("give one that takes numbers or functions only, or nothing".to_owned()),
            Self::Constructor { .. } => {
                Some("write what it takes as the parameters of a \\, each with its type".to_owned())
            }
            Self::Model { name, known, .. } | Self::Missing { name, known, .. } => near(name, known),
            Self::Mutant { name, known, .. } => {
                Some(near(name, known).unwrap_or_else(|| "`smoothish mutants --list` shows all".to_owned()))
            }
            _ => None,
        }
    }
}
