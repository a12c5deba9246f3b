//! Typed programs: variables, abstraction and application (S Figs 3 and 5).
//!
//! [`lam`] runs its closure once, on a fresh variable. So nothing is moved or copied, and the sharing of the Rust
//! program is the sharing of the graph. A variable that is used outside of its function is an error when the
//! program becomes a term. The closure is an `Fn`, so the plainest way out, an assignment, does not compile.

use super::node::{ProgramNode, ProgramNodeKind, UniqueVariable};
use super::types::{Fn2, Fn3, Nat, Real, Type};
use crate::number::{Rational, decimal};
use crate::syntax::term::TermKind;
use frunk::hlist::HNil;
use std::marker::PhantomData;

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
/// evaluation of the program fails with [`EdslError::EscapedVariable`](super::EdslError::EscapedVariable).
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
