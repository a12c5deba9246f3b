//! First-order maps given by value and derivative: `foldDer(f, g)` (S §4.3).
//!
//! A primitive is its value, an interval extension `f : ℝⁿ → ℝ`, and its derivative, a map `g : ℝⁿ × ℝⁿ ⇝ ℝ`, linear in
//! its second argument, built on demand so that it may mention the primitive itself (as `sin` and `cos` mention each
//! other). The tower is `f⁽⁰⁾ = f`, `f⁽ᵏ⁺¹⁾(x; v₁…v_{k+1}) = g⁽ᵏ⁾((x, v₁); (v₂, 0), …, (v_{k+1}, 0))`.
//!
//! Such a primitive is *trusted*: it is assumed that its extension encloses, and that `g` is its derivative.
//!
//! Evaluation of a primitive `foldDer(f, g)` over a Weil algebra (S §4.3).
//!
//! At `x₀ + s` with generic nilpotent s, of total degree at most k, the value `y` of the primitive has
//! `E y = Σᵢ g(x₀ + s; eᵢ)·sᵢ`, where g is needed to degree k - 1 only: the recursion through mutually recursive primitives
//! ends. The actual arguments are then substituted for s.

use crate::number::arithmetic::{Context, Extension};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

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
    partials: OnceLock<CompiledMap>,
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
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        Arc::new_cyclic(|own: &Weak<Self>| {
            let own = own.clone();
            let derivative = move |x: &[Graph], v: &[Graph]| match own.upgrade() {
                Some(own) => derivative(&own, x, v),
                // unreachable, since a caller holds the primitive; ⊥ is the safe answer
                None => Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0)),
            };
            let partials = OnceLock::new();
            Self { name: name.to_owned(), serial, arity, value, derivative: Box::new(derivative), partials }
        })
    }

    /// The partial derivatives `x ↦ (g(x, e₁), …, g(x, eₙ))`.
    pub fn partial_derivatives(&self) -> &CompiledMap {
        self.partials.get_or_init(|| {
            let inputs: Vec<_> = (0..self.arity).map(|_| Variable::fresh()).collect();
            let point: Vec<_> = inputs.iter().map(|v| Graph::variable(*v)).collect();
            let unit = |i: usize| (0..self.arity).map(|j| Graph::integer(i64::from(i == j))).collect::<Vec<_>>();
            let outputs: Vec<_> = (0..self.arity).map(|i| (self.derivative)(&point, &unit(i))).collect();
            CompiledMap::compile(&inputs, &outputs)
        })
    }
}

impl fmt::Debug for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Primitive({}/{})", self.name, self.arity)
    }
}

