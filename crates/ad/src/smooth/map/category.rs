//! The category AD (S Prop. 4.5), and its tangent functor.
//!
//! Composition is substitution of graphs, so the laws of a category hold for the graphs themselves, kinks included
//! (E43). [`agree`](Setoid::agree) compares values and derivatives.
//!
//! # The derivative towers of S §4
//!
//! The derivative towers of S §4.2, with their dimensions as types: the reference.
//!
//! [`Map::tower`] is the literal meaning of a map, ⟦·⟧ of S Fig. 4, composed by Faà di Bruno's formula. It is slow,
//! shares no rule for derivatives with the jets that compute answers, and is associative only up to overlap at kinks
//! (E43). [`TowerCategory`] is the category that these towers form; [`JetTowerFunctor`] is the functor that maps a map to the tower
//! that its jets compute.
//!
//! # Comparison of maps on samples
//!
//! Values and derivatives of two maps must overlap at every tested precision.
//!
//! Points are dyadic numbers between -2 and 2, half of them integers and many with equal coordinates, where kinks lie.
//! A sample counts as survived only if both sides are certainly defined and narrow enough. If one is a set, as at a
//! kink, or ⊥, the sample is vacuous.
//!
//! # Objects of AD as values
//!
//! A type, with a number of coordinates that the type need not show.
//!
//! A dimension of `typenum` has its number of coordinates in its type. An object with a hidden dimension, a stage of
//! `presheaf`, does not: a [`Space<N>`] stores it. The structure of the category AD on each object (S §4.4) is provided
//! for each space, hidden or not.
//!
//! | here | in the paper (S §4.4) |
//! |---|---|
//! | [`Space::id`], [`Space::terminal`] | `id`, `!` |
//! | [`Space::product_with`], [`Space::first`], [`Space::second`] | `A × B`, `fst`, `snd` |
//! | [`Space::zero`], [`Space::constant`] | `0`, constants |

use super::primitive::{MapError, check_length};
use super::range::{EvalRequest, point_intervals};
use super::{DynMap, Map};
use crate::category::{Cartesian, Category, Functor, Iso, NaturalTransformation, ObjectName, Setoid};
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::random::SplitMix64;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::dimension::{Dim, Dyn, EuclideanObject, MapEnd};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map;
use crate::smooth::tower::{LinearMap, Tower, TowerError};
use crate::verdict::Verdict;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use typenum::{U0, U1};

/// The category of smoothish maps: objects are [dimensions](crate::smooth::dimension), arrows are [`Map`]s.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "AD")]
pub enum Ad {}

/// Implements [`ObjectName`] for numbers and pairs, as objects of a category.
#[doc(hidden)]
#[macro_export]
macro_rules! objects {
    ($category:ty) => {
        impl $crate::category::ObjectName<$category> for $crate::smooth::dimension::typenum::UTerm {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<U, B> $crate::category::ObjectName<$category> for $crate::smooth::dimension::typenum::UInt<U, B>
        where
            U: $crate::smooth::dimension::typenum::Unsigned + ::std::fmt::Debug,
            B: $crate::smooth::dimension::typenum::Bit + ::std::fmt::Debug,
        {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                <Self as $crate::smooth::dimension::Dim>::object()
            }
        }

        impl<A, B> $crate::category::ObjectName<$category> for (A, B)
        where
            A: $crate::category::ObjectName<$category>,
            B: $crate::category::ObjectName<$category>,
        {
            fn object() -> $crate::smooth::dimension::EuclideanObject {
                // the trait is not in scope where the macro is used
                use $crate::category::ObjectName;
                let (a, b) = (<A as ObjectName<$category>>::object(), <B as ObjectName<$category>>::object());
                $crate::smooth::dimension::EuclideanObject::Product(Box::new(a), Box::new(b))
            }
        }
    };
}
#[doc(hidden)]
pub use objects;

objects!(Ad);

/// Returns the dimension of an object.
fn object_dimension<A: ObjectName<Ad>>() -> usize {
    <A as ObjectName<Ad>>::object().size()
}

/// Returns the projection to the coordinates `from..to` of ℝⁿ.
fn project_range<A, B>(n: usize, from: usize, to: usize) -> Map<A, B> {
    Map::new(DynMap::new(n, map::coordinate_graphs(n)[from..to].to_vec()))
}

impl Category for Ad {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Map<A, B>;

    fn identity<A: ObjectName<Self>>() -> Map<A, A> {
        project_range(object_dimension::<A>(), 0, object_dimension::<A>())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(f: &Map<A, B>, g: &Map<B, C>) -> Map<A, C> {
        Map::new(f.as_dyn.then(&g.as_dyn))
    }
}

impl Cartesian for Ad {
    type Terminal = U0;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> Map<A, U0> {
        // no coordinates: the map to ℝ⁰
        project_range(object_dimension::<A>(), 0, 0)
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Map<X, A>,
        g: &Map<X, B>,
    ) -> Map<X, (A, B)> {
        Map::new(f.as_dyn.pair(&g.as_dyn))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Map<(A, B), A> {
        project_range(object_dimension::<A>() + object_dimension::<B>(), 0, object_dimension::<A>())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Map<(A, B), B> {
        let n = object_dimension::<A>() + object_dimension::<B>();
        project_range(n, object_dimension::<A>(), n)
    }
}

impl Setoid for Ad {
    type Trial = MapTestConfig;
    type Error = MapError;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Map<A, B>,
        right: &Map<A, B>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        jets_agree(&left.as_dyn, &right.as_dyn, trial)
    }
}

/// A functor T : AD → AD that also acts on stages: objects whose number of coordinates no type shows.
///
/// T is injective on objects. `Functor::On` names the same objects as [`OnStages::At`], and [`map_on_objects`] is
/// `Functor::map`. The functor extends to presheaves, as the left Kan extension along the Yoneda embedding: `Lan` of the
/// module `presheaf::coend`.
///
/// | law | equation |
/// |---|---|
/// | sizes | T(ℝⁿ) has `image_size(n)` coordinates, and `stage_size(image_size(n)) = n` |
/// | identity | `T(id) = id` |
/// | composition | `T(f.then(g)) = T(f).then(T(g))` |
///
/// Source: S §5.3, for the functor valueWithDer.
pub trait OnStages: Functor<From = Ad, To = Ad> + 'static {
    /// The image of a stage, as a type.
    type At<G: MapEnd>: MapEnd;

