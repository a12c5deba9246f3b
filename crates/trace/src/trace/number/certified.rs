//! Certified real numbers: enclosures at one precision. On inputs that enclose a box, results enclose all values on the
//! box.

use super::{FastOperation, NumberSystem};
use crate::function::{BinaryShape, Planar};
use crate::model::answer::UndefinedCause;
use crate::number::{Context, Rational, Sign};
use crate::trace::error::{TraceError, UndefinedValue};
use crate::trace::operation::OperationSymbol;
use std::cmp::Ordering;

/// Enclosures of real numbers. A decision is certain, and holds for all numbers in the enclosures.
#[derive(Clone, Debug)]
pub struct CertifiedReals<C>(pub C);

impl<C: Context> CertifiedReals<C> {
    /// Returns a^q, as a power of a root; `None` if the exponent is too large.
    fn rational_power(&self, q: &Rational, a: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let (p, root) = (q.numer().to_i32()?, q.denom().to_u32()?);
        let power = c.power(&if root == 1 { a.clone() } else { c.root(a, root) }, p.unsigned_abs());
        Some(if p < 0 { c.div(&c.enclose_integer(1), &power) } else { power })
    }

    /// Returns the cause for a function of two variables that is not certainly smooth at (a, b).
    fn binary_undefined_cause(&self, f: Planar, a: &C::Num, b: &C::Num) -> UndefinedCause {
        // A point interval at 0 is certainly the origin or the cut; a wider one may touch it by lack of precision
        // alone.
        let is_zero = |x: &C::Num| self.0.is_point(x) && self.0.contains_zero(x);
        match f.row().shape {
            BinaryShape::Angle if is_zero(a) && is_zero(b) => UndefinedCause::Domain,
            BinaryShape::Angle if is_zero(a) && self.0.sign(b) == Sign::Negative => UndefinedCause::Boundary,
            BinaryShape::Angle => UndefinedCause::Undecided,
        }
    }
}

impl<C: Context> NumberSystem for CertifiedReals<C> {
    type Number = C::Num;

    fn represent_rational(&self, q: &Rational) -> C::Num {
        self.0.enclose_rational(q)
    }

    fn add(&self, a: &C::Num, b: &C::Num) -> C::Num {
        self.0.add(a, b)
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&C::Num]) -> Result<C::Num, TraceError> {
        let c = &self.0;
        let found = match (operation, arguments) {
            (OperationSymbol::Pi, []) => c.pi(),
            (OperationSymbol::Negate, [a]) => c.neg(a),
            (OperationSymbol::Subtract, [a, b]) => c.sub(a, b),
            (OperationSymbol::Multiply, [a, b]) => c.mul(a, b),
            (OperationSymbol::Divide, [a, b]) => c.div(a, b),
            (OperationSymbol::Power(q), [a]) => {
                let lacks = || TraceError::MissingOperation { numbers: "real numbers", operation: format!("^ ({q})") };
                self.rational_power(q, a).ok_or_else(lacks)?
            }
            (OperationSymbol::Function(f), [a]) => c.apply_function(*f, a),
            (OperationSymbol::BinaryFunction(f), [a, b]) if c.is_smooth_near(*f, a, b) => {
                c.apply_binary_function(*f, a, b)
            }
            (OperationSymbol::BinaryFunction(f), [a, b]) => {
                return Err(UndefinedValue::of_operation(self.binary_undefined_cause(*f, a, b), operation).into());
            }
            _ => return Err(TraceError::Stuck { construct: "an operation" }),
        };
        // An undefined result here is a lack of precision, since the conditions on the arguments hold.
        if c.is_defined(&found) {
            Ok(found)
        } else {
            Err(UndefinedValue::of_operation(UndefinedCause::Undecided, operation).into())
        }
    }

    fn memory_bytes(&self) -> usize {
        // Above 53 bits a number has two endpoints with limbs of their own, of `precision / 8` bytes each, and their
        // headers.
        size_of::<C::Num>() + if self.0.precision() > 53 { self.0.precision() as usize / 4 + 64 } else { 0 }
    }

    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &C::Num, b: &C::Num) -> Option<C::Num> {
        let c = &self.0;
        let found = match operation {
            FastOperation::Add => c.add(a, b),
            FastOperation::Negate => c.neg(a),
            FastOperation::Subtract => c.sub(a, b),
            FastOperation::Multiply => c.mul(a, b),
            // Whether 0 lies in b is for `compare` to decide, which also names the cause.
            FastOperation::Divide if c.contains_zero(b) => return None,
            FastOperation::Divide => c.div(a, b),
        };
        c.is_defined(&found).then_some(found)
    }

    fn compare(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.0;
        if c.is_strictly_below(a, b) {
            return Ok(Ordering::Less);
        }
        if c.is_strictly_below(b, a) {
            return Ok(Ordering::Greater);
        }
        // Points that are not apart are equal; wider enclosures that overlap decide nothing.
        if c.is_point(a) && c.is_point(b) {
            return Ok(Ordering::Equal);
        }
        let magnitude = c.magnitude(&c.sub(a, b));
        Err(magnitude.is_finite().then(|| magnitude.floor_log2()))
    }
}
