//! Integrals, roots and optima in floating-point arithmetic, with derivatives.
//!
//! | primitive | value | derivatives in what the function depends on |
//! |---|---|---|
//! | `integral01` | adaptive Gauss-Kronrod, 7 and 15 nodes, the worst panel first | dual numbers pass through the sum |
//! | `cutRoot` | a bracket by doubling, then bisection | Newton steps on the dual part, the implicit function theorem |
//! | `firstRoot` | the first change of sign on a grid, then bisection | as `cutRoot`; none at the ends of \[0, 1\] |
//! | `max01`, `argmax01` | the best of a grid, then golden sections | the place as a root of f′ where f″ < 0, else it stands still; the value is f there, so at order 1 the envelope theorem |
//!
//! Like an ordinary program, this misses the motion of a jump in an integrand, a root between two points of the grid, and a
//! second maximum of the same height.

use super::Float;
use super::number::DualNumber;
use super::tangent::derivative_at;
use super::value::{FloatFunction, FloatValue};
use crate::function::Functional;
use crate::value::ValueError;
use std::sync::Arc;

type Result<T> = std::result::Result<T, ValueError>;

/// The most panels of an integral; a choice.
const MAX_PANELS: usize = 100;
/// The number of intervals of a grid on [0, 1]; a choice: narrower features are missed.
const GRID_INTERVALS: u32 = 128;
/// The positive nodes of Kronrod's rule on [-1, 1] and 0, from the outermost in: node, Kronrod's weight, Gauss's weight or 0.
const KRONROD_RULE: [(f64, f64, f64); 8] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_56, 0.129_484_966_168_869_7),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_19, 0.0),
    (0.741_531_185_599_394_4, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4, 0.381_830_050_505_118_9),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0),
    (0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4),
];

/// A panel of an adaptive integral, with its sum and an estimate of its error.
struct QuadraturePanel {
    low: f64,
    high: f64,
    sum: DualNumber,
    error: f64,
}

impl Float {
    /// Evaluates a functional at a function.
    pub(super) fn apply_functional(self: &Arc<Self>, functional: Functional, f: &FloatFunction) -> Result<DualNumber> {
        match functional {
            Functional::Integral => self.integrate_unit_interval(f),
            Functional::CutRoot => self.find_cut_root(f),
            Functional::FirstRoot => self.find_first_root(f),
            Functional::Maximum => Ok(self.find_maximum(f, 1.0)?.1),
            Functional::Maximiser => Ok(self.find_maximum(f, 1.0)?.0),
            Functional::Minimum => Ok(self.find_maximum(f, -1.0)?.1),
            Functional::Minimiser => Ok(self.find_maximum(f, -1.0)?.0),
        }
    }

    fn value_at(&self, f: &FloatFunction, x: &DualNumber) -> Result<DualNumber> {
        self.check_operations()?;
        f.apply(&FloatValue::Real(x.clone()))?.as_real().cloned()
    }

    fn plain_value_at(&self, f: &FloatFunction, x: f64) -> Result<f64> {
        Ok(self.value_at(f, &DualNumber::Plain(x))?.plain_value())
    }

    fn integrate_panel(&self, f: &FloatFunction, low: f64, high: f64) -> Result<QuadraturePanel> {
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        let (mut kronrod, mut gauss) = (DualNumber::ZERO, DualNumber::ZERO);
        for (node, fine, coarse) in KRONROD_RULE {
            let sides: &[f64] = if node == 0.0 { &[0.0] } else { &[-1.0, 1.0] };
            for side in sides {
                // a node shared by both rules is evaluated once
                let y = self.value_at(f, &DualNumber::Plain(centre + side * node * half))?;
                kronrod = self.add(&kronrod, &self.multiply(&DualNumber::Plain(fine * half), &y));
                if coarse != 0.0 {
                    gauss = self.add(&gauss, &self.multiply(&DualNumber::Plain(coarse * half), &y));
                }
            }
        }
        let error = self.subtract(&kronrod, &gauss).largest_coefficient();
        Ok(QuadraturePanel { low, high, sum: kronrod, error })
    }

