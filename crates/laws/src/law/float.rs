//! What a program would give in plain `f64`: an oracle from outside, weak but of another kind.
//!
//! Nothing is shared with the machine that computes enclosures: the graph is walked, without jets, without Taylor
//! expansions and without interval Newton. Derivatives are central differences, integrals are Simpson's rule, roots come
//! from bisection, optima from a grid and golden sections. Every number has a *believed* error. Where that is large, or
//! near a kink that is differentiated, or where two maximisers tie, there is no estimate. A number that is clearly outside
//! the domain of a function, where every enclosure would have to say so, is told apart from that.

mod search;

use crate::number::{Enclosure, Function, Planar};
use crate::smooth::graph::{Binary, Derivative, Exponent, Graph, Operation, SecondOrder, Unary, Variable};
use crate::stack::deep;
use std::cell::Cell;
use std::fmt;

/// A number in floating-point arithmetic, and how far off it is believed to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The believed error.
    pub error: f64,
}

/// How many believed errors, and how much besides, in units of 1 + |value|, an enclosure may be off.
const DOUBT: (f64, f64) = (16.0, 1e-6);
/// Believed errors beyond this, in units of 1 + |value|, are no estimate.
const LARGEST_ERROR: f64 = 1e-2;
/// How many nodes one estimate may visit.
const LONGEST_WALK: u32 = 200_000;
/// The step of differences.
const STEP: f64 = 1.0 / 1024.0;

/// What floating-point arithmetic says about a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Opinion {
    /// About how large it is.
    Estimate(Estimate),
    /// That it does not exist: something it is computed from is far outside the domain of a function.
    Undefined,
    /// Nothing.
    None,
}

/// The opinion on a closed graph.
#[must_use]
pub fn opinion(graph: &Graph) -> Opinion {
    let walk = Walk { left: Cell::new(LONGEST_WALK), aside: Cell::new(0), undefined: Cell::new(false) };
    match walk.at(graph, &mut Vec::new()) {
        _ if walk.undefined.get() => Opinion::Undefined,
        Some(estimate) => Opinion::Estimate(estimate),
        None => Opinion::None,
    }
}

/// The estimate of a closed graph, where there is one.
#[must_use]
pub fn estimate(graph: &Graph) -> Option<Estimate> {
    match opinion(graph) {
        Opinion::Estimate(estimate) => Some(estimate),
        _ => None,
    }
}

impl Opinion {
    /// Whether an enclosure of a number that certainly exists lies far from the opinion.
    #[must_use]
    pub fn contradicts(&self, enclosure: &Enclosure) -> bool {
        match self {
            Opinion::Estimate(estimate) => estimate.contradicts(enclosure),
            Opinion::Undefined => enclosure.is_defined(),
            Opinion::None => false,
        }
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opinion::Estimate(estimate) => estimate.fmt(f),
            Opinion::Undefined => f.write_str("undefined"),
            Opinion::None => f.write_str("nothing"),
        }
    }
}

impl Estimate {
    fn new(value: f64, error: f64) -> Option<Self> {
        let error = error + 4.0 * f64::EPSILON * value.abs();
        (value.abs() < 1e100 && error <= LARGEST_ERROR * (1.0 + value.abs())).then_some(Self { value, error })
    }

    /// The image under a function that is close to linear over the error.
    fn through(self, f: impl Fn(f64) -> f64) -> Option<Self> {
        let value = f(self.value);
        let sides = [f(self.value - self.error), f(self.value + self.error)].map(|y| (y - value).abs());
        if sides.iter().any(|d| d.is_nan()) {
            return None;
        }
        Self::new(value, sides[0].max(sides[1]))
    }

    /// Whether an enclosure lies far from the estimate.
    #[must_use]
    pub fn contradicts(&self, enclosure: &Enclosure) -> bool {
        let slack = DOUBT.0 * self.error + DOUBT.1 * (1.0 + self.value.abs());
        enclosure.hi().to_f64() < self.value - slack || enclosure.lo().to_f64() > self.value + slack
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ± {:.0e}", self.value, self.error)
    }
}

/// The values of variables, the innermost last.
type Scope = Vec<(Variable, Estimate)>;

struct Walk {
    left: Cell<u32>,
    /// Whether the walk is beside the points at which the program must be defined, and how deep.
    aside: Cell<u32>,
    /// Whether an argument was clearly outside a domain.
    undefined: Cell<bool>,
}

