//! Gl_k as an instance of the [interfaces](crate::category), and the functors that relate it to programs and Diff (H
//! Prop. 5, §6.2).
//!
//! | functor | |
//! |---|---|
//! | [`SemanticsFunctor`] | ⟦−⟧ : programs → Diff |
//! | [`InterpretationFunctor`] | ⦇−⦈ : programs → Gl_k |
//! | [`Plots`], [`Representations`] | the projections Gl_k → Diff |
//!
//! ⦇−⦈ followed by the first projection is ⟦−⟧, and followed by the second ⟦𝒟−⟧: diagram (4).

use super::equality::test_equal;
use super::error::GlueError;
use super::interpretation::interpret_closed;
use super::morphism::GluingMorphism;
use super::object::{GluingObject, PairSampler};
use super::scope::{PlotScope, run_program};
use crate::category::opposite::RelabelEnds;
use crate::category::{Cartesian, CartesianClosed, Category, Cocartesian, Functor, Lists, ObjectName, Setoid, SumOf};
use crate::glue::connectives::PaperClauses;
use crate::law::category::DrawArrow;
use crate::meaning::diffeology::category::Diff;
use crate::meaning::taylor::basis::Basis;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::simple::{ListOf, One, Plus, SimpleTypes, Times, To, Zero};
use crate::syntax::data::DataType;
use crate::syntax::inductive::is_uninhabited;
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
/// use smoothish_laws::glue::instance::GluingCategory;
/// GluingCategory::<0, 2>::identity::<Real>();
/// ```
#[derive(Clone, Copy, Debug)]
pub enum GluingCategory<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> GluingCategory<K, R> {
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
fn object_of<C: Category<Object = GluingObject>, A: ObjectName<C>>() -> GluingObject {
    A::object()
}

impl<const K: usize, const R: usize> SimpleTypes for GluingCategory<K, R> {
    fn real_object() -> GluingObject {
        GluingObject::real(&Self::basis())
    }
    fn terminal_object() -> GluingObject {
        GluingObject::product(&[])
    }
    fn initial_object() -> GluingObject {
        let zero = Ty::new(TyKind::Data(DataType::sum(0), Vec::new()));
        GluingObject::sum(&PaperClauses, zero.clone(), zero, &[], Vec::new())
    }
    fn product_object(a: GluingObject, b: GluingObject) -> GluingObject {
        GluingObject::product(&[a, b])
    }
    fn sum_object(a: GluingObject, b: GluingObject) -> GluingObject {
        let side = |of: fn(&GluingObject) -> &Ty| {
            Ty::new(TyKind::Data(DataType::sum(2), vec![of(&a).clone(), of(&b).clone()]))
        };
        let names = DataType::sum(2).constructors().map(|constructor| constructor.name().to_string()).collect();
        GluingObject::sum(
            &PaperClauses,
            side(GluingObject::left),
            side(GluingObject::right),
            &[a.clone(), b.clone()],
            names,
        )
    }
    fn exponential_object(a: GluingObject, b: GluingObject) -> GluingObject {
        GluingObject::exponential(&a, &b)
    }
    fn list_object(a: GluingObject) -> GluingObject {
        GluingObject::list(&a)
    }
}

impl<const K: usize, const R: usize> Category for GluingCategory<K, R> {
    type Object = GluingObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = GluingMorphism;

    fn identity<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::identity(&object_of::<Self, A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.then(g)
    }
}

impl<const K: usize, const R: usize> Cartesian for GluingCategory<K, R> {
    type Terminal = One;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::terminal(&object_of::<Self, A>())
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.pair(g)
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::projection(&[object_of::<Self, A>(), object_of::<Self, B>()], 0)
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::projection(&[object_of::<Self, A>(), object_of::<Self, B>()], 1)
    }
}

impl<const K: usize, const R: usize> CartesianClosed for GluingCategory<K, R> {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &GluingMorphism) -> GluingMorphism {
        f.curry(&[object_of::<Self, X>(), object_of::<Self, A>()])
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::evaluation(&object_of::<Self, A>(), &object_of::<Self, B>())
    }
}

impl<const K: usize, const R: usize> Cocartesian for GluingCategory<K, R> {
    type Initial = Zero;

    fn initial<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::initial(&object_of::<Self, Zero>(), &object_of::<Self, A>())
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = Plus<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::injection(&object_of::<Self, A>(), &object_of::<Self, SumOf<Self, A, B>>(), 0)
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::injection(&object_of::<Self, B>(), &object_of::<Self, SumOf<Self, A, B>>(), 1)
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &GluingMorphism,
        g: &GluingMorphism,
    ) -> GluingMorphism {
        f.case(g, &object_of::<Self, SumOf<Self, A, B>>())
    }
}

impl<const K: usize, const R: usize> Lists for GluingCategory<K, R> {
    type List<A: ObjectName<Self>> = ListOf<A>;

    fn nil<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::nil(&object_of::<Self, A>())
    }

    fn cons<A: ObjectName<Self>>() -> GluingMorphism {
        GluingMorphism::cons(&object_of::<Self, A>())
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(start: &GluingMorphism, step: &GluingMorphism) -> GluingMorphism {
        step.fold(start, &object_of::<Self, A>())
    }
}

impl<const K: usize, const R: usize> RelabelEnds for GluingCategory<K, R> {
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &GluingMorphism,
    ) -> GluingMorphism {
        f.clone()
    }
}

/// Equality is tested at arguments that are drawn from this seed.
impl<const K: usize, const R: usize> Setoid for GluingCategory<K, R> {
    type Trial = u64;
    type Error = GlueError;

