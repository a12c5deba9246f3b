//! Arguments of the methods of [`Model`] that bind, choose or apply.

use super::{Model, SourceLocation};
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;

/// An arrow `Γ, x : A → B` with its last variable, as bound by `\x => e`, a `let` or a case.
///
/// Only models whose arrows are programs use the name and the type as written.
#[derive(Clone, Debug)]
pub struct BoundArrow<A> {
    /// x
    pub name: Name,
    /// A
    pub ty: Ty,
    /// The arrow.
    pub body: A,
}

/// An `if` without the arrows of its parts.
#[derive(Clone, Debug)]
pub struct ConditionalInfo {
    /// The condition as written.
    pub condition: Term,
    /// The type of both branches. Inside a definition, its parameters are replaced by the types of use.
    pub ty: Ty,
    /// The recursive function that a branch leads to; `None` if neither does.
    pub recursion: Option<Name>,
}

/// The operator of an application: a constant, or one of the two maps of an isomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliedOperator {
    /// `c`
    Constant(Constant),
    /// `i.to`
    To(Constant),
    /// `i.from`
    From(Constant),
}

/// An argument of an operator: `e` in a context Γ, or `\x => e` by its body.
pub enum OperatorArgument<M: Model + ?Sized> {
    /// Γ → A
    Value(M::Arrow),
    /// `Γ, A → B`, for a function of type A → B. Models with exponentials may [curry](Model::curry) it.
    Function {
        /// A
        domain: M::Object,
        /// B
        codomain: M::Object,
        /// The function, uncurried.
        body: BoundArrow<M::Arrow>,
    },
}

/// An application of an operator, with all that is known about the place.
pub struct OperatorApplication<'a, M: Model + ?Sized> {
    /// The context Γ.
    pub context: &'a [M::Object],
    /// The operator.
    pub operator: AppliedOperator,
    /// Its type, `A₁ -> … -> Aₙ -> B`; `None` in [universal](Model::universal_object) models.
    pub ty: Option<&'a Ty>,
    /// A₁, …, Aₙ
    pub arguments: &'a [OperatorArgument<M>],
    /// The place of the operator.
    pub place: &'a SourceLocation,
}
