//! A constant-size over-approximation of the variables that occur in a graph.
//!
//! A list of the free variables at every node would make a graph of n inputs cost n² to build. Instead, a node keeps an
//! enclosure of the variables that occur, bound ones included: the least and the greatest, and their remainders modulo
//! 64. A binder's variable is younger than the variables its body captures, so the enclosures of most graphs are
//! disjoint if the variables are. Otherwise the graph is searched. The occurrence of a derivative is known exactly.

use super::{NodeOperation, Variable};

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
    pub(super) fn in_operation(operation: &NodeOperation) -> Self {
        let of = |g: &super::Graph| g.occurrences();
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
