//! Sufficient conditions for a map to be analytic at a point: conditions on each of its operations (W §2.1).
//!
//! They are the regions `analytic` of the [table of conditions](crate::function::OperationConditions), as guards on graphs.
//!
//! A derivative has the conditions of its body, at its point. A choice by a guard, an integral, a root, an optimum, and
//! a primitive that is given by an interval extension alone are rejected: no such conditions are known for them.

use super::function::{GuardCondition, SignGuard, SignTest};
use crate::function::{ArgumentCondition, Function, NumberSet, TestedQuantity};
use crate::smooth::graph::{Graph, NodeOperation, Variable};
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

/// Returns the guards of a condition of the [table](crate::function::OperationConditions) on graphs: it holds where one of them does. A
/// missing argument gives none.
#[must_use]
pub fn condition_guards(condition: ArgumentCondition, arguments: &[&Graph]) -> Vec<GuardCondition> {
    let (x, subtrahend) = match (condition.quantity, arguments) {
        (TestedQuantity::First, [x, ..]) | (TestedQuantity::Second, [_, x, ..]) => (*x, None),
        (TestedQuantity::Difference, [x, y, ..]) => (*x, Some(*y)),
        _ => return Vec::new(),
    };
    let guard = |guard: SignGuard, holds: bool| GuardCondition { guard, holds, is_condition: true };
    let zero = Graph::integer(0);
    let difference = |x: &Graph, y: &Graph, test: SignTest| SignGuard::of_difference(x, y, test, SourceId::NOWHERE);
    let beyond = |e: i8, test: SignTest| guard(difference(x, &Graph::integer(e.into()), test), true);
    let below = |e: i8, test: SignTest| {
        let opposite = -difference(x, &Graph::integer(e.into()), test).graph;
        guard(SignGuard::new(&opposite, test, SourceId::NOWHERE), true)
    };
    let is_nonzero = |graph: &Graph| guard(difference(graph, &zero, SignTest::Zero), false);
    match condition.set {
        NumberSet::Above(e) => vec![beyond(e, SignTest::Positive)],
        NumberSet::AtLeast(e) => vec![beyond(e, SignTest::NonNegative)],
        NumberSet::Below(e) => vec![below(e, SignTest::Positive)],
        NumberSet::AtMost(e) => vec![below(e, SignTest::NonNegative)],
        NumberSet::Except(e) => {
            let border = Graph::integer(e.into());
            vec![guard(difference(x, subtrahend.unwrap_or(&border), SignTest::Zero), false)]
        }
        NumberSet::AboveMinusInverseE => {
            let border = -Graph::function(Function::Exp, &Graph::integer(-1));
            vec![guard(difference(x, &border, SignTest::Positive), true)]
        }
        NumberSet::ExceptCosineZeros => vec![is_nonzero(&Graph::function(Function::Cos, x))],
        // right of 0, or off the integers
        NumberSet::ExceptNonPositiveIntegers => {
            let turns = Graph::pi() * x;
            vec![beyond(0, SignTest::Positive), is_nonzero(&Graph::function(Function::Sin, &turns))]
        }
    }
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
    if let Some(operation) = node.operation().real_operation() {
        let arguments = node.operation().operands();
        let guards = |clause: &&[ArgumentCondition]| AnalyticityCondition {
            operation: operation.to_string(),
            any: clause.iter().flat_map(|condition| condition_guards(*condition, &arguments)).collect(),
        };
        all.extend(operation.conditions().analytic.0.iter().map(guards));
        return Ok(());
    }
    match node.operation() {
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
            ValueRule::Extension(_) if primitive.is_entire => {}
            ValueRule::Extension(_) => return Err(format!("`{}`", primitive.name)),
        },
        NodeOperation::Second(..) => return Err("an integral, a root or an optimum".to_owned()),
        NodeOperation::Select(..) => return Err("a choice by a guard".to_owned()),
        // leaves
        _ => {}
    }
    Ok(())
}
