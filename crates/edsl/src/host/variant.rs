//! Finite variants as coproducts `Coprod!(A, B)`: a value of one of several types, with the index of its alternative.
//!
//! A coproduct of n types is the type `Sumn` of the language, with constructors `In0`, `In1`, …. In H §3 it is a
//! variant type whose labels are numbers.

use super::error::EdslError;
use super::expr::{Expr, IntoExpr};
use super::node::{ProgramNode, ProgramNodeKind, UniqueVariable};
use super::types::Type;
use crate::syntax::data::DataType;
use crate::syntax::ty::{Ty, TyKind};
use frunk::coproduct::{CNil, CoprodInjector, Coproduct};
use frunk::hlist::{HCons, HNil};
use frunk::indices::{Here, There};

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
