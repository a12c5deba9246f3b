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
//! | this module, [`Map::max`] | the primitives, §4.3.1, §4.3.2, Fig. 2 |
//! | [`MapGuard`], [`MapGuard::select`] | conditionals on real numbers, which extend §8.1 |
//! | [`Map::prime`], [`Map::with_derivative`] | `f′`, §4.3.3; `(f⁽⁰⁾, f′)`, §4.3.4 |
//! | [`Map::integral01`], [`Map::cut_root`], [`Map::first_root`], [`Map::max01`], [`Map::argmax01`] | §5.2 |
//! | [`Map::tower`] | the derivative tower itself, §4.2 |
//! | [`Ad`], [`TowerCategory`] | AD as a category, by graphs and by towers, Prop. 4.5 (E43) |
//!
//! Evaluation is in [`range`] (exact points), [`range`](mod@range) (boxes, Clarke derivatives over them), [`range`]
//! (`f64` arrays), [`range`] (Jacobians, Hessians, Taylor coefficients) and [`range`] (reverse mode). [`print`](mod@print) shows
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
//!
//! # Maps with dimensions at run time
//!
//! All maps ℝⁿ ⇝ ℝᵐ are graphs in the same variables, the first n of one list of *coordinates*. So pairing two maps
//! copies neither, and shared subterms stay shared: a graph of sixty nodes stays one, however often it is used. A
//! coordinate is never bound: maps that bind a variable rename it first.
//!
//! # Structural maps
//!
//! Identities, composition, products (S §4.4), and reshaping between pairs and rows.
//!
//! All maps are written in one list of coordinates. If each map had variables of its own, pairing would have to
//! rename them. Renaming copies, and copies of shared parts grow exponentially.
//!
//! Pairs are distinct from sums of dimensions, since no projection out of a sum could be typed. [`Map::reshape`]
//! is the one place where dimensions are added.
//!
//! # Arithmetic of maps
//!
//! Arithmetic of maps, coordinate by coordinate (S §4.3.1).
//!
//! `+ - * /` and unary `-` accept maps and references to maps, with an `i64` or a [`Rational`] on either side. A result
//! is defined where its arguments are; a quotient, where its denominator is not 0 as well.
//!
//! ```
//! use smoothish_ad::number::Rational;
//! use smoothish_ad::smooth::map::Map;
//! use typenum::U1;
//! let x = Map::<U1, U1>::id();
//! assert_eq!((2 * &x - 1 / (Rational::from((1, 3)) + &x)).to_string(), "\\x => 2 * x - 1 / (1/3 + x)");
//! ```
//!
//! # Elementary functions and powers
//!
//! Elementary functions and powers, coordinate by coordinate (S Fig. 2).
//!
//! Domains and their boundaries are those of [`Function`]: outside its domain a function is ⊥, and `√` at 0 has a value
//! and no derivative. A function by itself is composed with the identity: `Map::<U1, U1>::id().sin()`.
//!
//! # Integrals
//!
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
//!
//! # Linear maps
//!
//! Linear maps, from exact matrices (S §4.3).
//!
//! # `foldDer`
//!
//! A map from its value and its derivative (S §4.3).
//!
//! # Guards on the coordinates
//!
//! Guards on the coordinates, and maps defined by cases.
//!
//! A [`MapGuard<N>`] is decided on an open set of points of N. On its boundary it is ⊥, and so is a map that chooses by
//! it. See the [guards of graphs](crate::smooth::graph::Guard) for the meaning of a choice.
//!
//! ```
//! use smoothish_ad::number::{Rational, Sign, budget::Budget};
//! use smoothish_ad::smooth::map::{Map, MapError};
//! use typenum::U1;
//!
//! let x = Map::<U1, U1>::id();
//! let zero = 0 * &x;
//! let relu = x.positive().select(&x, &zero);
//! let (half, eps, budget) = (Rational::from((1, 2)), Rational::from((1, 1000)), Budget::unlimited());
//! let slope = relu.derivative().at([half.clone()]).enclose(&eps, &budget)?;
//! assert!(slope.components[0].enclosure.contains(&Rational::from(1)));
//! // on the border there is neither a value nor a derivative
//! assert!(!relu.at([Rational::from(0)]).enclose(&eps, &budget)?.all_reached());
//! let inside = x.positive().and(&x.less_than(&(0 * &x + 1)));
//! assert_eq!(inside.at_point([half]).decide(&budget)?.sign, Sign::Positive);
//! assert_eq!(inside.at_point([Rational::from(1)]).decide(&budget)?.sign, Sign::Undecided);
//! # Ok::<(), MapError>(())
//! ```

