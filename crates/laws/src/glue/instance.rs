//! Gl_k as an instance of the [interfaces](crate::category), and the functors that relate it to programs and Diff (H
//! Prop. 5, §6.2).
//!
//! | functor | |
//! |---|---|
//! | [`Meaning`] | ⟦−⟧ : programs → Diff |
//! | [`Interpretation`] | ⦇−⦈ : programs → Gl_k |
//! | [`Plots`], [`Representations`] | the projections Gl_k → Diff |
//!
//! ⦇−⦈ followed by the first projection is ⟦−⟧, and followed by the second ⟦𝒟−⟧: diagram (4).

use super::equality::equal;
use super::error::GlueError;
use super::interpretation::interpretation;
use super::morphism::Morphism;
use super::object::{Object, Sampler};
use super::scope::{Scope, run};
use crate::category::opposite::Renamed;
use crate::category::{Cartesian, Category, Closed, Cocartesian, Functor, Lists, Names, Setoid, Sum};
use crate::glue::connectives::Paper;
use crate::law::category::Draw;
use crate::meaning::diffeology::category::Diff;
use crate::meaning::taylor::basis::Basis;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::simple::{ListOf, One, Plus, Simple, Times, To, Zero};
use crate::syntax::data::Data;
use crate::syntax::inductive::is_empty;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::terms::Terms;
use crate::verdict::Verdict;
use std::marker::PhantomData;
use std::sync::Arc;

/// Gl_k for jets of order R, with k from 1 to 3 and R from 1 to 4.
///
/// ```compile_fail,E0080
/// use smoothish_laws::category::{Category, simple::Real};
/// use smoothish_laws::glue::instance::Gluing;
/// Gluing::<0, 2>::identity::<Real>();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Gluing<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> Gluing<K, R> {
    /// Returns the basis of multi-indices. Other k and R do not compile.
    fn basis() -> Arc<Basis> {
        // the bound keeps jets short: Basis::new cannot fail for these k and R
        const { assert!(1 <= K && K <= 3 && 1 <= R && R <= 4, "k is 1 to 3, and R is 1 to 4") }
        match Basis::new(K, R) {
            Ok(basis) => Arc::new(basis),
            Err(error) => unreachable!("so many coordinates are few: {error}"),
        }
    }
}

/// Returns the object that a type names.
fn object<C: Category<Object = Object>, A: Names<C>>() -> Object {
    A::object()
}

impl<const K: usize, const R: usize> Simple for Gluing<K, R> {
    fn real() -> Object {
        Object::real(&Self::basis())
    }
    fn one() -> Object {
        Object::product(&[])
    }
    fn zero() -> Object {
        let zero = Ty::new(TyKind::Data(Data::sum(0), Vec::new()));
        Object::sum(&Paper, zero.clone(), zero, &[], Vec::new())
    }
    fn times(a: Object, b: Object) -> Object {
        Object::product(&[a, b])
    }
    fn plus(a: Object, b: Object) -> Object {
        let side = |of: fn(&Object) -> &Ty| Ty::new(TyKind::Data(Data::sum(2), vec![of(&a).clone(), of(&b).clone()]));
        let names = Data::sum(2).constructors().map(|constructor| constructor.name().to_string()).collect();
        Object::sum(&Paper, side(Object::left), side(Object::right), &[a.clone(), b.clone()], names)
    }
    fn to(a: Object, b: Object) -> Object {
        Object::exponential(&a, &b)
    }
    fn list_of(a: Object) -> Object {
        Object::list(&a)
    }
}

impl<const K: usize, const R: usize> Category for Gluing<K, R> {
    type Object = Object;
    type Hom<A: Names<Self>, B: Names<Self>> = Morphism;

    fn identity<A: Names<Self>>() -> Morphism {
        Morphism::id(&object::<Self, A>())
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(f: &Morphism, g: &Morphism) -> Morphism {
        f.then(g)
    }
}

impl<const K: usize, const R: usize> Cartesian for Gluing<K, R> {
    type Terminal = One;
    type Product<A: Names<Self>, B: Names<Self>> = Times<A, B>;

