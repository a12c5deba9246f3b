//! Smoothish maps with their dimensions as types: the category AD of S §4.
//!
//! A [`Map<N, M>`] is a value and all its derivatives. It consists of a tuple of [graphs](super::graph), one for each
//! coordinate of M; the type adds that a wrong dimension does not compile.
//!
//! | here | in the paper (S) |
//! |---|---|
//! | [`Map::id`], [`Map::then`], [`Map::terminal`], [`Map::first`], [`Map::second`], [`Map::pair`] | `id`, `g ∘ f`, `!`, `fst`, `snd`, `⟨f, g⟩`, §4.4 |
//! | [`Space`] | objects, those of a hidden dimension too, §4.4 |
//! | [`Map::linear`], [`Map::matrix`], [`Map::constant`] | `linear(f)`, constants, §4.3 |
//! | [`Map::fold_der`], [`mod@primitive`] | `foldDer(f, g)`, §4.3; primitives from outside |
//! | [`arithmetic`], [`elementary`], [`Map::max`] | the primitives, §4.3.1, §4.3.2, Fig. 2 |
//! | [`MapGuard`], [`MapGuard::select`] | conditionals on real numbers, which extend §8.1 |
//! | [`Map::prime`], [`Map::with_derivative`] | `f′`, §4.3.3; `(f⁽⁰⁾, f′)`, §4.3.4 |
//! | [`Map::integral01`], [`Map::cut_root`], [`Map::first_root`], [`Map::max01`], [`Map::argmax01`] | §5.2 |
//! | [`Map::tower`] | the derivative tower itself, §4.2 |
//! | [`Ad`], [`TowerCategory`] | AD as a category, by graphs and by towers, Prop. 4.5 (E43) |
//!
//! Evaluation is in [`value`] (exact points), [`range`](mod@range) (boxes, Clarke derivatives over them), [`double`]
//! (`f64` arrays), [`derivatives`] (Jacobians, Hessians, Taylor coefficients) and [`gradient`] (reverse mode). [`print`](mod@print) shows
//! a map as an expression, [`picture`] as a graph.
//!
//! ```
//! use smoothish_ad::number::{Rational, budget::Budget};
//! use smoothish_ad::smooth::map::{Map, coordinates};
//! use typenum::{U1, U2};
//!
//! let [x, y] = coordinates();
//! let f: Map<U2, U1> = (&x * &y).sin() + x.max(&y);
//! let gradient: Map<U2, U2> = f.gradient();
//! let eps = Rational::from((1, 1_000_000));
//! let at = gradient.at([Rational::from(0), Rational::from(1)]).enclose(&eps, &Budget::unlimited())?;
//! assert!(at.components.iter().all(|a| a.enclosure.contains(&Rational::from(1))));
//! # Ok::<(), smoothish_ad::smooth::map::MapError>(())
//! ```
//!
//! A composition that does not fit does not compile:
//!
//! ```compile_fail,E0308
//! use smoothish_ad::smooth::map::Map;
//! use typenum::{U1, U2, U3};
//! fn compose(f: &Map<U3, U2>, g: &Map<U1, U1>) -> Map<U3, U1> {
//!     f.then(g)
//! }
//! ```
pub mod arithmetic;
pub mod category;

pub mod derivative;
pub mod derivatives;
pub mod double;
pub mod elementary;
pub mod error;
pub mod fold_der;
pub mod gradient;
pub mod guard;
pub mod linear;
pub mod picture;
pub mod primitive;
pub mod print;
pub mod probe;
pub mod range;
pub mod second_order;
pub mod space;
pub mod structure;
pub mod towers;
pub mod trial;
pub mod trust;
pub mod untyped;
pub mod value;

pub use category::Ad;
pub use error::MapError;
pub use guard::MapGuard;
pub use primitive::PrimitiveError;
pub use space::Space;
pub use structure::coordinates;
pub use towers::{TowerCategory, TypedTower};
pub use trial::MapTestConfig;

use crate::smooth::dimension::{Dim, Dyn, MapEnd};
use crate::smooth::graph::{Graph, Variable};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use untyped::DynMap;

/// A smoothish map from N to M; see the [module](self). Cheap to clone.
pub struct Map<N, M> {
    as_dyn: Arc<DynMap>,
    shape: PhantomData<fn(N) -> M>,
}

impl Map<Dyn, Dyn> {
    /// Creates a map with dimensions that no type shows.
    #[must_use]
    pub fn from_dyn(untyped: DynMap) -> Self {
        Self::new(untyped)
    }
}

impl<N, M> Map<N, M> {
    /// Creates the map. The caller guarantees that the dimensions are those of the types.
    pub(super) fn new(untyped: DynMap) -> Self {
        Self { as_dyn: Arc::new(untyped), shape: PhantomData }
    }

    /// Returns the map without its types.
    #[must_use]
    pub fn as_dyn(&self) -> &Arc<DynMap> {
        &self.as_dyn
    }

    /// Returns the same map under other types with equal sizes.
    #[doc(hidden)]
    pub fn cast_types<P, Q>(&self) -> Map<P, Q> {
        Map { as_dyn: self.as_dyn.clone(), shape: PhantomData }
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the components, graphs over the [`coordinates`](untyped::coordinates).
    #[must_use]
    pub fn components(&self) -> &[Graph] {
        self.as_dyn.outputs()
    }
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Creates the map `variables ↦ graphs`, with sizes those of N and M.
    ///
    /// # Errors
    /// [`MapError::Length`] if there is not one variable or one graph per coordinate; [`MapError::Unbound`] if a graph
    /// mentions another variable.
    pub fn of_graphs(variables: &[Variable], graphs: &[Graph]) -> Result<Self, MapError> {
        error::check_length("the list", "variable", N::SIZE, variables.len())?;
        error::check_length("the list", "graph", M::SIZE, graphs.len())?;
        Ok(Self::new(DynMap::of_graphs(variables, graphs)?))
    }
}

impl<N, M> Clone for Map<N, M> {
    fn clone(&self) -> Self {
        self.cast_types()
    }
}

impl<N, M> fmt::Debug for Map<N, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map(ℝ^{} ⇝ ℝ^{})", self.as_dyn.input_count(), self.as_dyn.outputs().len())
    }
}
