//! Arithmetic in `f64`: intervals whose ends are doubles, rounded outward.
//!
//! Arithmetic and square roots are rounded correctly ([`rounding`]); powers and other roots are certified ([`powers`]). For the
//! elementary functions the ends are the predecessor and the successor of the result of CORE-MATH. That library aims at correct
//! rounding, so that one unit in the last place is twice the necessary margin; no tighter bound is ever taken from it. The exact
//! values of a [row](crate::function::FunctionSpec) stay points. By Lindemann's theorem an elementary function (roots and the error
//! function aside) has no other dyadic value at a dyadic argument, and no angle but 0 of a point with dyadic coordinates is
//! dyadic.
//!
//! Source: Sibidanov, Zimmermann, Glondu, "The CORE-MATH project" (ARITH 2022).
//!
//! `libm` is no source of bounds: its errors are observed, not proved.

use super::context::{Context, Function, Planar};
use super::ends::Direction::{self, Down, Up};
use super::ends::{Endpoint, EndpointArithmetic, quadrant_of_signs};
use super::extension::Extension;
use super::interval::Interval;
use super::magnitude::Magnitude;
use super::{gamma, lanes, powers, rounding};
use crate::function::{BinaryShape, Monotonicity, functions, planar_functions};
use rug::float::Round;
use rug::{Float, Integer, Rational};
use std::f64::consts::PI;
use std::sync::LazyLock;

/// The context of interval arithmetic in `f64`.
///
/// ```
/// use smoothish_number::number::{Context, Double, Function};
/// let c = Double;
/// let root = c.apply_function(Function::Sqrt, &c.enclose_integer(2));
/// assert_eq!(c.to_enclosure(&root).to_string(), "[1.41421356237309492, 1.41421356237309515]");
/// // exact results are points, and 1/0 is ⊥
/// assert!(c.is_point(&c.apply_function(Function::Sqrt, &c.enclose_integer(49))));
/// assert_eq!(c.to_enclosure(&c.div(&c.enclose_integer(1), &c.enclose_integer(0))).to_string(), "[-inf, inf]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Double;

impl Double {
    /// Returns the interval between two doubles in any order; ⊥ unless both are finite.
    #[must_use]
    pub fn interval_between(a: f64, b: f64) -> Interval<f64> {
        let ends = if a <= b { (a, b) } else { (b, a) };
        if a.is_finite() && b.is_finite() { Interval::new(ends.0, ends.1, true) } else { Self.bottom() }
    }
}

impl From<Direction> for Round {
    fn from(direction: Direction) -> Self {
        match direction {
            Down => Round::Down,
            Up => Round::Up,
        }
    }
}

impl Endpoint for f64 {
    #[inline]
    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }

    #[inline]
    fn negated(&self) -> Self {
        -*self
    }

    fn to_float(&self) -> Float {
        Float::with_val(53, *self)
    }

    fn magnitude(&self) -> Magnitude {
        Magnitude::from_f64(*self)
    }

    fn floor(&self) -> Self {
        f64::floor(*self)
    }
}

/// Returns the `f64` nearest to x^y by CORE-MATH: a number without enclosure.
#[must_use]
pub fn eval_power_nearest(x: f64, y: f64) -> f64 {
    core_math::pow(x, y)
}

/// Returns the `f64` nearest to f(x) by CORE-MATH: a number without enclosure, the same on every machine. NaN outside the domain.
#[must_use]
pub fn eval_nearest(f: Function, x: f64) -> f64 {
    macro_rules! values {
        ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
            match f {
                $(Function::$variant => tier::$name(x),)*
                Function::Polygamma(n) => tier::polygamma(n.get().into(), x),
            }
        };
    }
    functions!(values)
}

/// Returns the `f64` nearest to f(a, b), a number without enclosure, like [`eval_nearest`].
#[must_use]
pub fn eval_binary_nearest(f: Planar, a: f64, b: f64) -> f64 {
    macro_rules! values {
        ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
            match f {
                $(Planar::$variant => tier::$name(a, b),)*
            }
        };
    }
    planar_functions!(values)
}

/// The functions of CORE-MATH, the square root of the machine, which is rounded correctly, and functions that CORE-MATH lacks.
/// These are taken near the middle of their enclosure.
mod tier {
    pub use core_math::*;

