//! Maps at exact points, as computable real numbers.
//!
//! [`Map::at`] gives the components of a value, [`Map::derivative_at`] those of a derivative of any order. Each is a
//! [`RefinableReal`]: it can be enclosed to a given width, or streamed ([`RefinableReal::nested_enclosures`]). The components share their runs:
//! enclosures that one has computed are not computed again for the next.
//!
//! An answer names the primitives from outside that it depends on ([`Evaluations::trusted`]).

use super::Map;
use super::error::{MapError, check_length};
use super::probe::{EvalRequest, InputInterval};
use super::untyped::DynMap;
use crate::number::budget::Budget;
use crate::number::real::{RefinableReal, RefinedEnclosure};
use crate::number::{Accuracy, Enclosure, Rational};
use crate::smooth::algebra::{AlgebraGenerator, MOST_MONOMIALS};
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::question;
use std::sync::Arc;
use typenum::{Const, ToUInt};

/// A component of a value, computed together with the others.
pub type MapComponent = question::JointNumber<EvalRequest>;

/// The components of a value or a derivative at an exact point; see the [module](self).
#[derive(Debug)]
pub struct MapValue {
    map: Arc<DynMap>,
    components: Vec<RefinableReal<MapComponent>>,
}

/// Enclosures of all components of a [`MapValue`].
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// One answer per component.
    pub components: Vec<RefinedEnclosure>,
    /// The primitives from outside that the answers depend on. Their enclosures and derivatives are assumed, not
    /// proved.
    pub trusted: Vec<String>,
}

impl Evaluations {
    /// Returns `true` if every component reached the requested width.
    #[must_use]
    pub fn all_reached(&self) -> bool {
        self.components.iter().all(|a| a.reached)
    }

    /// Returns the enclosures alone.
    #[must_use]
    pub fn enclosures(&self) -> Vec<Enclosure> {
        self.components.iter().map(|a| a.enclosure.clone()).collect()
    }
}

impl MapValue {
    pub(super) fn new(probe: EvalRequest) -> Self {
        let map = probe.map.clone();
        Self { map, components: MapComponent::all_of(probe).into_iter().map(RefinableReal::new).collect() }
    }

    /// Returns the components, each a real number that can be enclosed or streamed.
    #[must_use]
    pub fn components(&self) -> &[RefinableReal<MapComponent>] {
        &self.components
    }

    /// Encloses every component to a width of at most `eps > 0`, or as well as the budget and the numbers themselves
    /// allow.
    ///
    /// # Errors
    /// [`MapError::Tolerance`] for an eps that is not positive; [`MapError::Smooth`] for a broken promise or a contradiction.
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Result<Evaluations, MapError> {
        self.enclose_to(&eps.into(), budget)
    }

    /// Encloses every component to the given accuracy, or as well as the budget and the numbers themselves allow.
    ///
    /// # Errors
    /// As for [`MapValue::enclose`].
    pub fn enclose_to(&self, accuracy: &Accuracy, budget: &Budget) -> Result<Evaluations, MapError> {
        if !accuracy.is_positive() {
            return Err(MapError::Tolerance { eps: Box::new(accuracy.smallest_tolerance()) });
        }
        let components: Result<Vec<_>, _> = self.components.iter().map(|c| c.enclose_to(accuracy, budget)).collect();
        Ok(Evaluations { components: components?, trusted: self.map.trusted_primitives() })
    }
}

/// Returns the intervals [x, x].
pub(super) fn point_intervals(x: &[Rational]) -> Vec<InputInterval> {
    x.iter().map(|q| [q.clone(), q.clone()]).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the value at an exact point, given as a slice.
    ///
    /// # Errors
    /// [`MapError::Length`] if the point has not one component per coordinate of N.
    pub fn at_slice(&self, x: &[Rational]) -> Result<MapValue, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        Ok(MapValue::new(EvalRequest::for_value(&self.as_dyn, point_intervals(x))))
    }

    /// Returns `f⁽ᵏ⁾(x; v₁, …, v_k)`, the derivative along k directions (S §4.2).
    ///
    /// | argument | shape | meaning |
    /// |---|---|---|
    /// | `x`, each of `directions` | coordinates of N | point and directions, in the units of the domain |
    /// | result | coordinates of M | units of the codomain |
    ///
    /// At a kink the first derivative is the hull of those of the branches, and higher ones are ⊥.
    ///
    /// # Errors
    /// [`MapError::Length`] if a vector does not fit; [`MapError::Directions`] for more than 11 directions, which would
    /// make the jets too large. Along one direction, [`Map::taylor_at`] reaches higher orders.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let product: Map<U2, U1> = x * y;
    /// let vector = |a: i64, b: i64| vec![Rational::from(a), Rational::from(b)];
    /// // (xy)⁽²⁾((a, b), (c, d)) = ad + bc
    /// let second = product.derivative_at(&vector(7, 8), &[vector(1, 2), vector(3, 4)])?;
    /// let answer = second.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
    /// assert!(answer.components[0].enclosure.contains(&Rational::from(10)));
    /// assert!(product.derivative_at(&vector(7, 8), &[vec![]]).is_err());
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn derivative_at(&self, x: &[Rational], directions: &[Vec<Rational>]) -> Result<MapValue, MapError> {
        let n = self.as_dyn.input_count();
        check_length("the point", "component", n, x.len())?;
        directions.iter().try_for_each(|v| check_length("a direction", "component", n, v.len()))?;
        // each direction doubles the monomials
        let most = MOST_MONOMIALS.ilog2();
        if directions.len() > most as usize {
            return Err(MapError::Directions { found: directions.len(), most });
        }
        let directions: Vec<_> = directions.iter().map(|v| (AlgebraGenerator::Direction(1), v.clone())).collect();
        let wanted = vec![vec![1; directions.len()]];
        Ok(MapValue::new(EvalRequest {
            directions,
            requested: wanted,
            ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
        }))
    }
}

impl<N: Dim, M: MapEnd> Map<N, M> {
    /// Returns the value at an exact point, given as an array.
    ///
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let root = Map::<U1, U1>::id().sqrt();
    /// let two = root.at([Rational::from(2)]);
    /// let budget = Budget::unlimited();
    /// let nested: Vec<_> = two.components()[0].nested_enclosures(20, &budget).take(3).collect::<Result<_, _>>()?;
    /// assert!(nested[0].specializes(&nested[1]) && nested[1].specializes(&nested[2]));
    /// // outside its domain a map has no value, and at its edge no derivative
    /// let answer = root.at([Rational::from(-1)]).enclose(&Rational::from(1), &budget)?;
    /// assert!(answer.components[0].enclosure.is_bottom() && !answer.all_reached());
    /// # Ok::<(), MapError>(())
    /// ```
    /// ```compile_fail,E0271
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::U1;
    /// let root = Map::<U1, U1>::id().sqrt();
    /// root.at([2.into(), 3.into()]);
    /// ```
    #[must_use]
    pub fn at<const K: usize>(&self, x: [Rational; K]) -> MapValue
    where
        Const<K>: ToUInt<Output = N>,
    {
        MapValue::new(EvalRequest::for_value(&self.as_dyn, point_intervals(&x)))
    }
}
