//! Exponents that are written as arithmetic of literals: `x^(3^2)` is `x^9`.
//!
//! An exponent is a constant where it is one as it is written, so that a power of a negative number, and its derivative, are those of
//! the literal in every model. What a model takes for a literal by itself is left as it stands.

use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::limit;
use crate::syntax::surface::{Expression, ExpressionKind, Operator};

/// The most parts that such an exponent has.
const PARTS: usize = 64;
/// The most digits, in base 2, of a numerator or denominator on the way.
const BITS: u32 = 64;

/// The number that an exponent is, where it is a sum, a difference, a product, a quotient or a whole power of literals, and neither a
/// literal itself, nor its opposite, nor a quotient of two. `None` for what is larger than a literal exponent may be.
pub(super) fn folded(exponent: &Expression) -> Option<Rational> {
    if is_written(exponent) {
        return None;
    }
    let value = value(exponent, &mut 0)?;
    (*value.as_abs() <= limit::POWER).then_some(value)
}

/// Whether models see a literal.
fn is_written(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Number(..) => true,
        ExpressionKind::Negate(inner) => deep(|| is_written(inner)),
        ExpressionKind::Binary(Operator::Divide, left, right) => deep(|| is_written(left) && is_written(right)),
        _ => false,
    }
}

fn value(expression: &Expression, parts: &mut usize) -> Option<Rational> {
    *parts += 1;
    if *parts > PARTS {
        return None;
    }
    let value = match &expression.kind {
        ExpressionKind::Number(value, _) => (**value).clone(),
        ExpressionKind::Negate(inner) => -deep(|| value(inner, parts))?,
        ExpressionKind::Binary(operator, left, right) => {
            let left = deep(|| value(left, parts))?;
            let right = deep(|| value(right, parts))?;
            match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide if !right.is_zero() => left / right,
                Operator::Power => power(left, &right)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    is_small(&value).then_some(value)
}

/// A whole power, and none of 0 but positive ones.
fn power(base: Rational, exponent: &Rational) -> Option<Rational> {
    let exponent = exponent.is_integer().then(|| exponent.numer().to_i32()).flatten()?;
    let bits = base.numer().significant_bits().max(base.denom().significant_bits());
    // each factor but 1 doubles at least
    let is_small = bits <= 1 || exponent.unsigned_abs() <= BITS;
    if !is_small || base.is_zero() && exponent <= 0 {
        return None;
    }
    let base = if exponent < 0 { base.recip() } else { base };
    // by squares: what is not small has at most 1 for a base
    let (mut power, mut square, mut left) = (Rational::from(1), base, exponent.unsigned_abs());
    while left > 0 {
        if left % 2 == 1 {
            power *= &square;
        }
        left /= 2;
        if left > 0 {
            square = square.clone() * &square;
        }
    }
    Some(power)
}

fn is_small(value: &Rational) -> bool {
    value.numer().significant_bits() <= BITS && value.denom().significant_bits() <= BITS
}
