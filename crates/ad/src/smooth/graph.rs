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

mod guard;
mod mention;
mod occurrences;
mod operation;
mod same;

pub use guard::Guard;
pub use mention::FreeOccurrences;
pub use occurrences::Occurrences;
pub use operation::{Binary, Derivative, NodeOperation, RationalExponent, SecondOrder, SourceId, Unary};

use crate::function::Function;
use crate::number::Rational;
use crate::smooth::primitive::Primitive;
use crate::smooth::substitution::Substitution;
use rustc_hash::FxHashSet;
use std::fmt;
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
