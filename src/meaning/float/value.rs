//! The values of floating-point programs.

use super::Float;
use super::number::{Number, Tag};
use crate::model::answer::Reply;
use crate::model::universe::Universe;
use crate::presheaf::error::PresheafError;
use crate::presheaf::nested::Nested;
use crate::presheaf::sequence::Sequence;
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// A real number.
    Real(Number),
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Boolean(bool),
    /// The only value of type unit.
    #[default]
    Unit,
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A variant: the number of a constructor, and its argument.
    Variant(usize, Nested<Value>),
    /// A list.
    List(Sequence<Value>),
    /// A function.
    Function(Function),
    /// A tangent.
    Tangent(Arc<Tangent>),
    /// A pair of functions back and forth.
    Isomorphism(Function, Function),
}

/// A tangent: a value in which an ε stands for the direction. In presheaves it is an element of a
/// [coend](crate::presheaf::tangent::Tangent).
#[derive(Clone, Debug)]
pub struct Tangent {
    /// The ε, bound in `value`.
    pub tag: Tag,
    /// The value.
    pub value: Value,
}

type Rule = dyn Fn(&Value) -> Result<Value, PresheafError> + Send + Sync;

/// A function. Safe to apply and to drop however many renamings lie over one another.
#[derive(Clone)]
pub struct Function(Option<Arc<Rule>>);

impl Drop for Function {
    fn drop(&mut self) {
        let rule = self.0.take();
        if rule.as_ref().is_some_and(|rule| Arc::strong_count(rule) == 1) {
            deep(|| drop(rule));
        }
    }
}

impl Function {
    fn new(f: impl Fn(&Value) -> Result<Value, PresheafError> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// The function at an argument.
    ///
    /// # Errors
    /// [`PresheafError`]
    pub fn apply(&self, argument: &Value) -> Result<Value, PresheafError> {
        match &self.0 {
            Some(rule) => deep(|| rule(argument)),
            // only while it is dropped
            None => Err(PresheafError::Mismatch { expected: "a function", found: "none" }),
        }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<function>")
    }
}

impl Value {
    /// A function.
    pub fn function(f: impl Fn(&Value) -> Result<Value, PresheafError> + Send + Sync + 'static) -> Self {
        Value::Function(Function::new(f))
    }

    /// A pair of functions back and forth.
    pub(super) fn isomorphism(
        to: impl Fn(&Value) -> Result<Value, PresheafError> + Send + Sync + 'static,
        from: impl Fn(&Value) -> Result<Value, PresheafError> + Send + Sync + 'static,
    ) -> Self {
        Value::Isomorphism(Function::new(to), Function::new(from))
    }

    /// The value with another ε in place of one, or with none.
    ///
    /// Of a function it is the function that does so to its results. What its argument has of that ε is the argument's own:
    /// it is kept out of the way under a fresh tag meanwhile.
    pub(super) fn replaced(&self, float: &Arc<Float>, tag: Tag, by: Option<Tag>) -> Value {
        self.replaced_in(float, tag, by, &mut FxHashMap::default())
    }

