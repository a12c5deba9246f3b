//! Rectangles of the complex plane, their arithmetic and elementary functions.

use crate::function::FormulaStep;
use crate::number::context::{Context, Function, Sign};
use crate::number::{Double, Magnitude};
use std::num::NonZeroU16;

type DoubleEnclosure = <Double as Context>::Num;

/// The arithmetic of this module.
pub(super) const DOUBLE: Double = Double;

/// The rectangle of all complex numbers with these real and imaginary parts.
#[derive(Clone, Debug)]
pub struct ComplexRectangle {
    /// The real parts.
    pub re: DoubleEnclosure,
    /// The imaginary parts.
    pub im: DoubleEnclosure,
}

/// Encloses √(x + iy), for a number off (-∞, 0].
///
/// With m² = (|z| + |x|)/2, which loses no digits, m is the real part or the size of the imaginary part, and the other one
/// is |y|/2m. With ε = 2⁻⁵³, the sum of squares has a relative error of at most 2ε, |z| of 2ε, m² of 3ε, m of 2½ε, and the
/// other part of 3½ε. The other part may also be off by half of the least positive double, which is less than the distance
/// to a neighbour. Returns `None` if a square might overflow, or both might underflow.
fn point_root(x: f64, y: f64) -> Option<ComplexRectangle> {
    const SIZES: std::ops::Range<f64> = 1e-150..1e150;
    // 4·f64::EPSILON is 8ε, more than the 3½ε of the error analysis.
    const MARGIN: f64 = 4.0 * f64::EPSILON;
    if !SIZES.contains(&x.abs().max(y.abs())) {
        return None;
    }
    let large = (((x * x + y * y).sqrt() + x.abs()) / 2.0).sqrt();
    let small = y / (2.0 * large);
    let around =
        |v: f64| Double::interval_between((v - MARGIN * v.abs()).next_down(), (v + MARGIN * v.abs()).next_up());
    let (re, im) = if x >= 0.0 { (large, small) } else { (small.abs(), large.copysign(y)) };
    Some(ComplexRectangle { re: around(re), im: around(im) })
}

impl ComplexRectangle {
    /// Returns an interval of the real axis.
    #[must_use]
    pub fn real(re: DoubleEnclosure) -> Self {
        Self { re, im: DOUBLE.enclose_integer(0) }
    }

    /// Returns an integer.
    pub(super) fn integer(n: i64) -> Self {
        Self::real(DOUBLE.enclose_integer(n))
    }

    /// Adds all numbers whose real and imaginary parts are at most `by`; the plane if `by` is infinite.
    pub(super) fn widened_by(&self, by: Magnitude) -> Self {
        let by = by.to_rational().map_or_else(|| DOUBLE.bottom(), |by| DOUBLE.enclose_rational(&by));
        let around = Self::real(DOUBLE.hull(&DOUBLE.neg(&by), &by));
        self.add(&around).add(&around.times_i())
    }

    /// Returns z + w.
    pub(super) fn add(&self, other: &Self) -> Self {
        Self { re: DOUBLE.add(&self.re, &other.re), im: DOUBLE.add(&self.im, &other.im) }
    }

    /// Returns z − w.
    pub(super) fn subtract(&self, other: &Self) -> Self {
        Self { re: DOUBLE.sub(&self.re, &other.re), im: DOUBLE.sub(&self.im, &other.im) }
    }

    /// Returns `self + way·u`: the point at the share u of the way.
    #[must_use]
    pub fn plus_product(&self, way: &Self, u: &Self) -> Self {
        self.add(&way.multiply(u))
    }

    /// Returns −z.
    pub(super) fn negate(&self) -> Self {
        Self { re: DOUBLE.neg(&self.re), im: DOUBLE.neg(&self.im) }
    }

    /// Returns z·w.
    pub(super) fn multiply(&self, other: &Self) -> Self {
        let product = |a: &DoubleEnclosure, b: &DoubleEnclosure| DOUBLE.mul(a, b);
        Self {
            re: DOUBLE.sub(&product(&self.re, &other.re), &product(&self.im, &other.im)),
            im: DOUBLE.add(&product(&self.re, &other.im), &product(&self.im, &other.re)),
        }
    }

    /// Returns z times a real number.
    pub(super) fn scaled(&self, by: &DoubleEnclosure) -> Self {
        Self { re: DOUBLE.mul(&self.re, by), im: DOUBLE.mul(&self.im, by) }
    }

