//! Straight-line programs with truth values and choices: traces of programs in other languages.
//!
//! A step names an operation and the earlier steps that are its operands. A choice computes only the chosen step. So `where(x >
//! 0, log(x), 0)` has a value at -1, as in the frameworks, which compute both and discard one. Each step is computed at most
//! once.
//!
//! # Straight-line programs as maps
//!
//! Conversion of a straight-line program to one map of its variables, as in [presheaf semantics](crate::meaning::presheaf).
//!
//! A choice is undefined on its border. Elsewhere the branch that is not chosen has no influence.
//!
//! A truth value is a [`Guard`], a number that is positive where it holds and negative where it fails.

use super::{Oracle, PiecewiseUniverse};
use crate::function::Function;
use crate::meaning::presheaf::GraphArithmetic;
use crate::model::universe::{RealArithmetic, ValueSemantics};
use crate::number::Rational;
use crate::presheaf::dynamic::StageCondition;
use crate::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::value::{SourceId, TruthType, UndefinedCause, UndefinedValue, Value, ValueError};
use std::cell::RefCell;
use std::sync::Arc;

/// A step. Its operands are indices of earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub enum StraightLineStep {
    /// A variable, by its index.
    Input(usize),
    /// An exact number.
    Number(Rational),
    /// A constant of numbers, such as `+` or `sin`, at its operands; or a comparison of real numbers, whose value is a truth
    /// value.
    Constant(Constant, Vec<usize>),
    /// A number to a rational power.
    Power(usize, Rational),
    /// The conjunction of two truth values; the second is not computed if the first is false.
    And(usize, usize),
    /// The disjunction of two truth values; the second is not computed if the first is true.
    Or(usize, usize),
    /// The negation of a truth value.
    Not(usize),
    /// A truth value, and the two steps that it chooses between, the first if it is true.
    Choose(usize, usize, usize),
    /// The greatest integer not above a number.
    Floor(usize),
    /// The sum of numbers. As a step of its own it has one rounding error for every order of its terms.
    Sum(Vec<usize>),
    /// The sum of the products of two rows of numbers.
    Dot(Vec<usize>, Vec<usize>),
    /// A number itself, where a program rounds it to another format.
    Round(usize),
    /// The remainder of the first number after division by the second, with the sign of the second.
    Modulo(usize, usize),
    /// The remainder of the first number after division by the second, with the sign of the first.
    Remainder(usize, usize),
    /// The integral over [0, 1], or the first root there, of a program of one variable more: the 0-th is that variable, and the
    /// operands are the others.
    Functional(StepFunctional, Arc<StraightLineProgram>, Vec<usize>),
    /// An unknown number, with the reason; a program that needs it is undecided.
    Refused(String),
}

/// A functional that a step applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFunctional {
    /// The integral from 0 to 1.
    Integral,
    /// The first root in [0, 1], from positive to negative.
    Root,
}

impl StepFunctional {
    /// Returns the name that the language has for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Integral => "integral01",
            Self::Root => "firstRoot",
        }
    }
}

impl StraightLineStep {
    /// Returns the operands, in their order.
    #[must_use]
    pub fn operands(&self) -> Vec<usize> {
        match self {
            Self::Input(_) | Self::Number(_) | Self::Refused(_) => Vec::new(),
            Self::Constant(_, all) | Self::Sum(all) | Self::Functional(_, _, all) => all.clone(),
            Self::Power(x, _) | Self::Not(x) | Self::Floor(x) | Self::Round(x) => vec![*x],
            Self::And(x, y) | Self::Or(x, y) | Self::Modulo(x, y) | Self::Remainder(x, y) => vec![*x, *y],
            Self::Choose(condition, x, y) => vec![*condition, *x, *y],
            Self::Dot(xs, ys) => xs.iter().chain(ys).copied().collect(),
        }
    }
}

/// The kind of a step's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepKind {
    Number,
    Truth,
}

/// The reason why a step does not fit those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {step}: {reason}")]
pub struct StepError {
    /// The index of the step.
    pub step: usize,
    /// The reason, with what is expected.
    pub reason: String,
}

