//! Types, contexts and arrows of the first-order language, and its typing rules (S Fig. 3).
//!
//! # Types and contexts
//!
//! Types and contexts, and the objects of AD that they denote (S Fig. 4).
//!
//! # Arrows
//!
//! Functions f ∈ Arr(AD), by name: the text between ⌊ and ⌋ (S Fig. 3).

use super::{FirstOrderTerm, FirstOrderTermKind};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::error;
use crate::syntax::name::Name;
use crate::syntax::ty::{Class, Ty, TyKind};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A type τ ::= ∗ | τ₁ × τ₂ | ⌊K⌋, where K is an object ℝⁿ of AD. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct FirstOrderType(Arc<FirstOrderTypeNode>);

struct FirstOrderTypeNode {
    kind: FirstOrderTypeKind,
    dimension: usize,
    size: usize,
    depth: u32,
}

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstOrderTypeKind {
    /// ∗
    Unit,
    /// τ₁ × τ₂
    Product(FirstOrderType, FirstOrderType),
    /// ⌊ℝⁿ⌋
    Space(usize),
}

impl FirstOrderType {
    fn new(kind: FirstOrderTypeKind) -> FirstOrderType {
        let (dimension, size, depth) = match &kind {
            FirstOrderTypeKind::Unit => (0, 0, 0),
            FirstOrderTypeKind::Space(n) => (*n, *n, 0),
            FirstOrderTypeKind::Product(a, b) => (
                a.dimension().saturating_add(b.dimension()),
                a.size().saturating_add(b.size()),
                a.0.depth.max(b.0.depth),
            ),
        };
        FirstOrderType(Arc::new(FirstOrderTypeNode {
            kind,
            dimension,
            size: size.saturating_add(1),
            depth: depth.saturating_add(1),
        }))
    }

    /// Returns ∗, with the one value !.
    #[must_use]
    pub fn unit() -> FirstOrderType {
        FirstOrderType::new(FirstOrderTypeKind::Unit)
    }

    /// Returns ⌊ℝ⌋.
    #[must_use]
    pub fn real() -> FirstOrderType {
        FirstOrderType::space(1)
    }

    /// Returns ⌊ℝⁿ⌋.
    #[must_use]
    pub fn space(n: usize) -> FirstOrderType {
        FirstOrderType::new(FirstOrderTypeKind::Space(n))
    }

    /// Returns τ₁ × τ₂.
    #[must_use]
    pub fn product(first: &FirstOrderType, second: &FirstOrderType) -> FirstOrderType {
        FirstOrderType::new(FirstOrderTypeKind::Product(first.clone(), second.clone()))
    }

    /// Returns the shape of the type.
    #[must_use]
    pub fn kind(&self) -> &FirstOrderTypeKind {
        &self.0.kind
    }

    /// Returns the n of the object ⟦τ⟧ = ℝⁿ: ⟦∗⟧ = 1 = ℝ⁰, ⟦τ₁ × τ₂⟧ = ⟦τ₁⟧ × ⟦τ₂⟧, ⟦⌊K⌋⟧ = K.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.0.dimension
    }

    /// Returns the number of nodes and of coordinates, without sharing.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }
}

impl PartialEq for FirstOrderType {
    fn eq(&self, other: &FirstOrderType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.dimension, self.0.size, self.0.depth) == (other.0.dimension, other.0.size, other.0.depth)
                && with_stack(|| self.0.kind == other.0.kind)
    }
}

impl Eq for FirstOrderType {}

impl Drop for FirstOrderTypeNode {
    fn drop(&mut self) {
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, FirstOrderTypeKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

/// Prints a type as the paper does; a product inside a product is in parentheses.
impl fmt::Display for FirstOrderType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            FirstOrderTypeKind::Unit => f.write_str("∗"),
            FirstOrderTypeKind::Space(1) => f.write_str("⌊ℝ⌋"),
            FirstOrderTypeKind::Space(n) => write!(f, "⌊ℝ^{n}⌋"),
            FirstOrderTypeKind::Product(a, b) => {
                let part = |part: &FirstOrderType, f: &mut fmt::Formatter<'_>| match part.kind() {
                    FirstOrderTypeKind::Product(..) => with_stack(|| write!(f, "({part})")),
                    _ => write!(f, "{part}"),
                };
                part(a, f)?;
                f.write_str(" × ")?;
                part(b, f)
            }
        }
    }
}

impl fmt::Debug for FirstOrderType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A context Γ ::= · | Γ, x : τ. A later variable hides an earlier one of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstOrderContext(Vec<(Name, FirstOrderType)>);

