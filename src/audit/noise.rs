//! Programs whose steps are rounded, and bounds of what rounding does to their values.
//!
//! # Sums
//!
//! Let T be the reverse sweep of f with the absolute values of all partial derivatives, and L the greatest number of
//! roundings on a path from a variable. *Theorem*: a reverse sweep with exact values, and partial derivatives right to κ
//! unit roundoffs u, is off by at most γ(L)·T, γ(L) = Lu/(1 - Lu), in whatever order it adds. Each product along a path has
//! at most L factors 1 + δ, |δ| ≤ u (Higham, Accuracy and Stability of Numerical Algorithms, Lemma 3.1).
//!
//! # Programs
//!
//! A run in floating-point numbers is the same program over the real numbers, with an error eᵢ added at each step,
//! |eᵢ| ≤ mᵢ. Here mᵢ = κᵢuᵢ·sup|vᵢ| + ηᵢ, with the format of the step itself: its unit roundoff uᵢ and its least normal
//! number ηᵢ. *Theorem*: on the box of all errors, the value is off by at most Σ mᵢ·sup|∂G/∂eᵢ| (the mean value theorem;
//! Bauer 1974, Linnainmaa 1976, Iri 1984). The suprema are those of an interval sweep forward, in which each step is
//! widened by its errors, and an interval sweep back. `max`, `min` and `abs` have the hull of their slopes, by Lebourg's mean
//! value theorem. A comparison that the errors may turn leaves no bound.
//!
//! Not modelled is an overflow: it makes a claim that is not finite.

use super::FloatFormat;
use super::judge::EndBounds;
use crate::function::{Function, Planar};
use crate::meaning::pap::steps::{StraightLineProgram, StraightLineStep};
use crate::number::arithmetic::{Context, Sign};
use crate::number::budget::Budget;
use crate::number::double::Double;
use crate::number::mpfr::Mpfr;
use crate::number::{Enclosure, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, Unary, Variable};
use crate::smooth::reverse::{ReverseHooks, without_derivatives};
use crate::syntax::constant::Constant;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rounding of the value of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRounding {
    /// The format to which it is rounded.
    pub format: FloatFormat,
    /// The number of unit roundoffs by which the value may be off. `None` for that of the operation.
    pub units: Option<u32>,
}

/// A list of steps, with the formats to which a program of floating-point numbers rounds them.
#[derive(Clone, Debug, Default)]
pub struct RoundedProgram {
    /// The steps.
    pub steps: StraightLineProgram,
    /// The steps that are the values.
    pub outputs: Vec<usize>,
    /// For each step how it is rounded; `None` for a step that is exact.
    pub roundings: Vec<Option<StepRounding>>,
    /// For each step where it stands in its source. Empty if no places are known.
    pub places: Vec<Option<Arc<str>>>,
}

impl RoundedProgram {
    /// Uses a list of steps that rounds each step to one format. Its value is the last step.
    #[must_use]
    pub fn of_steps(steps: StraightLineProgram, format: FloatFormat) -> Self {
        let outputs = steps.len().checked_sub(1).into_iter().collect();
        let roundings = vec![Some(StepRounding { format, units: None }); steps.len()];
        Self { steps, outputs, roundings, places: Vec::new() }
    }

    /// Returns where a step stands in its source, if that is known.
    #[must_use]
    pub fn place_of(&self, step: usize) -> Option<&str> {
        self.places.get(step)?.as_deref()
    }

    fn rounding_of(&self, step: usize) -> Option<StepRounding> {
        *self.roundings.get(step)?
    }

    /// Marks the steps on which the outputs depend.
    fn needed_steps(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        self.outputs.iter().for_each(|output| needed[*output] = true);
        for (index, step) in self.steps.steps().iter().enumerate().rev() {
            if needed[index] {
                step.operands().into_iter().for_each(|operand| needed[operand] = true);
            }
        }
        needed
    }
}

/// Returns by how many unit roundoffs the result of an operation may be off: of its value, and of 1 beside it.
///
/// | operation | of the value | of 1 |
/// |---|---|---|
/// | moves, choices, signs, rounding down | 0 | 0 |
/// | `+ - * /`, square roots, a change of the format | 1 | 0 |
/// | xⁿ by products | n - 1 | 0 |
/// | functions of a library | 8 | 0 |
/// | `sin`, `cos`, which are 0 at numbers that are no float | 8 | 8 |
/// | gamma functions, which are so too; functions that are integrals or roots | 64 | 64 |
fn units_of_operation(step: &StraightLineStep) -> [u32; 2] {
    use Constant::{Abs, Add, Divide, Elementary, Max, Min, Multiply, Negate, Signum, Subtract};
    match step {
        StraightLineStep::Number(_) | StraightLineStep::Round(_) => [1, 0],
        StraightLineStep::Constant(Add | Subtract | Multiply | Divide | Constant::Pi | Constant::E, _) => [1, 0],
        StraightLineStep::Constant(Negate | Abs | Signum | Max | Min, _) => [0, 0],
        StraightLineStep::Constant(Elementary(f), _) => match f {
            Function::Sqrt => [1, 0],
            Function::Special(..) => [GAMMA_UNITS, GAMMA_UNITS],
            f if f.is_sinusoidal() => [FUNCTION_UNITS, FUNCTION_UNITS],
            _ => [FUNCTION_UNITS, 0],
        },
        StraightLineStep::Constant(..) => [FUNCTION_UNITS, 0],
        StraightLineStep::Power(_, q) if *q.denom() == 1 => {
            // by products up to a choice of the framework, by a library beyond
            let n = q.numer().to_i64().map_or(u64::MAX, i64::unsigned_abs);
            let products = u32::try_from(n.saturating_sub(u64::from(*q > 0))).unwrap_or(u32::MAX);
            [if products <= MOST_PRODUCTS { products } else { MOST_PRODUCTS.max(FUNCTION_UNITS) }, 0]
        }
        StraightLineStep::Power(..) => [FUNCTION_UNITS, 0],
        StraightLineStep::Modulo(..) | StraightLineStep::Remainder(..) => [1, 0],
        StraightLineStep::Functional(..) => [GAMMA_UNITS, GAMMA_UNITS],
        StraightLineStep::Sum(terms) => [clamp_units(terms.len().saturating_sub(1)), 0],
        StraightLineStep::Dot(xs, _) => [clamp_units(xs.len()), 0],
        StraightLineStep::Input(_)
        | StraightLineStep::And(..)
        | StraightLineStep::Or(..)
        | StraightLineStep::Not(_)
        | StraightLineStep::Choose(..)
        | StraightLineStep::Floor(_)
        | StraightLineStep::Refused(_) => [0, 0],
    }
}

/// The unit roundoffs of a function of a library. A choice: more than any that is in use, on its main range.
const FUNCTION_UNITS: u32 = 8;
/// The unit roundoffs of gamma functions. A choice, as above.
const GAMMA_UNITS: u32 = 64;
/// The greatest exponent that frameworks write as products.
const MOST_PRODUCTS: u32 = 64;

