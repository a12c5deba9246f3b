//! The cheap gradient principle: a gradient, of however many variables, takes at most four times what the value takes
//! (Baur and Strassen 1983; Griewank and Walther 2008, ch. 4), counted in executed operations.

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

/// How many times the value.
pub const MOST: u64 = 4;

/// How long a program is interpreted, at most.
const PATIENCE: Duration = Duration::from_millis(200);

/// A program of the [campaign](super::campaign) as a map of the numbers that are written in it, and what its gradient costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The program.
    pub program: Term,
    /// How many numbers are written in it.
    pub variables: usize,
    /// What its value takes.
    pub value: u64,
    /// What its value and its gradient take.
    pub gradient: u64,
}

/// The program number `index` of a seed; nothing where it has integrals, roots or optima, which no tape computes.
#[must_use]
pub fn cost(seed: u64, index: u64) -> Option<Cost> {
    let program = generate::program(seed, index).term;
    let subject = Subject::of(&program, &program.core()?, PATIENCE).ok()?;
    let mut open = Opening::default();
    let map = open.apply(subject.graph());
    let (variables, point): (Vec<_>, Vec<_>) = open.numbers.into_iter().unzip();
    let tape = Tape::of(&variables, &[map]).ok()?;
    let [value, gradient] = tape.executed(&point);
    Some(Cost { program, variables: variables.len(), value, gradient })
}

/// The gradient of a program in the numbers that are written in it takes at most [`MOST`] times what the program takes.
/// Vacuous for what computes nothing.
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

/// Rational numbers become variables, each its own but where a node is shared.
#[derive(Default)]
struct Opening {
    numbers: Vec<(Variable, f64)>,
    known: FxHashMap<usize, Graph>,
}

impl Opening {
    fn apply(&mut self, graph: &Graph) -> Graph {
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

    fn variable(&mut self, q: &Rational) -> Graph {
        let variable = Variable::fresh();
        self.numbers.push((variable, q.to_f64()));
        Graph::variable(variable)
    }
}
