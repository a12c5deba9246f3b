//! Floating-point numbers with derivatives: dual numbers, nested and tagged.
//!
//! A number is an `f64`, or `a + b·ε` with ε² = 0 for one of many ε, which tags distinguish. Every derivative that is taken has
//! an ε of its own, so a derivative inside another does not confuse their perturbations. The representation is canonical: the ε
//! with the largest tag is outermost. ε may be nested to any depth, so whatever traverses them all, dropping included, runs on a
//! growing stack.
//!
//! # Arithmetic
//!
//! Arithmetic on [`DualNumber`]s, with the derivatives that frameworks use where a function has none.
//!
//! | function | derivative where it has none |
//! |---|---|
//! | `max a b` | that of a where a ≥ b: `relu′(0) = 0` for `relu x = max 0 x` |
//! | `min a b` | that of a where a ≤ b |
//! | `abs x` | that of x where x ≥ 0 |
//! | `signum x` | 0 everywhere |
//! | `atan2 y x` | that of its formula, also where it jumps |

use super::super::foreign;
use super::Float;
use crate::function::{Formula, FormulaStep, Function, Planar};
use crate::model::answer::SemanticsError;
use crate::model::universe::{EvaluatorModel, ValueSemantics};
use crate::number::double::{eval_binary_nearest, eval_nearest, eval_power_nearest};
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::value::{Value, ValueError};
use std::sync::Arc;

/// The name of an ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpsilonTag(pub u64);

/// An `f64` with derivatives. See the [module](self).
#[derive(Clone, Debug)]
pub enum DualNumber {
    /// A number without derivatives.
    Plain(f64),
    /// A dual number `value + slope·ε`.
    Dual(Arc<DualParts>),
}

/// A dual number `value + slope·ε`.
#[derive(Clone, Debug)]
pub struct DualParts {
    tag: EpsilonTag,
    value: DualNumber,
    slope: DualNumber,
}

impl Drop for DualParts {
    fn drop(&mut self) {
        // only if a part is a dual number itself: the common case needs no growing stack
        let parts = [&mut self.value, &mut self.slope].map(|part| std::mem::replace(part, DualNumber::ZERO));
        if parts.iter().any(|part| matches!(part, DualNumber::Dual(_))) {
            with_stack(|| drop(parts));
        }
    }
}

impl DualNumber {
    pub(super) const ZERO: Self = DualNumber::Plain(0.0);
    pub(super) const ONE: Self = DualNumber::Plain(1.0);

    /// Returns the number without any ε.
    #[must_use]
    pub fn plain_value(&self) -> f64 {
        let mut here = self;
        while let DualNumber::Dual(dual) = here {
            here = &dual.value;
        }
        match here {
            DualNumber::Plain(x) => *x,
            DualNumber::Dual(_) => f64::NAN,
        }
    }

    /// Returns the tag of the outermost ε; `None` if there is no ε.
    pub(super) fn outermost_tag(&self) -> Option<EpsilonTag> {
        match self {
            DualNumber::Plain(_) => None,
            DualNumber::Dual(dual) => Some(dual.tag),
        }
    }

