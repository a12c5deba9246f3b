//! Maps `Γ ⇝ ℝ` as shared graphs.
//!
//! A [`Graph`] is an expression with free [`Variable`]s: an element of the representable presheaf of ℝ at the stage
//! whose coordinates are those variables. Variables are globally fresh names, so weakening is the identity, and
//! composition (restriction along a map) is [`substitute`](Graph::substitute). A graph is a DAG: every traversal
//! memoises by node, and dropping is iterative.
//!
//! | here | in the paper (S) |
//! |---|---|
//! | [`Graph::variable`], [`Graph::substitute`] | projections and composition, §4.4 |
//! | [`Graph::derivative`] | `f′ ∘ ⟨⟨id, e⟩, ⟨0, de⟩⟩`, the clause of ∂ in Fig. 4 |
//! | [`Graph::primitive`] | `foldDer(f, g)`, §4.3 |
//! | [`Guard`], [`Graph::select`] | conditionals on comparisons of real numbers, which extend S §8.1 |
//! | [`Graph::integral`], [`Graph::cut_root`], [`Graph::first_root`], [`Graph::maximum`], [`Graph::maximiser`] | §5.2 |
//!
//! # Operations at the nodes of a graph
//!
//! # Guards
//!
//! Conditions on real numbers, and the choice between two maps by one.
//!
//! A guard is built from `g > 0` by ∧, ∨, ¬. It holds on an open set, fails on an open set, and is ⊥ on the boundary
//! between them: `<` and `≤` mean the same. So a guard is represented by a real number, positive where it holds and
//! negative where it fails, and Kleene's connectives are lattice operations on these numbers:
//!
//! | guard | number |
//! |---|---|
//! | g > 0 | g |
//! | p ∧ q, p ∨ q, ¬p | min(p, q), max(p, q), -p |
//! | if p then q else r | the choice of q or r by p |
//!
//! ∧ and ∨ are decided on the boundary of one side if the other side decides them. Both sides must be defined, as with
//! every operation. In a choice between guards the branch that is not taken may be undefined.
//!
//! [`Graph::select`] is the choice between two maps:
//!
//! | guard at the point | value | derivatives |
//! |---|---|---|
//! | holds | the first map; the second does not count, not even for definedness | its derivatives |
//! | fails | the second map, likewise | its derivatives |
//! | boundary, or not decided on the box | the hull of both, not defined | ⊥ |
//!
//! A guard that is decided at a point is decided nearby, hence the derivatives. Where it is not decided there are none,
//! not even Clarke's: with the hull of the slopes of both sides, `d/dt ∫[u < t] du` would be 0, but it is 1. A choice
//! between a map and itself is ⊥ on the boundary as well.
//!
//! # Variables of a graph, over-approximated
//!
//! A constant-size over-approximation of the variables that occur in a graph.
//!
//! A list of the free variables at every node would make a graph of n inputs cost n² to build. Instead, a node keeps an
//! enclosure of the variables that occur, bound ones included: the least and the greatest, and their remainders modulo
//! 64. A binder's variable is younger than the variables its body captures, so the enclosures of most graphs are
//! disjoint if the variables are. Otherwise the graph is searched. The occurrence of a derivative is known exactly.
//!
//! # Free occurrences of a set of variables in graphs
//!
//! # Equality of graphs up to the names of bound variables

use crate::function::{Function, Functional, Planar, PowerKind, RealOperation};
use crate::number::Rational;
use crate::smooth::primitive::Primitive;
use crate::smooth::program::CompiledMap;
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
pub use crate::undefined::SourceId;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::iter::{Product, Sum};
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A coordinate of a stage. Every call of [`Variable::fresh`] gives a new one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(u64);

impl Variable {
    /// Returns a variable that occurs nowhere yet.
    #[must_use]
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A map `Γ ⇝ ℝ`; see the [module](self). Cheap to clone.
#[derive(Clone)]
pub struct Graph(Arc<ExprNode>);

struct ExprNode {
    operation: NodeOperation,
    occurrences: Occurrences,
    site: SourceId,
}

impl Graph {
    pub(in crate::smooth) fn new(operation: NodeOperation) -> Self {
        // computed once, bottom up: constant time per node
        let occurrences = Occurrences::in_operation(&operation);
        Self(Arc::new(ExprNode { operation, occurrences, site: SourceId::NOWHERE }))
    }

    /// Sets the source position of the node, unless it has one, or is shared.
    #[must_use]
    pub fn at_site(mut self, site: SourceId) -> Self {
        // a shared node may stand at several positions, so it keeps none
        if let Some(node) = Arc::get_mut(&mut self.0).filter(|node| node.site == SourceId::NOWHERE) {
            node.site = site;
        }
        self
    }

    /// Returns the source position of the node.
    #[must_use]
    pub fn site(&self) -> SourceId {
        self.0.site
    }

    /// Creates the projection to a coordinate.
    #[must_use]
    pub fn variable(v: Variable) -> Self {
        Self::new(NodeOperation::Variable(v))
    }

    /// Creates a constant map.
    #[must_use]
    pub fn rational(q: Rational) -> Self {
        Self::new(NodeOperation::Rational(Arc::new(q)))
    }

    /// Creates a constant map to an integer.
    #[must_use]
    pub fn integer(n: i64) -> Self {
        Self::rational(Rational::from(n))
    }

    /// Creates π.
    #[must_use]
    pub fn pi() -> Self {
        Self::new(NodeOperation::Pi)
    }

    /// Creates Euler's number.
    #[must_use]
    pub fn euler() -> Self {
        Self::new(NodeOperation::Euler)
    }

    /// Creates a unary operation. The negative of a constant is a constant.
    #[must_use]
    pub fn unary(operation: Unary, a: &Self) -> Self {
        // folded, so that literals such as `-1/2` are constants
        if let (Unary::Negate, Some(q)) = (operation, a.as_rational()) {
            return Self::rational(Rational::from(-q));
        }
        Self::new(NodeOperation::Unary(operation, a.clone()))
    }

