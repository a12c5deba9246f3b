//! The cheap gradient principle: a gradient in any number of variables takes at most four times the operations of the
//! value (Baur and Strassen 1983; Griewank and Walther 2008, ch. 4). Executed operations are counted.

use super::generate;
use super::graphs::map_parts;
use super::path::PathSubject;
use super::term::TestTerm;
use crate::number::Rational;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::tape::Tape;
use crate::stack::with_stack;
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The greatest ratio of the cost of value and gradient to the cost of the value: the constant of the theorem.
pub const MAX_GRADIENT_RATIO: u64 = 4;

/// The time limit to interpret a program. A choice.
const INTERPRETATION_TIME: Duration = Duration::from_millis(200);

/// The cost of the gradient of a program of the [campaign](super::campaign), as a map of the rational numbers in it.
#[derive(Clone, Debug)]
pub struct GradientCost {
    /// The program.
    pub program: TestTerm,
    /// The number of rational numbers in it.
    pub variables: usize,
    /// The number of operations for the value.
    pub value: u64,
    /// The number of operations for value and gradient.
    pub gradient: u64,
}

/// Measures the program number `index` of a seed. Returns `None` if the program has integrals, roots or optima, which
/// no tape computes, or if it cannot be interpreted in time.
#[must_use]
pub fn gradient_cost(seed: u64, index: u64) -> Option<GradientCost> {
    let program = generate::random_program(seed, index).term;
    let subject = PathSubject::interpret_program(&program, &program.to_core()?, INTERPRETATION_TIME).ok()?;
    let mut open = ConstantLifting::default();
    let map = open.lift_constants(subject.graph());
    let (variables, point): (Vec<_>, Vec<_>) = open.numbers.into_iter().unzip();
    // both counts are taken on one tape, so simplifications favour neither
    let tape = Tape::compile_map(&variables, &[map]).ok()?;
    let [value, gradient] = tape.count_executed(&point);
    Some(GradientCost { program, variables: variables.len(), value, gradient })
}

/// Tests that the gradient of a random program takes at most [`MAX_GRADIENT_RATIO`] times the operations of the value. Vacuous if the
/// value takes none, or if there is no tape.
pub fn gradient_is_cheap(seed: u64, index: u64) -> Verdict {
    match gradient_cost(seed, index) {
        Some(cost) if cost.gradient > MAX_GRADIENT_RATIO * cost.value => {
            let [left, right] = [cost.gradient, MAX_GRADIENT_RATIO * cost.value].map(|n| format!("{n} operations"));
            Verdict::refuted(cost.program, left, right)
        }
        Some(cost) if cost.value > 0 && cost.variables > 0 => Verdict::Survived,
        _ => Verdict::Vacuous,
    }
}

/// Abstraction of a graph over its rational numbers: each becomes a variable of its own. Uses of a shared node share
/// it.
#[derive(Default)]
struct ConstantLifting {
    numbers: Vec<(Variable, f64)>,
    known: FxHashMap<usize, Graph>,
}

impl ConstantLifting {
    /// Replaces the rational numbers of a graph by variables.
    fn lift_constants(&mut self, graph: &Graph) -> Graph {
        // without memoisation shared nodes would be copied, and the counted cost would grow
        if let Some(known) = self.known.get(&graph.address()) {
            return known.clone();
        }
        let result = match graph.operation() {
            NodeOperation::Rational(q) => self.fresh_variable(q),
            _ => with_stack(|| map_parts(graph, &mut |part| self.lift_constants(part))),
        };
        self.known.insert(graph.address(), result.clone());
        result
    }

    /// Returns a fresh variable for `q`.
    fn fresh_variable(&mut self, q: &Rational) -> Graph {
        let variable = Variable::fresh();
        self.numbers.push((variable, q.to_f64()));
        Graph::variable(variable)
    }
}
