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
use crate::category::value::{
    ArrowError, ArrowResult, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian, ValueLists, ValueSetoid,
};
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Lists, ObjectName, Setoid};
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
#[derive(Clone, Copy, Debug, Default)]
#[doc(alias = "Syn")]
pub struct Terms;

impl CategoryOfTypes for Terms {}

/// Builds `\x => body`.
pub(crate) fn lambda(domain: &Ty, body: Term) -> Term {
    Term::lambda("x".into(), domain.clone(), body, Span::default())
}

/// Builds a variable by its de Bruijn index, the number of binders between it and its own.
pub(crate) fn bound_variable(index: usize, ty: &Ty) -> Term {
    Term::variable(index, "x".into(), ty.clone(), Span::default())
}

fn apply(function: &Term, argument: Term) -> Term {
    Term::apply(function.clone(), argument, Span::default())
}

fn pair_of(parts: [Term; 2]) -> Term {
    Term::new(TermKind::Tuple(parts.into()), Span::default())
}

pub(crate) fn project(tuple: Term, index: usize) -> Term {
    Term::new(TermKind::Project { tuple, index }, Span::default())
}

/// Builds `\x => body`, where `body` is computed from the variable `x`.
pub(crate) fn arrow_from_body(domain: &Ty, body: impl FnOnce(Term) -> Term) -> Term {
    lambda(domain, body(bound_variable(0, domain)))
}

/// Builds `Inᵢ argument`, an injection into a sum of two types.
fn inject(index: usize, argument: Term, sum: Ty) -> Term {
    match DataType::sum(2).constructors().nth(index) {
        Some(constructor) => Term::inject(constructor, argument, sum, Span::default()),
        None => unreachable!("a sum of two has two constructors"),
    }
}

impl ValueCategory for Terms {
    type Object = Ty;
    type Arrow = Term;
    type Error = NormalError;

    fn identity(&self, a: &Ty) -> ArrowResult<Self> {
        Ok(arrow_from_body(a, |x| x))
    }

    fn then(&self, [a, ..]: [&Ty; 3], f: &Term, g: &Term) -> ArrowResult<Self> {
        Ok(arrow_from_body(a, |x| apply(g, apply(f, x))))
    }
}

impl ValueCartesian for Terms {
    fn terminal_object(&self) -> Ty {
        <Terms as SimpleTypes>::terminal_object()
    }
    fn product_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Terms as SimpleTypes>::product_object(a.clone(), b.clone())
    }

    fn terminal(&self, a: &Ty) -> ArrowResult<Self> {
        Ok(arrow_from_body(a, |_| Term::new(TermKind::Unit, Span::default())))
    }

    fn pair(&self, [x, ..]: [&Ty; 3], f: &Term, g: &Term) -> ArrowResult<Self> {
        Ok(arrow_from_body(x, |x| pair_of([apply(f, x.clone()), apply(g, x)])))
    }

    fn first(&self, [a, b]: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(arrow_from_body(&ValueCartesian::product_object(self, a, b), |p| project(p, 0)))
    }

    fn second(&self, [a, b]: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(arrow_from_body(&ValueCartesian::product_object(self, a, b), |p| project(p, 1)))
    }
}

impl ValueClosed for Terms {
    fn exponential_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Terms as SimpleTypes>::exponential_object(a.clone(), b.clone())
    }

    fn curry(&self, [x, a, _]: [&Ty; 3], f: &Term) -> ArrowResult<Self> {
        // index 1 is the parameter of the outer function, X; index 0 that of the inner one, A
        let both = pair_of([bound_variable(1, x), bound_variable(0, a)]);
        Ok(lambda(x, lambda(a, apply(f, both))))
    }

    fn apply(&self, [a, b]: [&Ty; 2]) -> ArrowResult<Self> {
        let domain = ValueCartesian::product_object(self, &Ty::function(a.clone(), b.clone()), a);
        Ok(arrow_from_body(&domain, |p| apply(&project(p.clone(), 0), project(p, 1))))
    }
}

impl ValueCocartesian for Terms {
    fn initial_object(&self) -> Ty {
        <Terms as SimpleTypes>::initial_object()
    }
    fn sum_object(&self, a: &Ty, b: &Ty) -> Ty {
        <Terms as SimpleTypes>::sum_object(a.clone(), b.clone())
    }

    fn initial(&self, a: &Ty) -> ArrowResult<Self> {
        Ok(arrow_from_body(&<Terms as SimpleTypes>::initial_object(), |scrutinee| {
            // a `match` without branches, so the type of its value has to be given
            let kind = TermKind::Match { data: DataType::sum(0), scrutinee, branches: Vec::new() };
            Term::with_type(kind, a.clone(), Span::default())
        }))
    }

    fn left(&self, [a, b]: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(arrow_from_body(a, |x| inject(0, x, ValueCocartesian::sum_object(self, a, b))))
    }

    fn right(&self, [a, b]: [&Ty; 2]) -> ArrowResult<Self> {
        Ok(arrow_from_body(b, |x| inject(1, x, ValueCocartesian::sum_object(self, a, b))))
    }

