//! Taylor representations by their definition (H (3), §6.2), independent of the macro.
//!
//! The (k, R)-Taylor representation h of a smooth map `g : ℝⁿ → ℝ` is determined by `h(jets of f) = jets of g ∘ f` for all
//! `f : ℝᵏ → ℝⁿ`. Any n tuples (x_α) of numbers are the jets at 0 of the polynomials `t ↦ Σ_β x_β t^β/β!`, so
//!
//! `h_α(x) = ∂^α_t g(Σ_β x¹_β t^β/β!, …, Σ_β xⁿ_β t^β/β!)` at t = 0.
//!
//! It is computed in this way, as a graph with derivative nodes. No rule of differentiation is written here.

use crate::meaning::taylor::basis::{Basis, MultiIndex};
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::value::ValueError;

/// Returns the numbers of a jet.
///
/// # Errors
/// [`ValueError::Mismatch`] if `jet` is not a tuple of numbers.
pub fn jet_coordinates(jet: &Element) -> Result<Vec<Graph>, ValueError> {
    jet.as_tuple()?.iter().map(|part| part.as_real().cloned()).collect()
}

/// Makes the jet of these numbers.
#[must_use]
pub fn jet_of(coordinates: impl IntoIterator<Item = Graph>) -> Element {
    Element::tuple_of(coordinates.into_iter().map(Element::Real))
}

/// Returns ⟨c, 0, …, 0⟩, the jet of a constant plot.
#[must_use]
pub fn constant_jet(basis: &Basis, value: Graph) -> Element {
    jet_of(std::iter::once(value).chain((1..basis.len()).map(|_| Graph::integer(0))))
}

/// Returns `Σ_β x_β t^β/β!`.
#[must_use]
pub fn taylor_polynomial(basis: &Basis, coefficients: &[Graph], at: &[Graph]) -> Graph {
    // terms with coefficient 0 are left out, which keeps the graphs of constant jets small
    let zero = |g: &Graph| g.as_rational().is_some_and(Rational::is_zero);
    let mut sum: Option<Graph> = None;
    for (index, coefficient) in basis.indices().iter().zip(coefficients).filter(|(_, c)| !zero(c)) {
        let mut term = coefficient.clone();
        let mut factorial = Rational::from(1);
        for (entry, t) in index.iter().zip(at) {
            for power in 1..=*entry {
                term = Graph::binary(Binary::Multiply, &term, t);
                factorial *= power as u64;
            }
        }
        if factorial != 1 {
            term = Graph::binary(Binary::Divide, &term, &Graph::rational(factorial));
        }
        sum = Some(sum.map_or_else(|| term.clone(), |sum| Graph::binary(Binary::Add, &sum, &term)));
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

/// Returns `∂^α body` in these variables, at a point, with one derivative node for each order.
#[must_use]
pub fn partial_derivative(variables: &[Variable], body: &Graph, index: &MultiIndex, at: &[Graph]) -> Graph {
    let mut body = body.clone();
    for (direction, entry) in index.iter().enumerate() {
        for _ in 0..*entry {
            let here = vec![Graph::variable(variables[direction])];
            body = Graph::derivative(vec![variables[direction]], body, here, vec![Graph::integer(1)]);
        }
    }
    // the point is substituted at the end, after all derivatives are taken in the variables
    let bindings: Vec<_> = variables.iter().copied().zip(at.iter().cloned()).collect();
    body.substitute(&bindings)
}

/// Returns the Taylor representation of a map at jets.
///
/// | argument | meaning |
/// |---|---|
/// | `map` | g : ℝⁿ → ℝ, at graphs in any variables |
/// | `arguments` | n jets over the basis |
///
/// # Errors
/// Those of the map; [`ValueError::Mismatch`] for an argument that is no jet.
pub fn taylor_representation(
    basis: &Basis,
    map: impl FnOnce(&[Element]) -> Result<Element, ValueError>,
    arguments: &[Element],
) -> Result<Element, ValueError> {
    // fresh variables, so that the curves do not capture variables of the jets
    let variables: Vec<Variable> = (0..basis.directions()).map(|_| Variable::fresh()).collect();
    let t: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let curve = |argument: &Element| Ok(Element::Real(taylor_polynomial(basis, &jet_coordinates(argument)?, &t)));
    let curves: Vec<Element> = arguments.iter().map(curve).collect::<Result<_, ValueError>>()?;
    let body = map(&curves)?;
    let origin = vec![Graph::integer(0); variables.len()];
    let body = body.as_real()?;
    Ok(jet_of(basis.indices().iter().map(|index| partial_derivative(&variables, body, index, &origin))))
}
