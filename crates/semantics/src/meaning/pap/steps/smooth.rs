//! Conversion of a straight-line program to one map of its variables, as in [presheaf semantics](crate::meaning::presheaf).
//!
//! A choice is undefined on its border. Elsewhere the branch that is not chosen has no influence.
//!
//! A truth value is a [`Guard`], a number that is positive where it holds and negative where it fails.

use super::{Kind, Step, Steps, of_numbers};
use crate::function::Function;
use crate::meaning::presheaf::constants::Graphs;
use crate::model::universe::Arithmetic;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use crate::syntax::constant::Constant;
use crate::value::{Value, ValueError};

/// The value of a step.
enum Cell {
    Number(Graph),
    Truth(Guard),
}

impl Steps {
    /// Returns the map ℝⁿ ⇝ ℝ of the program, as n variables and a graph over them.
    ///
    /// # Errors
    /// [`ValueError`] if the last step is no number, or if there are more variables than n.
    pub fn smooth(&self, n: usize) -> Result<(Vec<Variable>, Graph), ValueError> {
        let variables: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let mut cells: Vec<Cell> = Vec::with_capacity(self.len());
        for step in &self.steps {
            let cell = cell(step, &variables, &cells)?;
            cells.push(cell);
        }
        match cells.pop() {
            Some(Cell::Number(graph)) => Ok((variables, graph)),
            _ => Err(ValueError::Mismatch { expected: "a number", found: "none" }),
        }
    }
}

/// Builds the value of a step from those before it.
fn cell(step: &Step, variables: &[Variable], before: &[Cell]) -> Result<Cell, ValueError> {
    let number = |step: &usize| match before.get(*step) {
        Some(Cell::Number(graph)) => Ok(graph),
        _ => Err(ValueError::Mismatch { expected: "a number", found: "a truth value" }),
    };
    let truth = |step: &usize| match before.get(*step) {
        Some(Cell::Truth(guard)) => Ok(guard),
        _ => Err(ValueError::Mismatch { expected: "a truth value", found: "a number" }),
    };
    Ok(match step {
        Step::Input(index) => match variables.get(*index) {
            Some(variable) => Cell::Number(Graph::variable(*variable)),
            None => return Err(ValueError::Mismatch { expected: "a coordinate of the point", found: "none" }),
        },
        Step::Number(q) => Cell::Number(Graph::rational(q.clone())),
        Step::Constant(constant, operands) => {
            let numbers = operands.iter().map(number).collect::<Result<Vec<_>, _>>()?;
            match (of_numbers(*constant), &numbers[..]) {
                (Some(Kind::Truth), [x, y]) => Cell::Truth(compared(*constant, x, y)?),
                _ => {
                    let values: Vec<_> = numbers.into_iter().cloned().map(Value::Real).collect();
                    let value = Graphs.first_order(*constant, &values).unwrap_or_else(|| Graphs.missing(*constant));
                    Cell::Number(value?.as_real()?.clone())
                }
            }
        }
        Step::Power(x, q) => Cell::Number(Graphs.real(Constant::Power, &[number(x)?, &Graph::rational(q.clone())])?),
        // on guards, numbers with a sign, logic is arithmetic: both operands are used
        Step::And(x, y) => Cell::Truth(truth(x)?.and(truth(y)?)),
        Step::Or(x, y) => Cell::Truth(truth(x)?.or(truth(y)?)),
        Step::Not(x) => Cell::Truth(truth(x)?.not()),
        Step::Choose(condition, x, y) => match before.get(*x) {
            Some(Cell::Truth(then)) => Cell::Truth(truth(condition)?.choose(then, truth(y)?)),
            _ => Cell::Number(Graph::select(truth(condition)?, number(x)?, number(y)?)),
        },
        Step::Floor(x) => Cell::Number(floor(number(x)?)),
        // 1/0 is undefined everywhere, as a refused number is unknown
        Step::Refused(_) => Cell::Number(Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0))),
    })
}

/// Returns the guard of a comparison.
///
/// Equality has no interior: it is true nowhere, and where the numbers are equal it is undecided.
fn compared(constant: Constant, x: &Graph, y: &Graph) -> Result<Guard, ValueError> {
    let apart = || Guard::positive(&Graph::unary(Unary::Abs, &Graph::binary(Binary::Subtract, x, y)));
    Ok(match constant {
        Constant::RealNotEqual => apart(),
        Constant::RealEqual => apart().not(),
        _ => Graphs.compare(constant, x, y)?.guard(),
    })
}

/// Returns the floor as x - 1/2 - atan (tan (π·(x - 1/2)))/π, which is undefined where the floor jumps.
fn floor(x: &Graph) -> Graph {
    let centred = Graph::binary(Binary::Subtract, x, &Graph::rational(Rational::from((1, 2))));
    let angle = Graph::binary(Binary::Multiply, &Graph::pi(), &centred);
    let turn = Graph::function(Function::Atan, &Graph::function(Function::Tan, &angle));
    Graph::binary(Binary::Subtract, &centred, &Graph::binary(Binary::Divide, &turn, &Graph::pi()))
}
