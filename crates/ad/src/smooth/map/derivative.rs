//! Derivatives of maps, as maps.
//!
//! At a kink a derivative is Clarke's, and the next one is ⊥ (S §4.1). The derivative along a coordinate holds the
//! others fixed, so it exists even if these lie on a domain boundary: ∂/∂y (y + √x) is 1 at x = 0.

use super::primitive::{MapError, check_length};
use super::{DynMap, Map, substitute_in_all};
use crate::number::Rational;
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map;
use typenum::{Const, ToUInt, U1};

/// Differentiates each body as a function of the variables `bound`, which are coordinates.
fn differentiate_bodies(bodies: &[Graph], bound: &[Graph], at: &[Graph], along: &[Graph]) -> Vec<Graph> {
    // fresh variables for the body: coordinates are never bound
    let fresh: Vec<_> = bound.iter().map(|_| Variable::fresh()).collect();
    let bindings: Vec<_> =
        bound.iter().filter_map(map::as_variable).zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
    let renamed = substitute_in_all(bodies, &bindings);
    renamed.into_iter().map(|body| Graph::derivative(fresh.clone(), body, at.to_vec(), along.to_vec())).collect()
}

impl DynMap {
    /// Returns `(x, v) ↦ D f(x)·v`.
    pub(super) fn prime(&self) -> Self {
        let n = self.input_count();
        let all = map::coordinate_graphs(2 * n);
        let (x, v) = all.split_at(n);
        Self::new(2 * n, differentiate_bodies(self.outputs(), x, x, v))
    }