/// A straight-line program: of one variable, or of several on a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StraightLineProgram {
    steps: Vec<StraightLineStep>,
    kinds: Vec<StepKind>,
    /// The number of variables.
    input_count: usize,
    /// A point and a direction: the variables are `point + t·direction`. If empty, the one variable is t.
    line: Vec<[Rational; 2]>,
}

/// The values of the steps computed so far in a run.
type StepValues = Vec<Option<StepValue>>;

/// The value of a step.
#[derive(Clone, Debug)]
enum StepValue {
    Number(Graph),
    Truth(bool),
}

impl StraightLineProgram {
    /// Appends a step, and returns its index.
    ///
    /// # Errors
    /// [`StepError`] if an operand does not come before the step or is of the wrong kind, or if the constant is not one of
    /// numbers or has another arity.
    pub fn push(&mut self, step: StraightLineStep) -> Result<usize, StepError> {
        let number = self.steps.len();
        let kind = self.kind_of_step(&step).map_err(|reason| StepError { step: number, reason })?;
        if let StraightLineStep::Input(index) = step {
            self.input_count = self.input_count.max(index + 1);
        }
        self.steps.push(step);
        self.kinds.push(kind);
        Ok(number)
    }

    /// Returns the program whose value is that of a step: the steps up to it.
    ///
    /// # Errors
    /// [`StepError`] if there is no such step.
    pub fn with_value(mut self, step: usize) -> Result<Self, StepError> {
        if step >= self.len() {
            return Err(StepError { step, reason: format!("there are {} steps", self.len()) });
        }
        self.steps.truncate(step + 1);
        self.kinds.truncate(step + 1);
        Ok(self)
    }

    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &[StraightLineStep] {
        &self.steps
    }

    /// Returns `true` if the value of a step is a number, not a truth value.
    #[must_use]
    pub fn is_number(&self, step: usize) -> bool {
        self.kinds.get(step) == Some(&StepKind::Number)
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `true` if there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.input_count
    }

    /// Returns `true` if there are several variables, and no line.
    #[must_use]
    pub fn is_of_several(&self) -> bool {
        self.input_count > 1 && self.line.is_empty()
    }

    /// Restricts to a line: returns the program `t ↦ f(point + t·direction)` of one variable.
    ///
    /// # Errors
    /// [`StepError`] if the point and the direction differ in length, or have fewer coordinates than there are variables.
    pub fn restrict_to_line(&self, point: &[Rational], direction: &[Rational]) -> Result<Self, StepError> {
        if point.len() != direction.len() || point.len() < self.input_count {
            let reason = format!(
                "expected a point and a direction of {} coordinates, found {} and {}",
                self.input_count,
                point.len(),
                direction.len()
            );
            return Err(StepError { step: 0, reason });
        }
        let line = point.iter().cloned().zip(direction.iter().cloned()).map(|(p, d)| [p, d]).collect();
        Ok(Self { line, ..self.clone() })
    }

    /// Returns the variable `index` on the line.
    fn coordinate_on_line(&self, index: usize, t: &Graph) -> Graph {
        let Some([point, direction]) = self.line.get(index) else { return t.clone() };
        // a coordinate that does not move is a constant, so that guards on it are decided at once
        if *direction == 0 {
            return Graph::rational(point.clone());
        }
        let step = Graph::binary(Binary::Multiply, &Graph::rational(direction.clone()), t);
        Graph::binary(Binary::Add, &Graph::rational(point.clone()), &step)
    }

    /// Returns `true` if the last step, the value of the program, is a number.
    #[must_use]
    pub fn has_value(&self) -> bool {
        self.kinds.last() == Some(&StepKind::Number)
    }

