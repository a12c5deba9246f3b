//! The special functions: one file each, with all that the layers above ask of it.
//!
//! An implementation of `SpecialFunction` is a sequence of functions f, f′, f″, … by order. Arithmetic at both precisions, jets,
//! towers, the Taylor macro, constants and the exchange format take what they need from here and from its
//! [`FunctionSpec`]: name, domain, poles, range, exact values. A new one is a file here and a row in
//! [`special_functions`].

mod airy;
mod bessel;
mod bessel_k;
mod exponential_integral;
pub(super) mod gamma;
mod image;
mod lambert_w;
mod sequence;
mod sine_integral;

use super::arithmetic::{Context, EndpointArithmetic, Function, Interval};
use super::budget;
use super::elementary;
use super::magnitude::Magnitude;
use super::mpfr::Mpfr;
use crate::function::{DerivativeFamily, Formula, FunctionSpec, SpecialId, special_functions};
use rug::Float;
use rug::float::{Constant, Round};

/// The highest order that is computed; of higher ones the range is the only bound. A choice: above what programs may ask for.
const MAX_ORDER: u32 = 1100;

/// The greatest precision in bits of a value; beyond it bounds are no narrower. A choice: as for Γ.
const MAX_BITS: u32 = 1 << 13;

/// The greatest exponent of an argument. A choice: its reduction by 2π takes as many bits.
const EXPONENT_LIMIT: i32 = 1 << 14;

/// e⁻ˣ
const EXP_DOWN: Formula = Formula::Apply(Function::Exp, &Formula::Negate(&Formula::X));

/// e⁻ˣ log (1 + 1/x), which is about -log x beside 0 and e⁻ˣ/x far out.
const LOGARITHMIC_DECAY: Formula = Formula::Multiply(
    &EXP_DOWN,
    &Formula::Apply(Function::Log, &Formula::Add(&Formula::Number(1, 1), &Formula::Inverse(&Formula::X))),
);

/// A special function with its derivatives.
///
/// Asked of every function are its description and [`evaluate`](Self::evaluate). The others follow from these unless its file says
/// more: bounds at both precisions, the image of an interval, a double nearby, and the work.
pub(super) trait SpecialFunction {
    /// The constant of its derivatives in the language.
    const FAMILY: DerivativeFamily;

    /// Names of it in other languages and libraries, which a message for an unknown name explains.
    const ELSEWHERE: &'static [&'static str] = &[];

    /// Returns the description of the derivative of an order.
    fn spec(order: u16) -> &'static FunctionSpec;

    /// Encloses the derivative of an order at a number of the domain, computing with intervals of a precision. Returns `None` if
    /// the argument or the order is too far out for that.
    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>>;

    /// Returns an upper bound of the modulus of the derivative of an order between two numbers.
    fn bound(_order: u32, _ends: [f64; 2]) -> f64 {
        f64::INFINITY
    }

    /// Encloses the image of an interval under the derivative `f`; ⊥ where it is not known to be defined. It is asked for functions
    /// without a rule of monotonicity.
    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, order: u32, a: &Interval<T::End>) -> Interval<T::End> {
        image::enclose_by_curvature(tier, f, a, |k, ends| Self::bound(order.saturating_add(k), ends))
    }

    /// Returns bounds of the derivative of an order at a double, which is no argument of an exact value.
    fn bounds_in_double(order: u32, x: f64) -> (f64, f64) {
        let (least, greatest) = spec_of::<Self>(order).range;
        if !x.is_finite() {
            return (least, greatest);
        }
        // MPFR at 64 bits, rounded once more: no library has correctly rounded bounds in doubles.
        let value = Self::bounds_to(64, order, &Float::with_val(53, x));
        (value.lo.to_f64_round(Round::Down).max(least), value.hi.to_f64_round(Round::Up).min(greatest))
    }

    /// Returns bounds of the derivative of an order at a finite number, to a relative error of about 2^-bits.
    fn bounds_to(bits: u32, order: u32, x: &Float) -> Interval<Float> {
        let spec = spec_of::<Self>(order);
        let (least, greatest) = spec.range;
        let range = Interval::new(Float::with_val(53, least), Float::with_val(53, greatest), true);
        let is_near = x.get_exp().is_none_or(|exponent| exponent <= EXPONENT_LIMIT);
        let point = Interval::point(x.clone());
        if order > MAX_ORDER
            || !is_near
            || !elementary::region_contains(&Mpfr::new(53), spec.conditions.value, &[&point])
        {
            return range;
        }
        // 32 guard bits, a choice: a sum of up to 1,100 terms loses 11.
        let bits = bits.min(MAX_BITS) + 32;
        let mut digits = bits;
        loop {
            let tier = Mpfr::new(digits);
            let Some(value) = Self::evaluate(&tier, order, x) else { return range };
            // Beside a zero the terms cancel. Four times the bits are enough unless it is very near.
            let lost = relative_width(&tier, &value);
            if value.is_degenerate() || lost < 24 - i64::from(bits) || digits >= 4 * bits {
                return value;
            }
            digits *= 2;
        }
    }

    /// Returns a double near the derivative of an order; NaN where it is undefined or not known.
    fn nearest(order: u32, x: f64) -> f64 {
        nearest_by_bounds::<Self>(order, x)
    }

    /// Returns the units of work of the derivative of an order on an interval of numbers below 2^exponent.
    fn units(limbs: u64, order: u32, exponent: i64) -> u64 {
        // Half as many terms as the order, each like erf in cost; four evaluations for an interval.
        budget::error_function_units(limbs, exponent).saturating_mul(4 * (u64::from(order) / 2 + 1))
    }
}

