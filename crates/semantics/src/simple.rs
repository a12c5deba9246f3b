//! Simple types as names of objects, in every category that has products, sums, exponentials, lists and a real line.
//!
//! `Times<RealLine, To<RealLine, RealLine>>` names ℝ × (ℝ ⇒ ℝ), for any choice of the real line in the category.
//!
//! # Programs modulo βη as a category
//!
//! Objects are types, arrows from A to B closed programs of type `A -> B` (H §5.1, Lemma 4).
//!
//! Equality of arrows is equality of [normal forms](crate::syntax::normal). Normal forms decide neither η of sums nor the
//! uniqueness of folds. Two programs whose normal forms differ and contain a `match` or a `fold` are therefore never refuted: the
//! verdict is vacuous.

use crate::category::opposite::RelabelEnds;
use crate::category::{
    Cartesian, CartesianClosed, Category, Cocartesian, ListObject, Lists, ObjectName, ProductOf, Setoid, SumOf,
};
use crate::syntax::constant::Constant;
use crate::syntax::data::{DataType, is_uninhabited};
use crate::syntax::normal::{BetaEtaNormalForm, NormalError, normalise};
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use rustc_hash::FxHashSet;
use std::marker::PhantomData;

/// The real line ℝ.
#[derive(Debug)]
pub enum RealLine {}
/// The terminal object 1.
#[derive(Debug)]
pub enum One {}
/// The initial object 0.
#[derive(Debug)]
pub enum Zero {}
/// The product A × B.
#[derive(Debug)]
pub struct Times<A, B>(PhantomData<fn() -> (A, B)>);
/// The coproduct A + B.
#[derive(Debug)]
pub struct Plus<A, B>(PhantomData<fn() -> (A, B)>);
/// The exponential A ⇒ B.
#[derive(Debug)]
pub struct To<A, B>(PhantomData<fn() -> (A, B)>);
/// The list object List A.
#[derive(Debug)]
pub struct ListOf<A>(PhantomData<fn() -> A>);

/// A category in which simple types denote objects.
pub trait SimpleTypes: Category {
    /// Returns the real line ℝ.
    fn real_object() -> Self::Object;
    /// Returns the terminal object 1.
    fn terminal_object() -> Self::Object;
    /// Returns the initial object 0.
    fn initial_object() -> Self::Object;
    /// Returns the product A × B.
    fn product_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the coproduct A + B.
    fn sum_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the exponential A ⇒ B.
    fn exponential_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the list object List A.
    fn list_object(a: Self::Object) -> Self::Object;
}

impl<C: SimpleTypes> ObjectName<C> for RealLine {
    fn object() -> C::Object {
        C::real_object()
    }
}

impl<C: SimpleTypes> ObjectName<C> for One {
    fn object() -> C::Object {
        C::terminal_object()
    }
}

impl<C: SimpleTypes> ObjectName<C> for Zero {
    fn object() -> C::Object {
        C::initial_object()
    }
}

// The three binary constructors name their object from the objects of both parameters.
macro_rules! name_binary_types {
    ($($name:ident $make:ident;)*) => {
        $(impl<C: SimpleTypes, A: ObjectName<C>, B: ObjectName<C>> ObjectName<C> for $name<A, B> {
            fn object() -> C::Object {
                C::$make(A::object(), B::object())
            }
        })*
    };
}

name_binary_types! {
    Times product_object;
    Plus sum_object;
    To exponential_object;
}

impl<C: SimpleTypes, A: ObjectName<C>> ObjectName<C> for ListOf<A> {
    fn object() -> C::Object {
        C::list_object(A::object())
    }
}

/// A category whose objects are types of the language.
pub trait CategoryOfTypes: Category<Object = Ty> {}

impl<C: CategoryOfTypes> SimpleTypes for C {
    fn real_object() -> Ty {
        Ty::real()
    }
    fn terminal_object() -> Ty {
        Ty::unit()
    }
    fn initial_object() -> Ty {
        Ty::new(TyKind::Data(DataType::sum(0), Vec::new()))
    }
    fn product_object(a: Ty, b: Ty) -> Ty {
        Ty::new(TyKind::Tuple(vec![a, b]))
    }
    fn sum_object(a: Ty, b: Ty) -> Ty {
        Ty::new(TyKind::Data(DataType::sum(2), vec![a, b]))
    }
    fn exponential_object(a: Ty, b: Ty) -> Ty {
        Ty::function(a, b)
    }
    fn list_object(a: Ty) -> Ty {
        Ty::list(a)
    }
}

/// The category of programs modulo βη.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "Syn")]
pub enum Terms {}

impl CategoryOfTypes for Terms {}

/// Returns the type that a type parameter names.
fn type_of_name<A: ObjectName<Terms>>() -> Ty {
    A::object()
}

/// Builds `\x => body`.
fn lambda(domain: Ty, body: Term) -> Term {
    Term::lambda("x".into(), domain, body, Span::default())
}

/// Builds a variable by its de Bruijn index, the number of binders between it and its own.
fn bound_variable(index: usize, ty: Ty) -> Term {
    Term::variable(index, "x".into(), ty, Span::default())
}

fn apply(function: &Term, argument: Term) -> Term {
    Term::apply(function.clone(), argument, Span::default())
}

fn pair_of(parts: [Term; 2]) -> Term {
    Term::new(TermKind::Tuple(parts.into()), Span::default())
}

fn project(tuple: Term, index: usize) -> Term {
    Term::new(TermKind::Project { tuple, index }, Span::default())
}

/// Builds `\x => body`, where `body` is computed from the variable `x`.
fn arrow_from_body<A: ObjectName<Terms>>(body: impl FnOnce(Term) -> Term) -> Term {
    lambda(type_of_name::<A>(), body(bound_variable(0, type_of_name::<A>())))
}

