//! Tangents of floating-point values (S §5.3, with an ε for the direction).
//!
//! As in [`presheaf::push_tangent`](crate::presheaf::push_tangent), a tangent gets a fresh ε whenever its value is used as a value over
//! that ε. The same tangent may be used inside a use of itself. Without the renaming, the perturbations of a function of
//! functions would be confused (Manzyuk et al. 2019).

use super::Float;
use super::number::DualNumber;
use super::value::{FloatFunction, FloatTangent, FloatValue, ReplaceEpsilon};
use crate::value::ValueError;
use std::sync::Arc;

type Result<T> = std::result::Result<T, ValueError>;

impl FloatTangent {
    /// Returns the tangent with a fresh ε.
    pub(super) fn with_fresh_epsilon(&self, float: &Arc<Float>) -> Self {
        let tag = float.fresh_tag();
        Self { tag, value: self.value.replace_epsilon(float, self.tag, Some(tag)) }
    }

    fn with_value(&self, value: FloatValue) -> FloatValue {
        FloatValue::Tangent(Arc::new(FloatTangent { tag: self.tag, value }))
    }
}

/// Evaluates `deriv f x`.
pub fn derivative_at(float: &Arc<Float>, f: &FloatFunction, x: &DualNumber) -> Result<DualNumber> {
    let tag = float.fresh_tag();
    let y = f.apply(&FloatValue::Real(DualNumber::attach_epsilon(tag, x, &DualNumber::ONE)))?;
    Ok(y.as_real()?.slope_along(tag))
}

/// Evaluates `jvp f x v`.
pub fn derivative_along(float: &Arc<Float>, f: &FloatFunction, x: &FloatValue, v: &FloatValue) -> Result<FloatValue> {
    let tag = float.fresh_tag();
    let (at, along) = (x.coordinates()?, v.coordinates()?);
    let moved: Vec<_> = at.into_iter().zip(along).map(|(x, v)| DualNumber::attach_epsilon(tag, x, v)).collect();
    let y = f.apply(&x.with_coordinates(&mut moved.into_iter()))?;
    let slopes: Vec<_> = y.coordinates()?.into_iter().map(|y| y.slope_along(tag)).collect();
    Ok(y.with_coordinates(&mut slopes.into_iter()))
}

/// Evaluates `rd f x w` by the definition of the transpose: one run for each coordinate of x, along it.
pub fn transposed_derivative(
    float: &Arc<Float>,
    f: &FloatFunction,
    x: &FloatValue,
    w: &FloatValue,
) -> Result<FloatValue> {
    let (at, weights) = (x.coordinates()?, w.coordinates()?);
    let mut columns = Vec::with_capacity(at.len());
    for place in 0..at.len() {
        let unit = |i| if i == place { DualNumber::ONE } else { DualNumber::ZERO };
        let slopes = derivative_along(float, f, x, &x.with_coordinates(&mut (0..at.len()).map(unit)))?;
        let slopes = slopes.coordinates()?;
        if slopes.len() != weights.len() {
            return Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function"));
        }
        let products = weights.iter().zip(slopes).map(|(w, slope)| float.multiply(w, slope));
        columns.push(products.reduce(|sum, product| float.add(&sum, &product)).unwrap_or(DualNumber::ZERO));
    }
    Ok(x.with_coordinates(&mut columns.into_iter()))
}

/// Evaluates `tangent f v`.
pub fn push_tangent(float: &Arc<Float>, f: &FloatFunction, v: &FloatTangent) -> Result<FloatValue> {
    // f may use v itself, so its ε is renamed before f sees it
    let v = v.with_fresh_epsilon(float);
    Ok(v.with_value(f.apply(&v.value)?))
}

/// Evaluates `tangentValue v`.
pub fn tangent_value(float: &Arc<Float>, v: &FloatTangent) -> FloatValue {
    v.value.replace_epsilon(float, v.tag, None)
}

/// Evaluates `tangent_R.to v`.
pub fn real_to(v: &FloatTangent) -> Result<FloatValue> {
    let x = v.value.as_real()?;
    Ok(FloatValue::Tuple(
        [FloatValue::Real(x.replace_epsilon(v.tag, None)), FloatValue::Real(x.slope_along(v.tag))].into(),
    ))
}

/// Evaluates `tangent_R.from (x, dx)`.
pub fn real_from(float: &Arc<Float>, x: &DualNumber, dx: &DualNumber) -> FloatValue {
    let tag = float.fresh_tag();
    FloatValue::Tangent(Arc::new(FloatTangent { tag, value: FloatValue::Real(DualNumber::attach_epsilon(tag, x, dx)) }))
}

/// Evaluates `tangentProd.to v`.
pub fn product_to(v: &FloatTangent) -> Result<FloatValue> {
    Ok(FloatValue::Tuple(v.value.as_tuple()?.iter().map(|part| v.with_value(part.clone())).collect()))
}

/// Evaluates `tangentProd.from (v₁, …, vₙ)`.
pub fn product_from(float: &Arc<Float>, parts: &[FloatValue]) -> Result<FloatValue> {
    let tag = float.fresh_tag();
    let parts: Result<Arc<[FloatValue]>> = parts
        .iter()
        .map(|part| {
            let part = part.as_tangent()?;
            // the parts move along one common ε
            Ok(part.value.replace_epsilon(float, part.tag, Some(tag)))
        })
        .collect();
    Ok(FloatValue::Tangent(Arc::new(FloatTangent { tag, value: FloatValue::Tuple(parts?) })))
}

/// Evaluates `tangentTo_R.to v`.
pub fn function_to(float: &Arc<Float>, v: &Arc<FloatTangent>) -> Result<FloatValue> {
    v.value.as_function()?;
    let at = |part: fn(&DualNumber, &FloatTangent) -> DualNumber| {
        let (float, v) = (float.clone(), v.clone());
        FloatValue::from_closure(move |a| {
            // at each call, since the argument may contain v
            let v = v.with_fresh_epsilon(&float);
            let y = v.value.as_function()?.apply(a)?;
            Ok(FloatValue::Real(part(y.as_real()?, &v)))
        })
    };
    let parts = [at(|y, v| y.replace_epsilon(v.tag, None)), at(|y, v| y.slope_along(v.tag))];
    Ok(FloatValue::Tuple(parts.into()))
}

/// Evaluates `tangentTo_R.from (f, df)`.
pub fn function_from(float: &Arc<Float>, f: &FloatFunction, df: &FloatFunction) -> FloatValue {
    let tag = float.fresh_tag();
    let (f, df) = (f.clone(), df.clone());
    let value = FloatValue::from_closure(move |a| {
        let (y, dy) = (f.apply(a)?, df.apply(a)?);
        Ok(FloatValue::Real(DualNumber::attach_epsilon(tag, y.as_real()?, dy.as_real()?)))
    });
    FloatValue::Tangent(Arc::new(FloatTangent { tag, value }))
}