    /// Splits `a + b·ε` into `(a, b)`. The number must have no larger tag.
    pub(super) fn split_at_tag(&self, tag: EpsilonTag) -> (DualNumber, DualNumber) {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => (dual.value.clone(), dual.slope.clone()),
            _ => (self.clone(), Self::ZERO),
        }
    }

    /// Builds `value + slope·ε`. Neither may have an ε with this or a larger tag.
    pub(super) fn with_outermost(tag: EpsilonTag, value: DualNumber, slope: DualNumber) -> DualNumber {
        DualNumber::Dual(Arc::new(DualParts { tag, value, slope }))
    }

    /// Builds `value + slope·ε` from any two numbers, in canonical form.
    pub(super) fn attach_epsilon(tag: EpsilonTag, value: &DualNumber, slope: &DualNumber) -> DualNumber {
        match value.outermost_tag().max(slope.outermost_tag()) {
            // a larger tag has to stay outermost: attach inside both of its parts
            Some(outer) if outer > tag => {
                let ((a, b), (c, d)) = (value.split_at_tag(outer), slope.split_at_tag(outer));
                with_stack(|| {
                    DualNumber::with_outermost(
                        outer,
                        DualNumber::attach_epsilon(tag, &a, &c),
                        DualNumber::attach_epsilon(tag, &b, &d),
                    )
                })
            }
            // (a + b·ε) + (c + d·ε)·ε = a + (b + c)·ε, since ε² = 0
            Some(outer) if outer == tag => {
                let ((a, b), (c, _)) = (value.split_at_tag(tag), slope.split_at_tag(tag));
                DualNumber::with_outermost(tag, a, DualNumber::add_rounded(&b, &c))
            }
            _ => DualNumber::with_outermost(tag, value.clone(), slope.clone()),
        }
    }

    /// Returns the sum, rounded to nearest. It is exempt from the perturbation of [`Float`](super::Float).
    fn add_rounded(a: &DualNumber, b: &DualNumber) -> DualNumber {
        match (a, b) {
            (DualNumber::Plain(x), DualNumber::Plain(y)) => DualNumber::Plain(x + y),
            _ => match a.outermost_tag().max(b.outermost_tag()) {
                Some(tag) => {
                    let ((a, c), (b, d)) = (a.split_at_tag(tag), b.split_at_tag(tag));
                    with_stack(|| {
                        DualNumber::with_outermost(
                            tag,
                            DualNumber::add_rounded(&a, &b),
                            DualNumber::add_rounded(&c, &d),
                        )
                    })
                }
                None => DualNumber::Plain(f64::NAN),
            },
        }
    }

    /// Replaces an ε by another one, or removes it if `by` is `None`.
    pub(super) fn replace_epsilon(&self, tag: EpsilonTag, by: Option<EpsilonTag>) -> DualNumber {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => match by {
                Some(by) => DualNumber::attach_epsilon(by, &dual.value, &dual.slope),
                None => dual.value.clone(),
            },
            DualNumber::Dual(dual) if dual.tag > tag => with_stack(|| {
                DualNumber::attach_epsilon(
                    dual.tag,
                    &dual.value.replace_epsilon(tag, by),
                    &dual.slope.replace_epsilon(tag, by),
                )
            }),
            _ => self.clone(),
        }
    }

    /// Returns the coefficient of an ε; 0 if the number does not have it.
    pub(super) fn slope_along(&self, tag: EpsilonTag) -> DualNumber {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => dual.slope.clone(),
            DualNumber::Dual(dual) if dual.tag > tag => with_stack(|| {
                DualNumber::attach_epsilon(dual.tag, &dual.value.slope_along(tag), &dual.slope.slope_along(tag))
            }),
            _ => Self::ZERO,
        }
    }

    /// Replaces the part without ε by 0.
    pub(super) fn infinitesimal_part(&self) -> DualNumber {
        match self {
            DualNumber::Plain(_) => Self::ZERO,
            DualNumber::Dual(dual) => {
                with_stack(|| DualNumber::with_outermost(dual.tag, dual.value.infinitesimal_part(), dual.slope.clone()))
            }
        }
    }

    /// Returns the number of nested ε in the value parts; slopes are not counted. Its power of two estimates the number of
    /// coefficients.
    pub(super) fn value_levels(&self) -> u32 {
        let (mut levels, mut here) = (0, self);
        while let DualNumber::Dual(dual) = here {
            levels += 1;
            here = &dual.value;
        }
        levels
    }

    /// Returns the nesting depth of ε, in value and slope parts.
    pub(super) fn nesting_depth(&self) -> u32 {
        match self {
            DualNumber::Plain(_) => 0,
            DualNumber::Dual(dual) => with_stack(|| 1 + dual.value.nesting_depth().max(dual.slope.nesting_depth())),
        }
    }

    /// Returns the largest absolute value among the coefficients; NaN if one is NaN.
    pub(super) fn largest_coefficient(&self) -> f64 {
        match self {
            DualNumber::Plain(x) => x.abs(),
            DualNumber::Dual(dual) => {
                let (a, b) = with_stack(|| (dual.value.largest_coefficient(), dual.slope.largest_coefficient()));
                // NaN in either part wins: `a >= b` is false for a NaN b, which is then returned
                if a >= b || a.is_nan() { a } else { b }
            }
        }
    }
}

impl Float {
    /// Returns a result without ε, rounded as the run requires: to nearest, or moved by one unit in the last place unless it is
    /// exact.
    fn round_result(&self, x: f64, exact: bool) -> DualNumber {
        DualNumber::Plain(if exact || x == 0.0 || !x.is_finite() { x } else { self.perturb(x) })
    }