    /// Creates an elementary function applied to `a`.
    #[must_use]
    pub fn function(f: Function, a: &Self) -> Self {
        Self::unary(Unary::Function(f), a)
    }

    /// Creates a binary operation. Arithmetic on constants of moderate size is carried out exactly; division by 0 is
    /// not.
    #[must_use]
    pub fn binary(operation: Binary, a: &Self, b: &Self) -> Self {
        if let (Some(p), Some(q)) = (a.as_rational(), b.as_rational())
            && constant_bits(p) + constant_bits(q) <= LARGEST_EXACT_CONSTANT
        {
            match operation {
                Binary::Add => return Self::rational(Rational::from(p + q)),
                Binary::Subtract => return Self::rational(Rational::from(p - q)),
                Binary::Multiply => return Self::rational(Rational::from(p * q)),
                Binary::Divide if !q.is_zero() => return Self::rational(Rational::from(p / q)),
                _ => {}
            }
        }
        Self::new(NodeOperation::Binary(operation, a.clone(), b.clone()))
    }

    /// Creates a^(p/q), the exponent in lowest terms. Returns `None` if it does not fit [`RationalExponent`]. a⁰ is 1 where a
    /// is defined.
    #[must_use]
    pub fn power(a: &Self, exponent: &Rational) -> Option<Self> {
        let numerator = exponent.numer().to_i64().filter(|n| n.unsigned_abs() <= LARGEST_EXPONENT)?;
        let denominator = exponent.denom().to_u32().filter(|&n| u64::from(n) <= LARGEST_EXPONENT)?;
        Some(match (numerator, denominator) {
            // a⁰ for a variable a stays a node: it is undefined where a is
            (0, _) if a.as_rational().is_some() => Self::integer(1),
            (1, 1) => a.clone(),
            _ => Self::new(NodeOperation::Power(a.clone(), RationalExponent { numerator, denominator })),
        })
    }

    /// Creates a primitive applied to as many arguments as it takes.
    #[must_use]
    pub fn primitive(p: &Arc<Primitive>, arguments: Vec<Self>) -> Self {
        Self::new(NodeOperation::Primitive(p.clone(), arguments))
    }

    /// Creates `D body (at) · along`: the directional derivative of `body` as a map of `variables`, the other free
    /// variables held fixed. `variables`, `at` and `along` have one length. The derivative of a constant is 0.
    ///
    /// # Panics
    /// If the lengths differ.
    #[must_use]
    pub fn derivative(variables: Vec<Variable>, body: Self, at: Vec<Self>, along: Vec<Self>) -> Self {
        assert!(variables.len() == at.len() && variables.len() == along.len());
        Self::derivative_node(Derivative { variables, body, at, along, coordinate_index: None })
    }

    /// Creates `∂body/∂variables[place] (at)`: the partial derivative, with all other variables held fixed.
    ///
    /// # Panics
    /// If `variables` and `at` differ in length, or `place` is not an index of them.
    #[must_use]
    pub fn partial(variables: Vec<Variable>, body: Self, at: Vec<Self>, place: usize) -> Self {
        assert!(variables.len() == at.len() && place < at.len());
        let along = (0..at.len()).map(|i| Self::integer(i64::from(i == place))).collect();
        Self::derivative_node(Derivative { variables, body, at, along, coordinate_index: Some(place) })
    }

    /// Creates the node of [`derivative`](Self::derivative) or [`partial`](Self::partial).
    pub(in crate::smooth) fn derivative_node(derivative: Derivative) -> Self {
        // folded only for literal constants: in general a body that is 0 may be undefined somewhere
        if matches!(derivative.body.operation(), NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler)
        {
            return Self::integer(0);
        }
        Self::new(NodeOperation::Derivative(Arc::new(derivative)))
    }

    /// Creates a second-order primitive applied to the function `variable ↦ body`.
    #[must_use]
    pub fn second_order(primitive: SecondOrder, variable: Variable, body: Self) -> Self {
        Self::new(NodeOperation::Second(primitive, variable, body))
    }

    /// Creates ∫₀¹ body d(variable).
    #[must_use]
    pub fn integral(variable: Variable, body: Self) -> Self {
        Self::second_order(SecondOrder::Integral, variable, body)
    }

    /// Creates the root of `variable ↦ body`, a function positive to its left and negative to its right.
    #[must_use]
    pub fn cut_root(variable: Variable, body: Self) -> Self {
        Self::second_order(SecondOrder::CutRoot, variable, body)
    }

    /// Returns the variable and the function of a first root. Returns `None` for another node.
    #[must_use]
    pub fn as_first_root(&self) -> Option<(Variable, &Self)> {
        match self.operation() {
            NodeOperation::Second(SecondOrder::FirstRoot, variable, body) => Some((*variable, body)),
            _ => None,
        }
    }

    /// Creates the first root of `variable ↦ body` in [0, 1], from positive to negative: see
    /// [`SecondOrder::FirstRoot`].
    #[must_use]
    pub fn first_root(variable: Variable, body: Self) -> Self {
        Self::second_order(SecondOrder::FirstRoot, variable, body)
    }

    /// Creates the maximum of `variable ↦ body` on [0, 1].
    #[must_use]
    pub fn maximum(variable: Variable, body: Self) -> Self {
        Self::second_order(SecondOrder::Maximum, variable, body)
    }

    /// Creates the hull of the points at which `variable ↦ body` is largest on [0, 1].
    #[must_use]
    pub fn maximiser(variable: Variable, body: Self) -> Self {
        Self::second_order(SecondOrder::Maximiser, variable, body)
    }

    /// Returns the operation of the node.
    #[must_use]
    pub fn operation(&self) -> &NodeOperation {
        &self.0.operation
    }