    /// Returns the number of coordinates of T(ℝⁿ).
    fn image_size(n: usize) -> usize;

    /// Returns the n for which T(ℝⁿ) has this number of coordinates: the least n that is large enough.
    #[must_use]
    fn stage_size(image: usize) -> usize {
        // T is injective on objects and does not shrink them, so the search ends
        (0..image).find(|n| Self::image_size(*n) >= image).unwrap_or(image)
    }

    /// Returns `T f : T A ⇝ T B`.
    fn map_at<A: MapEnd, B: MapEnd>(f: &Map<A, B>) -> Map<Self::At<A>, Self::At<B>>;

    /// Returns T(G) as a value.
    #[must_use]
    fn image_space<G: MapEnd>(space: &Space<G>) -> Space<Self::At<G>> {
        Space::of_size(Self::image_size(space.size()))
    }
}

/// Returns `T f` between objects in types, from the action on stages: the body of [`Functor::map`].
#[must_use]
pub fn map_on_objects<T: OnStages, A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<T::On<A>, T::On<B>> {
    // the types of the ends are forgotten in between: `On` and `At` name the same objects
    T::map_at(&f.cast_types::<Dyn, Dyn>()).cast_types()
}

/// A functor with a natural transformation η : Γ ⇝ T Γ.
///
/// | law | equation |
/// |---|---|
/// | naturality | `f.then(η) = η.then(T f)` |
pub trait Pointed: OnStages {
    /// Returns `η : G ⇝ T G`.
    fn point_at<G: MapEnd>(space: &Space<G>) -> Map<G, Self::At<G>>;
}

/// A functor with a natural transformation ε : T Γ ⇝ Γ, the base point.
///
/// | law | equation |
/// |---|---|
/// | naturality | `(T f).then(ε) = ε.then(f)` |
/// | section | `η.then(ε) = id`, if the functor is [`Pointed`] |
pub trait Copointed: OnStages {
    /// Returns `ε : T G ⇝ G`.
    fn base_at<G: MapEnd>(space: &Space<G>) -> Map<Self::At<G>, G>;
}

/// A functor that keeps finite products: `⟨T fst, T snd⟩ : T(A × B) ⇝ T A × T B` has an inverse, and T(ℝ⁰) is ℝ⁰.
///
/// | law | equation |
/// |---|---|
/// | inverse | `join.then(⟨T fst, T snd⟩) = id`, `⟨T fst, T snd⟩.then(join) = id` |
/// | terminal | `image_size(0) = 0` |
pub trait KeepsProducts: OnStages {
    /// Returns the inverse `join : T A × T B ⇝ T(A × B)`.
    fn join_at<A: MapEnd, B: MapEnd>(a: &Space<A>, b: &Space<B>) -> JoinMap<Self, A, B>;
}

/// A map from T A × T B to T(A × B).
pub type JoinMap<T, A, B> = Map<(<T as OnStages>::At<A>, <T as OnStages>::At<B>), <T as OnStages>::At<(A, B)>>;

/// A functor whose elements are jets at 0 of maps out of ℝᵏ: a point of T M is the T-image of one generic point of
/// T(ℝᵏ), along a map that depends smoothly on it.
///
/// | law | equation |
/// |---|---|
/// | curves | T of `s ↦ curve(x, s)` at the generic point is x, for every x in T M |
///
/// For the tangent functor k = 1, the generic point is `(0, 1)`, and the curve of (x, v) is `x + s·v`.
pub trait JetsOfCurves: Pointed + KeepsProducts {
    /// Returns k.
    fn parameter_count() -> usize;

    /// Returns the generic point of T(ℝᵏ), as a map from ℝ⁰.
    fn generic_point() -> Map<U0, Self::At<Dyn>>;

    /// Returns `(x, s) ↦ curve(x, s) : T M × ℝᵏ ⇝ M`.
    fn curve_at<M: MapEnd>(space: &Space<M>) -> Map<(Self::At<M>, Dyn), M>;
}

/// The tangent functor T : AD → AD, with T A = (A, A) and T f = (f⁽⁰⁾, f′), S §4.3.4.
///
/// Functoriality is the chain rule.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "valueWithDer")]
pub enum TangentFunctor {}

impl Functor for TangentFunctor {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = (A, A);

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<(A, A), (B, B)> {
        map_on_objects::<Self, A, B>(f)
    }
}

impl OnStages for TangentFunctor {
    type At<G: MapEnd> = (G, G);

    fn image_size(n: usize) -> usize {
        2 * n
    }

    fn stage_size(image: usize) -> usize {
        image / 2
    }