    /// The same, with what was done to arguments of constructors: a value may share them.
    fn replaced_in(
        &self,
        float: &Arc<Float>,
        tag: Tag,
        by: Option<Tag>,
        done: &mut FxHashMap<usize, Nested<Value>>,
    ) -> Value {
        match self {
            Value::Real(number) => {
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
            Value::Tangent(tangent) if tangent.tag == tag => self.clone(),
            Value::Tangent(tangent) => {
                let tangent = if by == Some(tangent.tag) { tangent.renamed(float) } else { Tangent::clone(tangent) };
                let value = tangent.value.replaced(float, tag, by);
                Value::Tangent(Arc::new(Tangent { tag: tangent.tag, value }))
            }
        }
    }

    /// The parts of a tuple, of a variant or of a list.
    pub(super) fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Value::Tuple(parts) => Box::new(parts.iter()),
            Value::Variant(_, argument) => Box::new(std::iter::once(&**argument)),
            Value::List(list) => Box::new(list.iter()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// What is told of the value.
    ///
    /// # Errors
    /// [`PresheafError::Exhausted`], since there may be much to tell.
    pub(super) fn reply(&self, float: &Float) -> Result<Reply<f64>, PresheafError> {
        float.step()?;
        Ok(match self {
            Value::Real(number) => Reply::Real(number.value()),
            Value::Natural(n) => Reply::Natural(*n),
            Value::Boolean(b) => Reply::Boolean(*b),
            Value::Unit => Reply::Unit,
            Value::Tuple(parts) => Reply::Tuple(parts.iter().map(|part| part.reply(float)).collect::<Result<_, _>>()?),
            Value::Variant(index, argument) => Reply::Variant(*index, Box::new(deep(|| argument.reply(float))?)),
            Value::List(list) => Reply::List(list.iter().map(|part| part.reply(float)).collect::<Result<_, _>>()?),
            Value::Function(_) => Reply::Function,
            Value::Tangent(_) => Reply::Tangent,
            Value::Isomorphism(..) => Reply::Isomorphism,
        })
    }

    pub(super) fn mismatch(&self, expected: &'static str) -> PresheafError {
        let found = match self {
            Value::Real(_) => "a real number",
            Value::Natural(_) => "a natural number",
            Value::Boolean(_) => "a truth value",
            Value::Unit => "the unit value",
            Value::Tuple(_) => "a tuple",
            Value::Variant(..) => "a variant",
            Value::List(_) => "a list",
            Value::Function(_) => "a function",
            Value::Tangent(_) => "a tangent",
            Value::Isomorphism(..) => "an isomorphism",
        };
        PresheafError::Mismatch { expected, found }
    }

    /// The real number.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_real(&self) -> Result<&Number, PresheafError> {
        match self {
            Value::Real(number) => Ok(number),
            _ => Err(self.mismatch("a real number")),
        }
    }

    /// The natural number.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_natural(&self) -> Result<u64, PresheafError> {
        match self {
            Value::Natural(n) => Ok(*n),
            _ => Err(self.mismatch("a natural number")),
        }
    }

    /// The truth value.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_boolean(&self) -> Result<bool, PresheafError> {
        match self {
            Value::Boolean(b) => Ok(*b),
            _ => Err(self.mismatch("a truth value")),
        }
    }

    /// The components of a tuple.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_tuple(&self) -> Result<&[Value], PresheafError> {
        match self {
            Value::Tuple(parts) => Ok(parts),
            _ => Err(self.mismatch("a tuple")),
        }
    }

    /// The two components of a pair.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_pair(&self) -> Result<(&Value, &Value), PresheafError> {
        match self.as_tuple()? {
            [a, b] => Ok((a, b)),
            _ => Err(self.mismatch("a pair")),
        }
    }

    /// The number of the constructor, and its argument.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_variant(&self) -> Result<(usize, &Value), PresheafError> {
        match self {
            Value::Variant(index, argument) => Ok((*index, argument)),
            _ => Err(self.mismatch("a variant")),
        }
    }

    /// The list.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_list(&self) -> Result<&Sequence<Value>, PresheafError> {
        match self {
            Value::List(list) => Ok(list),
            _ => Err(self.mismatch("a list")),
        }
    }

    /// The function.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_function(&self) -> Result<&Function, PresheafError> {
        match self {
            Value::Function(f) => Ok(f),
            _ => Err(self.mismatch("a function")),
        }
    }

    /// The tangent.
    ///
    /// # Errors
    /// [`PresheafError::Mismatch`]
    pub fn as_tangent(&self) -> Result<&Arc<Tangent>, PresheafError> {
        match self {
            Value::Tangent(tangent) => Ok(tangent),
            _ => Err(self.mismatch("a tangent")),
        }
    }
}
