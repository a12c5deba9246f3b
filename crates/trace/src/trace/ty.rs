//! Types (A §2): `T ::= real | unit | T × U`.
//!
//! An iterated product `T₀ × … × Tₙ₋₁` is nested to the left: `unit` for n = 0, `T₀` for n = 1, `(T₀ × … ) × Tₙ₋₁` beyond.

use std::fmt;
use std::sync::Arc;

/// A type of the core language.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum CoreTy {
    /// The real numbers.
    Real,
    /// The type of `∗`.
    Unit,
    /// `T × U`
    Product(Arc<(CoreTy, CoreTy)>),
}

impl CoreTy {
    /// Makes `T × U`.
    #[must_use]
    pub fn product(left: CoreTy, right: CoreTy) -> CoreTy {
        CoreTy::Product(Arc::new((left, right)))
    }

    /// Makes `T₀ × … × Tₙ₋₁`, nested to the left.
    #[must_use]
    pub fn nested_product(parts: impl IntoIterator<Item = CoreTy>) -> CoreTy {
        parts.into_iter().reduce(CoreTy::product).unwrap_or(CoreTy::Unit)
    }

    /// Makes realⁿ, nested to the left.
    #[must_use]
    pub fn real_vector(n: usize) -> CoreTy {
        CoreTy::nested_product(std::iter::repeat_n(CoreTy::Real, n))
    }

    /// Returns the number of reals in a value of the type.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            CoreTy::Real => 1,
            CoreTy::Unit => 0,
            CoreTy::Product(parts) => parts.0.dimension() + parts.1.dimension(),
        }
    }
}

impl fmt::Display for CoreTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreTy::Real => f.write_str("real"),
            CoreTy::Unit => f.write_str("unit"),
            CoreTy::Product(parts) => match &parts.1 {
                CoreTy::Product(_) => write!(f, "{} × ({})", parts.0, parts.1),
                _ => write!(f, "{} × {}", parts.0, parts.1),
            },
        }
    }
}

impl fmt::Debug for CoreTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