fn clamp_units(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The value of a step on the box of all errors.
#[derive(Clone, Debug)]
enum StepCell<N> {
    Number(NumberCell<N>),
    /// A truth value; `None` if the errors may turn it.
    Truth(Option<bool>),
}

#[derive(Clone, Debug)]
struct NumberCell<N> {
    /// An enclosure of the value.
    value: N,
    /// `true` if no error enters: the floating-point number is the real one.
    exact: bool,
    /// The step of which this one is a copy, in floating-point numbers too. A step that is no copy is its own.
    source: usize,
    /// `true` if no variable enters.
    constant: bool,
}

/// The meaning of the values of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SweepMode {
    /// Values at the point: of two equal numbers neither is less.
    AtPoint,
    /// The function near the point: what is decided by equal numbers there is not decided nearby.
    Nearby,
    /// Values with the errors of all roundings.
    WithErrors,
    /// Values at the point, and on its borders the slopes of rules that take a side of each.
    BySides,
}

/// The side that a rule of differentiation takes of a step on whose border the point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum BorderSide {
    /// That on which the first operand is greater.
    First,
    /// That on which the second operand is greater.
    Second,
    /// The mean of both. Comparisons are decided as at the point.
    #[default]
    Mean,
    /// The mean of all that are equal, of the greatest of several numbers.
    Even,
}

/// The sides that a rule takes, by steps.
type BorderSides = FxHashMap<usize, BorderSide>;

/// A program evaluated forward, with the partial derivatives of its steps.
struct ProgramSweep<'p, C: Context> {
    context: C,
    program: &'p RoundedProgram,
    budget: &'p Budget,
    mode: SweepMode,
    sides: BorderSides,
    cells: Vec<StepCell<C::Num>>,
    /// For each step its operands, and the derivatives by them.
    partials: Vec<Vec<(usize, C::Num)>>,
    /// For each step a bound of its error. `None` for an exact step.
    errors: Vec<Option<C::Num>>,
}

impl<'p, C: Context> ProgramSweep<'p, C> {
    /// Evaluates a program at a point. What the budget leaves out is not defined.
    fn run_forward(
        context: C,
        program: &'p RoundedProgram,
        at: &[Rational],
        mode: SweepMode,
        budget: &'p Budget,
    ) -> Self {
        Self::run_by_sides(context, program, at, mode, budget, BorderSides::default())
    }

    /// Evaluates a program at a point, with the sides that a rule takes of its borders.
    fn run_by_sides(
        context: C,
        program: &'p RoundedProgram,
        at: &[Rational],
        mode: SweepMode,
        budget: &'p Budget,
        sides: BorderSides,
    ) -> Self {
        let needed = program.needed_steps();
        let count = program.steps.len();
        let mut sweep = Self {
            context,
            program,
            budget,
            mode,
            sides,
            cells: Vec::with_capacity(count),
            partials: Vec::with_capacity(count),
            errors: Vec::with_capacity(count),
        };
        for (index, step) in program.steps.steps().iter().enumerate() {
            let (mut cell, mut partials, mut error) = (StepCell::Truth(None), Vec::new(), None);
            if needed[index] && budget.spend(work_of_step(step)) {
                (cell, partials) = sweep.evaluate_step(index, step, at);
                if mode == SweepMode::WithErrors
                    && let StepCell::Number(number) = &mut cell
                {
                    error = sweep.widen_by_error(index, step, number);
                    // nothing that enters an exact step has an error
                    if number.exact {
                        partials.clear();
                    }
                }
            }
            sweep.cells.push(cell);
            sweep.partials.push(partials);
            sweep.errors.push(error);
        }
        sweep
    }

    fn number(&self, step: usize) -> NumberCell<C::Num> {
        match &self.cells[step] {
            StepCell::Number(cell) => cell.clone(),
            StepCell::Truth(_) => {
                NumberCell { value: self.context.bottom(), exact: false, source: step, constant: false }
            }
        }
    }

    fn truth(&self, step: usize) -> Option<bool> {
        match &self.cells[step] {
            StepCell::Truth(truth) => *truth,
            StepCell::Number(_) => None,
        }
    }

    /// Returns the interval [0, 1], or [-1, 1].
    fn unit_interval(&self, lo: i64) -> C::Num {
        self.context.hull(&self.context.enclose_integer(lo), &self.context.enclose_integer(1))
    }