    /// Both maps are equal.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &GluingMorphism,
        right: &GluingMorphism,
        seed: &u64,
    ) -> Result<Verdict, GlueError> {
        let (a, b) = (object_of::<Self, A>(), object_of::<Self, B>());
        // there is one function on the empty set; no argument can be drawn to test it
        if is_uninhabited(a.left()) && is_uninhabited(a.right()) {
            return Ok(Verdict::Survived);
        }
        let side = |of: fn(&GluingObject) -> &Ty, f: &StageFunction, g: &StageFunction| {
            let ty = Ty::function(of(&a).clone(), of(&b).clone());
            test_equal(&ty, &Element::Function(f.clone()), &Element::Function(g.clone()), &mut SplitMix64::new(*seed))
        };
        let plots = side(GluingObject::left, &left.left, &right.left)?;
        Ok(plots.both(side(GluingObject::right, &left.right, &right.right)?).verdict)
    }
}

/// The size of the functions that random morphisms are made from, in operations. A choice.
const SIZE: usize = 4;

impl<const K: usize, const R: usize> DrawArrow for GluingCategory<K, R> {
    fn draw_hom<A: ObjectName<Self>, B: ObjectName<Self>>(random: &mut SplitMix64) -> GluingMorphism {
        let (a, b) = (object_of::<Self, A>(), object_of::<Self, B>());
        let drawn =
            PlotScope::without_coordinates(&Self::basis(), random, SIZE).and_then(|(plots, representations)| {
                let mut sampler = PairSampler { plots, representations, random, size: 2 };
                Ok(GluingMorphism::draw_morphism(&a, &b, &mut sampler)?)
            });
        // where nothing can be drawn the maps have no value, so that every law is vacuous
        drawn.unwrap_or_else(|_| GluingMorphism {
            domain: a,
            codomain: b,
            left: StageFunction::placeholder(),
            right: StageFunction::placeholder(),
        })
    }
}

/// The object of Diff that a type of programs denotes.
#[derive(Debug)]
pub struct DenotedType<A>(PhantomData<fn() -> A>);

impl<A: ObjectName<Terms>> ObjectName<Diff> for DenotedType<A> {
    fn object() -> Ty {
        A::object()
    }
}

/// Evaluates a program to a function. An error is deferred: the function is then undefined at every argument.
fn run_deferred(term: &Term, of: fn(&Term) -> Result<Element, GlueError>) -> StageFunction {
    let found = of(term);
    StageFunction::new(move |x: &Element| match &found {
        Ok(function) => function.as_function()?.apply(x),
        Err(_) => StageFunction::placeholder().apply(x),
    })
}

/// The functor ⟦−⟧ : programs → Diff.
#[derive(Clone, Copy, Debug)]
pub enum SemanticsFunctor {}

impl Functor for SemanticsFunctor {
    type From = Terms;
    type To = Diff;
    type On<A: ObjectName<Terms>> = DenotedType<A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> StageFunction {
        run_deferred(f, run_program)
    }
}

/// ⦇τ⦈, for an object of programs made of the type formers of Gl_k. Panics for tangents, which have no object here.
#[derive(Debug)]
pub struct InterpretedType<const K: usize, const R: usize, A>(PhantomData<fn() -> A>);

impl<const K: usize, const R: usize, A: ObjectName<Terms>> ObjectName<GluingCategory<K, R>>
    for InterpretedType<K, R, A>
{
    fn object() -> GluingObject {
        let ty = A::object();
        match super::lemma::GluingSetup::default().object_of_type(&ty, &GluingCategory::<K, R>::basis()) {
            Ok(object) => object,
            Err(error) => unreachable!("simple types have objects: {error}"),
        }
    }
}

/// The functor ⦇−⦈ : programs → Gl_k.
#[derive(Clone, Copy, Debug)]
pub enum InterpretationFunctor<const K: usize, const R: usize> {}

impl<const K: usize, const R: usize> Functor for InterpretationFunctor<K, R> {
    type From = Terms;
    type To = GluingCategory<K, R>;
    type On<A: ObjectName<Terms>> = InterpretedType<K, R, A>;

    fn map<A: ObjectName<Terms>, B: ObjectName<Terms>>(f: &Term) -> GluingMorphism {
        let (domain, codomain) = (InterpretedType::<K, R, A>::object(), InterpretedType::<K, R, B>::object());
        let left = run_deferred(f, |term| Ok(interpret_closed(term, &GluingCategory::<K, R>::basis())?.plot));
        let right =
            run_deferred(f, |term| Ok(interpret_closed(term, &GluingCategory::<K, R>::basis())?.representation));
        GluingMorphism { domain, codomain, left, right }
    }
}

/// Defines, for each side of objects, its space and the projection functor to it.
macro_rules! sides {
    ($(#[doc = $of:literal] $side:ident $field:ident, #[doc = $to:literal] $projection:ident;)*) => {
        $(
            #[doc = $of]
            #[derive(Debug)]
            pub struct $side<const K: usize, const R: usize, A>(PhantomData<fn() -> A>);

            impl<const K: usize, const R: usize, A: ObjectName<GluingCategory<K, R>>> ObjectName<Diff> for $side<K, R, A> {
                fn object() -> Ty {
                    A::object().$field().clone()
                }
            }

            #[doc = $to]
            #[derive(Clone, Copy, Debug)]
            pub enum $projection<const K: usize, const R: usize> {}

            impl<const K: usize, const R: usize> Functor for $projection<K, R> {
                type From = GluingCategory<K, R>;
                type To = Diff;
                type On<A: ObjectName<GluingCategory<K, R>>> = $side<K, R, A>;

                fn map<A: ObjectName<GluingCategory<K, R>>, B: ObjectName<GluingCategory<K, R>>>(f: &GluingMorphism) -> StageFunction {
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
