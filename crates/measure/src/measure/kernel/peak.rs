//! The peak of a product of powers and exponentials in one draw, and the product scaled around it.

use super::{DensityKernel, KernelContext, exp_of, integer_constant, log_of, sum_of};
use crate::measure::distribution::{divide, multiply, plus, power, subtract, times};
use crate::measure::draws::TraceCoordinate;
use crate::number::Rational;
use crate::smooth::graph::Graph;

/// The least exponent for which a peak is searched. A choice: smaller powers are harmless for doubles.
const LEAST_PEAK_EXPONENT: f64 = 8.0;
/// The number of steps of the golden section search. Each shortens the interval by 0.618, and 90 exceed double
/// precision.
const GOLDEN_SECTION_STEPS: u32 = 90;
/// The least binary logarithm of the size at the peak for which a power of two is split off. A choice.
const LEAST_SHIFT: f64 = 64.0;
/// The distance of the outer cuts from the peak, in widths. A choice: e^(-32) for a normal shape.
const CUT_DISTANCE: u32 = 8;

/// The product of all factors, scaled around a peak.
#[derive(Debug)]
pub struct ScaledKernel {
    /// The product, divided by two to the power of `shift`.
    pub product: Graph,
    /// The peak.
    pub peak: KernelPeak,
    /// The binary logarithm of the approximate size at the peak; 0 if the size is in the range of doubles.
    pub shift: i64,
}

/// A peak of a kernel, approximately.
#[derive(Clone, Debug)]
pub struct KernelPeak {
    /// The position.
    pub position: Rational,
    /// The width, a power of two.
    pub width: Rational,
}

impl DensityKernel {
    /// Returns which of the two powers join the exponential: those with exponent at least 1. Smaller ones have a pole,
    /// or an unbounded slope, at an end.
    fn powers_in_exponential(&self, known: KernelContext<'_>) -> [bool; 2] {
        self.powers.each_ref().map(|p| known.approximate_number(p).is_some_and(|p| p >= 1.0))
    }

    /// Returns h up to a constant, without the powers that stay outside of the exponential.
    fn log_height(&self, known: KernelContext<'_>) -> Graph {
        let powers = self.powers.iter().zip(self.power_bases()).zip(self.powers_in_exponential(known));
        let powers = powers.filter(|(_, taken)| *taken).map(|((p, base), _)| times(p, &log_of(&base)));
        powers.chain(self.exponents.iter().cloned()).fold(integer_constant(0), |sum, term| plus(&sum, &term))
    }

    /// Searches the peak of the kernel in floating point, inside of the range of the draw. Returns `None` if no
    /// exponent is large.
    #[must_use]
    pub fn find_peak(&self, x: &TraceCoordinate, known: KernelContext<'_>) -> Option<KernelPeak> {
        let powers = self.powers.each_ref().map(|p| known.approximate_number(p));
        if !powers.iter().flatten().any(|p| *p >= LEAST_PEAK_EXPONENT) {
            return None;
        }
        let height = self.log_height(known);
        let at = |y: f64| {
            let place = Rational::from_f64(y).map(Graph::rational)?;
            known.approximate_number(&height.substitute(&[(self.y, place)])).filter(|h| !h.is_nan())
        };
        let [lo, hi] = [x.range.lo(), x.range.hi()].map(|end| end.to_f64());
        // on a half-line: s/(1 - s) to a high power reaches many orders of magnitude
        let place = |s: f64| if hi.is_finite() { lo + (hi - lo) * s } else { lo + (s / (1.0 - s)).powi(12) };
        let found = self
            .closed_form_peak(known)
            .filter(|y| lo < *y && *y < hi)
            .or_else(|| golden_section_maximum(|s| at(place(s))).map(place))?;
        // -h″ by second differences; for a normal shape the width is 1/√(-h″)
        let curvature = || {
            let step = (found - lo).min(hi - found) / 64.0;
            let [a, b, c] = [found - step, found, found + step].map(at);
            Some((b? - a? + b? - c?) / step.powi(2))
        };
        let width = curvature().filter(|c| *c > 0.0 && c.is_finite()).map_or((found - lo) / 8.0, |c| c.sqrt().recip());
        // short numbers near these, for cheap arithmetic
        let width = nearest_power_of_two(width)?;
        let unit = Rational::from(&width / 64u32);
        let place = (Rational::from_f64(found)? / &unit).round() * unit;
        (width > 0 && place > lo && place < hi).then_some(KernelPeak { position: place, width })
    }