    fn map_at<A: MapEnd, B: MapEnd>(f: &Map<A, B>) -> Map<(A, A), (B, B)> {
        f.with_derivative()
    }
}

/// The zero tangent, `x ↦ (x, 0)`.
impl Pointed for TangentFunctor {
    fn point_at<G: MapEnd>(space: &Space<G>) -> Map<G, (G, G)> {
        space.id().pair(&space.zero(space))
    }
}

impl Copointed for TangentFunctor {
    fn base_at<G: MapEnd>(space: &Space<G>) -> Map<(G, G), G> {
        space.first(space)
    }
}

impl KeepsProducts for TangentFunctor {
    fn join_at<A: MapEnd, B: MapEnd>(a: &Space<A>, b: &Space<B>) -> JoinMap<Self, A, B> {
        join_blocks(2, a.size(), b.size())
    }
}

impl JetsOfCurves for TangentFunctor {
    fn parameter_count() -> usize {
        1
    }

    fn generic_point() -> Map<U0, (Dyn, Dyn)> {
        constant_point(&[0, 1])
    }

    fn curve_at<M: MapEnd>(space: &Space<M>) -> Map<((M, M), Dyn), M> {
        curve_of_blocks(&multi_indices(1, 1), 1, space.size())
    }
}

/// Returns the permutation that joins `blocks` blocks of a coordinates and as many of b coordinates, block by block.
fn join_blocks<N, M>(blocks: usize, a: usize, b: usize) -> Map<N, M> {
    let all = map::coordinate_graphs(blocks * (a + b));
    let block = |i: usize| all[i * a..(i + 1) * a].iter().chain(&all[blocks * a + i * b..blocks * a + (i + 1) * b]);
    Map::new(DynMap::new(all.len(), (0..blocks).flat_map(block).cloned().collect()))
}

/// The functor J^(K,R) : AD → AD of jets of order at most R of maps out of ℝᴷ (H §6.3). J^(1,1) is the tangent functor.
///
/// An element of J(A) is a family (x_α) of elements of A, one for each multi-index α with α₁ + … + α_K ≤ R. It stands
/// for the map `s ↦ Σ_β x_β s^β/β!` near 0, and `J f` takes derivatives of order α of its image under f at 0.
#[derive(Clone, Copy, Debug)]
pub enum JetFunctor<const K: usize, const R: usize> {}

/// The object J^(K,R)(A): for each multi-index in lexicographic order the coordinates of A. For K = 1 these are `x₀, x₁,
/// …, x_R`, the value and the derivatives.
#[derive(Clone, Copy, Debug)]
pub struct JetSpace<A, const K: usize, const R: usize>(PhantomData<fn() -> A>);

impl<A: MapEnd, const K: usize, const R: usize> MapEnd for JetSpace<A, K, R> {}

impl<A: Dim, const K: usize, const R: usize> Dim for JetSpace<A, K, R> {
    const SIZE: usize = A::SIZE * index_count(K, R);

    fn object() -> EuclideanObject {
        EuclideanObject::Power(Self::SIZE)
    }
}

impl<A: ObjectName<Ad>, const K: usize, const R: usize> ObjectName<Ad> for JetSpace<A, K, R> {
    fn object() -> EuclideanObject {
        EuclideanObject::Power(index_count(K, R) * object_dimension::<A>())
    }
}

/// Returns C(k + r, k), the number of multi-indices of k entries with sum at most r.
const fn index_count(k: usize, r: usize) -> usize {
    // each partial product is a binomial coefficient, so the divisions leave no remainder
    let (mut count, mut i) = (1, 0);
    while i < k {
        i += 1;
        count = count * (r + i) / i;
    }
    count
}

/// Returns the multi-indices of k entries with sum at most r, in lexicographic order, from (0, …, 0) to (r, 0, …, 0).
#[must_use]
pub fn multi_indices(k: usize, r: usize) -> Vec<Vec<usize>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    let rest = |first: usize| multi_indices(k - 1, r - first).into_iter().map(move |rest| [vec![first], rest].concat());
    (0..=r).flat_map(rest).collect()
}

/// Returns `s^β/β!` as a graph.
fn divided_power(s: &[Graph], index: &[usize]) -> Graph {
    let mut product = Graph::integer(1);
    for (s, exponent) in s.iter().zip(index) {
        for i in 1..=*exponent {
            let over = Graph::rational(Rational::from((1, i as u64)));
            product = Graph::binary(Binary::Multiply, &product, &Graph::binary(Binary::Multiply, &over, s));
        }
    }
    product
}

/// Returns the components of `Σ_β x_β s^β/β!` over the given multi-indices β, for blocks `x_β` of n graphs.
fn jet_polynomial(indices: &[(usize, &Vec<usize>)], x: &[Graph], s: &[Graph], n: usize) -> Vec<Graph> {
    let component = |i: usize| {
        let terms = indices.iter().map(|(place, index)| {
            let coefficient = &x[place * n + i];
            if index.iter().all(|exponent| *exponent == 0) {
                return coefficient.clone();
            }
            Graph::binary(Binary::Multiply, coefficient, &divided_power(s, index))
        });
        terms.reduce(|sum, term| Graph::binary(Binary::Add, &sum, &term)).unwrap_or_else(|| Graph::integer(0))
    };
    (0..n).map(component).collect()
}

