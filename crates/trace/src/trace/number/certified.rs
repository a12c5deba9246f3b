//! Certified real numbers: enclosures at one precision. On inputs that enclose a box, results enclose all values on the
//! box.

use super::{Arithmetic, Numbers};
use crate::function::{Planar, Surface};
use crate::model::answer::Cause;
use crate::number::{Context, Rational, Sign};
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::operation::Operation;
use std::cmp::Ordering;

/// Enclosures of real numbers. A decision is certain, and holds for all numbers in the enclosures.
#[derive(Clone, Debug)]
pub struct Certified<C>(pub C);

impl<C: Context> Certified<C> {
    /// Returns a^q, as a power of a root; `None` if the exponent is too large.
    fn power(&self, q: &Rational, a: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let (p, root) = (q.numer().to_i32()?, q.denom().to_u32()?);
        let power = c.power(&if root == 1 { a.clone() } else { c.root(a, root) }, p.unsigned_abs());
        Some(if p < 0 { c.div(&c.integer(1), &power) } else { power })
    }

    /// Returns the cause for a function of two variables that is not certainly smooth at (a, b).
    fn cause_in_plane(&self, f: Planar, a: &C::Num, b: &C::Num) -> Cause {
        // A point interval at 0 is certainly the origin or the cut; a wider one may touch it by lack of precision
        // alone.
        let is_zero = |x: &C::Num| self.0.is_point(x) && self.0.contains_zero(x);
        match f.row().surface {
            Surface::Angle if is_zero(a) && is_zero(b) => Cause::Domain,
            Surface::Angle if is_zero(a) && self.0.sign(b) == Sign::Negative => Cause::Boundary,
            Surface::Angle => Cause::Undecided,
        }
    }
}

impl<C: Context> Numbers for Certified<C> {
    type Number = C::Num;

    fn rational(&self, q: &Rational) -> C::Num {
        self.0.rational(q)
    }

    fn add(&self, a: &C::Num, b: &C::Num) -> C::Num {
        self.0.add(a, b)
    }

    fn apply(&self, operation: &Operation, arguments: &[&C::Num]) -> Result<C::Num, Obstacle> {
        let c = &self.0;
        let found = match (operation, arguments) {
            (Operation::Pi, []) => c.pi(),
            (Operation::Negate, [a]) => c.neg(a),
            (Operation::Subtract, [a, b]) => c.sub(a, b),
            (Operation::Multiply, [a, b]) => c.mul(a, b),
            (Operation::Divide, [a, b]) => c.div(a, b),
            (Operation::Power(q), [a]) => {
                let lacks = || Obstacle::Lacks { numbers: "real numbers", operation: format!("^ ({q})") };
                self.power(q, a).ok_or_else(lacks)?
            }
            (Operation::Function(f), [a]) => c.function(*f, a),
            (Operation::Planar(f), [a, b]) if c.is_smooth(*f, a, b) => c.planar(*f, a, b),
            (Operation::Planar(f), [a, b]) => {
                return Err(Undefined::of(self.cause_in_plane(*f, a, b), operation).into());
            }
            _ => return Err(Obstacle::Stuck { construct: "an operation" }),
        };
        // An undefined result here is a lack of precision, since the conditions on the arguments hold.
        if c.is_defined(&found) { Ok(found) } else { Err(Undefined::of(Cause::Undecided, operation).into()) }
    }

    fn bytes(&self) -> usize {
        // Above 53 bits a number has two endpoints with limbs of their own, of `precision / 8` bytes each, and their
        // headers.
        size_of::<C::Num>() + if self.0.precision() > 53 { self.0.precision() as usize / 4 + 64 } else { 0 }
    }

    #[inline]
    fn at_once(&self, operation: Arithmetic, a: &C::Num, b: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let found = match operation {
            Arithmetic::Add => c.add(a, b),
            Arithmetic::Negate => c.neg(a),
            Arithmetic::Subtract => c.sub(a, b),
            Arithmetic::Multiply => c.mul(a, b),
            // Whether 0 lies in b is for `compare` to decide, which also names the cause.
            Arithmetic::Divide if c.contains_zero(b) => return None,
            Arithmetic::Divide => c.div(a, b),
        };
        c.is_defined(&found).then_some(found)
    }

    fn compare(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.0;
        if c.strictly_below(a, b) {
            return Ok(Ordering::Less);
        }
        if c.strictly_below(b, a) {
            return Ok(Ordering::Greater);
        }
        // Points that are not apart are equal; wider enclosures that overlap decide nothing.
        if c.is_point(a) && c.is_point(b) {
            return Ok(Ordering::Equal);
        }
        let magnitude = c.magnitude(&c.sub(a, b));
        Err(magnitude.is_finite().then(|| magnitude.log2()))
    }
}
