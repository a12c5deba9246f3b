//! Typed programs: variables, abstraction and application (S Figs 3 and 5).
//!
//! [`lam`] runs its closure once, on a fresh variable. So nothing is moved or copied, and the sharing of the Rust
//! program is the sharing of the graph. A variable that is used outside of its function is an error when the
//! program becomes a term. The closure is a `Fn`, so the plainest way out, an assignment, does not compile.
//!
//! # Untyped expression graphs
//!
//! Untyped expression graphs, with the sharing of the Rust program that built them.
//!
//! # Evaluation of programs
//!
//! An enclosure, or the value in any model.
//!
//! # Definitions of theories
//!
//! Definitions of theories, and other texts of the language, as typed expressions.
//!
//! # Errors of programs that Rust's types accept

use super::close::to_closed_term;
use super::types::{Fn2, Fn3, Nat, Real, Type};
use crate::meaning;
use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, decimal, real};
use crate::stack::with_stack;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::library::{Library, ProgramError};
use crate::syntax::source;
use crate::syntax::source::SourceText;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::typing::check_term;
use crate::value::Value;
use frunk::hlist::HNil;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use thiserror::Error;

/// A program of type A, which may contain free variables of the enclosing [`lam`]s. Clones are cheap. A program that is
/// used twice is shared, and computed once.
pub struct Expr<A> {
    pub(super) node: ProgramNode,
    ty: PhantomData<fn() -> A>,
}

impl<A> Clone for Expr<A> {
    fn clone(&self) -> Self {
        Self::from_node(self.node.clone())
    }
}

impl<A> Expr<A> {
    /// Gives an untyped node the type A. The caller guarantees that this is its type.
    pub(super) fn from_node(node: ProgramNode) -> Self {
        Self { node, ty: PhantomData }
    }

    /// Returns a program that is a constant or a literal.
    pub(super) fn from_leaf(kind: TermKind) -> Self {
        Self::from_node(ProgramNode::new(ProgramNodeKind::Leaf(kind)))
    }
}

/// A value that converts to a program of type A: an [`Expr`], owned or borrowed, an integer, or a tuple of such values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an expression of type `{A}`",
    note = "a decimal or fraction is written `real!(0.6)` or `real!(1 / 3)`; an f64 that is meant exactly `double(x)`; \
            a tuple `hlist![x, y]`"
)]
pub trait IntoExpr<A> {
    /// Converts the value to a program.
    fn into_expr(self) -> Expr<A>;
}

impl<A> IntoExpr<A> for Expr<A> {
    fn into_expr(self) -> Expr<A> {
        self
    }
}

impl<A> IntoExpr<A> for &Expr<A> {
    fn into_expr(self) -> Expr<A> {
        self.clone()
    }
}

impl IntoExpr<Real> for i64 {
    fn into_expr(self) -> Expr<Real> {
        Rational::from(self).into_expr()
    }
}

impl IntoExpr<Real> for Rational {
    /// Converts to a decimal if there is one, otherwise to a quotient, as the language writes numbers.
    fn into_expr(self) -> Expr<Real> {
        // As the language writes it: a negation of a positive literal.
        if self < 0 {
            -Expr::from_leaf(TermKind::Real(-self))
        } else if self.is_integer() || decimal::print_exactly(&self).is_some() {
            Expr::from_leaf(TermKind::Real(self))
        } else {
            let (numerator, denominator) = self.into_numer_denom();
            Expr::from_leaf(TermKind::Real(numerator.into())) / Rational::from(denominator)
        }
    }
}

impl IntoExpr<Nat> for u64 {
    fn into_expr(self) -> Expr<Nat> {
        Expr::from_leaf(TermKind::Nat(self))
    }
}

impl IntoExpr<super::Bool> for bool {
    fn into_expr(self) -> Expr<super::Bool> {
        Expr::from_leaf(TermKind::Bool(self))
    }
}

impl IntoExpr<HNil> for () {
    fn into_expr(self) -> Expr<HNil> {
        Expr::from_leaf(TermKind::Unit)
    }
}

