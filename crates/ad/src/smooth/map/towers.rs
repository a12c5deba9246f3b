//! The derivative towers of S §4.2, with their dimensions as types: the reference.
//!
//! [`Map::tower`] is the literal meaning of a map, ⟦·⟧ of S Fig. 4, composed by Faà di Bruno's formula. It is slow,
//! shares no rule for derivatives with the jets that compute answers, and is associative only up to overlap at kinks
//! (E43). [`Towers`] is the category that these towers form; [`ByJets`] is the functor that maps a map to the tower
//! that its jets compute.

use super::error::{MapError, fits};
use super::trial::Trial;
use super::{Ad, Map};
use crate::category::{Cartesian, Category, Functor, Names, Setoid};
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::smooth::dimension::{Dim, Object, Shape};
use crate::smooth::tower::{Linear, Tower, TowerError};
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
    fn fitting(inputs: usize, outputs: usize, tower: Result<Tower<Mpfr>, TowerError>) -> Self {
        // a tower that fails when it is evaluated keeps the signature of composition free of errors
        let failed = |e: TowerError| Tower::new(inputs, outputs, move |_: &Mpfr, _: &[_], _: &[&[_]]| Err(e.clone()));
        Self { tower: tower.unwrap_or_else(failed), shape: PhantomData }
    }

    /// Returns the tower without its types.
    #[must_use]
    pub fn untyped(&self) -> &Tower<Mpfr> {
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
        let vector = |v: &[Rational]| v.iter().map(|q| context.rational(q)).collect::<Vec<_>>();
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
        fits("the domain of the tower", "coordinate", N::SIZE, tower.inputs())?;
        fits("the codomain of the tower", "coordinate", M::SIZE, tower.outputs())?;
        Ok(Self { tower, shape: PhantomData })
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
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
        let n = self.untyped.inputs();
        let variables = super::untyped::variables(n);
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
pub enum Towers {}

super::category::objects!(Towers);

/// An object of AD as an object of the towers: the same space.
pub struct Space<A>(PhantomData<A>);

impl<A: Names<Ad>> Names<Towers> for Space<A> {
    fn object() -> Object {
        <A as Names<Ad>>::object()
    }
}

fn size<A: Names<Towers>>() -> usize {
    <A as Names<Towers>>::object().size()
}

impl Category for Towers {
    type Object = Object;
    type Hom<A: Names<Self>, B: Names<Self>> = TypedTower<A, B>;

    fn identity<A: Names<Self>>() -> TypedTower<A, A> {
        TypedTower { tower: Tower::identity(size::<A>()), shape: PhantomData }
    }

    fn then<A: Names<Self>, B: Names<Self>, C: Names<Self>>(
        f: &TypedTower<A, B>,
        g: &TypedTower<B, C>,
    ) -> TypedTower<A, C> {
        // the middle dimensions agree by type, so this cannot fail
        TypedTower::fitting(f.tower.inputs(), g.tower.outputs(), f.tower.then(&g.tower))
    }
}

impl Cartesian for Towers {
    type Terminal = U0;
    type Product<A: Names<Self>, B: Names<Self>> = (A, B);

    fn terminal<A: Names<Self>>() -> TypedTower<A, U0> {
        TypedTower { tower: Tower::terminal(size::<A>()), shape: PhantomData }
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(
        f: &TypedTower<X, A>,
        g: &TypedTower<X, B>,
    ) -> TypedTower<X, (A, B)> {
        TypedTower::fitting(f.tower.inputs(), f.tower.outputs() + g.tower.outputs(), f.tower.pair(&g.tower))
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> TypedTower<(A, B), A> {
        let (a, b) = (size::<A>(), size::<B>());
        TypedTower { tower: Tower::linear(&Linear::select(a + b, 0..a)), shape: PhantomData }
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> TypedTower<(A, B), B> {
        let (a, b) = (size::<A>(), size::<B>());
        TypedTower { tower: Tower::linear(&Linear::select(a + b, a..a + b)), shape: PhantomData }
    }
}

impl Setoid for Towers {
    type Trial = Trial;
    type Error = MapError;

    /// Compares values and derivatives: they must overlap at every sample and precision. At a kink two towers may
    /// differ as sets and overlap.
    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &TypedTower<A, B>,
        right: &TypedTower<A, B>,
        trial: &Trial,
    ) -> Result<Verdict, MapError> {
        // an enclosure that is too narrow need not show at every precision, so all are compared
        let samples = trial.samples(left.tower.inputs());
        let tried = samples.iter().flat_map(|sample| trial.precisions.iter().map(move |bits| (sample, *bits)));
        Verdict::all(tried.map(|(sample, bits)| {
            let at = |f: &TypedTower<A, B>| f.derivative_at(&sample.point, &sample.directions, bits);
            Ok(trial.compare(sample, bits, &at(left)?, &at(right)?))
        }))
    }
}

/// The functor from maps to the towers that their jets compute, with integrals, roots and maxima. It is the identity on
/// objects. Functoriality says that jets compose by Faà di Bruno's formula.
#[derive(Clone, Copy, Debug)]
pub enum ByJets {}

impl Functor for ByJets {
    type From = Ad;
    type To = Towers;
    type On<A: Names<Ad>> = Space<A>;

    fn map<A: Names<Ad>, B: Names<Ad>>(f: &Map<A, B>) -> TypedTower<Space<A>, Space<B>> {
        let (n, m) = (f.untyped.inputs(), f.untyped.outputs().len());
        // only an unbound variable makes this fail, and a map has none
        TypedTower::fitting(n, m, Tower::by_jets(f.untyped.outputs(), &super::untyped::variables(n)))
    }
}