/// Returns `(x, s) ↦ Σ_β x_β s^β/β!` for blocks of n coordinates.
fn curve_of_blocks<N, M>(indices: &[Vec<usize>], k: usize, n: usize) -> Map<N, M> {
    let all = map::coordinate_graphs(indices.len() * n + k);
    let (x, s) = all.split_at(indices.len() * n);
    let places: Vec<_> = indices.iter().enumerate().collect();
    Map::new(DynMap::new(all.len(), jet_polynomial(&places, x, s, n)))
}

/// Returns `J^(k,r) f`: for each α the derivative of order α at 0 of f along the polynomial with the given coefficients.
fn map_jets(f: &DynMap, k: usize, r: usize) -> DynMap {
    let (n, indices) = (f.input_count(), multi_indices(k, r));
    let x = map::coordinate_graphs(indices.len() * n);
    let parameters: Vec<Variable> = (0..k).map(|_| Variable::fresh()).collect();
    let s: Vec<Graph> = parameters.iter().map(|v| Graph::variable(*v)).collect();
    let at_zero: Vec<_> = parameters.iter().map(|v| (*v, Graph::integer(0))).collect();
    let mut outputs = Vec::new();
    for index in &indices {
        // derivatives of order α see no coefficients but those below α: others would make them undefined for nothing
        let below: Vec<_> = indices
            .iter()
            .enumerate()
            .filter(|(_, other)| other.iter().zip(index).all(|(other, entry)| other <= entry))
            .collect();
        let mut values = f.outputs_at(&jet_polynomial(&below, &x, &s, n));
        for (i, order) in index.iter().enumerate() {
            for _ in 0..*order {
                values = values.iter().map(|g| differentiate_in(g, parameters[i])).collect();
            }
        }
        outputs.extend(map::substitute_in_all(&values, &at_zero));
    }
    DynMap::new(x.len(), outputs)
}

/// Returns `∂g/∂v` as a graph in the same variables.
fn differentiate_in(g: &Graph, v: Variable) -> Graph {
    let fresh = Variable::fresh();
    let body = g.substitute(&[(v, Graph::variable(fresh))]);
    Graph::derivative(vec![fresh], body, vec![Graph::variable(v)], vec![Graph::integer(1)])
}

impl<const K: usize, const R: usize> Functor for JetFunctor<K, R> {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = JetSpace<A, K, R>;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<JetSpace<A, K, R>, JetSpace<B, K, R>> {
        map_on_objects::<Self, A, B>(f)
    }
}

impl<const K: usize, const R: usize> OnStages for JetFunctor<K, R> {
    type At<G: MapEnd> = JetSpace<G, K, R>;

    fn image_size(n: usize) -> usize {
        index_count(K, R) * n
    }

    fn stage_size(image: usize) -> usize {
        image / index_count(K, R)
    }

    fn map_at<A: MapEnd, B: MapEnd>(f: &Map<A, B>) -> Map<JetSpace<A, K, R>, JetSpace<B, K, R>> {
        Map::new(map_jets(&f.as_dyn, K, R))
    }
}

/// The constant jet: the other coordinates are 0.
impl<const K: usize, const R: usize> Pointed for JetFunctor<K, R> {
    fn point_at<G: MapEnd>(space: &Space<G>) -> Map<G, JetSpace<G, K, R>> {
        let n = space.size();
        let mut outputs = map::coordinate_graphs(n);
        outputs.resize(Self::image_size(n), Graph::integer(0));
        Map::new(DynMap::new(n, outputs))
    }
}

impl<const K: usize, const R: usize> Copointed for JetFunctor<K, R> {
    fn base_at<G: MapEnd>(space: &Space<G>) -> Map<JetSpace<G, K, R>, G> {
        // (0, …, 0) is the first multi-index
        project_range(Self::image_size(space.size()), 0, space.size())
    }
}

impl<const K: usize, const R: usize> KeepsProducts for JetFunctor<K, R> {
    fn join_at<A: MapEnd, B: MapEnd>(a: &Space<A>, b: &Space<B>) -> JoinMap<Self, A, B> {
        join_blocks(index_count(K, R), a.size(), b.size())
    }
}

impl<const K: usize, const R: usize> JetsOfCurves for JetFunctor<K, R> {
    fn parameter_count() -> usize {
        K
    }

    fn generic_point() -> Map<U0, JetSpace<Dyn, K, R>> {
        // the jet of the identity of ℝᴷ: coordinate i has derivative 1 in direction i, and no others
        let entry = |index: &[usize], i: usize| i64::from(index.iter().sum::<usize>() == 1 && index[i] == 1);
        let indices = multi_indices(K, R);
        let entries: Vec<_> = indices.iter().flat_map(|index| (0..K).map(|i| entry(index, i))).collect();
        constant_point(&entries)
    }

    fn curve_at<M: MapEnd>(space: &Space<M>) -> Map<(JetSpace<M, K, R>, Dyn), M> {
        curve_of_blocks(&multi_indices(K, R), K, space.size())
    }
}

/// The composite S ∘ T of two functors on stages: `After<TangentFunctor, TangentFunctor>` is T².
pub struct After<S, T>(PhantomData<fn() -> (S, T)>);

impl<S: OnStages, T: OnStages> Functor for After<S, T> {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = S::On<T::On<A>>;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<Self::On<A>, Self::On<B>> {
        S::map::<T::On<A>, T::On<B>>(&T::map::<A, B>(f))
    }
}

impl<S: OnStages, T: OnStages> OnStages for After<S, T> {
    type At<G: MapEnd> = S::At<T::At<G>>;

    fn image_size(n: usize) -> usize {
        S::image_size(T::image_size(n))
    }

