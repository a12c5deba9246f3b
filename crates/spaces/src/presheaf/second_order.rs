//! Second-order primitives as natural families (S §5.2, footnote 2).
//!
//! A constant of type `(ℜ → ℜ) → ℜ` is a family of maps `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, natural in Γ: apply the function to a
//! fresh variable, and bind that variable in a node of the graph. [`Graph::functional`] is the node, for typed elements
//! ([`NaturalFamily`]) and for values of the language ([`second_order`]) alike.
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

/// A claim to be a natural family `(ℜ ⇒ ℜ)(Γ) → (Γ ⇝ ℝ)`, as the second-order primitives are.
pub trait NaturalFamily {
    /// The member at a stage, at a function of that stage.
    fn at<G: Shape>(&self, f: &Natural<Real, Real, G>) -> Map<G, Line>;

    /// The family as a natural transformation, `(ℜ → ℜ) → ℜ`.
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
        uncurried(f).binding(|variable, body| Graph::functional(primitive, variable, body, Site::default()))
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
    Ok(Element::Real(Graph::functional(primitive, variable, &body, site)))
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
