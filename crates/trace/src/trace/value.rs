//! Closed values (A §3), the results of evaluation.

use super::ty::Ty;
use std::fmt;
use std::sync::Arc;

/// A closed value. `R` is the representation of real numbers.
#[derive(Clone, PartialEq)]
pub enum Value<R> {
    /// A real number.
    Real(R),
    /// `∗`
    Unit,
    /// `⟨V, W⟩`
    Pair(Arc<(Value<R>, Value<R>)>),
}

impl<R> Value<R> {
    /// Makes `⟨V, W⟩`.
    #[must_use]
    pub fn pair(left: Value<R>, right: Value<R>) -> Value<R> {
        Value::Pair(Arc::new((left, right)))
    }

    /// Returns the real numbers of the value, from left to right.
    #[must_use]
    pub fn reals(&self) -> Vec<&R> {
        match self {
            Value::Real(x) => vec![x],
            Value::Unit => Vec::new(),
            Value::Pair(parts) => {
                let mut reals = parts.0.reals();
                reals.extend(parts.1.reals());
                reals
            }
        }
    }

    /// Makes the value of a type with these numbers, from left to right. Returns `None` if they are too few.
    pub fn from_reals(ty: &Ty, reals: &mut impl Iterator<Item = R>) -> Option<Value<R>> {
        Some(match ty {
            Ty::Real => Value::Real(reals.next()?),
            Ty::Unit => Value::Unit,
            Ty::Product(parts) => {
                let left = Value::from_reals(&parts.0, reals)?;
                Value::pair(left, Value::from_reals(&parts.1, reals)?)
            }
        })
    }

    /// Replaces each real number by its image under `of`, from left to right.
    #[must_use]
    pub fn map<S>(&self, of: &mut impl FnMut(&R) -> S) -> Value<S> {
        match self {
            Value::Real(x) => Value::Real(of(x)),
            Value::Unit => Value::Unit,
            Value::Pair(parts) => {
                let left = parts.0.map(of);
                Value::pair(left, parts.1.map(of))
            }
        }
    }
}

impl<R: fmt::Display> fmt::Display for Value<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(x) => write!(f, "{x}"),
            Value::Unit => f.write_str("()"),
            Value::Pair(parts) => write!(f, "({}, {})", parts.0, parts.1),
        }
    }
}

impl<R: fmt::Debug> fmt::Debug for Value<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Real(x) => write!(f, "{x:?}"),
            Value::Unit => f.write_str("∗"),
            Value::Pair(parts) => write!(f, "⟨{:?}, {:?}⟩", parts.0, parts.1),
        }
    }
}
