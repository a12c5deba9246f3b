//! Questions about traces: from a function and a point to a trace, its value, and a box of inputs on which it is valid.
//!
//! A guard that is not decided at one precision is tried again at a higher one. If no precision decides it, the program
//! is run on rational numbers, which decide equality. If these do not decide either, the guard is undecided, and the
//! error says how closely both sides agree.
//!
//! # Questions for values and derivatives by the strategy `tape`
//!
//! Questions for values and derivatives by the strategy `tape`, which writes no trace.
//!
//! # Boxes of inputs on which a trace is valid
//!
//! Boxes of inputs on which a trace is valid (A Thm 6.2 (2)).
//!
//! A box grows around a point until a guard is not decided any more: on all sides alike at first, and then on each side
//! by itself. The point lies in the interior of the box, also as the box is [printed](ValidityInterval::to_decimals).
//!
//! Guards are decided by [enclosures](super::number::CentredForms), for the whole box at once. So a box that is found is
//! certain, but a larger one may be valid as well.
//!
//! A strip beside the box is tried, not the larger box. If the same branches are taken on two boxes that meet,
//! they are taken on both together.
//!
//! Numbers on a box carry their slopes, since ranges forget that both sides of a guard move together. By the mean
//! value theorem the interval of a Newton iteration is found to all printed digits; ranges gave 10⁻⁶ of it.

use super::embed::CoreProgram;
use super::evaluation::{DecidedComparison, EvaluationObserver, Strategy, TraceError, TraceEvaluator, UndefinedValue};
use super::number::{BoundedDouble, BoundedDoubles, CentredForms, CertifiedReals, NumberSystem, Rationals};
use super::steps::DerivationRecord;
use super::term::{CoreTerm, CoreTy, CoreValue};
use super::typing::{CoreEnvironment, FunctionEnvironment};
use crate::meaning::partial::MAX_COMPARISON_BITS;
use crate::model::answer::UndefinedCause;
use crate::number::budget::Budget;
use crate::number::{Context, Double, Enclosure, Mpfr, Rational};
use crate::trace::compiled::CompiledProgram;

/// A question about a trace. The kind of numbers is not part of it.
#[derive(Clone, Copy, Debug)]
pub struct TraceQuestion<'q> {
    /// The function, or a closed program.
    pub program: &'q CoreProgram,
    /// The point at which the function is traced: a closed program of the type of its parameter.
    pub point: Option<&'q CoreProgram>,
    /// The strategy for derivatives within the program.
    pub strategy: Strategy,
    /// The record that keeps the steps, if they are wanted.
    pub record: Option<&'q DerivationRecord>,
    /// The limits on time and memory.
    pub budget: &'q Budget,
}

/// A trace, with its value and its guards.
#[derive(Clone, Debug)]
pub struct TraceAnswer {
    /// The trace C.
    pub trace: CoreTerm,
    /// Enclosures of its value at the point.
    pub value: CoreValue<Enclosure>,
    /// The comparisons that were decided, in the order of evaluation.
    pub guards: Vec<DecidedComparison>,
    /// The number of rules that were applied.
    pub steps: u64,
    /// For each number of the parameter an interval around the point. On all points of this box the same branches are
    /// taken and every operation is defined (A Thm 6.2 (2)). `None` if no box was found in time, or none was asked for.
    pub validity_region: Option<Vec<ValidityInterval>>,
    /// The precision, in bits, at which the trace was found; `None` for doubles.
    pub bits: Option<u32>,
}

/// Returns the precisions that are tried after doubles, in bits: doubled from 128 to [`MAX_COMPARISON_BITS`].
fn precision_ladder() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(128), |bits| (*bits < MAX_COMPARISON_BITS).then_some(bits * 2))
}

/// Traces a program at a point, and uses the time that is left to find a box on which the trace is valid.
///
/// # Errors
/// [`TraceError`] if there is no trace. [`TraceError::Stuck`] for a point of another type, or if the point is missing or
/// superfluous.
pub fn trace_with_region(question: &TraceQuestion) -> Result<TraceAnswer, TraceError> {
    let answer = trace_at_point(question)?;
    let neighbourhood = find_validity_region(question, &answer);
    Ok(TraceAnswer { validity_region: neighbourhood, ..answer })
}