    fn stage_size(image: usize) -> usize {
        T::stage_size(S::stage_size(image))
    }

    fn map_at<A: MapEnd, B: MapEnd>(f: &Map<A, B>) -> Map<Self::At<A>, Self::At<B>> {
        S::map_at(&T::map_at(f))
    }
}

impl<S: Pointed, T: Pointed> Pointed for After<S, T> {
    fn point_at<G: MapEnd>(space: &Space<G>) -> Map<G, Self::At<G>> {
        T::point_at(space).then(&S::point_at(&T::image_space(space)))
    }
}

impl<S: Copointed, T: Copointed> Copointed for After<S, T> {
    fn base_at<G: MapEnd>(space: &Space<G>) -> Map<Self::At<G>, G> {
        S::base_at(&T::image_space(space)).then(&T::base_at(space))
    }
}

impl<S: KeepsProducts, T: KeepsProducts> KeepsProducts for After<S, T> {
    fn join_at<A: MapEnd, B: MapEnd>(a: &Space<A>, b: &Space<B>) -> JoinMap<Self, A, B> {
        let outer = S::join_at::<T::At<A>, T::At<B>>(&T::image_space(a), &T::image_space(b));
        outer.then(&S::map_at(&T::join_at(a, b)))
    }
}

impl<S: JetsOfCurves, T: JetsOfCurves> JetsOfCurves for After<S, T> {
    fn parameter_count() -> usize {
        S::parameter_count() + T::parameter_count()
    }

    fn generic_point() -> Map<U0, Self::At<Dyn>> {
        // S T(ℝʲ × ℝᵏ) = S T(ℝʲ) × S T(ℝᵏ): the generic point of S, constant in T, and that of T, constant in S
        let (j, k) = (Space::<Dyn>::of_size(S::parameter_count()), Space::<Dyn>::of_size(T::parameter_count()));
        let outer = S::generic_point().then(&S::map_at(&T::point_at(&j)));
        let inner = T::generic_point().then(&S::point_at(&T::image_space(&k)));
        let both = outer.pair(&inner).then(&Self::join_at(&j, &k));
        // ℝʲ × ℝᵏ is ℝʲ⁺ᵏ, with the same coordinates
        both.cast_types()
    }

    fn curve_at<M: MapEnd>(space: &Space<M>) -> Map<(Self::At<M>, Dyn), M> {
        let (image, j) = (Self::image_space(space), S::parameter_count());
        let parameters = Space::<Dyn>::of_size(Self::parameter_count());
        let (x, s) = (image.first(&parameters), image.second(&parameters));
        let range = |from: usize, to: usize| s.then(&project_range::<Dyn, Dyn>(parameters.size(), from, to));
        let inner = x.pair(&range(0, j)).then(&S::curve_at::<T::At<M>>(&T::image_space(space)));
        inner.pair(&range(j, parameters.size())).then(&T::curve_at(space))
    }
}

/// Returns a point with integer coordinates, as a map from ℝ⁰.
fn constant_point<M>(coordinates: &[i64]) -> Map<U0, M> {
    Map::new(DynMap::new(0, coordinates.iter().copied().map(Graph::integer).collect()))
}

/// The identity functor on AD.
#[derive(Clone, Copy, Debug)]
pub enum IdentityFunctor {}

impl Functor for IdentityFunctor {
    type From = Ad;
    type To = Ad;
    type On<A: ObjectName<Ad>> = A;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> Map<A, B> {
        f.clone()
    }
}

/// T A → A, `(x, v) ↦ x`: the base point of a tangent.
#[derive(Clone, Copy, Debug)]
pub enum BasePoint {}

impl NaturalTransformation for BasePoint {
    type Source = Ad;
    type Domain = TangentFunctor;
    type Codomain = IdentityFunctor;

    fn component<A: ObjectName<Ad>>() -> Map<(A, A), A> {
        Ad::first::<A, A>()
    }
}

/// A → T A, `x ↦ (x, 0)`: the zero tangent.
#[derive(Clone, Copy, Debug)]
pub enum ZeroSection {}

impl NaturalTransformation for ZeroSection {
    type Source = Ad;
    type Domain = IdentityFunctor;
    type Codomain = TangentFunctor;

    fn component<A: ObjectName<Ad>>() -> Map<A, (A, A)> {
        let n = object_dimension::<A>();
        // the zero tangent at x
        let zeros = vec![crate::smooth::graph::Graph::integer(0); n];
        Map::new(DynMap::new(n, [map::coordinate_graphs(n), zeros].concat()))
    }
}

/// Returns the isomorphism T(A × B) ≅ T A × T B (S Prop. 5.1, at representables).
#[must_use]
pub fn tangent_of_product<A: ObjectName<Ad>, B: ObjectName<Ad>>() -> TangentOfProduct<A, B> {
    let (a, b) = (object_dimension::<A>(), object_dimension::<B>());
    let all = map::coordinate_graphs(2 * (a + b));
    // ((a, b), (a′, b′)) on the left, ((a, a′), (b, b′)) on the right: the middle parts change places
    let part = |from: usize, length: usize| &all[from..from + length];
    let to = [part(0, a), part(a + b, a), part(a, b), part(2 * a + b, b)].concat();
    let from = [part(0, a), part(2 * a, b), part(a, a), part(2 * a + b, b)].concat();
    Iso { to: Map::new(DynMap::new(all.len(), to)), from: Map::new(DynMap::new(all.len(), from)) }
}

/// An isomorphism between T(A × B) and T A × T B.
pub type TangentOfProduct<A, B> = Iso<Ad, ((A, B), (A, B)), ((A, A), (B, B))>;

