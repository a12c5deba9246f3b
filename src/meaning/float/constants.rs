//! What the constants of the language are in floating-point arithmetic.

use super::number::Number;
use super::value::Value;
use super::{Float, tangent};
use crate::number::context::Function as Elementary;
use crate::presheaf::error::PresheafError;
use crate::syntax::constant::Constant;
use std::sync::Arc;

type Result<T> = std::result::Result<T, PresheafError>;

/// A constant at all its arguments.
pub fn apply(float: &Arc<Float>, constant: Constant, arguments: &[Value]) -> Result<Value> {
    match arguments {
        [] => nullary(float, constant),
        [x] => unary(float, constant, x),
        [x, y] => binary(float, constant, x, y),
        [step, start, list] if constant == Constant::Fold => {
            let step = step.as_function()?;
            list.as_list()?.fold(start.clone(), |x, rest| step.apply(x)?.as_function()?.apply(&rest))
        }
        _ => Err(PresheafError::Mismatch { expected: "at most two arguments", found: "more of them" }),
    }
}

fn nullary(float: &Arc<Float>, constant: Constant) -> Result<Value> {
    let real = |x: f64| Value::Real(Number::Plain(float.nudged(x)));
    let (there, back) = (float.clone(), float.clone());
    Ok(match constant {
        Constant::Pi => real(std::f64::consts::PI),
        Constant::E => real(std::f64::consts::E),
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
        _ => return Err(PresheafError::Mismatch { expected: "a constant without arguments", found: constant.name() }),
    })
}

fn unary(float: &Arc<Float>, constant: Constant, x: &Value) -> Result<Value> {
    let elementary = |f: Elementary| Ok(Value::Real(float.function(f, x.as_real()?)));
    match constant {
        Constant::Negate => negate(float, x),
        Constant::Not => Ok(Value::Boolean(!x.as_boolean()?)),
        Constant::ToReal => Ok(Value::Real(Number::Plain(x.as_natural()? as f64))),
        Constant::Abs => Ok(Value::Real(float.abs(x.as_real()?))),
        Constant::Signum => Ok(Value::Real(float.signum(x.as_real()?))),
        Constant::Sqrt => elementary(Elementary::Sqrt),
        Constant::Cbrt => elementary(Elementary::Cbrt),
        Constant::Exp => elementary(Elementary::Exp),
        Constant::Log => elementary(Elementary::Log),
        Constant::Sin => elementary(Elementary::Sin),
        Constant::Cos => elementary(Elementary::Cos),
        Constant::Tan => elementary(Elementary::Tan),
        Constant::Asin => elementary(Elementary::Asin),
        Constant::Acos => elementary(Elementary::Acos),
        Constant::Atan => elementary(Elementary::Atan),
        Constant::Sinh => elementary(Elementary::Sinh),
        Constant::Cosh => elementary(Elementary::Cosh),
        Constant::Tanh => elementary(Elementary::Tanh),
        Constant::Asinh => elementary(Elementary::Asinh),
        Constant::Acosh => elementary(Elementary::Acosh),
        Constant::Atanh => elementary(Elementary::Atanh),
        Constant::Sigmoid => {
            let decay = float.function(Elementary::Exp, &float.negate(x.as_real()?));
            Ok(Value::Real(float.divide(&Number::ONE, &float.add(&Number::ONE, &decay))))
        }
        Constant::Fst => Ok(x.as_pair()?.0.clone()),
        Constant::Snd => Ok(x.as_pair()?.1.clone()),
        Constant::Integral01 => float.integral(x.as_function()?).map(Value::Real),
        Constant::CutRoot => float.cut_root(x.as_function()?).map(Value::Real),
        Constant::FirstRoot => float.first_root(x.as_function()?).map(Value::Real),
        Constant::Max01 => Ok(Value::Real(float.maximum(x.as_function()?, 1.0)?.1)),
        Constant::Argmax01 => Ok(Value::Real(float.maximum(x.as_function()?, 1.0)?.0)),
        Constant::Min01 => Ok(Value::Real(float.maximum(x.as_function()?, -1.0)?.1)),
        Constant::Argmin01 => Ok(Value::Real(float.maximum(x.as_function()?, -1.0)?.0)),
        Constant::TangentValue => Ok(tangent::tangent_value(float, x.as_tangent()?)),
        _ => Err(PresheafError::Mismatch { expected: "a constant of one argument", found: constant.name() }),
    }
}

fn binary(float: &Arc<Float>, constant: Constant, x: &Value, y: &Value) -> Result<Value> {
    let real = |f: fn(&Float, &Number, &Number) -> Number| Ok(Value::Real(f(float, x.as_real()?, y.as_real()?)));
    let comparison = |f: fn(&u64, &u64) -> bool| Ok(Value::Boolean(f(&x.as_natural()?, &y.as_natural()?)));
    match constant {
        Constant::Add => additive(float, x, y, Float::add, u64::checked_add),
        Constant::Subtract => additive(float, x, y, Float::subtract, |a, b| Some(a.saturating_sub(b))),
        Constant::Multiply => real(Float::multiply),
        Constant::NaturalProduct => {
            let product = x.as_natural()?.checked_mul(y.as_natural()?);
            product.map(Value::Natural).ok_or(PresheafError::NaturalOverflow)
        }
        Constant::Divide => real(Float::divide),
        Constant::Max => real(Float::max),
        Constant::Min => real(Float::min),
        Constant::Power => real(Float::power),
        Constant::Equal => comparison(u64::eq),
        Constant::NotEqual => comparison(u64::ne),
        Constant::Less => comparison(u64::lt),
        Constant::LessEqual => comparison(u64::le),
        Constant::Greater => comparison(u64::gt),
        Constant::GreaterEqual => comparison(u64::ge),
        Constant::Tangent => tangent::tangent(float, x.as_function()?, &**y.as_tangent()?),
        Constant::Deriv => tangent::derivative(float, x.as_function()?, y.as_real()?).map(Value::Real),
        _ => Err(PresheafError::Mismatch { expected: "a constant of two arguments", found: constant.name() }),
    }
}

/// An operation on numbers, natural numbers, and tuples of them componentwise.
fn additive(
    float: &Arc<Float>,
    x: &Value,
    y: &Value,
    real: fn(&Float, &Number, &Number) -> Number,
    natural: fn(u64, u64) -> Option<u64>,
) -> Result<Value> {
    match (x, y) {
        (Value::Natural(a), Value::Natural(b)) => {
            natural(*a, *b).map(Value::Natural).ok_or(PresheafError::NaturalOverflow)
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            let parts: Result<Arc<[Value]>> =
                a.iter().zip(b.iter()).map(|(a, b)| additive(float, a, b, real, natural)).collect();
            Ok(Value::Tuple(parts?))
        }
        _ => Ok(Value::Real(real(float, x.as_real()?, y.as_real()?))),
    }
}

fn negate(float: &Arc<Float>, x: &Value) -> Result<Value> {
    match x {
        Value::Tuple(parts) => Ok(Value::Tuple(parts.iter().map(|part| negate(float, part)).collect::<Result<_>>()?)),
        _ => Ok(Value::Real(float.negate(x.as_real()?))),
    }
}