    /// Evaluates a step over the real numbers, from operands that may have errors.
    #[expect(clippy::type_complexity, reason = "a cell and its partial derivatives")]
    fn evaluate_step(
        &self,
        index: usize,
        step: &StraightLineStep,
        at: &[Rational],
    ) -> (StepCell<C::Num>, Vec<(usize, C::Num)>) {
        let c = &self.context;
        let one = || c.enclose_integer(1);
        let own = |value: C::Num, operands: &[usize]| {
            let exact = operands.iter().all(|x| self.number(*x).exact);
            let constant = operands.iter().all(|x| self.number(*x).constant);
            StepCell::Number(NumberCell { value, exact, source: index, constant })
        };
        // A copy of a step is the same floating-point number.
        let copy = |x: usize| (StepCell::Number(self.number(x)), vec![(x, one())]);
        match step {
            StraightLineStep::Input(place) => match at.get(*place) {
                Some(q) => {
                    let cell = NumberCell { value: c.enclose_rational(q), exact: true, source: index, constant: false };
                    (StepCell::Number(cell), Vec::new())
                }
                None => (own(c.bottom(), &[]), Vec::new()),
            },
            StraightLineStep::Number(q) => (own(c.enclose_rational(q), &[]), Vec::new()),
            StraightLineStep::Constant(constant, operands) => self.evaluate_constant(index, *constant, operands),
            StraightLineStep::Power(x, q) => {
                let a = self.number(*x).value;
                let exponent = (q.numer().to_i64(), q.denom().to_u32());
                let (value, slope) = match exponent {
                    (Some(numerator), Some(denominator)) => {
                        let e = RationalExponent { numerator, denominator };
                        let is_analytic = c.region_contains(e.real_operation().conditions().analytic, &[&a]);
                        let slope = match is_analytic {
                            true if numerator == 0 => c.enclose_integer(0),
                            true => c.mul(&c.enclose_rational(q), &self.power_of(&a, e.minus_one())),
                            false => c.bottom(),
                        };
                        (self.power_of(&a, e), slope)
                    }
                    _ => (c.bottom(), c.bottom()),
                };
                (own(value, &[*x]), vec![(*x, slope)])
            }
            StraightLineStep::And(x, y) => {
                let (x, y) = (self.truth(*x), self.truth(*y));
                let both =
                    if x == Some(false) || y == Some(false) { Some(false) } else { x.zip(y).map(|(x, y)| x && y) };
                (StepCell::Truth(both), Vec::new())
            }
            StraightLineStep::Or(x, y) => {
                let (x, y) = (self.truth(*x), self.truth(*y));
                let either =
                    if x == Some(true) || y == Some(true) { Some(true) } else { x.zip(y).map(|(x, y)| x || y) };
                (StepCell::Truth(either), Vec::new())
            }
            StraightLineStep::Not(x) => (StepCell::Truth(self.truth(*x).map(|x| !x)), Vec::new()),
            StraightLineStep::Choose(condition, x, y) => match (self.truth(*condition), &self.cells[*x]) {
                (Some(holds), StepCell::Truth(_)) => {
                    (StepCell::Truth(self.truth(if holds { *x } else { *y })), Vec::new())
                }
                (None, StepCell::Truth(then)) => {
                    (StepCell::Truth(then.filter(|then| self.truth(*y) == Some(*then))), Vec::new())
                }
                (Some(holds), StepCell::Number(_)) => copy(if holds { *x } else { *y }),
                // both branches are the same number
                (None, StepCell::Number(then)) if then.source == self.number(*y).source => copy(*x),
                (None, StepCell::Number(_)) => (own(c.bottom(), &[*x, *y]), Vec::new()),
            },
            StraightLineStep::Floor(x) => match self.floor_of(&self.number(*x).value) {
                Some((whole, is_inside)) => {
                    let value = c.enclose_rational(&whole);
                    // on a jump there is a value, and no derivative
                    let slope = match is_inside || self.mode == SweepMode::BySides {
                        true => c.enclose_integer(0),
                        false => c.bottom(),
                    };
                    (own(value, &[*x]), vec![(*x, slope)])
                }
                None => (own(c.bottom(), &[*x]), Vec::new()),
            },
            StraightLineStep::Sum(terms) => {
                let value = terms.iter().fold(c.enclose_integer(0), |sum, x| c.add(&sum, &self.number(*x).value));
                (own(value, terms), terms.iter().map(|x| (*x, one())).collect())
            }
            StraightLineStep::Dot(xs, ys) => {
                let mut value = c.enclose_integer(0);
                let mut partials = Vec::with_capacity(2 * xs.len());
                for (x, y) in xs.iter().zip(ys) {
                    let (a, b) = (self.number(*x).value, self.number(*y).value);
                    c.mul_add(&mut value, &a, &b);
                    partials.extend([(*x, b), (*y, a)]);
                }
                let operands: Vec<_> = xs.iter().chain(ys).copied().collect();
                (own(value, &operands), partials)
            }
            StraightLineStep::Round(x) => (own(self.number(*x).value, &[*x]), vec![(*x, one())]),
            StraightLineStep::Modulo(x, y) | StraightLineStep::Remainder(x, y) => {
                let (a, b) = (self.number(*x).value, self.number(*y).value);
                let quotient = c.div(&a, &b);
                let is_remainder = matches!(step, StraightLineStep::Remainder(..));
                let whole = if is_remainder { self.truncation_of(&quotient) } else { self.floor_of(&quotient) };
                match whole {
                    Some((whole, is_inside)) => {
                        let value = c.sub(&a, &c.mul(&b, &c.enclose_rational(&whole)));
                        let slopes = match is_inside || self.mode == SweepMode::BySides {
                            true => [one(), c.enclose_rational(&-whole)],
                            false => [c.bottom(), c.bottom()],
                        };
                        (own(value, &[*x, *y]), [*x, *y].into_iter().zip(slopes).collect())
                    }
                    None => (own(c.bottom(), &[*x, *y]), Vec::new()),
                }
            }
            // an enclosure of it takes a solver: there is no bound
            StraightLineStep::Functional(_, _, operands) => {
                (own(c.bottom(), operands), operands.iter().map(|x| (*x, c.bottom())).collect())
            }
            StraightLineStep::Refused(_) => (
                StepCell::Number(NumberCell { value: c.bottom(), exact: false, source: index, constant: false }),
                Vec::new(),
            ),
        }
    }

    #[expect(clippy::type_complexity, reason = "a cell and its partial derivatives")]
    fn evaluate_constant(
        &self,
        index: usize,
        constant: Constant,
        operands: &[usize],
    ) -> (StepCell<C::Num>, Vec<(usize, C::Num)>) {
        let c = &self.context;
        let one = || c.enclose_integer(1);
        let numbers: Vec<_> = operands.iter().map(|x| self.number(*x)).collect();
        let exact = numbers.iter().all(|x| x.exact);
        let constant_operands = numbers.iter().all(|x| x.constant);
        let own =
            |value: C::Num| StepCell::Number(NumberCell { value, exact, source: index, constant: constant_operands });
        let undefined = || (own(c.bottom()), Vec::new());
        match (constant, &numbers[..]) {
            (Constant::Pi, []) => (
                StepCell::Number(NumberCell { value: c.pi(), exact: false, source: index, constant: true }),
                Vec::new(),
            ),
            (Constant::E, []) => (
                StepCell::Number(NumberCell { value: c.enclose_euler(), exact: false, source: index, constant: true }),
                Vec::new(),
            ),
            (Constant::Negate, [a]) => (own(c.neg(&a.value)), vec![(operands[0], c.enclose_integer(-1))]),
            (Constant::Abs, [a]) => {
                let slope = match c.sign(&a.value) {
                    Sign::Positive => one(),
                    Sign::Negative => c.enclose_integer(-1),
                    Sign::Undecided if self.mode == SweepMode::BySides => match self.side_of(index) {
                        BorderSide::First => one(),
                        BorderSide::Second => c.enclose_integer(-1),
                        BorderSide::Mean | BorderSide::Even => c.enclose_integer(0),
                    },
                    Sign::Undecided => self.unit_interval(-1),
                };
                (own(c.abs(&a.value)), vec![(operands[0], slope)])
            }
            (Constant::Signum, [a]) => {
                let is_zero = c.is_point(&a.value) && c.contains_zero(&a.value);
                match c.sign(&a.value) {
                    Sign::Positive => (own(one()), Vec::new()),
                    Sign::Negative => (own(c.enclose_integer(-1)), Vec::new()),
                    Sign::Undecided if self.mode == SweepMode::BySides => match self.side_of(index) {
                        BorderSide::First => (own(one()), Vec::new()),
                        BorderSide::Second => (own(c.enclose_integer(-1)), Vec::new()),
                        BorderSide::Mean | BorderSide::Even => (own(c.enclose_integer(0)), Vec::new()),
                    },
                    Sign::Undecided if is_zero => (own(c.enclose_integer(0)), vec![(operands[0], c.bottom())]),
                    Sign::Undecided => undefined(),
                }
            }
            (Constant::Add, [a, b]) => {
                (own(c.add(&a.value, &b.value)), vec![(operands[0], one()), (operands[1], one())])
            }
            (Constant::Subtract, [a, b]) => {
                let value = if a.source == b.source && c.is_defined(&a.value) {
                    c.enclose_integer(0)
                } else {
                    c.sub(&a.value, &b.value)
                };
                (own(value), vec![(operands[0], one()), (operands[1], c.enclose_integer(-1))])
            }
            (Constant::Multiply, [a, b]) => {
                let value = if a.source == b.source { c.square(&a.value) } else { c.mul(&a.value, &b.value) };
                (own(value), vec![(operands[0], b.value.clone()), (operands[1], a.value.clone())])
            }
            (Constant::Divide, [a, b]) => {
                let value = c.div(&a.value, &b.value);
                let inverse = c.div(&one(), &b.value);
                let slopes = [inverse.clone(), c.neg(&c.mul(&value, &inverse))];
                (own(value), operands.iter().copied().zip(slopes).collect())
            }
            (Constant::Max | Constant::Min, [a, b]) => {
                let is_max = constant == Constant::Max;
                let winner = match c.sign(&c.sub(&a.value, &b.value)) {
                    _ if a.source == b.source => Some(0),
                    Sign::Positive => Some(usize::from(!is_max)),
                    Sign::Negative => Some(usize::from(is_max)),
                    Sign::Undecided => None,
                };
                match winner {
                    Some(place) => (StepCell::Number(numbers[place].clone()), vec![(operands[place], one())]),
                    None => {
                        let value = if is_max { c.max(&a.value, &b.value) } else { c.min(&a.value, &b.value) };
                        let slopes = match self.mode {
                            SweepMode::BySides => self.shares_of_sides(index, constant, [operands[0], operands[1]]),
                            _ => [self.unit_interval(0), self.unit_interval(0)],
                        };
                        (own(value), operands.iter().copied().zip(slopes).collect())
                    }
                }
            }
            (Constant::Sigmoid, [a]) => {
                let value = c.div(&one(), &c.add(&one(), &c.apply_function(Function::Exp, &c.neg(&a.value))));
                let slope = c.mul(&value, &c.sub(&one(), &value));
                (own(value), vec![(operands[0], slope)])
            }
            (Constant::Elementary(f), [a]) => {
                let value = c.apply_function(f, &a.value);
                let slope = match c.region_contains(f.row().conditions.analytic, &[&a.value]) {
                    true => c.eval_formula(&f.slope_formula(), &[&a.value], &value),
                    false => c.bottom(),
                };
                (own(value), vec![(operands[0], slope)])
            }
            (Constant::Planar(f), [a, b]) => self.evaluate_planar(f, operands, [a, b], &own),
            (comparison, [a, b]) => (StepCell::Truth(self.compare(index, comparison, a, b)), Vec::new()),
            _ => undefined(),
        }
    }