    /// Returns an enclosure of the variables that occur free.
    #[must_use]
    pub fn occurrences(&self) -> Occurrences {
        self.0.occurrences
    }

    /// Returns `true` if `v` occurs free.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        let wanted = Occurrences::of_variable(v);
        let (mut pending, mut seen) = (vec![self], FxHashSet::default());
        while let Some(g) = pending.pop() {
            // most subterms are excluded by their enclosure of variables, without a search
            if !g.occurrences().may_meet(wanted) || !seen.insert(g.address()) {
                continue;
            }
            if matches!(g.operation(), NodeOperation::Variable(w) if *w == v) {
                return true;
            }
            pending.extend(g.operation().operands());
            pending.extend(g.operation().binder().filter(|(bound, _)| !bound.contains(&v)).map(|(_, body)| body));
        }
        false
    }

    /// Returns the constant. Returns `None` if the node is not a rational constant.
    #[must_use]
    pub fn as_rational(&self) -> Option<&Rational> {
        match self.operation() {
            NodeOperation::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// Visits the factors of a product from left to right, each with its integer exponent, where `self` has the exponent `n`.
    ///
    /// Products, quotients, negatives (into -1 and their operand) and integer powers other than 0 can be split. `take` gets
    /// a node with its exponent, and `true` if it can be split. It returns `true` if it takes the node as a whole.
    pub fn split_factors(&self, n: i64, take: &mut dyn FnMut(&Self, i64, bool) -> bool) {
        let minus_one = Self::integer(-1);
        let mut waiting = vec![(self, n)];
        // a list of its own in place of recursion, since products may be as long as programs
        while let Some((g, n)) = waiting.pop() {
            let parts: SmallVec<[(&Self, i64); 2]> = match g.operation() {
                NodeOperation::Binary(Binary::Multiply, a, b) => smallvec![(b, n), (a, n)],
                NodeOperation::Binary(Binary::Divide, a, b) => smallvec![(b, -n), (a, n)],
                NodeOperation::Binary(Binary::Subtract, zero, a) if zero.is_constant(0) => {
                    smallvec![(a, n), (&minus_one, n)]
                }
                NodeOperation::Unary(Unary::Negate, a) => smallvec![(a, n), (&minus_one, n)],
                NodeOperation::Power(a, e) if e.denominator == 1 && e.numerator != 0 => {
                    n.checked_mul(e.numerator).into_iter().map(|n| (a, n)).collect()
                }
                _ => SmallVec::new(),
            };
            if !take(g, n, !parts.is_empty()) {
                // (-1)ⁿ is 1 for an even n
                waiting.extend(parts.into_iter().filter(|(g, n)| n % 2 != 0 || g.address() != minus_one.address()));
            }
        }
    }

    /// Returns the identity of the node, for memo tables. It is unique while the node lives.
    #[must_use]
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns `true` if there are several references to the node, so that a traversal may reach it again.
    #[must_use]
    pub(in crate::smooth) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Returns the nodes of some graphs, each once, those under binders included.
    #[must_use]
    pub fn all_nodes<'g>(graphs: impl IntoIterator<Item = &'g Self>) -> Vec<&'g Self> {
        let (mut pending, mut seen): (Vec<_>, _) = (graphs.into_iter().collect(), FxHashSet::default());
        let mut found = Vec::new();
        while let Some(g) = pending.pop() {
            if seen.insert(g.address()) {
                pending.extend(g.operation().operands());
                pending.extend(g.operation().binder().map(|(_, body)| body));
                found.push(g);
            }
        }
        found
    }

    /// Composes: replaces every free occurrence of the variables by graphs, simultaneously.
    #[must_use]
    pub fn substitute(&self, bindings: &[(Variable, Self)]) -> Self {
        Substitution::new(bindings).apply(self)
    }
}

/// Constants are folded exactly while numerators and denominators together have at most this many bits. A choice:
/// longer exact constants make every precision slow.
const LARGEST_EXACT_CONSTANT: u64 = 1 << 14;
/// The largest numerator or denominator of a rational power. A choice.
pub const LARGEST_EXPONENT: u64 = 1_000_000;

fn constant_bits(q: &Rational) -> u64 {
    u64::from(q.numer().significant_bits()) + u64::from(q.denom().significant_bits())
}

macro_rules! graph_operator {
    ($trait:ident, $method:ident, $simplified:ident) => {
        // all four combinations of owned and borrowed operands, as std has them for numbers
        graph_operator!($trait, $method, $simplified, &Graph, &Graph, |a, b| (a, b));
        graph_operator!($trait, $method, $simplified, Graph, Graph, |a, b| (&a, &b));
        graph_operator!($trait, $method, $simplified, Graph, &Graph, |a, b| (&a, b));
        graph_operator!($trait, $method, $simplified, &Graph, Graph, |a, b| (a, &b));
        // a number is a constant
        graph_operator!($trait, $method, $simplified, &Graph, i64, |a, b| (a, &Graph::integer(b)));
        graph_operator!($trait, $method, $simplified, Graph, i64, |a, b| (&a, &Graph::integer(b)));
        graph_operator!($trait, $method, $simplified, i64, &Graph, |a, b| (&Graph::integer(a), b));
        graph_operator!($trait, $method, $simplified, i64, Graph, |a, b| (&Graph::integer(a), &b));
        graph_operator!($trait, $method, $simplified, &Graph, Rational, |a, b| (a, &Graph::rational(b)));
        graph_operator!($trait, $method, $simplified, Graph, Rational, |a, b| (&a, &Graph::rational(b)));
        graph_operator!($trait, $method, $simplified, Rational, &Graph, |a, b| (&Graph::rational(a), b));
        graph_operator!($trait, $method, $simplified, Rational, Graph, |a, b| (&Graph::rational(a), &b));
    };
    ($trait:ident, $method:ident, $simplified:ident, $left:ty, $right:ty, |$a:ident, $b:ident| ($l:expr, $r:expr)) => {
        impl $trait<$right> for $left {
            type Output = Graph;

            fn $method(self, other: $right) -> Graph {
                let ($a, $b) = (self, other);
                Graph::$simplified($l, $r)
            }
        }
    };
}

