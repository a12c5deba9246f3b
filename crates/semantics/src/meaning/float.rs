//! The meaning of a program as what a programmer would run: `f64`, closures, and derivatives by dual numbers.
//!
//! Nothing is certain about an answer. It is the number that an ordinary library would give, to be laid beside an
//! enclosure, and it comes with an estimate of its rounding error.
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
//! **The rounding error** is estimated by running the program again: a few times with every inexact result moved up or
//! down by one unit in the last place, by a fixed pseudo-random sequence, and once with coarser integrals. The largest
//! change, three times, is the estimate, and at least one unit where anything was rounded.

pub mod arithmetic;
mod constants;
pub mod number;
pub mod solve;
mod tangent;
pub mod value;

pub use value::Value;

use crate::failure::{ErrorKind, Failure};
use crate::model::answer::{self, Answer, Meaning, MeaningError, Told};
use crate::model::universe::{Depth, Evaluator, Universe};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::double::Double;
use crate::number::{Accuracy, Rational};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{self as values, Change, ValueError};
use number::{Number, Tag};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The most operations that one run may take: on `f64`s, and applications of functions.
pub const MOST_OPERATIONS: u64 = 30_000_000;
/// How often a program is run with moved results.
const RUNS: u64 = 3;

/// How one run of a program computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Move every inexact result by a unit in the last place, up or down by the sequence of this seed.
    pub nudged: Option<u64>,
    /// The relative tolerance of integrals.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { nudged: None, tolerance: 1e-13 }
    }
}

/// The universe of floating-point values, with a budget.
#[derive(Debug)]
pub struct Float {
    settings: Settings,
    budget: Arc<Budget>,
    operations: AtomicU64,
    tags: AtomicU64,
    depth: Depth,
    exhausted: AtomicBool,
    /// Whether some result was rounded.
    inexact: AtomicBool,
}

impl Float {
    /// The universe under a budget, with the ordinary settings.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self::with(Settings::default(), budget)
    }

    /// The universe under a budget.
    #[must_use]
    pub fn with(settings: Settings, budget: Arc<Budget>) -> Self {
        let [operations, tags] = [const { AtomicU64::new(0) }; 2];
        let [exhausted, inexact] = [const { AtomicBool::new(false) }; 2];
        Self { settings, budget, operations, tags, depth: Depth::default(), exhausted, inexact }
    }

    /// A tag that no number has.
    fn fresh(&self) -> Tag {
        Tag(self.tags.fetch_add(1, Ordering::Relaxed))
    }

    /// Counts operations; false when there were too many.
    fn work(&self, operations: u64) -> bool {
        let before = self.operations.fetch_add(operations, Ordering::Relaxed);
        let after = before + operations;
        if after > MOST_OPERATIONS || (before >> 12 != after >> 12 && !self.budget.spend(1 << 12)) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        !self.exhausted.load(Ordering::Relaxed)
    }

    /// An error once there were too many operations.
    ///
    /// # Errors
    /// [`ValueError::Exhausted`]
    fn check(&self) -> Result<(), ValueError> {
        if self.exhausted.load(Ordering::Relaxed) {
            return Err(ValueError::Exhausted { steps: self.operations.load(Ordering::Relaxed) });
        }
        Ok(())
    }

    /// A number next to this one, above or below.
    fn nudged(&self, x: f64) -> f64 {
        self.inexact.store(true, Ordering::Relaxed);
        let Some(seed) = self.settings.nudged else { return x };
        let mut z = (seed << 40 ^ self.operations.load(Ordering::Relaxed)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        if z >> 40 & 1 == 0 { x.next_up() } else { x.next_down() }
    }
}

/// The `f64` nearest to a rational number.
#[must_use]
pub fn nearest(q: &Rational) -> f64 {
    let around = Double.to_enclosure(&Double.rational(q));
    let (lo, hi) = (around.lo().to_f64(), around.hi().to_f64());
    let distance = |x: f64| Rational::from_f64(x).map(|x| Rational::from(&x - q).abs());
    match (distance(lo), distance(hi)) {
        (Some(below), Some(above)) if above < below => hi,
        (Some(_), _) => lo,
        (None, _) => hi,
    }
}

impl Universe for Float {
    type Mark = ();
    const NAME: &'static str = "float";

