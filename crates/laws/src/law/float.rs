//! Estimates of programs in plain `f64` arithmetic: an external oracle, weak but independent of enclosures.
//!
//! The estimate shares no code with the evaluation of enclosures: it walks the graph, without jets, Taylor expansions
//! or interval Newton. Derivatives are central differences, integrals use Simpson's rule, roots bisection, optima a
//! grid and golden sections. Every number has a *believed* error.
//!
//! There is no estimate if that error is large, if a derivative is taken near a kink, or if two maximisers tie. A
//! number clearly outside the domain of a function is reported as undefined instead, since every enclosure must say so.
//!
//! # Estimates of integrals
//!
//! Estimates of integrals, roots and optima of a function given by its values.

use crate::function::SpecialId;
use crate::number::{Enclosure, Function, Planar};
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, RationalExponent, SecondOrder, Unary, Variable};
use crate::stack::with_stack;
use std::cell::Cell;
use std::fmt;

/// A floating-point number with a believed error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatEstimate {
    /// The number.
    pub value: f64,
    /// The believed error.
    pub error: f64,
}

/// The slack before an enclosure contradicts an estimate: believed errors, and an addition in units of 1 + |value|. A
/// choice: wide enough that a contradiction is worth reading.
const CONTRADICTION_SLACK: (f64, f64) = (16.0, 1e-6);
/// The greatest believed error of an estimate, in units of 1 + |value|. A choice.
const MAX_RELATIVE_ERROR: f64 = 1e-2;
/// The greatest number of nodes that one estimate visits. A choice: integrals and differences multiply the walk.
const MAX_VISITED_NODES: u32 = 200_000;
/// The step of the wider central difference. A choice: a power of two, so that sums with short dyadics are exact.
const DIFFERENCE_STEP: f64 = 1.0 / 1024.0;

/// The result of floating-point arithmetic for a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FloatPrediction {
    /// An approximate value.
    Estimate(FloatEstimate),
    /// The number does not exist: some intermediate value is far outside the domain of a function.
    Undefined,
    /// No result.
    None,
}

/// Evaluates a closed graph in floating-point arithmetic.
#[must_use]
pub fn predict_float(graph: &Graph) -> FloatPrediction {
    let walk = EstimateWalk {
        nodes_left: Cell::new(MAX_VISITED_NODES),
        unchecked_depth: Cell::new(0),
        undefined: Cell::new(false),
    };
    match walk.estimate_at(graph, &mut Vec::new()) {
        // undefined takes precedence: a value computed beside an argument outside its domain means nothing
        _ if walk.undefined.get() => FloatPrediction::Undefined,
        Some(estimate) => FloatPrediction::Estimate(estimate),
        None => FloatPrediction::None,
    }
}

/// Returns the estimate of a closed graph. Returns `None` if it has none or is undefined.
#[must_use]
pub fn estimate_graph(graph: &Graph) -> Option<FloatEstimate> {
    match predict_float(graph) {
        FloatPrediction::Estimate(estimate) => Some(estimate),
        _ => None,
    }
}

impl FloatPrediction {
    /// Returns `true` if an enclosure of a number that certainly exists lies far from the estimate, or if the number
    /// should be undefined.
    #[must_use]
    pub fn contradicts(&self, enclosure: &Enclosure) -> bool {
        match self {
            FloatPrediction::Estimate(estimate) => estimate.contradicts(enclosure),
            FloatPrediction::Undefined => enclosure.is_defined(),
            FloatPrediction::None => false,
        }
    }
}

impl fmt::Display for FloatPrediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FloatPrediction::Estimate(estimate) => estimate.fmt(f),
            FloatPrediction::Undefined => f.write_str("undefined"),
            FloatPrediction::None => f.write_str("nothing"),
        }
    }
}

impl FloatEstimate {
    /// Makes an estimate, with the rounding error added. Returns `None` if the value or its error is too large.
    fn new(value: f64, error: f64) -> Option<Self> {
        // a few units in the last place for the rounding of one operation
        let error = error + 4.0 * f64::EPSILON * value.abs();
        (value.abs() < 1e100 && error <= MAX_RELATIVE_ERROR * (1.0 + value.abs())).then_some(Self { value, error })
    }