/// The precision in bits of a value that is rounded to a double. A choice: eleven more than those of a double.
const NEAREST_BITS: u32 = 64;

/// Returns the double nearest to the middle of the bounds of a derivative at a double, its limit at infinity; NaN where it is undefined or not known.
fn nearest_by_bounds<S: SpecialFunction + ?Sized>(order: u32, x: f64) -> f64 {
    let spec = spec_of::<S>(order);
    if !x.is_finite() {
        let limit = spec.exact_values.iter().find(|(argument, _)| *argument == x);
        return limit.map_or(f64::NAN, |(_, limit)| *limit);
    }
    if !elementary::region_contains(&Mpfr::new(53), spec.conditions.value, &[&Interval::point(Float::with_val(53, x))])
    {
        return f64::NAN;
    }
    // With some bits to spare the middle rounds to the nearest double, or nearly always so.
    let tier = Mpfr::new(NEAREST_BITS);
    if let Some(found) = S::evaluate(&tier, order, &Float::with_val(53, x)).filter(|found| tier.is_bounded(found)) {
        return tier.midpoint(&found).lo.to_f64();
    }
    let (lo, hi) = S::bounds_in_double(order, x);
    0.5 * lo + 0.5 * hi
}

/// Returns the description of the derivative of an order; all orders beyond the greatest have that of the greatest.
fn spec_of<S: SpecialFunction + ?Sized>(order: u32) -> &'static FunctionSpec {
    S::spec(order.try_into().unwrap_or(u16::MAX))
}

/// Returns the binary logarithm of the width of a value, relative to its size, rounded down.
fn relative_width(tier: &Mpfr, value: &Interval<Float>) -> i64 {
    tier.width(value).floor_log2().saturating_sub(tier.magnitude(value).floor_log2())
}

/// Builds the constant of the derivatives of a function from its name: `airyAiDerivative n` for `airyAi`.
macro_rules! derivative_family {
    ($name:literal $(, $remark:literal)?) => {
        $crate::function::DerivativeFamily {
            name: concat!($name, "Derivative"),
            summary: concat!(
                "The derivative of ", $name, " of an order, a natural number up to 1000; ", $name, "Derivative 0 is ", $name, ".",
                $(" ", $remark)?
            ),
            first: 0,
        }
    };
}
use derivative_family;

/// A fact about the terms of a series from one on.
#[derive(Clone, Copy, Debug)]
enum SeriesRest {
    /// The sum lies between 0 and the first of them.
    Alternating,
    /// The modulus of each is at most half of that before.
    Geometric,
}

/// Encloses the sum of a series of terms by their index, asked for in order.
///
/// It stops at a term that is negligible, or no smaller than that before: those of an asymptotic series grow at last. `is_settled`
/// returns `true` if `rest` holds from the term with an index on.
fn sum_series(
    tier: &Mpfr,
    mut term: impl FnMut(u32) -> Interval<Float>,
    is_settled: impl Fn(u32) -> bool,
    rest: SeriesRest,
) -> Interval<Float> {
    let (mut sum, mut before) = (tier.enclose_integer(0), Magnitude::INFINITY);
    for k in 0.. {
        let next = term(k);
        let size = tier.magnitude(&next);
        let negligible = tier.magnitude(&sum).floor_log2().saturating_sub(i64::from(tier.precision()));
        // A term may be greater than that before if this one is the first of which `rest` is known.
        let grows = k > 0 && size >= before && is_settled(k - 1);
        if is_settled(k) && (size.floor_log2() <= negligible || grows) {
            let rest = match rest {
                SeriesRest::Alternating => tier.hull(&tier.enclose_integer(0), &next),
                SeriesRest::Geometric => {
                    let twice = tier.mul_integer(&next, 2);
                    tier.hull(&twice, &tier.neg(&twice))
                }
            };
            return tier.add(&sum, &rest);
        }
        sum = tier.add(&sum, &next);
        before = size;
    }
    // The loop ends above alone.
    tier.bottom()
}

/// Returns the context with `bits` more bits.
fn extended_by(tier: &Mpfr, bits: f64) -> Mpfr {
    Mpfr::new(tier.precision().saturating_add(bits.min(f64::from(1_u32 << 20)) as u32))
}

/// Encloses Euler's constant γ.
fn euler_gamma(tier: &Mpfr) -> Interval<Float> {
    let [lo, hi] =
        [Round::Down, Round::Up].map(|round| Float::with_val_round(tier.precision(), Constant::Euler, round).0);
    Interval::new(lo, hi, true)
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

            /// Returns names of it in other languages and libraries.
            #[must_use]
            pub fn names_elsewhere(self) -> &'static [&'static str] {
                match self {
                    $(Self::$id => <$module::$implementation $(::<$n>)? as SpecialFunction>::ELSEWHERE,)*
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
