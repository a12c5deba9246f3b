//! Elementary functions and powers, coordinate by coordinate (S Fig. 2).
//!
//! Domains and their boundaries are those of [`Function`]: outside its domain a function is ⊥, and `√` at 0 has a value
//! and no derivative. A function by itself is composed with the identity: `Map::<U1, U1>::id().sin()`.

use super::Map;
use super::error::MapError;
use crate::function::{Function, Planar, functions, planar_functions};
use crate::number::Rational;
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Binary, Graph, Unary};
use std::num::NonZeroU16;

macro_rules! methods {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        impl<N: MapEnd, M: MapEnd> Map<N, M> {
            $(#[doc = $about]
            #[must_use]
            pub fn $name(&self) -> Self {
                self.apply_function(Function::$variant)
            })*
        }
    };
}

functions!(methods);

macro_rules! planar_methods {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        impl<N: MapEnd, M: MapEnd> Map<N, M> {
            $(#[doc = $about]
            ///
            /// Coordinate by coordinate; `self` is the first argument.
            #[must_use]
            pub fn $name(&self, other: &Self) -> Self {
                self.apply_binary(Binary::Planar(Planar::$variant), other)
            })*
        }
    };
}

planar_functions!(planar_methods);

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Applies an elementary function to every coordinate.
    #[must_use]
    pub fn apply_function(&self, f: Function) -> Self {
        self.apply_unary(Unary::Function(f))
    }

    /// Returns the derivative of [`digamma`](Self::digamma) of the given order; digamma itself for order 0.
    #[must_use]
    pub fn polygamma(&self, order: u16) -> Self {
        self.apply_function(NonZeroU16::new(order).map_or(Function::Digamma, Function::Polygamma))
    }

    /// Returns the power with a rational exponent p/q in lowest terms: for q odd on all of ℝ, for q even on x ≥ 0; x⁰ =
    /// 1.
    ///
    /// # Errors
    /// [`MapError::Exponent`] if p or q is beyond a million.
    pub fn power(&self, exponent: &Rational) -> Result<Self, MapError> {
        let too_large = || MapError::Exponent { exponent: Box::new(exponent.clone()) };
        // all powers first, so that an exponent out of range is an error and not a partial result
        let powers: Option<Vec<_>> = self.components().iter().map(|a| Graph::power(a, exponent)).collect();
        let powers = powers.ok_or_else(too_large)?;
        let mut next = powers.into_iter();
        Ok(Self::new(self.as_dyn.map_outputs(|a| next.next().unwrap_or_else(|| a.clone()))))
    }

    /// Returns xⁿ for a small integer n; `powi(0)` is 1.
    #[must_use]
    pub fn powi(&self, n: i16) -> Self {
        let exponent = Rational::from(n);
        Self::new(self.as_dyn.map_outputs(|a| Graph::power(a, &exponent).unwrap_or_else(|| a.clone())))
    }
}