    /// Maps the estimate by a function that is nearly linear over its error. Returns `None` if it is NaN within the
    /// error.
    fn map_estimate(self, f: impl Fn(f64) -> f64) -> Option<Self> {
        let value = f(self.value);
        let sides = [f(self.value - self.error), f(self.value + self.error)].map(|y| (y - value).abs());
        if sides.iter().any(|d| d.is_nan()) {
            // a NaN beside the value: the edge of a domain lies within the error
            return None;
        }
        Self::new(value, sides[0].max(sides[1]))
    }

    /// Returns `true` if an enclosure lies far from the estimate.
    #[must_use]
    pub fn contradicts(&self, enclosure: &Enclosure) -> bool {
        let slack = CONTRADICTION_SLACK.0 * self.error + CONTRADICTION_SLACK.1 * (1.0 + self.value.abs());
        enclosure.hi().to_f64() < self.value - slack || enclosure.lo().to_f64() > self.value + slack
    }
}

impl fmt::Display for FloatEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {:.0e}", self.value, self.error)
    }
}

/// The values of variables, innermost last.
type FloatScope = Vec<(Variable, FloatEstimate)>;

/// A walk over a graph that computes its estimate.
struct EstimateWalk {
    /// The number of nodes that may still be visited.
    nodes_left: Cell<u32>,
    /// The nesting depth of computations away from points where the program must be defined. Domains are checked at
    /// depth 0 only.
    unchecked_depth: Cell<u32>,
    /// `true` if an argument was clearly outside a domain.
    undefined: Cell<bool>,
}

/// The margin outside a domain, in units of 1 + |x|, within which an argument may still be inside. A choice.
const DOMAIN_MARGIN: f64 = 1e-4;

impl EstimateWalk {
    /// Runs `ask` without domain checks, for values away from points where the program must be defined.
    fn without_domain_checks<R>(&self, ask: impl FnOnce() -> R) -> R {
        self.unchecked_depth.set(self.unchecked_depth.get() + 1);
        let result = ask();
        self.unchecked_depth.set(self.unchecked_depth.get() - 1);
        result
    }

    /// Maps an argument by a partial function, and records if it lies clearly outside of the domain.
    fn map_partial(&self, a: FloatEstimate, f: impl Fn(f64) -> f64) -> Option<FloatEstimate> {
        let margin = DOMAIN_MARGIN * (1.0 + a.value.abs()) + 100.0 * a.error;
        // NaN on both sides at the margin as well: not even a rounding error puts the argument into the domain
        if self.unchecked_depth.get() == 0 && [-margin, 0.0, margin].iter().all(|d| f(a.value + d).is_nan()) {
            self.undefined.set(true);
        }
        a.map_estimate(f)
    }

    /// Estimates a graph. Returns `None` if it is undefined, has no believable estimate, or the walk is too long.
    fn estimate_at(&self, graph: &Graph, scope: &mut FloatScope) -> Option<FloatEstimate> {
        self.nodes_left.set(self.nodes_left.get().checked_sub(1)?);
        with_stack(|| self.estimate_node(graph, scope))
    }

    /// Estimates a graph with the variable `v` at `value`.
    fn estimate_with(&self, graph: &Graph, scope: &mut FloatScope, v: Variable, value: f64) -> Option<FloatEstimate> {
        scope.push((v, FloatEstimate { value, error: 0.0 }));
        let result = self.estimate_at(graph, scope);
        scope.pop();
        result
    }