    fn terminal<A: Names<Self>>() -> Morphism {
        Morphism::terminal(&object::<Self, A>())
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Morphism, g: &Morphism) -> Morphism {
        f.pair(g)
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Morphism {
        Morphism::projection(&[object::<Self, A>(), object::<Self, B>()], 0)
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Morphism {
        Morphism::projection(&[object::<Self, A>(), object::<Self, B>()], 1)
    }
}

impl<const K: usize, const R: usize> Closed for Gluing<K, R> {
    type Exponential<A: Names<Self>, B: Names<Self>> = To<A, B>;

    fn curry<X: Names<Self>, A: Names<Self>, B: Names<Self>>(f: &Morphism) -> Morphism {
        f.curried(&[object::<Self, X>(), object::<Self, A>()])
    }

    fn apply<A: Names<Self>, B: Names<Self>>() -> Morphism {
        Morphism::evaluation(&object::<Self, A>(), &object::<Self, B>())
    }
}

impl<const K: usize, const R: usize> Cocartesian for Gluing<K, R> {
    type Initial = Zero;

    fn initial<A: Names<Self>>() -> Morphism {
        Morphism::initial(&object::<Self, Zero>(), &object::<Self, A>())
    }

    type Sum<A: Names<Self>, B: Names<Self>> = Plus<A, B>;

    fn left<A: Names<Self>, B: Names<Self>>() -> Morphism {
        Morphism::injection(&object::<Self, A>(), &object::<Self, Sum<Self, A, B>>(), 0)
    }

    fn right<A: Names<Self>, B: Names<Self>>() -> Morphism {
        Morphism::injection(&object::<Self, B>(), &object::<Self, Sum<Self, A, B>>(), 1)
    }

    fn case<A: Names<Self>, B: Names<Self>, X: Names<Self>>(f: &Morphism, g: &Morphism) -> Morphism {
        f.case(g, &object::<Self, Sum<Self, A, B>>())
    }
}

impl<const K: usize, const R: usize> Lists for Gluing<K, R> {
    type List<A: Names<Self>> = ListOf<A>;

    fn nil<A: Names<Self>>() -> Morphism {
        Morphism::nil(&object::<Self, A>())
    }

    fn cons<A: Names<Self>>() -> Morphism {
        Morphism::cons(&object::<Self, A>())
    }

    fn fold<A: Names<Self>, B: Names<Self>>(start: &Morphism, step: &Morphism) -> Morphism {
        step.fold(start, &object::<Self, A>())
    }
}

impl<const K: usize, const R: usize> Renamed for Gluing<K, R> {
    fn renamed<A: Names<Self>, B: Names<Self>, X: Names<Self>, Y: Names<Self>>(f: &Morphism) -> Morphism {
        f.clone()
    }
}

/// Equality is tested at arguments that are drawn from this seed.
impl<const K: usize, const R: usize> Setoid for Gluing<K, R> {
    type Trial = u64;
    type Error = GlueError;

    /// Both maps are equal.
    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &Morphism,
        right: &Morphism,
        seed: &u64,
    ) -> Result<Verdict, GlueError> {
        let (a, b) = (object::<Self, A>(), object::<Self, B>());
        // there is one function on the empty set; no argument can be drawn to test it
        if is_empty(a.left()) && is_empty(a.right()) {
            return Ok(Verdict::Survived);
        }
        let side = |of: fn(&Object) -> &Ty, f: &Function, g: &Function| {
            let ty = Ty::function(of(&a).clone(), of(&b).clone());
            equal(&ty, &Element::Function(f.clone()), &Element::Function(g.clone()), &mut Random::new(*seed))
        };
        let plots = side(Object::left, &left.left, &right.left)?;
        Ok(plots.both(side(Object::right, &left.right, &right.right)?).verdict)
    }
}

/// The size of the functions that random morphisms are made from, in operations. A choice.
const SIZE: usize = 4;

impl<const K: usize, const R: usize> Draw for Gluing<K, R> {
    fn draw<A: Names<Self>, B: Names<Self>>(random: &mut Random) -> Morphism {
        let (a, b) = (object::<Self, A>(), object::<Self, B>());
        let drawn = Scope::global(&Self::basis(), random, SIZE).and_then(|(plots, representations)| {
            let mut sampler = Sampler { plots, representations, random, size: 2 };
            Ok(Morphism::draw(&a, &b, &mut sampler)?)
        });
        // where nothing can be drawn the maps have no value, so that every law is vacuous
        drawn.unwrap_or_else(|_| Morphism {
            domain: a,
            codomain: b,
            left: Function::untold(),
            right: Function::untold(),
        })
    }
}

/// The object of Diff that a type of programs denotes.
#[derive(Debug)]
pub struct Meant<A>(PhantomData<fn() -> A>);

impl<A: Names<Terms>> Names<Diff> for Meant<A> {
    fn object() -> Ty {
        A::object()
    }
}

/// Evaluates a program to a function. An error is deferred: the function is then undefined at every argument.
fn later(term: &Term, of: fn(&Term) -> Result<Element, GlueError>) -> Function {
    let found = of(term);
    Function::new(move |x: &Element| match &found {
        Ok(function) => function.as_function()?.apply(x),
        Err(_) => Function::untold().apply(x),
    })
}

/// The functor ⟦−⟧ : programs → Diff.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {}

impl Functor for Meaning {
    type From = Terms;
    type To = Diff;
    type On<A: Names<Terms>> = Meant<A>;

