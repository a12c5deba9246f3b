//! Straight-line programs with truth values and choices: traces of programs in other languages.
//!
//! A step names an operation and the earlier steps that are its operands. A choice computes only the chosen step. So `where(x >
//! 0, log(x), 0)` has a value at -1, as in the frameworks, which compute both and discard one. Each step is computed at most
//! once.

mod smooth;

use super::Pieces;
use super::oracle::Oracle;
use crate::model::universe::{Arithmetic, Universe};
use crate::number::Rational;
use crate::presheaf::condition::Condition;
use crate::smooth::graph::{Binary, Graph};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::value::{Cause, Site, Truth, Undefined, Value, ValueError};
use std::cell::RefCell;
use std::sync::Arc;

/// A step. Its operands are indices of earlier steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
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
    /// An unknown number, with the reason; a program that needs it is undecided.
    Refused(String),
}

/// The kind of a step's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
#[derive(Clone, Debug, Default)]
pub struct Steps {
    steps: Vec<Step>,
    kinds: Vec<Kind>,
    /// The number of variables.
    inputs: usize,
    /// A point and a direction: the variables are `point + t·direction`. If empty, the one variable is t.
    line: Vec<[Rational; 2]>,
}

/// The values of the steps computed so far in a run.
type Known = Vec<Option<Cell>>;

/// The value of a step.
#[derive(Clone, Debug)]
enum Cell {
    Number(Graph),
    Truth(bool),
}

impl Steps {
    /// Appends a step, and returns its index.
    ///
    /// # Errors
    /// [`StepError`] if an operand does not come before the step or is of the wrong kind, or if the constant is not one of
    /// numbers or has another arity.
    pub fn push(&mut self, step: Step) -> Result<usize, StepError> {
        let number = self.steps.len();
        let kind = self.kind(&step).map_err(|reason| StepError { step: number, reason })?;
        if let Step::Input(index) = step {
            self.inputs = self.inputs.max(index + 1);
        }
        self.steps.push(step);
        self.kinds.push(kind);
        Ok(number)
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
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns `true` if there are several variables, and no line.
    #[must_use]
    pub fn is_of_several(&self) -> bool {
        self.inputs > 1 && self.line.is_empty()
    }

    /// Restricts to a line: returns the program `t ↦ f(point + t·direction)` of one variable.
    ///
    /// # Errors
    /// [`StepError`] if the point and the direction differ in length, or have fewer coordinates than there are variables.
    pub fn along(&self, point: &[Rational], direction: &[Rational]) -> Result<Self, StepError> {
        if point.len() != direction.len() || point.len() < self.inputs {
            let reason = format!(
                "expected a point and a direction of {} coordinates, found {} and {}",
                self.inputs,
                point.len(),
                direction.len()
            );
            return Err(StepError { step: 0, reason });
        }
        let line = point.iter().cloned().zip(direction.iter().cloned()).map(|(p, d)| [p, d]).collect();
        Ok(Self { line, ..self.clone() })
    }

    /// Returns the variable `index` on the line.
    fn coordinate(&self, index: usize, t: &Graph) -> Graph {
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
        self.kinds.last() == Some(&Kind::Number)
    }

    /// Returns the kind of a step's value, or the reason why it does not fit the steps before it.
    fn kind(&self, step: &Step) -> Result<Kind, String> {
        let of =
            |operand: usize| self.kinds.get(operand).copied().ok_or("refers to a step that does not come before it");
        let fits = |operands: &[usize], kind: Kind| {
            for operand in operands {
                if of(*operand)? != kind {
                    return Err(match kind {
                        Kind::Number => "expected a number, found a truth value",
                        Kind::Truth => "expected a truth value, found a number",
                    });
                }
            }
            Ok(kind)
        };
        Ok(match step {
            Step::Input(_) | Step::Number(_) | Step::Refused(_) => Kind::Number,
            Step::Constant(constant, operands) => {
                let kind =
                    of_numbers(*constant).ok_or_else(|| format!("`{}` is no operation of numbers", constant.name()))?;
                if constant.arity() != operands.len() {
                    return Err(format!(
                        "`{}` takes {} operands, found {}",
                        constant.name(),
                        constant.arity(),
                        operands.len()
                    ));
                }
                fits(operands, Kind::Number)?;
                kind
            }
            Step::Power(x, _) | Step::Floor(x) => fits(&[*x], Kind::Number)?,
            Step::And(x, y) | Step::Or(x, y) => fits(&[*x, *y], Kind::Truth)?,
            Step::Not(x) => fits(&[*x], Kind::Truth)?,
            Step::Choose(condition, x, y) => {
                fits(&[*condition], Kind::Truth)?;
                // both alternatives must be of one kind
                fits(&[*y], of(*x)?)?
            }
        })
    }

    /// Evaluates the last step, at a number on the line.
    pub(super) fn value<O: Oracle>(&self, universe: &Arc<Pieces<O>>, x: &Graph) -> Result<Graph, ValueError> {
        let coordinates: Vec<_> = (0..self.inputs).map(|index| self.coordinate(index, x)).collect();
        self.value_at(universe, &coordinates)
    }

    /// Evaluates the last step, at a number for each variable.
    pub(super) fn value_at<O: Oracle>(&self, universe: &Arc<Pieces<O>>, x: &[Graph]) -> Result<Graph, ValueError> {
        // computed on demand from the last step, so that a choice skips what it does not choose
        let known = RefCell::new(vec![None; self.steps.len()]);
        let run = Run { steps: self, universe, x, known: &known };
        let last = self.steps.len().checked_sub(1).ok_or(ValueError::Mismatch { expected: "a step", found: "none" })?;
        run.number(last)
    }
}

/// Returns the kind of a constant's value; `None` if it is not one of numbers.
fn of_numbers(constant: Constant) -> Option<Kind> {
    use Constant::{
        Abs, Add, Divide, E, Elementary, Max, Min, Multiply, Negate, Pi, Planar, Power, RealEqual, RealGreater,
        RealGreaterEqual, RealLess, RealLessEqual, RealNotEqual, Sigmoid, Signum, Subtract,
    };
    match constant {
        RealLess | RealLessEqual | RealGreater | RealGreaterEqual | RealEqual | RealNotEqual => Some(Kind::Truth),
        Add | Subtract | Multiply | Divide | Negate | Abs | Signum | Max | Min | Power | Sigmoid | Pi | E => {
            Some(Kind::Number)
        }
        Elementary(_) | Planar(_) => Some(Kind::Number),
        _ => None,
    }
}

/// An evaluation, with the steps computed so far.
struct Run<'a, O> {
    steps: &'a Steps,
    universe: &'a Arc<Pieces<O>>,
    x: &'a [Graph],
    known: &'a RefCell<Known>,
}