    /// Estimates a node from the estimates of its parts.
    fn estimate_node(&self, graph: &Graph, scope: &mut FloatScope) -> Option<FloatEstimate> {
        match graph.operation() {
            NodeOperation::Variable(v) => scope.iter().rev().find(|(w, _)| w == v).map(|(_, x)| *x),
            NodeOperation::Rational(q) => FloatEstimate::new(q.to_f64(), 0.0),
            NodeOperation::Pi => FloatEstimate::new(std::f64::consts::PI, 0.0),
            NodeOperation::Euler => FloatEstimate::new(std::f64::consts::E, 0.0),
            NodeOperation::Unary(f, a) => {
                let a = self.estimate_at(a, scope)?;
                match f {
                    Unary::Negate => a.map_estimate(|x| -x),
                    Unary::Abs => a.map_estimate(f64::abs),
                    // at 0 the value is a set, so there is no estimate
                    Unary::Signum if a.value.abs() <= a.error => None,
                    Unary::Signum => a.map_estimate(f64::signum),
                    // NaN says nothing there: the function is defined between its poles
                    Unary::Function(Function::Special(SpecialId::Gamma, 1..)) if a.value < LEAST_POLYGAMMA => None,
                    Unary::Function(f) => self.map_partial(a, |x| eval_elementary(*f, x)),
                }
            }
            NodeOperation::Binary(f, a, b) => {
                let (a, b) = (self.estimate_at(a, scope)?, self.estimate_at(b, scope)?);
                estimate_binary(*f, a, b)
            }
            NodeOperation::Power(a, e) => {
                let a = self.estimate_at(a, scope)?;
                self.map_partial(a, |x| signed_power(x, *e))
            }
            NodeOperation::Primitive(..) => None,
            NodeOperation::Select(guard, a, b) => {
                let guard = self.estimate_at(guard, scope)?;
                // on the border of the guard the value is undefined
                let decided = guard.value.abs() > guard.error;
                if !decided { None } else { self.estimate_at(if guard.value > 0.0 { a } else { b }, scope) }
            }
            NodeOperation::Derivative(d) => self.estimate_derivative(d, scope),
            NodeOperation::Second(second, v, body) => {
                let mut f = |x: f64| self.estimate_with(body, scope, *v, x);
                match second {
                    SecondOrder::Integral => estimate_integral(&mut f),
                    // a root may exist although the function is undefined in places, so domains are not checked
                    SecondOrder::CutRoot => self.without_domain_checks(|| estimate_cut_root(&mut f)),
                    SecondOrder::FirstRoot => self.without_domain_checks(|| estimate_first_root(&mut f)),
                    SecondOrder::Maximum => estimate_maximum(&mut f).map(|(_, height)| height),
                    SecondOrder::Maximiser => estimate_maximiser(&mut f),
                }
            }
        }
    }

    /// Estimates a derivative along a direction by a central difference, extrapolated once. Returns `None` near a kink.
    fn estimate_derivative(&self, d: &Derivative, scope: &mut FloatScope) -> Option<FloatEstimate> {
        let mut at = Vec::with_capacity(d.variables.len());
        let mut uncertain = 0.0_f64;
        for (x, v) in d.at.iter().zip(&d.along) {
            // a function that ignores its argument has a slope even where the argument is undefined, so domains are not
            // checked
            let (x, v) =
                self.without_domain_checks(|| Some((self.estimate_at(x, scope)?, self.estimate_at(v, scope)?)))?;
            uncertain = uncertain.max(x.error).max(v.error);
            at.push((x.value, v.value));
        }
        // the step is a distance between points, so it is divided by the length of the direction
        let length = at.iter().map(|(_, v)| v.abs()).fold(1.0, f64::max);
        let mut phi = |t: f64| {
            let outside = scope.len();
            let moved = d.variables.iter().zip(&at);
            scope.extend(moved.map(|(w, (x, v))| (*w, FloatEstimate { value: x + t * (v / length), error: 0.0 })));
            let result = self.estimate_at(&d.body, scope);
            scope.truncate(outside);
            result
        };
        let here = phi(0.0)?;
        let [(far, bend_far, noise_far), (near, bend_near, noise_near)] = {
            let mut difference = |h: f64| {
                // the program need not be defined next to its point
                let (before, after) = self.without_domain_checks(|| Some((phi(-h)?, phi(h)?)))?;
                let noise = before.error.max(after.error).max(here.error) / h;
                let bend = (after.value - 2.0 * here.value + before.value).abs() / h;
                Some(((after.value - before.value) / (2.0 * h), bend, noise))
            };
            [difference(DIFFERENCE_STEP)?, difference(DIFFERENCE_STEP / 2.0)?]
        };
        // at a kink the scaled second difference does not halve with the step; at a smooth point it does
        if bend_near > 0.6 * bend_far + noise_far + noise_near && bend_near > 1e-6 {
            return None;
        }
        // Richardson: the error of a central difference is of order h²
        let value = near + (near - far) / 3.0;
        // uncertainty of point and direction acts through the second derivative, about bend/step
        let error = (near - far).abs() + noise_near + (bend_near / DIFFERENCE_STEP + 1.0) * uncertain;
        FloatEstimate::new(value * length, error * length)
    }
}

