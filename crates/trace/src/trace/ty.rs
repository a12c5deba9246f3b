//! Types (A §2): `T ::= real | unit | T × U`.
//!
//! An iterated product `T₀ × … × Tₙ₋₁` is nested to the left: `unit` for n = 0, `T₀` for n = 1, `(T₀ × … ) × Tₙ₋₁` beyond.

use std::fmt;
use std::sync::Arc;

/// A type of the core language.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// The real numbers.
    Real,
    /// The type of `∗`.
    Unit,
    /// `T × U`
    Product(Arc<(Ty, Ty)>),
}

impl Ty {
    /// Makes `T × U`.
    #[must_use]
    pub fn product(left: Ty, right: Ty) -> Ty {
        Ty::Product(Arc::new((left, right)))
    }

    /// Makes `T₀ × … × Tₙ₋₁`, nested to the left.
    #[must_use]
    pub fn iterated(parts: impl IntoIterator<Item = Ty>) -> Ty {
        parts.into_iter().reduce(Ty::product).unwrap_or(Ty::Unit)
    }

    /// Makes realⁿ, nested to the left.
    #[must_use]
    pub fn reals(n: usize) -> Ty {
        Ty::iterated(std::iter::repeat_n(Ty::Real, n))
    }

    /// Returns the number of reals in a value of the type.
    #[must_use]
    pub fn dimension(&self) -> usize {
        match self {
            Ty::Real => 1,
            Ty::Unit => 0,
            Ty::Product(parts) => parts.0.dimension() + parts.1.dimension(),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Real => f.write_str("real"),
            Ty::Unit => f.write_str("unit"),
            Ty::Product(parts) => match &parts.1 {
                Ty::Product(_) => write!(f, "{} × ({})", parts.0, parts.1),
                _ => write!(f, "{} × {}", parts.0, parts.1),
            },
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
