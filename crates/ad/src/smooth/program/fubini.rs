//! Double integrals in the other order, by Fubini's theorem.
//!
//! A curve `g (x, y) = 0` may turn, as a circle does at its leftmost point. There it is no graph over x, but one over y: a
//! boundary with no bounded slope in one order is smooth in the other. For `∫ α(x)·∫ h (x, y) dy + β(x) dx`, over a part of
//! the interval of x, the other order is `∫₀¹ ∫ α(x)·h (x, y) + β(x) dx dy`: a function that does not depend on y is its
//! own mean over y.

use super::Block;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Occurrences, SecondOrder, Unary, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};

/// The other order of a double integral, stored with the integrand of the outer one; see the [module](self).
#[derive(Debug)]
pub struct SwappedIntegral {
    /// A function of y: the integral over the part of x. The left end and the length of the part are captured last, behind
    /// all captures of the integrand in the first order.
    pub integral: CapturingBlock,
    /// A function of x and y: the integrand.
    pub integrand: CapturingBlock,
}

/// A block, with the sources of its captures.
#[derive(Debug)]
pub struct CapturingBlock {
    /// The block.
    pub block: Block,
    /// For each capture of the block, its index among the captures of the integrand in the first order.
    pub captures: Box<[usize]>,
}

/// The graphs from which the other order is compiled.
pub(super) struct SwappedGraphs {
    /// The parameter y and the integral over the part of x.
    pub(super) integral: (Vec<Variable>, Graph),
    /// The parameters x and y and the integrand.
    pub(super) integrand: (Vec<Variable>, Graph),
    /// The left end of the part of x, and its length.
    pub(super) part: [Graph; 2],
}

/// Returns the other order of the integral of `body` over x.
///
/// Returns `None` if the body is no integral, or no branch in it depends on both variables. `binding` caches, by address,
/// the graphs that have binders.
pub(super) fn swap_order(x: Variable, body: &Graph, binding: &mut FxHashMap<usize, bool>) -> Option<SwappedGraphs> {
    let inner = integral_in(body, binding)?;
    let NodeOperation::Second(_, y, under) = inner.operation() else { return None };
    // Substitution would capture: the parts outside of the inner integral come under the binder of its variable.
    if x == *y || body.depends_on(*y) {
        return None;
    }
    // Only a branch in both variables can have a boundary that turns.
    if !switches_with(under, [x, *y]) {
        return None;
    }
    let mut inlined = Substitution::new(&[]);
    inlined.replace_node(inner, under.clone());
    let integrand = inlined.apply(body);
    let along = Variable::fresh();
    let [a, l] = [(); 2].map(|()| Graph::variable(Variable::fresh()));
    let t = Graph::variable(along);
    // x = a + l·t with t in [0, 1], so dx = l dt.
    let place = Graph::binary(Binary::Add, &a, &Graph::binary(Binary::Multiply, &l, &t));
    let here = Graph::binary(Binary::Multiply, &l, &integrand.substitute(&[(x, place)]));
    let integral = Graph::second_order(SecondOrder::Integral, along, here);
    Some(SwappedGraphs { integral: (vec![*y], integral), integrand: (vec![x, *y], integrand), part: [a, l] })
}

/// Returns `true` if some choice, kink or jump depends on all these variables.
fn switches_with(g: &Graph, variables: [Variable; 2]) -> bool {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    while let Some(g) = pending.pop() {
        let may_depend = variables.iter().all(|v| g.occurrences().may_meet(Occurrences::of_variable(*v)));
        if !may_depend || !seen.insert(g.address()) {
            continue;
        }
        let number = match g.operation() {
            NodeOperation::Select(guard, ..) => Some(guard),
            operation => operation.has_kink().then_some(g),
        };
        if number.is_some_and(|number| variables.iter().all(|v| number.depends_on(*v))) {
            return true;
        }
        pending.extend(g.operation().operands());
        pending.extend(g.operation().binder().map(|(_, body)| body));
    }
    false
}

/// Returns the only binder in a graph, if it is an integral and the graph is affine in it.
fn integral_in<'g>(mut g: &'g Graph, binding: &mut FxHashMap<usize, bool>) -> Option<&'g Graph> {
    loop {
        g = match g.operation() {
            NodeOperation::Second(SecondOrder::Integral, ..) => return Some(g),
            NodeOperation::Unary(Unary::Negate, a) => a,
            // Affine: the integral may stand in one operand only, and not in a divisor.
            NodeOperation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, a, b) => {
                match [a, b].map(|part| has_binder(part, binding)) {
                    [true, false] => a,
                    [false, true] => b,
                    _ => return None,
                }
            }
            NodeOperation::Binary(Binary::Divide, a, b) if !has_binder(b, binding) => a,
            _ => return None,
        }
    }
}

/// Returns `true` if there is a binder in a graph. `known` caches the answers by address.
fn has_binder(g: &Graph, known: &mut FxHashMap<usize, bool>) -> bool {
    if let Some(&found) = known.get(&g.address()) {
        return found;
    }
    let operation = g.operation();
    let found = operation.binder().is_some()
        || with_stack(|| operation.operands().into_iter().any(|part| has_binder(part, known)));
    known.insert(g.address(), found);
    found
}