    /// Returns the kind of a step's value, or the reason why it does not fit the steps before it.
    fn kind_of_step(&self, step: &StraightLineStep) -> Result<StepKind, String> {
        let of =
            |operand: usize| self.kinds.get(operand).copied().ok_or("refers to a step that does not come before it");
        let fits = |operands: &[usize], kind: StepKind| {
            for operand in operands {
                if of(*operand)? != kind {
                    return Err(match kind {
                        StepKind::Number => "expected a number, found a truth value",
                        StepKind::Truth => "expected a truth value, found a number",
                    });
                }
            }
            Ok(kind)
        };
        Ok(match step {
            StraightLineStep::Input(_) | StraightLineStep::Number(_) | StraightLineStep::Refused(_) => StepKind::Number,
            StraightLineStep::Constant(constant, operands) => {
                let kind = kind_of_constant(*constant)
                    .ok_or_else(|| format!("`{}` is no operation of numbers", constant.name()))?;
                if constant.arity() != operands.len() {
                    return Err(format!(
                        "`{}` takes {} operands, found {}",
                        constant.name(),
                        constant.arity(),
                        operands.len()
                    ));
                }
                fits(operands, StepKind::Number)?;
                kind
            }
            StraightLineStep::Power(x, _) | StraightLineStep::Floor(x) | StraightLineStep::Round(x) => {
                fits(&[*x], StepKind::Number)?
            }
            StraightLineStep::Modulo(x, y) | StraightLineStep::Remainder(x, y) => fits(&[*x, *y], StepKind::Number)?,
            StraightLineStep::Sum(terms) => fits(terms, StepKind::Number)?,
            StraightLineStep::Functional(functional, body, operands) => {
                let name = functional.name();
                if !body.has_value() || !body.line.is_empty() {
                    return Err(format!("`{name}` takes steps of which the last is a number"));
                }
                if body.input_count > operands.len() + 1 {
                    return Err(format!(
                        "the steps of `{name}` have {} variables: expected 1, and one for each of its {} operands",
                        body.input_count,
                        operands.len()
                    ));
                }
                fits(operands, StepKind::Number)?
            }
            StraightLineStep::Dot(xs, ys) => {
                if xs.len() != ys.len() {
                    return Err(format!(
                        "expected two rows of one length, found {} and {} numbers",
                        xs.len(),
                        ys.len()
                    ));
                }
                fits(xs, StepKind::Number)?;
                fits(ys, StepKind::Number)?
            }
            StraightLineStep::And(x, y) | StraightLineStep::Or(x, y) => fits(&[*x, *y], StepKind::Truth)?,
            StraightLineStep::Not(x) => fits(&[*x], StepKind::Truth)?,
            StraightLineStep::Choose(condition, x, y) => {
                fits(&[*condition], StepKind::Truth)?;
                // both alternatives must be of one kind
                fits(&[*y], of(*x)?)?
            }
        })
    }

    /// Evaluates the last step, at a number on the line.
    pub(super) fn value_on_line<O: Oracle>(
        &self,
        universe: &Arc<PiecewiseUniverse<O>>,
        x: &Graph,
    ) -> Result<Graph, ValueError> {
        let coordinates: Vec<_> = (0..self.input_count).map(|index| self.coordinate_on_line(index, x)).collect();
        self.value_at(universe, &coordinates)
    }

    /// Evaluates the last step, at a number for each variable.
    pub(super) fn value_at<O: Oracle>(
        &self,
        universe: &Arc<PiecewiseUniverse<O>>,
        x: &[Graph],
    ) -> Result<Graph, ValueError> {
        // computed on demand from the last step, so that a choice skips what it does not choose
        let known = RefCell::new(vec![None; self.steps.len()]);
        let run = StepRun { steps: self, universe, x, known: &known };
        let last = self.steps.len().checked_sub(1).ok_or(ValueError::Mismatch { expected: "a step", found: "none" })?;
        run.number_of_step(last)
    }
}

/// Returns the kind of a constant's value; `None` if it is not one of numbers.
fn kind_of_constant(constant: Constant) -> Option<StepKind> {
    use Constant::{
        Abs, Add, Divide, E, Elementary, Max, Min, Multiply, Negate, Pi, Planar, Power, RealEqual, RealGreater,
        RealGreaterEqual, RealLess, RealLessEqual, RealNotEqual, Sigmoid, Signum, Subtract,
    };
    match constant {
        RealLess | RealLessEqual | RealGreater | RealGreaterEqual | RealEqual | RealNotEqual => Some(StepKind::Truth),
        Add | Subtract | Multiply | Divide | Negate | Abs | Signum | Max | Min | Power | Sigmoid | Pi | E => {
            Some(StepKind::Number)
        }
        Elementary(_) | Planar(_) => Some(StepKind::Number),
        _ => None,
    }
}