/// Returns the function `λ x : A ⇒ e`. The closure `body` is run once, on a variable.
///
/// The closure is a `Fn`, so it cannot move the variable out by an assignment. If a variable escapes otherwise, the
/// evaluation of the program fails with [`EdslError::EscapedVariable`].
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// let square = lam(|x: Expr<Real>| &x * &x);
/// assert_eq!(square.to_string(), "\\x => x * x");
/// ```
pub fn lam<A: Type, B>(body: impl Fn(Expr<A>) -> Expr<B>) -> Expr<fn(A) -> B> {
    let binder = UniqueVariable::fresh(A::LETTER);
    let body = body(Expr::from_node(ProgramNode::new(ProgramNodeKind::Variable(binder))));
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Lambda(binder, body.node)))
}

/// Returns the function `λ x : A ⇒ λ y : B ⇒ e`.
pub fn lam2<A: Type, B: Type, C>(body: impl Fn(Expr<A>, Expr<B>) -> Expr<C>) -> Expr<Fn2<A, B, C>> {
    lam(|x| lam(|y| body(Expr::clone(&x), y)))
}

/// Returns the function `λ x : A ⇒ λ y : B ⇒ λ z : C ⇒ e`.
pub fn lam3<A: Type, B: Type, C: Type, D>(
    body: impl Fn(Expr<A>, Expr<B>, Expr<C>) -> Expr<D>,
) -> Expr<Fn3<A, B, C, D>> {
    lam(|x| lam2(|y, z| body(Expr::clone(&x), y, z)))
}

/// Returns the recursive function `let rec f (x : A) : B = e in f`. It must terminate, by recursion on a natural number
/// (S §8.1).
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// // x to the power n
/// let power = rec(|power: Expr<fn(Nat) -> fn(Real) -> Real>, n: Expr<Nat>| {
///     lam(|x: Expr<Real>| cond(n.equals(0), 1, &x * power.apply(&n - 1).apply(&x)))
/// });
/// assert!(power.apply(5).apply(2).enclose(1e-9)?.enclosure.contains(&32.into()));
/// # Ok::<(), EdslError>(())
/// ```
pub fn rec<A: Type, B: Type>(body: impl Fn(Expr<fn(A) -> B>, Expr<A>) -> Expr<B>) -> Expr<fn(A) -> B> {
    let binder = UniqueVariable::fresh(<fn(A) -> B>::LETTER);
    let itself = Expr::from_node(ProgramNode::new(ProgramNodeKind::Variable(binder)));
    // The body sees the function as a variable, so it is run once and not for each call.
    let value = lam(|x| body(Expr::clone(&itself), x));
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Recursion(binder, value.node)))
}

impl<A, B> Expr<fn(A) -> B> {
    /// Applies a function: `f x`.
    pub fn apply(&self, x: impl IntoExpr<A>) -> Expr<B> {
        Expr::from_node(ProgramNode::new(ProgramNodeKind::Apply([self.node.clone(), x.into_expr().node])))
    }
}

/// A variable with a unique identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UniqueVariable {
    id: u64,
    /// The letter of its printed name.
    pub letter: char,
}

impl UniqueVariable {
    /// Creates a variable that differs from all others.
    pub fn fresh(letter: char) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Only uniqueness matters, so no order between threads is required.
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), letter }
    }
}

/// A node of an expression graph. Clones are cheap. Graphs of any depth may be dropped.
#[derive(Clone)]
pub struct ProgramNode(Arc<ProgramNodeContent>);

/// The shared content of a node, with a drop that does not recurse.
struct ProgramNodeContent(ProgramNodeKind);

/// The shape of an expression.
pub(super) enum ProgramNodeKind {
    /// A variable.
    Variable(UniqueVariable),
    /// A function: its variable and its body.
    Lambda(UniqueVariable, ProgramNode),
    /// An application: the function and the argument.
    Apply([ProgramNode; 2]),
    /// A recursive function. The binder stands for the function itself in the node, which is a `Lambda`.
    Recursion(UniqueVariable, ProgramNode),
    /// A tuple of components.
    Tuple(Vec<ProgramNode>),
    /// A component of a tuple, with its index from 0.
    Project(ProgramNode, usize),
    /// A conditional: the condition and the two branches.
    If([ProgramNode; 3]),
    /// One direction of an isomorphism: `to` if `true`, otherwise `from`.
    IsoDirection(ProgramNode, bool),
    /// A constructor with its argument.
    Inject(Constructor, ProgramNode),
    /// A case distinction: the data type, one variable for each branch, and the scrutinee followed by the branches.
    Match(DataType, Vec<UniqueVariable>, Vec<ProgramNode>),
    /// A constant, a number, a truth value or the unit value.
    Leaf(TermKind),
    /// A program without free variables, as a term.
    Closed(Term),
    /// An error of construction. It is reported when the program is closed.
    Invalid(EdslError),
}

