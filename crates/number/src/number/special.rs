//! The special functions: one file each, with all that the layers above ask of it.
//!
//! | file | functions |
//! |---|---|
//! | `gamma` | log \|Γ\|, ψ and the polygamma functions |
//! | `bessel` | the Bessel functions J₀ and J₁ with their derivatives |
//!
//! An implementation of `SpecialFunction` is a sequence of functions f, f′, f″, … by order. Arithmetic at both precisions, jets,
//! towers, the Taylor macro, constants and the exchange format take what they need from here and from its
//! [`FunctionSpec`]: name, domain, poles, range, exact values. A new one is a file here and a row in
//! [`special_functions`].

pub(super) mod bessel;
pub(super) mod gamma;

use super::arithmetic::{EndpointArithmetic, Function, Interval};
use crate::function::{DerivativeFamily, FunctionSpec, SpecialId, special_functions};
use rug::Float;

/// A special function with its derivatives.
pub(super) trait SpecialFunction {
    /// The constant of its derivatives in the language.
    const FAMILY: DerivativeFamily;

    /// Returns the description of the derivative of an order.
    fn spec(order: u16) -> &'static FunctionSpec;

    /// Encloses the image of an interval under the derivative `f`; ⊥ where it is not known to be defined.
    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, order: u32, a: &Interval<T::End>) -> Interval<T::End>;

    /// Returns bounds of the derivative of an order at a double, which is no argument of an exact value.
    fn bounds_in_double(order: u32, x: f64) -> (f64, f64);

    /// Returns bounds of the derivative of an order at a finite number, to a relative error of about 2^-bits.
    fn bounds_to(bits: u32, order: u32, x: &Float) -> Interval<Float>;

    /// Returns a double near the derivative of an order; NaN where it is undefined.
    fn nearest(order: u32, x: f64) -> f64;

    /// Returns the units of work of the derivative of an order on an interval of numbers below 2^exponent.
    fn units(limbs: u64, order: u32, exponent: i64) -> u64;
}

macro_rules! dispatch {
    ($($id:ident $module:ident::$implementation:ident $(::<$n:literal>)? $family:ident $members:tt)*) => {
        impl SpecialId {
            /// Returns the constant of the language for its derivatives.
            #[must_use]
            pub fn family(self) -> &'static DerivativeFamily {
                match self {
                    $(Self::$id => &<$module::$implementation $(::<$n>)? as SpecialFunction>::FAMILY,)*
                }
            }

            /// Returns the description of the derivative of an order.
            pub(crate) fn spec(self, order: u16) -> &'static FunctionSpec {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::spec(order),)*
                }
            }

            /// Encloses the image of an interval under the derivative of an order; ⊥ where it is not known to be defined.
            pub(super) fn enclose<T: EndpointArithmetic>(self, tier: &T, order: u16, a: &Interval<T::End>) -> Interval<T::End> {
                let (f, order) = (Function::Special(self, order), order.into());
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::enclose(tier, f, order, a),)*
                }
            }

            /// Returns bounds of the derivative of an order at a double.
            pub(super) fn bounds_in_double(self, order: u16, x: f64) -> (f64, f64) {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::bounds_in_double(order.into(), x),)*
                }
            }

            /// Returns bounds of the derivative of an order at a finite number.
            pub(super) fn bounds_to(self, bits: u32, order: u16, x: &Float) -> Interval<Float> {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::bounds_to(bits, order.into(), x),)*
                }
            }

            /// Returns a double near the derivative of an order; NaN where it is undefined.
            pub(super) fn nearest(self, order: u16, x: f64) -> f64 {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::nearest(order.into(), x),)*
                }
            }

            /// Returns the units of work of the derivative of an order.
            pub(super) fn units(self, limbs: u64, order: u16, exponent: i64) -> u64 {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)?>::units(limbs, order.into(), exponent),)*
                }
            }
        }
    };
}

special_functions!(dispatch);