graph_operator!(Add, add, simplified_sum);
graph_operator!(Sub, sub, simplified_difference);
graph_operator!(Mul, mul, simplified_product);
graph_operator!(Div, div, simplified_quotient);

impl Neg for &Graph {
    type Output = Graph;

    fn neg(self) -> Graph {
        match self.operation() {
            // -(-x) is x, with the same domain
            NodeOperation::Unary(Unary::Negate, x) => x.clone(),
            _ => Graph::unary(Unary::Negate, self),
        }
    }
}

impl Neg for Graph {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

macro_rules! graph_fold {
    ($trait:ident, $method:ident, $neutral:literal, $simplified:ident) => {
        impl $trait for Graph {
            fn $method<I: Iterator<Item = Self>>(all: I) -> Self {
                all.reduce(|a, b| Self::$simplified(&a, &b)).unwrap_or_else(|| Self::integer($neutral))
            }
        }

        impl<'g> $trait<&'g Graph> for Graph {
            fn $method<I: Iterator<Item = &'g Self>>(all: I) -> Self {
                all.cloned().$method()
            }
        }
    };
}

graph_fold!(Sum, sum, 0, simplified_sum);
graph_fold!(Product, product, 1, simplified_product);

/// Constructors that simplify, as the operators `+ - * /` do. [`unary`](Graph::unary) and [`binary`](Graph::binary)
/// make the node as it is written.
///
/// A rewriting keeps the value and the domain: x + 0, x - 0, x·1, x/1 and -(-x) are x, 0 - x is -x, x + -y is x - y, and operations on
/// constants are carried out. Not so 0·x, x - x and x/x, which hide where x is undefined:
/// [`times_where_defined`](Graph::times_where_defined).
impl Graph {
    /// Returns `true` for the constant `n`.
    #[must_use]
    pub fn is_constant(&self, n: i64) -> bool {
        self.as_rational().is_some_and(|q| *q == n)
    }

    fn simplified_sum(a: &Self, b: &Self) -> Self {
        match () {
            () if a.is_constant(0) => b.clone(),
            () if b.is_constant(0) => a.clone(),
            () => match b.operation() {
                // one operation in place of two
                NodeOperation::Unary(Unary::Negate, b) => Self::simplified_difference(a, b),
                _ => Self::binary(Binary::Add, a, b),
            },
        }
    }

    fn simplified_difference(a: &Self, b: &Self) -> Self {
        match () {
            () if b.is_constant(0) => a.clone(),
            () if a.is_constant(0) => -b,
            () => Self::binary(Binary::Subtract, a, b),
        }
    }

    fn simplified_product(a: &Self, b: &Self) -> Self {
        match () {
            () if a.is_constant(1) => b.clone(),
            () if b.is_constant(1) => a.clone(),
            () => Self::binary(Binary::Multiply, a, b),
        }
    }

    fn simplified_quotient(a: &Self, b: &Self) -> Self {
        if b.is_constant(1) { a.clone() } else { Self::binary(Binary::Divide, a, b) }
    }

    /// Creates the product, and 0 for a factor 0: equal to the product where both factors are defined.
    #[must_use]
    pub fn times_where_defined(&self, other: &Self) -> Self {
        if self.is_constant(0) || other.is_constant(0) { Self::integer(0) } else { self * other }
    }

    /// Creates a^q: the [power](Self::power) where graphs have it, and `exp (q·log a)` elsewhere.
    #[must_use]
    pub fn pow(&self, exponent: &Rational) -> Self {
        Self::power(self, exponent).unwrap_or_else(|| (Self::rational(exponent.clone()) * self.log()).exp())
    }

    /// Creates the exponential of the map.
    #[must_use]
    pub fn exp(&self) -> Self {
        Self::function(Function::Exp, self)
    }

    /// Creates the natural logarithm of the map.
    #[must_use]
    pub fn log(&self) -> Self {
        Self::function(Function::Log, self)
    }

    /// Creates the absolute value of the map.
    #[must_use]
    pub fn abs(&self) -> Self {
        match self.as_rational() {
            Some(q) => Self::rational(q.clone().abs()),
            None => Self::unary(Unary::Abs, self),
        }
    }

    /// Creates the maximum of two maps.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        match self.as_rational().zip(other.as_rational()) {
            Some((p, q)) => Self::rational(p.max(q).clone()),
            None => Self::binary(Binary::Maximum, self, other),
        }
    }

    /// Creates the minimum of two maps.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        match self.as_rational().zip(other.as_rational()) {
            Some((p, q)) => Self::rational(p.min(q).clone()),
            None => Self::binary(Binary::Minimum, self, other),
        }
    }
}

impl NodeOperation {
    /// Moves the children without other owners into `into`, so that a deep graph is dropped without recursion.
    fn release_children(&mut self, into: &mut Vec<Arc<ExprNode>>) {
        let mut take = |g: &mut Graph| {
            // one shared placeholder, so that dropping allocates nothing
            let taken = std::mem::replace(&mut g.0, placeholder_node());
            into.push(taken);
        };
        match self {
            Self::Variable(_) | Self::Rational(_) | Self::Pi | Self::Euler => {}
            Self::Unary(_, a) | Self::Power(a, _) | Self::Second(_, _, a) => take(a),
            Self::Binary(_, a, b) => {
                take(a);
                take(b);
            }
            Self::Select(guard, a, b) => [guard, a, b].into_iter().for_each(take),
            Self::Primitive(_, xs) => xs.iter_mut().for_each(take),
            Self::Derivative(d) => {
                // a shared derivative keeps its children; the last owner releases them
                if let Some(d) = Arc::get_mut(d) {
                    take(&mut d.body);
                    d.at.iter_mut().chain(&mut d.along).for_each(take);
                }
            }
        }
    }
}