impl FirstOrderContext {
    /// ·
    #[must_use]
    pub fn new() -> FirstOrderContext {
        FirstOrderContext::default()
    }

    /// Returns Γ, x : τ.
    #[must_use]
    pub fn with(&self, name: &str, ty: &FirstOrderType) -> FirstOrderContext {
        let mut context = self.clone();
        context.0.push((name.into(), ty.clone()));
        context
    }

    /// Returns the variables, the innermost last.
    #[must_use]
    pub fn variables(&self) -> &[(Name, FirstOrderType)] {
        &self.0
    }

    /// Returns the place of a variable among [`FirstOrderContext::variables`], and its type.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<(usize, &FirstOrderType)> {
        let position = self.0.iter().rposition(|(known, _)| **known == *name)?;
        Some((position, &self.0[position].1))
    }

    /// Returns the n of ⟦Γ⟧ = ℝⁿ: ⟦·⟧ = 1, ⟦Γ, x : τ⟧ = ⟦Γ⟧ × ⟦τ⟧.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.0.iter().fold(0, |sum, (_, ty)| sum.saturating_add(ty.dimension()))
    }

    pub(super) fn push(&mut self, name: &Name, ty: FirstOrderType) {
        self.0.push((name.clone(), ty));
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }
}

impl fmt::Display for FirstOrderContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("·")?;
        self.0.iter().try_for_each(|(name, ty)| write!(f, ", {name} : {ty}"))
    }
}

/// An arrow of AD, ⟦τ₁⟧ ⇝ ⟦τ₂⟧.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdArrow {
    kind: AdArrowKind,
    domain: FirstOrderType,
    codomain: FirstOrderType,
}

/// The kind of an arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdArrowKind {
    /// A number, ∗ ⇝ ⌊ℝ⌋.
    Number(Rational),
    /// A constant of the language on real numbers: ∗, ⌊ℝ⌋ or ⌊ℝ⌋ × ⌊ℝ⌋ to ⌊ℝ⌋.
    Operation(Constant),
    /// x ↦ x^(p/q), ⌊ℝ⌋ ⇝ ⌊ℝ⌋.
    Power(Rational),
    /// fst : τ₁ × τ₂ ⇝ τ₁
    First,
    /// snd : τ₁ × τ₂ ⇝ τ₂
    Second,
    /// The identity, between two types that denote the same object.
    Identity,
    /// A linear map ⌊ℝⁿ⌋ ⇝ ⌊ℝᵐ⌋, by the m rows of its matrix.
    Linear(Vec<Vec<Rational>>),
}

/// An arrow that there is not.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdArrowError {
    /// A constant that is no map between spaces of real numbers.
    #[error("`{}` is no arrow ℝⁿ ⇝ ℝ: its type is {}; take a constant on real numbers, such as `sin` or `max`", constant.name(), constant.scheme())]
    NotFirstOrder {
        /// The constant.
        constant: Constant,
    },
    /// The two types of an identity denote different objects.
    #[error("there is no identity from {domain}, which denotes ℝ^{}, to {codomain}, which denotes ℝ^{}", domain.dimension(), codomain.dimension())]
    NotTheSameObject {
        /// The first type.
        domain: FirstOrderType,
        /// The second type.
        codomain: FirstOrderType,
    },
    /// A row of a matrix that does not fit.
    #[error("row {row} (counted from 0) of the matrix has {found} entries where {expected} were expected")]
    Row {
        /// The index of the row, from 0.
        row: usize,
        /// The number of entries of a row.
        expected: usize,
        /// The number of entries of this one.
        found: usize,
    },
    /// An exponent that is too large.
    #[error("the exponent {exponent} is too large: numerator and denominator may be at most {}", error::POWER)]
    Exponent {
        /// The exponent.
        exponent: Box<Rational>,
    },
}

impl AdArrow {
    /// Returns a number, as an arrow ∗ ⇝ ⌊ℝ⌋.
    #[must_use]
    pub fn number(value: impl Into<Rational>) -> AdArrow {
        AdArrow {
            kind: AdArrowKind::Number(value.into()),
            domain: FirstOrderType::unit(),
            codomain: FirstOrderType::real(),
        }
    }