    #[expect(clippy::type_complexity, reason = "a cell and its partial derivatives")]
    fn evaluate_planar(
        &self,
        f: Planar,
        operands: &[usize],
        [a, b]: [&NumberCell<C::Num>; 2],
        own: &dyn Fn(C::Num) -> StepCell<C::Num>,
    ) -> (StepCell<C::Num>, Vec<(usize, C::Num)>) {
        let c = &self.context;
        let value = c.apply_binary_function(f, &a.value, &b.value);
        let is_smooth = c.is_smooth_near(f, &a.value, &b.value);
        let slope = |formula| match is_smooth {
            true => c.eval_formula(formula, &[&a.value, &b.value], &value),
            false => c.bottom(),
        };
        let partials = operands.iter().copied().zip(f.slope_formulas().iter().map(slope)).collect();
        (own(value), partials)
    }

    /// Returns the side that the rule of this sweep takes of a step.
    fn side_of(&self, step: usize) -> BorderSide {
        self.sides.get(&step).copied().unwrap_or_default()
    }

    /// Returns the slopes of the greater, or the lesser, of two equal numbers, of the side that the rule takes.
    fn shares_of_sides(&self, step: usize, constant: Constant, operands: [usize; 2]) -> [C::Num; 2] {
        let c = &self.context;
        let part = |count: usize, all: usize| c.enclose_rational(&Rational::from((count as u64, all as u64)));
        // of a minimum the operand that is less counts
        let [greater, less] = if constant == Constant::Max { [[1, 0], [0, 1]] } else { [[0, 1], [1, 0]] };
        let (shares, all) = match self.side_of(step) {
            BorderSide::First => (greater, 1),
            BorderSide::Second => (less, 1),
            BorderSide::Mean => ([1, 1], 2),
            BorderSide::Even => {
                let counts = operands.map(|operand| self.count_equal(operand, constant));
                (counts, counts[0] + counts[1])
            }
        };
        shares.map(|share| part(share, all))
    }

    /// Counts the equal numbers of which a step is the greatest, or the least.
    fn count_equal(&self, step: usize, constant: Constant) -> usize {
        let (mut waiting, mut count) = (vec![step], 0);
        while let Some(step) = waiting.pop() {
            let source = self.number(step).source;
            match &self.program.steps.steps()[source] {
                StraightLineStep::Constant(inner, operands) if *inner == constant && self.is_on_border(source) => {
                    waiting.extend(operands);
                }
                _ => count += 1,
            }
        }
        count
    }

    /// Returns `true` for a step whose operands are not told apart at the point, and vary.
    fn is_on_border(&self, step: usize) -> bool {
        use Constant::{
            Abs, Max, Min, RealEqual, RealGreater, RealGreaterEqual, RealLess, RealLessEqual, RealNotEqual, Signum,
        };
        let c = &self.context;
        let StraightLineStep::Constant(constant, operands) = &self.program.steps.steps()[step] else { return false };
        let is_undecided = |x: &C::Num| c.is_defined(x) && c.sign(x) == Sign::Undecided;
        match (constant, &operands[..]) {
            (Abs | Signum, [a]) => {
                let a = self.number(*a);
                !a.constant && is_undecided(&a.value)
            }
            (
                Max | Min | RealEqual | RealNotEqual | RealLess | RealLessEqual | RealGreater | RealGreaterEqual,
                [a, b],
            ) => {
                let (a, b) = (self.number(*a), self.number(*b));
                let is_one = a.source == b.source || a.constant && b.constant;
                !is_one && is_undecided(&c.sub(&a.value, &b.value))
            }
            _ => false,
        }
    }

    /// Decides a comparison on the box of all errors.
    fn compare(
        &self,
        step: usize,
        comparison: Constant,
        a: &NumberCell<C::Num>,
        b: &NumberCell<C::Num>,
    ) -> Option<bool> {
        let c = &self.context;
        if !c.is_defined(&a.value) || !c.is_defined(&b.value) {
            return None;
        }
        let mut difference = c.sub(&a.value, &b.value);
        if self.mode == SweepMode::BySides && self.is_on_border(step) {
            difference = c.enclose_integer(match self.side_of(step) {
                BorderSide::First => 1,
                BorderSide::Second => -1,
                BorderSide::Mean | BorderSide::Even => 0,
            });
        }
        // near the point only copies of one number, and constants, stay equal
        let stays = self.mode != SweepMode::Nearby || a.constant && b.constant;
        let is_equal = a.source == b.source || stays && c.is_point(&difference) && c.contains_zero(&difference);
        let is_at_least = |difference: &C::Num| is_equal || stays && c.is_nonnegative(difference);
        let (not_below, not_above) = (is_at_least(&difference), is_at_least(&c.neg(&difference)));
        let (above, below) = match c.sign(&difference) {
            _ if is_equal => (false, false),
            Sign::Positive => (true, false),
            Sign::Negative => (false, true),
            Sign::Undecided => (false, false),
        };
        let decided = |holds: bool, fails: bool| if holds { Some(true) } else { Some(false).filter(|_| fails) };
        match comparison {
            Constant::RealLess => decided(below, not_below || above),
            Constant::RealLessEqual => decided(not_above || below, above),
            Constant::RealGreater => decided(above, not_above || below),
            Constant::RealGreaterEqual => decided(not_below || above, below),
            Constant::RealEqual => decided(is_equal, above || below),
            Constant::RealNotEqual => decided(above || below, is_equal),
            _ => None,
        }
    }