    use super::{Double, Float, Interval, gamma};

    /// Returns log |Γ(x)|; NaN at the poles.
    pub fn lgamma(x: f64) -> f64 {
        if gamma::is_pole(&x) { f64::NAN } else { core_math::lgamma(x) }
    }

    /// Returns ψ(x); +∞ at +∞.
    pub fn digamma(x: f64) -> f64 {
        if x == f64::INFINITY { x } else { polygamma(0, x) }
    }

    /// Returns ψ⁽ⁿ⁾(x), n ≥ 0; 0 at +∞, and NaN at the poles, at -∞ and for NaN.
    pub fn polygamma(n: u32, x: f64) -> f64 {
        if x == f64::INFINITY {
            return 0.0;
        }
        if !x.is_finite() || gamma::is_pole(&x) {
            return f64::NAN;
        }
        let Interval { lo, hi, .. } = gamma::eval_derivative(&Double, n + 1, &x);
        // A relative width of 2⁻⁴⁸ is a choice: the series loses a few bits, and more precision costs much more time.
        let middle = 0.5 * lo + 0.5 * hi;
        if middle.is_finite() && hi - lo <= middle.abs() * 2f64.powi(-48) {
            return middle;
        }
        // If terms cancel, or are too large on the way, MPFR computes at 64, 256 and at last 1024 bits.
        let x = Float::with_val(53, x);
        let ends = |bits| {
            let value = gamma::eval_precisely(bits, n + 1, &x);
            [value.lo().to_f64(), value.hi().to_f64()]
        };
        let is_narrow = |[lo, hi]: &[f64; 2]| lo == hi || hi - lo <= lo.abs().min(hi.abs()) * 2f64.powi(-48);
        let [lo, hi] = [64, 256].into_iter().map(ends).find(is_narrow).unwrap_or_else(|| ends(1024));
        0.5 * lo + 0.5 * hi
    }

    /// Returns √x, correctly rounded by IEEE 754.
    pub fn sqrt(x: f64) -> f64 {
        x.sqrt()
    }
}

impl EndpointArithmetic for Double {
    type End = f64;

    fn bits(&self) -> u32 {
        53
    }

    fn bernoulli_number(&self, j: usize) -> Interval<f64> {
        // The first 63 Bernoulli numbers are rounded once; the series in doubles rarely takes more.
        static NUMBERS: LazyLock<Vec<Interval<f64>>> =
            LazyLock::new(|| (1..64).map(|j| Double.enclose_rational(&gamma::bernoulli_number(j))).collect());
        NUMBERS.get(j - 1).copied().unwrap_or_else(|| Double.enclose_rational(&gamma::bernoulli_number(j)))
    }

    fn doubled_precision(&self) -> Option<Self> {
        None
    }

    fn eval_extension(&self, f: &dyn Extension, inputs: &[Interval<f64>]) -> Interval<f64> {
        f.eval_double(self, inputs)
    }

    #[inline]
    fn small_integer(&self, n: i8) -> f64 {
        f64::from(n)
    }

    #[inline]
    fn signed_infinity(&self, direction: Direction) -> f64 {
        match direction {
            Down => f64::NEG_INFINITY,
            Up => f64::INFINITY,
        }
    }

    #[inline]
    fn round_integer(&self, direction: Direction, n: i64) -> f64 {
        rounding::round_integer(direction, n)
    }

    fn round_float(&self, direction: Direction, x: &Float) -> f64 {
        x.to_f64_round(direction.into())
    }

    fn round_rational(&self, direction: Direction, q: &Rational) -> f64 {
        /// The bound up to which every integer is a double.
        const EXACT: i64 = 1 << 53;
        let part = |n: &Integer| n.to_i64().filter(|n| (-EXACT..=EXACT).contains(n));
        // A quotient of two doubles is rounded correctly without MPFR.
        if let (Some(numerator), Some(denominator)) = (part(q.numer()), part(q.denom())) {
            return rounding::div(direction, numerator as f64, denominator as f64);
        }
        // Rounding twice in the same direction is rounding once.
        self.round_float(direction, &Float::with_val_round(53, q, direction.into()).0)
    }

