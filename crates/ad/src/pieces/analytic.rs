//! Sufficient conditions for a map to be analytic at a point: conditions on each of its operations (W §2.1).
//!
//! | operation | needs |
//! |---|---|
//! | `x / y`, `x ^ (-n)` | y ≠ 0, x ≠ 0 |
//! | `x ^ (p/q)`, q even; q odd | x > 0; x ≠ 0 |
//! | `abs x`, `signum x`, `max x y`, `min x y` | x ≠ 0, x ≠ y |
//! | a function whose domain has an end, as `log`, `sqrt`, `asin` | an interior point of the domain |
//! | `cbrt x`, `tan x` | x ≠ 0, cos x ≠ 0 |
//! | `lgamma x`, `digamma x`, `polygamma n x` | x > 0, or sin (π x) ≠ 0 |
//! | `atan2 y x` | x > 0, or y ≠ 0 |
//!
//! A derivative has the conditions of its body, at its point. A choice by a guard, an integral, a root, an optimum, and
//! a primitive that is given by an interval extension alone are rejected: no such conditions are known for them.

use super::guard::{Decided, Guard, Test};
use crate::function::{Course, Edge, Function, Surface};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Exponent, Graph, Operation, Unary, Variable};
use crate::smooth::primitive::ValueRule;
use crate::stack::deep;
use crate::undefined::Site;
use rustc_hash::FxHashSet;

/// A sufficient condition for an operation to be analytic at a point: one of the alternatives holds.
#[derive(Clone, Debug)]
pub struct Need {
    /// The operation, as the language writes it.
    pub operation: String,
    /// The alternatives.
    pub any: Vec<Decided>,
}

impl Need {
    fn along(&self, bindings: &[(Variable, Graph)]) -> Self {
        let along = |decided: &Decided| Decided { guard: decided.guard.along(bindings), ..decided.clone() };
        Self { operation: self.operation.clone(), any: self.any.iter().map(along).collect() }
    }

    /// Returns `true` if the condition holds for all values of the variables, `false` if for none. Returns `None` if
    /// this is not obvious.
    fn known(&self) -> Option<bool> {
        let known = |decided: &Decided| {
            let q = decided.guard.graph.as_rational()?;
            Some(decided.guard.test.holds(q.cmp0()) == decided.holds)
        };
        let known: Vec<_> = self.any.iter().map(known).collect();
        match known.contains(&Some(true)) {
            true => Some(true),
            false => known.iter().all(|one| *one == Some(false)).then_some(false),
        }
    }
}

fn positive(graph: &Graph) -> Decided {
    Decided { guard: Guard::new(graph, Test::Positive, Site::NOWHERE), holds: true, is_condition: true }
}

fn apart(x: &Graph, y: &Graph) -> Decided {
    Decided { guard: Guard::between(x, y, Test::Zero, Site::NOWHERE), holds: false, is_condition: true }
}

fn not_zero(graph: &Graph) -> Decided {
    apart(graph, &Graph::integer(0))
}

/// Collects the conditions for a map to be analytic at a point. Nodes in `known`, given by their addresses, are
/// skipped.
///
/// # Errors
/// An operation of which no condition is known, in words.
pub fn needs(g: &Graph, known: &FxHashSet<usize>) -> Result<Vec<Need>, String> {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    let mut all = Vec::new();
    while let Some(node) = pending.pop() {
        if known.contains(&node.address()) || !seen.insert(node.address()) {
            continue;
        }
        pending.extend(node.operation().parts());
        of(node, known, &mut all)?;
    }
    // only guards on rational constants can be decided without a point
    all.retain(|need: &Need| need.known() != Some(true));
    Ok(all)
}

/// Adds the conditions of one node.
fn of(node: &Graph, known: &FxHashSet<usize>, all: &mut Vec<Need>) -> Result<(), String> {
    let mut need = |operation: &str, any: Vec<Decided>| all.push(Need { operation: operation.to_owned(), any });
    match node.operation() {
        Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler => {}
        Operation::Unary(Unary::Negate, _) => {}
        Operation::Unary(Unary::Abs, a) => need("abs", vec![not_zero(a)]),
        Operation::Unary(Unary::Signum, a) => need("signum", vec![not_zero(a)]),
        Operation::Unary(Unary::Function(f), a) => {
            for any in of_function(*f, a) {
                need(f.name(), any);
            }
        }
        Operation::Binary(operation, a, b) => match operation {
            Binary::Add | Binary::Subtract | Binary::Multiply => {}
            Binary::Divide => need("/", vec![not_zero(b)]),
            Binary::Maximum => need("max", vec![apart(a, b)]),
            Binary::Minimum => need("min", vec![apart(a, b)]),
            Binary::Planar(f) => match f.row().surface {
                Surface::Angle => need(f.name(), vec![positive(b), not_zero(a)]),
            },
        },
        Operation::Power(a, Exponent { numerator, denominator }) => match (numerator, denominator) {
            (0.., 1) => {}
            (_, denominator) if denominator % 2 == 0 => need("^", vec![positive(a)]),
            _ => need("^", vec![not_zero(a)]),
        },
        Operation::Derivative(derivative) => {
            let at: Vec<_> = derivative.variables.iter().copied().zip(derivative.at.iter().cloned()).collect();
            let inner = deep(|| needs(&derivative.body, known))?;
            // the body's conditions hold at the point of the derivative, not at the outer variables
            all.extend(inner.iter().map(|need| need.along(&at)));
        }
        Operation::Primitive(primitive, arguments) => match &primitive.value {
            ValueRule::Map { variables, graph, .. } => {
                let at: Vec<_> = variables.iter().copied().zip(arguments.iter().cloned()).collect();
                let inner = deep(|| needs(graph, known))?;
                all.extend(inner.iter().map(|need| need.along(&at)));
            }
            ValueRule::Extension(_) => return Err(format!("`{}`", primitive.name)),
        },
        Operation::Second(..) => return Err("an integral, a root or an optimum".to_owned()),
        Operation::Select(..) => return Err("a choice by a guard".to_owned()),
    }
    Ok(())
}

fn of_function(f: Function, x: &Graph) -> Vec<Vec<Decided>> {
    let row = f.row();
    let mut all = Vec::new();
    let edge = |at: i8| Graph::rational(Rational::from(at));
    let beyond = |left: &Graph, right: &Graph| {
        let guard = Guard::between(left, right, Test::Positive, Site::NOWHERE);
        vec![Decided { guard, holds: true, is_condition: true }]
    };
    // a closed end belongs to the domain, but the function is not analytic there: `sqrt` at 0
    if let Edge::Open(at) | Edge::Closed(at) = row.domain.left {
        all.push(beyond(x, &edge(at)));
    }
    if let Edge::Open(at) | Edge::Closed(at) = row.domain.right {
        all.push(beyond(&edge(at), x));
    }
    match row.course {
        // an odd root is defined everywhere and has a vertical tangent at 0
        Course::Root(_) if row.domain.left == Edge::None => all.push(vec![not_zero(x)]),
        Course::Poles => all.push(vec![not_zero(&Graph::function(Function::Cos, x))]),
        // Γ and its relatives have poles at 0, -1, -2, …: right of 0, or off the integers
        Course::RisingBranches | Course::ConvexBranches => {
            let turns = Graph::binary(Binary::Multiply, &Graph::pi(), x);
            all.push(vec![positive(x), not_zero(&Graph::function(Function::Sin, &turns))]);
        }
        Course::Root(_) | Course::Rising | Course::Falling | Course::Even | Course::Wave { .. } => {}
    }
    all
}