    fn power_of(&self, a: &C::Num, e: RationalExponent) -> C::Num {
        let c = &self.context;
        let Ok(count) = u32::try_from(e.numerator.unsigned_abs()) else { return c.bottom() };
        let root = if e.denominator > 1 { c.root(a, e.denominator) } else { a.clone() };
        let power = c.power(&root, count);
        if e.numerator < 0 { c.div(&c.enclose_integer(1), &power) } else { power }
    }

    /// Returns the floor of all numbers of an enclosure, and whether none of them is an integer. `None` if they have several.
    fn floor_of(&self, x: &C::Num) -> Option<(Rational, bool)> {
        let enclosure = Some(self.context.to_enclosure(x)).filter(Enclosure::is_defined)?;
        let (lo, hi) = (enclosure.lo().to_rational()?, enclosure.hi().to_rational()?);
        let floor = lo.clone().floor();
        (hi.floor() == floor).then(|| {
            let is_inside = lo > floor;
            (floor, is_inside)
        })
    }

    /// Returns the integer towards 0 from all numbers of an enclosure, and whether it is the same nearby.
    fn truncation_of(&self, x: &C::Num) -> Option<(Rational, bool)> {
        let c = &self.context;
        let enclosure = Some(c.to_enclosure(x)).filter(Enclosure::is_defined)?;
        let (lo, hi) = (enclosure.lo().to_rational()?, enclosure.hi().to_rational()?);
        let (first, last) = (lo.clone().trunc(), hi.clone().trunc());
        (first == last).then(|| {
            let is_inside = first == 0 && lo > -1 && hi < 1 || lo != first && hi != first;
            (first, is_inside)
        })
    }

    /// Widens the value of a step by the error of its rounding, and returns a bound of the error.
    fn widen_by_error(&self, index: usize, step: &StraightLineStep, cell: &mut NumberCell<C::Num>) -> Option<C::Num> {
        let c = &self.context;
        // a copy is the number that it is a copy of
        if cell.source != index {
            return None;
        }
        let Some(StepRounding { format, units }) = self.program.rounding_of(index) else {
            // not rounded, as the tracer says: what its operands are
            return None;
        };
        let [of_value, of_one] = match (units, units_of_operation(step)) {
            (None, units) => units,
            (Some(units), [_, 0]) => [units, 0],
            (Some(units), _) => [units, units],
        };
        // of the operations that are rounded correctly, a result that is representable has no error
        let is_correct = of_value <= 1 && of_one == 0
            || matches!(step, StraightLineStep::Sum(_) | StraightLineStep::Dot(..)) && self.sums_exactly(step, format);
        if cell.exact && (of_value == 0 || is_correct && self.is_representable(&cell.value, format)) {
            return None;
        }
        let is_input = matches!(step, StraightLineStep::Input(_));
        if is_input || of_value == 0 && of_one == 0 {
            return None;
        }
        cell.exact = false;
        let roundoff = format.unit_roundoff();
        let relative = match step {
            // γ of Higham, for sums in any order
            StraightLineStep::Sum(_) | StraightLineStep::Dot(..) => sum_factor(of_value.into(), &roundoff),
            _ => Some(Rational::from(&roundoff * of_value)),
        };
        let Some(relative) = relative else {
            cell.value = c.bottom();
            return Some(c.bottom());
        };
        let size = match step {
            StraightLineStep::Sum(terms) => {
                terms.iter().fold(c.enclose_integer(0), |sum, x| c.add(&sum, &c.abs(&self.number(*x).value)))
            }
            StraightLineStep::Dot(xs, ys) => xs.iter().zip(ys).fold(c.enclose_integer(0), |sum, (x, y)| {
                c.add(&sum, &c.abs(&c.mul(&self.number(*x).value, &self.number(*y).value)))
            }),
            _ => c.abs(&cell.value),
        };
        // products that lose their digits below the least normal number, each of a sum by itself
        let tiny = match step {
            StraightLineStep::Sum(terms) => format.least_normal() * clamp_units(terms.len() + 1),
            StraightLineStep::Dot(xs, _) => format.least_normal() * clamp_units(2 * xs.len() + 1),
            _ => format.least_normal(),
        };
        let absolute = tiny + roundoff * of_one;
        let bound = c.add(&c.mul(&c.enclose_rational(&relative), &size), &c.enclose_rational(&absolute));
        cell.value = c.add(&cell.value, &c.mul(&bound, &self.unit_interval(-1)));
        Some(bound)
    }

    /// Returns `true` if a number is known exactly and is one of a format.
    fn is_representable(&self, x: &C::Num, format: FloatFormat) -> bool {
        self.exact_number(x).is_some_and(|q| format.contains_number(&q))
    }

    fn exact_number(&self, x: &C::Num) -> Option<Rational> {
        let c = &self.context;
        (c.is_point(x) && c.is_defined(x)).then(|| c.to_enclosure(x).lo().to_rational())?
    }

    /// Returns `true` if all sums of some of the terms are numbers of a format: then no order of them rounds.
    fn sums_exactly(&self, step: &StraightLineStep, format: FloatFormat) -> bool {
        let terms: Option<Vec<Rational>> = match step {
            StraightLineStep::Sum(terms) => terms.iter().map(|x| self.exact_number(&self.number(*x).value)).collect(),
            StraightLineStep::Dot(xs, ys) => {
                let product = |(x, y): (&usize, &usize)| {
                    let [a, b] = [x, y].map(|x| self.exact_number(&self.number(*x).value));
                    Some(a? * b?)
                };
                xs.iter().zip(ys).map(product).collect()
            }
            _ => None,
        };
        let Some(terms) = terms else { return false };
        // all terms are integers times the last bit of one of them
        let last_bit = terms.iter().filter(|q| **q != 0).map(last_bit_of).collect::<Option<Vec<_>>>();
        let Some(last_bits) = last_bit else { return false };
        let Some(last_bit) = last_bits.into_iter().min() else { return true };
        let total: Rational = terms.into_iter().map(Rational::abs).sum();
        let (bits, exponent) = format.precision_and_exponent();
        last_bit >= -i64::from(exponent) && total <= power_of_two(last_bit + i64::from(bits))
    }

    /// Returns the derivatives of an output by the errors of all steps; with `absolute`, sums of absolute values.
    fn sweep_back(&self, output: usize, absolute: bool) -> Vec<Option<C::Num>> {
        let c = &self.context;
        let mut slopes: Vec<Option<C::Num>> = vec![None; output + 1];
        slopes[output] = Some(c.enclose_integer(1));
        for step in (0..=output).rev() {
            let Some(slope) = slopes[step].clone() else { continue };
            if !self.budget.spend(SWEEP_WORK * (1 + self.partials[step].len() as u64)) {
                return vec![Some(c.bottom()); output + 1];
            }
            for (operand, partial) in &self.partials[step] {
                let partial = if absolute { c.abs(partial) } else { partial.clone() };
                // a factor 0 leaves nothing of what is not defined only if the program leaves it out, and it does not
                let term = c.mul(&slope, &partial);
                slopes[*operand] = Some(match &slopes[*operand] {
                    Some(before) => c.add(before, &term),
                    None => term,
                });
            }
        }
        slopes
    }