    /// Returns the arrow of a constant of the language that takes real numbers to a real number.
    ///
    /// # Errors
    /// [`AdArrowError::NotFirstOrder`]. Powers, which want a constant exponent, are [`AdArrow::power`].
    pub fn operation(constant: Constant) -> Result<AdArrow, AdArrowError> {
        if constant == Constant::Power || constant.is_linear_algebra() || !is_first_order(constant) {
            return Err(AdArrowError::NotFirstOrder { constant });
        }
        let domain = match constant.arity() {
            0 => FirstOrderType::unit(),
            1 => FirstOrderType::real(),
            _ => FirstOrderType::product(&FirstOrderType::real(), &FirstOrderType::real()),
        };
        Ok(AdArrow { kind: AdArrowKind::Operation(constant), domain, codomain: FirstOrderType::real() })
    }

    /// Returns x ↦ x^(p/q): q odd on all of ℝ, q even for x ≥ 0.
    ///
    /// # Errors
    /// [`AdArrowError::Exponent`] beyond [`error::POWER`].
    pub fn power(exponent: impl Into<Rational>) -> Result<AdArrow, AdArrowError> {
        let exponent = exponent.into();
        let fits = exponent.numer().clone().abs() <= error::POWER && *exponent.denom() <= error::POWER;
        if !fits {
            return Err(AdArrowError::Exponent { exponent: Box::new(exponent) });
        }
        Ok(AdArrow {
            kind: AdArrowKind::Power(exponent),
            domain: FirstOrderType::real(),
            codomain: FirstOrderType::real(),
        })
    }

    /// Returns fst : τ₁ × τ₂ ⇝ τ₁.
    #[must_use]
    pub fn first(first: &FirstOrderType, second: &FirstOrderType) -> AdArrow {
        AdArrow { kind: AdArrowKind::First, domain: FirstOrderType::product(first, second), codomain: first.clone() }
    }

    /// Returns snd : τ₁ × τ₂ ⇝ τ₂.
    #[must_use]
    pub fn second(first: &FirstOrderType, second: &FirstOrderType) -> AdArrow {
        AdArrow { kind: AdArrowKind::Second, domain: FirstOrderType::product(first, second), codomain: second.clone() }
    }

    /// Returns id, from a type to another that denotes the same object: ⌊ℝ²⌋ to ⌊ℝ⌋ × ⌊ℝ⌋.
    ///
    /// # Errors
    /// [`AdArrowError::NotTheSameObject`]
    pub fn identity(domain: &FirstOrderType, codomain: &FirstOrderType) -> Result<AdArrow, AdArrowError> {
        if domain.dimension() != codomain.dimension() {
            return Err(AdArrowError::NotTheSameObject { domain: domain.clone(), codomain: codomain.clone() });
        }
        Ok(AdArrow { kind: AdArrowKind::Identity, domain: domain.clone(), codomain: codomain.clone() })
    }

    /// Returns the linear map ℝⁿ ⇝ ℝᵐ with these m rows of n entries.
    ///
    /// # Errors
    /// [`AdArrowError::Row`]
    pub fn linear(inputs: usize, rows: Vec<Vec<Rational>>) -> Result<AdArrow, AdArrowError> {
        if let Some((row, entries)) = rows.iter().enumerate().find(|(_, entries)| entries.len() != inputs) {
            return Err(AdArrowError::Row { row, expected: inputs, found: entries.len() });
        }
        let (domain, codomain) = (FirstOrderType::space(inputs), FirstOrderType::space(rows.len()));
        Ok(AdArrow { kind: AdArrowKind::Linear(rows), domain, codomain })
    }

    /// Returns the kind of the arrow.
    #[must_use]
    pub fn kind(&self) -> &AdArrowKind {
        &self.kind
    }

    /// Returns a type that denotes the domain.
    #[must_use]
    pub fn domain(&self) -> &FirstOrderType {
        &self.domain
    }

    /// Returns the type τ₂ of ⌊f⌋(e).
    #[must_use]
    pub fn codomain(&self) -> &FirstOrderType {
        &self.codomain
    }
}

/// Returns `true` if a constant takes real numbers to a real number, at some instance of its type.
fn is_first_order(constant: Constant) -> bool {
    let scheme = constant.scheme();
    let numeric = scheme.parameters.iter().all(|(_, class)| *class != Class::ANY);
    let mut ty = &scheme.ty;
    let is_real = |ty: &Ty| matches!(ty.kind(), TyKind::Real | TyKind::Variable(..));
    while let TyKind::Function(domain, codomain) = ty.kind() {
        if !is_real(domain) {
            return false;
        }
        ty = codomain;
    }
    numeric && is_real(ty)
}