    fn map<A: Names<Terms>, B: Names<Terms>>(f: &Term) -> Function {
        later(f, run)
    }
}

/// ⦇τ⦈, for an object of programs made of the type formers of Gl_k. Panics for tangents, which have no object here.
#[derive(Debug)]
pub struct Interpreted<const K: usize, const R: usize, A>(PhantomData<fn() -> A>);

impl<const K: usize, const R: usize, A: Names<Terms>> Names<Gluing<K, R>> for Interpreted<K, R, A> {
    fn object() -> Object {
        let ty = A::object();
        match super::lemma::Setting::default().object(&ty, &Gluing::<K, R>::basis()) {
            Ok(object) => object,
            Err(error) => unreachable!("simple types have objects: {error}"),
        }
    }
}

/// The functor ⦇−⦈ : programs → Gl_k.
#[derive(Clone, Copy, Debug)]
pub enum Interpretation<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> Functor for Interpretation<K, R> {
    type From = Terms;
    type To = Gluing<K, R>;
    type On<A: Names<Terms>> = Interpreted<K, R, A>;

    fn map<A: Names<Terms>, B: Names<Terms>>(f: &Term) -> Morphism {
        let (domain, codomain) = (Interpreted::<K, R, A>::object(), Interpreted::<K, R, B>::object());
        let left = later(f, |term| Ok(interpretation(term, &Gluing::<K, R>::basis())?.plot));
        let right = later(f, |term| Ok(interpretation(term, &Gluing::<K, R>::basis())?.representation));
        Morphism { domain, codomain, left, right }
    }
}

/// Defines, for each side of objects, its space and the projection functor to it.
macro_rules! sides {
    ($(#[doc = $of:literal] $side:ident $field:ident, #[doc = $to:literal] $projection:ident;)*) => {
        $(
            #[doc = $of]
            #[derive(Debug)]
            pub struct $side<const K: usize, const R: usize, A>(PhantomData<fn() -> A>);

            impl<const K: usize, const R: usize, A: Names<Gluing<K, R>>> Names<Diff> for $side<K, R, A> {
                fn object() -> Ty {
                    A::object().$field().clone()
                }
            }

            #[doc = $to]
            #[derive(Clone, Copy, Debug)]
            pub enum $projection<const K: usize, const R: usize> {}

            impl<const K: usize, const R: usize> Functor for $projection<K, R> {
                type From = Gluing<K, R>;
                type To = Diff;
                type On<A: Names<Gluing<K, R>>> = $side<K, R, A>;

                fn map<A: Names<Gluing<K, R>>, B: Names<Gluing<K, R>>>(f: &Morphism) -> Function {
                    f.$field.clone()
                }
            }
        )*
    };
}

sides! {
    #[doc = "X, of an object (X, X′, S)."] Left left, #[doc = "The projection to plots."] Plots;
    #[doc = "X′, of an object (X, X′, S)."] Right right, #[doc = "The projection to representations."] Representations;
}
