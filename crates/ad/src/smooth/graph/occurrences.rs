//! A constant-size over-approximation of the variables that occur in a graph.
//!
//! A list of the free variables at every node would make a graph of n inputs cost n² to build. Instead, a node keeps an
//! enclosure of the variables that occur, bound ones included: the least and the greatest, and their remainders modulo
//! 64. A binder's variable is younger than the variables its body captures, so the enclosures of most graphs are
//! disjoint if the variables are. Otherwise the graph is searched. The occurrence of a derivative is known exactly.

use super::{Operation, Variable};

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
    pub fn of(v: Variable) -> Self {
        Self { least: v, greatest: v, remainders: 1 << (v.0 % 64), derivative: false }
    }

    /// Returns the union.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
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
    pub(super) fn in_operation(operation: &Operation) -> Self {
        let of = |g: &super::Graph| g.occurrences();
        match operation {
            Operation::Variable(v) => Self::of(*v),
            Operation::Rational(_) | Operation::Pi | Operation::Euler => Self::NONE,
            Operation::Unary(_, a) | Operation::Power(a, _) => of(a),
            Operation::Binary(_, a, b) => of(a).or(of(b)),
            Operation::Select(guard, a, b) => of(guard).or(of(a)).or(of(b)),
            Operation::Primitive(_, xs) => xs.iter().map(of).collect(),
            Operation::Derivative(d) => {
                let parts: Self = d.at.iter().chain(&d.along).map(of).collect();
                Self { derivative: true, ..parts.or(of(&d.body).without(&d.variables)) }
            }
            Operation::Second(_, v, body) => of(body).without(&[*v]),
        }
    }

    /// Removes bound variables: the set becomes empty if its only variable is bound, else it stays as it is.
    fn without(self, bound: &[Variable]) -> Self {
        // a least or greatest variable that is bound cannot be replaced by the next one, which is not known
        let is_only = self.least == self.greatest && bound.contains(&self.least);
        if is_only { Self { derivative: self.derivative, ..Self::NONE } } else { self }
    }
}

impl FromIterator<Self> for Occurrences {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::or)
    }
}
