//! Which variables may occur in a graph, in constant space.
//!
//! A list of the free variables at every node would make a graph of n inputs cost n² to build. What is kept instead is an
//! enclosure of the variables that occur, bound ones included: the least and the greatest, and their remainders by 64. As a
//! binder's variable is younger than what its body captures, this already tells most graphs apart; where it does not, the
//! graph is looked through. Whether a derivative occurs is known exactly.

use super::{Operation, Variable};

/// An enclosure of a set of variables, and whether there is a derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrences {
    least: Variable,
    greatest: Variable,
    remainders: u64,
    derivative: bool,
}

impl Occurrences {
    /// No variable.
    pub const NONE: Self = Self { least: Variable(u64::MAX), greatest: Variable(0), remainders: 0, derivative: false };

    /// One variable.
    #[must_use]
    pub fn of(v: Variable) -> Self {
        Self { least: v, greatest: v, remainders: 1 << (v.0 % 64), derivative: false }
    }

    /// What occurs in one of the two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            remainders: self.remainders | other.remainders,
            derivative: self.derivative | other.derivative,
        }
    }

    /// Whether a derivative occurs, under binders too.
    #[must_use]
    pub fn has_derivative(self) -> bool {
        self.derivative
    }

    /// Whether the variables of both may have one in common.
    #[must_use]
    pub fn may_meet(self, other: Self) -> bool {
        self.remainders & other.remainders != 0 && self.least <= other.greatest && other.least <= self.greatest
    }

    /// What occurs in an operation, outside of its binders.
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

    /// What is left where some are bound: nothing, if there was only one of them.
    fn without(self, bound: &[Variable]) -> Self {
        let is_only = self.least == self.greatest && bound.contains(&self.least);
        if is_only { Self { derivative: self.derivative, ..Self::NONE } } else { self }
    }
}

impl FromIterator<Self> for Occurrences {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::or)
    }
}
