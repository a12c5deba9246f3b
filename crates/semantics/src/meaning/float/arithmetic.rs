//! Arithmetic on [`Number`]s, with the derivatives that frameworks use where a function has none.
//!
//! | function | derivative where it has none |
//! |---|---|
//! | `max a b` | that of a where a ≥ b: `relu′(0) = 0` for `relu x = max 0 x` |
//! | `min a b` | that of a where a ≤ b |
//! | `abs x` | that of x where x ≥ 0 |
//! | `signum x` | 0 everywhere |
//! | `atan2 y x` | that of its formula, also where it jumps |

use super::Float;
use super::number::Number;
use crate::function::{Course, Formula, Function, Planar, Step};
use crate::number::double::{nearest, nearest_planar, nearest_power};
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::stack::deep;

impl Float {
    /// Returns a result without ε, rounded as the run requires: to nearest, or moved by one unit in the last place unless it is
    /// exact.
    fn rounded(&self, x: f64, exact: bool) -> Number {
        Number::Plain(if exact || x == 0.0 || !x.is_finite() { x } else { self.nudged(x) })
    }

    /// Applies an operation to two numbers, given on plain numbers and on the two parts of `a + b·ε`.
    fn both(
        &self,
        a: &Number,
        b: &Number,
        plain: impl FnOnce(f64, f64) -> Number,
        dual: impl FnOnce((Number, Number), (Number, Number)) -> (Number, Number),
    ) -> Number {
        match (a, b) {
            (Number::Plain(a), Number::Plain(b)) => {
                self.work(1);
                plain(*a, *b)
            }
            // the outermost ε first: the larger tag, as the representation requires
            _ => match a.tag().max(b.tag()) {
                // 8 operations for a dual step: a choice
                Some(tag) if self.work(8) => {
                    let (value, slope) = deep(|| dual(a.split(tag), b.split(tag)));
                    Number::dual(tag, value, slope)
                }
                _ => Number::Plain(f64::NAN),
            },
        }
    }

    /// Returns a + b.
    pub(super) fn add(&self, a: &Number, b: &Number) -> Number {
        let plain = |x: f64, y: f64| {
            // Knuth's TwoSum: the rounding error is computed exactly
            let sum = x + y;
            let z = sum - x;
            self.rounded(sum, (x - (sum - z)) + (y - z) == 0.0)
        };
        self.both(a, b, plain, |(a, c), (b, d)| (self.add(&a, &b), self.add(&c, &d)))
    }

    /// Returns -a.
    pub(super) fn negate(&self, a: &Number) -> Number {
        self.multiply(&Number::Plain(-1.0), a)
    }

    /// Returns a - b.
    pub(super) fn subtract(&self, a: &Number, b: &Number) -> Number {
        self.add(a, &self.negate(b))
    }

    /// Returns a·b.
    pub(super) fn multiply(&self, a: &Number, b: &Number) -> Number {
        let plain = |x: f64, y: f64| {
            let product = x * y;
            // the rounding error, by a fused multiply-add
            self.rounded(product, x.mul_add(y, -product) == 0.0)
        };
        self.both(a, b, plain, |(a, c), (b, d)| {
            let slope = match (&c, &d) {
                // a constant factor contributes nothing, not even 0·∞
                (Number::Plain(0.0), d) => self.multiply(&a, d),
                (c, Number::Plain(0.0)) => self.multiply(c, &b),
                (c, d) => self.add(&self.multiply(c, &b), &self.multiply(&a, d)),
            };
            (self.multiply(&a, &b), slope)
        })
    }

    /// Returns a/b.
    pub(super) fn divide(&self, a: &Number, b: &Number) -> Number {
        let plain = |x: f64, y: f64| {
            let quotient = x / y;
            // exact if the remainder is 0
            self.rounded(quotient, quotient.mul_add(y, -x) == 0.0)
        };
        self.both(a, b, plain, |(a, c), (b, d)| {
            let quotient = self.divide(&a, &b);
            // (a/b)′ = (a′ - (a/b)·b′)/b, with the quotient computed once
            let rise = match &d {
                Number::Plain(0.0) => c,
                d => self.subtract(&c, &self.multiply(&quotient, d)),
            };
            let slope = self.divide(&rise, &b);
            (quotient, slope)
        })
    }