    /// Returns an enclosure of an output. `None` if it is not known to be defined.
    fn enclose_output(&self, output: usize) -> Option<Enclosure> {
        let found = self.context.to_enclosure(&self.number(output).value);
        Some(found).filter(|found| found.is_defined() && found.is_bounded())
    }

    /// Returns an upper bound of a number that is not negative. `None` if there is none.
    fn bound_above(&self, x: &C::Num) -> Option<Rational> {
        let found = Some(self.context.to_enclosure(x)).filter(Enclosure::is_defined)?;
        found.hi().to_rational()
    }

    /// Bounds how far the errors move an output; with those of steps that are coarse apart. `None` if there is no bound.
    fn bound_errors(&self, output: usize, is_coarse: impl Fn(StepRounding) -> bool) -> Option<ErrorBound> {
        let c = &self.context;
        self.enclose_output(output)?;
        let slopes = self.sweep_back(output, false);
        let [mut own, mut coarse] = [Rational::new(), Rational::new()];
        let mut most = (Rational::new(), None);
        for (step, slope) in slopes.iter().enumerate() {
            let (Some(slope), Some(error)) = (slope, &self.errors[step]) else { continue };
            let part = self.bound_above(&c.mul(error, &c.abs(slope)))?;
            match self.program.rounding_of(step) {
                Some(rounding) if is_coarse(rounding) => {
                    coarse += &part;
                    if part > most.0 {
                        most = (part, Some(step));
                    }
                }
                Some(_) => own += part,
                None => {}
            }
        }
        Some(ErrorBound { bound: Rational::from(&own + &coarse), in_own_format: own, coarse_step: most.1 })
    }
}

/// The work of an operation of a sweep. A choice: what one on numbers of four limbs costs.
const SWEEP_WORK: u64 = 4;

/// Returns the work of evaluating a step with its slopes.
fn work_of_step(step: &StraightLineStep) -> u64 {
    SWEEP_WORK * (1 + step.operands().len() as u64)
}

/// Returns Lu/(1 - Lu). `None` if Lu is not below 1.
fn sum_factor(length: u64, roundoff: &Rational) -> Option<Rational> {
    let product = Rational::from(roundoff * length);
    (product < 1).then(|| &product / Rational::from(1 - &product))
}

/// Returns the exponent of the last bit of a dyadic number. `None` for another number, and for 0.
fn last_bit_of(q: &Rational) -> Option<i64> {
    if !q.denom().is_power_of_two() {
        return None;
    }
    let denominator = q.denom().find_one(0)?;
    Some(i64::from(q.numer().find_one(0)?) - i64::from(denominator))
}

fn power_of_two(exponent: i64) -> Rational {
    let shift = i32::try_from(exponent).unwrap_or(i32::MAX);
    Rational::from(1) << shift
}

impl FloatFormat {
    /// Returns the unit roundoff: half the distance from 1 to the next number.
    #[must_use]
    pub fn unit_roundoff(self) -> Rational {
        Rational::from(1) >> self.precision_and_exponent().0
    }

    /// Returns the least normal number.
    #[must_use]
    pub fn least_normal(self) -> Rational {
        Rational::from(1) >> self.precision_and_exponent().1
    }

    /// Returns `true` for a number of the format, subnormal numbers aside: some machines take them for 0.
    #[must_use]
    pub fn contains_number(self, q: &Rational) -> bool {
        let Some(last_bit) = last_bit_of(q) else { return *q == 0 };
        let (bits, exponent) = self.precision_and_exponent();
        let size = q.clone().abs();
        let greatest = if self == Self::Bfloat16 { 128 } else { i64::from(exponent) + 2 };
        size >= power_of_two(-i64::from(exponent))
            && size < power_of_two(greatest)
            && size < power_of_two(last_bit + i64::from(bits))
    }
}

/// Bounds of a reverse sweep of a function at a point.
pub(super) struct ReverseSweepBounds {
    /// The derivative by each variable, where kinks have the hull of their slopes. `None` if it is not enclosed.
    pub(super) derivative: Vec<Option<Enclosure>>,
    /// For each variable the sum of the sizes of all products along paths.
    pub(super) sizes: Vec<Option<Rational>>,
    /// For each variable the greatest number of roundings on a path.
    pub(super) lengths: Vec<u64>,
    /// A lower bound of the size of the value. `None` if it is not enclosed.
    pub(super) value: Option<Rational>,
}

/// The bits in which sweeps over the real numbers are made. A choice: rules are compared to 2⁻¹²⁰ of the size of terms.
const EXACT_BITS: u32 = 256;
/// The bits in which the errors of programs in `float64` are enclosed.
const ERROR_BITS: u32 = 96;

impl ReverseSweepBounds {
    /// Sweeps a function back at a point.
    pub(super) fn of_function(function: &RoundedProgram, at: &[Rational], budget: &Budget) -> Self {
        let sweep = ProgramSweep::run_forward(Mpfr::new(EXACT_BITS), function, at, SweepMode::Nearby, budget);
        Self::of_sweep(&sweep, at.len())
    }

    fn of_sweep(sweep: &ProgramSweep<'_, Mpfr>, count: usize) -> Self {
        let function = sweep.program;
        let Some(output) = function.outputs.first() else {
            return Self {
                derivative: vec![None; count],
                sizes: vec![None; count],
                lengths: vec![0; count],
                value: None,
            };
        };
        let value = sweep.enclose_output(*output);
        let is_known = value.is_some();
        let lengths = sweep.path_lengths(*output);
        let [signed, sizes] = [false, true].map(|absolute| sweep.sweep_back(*output, absolute));
        let of_variables = |slopes: &[Option<_>]| -> Vec<Option<_>> {
            let c = &sweep.context;
            let mut sums: Vec<_> = (0..count).map(|_| c.enclose_integer(0)).collect();
            for (step, slope) in function.steps.steps().iter().zip(slopes) {
                if let (StraightLineStep::Input(place), Some(slope)) = (step, slope)
                    && let Some(sum) = sums.get_mut(*place)
                {
                    *sum = c.add(sum, slope);
                }
            }
            sums.into_iter()
                .map(|sum| c.to_enclosure(&sum))
                .map(|sum| Some(sum).filter(|sum| is_known && sum.is_defined() && sum.is_bounded()))
                .collect()
        };
        let upper = |found: Option<Enclosure>| found?.hi().to_rational();
        let mut by_variable = vec![0; count];
        for (step, length) in function.steps.steps().iter().zip(lengths) {
            if let StraightLineStep::Input(place) = step
                && let Some(most) = by_variable.get_mut(*place)
            {
                // several steps that are one variable are added
                *most = (*most + u64::from(*most > 0)).max(length);
            }
        }
        Self {
            derivative: of_variables(&signed),
            sizes: of_variables(&sizes).into_iter().map(upper).collect(),
            lengths: by_variable,
            value: value.as_ref().and_then(EndBounds::of_enclosure).map(|end| end.magnitude()),
        }
    }