fn placeholder_node() -> Arc<ExprNode> {
    static EMPTY: std::sync::OnceLock<Arc<ExprNode>> = std::sync::OnceLock::new();
    EMPTY
        .get_or_init(|| {
            Arc::new(ExprNode { operation: NodeOperation::Pi, occurrences: Occurrences::NONE, site: SourceId::NOWHERE })
        })
        .clone()
}

impl Drop for ExprNode {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.operation.release_children(&mut pending);
        while let Some(node) = pending.pop() {
            if let Some(mut node) = Arc::into_inner(node) {
                node.operation.release_children(&mut pending);
            }
        }
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph#{:x}", self.address())
    }
}

/// A unary operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// -a
    Negate,
    /// |a|, with the Clarke derivative [-1, 1] at 0.
    Abs,
    /// The sign of a: [-1, 1] at 0, with derivative ⊥ there.
    Signum,
    /// An elementary function.
    Function(Function),
}

impl Unary {
    /// Returns the operation whose row of the [table of conditions](crate::function::OperationConditions) holds.
    #[must_use]
    pub fn real_operation(self) -> RealOperation {
        match self {
            Self::Negate => RealOperation::Arithmetic,
            Self::Abs => RealOperation::Abs,
            Self::Signum => RealOperation::Signum,
            Self::Function(f) => RealOperation::Function(f),
        }
    }
}

/// A binary operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a · b
    Multiply,
    /// a / b
    Divide,
    /// max(a, b)
    Maximum,
    /// min(a, b)
    Minimum,
    /// An elementary function of two variables.
    Planar(Planar),
}

impl Binary {
    /// Returns the operation whose row of the [table of conditions](crate::function::OperationConditions) holds.
    #[must_use]
    pub fn real_operation(self) -> RealOperation {
        match self {
            Self::Add | Self::Subtract | Self::Multiply => RealOperation::Arithmetic,
            Self::Divide => RealOperation::Divide,
            Self::Maximum => RealOperation::Maximum,
            Self::Minimum => RealOperation::Minimum,
            Self::Planar(f) => RealOperation::Binary(f),
        }
    }
}

/// A second-order primitive of type `(ℝ → ℝ) → ℝ`: a natural family `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SecondOrder {
    /// The Riemann integral over [0, 1] (S §5.2.1).
    Integral,
    /// The root of a function that is positive to its left and negative to its right (S §5.2.2, E7).
    CutRoot,
    /// The first root in [0, 1], from positive to negative; 0 for a function that is negative at 0, 1 for one that is
    /// positive throughout (S §5.2.2, E8, E44).
    FirstRoot,
    /// The maximum of a function on [0, 1] (S §5.2.3).
    Maximum,
    /// The hull of all points at which a function on [0, 1] is largest (S §5.2.3).
    Maximiser,
}

impl SecondOrder {
    /// All second-order primitives.
    pub const ALL: &'static [Self] = &[Self::Integral, Self::CutRoot, Self::FirstRoot, Self::Maximum, Self::Maximiser];

    /// Returns the functional of the language for the primitive.
    #[must_use]
    pub fn functional(self) -> Functional {
        match self {
            Self::Integral => Functional::Integral,
            Self::CutRoot => Functional::CutRoot,
            Self::FirstRoot => Functional::FirstRoot,
            Self::Maximum => Functional::Maximum,
            Self::Maximiser => Functional::Maximiser,
        }
    }
}

impl Graph {
    /// Creates a functional applied to `variable ↦ body`, at a source position. Minima are negated maxima of the
    /// negated body.
    #[must_use]
    pub fn apply_functional(primitive: Functional, variable: Variable, body: &Graph, site: SourceId) -> Graph {
        let node = |p: SecondOrder, body: Graph| Graph::second_order(p, variable, body).at_site(site);
        let negative = |g: &Graph| Graph::unary(Unary::Negate, g);
        match primitive {
            Functional::Integral => node(SecondOrder::Integral, body.clone()),
            Functional::CutRoot => node(SecondOrder::CutRoot, body.clone()),
            Functional::FirstRoot => node(SecondOrder::FirstRoot, body.clone()),
            Functional::Maximum => node(SecondOrder::Maximum, body.clone()),
            Functional::Maximiser => node(SecondOrder::Maximiser, body.clone()),
            // min f = -max(-f), argmin f = argmax(-f): the solvers know maxima only
            Functional::Minimum => negative(&node(SecondOrder::Maximum, negative(body))),
            Functional::Minimiser => node(SecondOrder::Maximiser, negative(body)),
        }
    }
}

/// A rational exponent p/q in lowest terms, q ≥ 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RationalExponent {
    /// The numerator.
    pub numerator: i64,
    /// The denominator.
    pub denominator: u32,
}

impl RationalExponent {
    /// Returns the operation whose row of the [table of conditions](crate::function::OperationConditions) holds.
    #[must_use]
    pub fn real_operation(self) -> RealOperation {
        RealOperation::Power(PowerKind::of_fraction(self.numerator, self.denominator))
    }

    /// Returns p/q - 1, the exponent of the derivative.
    #[must_use]
    pub fn minus_one(self) -> Self {
        Self { numerator: self.numerator - i64::from(self.denominator), ..self }
    }
}