    /// Applies an operation to two numbers, given on plain numbers and on the two parts of `a + b·ε`.
    fn apply_binary_dual(
        &self,
        a: &DualNumber,
        b: &DualNumber,
        plain: impl FnOnce(f64, f64) -> DualNumber,
        dual: impl FnOnce((DualNumber, DualNumber), (DualNumber, DualNumber)) -> (DualNumber, DualNumber),
    ) -> DualNumber {
        match (a, b) {
            (DualNumber::Plain(a), DualNumber::Plain(b)) => {
                self.count_operations(1);
                plain(*a, *b)
            }
            // the outermost ε first: the larger tag, as the representation requires
            _ => match a.outermost_tag().max(b.outermost_tag()) {
                // 8 operations for a dual step: a choice
                Some(tag) if self.count_operations(8) => {
                    let (value, slope) = with_stack(|| dual(a.split_at_tag(tag), b.split_at_tag(tag)));
                    DualNumber::with_outermost(tag, value, slope)
                }
                _ => DualNumber::Plain(f64::NAN),
            },
        }
    }

    /// Returns a + b.
    pub(super) fn add(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        let plain = |x: f64, y: f64| {
            // Knuth's TwoSum: the rounding error is computed exactly
            let sum = x + y;
            let z = sum - x;
            self.round_result(sum, (x - (sum - z)) + (y - z) == 0.0)
        };
        self.apply_binary_dual(a, b, plain, |(a, c), (b, d)| (self.add(&a, &b), self.add(&c, &d)))
    }

    /// Returns -a.
    pub(super) fn negate(&self, a: &DualNumber) -> DualNumber {
        self.multiply(&DualNumber::Plain(-1.0), a)
    }

    /// Returns a - b.
    pub(super) fn subtract(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        self.add(a, &self.negate(b))
    }

    /// Returns a·b.
    pub(super) fn multiply(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        let plain = |x: f64, y: f64| {
            let product = x * y;
            // the rounding error, by a fused multiply-add
            self.round_result(product, x.mul_add(y, -product) == 0.0)
        };
        self.apply_binary_dual(a, b, plain, |(a, c), (b, d)| {
            let slope = match (&c, &d) {
                // a constant factor contributes nothing, not even 0·∞
                (DualNumber::Plain(0.0), d) => self.multiply(&a, d),
                (c, DualNumber::Plain(0.0)) => self.multiply(c, &b),
                (c, d) => self.add(&self.multiply(c, &b), &self.multiply(&a, d)),
            };
            (self.multiply(&a, &b), slope)
        })
    }

    /// Returns a/b.
    pub(super) fn divide(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        let plain = |x: f64, y: f64| {
            let quotient = x / y;
            // exact if the remainder is 0
            self.round_result(quotient, quotient.mul_add(y, -x) == 0.0)
        };
        self.apply_binary_dual(a, b, plain, |(a, c), (b, d)| {
            let quotient = self.divide(&a, &b);
            // (a/b)′ = (a′ - (a/b)·b′)/b, with the quotient computed once
            let rise = match &d {
                DualNumber::Plain(0.0) => c,
                d => self.subtract(&c, &self.multiply(&quotient, d)),
            };
            let slope = self.divide(&rise, &b);
            (quotient, slope)
        })
    }

    /// Returns the first number if `wins` holds for the values, otherwise the second; NaN if a value is NaN.
    fn choose_by_value(&self, a: &DualNumber, b: &DualNumber, wins: impl Fn(f64, f64) -> bool) -> DualNumber {
        self.count_operations(1);
        let (x, y) = (a.plain_value(), b.plain_value());
        if x.is_nan() || y.is_nan() {
            // as a product, so that every coefficient becomes NaN
            return self.multiply(&self.add(a, b), &DualNumber::Plain(f64::NAN));
        }
        if wins(x, y) { a.clone() } else { b.clone() }
    }

    /// Returns max(a, b).
    pub(super) fn max(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        self.choose_by_value(a, b, |x, y| x >= y)
    }

    /// Returns min(a, b).
    pub(super) fn min(&self, a: &DualNumber, b: &DualNumber) -> DualNumber {
        self.choose_by_value(a, b, |x, y| x <= y)
    }

    /// Returns |a|.
    pub(super) fn abs(&self, a: &DualNumber) -> DualNumber {
        if a.plain_value() < 0.0 { self.negate(a) } else { a.clone() }
    }

