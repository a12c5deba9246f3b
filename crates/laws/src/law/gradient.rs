//! The cheap gradient principle: a gradient in any number of variables takes at most four times the operations of the
//! value (Baur and Strassen 1983; Griewank and Walther 2008, ch. 4). Executed operations are counted.

use super::generate;
use super::graphs::with_parts;
use super::path::Subject;
use super::term::Term;
use crate::number::Rational;
use crate::smooth::graph::{Graph, Operation, Variable};
use crate::smooth::tape::Tape;
use crate::stack::deep;
use crate::verdict::Verdict;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The greatest ratio of the cost of value and gradient to the cost of the value: the constant of the theorem.
pub const MOST: u64 = 4;

/// The time limit to interpret a program. A choice.
const PATIENCE: Duration = Duration::from_millis(200);

/// The cost of the gradient of a program of the [campaign](super::campaign), as a map of the rational numbers in it.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The program.
    pub program: Term,
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
pub fn cost(seed: u64, index: u64) -> Option<Cost> {
    let program = generate::program(seed, index).term;
    let subject = Subject::of(&program, &program.core()?, PATIENCE).ok()?;
    let mut open = Opening::default();
    let map = open.apply(subject.graph());
    let (variables, point): (Vec<_>, Vec<_>) = open.numbers.into_iter().unzip();
    // both counts are taken on one tape, so simplifications favour neither
    let tape = Tape::of(&variables, &[map]).ok()?;
    let [value, gradient] = tape.executed(&point);
    Some(Cost { program, variables: variables.len(), value, gradient })
}

/// Tests that the gradient of a random program takes at most [`MOST`] times the operations of the value. Vacuous if the
/// value takes none, or if there is no tape.
pub fn is_cheap(seed: u64, index: u64) -> Verdict {
    match cost(seed, index) {
        Some(cost) if cost.gradient > MOST * cost.value => {
            let [left, right] = [cost.gradient, MOST * cost.value].map(|n| format!("{n} operations"));
            Verdict::refuted(cost.program, left, right)
        }
        Some(cost) if cost.value > 0 && cost.variables > 0 => Verdict::Survived,
        _ => Verdict::Vacuous,
    }
}

/// Abstraction of a graph over its rational numbers: each becomes a variable of its own. Uses of a shared node share
/// it.
#[derive(Default)]
struct Opening {
    numbers: Vec<(Variable, f64)>,
    known: FxHashMap<usize, Graph>,
}

impl Opening {
    /// Replaces the rational numbers of a graph by variables.
    fn apply(&mut self, graph: &Graph) -> Graph {
        // without memoisation shared nodes would be copied, and the counted cost would grow
        if let Some(known) = self.known.get(&graph.address()) {
            return known.clone();
        }
        let result = match graph.operation() {
            Operation::Rational(q) => self.variable(q),
            _ => deep(|| with_parts(graph, &mut |part| self.apply(part))),
        };
        self.known.insert(graph.address(), result.clone());
        result
    }

    /// Returns a fresh variable for `q`.
    fn variable(&mut self, q: &Rational) -> Graph {
        let variable = Variable::fresh();
        self.numbers.push((variable, q.to_f64()));
        Graph::variable(variable)
    }
}
