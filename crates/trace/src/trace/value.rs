//! Closed values (A §3), the results of evaluation.

use super::ty::CoreTy;
use std::fmt;
use std::sync::Arc;

/// A closed value. `R` is the representation of real numbers.
#[derive(Clone, PartialEq)]
pub enum CoreValue<R> {
    /// A real number.
    Real(R),
    /// `∗`
    Unit,
    /// `⟨V, W⟩`
    Pair(Arc<(CoreValue<R>, CoreValue<R>)>),
}

impl<R> CoreValue<R> {
    /// Makes `⟨V, W⟩`.
    #[must_use]
    pub fn pair(left: CoreValue<R>, right: CoreValue<R>) -> CoreValue<R> {
        CoreValue::Pair(Arc::new((left, right)))
    }

    /// Returns the real numbers of the value, from left to right.
    #[must_use]
    pub fn real_components(&self) -> Vec<&R> {
        match self {
            CoreValue::Real(x) => vec![x],
            CoreValue::Unit => Vec::new(),
            CoreValue::Pair(parts) => {
                let mut reals = parts.0.real_components();
                reals.extend(parts.1.real_components());
                reals
            }
        }
    }

    /// Makes the value of a type with these numbers, from left to right. Returns `None` if they are too few.
    pub fn from_reals(ty: &CoreTy, reals: &mut impl Iterator<Item = R>) -> Option<CoreValue<R>> {
        Some(match ty {
            CoreTy::Real => CoreValue::Real(reals.next()?),
            CoreTy::Unit => CoreValue::Unit,
            CoreTy::Product(parts) => {
                let left = CoreValue::from_reals(&parts.0, reals)?;
                CoreValue::pair(left, CoreValue::from_reals(&parts.1, reals)?)
            }
        })
    }

    /// Replaces each real number by its image under `of`, from left to right.
    #[must_use]
    pub fn map<S>(&self, of: &mut impl FnMut(&R) -> S) -> CoreValue<S> {
        match self {
            CoreValue::Real(x) => CoreValue::Real(of(x)),
            CoreValue::Unit => CoreValue::Unit,
            CoreValue::Pair(parts) => {
                let left = parts.0.map(of);
                CoreValue::pair(left, parts.1.map(of))
            }
        }
    }
}

impl<R: fmt::Display> fmt::Display for CoreValue<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreValue::Real(x) => write!(f, "{x}"),
            CoreValue::Unit => f.write_str("()"),
            CoreValue::Pair(parts) => write!(f, "({}, {})", parts.0, parts.1),
        }
    }
}

impl<R: fmt::Debug> fmt::Debug for CoreValue<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreValue::Real(x) => write!(f, "{x:?}"),
            CoreValue::Unit => f.write_str("∗"),
            CoreValue::Pair(parts) => write!(f, "⟨{:?}, {:?}⟩", parts.0, parts.1),
        }
    }
}
