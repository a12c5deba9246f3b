//! An integral of an integral in the other order, by Fubini's theorem.
//!
//! Where a border `g (x, y) = 0` turns, as a circle does at its leftmost point, it is no graph over x, but one over y: what has no
//! bounded slope in one order is smooth in the other. Of `∫ α(x)·∫ h (x, y) dy + β(x) dx`, over a part of the interval of x, the other
//! order is `∫₀¹ ∫ α(x)·h (x, y) + β(x) dx dy`: the mean over y of what does not depend on it is itself.

use super::Block;
use crate::smooth::graph::{Binary, Graph, Occurrences, Operation, SecondOrder, Unary, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::deep;
use rustc_hash::{FxHashMap, FxHashSet};

/// What belongs to the integrand of an outer integral; see the [module](self).
#[derive(Debug)]
pub struct Swapped {
    /// Of y, the integral over the part of x. It captures the left end of the part and its length as well, as if these stood behind all
    /// captures of the integrand in the first order.
    pub integral: Part,
    /// Of x and y, the integrand.
    pub integrand: Part,
}

/// A block, and what it captures.
#[derive(Debug)]
pub struct Part {
    /// The block.
    pub block: Block,
    /// The places of its captures among those of the integrand in the first order.
    pub captures: Box<[usize]>,
}

/// The graphs that both are compiled from, with their parameters.
pub(super) struct Graphs {
    pub(super) integral: (Vec<Variable>, Graph),
    pub(super) integrand: (Vec<Variable>, Graph),
    /// The left end of the part, and its length.
    pub(super) part: [Graph; 2],
}

/// The other order of the integral of a graph over a variable; nothing where the graph is no integral, or where nothing in that switches
/// with both variables. Whether graphs have binders is known by their addresses.
pub(super) fn graphs(x: Variable, body: &Graph, binding: &mut FxHashMap<usize, bool>) -> Option<Graphs> {
    let inner = integral_in(body, binding)?;
    let Operation::Second(_, y, under) = inner.operation() else { return None };
    // what is outside of the inner integral would be under the binder of its variable
    if x == *y || body.depends_on(*y) {
        return None;
    }
    if !switches_with(under, [x, *y]) {
        return None;
    }
    let mut inlined = Substitution::new(&[]);
    inlined.replace(inner, under.clone());
    let integrand = inlined.apply(body);
    let along = Variable::fresh();
    let [a, l] = [(); 2].map(|()| Graph::variable(Variable::fresh()));
    let t = Graph::variable(along);
    let place = Graph::binary(Binary::Add, &a, &Graph::binary(Binary::Multiply, &l, &t));
    let here = Graph::binary(Binary::Multiply, &l, &integrand.substitute(&[(x, place)]));
    let integral = Graph::second_order(SecondOrder::Integral, along, here);
    Some(Graphs { integral: (vec![*y], integral), integrand: (vec![x, *y], integrand), part: [a, l] })
}

/// Whether some choice, kink or jump depends on all these variables.
fn switches_with(g: &Graph, variables: [Variable; 2]) -> bool {
    let (mut pending, mut seen) = (vec![g], FxHashSet::default());
    while let Some(g) = pending.pop() {
        let may_depend = variables.iter().all(|v| g.occurrences().may_meet(Occurrences::of(*v)));
        if !may_depend || !seen.insert(g.address()) {
            continue;
        }
        let number = match g.operation() {
            Operation::Select(guard, ..) => Some(guard),
            operation => operation.has_kink().then_some(g),
        };
        if number.is_some_and(|number| variables.iter().all(|v| number.depends_on(*v))) {
            return true;
        }
        pending.extend(g.operation().parts());
        pending.extend(g.operation().binder().map(|(_, body)| body));
    }
    false
}

/// The only binder in a graph, if that is an integral, and the graph affine in it.
fn integral_in<'g>(mut g: &'g Graph, binding: &mut FxHashMap<usize, bool>) -> Option<&'g Graph> {
    loop {
        g = match g.operation() {
            Operation::Second(SecondOrder::Integral, ..) => return Some(g),
            Operation::Unary(Unary::Negate, a) => a,
            Operation::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, a, b) => {
                match [a, b].map(|part| has_binder(part, binding)) {
                    [true, false] => a,
                    [false, true] => b,
                    _ => return None,
                }
            }
            Operation::Binary(Binary::Divide, a, b) if !has_binder(b, binding) => a,
            _ => return None,
        }
    }
}

/// Whether there is a binder in a graph, by the addresses of those that are known.
fn has_binder(g: &Graph, known: &mut FxHashMap<usize, bool>) -> bool {
    if let Some(&found) = known.get(&g.address()) {
        return found;
    }
    let operation = g.operation();
    let found =
        operation.binder().is_some() || deep(|| operation.parts().into_iter().any(|part| has_binder(part, known)));
    known.insert(g.address(), found);
    found
}
