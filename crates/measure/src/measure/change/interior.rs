//! Signs and monotonicity of maps in the interior of a box. On the positive numbers 1/x, log x and √x are monotone, though at
//! 0 they have no value or no slope. The boundary is a null set, so injectivity in the interior suffices.
//!
//! The tests go by the form of the map. A map with a sign, or with a monotonicity, is defined in the interior.

use crate::function::{Function, Monotonicity};
use crate::measure::range::enclose_range;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use std::cmp::Ordering;

/// The interior of a box.
pub struct BoxInterior<'a> {
    /// The closed intervals of the variables.
    pub hull: &'a [(Variable, Enclosure)],
    /// The limits on time and memory.
    pub budget: &'a Budget,
}

/// Returns `true` if a function is defined on ℝ and increases. It increases strictly, as it is analytic and not constant.
fn is_total_increasing(f: Function) -> bool {
    f.is_total() && f.row().monotonicity == Monotonicity::Increasing
}

/// Returns the sign of a product of two numbers other than 0, from their signs.
fn sign_of_product(a: Ordering, b: Ordering) -> Ordering {
    if a == b { Ordering::Greater } else { Ordering::Less }
}

impl BoxInterior<'_> {
    /// Returns the strict sign of a map in the interior, where it then is defined; `None` if it is not certain.
    pub fn strict_sign(&self, map: &Graph) -> Option<Ordering> {
        let of = |a: &Graph| crate::stack::with_stack(|| self.strict_sign(a));
        let found = match map.operation() {
            NodeOperation::Pi | NodeOperation::Euler => Some(Ordering::Greater),
            NodeOperation::Unary(Unary::Negate, a) => of(a).map(Ordering::reverse),
            NodeOperation::Unary(Unary::Function(Function::Exp), a) if self.is_defined(a) => Some(Ordering::Greater),
            NodeOperation::Unary(Unary::Function(Function::Sqrt), a) => of(a).filter(|sign| *sign == Ordering::Greater),
            NodeOperation::Binary(Binary::Multiply | Binary::Divide, a, b) => Some(sign_of_product(of(a)?, of(b)?)),
            NodeOperation::Binary(Binary::Add, a, b) => of(a).filter(|sign| of(b) == Some(*sign)),
            NodeOperation::Binary(Binary::Subtract, a, b) => of(a).filter(|sign| of(b) == Some(sign.reverse())),
            NodeOperation::Power(a, exponent) => match of(a) {
                Some(Ordering::Greater) => Some(Ordering::Greater),
                Some(_) if exponent.denominator == 1 && exponent.numerator % 2 == 0 => Some(Ordering::Greater),
                _ => None,
            },
            _ => None,
        };
        // Forms first: a range includes the ends, at which a map may be 0 or undefined.
        found.or_else(|| self.affine_sign(map)).or_else(|| {
            let found = enclose_range(map, self.hull, self.budget);
            match () {
                () if !found.is_defined() => None,
                () if *found.lo() > 0 => Some(Ordering::Greater),
                () if *found.hi() < 0 => Some(Ordering::Less),
                () => None,
            }
        })
    }

    /// Returns the sign of a map `a·x + b` of one variable, if its root does not lie in the interior; `None` for other maps.
    fn affine_sign(&self, map: &Graph) -> Option<Ordering> {
        let mut own = self.hull.iter().filter(|(v, _)| map.depends_on(*v));
        let (Some((v, hull)), None) = (own.next(), own.next()) else { return None };
        let [b, a] = <[Rational; 2]>::try_from(RationalNormalForm::default().as_polynomial(map, *v)?).ok()?;
        if a == 0 {
            return None;
        }
        // An end at the root is allowed, since ends are left out.
        let root = -b / &a;
        let side = match () {
            () if *hull.lo() >= root => Ordering::Greater,
            () if *hull.hi() <= root => Ordering::Less,
            () => return None,
        };
        Some(sign_of_product(side, if a > 0 { Ordering::Greater } else { Ordering::Less }))
    }

    /// Returns `true` if a map is certainly defined in the interior.
    fn is_defined(&self, map: &Graph) -> bool {
        let of = |a: &Graph| crate::stack::with_stack(|| self.is_defined(a));
        match map.operation() {
            NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler | NodeOperation::Variable(_) => true,
            NodeOperation::Unary(Unary::Negate, a) => of(a),
            NodeOperation::Unary(Unary::Function(f), a) if is_total_increasing(*f) => of(a),
            NodeOperation::Unary(Unary::Function(Function::Log | Function::Sqrt), a) => {
                self.strict_sign(a) == Some(Ordering::Greater)
            }
            NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, a, b) => of(a) && of(b),
            NodeOperation::Binary(Binary::Divide, a, b) => of(a) && self.strict_sign(b).is_some(),
            _ => enclose_range(map, self.hull, self.budget).is_defined() || self.strict_sign(map).is_some(),
        }
    }

    /// Returns `Greater` if a map of one variable is strictly increasing in the interior by its form, `Less` if decreasing, and
    /// `None` otherwise.
    pub fn monotonicity_of(&self, map: &Graph, v: Variable) -> Option<Ordering> {
        let of = |a: &Graph| crate::stack::with_stack(|| self.monotonicity_of(a, v));
        let is_constant = |a: &Graph| !a.depends_on(v) && self.is_defined(a);
        match map.operation() {
            NodeOperation::Variable(own) if *own == v => Some(Ordering::Greater),
            NodeOperation::Unary(Unary::Negate, a) => of(a).map(Ordering::reverse),
            NodeOperation::Unary(Unary::Function(f), a) if is_total_increasing(*f) => of(a),
            NodeOperation::Unary(Unary::Function(Function::Log | Function::Sqrt), _) if !self.is_defined(map) => None,
            NodeOperation::Unary(Unary::Function(Function::Log | Function::Sqrt), a) => of(a),
            NodeOperation::Power(a, exponent) if self.strict_sign(a) == Some(Ordering::Greater) => {
                match exponent.numerator {
                    n if n > 0 => of(a),
                    n if n < 0 => of(a).map(Ordering::reverse),
                    _ => None,
                }
            }
            NodeOperation::Binary(Binary::Add, a, b) if is_constant(a) => of(b),
            NodeOperation::Binary(Binary::Add, a, b) if is_constant(b) => of(a),
            NodeOperation::Binary(Binary::Add, a, b) => of(a).filter(|course| of(b) == Some(*course)),
            NodeOperation::Binary(Binary::Subtract, a, b) if is_constant(a) => of(b).map(Ordering::reverse),
            NodeOperation::Binary(Binary::Subtract, a, b) if is_constant(b) => of(a),
            NodeOperation::Binary(Binary::Subtract, a, b) => of(a).filter(|course| of(b) == Some(course.reverse())),
            NodeOperation::Binary(Binary::Multiply, a, b) if is_constant(a) => {
                Some(sign_of_product(self.strict_sign(a)?, of(b)?))
            }
            NodeOperation::Binary(Binary::Multiply | Binary::Divide, a, b) if is_constant(b) => {
                Some(sign_of_product(self.strict_sign(b)?, of(a)?))
            }
            // a/b for a constant a: if b has one sign, 1/b decreases where b increases.
            NodeOperation::Binary(Binary::Divide, a, b) if is_constant(a) && self.strict_sign(b).is_some() => {
                Some(sign_of_product(self.strict_sign(a)?, of(b)?.reverse()))
            }
            _ => None,
        }
    }
}