/// Arguments less than this outside a domain, in units of 1 + |x|, may be inside.
const CLEAR: f64 = 1e-4;

impl Walk {
    /// What is asked beside the points at which the program must be defined.
    fn beside<R>(&self, ask: impl FnOnce() -> R) -> R {
        self.aside.set(self.aside.get() + 1);
        let result = ask();
        self.aside.set(self.aside.get() - 1);
        result
    }

    /// The image of an argument, which may be outside the domain.
    fn image(&self, a: Estimate, f: impl Fn(f64) -> f64) -> Option<Estimate> {
        let margin = CLEAR * (1.0 + a.value.abs()) + 100.0 * a.error;
        if self.aside.get() == 0 && [-margin, 0.0, margin].iter().all(|d| f(a.value + d).is_nan()) {
            self.undefined.set(true);
        }
        a.through(f)
    }

    /// The value of a graph, `None` where it is undefined or not believed.
    fn at(&self, graph: &Graph, scope: &mut Scope) -> Option<Estimate> {
        self.left.set(self.left.get().checked_sub(1)?);
        deep(|| self.node(graph, scope))
    }

    /// The value of a graph with one variable more.
    fn with(&self, graph: &Graph, scope: &mut Scope, v: Variable, value: f64) -> Option<Estimate> {
        scope.push((v, Estimate { value, error: 0.0 }));
        let result = self.at(graph, scope);
        scope.pop();
        result
    }

    fn node(&self, graph: &Graph, scope: &mut Scope) -> Option<Estimate> {
        match graph.operation() {
            Operation::Variable(v) => scope.iter().rev().find(|(w, _)| w == v).map(|(_, x)| *x),
            Operation::Rational(q) => Estimate::new(q.to_f64(), 0.0),
            Operation::Pi => Estimate::new(std::f64::consts::PI, 0.0),
            Operation::Euler => Estimate::new(std::f64::consts::E, 0.0),
            Operation::Unary(f, a) => {
                let a = self.at(a, scope)?;
                match f {
                    Unary::Negate => a.through(|x| -x),
                    Unary::Abs => a.through(f64::abs),
                    // at 0 it is a set
                    Unary::Signum if a.value.abs() <= a.error => None,
                    Unary::Signum => a.through(f64::signum),
                    Unary::Function(f) => self.image(a, |x| elementary(*f, x)),
                }
            }
            Operation::Binary(f, a, b) => {
                let (a, b) = (self.at(a, scope)?, self.at(b, scope)?);
                binary(*f, a, b)
            }
            Operation::Power(a, e) => {
                let a = self.at(a, scope)?;
                self.image(a, |x| power(x, *e))
            }
            Operation::Primitive(..) => None,
            Operation::Select(guard, a, b) => {
                let guard = self.at(guard, scope)?;
                // on the border it is not defined
                let decided = guard.value.abs() > guard.error;
                if !decided { None } else { self.at(if guard.value > 0.0 { a } else { b }, scope) }
            }
            Operation::Derivative(d) => self.derivative(d, scope),
            Operation::Second(second, v, body) => {
                let mut f = |x: f64| self.with(body, scope, *v, x);
                match second {
                    SecondOrder::Integral => search::integral(&mut f),
                    // a root may exist where the function does not exist everywhere
                    SecondOrder::CutRoot => self.beside(|| search::cut_root(&mut f)),
                    SecondOrder::FirstRoot => self.beside(|| search::first_root(&mut f)),
                    SecondOrder::Maximum => search::maximum(&mut f).map(|(_, height)| height),
                    SecondOrder::Maximiser => search::maximiser(&mut f),
                }
            }
        }
    }