/// An evaluation, with the steps computed so far.
struct StepRun<'a, O> {
    steps: &'a StraightLineProgram,
    universe: &'a Arc<PiecewiseUniverse<O>>,
    x: &'a [Graph],
    known: &'a RefCell<StepValues>,
}

impl<O: Oracle> StepRun<'_, O> {
    fn number_of_step(&self, step: usize) -> Result<Graph, ValueError> {
        match self.value_of_step(step)? {
            StepValue::Number(graph) => Ok(graph),
            StepValue::Truth(_) => Err(ValueError::Mismatch { expected: "a number", found: "a truth value" }),
        }
    }

    fn truth_of_step(&self, step: usize) -> Result<bool, ValueError> {
        match self.value_of_step(step)? {
            StepValue::Truth(b) => Ok(b),
            StepValue::Number(_) => Err(ValueError::Mismatch { expected: "a truth value", found: "a number" }),
        }
    }

    fn value_of_step(&self, step: usize) -> Result<StepValue, ValueError> {
        if let Some(Some(cell)) = self.known.borrow().get(step) {
            return Ok(cell.clone());
        }
        // operands may form a chain as long as the program
        let cell = with_stack(|| self.compute_step(step))?;
        self.known.borrow_mut()[step] = Some(cell.clone());
        Ok(cell)
    }

    fn compute_step(&self, step: usize) -> Result<StepValue, ValueError> {
        self.universe.charge_step()?;
        let site = SourceId::from_index(step);
        Ok(match &self.steps.steps[step] {
            StraightLineStep::Input(index) => match self.x.get(*index) {
                Some(x) => StepValue::Number(x.clone()),
                None => return Err(ValueError::Mismatch { expected: "a coordinate of the point", found: "none" }),
            },
            StraightLineStep::Number(q) => StepValue::Number(Graph::rational(q.clone())),
            StraightLineStep::Constant(constant, operands) => {
                let numbers = operands.iter().map(|x| self.number_of_step(*x)).collect::<Result<Vec<_>, _>>()?;
                self.universe.set_site(site);
                match (kind_of_constant(*constant), &numbers[..]) {
                    (Some(StepKind::Truth), [x, y]) => {
                        let holds =
                            self.universe.compare_reals(*constant, x, y).map_err(|error| error.with_source(site))?;
                        // oracles decide at once, so the comparison is a constant
                        let StageCondition::Constant(b) = holds else {
                            return Err(ValueError::Mismatch {
                                expected: "a truth value that is decided",
                                found: "a guard",
                            });
                        };
                        StepValue::Truth(b)
                    }
                    _ => {
                        let values: Vec<_> = numbers.into_iter().map(Value::Real).collect();
                        let value = self.universe.apply_first_order(*constant, &values);
                        let value = value.unwrap_or_else(|| self.universe.missing_rule(*constant));
                        StepValue::Number(value.map_err(|error| error.with_source(site))?.as_real()?.clone())
                    }
                }
            }
            StraightLineStep::Power(x, q) => {
                let x = self.number_of_step(*x)?;
                self.universe.set_site(site);
                StepValue::Number(self.universe.literal_power_of(&x, q).map_err(|error| error.with_source(site))?)
            }
            StraightLineStep::And(x, y) => StepValue::Truth(self.truth_of_step(*x)? && self.truth_of_step(*y)?),
            StraightLineStep::Or(x, y) => StepValue::Truth(self.truth_of_step(*x)? || self.truth_of_step(*y)?),
            StraightLineStep::Not(x) => StepValue::Truth(self.truth_of_step(*x)?.negate()),
            StraightLineStep::Choose(condition, x, y) => {
                self.value_of_step(if self.truth_of_step(*condition)? { *x } else { *y })?
            }
            StraightLineStep::Floor(x) => {
                let x = self.number_of_step(*x)?;
                self.universe.set_site(site);
                StepValue::Number(self.compute_floor(&x).map_err(|error| error.with_source(site))?)
            }
            StraightLineStep::Sum(terms) => {
                let terms = terms.iter().map(|x| self.number_of_step(*x)).collect::<Result<Vec<_>, _>>()?;
                StepValue::Number(sum_in_pairs(terms))
            }
            StraightLineStep::Dot(xs, ys) => {
                let product = |(x, y): (&usize, &usize)| {
                    Ok(Graph::binary(Binary::Multiply, &self.number_of_step(*x)?, &self.number_of_step(*y)?))
                };
                let terms = xs.iter().zip(ys).map(product).collect::<Result<Vec<_>, ValueError>>()?;
                StepValue::Number(sum_in_pairs(terms))
            }
            StraightLineStep::Round(x) => StepValue::Number(self.number_of_step(*x)?),
            StraightLineStep::Modulo(x, y) | StraightLineStep::Remainder(x, y) => {
                let has_sign_of_dividend = matches!(&self.steps.steps[step], StraightLineStep::Remainder(..));
                let (x, y) = (self.number_of_step(*x)?, self.number_of_step(*y)?);
                self.universe.set_site(site);
                let found = self.compute_remainder(&x, &y, has_sign_of_dividend);
                StepValue::Number(found.map_err(|error| error.with_source(site))?)
            }
            StraightLineStep::Functional(functional, ..) => {
                return Err(ValueError::Unsupported { model: O::MODEL, construct: format!("`{}`", functional.name()) });
            }
            StraightLineStep::Refused(why) => return Err(undecided_step(why.clone()).with_source(site)),
        })
    }

    /// Returns x - y·k, where the integer k is x/y rounded downward, or towards 0.
    fn compute_remainder(&self, x: &Graph, y: &Graph, towards_zero: bool) -> Result<Graph, ValueError> {
        let divided = self.universe.apply_first_order(Constant::Divide, &[x, y].map(|g| Value::Real(g.clone())));
        let quotient = divided.unwrap_or_else(|| self.universe.missing_rule(Constant::Divide))?.as_real()?.clone();
        let mut whole = self.compute_floor(&quotient)?;
        // towards 0 is upward for a negative quotient that is no integer
        if towards_zero
            && self.is_certain(Constant::RealLess, &quotient, &Graph::integer(0))?
            && !self.is_certain(Constant::RealEqual, &quotient, &whole)?
        {
            whole = Graph::binary(Binary::Add, &whole, &Graph::integer(1));
        }
        Ok(Graph::binary(Binary::Subtract, x, &Graph::binary(Binary::Multiply, y, &whole)))
    }

    fn is_certain(&self, comparison: Constant, x: &Graph, y: &Graph) -> Result<bool, ValueError> {
        match self.universe.compare_reals(comparison, x, y)? {
            StageCondition::Constant(holds) => Ok(holds),
            _ => Err(ValueError::Mismatch { expected: "a truth value that is decided", found: "a guard" }),
        }
    }

    /// Returns the greatest integer not above a number: the nearby one that the oracle knows, or the one below it.
    fn compute_floor(&self, x: &Graph) -> Result<Graph, ValueError> {
        let near = self.universe.oracle().nearby_integer(x);
        let near = near.ok_or_else(|| undecided_step("next to which whole number it lies was not found".to_owned()))?;
        let whole = Graph::rational(near.clone());
        Ok(match self.universe.compare_reals(Constant::RealLess, x, &whole)? {
            StageCondition::Constant(true) => Graph::rational(near - 1),
            _ => whole,
        })
    }
}

