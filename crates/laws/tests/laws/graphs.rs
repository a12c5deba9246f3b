//! What variables occur in a graph, and graphs with many inputs.

use smoothish_laws::law::graphs::GraphGenerator;
use smoothish_laws::number::Rational;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use smoothish_laws::smooth::program::CompiledMap;
use std::collections::BTreeSet;

/// The free variables by their definition.
fn free(g: &Graph) -> BTreeSet<Variable> {
    if let NodeOperation::Variable(v) = g.operation() {
        return BTreeSet::from([*v]);
    }
    let mut all: BTreeSet<_> = g.operation().operands().into_iter().flat_map(free).collect();
    if let Some((bound, body)) = g.operation().binder() {
        all.extend(free(body).into_iter().filter(|v| !bound.contains(v)));
    }
    all
}

fn agrees(g: &Graph, variables: &[Variable]) {
    let expected = free(g);
    assert_eq!(g.free_variables(), expected.iter().copied().collect::<Vec<_>>(), "{g:?}");
    for v in variables {
        assert_eq!(g.depends_on(*v), expected.contains(v), "{v:?} in {g:?}");
    }
}

#[test]
fn free_variables_are_those_that_occur_outside_their_binders() {
    let [x, y, z] = [Variable::fresh(), Variable::fresh(), Variable::fresh()];
    let [gx, gy] = [x, y].map(Graph::variable);
    let sum = Graph::binary(Binary::Add, &gx, &gy);
    let over = |v: Variable, body: &Graph| Graph::integral(v, body.clone());
    let hidden = Graph::derivative(vec![x], over(x, &sum), vec![gx.clone()], vec![gy.clone()]);
    // x free beside the binder that hides it, and both bound by binders that share a body
    let both = Graph::binary(Binary::Multiply, &over(x, &sum), &sum);
    let crossed = Graph::binary(Binary::Multiply, &over(x, &over(y, &sum)), &over(y, &sum));
    let all = [sum.clone(), over(x, &sum), over(z, &sum), over(y, &over(x, &sum)), hidden, both, crossed];
    for g in &all {
        agrees(g, &[x, y, z]);
    }
    let graphs = GraphGenerator { derivative_depth: 3, has_kinks: true };
    for seed in 0..300 {
        let g = graphs.draw_graph(&mut SplitMix64::new(seed), &[x, y, z], 9);
        agrees(&g, &[x, y, z]);
        agrees(&over(y, &g), &[x, y, z]);
        let moved = g.substitute(&[(x, over(x, &sum)), (y, gx.clone())]);
        agrees(&moved, &[x, y, z]);
    }
}

#[test]
fn what_is_replaced_nowhere_stays_the_graph_that_it_was() {
    let [x, y, z] = [Variable::fresh(), Variable::fresh(), Variable::fresh()];
    // y lies between x and z, so that only looking through the graph tells
    let g = Graph::binary(Binary::Add, &Graph::variable(x), &Graph::integral(z, Graph::variable(z)));
    let same = g.substitute(&[(y, Graph::integer(1))]);
    assert_eq!(same.address(), g.address());
    // z is bound, in a body that is to be moved to where z is free
    let body = Graph::binary(Binary::Multiply, &Graph::variable(y), &Graph::variable(z));
    let moved = Graph::integral(z, body).substitute(&[(y, Graph::variable(z))]);
    agrees(&moved, &[x, y, z]);
    assert!(moved.depends_on(z));
}

/// A variable may be bound twice, as in maps that are composed with themselves: what is alike under one binder need not be under another.
#[test]
fn graphs_are_the_same_up_to_the_names_of_what_they_bind() {
    let [t, w, u] = [(); 3].map(|()| Variable::fresh());
    let square = |v: Variable| Graph::binary(Binary::Multiply, &Graph::variable(v), &Graph::variable(v));
    let nested = |outer: Variable, inner: Variable, inside: &Graph| {
        let rest = Graph::integral(inner, inside.clone());
        Graph::integral(outer, Graph::binary(Binary::Add, inside, &rest))
    };
    let (of_t, of_w) = (square(t), square(w));
    assert!(!nested(t, t, &of_t).is_alpha_equivalent(&nested(w, u, &of_w)));
    assert!(nested(t, t, &of_t).is_alpha_equivalent(&nested(w, w, &of_w)));
    assert!(nested(t, u, &of_t).is_alpha_equivalent(&nested(w, u, &of_w)));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_hundred_thousand_inputs() {
        let n = 100_000;
        let inputs: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let term = |v: &Variable| Graph::binary(Binary::Multiply, &Graph::integer(3), &Graph::variable(*v));
        let sum = inputs.iter().map(term).fold(Graph::integer(0), |sum, t| Graph::binary(Binary::Add, &sum, &t));
        let t = Variable::fresh();
        let doubled: Vec<_> = inputs
            .iter()
            .map(|v| (*v, Graph::binary(Binary::Add, &Graph::variable(*v), &Graph::variable(t))))
            .collect();
        let moved = sum.substitute(&doubled);
        assert!(CompiledMap::unbound_variables(&inputs, std::slice::from_ref(&sum)).is_empty());
        assert_eq!(CompiledMap::unbound_variables(&inputs, std::slice::from_ref(&moved)), [t]);
        // every input 1/3, moved by t: ∫ (n + 3n·t) dt
        let third = Graph::rational(Rational::from((1, 3)));
        let point: Vec<_> = inputs.iter().map(|v| (*v, third.clone())).collect();
        let integral = Graph::integral(t, moved.substitute(&point));
        let answer = integral.to_real().unwrap().enclose(&Rational::from((1, 1000)), &Budget::unlimited()).unwrap();
        assert!(answer.reached && answer.enclosure.contains(&Rational::from((5 * n, 2))), "{}", answer.enclosure);
    }
}
