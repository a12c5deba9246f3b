//! Lists: `list([x, y])`, `cons(x, xs)`, `fold(f, z, xs)`.

use super::expr::{Expr, IntoExpr};
use super::node::{ProgramNode, ProgramNodeKind, UniqueVariable};
use super::tuple::ComponentTypes;
use super::types::{Fn2, Type};
use super::variant::match_node;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::TermKind;
use crate::syntax::ty::Ty;
use frunk::hlist::HNil;
use frunk::{HList, hlist_pat};
use std::marker::PhantomData;

/// The type `List A` of lists with elements of type A.
#[derive(Debug)]
pub struct List<A>(PhantomData<fn() -> A>);

impl<A: Type> Type for List<A> {
    fn language_type() -> Ty {
        Ty::list(A::language_type())
    }
    const LETTER: char = 'l';
}

/// Returns the empty list `[]`.
#[must_use]
pub fn nil<A: Type>() -> Expr<List<A>> {
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Inject(
        Constructor::nil(),
        Expr::<HNil>::from_leaf(TermKind::Unit).node,
    )))
}

/// Prepends an element: `x :: xs`.
pub fn cons<A: Type>(x: impl IntoExpr<A>, xs: impl IntoExpr<List<A>>) -> Expr<List<A>> {
    let pair = ProgramNode::new(ProgramNodeKind::Tuple(vec![x.into_expr().node, xs.into_expr().node]));
    Expr::from_node(ProgramNode::new(ProgramNodeKind::Inject(Constructor::cons(), pair)))
}

/// Returns the list `[x, y, z]` of the given elements.
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// // 1 + 2x + 3x² by Horner's rule
/// let horner = lam(|x: Expr<Real>| {
///     let step = lam2(|a: Expr<Real>, rest: Expr<Real>| a + &x * rest);
///     fold(step, 0, list([1, 2, 3]))
/// });
/// assert!(deriv(horner).apply(2).enclose(1e-9)?.enclosure.contains(&14.into()));
/// # Ok::<(), EdslError>(())
/// ```
pub fn list<A: Type>(elements: impl IntoIterator<Item: IntoExpr<A>, IntoIter: DoubleEndedIterator>) -> Expr<List<A>> {
    elements.into_iter().rev().fold(nil(), |rest, x| cons(x, rest))
}

/// Folds a list from the right: `fold f z [a, b] = f a (f b z)`.
pub fn fold<A: Type, B: Type>(
    f: impl IntoExpr<Fn2<A, B, B>>,
    z: impl IntoExpr<B>,
    xs: impl IntoExpr<List<A>>,
) -> Expr<B> {
    let constant = Expr::<Fn2<Fn2<A, B, B>, B, fn(List<A>) -> B>>::from_leaf(TermKind::Constant(Constant::Fold));
    constant.apply(f).apply(z).apply(xs)
}

impl<A: Type> Expr<List<A>> {
    /// Distinguishes the empty list and the others: `match xs with [] => empty | x :: rest => …`.
    pub fn case<B>(&self, empty: impl IntoExpr<B>, other: impl Fn(Expr<A>, Expr<List<A>>) -> Expr<B>) -> Expr<B> {
        // The constructor of nonempty lists has one argument, a pair, which the branch takes apart.
        let (unit, pair) = (UniqueVariable::fresh('u'), UniqueVariable::fresh('p'));
        let hlist_pat![x, rest] =
            <HList![A, List<A>]>::project_components(&ProgramNode::new(ProgramNodeKind::Variable(pair)), 0);
        let branches = vec![(unit, empty.into_expr().node), (pair, other(x, rest).node)];
        Expr::from_node(match_node(DataType::list().clone(), &self.node, branches))
    }
}