/// Estimates an operation on two numbers. Returns `None` for a quotient whose denominator may be 0.
fn estimate_binary(f: Binary, a: FloatEstimate, b: FloatEstimate) -> Option<FloatEstimate> {
    let (x, y) = (a.value, b.value);
    match f {
        Binary::Add => FloatEstimate::new(x + y, a.error + b.error + f64::EPSILON * x.abs()),
        Binary::Subtract => FloatEstimate::new(x - y, a.error + b.error + f64::EPSILON * x.abs()),
        Binary::Multiply => FloatEstimate::new(x * y, x.abs() * b.error + y.abs() * a.error + a.error * b.error),
        Binary::Divide if y.abs() > 2.0 * b.error => {
            FloatEstimate::new(x / y, (a.error + (x / y).abs() * b.error) / (y.abs() - b.error))
        }
        Binary::Divide => None,
        Binary::Maximum => FloatEstimate::new(x.max(y), a.error.max(b.error)),
        Binary::Minimum => FloatEstimate::new(x.min(y), a.error.max(b.error)),
        Binary::Planar(f) => estimate_binary_function(f, a, b),
    }
}

/// Computes x^(p/q) in lowest terms, for every x if q is odd and for x ≥ 0 if q is even. NaN elsewhere.
fn signed_power(x: f64, e: RationalExponent) -> f64 {
    let exponent = e.numerator as f64 / f64::from(e.denominator);
    let size = x.abs().powf(exponent);
    // a negative base needs an odd root; the sign of the result is that of (−1)^p
    match (x < 0.0, e.denominator % 2 == 1, e.numerator % 2 == 0) {
        (true, false, _) => f64::NAN,
        (true, true, false) => -size,
        _ => size,
    }
}

/// Estimates a function of two numbers. Returns `None` near its jumps and where it is undefined.
fn estimate_binary_function(f: Planar, a: FloatEstimate, b: FloatEstimate) -> Option<FloatEstimate> {
    match f {
        Planar::Atan2 => {
            let (y, x) = (a.value, b.value);
            // the angle jumps at the negative x-axis, and turns fast near the origin
            let distance = y.hypot(x) - a.error - b.error;
            let near_the_ray = y.abs() <= a.error && x <= b.error;
            let error = (a.error + b.error) / distance;
            if distance > 0.0 && !near_the_ray { FloatEstimate::new(y.atan2(x), error) } else { None }
        }
    }
}

