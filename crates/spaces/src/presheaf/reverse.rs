//! Derivatives of maps of vectors, forward and in reverse.
//!
//! A function from vectors to vectors is applied to fresh coordinates, and the result is a map ℝⁿ ⇝ ℝᵐ of these. So
//! `jvp f x v = J(x)·v` is the derivative of that map, and `rd f x w = J(x)ᵗ·w` its [adjoint](crate::smooth::reverse),
//! the construct of [Abadi and Plotkin 2020](crate::refs::ABADI_PLOTKIN_2020). Coordinates are fresh for every use, so
//! nested derivatives cannot be confused.

use super::dynamic::{Element, Function};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::{Hooks, Library};
use crate::value::ValueError;

/// A function of vectors as a map of fresh coordinates.
struct Local {
    /// The fresh coordinates, n of them.
    variables: Vec<Variable>,
    /// The n coordinates of the point of differentiation.
    at: Vec<Graph>,
    /// The value of the function at the fresh coordinates.
    value: Element,
}

impl Local {
    /// Applies a function to fresh coordinates in the shape of `x`.
    fn of(f: &Function, x: &Element) -> Result<Self, ValueError> {
        let at: Vec<_> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let value = f.apply(&x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v))))?;
        Ok(Self { variables, at, value })
    }
}

/// Returns the coordinates of a vector as owned graphs.
fn owned(vector: &Element) -> Result<Vec<Graph>, ValueError> {
    Ok(vector.coordinates()?.into_iter().cloned().collect())
}

/// Returns `jvp f x v`, the derivative of f at x along v.
///
/// # Errors
/// The errors of `f`. [`ValueError::Mismatch`] for an argument or value that is no vector.
pub fn forward(f: &Function, x: &Element, v: &Element) -> Result<Element, ValueError> {
    let (local, along) = (Local::of(f, x)?, owned(v)?);
    let outputs = owned(&local.value)?;
    // One derivative for each output, in the shape of the value.
    let mut slopes = outputs
        .into_iter()
        .map(|output| Graph::derivative(local.variables.clone(), output, local.at.clone(), along.clone()));
    Ok(local.value.with_coordinates(&mut slopes))
}

/// Returns `rd f x w`, the transposed derivative of f at x, applied to w.
///
/// # Errors
/// The errors of `f`. [`ValueError::Mismatch`] for an argument or value that is no vector, or if w and the value have
/// different numbers of coordinates.
pub fn reverse(f: &Function, x: &Element, w: &Element) -> Result<Element, ValueError> {
    reverse_by(&Library, f, x, w)
}

/// Like [`reverse`], with the given hooks of the reverse sweep.
///
/// # Errors
/// The errors of [`reverse`].
pub fn reverse_by(hooks: &dyn Hooks, f: &Function, x: &Element, w: &Element) -> Result<Element, ValueError> {
    let (local, seeds) = (Local::of(f, x)?, owned(w)?);
    let outputs = owned(&local.value)?;
    if outputs.len() != seeds.len() {
        return Err(w.mismatch("a cotangent with as many numbers as the value of the function"));
    }
    // One sweep for all outputs: the work does not grow with n.
    let adjoint = Graph::reverse_by(hooks, &local.variables, &outputs, &local.at, &seeds);
    Ok(x.with_coordinates(&mut adjoint.into_iter()))
}
