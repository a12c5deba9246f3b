//! Values of floating-point programs.

use super::Float;
use super::number::{Number, Tag};
use crate::stack::deep;
use crate::value::{self, Carrier, Nested};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A dual number represents a real number; every comparison is decided.
impl Carrier for Number {
    type Truth = bool;
    type Tangent = Tangent;
}

/// A floating-point value.
pub type Value = value::Value<Number>;

/// A floating-point function.
pub type Function = value::Function<Number>;

/// A tangent: a value in which an ε stands for the direction. In presheaves it is an element of a
/// [coend](crate::presheaf::tangent::Tangent).
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The ε, which is bound in `value`.
    pub tag: Tag,
    /// The value.
    pub value: Value,
}

/// Renaming and removal of an ε in a value.
pub(super) trait Replace {
    /// Replaces an ε by another one, or removes it if `by` is `None`.
    ///
    /// A function becomes one whose results are replaced. An ε of the same tag in its argument belongs to the argument. It is
    /// renamed to a fresh tag for the call.
    fn replaced(&self, float: &Arc<Float>, tag: Tag, by: Option<Tag>) -> Value {
        self.replaced_in(float, tag, by, &mut FxHashMap::default())
    }

    /// Like `replaced`, with a table of the constructor arguments replaced so far, which a value may share.
    fn replaced_in(
        &self,
        float: &Arc<Float>,
        tag: Tag,
        by: Option<Tag>,
        done: &mut FxHashMap<usize, Nested<Value>>,
    ) -> Value;
}

impl Replace for Value {
    fn replaced_in(
        &self,
        float: &Arc<Float>,
        tag: Tag,
        by: Option<Tag>,
        done: &mut FxHashMap<usize, Nested<Value>>,
    ) -> Value {
        match self {
            Value::Real(number) => {
                // about as many operations as the number has coefficients; 20 keeps the shift in range
                float.work(1 << number.levels().min(20));
                Value::Real(number.replaced(tag, by))
            }
            Value::Natural(_) | Value::Boolean(_) | Value::Unit | Value::Isomorphism(..) => self.clone(),
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| part.replaced_in(float, tag, by, done)).collect())
            }
            Value::Variant(index, argument) => {
                if let Some(done) = done.get(&argument.address()) {
                    return Value::Variant(*index, done.clone());
                }
                let replaced = Nested::new(deep(|| argument.replaced_in(float, tag, by, done)));
                done.insert(argument.address(), replaced.clone());
                Value::Variant(*index, replaced)
            }
            Value::List(list) => Value::List(list.iter().map(|part| part.replaced_in(float, tag, by, done)).collect()),
            Value::Function(f) => {
                let (f, float) = (f.clone(), float.clone());
                Value::function(move |argument| {
                    let aside = float.fresh();
                    let result = f.apply(&argument.replaced(&float, tag, Some(aside)))?;
                    Ok(result.replaced(&float, tag, by).replaced(&float, aside, Some(tag)))
                })
            }
            // the tag is bound here: occurrences inside are another ε
            Value::Tangent(tangent) if tangent.tag == tag => self.clone(),
            Value::Tangent(tangent) => {
                // avoid capture: if the new tag is the one bound here, rename the bound one first
                let tangent = if by == Some(tangent.tag) { tangent.renamed(float) } else { Tangent::clone(tangent) };
                let value = tangent.value.replaced(float, tag, by);
                Value::Tangent(Arc::new(Tangent { tag: tangent.tag, value }))
            }
        }
    }
}
