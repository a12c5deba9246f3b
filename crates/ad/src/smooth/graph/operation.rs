//! Operations at the nodes of a graph.

use super::{Graph, Variable};
use crate::function::{Function, Functional, Planar};
use crate::number::Rational;
use crate::smooth::primitive::Primitive;
pub use crate::undefined::SourceId;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

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
    /// The second operand where the first, the number of a [`Guard`](super::Guard), is positive; the third where it is
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
    /// `AtMost(i)` for ∂/∂xᵢ; the other variables may then lie on the domain boundary. `None` for a general direction,
    /// even where coordinates of it are 0.
    pub coordinate_index: Option<usize>,
}