    /// Returns `(x, v) ↦ (f(x), D f(x)·v)`.
    pub(super) fn with_derivative(&self) -> Self {
        Self::new(2 * self.input_count(), [self.outputs(), self.prime().outputs()].concat())
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns `f′ : (N, N) ⇝ M`, `(x, v) ↦ D f(x)·v` (S §4.3.3).
    ///
    /// ```
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::U1;
    /// let square = Map::<U1, U1>::id().powi(2);
    /// assert_eq!(square.prime().to_string(), "\\x y => deriv (\\t => t^2) x * y");
    /// ```
    #[must_use]
    pub fn prime(&self) -> Map<(N, N), M> {
        Map::new(self.as_dyn.prime())
    }

    /// Returns `(f⁽⁰⁾ ∘ fst, f′) : (N, N) ⇝ (M, M)` (S §4.3.4): the image of an arrow under the tangent functor.
    #[must_use]
    pub fn with_derivative(&self) -> Map<(N, N), (M, M)> {
        Map::new(self.as_dyn.with_derivative())
    }

    /// Returns the derivative along a fixed direction: `x ↦ D f(x)·v`.
    ///
    /// # Errors
    /// [`MapError::Length`] if the direction has not one component per coordinate of N.
    pub fn along_direction(&self, v: &[Rational]) -> Result<Self, MapError> {
        check_length("the direction", "component", self.as_dyn.input_count(), v.len())?;
        Ok(self.along_fitting(v))
    }

    /// Like [`along_direction`](Map::along_direction), for a direction that fits.
    fn along_fitting(&self, v: &[Rational]) -> Self {
        let n = self.as_dyn.input_count();
        let all = map::coordinate_graphs(n);
        // coordinates that do not move stay outside the derivative: they may lie on a domain boundary
        let moving = all.iter().zip(v).filter(|(_, c)| !c.is_zero());
        let (x, v): (Vec<_>, Vec<_>) = moving.map(|(x, c)| (x.clone(), Graph::rational(c.clone()))).unzip();
        if x.is_empty() {
            return Self::new(self.as_dyn.map_outputs(|_| Graph::integer(0)));
        }
        Self::new(DynMap::new(n, differentiate_bodies(self.components(), &x, &x, &v)))
    }

    /// Returns the columns of the Jacobian: for each coordinate i of N the map `x ↦ ∂f/∂xᵢ`.
    #[must_use]
    pub fn jacobian(&self) -> Vec<Self> {
        let all = map::coordinate_graphs(self.as_dyn.input_count());
        let one = [Graph::integer(1)];
        let column = |x: &Graph| {
            let x = std::slice::from_ref(x);
            Self::new(DynMap::new(all.len(), differentiate_bodies(self.components(), x, x, &one)))
        };
        all.iter().map(column).collect()
    }

    /// Returns the Taylor coefficients along a line: for j = 0, …, order the map `(x, v) ↦ f⁽ʲ⁾(x; v, …, v)/j!`, so
    /// that `f(x + t·v) = Σ cⱼ(x, v)·tʲ + O(t^{order+1})`.
    #[must_use]
    pub fn taylor(&self, order: u16) -> Vec<Map<(N, N), M>> {
        let n = self.as_dyn.input_count();
        let all = map::coordinate_graphs(2 * n);
        let t = Variable::fresh();
        let moved: Vec<_> = (0..n)
            .map(|i| {
                let step = Graph::binary(Binary::Multiply, &Graph::variable(t), &all[n + i]);
                Graph::binary(Binary::Add, &all[i], &step)
            })
            .collect();
        let mut line = self.as_dyn.outputs_at(&moved);
        let (zero, one) = (Graph::integer(0), Graph::integer(1));
        let mut coefficients: Vec<Map<(N, N), M>> = vec![Map::new(DynMap::new(2 * n, self.components().to_vec()))];
        let mut factorial = Rational::from(1);
        for j in 1..=order {
            factorial *= u32::from(j);
            let over = Graph::rational(factorial.clone());
            let slope = |at: &Graph, g: &Graph| {
                let fresh = Variable::fresh();
                let body = g.substitute(&[(t, Graph::variable(fresh))]);
                Graph::derivative(vec![fresh], body, vec![at.clone()], vec![one.clone()])
            };
            let at_zero = line.iter().map(|g| match j {
                1 => slope(&zero, g),
                _ => Graph::binary(Binary::Divide, &slope(&zero, g), &over),
            });
            coefficients.push(Map::new(DynMap::new(2 * n, at_zero.collect())));
            // the j-th derivative of the line as a function of t, from which the next one is taken
            line = line.iter().map(|g| slope(&Graph::variable(t), g)).collect();
        }
        coefficients
    }
}

impl<N: MapEnd> Map<N, U1> {
    /// Returns `∇f : N ⇝ N`, the partial derivatives.
    #[must_use]
    pub fn gradient(&self) -> Map<N, N> {
        let columns = self.jacobian();
        let outputs = columns.iter().flat_map(|c| c.components().to_vec()).collect();
        Map::new(DynMap::new(self.as_dyn.input_count(), outputs))
    }

    /// Returns the Hessian as a map that is linear in its second argument: `(x, v) ↦ H(x)·v`. Its matrix at a point is
    /// [`Map::hessian_at`].
    #[must_use]
    pub fn hessian(&self) -> Map<(N, N), N> {
        self.gradient().prime()
    }
}

impl<M: MapEnd> Map<U1, M> {
    /// Returns the derivative of a map of one variable.
    #[must_use]
    pub fn derivative(&self) -> Self {
        self.nth_derivative(1)
    }

    /// Returns the k-th derivative of a map of one variable. Its cost is polynomial in k.
    #[must_use]
    pub fn nth_derivative(&self, k: u16) -> Self {
        let x = map::coordinate_graphs(1);
        let one = [Graph::integer(1)];
        let step = |bodies: Vec<Graph>| differentiate_bodies(&bodies, &x, &x, &one);
        Self::new(DynMap::new(1, (0..k).fold(self.components().to_vec(), |bodies, _| step(bodies))))
    }
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Returns the derivative along a fixed direction, given as an array.
    #[must_use]
    pub fn derivative_along<const K: usize>(&self, v: [Rational; K]) -> Self
    where
        Const<K>: ToUInt<Output = N>,
    {
        self.along_fitting(&v)
    }
}
