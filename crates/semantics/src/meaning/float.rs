//! Floating-point semantics: programs as a programmer would run them, with `f64`, closures, and derivatives by dual numbers.
//!
//! Answers are not certain. An answer is the number that an ordinary library would give, for comparison with an enclosure. It
//! comes with an estimate of its rounding error.
//!
//! | construct | here |
//! |---|---|
//! | numbers | `f64`; functions rounded correctly, so the same on every machine; NaN and ∞ are answers; a NaN is on neither side of a comparison, which is undefined |
//! | derivatives | forward mode; each has a tagged ε of its own ([`number`]), also where functions of functions are differentiated |
//! | kinks | one branch is taken, as frameworks do ([`number`]) |
//! | `integral01` | adaptive Gauss-Kronrod; dual numbers pass through the sum (this module) |
//! | `cutRoot`, `firstRoot` | bisection; derivatives by the implicit function theorem |
//! | `max01`, `argmax01` | a grid and golden sections; derivatives as those of a root of f′, so the envelope theorem for `max01` |
//!
//! **The rounding error** is estimated by further runs. In a few of them every inexact result is moved up or down by one unit in
//! the last place, by a fixed pseudo-random sequence; one has coarser integrals. The estimate is three times the largest change,
//! and at least one unit in the last place if anything was rounded.
//!
//! # The constants of the language in floating-point arithmetic
//!
//! # Values of floating-point programs
//!
//! # Tangents of floating-point values
//!
//! Tangents of floating-point values (S §5.3, with an ε for the direction).
//!
//! As in [`presheaf::push_tangent`](crate::presheaf::coend::tangent_map), a tangent gets a fresh ε whenever its value is used as a value over
//! that ε. The same tangent may be used inside a use of itself. Without the renaming, the perturbations of a function of
//! functions would be confused (Manzyuk et al. 2019).
//!
//! # Integrals
//!
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

pub mod number;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::function::Functional;
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError, ToAnswerNumbers};
use crate::model::universe::{EvaluatorModel, RealArithmetic, RecursionDepth, ValueSemantics};
use crate::model::{Unsupported, answer};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::double::Double;
use crate::number::{Accuracy, Rational};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value;
use crate::value::{Carrier, SharedBox, TryMapReals, UndefinedCause, UndefinedValue, ValueError};
use number::{DualNumber, EpsilonTag};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The most operations that one run may take, on `f64`s and as applications of functions; a choice.
pub const MAX_OPERATIONS: u64 = 30_000_000;

/// The number of operations for which the shared budget is charged at once; a choice.
const OPERATIONS_PER_BLOCK: u64 = 1 << 12;
/// The number of additional runs with perturbed results; a choice.
const PERTURBED_RUNS: u64 = 3;

/// The parameters of one run of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatSettings {
    /// The seed of a sequence that moves every inexact result up or down by a unit in the last place; `None` leaves results as
    /// they are.
    pub perturbation_seed: Option<u64>,
    /// The relative tolerance of integrals.
    pub integral_tolerance: f64,
}

impl Default for FloatSettings {
    fn default() -> Self {
        Self { perturbation_seed: None, integral_tolerance: 1e-13 }
    }
}

/// The universe of floating-point values, with a budget.
#[derive(Debug)]
pub struct Float {
    settings: FloatSettings,
    budget: Arc<Budget>,
    operations: AtomicU64,
    /// The next unused tag of an ε.
    tags: AtomicU64,
    depth: RecursionDepth,
    /// `true` once the run took too many operations.
    exhausted: AtomicBool,
    /// `true` if some result was rounded.
    inexact: AtomicBool,
}