    /// Returns the peak of yᵖ·(1 - y)^q·e^(-b·y) for b = 0 or q = 0, in floating point. Returns `None` for other forms.
    fn closed_form_peak(&self, known: KernelContext<'_>) -> Option<f64> {
        let taken = self.powers_in_exponential(known);
        let [p, q] = [0, 1].map(|i| known.approximate_number(&self.powers[i]).filter(|_| taken[i]).unwrap_or(0.0));
        match &self.exponents[..] {
            [] if p > 0.0 && q > 0.0 => Some(p / (p + q)),
            [linear] if q == 0.0 && p > 0.0 => {
                let slope = known.approximate_number(&linear.substitute(&[(self.y, integer_constant(1))]))?;
                (slope < 0.0).then_some(p / -slope)
            }
            _ => None,
        }
    }

    /// Writes the product of all factors with an exponential that is 1 at a number near the peak.
    #[must_use]
    pub fn scale_around(&self, peak: KernelPeak, known: KernelContext<'_>) -> ScaledKernel {
        let m = Graph::rational(peak.position.clone());
        let [at_peak, y] = [&m, &Graph::variable(self.y)].map(|place| {
            let mut bases = self.power_bases();
            bases.iter_mut().for_each(|base| *base = base.substitute(&[(self.y, place.clone())]));
            bases
        });
        let (mut height, mut rise) = (self.logarithms.clone(), Vec::new());
        let mut product = self.constants.iter().fold(integer_constant(1), |product, factor| multiply(&product, factor));
        for (index, is_taken) in self.powers_in_exponential(known).into_iter().enumerate() {
            // each power moves its value at the peak to `height`, and only the quotient stays in the integral
            let (p, top, base) = (&self.powers[index], &at_peak[index], &y[index]);
            match (is_taken, p.as_rational()) {
                (_, Some(q)) if *q == 0 => {}
                (true, _) => {
                    height.push(times(p, &log_of(top)));
                    rise.push(times(p, &log_of(&divide(base, top))));
                }
                (false, Some(q)) => product = multiply(&product, &power(base, q)),
                (false, None) => product = multiply(&product, &exp_of(&multiply(p, &log_of(base)))),
            }
        }
        let own = [(self.y, m.clone())];
        for term in &self.exponents {
            let top = term.substitute(&own);
            rise.push(match self.is_linear(term) {
                // c·(y - m), so that nothing cancels; c is the term at 1, since m may be 0
                true => {
                    let slope = term.substitute(&[(self.y, integer_constant(1))]);
                    multiply(&slope, &subtract(&Graph::variable(self.y), &m))
                }
                false => subtract(term, &top),
            });
            height.push(top);
        }
        // the size at the peak is only needed roughly: the shift is undone exactly
        let bits =
            known.approximate_number(&sum_of(&height)).map_or(0.0, |height| (height / std::f64::consts::LN_2).round());
        let shift = if bits.abs() > LEAST_SHIFT && bits.is_finite() { bits as i64 } else { 0 };
        if shift != 0 {
            height.push(multiply(&integer_constant(-shift), &log_of(&integer_constant(2))));
        }
        let whole = multiply(&exp_of(&sum_of(&height)), &exp_of(&sum_of(&rise)));
        let product = self.rest.iter().fold(multiply(&product, &whole), |product, factor| multiply(&product, factor));
        ScaledKernel { product, peak, shift }
    }
}

impl KernelPeak {
    /// Returns the points at which to cut the line: the peak, and some widths to both sides of it.
    #[must_use]
    pub fn cut_points(&self) -> Vec<Rational> {
        let far = Rational::from(&self.width * CUT_DISTANCE);
        vec![Rational::from(&self.position - &far), self.position.clone(), Rational::from(&self.position + &far)]
    }
}

/// Maximises a unimodal function on [0, 1] by golden section search. Returns `None` if it has no finite value there.
fn golden_section_maximum(f: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let f = |s: f64| f(s).unwrap_or(f64::NEG_INFINITY);
    let (mut lo, mut hi) = (0.0, 1.0);
    let (mut a, mut b) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..GOLDEN_SECTION_STEPS {
        if at_a < at_b {
            (lo, a, at_a) = (a, b, at_b);
            b = lo + GOLDEN * (hi - lo);
            at_b = f(b);
        } else {
            (hi, b, at_b) = (b, a, at_a);
            a = hi - GOLDEN * (hi - lo);
            at_a = f(a);
        }
    }
    f(a).is_finite().then_some(a)
}

/// Rounds a positive number to a power of two. Returns `None` if it is not positive and finite.
fn nearest_power_of_two(x: f64) -> Option<Rational> {
    let exponent = (x > 0.0 && x.is_finite()).then(|| x.log2().round() as i32)?;
    Some(if exponent < 0 { Rational::from(1) >> exponent.unsigned_abs() } else { Rational::from(1) << exponent as u32 })
}
