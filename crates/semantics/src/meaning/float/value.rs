//! Values of floating-point programs.

use super::Float;
use super::number::{DualNumber, EpsilonTag};
use crate::stack::with_stack;
use crate::value::{self, Carrier, SharedBox};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A dual number represents a real number; every comparison is decided.
impl Carrier for DualNumber {
    type Truth = bool;
    type Tangent = FloatTangent;
}

/// A floating-point value.
pub type FloatValue = value::Value<DualNumber>;

/// A floating-point function.
pub type FloatFunction = value::ValueFunction<DualNumber>;

/// A tangent: a value in which an ε stands for the direction. In presheaves it is an element of a
/// [coend](crate::presheaf::tangent::TangentElement).
#[derive(Clone, Debug)]
pub struct FloatTangent {
    /// The ε, which is bound in `value`.
    pub tag: EpsilonTag,
    /// The value.
    pub value: FloatValue,
}

/// Renaming and removal of an ε in a value.
pub(super) trait ReplaceEpsilon {
    /// Replaces an ε by another one, or removes it if `by` is `None`.
    ///
    /// A function becomes one whose results are replaced. An ε of the same tag in its argument belongs to the argument. It is
    /// renamed to a fresh tag for the call.
    fn replace_epsilon(&self, float: &Arc<Float>, tag: EpsilonTag, by: Option<EpsilonTag>) -> FloatValue {
        self.replace_epsilon_in(float, tag, by, &mut FxHashMap::default())
    }

    /// Like `replace_epsilon`, with a table of the constructor arguments replaced so far, which a value may share.
    fn replace_epsilon_in(
        &self,
        float: &Arc<Float>,
        tag: EpsilonTag,
        by: Option<EpsilonTag>,
        done: &mut FxHashMap<usize, SharedBox<FloatValue>>,
    ) -> FloatValue;
}

impl ReplaceEpsilon for FloatValue {
    fn replace_epsilon_in(
        &self,
        float: &Arc<Float>,
        tag: EpsilonTag,
        by: Option<EpsilonTag>,
        done: &mut FxHashMap<usize, SharedBox<FloatValue>>,
    ) -> FloatValue {
        match self {
            FloatValue::Real(number) => {
                // about as many operations as the number has coefficients; 20 keeps the shift in range
                float.count_operations(1 << number.value_levels().min(20));
                FloatValue::Real(number.replace_epsilon(tag, by))
            }
            FloatValue::Natural(_) | FloatValue::Boolean(_) | FloatValue::Unit | FloatValue::Isomorphism(..) => {
                self.clone()
            }
            FloatValue::Tuple(parts) => {
                FloatValue::Tuple(parts.iter().map(|part| part.replace_epsilon_in(float, tag, by, done)).collect())
            }
            FloatValue::Variant(index, argument) => {
                if let Some(done) = done.get(&argument.storage_address()) {
                    return FloatValue::Variant(*index, done.clone());
                }
                let replaced = SharedBox::new(with_stack(|| argument.replace_epsilon_in(float, tag, by, done)));
                done.insert(argument.storage_address(), replaced.clone());
                FloatValue::Variant(*index, replaced)
            }
            FloatValue::List(list) => {
                FloatValue::List(list.iter().map(|part| part.replace_epsilon_in(float, tag, by, done)).collect())
            }
            FloatValue::Function(f) => {
                let (f, float) = (f.clone(), float.clone());
                FloatValue::from_closure(move |argument| {
                    let aside = float.fresh_tag();
                    let result = f.apply(&argument.replace_epsilon(&float, tag, Some(aside)))?;
                    Ok(result.replace_epsilon(&float, tag, by).replace_epsilon(&float, aside, Some(tag)))
                })
            }
            // the tag is bound here: occurrences inside are another ε
            FloatValue::Tangent(tangent) if tangent.tag == tag => self.clone(),
            FloatValue::Tangent(tangent) => {
                // avoid capture: if the new tag is the one bound here, rename the bound one first
                let tangent = if by == Some(tangent.tag) {
                    tangent.with_fresh_epsilon(float)
                } else {
                    FloatTangent::clone(tangent)
                };
                let value = tangent.value.replace_epsilon(float, tag, by);
                FloatValue::Tangent(Arc::new(FloatTangent { tag: tangent.tag, value }))
            }
        }
    }
}
