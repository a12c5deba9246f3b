//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ. It applies the function
//! to a fresh variable and binds this variable in a node of the graph. Typed elements ([`NaturalFamily`]) and values of
//! the language ([`apply_second_order`]) use the same node, [`Graph::apply_functional`].
//!
//! ```
//! use smoothish_spaces::presheaf::exponential::PresheafTransformation;
//! use smoothish_spaces::presheaf::second_order::{Functional, NaturalFamily};
//! use smoothish_spaces::smooth::map::Space;
//! let square = PresheafTransformation::new(|_, x| x * x);
//! let integral = Functional::Integral.to_transformation().component_at(&Space::new(), &square);
//! assert_eq!(integral.to_string(), "integral01 (\\t => t * t)");
//! ```

use super::dynamic::{Element, StageFunction};
use super::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use super::representable::RealPresheaf;
use super::yoneda::uncurry_representable;
pub use crate::function::Functional;
use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::graph::{Graph, SourceId, Variable};
use crate::smooth::map::Map;
use crate::value::ValueError;

/// A family `(ℜ ⇒ ℜ)(Γ) → (Γ ⇝ ℝ)` with the claim that it is natural, as the second-order primitives are.
pub trait NaturalFamily {
    /// Applies the member of the family at stage G to a function at that stage.
    fn apply_at<G: MapEnd>(&self, f: &ExponentialElement<RealPresheaf, RealPresheaf, G>) -> Map<G, RealObject>;

    /// Returns the family as a natural transformation `(ℜ → ℜ) → ℜ`.
    #[must_use]
    fn to_transformation(self) -> PresheafTransformation<ExponentialPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>
    where
        Self: Sized + Send + Sync + 'static,
    {
        PresheafTransformation::new(move |_, f| self.apply_at(f))
    }
}

impl NaturalFamily for Functional {
    fn apply_at<G: MapEnd>(&self, f: &ExponentialElement<RealPresheaf, RealPresheaf, G>) -> Map<G, RealObject> {
        let primitive = *self;
        // The generic argument becomes the bound variable of the node.
        uncurry_representable(f)
            .bind_last(|variable, body| Graph::apply_functional(primitive, variable, body, SourceId::default()))
    }
}

/// Applies a function of one real variable to a fresh variable. Returns the variable and the result.
fn apply_to_fresh(f: &StageFunction) -> Result<(Variable, Graph), ValueError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    Ok((variable, body.as_real()?.clone()))
}

/// Applies a second-order primitive to a function of the language.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn apply_second_order(primitive: Functional, f: &StageFunction, site: SourceId) -> Result<Element, ValueError> {
    let (variable, body) = apply_to_fresh(f)?;
    Ok(Element::Real(Graph::apply_functional(primitive, variable, &body, site)))
}

/// Differentiates a function of one real variable: `deriv f x`. This is `snd (tangent_R.to (tangent f (tangent_R.from
/// (x, 1))))`, in a closed form.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn derivative_at(f: &StageFunction, x: &Graph) -> Result<Element, ValueError> {
    let (variable, body) = apply_to_fresh(f)?;
    let along = vec![Graph::integer(1)];
    Ok(Element::Real(Graph::derivative(vec![variable], body, vec![x.clone()], along)))
}
