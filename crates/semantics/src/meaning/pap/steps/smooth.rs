//! Steps as one map of their variables, as the [presheaf meaning](crate::meaning::presheaf) has programs: a choice has no value on its
//! border, and elsewhere what is not chosen counts for nothing.
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

enum Cell {
    Number(Graph),
    Truth(Guard),
}

impl Steps {
    /// The map ℝⁿ ⇝ ℝ that they are, as a graph over its variables, n of them.
    ///
    /// # Errors
    /// [`ValueError`], where the last step is no number, or there are more variables than n.
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
        Step::And(x, y) => Cell::Truth(truth(x)?.and(truth(y)?)),
        Step::Or(x, y) => Cell::Truth(truth(x)?.or(truth(y)?)),
        Step::Not(x) => Cell::Truth(truth(x)?.not()),
        Step::Choose(condition, x, y) => match before.get(*x) {
            Some(Cell::Truth(then)) => Cell::Truth(truth(condition)?.choose(then, truth(y)?)),
            _ => Cell::Number(Graph::select(truth(condition)?, number(x)?, number(y)?)),
        },
        Step::Floor(x) => Cell::Number(floor(number(x)?)),
        Step::Refused(_) => Cell::Number(Graph::binary(Binary::Divide, &Graph::integer(1), &Graph::integer(0))),
    })
}

/// A comparison. That two numbers are equal has no interior: it is nowhere true, and where they are, it is not decided.
fn compared(constant: Constant, x: &Graph, y: &Graph) -> Result<Guard, ValueError> {
    let apart = || Guard::positive(&Graph::unary(Unary::Abs, &Graph::binary(Binary::Subtract, x, y)));
    Ok(match constant {
        Constant::RealNotEqual => apart(),
        Constant::RealEqual => apart().not(),
        _ => Graphs.compare(constant, x, y)?.guard(),
    })
}

/// x - 1/2 - atan (tan (π·(x - 1/2)))/π, which has no value where the floor jumps.
fn floor(x: &Graph) -> Graph {
    let centred = Graph::binary(Binary::Subtract, x, &Graph::rational(Rational::from((1, 2))));
    let angle = Graph::binary(Binary::Multiply, &Graph::pi(), &centred);
    let turn = Graph::function(Function::Atan, &Graph::function(Function::Tan, &angle));
    Graph::binary(Binary::Subtract, &centred, &Graph::binary(Binary::Divide, &turn, &Graph::pi()))
}