    /// Returns the integral over [0, 1], by subdivision of the panel with the largest error.
    fn integrate_unit_interval(self: &Arc<Self>, f: &FloatFunction) -> Result<DualNumber> {
        let mut panels = vec![self.integrate_panel(f, 0.0, 1.0)?];
        loop {
            let total = panels.iter().fold(DualNumber::ZERO, |sum, panel| self.add(&sum, &panel.sum));
            let error: f64 = panels.iter().map(|panel| panel.error).sum();
            let worst = (0..panels.len()).max_by(|&i, &j| panels[i].error.total_cmp(&panels[j].error));
            // relative to the total, with an absolute floor so that an integral near 0 ends
            let wanted = self.settings.integral_tolerance * (total.largest_coefficient() + 1e-3);
            let Some(worst) = worst.filter(|_| error > wanted && error.is_finite() && panels.len() < MAX_PANELS) else {
                return Ok(total);
            };
            let QuadraturePanel { low, high, .. } = panels[worst];
            let middle = 0.5 * (low + high);
            // a panel of two adjacent numbers cannot be divided
            if middle <= low || middle >= high {
                return Ok(total);
            }
            panels[worst] = self.integrate_panel(f, low, middle)?;
            panels.push(self.integrate_panel(f, middle, high)?);
        }
    }

