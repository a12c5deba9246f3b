//! Objects of AD as values: a type, with a number of coordinates that the type need not show.
//!
//! A dimension of `typenum` has its number of coordinates in its type. An object with a hidden dimension, a stage of
//! `presheaf`, does not: a [`Space<N>`] stores it. The structure of the category AD on each object (S §4.4) is provided
//! for each space, hidden or not.
//!
//! | here | in the paper (S §4.4) |
//! |---|---|
//! | [`Space::id`], [`Space::terminal`] | `id`, `!` |
//! | [`Space::product_with`], [`Space::first`], [`Space::second`] | `A × B`, `fst`, `snd` |
//! | [`Space::zero`], [`Space::constant`] | `0`, constants |

use super::Map;
use super::untyped::{self, DynMap};
use crate::number::Rational;
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::graph::{Binary, Graph};
use std::fmt;
use std::marker::PhantomData;
use typenum::{U0, U1};

/// The object N as a value; see the [module](self).
pub struct Space<N> {
    size: usize,
    shape: PhantomData<fn(N) -> N>,
}

impl<N: Dim> Space<N> {
    /// Creates the object of a dimension in the type.
    #[must_use]
    pub fn new() -> Self {
        Self::of_size(N::SIZE)
    }
}

impl<N: Dim> Default for Space<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N> Space<N> {
    /// Creates the object with this many coordinates. The caller is responsible for the type.
    #[doc(hidden)]
    pub fn of_size(size: usize) -> Self {
        Self { size, shape: PhantomData }
    }

    /// Returns the same object under another type.
    pub(crate) fn cast_type<P>(&self) -> Space<P> {
        Space::of_size(self.size)
    }

    /// Returns the number of coordinates.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

impl<N: MapEnd> Space<N> {
    fn project_range<A, B>(inputs: usize, from: usize, to: usize) -> Map<A, B> {
        Map::new(DynMap::new(inputs, untyped::coordinate_graphs(inputs)[from..to].to_vec()))
    }

    /// `id : N ⇝ N`
    #[must_use]
    pub fn id(&self) -> Map<N, N> {
        Self::project_range(self.size, 0, self.size)
    }

    /// `! : N ⇝ ℝ⁰`
    #[must_use]
    pub fn terminal(&self) -> Map<N, U0> {
        Self::project_range(self.size, 0, 0)
    }

    /// Returns N × M.
    #[must_use]
    pub fn product_with<M: MapEnd>(&self, other: &Space<M>) -> Space<(N, M)> {
        Space::of_size(self.size + other.size)
    }

    /// `fst : N × M ⇝ N`
    #[must_use]
    pub fn first<M: MapEnd>(&self, other: &Space<M>) -> Map<(N, M), N> {
        Self::project_range(self.size + other.size, 0, self.size)
    }

    /// `snd : N × M ⇝ M`
    #[must_use]
    pub fn second<M: MapEnd>(&self, other: &Space<M>) -> Map<(N, M), M> {
        let all = self.size + other.size;
        Self::project_range(all, self.size, all)
    }

    /// `0 : N ⇝ M`
    #[must_use]
    pub fn zero<M: MapEnd>(&self, to: &Space<M>) -> Map<N, M> {
        Map::new(DynMap::new(self.size, vec![Graph::integer(0); to.size]))
    }

    /// Returns a number as a constant map `N ⇝ ℝ`.
    #[must_use]
    pub fn constant(&self, value: impl Into<Rational>) -> Map<N, U1> {
        Map::new(DynMap::new(self.size, vec![Graph::rational(value.into())]))
    }

    /// Returns the projections `N ⇝ ℝ`, in order.
    #[must_use]
    pub fn coordinates(&self) -> Vec<Map<N, U1>> {
        (0..self.size).map(|i| Self::project_range(self.size, i, i + 1)).collect()
    }

    /// Returns the map `N ⇝ M` with the components `component_map(i)`.
    #[must_use]
    pub fn tuple<M: MapEnd>(&self, to: &Space<M>, component: impl FnMut(usize) -> Map<N, U1>) -> Map<N, M> {
        let components: Vec<_> = (0..to.size).map(component).collect();
        // components are graphs over one list of coordinates, so they are only listed
        Map::new(DynMap::new(self.size, components.iter().flat_map(|c| c.components().to_vec()).collect()))
    }
}

impl<N: MapEnd> Space<N> {
    /// Returns the identity as a map to another type with as many coordinates.
    #[doc(hidden)]
    pub fn relabelling<M: MapEnd>(&self, to: &Space<M>) -> Map<N, M> {
        // the types cannot show it
        assert_eq!(self.size, to.size);
        Self::project_range(self.size, 0, self.size)
    }

    /// Returns a graph over the coordinates as a map. The caller guarantees that it mentions no other variables.
    #[doc(hidden)]
    pub fn component_map(&self, g: &Graph) -> Map<N, U1> {
        Map::new(DynMap::new(self.size, vec![g.clone()]))
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns N.
    #[must_use]
    pub fn domain(&self) -> Space<N> {
        Space::of_size(self.as_dyn().input_count())
    }

    /// Returns M.
    #[must_use]
    pub fn codomain(&self) -> Space<M> {
        Space::of_size(self.components().len())
    }

    /// Returns `c·f`: every component times a map to ℝ.
    #[must_use]
    pub fn scale_by(&self, by: &Map<N, U1>) -> Self {
        let by = &by.components()[0];
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(Binary::Multiply, by, a)))
    }
}

impl<N> Clone for Space<N> {
    fn clone(&self) -> Self {
        self.cast_type()
    }
}

impl<N> fmt::Debug for Space<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Space(ℝ^{})", self.size)
    }
}
