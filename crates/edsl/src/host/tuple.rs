//! Tuples as heterogeneous lists: `hlist![x, y]`, and `let hlist_pat![x, y] = p.parts()`.
//!
//! # Finite variants as coproducts `Coprod!(A, B)`: a value of
//!
//! Finite variants as coproducts `Coprod!(A, B)`: a value of one of several types, with the index of its alternative.
//!
//! A coproduct of n types is the type `Sumn` of the language, with constructors `In0`, `In1`, …. In H §3 it is a
//! variant type whose labels are numbers.
//!
//! # Lists
//!
//! `list([x, y])`, `cons(x, xs)`, `fold(f, z, xs)`.

use super::expr::{EdslError, Expr, IntoExpr, ProgramNode, ProgramNodeKind, UniqueVariable};
use super::types::{Fn2, Type};
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::TermKind;
use crate::syntax::ty::{Ty, TyKind};
use frunk::coproduct::{CNil, CoprodInjector, Coproduct};
use frunk::hlist::{HCons, HNil};
use frunk::indices::{Here, There};
use frunk::{HList, hlist, hlist_pat};
use std::marker::PhantomData;

/// A heterogeneous list of values that convert to the components of a tuple.
pub trait IntoParts<T> {
    #[doc(hidden)]
    fn push_parts(self, parts: &mut Vec<ProgramNode>);
}

// Components are collected in a flat vector, although the list of types is nested.
impl IntoParts<HNil> for HNil {
    fn push_parts(self, _: &mut Vec<ProgramNode>) {}
}

impl<A, T, X: IntoExpr<A>, Y: IntoParts<T>> IntoParts<HCons<A, T>> for HCons<X, Y> {
    fn push_parts(self, parts: &mut Vec<ProgramNode>) {
        parts.push(self.head.into_expr().node);
        self.tail.push_parts(parts);
    }
}

impl<A, B, T, X: IntoExpr<A>, Y: IntoExpr<B>, Z: IntoParts<T>> IntoExpr<HCons<A, HCons<B, T>>>
    for HCons<X, HCons<Y, Z>>
{
    fn into_expr(self) -> Expr<HCons<A, HCons<B, T>>> {
        let mut parts = Vec::new();
        self.push_parts(&mut parts);
        Expr::from_node(ProgramNode::new(ProgramNodeKind::Tuple(parts)))
    }
}

impl IntoExpr<HNil> for HNil {
    fn into_expr(self) -> Expr<HNil> {
        ().into_expr()
    }
}

// Plain Rust tuples of up to four components are accepted as well. A choice: longer ones are rare, and `hlist!` has no
// limit.
macro_rules! of_rust_tuples {
    ($($type:ident $value:ident $x:ident),*) => {
        impl<$($type, $value: IntoExpr<$type>),*> IntoExpr<HList![$($type),*]> for ($($value,)*) {
            fn into_expr(self) -> Expr<HList![$($type),*]> {
                let ($($x,)*) = self;
                hlist![$($x),*].into_expr()
            }
        }
    };
}

of_rust_tuples!(A X x, B Y y);
of_rust_tuples!(A X x, B Y y, C Z z);
of_rust_tuples!(A X x, B Y y, C Z z, D W w);

/// A list of the types of a tuple's components.
pub trait ComponentTypes {
    /// A heterogeneous list with one expression for each type.
    type Exprs;
    #[doc(hidden)]
    fn project_components(tuple: &ProgramNode, first: usize) -> Self::Exprs;
}

impl ComponentTypes for HNil {
    type Exprs = HNil;
    fn project_components(_: &ProgramNode, _: usize) -> HNil {
        HNil
    }
}

impl<A, T: ComponentTypes> ComponentTypes for HCons<A, T> {
    type Exprs = HCons<Expr<A>, T::Exprs>;
    fn project_components(tuple: &ProgramNode, first: usize) -> Self::Exprs {
        let head = Expr::from_node(ProgramNode::new(ProgramNodeKind::Project(tuple.clone(), first)));
        HCons { head, tail: T::project_components(tuple, first + 1) }
    }
}

// A tuple has at least two components: `HList![A]` is no type of the language.
impl<A, B, T: ComponentTypes> Expr<HCons<A, HCons<B, T>>> {
    /// Returns the components `x[0]`, `x[1]`, … of a tuple.
    ///
    /// # Examples
    /// ```
    /// use smoothish_edsl::host::prelude::*;
    /// let norm2 = lam(|x: Expr<HList![Real, Real]>| {
    ///     let hlist_pat![a, b] = x.parts();
    ///     a.pow(2) + b.pow(2)
    /// });
    /// assert_eq!(norm2.to_string(), "\\p => p[0] ^ 2 + p[1] ^ 2");
    /// assert!(norm2.apply((3, 4)).enclose(1e-9)?.enclosure.contains(&25.into()));
    /// # Ok::<(), EdslError>(())
    /// ```
    #[must_use]
    pub fn parts(&self) -> HCons<Expr<A>, HCons<Expr<B>, T::Exprs>> {
        <HCons<A, HCons<B, T>>>::project_components(&self.node, 0)
    }
}

