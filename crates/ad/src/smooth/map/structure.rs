//! Structural maps: identities, composition, products (S §4.4), and reshaping between pairs and rows.
//!
//! All maps are written in one list of coordinates. If each map had variables of its own, pairing would have to
//! rename them. Renaming copies, and copies of shared parts grow exponentially.
//!
//! Pairs are distinct from sums of dimensions, since no projection out of a sum could be typed. [`Map::reshape`]
//! is the one place where dimensions are added.

use super::Map;
use super::error::MapError;
use super::untyped::{self, DynMap};
use crate::number::Rational;
use crate::smooth::dimension::{Dim, Flatten, MapEnd};
use crate::smooth::graph::Graph;
use typenum::{Const, ToUInt, U0, U1};

impl<N: Dim> Map<N, N> {
    /// `id : N ⇝ N`
    #[must_use]
    pub fn id() -> Self {
        Self::new(DynMap::new(N::SIZE, untyped::coordinate_graphs(N::SIZE)))
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns `g ∘ self`, by substitution: strictly associative.
    #[must_use]
    pub fn then<K: MapEnd>(&self, g: &Map<M, K>) -> Map<N, K> {
        Map::new(self.as_dyn.then(&g.as_dyn))
    }

    /// Returns `⟨self, g⟩`.
    #[must_use]
    pub fn pair<K: MapEnd>(&self, g: &Map<N, K>) -> Map<N, (M, K)> {
        Map::new(self.as_dyn.pair(&g.as_dyn))
    }

    /// Returns `self ⊗ g : (N, P) ⇝ (M, Q)`.
    #[must_use]
    pub fn tensor_product<P: MapEnd, Q: MapEnd>(&self, g: &Map<P, Q>) -> Map<(N, P), (M, Q)> {
        let n = self.as_dyn.input_count();
        // g is moved to the coordinates after those of self
        let all = untyped::coordinate_graphs(n + g.as_dyn.input_count());
        let right = g.as_dyn.outputs_at(&all[n..]);
        Map::new(DynMap::new(all.len(), [self.as_dyn.outputs(), &right].concat()))
    }
}

impl<N: Dim> Map<N, U0> {
    /// `! : N ⇝ ℝ⁰`
    #[must_use]
    pub fn terminal() -> Self {
        Self::new(DynMap::new(N::SIZE, Vec::new()))
    }
}

impl<A: Dim, B: Dim> Map<(A, B), A> {
    /// `fst : (A, B) ⇝ A`
    #[must_use]
    pub fn first() -> Self {
        Self::new(DynMap::new(A::SIZE + B::SIZE, untyped::coordinate_graphs(A::SIZE)))
    }
}

impl<A: Dim, B: Dim> Map<(A, B), B> {
    /// `snd : (A, B) ⇝ B`
    #[must_use]
    pub fn second() -> Self {
        let all = untyped::coordinate_graphs(A::SIZE + B::SIZE);
        Self::new(DynMap::new(all.len(), all[A::SIZE..].to_vec()))
    }
}

impl<N: Dim> Map<N, U1> {
    /// Returns the projection to a coordinate, counted from 0.
    ///
    /// # Errors
    /// [`MapError::Coordinate`] if there is no such coordinate.
    pub fn coordinate(index: usize) -> Result<Self, MapError> {
        let all = untyped::coordinate_graphs(N::SIZE);
        let one = all.get(index).ok_or(MapError::Coordinate { index, dimension: N::SIZE })?;
        Ok(Self::new(DynMap::new(N::SIZE, vec![one.clone()])))
    }
}

/// Returns all projections to coordinates: `let [x, y] = coordinates();` gives the two of ℝ².
#[must_use]
pub fn coordinates<N: Dim, const K: usize>() -> [Map<N, U1>; K]
where
    Const<K>: ToUInt<Output = N>,
{
    // the array length is the dimension by type
    let all = untyped::coordinate_graphs(K);
    std::array::from_fn(|i| Map::new(DynMap::new(K, vec![all[i].clone()])))
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Creates a constant map from exact numbers.
    ///
    /// ```
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::{U2, U3};
    /// let c: Map<U3, U2> = Map::constant([1.into(), (1, 3).into()]);
    /// assert_eq!(c.to_string(), "\\x y z => (1, 1/3)");
    /// ```
    #[must_use]
    pub fn constant<const K: usize>(values: [Rational; K]) -> Self
    where
        Const<K>: ToUInt<Output = M>,
    {
        Self::new(DynMap::new(N::SIZE, values.map(Graph::rational).into()))
    }

    /// Creates a constant map from a slice.
    ///
    /// # Errors
    /// [`MapError::Length`] if there is not one number per coordinate of M.
    pub fn constant_from(values: &[Rational]) -> Result<Self, MapError> {
        super::error::check_length("the constant", "component", M::SIZE, values.len())?;
        Ok(Self::new(DynMap::new(N::SIZE, values.iter().cloned().map(Graph::rational).collect())))
    }

    /// Creates the map to M with the given components.
    ///
    /// # Errors
    /// [`MapError::Length`] if there is not one map per coordinate of M.
    pub fn tuple(components: &[Map<N, U1>]) -> Result<Self, MapError> {
        super::error::check_length("the tuple", "map", M::SIZE, components.len())?;
        Ok(Self::new(DynMap::new(N::SIZE, components.iter().flat_map(|c| c.components().to_vec()).collect())))
    }
}

impl<N: Dim> Map<N, U1> {
    /// Returns π as a constant map.
    #[must_use]
    pub fn pi() -> Self {
        Self::new(DynMap::new(N::SIZE, vec![Graph::pi()]))
    }

    /// Returns Euler's number as a constant map.
    #[must_use]
    pub fn euler() -> Self {
        Self::new(DynMap::new(N::SIZE, vec![Graph::euler()]))
    }
}

impl<N: Flatten, M: Flatten> Map<N, M> {
    /// Changes the types of domain and codomain, keeping the number and the order of coordinates.
    ///
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2, U3};
    /// let [x, y, z] = coordinates();
    /// let f: Map<U3, U1> = x * y + z;
    /// let g: Map<(U2, U1), U1> = f.reshape();
    /// assert_eq!(g.to_string(), f.to_string());
    /// ```
    /// ```compile_fail,E0271
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::{U1, U2, U3};
    /// fn lose(f: &Map<U3, U1>) -> Map<(U1, U1), U1> {
    ///     f.reshape()
    /// }
    /// ```
    #[must_use]
    pub fn reshape<P, Q>(&self) -> Map<P, Q>
    where
        P: Flatten<Row = N::Row>,
        Q: Flatten<Row = M::Row>,
    {
        self.cast_types()
    }
}
