//! Arithmetic of maps, coordinate by coordinate (S §4.3.1).
//!
//! `+ - * /` and unary `-` accept maps and references to maps, with an `i64` or a [`Rational`] on either side. A result
//! is defined where its arguments are; a quotient, where its denominator is not 0 as well.
//!
//! ```
//! use smoothish_ad::number::Rational;
//! use smoothish_ad::smooth::map::Map;
//! use typenum::U1;
//! let x = Map::<U1, U1>::id();
//! assert_eq!((2 * &x - 1 / (Rational::from((1, 3)) + &x)).to_string(), "\\x => 2 * x - 1 / (1/3 + x)");
//! ```

use super::Map;
use crate::number::Rational;
use crate::smooth::dimension::MapEnd;
use crate::smooth::graph::{Binary, Graph, Unary};
use std::ops::{Add, Div, Mul, Neg, Sub};

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Applies a binary operation, coordinate by coordinate.
    #[must_use]
    pub fn apply_binary(&self, operation: Binary, other: &Self) -> Self {
        Self::new(self.as_dyn.zip_outputs(&other.as_dyn, |a, b| Graph::binary(operation, a, b)))
    }

    /// Applies a unary operation, coordinate by coordinate.
    #[must_use]
    pub fn apply_unary(&self, operation: Unary) -> Self {
        Self::new(self.as_dyn.map_outputs(|a| Graph::unary(operation, a)))
    }

    /// Applies a binary operation with one number as the right operand of every coordinate.
    fn with_number(&self, operation: Binary, number: Rational) -> Self {
        let number = Graph::rational(number);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(operation, a, &number)))
    }

    /// Applies a binary operation with one number as the left operand of every coordinate.
    fn number_with(&self, operation: Binary, number: Rational) -> Self {
        let number = Graph::rational(number);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(operation, &number, a)))
    }

    /// Returns max(a, b), coordinate by coordinate; its derivative where they are equal is the hull of both (S §4.3.2,
    /// E6).
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.apply_binary(Binary::Maximum, other)
    }

    /// Returns min(a, b), coordinate by coordinate.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        self.apply_binary(Binary::Minimum, other)
    }

    /// Returns |a|, with derivative [-1, 1] at 0.
    #[must_use]
    pub fn abs(&self) -> Self {
        self.apply_unary(Unary::Abs)
    }

    /// Returns max(0, a), with derivative [0, 1] at 0 (S §2.3).
    #[must_use]
    pub fn relu(&self) -> Self {
        // 0 first: at a tie `f64` tapes take the first argument, so the derivative of relu at 0 is 0 there
        let zero = Graph::integer(0);
        Self::new(self.as_dyn.map_outputs(|a| Graph::binary(Binary::Maximum, &zero, a)))
    }

    /// Returns the sign: [-1, 1] at 0, where its derivative is ⊥.
    #[must_use]
    pub fn signum(&self) -> Self {
        self.apply_unary(Unary::Signum)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operation:expr) => {
        // all four combinations of owned and borrowed operands, as std has them for numbers
        impl<N: MapEnd, M: MapEnd> $trait for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, other: Self) -> Map<N, M> {
                self.apply_binary($operation, other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait for Map<N, M> {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                self.apply_binary($operation, &other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<&Self> for Map<N, M> {
            type Output = Self;

            fn $method(self, other: &Self) -> Self {
                self.apply_binary($operation, other)
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<Map<N, M>> for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, other: Map<N, M>) -> Map<N, M> {
                self.apply_binary($operation, &other)
            }
        }

        operator!($trait, $method, $operation, i64);
        operator!($trait, $method, $operation, Rational);
    };
    ($trait:ident, $method:ident, $operation:expr, $number:ty) => {
        // a number is a constant in every coordinate
        impl<N: MapEnd, M: MapEnd> $trait<$number> for &Map<N, M> {
            type Output = Map<N, M>;

            fn $method(self, number: $number) -> Map<N, M> {
                self.with_number($operation, number.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<$number> for Map<N, M> {
            type Output = Self;

            fn $method(self, number: $number) -> Self {
                self.with_number($operation, number.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<&Map<N, M>> for $number {
            type Output = Map<N, M>;

            fn $method(self, map: &Map<N, M>) -> Map<N, M> {
                map.number_with($operation, self.into())
            }
        }

        impl<N: MapEnd, M: MapEnd> $trait<Map<N, M>> for $number {
            type Output = Map<N, M>;

            fn $method(self, map: Map<N, M>) -> Map<N, M> {
                map.number_with($operation, self.into())
            }
        }
    };
}

operator!(Add, add, Binary::Add);
operator!(Sub, sub, Binary::Subtract);
operator!(Mul, mul, Binary::Multiply);
operator!(Div, div, Binary::Divide);

impl<N: MapEnd, M: MapEnd> Neg for &Map<N, M> {
    type Output = Map<N, M>;

    fn neg(self) -> Map<N, M> {
        self.apply_unary(Unary::Negate)
    }
}

impl<N: MapEnd, M: MapEnd> Neg for Map<N, M> {
    type Output = Self;

    fn neg(self) -> Self {
        self.apply_unary(Unary::Negate)
    }
}