    /// Returns the allowance for sums at each variable. `None` where there is no bound.
    pub(super) fn allowances(&self, format: FloatFormat) -> Vec<Option<Rational>> {
        let roundoff = format.unit_roundoff();
        let allowance =
            |(size, length): (&Option<Rational>, &u64)| Some(size.as_ref()? * sum_factor(*length, &roundoff)?);
        self.sizes.iter().zip(&self.lengths).map(allowance).collect()
    }
}

impl<C: Context> ProgramSweep<'_, C> {
    /// Returns the greatest number of roundings on a path from each step to an output: κ + 2 for an edge, and one for each use
    /// beyond the first.
    fn path_lengths(&self, output: usize) -> Vec<u64> {
        let steps = self.program.steps.steps();
        let (mut lengths, mut uses) = (vec![0_u64; steps.len()], vec![0_u64; steps.len()]);
        let mut reached = vec![false; steps.len()];
        reached[output] = true;
        for step in (0..=output).rev().filter(|step| *step < steps.len()) {
            if !reached[step] {
                continue;
            }
            let units = match &steps[step] {
                // the reverse of a sum copies, and of a dot multiplies
                StraightLineStep::Sum(_) => 0,
                StraightLineStep::Dot(..) => 1,
                other => u64::from(units_of_operation(other)[0]),
            };
            let here = lengths[step] + uses[step].saturating_sub(1);
            lengths[step] = here;
            for (operand, _) in &self.partials[step] {
                reached[*operand] = true;
                uses[*operand] += 1;
                lengths[*operand] = lengths[*operand].max(here + units + 2);
            }
        }
        lengths
    }
}

/// A derivative program over the real numbers, at a point.
pub(super) struct DerivativeValues<'p>(ProgramSweep<'p, Mpfr>);

impl<'p> DerivativeValues<'p> {
    /// Evaluates a derivative program over the real numbers.
    pub(super) fn new(program: &'p RoundedProgram, at: &[Rational], budget: &'p Budget) -> Self {
        Self(ProgramSweep::run_forward(Mpfr::new(EXACT_BITS), program, at, SweepMode::AtPoint, budget))
    }

    /// Returns the value of each output. `None` if it is not known to be defined.
    pub(super) fn values(&self) -> Vec<Option<Enclosure>> {
        self.0.program.outputs.iter().map(|output| self.0.enclose_output(*output)).collect()
    }

    /// Bounds how far the rounding of its own constants moves an output. Constants of the function are data, and exact.
    /// `None` where there is no bound.
    pub(super) fn bound_constant_errors(&self, function: &RoundedProgram, output: usize) -> Option<Rational> {
        let Self(sweep) = self;
        let data: BTreeSet<&Rational> = function
            .steps
            .steps()
            .iter()
            .filter_map(|step| if let StraightLineStep::Number(q) = step { Some(q) } else { None })
            .collect();
        let slopes = sweep.sweep_back(output, false);
        let mut sum = Rational::new();
        for (slope, (place, step)) in slopes.iter().zip(sweep.program.steps.steps().iter().enumerate()) {
            let (Some(slope), StraightLineStep::Number(q)) = (slope, step) else { continue };
            let rounding = sweep.program.rounding_of(place).filter(|_| !data.contains(q));
            let Some(StepRounding { format, .. }) = rounding else { continue };
            // below the least normal number a constant loses digits, or is 0
            let error = q.clone().abs() * format.unit_roundoff() + format.least_normal();
            sum += sweep.bound_above(&sweep.context.abs(slope))? * error;
        }
        Some(sum)
    }
}

/// The steps that sweeps by sides evaluate at most, and the sweeps at least. A choice: a second.
const MOST_SWEPT: [usize; 2] = [1 << 19, 27];

/// Returns `true` if a rule that takes a side of each border on which the point lies, or a mean of both sides, has a reverse sweep
/// that `explains`. Of many borders those of one kind have the same side.
pub(super) fn is_explained_by_sides(
    function: &RoundedProgram,
    at: &[Rational],
    budget: &Budget,
    explains: impl Fn(&ReverseSweepBounds) -> bool,
) -> bool {
    let sweep_by =
        |sides| ProgramSweep::run_by_sides(Mpfr::new(EXACT_BITS), function, at, SweepMode::BySides, budget, sides);
    let sweep = sweep_by(BorderSides::default());
    let needed = function.needed_steps();
    let borders: Vec<usize> = (0..needed.len()).filter(|step| needed[*step] && sweep.is_on_border(*step)).collect();
    let most = (MOST_SWEPT[0] / needed.len().max(1)).max(MOST_SWEPT[1]);
    let Some(groups) = group_borders(&sweep, &borders, most) else { return false };
    let count: usize = groups.iter().map(|(_, options)| options.len()).product();
    (0..count).any(|choice| {
        let (mut sides, mut rest) = (BorderSides::default(), choice);
        for (steps, options) in &groups {
            sides.extend(steps.iter().map(|step| (*step, options[rest % options.len()])));
            rest /= options.len();
        }
        !budget.was_exhausted() && explains(&ReverseSweepBounds::of_sweep(&sweep_by(sides), at.len()))
    })
}

/// Groups of steps that take one side, each with the sides that it may take.
type BorderGroups = Vec<(Vec<usize>, &'static [BorderSide])>;

/// Groups borders so that there are at most so many choices of their sides. `None` if there are no borders.
fn group_borders(sweep: &ProgramSweep<'_, Mpfr>, borders: &[usize], most: usize) -> Option<BorderGroups> {
    use BorderSide::{Even, First, Mean, Second};
    let kind_of = |step: usize| match &sweep.program.steps.steps()[step] {
        StraightLineStep::Constant(constant, operands) => {
            (Some(*constant), operands.iter().map(|x| sweep.number(*x).constant).collect::<Vec<_>>())
        }
        _ => (None, Vec::new()),
    };
    let options_of = |steps: &[usize]| -> &'static [BorderSide] {
        let is_even = steps.iter().any(|step| match &sweep.program.steps.steps()[*step] {
            StraightLineStep::Constant(constant @ (Constant::Max | Constant::Min), operands) => {
                operands.iter().any(|operand| sweep.count_equal(*operand, *constant) > 1)
            }
            _ => false,
        });
        if is_even { &[Second, First, Mean, Even] } else { &[Second, First, Mean] }
    };
    let with_options = |groups: Vec<Vec<usize>>| -> BorderGroups {
        groups.into_iter().map(|steps| (options_of(&steps), steps)).map(|(options, steps)| (steps, options)).collect()
    };
    let of_kinds = || -> Vec<Vec<usize>> {
        let mut groups: Vec<(_, Vec<usize>)> = Vec::new();
        for step in borders {
            let kind = kind_of(*step);
            match groups.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, steps)) => steps.push(*step),
                None => groups.push((kind, vec![*step])),
            }
        }
        groups.into_iter().map(|(_, steps)| steps).collect()
    };
    let is_few = |groups: &[Vec<usize>]| 4_usize.checked_pow(groups.len() as u32).is_some_and(|count| count <= most);
    let each: Vec<Vec<usize>> = borders.iter().map(|step| vec![*step]).collect();
    let groups = match (is_few(&each), of_kinds()) {
        _ if borders.is_empty() => return None,
        (true, _) => each,
        (false, kinds) if is_few(&kinds) => kinds,
        _ => vec![borders.to_vec()],
    };
    Some(with_options(groups))
}