/// Prints the text between ⌊ and ⌋.
impl fmt::Display for AdArrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            AdArrowKind::Number(value) => write!(f, "{value}"),
            AdArrowKind::Operation(constant) => f.write_str(infix_sign(*constant).unwrap_or(constant.name())),
            AdArrowKind::Power(exponent) => write!(f, "^({exponent})"),
            AdArrowKind::First => f.write_str("fst"),
            AdArrowKind::Second => f.write_str("snd"),
            AdArrowKind::Identity => f.write_str("id"),
            AdArrowKind::Linear(rows) => {
                f.write_str("linear[")?;
                for (i, row) in rows.iter().enumerate() {
                    let entries: Vec<String> = row.iter().map(Rational::to_string).collect();
                    write!(f, "{}{}", if i == 0 { "" } else { "; " }, entries.join(" "))?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Returns the sign between the operands of an operator. Returns `None` for another constant.
pub(super) fn infix_sign(constant: Constant) -> Option<&'static str> {
    match constant {
        Constant::Add => Some("+"),
        Constant::Subtract => Some("−"),
        Constant::Multiply => Some("×"),
        Constant::Divide => Some("÷"),
        _ => None,
    }
}

/// The largest expression, its shared parts repeated, that is given a type. It may be as deep as [`error::DEPTH`].
pub const LARGEST_TERM: u64 = 1_000_000;
/// The largest type, and the largest dimension.
pub const LARGEST_TYPE: usize = 10_000;

/// A typing rule; see the [module above](super) for what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstOrderRule {
    /// x
    Variable,
    /// ⌊f⌋(e)
    Arrow,
    /// (e₁, e₂)
    Pair,
    /// ∂e_y/∂x|x=e_x·e_dx
    Derivative,
}

impl fmt::Display for FirstOrderRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FirstOrderRule::Variable => "x",
            FirstOrderRule::Arrow => "⌊f⌋(e)",
            FirstOrderRule::Pair => "(e₁, e₂)",
            FirstOrderRule::Derivative => "∂e_y/∂x|x=e_x·e_dx",
        })
    }
}

/// An expression that no rule gives a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstOrderTypingError {
    /// A variable that is not in the context.
    #[error("rule {}: expected a variable of the context {context}, found `{name}`", FirstOrderRule::Variable)]
    Unbound {
        /// The variable.
        name: String,
        /// The context.
        context: String,
    },
    /// An arrow applied to what denotes another object than its domain.
    #[error(
        "rule {}: ⌊{arrow}⌋ expects {expected}, which denotes ℝ^{}; found `{argument}` of type {found}, which denotes ℝ^{}",
        FirstOrderRule::Arrow, expected.dimension(), found.dimension()
    )]
    Argument {
        /// The arrow.
        arrow: String,
        /// Its argument, cut short.
        argument: String,
        /// A type that denotes its domain.
        expected: FirstOrderType,
        /// The type of the argument.
        found: FirstOrderType,
    },
    /// A projection applied to what is not the product that it projects from.
    #[error(
        "rule {}: ⌊{arrow}⌋ expects a term of type {expected}; found `{argument}` of type {found}",
        FirstOrderRule::Arrow
    )]
    Product {
        /// The projection.
        arrow: String,
        /// Its argument, cut short.
        argument: String,
        /// The product that it projects from.
        expected: FirstOrderType,
        /// The type of the argument.
        found: FirstOrderType,
    },
    /// A direction of another type than the point.
    #[error(
        "rule {}: the direction must have the type {expected} of the point; found `{direction}` of type {found}",
        FirstOrderRule::Derivative
    )]
    Direction {
        /// The direction, cut short.
        direction: String,
        /// The type of the point.
        expected: FirstOrderType,
        /// The type of the direction.
        found: FirstOrderType,
    },
    /// An expression, or a type in it, that is too large.
    #[error("rule {rule}: expected at most {limit} {what}, found {found}; give parts names of their own, or use fewer")]
    TooLarge {
        /// The rule at whose conclusion the size is passed.
        rule: FirstOrderRule,
        /// Nodes or levels of the expression, or nodes and coordinates of the type.
        what: &'static str,
        /// The number that is allowed.
        limit: u64,
        /// The number that was found.
        found: u64,
    },
}

impl FirstOrderTypingError {
    /// Returns the rule that does not apply.
    #[must_use]
    pub fn rule(&self) -> FirstOrderRule {
        match self {
            FirstOrderTypingError::Unbound { .. } => FirstOrderRule::Variable,
            FirstOrderTypingError::Argument { .. } | FirstOrderTypingError::Product { .. } => FirstOrderRule::Arrow,
            FirstOrderTypingError::Direction { .. } => FirstOrderRule::Derivative,
            FirstOrderTypingError::TooLarge { rule, .. } => *rule,
        }
    }
}

