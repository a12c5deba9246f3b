//! First-order maps given by value and derivative: `foldDer(f, g)` (S §4.3).
//!
//! A primitive is its value, an interval extension `f : ℝⁿ → ℝ`, and its derivative, a map `g : ℝⁿ × ℝⁿ ⇝ ℝ`, linear in
//! its second argument, built on demand so that it may mention the primitive itself (as `sin` and `cos` mention each
//! other). The tower is `f⁽⁰⁾ = f`, `f⁽ᵏ⁺¹⁾(x; v₁…v_{k+1}) = g⁽ᵏ⁾((x, v₁); (v₂, 0), …, (v_{k+1}, 0))`.
//!
//! Such a primitive is *trusted*: it is assumed that its extension encloses, and that `g` is its derivative.
//!
//! # Evaluation of a primitive over a Weil algebra
//!
//! Evaluation of a primitive `foldDer(f, g)` over a Weil algebra (S §4.3).
//!
//! At `x₀ + s` with generic nilpotent s, of total degree at most k, the value `y` of the primitive has
//! `E y = Σᵢ g(x₀ + s; eᵢ)·sᵢ`, where g is needed to degree k - 1 only: the recursion through mutually recursive primitives
//! ends. The actual arguments are then substituted for s.

use crate::number::arithmetic::{Context, Extension};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::program::CompiledMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// Builds the derivative `g(x, v)` from the point `x` and the direction `v`.
pub type DerivativeRule = dyn Fn(&[Graph], &[Graph]) -> Graph + Send + Sync;

/// The computation of the value of a primitive.
pub enum ValueRule {
    /// By an interval extension, in every precision.
    Extension(Arc<dyn Extension>),
    /// By a map. The derivatives of the map are ignored.
    Map {
        /// The variables that the graph is a function of.
        variables: Vec<Variable>,
        /// The map.
        graph: Graph,
        /// The map in its flat form.
        program: Box<CompiledMap>,
    },
}

/// A map `ℝⁿ ⇝ ℝ` given by its value and its derivative.
pub struct Primitive {
    /// The name, for messages.
    pub name: String,
    /// The number of primitives made before it, to distinguish primitives of one name.
    pub serial: u64,
    /// The dimension n of the domain.
    pub arity: usize,
    /// The value f⁽⁰⁾.
    pub value: ValueRule,
    /// The derivative g.
    pub derivative: Box<DerivativeRule>,
    /// `true` if the supplier says that the primitive is analytic on the whole line.
    pub is_entire: bool,
    /// The compiled partial derivatives. They may mention the primitive, so that it is not freed before they are.
    partials: RwLock<Option<Arc<CompiledMap>>>,
}

impl Primitive {
    /// `foldDer(value, derivative) : ℝⁿ ⇝ ℝ`, n = `arity`.
    pub fn fold_der(
        name: &str,
        arity: usize,
        value: Arc<dyn Extension>,
        derivative: impl Fn(&[Graph], &[Graph]) -> Graph + Send + Sync + 'static,
    ) -> Arc<Self> {
        Self::with_self(name, arity, ValueRule::Extension(value), move |_, x, v| derivative(x, v))
    }

    /// Like [`fold_der`](Self::fold_der), with a `derivative` that is given the primitive itself and may mention it.
    pub fn with_self(
        name: &str,
        arity: usize,
        value: ValueRule,
        derivative: impl Fn(&Arc<Self>, &[Graph], &[Graph]) -> Graph + Send + Sync + 'static,
    ) -> Arc<Self> {
        Self::with_analyticity(name, arity, value, false, derivative)
    }

    /// Like [`with_self`](Self::with_self), and says whether the primitive is analytic on the whole line.
    pub fn with_analyticity(
        name: &str,
        arity: usize,
        value: ValueRule,
        is_entire: bool,
        derivative: impl Fn(&Arc<Self>, &[Graph], &[Graph]) -> Graph + Send + Sync + 'static,
    ) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new_cyclic(|own: &Weak<Self>| {
            let own = own.clone();
            let derivative = move |x: &[Graph], v: &[Graph]| match own.upgrade() {
                Some(own) => derivative(&own, x, v),
                // unreachable, since a caller holds the primitive; ⊥ is the safe answer
                None => Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0)),
            };
            let partials = RwLock::new(None);
            Self { name: name.to_owned(), serial, arity, value, derivative: Box::new(derivative), is_entire, partials }
        })
    }

    /// The partial derivatives `x ↦ (g(x, e₁), …, g(x, eₙ))`.
    pub fn partial_derivatives(&self) -> Arc<CompiledMap> {
        if let Some(known) = &*self.partials.read().unwrap_or_else(PoisonError::into_inner) {
            return known.clone();
        }
        let inputs: Vec<_> = (0..self.arity).map(|_| Variable::fresh()).collect();
        let point: Vec<_> = inputs.iter().map(|v| Graph::variable(*v)).collect();
        let unit = |i: usize| (0..self.arity).map(|j| Graph::integer(i64::from(i == j))).collect::<Vec<_>>();
        let outputs: Vec<_> = (0..self.arity).map(|i| (self.derivative)(&point, &unit(i))).collect();
        // Compiled without the lock, since a derivative may ask for the partial derivatives of others; the first result is kept.
        let compiled = Arc::new(CompiledMap::compile(&inputs, &outputs));
        self.partials.write().unwrap_or_else(PoisonError::into_inner).get_or_insert(compiled).clone()
    }

    /// Drops the compiled partial derivatives, and with them the reference to itself that they may hold. They are compiled again
    /// when they are needed.
    pub fn forget_partials(&self) {
        self.partials.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl fmt::Debug for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Primitive({}/{})", self.name, self.arity)
    }
}

/// An element of an algebra, with the algebra.
pub(crate) type PrimitiveExpansion<C> = (Arc<Algebra>, Jet<<C as Context>::Num>);
