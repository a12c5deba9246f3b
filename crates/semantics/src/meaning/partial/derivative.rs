//! Derivatives (A §4.1): the transposed Jacobian of a partial map, by its definition (4).
//!
//! A smooth map of open sets extends to every Weil algebra, so that a run of a function on jets is its meaning with its
//! derivatives. A derivative along one direction adjoins a generator ε with ε² = 0 to the algebra of the program that it is in, runs
//! the function once at x + v ε, and reads what stands at ε. `rd f x w` does that for each coordinate of x, and is the sum of
//! what the coordinates of the value change, times those of w. Nothing is recorded, and nothing is run backward.
//!
//! The run asks for the value of f at x as well, and so `rd f x w` is defined where f is, and nowhere else: also for w = 0, and where
//! x has no coordinates.

use super::{Element, Partial};
use crate::model::universe::Arithmetic;
use crate::number::context::Context;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::jet::Jet;
use crate::syntax::constant::Constant;
use crate::value::{Value, ValueError};
use std::sync::Arc;

type Real<C> = Element<<C as Context>::Num>;
/// A function that is run on vectors.
pub(super) type Run<'f, C> = dyn Fn(&Value<Real<C>>) -> Result<Value<Real<C>>, ValueError> + 'f;

impl<C: Context> Partial<C> {
    /// The algebra of the derivatives that are being taken, with one more direction.
    fn directed(&self) -> Result<Arc<Algebra>, ValueError> {
        let algebra = self.algebra();
        if algebra.generator_count() > 0 && !self.hooks.directs_apart() {
            return Ok(algebra);
        }
        let construct = "more than 11 derivatives within each other".to_owned();
        algebra.adjoin(Generator::Direction(1)).ok_or(ValueError::Lacks { model: super::NAME, construct })
    }

    /// f at x, and its derivative there along v, each with the coordinates of its value.
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
        let outside = self.set_algebra(algebra.clone());
        let value = f(&x.with_coordinates(&mut inputs));
        self.set_algebra(outside);
        let value = value?;
        let slope = |y: &&Real<C>| {
            let mut jet = Jet::zero();
            for (before, here) in slice {
                jet.set(*before as usize, y.jet().get(*here as usize).cloned());
            }
            // what does not move at all has the slope 0
            if jet.get(0).is_none() {
                jet.set(0, Some(self.context.integer(0)));
            }
            Element::new(jet)
        };
        let slopes = value.coordinates()?.iter().map(slope).collect();
        Ok(Columns { value, slopes })
    }

    /// The unit vectors of as many coordinates.
    fn units(&self, n: usize) -> impl Iterator<Item = Vec<Real<C>>> + '_ {
        let unit = move |i: usize| {
            (0..n).map(|j| Element::new(Jet::constant(self.context.integer((i == j).into())))).collect()
        };
        (0..n).map(unit)
    }

    /// `jvp f x v`
    ///
    /// # Errors
    /// Those of f at x; what is no vector.
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

    /// `deriv f x`
    ///
    /// # Errors
    /// Those of f at x.
    pub(super) fn slope(&self, f: &Run<C>, x: &Value<Real<C>>) -> Result<Value<Real<C>>, ValueError> {
        self.along(f, x, &Value::Real(self.rational(&1.into())))
    }

    /// `rd f x w`
    ///
    /// # Errors
    /// Those of f at x; what is no vector, and a cotangent of another dimension.
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

/// The value of a function, and how fast its coordinates change along a direction.
struct Columns<C: Context> {
    value: Value<Real<C>>,
    slopes: Vec<Real<C>>,
}