/// Computes an elementary function with the standard library and `libm`. NaN outside its domain.
fn eval_elementary(f: Function, x: f64) -> f64 {
    match f {
        Function::Exp => x.exp(),
        Function::Log => x.ln(),
        Function::Sin => x.sin(),
        Function::Cos => x.cos(),
        Function::Tan => x.tan(),
        Function::Asin => x.asin(),
        Function::Acos => x.acos(),
        Function::Atan => x.atan(),
        Function::Sinh => x.sinh(),
        Function::Cosh => x.cosh(),
        Function::Tanh => x.tanh(),
        Function::Asinh => x.asinh(),
        Function::Acosh => x.acosh(),
        Function::Atanh => x.atanh(),
        Function::Sqrt => x.sqrt(),
        Function::Cbrt => x.cbrt(),
        Function::Log1p => x.ln_1p(),
        Function::Expm1 => x.exp_m1(),
        Function::Erfc => libm::erfc(x),
        Function::Erf => libm::erf(x),
        Function::LOG_GAMMA => libm::lgamma(x),
        Function::Special(SpecialId::Gamma, order) => polygamma(i32::from(order) - 1, x),
        Function::Special(SpecialId::BesselJ0, order) => bessel(0, order.into(), x),
        Function::Special(SpecialId::BesselJ1, order) => bessel(1, order.into(), x),
        Function::Special(SpecialId::BesselK0, order) => modified_bessel(order.into(), x),
        Function::Special(SpecialId::AiryAi, order) => airy(order.into(), x),
        Function::Special(SpecialId::LambertW, order) => lambert_w(order.into(), x),
        Function::Special(SpecialId::SinIntegral, order) => sin_integral(order.into(), x),
        Function::Special(SpecialId::ExpIntegralE1, order) => exponential_integral(order.into(), x),
    }
}

/// Computes the derivative of Jₙ of an order by differences of Bessel functions, 2 Jₙ′ = Jₙ₋₁ - Jₙ₊₁.
fn bessel(n: i32, order: u32, x: f64) -> f64 {
    match order {
        0 => libm::jn(n, x),
        // each order doubles the terms
        1..=16 => 0.5 * (bessel(n - 1, order - 1, x) - bessel(n + 1, order - 1, x)),
        _ => f64::NAN,
    }
}

/// The panels of a rule of Gauss beyond which there is no estimate.
const MOST_PANELS: f64 = 500.0;

/// Integrates over [0, b] by Gauss's rule with eight nodes on panels of about a given width. Returns `∞` if these are too many.
fn integrate_by_gauss(b: f64, width: f64, f: impl Fn(f64) -> f64) -> f64 {
    // the zeros of P₈ above 0, with their weights, by mpmath
    const NODES: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let panels = (b.abs() / width).ceil().max(1.0);
    if panels > MOST_PANELS {
        return f64::INFINITY;
    }
    let half = 0.5 * b / panels;
    let panel = |i: usize| {
        let middle = (2.0 * i as f64 + 1.0) * half;
        NODES.iter().map(|(x, w)| w * half * (f(middle - half * x) + f(middle + half * x))).sum::<f64>()
    };
    (0..panels as usize).map(panel).sum()
}

/// Computes the derivative of Si of an order: `x^-n ∫ tⁿ⁻¹ cos (t + (n - 1)π/2) dt` from 0 to x, and for n = 0 the integral of `sin t/t`.
fn sin_integral(order: u32, x: f64) -> f64 {
    if order == 0 {
        return integrate_by_gauss(x, 1.0, |t| t.sin() / t);
    }
    let turn = f64::from(order - 1) * std::f64::consts::FRAC_PI_2;
    integrate_by_gauss(1.0, 1.0 / (1.0 + x.abs()), |t| t.powi(order as i32 - 1) * (x * t + turn).cos())
}

/// The exponent from which on `exp` of its opposite is left out of an integral.
const MOST_EXPONENT: f64 = 50.0;

/// Computes the derivative of E₁ of an order: `(-1)ⁿ ∫ exp (nu - x·eᵘ) du` for u > 0. NaN unless x > 0.
fn exponential_integral(order: u32, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let n = f64::from(order);
    // from there on exp (nu - x·eᵘ) is below exp (-MOST_EXPONENT)
    let last = ((MOST_EXPONENT + 100.0 * n) / x).ln_1p() + 1.0;
    let size = integrate_by_gauss(last, 0.25, |u| (n * u - x * u.exp()).exp());
    if order.is_multiple_of(2) { size } else { -size }
}

/// Computes the derivative of K₀ of an order: the integral of `(-cosh u)ⁿ exp (-x cosh u)` over u > 0. NaN unless x > 0.
fn modified_bessel(order: u32, x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    let last = ((MOST_EXPONENT + 100.0 * f64::from(order)) / x + 1.0).acosh();
    integrate_by_gauss(last, 0.25, |u| (-u.cosh()).powi(order as i32) * (-x * u.cosh()).exp())
}