    /// Bisects between `low`, where a function is positive, and `high`, where it is not. Returns NaN if it meets a NaN.
    fn bisect_root(&self, f: &FloatFunction, mut low: f64, mut high: f64) -> Result<f64> {
        // bisection ends at adjacent numbers; the bound 1100 only guards the loop
        for _ in 0..1100 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let y = self.plain_value_at(f, middle)?;
            if y.is_nan() || y == 0.0 {
                return Ok(if y == 0.0 { middle } else { f64::NAN });
            }
            if y > 0.0 { low = middle } else { high = middle }
        }
        Ok(high)
    }

    /// Adds to a root the derivatives by the implicit function theorem: Newton steps on the dual part.
    fn differentiate_root(self: &Arc<Self>, f: &FloatFunction, root: f64) -> Result<DualNumber> {
        let mut root = DualNumber::Plain(root);
        let depth = self.value_at(f, &root)?.nesting_depth();
        // each step makes one more level of ε correct, since ε² = 0
        for _ in 0..depth {
            let off = self.value_at(f, &root)?.infinitesimal_part();
            let slope = derivative_at(self, f, &root)?;
            root = self.subtract(&root, &self.divide(&off, &slope));
        }
        Ok(root)
    }

    /// Returns the root of a function that is positive to its left and negative to its right; NaN if no bracket is found.
    fn find_cut_root(self: &Arc<Self>, f: &FloatFunction) -> Result<DualNumber> {
        let bracket = |side: f64| -> Result<Option<f64>> {
            let mut x = side;
            // up to 2²⁰⁰ in absolute value; a choice
            for _ in 0..200 {
                let y = self.plain_value_at(f, x)?;
                if y * side < 0.0 || y == 0.0 {
                    return Ok(Some(x));
                }
                if y.is_nan() {
                    return Ok(None);
                }
                x *= 2.0;
            }
            Ok(None)
        };
        match (bracket(-1.0)?, bracket(1.0)?) {
            (Some(low), Some(high)) => {
                let root = self.bisect_root(f, low, high)?;
                self.differentiate_root(f, root)
            }
            _ => Ok(DualNumber::Plain(f64::NAN)),
        }
    }

    /// Returns the first place on [0, 1] where a function turns from positive to negative.
    ///
    /// Returns 0 if it is negative at 0, 1 if it is nowhere negative on the grid, and NaN if the grid has a NaN before the root.
    fn find_first_root(self: &Arc<Self>, f: &FloatFunction) -> Result<DualNumber> {
        let (mut before, mut exact) = (0.0, None);
        for i in 0..=GRID_INTERVALS {
            let x = f64::from(i) / f64::from(GRID_INTERVALS);
            let y = self.plain_value_at(f, x)?;
            if y.is_nan() {
                return Ok(DualNumber::Plain(f64::NAN));
            }
            if y < 0.0 {
                // at an end the root does not move with the function: no derivatives
                if i == 0 {
                    return Ok(DualNumber::ZERO);
                }
                let root = match exact {
                    Some(root) => root,
                    None => self.bisect_root(f, before, x)?,
                };
                return self.differentiate_root(f, root);
            }
            // a zero counts unless the function is positive again, as where it only touches 0
            if y > 0.0 {
                (before, exact) = (x, None);
            } else {
                exact.get_or_insert(x);
            }
        }
        Ok(DualNumber::ONE)
    }

    /// Returns the place on [0, 1] where `sign`·f is greatest, and the value of f there; `sign` is 1 or -1.
    fn find_maximum(self: &Arc<Self>, f: &FloatFunction, sign: f64) -> Result<(DualNumber, DualNumber)> {
        let step = 1.0 / f64::from(GRID_INTERVALS);
        let mut best = (0.0, f64::NEG_INFINITY);
        for i in 0..=GRID_INTERVALS {
            let x = f64::from(i) * step;
            let y = sign * self.plain_value_at(f, x)?;
            // a NaN at one point makes the maximum unknown
            if y.is_nan() {
                return Ok((DualNumber::Plain(f64::NAN), DualNumber::Plain(f64::NAN)));
            }
            if y > best.1 {
                best = (x, y);
            }
        }
        // the best grid point has lower neighbours on the grid: search between them
        let (mut low, mut high) = ((best.0 - step).max(0.0), (best.0 + step).min(1.0));
        let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
        // 60 golden sections shrink the interval by a factor below 10⁻¹²; a maximum is visible only to about √ε ≈ 10⁻⁸
        for _ in 0..60 {
            let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
            let [ya, yb] = [sign * self.plain_value_at(f, a)?, sign * self.plain_value_at(f, b)?];
            for (x, y) in [(a, ya), (b, yb)] {
                if y > best.1 {
                    best = (x, y);
                }
            }
            if ya > yb { high = b } else { low = a }
        }
        let place = self.differentiate_maximiser(f, best.0, sign)?;
        let value = self.value_at(f, &place)?;
        Ok((place, value))
    }

    /// Adds derivatives to the place of a maximum, as a root of f′, if f″ has the sign of a maximum there.
    fn differentiate_maximiser(self: &Arc<Self>, f: &FloatFunction, place: f64, sign: f64) -> Result<DualNumber> {
        let (float, inner) = (self.clone(), f.clone());
        let slope =
            FloatValue::from_closure(move |x| derivative_at(&float, &inner, x.as_real()?).map(FloatValue::Real));
        let slope = slope.as_function()?;
        let newton = |x: f64| -> Result<(f64, bool)> {
            let (rise, bend) =
                (self.plain_value_at(slope, x)?, derivative_at(self, slope, &DualNumber::Plain(x))?.plain_value());
            Ok((rise / bend, sign * bend < 0.0))
        };
        let (step, bends) = newton(place)?;
        let refined = place - step;
        // Golden sections locate a maximum only to about √ε ≈ 10⁻⁸. A Newton step of f′ larger than 10⁻⁵ means another root.
        if !bends || step.is_nan() || step.abs() > 1e-5 || !(0.0..=1.0).contains(&refined) {
            return Ok(DualNumber::Plain(place));
        }
        // a second step for full accuracy
        let (step, _) = newton(refined)?;
        let refined = if (0.0..=1.0).contains(&(refined - step)) { refined - step } else { refined };
        self.differentiate_root(slope, refined)
    }
}