    fn round_pi(&self, direction: Direction) -> f64 {
        // The double PI is below π, and its successor above.
        match direction {
            Down => PI,
            Up => PI.next_up(),
        }
    }

    #[inline]
    fn add_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        rounding::add(direction, *a, *b)
    }

    #[inline]
    fn sub_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        rounding::sub(direction, *a, *b)
    }

    #[inline]
    fn mul_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        rounding::mul(direction, *a, *b)
    }

    #[inline]
    fn div_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        rounding::div(direction, *a, *b)
    }

    fn power_rounded(&self, direction: Direction, a: &f64, n: u32) -> f64 {
        powers::power_rounded(direction, *a, n)
    }

    fn root_rounded(&self, direction: Direction, a: &f64, n: u32) -> f64 {
        powers::root_rounded(direction, *a, n)
    }

    fn eval_rounded(&self, direction: Direction, f: Function, x: &f64) -> f64 {
        let (lo, hi) = self.eval_bounds(f, x);
        match direction {
            Down => lo,
            Up => hi,
        }
    }

    fn eval_bounds(&self, f: Function, x: &f64) -> (f64, f64) {
        // Exact values first: they must stay points.
        if let Some(y) = f.exact_value(*x) {
            return (y, y);
        }
        let row = f.row();
        let (mut least, mut greatest) = row.range;
        if let Some(order @ 1..) = gamma::derivative_order(f) {
            let value = gamma::eval_derivative(self, order, x);
            // Above 0 the polygamma functions of even order are negative.
            if row.monotonicity == Monotonicity::IncreasingBranches && order > 1 && *x > 0.0 {
                greatest = 0.0;
            }
            return (value.lo.max(least), value.hi.min(greatest));
        }
        let y = eval_nearest(f, *x);
        // An argument too large, or outside the domain: no bound is known.
        if y.is_nan() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        // A monotone function is bounded by its exact values at smaller and larger arguments, so that a neighbour does not cross
        // them.
        if let Monotonicity::Increasing | Monotonicity::Decreasing = row.monotonicity {
            for (argument, value) in row.exact_values {
                if (argument < x) == (row.monotonicity == Monotonicity::Increasing) {
                    least = least.max(*value);
                } else {
                    greatest = greatest.min(*value);
                }
            }
        }
        (y.next_down().max(least), y.next_up().min(greatest))
    }

    fn eval_binary_rounded(&self, direction: Direction, f: Planar, a: &f64, b: &f64) -> f64 {
        let value = eval_binary_nearest(f, *a, *b);
        if value.is_nan() {
            return self.signed_infinity(direction);
        }
        // An angle has the sign of the height y, and for y = 0 with x > 0 it is 0.
        let (least, greatest) = match f.row().shape {
            BinaryShape::Angle if *a > 0.0 => (0.0, self.round_pi(Up)),
            BinaryShape::Angle if *a < 0.0 => (-self.round_pi(Up), 0.0),
            BinaryShape::Angle => (0.0, 0.0),
        };
        match direction {
            Down => value.next_down().clamp(least, greatest),
            Up => value.next_up().clamp(least, greatest),
        }
    }

    fn quadrant_of_large(&self, x: &f64) -> Option<u8> {
        // CORE-MATH reduces every finite double, and no sine or cosine of a double other than 0 rounds to 0.
        let (sine, cosine) = core_math::sincos(*x);
        quadrant_of_signs(sine.partial_cmp(&0.0)?, cosine.partial_cmp(&0.0)?)
    }

    fn middle_between(&self, lo: &f64, hi: &f64) -> f64 {
        // Halved before the sum, so that the sum does not overflow.
        (0.5 * lo + 0.5 * hi).clamp(*lo, *hi)
    }

    #[inline(always)]
    fn add_fast(&self, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
        lanes::add_intervals(a, b)
    }

    #[inline(always)]
    fn mul_fast(&self, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
        lanes::mul_intervals(a, b)
    }

    #[inline(always)]
    fn mul_add_fast(&self, acc: &mut Interval<f64>, a: &Interval<f64>, b: &Interval<f64>) -> bool {
        match lanes::mul_add_intervals(acc, a, b) {
            Some(sum) => {
                *acc = sum;
                true
            }
            None => false,
        }
    }
}