/// Traces a program at a point, without a box.
///
/// # Errors
/// As [`trace_with_region`].
pub fn trace_at_point(question: &TraceQuestion) -> Result<TraceAnswer, TraceError> {
    first_sufficient(&TraceAttempt(question), question.budget)
}

/// Returns the [neighbourhood](TraceAnswer::validity_region) for an answer to a question. `None` if none was found in time.
#[must_use]
pub fn find_validity_region(question: &TraceQuestion, answer: &TraceAnswer) -> Option<Vec<ValidityInterval>> {
    match answer.bits {
        None => grow_around_point(question, Double, answer),
        Some(bits) => grow_around_point(question, Mpfr::new(bits), answer),
    }
}

/// A computation that is repeated at rising precisions.
trait PrecisionAttempt {
    type Answer;

    /// Runs the computation at one precision.
    fn run_at<C: Context>(&self, context: C) -> Result<Self::Answer, TraceError>;

    /// Returns `true` if no higher precision is needed.
    fn is_sufficient(&self, answer: &Self::Answer) -> bool;

    /// Runs the computation on rational numbers, if no precision has decided. Returns its error, `None` if it
    /// succeeded.
    fn run_exactly(&self) -> Option<TraceError>;
}

/// Returns the result at the lowest precision that is sufficient.
fn first_sufficient<A: PrecisionAttempt>(attempt: &A, budget: &Budget) -> Result<A::Answer, TraceError> {
    let mut found = attempt.run_at(Double).map_err(|error| with_precision(error, Double.precision()));
    for bits in precision_ladder() {
        // A higher precision helps with wide results and undecided comparisons, not with other errors.
        let is_wanted = match &found {
            Ok(answer) => !attempt.is_sufficient(answer),
            Err(TraceError::Undefined(undefined)) => undefined.cause == UndefinedCause::Undecided,
            Err(_) => false,
        };
        if !is_wanted || budget.is_exhausted() {
            break;
        }
        match attempt.run_at(Mpfr::new(bits)).map_err(|error| with_precision(error, bits)) {
            // The time was up: the result of the lower precision is kept.
            Err(TraceError::Undefined(undefined)) if undefined.cause == UndefinedCause::Fuel && found.is_ok() => break,
            next => found = next,
        }
    }
    match found {
        Err(TraceError::Undefined(undecided)) if undecided.cause == UndefinedCause::Undecided => {
            // Only a certain error of the rationals replaces the undecided one; they may also lack an operation, or run
            // out of fuel.
            Err(match attempt.run_exactly() {
                Some(TraceError::Undefined(certain)) if certain.certain => certain.into(),
                _ => undecided.into(),
            })
        }
        found => found,
    }
}

/// Adds the precision to an undecided error.
fn with_precision(error: TraceError, bits: u32) -> TraceError {
    match error {
        TraceError::Undefined(undefined) if undefined.cause == UndefinedCause::Undecided => {
            UndefinedValue { bits: Some(bits), ..undefined }.into()
        }
        other => other,
    }
}

struct TraceAttempt<'q>(&'q TraceQuestion<'q>);

impl PrecisionAttempt for TraceAttempt<'_> {
    type Answer = TraceAnswer;

    fn run_at<C: Context>(&self, context: C) -> Result<TraceAnswer, TraceError> {
        answer_at_precision(self.0, context)
    }

    fn is_sufficient(&self, _: &TraceAnswer) -> bool {
        true
    }

    fn run_exactly(&self) -> Option<TraceError> {
        run_symbolic(self.0, &Rationals::default()).err()
    }
}

/// A trace, its value, its guards, and the number of steps.
type TraceRun<R> = (CoreTerm, CoreValue<R>, Vec<DecidedComparison>, u64);