impl ProgramNode {
    /// Creates a node.
    pub(super) fn new(kind: ProgramNodeKind) -> Self {
        Self(Arc::new(ProgramNodeContent(kind)))
    }

    /// Returns the shape.
    pub(super) fn kind(&self) -> &ProgramNodeKind {
        &self.0.0
    }

    /// Returns the address of the node. Two handles have the same address exactly if they share the node.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns the parts, from left to right.
    pub(super) fn children(&self) -> &[ProgramNode] {
        self.kind().children()
    }
}

impl ProgramNodeKind {
    /// Returns the parts, from left to right.
    fn children(&self) -> &[ProgramNode] {
        match self {
            ProgramNodeKind::Variable(_)
            | ProgramNodeKind::Leaf(_)
            | ProgramNodeKind::Closed(_)
            | ProgramNodeKind::Invalid(_) => &[],
            ProgramNodeKind::Lambda(_, part)
            | ProgramNodeKind::Recursion(_, part)
            | ProgramNodeKind::Project(part, _)
            | ProgramNodeKind::IsoDirection(part, _)
            | ProgramNodeKind::Inject(_, part) => std::slice::from_ref(part),
            ProgramNodeKind::Apply(parts) => parts,
            ProgramNodeKind::Tuple(parts) | ProgramNodeKind::Match(_, _, parts) => parts,
            ProgramNodeKind::If(parts) => parts,
        }
    }

    /// Moves the parts out of a node that is being dropped.
    fn take_children(&mut self) -> Vec<ProgramNode> {
        match std::mem::replace(self, ProgramNodeKind::Leaf(TermKind::Unit)) {
            ProgramNodeKind::Variable(_)
            | ProgramNodeKind::Leaf(_)
            | ProgramNodeKind::Closed(_)
            | ProgramNodeKind::Invalid(_) => Vec::new(),
            ProgramNodeKind::Lambda(_, part)
            | ProgramNodeKind::Recursion(_, part)
            | ProgramNodeKind::Project(part, _)
            | ProgramNodeKind::IsoDirection(part, _)
            | ProgramNodeKind::Inject(_, part) => vec![part],
            ProgramNodeKind::Apply(parts) => parts.into(),
            ProgramNodeKind::Tuple(parts) | ProgramNodeKind::Match(_, _, parts) => parts,
            ProgramNodeKind::If(parts) => parts.into(),
        }
    }
}

impl Drop for ProgramNodeContent {
    fn drop(&mut self) {
        // A derived drop would recurse as deep as the graph. Nodes with other owners stay.
        let mut waiting = self.0.take_children();
        while let Some(node) = waiting.pop() {
            if let Some(mut inner) = Arc::into_inner(node.0) {
                waiting.append(&mut inner.0.take_children());
            }
        }
    }
}

/// The time limit of [`Expr::enclose`]. A choice: an interactive user waits no longer.
const ENCLOSE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Converts a width to a rational number. It must be positive and finite.
fn parse_width(eps: f64) -> Result<Rational, EdslError> {
    Rational::from_f64(eps).filter(|eps| *eps > 0).ok_or(EdslError::Width { eps })
}

impl<A: Type> Expr<A> {
    /// Returns the closed term of the program, annotated with types. If type inference fails, for example on a term
    /// that is too large, the term is returned without annotations.
    ///
    /// # Errors
    /// [`EdslError::EscapedVariable`] if the program mentions a variable outside of its function. [`EdslError::NotFinite`] if
    /// it contains an infinite literal.
    pub fn to_term(&self) -> Result<Term, EdslError> {
        let term = to_closed_term(&self.node)?;
        Ok(check_term(&term, &Scheme { parameters: Vec::new(), ty: A::language_type() }).unwrap_or(term))
    }

