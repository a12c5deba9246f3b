//! What an arrow is given where it binds, chooses or is applied.

use super::{Model, Place};
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;

/// An arrow `Γ, x : A → B` with its last variable: what `\x => e`, a `let` and a case bind. Only a model whose arrows are
/// programs has a use for the name, and for the type as it is written.
#[derive(Clone, Debug)]
pub struct Bound<A> {
    /// x
    pub name: Name,
    /// A
    pub ty: Ty,
    /// The arrow.
    pub body: A,
}

/// What is known of an `if` besides the arrows of its parts.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The condition, as it is written.
    pub condition: Term,
    /// The type of both branches, with the types for which a definition is used in place of its parameters.
    pub ty: Ty,
    /// The recursive function that goes on in a branch.
    pub recursion: Option<Name>,
}

/// What stands where a constant is applied: the constant, or one of the two maps of an isomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `c`
    Constant(Constant),
    /// `i.to`
    To(Constant),
    /// `i.from`
    From(Constant),
}

/// An argument of an operator: `e` in a context Γ, or `\x => e` by its body.
pub enum Argument<M: Model + ?Sized> {
    /// Γ → A
    Value(M::Arrow),
    /// `Γ, A → B`, for a function of type A → B. Models with exponentials may [curry](Model::curry) it.
    Function {
        /// A
        domain: M::Object,
        /// B
        codomain: M::Object,
        /// The function, uncurried.
        body: Bound<M::Arrow>,
    },
}

/// What an operator is applied to, with all that is known about the place.
pub struct Application<'a, M: Model + ?Sized> {
    /// The context Γ.
    pub context: &'a [M::Object],
    /// What is applied.
    pub operator: Operator,
    /// Its type, `A₁ -> … -> Aₙ -> B`, in models that are not [universal](Model::universal).
    pub ty: Option<&'a Ty>,
    /// A₁, …, Aₙ
    pub arguments: &'a [Argument<M>],
    /// Where it stands.
    pub place: &'a Place,
}