/// Evaluates a program symbolically at a point.
fn run_symbolic<N: NumberSystem>(question: &TraceQuestion, numbers: &N) -> Result<TraceRun<N::Number>, TraceError> {
    let functions = FunctionEnvironment::default();
    let evaluator = || TraceEvaluator::new(numbers).with_strategy(question.strategy).with_budget(question.budget);
    let environment = match (&question.program.parameters[..], question.point) {
        ([], None) => CoreEnvironment::default(),
        ([(x, ty)], Some(point)) if *ty == point.ty => CoreEnvironment::of_variable(
            x,
            evaluator().evaluate_ordinary(&functions, &CoreEnvironment::default(), &point.term)?,
        ),
        _ => return Err(TraceError::Stuck { construct: "a function without a point of its type" }),
    };
    // At each precision the evaluation starts again, and so does the record.
    if let Some(record) = question.record {
        record.clear();
    }
    // The point is evaluated without an observer: its steps are no part of the trace.
    let evaluator = evaluator().with_observer(question.record.map(|record| record as &dyn EvaluationObserver));
    let (trace, value) = evaluator.evaluate_symbolic(&functions, &environment, &question.program.term)?;
    Ok((trace, value, evaluator.guards(), evaluator.step_count()))
}

/// Answers a question at one precision.
fn answer_at_precision<C: Context>(question: &TraceQuestion, context: C) -> Result<TraceAnswer, TraceError> {
    // For doubles no precision is reported.
    let bits = (context.precision() > Double.precision()).then(|| context.precision());
    let numbers = CertifiedReals(context);
    let (trace, value, guards, steps) = run_symbolic(question, &numbers)?;
    let value = value.map(&mut |x| numbers.0.to_enclosure(x));
    Ok(TraceAnswer { trace, value, guards, steps, validity_region: None, bits })
}

/// Returns a box around the point on which all guards are decided as they were at the point.
fn grow_around_point<C: Context>(
    question: &TraceQuestion,
    context: C,
    answer: &TraceAnswer,
) -> Option<Vec<ValidityInterval>> {
    let ([(x, ty)], Some(point)) = (&question.program.parameters[..], question.point) else { return None };
    let numbers = CertifiedReals(context);
    let evaluator = TraceEvaluator::new(&numbers).with_strategy(question.strategy).with_budget(question.budget);
    let at =
        evaluator.evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &point.term).ok()?;
    // A box on which other branches are taken may run much longer than the trace; four times its steps is a choice.
    let holds = |over: CoreValue<C::Num>| {
        let Some((moving, inputs)) = CentredForms::box_inputs(&numbers.0, ty, &over) else { return false };
        let evaluator = TraceEvaluator::new(&moving)
            .with_strategy(question.strategy)
            .with_step_limit(4 * answer.steps + 1000)
            .without_traces();
        let evaluator = evaluator.with_budget(question.budget);
        let rho = CoreEnvironment::of_variable(x, inputs);
        let found = evaluator.evaluate_symbolic(&FunctionEnvironment::default(), &rho, &question.program.term);
        // Guards are compared in order, so equal guards mean the same branches.
        found.is_ok() && evaluator.guards() == answer.guards
    };
    grow_box(&numbers.0, ty, &at, question.budget, &holds)
}

/// A value, with derivatives by a tape.
#[derive(Clone, Debug)]
pub struct TapeAnswer<R> {
    /// The value.
    pub value: CoreValue<R>,
    /// For each number of the value, its derivative in the parameter, a value of the parameter's type. Empty if none is
    /// wanted.
    pub reverse: Vec<CoreValue<R>>,
}

impl<R> TapeAnswer<R> {
    /// Returns `true` if all numbers of the value and of the derivatives satisfy a condition.
    pub fn all_numbers(&self, mut holds: impl FnMut(&R) -> bool) -> bool {
        let all = std::iter::once(&self.value).chain(&self.reverse);
        all.flat_map(CoreValue::real_components).all(&mut holds)
    }
}

/// Evaluates a program at a point by the strategy `tape`. If `reverse` is set and the program is a function, also
/// returns the derivatives, by one sweep for each number of the value. Enclosures wider than `eps` are computed again
/// at a higher precision, as far as time allows.
///
/// # Errors
/// As [`ask`](trace_with_region); [`TraceError::LimitedRecursion`] for a limited recursion.
pub fn evaluate_by_tape(
    question: &TraceQuestion,
    reverse: bool,
    eps: &Rational,
) -> Result<TapeAnswer<Enclosure>, TraceError> {
    first_sufficient(
        &TapeAttempt { sweep: CompiledQuestion::compile_question(question, reverse)?, budget: question.budget, eps },
        question.budget,
    )
}

