//! Programs modulo βη as a category: objects are types, arrows from A to B closed programs of type `A -> B` (H §5.1, Lemma 4).
//!
//! Equality of arrows is equality of [normal forms](crate::syntax::normal). Normal forms decide neither η of sums nor the
//! uniqueness of folds. Two programs whose normal forms differ and contain a `match` or a `fold` are therefore never refuted: the
//! verdict is vacuous.

use crate::category::opposite::Renamed;
use crate::category::{Cartesian, Category, Closed, Cocartesian, List, Lists, Names, Product, Setoid, Sum};
use crate::simple::{ListOf, One, Plus, Simple, Times, To, Zero};
use crate::syntax::constant::Constant;
use crate::syntax::data::Data;
use crate::syntax::inductive::is_empty;
use crate::syntax::normal::{Normal, NormalError, normalise};
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use rustc_hash::FxHashSet;

/// A category whose objects are types of the language.
pub trait OfTypes: Category<Object = Ty> {}

impl<C: OfTypes> Simple for C {
    fn real() -> Ty {
        Ty::real()
    }
    fn one() -> Ty {
        Ty::unit()
    }
    fn zero() -> Ty {
        Ty::new(TyKind::Data(Data::sum(0), Vec::new()))
    }
    fn times(a: Ty, b: Ty) -> Ty {
        Ty::new(TyKind::Tuple(vec![a, b]))
    }
    fn plus(a: Ty, b: Ty) -> Ty {
        Ty::new(TyKind::Data(Data::sum(2), vec![a, b]))
    }
    fn to(a: Ty, b: Ty) -> Ty {
        Ty::function(a, b)
    }
    fn list_of(a: Ty) -> Ty {
        Ty::list(a)
    }
}

/// The category of programs modulo βη.
#[derive(Clone, Copy, Debug)]
pub enum Terms {}

impl OfTypes for Terms {}

/// Returns the type that a type parameter names.
fn ty<A: Names<Terms>>() -> Ty {
    A::object()
}

/// Builds `\x => body`.
fn lambda(domain: Ty, body: Term) -> Term {
    Term::lambda("x".into(), domain, body, Span::default())
}

/// Builds a variable by its de Bruijn index, the number of binders between it and its own.
fn x(index: usize, ty: Ty) -> Term {
    Term::variable(index, "x".into(), ty, Span::default())
}

fn apply(function: &Term, argument: Term) -> Term {
    Term::apply(function.clone(), argument, Span::default())
}

fn tuple(parts: [Term; 2]) -> Term {
    Term::new(TermKind::Tuple(parts.into()), Span::default())
}

fn project(tuple: Term, index: usize) -> Term {
    Term::new(TermKind::Project { tuple, index }, Span::default())
}

/// Builds `\x => body`, where `body` is computed from the variable `x`.
fn arrow<A: Names<Terms>>(body: impl FnOnce(Term) -> Term) -> Term {
    lambda(ty::<A>(), body(x(0, ty::<A>())))
}

/// Builds `Inᵢ argument`, an injection into a sum of two types.
fn inject(index: usize, argument: Term, sum: Ty) -> Term {
    match Data::sum(2).constructors().nth(index) {
        Some(constructor) => Term::inject(constructor, argument, sum, Span::default()),
        None => unreachable!("a sum of two has two constructors"),
    }
}

impl Category for Terms {
    type Object = Ty;
    type Hom<A: Names<Self>, B: Names<Self>> = Term;

    fn identity<A: Names<Self>>() -> Term {
        arrow::<A>(|x| x)
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(f: &Term, g: &Term) -> Term {
        arrow::<A>(|x| apply(g, apply(f, x)))
    }
}

impl Cartesian for Terms {
    type Terminal = One;
    type Product<A: Names<Self>, B: Names<Self>> = Times<A, B>;

    fn terminal<A: Names<Self>>() -> Term {
        arrow::<A>(|_| Term::new(TermKind::Unit, Span::default()))
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Term, g: &Term) -> Term {
        arrow::<X>(|x| tuple([apply(f, x.clone()), apply(g, x)]))
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Term {
        arrow::<Product<Self, A, B>>(|p| project(p, 0))
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Term {
        arrow::<Product<Self, A, B>>(|p| project(p, 1))
    }
}

impl Closed for Terms {
    type Exponential<A: Names<Self>, B: Names<Self>> = To<A, B>;

    fn curry<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Term) -> Term {
        // index 1 is the parameter of the outer function, X; index 0 that of the inner one, A
        let both = tuple([x(1, ty::<X>()), x(0, ty::<A>())]);
        lambda(ty::<X>(), lambda(ty::<A>(), apply(f, both)))
    }

    fn apply<A: Names<Self>, B: Names<Self>>() -> Term {
        arrow::<Product<Self, To<A, B>, A>>(|p| apply(&project(p.clone(), 0), project(p, 1)))
    }
}

impl Cocartesian for Terms {
    type Initial = Zero;