    fn step(&self) -> Result<(), ValueError> {
        self.work(1);
        self.check()
    }
    fn depth(&self) -> Option<&Depth> {
        Some(&self.depth)
    }
    fn operation(self: &Arc<Self>, constant: Constant, (): (), arguments: &[Value]) -> Result<Value, ValueError> {
        constants::apply(self, constant, arguments)
    }
}

/// What is told of a value: numbers without any ε. There may be much to tell, so it is counted.
struct Plain<'a>(&'a Float);

impl Change<Number, f64> for Plain<'_> {
    type Error = ValueError;
    fn real(&mut self, x: &Number) -> Result<f64, ValueError> {
        self.0.step()?;
        Ok(x.value())
    }
    fn truth(&mut self, b: &bool) -> Result<bool, ValueError> {
        Ok(*b)
    }
}

/// Floating-point evaluation.
#[derive(Clone, Copy, Debug)]
pub struct FloatingPoint;

impl FloatingPoint {
    /// The value of a closed program in one run.
    ///
    /// # Errors
    /// [`MeaningError`]
    pub fn run(
        &self,
        term: &Term,
        settings: Settings,
        budget: &Arc<Budget>,
    ) -> Result<values::Value<f64>, MeaningError> {
        self.rounded_run(term, settings, budget).map(|(value, _)| value)
    }

    /// The same, and whether some result was rounded.
    fn rounded_run(
        &self,
        term: &Term,
        settings: Settings,
        budget: &Arc<Budget>,
    ) -> Result<(values::Value<f64>, bool), MeaningError> {
        let model = Evaluator::new(Float::with(settings, budget.clone()));
        let value = model.value(term);
        let told = |value: Value| {
            value.measure()?;
            Ok(value.told(&mut Plain(&model.0))?)
        };
        match model.0.check().map_err(MeaningError::Run).and(value).and_then(told) {
            Err(MeaningError::Run(ValueError::Exhausted { steps })) => {
                Err(MeaningError::own(TooLong { operations: steps }))
            }
            value => value.map(|value| (value, model.0.inexact.load(Ordering::Relaxed))),
        }
    }
}

/// It takes too many operations, or its time was up.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "the program did not end within {operations} floating-point operations, or its time was up; check that every recursion on \
     Nat comes to an end; if it does, the program is too long: try a shorter list, and mind that each nested derivative \
     doubles the work"
)]
pub struct TooLong {
    /// The number of operations taken.
    pub operations: u64,
}

impl Failure for TooLong {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Limit
    }
}

impl Meaning for FloatingPoint {
    fn name(&self) -> &'static str {
        Float::NAME
    }
    fn about(&self) -> &'static str {
        "floating-point numbers, as an ordinary program would compute: no certainty, an estimate of the rounding error"
    }
    fn encloses(&self) -> bool {
        false
    }
    fn answer_to(&self, term: &Term, _: &Ty, _: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        let usual = Settings::default();
        let (value, is_rounded) = self.rounded_run(term, usual, budget)?;
        let mut numbers = Vec::new();
        let mut errors: Vec<f64> = Vec::new();
        value.map(&mut |x| {
            numbers.push(*x);
            *x
        });
        // runs may agree by chance: one unit is never excluded
        let unit = |x: &f64| if is_rounded && *x != 0.0 { x.abs().next_up() - x.abs() } else { 0.0 };
        errors.extend(numbers.iter().map(unit));
        let others = (1..=RUNS).map(|seed| Settings { nudged: Some(seed), ..usual });
        for settings in others.chain([Settings { tolerance: usual.tolerance * 1e3, ..usual }]) {
            let again = match self.run(term, settings, budget) {
                Ok(again) => again,
                // no time for an estimate
                Err(error) if error.kind() == ErrorKind::Limit => {
                    errors.fill(f64::INFINITY);
                    break;
                }
                Err(other) => return Err(other),
            };
            let mut index = 0;
            again.map(&mut |x| {
                if let (Some(error), Some(first)) = (errors.get_mut(index), numbers.get(index)) {
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
        let told = value.told(&mut Told(|value: &f64| {
            let error = errors.get(index).copied().unwrap_or(f64::INFINITY);
            index += 1;
            answer::Number::Float { value: *value, error: if error.is_nan() { f64::INFINITY } else { error } }
        }));
        match told {
            Ok(value) => Ok(Answer::of(value)),
            Err(never) => match never {},
        }
    }
}