/// An element of an algebra, with the algebra.
type PrimitiveExpansion<C> = (Arc<Algebra>, Jet<<C as Context>::Num>);

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Evaluates the primitive at a tuple of jets.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the number of arguments is not the arity; errors of the derivative.
    pub fn eval_primitive(
        &self,
        p: &Primitive,
        algebra: &Arc<Algebra>,
        arguments: &[Jet<C::Num>],
    ) -> Result<Jet<C::Num>, SmoothError> {
        if arguments.len() != p.arity {
            return Err(SmoothError::Dimension { expected: p.arity, found: arguments.len() });
        }
        let jets = self.jets(algebra);
        let point: Vec<_> = arguments.iter().map(|x| jets.value_of(x)).collect();
        let steps: Vec<_> = arguments.iter().map(|x| jets.nilpotent_part(x)).collect();
        let all = steps.iter().fold(Jet::zero(), |sum, n| jets.add(&sum, n));
        // the arguments' own order: a higher degree of the expansion would be multiplied by 0
        let order = jets.nilpotency_bound(&all) - 1;
        let Some((generic, expansion)) = self.expand_primitive(p, &point, order)? else {
            return Ok(self.bottom_for_large_algebra(algebra));
        };
        let mut y = Jet::zero();
        for monomial in 0..generic.len() {
            let Some(c) = expansion.get(monomial) else { continue };
            let mut term = Jet::constant(c.clone());
            for (step, &power) in steps.iter().zip(generic.exponents(monomial)) {
                for _ in 0..power {
                    term = jets.multiply(&term, step);
                }
            }
            y = jets.add(&y, &term);
        }
        // outside the domain no derivative may look defined, structural zeros included
        let defined = y.get(0).is_some_and(|v| self.context.is_defined(v));
        Ok(if defined { y } else { jets.mark_undefined(y, arguments) })
    }

    /// Computes the value of a primitive.
    fn primitive_value(&self, p: &Primitive, point: &[C::Num]) -> Result<C::Num, SmoothError> {
        Ok(match &p.value {
            ValueRule::Extension(f) => {
                // the domain of an extension is unknown, so every point may lie on its boundary
                self.edges.record_unknown_boundary();
                self.context.apply_extension(&**f, point)
            }
            ValueRule::Map { program, .. } => {
                let machine = self.for_program(program);
                let point: Vec<_> = point.iter().cloned().map(Jet::constant).collect();
                let branches = &mut BranchDecisions::default();
                let y = machine.eval_block(&program.root, &self.real, &point, &[], branches, EvalTarget::Outputs)?;
                self.edges.adopt_boundaries(&machine.edges);
                self.jets(&self.real).value_of(&y[0])
            }
        })
    }

    /// Expands a primitive at a point, to a total degree. Returns `None` if there are too many terms.
    fn expand_primitive(
        &self,
        p: &Primitive,
        point: &[C::Num],
        order: u32,
    ) -> Result<Option<PrimitiveExpansion<C>>, SmoothError> {
        let generic = |degree: u32| {
            let generators = if degree == 0 { 0 } else { p.arity };
            (0..generators).try_fold(self.real.clone(), |a, _| a.adjoin(AlgebraGenerator::Taylor(degree)))
        };
        let (Some(algebra), Some(lower)) = (generic(order), generic(order.saturating_sub(1))) else {
            return Ok(None);
        };
        let mut y = Jet::constant(self.primitive_value(p, point)?);
        if order == 0 || p.arity == 0 {
            return Ok(Some((algebra, y)));
        }
        let unit = |i: usize| (0..p.arity).map(|j| u32::from(i == j)).collect::<Vec<_>>();
        let inputs: Vec<_> = (0..p.arity)
            .map(|i| {
                let mut x = Jet::constant(point[i].clone());
                if let Some(s) = lower.index(&unit(i)) {
                    x.set(s, Some(self.context.enclose_integer(1)));
                }
                x
            })
            .collect();
        let partials = p.partial_derivatives();
        let machine = self.for_program(partials);
        let slopes =
            machine.eval_derivatives(&partials.root, &lower, [&inputs, &[]], 0, &mut BranchDecisions::default())?;
        self.edges.adopt_boundaries(&machine.edges);
        for monomial in 1..algebra.len() {
            let mut sum: Option<C::Num> = None;
            for (i, slope) in slopes.iter().enumerate() {
                // E y = Σᵢ gᵢ·sᵢ: the coefficient of s^α in gᵢ·sᵢ is that of s^α/sᵢ in gᵢ
                let mut exponents = algebra.exponents(monomial).to_vec();
                if exponents[i] == 0 {
                    continue;
                }
                exponents[i] -= 1;
                let index = if order == 1 { Some(0) } else { lower.index(&exponents) };
                if let Some(c) = index.and_then(|m| slope.get(m)) {
                    sum = Some(sum.map_or_else(|| c.clone(), |s| self.context.add(&s, c)));
                }
            }
            // E multiplies a monomial by its degree, so this divides
            let degree = u64::from(algebra.degree(monomial));
            y.set(monomial, sum.map(|s| self.context.div_integer(&s, degree)));
        }
        Ok(Some((algebra, y)))
    }
}