    fn initial<A: Names<Self>>() -> Term {
        arrow::<Zero>(|scrutinee| {
            // a `match` without branches, so the type of its value has to be given
            let kind = TermKind::Match { data: Data::sum(0), scrutinee, branches: Vec::new() };
            Term::typed(kind, ty::<A>(), Span::default())
        })
    }

    type Sum<A: Names<Self>, B: Names<Self>> = Plus<A, B>;

    fn left<A: Names<Self>, B: Names<Self>>() -> Term {
        arrow::<A>(|x| inject(0, x, ty::<Sum<Self, A, B>>()))
    }

    fn right<A: Names<Self>, B: Names<Self>>() -> Term {
        arrow::<B>(|x| inject(1, x, ty::<Sum<Self, A, B>>()))
    }

    fn case<A: Names<Self>, B: Names<Self>, X: Names<Self>>(f: &Term, g: &Term) -> Term {
        let branch = |f: &Term, ty: Ty| Branch { name: "x".into(), body: apply(f, x(0, ty)) };
        let branches = vec![branch(f, ty::<A>()), branch(g, ty::<B>())];
        arrow::<Sum<Self, A, B>>(|scrutinee| {
            let kind = TermKind::Match { data: Data::sum(2), scrutinee, branches };
            Term::typed(kind, ty::<X>(), Span::default())
        })
    }
}

impl Lists for Terms {
    type List<A: Names<Self>> = ListOf<A>;

    fn nil<A: Names<Self>>() -> Term {
        arrow::<One>(|_| Term::nil(ty::<List<Self, A>>(), Span::default()))
    }

    fn cons<A: Names<Self>>() -> Term {
        arrow::<Product<Self, A, List<Self, A>>>(|p| {
            Term::cons(project(p.clone(), 0), project(p, 1), ty::<List<Self, A>>(), Span::default())
        })
    }

    fn fold<A: Names<Self>, B: Names<Self>>(start: &Term, step: &Term) -> Term {
        // the categorical step takes a pair, the constant `fold` a curried function: curry it by hand
        let both = tuple([x(1, ty::<A>()), x(0, ty::<B>())]);
        let step = lambda(ty::<A>(), lambda(ty::<B>(), apply(step, both)));
        let start = apply(start, Term::new(TermKind::Unit, Span::default()));
        let from_list = Ty::function(ty::<List<Self, A>>(), ty::<B>());
        let whole = Ty::function(step.ty().clone(), Ty::function(ty::<B>(), from_list));
        let fold = Term::typed(TermKind::Constant(Constant::Fold), whole, Span::default());
        arrow::<List<Self, A>>(|list| apply(&apply(&apply(&fold, step), start), list))
    }
}

/// Returns `true` if a normal form contains a `match` or a `fold`, for which equality is not decided.
fn is_open(normal: &Normal) -> Result<bool, NormalError> {
    let term = normal.to_term()?;
    let (mut waiting, mut seen) = (vec![&term], FxHashSet::default());
    while let Some(term) = waiting.pop() {
        if matches!(term.kind(), TermKind::Match { .. } | TermKind::Constant(Constant::Fold)) {
            return Ok(true);
        }
        // normal forms share subterms: each address is visited once
        if seen.insert(term.address()) {
            waiting.extend(term.kind().children());
        }
    }
    Ok(false)
}

impl Renamed for Terms {
    fn renamed<A: Names<Self>, B: Names<Self>, X: Names<Self>, Y: Names<Self>>(f: &Term) -> Term {
        f.clone()
    }
}

impl Setoid for Terms {
    type Trial = ();
    type Error = NormalError;

    fn agree<A: Names<Self>, B: Names<Self>>(left: &Term, right: &Term, (): &()) -> Result<Verdict, NormalError> {
        // η of 0: x : 0 ⊢ t = match x with {}
        if is_empty(&A::object()) {
            return Ok(Verdict::Survived);
        }
        let (left, right) = (normalise(left)?, normalise(right)?);
        Ok(if left == right {
            Verdict::Survived
        } else if is_open(&left)? || is_open(&right)? {
            Verdict::Vacuous
        } else {
            Verdict::refuted("the normal forms", left, right)
        })
    }
}