/// The least number at which Airy's function is estimated. To the left its integral cancels.
const LEAST_AIRY: f64 = -12.0;

/// Computes the derivative of Ai of an order along the ray of the angle π/3: 1/π times the imaginary part of the integral of
/// `w (-rw)ⁿ exp (-r³/3 - xrw)` over r > 0, with w = exp (iπ/3). Infinite where there is no estimate.
fn airy(order: u32, x: f64) -> f64 {
    if !(LEAST_AIRY..=1e3).contains(&x) {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    let third = std::f64::consts::FRAC_PI_3;
    let turn = f64::from(order + 1) * third;
    let integrand = |r: f64| {
        let size = r.powi(order as i32) * (-r * r * r / 3.0 - 0.5 * x * r).exp();
        size * (turn - x * r * third.sin()).sin()
    };
    let integral = integrate_by_gauss(8.0 + x.abs().sqrt(), 1.0 / (4.0 + x.abs()), integrand);
    let value = integral / std::f64::consts::PI;
    if order.is_multiple_of(2) { value } else { -value }
}

/// Computes the derivative of W₀ of an order, by bisection of w eʷ = x and the equation `W′ (x + eᵂ) = 1`. NaN unless x > -1/e, infinite
/// beyond the second derivative.
fn lambert_w(order: u32, x: f64) -> f64 {
    if x.is_nan() || x <= -(-1f64).exp() {
        return f64::NAN;
    }
    let (mut below, mut above) = (-1.0, x.ln_1p().max(0.0) + 1.0);
    for _ in 0..200 {
        let middle: f64 = 0.5 * (below + above);
        if middle * middle.exp() < x { below = middle } else { above = middle }
    }
    let slope = 1.0 / (x + below.exp());
    match order {
        0 => below,
        1 => slope,
        2 => -slope * slope * (1.0 + below.exp() * slope),
        _ => f64::INFINITY,
    }
}

/// The least number at which polygamma is estimated. The number of steps grows with −x, so arguments far to the left are given up.
const LEAST_POLYGAMMA: f64 = -1e4;

/// Computes ψ⁽ⁿ⁾(x) by upward steps and the midpoint rule: `Σ_{k ≥ 0} g(y + k) ≈ ∫ g + g′/24 - 7 g‴/5760`, from z = y - ½
/// on. NaN at the poles 0, −1, −2, …, and below [`LEAST_POLYGAMMA`].
fn polygamma(n: i32, x: f64) -> f64 {
    if x < LEAST_POLYGAMMA || (x <= 0.0 && x.fract() == 0.0) {
        return f64::NAN;
    }
    let m = f64::from(n + 1);
    let (mut z, mut steps) = (x - 0.5, 0.0);
    // beyond 100 + m the first term left out is below the rounding error
    while z < 100.0 + m {
        steps += (z + 0.5).powi(-n - 1);
        z += 1.0;
    }
    let rest = z.powi(-n - 1) / z * (7.0 * m * (m + 1.0) * (m + 2.0) / (5760.0 * z * z) - m / 24.0);
    if n == 0 {
        // the integral of 1/t diverges, and the logarithm takes its place
        return z.ln() - rest - steps;
    }
    let factorial: f64 = (1..=n).map(f64::from).product();
    let sum = factorial * (z.powi(-n) / f64::from(n) + rest + steps);
    if n % 2 == 0 { -sum } else { sum }
}

/// Half the number of panels of an integral in each part. A choice, as the number of samples is.
const HALF_PANELS: usize = 16;
/// The number of intervals between the samples of an optimum or a first root.
const SAMPLE_INTERVALS: usize = 48;
/// The point that divides the unit interval: 2 − φ is irrational, so that no usual kink lies on a node of either part.
const SPLIT_POINT: f64 = 0.381_966_011_250_105_1;

/// A function of one number, `None` where it has no estimate.
type EstimateFn<'f> = &'f mut dyn FnMut(f64) -> Option<FloatEstimate>;

/// Collects all values. Returns `None` if one is missing. Every value is computed first, since each may record that it
/// is outside a domain.
fn collect_all(values: impl Iterator<Item = Option<FloatEstimate>>) -> Option<Vec<FloatEstimate>> {
    values.collect::<Vec<_>>().into_iter().collect()
}

/// Estimates the integral over [0, 1] by Simpson's rule on two parts. The difference to the doubled step is its error.
fn estimate_integral(f: EstimateFn) -> Option<FloatEstimate> {
    let (mut value, mut error) = (0.0, 0.0);
    for (a, b) in [(0.0, SPLIT_POINT), (SPLIT_POINT, 1.0)] {
        let count = 2 * HALF_PANELS;
        let node = |i: usize| a + (b - a) * i as f64 / count as f64;
        let values = collect_all((0..=count).map(|i| f(node(i))))?;
        let rule = |stride: usize| {
            let weight = |i: usize| match i / stride {
                0 => 1.0,
                j if j == count / stride => 1.0,
                j if j % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let sum: f64 = (0..=count).step_by(stride).map(|i| weight(i) * values[i].value).sum();
            sum * (b - a) * stride as f64 / (3.0 * count as f64)
        };
        let (fine, rough) = (rule(1), rule(2));
        let noise = values.iter().map(|v| v.error).fold(0.0, f64::max);
        value += fine;
        // a kink between two nodes changes the sum by its bend times the distance of the nodes
        let bend = values.windows(3).map(|w| (w[0].value - 2.0 * w[1].value + w[2].value).abs()).fold(0.0, f64::max);
        error += (fine - rough).abs() + noise + bend * (b - a) / count as f64;
    }
    FloatEstimate::new(value, error)
}

/// Returns the least tried distance at which a test is certain. Returns `None` if it is not certain within 1/64.
fn find_resolution(mut certain: impl FnMut(f64) -> Option<bool>) -> Option<f64> {
    // a choice: from the rounding error in steps of 8, which is accurate enough for a believed error
    let mut distance = 1e-13;
    while distance < 1.0 / 64.0 {
        if certain(distance)? {
            return Some(distance);
        }
        distance *= 8.0;
    }
    None
}

/// Estimates the sign change of `f` between `a`, where it is positive, and `b`, where it is negative.
fn bisect_sign_change(f: EstimateFn, mut a: f64, mut b: f64) -> Option<FloatEstimate> {
    // 60 halvings exhaust the 53 bits of a double
    for _ in 0..60 {
        let middle = a + (b - a) / 2.0;
        if middle <= a || middle >= b {
            break;
        }
        if f(middle)?.value > 0.0 {
            a = middle;
        } else {
            b = middle;
        }
    }
    let root = a + (b - a) / 2.0;
    // the error is the distance at which the signs are certain despite the errors of the values
    let error = find_resolution(|d| {
        let (before, after) = (f(root - d * (1.0 + root.abs()))?, f(root + d * (1.0 + root.abs()))?);
        Some(before.value > 2.0 * before.error && after.value < -2.0 * after.error)
    })?;
    FloatEstimate::new(root, error * (1.0 + root.abs()))
}

/// Estimates the root of a decreasing function on the line. Returns `None` if there is no sign change within about
/// ±10⁹.
fn estimate_cut_root(f: EstimateFn) -> Option<FloatEstimate> {
    let mut scale = 1.0;
    while scale < 1e9 {
        if f(-scale)?.value > 0.0 && f(scale)?.value < 0.0 {
            return bisect_sign_change(f, -scale, scale);
        }
        // powers of 4 reach 10⁹ in 15 steps
        scale *= 4.0;
    }
    None
}

/// Values so near to 0 that they may cross it between two samples. A choice.
const NEAR_ZERO: f64 = 1e-2;

/// Estimates the first sign change from positive to negative on [0, 1]: 0 if `f(0)` is negative, 1 if there is none.
/// Returns `None` if a root may be hidden between samples.
fn estimate_first_root(f: EstimateFn) -> Option<FloatEstimate> {
    let node = |i: usize| i as f64 / SAMPLE_INTERVALS as f64;
    let mut positive: Option<f64> = None;
    let mut near = false;
    for i in 0..=SAMPLE_INTERVALS {
        let y = f(node(i))?;
        match positive {
            None if y.value < -NEAR_ZERO => return FloatEstimate::new(0.0, 0.0),
            Some(last) if y.value < -2.0 * y.error => {
                let root = bisect_sign_change(f, last, node(i))?;
                // near the ends of the interval the root may be clamped to them, so no estimate is given
                return (root.value > 1e-3 && root.value < 0.999).then_some(root);
            }
            // values near 0 that rise again may have crossed it between two samples
            _ if y.value >= NEAR_ZERO && near => return None,
            _ if y.value >= NEAR_ZERO => positive = Some(node(i)),
            None => return None,
            _ => near = true,
        }
    }
    if near { None } else { FloatEstimate::new(1.0, 0.0) }
}

/// Estimates the greatest value on the unit interval, and a point where it is attained.
fn estimate_maximum(f: EstimateFn) -> Option<(f64, FloatEstimate)> {
    let node = |i: usize| i as f64 / SAMPLE_INTERVALS as f64;
    let values = collect_all((0..=SAMPLE_INTERVALS).map(|i| f(node(i))))?;
    let best = (0..=SAMPLE_INTERVALS).max_by(|&i, &j| values[i].value.total_cmp(&values[j].value))?;
    let (mut place, mut height) = (node(best), values[best]);
    let (mut a, mut b) = (node(best.saturating_sub(1)), node((best + 1).min(SAMPLE_INTERVALS)));
    let golden = 0.618_033_988_749_895;
    // 40 golden sections shrink the interval by 0.618⁴⁰ ≈ 4·10⁻⁹
    for _ in 0..40 {
        let (x, y) = (b - golden * (b - a), a + golden * (b - a));
        let (at_x, at_y) = (f(x)?, f(y)?);
        for (at, value) in [(x, at_x), (y, at_y)] {
            if value.value > height.value {
                (place, height) = (at, value);
            }
        }
        if at_x.value > at_y.value {
            b = y;
        } else {
            a = x;
        }
    }
    // a hidden peak between samples is taken to exceed them by no more than the greatest second difference
    let bends = values.windows(3).map(|w| (w[0].value - 2.0 * w[1].value + w[2].value).abs());
    let elsewhere = values.iter().enumerate().filter(|(i, _)| i.abs_diff(best) > 1);
    let rival = elsewhere.map(|(_, v)| v.value).fold(f64::NEG_INFINITY, f64::max);
    let hidden = (rival + bends.fold(0.0, f64::max) - height.value).max(0.0);
    Some((place, FloatEstimate::new(height.value, height.error + hidden)?))
}

/// Estimates the maximiser on the unit interval. Returns `None` if another sample comes close to the maximum.
fn estimate_maximiser(f: EstimateFn) -> Option<FloatEstimate> {
    let (place, height) = estimate_maximum(f)?;
    for i in 0..=SAMPLE_INTERVALS {
        let x = i as f64 / SAMPLE_INTERVALS as f64;
        let y = f(x)?;
        // a choice: within 10⁻³ of the maximum, away from the maximiser, the two may tie
        if (x - place).abs() > 1.5 / SAMPLE_INTERVALS as f64 && y.value + 1e-3 + y.error + height.error > height.value {
            return None;
        }
    }
    let error = find_resolution(|d| {
        let lower = |x: f64, f: EstimateFn| -> Option<bool> {
            // beyond the ends of the interval there is no rival
            if !(0.0..=1.0).contains(&x) {
                return Some(true);
            }
            let y = f(x)?;
            Some(y.value + 4.0 * (y.error + height.error + f64::EPSILON * height.value.abs()) < height.value)
        };
        Some(lower(place - d, f)? && lower(place + d, f)?)
    })?;
    FloatEstimate::new(place, error)
}