    /// Evaluates the program in a model. Each real number is enclosed to the width `eps`, or as narrowly as the model
    /// and the budget allow.
    ///
    /// # Errors
    /// - The errors of [`Expr::to_term`].
    /// - [`EdslError::Width`] unless 0 < eps < ∞.
    /// - [`EdslError::Evaluation`] if the model lacks a construct, a recursion does not end, or a promise is broken.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::{meaning, number::budget::Budget};
    /// let slope = deriv(lam(sin)).apply(1);
    /// for model in meaning::all_semantics() {
    ///     let answer = slope.value_in(*model, 1e-9, &Budget::unlimited().into())?;
    ///     println!("{}: {:?}", model.name(), answer.value);
    /// }
    /// # Ok::<(), EdslError>(())
    /// ```
    pub fn value_in(&self, model: &dyn Semantics, eps: f64, budget: &Arc<Budget>) -> Result<ProgramAnswer, EdslError> {
        Ok(model.evaluate(&self.to_term()?, &A::language_type(), &parse_width(eps)?, budget)?)
    }
}

impl Expr<Real> {
    /// Encloses the value of the program within a minute. The width is at most `eps` if the result is
    /// [reached](real::RefinedEnclosure::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose(&self, eps: f64) -> Result<real::RefinedEnclosure, EdslError> {
        self.enclose_within(eps, &Arc::new(Budget::with_time_limit(ENCLOSE_TIME_LIMIT)))
    }

    /// Encloses the value of the program like [`Expr::enclose`], within the given budget.
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`].
    pub fn enclose_within(&self, eps: f64, budget: &Arc<Budget>) -> Result<real::RefinedEnclosure, EdslError> {
        self.enclose_to(parse_width(eps)?, budget)
    }

    /// Encloses the value of the program within a budget. The enclosure has the requested accuracy if the result is
    /// [reached](real::RefinedEnclosure::reached).
    ///
    /// # Errors
    /// The errors of [`Expr::value_in`]. [`EdslError::Accuracy`] if a tolerance is not positive.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// use smoothish_edsl::number::{Accuracy, budget::Budget};
    /// let tiny = exp(-700);
    /// assert!(tiny.enclose_to(Accuracy::significant_digits(20), &Budget::unlimited().into())?.reached);
    /// # Ok::<(), EdslError>(())
    /// ```
    pub fn enclose_to(
        &self,
        accuracy: impl Into<Accuracy>,
        budget: &Arc<Budget>,
    ) -> Result<real::RefinedEnclosure, EdslError> {
        let (model, accuracy) = (&meaning::presheaf::PresheafSemantics, accuracy.into());
        if !accuracy.is_positive() {
            return Err(EdslError::Accuracy);
        }
        // This model ignores the types of a term, so they are not inferred.
        match model.evaluate_to(&to_closed_term(&self.node)?, &Real::language_type(), &accuracy, budget)?.value {
            Value::Real(AnswerNumber::Enclosure(answer)) => Ok(*answer),
            _ => Err(EdslError::NoEnclosure { model: model.name() }),
        }
    }
}