    /// Returns z², as a function of one variable.
    pub(super) fn square(&self) -> Self {
        // Squares of the parts are never negative, and 2xy is one product: tighter than z·z.
        Self {
            re: DOUBLE.sub(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im)),
            im: DOUBLE.mul_integer(&DOUBLE.mul(&self.re, &self.im), 2),
        }
    }

    /// Returns |z|².
    fn squared_modulus(&self) -> DoubleEnclosure {
        DOUBLE.add(&DOUBLE.square(&self.re), &DOUBLE.square(&self.im))
    }

    /// Returns 1/z, or `None` unless z is certainly not 0.
    fn reciprocal(&self) -> Option<Self> {
        let squared = self.squared_modulus();
        let is_positive = DOUBLE.sign(&squared) == Sign::Positive;
        is_positive
            .then(|| Self { re: DOUBLE.div(&self.re, &squared), im: DOUBLE.neg(&DOUBLE.div(&self.im, &squared)) })
    }

    /// Returns z/w, or `None` unless w is certainly not 0.
    pub(super) fn divide(&self, other: &Self) -> Option<Self> {
        Some(self.multiply(&other.reciprocal()?))
    }

    /// Returns i·z.
    fn times_i(&self) -> Self {
        Self { re: DOUBLE.neg(&self.im), im: self.re }
    }

    /// Returns exp (x + iy) = eˣ (cos y + i sin y)
    fn exp(&self) -> Self {
        let [size, cos, sin] = [
            DOUBLE.apply_function(Function::Exp, &self.re),
            DOUBLE.apply_function(Function::Cos, &self.im),
            DOUBLE.apply_function(Function::Sin, &self.im),
        ];
        Self { re: DOUBLE.mul(&size, &cos), im: DOUBLE.mul(&size, &sin) }
    }

    /// Returns sin (x + iy) = sin x cosh y + i cos x sinh y
    fn sin(&self) -> Self {
        let part = |f: Function, g: Function| {
            DOUBLE.mul(&DOUBLE.apply_function(f, &self.re), &DOUBLE.apply_function(g, &self.im))
        };
        Self { re: part(Function::Sin, Function::Cosh), im: part(Function::Cos, Function::Sinh) }
    }

    /// Returns cos (x + iy) = cos x cosh y - i sin x sinh y
    fn cos(&self) -> Self {
        let part = |f: Function, g: Function| {
            DOUBLE.mul(&DOUBLE.apply_function(f, &self.re), &DOUBLE.apply_function(g, &self.im))
        };
        Self { re: part(Function::Cos, Function::Cosh), im: DOUBLE.neg(&part(Function::Sin, Function::Sinh)) }
    }

    /// Returns the principal logarithm log |z| + i arg z, or `None` unless z certainly avoids (-∞, 0].
    fn log(&self) -> Option<Self> {
        let half_turn = || DOUBLE.div_integer(&DOUBLE.pi(), 2);
        let angle = |a: &DoubleEnclosure, b: &DoubleEnclosure| DOUBLE.apply_function(Function::Atan, &DOUBLE.div(a, b));
        // The angle by the part that has a sign: by re off the imaginary axis, else from ±π/2.
        let im = match (DOUBLE.sign(&self.re), DOUBLE.sign(&self.im)) {
            (Sign::Positive, _) => angle(&self.im, &self.re),
            (_, Sign::Positive) => DOUBLE.sub(&half_turn(), &angle(&self.re, &self.im)),
            (_, Sign::Negative) => DOUBLE.neg(&DOUBLE.add(&half_turn(), &angle(&self.re, &self.im))),
            _ => return None,
        };
        let re = DOUBLE.div_integer(&DOUBLE.apply_function(Function::Log, &self.squared_modulus()), 2);
        Some(Self { re, im })
    }

    /// Returns the principal root, or `None` unless z is bounded and certainly avoids (-∞, 0].
    ///
    /// With u + iv = √z, ∂u/∂x = ∂v/∂y = u/2|z| and ∂v/∂x = -∂u/∂y = -v/2|z|, where u is positive and v has the sign of y.
    /// So u grows with x and |y|, v with y, and |v| as x falls: the extremes lie at corners.
    fn sqrt(&self) -> Option<Self> {
        let [side, half] = [DOUBLE.sign(&self.re), DOUBLE.sign(&self.im)];
        if half == Sign::Undecided && side != Sign::Positive || !self.is_bounded() {
            return None;
        }
        let [(left, right), (low, high)] = [self.re, self.im].map(|part| (*part.lo(), *part.hi()));
        // The imaginary part nearest to 0, where u is least.
        let near = match half {
            Sign::Positive => low,
            Sign::Negative => high,
            Sign::Undecided => 0.0,
        };
        let [least, greatest] = [point_root(left, near)?.re, point_root(right, high.max(-low))?.re];
        let bottom = point_root(if half == Sign::Positive { right } else { left }, low)?;
        let top = point_root(if half == Sign::Negative { right } else { left }, high)?;
        Some(Self { re: DOUBLE.hull(&least, &greatest), im: DOUBLE.hull(&bottom.im, &top.im) })
    }

    /// Returns zᵖᐟ𐞥, or `None` unless it is certainly defined and analytic.
    ///
    /// An exponent that is neither whole nor ½ goes by exp (p/q · log z), whose angle and modulus each lose little. Powers
    /// and the reciprocal of a root lose much for z close to 0.
    pub fn power(&self, numerator: i64, denominator: u32) -> Option<Self> {
        match (numerator, denominator) {
            (_, 1) => {
                let base = if numerator < 0 { &self.reciprocal()? } else { self };
                base.natural_power(numerator.unsigned_abs())
            }
            (1, 2) => self.sqrt(),
            _ => {
                let exponent = DOUBLE.div_integer(&DOUBLE.enclose_integer(numerator), denominator.into());
                Some(self.log()?.scaled(&exponent).exp())
            }
        }
    }

    /// Returns zⁿ by repeated squaring, or `None` if z is not bounded. z⁰ is 1.
    fn natural_power(&self, n: u64) -> Option<Self> {
        self.modulus()?;
        let Some(highest) = n.checked_ilog2() else { return Some(Self::integer(1)) };
        let from_above = (0..highest).rev();
        Some(from_above.fold(self.clone(), |power, bit| {
            let square = power.square();
            if n >> bit & 1 == 1 { square.multiply(self) } else { square }
        }))
    }

    /// Applies an elementary function. Returns `None` if it is not known to be analytic on the rectangle.
    pub fn apply_function(&self, f: Function) -> Option<Self> {
        let one = || Self::integer(1);
        Some(match f {
            Function::Exp => self.exp(),
            Function::Sin => self.sin(),
            Function::Cos => self.cos(),
            // sinh z = -i sin (iz), cosh z = cos (iz)
            Function::Sinh => self.times_i().sin().times_i().negate(),
            Function::Cosh => self.times_i().cos(),
            Function::Log => self.log()?,
            Function::Sqrt => self.sqrt()?,
            Function::Cbrt => self.power(1, 3)?,
            // (log (1 + iz) - log (1 - iz)) / 2i
            Function::Atan => {
                let [above, below] = [one().add(&self.times_i()), one().subtract(&self.times_i())];
                let difference = above.log()?.subtract(&below.log()?);
                difference.times_i().negate().scaled(&DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2))
            }
            Function::Erf => Self::real(DOUBLE.apply_function(f, &self.re)).add(&self.erf_from_axis()),
            Function::Erfc => Self::real(DOUBLE.apply_function(f, &self.re)).subtract(&self.erf_from_axis()),
            Function::LogGamma => self.log_gamma()?,
            Function::Digamma => self.digamma()?,
            Function::Polygamma(n) => self.polygamma(n)?,
            // All other functions by their formula, made of the ones above.
            _ => f.row().complex_formula?.eval_with(&mut |step| self.formula_step(step))?,
        })
    }

    /// Encloses erf z − erf x, for z = x + iy.
    ///
    /// Along the imaginary axis erf has the slope 2i/√π·exp (-(x + it)²) = 2/√π·exp (t² - x²)·(sin 2xt + i cos 2xt). The
    /// integral of a real map over t from 0 to y is y times one of the values between (mean value theorem), for either
    /// part.
    fn erf_from_axis(&self) -> Self {
        let from_axis = DOUBLE.hull(&DOUBLE.enclose_integer(0), &self.im);
        let size =
            DOUBLE.apply_function(Function::Exp, &DOUBLE.sub(&DOUBLE.square(&from_axis), &DOUBLE.square(&self.re)));
        let angle = DOUBLE.mul_integer(&DOUBLE.mul(&self.re, &from_axis), 2);
        let part = |f: Function| DOUBLE.mul(&DOUBLE.mul(&self.im, &size), &DOUBLE.apply_function(f, &angle));
        let two = DOUBLE.div(&DOUBLE.enclose_integer(2), &DOUBLE.apply_function(Function::Sqrt, &DOUBLE.pi()));
        Self { re: part(Function::Sin), im: part(Function::Cos) }.scaled(&two)
    }

    /// Returns `None` unless the real part is certainly positive.
    fn require_right_half_plane(&self) -> Option<()> {
        (DOUBLE.sign(&self.re) == Sign::Positive).then_some(())
    }

    /// Encloses log Γ z = log Γ w - log z with w = z + 1, and log Γ w = (w - ½) log w - w + ½ log 2π + J w (Binet).
    ///
    /// J w is the integral of k t·exp (-tw) over the positive t, where 0 < k t ≤ 1/12. So |J w| ≤ 1/(12 Re w), which is
    /// less than 1/12.
    fn log_gamma(&self) -> Option<Self> {
        self.require_right_half_plane()?;
        let (w, half) = (self.add(&Self::integer(1)), DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2));
        let turn = DOUBLE.apply_function(Function::Log, &DOUBLE.mul_integer(&DOUBLE.pi(), 2));
        let main = w.subtract(&Self::real(half)).multiply(&w.log()?).subtract(&w);
        Some(
            main.add(&Self::real(DOUBLE.div_integer(&turn, 2)))
                .subtract(&self.log()?)
                .widened_by(Magnitude::ONE.div_integer(12)),
        )
    }

    /// Encloses the digamma function, log w - 1/2w + J′ w - 1/z with w = z + 1 and |J′ w| ≤ 1/(12 (Re w)²).
    fn digamma(&self) -> Option<Self> {
        self.require_right_half_plane()?;
        let w = self.add(&Self::integer(1));
        let half = DOUBLE.div_integer(&DOUBLE.enclose_integer(1), 2);
        Some(
            w.log()?
                .subtract(&w.reciprocal()?.scaled(&half))
                .subtract(&self.reciprocal()?)
                .widened_by(Magnitude::ONE.div_integer(12)),
        )
    }

    /// Encloses a polygamma function, ψ⁽ⁿ⁾ w - (-1)ⁿ n!/zⁿ⁺¹ with w = z + 1.
    ///
    /// ψ⁽ⁿ⁾ w is a sum over multiples of powers (w + k)⁻ⁿ⁻¹ of one sign, so its modulus at w is at most that at Re w.
    fn polygamma(&self, order: NonZeroU16) -> Option<Self> {
        self.require_right_half_plane()?;
        let n = order.get();
        let right = DOUBLE.add(&self.re, &DOUBLE.enclose_integer(1));
        let most = DOUBLE.apply_function(Function::Polygamma(order), &right);
        let most = DOUBLE.is_defined(&most).then(|| DOUBLE.magnitude(&most))?;
        let factorial = (1..=n).fold(DOUBLE.enclose_integer(1), |product, k| DOUBLE.mul_integer(&product, k.into()));
        let pole = self.power(-i64::from(n) - 1, 1)?.scaled(&factorial);
        let pole = if n.is_multiple_of(2) { pole.negate() } else { pole };
        Some(pole.widened_by(most))
    }

    /// Evaluates one step of the formula of an elementary function. Returns `None` where it is not analytic.
    fn formula_step(&self, step: FormulaStep<Option<Self>>) -> Option<Self> {
        Some(match step {
            FormulaStep::Argument(0) => self.clone(),
            FormulaStep::Argument(_) | FormulaStep::Y => return None,
            FormulaStep::Number(p, q) => Self::real(DOUBLE.div_integer(&DOUBLE.enclose_integer(p.into()), q.into())),
            FormulaStep::Pi => Self::real(DOUBLE.pi()),
            FormulaStep::Negate(a) => a?.negate(),
            FormulaStep::Add(a, b) => a?.add(&b?),
            FormulaStep::Subtract(a, b) => a?.subtract(&b?),
            FormulaStep::Multiply(a, b) => a?.multiply(&b?),
            FormulaStep::Divide(a, b) => a?.divide(&b?)?,
            FormulaStep::Square(a) => a?.square(),
            FormulaStep::Inverse(a) => a?.reciprocal()?,
            FormulaStep::InverseRoot(a) => a?.power(-1, 2)?,
            FormulaStep::Apply(f, a) => a?.apply_function(f)?,
        })
    }

    /// Returns a bound of |z|: |x| + |y| at their greatest. Returns `None` if z is undefined or unbounded.
    #[must_use]
    pub fn modulus(&self) -> Option<Magnitude> {
        self.is_bounded().then(|| DOUBLE.magnitude(&self.re) + DOUBLE.magnitude(&self.im))
    }

    /// Returns `true` if both parts are certainly defined and bounded.
    fn is_bounded(&self) -> bool {
        [&self.re, &self.im].into_iter().all(|x| DOUBLE.is_defined(x) && DOUBLE.is_bounded(x))
    }
}
