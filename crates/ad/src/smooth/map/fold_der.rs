//! `foldDer`: a map from its value and its derivative (S §4.3).

use super::Map;
use super::untyped::{DynMap, coordinate_graphs, coordinate_variables};
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::Graph;
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::smooth::program::CompiledMap;

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Creates `foldDer(f, g) : N ⇝ M`: the value of `value` with the derivative `derivative : (N, N) ⇝ M`, whose
    /// second argument is the direction (S §4.3). The derivatives of `value` are ignored.
    ///
    /// The two are not checked against each other, so the map is [trusted](Map::trusted_primitives). `fold_der(f, f.prime())` is f
    /// (S §4.3.4). The derivative must be linear in the direction: only its values at unit vectors are used.
    ///
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// // |x|, with the slope 1 at 0
    /// let x = Map::<U1, U1>::id();
    /// let [at, v] = [Map::<(U1, U1), U1>::first(), Map::second()];
    /// let right = Map::fold_der(&x.abs(), &(v * Map::constant([1.into()])));
    /// let slope = right.derivative().at([0.into()]).enclose(&Rational::from((1, 9)), &Budget::unlimited())?;
    /// assert!(slope.all_reached() && slope.components[0].enclosure.contains(&Rational::from(1)));
    /// assert_eq!(slope.trusted, ["foldDer"]);
    /// # let _ = at;
    /// # Ok::<(), MapError>(())
    /// ```
    #[must_use]
    pub fn fold_der(value: &Self, derivative: &Map<(N, N), M>) -> Self {
        let n = value.as_dyn.input_count();
        let variables = coordinate_variables(n);
        let component = |(f, g): (&Graph, &Graph)| {
            let program = Box::new(CompiledMap::compile(&variables, std::slice::from_ref(f)));
            let rule = DynMap::new(2 * n, vec![g.clone()]);
            let value = ValueRule::Map { variables: variables.clone(), graph: f.clone(), program };
            let primitive = Primitive::with_self("foldDer", n, value, move |_, x, v| {
                rule.outputs_at(&[x, v].concat()).swap_remove(0)
            });
            Graph::primitive(&primitive, coordinate_graphs(n))
        };
        Self::new(DynMap::new(n, value.components().iter().zip(derivative.components()).map(component).collect()))
    }
}
