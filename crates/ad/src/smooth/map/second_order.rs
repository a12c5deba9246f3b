//! Integrals, roots and maxima over the last variable (S §5.2).
//!
//! Each maps `(N, U1) ⇝ U1` to `N ⇝ U1`: in `f(x, t)`, x is the parameter and t is bound.
//!
//! | here | value at x | promise |
//! |---|---|---|
//! | [`Map::integral01`] | ∫₀¹ f(x, t) dt | |
//! | [`Map::cut_root`] | the t with f(x, t) = 0 | positive left of the root and negative right of it |
//! | [`Map::first_root`] | the first t in [0, 1] where f goes from positive to negative; 0 if f(x, 0) < 0, 1 if f > 0 throughout | |
//! | [`Map::max01`], [`Map::min01`] | the largest and the least f(x, t) on [0, 1] | |
//! | [`Map::argmax01`], [`Map::argmin01`] | where on [0, 1] | |
//!
//! ```
//! use smoothish_ad::number::{Rational, budget::Budget};
//! use smoothish_ad::smooth::map::{Map, MapError};
//! use typenum::U1;
//!
//! // c ↦ ∫₀¹ max(0, t - c) dt, whose slope at 0.6 is -0.4
//! let [c, t] = [Map::<(U1, U1), U1>::first(), Map::second()];
//! let f = (t - c).relu().integral01();
//! let slope = f.derivative().at([Rational::from((3, 5))]);
//! let answer = slope.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(answer.components[0].enclosure.contains(&Rational::from((-2, 5))));
//! # Ok::<(), MapError>(())
//! ```

use super::Map;
use super::untyped::{self, DynMap, substitute_in_all};
use crate::function::{Functional, functionals};
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Graph, SourceId, Variable};
use typenum::U1;

impl<N: MapEnd> Map<(N, U1), U1> {
    /// Applies `node` to the last variable, renamed, and the body that it binds.
    #[doc(hidden)]
    pub fn bind_last(&self, node: impl Fn(Variable, &Graph) -> Graph) -> Map<N, U1> {
        let n = self.as_dyn.input_count() - 1;
        let t = Variable::fresh();
        // the bound variable is fresh: inputs of all maps share their names, so t would capture others
        let bound: Vec<_> =
            untyped::coordinate_variables(n + 1).into_iter().skip(n).map(|v| (v, Graph::variable(t))).collect();
        let bodies = substitute_in_all(self.components(), &bound);
        Map::new(DynMap::new(n, bodies.iter().map(|body| node(t, body)).collect()))
    }

    /// Applies a second-order primitive to the last variable.
    #[must_use]
    pub fn second_order(&self, primitive: Functional) -> Map<N, U1> {
        self.bind_last(|t, body| Graph::apply_functional(primitive, t, body, SourceId::default()))
    }
}

macro_rules! second_order_methods {
    ($($variant:ident $rust:ident $name:literal $about:literal $source:literal $total:ident $over:literal $promise:literal
        $example:literal;)*) => {
        impl<N: MapEnd> Map<(N, U1), U1> {
            $(#[doc = concat!($about, " (", $source, ")")]
            #[must_use]
            pub fn $rust(&self) -> Map<N, U1> {
                self.second_order(Functional::$variant)
            })*
        }
    };
}

functionals!(second_order_methods);