impl Float {
    /// Builds the universe under a budget, with the default settings.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self::with_settings(FloatSettings::default(), budget)
    }

    /// Builds the universe with given settings under a budget.
    #[must_use]
    pub fn with_settings(settings: FloatSettings, budget: Arc<Budget>) -> Self {
        let [operations, tags] = [const { AtomicU64::new(0) }; 2];
        let [exhausted, inexact] = [const { AtomicBool::new(false) }; 2];
        Self { settings, budget, operations, tags, depth: RecursionDepth::default(), exhausted, inexact }
    }

    /// Returns a tag that no number has.
    fn fresh_tag(&self) -> EpsilonTag {
        EpsilonTag(self.tags.fetch_add(1, Ordering::Relaxed))
    }

    /// Counts operations. Returns `false` once there are too many.
    fn count_operations(&self, operations: u64) -> bool {
        let before = self.operations.fetch_add(operations, Ordering::Relaxed);
        let after = before + operations;
        // the shared budget is charged in blocks, since it is slower than the local counter
        let blocks = after / OPERATIONS_PER_BLOCK - before / OPERATIONS_PER_BLOCK;
        if after > MAX_OPERATIONS || (blocks > 0 && !self.budget.spend(blocks * OPERATIONS_PER_BLOCK)) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        !self.exhausted.load(Ordering::Relaxed)
    }

    /// Fails once there are too many operations.
    ///
    /// # Errors
    /// [`ValueError::Exhausted`]
    fn check_operations(&self) -> Result<(), ValueError> {
        if self.exhausted.load(Ordering::Relaxed) {
            return Err(ValueError::Exhausted { steps: self.operations.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    /// Marks the run as inexact. Returns `x`, or a neighbour of it if the settings say so.
    fn perturb(&self, x: f64) -> f64 {
        self.inexact.store(true, Ordering::Relaxed);
        let Some(seed) = self.settings.perturbation_seed else { return x };
        // A hash of seed and operation count (constants of SplitMix64): the same program moves the same way on every machine.
        let mut z = (seed << 40 ^ self.operations.load(Ordering::Relaxed)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        if z >> 40 & 1 == 0 { x.next_up() } else { x.next_down() }
    }
}

/// Returns an `f64` nearest to a rational number.
#[must_use]
pub fn nearest_double(q: &Rational) -> f64 {
    // the ends of a double enclosure; the nearer one is the result
    let around = Double.to_enclosure(&Double.enclose_rational(q));
    let (lo, hi) = (around.lo().to_f64(), around.hi().to_f64());
    let distance = |x: f64| Rational::from_f64(x).map(|x| Rational::from(&x - q).abs());
    match (distance(lo), distance(hi)) {
        (Some(below), Some(above)) if above < below => hi,
        (Some(_), _) => lo,
        (None, _) => hi,
    }
}

impl ValueSemantics for Float {
    type Mark = ();
    const NAME: &'static str = "float";

    fn charge_step(&self) -> Result<(), ValueError> {
        self.count_operations(1);
        self.check_operations()
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        Some(&self.depth)
    }
    fn has_operation(&self, constant: Constant) -> bool {
        constant.as_foreign().is_none_or(|id| super::foreign::missing_part(id, Self::NAME).is_none())
    }
    fn missing_operation(&self, constant: Constant) -> Unsupported {
        match constant.as_foreign() {
            Some(id) => super::foreign::unsupported_foreign(id, Self::NAME),
            None => Unsupported { model: Self::NAME, construct: constant.describe_missing() },
        }
    }
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        (): (),
        arguments: &[FloatValue],
    ) -> Result<FloatValue, ValueError> {
        apply_to_values(self, constant, arguments)
    }
}

/// A [`TryMapReals`] that drops every ε from the numbers of a value. It counts a step for each number, since a value may share many.
struct DropDerivatives<'a>(&'a Float);

impl TryMapReals<DualNumber, f64> for DropDerivatives<'_> {
    type Error = ValueError;
    fn map_real(&mut self, x: &DualNumber) -> Result<f64, ValueError> {
        self.0.charge_step()?;
        Ok(x.plain_value())
    }
    fn map_truth(&mut self, b: &bool) -> Result<bool, ValueError> {
        Ok(*b)
    }
}

/// The semantics of floating-point evaluation.
#[derive(Clone, Copy, Debug)]
pub struct FloatSemantics;

impl FloatSemantics {
    /// Evaluates a closed program in one run.
    ///
    /// # Errors
    /// [`SemanticsError`]
    pub fn run_once(
        &self,
        term: &Term,
        settings: FloatSettings,
        budget: &Arc<Budget>,
    ) -> Result<value::Value<f64>, SemanticsError> {
        self.run_with_rounding(term, settings, budget).map(|(value, _)| value)
    }

    /// Like [`FloatSemantics::run_once`], but also returns `true` if some result was rounded.
    fn run_with_rounding(
        &self,
        term: &Term,
        settings: FloatSettings,
        budget: &Arc<Budget>,
    ) -> Result<(value::Value<f64>, bool), SemanticsError> {
        let model = EvaluatorModel::new(Float::with_settings(settings, budget.clone()));
        let value = model.evaluate_closed(term);
        let told = |value: FloatValue| {
            // an answer may be much larger than the value, which shares its parts
            value.check_size()?;
            Ok(value.try_map_reals(&mut DropDerivatives(&model.0))?)
        };
        // arithmetic returns NaN instead of an error once operations are exhausted, so the check comes before the value
        match model.0.check_operations().map_err(SemanticsError::Run).and(value).and_then(told) {
            Err(SemanticsError::Run(ValueError::Exhausted { steps })) => {
                Err(SemanticsError::from_failure(FloatRunTooLong { operations: steps }))
            }
            value => value.map(|value| (value, model.0.inexact.load(Ordering::Relaxed))),
        }
    }
}

/// The error of a run with too many operations, or out of time.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "the program did not end within {operations} floating-point operations, or its time was up; check that every recursion on \
     Nat comes to an end. If it does, the program is too long: try a shorter list. Each nested derivative doubles the \
     work"
)]
pub struct FloatRunTooLong {
    /// The number of operations taken.
    pub operations: u64,
}