/// The operation of a node, with its operands.
#[derive(Clone, Debug)]
pub enum NodeOperation {
    /// A coordinate.
    Variable(Variable),
    /// An exact rational number.
    Rational(Arc<Rational>),
    /// π
    Pi,
    /// Euler's number.
    Euler,
    /// A unary operation.
    Unary(Unary, Graph),
    /// A binary operation.
    Binary(Binary, Graph, Graph),
    /// a^(p/q), S74.
    Power(Graph, RationalExponent),
    /// A first-order map given by its value and its derivative.
    Primitive(Arc<Primitive>, Vec<Graph>),
    /// A directional derivative; see [`Graph::derivative`].
    Derivative(Arc<Derivative>),
    /// A second-order primitive that binds a variable in its body.
    Second(SecondOrder, Variable, Graph),
    /// The second operand where the first, the number of a [`Guard`], is positive; the third where it is
    /// negative.
    Select(Graph, Graph, Graph),
}

impl Unary {
    /// Returns `true` if there is a kink or a jump where the operand is 0.
    #[must_use]
    pub fn has_kink(self) -> bool {
        matches!(self, Self::Abs | Self::Signum)
    }
}

impl Binary {
    /// Returns `true` if there is a kink where both operands are equal.
    #[must_use]
    pub fn has_kink(self) -> bool {
        matches!(self, Self::Maximum | Self::Minimum)
    }
}

impl NodeOperation {
    /// Returns `true` for an arithmetic operation with a kink or a jump.
    #[must_use]
    pub fn has_kink(&self) -> bool {
        match self {
            Self::Unary(f, _) => f.has_kink(),
            Self::Binary(f, ..) => f.has_kink(),
            _ => false,
        }
    }

    /// Returns the operation whose row of the [table of conditions](crate::function::OperationConditions) holds. Returns
    /// `None` for a leaf, a primitive from outside, a choice and a binder.
    #[must_use]
    pub fn real_operation(&self) -> Option<RealOperation> {
        match self {
            Self::Unary(operation, _) => Some(operation.real_operation()),
            Self::Binary(operation, ..) => Some(operation.real_operation()),
            Self::Power(_, exponent) => Some(exponent.real_operation()),
            _ => None,
        }
    }

    /// Returns the operands in the scope of the node. The body of a binder is not one of them.
    #[must_use]
    pub fn operands(&self) -> SmallVec<[&Graph; 3]> {
        match self {
            // the body of a second-order primitive is in the scope of its variable, so it is no operand
            Self::Variable(_) | Self::Rational(_) | Self::Pi | Self::Euler | Self::Second(..) => SmallVec::new(),
            Self::Unary(_, a) | Self::Power(a, _) => smallvec![a],
            Self::Binary(_, a, b) => smallvec![a, b],
            Self::Select(guard, a, b) => smallvec![guard, a, b],
            Self::Primitive(_, xs) => xs.iter().collect(),
            // point and direction are outside the scope of the bound variables
            Self::Derivative(d) => d.at.iter().chain(&d.along).collect(),
        }
    }

    /// Returns the bound variables and their body, for a binder.
    #[must_use]
    pub fn binder(&self) -> Option<(&[Variable], &Graph)> {
        match self {
            Self::Derivative(d) => Some((&d.variables, &d.body)),
            Self::Second(_, v, body) => Some((std::slice::from_ref(v), body)),
            _ => None,
        }
    }
}

/// A rewriting of graphs, applied to the parts of a node by [`Graph::rewrite_parts`].
pub trait GraphRewriting {
    /// Returns the graph that replaces an operand.
    fn rewrite_operand(&mut self, operand: &Graph) -> Graph;

    /// Returns the variables and the body that replace those of a binder. Without a rule, binders stay as they are.
    fn rewrite_body(&mut self, bound: &[Variable], body: &Graph) -> (Vec<Variable>, Graph) {
        (bound.to_vec(), body.clone())
    }
}

impl Graph {
    /// Rebuilds a node from its rewritten parts. Returns the node itself if no part has changed, which keeps sharing.
    #[must_use]
    pub fn rewrite_parts(&self, by: &mut impl GraphRewriting) -> Self {
        let same = |a: &Self, b: &Self| a.address() == b.address();
        let all_same = |a: &[Self], b: &[Self]| a.iter().zip(b).all(|(a, b)| same(a, b));
        let found = match self.operation() {
            NodeOperation::Variable(_) | NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => None,
            NodeOperation::Unary(f, a) => {
                Some(by.rewrite_operand(a)).filter(|x| !same(a, x)).map(|x| Self::unary(*f, &x))
            }
            NodeOperation::Binary(f, a, b) => {
                let [x, y] = [a, b].map(|part| by.rewrite_operand(part));
                (!same(a, &x) || !same(b, &y)).then(|| Self::binary(*f, &x, &y))
            }
            NodeOperation::Power(a, e) => {
                let x = by.rewrite_operand(a);
                (!same(a, &x)).then(|| Self::new(NodeOperation::Power(x, *e)))
            }
            NodeOperation::Select(guard, a, b) => {
                let [h, x, y] = [guard, a, b].map(|part| by.rewrite_operand(part));
                let changed = !same(guard, &h) || !same(a, &x) || !same(b, &y);
                changed.then(|| Self::new(NodeOperation::Select(h, x, y)))
            }
            NodeOperation::Primitive(p, xs) => {
                let ys: Vec<Self> = xs.iter().map(|x| by.rewrite_operand(x)).collect();
                (!all_same(xs, &ys)).then(|| Self::primitive(p, ys))
            }
            NodeOperation::Derivative(d) => {
                let (variables, body) = by.rewrite_body(&d.variables, &d.body);
                let mut all = |parts: &[Self]| parts.iter().map(|x| by.rewrite_operand(x)).collect::<Vec<_>>();
                let (at, along) = (all(&d.at), all(&d.along));
                let changed = !same(&d.body, &body) || !all_same(&d.at, &at) || !all_same(&d.along, &along);
                let coordinate_index = d.coordinate_index;
                changed.then(|| Self::derivative_node(Derivative { variables, body, at, along, coordinate_index }))
            }
            NodeOperation::Second(p, v, body) => {
                let (bound, now) = by.rewrite_body(&[*v], body);
                (!same(body, &now)).then(|| Self::second_order(*p, bound[0], now))
            }
        };
        found.unwrap_or_else(|| self.clone())
    }
}

