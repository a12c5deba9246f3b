//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ: apply the function to a
//! fresh variable, and bind that variable in a node of the graph. [`Functional::bind`] is the node, for typed elements
//! ([`Functional::at`]) and for values of the language ([`second_order`]) alike.
//!
//! ```
//! use smoothish::presheaf::exponential::Transformation;
//! use smoothish::presheaf::second_order::Functional;
//! use smoothish::smooth::map::Space;
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

impl Functional {
    /// The family at a stage, `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`.
    #[must_use]
    pub fn family<G: Shape>(self, f: &Map<(G, Line), Line>) -> Map<G, Line> {
        f.binding(|variable, body| self.bind(variable, body, Site::default()))
    }

    /// The primitive at a function of some stage.
    #[must_use]
    pub fn at<G: Shape>(self, f: &Natural<Real, Real, G>) -> Map<G, Line> {
        self.family(&uncurried(f))
    }

    /// The primitive as a natural transformation, `(ℜ → ℜ) → ℜ`.
    #[must_use]
    pub fn transformation(self) -> Transformation<Exponential<Real, Real>, Real> {
        Transformation::new(move |_, f| self.at(f))
    }
}

/// The body of a function of one real variable.
fn opened(f: &Function) -> Result<(Variable, Graph), ValueError> {
    let variable = Variable::fresh();
    let body = f.apply(&Element::Real(Graph::variable(variable)))?;
    Ok((variable, body.as_real()?.clone()))
}

/// The primitive at a function of the language.
///
/// # Errors
/// Those of the function.
pub fn second_order(primitive: Functional, f: &Function, site: Site) -> Result<Element, ValueError> {
    let (variable, body) = opened(f)?;
    Ok(Element::Real(primitive.bind(variable, &body, site)))
}

/// `deriv f x`: the derivative of a function of one real variable. It is
/// `snd (tangent_R.to (tangent f (tangent_R.from (x, 1))))`, written out.
///
/// # Errors
/// Those of the function.
pub fn derivative(f: &Function, x: &Graph) -> Result<Element, ValueError> {
    let (variable, body) = opened(f)?;
    let along = vec![Graph::integer(1)];
    Ok(Element::Real(Graph::derivative(vec![variable], body, vec![x.clone()], along)))
}
