//! Floating-point semantics: programs as a programmer would run them, with `f64`, closures, and derivatives by dual numbers.
//!
//! Answers are not certain. An answer is the number that an ordinary library would give, for comparison with an enclosure. It
//! comes with an estimate of its rounding error.
//!
//! | construct | here |
//! |---|---|
//! | numbers | `f64`; functions rounded correctly, so the same on every machine; NaN and ∞ are answers; a NaN is on neither side of a comparison, which is undefined |
//! | derivatives | forward mode; each has a tagged ε of its own ([`number`]), also where functions of functions are differentiated |
//! | kinks | one branch is taken, as frameworks do ([`arithmetic`]) |
//! | `integral01` | adaptive Gauss-Kronrod; dual numbers pass through the sum ([`solve`]) |
//! | `cutRoot`, `firstRoot` | bisection; derivatives by the implicit function theorem |
//! | `max01`, `argmax01` | a grid and golden sections; derivatives as those of a root of f′, so the envelope theorem for `max01` |
//!
//! **The rounding error** is estimated by further runs. In a few of them every inexact result is moved up or down by one unit in
//! the last place, by a fixed pseudo-random sequence; one has coarser integrals. The estimate is three times the largest change,
//! and at least one unit in the last place if anything was rounded.

pub mod arithmetic;
mod constants;
pub mod number;
pub mod solve;
mod tangent;
pub mod value;

pub use value::FloatValue;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::answer::{self, ProgramAnswer, Semantics, SemanticsError, ToAnswerNumbers};
use crate::model::universe::{EvaluatorModel, RecursionDepth, ValueSemantics};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::double::Double;
use crate::number::{Accuracy, Rational};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{self as values, TryMapReals, ValueError};
use number::{DualNumber, EpsilonTag};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The most operations that one run may take, on `f64`s and as applications of functions; a choice.
pub const MAX_OPERATIONS: u64 = 30_000_000;
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
        // the shared budget is charged in blocks of 4096, since it is slower than the local counter
        if after > MAX_OPERATIONS || (before >> 12 != after >> 12 && !self.budget.spend(1 << 12)) {
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
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        (): (),
        arguments: &[FloatValue],
    ) -> Result<FloatValue, ValueError> {
        constants::apply_to_values(self, constant, arguments)
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
    ) -> Result<values::Value<f64>, SemanticsError> {
        self.run_with_rounding(term, settings, budget).map(|(value, _)| value)
    }

    /// Like [`FloatSemantics::run_once`], but also returns `true` if some result was rounded.
    fn run_with_rounding(
        &self,
        term: &Term,
        settings: FloatSettings,
        budget: &Arc<Budget>,
    ) -> Result<(values::Value<f64>, bool), SemanticsError> {
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
     Nat comes to an end; if it does, the program is too long: try a shorter list, and mind that each nested derivative \
     doubles the work"
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