/// The derivative of `body`, as a map of `variables`, at a point along a direction.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The variables bound in `body`.
    pub variables: Vec<Variable>,
    /// The map that is differentiated. Its other free variables are held fixed.
    pub body: Graph,
    /// The point.
    pub at: Vec<Graph>,
    /// The direction.
    pub along: Vec<Graph>,
    /// `Some(i)` for ∂/∂xᵢ; the other variables may then lie on the domain boundary. `None` for a general direction,
    /// even where coordinates of it are 0.
    pub coordinate_index: Option<usize>,
}

/// A condition that is decided on an open set.
#[derive(Clone, Debug)]
pub struct Guard {
    number: Graph,
    /// The position of the guard. Its number may have another position, as in `x > 0`.
    site: SourceId,
}

impl Guard {
    /// Creates a > 0, which also stands for a ≥ 0.
    #[must_use]
    pub fn positive(a: &Graph) -> Self {
        Self::from_number(a.clone())
    }

    fn from_number(number: Graph) -> Self {
        let site = number.site();
        Self { number, site }
    }

    /// Creates a < b, which also stands for a ≤ b.
    #[must_use]
    pub fn less_than(a: &Graph, b: &Graph) -> Self {
        let number = match (a.is_constant(0), b.is_constant(0)) {
            // a new node for the constant, so that it can get the position of the guard
            (true, _) => b.as_rational().map_or_else(|| b.clone(), |b| Graph::rational(b.clone())),
            (_, true) => Graph::unary(Unary::Negate, a),
            _ => Graph::binary(Binary::Subtract, b, a),
        };
        Self { number, site: SourceId::NOWHERE }
    }

    /// Creates the guard that always holds, or always fails.
    #[must_use]
    pub fn constant(holds: bool) -> Self {
        Self::from_number(Graph::integer(if holds { 1 } else { -1 }))
    }

    /// Returns the conjunction.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self::from_number(Graph::binary(Binary::Minimum, &self.number, &other.number))
    }

    /// Returns the disjunction.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self::from_number(Graph::binary(Binary::Maximum, &self.number, &other.number))
    }

    /// Returns the negation.
    #[must_use]
    pub fn not(&self) -> Self {
        Self::from_number(Graph::unary(Unary::Negate, &self.number))
    }

    /// Returns the guard that equals `then` where `self` holds, and `otherwise` where it fails.
    #[must_use]
    pub fn choose(&self, then: &Self, otherwise: &Self) -> Self {
        Self::from_number(Graph::select(self, &then.number, &otherwise.number))
    }

    /// Sets the source position of the guard, and of its number, unless they have one.
    #[must_use]
    pub fn at_site(self, site: SourceId) -> Self {
        let site = if self.site == SourceId::NOWHERE { site } else { self.site };
        Self { number: self.number.at_site(site), site }
    }

    /// Returns the number that represents the guard: positive where it holds, negative where it fails.
    #[must_use]
    pub fn number(&self) -> &Graph {
        &self.number
    }
}

impl Graph {
    /// Creates the choice: `then` where the guard holds, `otherwise` where it fails; see [`Guard`].
    #[must_use]
    pub fn select(guard: &Guard, then: &Self, otherwise: &Self) -> Self {
        Self::new(NodeOperation::Select(guard.number.clone(), then.clone(), otherwise.clone())).at_site(guard.site)
    }
}

/// An enclosure of a set of variables, and a flag for derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrences {
    least: Variable,
    greatest: Variable,
    remainders: u64,
    derivative: bool,
}

impl Occurrences {
    /// The empty set.
    pub const NONE: Self = Self { least: Variable(u64::MAX), greatest: Variable(0), remainders: 0, derivative: false };

    /// The set of one variable.
    #[must_use]
    pub fn of_variable(v: Variable) -> Self {
        Self { least: v, greatest: v, remainders: 1 << (v.0 % 64), derivative: false }
    }

    /// Returns the union.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            remainders: self.remainders | other.remainders,
            derivative: self.derivative | other.derivative,
        }
    }

    /// Returns `true` if a derivative occurs, under binders too.
    #[must_use]
    pub fn has_derivative(self) -> bool {
        self.derivative
    }

    /// Returns `false` only if the two sets of variables are certainly disjoint.
    #[must_use]
    pub fn may_meet(self, other: Self) -> bool {
        // both tests are necessary conditions for a common variable
        self.remainders & other.remainders != 0 && self.least <= other.greatest && other.least <= self.greatest
    }

    /// Returns the occurrences in an operation, outside its binders.
    fn in_operation(operation: &NodeOperation) -> Self {
        let of = |g: &Graph| g.occurrences();
        match operation {
            NodeOperation::Variable(v) => Self::of_variable(*v),
            NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => Self::NONE,
            NodeOperation::Unary(_, a) | NodeOperation::Power(a, _) => of(a),
            NodeOperation::Binary(_, a, b) => of(a).union(of(b)),
            NodeOperation::Select(guard, a, b) => of(guard).union(of(a)).union(of(b)),
            NodeOperation::Primitive(_, xs) => xs.iter().map(of).collect(),
            NodeOperation::Derivative(d) => {
                let parts: Self = d.at.iter().chain(&d.along).map(of).collect();
                Self { derivative: true, ..parts.union(of(&d.body).without_bound(&d.variables)) }
            }
            NodeOperation::Second(_, v, body) => of(body).without_bound(&[*v]),
        }
    }

    /// Removes bound variables: the set becomes empty if its only variable is bound, else it stays as it is.
    fn without_bound(self, bound: &[Variable]) -> Self {
        // a least or greatest variable that is bound cannot be replaced by the next one, which is not known
        let is_only = self.least == self.greatest && bound.contains(&self.least);
        if is_only { Self { derivative: self.derivative, ..Self::NONE } } else { self }
    }
}

