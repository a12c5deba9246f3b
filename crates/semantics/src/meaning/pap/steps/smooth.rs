//! Conversion of a straight-line program to one map of its variables, as in [presheaf semantics](crate::meaning::presheaf).
//!
//! A choice is undefined on its border. Elsewhere the branch that is not chosen has no influence.
//!
//! A truth value is a [`Guard`], a number that is positive where it holds and negative where it fails.

use super::{StepKind, StraightLineProgram, StraightLineStep, kind_of_constant};
use crate::function::Function;
use crate::meaning::presheaf::constants::GraphArithmetic;
use crate::model::universe::RealArithmetic;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use crate::syntax::constant::Constant;
use crate::value::{Value, ValueError};

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