/// A derivative tower from N to M. Cheap to clone.
pub struct TypedTower<N, M> {
    pub(crate) tower: Tower<Mpfr>,
    pub(crate) shape: PhantomData<fn(N) -> M>,
}

impl<N, M> TypedTower<N, M> {
    /// Wraps a construction whose dimensions fit by type. Should it be an error nevertheless, evaluating the tower
    /// reports it.
    fn from_fitting(inputs: usize, outputs: usize, tower: Result<Tower<Mpfr>, TowerError>) -> Self {
        // a tower that fails when it is evaluated keeps the signature of composition free of errors
        let failed = |e: TowerError| Tower::new(inputs, outputs, move |_: &Mpfr, _: &[_], _: &[&[_]]| Err(e.clone()));
        Self { tower: tower.unwrap_or_else(failed), shape: PhantomData }
    }

    /// Returns the tower without its types.
    #[must_use]
    pub fn as_tower(&self) -> &Tower<Mpfr> {
        &self.tower
    }

    /// Encloses `f⁽ᵏ⁾(x; v₁, …, v_k)`, at a precision in bits.
    ///
    /// # Errors
    /// [`MapError::Tower`] if a vector does not fit, or the tower has a construct without a rule.
    pub fn derivative_at(
        &self,
        x: &[Rational],
        directions: &[Vec<Rational>],
        bits: u32,
    ) -> Result<Vec<Enclosure>, MapError> {
        let context = Mpfr::new(bits);
        let vector = |v: &[Rational]| v.iter().map(|q| context.enclose_rational(q)).collect::<Vec<_>>();
        let directions: Vec<_> = directions.iter().map(|v| vector(v)).collect();
        let found = self.tower.derivative(&vector(x), &directions, &context)?;
        let certain = |n: &<Mpfr as Context>::Num| {
            if context.is_defined(n) { context.to_enclosure(n) } else { Enclosure::bottom() }
        };
        Ok(found.iter().map(certain).collect())
    }

    /// Returns `f′ : (N, N) ⇝ M` (S §4.3.3).
    #[must_use]
    pub fn prime(&self) -> TypedTower<(N, N), M> {
        TypedTower { tower: self.tower.prime(), shape: PhantomData }
    }
}

impl<N: Dim, M: Dim> TypedTower<N, M> {
    /// Gives a tower these types.
    ///
    /// # Errors
    /// [`MapError::Length`] if its dimensions are others.
    pub fn new(tower: Tower<Mpfr>) -> Result<Self, MapError> {
        check_length("the domain of the tower", "coordinate", N::SIZE, tower.inputs())?;
        check_length("the codomain of the tower", "coordinate", M::SIZE, tower.outputs())?;
        Ok(Self { tower, shape: PhantomData })
    }
}

impl<N, M> Clone for TypedTower<N, M> {
    fn clone(&self) -> Self {
        Self { tower: self.tower.clone(), shape: PhantomData }
    }
}

impl<N, M> fmt::Debug for TypedTower<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tower.fmt(f)
    }
}

/// The category of derivative towers: objects are [dimensions](crate::smooth::dimension), arrows are towers.
#[derive(Clone, Copy, Debug)]
pub enum TowerCategory {}

objects!(TowerCategory);

/// An object of AD as an object of the towers: the same space.
pub struct TowerObject<A>(PhantomData<A>);

impl<A: ObjectName<Ad>> ObjectName<TowerCategory> for TowerObject<A> {
    fn object() -> EuclideanObject {
        <A as ObjectName<Ad>>::object()
    }
}

fn tower_object_dimension<A: ObjectName<TowerCategory>>() -> usize {
    <A as ObjectName<TowerCategory>>::object().size()
}

impl Category for TowerCategory {
    type Object = EuclideanObject;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = TypedTower<A, B>;

    fn identity<A: ObjectName<Self>>() -> TypedTower<A, A> {
        TypedTower { tower: Tower::identity(tower_object_dimension::<A>()), shape: PhantomData }
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &TypedTower<A, B>,
        g: &TypedTower<B, C>,
    ) -> TypedTower<A, C> {
        // the middle dimensions agree by type, so this cannot fail
        TypedTower::from_fitting(f.tower.inputs(), g.tower.outputs(), f.tower.then(&g.tower))
    }
}

impl Cartesian for TowerCategory {
    type Terminal = U0;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = (A, B);