    /// Returns the first number if `wins` holds for the values, otherwise the second; NaN if a value is NaN.
    fn choice(&self, a: &Number, b: &Number, wins: impl Fn(f64, f64) -> bool) -> Number {
        self.work(1);
        let (x, y) = (a.value(), b.value());
        if x.is_nan() || y.is_nan() {
            // as a product, so that every coefficient becomes NaN
            return self.multiply(&self.add(a, b), &Number::Plain(f64::NAN));
        }
        if wins(x, y) { a.clone() } else { b.clone() }
    }

    /// Returns max(a, b).
    pub(super) fn max(&self, a: &Number, b: &Number) -> Number {
        self.choice(a, b, |x, y| x >= y)
    }

    /// Returns min(a, b).
    pub(super) fn min(&self, a: &Number, b: &Number) -> Number {
        self.choice(a, b, |x, y| x <= y)
    }

    /// Returns |a|.
    pub(super) fn abs(&self, a: &Number) -> Number {
        if a.value() < 0.0 { self.negate(a) } else { a.clone() }
    }

    /// Returns -1, 0 or 1; NaN for NaN.
    pub(super) fn signum(&self, a: &Number) -> Number {
        let x = a.value();
        Number::Plain(if x > 0.0 {
            1.0
        } else if x < 0.0 {
            -1.0
        } else {
            x * 0.0
        })
    }

    /// Applies a function of one number, given on plain numbers, on dual ones again, and by its derivative.
    fn chain(
        &self,
        a: &Number,
        plain: impl Fn(f64) -> Number,
        again: impl Fn(&Number) -> Number,
        slope: impl Fn(&Number) -> Number,
    ) -> Number {
        match a.tag() {
            None => {
                self.work(1);
                plain(a.value())
            }
            Some(tag) if self.work(8) => {
                let (value, direction) = a.split(tag);
                deep(|| Number::dual(tag, again(&value), self.multiply(&slope(&value), &direction)))
            }
            Some(_) => Number::Plain(f64::NAN),
        }
    }

    /// Applies an elementary function.
    pub(super) fn function(&self, f: Function, a: &Number) -> Number {
        let plain = |x: f64| self.rounded(nearest(f, x), is_exact(f, x));
        self.chain(a, plain, |v| self.function(f, v), |v| self.formula(&f.slope(), &[v], |float| float.function(f, v)))
    }

    /// Applies an elementary function of two numbers. Where it jumps it has the slopes of its formulas.
    pub(super) fn planar(&self, f: Planar, a: &Number, b: &Number) -> Number {
        let plain = |x: f64, y: f64| self.rounded(nearest_planar(f, x, y), false);
        self.both(a, b, plain, |(a, c), (b, d)| {
            let value = self.planar(f, &a, &b);
            let [first, second] = f.slopes();
            // no 0·∞ from a slope in a direction that does not move
            let along = |slope: &Formula, d: &Number| match d {
                Number::Plain(0.0) => Number::ZERO,
                d => self.multiply(&self.formula(slope, &[&a, &b], |_| value.clone()), d),
            };
            let slope = self.add(&along(first, &c), &along(second, &d));
            (value, slope)
        })
    }

    /// Evaluates the formula of a slope at numbers; `y` is the value of the function whose slope it is.
    pub(super) fn formula(&self, formula: &Formula, x: &[&Number], y: impl Fn(&Self) -> Number) -> Number {
        let root = |a: &Number| self.function(Function::Sqrt, a);
        formula.evaluate(&mut |step| match step {
            Step::Argument(index) => x[index].clone(),
            Step::Y => y(self),
            Step::Number(p, q) => Number::Plain(f64::from(p) / f64::from(q)),
            Step::Pi => Number::Plain(self.nudged(std::f64::consts::PI)),
            Step::Negate(a) => self.negate(&a),
            Step::Add(a, b) => self.add(&a, &b),
            Step::Subtract(a, b) => self.subtract(&a, &b),
            Step::Multiply(a, b) => self.multiply(&a, &b),
            Step::Divide(a, b) => self.divide(&a, &b),
            Step::Square(a) => self.multiply(&a, &a),
            Step::Inverse(a) => self.divide(&Number::ONE, &a),
            Step::InverseRoot(a) => self.divide(&Number::ONE, &root(&a)),
            Step::Of(f, a) => self.function(f, &a),
        })
    }