/// Builds `Inᵢ argument`, an injection into a sum of two types.
fn inject(index: usize, argument: Term, sum: Ty) -> Term {
    match DataType::sum(2).constructors().nth(index) {
        Some(constructor) => Term::inject(constructor, argument, sum, Span::default()),
        None => unreachable!("a sum of two has two constructors"),
    }
}

impl Category for Terms {
    type Object = Ty;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Term;

    fn identity<A: ObjectName<Self>>() -> Term {
        arrow_from_body::<A>(|x| x)
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        arrow_from_body::<A>(|x| apply(g, apply(f, x)))
    }
}

impl Cartesian for Terms {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> Term {
        arrow_from_body::<A>(|_| Term::new(TermKind::Unit, Span::default()))
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        arrow_from_body::<X>(|x| pair_of([apply(f, x.clone()), apply(g, x)]))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        arrow_from_body::<ProductOf<Self, A, B>>(|p| project(p, 0))
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        arrow_from_body::<ProductOf<Self, A, B>>(|p| project(p, 1))
    }
}

impl CartesianClosed for Terms {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Term) -> Term {
        // index 1 is the parameter of the outer function, X; index 0 that of the inner one, A
        let both = pair_of([bound_variable(1, type_of_name::<X>()), bound_variable(0, type_of_name::<A>())]);
        lambda(type_of_name::<X>(), lambda(type_of_name::<A>(), apply(f, both)))
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        arrow_from_body::<ProductOf<Self, To<A, B>, A>>(|p| apply(&project(p.clone(), 0), project(p, 1)))
    }
}

impl Cocartesian for Terms {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> Term {
        arrow_from_body::<Zero>(|scrutinee| {
            // a `match` without branches, so the type of its value has to be given
            let kind = TermKind::Match { data: DataType::sum(0), scrutinee, branches: Vec::new() };
            Term::with_type(kind, type_of_name::<A>(), Span::default())
        })
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        arrow_from_body::<A>(|x| inject(0, x, type_of_name::<SumOf<Self, A, B>>()))
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        arrow_from_body::<B>(|x| inject(1, x, type_of_name::<SumOf<Self, A, B>>()))
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        let branch = |f: &Term, ty: Ty| MatchBranch { name: "x".into(), body: apply(f, bound_variable(0, ty)) };
        let branches = vec![branch(f, type_of_name::<A>()), branch(g, type_of_name::<B>())];
        arrow_from_body::<SumOf<Self, A, B>>(|scrutinee| {
            let kind = TermKind::Match { data: DataType::sum(2), scrutinee, branches };
            Term::with_type(kind, type_of_name::<X>(), Span::default())
        })
    }
}

impl Lists for Terms {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> Term {
        arrow_from_body::<One>(|_| Term::nil(type_of_name::<ListObject<Self, A>>(), Span::default()))
    }

    fn cons<A: ObjectName<Self>>() -> Term {
        arrow_from_body::<ProductOf<Self, A, ListObject<Self, A>>>(|p| {
            Term::cons(project(p.clone(), 0), project(p, 1), type_of_name::<ListObject<Self, A>>(), Span::default())
        })
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &Term, step: &Term) -> Term {
        // the categorical step takes a pair, the constant `fold` a curried function: curry it by hand
        let both = pair_of([bound_variable(1, type_of_name::<A>()), bound_variable(0, type_of_name::<B>())]);
        let step = lambda(type_of_name::<A>(), lambda(type_of_name::<B>(), apply(step, both)));
        let start = apply(start, Term::new(TermKind::Unit, Span::default()));
        let from_list = Ty::function(type_of_name::<ListObject<Self, A>>(), type_of_name::<B>());
        let whole = Ty::function(step.ty().clone(), Ty::function(type_of_name::<B>(), from_list));
        let fold = Term::with_type(TermKind::Constant(Constant::Fold), whole, Span::default());
        arrow_from_body::<ListObject<Self, A>>(|list| apply(&apply(&apply(&fold, step), start), list))
    }
}

/// Returns `true` if a normal form contains a `match`, an `if`, a `fold` or a recursion, for which equality is not decided.
///
/// Equality misses η for sums and Booleans, `if b then 1 else 1` = 1, and that a recursion equals its unfolding.
fn has_undecided_equality(normal: &BetaEtaNormalForm) -> Result<bool, NormalError> {
    let term = normal.to_term()?;
    let (mut waiting, mut seen) = (vec![&term], FxHashSet::default());
    while let Some(term) = waiting.pop() {
        let undecided = matches!(
            term.kind(),
            TermKind::Match { .. } | TermKind::If { .. } | TermKind::LetRec { .. } | TermKind::Constant(Constant::Fold)
        );
        if undecided {
            return Ok(true);
        }
        // normal forms share subterms: each address is visited once
        if seen.insert(term.address()) {
            waiting.extend(term.kind().children());
        }
    }
    Ok(false)
}

impl RelabelEnds for Terms {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &Term,
    ) -> Term {
        f.clone()
    }
}

impl Setoid for Terms {
    type Trial = ();
    type Error = NormalError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Term,
        right: &Term,
        (): &(),
    ) -> Result<Verdict, NormalError> {
        // η of 0: x : 0 ⊢ t = match x with {}
        if is_uninhabited(&A::object()) {
            return Ok(Verdict::Survived);
        }
        let (left, right) = (normalise(left)?, normalise(right)?);
        Ok(if left == right {
            Verdict::Survived
        } else if has_undecided_equality(&left)? || has_undecided_equality(&right)? {
            Verdict::Vacuous
        } else {
            Verdict::refuted("the normal forms", left, right)
        })
    }
}