    fn terminal<A: ObjectName<Self>>() -> TypedTower<A, U0> {
        TypedTower { tower: Tower::terminal(tower_object_dimension::<A>()), shape: PhantomData }
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &TypedTower<X, A>,
        g: &TypedTower<X, B>,
    ) -> TypedTower<X, (A, B)> {
        TypedTower::from_fitting(f.tower.inputs(), f.tower.outputs() + g.tower.outputs(), f.tower.pair(&g.tower))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> TypedTower<(A, B), A> {
        let (a, b) = (tower_object_dimension::<A>(), tower_object_dimension::<B>());
        TypedTower { tower: Tower::linear(&LinearMap::select(a + b, 0..a)), shape: PhantomData }
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> TypedTower<(A, B), B> {
        let (a, b) = (tower_object_dimension::<A>(), tower_object_dimension::<B>());
        TypedTower { tower: Tower::linear(&LinearMap::select(a + b, a..a + b)), shape: PhantomData }
    }
}

impl Setoid for TowerCategory {
    type Trial = MapTestConfig;
    type Error = MapError;

    /// Compares values and derivatives: they must overlap at every sample and precision. At a kink two towers may
    /// differ as sets and overlap.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &TypedTower<A, B>,
        right: &TypedTower<A, B>,
        trial: &MapTestConfig,
    ) -> Result<Verdict, MapError> {
        // an enclosure that is too narrow need not show at every precision, so all are compared
        let samples = trial.sample_points(left.tower.inputs());
        let tried = samples.iter().flat_map(|sample| trial.precisions.iter().map(move |bits| (sample, *bits)));
        Verdict::all_samples(tried.map(|(sample, bits)| {
            let at = |f: &TypedTower<A, B>| f.derivative_at(&sample.point, &sample.directions, bits);
            Ok(trial.compare_enclosures(sample, bits, &at(left)?, &at(right)?))
        }))
    }
}

/// The functor from maps to the towers that their jets compute, with integrals, roots and maxima. It is the identity on
/// objects. Functoriality says that jets compose by Faà di Bruno's formula.
#[derive(Clone, Copy, Debug)]
pub enum JetTowerFunctor {}

impl Functor for JetTowerFunctor {
    type From = Ad;
    type To = TowerCategory;
    type On<A: ObjectName<Ad>> = TowerObject<A>;

    fn map<A: ObjectName<Ad>, B: ObjectName<Ad>>(f: &Map<A, B>) -> TypedTower<TowerObject<A>, TowerObject<B>> {
        let (n, m) = (f.as_dyn.input_count(), f.as_dyn.outputs().len());
        // only an unbound variable makes this fail, and a map has none
        TypedTower::from_fitting(n, m, Tower::by_jets(f.as_dyn.outputs(), &super::coordinate_variables(n)))
    }
}

/// The configuration of a comparison of two maps.
#[derive(Clone, Debug)]
pub struct MapTestConfig {
    /// The seed: equal seeds give equal samples.
    pub seed: u64,
    /// The number of points.
    pub sample_points: u32,
    /// The highest order of derivatives.
    pub order: u32,
    /// The precisions, in bits.
    pub precisions: Vec<u32>,
    /// The largest width of both sides for a sample to count.
    pub eps: Rational,
    /// The budget of each run, in work units.
    pub work: u64,
}

impl Default for MapTestConfig {
    /// 12 points, derivatives to order 2, 53 to 192 bits, a width of 10⁻⁶.
    fn default() -> Self {
        let eps = Rational::from((1, 1_000_000));
        Self { seed: 1, sample_points: 12, order: 2, precisions: vec![53, 96, 192], eps, work: 2_000_000 }
    }
}

/// A sample of a comparison: the derivative at a point along directions.
#[derive(Clone, Debug)]
pub struct TestPoint {
    /// The point.
    pub point: Vec<Rational>,
    /// The directions.
    pub directions: Vec<Vec<Rational>>,
}

impl MapTestConfig {
    /// Returns the samples in a space of dimension n: each point with no direction, with one, and so on.
    #[must_use]
    pub fn sample_points(&self, n: usize) -> Vec<TestPoint> {
        let mut random = SplitMix64::new(self.seed);
        let mut samples = Vec::new();
        for _ in 0..self.sample_points {
            let mut point: Vec<_> = (0..n).map(|_| random_dyadic(&mut random)).collect();
            // a third of the points lies on diagonals, where `max x y` has its kink
            if let (Some(first), 0) = (point.first().cloned(), random.next_below(3)) {
                point.iter_mut().skip(1).step_by(2).for_each(|x| x.clone_from(&first));
            }
            let mut component = || Rational::from(random.next_below(7) as i64 - 3);
            let directions: Vec<Vec<_>> = (0..self.order).map(|_| (0..n).map(|_| component()).collect()).collect();
            let sample = |k: usize| TestPoint { point: point.clone(), directions: directions[..k].to_vec() };
            samples.extend((0..=directions.len()).map(sample));
        }
        samples
    }

    /// Compares two lists of enclosures of the same numbers.
    pub(super) fn compare_enclosures(
        &self,
        sample: &TestPoint,
        bits: u32,
        left: &[Enclosure],
        right: &[Enclosure],
    ) -> Verdict {
        let mut all = Verdict::Vacuous;
        for (i, (a, b)) in left.iter().zip(right).enumerate() {
            all = all.and(if !a.overlaps(b) {
                Verdict::refuted(format!("{sample}, component {i}, at {bits} bits"), a, b)
            } else if [a, b].iter().all(|e| e.is_defined() && e.has_width_at_most(&self.eps)) {
                Verdict::Survived
            } else {
                Verdict::Vacuous
            });
        }
        all
    }
}

/// Returns an integer, or a multiple of 1/16, between -2 and 2.
fn random_dyadic(random: &mut SplitMix64) -> Rational {
    match random.next_below(2) {
        0 => Rational::from(random.next_below(5) as i64 - 2),
        _ => Rational::from((random.next_below(65) as i64 - 32, 16)),
    }
}

impl std::fmt::Display for TestPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let vector = |v: &[Rational]| format!("({})", v.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "));
        write!(f, "x = {}", vector(&self.point))?;
        for (i, v) in self.directions.iter().enumerate() {
            write!(f, ", v{} = {}", i + 1, vector(v))?;
        }
        Ok(())
    }
}

