//! Derivatives of maps of vectors, forward and in reverse.
//!
//! A function from vectors to vectors is applied at coordinates that are new: what it gives is a map of these, ℝⁿ ⇝ ℝᵐ. So
//! `jvp f x v = J(x)·v` is the derivative of that map, and `rd f x w = J(x)ᵗ·w` its [adjoint](crate::smooth::reverse), the
//! construct of [Abadi and Plotkin 2020](crate::refs::ABADI_PLOTKIN_2020). Coordinates are new for every use, so that derivatives
//! within derivatives are not confused.

use super::dynamic::{Element, Function};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::{Hooks, Library};
use crate::value::ValueError;

/// A function as a map of new coordinates.
struct Local {
    variables: Vec<Variable>,
    /// Where it is asked.
    at: Vec<Graph>,
    value: Element,
}

impl Local {
    fn of(f: &Function, x: &Element) -> Result<Self, ValueError> {
        let at: Vec<_> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let value = f.apply(&x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v))))?;
        Ok(Self { variables, at, value })
    }
}

fn owned(vector: &Element) -> Result<Vec<Graph>, ValueError> {
    Ok(vector.coordinates()?.into_iter().cloned().collect())
}

/// `jvp f x v`: the derivative of f at x along v.
///
/// # Errors
/// Those of `f`; [`ValueError::Mismatch`] for what is no vector.
pub fn forward(f: &Function, x: &Element, v: &Element) -> Result<Element, ValueError> {
    let (local, along) = (Local::of(f, x)?, owned(v)?);
    let outputs = owned(&local.value)?;
    let mut slopes = outputs
        .into_iter()
        .map(|output| Graph::derivative(local.variables.clone(), output, local.at.clone(), along.clone()));
    Ok(local.value.with_coordinates(&mut slopes))
}

/// `rd f x w`: the transposed derivative of f at x, applied to w.
///
/// # Errors
/// Those of `f`; [`ValueError::Mismatch`] for what is no vector.
pub fn reverse(f: &Function, x: &Element, w: &Element) -> Result<Element, ValueError> {
    reverse_by(&Library, f, x, w)
}

/// The same with other hooks of the sweep.
///
/// # Errors
/// As for [`reverse`].
pub fn reverse_by(hooks: &dyn Hooks, f: &Function, x: &Element, w: &Element) -> Result<Element, ValueError> {
    let (local, seeds) = (Local::of(f, x)?, owned(w)?);
    let outputs = owned(&local.value)?;
    if outputs.len() != seeds.len() {
        return Err(w.mismatch("a cotangent with as many numbers as the value of the function"));
    }
    let adjoint = Graph::reverse_by(hooks, &local.variables, &outputs, &local.at, &seeds);
    Ok(x.with_coordinates(&mut adjoint.into_iter()))
}