pub mod category;
pub mod derivative;
pub mod picture;
pub mod primitive;
pub mod print;
pub mod range;

use crate::function::{
    Function, Functional, Planar, SpecialId, functionals, functions, planar_functions, special_functions,
};
use crate::number::arithmetic::Extension;
use crate::number::budget::Budget;
use crate::number::real::SignAnswer;
use crate::number::{Mpfr, Rational};
use crate::smooth::dimension::{Dim, Dyn, Flatten, MapEnd, SameEnd};
use crate::smooth::exchange::{ExchangeError, MOST_BYTES, RecordReader, list_records};
use crate::smooth::graph;
use crate::smooth::graph::{Binary, Graph, NodeOperation, SourceId, Unary, Variable};
use crate::smooth::map::picture::{ArrowRole, MapPicture, PictureBuilder, PictureNode, PictureNodeKind, arrow_roles};
use crate::smooth::map::primitive::{
    PrimitiveBuilder, PrimitiveNames, check_consistency, check_enclosing, check_linearity, check_name,
    operands_and_body,
};
use crate::smooth::map::range::InputInterval;
use crate::smooth::primitive::{Primitive, ValueRule};
use crate::smooth::program::CompiledMap;
use crate::smooth::substitution::Substitution;
use crate::smooth::tower::{LinearMap, Tower};
pub use category::{Ad, MapTestConfig, Space, TowerCategory, TypedTower};
use petgraph::graph::DiGraph;
use primitive::check_length;
pub use primitive::{MapError, PrimitiveError};
use range::{MapValue, Pullback};
use rustc_hash::FxHashMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use typenum::{Const, ToUInt, U0, U1};

/// A smoothish map from N to M; see the [module](self). Cheap to clone.
#[doc(alias = "smoothish")]
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
    /// Returns the components, graphs over the [`coordinates`].
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
        primitive::check_length("the list", "variable", N::SIZE, variables.len())?;
        primitive::check_length("the list", "graph", M::SIZE, graphs.len())?;
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

/// A map ℝⁿ ⇝ ℝᵐ, with n and m at run time. Cheap to clone, the compiled form included.
#[derive(Clone, Debug)]
pub struct DynMap {
    input_count: usize,
    outputs: Arc<[Graph]>,
    program: Arc<OnceLock<CompiledMap>>,
    pullback_cache: Arc<Pullback>,
}

/// Returns the first n coordinates. All threads share one list, which grows as needed.
#[must_use]
pub fn coordinate_graphs(n: usize) -> Vec<Graph> {
    static ALL: RwLock<Vec<Graph>> = RwLock::new(Vec::new());
    // most calls find the list long enough, and readers do not wait for each other
    {
        let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = all.get(..n) {
            return first.to_vec();
        }
    }
    let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
    while all.len() < n {
        all.push(Graph::variable(Variable::fresh()));
    }
    all[..n].to_vec()
}

/// Returns the variables of the first n coordinates.
#[must_use]
pub fn coordinate_variables(n: usize) -> Vec<Variable> {
    coordinate_graphs(n).iter().filter_map(as_variable).collect()
}

/// Returns the variable of a coordinate. Returns `None` for another graph.
fn as_variable(g: &Graph) -> Option<Variable> {
    match g.operation() {
        NodeOperation::Variable(v) => Some(*v),
        _ => None,
    }
}

/// Substitutes graphs for variables, with one memo for all graphs.
fn substitute_in_all(graphs: &[Graph], bindings: &[(Variable, Graph)]) -> Vec<Graph> {
    // a binding of a variable to itself would only cost time
    let moved = |(v, g): &&(Variable, Graph)| as_variable(g) != Some(*v);
    let bindings: Vec<_> = bindings.iter().filter(moved).cloned().collect();
    let mut substitution = Substitution::new(&bindings);
    graphs.iter().map(|g| substitution.apply(g)).collect()
}

impl DynMap {
    /// Creates the map `coordinates ↦ outputs`. The outputs mention only the first `inputs` coordinates.
    fn new(input_count: usize, outputs: Vec<Graph>) -> Self {
        Self { input_count, outputs: outputs.into(), program: Arc::default(), pullback_cache: Arc::default() }
    }

    /// Creates the map `variables ↦ graphs`.
    ///
    /// # Errors
    /// [`MapError::Unbound`] if a graph mentions another variable.
    pub fn of_graphs(variables: &[Variable], graphs: &[Graph]) -> Result<Self, MapError> {
        if let Some(&variable) = CompiledMap::unbound_variables(variables, graphs).first() {
            return Err(MapError::Unbound { variable });
        }
        let bindings: Vec<_> = variables.iter().copied().zip(coordinate_graphs(variables.len())).collect();
        Ok(Self::new(variables.len(), substitute_in_all(graphs, &bindings)))
    }