impl ErrorWithKind for FloatRunTooLong {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Limit
    }
}

impl Semantics for FloatSemantics {
    fn name(&self) -> &'static str {
        Float::NAME
    }
    fn summary(&self) -> &'static str {
        "floating-point numbers, as an ordinary program would compute: no certainty, an estimate of the rounding error"
    }
    fn is_certified(&self) -> bool {
        false
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        _: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let usual = FloatSettings::default();
        let (value, is_rounded) = self.run_with_rounding(term, usual, budget)?;
        let mut numbers = Vec::new();
        let mut errors: Vec<f64> = Vec::new();
        value.map_reals(&mut |x| {
            numbers.push(*x);
            *x
        });
        // perturbed runs may agree by chance: one unit in the last place is never excluded
        let unit = |x: &f64| if is_rounded && *x != 0.0 { x.abs().next_up() - x.abs() } else { 0.0 };
        errors.extend(numbers.iter().map(unit));
        let others = (1..=PERTURBED_RUNS).map(|seed| FloatSettings { perturbation_seed: Some(seed), ..usual });
        for settings in others.chain([FloatSettings { integral_tolerance: usual.integral_tolerance * 1e3, ..usual }]) {
            let again = match self.run_once(term, settings, budget) {
                Ok(again) => again,
                // without time for further runs there is no estimate
                Err(error) if error.kind() == ErrorKind::Limit => {
                    errors.fill(f64::INFINITY);
                    break;
                }
                Err(other) => return Err(other),
            };
            let mut index = 0;
            again.map_reals(&mut |x| {
                if let (Some(error), Some(first)) = (errors.get_mut(index), numbers.get(index)) {
                    // three times the largest change of four runs: a choice, on the safe side
                    let change = 3.0 * (x - first).abs();
                    let same = x == first || (x.is_nan() && first.is_nan());
                    if !same && (change > *error || change.is_nan()) {
                        *error = change;
                    }
                }
                index += 1;
                *x
            });
        }
        let mut index = 0;
        let told = value.try_map_reals(&mut ToAnswerNumbers(|value: &f64| {
            let error = errors.get(index).copied().unwrap_or(f64::INFINITY);
            index += 1;
            answer::AnswerNumber::Float { value: *value, error: if error.is_nan() { f64::INFINITY } else { error } }
        }));
        match told {
            Ok(value) => Ok(ProgramAnswer::from_value(value)),
            Err(never) => match never {},
        }
    }
}

