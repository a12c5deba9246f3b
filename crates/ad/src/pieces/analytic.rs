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

use super::function::{GuardCondition, SignGuard, SignTest};
use crate::function::{BinaryShape, DomainEnd, Function, Monotonicity, PoleSet};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, Unary, Variable};
use crate::smooth::primitive::ValueRule;
use crate::stack::with_stack;
use crate::undefined::SourceId;
use rustc_hash::FxHashSet;

/// A sufficient condition for an operation to be analytic at a point: one of the alternatives holds.
#[derive(Clone, Debug)]
pub struct AnalyticityCondition {
    /// The operation, as the language writes it.
    pub operation: String,
    /// The alternatives.
    pub any: Vec<GuardCondition>,
}

impl AnalyticityCondition {
    fn preimage_under(&self, bindings: &[(Variable, Graph)]) -> Self {
        let along = |decided: &GuardCondition| GuardCondition {
            guard: decided.guard.preimage_under(bindings),
            ..decided.clone()
        };
        Self { operation: self.operation.clone(), any: self.any.iter().map(along).collect() }
    }

    /// Returns `true` if the condition holds for all values of the variables, `false` if for none. Returns `None` if
    /// this is not obvious.
    fn decide_constant(&self) -> Option<bool> {
        let known = |decided: &GuardCondition| {
            let q = decided.guard.graph.as_rational()?;
            Some(decided.guard.test.is_satisfied_by(q.cmp0()) == decided.holds)
        };
        let known: Vec<_> = self.any.iter().map(known).collect();
        match known.contains(&Some(true)) {
            true => Some(true),
            false => known.iter().all(|one| *one == Some(false)).then_some(false),
        }
    }
}

fn positive_condition(graph: &Graph) -> GuardCondition {
    GuardCondition {
        guard: SignGuard::new(graph, SignTest::Positive, SourceId::NOWHERE),
        holds: true,
        is_condition: true,
    }
}

fn unequal_condition(x: &Graph, y: &Graph) -> GuardCondition {
    GuardCondition {
        guard: SignGuard::of_difference(x, y, SignTest::Zero, SourceId::NOWHERE),
        holds: false,
        is_condition: true,
    }
}

fn nonzero_condition(graph: &Graph) -> GuardCondition {
    unequal_condition(graph, &Graph::integer(0))
}

/// Collects the conditions for a map to be analytic at a point. Nodes in `known`, given by their addresses, are
/// skipped.
///
/// # Errors
/// An operation of which no condition is known, in words.
pub fn analyticity_conditions(g: &Graph, known: &FxHashSet<usize>) -> Result<Vec<AnalyticityCondition>, String> {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    let mut all = Vec::new();
    while let Some(node) = pending.pop() {
        if known.contains(&node.address()) || !seen.insert(node.address()) {
            continue;
        }
        pending.extend(node.operation().operands());
        add_node_conditions(node, known, &mut all)?;
    }
    // only guards on rational constants can be decided without a point
    all.retain(|need: &AnalyticityCondition| need.decide_constant() != Some(true));
    Ok(all)
}

/// Adds the conditions of one node.
fn add_node_conditions(
    node: &Graph,
    known: &FxHashSet<usize>,
    all: &mut Vec<AnalyticityCondition>,
) -> Result<(), String> {
    let mut need = |operation: &str, any: Vec<GuardCondition>| {
        all.push(AnalyticityCondition { operation: operation.to_owned(), any })
    };
    match node.operation() {
        NodeOperation::Variable(_) | NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => {}
        NodeOperation::Unary(Unary::Negate, _) => {}
        NodeOperation::Unary(Unary::Abs, a) => need("abs", vec![nonzero_condition(a)]),
        NodeOperation::Unary(Unary::Signum, a) => need("signum", vec![nonzero_condition(a)]),
        NodeOperation::Unary(Unary::Function(f), a) => {
            for any in function_conditions(*f, a) {
                need(f.name(), any);
            }
        }
        NodeOperation::Binary(operation, a, b) => match operation {
            Binary::Add | Binary::Subtract | Binary::Multiply => {}
            Binary::Divide => need("/", vec![nonzero_condition(b)]),
            Binary::Maximum => need("max", vec![unequal_condition(a, b)]),
            Binary::Minimum => need("min", vec![unequal_condition(a, b)]),
            Binary::Planar(f) => match f.row().shape {
                BinaryShape::Angle => need(f.name(), vec![positive_condition(b), nonzero_condition(a)]),
            },
        },
        NodeOperation::Power(a, RationalExponent { numerator, denominator }) => match (numerator, denominator) {
            (0.., 1) => {}
            (_, denominator) if denominator % 2 == 0 => need("^", vec![positive_condition(a)]),
            _ => need("^", vec![nonzero_condition(a)]),
        },
        NodeOperation::Derivative(derivative) => {
            let at: Vec<_> = derivative.variables.iter().copied().zip(derivative.at.iter().cloned()).collect();
            let inner = with_stack(|| analyticity_conditions(&derivative.body, known))?;
            // the body's conditions hold at the point of the derivative, not at the outer variables
            all.extend(inner.iter().map(|need| need.preimage_under(&at)));
        }
        NodeOperation::Primitive(primitive, arguments) => match &primitive.value {
            ValueRule::Map { variables, graph, .. } => {
                let at: Vec<_> = variables.iter().copied().zip(arguments.iter().cloned()).collect();
                let inner = with_stack(|| analyticity_conditions(graph, known))?;
                all.extend(inner.iter().map(|need| need.preimage_under(&at)));
            }
            ValueRule::Extension(_) => return Err(format!("`{}`", primitive.name)),
        },
        NodeOperation::Second(..) => return Err("an integral, a root or an optimum".to_owned()),
        NodeOperation::Select(..) => return Err("a choice by a guard".to_owned()),
    }
    Ok(())
}

fn function_conditions(f: Function, x: &Graph) -> Vec<Vec<GuardCondition>> {
    let row = f.row();
    let mut all = Vec::new();
    let edge = |at: i8| Graph::rational(Rational::from(at));
    let beyond = |left: &Graph, right: &Graph| {
        let guard = SignGuard::of_difference(left, right, SignTest::Positive, SourceId::NOWHERE);
        vec![GuardCondition { guard, holds: true, is_condition: true }]
    };
    // a closed end belongs to the domain, but the function is not analytic there: `sqrt` at 0
    if let DomainEnd::Open(at) | DomainEnd::Closed(at) = row.domain.left {
        all.push(beyond(x, &edge(at)));
    }
    if let DomainEnd::Open(at) | DomainEnd::Closed(at) = row.domain.right {
        all.push(beyond(&edge(at), x));
    }
    match row.monotonicity {
        // an odd root is defined everywhere and has a vertical tangent at 0
        Monotonicity::Root(_) if row.domain.left == DomainEnd::None => all.push(vec![nonzero_condition(x)]),
        Monotonicity::Root(_)
        | Monotonicity::Increasing
        | Monotonicity::Decreasing
        | Monotonicity::Even
        | Monotonicity::Sinusoidal { .. }
        | Monotonicity::Poles
        | Monotonicity::Own => {}
    }
    match row.poles {
        PoleSet::Empty => {}
        PoleSet::CosineZeros => all.push(vec![nonzero_condition(&Graph::function(Function::Cos, x))]),
        // right of 0, or off the integers
        PoleSet::NonPositiveIntegers => {
            let turns = Graph::binary(Binary::Multiply, &Graph::pi(), x);
            all.push(vec![positive_condition(x), nonzero_condition(&Graph::function(Function::Sin, &turns))]);
        }
    }
    all
}
