//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ. It applies the function
//! to a fresh variable and binds this variable in a node of the graph. Typed elements ([`NaturalFamily`]) and values of
//! the language ([`second_order`]) use the same node, [`Graph::functional`].
//!
//! ```
//! use smoothish_spaces::presheaf::exponential::Transformation;
//! use smoothish_spaces::presheaf::second_order::{Functional, NaturalFamily};
//! use smoothish_spaces::smooth::map::Space;
//! let square = Transformation::new(|_, x| x * x);
//! let integral = Functional::Integral.transformation().at(&Space::new(), &square);
//! assert_eq!(integral.to_string(), "integral01 (\\t => t * t)");
//! ```

use super::dynamic::{Element, Function};
use super::exponential::{Exponential, Natural, Transformation};
use super::representable::Real;
use super::yoneda::uncurried;
pub use crate::function::Functional;
use crate::smooth::dimension::{Line, Shape};
use crate::smooth::graph::{Graph, Site, Variable};
use crate::smooth::map::Map;
use crate::value::ValueError;

/// A family `(ℜ ⇒ ℜ)(Γ) → (Γ ⇝ ℝ)` with the claim that it is natural, as the second-order primitives are.
pub trait NaturalFamily {
    /// Applies the member of the family at stage G to a function at that stage.
    fn at<G: Shape>(&self, f: &Natural<Real, Real, G>) -> Map<G, Line>;

    /// Returns the family as a natural transformation `(ℜ → ℜ) → ℜ`.
    #[must_use]
    fn transformation(self) -> Transformation<Exponential<Real, Real>, Real>
    where
        Self: Sized + Send + Sync + 'static,
    {
        Transformation::new(move |_, f| self.at(f))
    }
}

impl NaturalFamily for Functional {
    fn at<G: Shape>(&self, f: &Natural<Real, Real, G>) -> Map<G, Line> {
        let primitive = *self;
        // The generic argument becomes the bound variable of the node.
        uncurried(f).binding(|variable, body| Graph::functional(primitive, variable, body, Site::default()))
    }
}

/// Applies a function of one real variable to a fresh variable. Returns the variable and the result.
fn opened(f: &Function) -> Result<(Variable, Graph), ValueError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    Ok((variable, body.as_real()?.clone()))
}

/// Applies a second-order primitive to a function of the language.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn second_order(primitive: Functional, f: &Function, site: Site) -> Result<Element, ValueError> {
    let (variable, body) = opened(f)?;
    Ok(Element::Real(Graph::functional(primitive, variable, &body, site)))
}

/// Differentiates a function of one real variable: `deriv f x`. This is `snd (tangent_R.to (tangent f (tangent_R.from
/// (x, 1))))`, in a closed form.
///
/// # Errors
/// The errors of the function. [`ValueError::Mismatch`] if its value is no real number.
pub fn derivative(f: &Function, x: &Graph) -> Result<Element, ValueError> {
    let (variable, body) = opened(f)?;
    let along = vec![Graph::integer(1)];
    Ok(Element::Real(Graph::derivative(vec![variable], body, vec![x.clone()], along)))
}
