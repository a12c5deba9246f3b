//! Tangents of values of the language: `Tan(F)(Γ) = ∫^Δ (Γ ⇝ Δ²) × F(Δ)` (S §5.3).
//!
//! A representative is a stage Δ, a map `Γ ⇝ Δ²` (a point `at` and a direction `along`), and an element over Δ. Here
//! the element may also mention the variables of Γ, which are constant. It abbreviates the representative over Γ × Δ
//! with the map `⟨⟨id, at⟩, ⟨0, along⟩⟩`, which is equal to it in the coend.
//!
//! | here | S |
//! |---|---|
//! | [`tangent_map`] | `tangent_map f`, the action of Tan on maps |
//! | [`tangent_value`] | `tangentValue` |
//! | [`real_to`], [`real_from`] | Prop. 5.2, `tangent_R` |
//! | [`product_to`], [`product_from`] | Prop. 5.1 (E10), `tangentProd` |
//! | [`function_to`], [`function_from`] | Prop. 5.3 (E9), `tangentTo_R` |
//!
//! Prop. 5.3 is an isomorphism only on functions with defined values and derivatives: `x + 0·⊥ = ⊥` (S52).

use super::dynamic::{Element, StageFunction};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::value::ValueError;
use std::sync::Arc;

/// A representative of an element of `Tan(F)(Γ)`; see the [module](self). [`TangentElement`](super::coend::CoendTangent) is its
/// counterpart with F in its type.
#[derive(Clone, Debug)]
pub struct TangentElement {
    /// The coordinates of Δ, bound in `element`.
    pub variables: Vec<Variable>,
    /// The point, a map Γ ⇝ Δ.
    pub at: Vec<Graph>,
    /// The direction, a map Γ ⇝ Δ.
    pub along: Vec<Graph>,
    /// The element over Δ.
    pub element: Element,
}

impl TangentElement {
    /// Pairs the coordinates of Δ with the point.
    fn point_bindings(&self) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(self.at.iter().cloned()).collect()
    }

    /// Renames the coordinates of Δ to fresh ones; the tangent stays the same. This is necessary whenever the element
    /// is used as an element over Δ: the current stage may already have the old coordinates, if a tangent is used
    /// within a use of itself.
    #[must_use]
    pub fn rename_variables(&self) -> Self {
        let variables: Vec<_> = self.variables.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> =
            self.variables.iter().copied().zip(variables.iter().map(|v| Graph::variable(*v))).collect();
        let element = self.element.restrict(&renaming);
        Self { variables, at: self.at.clone(), along: self.along.clone(), element }
    }

    /// Returns the tangent with another element over the same point and direction.
    fn with_element(&self, element: Element) -> Element {
        Element::Tangent(Arc::new(Self { element, ..self.clone() }))
    }

    /// Evaluates a graph over Δ at the point.
    fn value_of(&self, g: &Graph) -> Graph {
        g.substitute(&self.point_bindings())
    }

    /// Differentiates a graph over Δ at the point along the direction.
    fn slope_of(&self, g: &Graph) -> Graph {
        Graph::derivative(self.variables.clone(), g.clone(), self.at.clone(), self.along.clone())
    }
}

/// Returns `tangent f : Tan A → Tan B` at `v`.
///
/// # Errors
/// The errors of `f`.
pub fn tangent_map(f: &StageFunction, v: &TangentElement) -> Result<Element, ValueError> {
    let v = v.rename_variables();
    let element = f.apply(&v.element)?;
    Ok(v.with_element(element))
}

/// Returns the base point, `tangentValue : Tan A → A`.
#[must_use]
pub fn tangent_value(v: &TangentElement) -> Element {
    v.element.restrict(&v.point_bindings())
}

/// Returns the value and the derivative, `tangent_R.to : Tan ℜ → ℜ * ℜ`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no real number.
pub fn real_to(v: &TangentElement) -> Result<Element, ValueError> {
    let g = v.element.as_real()?;
    Ok(Element::tuple_of([Element::Real(v.value_of(g)), Element::Real(v.slope_of(g))]))
}

/// Returns `tangent_R.from : ℜ * ℜ → Tan ℜ`, with Δ = ℝ.
#[must_use]
pub fn real_from(value: &Graph, derivative: &Graph) -> Element {
    let variable = Variable::fresh();
    Element::Tangent(Arc::new(TangentElement {
        variables: vec![variable],
        at: vec![value.clone()],
        along: vec![derivative.clone()],
        element: Element::Real(Graph::variable(variable)),
    }))
}

/// Splits a tangent by the projections, `tangentProd.to : Tan (A * B) → Tan A * Tan B`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no tuple.
pub fn product_to(v: &TangentElement) -> Result<Element, ValueError> {
    let parts = v.element.as_tuple()?;
    Ok(Element::tuple_of(parts.iter().map(|p| v.with_element(p.clone()))))
}

/// Joins tangents over Δ₁ × Δ₂, `tangentProd.from : Tan A * Tan B → Tan (A * B)`.
#[must_use]
pub fn product_from(parts: &[Arc<TangentElement>]) -> Element {
    // Both may be the same tangent, and their coordinates must not be confused.
    let parts: Vec<_> = parts.iter().map(|p| p.rename_variables()).collect();
    Element::Tangent(Arc::new(TangentElement {
        variables: parts.iter().flat_map(|p| p.variables.clone()).collect(),
        at: parts.iter().flat_map(|p| p.at.clone()).collect(),
        along: parts.iter().flat_map(|p| p.along.clone()).collect(),
        element: Element::tuple_of(parts.iter().map(|p| p.element.clone())),
    }))
}

/// Returns the values and derivatives at constant arguments, `tangentTo_R.to : Tan (A → ℜ) → (A → ℜ) * (A → ℜ)`.
///
/// # Errors
/// [`ValueError::Mismatch`] if the element is no function.
pub fn function_to(v: &Arc<TangentElement>) -> Result<Element, ValueError> {
    v.element.as_function()?;
    // The functions are applied later, so both keep the tangent.
    let (base, direction) = (v.clone(), v.clone());
    let value = Element::from_closure(move |a| {
        // The argument may mention the old coordinates of Δ, as if they were its own.
        let v = base.rename_variables();
        Ok(Element::Real(v.value_of(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    let slope = Element::from_closure(move |a| {
        let v = direction.rename_variables();
        Ok(Element::Real(v.slope_of(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    Ok(Element::tuple_of([value, slope]))
}

/// Returns the curve `s ↦ f + s·df` at s = 0, over Δ = ℝ: `tangentTo_R.from : (A → ℜ) * (A → ℜ) → Tan (A → ℜ)`.
#[must_use]
pub fn function_from(f: &StageFunction, df: &StageFunction) -> Element {
    let variable = Variable::fresh();
    let (f, df) = (f.clone(), df.clone());
    // `variable` is fresh, so neither function can mention it.
    let element = Element::from_closure(move |a| {
        let step = Graph::binary(Binary::Multiply, &Graph::variable(variable), df.apply(a)?.as_real()?);
        Ok(Element::Real(Graph::binary(Binary::Add, f.apply(a)?.as_real()?, &step)))
    });
    Element::Tangent(Arc::new(TangentElement {
        variables: vec![variable],
        at: vec![Graph::integer(0)],
        along: vec![Graph::integer(1)],
        element,
    }))
}
