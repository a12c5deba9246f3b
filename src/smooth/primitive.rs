//! First-order maps given from outside: `foldDer(f, g)` (S §4.3).
//!
//! A primitive is its value, an interval extension `f : ℝⁿ → ℝ`, and its derivative, a map `g : ℝⁿ × ℝⁿ ⇝ ℝ`, linear in
//! its second argument, built on demand so that it may mention the primitive itself (as `sin` and `cos` mention each
//! other). The tower is `f⁽⁰⁾ = f`, `f⁽ᵏ⁺¹⁾(x; v₁…v_{k+1}) = g⁽ᵏ⁾((x, v₁); (v₂, 0), …, (v_{k+1}, 0))`.
//!
//! Such a primitive is *trusted*: nothing proves that its extension encloses or that `g` is its derivative.

use crate::number::extension::Extension;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::program::Program;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Builds the derivative `g(x, v)` from the point `x` and the direction `v`.
pub type DerivativeRule = dyn Fn(&[Graph], &[Graph]) -> Graph + Send + Sync;

/// A map `ℝⁿ ⇝ ℝ` given by its value and its derivative.
pub struct Primitive {
    /// The name, for messages.
    pub name: String,
    /// The dimension n of the domain.
    pub arity: usize,
    /// The value f⁽⁰⁾, as an interval extension in every tier.
    pub value: Arc<dyn Extension>,
    /// The derivative g.
    pub derivative: Box<DerivativeRule>,
    partials: OnceLock<Program>,
}

impl Primitive {
    /// `foldDer(value, derivative) : ℝⁿ ⇝ ℝ`, n = `arity`.
    pub fn fold_der(
        name: &str,
        arity: usize,
        value: Arc<dyn Extension>,
        derivative: impl Fn(&[Graph], &[Graph]) -> Graph + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            arity,
            value,
            derivative: Box::new(derivative),
            partials: OnceLock::new(),
        })
    }

    /// The partial derivatives `x ↦ (g(x, e₁), …, g(x, eₙ))`.
    pub fn partial_derivatives(&self) -> &Program {
        self.partials.get_or_init(|| {
            let inputs: Vec<_> = (0..self.arity).map(|_| Variable::fresh()).collect();
            let point: Vec<_> = inputs.iter().map(|v| Graph::variable(*v)).collect();
            let unit = |i: usize| (0..self.arity).map(|j| Graph::integer(i64::from(i == j))).collect::<Vec<_>>();
            let outputs: Vec<_> = (0..self.arity).map(|i| (self.derivative)(&point, &unit(i))).collect();
            Program::compile(&inputs, &outputs)
        })
    }
}

impl fmt::Debug for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Primitive({}/{})", self.name, self.arity)
    }
}
