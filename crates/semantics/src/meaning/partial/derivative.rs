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

use super::{Element, Partial};
use crate::model::universe::Arithmetic;
use crate::number::context::Context;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::jet::Jet;
use crate::syntax::constant::Constant;
use crate::value::{Value, ValueError};
use std::sync::Arc;

/// A real number of the universe.
type Real<C> = Element<<C as Context>::Num>;
/// A function on vectors, as a run.
pub(super) type Run<'f, C> = dyn Fn(&Value<Real<C>>) -> Result<Value<Real<C>>, ValueError> + 'f;

impl<C: Context> Partial<C> {
    /// Returns the algebra of the enclosing derivatives with one more direction.
    fn directed(&self) -> Result<Arc<Algebra>, ValueError> {
        let algebra = self.algebra();
        // a mutant: nested derivatives share a direction, and confuse their perturbations
        if algebra.generator_count() > 0 && !self.hooks.directs_apart() {
            return Ok(algebra);
        }
        let construct = "more than 11 derivatives within each other".to_owned();
        algebra.adjoin(Generator::Direction(1)).ok_or(ValueError::Lacks { model: super::NAME, construct })
    }

    /// Returns f at x and its derivative there along v, with one slope for each coordinate of the value.
    fn moved(&self, f: &Run<C>, x: &Value<Real<C>>, v: &[Real<C>]) -> Result<Columns<C>, ValueError> {
        let algebra = self.directed()?;
        let slice = algebra.slice(1);
        let along = |(x, v): (&Real<C>, &Real<C>)| {
            let mut jet = x.jet().clone();
            for (before, here) in slice {
                if let Some(c) = v.jet().get(*before as usize) {
                    jet.set(*here as usize, Some(c.clone()));
                }
            }
            Element::new(jet)
        };
        let mut inputs = x.coordinates()?.into_iter().zip(v).map(along).collect::<Vec<_>>().into_iter();
        // the function runs inside the larger algebra, which is left again before any error is passed on
        let outside = self.set_algebra(algebra.clone());
        let value = f(&x.with_coordinates(&mut inputs));
        self.set_algebra(outside);
        let value = value?;
        let slope = |y: &&Real<C>| {
            let mut jet = Jet::zero();
            for (before, here) in slice {
                jet.set(*before as usize, y.jet().get(*here as usize).cloned());
            }
            // a coordinate that does not move has the slope 0, which is a number and not a missing one
            if jet.get(0).is_none() {
                jet.set(0, Some(self.context.integer(0)));
            }
            Element::new(jet)
        };
        let slopes = value.coordinates()?.iter().map(slope).collect();
        Ok(Columns { value, slopes })
    }

    /// Returns the unit vectors of ℝⁿ.
    fn units(&self, n: usize) -> impl Iterator<Item = Vec<Real<C>>> + '_ {
        let unit = move |i: usize| {
            (0..n).map(|j| Element::new(Jet::constant(self.context.integer((i == j).into())))).collect()
        };
        (0..n).map(unit)
    }

    /// Evaluates `jvp f x v`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector.
    pub(super) fn along(
        &self,
        f: &Run<C>,
        x: &Value<Real<C>>,
        v: &Value<Real<C>>,
    ) -> Result<Value<Real<C>>, ValueError> {
        let v: Vec<_> = v.coordinates()?.into_iter().cloned().collect();
        let Columns { value, slopes } = self.moved(f, x, &v)?;
        Ok(value.with_coordinates(&mut slopes.into_iter()))
    }

    /// Evaluates `deriv f x`.
    ///
    /// # Errors
    /// Those of f at x.
    pub(super) fn slope(&self, f: &Run<C>, x: &Value<Real<C>>) -> Result<Value<Real<C>>, ValueError> {
        self.along(f, x, &Value::Real(self.rational(&1.into())))
    }

    /// Evaluates `rd f x w`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector, or w has another dimension than the value.
    pub(super) fn transposed(
        &self,
        f: &Run<C>,
        x: &Value<Real<C>>,
        w: &Value<Real<C>>,
    ) -> Result<Value<Real<C>>, ValueError> {
        let (n, weights) = (x.coordinates()?.len(), w.coordinates()?);
        let is_zero = |w: &&Real<C>| self.is_zero(w);
        if !self.hooks.transposes() && weights.len() == n {
            return self.along(f, x, w);
        }
        if !self.hooks.runs_for_nothing() && weights.iter().all(is_zero) {
            return Ok(x.with_coordinates(&mut (0..n).map(|_| self.rational(&0.into()))));
        }
        let fits = |columns: &Columns<C>| match columns.slopes.len() == weights.len() {
            true => Ok(()),
            false => Err(w.mismatch("a cotangent with as many numbers as the value of the function")),
        };
        // x has no coordinates, and f is run once all the same: the result is defined only where f is
        if n == 0 {
            fits(&self.moved(f, x, &[])?)?;
            return Ok(x.clone());
        }
        let mut gradient = Vec::with_capacity(n);
        for unit in self.units(n) {
            let columns = self.moved(f, x, &unit)?;
            fits(&columns)?;
            let mut sum = self.rational(&0.into());
            for (slope, w) in columns.slopes.iter().zip(&weights) {
                sum = self.real(Constant::Add, &[&sum, &self.real(Constant::Multiply, &[slope, w])?])?;
            }
            gradient.push(sum);
        }
        Ok(x.with_coordinates(&mut gradient.into_iter()))
    }

    fn is_zero(&self, x: &Real<C>) -> bool {
        x.jet().is_constant() && {
            let value = x.value(&self.context);
            self.context.is_point(&value) && self.context.contains_zero(&value)
        }
    }
}

/// The value of a function, and the derivatives of its coordinates along a direction.
struct Columns<C: Context> {
    value: Value<Real<C>>,
    slopes: Vec<Real<C>>,
}