type Result<T, E = ValueError> = std::result::Result<T, E>;

impl RealArithmetic for Float {
    type Real = DualNumber;

    fn rational_constant(&self, value: &Rational) -> DualNumber {
        let x = nearest_double(value);
        let exact = Rational::from_f64(x).is_some_and(|x| x == *value);
        // a literal that is no double counts as a rounded result
        DualNumber::Plain(if exact || !x.is_finite() { x } else { self.perturb(x) })
    }
    fn compare_reals(&self, constant: Constant, x: &DualNumber, y: &DualNumber) -> Result<bool> {
        let (x, y) = (x.plain_value(), y.plain_value());
        if x.is_nan() || y.is_nan() {
            // a NaN satisfies neither a comparison nor its negation
            let sign = constant.operator_sign().unwrap_or(constant.name());
            return Err(ValueError::from_undefined(UndefinedValue {
                certain: false,
                ..UndefinedValue::of_operation(UndefinedCause::Domain, sign)
            }));
        }
        Ok(match constant {
            Constant::RealLess => x < y,
            Constant::RealLessEqual => x <= y,
            Constant::RealGreater => x > y,
            Constant::RealGreaterEqual => x >= y,
            Constant::RealEqual => x == y,
            Constant::RealNotEqual => x != y,
            _ => return self.missing_rule(constant),
        })
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&DualNumber]) -> Result<DualNumber> {
        let rounded = |x: f64| DualNumber::Plain(self.perturb(x));
        Ok(match (constant, arguments) {
            (Constant::Pi, []) => rounded(std::f64::consts::PI),
            (Constant::E, []) => rounded(std::f64::consts::E),
            (Constant::Negate, [x]) => self.negate(x),
            (Constant::Abs, [x]) => self.abs(x),
            (Constant::Signum, [x]) => self.signum(x),
            (Constant::Add, [x, y]) => self.add(x, y),
            (Constant::Subtract, [x, y]) => self.subtract(x, y),
            (Constant::Multiply, [x, y]) => self.multiply(x, y),
            (Constant::Divide, [x, y]) => self.divide(x, y),
            (Constant::Max, [x, y]) => self.max(x, y),
            (Constant::Min, [x, y]) => self.min(x, y),
            (Constant::Power, [x, y]) => self.constant_power(x, y),
            (Constant::RealPower, [x, y]) => self.real_power(x, y),
            (Constant::Planar(f), [x, y]) => self.apply_planar(f, x, y),
            (_, [x]) => match constant.as_elementary() {
                Some(f) => self.apply_elementary(f, x),
                None => return self.missing_rule(constant),
            },
            _ => return self.missing_rule(constant),
        })
    }
}

/// Applies a constant to all its arguments.
fn apply_to_values(float: &Arc<Float>, constant: Constant, arguments: &[FloatValue]) -> Result<FloatValue> {
    if let (Constant::Foreign(id), [x]) = (constant, arguments) {
        return float.apply_foreign(id, x.as_real()?).map(FloatValue::Real);
    }
    // first-order constants are common to all arithmetics; what is left takes functions or tangents
    float.apply_first_order(constant, arguments).unwrap_or_else(|| match arguments {
        [] => tangent_isomorphism(float, constant),
        [x] if constant == Constant::TangentValue => Ok(tangent_value(float, x.as_tangent()?)),
        [f] => match constant.as_functional() {
            Some(functional) => float.apply_functional(functional, f.as_function()?).map(FloatValue::Real),
            None => float.missing_rule(constant),
        },
        [f, x] if constant == Constant::Deriv => {
            derivative_at(float, f.as_function()?, x.as_real()?).map(FloatValue::Real)
        }
        [f, x, v] if constant == Constant::Jvp => derivative_along(float, f.as_function()?, x, v),
        [f, x, w] if constant == Constant::Rd => transposed_derivative(float, f.as_function()?, x, w),
        [f, v] => push_tangent(float, f.as_function()?, &**v.as_tangent()?),
        _ => float.missing_rule(constant),
    })
}