/// Compares two maps with equal dimensions by their jets, up to the order of the trial.
///
/// # Errors
/// Errors of evaluating the maps.
pub fn jets_agree(left: &Arc<DynMap>, right: &Arc<DynMap>, trial: &MapTestConfig) -> Result<Verdict, MapError> {
    let run = |map: &Arc<DynMap>, sample: &TestPoint, bits: u32| {
        let directions: Vec<_> =
            sample.directions.iter().map(|v| (AlgebraGenerator::Direction(1), v.clone())).collect();
        let wanted = vec![vec![1; directions.len()]];
        let probe = EvalRequest {
            directions,
            requested: wanted,
            ..EvalRequest::for_value(map, point_intervals(&sample.point))
        };
        let budget = Budget::new(trial.work, None, None);
        // solvers are asked for some bits more than the comparison needs
        let effort = PassOptions::new(Magnitude::from_rational(&trial.eps).mul_exp2(-6), &budget);
        probe.enclose_results(if bits <= 53 { Precision::Double } else { Precision::Mpfr(bits) }, &effort)
    };
    let samples = trial.sample_points(left.input_count());
    let tried = samples.iter().flat_map(|sample| trial.precisions.iter().map(move |bits| (sample, *bits)));
    Verdict::all_samples(tried.map(|(sample, bits)| {
        let (a, b) = (run(left, sample, bits)?, run(right, sample, bits)?);
        Ok(trial.compare_enclosures(sample, bits, &a, &b))
    }))
}

/// The object N as a value; see the [module](self).
pub struct Space<N> {
    size: usize,
    shape: PhantomData<fn(N) -> N>,
}

impl<N: Dim> Space<N> {
    /// Creates the object of a dimension in the type.
    #[must_use]
    pub fn new() -> Self {
        Self::of_size(N::SIZE)
    }
}

impl<N: Dim> Default for Space<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N> Space<N> {
    /// Creates the object with this many coordinates. The caller is responsible for the type.
    #[doc(hidden)]
    pub fn of_size(size: usize) -> Self {
        Self { size, shape: PhantomData }
    }

    /// Returns the same object under another type.
    pub(crate) fn cast_type<P>(&self) -> Space<P> {
        Space::of_size(self.size)
    }

    /// Returns the number of coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

impl<N: MapEnd> Space<N> {
    fn project_range<A, B>(inputs: usize, from: usize, to: usize) -> Map<A, B> {
        Map::new(DynMap::new(inputs, map::coordinate_graphs(inputs)[from..to].to_vec()))
    }

    /// `id : N ⇝ N`
    #[must_use]
    pub fn id(&self) -> Map<N, N> {
        Self::project_range(self.size, 0, self.size)
    }

    /// `! : N ⇝ ℝ⁰`
    #[must_use]
    pub fn terminal(&self) -> Map<N, U0> {
        Self::project_range(self.size, 0, 0)
    }

    /// Returns N × M.
    #[must_use]
    pub fn product_with<M: MapEnd>(&self, other: &Space<M>) -> Space<(N, M)> {
        Space::of_size(self.size + other.size)
    }

    /// `fst : N × M ⇝ N`
    #[must_use]
    pub fn first<M: MapEnd>(&self, other: &Space<M>) -> Map<(N, M), N> {
        Self::project_range(self.size + other.size, 0, self.size)
    }

    /// `snd : N × M ⇝ M`
    #[must_use]
    pub fn second<M: MapEnd>(&self, other: &Space<M>) -> Map<(N, M), M> {
        let all = self.size + other.size;
        Self::project_range(all, self.size, all)
    }

    /// `0 : N ⇝ M`
    #[must_use]
    pub fn zero<M: MapEnd>(&self, to: &Space<M>) -> Map<N, M> {
        Map::new(DynMap::new(self.size, vec![Graph::integer(0); to.size]))
    }

    /// Returns a number as a constant map `N ⇝ ℝ`.
    #[must_use]
    pub fn constant(&self, value: impl Into<Rational>) -> Map<N, U1> {
        Map::new(DynMap::new(self.size, vec![Graph::rational(value.into())]))
    }

    /// Returns the projections `N ⇝ ℝ`, in order.
    #[must_use]
    pub fn coordinates(&self) -> Vec<Map<N, U1>> {
        (0..self.size).map(|i| Self::project_range(self.size, i, i + 1)).collect()
    }

    /// Returns the map `N ⇝ M` with the components `component_map(i)`.
    #[must_use]
    pub fn tuple<M: MapEnd>(&self, to: &Space<M>, component: impl FnMut(usize) -> Map<N, U1>) -> Map<N, M> {
        let components: Vec<_> = (0..to.size).map(component).collect();
        // components are graphs over one list of coordinates, so they are only listed
        Map::new(DynMap::new(self.size, components.iter().flat_map(|c| c.components().to_vec()).collect()))
    }
}

impl<N: MapEnd> Space<N> {
    /// Returns the identity as a map to another type with as many coordinates.
    #[doc(hidden)]
    pub fn relabelling<M: MapEnd>(&self, to: &Space<M>) -> Map<N, M> {
        // the types cannot show it
        assert_eq!(self.size, to.size);
        Self::project_range(self.size, 0, self.size)
    }

    /// Returns a graph over the coordinates as a map. The caller guarantees that it mentions no other variables.
    #[doc(hidden)]
    pub fn component_map(&self, g: &Graph) -> Map<N, U1> {
        Map::new(DynMap::new(self.size, vec![g.clone()]))
    }
}

impl<N> Clone for Space<N> {
    fn clone(&self) -> Self {
        self.cast_type()
    }
}

impl<N> fmt::Debug for Space<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Space(ℝ^{})", self.size)
    }
}
