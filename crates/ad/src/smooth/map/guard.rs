//! Guards on the coordinates, and maps defined by cases.
//!
//! A [`MapGuard<N>`] is decided on an open set of points of N. On its boundary it is ⊥, and so is a map that chooses by
//! it. See the [guards of graphs](crate::smooth::graph::Guard) for the meaning of a choice.
//!
//! ```
//! use smoothish_ad::number::{Rational, Sign, budget::Budget};
//! use smoothish_ad::smooth::map::{Map, MapError};
//! use typenum::U1;
//!
//! let x = Map::<U1, U1>::id();
//! let zero = 0 * &x;
//! let relu = x.positive().select(&x, &zero);
//! let (half, eps, budget) = (Rational::from((1, 2)), Rational::from((1, 1000)), Budget::unlimited());
//! let slope = relu.derivative().at([half.clone()]).enclose(&eps, &budget)?;
//! assert!(slope.components[0].enclosure.contains(&Rational::from(1)));
//! // on the border there is neither a value nor a derivative
//! assert!(!relu.at([Rational::from(0)]).enclose(&eps, &budget)?.all_reached());
//! let inside = x.positive().and(&x.less_than(&(0 * &x + 1)));
//! assert_eq!(inside.at_point([half]).decide(&budget)?.sign, Sign::Positive);
//! assert_eq!(inside.at_point([Rational::from(1)]).decide(&budget)?.sign, Sign::Undecided);
//! # Ok::<(), MapError>(())
//! ```

use super::Map;
use super::error::MapError;
use super::value::MapValue;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::comparison::SignAnswer;
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::graph;
use typenum::{Const, ToUInt, U1};

/// A condition on the points of N; see the [module](self). Cheap to clone.
#[derive(Clone, Debug)]
pub struct MapGuard<N>(Map<N, U1>);

/// A guard at a point, to be decided.
#[derive(Debug)]
pub struct GuardDecision(MapValue);

impl<N: MapEnd> Map<N, U1> {
    /// Creates the guard f > 0, which also stands for f ≥ 0.
    #[must_use]
    pub fn positive(&self) -> MapGuard<N> {
        MapGuard(self.clone())
    }

    /// Creates the guard f < g, which also stands for f ≤ g.
    #[must_use]
    pub fn less_than(&self, other: &Self) -> MapGuard<N> {
        let zip = |a: &graph::Graph, b: &graph::Graph| graph::Guard::less_than(a, b).number().clone();
        MapGuard(Self::new(self.as_dyn.zip_outputs(&other.as_dyn, zip)))
    }
}

impl<N: MapEnd> MapGuard<N> {
    /// Returns the conjunction.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.min(&other.0))
    }

    /// Returns the disjunction.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(self.0.max(&other.0))
    }

    /// Returns the negation.
    #[must_use]
    pub fn not(&self) -> Self {
        Self(-&self.0)
    }

    /// Creates the map that equals `then` where the guard holds, and `otherwise` where it fails.
    #[must_use]
    pub fn select<M: MapEnd>(&self, then: &Map<N, M>, otherwise: &Map<N, M>) -> Map<N, M> {
        // one guard for all coordinates
        let guard = self.0.components().first().map(graph::Guard::positive);
        let choose = |a: &graph::Graph, b: &graph::Graph| match &guard {
            Some(guard) => graph::Graph::select(guard, a, b),
            None => a.clone(),
        };
        Map::new(then.as_dyn.zip_outputs(&otherwise.as_dyn, choose))
    }

    /// Returns the number that is positive where the guard holds and negative where it fails.
    #[must_use]
    pub fn number(&self) -> &Map<N, U1> {
        &self.0
    }
}

impl<N: Dim> MapGuard<N> {
    /// Returns the guard at an exact point, given as an array.
    #[must_use]
    pub fn at_point<const K: usize>(&self, x: [Rational; K]) -> GuardDecision
    where
        Const<K>: ToUInt<Output = N>,
    {
        GuardDecision(self.0.at(x))
    }
}

impl GuardDecision {
    /// Decides the guard, as far as the budget allows: the sign of its number, undecided on the boundary.
    ///
    /// # Errors
    /// [`MapError::Smooth`] for a broken promise or a contradiction.
    pub fn decide(&self, budget: &Budget) -> Result<SignAnswer, MapError> {
        let [number] = self.0.components() else { return Ok(SignAnswer::undecided()) };
        Ok(number.decide_sign(budget)?)
    }
}
