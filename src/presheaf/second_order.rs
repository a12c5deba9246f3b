//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ: apply the function to a
//! fresh variable, and bind that variable in a node of the graph.

use super::dynamic::{Element, Function};
use super::error::PresheafError;
use crate::smooth::graph::{Graph, SecondOrder, Site, Unary, Variable};

/// The primitive at a function.
///
/// # Errors
/// Those of the function.
pub fn second_order(primitive: SecondOrder, f: &Function, site: Site) -> Result<Element, PresheafError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    Ok(Element::Real(Graph::second_order(primitive, variable, body.as_real()?.clone(), site)))
}

/// The function `x ↦ -f x`, as a primitive at a stage with one variable more.
fn of_negative(primitive: SecondOrder, f: &Function, site: Site) -> Result<Graph, PresheafError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    let negative = Graph::unary(Unary::Negate, body.as_real()?);
    Ok(Graph::second_order(primitive, variable, negative, site))
}

/// min01 f = -max01 (-f).
///
/// # Errors
/// Those of the function.
pub fn minimum(f: &Function, site: Site) -> Result<Element, PresheafError> {
    let negative = of_negative(SecondOrder::Maximum, f, site)?;
    Ok(Element::Real(Graph::unary(Unary::Negate, &negative)))
}

/// argmin01 f = argmax01 (-f).
///
/// # Errors
/// Those of the function.
pub fn minimiser(f: &Function, site: Site) -> Result<Element, PresheafError> {
    Ok(Element::Real(of_negative(SecondOrder::Maximiser, f, site)?))
}

/// `deriv f x`: the derivative of a function of one real variable. It is
/// `snd (tangent_R.to (tangent f (tangent_R.from (x, 1))))`, written out.
///
/// # Errors
/// Those of the function.
pub fn derivative(f: &Function, x: &Graph) -> Result<Element, PresheafError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    let along = vec![Graph::integer(1)];
    Ok(Element::Real(Graph::derivative(vec![variable], body.as_real()?.clone(), vec![x.clone()], along)))
}