/// A bound of what rounding does to one output of a program.
#[derive(Clone, Debug)]
pub(super) struct ErrorBound {
    /// The bound.
    pub(super) bound: Rational,
    /// The bound without the steps in formats that are coarser than that of the claim.
    pub(super) in_own_format: Rational,
    /// The step of a coarser format that contributes most.
    pub(super) coarse_step: Option<usize>,
}

/// The errors of a program on the box of all roundings, computed once for all outputs.
pub(super) struct ProgramErrors<'p>(Box<dyn Fn(usize) -> Option<ErrorBound> + 'p>);

impl<'p> ProgramErrors<'p> {
    /// Runs a program forward with the errors of its roundings.
    pub(super) fn new(program: &'p RoundedProgram, at: &[Rational], claimed: FloatFormat, budget: &'p Budget) -> Self {
        // doubles would be as coarse as the errors of a program in doubles
        let is_fine = program.roundings.iter().flatten().any(|rounding| rounding.format == FloatFormat::Float64);
        if is_fine {
            Self::with_context(Mpfr::new(ERROR_BITS), program, at, claimed, budget)
        } else {
            Self::with_context(Double, program, at, claimed, budget)
        }
    }

    fn with_context<C: Context>(
        context: C,
        program: &'p RoundedProgram,
        at: &[Rational],
        claimed: FloatFormat,
        budget: &'p Budget,
    ) -> Self {
        let sweep = ProgramSweep::run_forward(context, program, at, SweepMode::WithErrors, budget);
        let roundoff = claimed.unit_roundoff();
        Self(Box::new(move |output| sweep.bound_errors(output, |rounding| rounding.format.unit_roundoff() > roundoff)))
    }

    /// Bounds the error of an output. `None` if there is no bound.
    pub(super) fn bound_output(&self, output: usize) -> Option<ErrorBound> {
        (self.0)(output)
    }
}

/// Writes graphs over some variables as a program that rounds every step to one format. `None` for integrals, roots, optima, and
/// derivatives that are not written out.
pub(super) fn program_of_graphs(
    variables: &[Variable],
    outputs: &[Graph],
    format: FloatFormat,
) -> Option<RoundedProgram> {
    let mut writer = GraphWriter { variables, steps: StraightLineProgram::default(), written: FxHashMap::default() };
    let values = outputs.iter().map(|output| writer.write_graph(output)).collect::<Option<Vec<_>>>()?;
    let roundings = vec![Some(StepRounding { format, units: None }); writer.steps.len()];
    Some(RoundedProgram { steps: writer.steps, outputs: values, roundings, places: Vec::new() })
}

/// A program in the making, with the step of each node.
struct GraphWriter<'g> {
    variables: &'g [Variable],
    steps: StraightLineProgram,
    written: FxHashMap<usize, usize>,
}

impl GraphWriter<'_> {
    fn push(&mut self, step: StraightLineStep) -> Option<usize> {
        self.steps.push(step).ok()
    }

    /// Writes a node after its operands, without recursion: graphs may be as deep as programs are long.
    fn write_graph(&mut self, root: &Graph) -> Option<usize> {
        let mut waiting = vec![(root, false)];
        while let Some((node, has_operands)) = waiting.pop() {
            if self.written.contains_key(&node.address()) {
                continue;
            }
            if has_operands {
                let step = self.write_node(node)?;
                self.written.insert(node.address(), step);
            } else {
                waiting.push((node, true));
                waiting.extend(node.operation().operands().into_iter().map(|operand| (operand, false)));
            }
        }
        self.written.get(&root.address()).copied()
    }

    fn write_node(&mut self, node: &Graph) -> Option<usize> {
        let at = |written: &FxHashMap<usize, usize>, graph: &Graph| written.get(&graph.address()).copied();
        let constant = |constant: Constant, operands: Vec<usize>| StraightLineStep::Constant(constant, operands);
        let step = match node.operation() {
            NodeOperation::Variable(v) => StraightLineStep::Input(self.variables.iter().position(|w| w == v)?),
            NodeOperation::Rational(q) => StraightLineStep::Number((**q).clone()),
            NodeOperation::Pi => constant(Constant::Pi, Vec::new()),
            NodeOperation::Euler => constant(Constant::E, Vec::new()),
            NodeOperation::Unary(f, a) => {
                let name = match f {
                    Unary::Negate => Constant::Negate,
                    Unary::Abs => Constant::Abs,
                    Unary::Signum => Constant::Signum,
                    Unary::Function(f) => Constant::Elementary(*f),
                };
                constant(name, vec![at(&self.written, a)?])
            }
            NodeOperation::Binary(f, a, b) => {
                let name = match f {
                    Binary::Add => Constant::Add,
                    Binary::Subtract => Constant::Subtract,
                    Binary::Multiply => Constant::Multiply,
                    Binary::Divide => Constant::Divide,
                    Binary::Maximum => Constant::Max,
                    Binary::Minimum => Constant::Min,
                    Binary::Planar(f) => Constant::Planar(*f),
                };
                constant(name, vec![at(&self.written, a)?, at(&self.written, b)?])
            }
            NodeOperation::Power(a, e) => {
                StraightLineStep::Power(at(&self.written, a)?, Rational::from((e.numerator, e.denominator)))
            }
            NodeOperation::Select(guard, a, b) => {
                let [guard, a, b] = [guard, a, b].map(|part| at(&self.written, part));
                let (guard, a, b) = (guard?, a?, b?);
                // on the border of a choice there is no value
                let zero = self.push(StraightLineStep::Number(Rational::new()))?;
                let border = self.push(StraightLineStep::Refused("the border of a choice".to_owned()))?;
                let fails = self.push(constant(Constant::RealLess, vec![guard, zero]))?;
                let below = self.push(StraightLineStep::Choose(fails, b, border))?;
                let holds = self.push(constant(Constant::RealLess, vec![zero, guard]))?;
                StraightLineStep::Choose(holds, a, below)
            }
            NodeOperation::Primitive(..) | NodeOperation::Derivative(_) | NodeOperation::Second(..) => return None,
        };
        self.push(step)
    }
}

/// The rules of reverse mode, without the term that is defined only where the map is so nearby: no program computes that.
#[derive(Debug)]
struct SweepAlone;

impl ReverseHooks for SweepAlone {
    fn definedness_term(&self, _nearby: Graph) -> Graph {
        Graph::integer(0)
    }
}

/// Returns the program of the gradient of a map by reverse mode. `None` as for [`program_of_graphs`].
pub(super) fn reverse_program(variables: &[Variable], map: &Graph, format: FloatFormat) -> Option<RoundedProgram> {
    let at: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    // those within the map are written out once
    let map = without_derivatives(std::slice::from_ref(map));
    let gradient = Graph::reverse_mode_with(&SweepAlone, variables, &map, &at, &[Graph::integer(1)]);
    program_of_graphs(variables, &without_derivatives(&gradient), format)
}
