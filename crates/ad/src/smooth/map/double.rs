//! Maps on `f64` arrays, by interval arithmetic in `f64` alone: one run at a fixed precision.
//!
//! A `f64` means exactly that double. The answers are intervals with `f64` endpoints that certainly contain the true
//! value; one that is not certainly defined is marked so ([`Interval::is_defined`]). Solvers stop at a tolerance of
//! 2⁻⁴⁰, or after a fixed amount of work.

use super::Map;
use super::error::{MapError, check_length};
use super::probe::EvalRequest;
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::{Double, Interval, Magnitude, Rational};
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::dimension::{Dim, MapEnd};
use typenum::{Const, ToUInt};

/// The default budget of a run, in work units: about a second.
pub const DEFAULT_WORK: u64 = 20_000_000;
/// The tolerance of solvers is 2^-40. A choice: some bits above the rounding errors of a double.
const TOLERANCE_EXPONENT: i64 = -40;

/// Converts doubles to exact numbers. Fails for infinities and NaN.
pub(super) fn exact_rationals(what: &'static str, x: &[f64]) -> Result<Vec<Rational>, MapError> {
    let exact = |(index, value): (usize, &f64)| {
        Rational::from_f64(*value).ok_or(MapError::NotFinite { what, index, value: *value })
    };
    x.iter().enumerate().map(exact).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    pub(super) fn run_doubles(probe: &EvalRequest, budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        // one pass in `f64`: a smaller tolerance would be lost in rounding
        let effort = PassOptions::new(Magnitude::power_of_two(TOLERANCE_EXPONENT), budget);
        Ok(probe.run_in(&Double, &effort)?)
    }

    /// Encloses the value at a slice of doubles.
    ///
    /// # Errors
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    pub fn doubles_slice(&self, x: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.doubles_within(x, &Budget::new(DEFAULT_WORK, None, None))
    }

    /// Encloses the value at a slice of doubles, with a given budget. With a work limit, solvers give the same answer
    /// on every machine.
    ///
    /// # Errors
    /// As for [`Map::doubles_slice`].
    pub fn doubles_within(&self, x: &[f64], budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        Self::run_doubles(
            &EvalRequest::for_value(&self.as_dyn, super::value::point_intervals(&exact_rationals("the point", x)?)),
            budget,
        )
    }

    /// Encloses the derivative at a slice of doubles, along another.
    ///
    /// # Errors
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    pub fn derivative_doubles_slice(&self, x: &[f64], v: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        check_length("the direction", "component", self.as_dyn.input_count(), v.len())?;
        let directions = vec![(AlgebraGenerator::Direction(1), exact_rationals("the direction", v)?)];
        let value =
            EvalRequest::for_value(&self.as_dyn, super::value::point_intervals(&exact_rationals("the point", x)?));
        Self::run_doubles(
            &EvalRequest { directions, requested: vec![vec![1]], ..value },
            &Budget::new(DEFAULT_WORK, None, None),
        )
    }
}

/// Converts the components to an array, whose length is known by type.
fn to_array<T, const L: usize>(components: Vec<T>) -> Result<[T; L], MapError> {
    let found = components.len();
    components.try_into().map_err(|_| MapError::Length { what: "the result", unit: "component", expected: L, found })
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Encloses the value at an array of doubles.
    ///
    /// # Errors
    /// [`MapError::NotFinite`] for an infinity or a NaN; [`MapError::Smooth`] for broken promises and contradictions.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, MapError, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let norm: Map<U2, U1> = (x.powi(2) + y.powi(2)).sqrt();
    /// let [r] = norm.doubles([3.0, 4.0])?;
    /// assert!(r.is_defined() && *r.lo() <= 5.0 && 5.0 <= *r.hi() && r.hi() - r.lo() < 1e-14);
    /// let [slope] = norm.derivative_doubles([3.0, 4.0], [1.0, 0.0])?;
    /// assert!(*slope.lo() <= 0.6 && 0.6 <= *slope.hi());
    /// assert!(matches!(norm.doubles_slice(&[f64::NAN, 0.0]), Err(MapError::NotFinite { index: 0, .. })));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn doubles<const K: usize, const L: usize>(&self, x: [f64; K]) -> Result<[Interval<f64>; L], MapError>
    where
        Const<K>: ToUInt<Output = N>,
        Const<L>: ToUInt<Output = M>,
    {
        to_array(self.doubles_slice(&x)?)
    }

    /// Encloses the derivative at an array of doubles along another: `f′(x; v)`.
    ///
    /// # Errors
    /// As for [`Map::doubles`].
    pub fn derivative_doubles<const K: usize, const L: usize>(
        &self,
        x: [f64; K],
        v: [f64; K],
    ) -> Result<[Interval<f64>; L], MapError>
    where
        Const<K>: ToUInt<Output = N>,
        Const<L>: ToUInt<Output = M>,
    {
        to_array(self.derivative_doubles_slice(&x, &v)?)
    }
}