impl<A: Type> fmt::Display for Expr<A> {
    /// Formats the program in the language. An error is formatted in its place, in angle brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match to_closed_term(&self.node) {
            Ok(term) => term.fmt(f),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl<A: Type> fmt::Debug for Expr<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses a program of type A. The text is often the name of a definition. A polymorphic program is specialised to the
/// type A. If its type is given by constructors, A may be a coproduct with the same alternatives.
///
/// # Errors
/// [`EdslError::InvalidProgram`] if the text is no program. [`EdslError::TypeMismatch`] if its type is not A or more general.
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// use smoothish_edsl::syntax::library::Library;
/// let library = Library::default();
/// let twice = parse::<fn(fn(Real) -> Real) -> fn(Real) -> Real>(&library, r"\f x => f (f x)")?;
/// let answer = twice.apply(lam(|x: Expr<Real>| x.pow(2))).apply(3).enclose(1e-9)?;
/// assert!(answer.enclosure.contains(&81.into()));
/// assert!(parse::<Real>(&library, r"\f x => f (f x)").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse<A: Type>(library: &Library, text: &str) -> Result<Expr<A>, EdslError> {
    let (term, found) = library.infer_expression(text).map_err(|error| EdslError::InvalidProgram {
        rendered: source::render_error(&SourceText::new("program", text), &error),
        error: Box::new(error),
    })?;
    // The inferred type is the most general one, so A must be an instance of it.
    let expected = A::language_type();
    if !is_instance(&found, &expected, &mut Vec::new()) {
        return Err(EdslError::TypeMismatch { text: text.to_owned(), expected, found });
    }
    Ok(Expr::from_node(ProgramNode::new(ProgramNodeKind::Closed(term))))
}

/// Returns `true` if `special` results from `general` by a substitution of types for its variables. `variables` holds
/// the substitution so far.
fn is_instance(general: &Ty, special: &Ty, variables: &mut Vec<Option<Ty>>) -> bool {
    with_stack(|| match (general.kind(), special.kind()) {
        (TyKind::Variable(index, _), _) => {
            if variables.len() <= *index {
                variables.resize(index + 1, None);
            }
            // The first occurrence of a variable fixes its type; later ones must agree.
            variables[*index].get_or_insert_with(|| special.clone()) == special
        }
        (TyKind::Tuple(left), TyKind::Tuple(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        (TyKind::Function(a, b), TyKind::Function(c, d)) | (TyKind::Iso(a, b), TyKind::Iso(c, d)) => {
            is_instance(a, c, variables) && is_instance(b, d, variables)
        }
        (TyKind::Data(data, left), TyKind::Data(other, right)) if data == other => {
            left.iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        // A coproduct can stand for any data type with the same alternatives, because constructors are numbered. Lists
        // keep their own type.
        (TyKind::Data(data, left), TyKind::Data(other, right))
            if *other == DataType::sum(data.constructor_count()) && !data.is_list() =>
        {
            data.argument_types(left).iter().zip(right).all(|(l, r)| is_instance(l, r, variables))
        }
        (TyKind::Tangent(left), TyKind::Tangent(right)) => is_instance(left, right, variables),
        _ => general == special,
    })
}

/// An error of an embedded program.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EdslError {
    /// A variable is used outside the `lam` that binds it.
    #[error("the variable `{letter}` is used outside the function that binds it; move its use into the function")]
    EscapedVariable {
        /// The letter of its printed name.
        letter: char,
    },
    /// An `f64` is infinite or not a number.
    #[error("`{value}` is no real number; finite numbers are")]
    NotFinite {
        /// The value.
        value: f64,
    },
    /// A coproduct does not have the requested position.
    #[error("a coproduct of {width} alternatives has no alternative {place}, counted from 0")]
    NoAlternative {
        /// The position, from 0.
        place: usize,
        /// The number of alternatives.
        width: usize,
    },
    /// The text of a program is malformed or ill-typed.
    #[error("{rendered}")]
    InvalidProgram {
        /// The error.
        error: Box<ProgramError>,
        /// The error as a report with the place in the text.
        rendered: String,
    },
    /// The text of a program has another type.
    #[error("expected a program of type {expected}, found `{text}` of type {found}")]
    TypeMismatch {
        /// The text.
        text: String,
        /// The expected type.
        expected: Ty,
        /// The type of the program.
        found: Ty,
    },
    /// A width is not a positive finite number.
    #[error("the width of an answer must be a finite number greater than 0, found {eps}")]
    Width {
        /// The requested width.
        eps: f64,
    },
    /// An accuracy has a tolerance that is not positive.
    #[error("an accuracy has a tolerance that is not greater than 0")]
    Accuracy,
    /// The evaluation in the model failed.
    #[error(transparent)]
    Evaluation(#[from] SemanticsError),
    /// The model returns no enclosures of numbers.
    #[error("the model `{model}` does not enclose its numbers; ask it by `value_in`")]
    NoEnclosure {
        /// The name of the model.
        model: &'static str,
    },
}