    /// Returns -1, 0 or 1; NaN for NaN.
    pub(super) fn signum(&self, a: &DualNumber) -> DualNumber {
        let x = a.plain_value();
        DualNumber::Plain(if x > 0.0 {
            1.0
        } else if x < 0.0 {
            -1.0
        } else {
            x * 0.0
        })
    }

    /// Applies a function of one number, given on plain numbers, on dual ones again, and by its derivative.
    fn apply_chain_rule(
        &self,
        a: &DualNumber,
        plain: impl Fn(f64) -> DualNumber,
        again: impl Fn(&DualNumber) -> DualNumber,
        slope: impl Fn(&DualNumber) -> DualNumber,
    ) -> DualNumber {
        match a.outermost_tag() {
            None => {
                self.count_operations(1);
                plain(a.plain_value())
            }
            Some(tag) if self.count_operations(8) => {
                let (value, direction) = a.split_at_tag(tag);
                with_stack(|| DualNumber::with_outermost(tag, again(&value), self.multiply(&slope(&value), &direction)))
            }
            Some(_) => DualNumber::Plain(f64::NAN),
        }
    }

    /// Applies an elementary function.
    pub(super) fn apply_elementary(&self, f: Function, a: &DualNumber) -> DualNumber {
        let plain = |x: f64| self.round_result(eval_nearest(f, x), is_exact(f, x));
        self.apply_chain_rule(
            a,
            plain,
            |v| self.apply_elementary(f, v),
            |v| self.evaluate_formula(&f.slope_formula(), &[v], |float| float.apply_elementary(f, v)),
        )
    }

    /// Applies a function from outside. Its derivatives are those of the program of its slope.
    ///
    /// # Errors
    /// Those of the function and of the program.
    pub(super) fn apply_foreign(self: &Arc<Self>, id: ForeignId, a: &DualNumber) -> Result<DualNumber, ValueError> {
        let meaning = foreign::meaning_of(id)?;
        let function = meaning.as_function();
        let lacks = || foreign::unsupported_foreign(id, Self::NAME);
        let Some(tag) = a.outermost_tag() else {
            self.count_operations(1);
            let value = function.and_then(|function| function.float_at(a.plain_value()));
            let lacks = || Err(ValueError::Unsupported { model: Self::NAME, construct: lacks().construct });
            return Ok(self.round_result(value.unwrap_or_else(lacks)?, false));
        };
        self.charge_step()?;
        let (value, direction) = a.split_at_tag(tag);
        let slope = EvaluatorModel(self.clone()).evaluate_closed(&foreign::slope_of(id)?);
        let slope = slope.map_err(|error| match error {
            SemanticsError::Run(error) => error,
            other => ValueError::of_foreign(Constant::Foreign(id).name(), other.to_string()),
        })?;
        let slope = with_stack(|| slope.as_function()?.apply(&Value::Real(value.clone())))?;
        let lower = with_stack(|| self.apply_foreign(id, &value))?;
        Ok(DualNumber::with_outermost(tag, lower, self.multiply(slope.as_real()?, &direction)))
    }

    /// Applies an elementary function of two numbers. Where it jumps it has the slopes of its formulas.
    pub(super) fn apply_planar(&self, f: Planar, a: &DualNumber, b: &DualNumber) -> DualNumber {
        let plain = |x: f64, y: f64| self.round_result(eval_binary_nearest(f, x, y), false);
        self.apply_binary_dual(a, b, plain, |(a, c), (b, d)| {
            let value = self.apply_planar(f, &a, &b);
            let [first, second] = f.slope_formulas();
            // no 0·∞ from a slope in a direction that does not move
            let along = |slope: &Formula, d: &DualNumber| match d {
                DualNumber::Plain(0.0) => DualNumber::ZERO,
                d => self.multiply(&self.evaluate_formula(slope, &[&a, &b], |_| value.clone()), d),
            };
            let slope = self.add(&along(first, &c), &along(second, &d));
            (value, slope)
        })
    }