    /// Returns exp(y·log x), rounded correctly for x > 0.
    pub(super) fn real_power(&self, x: &Number, y: &Number) -> Number {
        let plain = |x: f64, y: f64| match x > 0.0 {
            // for x ≤ 0 the formula itself gives NaN, 0 or ∞
            true => self.rounded(nearest_power(x, y), y == 1.0),
            false => self.rounded((y * x.ln()).exp(), true),
        };
        self.both(x, y, plain, |(a, c), (b, d)| {
            // (xʸ)′ = xʸ·(y′·log x + y·x′/x)
            let (value, log) = (self.real_power(&a, &b), self.function(Function::Log, &a));
            let base = self.divide(&self.multiply(&b, &c), &a);
            let slope = self.add(&self.multiply(&d, &log), &base);
            (value.clone(), self.multiply(&value, &slope))
        })
    }

    /// Returns x^y for a constant exponent.
    pub(super) fn power(&self, x: &Number, y: &Number) -> Number {
        let exponent = y.value();
        // x⁰ = 1, also for x = 0 and NaN, as in IEEE 754
        if exponent == 0.0 {
            return Number::ONE;
        }
        let plain = |x: f64| self.rounded(power(x, exponent), exponent == 1.0);
        let slope = |v: &Number| {
            let smaller = Number::Plain(exponent - 1.0);
            let slope = if exponent == 1.0 { Number::ONE } else { self.power_less_one(v, exponent, &smaller) };
            self.multiply(y, &slope)
        };
        self.chain(x, plain, |v| self.power(v, y), slope)
    }

    /// Returns x^(y-1). For x < 0 it is computed as x^y / x, since y - 1 may round to a fraction with an even denominator.
    fn power_less_one(&self, x: &Number, exponent: f64, smaller: &Number) -> Number {
        if x.value() < 0.0 && exponent.fract() != 0.0 {
            self.divide(&self.power(x, &Number::Plain(exponent)), x)
        } else {
            self.power(x, smaller)
        }
    }
}

/// Returns `true` if the result of a function needs no rounding.
fn is_exact(f: Function, x: f64) -> bool {
    match f.row().course {
        Course::Root(2) => {
            let root = x.sqrt();
            root.mul_add(root, -x) == 0.0
        }
        Course::Root(_) => {
            // the cube root: an integer whose cube is x
            let root = nearest(f, x);
            root.fract() == 0.0 && root * root * root == x
        }
        _ => x.is_finite() && f.exact(x).is_some(),
    }
}

/// Returns x^y in `f64`. For x < 0 it is defined if y is within one unit in the last place of p/q with an odd q.
fn power(x: f64, y: f64) -> f64 {
    if x >= 0.0 || y.fract() == 0.0 {
        return nearest_power(x, y);
    }
    match fraction(y) {
        Some((_, q)) if q % 2.0 == 0.0 => f64::NAN,
        Some((p, _)) if p % 2.0 == 0.0 => nearest_power(-x, y),
        Some(_) => -nearest_power(-x, y),
        None => f64::NAN,
    }
}

/// Returns the first convergent p/q of the continued fraction of |y| that is within one unit in the last place of |y|.
///
/// Returns `None` if p or q exceeds [`LARGEST_EXPONENT`].
fn fraction(y: f64) -> Option<(f64, f64)> {
    let y = Some(y.abs()).filter(|y| y.is_finite())?;
    let is_near = |z: f64| y == z || y == z.next_up() || y == z.next_down();
    let (mut before, mut here, mut rest) = ((0.0, 1.0), (1.0, 0.0), y);
    loop {
        let whole = rest.floor();
        (before, here) = (here, (whole * here.0 + before.0, whole * here.1 + before.1));
        let (p, q) = here;
        if p > LARGEST_EXPONENT as f64 || q > LARGEST_EXPONENT as f64 {
            return None;
        }
        if is_near(p / q) {
            return Some(here);
        }
        rest = 1.0 / (rest - whole);
    }
}
