//! The derivative towers of S §4.2, with their dimensions as types: the reference.
//!
//! [`Map::tower`] is the literal meaning of a map, ⟦·⟧ of S Fig. 4, composed by Faà di Bruno's formula. It is slow,
//! shares no rule for derivatives with the jets that compute answers, and is associative only up to overlap at kinks
//! (E43). [`TowerCategory`] is the category that these towers form; [`JetTowerFunctor`] is the functor that maps a map to the tower
//! that its jets compute.

use super::error::{MapError, check_length};
use super::trial::MapTestConfig;
use super::{Ad, Map};
use crate::category::{Cartesian, Category, Functor, ObjectName, Setoid};
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::smooth::dimension::{Dim, EuclideanObject, MapEnd};
use crate::smooth::tower::{LinearMap, Tower, TowerError};
use crate::verdict::Verdict;
use std::fmt;
use std::marker::PhantomData;
use typenum::U0;

/// A derivative tower from N to M. Cheap to clone.
pub struct TypedTower<N, M> {
    tower: Tower<Mpfr>,
    shape: PhantomData<fn(N) -> M>,
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

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the reference tower of the map, composed literally (S Fig. 4).
    ///
    /// # Errors
    /// [`MapError::Tower`] if the map contains an integral, a root or a maximum: towers have no rule for them.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let relu = Map::<U1, U1>::id().relu();
    /// let slope = relu.tower()?.derivative_at(&[0.into()], &[vec![1.into()]], 64)?;
    /// assert_eq!(slope[0].to_string(), "[0, 1]");
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn tower(&self) -> Result<TypedTower<N, M>, MapError> {
        let n = self.as_dyn.input_count();
        let variables = super::untyped::coordinate_variables(n);
        // a map to ℝᵐ is the pairing of its components, starting from the map to ℝ⁰
        let tuple = |tuple: Tower<Mpfr>, g| tuple.pair(&Tower::of_graph(g, &variables)?);
        let tower = self.components().iter().try_fold(Tower::terminal(n), tuple)?;
        Ok(TypedTower { tower, shape: PhantomData })
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

super::category::objects!(TowerCategory);

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
        TypedTower::from_fitting(n, m, Tower::by_jets(f.as_dyn.outputs(), &super::untyped::coordinate_variables(n)))
    }
}
