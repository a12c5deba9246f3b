//! Tangents of floating-point values (S §5.3, with an ε for the direction).
//!
//! As in [`presheaf::tangent`](crate::presheaf::tangent), a tangent gets a fresh ε whenever its value is used as a value over
//! that ε. The same tangent may be used inside a use of itself. Without the renaming, the perturbations of a function of
//! functions would be confused (Manzyuk et al. 2019).

use super::Float;
use super::number::Number;
use super::value::{Function, Replace, Tangent, Value};
use crate::value::ValueError;
use std::sync::Arc;

type Result<T> = std::result::Result<T, ValueError>;

impl Tangent {
    /// Returns the tangent with a fresh ε.
    pub(super) fn renamed(&self, float: &Arc<Float>) -> Self {
        let tag = float.fresh();
        Self { tag, value: self.value.replaced(float, self.tag, Some(tag)) }
    }

    fn with(&self, value: Value) -> Value {
        Value::Tangent(Arc::new(Tangent { tag: self.tag, value }))
    }
}

/// Evaluates `deriv f x`.
pub fn derivative(float: &Arc<Float>, f: &Function, x: &Number) -> Result<Number> {
    let tag = float.fresh();
    let y = f.apply(&Value::Real(Number::attach(tag, x, &Number::ONE)))?;
    Ok(y.as_real()?.slope(tag))
}

/// Evaluates `jvp f x v`.
pub fn along(float: &Arc<Float>, f: &Function, x: &Value, v: &Value) -> Result<Value> {
    let tag = float.fresh();
    let (at, along) = (x.coordinates()?, v.coordinates()?);
    let moved: Vec<_> = at.into_iter().zip(along).map(|(x, v)| Number::attach(tag, x, v)).collect();
    let y = f.apply(&x.with_coordinates(&mut moved.into_iter()))?;
    let slopes: Vec<_> = y.coordinates()?.into_iter().map(|y| y.slope(tag)).collect();
    Ok(y.with_coordinates(&mut slopes.into_iter()))
}

/// Evaluates `rd f x w` by the definition of the transpose: one run for each coordinate of x, along it.
pub fn transposed(float: &Arc<Float>, f: &Function, x: &Value, w: &Value) -> Result<Value> {
    let (at, weights) = (x.coordinates()?, w.coordinates()?);
    let mut columns = Vec::with_capacity(at.len());
    for place in 0..at.len() {
        let unit = |i| if i == place { Number::ONE } else { Number::ZERO };
        let slopes = along(float, f, x, &x.with_coordinates(&mut (0..at.len()).map(unit)))?;
        let slopes = slopes.coordinates()?;
        if slopes.len() != weights.len() {
            return Err(w.mismatch("a cotangent with as many numbers as the value of the function"));
        }
        let products = weights.iter().zip(slopes).map(|(w, slope)| float.multiply(w, slope));
        columns.push(products.reduce(|sum, product| float.add(&sum, &product)).unwrap_or(Number::ZERO));
    }
    Ok(x.with_coordinates(&mut columns.into_iter()))
}

/// Evaluates `tangent f v`.
pub fn tangent(float: &Arc<Float>, f: &Function, v: &Tangent) -> Result<Value> {
    // f may use v itself, so its ε is renamed before f sees it
    let v = v.renamed(float);
    Ok(v.with(f.apply(&v.value)?))
}

/// Evaluates `tangentValue v`.
pub fn tangent_value(float: &Arc<Float>, v: &Tangent) -> Value {
    v.value.replaced(float, v.tag, None)
}

/// Evaluates `tangent_R.to v`.
pub fn real_to(v: &Tangent) -> Result<Value> {
    let x = v.value.as_real()?;
    Ok(Value::Tuple([Value::Real(x.replaced(v.tag, None)), Value::Real(x.slope(v.tag))].into()))
}

/// Evaluates `tangent_R.from (x, dx)`.
pub fn real_from(float: &Arc<Float>, x: &Number, dx: &Number) -> Value {
    let tag = float.fresh();
    Value::Tangent(Arc::new(Tangent { tag, value: Value::Real(Number::attach(tag, x, dx)) }))
}

/// Evaluates `tangentProd.to v`.
pub fn product_to(v: &Tangent) -> Result<Value> {
    Ok(Value::Tuple(v.value.as_tuple()?.iter().map(|part| v.with(part.clone())).collect()))
}

/// Evaluates `tangentProd.from (v₁, …, vₙ)`.
pub fn product_from(float: &Arc<Float>, parts: &[Value]) -> Result<Value> {
    let tag = float.fresh();
    let parts: Result<Arc<[Value]>> = parts
        .iter()
        .map(|part| {
            let part = part.as_tangent()?;
            // the parts move along one common ε
            Ok(part.value.replaced(float, part.tag, Some(tag)))
        })
        .collect();
    Ok(Value::Tangent(Arc::new(Tangent { tag, value: Value::Tuple(parts?) })))
}

/// Evaluates `tangentTo_R.to v`.
pub fn function_to(float: &Arc<Float>, v: &Arc<Tangent>) -> Result<Value> {
    v.value.as_function()?;
    let at = |part: fn(&Number, &Tangent) -> Number| {
        let (float, v) = (float.clone(), v.clone());
        Value::function(move |a| {
            // at each call, since the argument may contain v
            let v = v.renamed(&float);
            let y = v.value.as_function()?.apply(a)?;
            Ok(Value::Real(part(y.as_real()?, &v)))
        })
    };
    let parts = [at(|y, v| y.replaced(v.tag, None)), at(|y, v| y.slope(v.tag))];
    Ok(Value::Tuple(parts.into()))
}

/// Evaluates `tangentTo_R.from (f, df)`.
pub fn function_from(float: &Arc<Float>, f: &Function, df: &Function) -> Value {
    let tag = float.fresh();
    let (f, df) = (f.clone(), df.clone());
    let value = Value::function(move |a| {
        let (y, dy) = (f.apply(a)?, df.apply(a)?);
        Ok(Value::Real(Number::attach(tag, y.as_real()?, dy.as_real()?)))
    });
    Value::Tangent(Arc::new(Tangent { tag, value }))
}