    /// A central difference, extrapolated once.
    fn derivative(&self, d: &Derivative, scope: &mut Scope) -> Option<Estimate> {
        let mut at = Vec::with_capacity(d.variables.len());
        let mut uncertain = 0.0_f64;
        for (x, v) in d.at.iter().zip(&d.along) {
            // a function that does not look at its argument has a slope there even if there is no argument
            let (x, v) = self.beside(|| Some((self.at(x, scope)?, self.at(v, scope)?)))?;
            uncertain = uncertain.max(x.error).max(v.error);
            at.push((x.value, v.value));
        }
        // a step is a step of the point, however long the direction is
        let length = at.iter().map(|(_, v)| v.abs()).fold(1.0, f64::max);
        let mut phi = |t: f64| {
            let outside = scope.len();
            let moved = d.variables.iter().zip(&at);
            scope.extend(moved.map(|(w, (x, v))| (*w, Estimate { value: x + t * (v / length), error: 0.0 })));
            let result = self.at(&d.body, scope);
            scope.truncate(outside);
            result
        };
        let here = phi(0.0)?;
        let [(far, bend_far, noise_far), (near, bend_near, noise_near)] = {
            let mut difference = |h: f64| {
                let (before, after) = self.beside(|| Some((phi(-h)?, phi(h)?)))?;
                let noise = before.error.max(after.error).max(here.error) / h;
                let bend = (after.value - 2.0 * here.value + before.value).abs() / h;
                Some(((after.value - before.value) / (2.0 * h), bend, noise))
            };
            [difference(STEP)?, difference(STEP / 2.0)?]
        };
        // at a kink the two one-sided slopes stay apart
        if bend_near > 0.6 * bend_far + noise_far + noise_near && bend_near > 1e-6 {
            return None;
        }
        let value = near + (near - far) / 3.0;
        let error = (near - far).abs() + noise_near + (bend_near / STEP + 1.0) * uncertain;
        Estimate::new(value * length, error * length)
    }
}

fn binary(f: Binary, a: Estimate, b: Estimate) -> Option<Estimate> {
    let (x, y) = (a.value, b.value);
    match f {
        Binary::Add => Estimate::new(x + y, a.error + b.error + f64::EPSILON * x.abs()),
        Binary::Subtract => Estimate::new(x - y, a.error + b.error + f64::EPSILON * x.abs()),
        Binary::Multiply => Estimate::new(x * y, x.abs() * b.error + y.abs() * a.error + a.error * b.error),
        Binary::Divide if y.abs() > 2.0 * b.error => {
            Estimate::new(x / y, (a.error + (x / y).abs() * b.error) / (y.abs() - b.error))
        }
        Binary::Divide => None,
        Binary::Maximum => Estimate::new(x.max(y), a.error.max(b.error)),
        Binary::Minimum => Estimate::new(x.min(y), a.error.max(b.error)),
        Binary::Planar(f) => planar(f, a, b),
    }
}

/// x^(p/q) in lowest terms: q odd for every x, q even for x ≥ 0; NaN elsewhere.
fn power(x: f64, e: Exponent) -> f64 {
    let exponent = e.numerator as f64 / f64::from(e.denominator);
    let size = x.abs().powf(exponent);
    match (x < 0.0, e.denominator % 2 == 1, e.numerator % 2 == 0) {
        (true, false, _) => f64::NAN,
        (true, true, false) => -size,
        _ => size,
    }
}

/// A function of two numbers; nothing near where it jumps or is not defined.
fn planar(f: Planar, a: Estimate, b: Estimate) -> Option<Estimate> {
    match f {
        Planar::Atan2 => {
            let (y, x) = (a.value, b.value);
            let distance = y.hypot(x) - a.error - b.error;
            let near_the_ray = y.abs() <= a.error && x <= b.error;
            let error = (a.error + b.error) / distance;
            if distance > 0.0 && !near_the_ray { Estimate::new(y.atan2(x), error) } else { None }
        }
    }
}

fn elementary(f: Function, x: f64) -> f64 {
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
        Function::LogGamma => libm::lgamma(x),
        Function::Digamma => polygamma(0, x),
        Function::Polygamma(n) => polygamma(n.get().into(), x),
    }
}

/// ψ⁽ⁿ⁾ by upward steps and the midpoint rule: `Σ_{k ≥ 0} g(y + k) ≈ ∫ g + g′/24 - 7 g‴/5760`, from z = y - ½ on.
fn polygamma(n: i32, x: f64) -> f64 {
    if x < -1e4 || (x <= 0.0 && x.fract() == 0.0) {
        return f64::NAN;
    }
    let m = f64::from(n + 1);
    let (mut z, mut steps) = (x - 0.5, 0.0);
    while z < 100.0 + m {
        steps += (z + 0.5).powi(-n - 1);
        z += 1.0;
    }
    let rest = z.powi(-n - 1) / z * (7.0 * m * (m + 1.0) * (m + 2.0) / (5760.0 * z * z) - m / 24.0);
    if n == 0 {
        return z.ln() - rest - steps;
    }
    let factorial: f64 = (1..=n).map(f64::from).product();
    let sum = factorial * (z.powi(-n) / f64::from(n) + rest + steps);
    if n % 2 == 0 { -sum } else { sum }
}
