//! The typing rules of S Fig. 3.

use super::ty::{Context, Type};
use super::{Term, TermKind};
use smoothish::stack::with_stack;
use smoothish::syntax::error;
use std::fmt;
use thiserror::Error;

/// The largest expression, its shared parts repeated, that is given a type. It may be as deep as [`error::DEPTH`].
pub const LARGEST_TERM: u64 = 1_000_000;
/// The largest type, and the largest dimension.
pub const LARGEST_TYPE: usize = 10_000;

/// A typing rule; see the [module above](super) for what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// x
    Variable,
    /// ⌊f⌋(e)
    Arrow,
    /// (e₁, e₂)
    Pair,
    /// ∂e_y/∂x|x=e_x·e_dx
    Derivative,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Variable => "x",
            Rule::Arrow => "⌊f⌋(e)",
            Rule::Pair => "(e₁, e₂)",
            Rule::Derivative => "∂e_y/∂x|x=e_x·e_dx",
        })
    }
}

/// An expression that no rule gives a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypingError {
    /// A variable that is not in the context.
    #[error("rule {}: expected a variable of the context {context}, found `{name}`", Rule::Variable)]
    Unbound {
        /// The variable.
        name: String,
        /// The context.
        context: String,
    },
    /// An arrow applied to what denotes another object than its domain.
    #[error(
        "rule {}: ⌊{arrow}⌋ expects {expected}, which denotes ℝ^{}; found `{argument}` of type {found}, which denotes ℝ^{}",
        Rule::Arrow, expected.dimension(), found.dimension()
    )]
    Argument {
        /// The arrow.
        arrow: String,
        /// Its argument, cut short.
        argument: String,
        /// A type that denotes its domain.
        expected: Type,
        /// The type of the argument.
        found: Type,
    },
    /// A projection applied to what is not the product that it projects from.
    #[error("rule {}: ⌊{arrow}⌋ expects a term of type {expected}; found `{argument}` of type {found}", Rule::Arrow)]
    Product {
        /// The projection.
        arrow: String,
        /// Its argument, cut short.
        argument: String,
        /// The product that it projects from.
        expected: Type,
        /// The type of the argument.
        found: Type,
    },
    /// A direction of another type than the point.
    #[error(
        "rule {}: the direction must have the type {expected} of the point; found `{direction}` of type {found}",
        Rule::Derivative
    )]
    Direction {
        /// The direction, cut short.
        direction: String,
        /// The type of the point.
        expected: Type,
        /// The type of the direction.
        found: Type,
    },
    /// An expression, or a type in it, that is too large.
    #[error("rule {rule}: expected at most {limit} {what}, found {found}; give parts names of their own, or use fewer")]
    TooLarge {
        /// The rule at whose conclusion the size is passed.
        rule: Rule,
        /// Nodes or levels of the expression, or nodes and coordinates of the type.
        what: &'static str,
        /// How many are allowed.
        limit: u64,
        /// How many there are.
        found: u64,
    },
}

impl TypingError {
    /// The rule that does not apply.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self {
            TypingError::Unbound { .. } => Rule::Variable,
            TypingError::Argument { .. } | TypingError::Product { .. } => Rule::Arrow,
            TypingError::Direction { .. } => Rule::Derivative,
            TypingError::TooLarge { rule, .. } => *rule,
        }
    }
}

impl Term {
    /// The τ with Γ ⊢ e : τ. It is unique.
    ///
    /// # Errors
    /// [`TypingError`], with the rule that does not apply, what it expected and what it found.
    pub fn type_in(&self, context: &Context) -> Result<Type, TypingError> {
        let sizes = [
            ("nodes of an expression", LARGEST_TERM, self.size()),
            ("levels of an expression", u64::from(error::DEPTH), u64::from(self.depth())),
        ];
        for (what, limit, found) in sizes {
            if found > limit {
                return Err(TypingError::TooLarge { rule: outermost(self), what, limit, found });
            }
        }
        for (_, ty) in context.variables() {
            measured(Rule::Variable, ty.clone())?;
        }
        type_of(self, &mut context.clone())
    }
}

fn outermost(term: &Term) -> Rule {
    match term.kind() {
        TermKind::Apply(..) => Rule::Arrow,
        TermKind::Derivative { .. } => Rule::Derivative,
        TermKind::Pair(..) | TermKind::Let { .. } | TermKind::Unit => Rule::Pair,
        TermKind::Variable(_) => Rule::Variable,
    }
}

fn measured(rule: Rule, ty: Type) -> Result<Type, TypingError> {
    if ty.size() > LARGEST_TYPE {
        let (limit, found) = (LARGEST_TYPE as u64, ty.size() as u64);
        return Err(TypingError::TooLarge { rule, what: "nodes and coordinates of a type", limit, found });
    }
    Ok(ty)
}

fn type_of(term: &Term, context: &mut Context) -> Result<Type, TypingError> {
    with_stack(|| match term.kind() {
        TermKind::Variable(name) => match context.position(name) {
            Some((_, ty)) => Ok(ty.clone()),
            None => Err(TypingError::Unbound { name: excerpt(name), context: excerpt(&context.to_string()) }),
        },
        TermKind::Unit => Ok(Type::unit()),
        TermKind::Apply(arrow, argument) => {
            use super::arrow::ArrowKind;
            let found = type_of(argument, context)?;
            let expected = arrow.domain();
            let shown = || (excerpt(&arrow.to_string()), excerpt(&argument.to_string()), expected.clone());
            if found.dimension() != expected.dimension() {
                let (arrow, argument, expected) = shown();
                return Err(TypingError::Argument { arrow, argument, expected, found });
            }
            if matches!(arrow.kind(), ArrowKind::First | ArrowKind::Second) && found != *expected {
                let (arrow, argument, expected) = shown();
                return Err(TypingError::Product { arrow, argument, expected, found });
            }
            measured(Rule::Arrow, arrow.codomain().clone())
        }
        TermKind::Pair(first, second) => {
            let (first, second) = (type_of(first, context)?, type_of(second, context)?);
            measured(Rule::Pair, Type::product(&first, &second))
        }
        TermKind::Let { variable, value, body } => {
            let ty = type_of(value, context)?;
            context.push(variable, ty);
            let body = type_of(body, context);
            context.pop();
            body
        }
        TermKind::Derivative { body, variable, at, along } => {
            let expected = type_of(at, context)?;
            let found = type_of(along, context)?;
            if found != expected {
                let direction = excerpt(&along.to_string());
                return Err(TypingError::Direction { direction, expected, found });
            }
            context.push(variable, expected);
            let body = type_of(body, context);
            context.pop();
            body
        }
    })
}

/// The beginning of a text, for a message.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(39) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