/// Like [`evaluate_by_tape`], on doubles, each with a bound of its error.
///
/// # Errors
/// As [`evaluate_by_tape`]. A comparison that the bounds leave open is undecided, as no other precision is tried.
pub fn evaluate_by_tape_in_doubles(
    question: &TraceQuestion,
    reverse: bool,
) -> Result<TapeAnswer<BoundedDouble>, TraceError> {
    let compiled = CompiledQuestion::compile_question(question, reverse)?;
    compiled.evaluate_on(&BoundedDoubles, question.budget).map_err(|error| with_precision(error, Double.precision()))
}

/// A compiled question.
struct CompiledQuestion<'q> {
    program: &'q CoreProgram,
    compiled: CompiledProgram,
    point: Option<CompiledProgram>,
    reverse: bool,
}

impl<'q> CompiledQuestion<'q> {
    fn compile_question(question: &TraceQuestion<'q>, reverse: bool) -> Result<Self, TraceError> {
        let program = question.program;
        let compiled = CompiledProgram::from_program(program)?;
        Ok(CompiledQuestion {
            program,
            compiled,
            point: question.point.map(CompiledProgram::from_program).transpose()?,
            reverse,
        })
    }

    fn evaluate_on<N: NumberSystem>(&self, numbers: &N, budget: &Budget) -> Result<TapeAnswer<N::Number>, TraceError> {
        let point = self.point.as_ref().map_or_else(|| Ok(Vec::new()), |point| point.value_at(numbers, budget, &[]))?;
        let stuck = || TraceError::Stuck { construct: "a value" };
        let of =
            |ty: &CoreTy, reals: Vec<N::Number>| CoreValue::from_reals(ty, &mut reals.into_iter()).ok_or_else(stuck);
        let [zero, one] = [0, 1].map(|n| numbers.represent_rational(&Rational::from(n)));
        let outputs = self.compiled.output_count();
        // Without outputs there is no sweep, and the plain run below gives the value.
        if let ([(_, ty)], true, 1..) = (&self.program.parameters[..], self.reverse, outputs) {
            let unit = |index| (0..outputs).map(|i| if i == index { one.clone() } else { zero.clone() }).collect();
            let (mut values, mut reverse) = (Vec::new(), Vec::new());
            for index in 0..outputs {
                let cotangent: Vec<N::Number> = unit(index);
                let [value, row] = self.compiled.pull_back_at(numbers, budget, &point, &cotangent)?;
                values = value;
                reverse.push(of(ty, row)?);
            }
            return Ok(TapeAnswer { value: of(&self.program.ty, values)?, reverse });
        }
        let value = of(&self.program.ty, self.compiled.value_at(numbers, budget, &point)?)?;
        Ok(TapeAnswer { value, reverse: Vec::new() })
    }
}

struct TapeAttempt<'q> {
    sweep: CompiledQuestion<'q>,
    budget: &'q Budget,
    eps: &'q Rational,
}

impl PrecisionAttempt for TapeAttempt<'_> {
    type Answer = TapeAnswer<Enclosure>;

    fn run_at<C: Context>(&self, context: C) -> Result<Self::Answer, TraceError> {
        let numbers = CertifiedReals(context);
        let found = self.sweep.evaluate_on(&numbers, self.budget)?;
        let told = |value: &CoreValue<C::Num>| value.map(&mut |x| numbers.0.to_enclosure(x));
        Ok(TapeAnswer { value: told(&found.value), reverse: found.reverse.iter().map(told).collect() })
    }

    fn is_sufficient(&self, answer: &Self::Answer) -> bool {
        answer.all_numbers(|enclosure| enclosure.has_width_at_most(self.eps))
    }

    fn run_exactly(&self) -> Option<TraceError> {
        self.sweep.evaluate_on(&Rationals::default(), self.budget).err()
    }
}

/// An interval around one number of the input, with that number in its interior. An end is `None` if it is infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidityInterval {
    /// The lower end.
    pub lo: Option<Rational>,
    /// The upper end.
    pub hi: Option<Rational>,
    /// Bounds of the number of the point. Both lie between the ends.
    pub point: [Rational; 2],
}