/// Adds numbers by halves, so that the depth of the sum is the logarithm of their number.
fn sum_in_pairs(mut terms: Vec<Graph>) -> Graph {
    while terms.len() > 1 {
        terms = terms
            .chunks(2)
            .map(|pair| match pair {
                [x, y] => Graph::binary(Binary::Add, x, y),
                _ => pair[0].clone(),
            })
            .collect();
    }
    terms.pop().unwrap_or_else(|| Graph::integer(0))
}

fn undecided_step(why: String) -> ValueError {
    ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Undecided, why))
}

/// The value of a step.
enum SmoothStepValue {
    Number(Graph),
    Truth(Guard),
}

impl StraightLineProgram {
    /// Returns the map ℝⁿ ⇝ ℝ of the program, as n variables and a graph over them.
    ///
    /// # Errors
    /// [`ValueError`] if the last step is no number, or if there are more variables than n.
    pub fn to_smooth_map(&self, n: usize) -> Result<(Vec<Variable>, Graph), ValueError> {
        let variables: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let mut cells: Vec<SmoothStepValue> = Vec::with_capacity(self.len());
        for step in &self.steps {
            let cell = smooth_step(step, &variables, &cells)?;
            cells.push(cell);
        }
        match cells.pop() {
            Some(SmoothStepValue::Number(graph)) => Ok((variables, graph)),
            _ => Err(ValueError::Mismatch { expected: "a number", found: "none" }),
        }
    }
}