    fn case(&self, [a, b, x]: [&Ty; 3], f: &Term, g: &Term) -> ArrowResult<Self> {
        let branch = |f: &Term, ty: &Ty| MatchBranch { name: "x".into(), body: apply(f, bound_variable(0, ty)) };
        let branches = vec![branch(f, a), branch(g, b)];
        Ok(arrow_from_body(&ValueCocartesian::sum_object(self, a, b), |scrutinee| {
            let kind = TermKind::Match { data: DataType::sum(2), scrutinee, branches };
            Term::with_type(kind, x.clone(), Span::default())
        }))
    }
}

impl ValueLists for Terms {
    fn list_object(&self, a: &Ty) -> Ty {
        Ty::list(a.clone())
    }

    fn nil(&self, a: &Ty) -> ArrowResult<Self> {
        Ok(arrow_from_body(&Ty::unit(), |_| Term::nil(Ty::list(a.clone()), Span::default())))
    }

    fn cons(&self, a: &Ty) -> ArrowResult<Self> {
        let list = Ty::list(a.clone());
        Ok(arrow_from_body(&ValueCartesian::product_object(self, a, &list), |p| {
            Term::cons(project(p.clone(), 0), project(p, 1), list.clone(), Span::default())
        }))
    }

    fn fold(&self, [a, b]: [&Ty; 2], start: &Term, step: &Term) -> ArrowResult<Self> {
        // the categorical step takes a pair, the constant `fold` a curried function: curry it by hand
        let both = pair_of([bound_variable(1, a), bound_variable(0, b)]);
        let step = lambda(a, lambda(b, apply(step, both)));
        let start = apply(start, Term::new(TermKind::Unit, Span::default()));
        let from_list = Ty::function(Ty::list(a.clone()), b.clone());
        let whole = Ty::function(step.ty().clone(), Ty::function(b.clone(), from_list));
        let fold = Term::with_type(TermKind::Constant(Constant::Fold), whole, Span::default());
        Ok(arrow_from_body(&Ty::list(a.clone()), |list| apply(&apply(&apply(&fold, step), start), list)))
    }
}

/// Returns a program of the structure, which is total: nothing above returns an error.
fn total(made: ArrowResult<Terms>) -> Term {
    match made {
        Ok(program) => program,
        Err(error) => unreachable!("programs have the structure: {error}"),
    }
}

impl Category for Terms {
    type Object = Ty;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Term;

    fn identity<A: ObjectName<Self>>() -> Term {
        total(ValueCategory::identity(&Terms, &A::object()))
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        total(ValueCategory::then(&Terms, [&A::object(), &B::object(), &C::object()], f, g))
    }
}

impl Cartesian for Terms {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> Term {
        total(ValueCartesian::terminal(&Terms, &A::object()))
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        total(ValueCartesian::pair(&Terms, [&X::object(), &A::object(), &B::object()], f, g))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        total(ValueCartesian::first(&Terms, [&A::object(), &B::object()]))
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        total(ValueCartesian::second(&Terms, [&A::object(), &B::object()]))
    }
}

impl CartesianClosed for Terms {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Term) -> Term {
        total(ValueClosed::curry(&Terms, [&X::object(), &A::object(), &B::object()], f))
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        total(ValueClosed::apply(&Terms, [&A::object(), &B::object()]))
    }
}

impl Cocartesian for Terms {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> Term {
        total(ValueCocartesian::initial(&Terms, &A::object()))
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        total(ValueCocartesian::left(&Terms, [&A::object(), &B::object()]))
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> Term {
        total(ValueCocartesian::right(&Terms, [&A::object(), &B::object()]))
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(f: &Term, g: &Term) -> Term {
        total(ValueCocartesian::case(&Terms, [&A::object(), &B::object(), &X::object()], f, g))
    }
}

impl Lists for Terms {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> Term {
        total(ValueLists::nil(&Terms, &A::object()))
    }

    fn cons<A: ObjectName<Self>>() -> Term {
        total(ValueLists::cons(&Terms, &A::object()))
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &Term, step: &Term) -> Term {
        total(ValueLists::fold(&Terms, [&A::object(), &B::object()], start, step))
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

/// Compares two programs of a function type with this domain by their normal forms.
fn compare_programs(domain: &Ty, left: &Term, right: &Term) -> Result<Verdict, NormalError> {
    // η of 0: x : 0 ⊢ t = match x with {}
    if is_uninhabited(domain) {
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

impl Setoid for Terms {
    type Trial = ();
    type Error = NormalError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Term,
        right: &Term,
        (): &(),
    ) -> Result<Verdict, NormalError> {
        compare_programs(&A::object(), left, right)
    }
}

impl ValueSetoid for Terms {
    type Trial = ();

    fn agree(
        &self,
        [domain, _]: [&Ty; 2],
        left: &Term,
        right: &Term,
        (): &(),
    ) -> Result<Verdict, ArrowError<NormalError>> {
        Ok(compare_programs(domain, left, right)?)
    }
}