/// The exponent of the first radius, a power of 2. These constants are choices: they bound the number of runs of the
/// program.
const FIRST_RADIUS_EXPONENT: i32 = -20;
/// The exponent of the smallest radius.
const MIN_RADIUS_EXPONENT: i32 = -120;
/// The exponent of the radius beyond which each side is moved by itself.
const MAX_RADIUS_EXPONENT: i32 = 64;
/// The exponent of the largest scale to which an end is printed.
const MAX_SCALE_EXPONENT: i32 = 400;
/// The largest number of strips that are tried on each side.
const MAX_STRIPS: u32 = 200;
/// A strip is not tried if it is narrower than the box by a factor of 2 to this power.
const MIN_STRIP_SHIFT: u32 = 24;

/// Returns 2 to a power.
fn power_of_two(exponent: i32) -> Rational {
    match u32::try_from(exponent) {
        Ok(shift) => Rational::from(1) << shift,
        Err(_) => Rational::from(1) >> exponent.unsigned_abs(),
    }
}

/// Grows a box of a type around a point, on which `holds` is true. Returns `None` if not even the smallest box is one,
/// or a coordinate of the point is not finite.
pub(super) fn grow_box<C: Context>(
    context: &C,
    ty: &CoreTy,
    at: &CoreValue<C::Num>,
    budget: &Budget,
    holds: &dyn Fn(CoreValue<C::Num>) -> bool,
) -> Option<Vec<ValidityInterval>> {
    let points: Vec<[Rational; 2]> =
        at.real_components().into_iter().map(|x| finite_ends(&context.to_enclosure(x))).collect::<Option<_>>()?;
    // Without time left nothing holds, so all growing ends.
    let tried = |ranges: &[ValidityInterval]| {
        if budget.is_exhausted() {
            return false;
        }
        let mut numbers = ranges.iter().map(|range| enclose_range(context, range));
        CoreValue::from_reals(ty, &mut numbers).is_some_and(holds)
    };
    let around = |radius: &Rational| -> Vec<ValidityInterval> {
        let range = |point: &[Rational; 2]| ValidityInterval {
            lo: Some(Rational::from(&point[0] - radius)),
            hi: Some(Rational::from(&point[1] + radius)),
            point: point.clone(),
        };
        points.iter().map(range).collect()
    };
    // First the same radius on all sides: from a small box downwards until one is valid.
    let mut exponent = FIRST_RADIUS_EXPONENT;
    while !tried(&around(&power_of_two(exponent))) {
        exponent -= 10;
        if exponent < MIN_RADIUS_EXPONENT {
            return None;
        }
    }
    let mut ranges = around(&power_of_two(exponent));
    let radius = grow_all(&mut ranges, power_of_two(exponent), &tried);
    // Then each side by itself, as some inputs may go much farther than others.
    for index in 0..ranges.len() {
        for up in [false, true] {
            grow_side(&mut ranges, index, up, &radius, &tried);
        }
    }
    Some(ranges)
}

/// Returns the strip beyond one end of one range of a box, up to `to`, or to infinity. It is as wide as the box in all
/// other directions.
fn strip_beyond(ranges: &[ValidityInterval], index: usize, up: bool, to: Option<Rational>) -> Vec<ValidityInterval> {
    let mut strip = ranges.to_vec();
    let ValidityInterval { lo, hi, .. } = &mut strip[index];
    if up {
        *lo = std::mem::replace(hi, to);
    } else {
        *hi = std::mem::replace(lo, to);
    }
    strip
}

/// Returns the end of a range, moved outward by a step; `None` if it is infinite.
fn moved_end(range: &ValidityInterval, up: bool, step: &Rational) -> Option<Rational> {
    match (up, &range.lo, &range.hi) {
        (true, _, Some(hi)) => Some(Rational::from(hi + step)),
        (false, Some(lo), _) => Some(Rational::from(lo - step)),
        _ => None,
    }
}

/// Replaces an end of a range.
fn set_end(range: &mut ValidityInterval, up: bool, end: Option<Rational>) {
    *if up { &mut range.hi } else { &mut range.lo } = end;
}