impl<O: Oracle> Run<'_, O> {
    fn number(&self, step: usize) -> Result<Graph, ValueError> {
        match self.cell(step)? {
            Cell::Number(graph) => Ok(graph),
            Cell::Truth(_) => Err(ValueError::Mismatch { expected: "a number", found: "a truth value" }),
        }
    }

    fn truth(&self, step: usize) -> Result<bool, ValueError> {
        match self.cell(step)? {
            Cell::Truth(b) => Ok(b),
            Cell::Number(_) => Err(ValueError::Mismatch { expected: "a truth value", found: "a number" }),
        }
    }

    fn cell(&self, step: usize) -> Result<Cell, ValueError> {
        if let Some(Some(cell)) = self.known.borrow().get(step) {
            return Ok(cell.clone());
        }
        // operands may form a chain as long as the program
        let cell = deep(|| self.computed(step))?;
        self.known.borrow_mut()[step] = Some(cell.clone());
        Ok(cell)
    }

    fn computed(&self, step: usize) -> Result<Cell, ValueError> {
        self.universe.step()?;
        let site = Site::numbered(step);
        Ok(match &self.steps.steps[step] {
            Step::Input(index) => match self.x.get(*index) {
                Some(x) => Cell::Number(x.clone()),
                None => return Err(ValueError::Mismatch { expected: "a coordinate of the point", found: "none" }),
            },
            Step::Number(q) => Cell::Number(Graph::rational(q.clone())),
            Step::Constant(constant, operands) => {
                let numbers = operands.iter().map(|x| self.number(*x)).collect::<Result<Vec<_>, _>>()?;
                self.universe.stands_at(site);
                match (of_numbers(*constant), &numbers[..]) {
                    (Some(Kind::Truth), [x, y]) => {
                        let holds = self.universe.compare(*constant, x, y).map_err(|error| error.at(site))?;
                        // oracles decide at once, so the comparison is a constant
                        let Condition::Constant(b) = holds else {
                            return Err(ValueError::Mismatch {
                                expected: "a truth value that is decided",
                                found: "a guard",
                            });
                        };
                        Cell::Truth(b)
                    }
                    _ => {
                        let values: Vec<_> = numbers.into_iter().map(Value::Real).collect();
                        let value = self.universe.first_order(*constant, &values);
                        let value = value.unwrap_or_else(|| self.universe.missing(*constant));
                        Cell::Number(value.map_err(|error| error.at(site))?.as_real()?.clone())
                    }
                }
            }
            Step::Power(x, q) => {
                let x = self.number(*x)?;
                self.universe.stands_at(site);
                Cell::Number(self.universe.power(&x, q).map_err(|error| error.at(site))?)
            }
            Step::And(x, y) => Cell::Truth(self.truth(*x)? && self.truth(*y)?),
            Step::Or(x, y) => Cell::Truth(self.truth(*x)? || self.truth(*y)?),
            Step::Not(x) => Cell::Truth(self.truth(*x)?.negated()),
            Step::Choose(condition, x, y) => self.cell(if self.truth(*condition)? { *x } else { *y })?,
            Step::Floor(x) => {
                let x = self.number(*x)?;
                self.universe.stands_at(site);
                Cell::Number(self.floor(&x).map_err(|error| error.at(site))?)
            }
            Step::Refused(why) => return Err(undecided(why.clone()).at(site)),
        })
    }

    /// Returns the greatest integer not above a number: the nearby one that the oracle knows, or the one below it.
    fn floor(&self, x: &Graph) -> Result<Graph, ValueError> {
        let near = self.universe.oracle().whole_near(x);
        let near = near.ok_or_else(|| undecided("next to which whole number it lies was not found".to_owned()))?;
        let whole = Graph::rational(near.clone());
        Ok(match self.universe.compare(Constant::RealLess, x, &whole)? {
            Condition::Constant(true) => Graph::rational(near - 1),
            _ => whole,
        })
    }
}

fn undecided(why: String) -> ValueError {
    ValueError::undefined(Undefined::of(Cause::Undecided, why))
}