impl StraightLineProgram {
    /// Returns the map ℝ ⇝ ℝ of a program of one variable, or of one on a line, as a variable and a graph over it.
    ///
    /// # Errors
    /// As [`to_smooth_map`](Self::to_smooth_map).
    pub fn to_smooth_line(&self) -> Result<(Variable, Graph), ValueError> {
        let t = Variable::fresh();
        let (variables, graph) = self.to_smooth_map(self.input_count.max(1))?;
        let bindings: Vec<_> = variables
            .into_iter()
            .enumerate()
            .map(|(index, variable)| (variable, self.coordinate_on_line(index, &Graph::variable(t))))
            .collect();
        Ok((t, graph.substitute(&bindings)))
    }
}

/// Builds the value of a step from those before it.
fn smooth_step(
    step: &StraightLineStep,
    variables: &[Variable],
    before: &[SmoothStepValue],
) -> Result<SmoothStepValue, ValueError> {
    let number = |step: &usize| match before.get(*step) {
        Some(SmoothStepValue::Number(graph)) => Ok(graph),
        _ => Err(ValueError::Mismatch { expected: "a number", found: "a truth value" }),
    };
    let truth = |step: &usize| match before.get(*step) {
        Some(SmoothStepValue::Truth(guard)) => Ok(guard),
        _ => Err(ValueError::Mismatch { expected: "a truth value", found: "a number" }),
    };
    Ok(match step {
        StraightLineStep::Input(index) => match variables.get(*index) {
            Some(variable) => SmoothStepValue::Number(Graph::variable(*variable)),
            None => return Err(ValueError::Mismatch { expected: "a coordinate of the point", found: "none" }),
        },
        StraightLineStep::Number(q) => SmoothStepValue::Number(Graph::rational(q.clone())),
        StraightLineStep::Constant(constant, operands) => {
            let numbers = operands.iter().map(number).collect::<Result<Vec<_>, _>>()?;
            match (kind_of_constant(*constant), &numbers[..]) {
                (Some(StepKind::Truth), [x, y]) => SmoothStepValue::Truth(comparison_guard(*constant, x, y)?),
                _ => {
                    let values: Vec<_> = numbers.into_iter().cloned().map(Value::Real).collect();
                    let value = GraphArithmetic
                        .apply_first_order(*constant, &values)
                        .unwrap_or_else(|| GraphArithmetic.missing_rule(*constant));
                    SmoothStepValue::Number(value?.as_real()?.clone())
                }
            }
        }
        StraightLineStep::Power(x, q) => SmoothStepValue::Number(
            GraphArithmetic.apply_real_constant(Constant::Power, &[number(x)?, &Graph::rational(q.clone())])?,
        ),
        // on guards, numbers with a sign, logic is arithmetic: both operands are used
        StraightLineStep::And(x, y) => SmoothStepValue::Truth(truth(x)?.and(truth(y)?)),
        StraightLineStep::Or(x, y) => SmoothStepValue::Truth(truth(x)?.or(truth(y)?)),
        StraightLineStep::Not(x) => SmoothStepValue::Truth(truth(x)?.not()),
        StraightLineStep::Choose(condition, x, y) => match before.get(*x) {
            Some(SmoothStepValue::Truth(then)) => SmoothStepValue::Truth(truth(condition)?.choose(then, truth(y)?)),
            _ => SmoothStepValue::Number(Graph::select(truth(condition)?, number(x)?, number(y)?)),
        },
        StraightLineStep::Floor(x) => SmoothStepValue::Number(smooth_floor(number(x)?)),
        StraightLineStep::Sum(terms) => {
            SmoothStepValue::Number(sum_in_pairs(terms.iter().map(|x| number(x).cloned()).collect::<Result<_, _>>()?))
        }
        StraightLineStep::Dot(xs, ys) => {
            let product = |(x, y): (&usize, &usize)| Ok(Graph::binary(Binary::Multiply, number(x)?, number(y)?));
            SmoothStepValue::Number(sum_in_pairs(xs.iter().zip(ys).map(product).collect::<Result<_, ValueError>>()?))
        }
        StraightLineStep::Round(x) => SmoothStepValue::Number(number(x)?.clone()),
        StraightLineStep::Modulo(x, y) | StraightLineStep::Remainder(x, y) => {
            let (x, y) = (number(x)?, number(y)?);
            let quotient = Graph::binary(Binary::Divide, x, y);
            let down = smooth_floor(&quotient);
            let whole = if matches!(step, StraightLineStep::Remainder(..)) {
                // the truncation of q is the floor for q > 0 and minus the floor of -q for q < 0; near 0 it is 0
                let up = Graph::unary(Unary::Negate, &smooth_floor(&Graph::unary(Unary::Negate, &quotient)));
                let is_small =
                    GraphArithmetic.compare_reals(Constant::RealLess, &quotient.abs(), &Graph::integer(1))?.to_guard();
                let whole = Graph::select(&Guard::positive(&quotient), &down, &up);
                Graph::select(&is_small, &Graph::integer(0), &whole)
            } else {
                down
            };
            SmoothStepValue::Number(Graph::binary(Binary::Subtract, x, &Graph::binary(Binary::Multiply, y, &whole)))
        }
        StraightLineStep::Functional(functional, body, operands) => {
            let (variables, map) = body.to_smooth_map(operands.len() + 1)?;
            let operands = operands.iter().map(|x| number(x).cloned()).collect::<Result<Vec<_>, _>>()?;
            let bindings: Vec<_> = variables[1..].iter().copied().zip(operands).collect();
            let (variable, map) = (variables[0], map.substitute(&bindings));
            SmoothStepValue::Number(match functional {
                StepFunctional::Integral => Graph::integral(variable, map),
                StepFunctional::Root => Graph::first_root(variable, map),
            })
        }
        // 1/0 is undefined everywhere, as a refused number is unknown
        StraightLineStep::Refused(_) => {
            SmoothStepValue::Number(Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0)))
        }
    })
}

/// Returns the guard of a comparison.
///
/// Equality has no interior: it is true nowhere, and where the numbers are equal it is undecided.
fn comparison_guard(constant: Constant, x: &Graph, y: &Graph) -> Result<Guard, ValueError> {
    let apart = || Guard::positive(&Graph::unary(Unary::Abs, &Graph::binary(Binary::Subtract, x, y)));
    Ok(match constant {
        Constant::RealNotEqual => apart(),
        Constant::RealEqual => apart().not(),
        _ => GraphArithmetic.compare_reals(constant, x, y)?.to_guard(),
    })
}

/// Returns the floor as x - 1/2 - atan (tan (π·(x - 1/2)))/π, which is undefined where the floor jumps.
fn smooth_floor(x: &Graph) -> Graph {
    let centred = Graph::binary(Binary::Subtract, x, &Graph::rational(Rational::from((1, 2))));
    let angle = Graph::binary(Binary::Multiply, &Graph::pi(), &centred);
    let turn = Graph::function(Function::Atan, &Graph::function(Function::Tan, &angle));
    Graph::binary(Binary::Subtract, &centred, &Graph::binary(Binary::Divide, &turn, &Graph::pi()))
}