fn tangent_isomorphism(float: &Arc<Float>, constant: Constant) -> Result<FloatValue> {
    let (there, back) = (float.clone(), float.clone());
    Ok(match constant {
        Constant::TangentR => FloatValue::iso_from_closures(
            |v| real_to(v.as_tangent()?),
            move |p| {
                let (x, dx) = p.as_pair()?;
                Ok(real_from(&back, x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => {
            FloatValue::iso_from_closures(|v| product_to(v.as_tangent()?), move |p| product_from(&back, p.as_tuple()?))
        }
        Constant::TangentToR => FloatValue::iso_from_closures(
            move |v| function_to(&there, v.as_tangent()?),
            move |p| {
                let (f, df) = p.as_pair()?;
                Ok(function_from(&back, f.as_function()?, df.as_function()?))
            },
        ),
        _ => return float.missing_rule(constant),
    })
}

/// A dual number represents a real number. A comparison gives a `bool`, or fails at NaN.
impl Carrier for DualNumber {
    type Truth = bool;
    type Tangent = FloatTangent;
}

/// A floating-point value.
pub type FloatValue = value::Value<DualNumber>;

/// A floating-point function.
pub type FloatFunction = value::ValueFunction<DualNumber>;

/// A tangent: a value in which an ε stands for the direction. In presheaves it is an element of a
/// [coend](crate::presheaf::dynamic::TangentElement).
#[derive(Clone, Debug)]
pub struct FloatTangent {
    /// The ε, which is bound in `value`.
    pub tag: EpsilonTag,
    /// The value.
    pub value: FloatValue,
}

/// Renaming and removal of an ε in a value.
trait ReplaceEpsilon {
    /// Replaces an ε by another one, or removes it if `by` is `None`.
    ///
    /// A function becomes one whose results are replaced. An ε of the same tag in its argument belongs to the argument. It is
    /// renamed to a fresh tag for the call.
    fn replace_epsilon(&self, float: &Arc<Float>, tag: EpsilonTag, by: Option<EpsilonTag>) -> FloatValue {
        self.replace_epsilon_in(float, tag, by, &mut FxHashMap::default())
    }

    /// Like `replace_epsilon`, with a table of the constructor arguments replaced so far, which a value may share.
    fn replace_epsilon_in(
        &self,
        float: &Arc<Float>,
        tag: EpsilonTag,
        by: Option<EpsilonTag>,
        done: &mut FxHashMap<usize, SharedBox<FloatValue>>,
    ) -> FloatValue;
}

impl ReplaceEpsilon for FloatValue {
    fn replace_epsilon_in(
        &self,
        float: &Arc<Float>,
        tag: EpsilonTag,
        by: Option<EpsilonTag>,
        done: &mut FxHashMap<usize, SharedBox<FloatValue>>,
    ) -> FloatValue {
        match self {
            FloatValue::Real(number) => {
                // about as many operations as the number has coefficients; 20 keeps the shift in range
                float.count_operations(1 << number.value_levels().min(20));
                FloatValue::Real(number.replace_epsilon(tag, by))
            }
            FloatValue::Natural(_) | FloatValue::Boolean(_) | FloatValue::Unit | FloatValue::Isomorphism(..) => {
                self.clone()
            }
            FloatValue::Tuple(parts) => {
                FloatValue::Tuple(parts.iter().map(|part| part.replace_epsilon_in(float, tag, by, done)).collect())
            }
            FloatValue::Variant(index, argument) => {
                if let Some(done) = done.get(&argument.storage_address()) {
                    return FloatValue::Variant(*index, done.clone());
                }
                let replaced = SharedBox::new(with_stack(|| argument.replace_epsilon_in(float, tag, by, done)));
                done.insert(argument.storage_address(), replaced.clone());
                FloatValue::Variant(*index, replaced)
            }
            FloatValue::List(list) => {
                FloatValue::List(list.iter().map(|part| part.replace_epsilon_in(float, tag, by, done)).collect())
            }
            FloatValue::Function(f) => {
                let (f, float) = (f.clone(), float.clone());
                FloatValue::from_closure(move |argument| {
                    let aside = float.fresh_tag();
                    let result = f.apply(&argument.replace_epsilon(&float, tag, Some(aside)))?;
                    Ok(result.replace_epsilon(&float, tag, by).replace_epsilon(&float, aside, Some(tag)))
                })
            }
            // the tag is bound here: occurrences inside are another ε
            FloatValue::Tangent(tangent) if tangent.tag == tag => self.clone(),
            FloatValue::Tangent(tangent) => {
                // avoid capture: if the new tag is the one bound here, rename the bound one first
                let tangent = if by == Some(tangent.tag) {
                    tangent.with_fresh_epsilon(float)
                } else {
                    FloatTangent::clone(tangent)
                };
                let value = tangent.value.replace_epsilon(float, tag, by);
                FloatValue::Tangent(Arc::new(FloatTangent { tag: tangent.tag, value }))
            }
        }
    }
}

impl FloatTangent {
    /// Returns the tangent with a fresh ε.
    fn with_fresh_epsilon(&self, float: &Arc<Float>) -> Self {
        let tag = float.fresh_tag();
        Self { tag, value: self.value.replace_epsilon(float, self.tag, Some(tag)) }
    }

    fn with_value(&self, value: FloatValue) -> FloatValue {
        FloatValue::Tangent(Arc::new(FloatTangent { tag: self.tag, value }))
    }
}

/// Evaluates `deriv f x`.
fn derivative_at(float: &Arc<Float>, f: &FloatFunction, x: &DualNumber) -> Result<DualNumber> {
    let tag = float.fresh_tag();
    let y = f.apply(&FloatValue::Real(DualNumber::attach_epsilon(tag, x, &DualNumber::ONE)))?;
    Ok(y.as_real()?.slope_along(tag))
}

/// Evaluates `jvp f x v`.
fn derivative_along(float: &Arc<Float>, f: &FloatFunction, x: &FloatValue, v: &FloatValue) -> Result<FloatValue> {
    let tag = float.fresh_tag();
    let (at, along) = (x.coordinates()?, v.coordinates()?);
    let moved: Vec<_> = at.into_iter().zip(along).map(|(x, v)| DualNumber::attach_epsilon(tag, x, v)).collect();
    let y = f.apply(&x.with_coordinates(&mut moved.into_iter()))?;
    let slopes: Vec<_> = y.coordinates()?.into_iter().map(|y| y.slope_along(tag)).collect();
    Ok(y.with_coordinates(&mut slopes.into_iter()))
}

/// Evaluates `rd f x w` by the definition of the transpose: one run for each coordinate of x, along it.
fn transposed_derivative(float: &Arc<Float>, f: &FloatFunction, x: &FloatValue, w: &FloatValue) -> Result<FloatValue> {
    let (at, weights) = (x.coordinates()?, w.coordinates()?);
    let mut columns = Vec::with_capacity(at.len());
    for place in 0..at.len() {
        let unit = |i| if i == place { DualNumber::ONE } else { DualNumber::ZERO };
        let slopes = derivative_along(float, f, x, &x.with_coordinates(&mut (0..at.len()).map(unit)))?;
        let slopes = slopes.coordinates()?;
        if slopes.len() != weights.len() {
            return Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function"));
        }
        let products = weights.iter().zip(slopes).map(|(w, slope)| float.multiply(w, slope));
        columns.push(products.reduce(|sum, product| float.add(&sum, &product)).unwrap_or(DualNumber::ZERO));
    }
    Ok(x.with_coordinates(&mut columns.into_iter()))
}

/// Evaluates `tangent f v`.
fn push_tangent(float: &Arc<Float>, f: &FloatFunction, v: &FloatTangent) -> Result<FloatValue> {
    // f may use v itself, so its ε is renamed before f sees it
    let v = v.with_fresh_epsilon(float);
    Ok(v.with_value(f.apply(&v.value)?))
}

/// Evaluates `tangentValue v`.
fn tangent_value(float: &Arc<Float>, v: &FloatTangent) -> FloatValue {
    v.value.replace_epsilon(float, v.tag, None)
}

/// Evaluates `tangent_R.to v`.
fn real_to(v: &FloatTangent) -> Result<FloatValue> {
    let x = v.value.as_real()?;
    Ok(FloatValue::Tuple(
        [FloatValue::Real(x.replace_epsilon(v.tag, None)), FloatValue::Real(x.slope_along(v.tag))].into(),
    ))
}

/// Evaluates `tangent_R.from (x, dx)`.
fn real_from(float: &Arc<Float>, x: &DualNumber, dx: &DualNumber) -> FloatValue {
    let tag = float.fresh_tag();
    FloatValue::Tangent(Arc::new(FloatTangent { tag, value: FloatValue::Real(DualNumber::attach_epsilon(tag, x, dx)) }))
}

/// Evaluates `tangentProd.to v`.
fn product_to(v: &FloatTangent) -> Result<FloatValue> {
    Ok(FloatValue::Tuple(v.value.as_tuple()?.iter().map(|part| v.with_value(part.clone())).collect()))
}

/// Evaluates `tangentProd.from (v₁, …, vₙ)`.
fn product_from(float: &Arc<Float>, parts: &[FloatValue]) -> Result<FloatValue> {
    let tag = float.fresh_tag();
    let parts: Result<Arc<[FloatValue]>> = parts
        .iter()
        .map(|part| {
            let part = part.as_tangent()?;
            // the parts move along one common ε
            Ok(part.value.replace_epsilon(float, part.tag, Some(tag)))
        })
        .collect();
    Ok(FloatValue::Tangent(Arc::new(FloatTangent { tag, value: FloatValue::Tuple(parts?) })))
}

/// Evaluates `tangentTo_R.to v`.
fn function_to(float: &Arc<Float>, v: &Arc<FloatTangent>) -> Result<FloatValue> {
    v.value.as_function()?;
    let at = |part: fn(&DualNumber, &FloatTangent) -> DualNumber| {
        let (float, v) = (float.clone(), v.clone());
        FloatValue::from_closure(move |a| {
            // at each call, since the argument may contain v
            let v = v.with_fresh_epsilon(&float);
            let y = v.value.as_function()?.apply(a)?;
            Ok(FloatValue::Real(part(y.as_real()?, &v)))
        })
    };
    let parts = [at(|y, v| y.replace_epsilon(v.tag, None)), at(|y, v| y.slope_along(v.tag))];
    Ok(FloatValue::Tuple(parts.into()))
}

/// Evaluates `tangentTo_R.from (f, df)`.
fn function_from(float: &Arc<Float>, f: &FloatFunction, df: &FloatFunction) -> FloatValue {
    let tag = float.fresh_tag();
    let (f, df) = (f.clone(), df.clone());
    let value = FloatValue::from_closure(move |a| {
        let (y, dy) = (f.apply(a)?, df.apply(a)?);
        Ok(FloatValue::Real(DualNumber::attach_epsilon(tag, y.as_real()?, dy.as_real()?)))
    });
    FloatValue::Tangent(Arc::new(FloatTangent { tag, value }))
}

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
    fn apply_functional(self: &Arc<Self>, functional: Functional, f: &FloatFunction) -> Result<DualNumber> {
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