    /// Evaluates the formula of a slope at numbers; `y` is the value of the function whose slope it is.
    pub(super) fn evaluate_formula(
        &self,
        formula: &Formula,
        x: &[&DualNumber],
        y: impl Fn(&Self) -> DualNumber,
    ) -> DualNumber {
        let root = |a: &DualNumber| self.apply_elementary(Function::Sqrt, a);
        formula.eval_with(&mut |step| match step {
            FormulaStep::Argument(index) => x[index].clone(),
            FormulaStep::Y => y(self),
            FormulaStep::Number(p, q) => DualNumber::Plain(f64::from(p) / f64::from(q)),
            FormulaStep::Pi => DualNumber::Plain(self.perturb(std::f64::consts::PI)),
            FormulaStep::Negate(a) => self.negate(&a),
            FormulaStep::Add(a, b) => self.add(&a, &b),
            FormulaStep::Subtract(a, b) => self.subtract(&a, &b),
            FormulaStep::Multiply(a, b) => self.multiply(&a, &b),
            FormulaStep::Divide(a, b) => self.divide(&a, &b),
            FormulaStep::Square(a) => self.multiply(&a, &a),
            FormulaStep::Inverse(a) => self.divide(&DualNumber::ONE, &a),
            FormulaStep::InverseRoot(a) => self.divide(&DualNumber::ONE, &root(&a)),
            FormulaStep::Apply(f, a) => self.apply_elementary(f, &a),
        })
    }

    /// Returns exp(y·log x), rounded correctly for x > 0.
    pub(super) fn real_power(&self, x: &DualNumber, y: &DualNumber) -> DualNumber {
        let plain = |x: f64, y: f64| match x > 0.0 {
            // for x ≤ 0 the formula itself gives NaN, 0 or ∞
            true => self.round_result(eval_power_nearest(x, y), y == 1.0),
            false => self.round_result((y * x.ln()).exp(), true),
        };
        self.apply_binary_dual(x, y, plain, |(a, c), (b, d)| {
            // (xʸ)′ = xʸ·(y′·log x + y·x′/x)
            let (value, log) = (self.real_power(&a, &b), self.apply_elementary(Function::Log, &a));
            let base = self.divide(&self.multiply(&b, &c), &a);
            let slope = self.add(&self.multiply(&d, &log), &base);
            (value.clone(), self.multiply(&value, &slope))
        })
    }

    /// Returns x^y for a constant exponent.
    pub(super) fn constant_power(&self, x: &DualNumber, y: &DualNumber) -> DualNumber {
        let exponent = y.plain_value();
        // x⁰ = 1, also for x = 0 and NaN, as in IEEE 754
        if exponent == 0.0 {
            return DualNumber::ONE;
        }
        let plain = |x: f64| self.round_result(rational_power(x, exponent), exponent == 1.0);
        let slope = |v: &DualNumber| {
            let smaller = DualNumber::Plain(exponent - 1.0);
            let slope = if exponent == 1.0 { DualNumber::ONE } else { self.power_less_one(v, exponent, &smaller) };
            self.multiply(y, &slope)
        };
        self.apply_chain_rule(x, plain, |v| self.constant_power(v, y), slope)
    }

    /// Returns x^(y-1). For x < 0 it is computed as x^y / x, since y - 1 may round to a fraction with an even denominator.
    fn power_less_one(&self, x: &DualNumber, exponent: f64, smaller: &DualNumber) -> DualNumber {
        if x.plain_value() < 0.0 && exponent.fract() != 0.0 {
            self.divide(&self.constant_power(x, &DualNumber::Plain(exponent)), x)
        } else {
            self.constant_power(x, smaller)
        }
    }
}

/// Returns `true` if the result of a function needs no rounding.
fn is_exact(f: Function, x: f64) -> bool {
    match f.root_degree() {
        Some(2) => {
            let root = x.sqrt();
            root.mul_add(root, -x) == 0.0
        }
        Some(_) => {
            // the cube root: an integer whose cube is x
            let root = eval_nearest(f, x);
            root.fract() == 0.0 && root * root * root == x
        }
        None => x.is_finite() && f.exact_value(x).is_some(),
    }
}

/// Returns x^y in `f64`. For x < 0 it is defined if y is within one unit in the last place of p/q with an odd q.
fn rational_power(x: f64, y: f64) -> f64 {
    if x >= 0.0 || y.fract() == 0.0 {
        return eval_power_nearest(x, y);
    }
    match nearby_fraction(y) {
        Some((_, q)) if q % 2.0 == 0.0 => f64::NAN,
        Some((p, _)) if p % 2.0 == 0.0 => eval_power_nearest(-x, y),
        Some(_) => -eval_power_nearest(-x, y),
        None => f64::NAN,
    }
}

/// Returns the first convergent p/q of the continued fraction of |y| that is within one unit in the last place of |y|.
///
/// Returns `None` if p or q exceeds [`LARGEST_EXPONENT`].
fn nearby_fraction(y: f64) -> Option<(f64, f64)> {
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
