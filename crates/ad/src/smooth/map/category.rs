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
use crate::smooth::dimension::{Dim, EuclideanObject, MapEnd};
use crate::smooth::graph::Graph;
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
            U: $crate::smooth::dimension::typenum::Unsigned,
            B: $crate::smooth::dimension::typenum::Bit,
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
        Map::new(f.as_dyn.with_derivative())
    }
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
