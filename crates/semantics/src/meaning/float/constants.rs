//! The constants of the language in floating-point arithmetic.

use super::number::Number;
use super::value::Value;
use super::{Float, nearest, tangent};
use crate::model::universe::Arithmetic;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::value::{Cause, Undefined, ValueError};
use std::sync::Arc;

type Result<T> = std::result::Result<T, ValueError>;

impl Arithmetic for Float {
    type Real = Number;

    fn rational(&self, value: &Rational) -> Number {
        let x = nearest(value);
        let exact = Rational::from_f64(x).is_some_and(|x| x == *value);
        // a literal that is no double counts as a rounded result
        Number::Plain(if exact || !x.is_finite() { x } else { self.nudged(x) })
    }
    fn compare(&self, constant: Constant, x: &Number, y: &Number) -> Result<bool> {
        let (x, y) = (x.value(), y.value());
        if x.is_nan() || y.is_nan() {
            // a NaN satisfies neither a comparison nor its negation
            let sign = constant.operator().unwrap_or(constant.name());
            return Err(ValueError::undefined(Undefined { certain: false, ..Undefined::of(Cause::Domain, sign) }));
        }
        Ok(match constant {
            Constant::RealLess => x < y,
            Constant::RealLessEqual => x <= y,
            Constant::RealGreater => x > y,
            Constant::RealGreaterEqual => x >= y,
            Constant::RealEqual => x == y,
            Constant::RealNotEqual => x != y,
            _ => return self.missing(constant),
        })
    }
    fn real(&self, constant: Constant, arguments: &[&Number]) -> Result<Number> {
        let rounded = |x: f64| Number::Plain(self.nudged(x));
        Ok(match (constant, arguments) {
            (Constant::Pi, []) => rounded(std::f64::consts::PI),
            (Constant::E, []) => rounded(std::f64::consts::E),
            (Constant::Negate, [x]) => self.negate(x),
            (Constant::Abs, [x]) => self.abs(x),
            (Constant::Signum, [x]) => self.signum(x),
            (Constant::Add, [x, y]) => self.add(x, y),
            (Constant::Subtract, [x, y]) => self.subtract(x, y),
            (Constant::Multiply, [x, y]) => self.multiply(x, y),
            (Constant::Divide, [x, y]) => self.divide(x, y),
            (Constant::Max, [x, y]) => self.max(x, y),
            (Constant::Min, [x, y]) => self.min(x, y),
            (Constant::Power, [x, y]) => self.power(x, y),
            (Constant::RealPower, [x, y]) => self.real_power(x, y),
            (Constant::Planar(f), [x, y]) => self.planar(f, x, y),
            (_, [x]) => match constant.elementary() {
                Some(f) => self.function(f, x),
                None => return self.missing(constant),
            },
            _ => return self.missing(constant),
        })
    }
}

/// Applies a constant to all its arguments.
pub fn apply(float: &Arc<Float>, constant: Constant, arguments: &[Value]) -> Result<Value> {
    // first-order constants are common to all arithmetics; what is left takes functions or tangents
    float.first_order(constant, arguments).unwrap_or_else(|| match arguments {
        [] => isomorphism(float, constant),
        [x] if constant == Constant::TangentValue => Ok(tangent::tangent_value(float, x.as_tangent()?)),
        [f] => match constant.functional() {
            Some(functional) => float.functional(functional, f.as_function()?).map(Value::Real),
            None => float.missing(constant),
        },
        [f, x] if constant == Constant::Deriv => {
            tangent::derivative(float, f.as_function()?, x.as_real()?).map(Value::Real)
        }
        [f, x, v] if constant == Constant::Jvp => tangent::along(float, f.as_function()?, x, v),
        [f, x, w] if constant == Constant::Rd => tangent::transposed(float, f.as_function()?, x, w),
        [f, v] => tangent::tangent(float, f.as_function()?, &**v.as_tangent()?),
        _ => float.missing(constant),
    })
}

fn isomorphism(float: &Arc<Float>, constant: Constant) -> Result<Value> {
    let (there, back) = (float.clone(), float.clone());
    Ok(match constant {
        Constant::TangentR => Value::isomorphism(
            |v| tangent::real_to(v.as_tangent()?),
            move |p| {
                let (x, dx) = p.as_pair()?;
                Ok(tangent::real_from(&back, x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => Value::isomorphism(
            |v| tangent::product_to(v.as_tangent()?),
            move |p| tangent::product_from(&back, p.as_tuple()?),
        ),
        Constant::TangentToR => Value::isomorphism(
            move |v| tangent::function_to(&there, v.as_tangent()?),
            move |p| {
                let (f, df) = p.as_pair()?;
                Ok(tangent::function_from(&back, f.as_function()?, df.as_function()?))
            },
        ),
        _ => return float.missing(constant),
    })
}