    /// Returns the dimension n of the domain.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.input_count
    }

    /// Returns the components, over the first n [`coordinates`].
    #[must_use]
    pub fn outputs(&self) -> &[Graph] {
        &self.outputs
    }

    /// Returns the flat form, compiled once.
    #[must_use]
    pub fn program(&self) -> &CompiledMap {
        self.program.get_or_init(|| CompiledMap::compile(&coordinate_variables(self.input_count), &self.outputs))
    }

    /// Returns the cached results of reverse mode.
    fn pullback_cache(&self) -> &Pullback {
        &self.pullback_cache
    }

    /// Returns the components with `point` substituted for the coordinates.
    ///
    /// # Panics
    /// If `point` has not as many numbers as the domain has coordinates.
    #[must_use]
    pub fn outputs_at(&self, point: &[Graph]) -> Vec<Graph> {
        assert_eq!(point.len(), self.input_count);
        let bindings: Vec<_> = coordinate_variables(self.input_count).into_iter().zip(point.iter().cloned()).collect();
        substitute_in_all(&self.outputs, &bindings)
    }

    /// Returns g ∘ self.
    fn then(&self, g: &Self) -> Self {
        Self::new(self.input_count, g.outputs_at(&self.outputs))
    }

    /// Returns ⟨self, g⟩.
    fn pair(&self, g: &Self) -> Self {
        Self::new(self.input_count, [self.outputs(), g.outputs()].concat())
    }

    /// Maps every component.
    fn map_outputs(&self, f: impl FnMut(&Graph) -> Graph) -> Self {
        Self::new(self.input_count, self.outputs.iter().map(f).collect())
    }

    /// Combines the components of two maps with equal dimensions, one by one.
    fn zip_outputs(&self, other: &Self, f: impl Fn(&Graph, &Graph) -> Graph) -> Self {
        let outputs = self.outputs.iter().zip(other.outputs()).map(|(a, b)| f(a, b));
        Self::new(self.input_count, outputs.collect())
    }
}

impl<N: Dim, M: MapEnd> Map<N, M> {
    /// `id : N ⇝ N`
    ///
    /// ```compile_fail,E0277
    /// use smoothish_ad::prelude::*;
    /// let id = Map::<U2, U1>::id(); // an identity goes from an object to itself
    /// ```
    #[must_use]
    pub fn id() -> Self
    where
        N: SameEnd<M>,
    {
        Self::new(DynMap::new(N::SIZE, coordinate_graphs(N::SIZE)))
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
        let all = coordinate_graphs(n + g.as_dyn.input_count());
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
        Self::new(DynMap::new(A::SIZE + B::SIZE, coordinate_graphs(A::SIZE)))
    }
}

impl<A: Dim, B: Dim> Map<(A, B), B> {
    /// `snd : (A, B) ⇝ B`
    #[must_use]
    pub fn second() -> Self {
        let all = coordinate_graphs(A::SIZE + B::SIZE);
        Self::new(DynMap::new(all.len(), all[A::SIZE..].to_vec()))
    }
}

impl<N: Dim> Map<N, U1> {
    /// Returns the projection to a coordinate, counted from 0.
    ///
    /// # Errors
    /// [`MapError::Coordinate`] if there is no such coordinate.
    pub fn coordinate(index: usize) -> Result<Self, MapError> {
        let all = coordinate_graphs(N::SIZE);
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
    let all = coordinate_graphs(K);
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
        primitive::check_length("the constant", "component", M::SIZE, values.len())?;
        Ok(Self::new(DynMap::new(N::SIZE, values.iter().cloned().map(Graph::rational).collect())))
    }