impl FromIterator<Self> for Occurrences {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::union)
    }
}

/// A set of variables, with a cache of the graphs in which they occur free. Graphs are cached by address, so they must
/// outlive this value.
#[derive(Debug)]
pub struct FreeOccurrences {
    variables: FxHashSet<Variable>,
    /// An enclosure of the variables.
    occurrences: Occurrences,
    /// Cached results, by the address of the node.
    known: FxHashMap<usize, bool>,
}

impl FreeOccurrences {
    /// Creates the set, with an empty cache.
    #[must_use]
    pub fn new(variables: &[Variable]) -> Self {
        let occurrences = variables.iter().map(|v| Occurrences::of_variable(*v)).collect();
        Self { variables: variables.iter().copied().collect(), occurrences, known: FxHashMap::default() }
    }

    /// Returns the same variables with an empty cache, for graphs that do not live as long.
    #[must_use]
    pub fn without_cache(&self) -> Self {
        Self { variables: self.variables.clone(), occurrences: self.occurrences, known: FxHashMap::default() }
    }

    /// Returns `true` if `v` is in the set.
    #[must_use]
    pub fn contains(&self, v: Variable) -> bool {
        self.variables.contains(&v)
    }

    /// Returns `true` if one of the variables occurs free in `g`.
    pub fn occur_in(&mut self, g: &Graph) -> bool {
        // the enclosures of variables are compared in constant time, and usually disjoint
        if !g.occurrences().may_meet(self.occurrences) {
            return false;
        }
        if let NodeOperation::Variable(v) = g.operation() {
            return self.variables.contains(v);
        }
        if let Some(&known) = self.known.get(&g.address()) {
            return known;
        }
        let found = with_stack(|| {
            g.operation().operands().into_iter().any(|part| self.occur_in(part))
                || g.operation().binder().is_some_and(|(bound, body)| self.occur_under(bound, body))
        });
        self.known.insert(g.address(), found);
        found
    }

    fn occur_under(&mut self, bound: &[Variable], body: &Graph) -> bool {
        // a binder of one of the variables itself: rare, so decided without the cache
        if bound.iter().any(|v| self.variables.contains(v)) {
            return self.variables.iter().any(|v| !bound.contains(v) && body.depends_on(*v));
        }
        self.occur_in(body)
    }
}

impl Graph {
    /// Returns `true` if two graphs are α-equivalent: equal up to the names of bound variables. They then denote one
    /// function.
    #[must_use]
    pub fn is_alpha_equivalent(&self, other: &Self) -> bool {
        AlphaEquivalence { bound: Vec::new(), known: FxHashSet::default() }.are_equal(self, other)
    }
}

/// The state of a comparison: open binders, and pairs of nodes already found equal under them.
struct AlphaEquivalence {
    bound: Vec<(Variable, Variable)>,
    known: FxHashSet<(usize, usize)>,
}

impl AlphaEquivalence {
    // shared nodes would be compared again on every path to them, exponentially often
    fn are_equal(&mut self, a: &Graph, b: &Graph) -> bool {
        let pair = (a.address(), b.address());
        if self.known.contains(&pair) {
            return true;
        }
        let are = with_stack(|| self.compare_operations(a.operation(), b.operation()));
        if are {
            self.known.insert(pair);
        }
        are
    }

    fn compare_operations(&mut self, a: &NodeOperation, b: &NodeOperation) -> bool {
        let is_alike = match (a, b) {
            (NodeOperation::Variable(v), NodeOperation::Variable(w)) => {
                // the innermost binder of either variable decides: it must bind both
                let binder = self.bound.iter().rev().find(|(left, right)| left == v || right == w);
                return binder.map_or(v == w, |binder| *binder == (*v, *w));
            }
            (NodeOperation::Rational(p), NodeOperation::Rational(q)) => p == q,
            (NodeOperation::Pi, NodeOperation::Pi) | (NodeOperation::Euler, NodeOperation::Euler) => true,
            (NodeOperation::Unary(f, _), NodeOperation::Unary(g, _)) => f == g,
            (NodeOperation::Binary(f, ..), NodeOperation::Binary(g, ..)) => f == g,
            (NodeOperation::Power(_, p), NodeOperation::Power(_, q)) => p == q,
            (NodeOperation::Primitive(p, _), NodeOperation::Primitive(q, _)) => Arc::ptr_eq(p, q),
            (NodeOperation::Derivative(d), NodeOperation::Derivative(e)) => {
                d.coordinate_index == e.coordinate_index && d.at.len() == e.at.len()
            }
            (NodeOperation::Second(p, ..), NodeOperation::Second(q, ..)) => p == q,
            (NodeOperation::Select(..), NodeOperation::Select(..)) => true,
            _ => false,
        };
        let (parts, others) = (a.operands(), b.operands());
        is_alike
            && parts.len() == others.len()
            && parts.iter().zip(&others).all(|(a, b)| self.are_equal(a, b))
            && self.bind_alike(a, b)
    }

    fn bind_alike(&mut self, a: &NodeOperation, b: &NodeOperation) -> bool {
        let (Some((variables, body)), Some((others, other))) = (a.binder(), b.binder()) else { return true };
        if variables.len() != others.len() {
            return false;
        }
        let before = self.bound.len();
        self.bound.extend(variables.iter().copied().zip(others.iter().copied()));
        // pairs that are equal under other binders need not be so under these
        let outside = std::mem::take(&mut self.known);
        let are = self.are_equal(body, other);
        self.known = outside;
        self.bound.truncate(before);
        are
    }
}

impl Graph {
    /// Returns the free variables of the graph, sorted.
    #[must_use]
    pub fn free_variables(&self) -> Vec<Variable> {
        CompiledMap::unbound_variables(&[], std::slice::from_ref(self))
    }
}