/// The list of the alternatives of a coproduct.
pub trait Alternatives: 'static {
    /// Appends the types to `types`.
    fn push_types(types: &mut Vec<Ty>);
}

impl Alternatives for CNil {
    fn push_types(_: &mut Vec<Ty>) {}
}

impl<A: Type, R: Alternatives> Alternatives for Coproduct<A, R> {
    fn push_types(types: &mut Vec<Ty>) {
        types.push(A::language_type());
        R::push_types(types);
    }
}

impl<A: Type, R: Alternatives> Type for Coproduct<A, R> {
    fn language_type() -> Ty {
        let mut types = Vec::new();
        <Self as Alternatives>::push_types(&mut types);
        Ty::new(TyKind::Data(DataType::sum(types.len()), types))
    }
    const LETTER: char = 's';
}

/// A position in a coproduct.
pub trait Position {
    /// The index, from 0.
    const INDEX: usize;
}

impl Position for Here {
    const INDEX: usize = 0;
}

impl<P: Position> Position for There<P> {
    const INDEX: usize = 1 + P::INDEX;
}

/// Injects a value into a coproduct at the position of its type: `inject(x)` where a `Coprod!(A, B)` is expected.
///
/// # Examples
/// ```
/// use smoothish_edsl::host::prelude::*;
/// type Maybe = Coprod!(HNil, Real);
/// let or_zero = lam(|m: Expr<Maybe>| m.case(hlist![|_: Expr<HNil>| 0.into_expr(), |x: Expr<Real>| x]));
/// let present: Expr<Maybe> = inject(real!(2.5));
/// assert!(or_zero.apply(present).enclose(1e-9)?.enclosure.contains(&(5, 2).into()));
/// # Ok::<(), EdslError>(())
/// ```
pub fn inject<A: Type, S: Type + Alternatives + CoprodInjector<A, P>, P: Position>(x: impl IntoExpr<A>) -> Expr<S> {
    let mut types = Vec::new();
    <S as Alternatives>::push_types(&mut types);
    let kind = match DataType::sum(types.len()).constructors().nth(P::INDEX) {
        Some(constructor) => ProgramNodeKind::Inject(constructor, x.into_expr().node),
        // Positions of the library are always in range. But other crates may implement the trait.
        None => ProgramNodeKind::Invalid(EdslError::NoAlternative { place: P::INDEX, width: types.len() }),
    };
    Expr::from_node(ProgramNode::new(kind))
}

/// A list of functions, one for each alternative of S, with results of type B.
#[diagnostic::on_unimplemented(
    message = "these cases do not fit the alternatives of `{S}`",
    note = "`case` takes one function for each alternative, in order, all with answers of one type: \
            `hlist![|x: Expr<A>| …, |y: Expr<B>| …]` for `Coprod!(A, B)`"
)]
pub trait Cases<S, B> {
    #[doc(hidden)]
    fn push_branches(self, branches: &mut Vec<(UniqueVariable, ProgramNode)>);
}

impl<B> Cases<CNil, B> for HNil {
    fn push_branches(self, _: &mut Vec<(UniqueVariable, ProgramNode)>) {}
}

impl<A: Type, R, B, F: Fn(Expr<A>) -> Expr<B>, G: Cases<R, B>> Cases<Coproduct<A, R>, B> for HCons<F, G> {
    fn push_branches(self, branches: &mut Vec<(UniqueVariable, ProgramNode)>) {
        // Each branch is run once on a variable of its own, like the body of a function.
        let binder = UniqueVariable::fresh(A::LETTER);
        let body = (self.head)(Expr::from_node(ProgramNode::new(ProgramNodeKind::Variable(binder))));
        branches.push((binder, body.node));
        self.tail.push_branches(branches);
    }
}

/// Returns a case distinction on a node.
pub(super) fn match_node(
    data: DataType,
    scrutinee: &ProgramNode,
    branches: Vec<(UniqueVariable, ProgramNode)>,
) -> ProgramNode {
    let (binders, bodies): (Vec<_>, Vec<_>) = branches.into_iter().unzip();
    let parts = std::iter::once(scrutinee.clone()).chain(bodies).collect();
    ProgramNode::new(ProgramNodeKind::Match(data, binders, parts))
}

impl<A: Type, R: Alternatives> Expr<Coproduct<A, R>> {
    /// Distinguishes the alternatives: `match s with In0 x => … | In1 y => …`.
    pub fn case<B, C: Cases<Coproduct<A, R>, B>>(&self, cases: C) -> Expr<B> {
        let mut branches = Vec::new();
        cases.push_branches(&mut branches);
        Expr::from_node(match_node(DataType::sum(branches.len()), &self.node, branches))
    }
}

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