    /// Creates the map to M with the given components.
    ///
    /// # Errors
    /// [`MapError::Length`] if there is not one map per coordinate of M.
    pub fn tuple(components: &[Map<N, U1>]) -> Result<Self, MapError> {
        primitive::check_length("the tuple", "map", M::SIZE, components.len())?;
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

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Applies a binary operation, coordinate by coordinate.
    #[must_use]
    pub fn apply_binary(&self, operation: Binary, other: &Self) -> Self {
        Self::new(self.as_dyn.zip_outputs(&other.as_dyn, |a, b| Graph::binary(operation, a, b)))
    }

    /// Applies a unary operation, coordinate by coordinate.
    #[must_use]
    pub fn apply_unary(&self, operation: Unary) -> Self {
        Self::new(self.as_dyn.map_outputs(|a| Graph::unary(operation, a)))
    }

    /// Applies a binary operation with one number as the right operand of every coordinate.
    fn with_number(&self, operation: Binary, number: Rational) -> Self {
        let number = Graph::rational(number);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(operation, a, &number)))
    }

    /// Applies a binary operation with one number as the left operand of every coordinate.
    fn number_with(&self, operation: Binary, number: Rational) -> Self {
        let number = Graph::rational(number);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(operation, &number, a)))
    }

    /// Returns max(a, b), coordinate by coordinate; its derivative where they are equal is the hull of both (S §4.3.2,
    /// E6).
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.apply_binary(Binary::Maximum, other)
    }

    /// Returns min(a, b), coordinate by coordinate.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        self.apply_binary(Binary::Minimum, other)
    }

    /// Returns |a|, with derivative [-1, 1] at 0.
    #[must_use]
    pub fn abs(&self) -> Self {
        self.apply_unary(Unary::Abs)
    }

    /// Returns max(0, a), with derivative [0, 1] at 0 (S §2.3).
    #[must_use]
    pub fn relu(&self) -> Self {
        // 0 first: at a tie `f64` tapes take the first argument, so the derivative of relu at 0 is 0 there
        let zero = Graph::integer(0);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(Binary::Maximum, &zero, a)))
    }

    /// Returns the sign: [-1, 1] at 0, where its derivative is ⊥.
    #[must_use]
    pub fn signum(&self) -> Self {
        self.apply_unary(Unary::Signum)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operation:expr) => {
        // all four combinations of owned and borrowed operands, as std has them for numbers
        impl<N: MapEnd, M: MapEnd> $trait for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, other: Self) -> Map<N, M> {
                self.apply_binary($operation, other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait for Map<N, M> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.apply_binary($operation, &other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<&Self> for Map<N, M> {
            type Output = Self;

            fn $method(self, other: &Self) -> Self {
                self.apply_binary($operation, other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<Map<N, M>> for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, other: Map<N, M>) -> Map<N, M> {
                self.apply_binary($operation, &other)
            }
        }

        operator!($trait, $method, $operation, i64);
        operator!($trait, $method, $operation, Rational);
    };
    ($trait:ident, $method:ident, $operation:expr, $number:ty) => {
        // a number is a constant in every coordinate
        impl<N: MapEnd, M: MapEnd> $trait<$number> for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, number: $number) -> Map<N, M> {
                self.with_number($operation, number.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<$number> for Map<N, M> {
            type Output = Self;

            fn $method(self, number: $number) -> Self {
                self.with_number($operation, number.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<&Map<N, M>> for $number {
            type Output = Map<N, M>;

            fn $method(self, map: &Map<N, M>) -> Map<N, M> {
                map.number_with($operation, self.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<Map<N, M>> for $number {
            type Output = Map<N, M>;

            fn $method(self, map: Map<N, M>) -> Map<N, M> {
                map.number_with($operation, self.into())
            }
        }
    };
}

operator!(Add, add, Binary::Add);
operator!(Sub, sub, Binary::Subtract);
operator!(Mul, mul, Binary::Multiply);
operator!(Div, div, Binary::Divide);

impl<N: MapEnd, M: MapEnd> Neg for &Map<N, M> {
    type Output = Map<N, M>;

    fn neg(self) -> Map<N, M> {
        self.apply_unary(Unary::Negate)
    }
}

impl<N: MapEnd, M: MapEnd> Neg for Map<N, M> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply_unary(Unary::Negate)
    }
}

macro_rules! methods {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        impl<N: MapEnd, M: MapEnd> Map<N, M> {
            $(#[doc = $about]
            #[must_use]
            pub fn $name(&self) -> Self {
                self.apply_function(Function::$variant)
            })*
        }
    };
}

functions!(methods);

macro_rules! special_methods {
    ($($id:ident $module:ident::$implementation:ident $(::<$n:literal>)? $family:ident { $($constant:ident $name:ident $order:literal,)* })*) => {
        impl<N: MapEnd, M: MapEnd> Map<N, M> {
            $($(#[doc = concat!("Applies the special function `", stringify!($name), "` to every coordinate.")]
            #[must_use]
            pub fn $name(&self) -> Self {
                self.apply_function(Function::$constant)
            })*)*
        }
    };
}

special_functions!(special_methods);

macro_rules! planar_methods {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        impl<N: MapEnd, M: MapEnd> Map<N, M> {
            $(#[doc = $about]
            ///
            /// Coordinate by coordinate; `self` is the first argument.
            #[must_use]
            pub fn $name(&self, other: &Self) -> Self {
                self.apply_binary(Binary::Planar(Planar::$variant), other)
            })*
        }
    };
}

planar_functions!(planar_methods);

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Applies an elementary function to every coordinate.
    #[must_use]
    pub fn apply_function(&self, f: Function) -> Self {
        self.apply_unary(Unary::Function(f))
    }

    /// Returns the derivative of [`digamma`](Self::digamma) of the given order; digamma itself for order 0.
    #[must_use]
    pub fn polygamma(&self, order: u16) -> Self {
        self.apply_function(Function::Special(SpecialId::Gamma, order.saturating_add(1)))
    }

    /// Returns the power with a rational exponent p/q in lowest terms: for q odd on all of ℝ, for q even on x ≥ 0; x⁰ =
    /// 1.
    ///
    /// # Errors
    /// [`MapError::Exponent`] if p or q is beyond a million.
    pub fn power(&self, exponent: &Rational) -> Result<Self, MapError> {
        let too_large = || MapError::Exponent { exponent: Box::new(exponent.clone()) };
        // all powers first, so that an exponent out of range is an error and not a partial result
        let powers: Option<Vec<_>> = self.components().iter().map(|a| Graph::power(a, exponent)).collect();
        let powers = powers.ok_or_else(too_large)?;
        let mut next = powers.into_iter();
        Ok(Self::new(self.as_dyn.map_outputs(|a| next.next().unwrap_or_else(|| a.clone()))))
    }

    /// Returns xⁿ for a small integer n; `powi(0)` is 1.
    #[must_use]
    pub fn powi(&self, n: i16) -> Self {
        let exponent = Rational::from(n);
        Self::new(self.as_dyn.map_outputs(|a| Graph::power(a, &exponent).unwrap_or_else(|| a.clone())))
    }
}

impl<N: MapEnd> Map<(N, U1), U1> {
    /// Applies `node` to the last variable, renamed, and the body that it binds.
    #[doc(hidden)]
    pub fn bind_last(&self, node: impl Fn(Variable, &Graph) -> Graph) -> Map<N, U1> {
        let n = self.as_dyn.input_count() - 1;
        let t = Variable::fresh();
        // the bound variable is fresh: inputs of all maps share their names, so t would capture others
        let bound: Vec<_> = coordinate_variables(n + 1).into_iter().skip(n).map(|v| (v, Graph::variable(t))).collect();
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

/// Returns Σ c·x over the entries of a row.
fn linear_combination(row: &[(usize, Rational)], x: &[Graph]) -> Graph {
    let mut sum: Option<Graph> = None;
    for (j, c) in row {
        // a sign becomes a subtraction, so that the map prints as one would write it
        let size = Rational::from(c.abs_ref());
        let term =
            if size == 1 { x[*j].clone() } else { Graph::binary(Binary::Multiply, &Graph::rational(size), &x[*j]) };
        sum = Some(match (sum, *c < 0) {
            (None, false) => term,
            (None, true) => Graph::unary(Unary::Negate, &term),
            (Some(s), false) => Graph::binary(Binary::Add, &s, &term),
            (Some(s), true) => Graph::binary(Binary::Subtract, &s, &term),
        });
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Creates `linear(f)` for a linear map with rational coefficients. The result does not depend on coordinates with
    /// the entry 0.
    ///
    /// # Errors
    /// [`MapError::Length`] if the matrix has another size.
    pub fn linear(f: &LinearMap) -> Result<Self, MapError> {
        check_length("each row of the matrix", "component", N::SIZE, f.inputs())?;
        check_length("the matrix", "row", M::SIZE, f.outputs())?;
        let x = coordinate_graphs(N::SIZE);
        Ok(Self::new(DynMap::new(N::SIZE, f.rows().map(|row| linear_combination(row, &x)).collect())))
    }

    /// Creates `linear(f)` for a matrix, one row per coordinate of M.
    ///
    /// ```
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::U2;
    /// let turn: Map<U2, U2> = Map::matrix([[0.into(), (-1).into()], [1.into(), 0.into()]]);
    /// assert_eq!(turn.to_string(), "\\x y => (-y, x)");
    /// ```
    #[must_use]
    pub fn matrix<const ROWS: usize, const COLUMNS: usize>(rows: [[Rational; COLUMNS]; ROWS]) -> Self
    where
        Const<COLUMNS>: ToUInt<Output = N>,
        Const<ROWS>: ToUInt<Output = M>,
    {
        let x = coordinate_graphs(COLUMNS);
        let row = |row: [Rational; COLUMNS]| {
            let entries: Vec<_> = row.into_iter().enumerate().filter(|(_, c)| !c.is_zero()).collect();
            linear_combination(&entries, &x)
        };
        Self::new(DynMap::new(COLUMNS, rows.into_iter().map(row).collect()))
    }
}

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
    #[doc(alias = "foldDer")]
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

/// A condition on the points of N; see the [module](self). Cheap to clone.
#[derive(Clone, Debug)]
pub struct MapGuard<N>(Map<N, U1>);

/// A guard at a point, to be decided.
#[derive(Debug)]
pub struct GuardDecision(MapValue);

impl<N: MapEnd> Map<N, U1> {
    /// Creates the guard f > 0, which also stands for f ≥ 0.
    #[must_use]
    pub fn positive(&self) -> MapGuard<N> {
        MapGuard(self.clone())
    }

    /// Creates the guard f < g, which also stands for f ≤ g.
    #[must_use]
    pub fn less_than(&self, other: &Self) -> MapGuard<N> {
        let zip = |a: &graph::Graph, b: &graph::Graph| graph::Guard::less_than(a, b).number().clone();
        MapGuard(Self::new(self.as_dyn.zip_outputs(&other.as_dyn, zip)))
    }
}

impl<N: MapEnd> MapGuard<N> {
    /// Returns the conjunction.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.min(&other.0))
    }

    /// Returns the disjunction.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(self.0.max(&other.0))
    }

    /// Returns the negation.
    #[must_use]
    pub fn not(&self) -> Self {
        Self(-&self.0)
    }

    /// Creates the map that equals `then` where the guard holds, and `otherwise` where it fails.
    #[must_use]
    pub fn select<M: MapEnd>(&self, then: &Map<N, M>, otherwise: &Map<N, M>) -> Map<N, M> {
        // one guard for all coordinates
        let guard = self.0.components().first().map(graph::Guard::positive);
        let choose = |a: &graph::Graph, b: &graph::Graph| match &guard {
            Some(guard) => graph::Graph::select(guard, a, b),
            None => a.clone(),
        };
        Map::new(then.as_dyn.zip_outputs(&otherwise.as_dyn, choose))
    }

    /// Returns the number that is positive where the guard holds and negative where it fails.
    #[must_use]
    pub fn number(&self) -> &Map<N, U1> {
        &self.0
    }
}

impl<N: Dim> MapGuard<N> {
    /// Returns the guard at an exact point, given as an array.
    #[must_use]
    pub fn at_point<const K: usize>(&self, x: [Rational; K]) -> GuardDecision
    where
        Const<K>: ToUInt<Output = N>,
    {
        GuardDecision(self.0.at(x))
    }
}

impl GuardDecision {
    /// Decides the guard, as far as the budget allows: the sign of its number, undecided on the boundary.
    ///
    /// # Errors
    /// [`MapError::Smooth`] for a broken promise or a contradiction.
    pub fn decide(&self, budget: &Budget) -> Result<SignAnswer, MapError> {
        let [number] = self.0.components() else { return Ok(SignAnswer::undecided()) };
        Ok(number.decide_sign(budget)?)
    }
}

impl DynMap {
    /// Draws the graph of the map.
    #[must_use]
    pub fn picture(&self) -> MapPicture {
        let names = PrimitiveNames::of_graphs(self.outputs());
        let mut b = PictureBuilder {
            picture: DiGraph::new(),
            variables: FxHashMap::default(),
            known: FxHashMap::default(),
            names,
        };
        for (i, x) in coordinate_graphs(self.input_count()).iter().enumerate() {
            let label = if self.input_count() <= 3 { ["x", "y", "z"][i].to_owned() } else { format!("x{i}") };
            let node = b.picture.add_node(PictureNode { label, kind: PictureNodeKind::Input });
            b.variables.extend(as_variable(x).map(|v| (v, node)));
        }
        // depth first; deep graphs need no recursion
        let mut open = Vec::new();
        for (i, g) in self.outputs().iter().enumerate() {
            let from = b.graph_node(g, &mut open);
            let label = if self.outputs().len() == 1 { "result".to_owned() } else { format!("result {i}") };
            let to = b.picture.add_node(PictureNode { label, kind: PictureNodeKind::Output });
            b.picture.add_edge(from, to, ArrowRole::Argument);
        }
        while let Some(g) = open.pop() {
            let Some(&to) = b.known.get(&g.address()) else { continue };
            for (part, role) in operands_and_body(g.operation()).into_iter().zip(arrow_roles(g.operation())) {
                let from = b.graph_node(part, &mut open);
                b.picture.add_edge(from, to, role);
            }
            // a dashed arrow from each bound variable to its binder
            for v in g.operation().binder().map_or(&[][..], |(bound, _)| bound) {
                let from = b.variable_node(*v);
                b.picture.add_edge(from, to, ArrowRole::Binds);
            }
        }
        MapPicture(b.picture)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Draws the graph of the map: [`to_dot`](MapPicture::to_dot), [`to_svg`](MapPicture::to_svg).
    ///
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let s: Map<U2, U1> = x.sin() * y;
    /// let picture = (&s * &s).picture();
    /// assert_eq!(picture.len(), 6); // x, y, sin, two products, and the result
    /// assert!(picture.to_dot().starts_with("digraph {") && picture.to_svg().starts_with("<svg "));
    /// ```
    #[must_use]
    pub fn picture(&self) -> MapPicture {
        self.as_dyn.picture()
    }
}

impl DynMap {
    /// Registers a primitive ℝⁿ ⇝ ℝ, n = `arity`: an interval extension with a derivative ℝ²ⁿ ⇝ ℝ. The derivative is
    /// built from the primitive itself, which it may mention. See the [module](self) for the tests.
    ///
    /// # Errors
    /// Every [`PrimitiveError`].
    pub fn primitive(
        name: &str,
        arity: usize,
        extension: impl Extension + 'static,
        derivative: impl Fn(&DynMap) -> DynMap + Send + Sync + 'static,
        boxes: &[Vec<InputInterval>],
    ) -> Result<Self, PrimitiveError> {
        check_name(name)?;
        let apply = move |p: &Arc<Primitive>| Self::new(arity, vec![Graph::primitive(p, coordinate_graphs(arity))]);
        let derivative = Arc::new(derivative);
        let rule = derivative.clone();
        let value = ValueRule::Extension(Arc::new(extension));
        let primitive = Primitive::with_self(name, arity, value, move |p, x, v| {
            let derivative = rule(&apply(p));
            // a derivative that changes its shape after registration is ⊥
            let fits = (derivative.input_count(), derivative.outputs().len()) == (2 * arity, 1);
            let slope = if fits { derivative.outputs_at(&[x, v].concat()).pop() } else { None };
            slope.unwrap_or_else(|| Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0)))
        });
        let (map, derivative) = (Arc::new(apply(&primitive)), Arc::new(derivative(&apply(&primitive))));
        let (inputs, outputs) = (derivative.input_count(), derivative.outputs().len());
        if (inputs, outputs) != (2 * arity, 1) {
            return Err(PrimitiveError::Dimension { name: name.to_owned(), arity, inputs, outputs });
        }
        Self::check_primitive(&PrimitiveBuilder { name: name.to_owned(), map, derivative }, boxes)?;
        Ok(apply(&primitive))
    }

    /// Runs the tests of a primitive that can refute it, on boxes of its domain.
    ///
    /// # Errors
    /// Every [`PrimitiveError`] of a test.
    pub fn check_primitive(candidate: &PrimitiveBuilder, boxes: &[Vec<InputInterval>]) -> Result<(), PrimitiveError> {
        let (name, arity) = (&*candidate.name, candidate.map.input_count());
        let checked = boxes.iter().map(|ranges| range::check_box(arity, ranges)).collect::<Result<Vec<_>, _>>();
        let boxes = checked.map_err(|error| PrimitiveError::Box { name: name.to_owned(), error })?;
        let has_interior = |ranges: &Vec<InputInterval>, i: usize| ranges[i][0] != ranges[i][1];
        let mut coordinates = 0..arity;
        if let Some(coordinate) = coordinates.find(|i| !boxes.is_empty() && !boxes.iter().any(|b| has_interior(b, *i)))
        {
            return Err(PrimitiveError::Point { name: name.to_owned(), coordinate });
        }
        let (mut enclosed, mut is_linear, mut moved) = (false, false, vec![false; arity]);
        for ranges in &boxes {
            enclosed |= check_enclosing(candidate, ranges)?;
            is_linear |= check_linearity(candidate, ranges)?;
            if check_consistency(candidate, ranges)? {
                (0..arity).for_each(|i| moved[i] |= has_interior(ranges, i));
            }
        }
        // every test must have seen something, in every coordinate
        if !enclosed || !is_linear || moved.contains(&false) {
            return Err(PrimitiveError::Untested { name: name.to_owned() });
        }
        Ok(())
    }
}

impl DynMap {
    /// Returns the names of the primitives from outside that the map mentions, in alphabetical order. Of several
    /// registered under one name, the second is `name'2`, the third `name'3`.
    #[must_use]
    pub fn trusted_primitives(&self) -> Vec<String> {
        let mut names: Vec<_> = PrimitiveNames::of_graphs(self.outputs()).0.into_values().collect();
        names.sort();
        names
    }
}

impl<N: Dim> Map<N, U1> {
    /// Registers a primitive from outside: an interval extension, and a derivative `(N, N) ⇝ ℝ`. The derivative is
    /// built on demand from the primitive, so that it may mention it.
    ///
    /// It is tested on `boxes`, which lie in its domain and should be wide; see the [module](self) for the tests, and
    /// for the size of errors that they find. The example `own_primitive` registers Lambert's W.
    ///
    /// # Errors
    /// Every [`PrimitiveError`].
    pub fn primitive(
        name: &str,
        extension: impl Extension + 'static,
        derivative: impl Fn(&Self) -> Map<(N, N), U1> + Send + Sync + 'static,
        boxes: &[Vec<InputInterval>],
    ) -> Result<Self, PrimitiveError> {
        let rule = move |own: &DynMap| DynMap::clone(&derivative(&Self::new(own.clone())).as_dyn);
        Ok(Self::new(DynMap::primitive(name, N::SIZE, extension, rule, boxes)?))
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the names of the primitives from outside that the map mentions. Its answers assume their enclosures and
    /// derivatives. Of several with one name, in the order of registration, the second is `name'2`, the third `name'3`,
    /// as in print. Empty for a map made of the library's own operations.
    #[must_use]
    pub fn trusted_primitives(&self) -> Vec<String> {
        self.as_dyn.trusted_primitives()
    }
}

impl DynMap {
    /// Serialises the map to bytes; see [`exchange`](crate::smooth::exchange).
    ///
    /// # Errors
    /// [`ExchangeError::Primitive`] for a primitive from outside; [`ExchangeError::TooLarge`] beyond the limits of reading.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        let bytes = crate::smooth::exchange::binary::write_binary(&list_records(self)?);
        crate::smooth::exchange::check_length(bytes.len(), "bytes", MOST_BYTES)?;
        Ok(bytes)
    }

    /// Reads a map from bytes; see [`exchange`](crate::smooth::exchange).
    ///
    /// # Errors
    /// [`ExchangeError`], for bytes that do not describe a map.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        // before anything is allocated
        crate::smooth::exchange::check_length(bytes.len(), "bytes", MOST_BYTES)?;
        let mut builder = RecordReader::default();
        crate::smooth::exchange::binary::read_binary(bytes, &mut builder)?.into_map(builder)
    }

    /// Serialises the map to JSON; see [`exchange`](crate::smooth::exchange).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        let text = crate::smooth::exchange::json::write_json(&list_records(self)?);
        crate::smooth::exchange::check_length(text.len(), "bytes of JSON", crate::smooth::exchange::MOST_JSON_BYTES)?;
        Ok(text)
    }

    /// Reads a map from JSON; see [`exchange`](crate::smooth::exchange).
    ///
    /// # Errors
    /// [`ExchangeError`], for a text that does not describe a map.
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        crate::smooth::exchange::check_length(text.len(), "bytes of JSON", crate::smooth::exchange::MOST_JSON_BYTES)?;
        let mut builder = RecordReader::default();
        crate::smooth::exchange::json::read_json(text, &mut builder)?.into_map(builder)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Serialises the map to bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        self.as_dyn().to_bytes()
    }

    /// Serialises the map to JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        self.as_dyn().to_json()
    }
}

impl Map<Dyn, Dyn> {
    /// Reads a map from bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        DynMap::from_bytes(bytes).map(Self::from_dyn)
    }

    /// Reads a map from JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::from_json`].
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        DynMap::from_json(text).map(Self::from_dyn)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the reference tower of the map, composed literally (S Fig. 4).
    ///
    /// # Errors
    /// [`MapError::Tower`] if parts of the map do not fit.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let relu = Map::<U1, U1>::id().relu();
    /// let slope = relu.tower()?.derivative_at(&[0.into()], &[vec![1.into()]], 64)?;
    /// assert_eq!(slope[0].to_string(), "[0, 1]");
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn tower(&self) -> Result<TypedTower<N, M>, MapError> {
        let n = self.as_dyn.input_count();
        let variables = coordinate_variables(n);
        // a map to ℝᵐ is the pairing of its components, starting from the map to ℝ⁰
        let tuple = |tuple: Tower<Mpfr>, g| tuple.pair(&Tower::of_graph(g, &variables)?);
        let tower = self.components().iter().try_fold(Tower::terminal(n), tuple)?;
        Ok(TypedTower { tower, shape: PhantomData })
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
