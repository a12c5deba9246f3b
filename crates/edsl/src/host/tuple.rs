//! Tuples as heterogeneous lists: `hlist![x, y]`, and `let hlist_pat![x, y] = p.parts()`.

use super::expr::{Expr, IntoExpr};
use super::node::{ProgramNode, ProgramNodeKind};
use frunk::hlist::{HCons, HNil};
use frunk::{HList, hlist};

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
