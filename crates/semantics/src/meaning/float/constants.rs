//! The constants of the language in floating-point arithmetic.

use super::number::DualNumber;
use super::value::FloatValue;
use super::{Float, nearest_double, tangent};
use crate::model::universe::RealArithmetic;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::value::{UndefinedCause, UndefinedValue, ValueError};
use std::sync::Arc;

type Result<T> = std::result::Result<T, ValueError>;

impl RealArithmetic for Float {
    type Real = DualNumber;

    fn rational_constant(&self, value: &Rational) -> DualNumber {
        let x = nearest_double(value);
        let exact = Rational::from_f64(x).is_some_and(|x| x == *value);
        // a literal that is no double counts as a rounded result
        DualNumber::Plain(if exact || !x.is_finite() { x } else { self.perturb(x) })
    }
    fn compare_reals(&self, constant: Constant, x: &DualNumber, y: &DualNumber) -> Result<bool> {
        let (x, y) = (x.plain_value(), y.plain_value());
        if x.is_nan() || y.is_nan() {
            // a NaN satisfies neither a comparison nor its negation
            let sign = constant.operator_sign().unwrap_or(constant.name());
            return Err(ValueError::from_undefined(UndefinedValue {
                certain: false,
                ..UndefinedValue::of_operation(UndefinedCause::Domain, sign)
            }));
        }
        Ok(match constant {
            Constant::RealLess => x < y,
            Constant::RealLessEqual => x <= y,
            Constant::RealGreater => x > y,
            Constant::RealGreaterEqual => x >= y,
            Constant::RealEqual => x == y,
            Constant::RealNotEqual => x != y,
            _ => return self.missing_rule(constant),
        })
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&DualNumber]) -> Result<DualNumber> {
        let rounded = |x: f64| DualNumber::Plain(self.perturb(x));
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
            (Constant::Power, [x, y]) => self.constant_power(x, y),
            (Constant::RealPower, [x, y]) => self.real_power(x, y),
            (Constant::Planar(f), [x, y]) => self.apply_planar(f, x, y),
            (_, [x]) => match constant.as_elementary() {
                Some(f) => self.apply_elementary(f, x),
                None => return self.missing_rule(constant),
            },
            _ => return self.missing_rule(constant),
        })
    }
}

/// Applies a constant to all its arguments.
pub fn apply_to_values(float: &Arc<Float>, constant: Constant, arguments: &[FloatValue]) -> Result<FloatValue> {
    // first-order constants are common to all arithmetics; what is left takes functions or tangents
    float.apply_first_order(constant, arguments).unwrap_or_else(|| match arguments {
        [] => tangent_isomorphism(float, constant),
        [x] if constant == Constant::TangentValue => Ok(tangent::tangent_value(float, x.as_tangent()?)),
        [f] => match constant.as_functional() {
            Some(functional) => float.apply_functional(functional, f.as_function()?).map(FloatValue::Real),
            None => float.missing_rule(constant),
        },
        [f, x] if constant == Constant::Deriv => {
            tangent::derivative_at(float, f.as_function()?, x.as_real()?).map(FloatValue::Real)
        }
        [f, x, v] if constant == Constant::Jvp => tangent::derivative_along(float, f.as_function()?, x, v),
        [f, x, w] if constant == Constant::Rd => tangent::transposed_derivative(float, f.as_function()?, x, w),
        [f, v] => tangent::push_tangent(float, f.as_function()?, &**v.as_tangent()?),
        _ => float.missing_rule(constant),
    })
}

fn tangent_isomorphism(float: &Arc<Float>, constant: Constant) -> Result<FloatValue> {
    let (there, back) = (float.clone(), float.clone());
    Ok(match constant {
        Constant::TangentR => FloatValue::iso_from_closures(
            |v| tangent::real_to(v.as_tangent()?),
            move |p| {
                let (x, dx) = p.as_pair()?;
                Ok(tangent::real_from(&back, x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => FloatValue::iso_from_closures(
            |v| tangent::product_to(v.as_tangent()?),
            move |p| tangent::product_from(&back, p.as_tuple()?),
        ),
        Constant::TangentToR => FloatValue::iso_from_closures(
            move |v| tangent::function_to(&there, v.as_tangent()?),
            move |p| {
                let (f, df) = p.as_pair()?;
                Ok(tangent::function_from(&back, f.as_function()?, df.as_function()?))
            },
        ),
        _ => return float.missing_rule(constant),
    })
}