impl FirstOrderTerm {
    /// Returns the τ with Γ ⊢ e : τ. It is unique.
    ///
    /// # Errors
    /// [`FirstOrderTypingError`], with the rule that does not apply, what it expected and what it found.
    pub fn type_in(&self, context: &FirstOrderContext) -> Result<FirstOrderType, FirstOrderTypingError> {
        let sizes = [
            ("nodes of an expression", LARGEST_TERM, self.size()),
            ("levels of an expression", u64::from(error::DEPTH), u64::from(self.depth())),
        ];
        for (what, limit, found) in sizes {
            if found > limit {
                return Err(FirstOrderTypingError::TooLarge { rule: outermost_rule(self), what, limit, found });
            }
        }
        for (_, ty) in context.variables() {
            limit_size(FirstOrderRule::Variable, ty.clone())?;
        }
        type_of(self, &mut context.clone())
    }
}

/// Returns the rule at the root of a term.
fn outermost_rule(term: &FirstOrderTerm) -> FirstOrderRule {
    match term.kind() {
        FirstOrderTermKind::Apply(..) => FirstOrderRule::Arrow,
        FirstOrderTermKind::Derivative { .. } => FirstOrderRule::Derivative,
        FirstOrderTermKind::Pair(..) | FirstOrderTermKind::Let { .. } | FirstOrderTermKind::Unit => {
            FirstOrderRule::Pair
        }
        FirstOrderTermKind::Variable(_) => FirstOrderRule::Variable,
    }
}

/// Refuses a type that is too large.
fn limit_size(rule: FirstOrderRule, ty: FirstOrderType) -> Result<FirstOrderType, FirstOrderTypingError> {
    if ty.size() > LARGEST_TYPE {
        let (limit, found) = (LARGEST_TYPE as u64, ty.size() as u64);
        return Err(FirstOrderTypingError::TooLarge { rule, what: "nodes and coordinates of a type", limit, found });
    }
    Ok(ty)
}

/// Returns the type of a term in a context, which is as before when this returns.
fn type_of(term: &FirstOrderTerm, context: &mut FirstOrderContext) -> Result<FirstOrderType, FirstOrderTypingError> {
    with_stack(|| match term.kind() {
        FirstOrderTermKind::Variable(name) => match context.position(name) {
            Some((_, ty)) => Ok(ty.clone()),
            None => Err(FirstOrderTypingError::Unbound {
                name: shorten_text(name),
                context: shorten_text(&context.to_string()),
            }),
        },
        FirstOrderTermKind::Unit => Ok(FirstOrderType::unit()),
        FirstOrderTermKind::Apply(arrow, argument) => {
            let found = type_of(argument, context)?;
            let expected = arrow.domain();
            let shown = || (shorten_text(&arrow.to_string()), shorten_text(&argument.to_string()), expected.clone());
            if found.dimension() != expected.dimension() {
                let (arrow, argument, expected) = shown();
                return Err(FirstOrderTypingError::Argument { arrow, argument, expected, found });
            }
            if matches!(arrow.kind(), AdArrowKind::First | AdArrowKind::Second) && found != *expected {
                let (arrow, argument, expected) = shown();
                return Err(FirstOrderTypingError::Product { arrow, argument, expected, found });
            }
            limit_size(FirstOrderRule::Arrow, arrow.codomain().clone())
        }
        FirstOrderTermKind::Pair(first, second) => {
            let (first, second) = (type_of(first, context)?, type_of(second, context)?);
            limit_size(FirstOrderRule::Pair, FirstOrderType::product(&first, &second))
        }
        FirstOrderTermKind::Let { variable, value, body } => {
            let ty = type_of(value, context)?;
            context.push(variable, ty);
            let body = type_of(body, context);
            context.pop();
            body
        }
        FirstOrderTermKind::Derivative { body, variable, at, along } => {
            let expected = type_of(at, context)?;
            let found = type_of(along, context)?;
            if found != expected {
                let direction = shorten_text(&along.to_string());
                return Err(FirstOrderTypingError::Direction { direction, expected, found });
            }
            context.push(variable, expected);
            let body = type_of(body, context);
            context.pop();
            body
        }
    })
}

/// Returns the beginning of a text, for a message.
fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(39) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
