//! Derivatives of maps of vectors, forward and in reverse.
//!
//! A function from vectors to vectors is applied to fresh coordinates, and the result is a map ℝⁿ ⇝ ℝᵐ of these. So
//! `jvp f x v = J(x)·v` is the derivative of that map, and `rd f x w = J(x)ᵗ·w` its [adjoint](crate::smooth::reverse),
//! the construct of [Abadi and Plotkin 2020](crate::refs::ABADI_PLOTKIN_2020). Coordinates are fresh for every use, so
//! nested derivatives cannot be confused.

use super::dynamic::{Element, StageFunction};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::{ReverseHooks, StandardReverseHooks};
use crate::value::ValueError;

/// A function of vectors as a map of fresh coordinates.
struct FreshCoordinateMap {
    /// The fresh coordinates, n of them.
    variables: Vec<Variable>,
    /// The n coordinates of the point of differentiation.
    at: Vec<Graph>,
    /// The value of the function at the fresh coordinates.
    value: Element,
}

impl FreshCoordinateMap {
    /// Applies a function to fresh coordinates in the shape of `x`.
    fn from_function(f: &StageFunction, x: &Element) -> Result<Self, ValueError> {
        let at: Vec<_> = x.coordinates()?.into_iter().cloned().collect();
        let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
        let value = f.apply(&x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v))))?;
        Ok(Self { variables, at, value })
    }
}

/// Returns the coordinates of a vector as owned graphs.
fn owned_coordinates(vector: &Element) -> Result<Vec<Graph>, ValueError> {
    Ok(vector.coordinates()?.into_iter().cloned().collect())
}

/// Returns `jvp f x v`, the derivative of f at x along v.
///
/// # Errors
/// The errors of `f`. [`ValueError::Mismatch`] for an argument or value that is no vector.
pub fn forward_derivative(f: &StageFunction, x: &Element, v: &Element) -> Result<Element, ValueError> {
    let (local, along) = (FreshCoordinateMap::from_function(f, x)?, owned_coordinates(v)?);
    let outputs = owned_coordinates(&local.value)?;
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
pub fn reverse_derivative(f: &StageFunction, x: &Element, w: &Element) -> Result<Element, ValueError> {
    reverse_derivative_with(&StandardReverseHooks, f, x, w)
}

/// Like [`reverse_derivative`], with the given hooks of the reverse sweep.
///
/// # Errors
/// The errors of [`reverse_derivative`].
pub fn reverse_derivative_with(
    hooks: &dyn ReverseHooks,
    f: &StageFunction,
    x: &Element,
    w: &Element,
) -> Result<Element, ValueError> {
    let (local, seeds) = (FreshCoordinateMap::from_function(f, x)?, owned_coordinates(w)?);
    let outputs = owned_coordinates(&local.value)?;
    if outputs.len() != seeds.len() {
        return Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function"));
    }
    // One sweep for all outputs: the work does not grow with n.
    let adjoint = Graph::reverse_mode_with(hooks, &local.variables, &outputs, &local.at, &seeds);
    Ok(x.with_coordinates(&mut adjoint.into_iter()))
}
