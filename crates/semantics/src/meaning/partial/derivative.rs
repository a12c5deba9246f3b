//! Derivatives (A §4.1): the transposed Jacobian of a partial map, by its definition (4).
//!
//! A smooth map of open sets extends to every Weil algebra, so running a function on jets gives its value with its derivatives. A
//! derivative along one direction adjoins a generator ε with ε² = 0 to the algebra of the enclosing program. The function is run
//! once at x + v ε, and the derivative is the coefficient of ε. `rd f x w` does that for each coordinate of x. Its component is
//! the sum of the derivatives of the coordinates of the value, weighted by those of w. Nothing is recorded, and nothing is run
//! backward.
//!
//! The run needs the value of f at x as well. So `rd f x w` is defined exactly where f is: also for w = 0, and if x has no
//! coordinates.

use super::{JetElement, PartialUniverse};
use crate::model::universe::RealArithmetic;
use crate::number::context::Context;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::jet::Jet;
use crate::syntax::constant::Constant;
use crate::value::{Value, ValueError};
use std::sync::Arc;

/// A real number of the universe.
type PartialReal<C> = JetElement<<C as Context>::Num>;
/// A function on vectors, as a run.
pub(super) type VectorFunction<'f, C> =
    dyn Fn(&Value<PartialReal<C>>) -> Result<Value<PartialReal<C>>, ValueError> + 'f;

impl<C: Context> PartialUniverse<C> {
    /// Returns the algebra of the enclosing derivatives with one more direction.
    fn adjoin_direction(&self) -> Result<Arc<Algebra>, ValueError> {
        let algebra = self.current_algebra();
        // a mutant: nested derivatives share a direction, and confuse their perturbations
        if algebra.generator_count() > 0 && !self.hooks.separates_directions() {
            return Ok(algebra);
        }
        let construct = "more than 11 derivatives within each other".to_owned();
        algebra.adjoin(AlgebraGenerator::Direction(1)).ok_or(ValueError::Unsupported { model: super::NAME, construct })
    }

    /// Returns f at x and its derivative there along v, with one slope for each coordinate of the value.
    fn run_along(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        v: &[PartialReal<C>],
    ) -> Result<ValueAndSlopes<C>, ValueError> {
        let algebra = self.adjoin_direction()?;
        let slice = algebra.power_slice(1);
        let along = |(x, v): (&PartialReal<C>, &PartialReal<C>)| {
            let mut jet = x.as_jet().clone();
            for (before, here) in slice {
                if let Some(c) = v.as_jet().get(*before as usize) {
                    jet.set(*here as usize, Some(c.clone()));
                }
            }
            JetElement::new(jet)
        };
        let mut inputs = x.coordinates()?.into_iter().zip(v).map(along).collect::<Vec<_>>().into_iter();
        // the function runs inside the larger algebra, which is left again before any error is passed on
        let outside = self.replace_algebra(algebra.clone());
        let value = f(&x.with_coordinates(&mut inputs));
        self.replace_algebra(outside);
        let value = value?;
        let slope = |y: &&PartialReal<C>| {
            let mut jet = Jet::zero();
            for (before, here) in slice {
                jet.set(*before as usize, y.as_jet().get(*here as usize).cloned());
            }
            // a coordinate that does not move has the slope 0, which is a number and not a missing one
            if jet.get(0).is_none() {
                jet.set(0, Some(self.context.enclose_integer(0)));
            }
            JetElement::new(jet)
        };
        let slopes = value.coordinates()?.iter().map(slope).collect();
        Ok(ValueAndSlopes { value, slopes })
    }

    /// Returns the unit vectors of ℝⁿ.
    fn unit_vectors(&self, n: usize) -> impl Iterator<Item = Vec<PartialReal<C>>> + '_ {
        let unit = move |i: usize| {
            (0..n).map(|j| JetElement::new(Jet::constant(self.context.enclose_integer((i == j).into())))).collect()
        };
        (0..n).map(unit)
    }

    /// Evaluates `jvp f x v`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector.
    pub(super) fn derivative_along(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        v: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        let v: Vec<_> = v.coordinates()?.into_iter().cloned().collect();
        let ValueAndSlopes { value, slopes } = self.run_along(f, x, &v)?;
        Ok(value.with_coordinates(&mut slopes.into_iter()))
    }

    /// Evaluates `deriv f x`.
    ///
    /// # Errors
    /// Those of f at x.
    pub(super) fn derivative_at(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        self.derivative_along(f, x, &Value::Real(self.rational_constant(&1.into())))
    }

    /// Evaluates `rd f x w`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector, or w has another dimension than the value.
    pub(super) fn transposed_derivative(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        w: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        let (n, weights) = (x.coordinates()?.len(), w.coordinates()?);
        let is_zero = |w: &&PartialReal<C>| self.is_zero(w);
        if !self.hooks.transposes_reverse() && weights.len() == n {
            return self.derivative_along(f, x, w);
        }
        if !self.hooks.runs_for_zero_cotangent() && weights.iter().all(is_zero) {
            return Ok(x.with_coordinates(&mut (0..n).map(|_| self.rational_constant(&0.into()))));
        }
        let fits = |columns: &ValueAndSlopes<C>| match columns.slopes.len() == weights.len() {
            true => Ok(()),
            false => Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function")),
        };
        // x has no coordinates, and f is run once all the same: the result is defined only where f is
        if n == 0 {
            fits(&self.run_along(f, x, &[])?)?;
            return Ok(x.clone());
        }
        let mut gradient = Vec::with_capacity(n);
        for unit in self.unit_vectors(n) {
            let columns = self.run_along(f, x, &unit)?;
            fits(&columns)?;
            let mut sum = self.rational_constant(&0.into());
            for (slope, w) in columns.slopes.iter().zip(&weights) {
                sum = self.apply_real_constant(
                    Constant::Add,
                    &[&sum, &self.apply_real_constant(Constant::Multiply, &[slope, w])?],
                )?;
            }
            gradient.push(sum);
        }
        Ok(x.with_coordinates(&mut gradient.into_iter()))
    }

    fn is_zero(&self, x: &PartialReal<C>) -> bool {
        x.as_jet().is_constant() && {
            let value = x.value_in(&self.context);
            self.context.is_point(&value) && self.context.contains_zero(&value)
        }
    }
}

/// The value of a function, and the derivatives of its coordinates along a direction.
struct ValueAndSlopes<C: Context> {
    value: Value<PartialReal<C>>,
    slopes: Vec<PartialReal<C>>,
}