/// Moves all ends outward by the same steps, and returns the radius reached. The step doubles after a success, and is
/// halved after a failure.
fn grow_all(
    ranges: &mut Vec<ValidityInterval>,
    first: Rational,
    tried: &dyn Fn(&[ValidityInterval]) -> bool,
) -> Rational {
    // Many programs have no guards at all, so the whole space is tried first.
    let everywhere: Vec<ValidityInterval> =
        ranges.iter().map(|range| ValidityInterval { lo: None, hi: None, ..range.clone() }).collect();
    if tried(&everywhere) {
        *ranges = everywhere;
        return first;
    }
    let (mut radius, mut step) = (first.clone(), first);
    for _ in 0..MAX_STRIPS {
        if step.clone() << MIN_STRIP_SHIFT < radius || radius > power_of_two(MAX_RADIUS_EXPONENT) {
            break;
        }
        let mut larger = ranges.clone();
        // The larger box is cut into strips, one beyond each end; each is valid on its own, and narrower than the box.
        let holds = (0..larger.len()).all(|index| {
            [false, true].into_iter().all(|up| {
                let to = moved_end(&larger[index], up, &step);
                let holds = tried(&strip_beyond(&larger, index, up, to.clone()));
                set_end(&mut larger[index], up, to);
                holds
            })
        });
        if holds {
            radius += &step;
            *ranges = larger;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    radius
}

/// Moves one end of one range outward, strip by strip. If the same branches are taken on two adjacent boxes, they are
/// taken on their union. A strip has twice the width of the last one that was added, or half of one that was not.
fn grow_side(
    ranges: &mut [ValidityInterval],
    index: usize,
    up: bool,
    first: &Rational,
    tried: &dyn Fn(&[ValidityInterval]) -> bool,
) {
    let (mut width, mut step) = (first.clone(), first.clone());
    for _ in 0..MAX_STRIPS {
        let Some(next) = moved_end(&ranges[index], up, &step) else { return };
        // Infinity is tried in each round: beyond the last kink it succeeds.
        if tried(&strip_beyond(ranges, index, up, None)) {
            return set_end(&mut ranges[index], up, None);
        }
        if step.clone() << MIN_STRIP_SHIFT < width {
            return;
        }
        if tried(&strip_beyond(ranges, index, up, Some(next.clone()))) {
            width += &step;
            set_end(&mut ranges[index], up, Some(next));
            step *= 2;
        } else {
            step /= 2;
        }
    }
}

/// Returns the ends of an enclosure; `None` if one is infinite.
fn finite_ends(x: &Enclosure) -> Option<[Rational; 2]> {
    Some([x.lo().to_rational()?, x.hi().to_rational()?])
}

/// Returns a range as a number: an enclosure of all of its points.
fn enclose_range<C: Context>(context: &C, range: &ValidityInterval) -> C::Num {
    // The ends are rounded outward, so that the number encloses the range.
    let end = |q: &Rational| context.to_enclosure(&context.enclose_rational(q));
    let whole = Enclosure::bottom();
    let lo = range.lo.as_ref().map_or(whole.lo().clone(), |q| end(q).lo().clone());
    let hi = range.hi.as_ref().map_or(whole.hi().clone(), |q| end(q).hi().clone());
    match Enclosure::new(lo, hi, true) {
        Ok(enclosure) => context.round_enclosure(&enclosure),
        Err(_) => context.bottom(),
    }
}

/// An end is printed with an error of at most this part of its distance from the point. A choice: four digits.
const PRINTED_PRECISION: u32 = 10_000;

impl ValidityInterval {
    /// Returns the ends as decimals, `-inf` and `inf` for infinite ones. Each is rounded inward, relative to its
    /// distance from the point, so that the point stays in the interior.
    #[must_use]
    pub fn to_decimals(&self) -> [String; 2] {
        let text = |end: &Rational, distance: Rational, round: &dyn Fn(Rational) -> Rational| {
            let mut scale = Rational::from(1);
            // A distance of 0 would never be large enough, so the scale is bounded.
            while Rational::from(&distance * &scale) < PRINTED_PRECISION && scale < power_of_two(MAX_SCALE_EXPONENT) {
                scale *= 10;
            }
            crate::number::decimal::print_exactly(&(round(Rational::from(end * &scale)) / &scale)).unwrap_or_default()
        };
        let [least, most] = &self.point;
        let lo = self.lo.as_ref().map(|lo| text(lo, Rational::from(least - lo), &Rational::ceil));
        let hi = self.hi.as_ref().map(|hi| text(hi, Rational::from(hi - most), &Rational::floor));
        [lo.unwrap_or_else(|| "-inf".to_owned()), hi.unwrap_or_else(|| "inf".to_owned())]
    }
}
