//! Tangents of anything: `Tan(F)(Γ) = ∫^Δ (Γ ⇝ Δ²) × F(Δ)` (S §5.3).
//!
//! A representative is a stage Δ, a map `Γ ⇝ Δ²` (a point `at` and a direction `along`), and an element over Δ. Here the
//! element may also mention the variables of Γ, which stand for themselves and do not move: that is the representative
//! over Γ × Δ with the map `⟨⟨id, at⟩, ⟨0, along⟩⟩`, which the coend identifies with the other.
//!
//! | here | S |
//! |---|---|
//! | [`tangent`] | `tangent f`, the action of Tan on maps |
//! | [`tangent_value`] | `tangentValue` |
//! | [`real_to`], [`real_from`] | Prop. 5.2, `tangent_R` |
//! | [`product_to`], [`product_from`] | Prop. 5.1 (E10), `tangentProd` |
//! | [`function_to`], [`function_from`] | Prop. 5.3 (E9), `tangentTo_R` |
//!
//! Prop. 5.3 is an isomorphism on functions with defined values and derivatives only: `x + 0·⊥ = ⊥` (S52).

use super::dynamic::{Element, Function};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::value::ValueError;
use std::sync::Arc;

/// A representative of an element of `Tan(F)(Γ)`; see the [module](self). With F in its type it is a
/// [`Tangent`](super::coend::Tangent) of the coend.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The coordinates of Δ, bound in `element`.
    pub variables: Vec<Variable>,
    /// The point, a map Γ ⇝ Δ.
    pub at: Vec<Graph>,
    /// The direction, a map Γ ⇝ Δ.
    pub along: Vec<Graph>,
    /// The element over Δ.
    pub element: Element,
}

impl Tangent {
    fn bindings(&self) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(self.at.iter().cloned()).collect()
    }

    /// The same tangent over fresh coordinates. A tangent is renamed whenever its element is used as an element over Δ:
    /// the stage at hand may already have the old coordinates, when the same tangent is used inside a use of itself.
    #[must_use]
    pub fn renamed(&self) -> Self {
        let variables: Vec<_> = self.variables.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> =
            self.variables.iter().copied().zip(variables.iter().map(|v| Graph::variable(*v))).collect();
        let element = self.element.restrict(&renaming);
        Self { variables, at: self.at.clone(), along: self.along.clone(), element }
    }

    fn with(&self, element: Element) -> Element {
        Element::Tangent(Arc::new(Self { element, ..self.clone() }))
    }

    /// The value at the point of a graph over Δ.
    fn value(&self, g: &Graph) -> Graph {
        g.substitute(&self.bindings())
    }

    /// The derivative at the point along the direction of a graph over Δ.
    fn slope(&self, g: &Graph) -> Graph {
        Graph::derivative(self.variables.clone(), g.clone(), self.at.clone(), self.along.clone())
    }
}

/// `tangent f : Tan A → Tan B`.
///
/// # Errors
/// Those of `f`.
pub fn tangent(f: &Function, v: &Tangent) -> Result<Element, ValueError> {
    let v = v.renamed();
    let element = f.apply(&v.element)?;
    Ok(v.with(element))
}

/// `tangentValue : Tan A → A`, the base point.
#[must_use]
pub fn tangent_value(v: &Tangent) -> Element {
    v.element.restrict(&v.bindings())
}

/// `tangent_R.to : Tan ℜ → ℜ * ℜ`, value and derivative.
///
/// # Errors
/// [`ValueError::Mismatch`]
pub fn real_to(v: &Tangent) -> Result<Element, ValueError> {
    let g = v.element.as_real()?;
    Ok(Element::tuple([Element::Real(v.value(g)), Element::Real(v.slope(g))]))
}

/// `tangent_R.from : ℜ * ℜ → Tan ℜ`, with Δ = ℝ.
#[must_use]
pub fn real_from(value: &Graph, derivative: &Graph) -> Element {
    let variable = Variable::fresh();
    Element::Tangent(Arc::new(Tangent {
        variables: vec![variable],
        at: vec![value.clone()],
        along: vec![derivative.clone()],
        element: Element::Real(Graph::variable(variable)),
    }))
}

/// `tangentProd.to : Tan (A * B) → Tan A * Tan B`, by the projections.
///
/// # Errors
/// [`ValueError::Mismatch`]
pub fn product_to(v: &Tangent) -> Result<Element, ValueError> {
    let parts = v.element.as_tuple()?;
    Ok(Element::tuple(parts.iter().map(|p| v.with(p.clone()))))
}

/// `tangentProd.from : Tan A * Tan B → Tan (A * B)`, over Δ₁ × Δ₂.
#[must_use]
pub fn product_from(parts: &[Arc<Tangent>]) -> Element {
    let parts: Vec<_> = parts.iter().map(|p| p.renamed()).collect();
    Element::Tangent(Arc::new(Tangent {
        variables: parts.iter().flat_map(|p| p.variables.clone()).collect(),
        at: parts.iter().flat_map(|p| p.at.clone()).collect(),
        along: parts.iter().flat_map(|p| p.along.clone()).collect(),
        element: Element::tuple(parts.iter().map(|p| p.element.clone())),
    }))
}

/// `tangentTo_R.to : Tan (A → ℜ) → (A → ℜ) * (A → ℜ)`, pointwise at a fixed argument.
///
/// # Errors
/// [`ValueError::Mismatch`]
pub fn function_to(v: &Arc<Tangent>) -> Result<Element, ValueError> {
    v.element.as_function()?;
    let (base, direction) = (v.clone(), v.clone());
    let value = Element::function(move |a| {
        let v = base.renamed();
        Ok(Element::Real(v.value(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    let slope = Element::function(move |a| {
        let v = direction.renamed();
        Ok(Element::Real(v.slope(v.element.as_function()?.apply(a)?.as_real()?)))
    });
    Ok(Element::tuple([value, slope]))
}

/// `tangentTo_R.from : (A → ℜ) * (A → ℜ) → Tan (A → ℜ)`: the curve `s ↦ f + s·df` at s = 0, with Δ = ℝ.
#[must_use]
pub fn function_from(f: &Function, df: &Function) -> Element {
    let variable = Variable::fresh();
    let (f, df) = (f.clone(), df.clone());
    let element = Element::function(move |a| {
        let step = Graph::binary(Binary::Multiply, &Graph::variable(variable), df.apply(a)?.as_real()?);
        Ok(Element::Real(Graph::binary(Binary::Add, f.apply(a)?.as_real()?, &step)))
    });
    Element::Tangent(Arc::new(Tangent {
        variables: vec![variable],
        at: vec![Graph::integer(0)],
        along: vec![Graph::integer(1)],
        element,
    }))
}
