//! Random maps as graphs with shared nodes, and their shrinking.
//!
//! # Random dyadic numbers
//!
//! Random dyadic numbers, points and directions, half of them where kinks and edges lie.
//!
//! They shrink to [`smaller_rationals`]; the points of a consistency test shrink by [`simpler_rationals`].

use crate::number::{Function, Planar, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, GraphRewriting, NodeOperation, Unary, Variable};
pub use crate::smooth::tower::consistency::simpler_rationals;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;

/// A generator of random graphs, with limits on the operations used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphGenerator {
    /// The greatest depth of nested derivative nodes.
    pub derivative_depth: usize,
    /// `true` if kinks and functions that are not defined everywhere are allowed.
    pub has_kinks: bool,
}

impl GraphGenerator {
    /// Draws a map of these variables with `operations` operations at its root level. Earlier nodes are reused. There
    /// must be at least one variable.
    #[must_use]
    pub fn draw_graph(&self, random: &mut SplitMix64, variables: &[Variable], operations: usize) -> Graph {
        let mut pool: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
        for _ in 0..operations {
            let next = self.draw_operation(random, &pool);
            pool.push(next);
        }
        pool.swap_remove(pool.len() - 1)
    }

    /// Draws an operand: a constant, any earlier node, or one of the last two nodes.
    fn pick_operand(random: &mut SplitMix64, pool: &[Graph]) -> Graph {
        match random.next_below(6) {
            0 => Graph::rational(random_dyadic(random)),
            1 | 2 => random.pick(pool).clone(),
            // a choice: half of the operands are recent, so that graphs become deep
            _ => pool[pool.len() - 1 - random.next_below(pool.len().min(2))].clone(),
        }
    }

    /// Draws an operation on nodes of the pool.
    fn draw_operation(self, random: &mut SplitMix64, pool: &[Graph]) -> Graph {
        let a = Self::pick_operand(random, pool);
        let b = Self::pick_operand(random, pool);
        // 1 + a² is positive, inside the domains of quotients, roots and logarithms
        let one = Graph::integer(1);
        let positive = |a: &Graph| Graph::binary(Binary::Add, &one, &Graph::binary(Binary::Multiply, a, a));
        if self.derivative_depth > 0 && random.random_bool(25) {
            return self.draw_derivative(random, pool, a, b);
        }
        match random.next_below(if self.has_kinks { 20 } else { 12 }) {
            0 => Graph::binary(Binary::Add, &a, &b),
            1 => Graph::binary(Binary::Subtract, &a, &b),
            2 | 3 => Graph::binary(Binary::Multiply, &a, &b),
            4 => Graph::binary(Binary::Divide, &a, &positive(&b)),
            5 => Graph::unary(Unary::Negate, &a),
            6 => power_or_base(&a, 2 + random.next_below(3) as i64, 1),
            7 => power_or_base(&positive(&a), *random.pick(&[-1, 1, 3]), 2),
            8 | 9 => {
                use Function::{Asinh, Atan, Cos, Exp, Sin, Tanh};
                Graph::function(*random.pick(&[Sin, Cos, Atan, Tanh, Asinh, Exp]), &a)
            }
            10 => Graph::function(*random.pick(&[Function::Log, Function::Sqrt, Function::Cbrt]), &positive(&a)),
            // sinh and cosh grow like exp: the argument is bounded by a sine
            11 => Graph::function(*random.pick(&[Function::Sinh, Function::Cosh]), &Graph::function(Function::Sin, &a)),
            12 | 13 => Graph::binary(Binary::Maximum, &a, &b),
            14 => Graph::binary(Binary::Minimum, &a, &b),
            15 => Graph::unary(Unary::Abs, &a),
            16 => Graph::unary(Unary::Signum, &a),
            17 if random.random_bool(50) => Graph::binary(Binary::Planar(*random.pick(Planar::ALL)), &a, &b),
            17 => Graph::binary(Binary::Divide, &a, &b),
            18 => {
                let exponents = [(1, 2), (3, 2), (1, 3), (2, 3), (5, 3), (-1, 3), (-1, 1), (-2, 1), (4, 3), (7, 2)];
                let (p, q) = *random.pick(&exponents);
                power_or_base(&a, p, q)
            }
            _ => {
                use Function::{Acos, Acosh, Asin, Atanh, Cbrt, Log, Sqrt, Tan};
                Graph::function(
                    *random.pick(&[
                        Acos,
                        Acosh,
                        Asin,
                        Atanh,
                        Cbrt,
                        Log,
                        Function::LOG_GAMMA,
                        Function::DIGAMMA,
                        Sqrt,
                        Tan,
                    ]),
                    &a,
                )
            }
        }
    }

    /// Draws a derivative node that binds one or two variables and may mention the nodes of the pool.
    fn draw_derivative(self, random: &mut SplitMix64, pool: &[Graph], at: Graph, along: Graph) -> Graph {
        let bound: Vec<_> = (0..1 + random.next_below(3) / 2).map(|_| Variable::fresh()).collect();
        // in half of the cases the body also has a free node, whose derivative along the bound variables is 0
        let mut inner: Vec<_> = if random.random_bool(50) { Vec::new() } else { vec![random.pick(pool).clone()] };
        inner.extend(bound.iter().map(|v| Graph::variable(*v)));
        let graphs = Self { derivative_depth: self.derivative_depth - 1, ..self };
        for _ in 0..bound.len() + random.next_below(3) {
            let next = graphs.draw_operation(random, &inner);
            inner.push(next);
        }
        let (mut points, mut directions) =
            (vec![at], vec![if random.random_bool(50) { along } else { Graph::integer(1) }]);
        for _ in 1..bound.len() {
            points.push(Self::pick_operand(random, pool));
            directions.push(Self::pick_operand(random, pool));
        }
        Graph::derivative(bound, inner.swap_remove(inner.len() - 1), points, directions)
    }
}

/// Returns `a^(p/q)`. Returns `a` if the exponent is too large for a node.
fn power_or_base(a: &Graph, p: i64, q: i64) -> Graph {
    Graph::power(a, &Rational::from((p, q))).unwrap_or_else(|| a.clone())
}

/// Returns the nodes of a graph, each once, including those under binders.
#[must_use]
pub fn graph_nodes(graph: &Graph) -> Vec<Graph> {
    Graph::all_nodes([graph]).into_iter().cloned().collect()
}

/// Returns the graph with `by` in the place of `node`, at every use of it.
fn replace_node(graph: &Graph, node: &Graph, by: &Graph, known: &mut FxHashMap<usize, Graph>) -> Graph {
    if graph.address() == node.address() {
        return by.clone();
    }
    // a shared node is rebuilt once, so the work is linear in the graph and sharing is kept
    if let Some(known) = known.get(&graph.address()) {
        return known.clone();
    }
    let result = with_stack(|| map_parts(graph, &mut |part| replace_node(part, node, by, known)));
    known.insert(graph.address(), result.clone());
    result
}

/// A rewriting of all parts of a node, including the body that it binds.
struct EachPart<'a>(&'a mut dyn FnMut(&Graph) -> Graph);

impl GraphRewriting for EachPart<'_> {
    fn rewrite_operand(&mut self, operand: &Graph) -> Graph {
        (self.0)(operand)
    }

    fn rewrite_body(&mut self, bound: &[Variable], body: &Graph) -> (Vec<Variable>, Graph) {
        (bound.to_vec(), (self.0)(body))
    }
}

/// Rebuilds a node with `go` applied to each of its parts, including the body that it binds.
pub(super) fn map_parts(graph: &Graph, go: &mut dyn FnMut(&Graph) -> Graph) -> Graph {
    graph.rewrite_parts(&mut EachPart(go))
}

/// Returns the body of a binder, with the points of a derivative, or ½, in the place of its variables. Returns `None`
/// for other nodes.
fn open_binder(node: &Graph) -> Option<Graph> {
    match node.operation() {
        NodeOperation::Derivative(d) => {
            let bindings: Vec<_> = d.variables.iter().copied().zip(d.at.iter().cloned()).collect();
            Some(d.body.substitute(&bindings))
        }
        // ½ is the midpoint of the unit interval, over which the second-order primitives range
        NodeOperation::Second(_, v, body) => Some(body.substitute(&[(*v, Graph::rational(Rational::from((1, 2))))])),
        _ => None,
    }
}

/// Returns the graphs with one node replaced by a part of it, by its opened body, by 0, or by 1.
#[must_use]
pub fn graph_neighbours(graph: &Graph) -> Vec<Graph> {
    let mut found = Vec::new();
    for node in graph_nodes(graph) {
        let constants = [0, 1].map(Graph::integer);
        let leaf = matches!(node.operation(), NodeOperation::Rational(_));
        for by in node
            .operation()
            .operands()
            .into_iter()
            .cloned()
            .chain(open_binder(&node))
            .chain(constants.into_iter().filter(|_| !leaf))
        {
            found.push(replace_node(graph, &node, &by, &mut FxHashMap::default()));
        }
    }
    found
}

/// Returns the cost of a graph in shrinking: the number of its nodes and, as a tie-breaker, the weight of its leaves,
/// mainly the bits of the constants.
#[must_use]
pub fn graph_cost(graph: &Graph) -> (usize, u64) {
    let nodes = graph_nodes(graph);
    let weight = |node: &Graph| match node.operation() {
        NodeOperation::Rational(q) => rational_bits(q),
        // a choice: a variable weighs more than 0 and 1, which may replace it
        NodeOperation::Variable(_) | NodeOperation::Pi | NodeOperation::Euler => 3,
        _ => 0,
    };
    (nodes.len(), nodes.iter().map(weight).sum())
}

/// Returns the bits of numerator and denominator of a number, and one for its sign.
#[must_use]
pub fn rational_bits(q: &Rational) -> u64 {
    u64::from(q.numer().significant_bits() + q.denom().significant_bits()) + u64::from(*q < 0)
}

/// Returns the smaller numbers that shrinking tries: 0, 1, the absolute value, the integers beside q, and p/d nearer to 0 in
/// steps that halve. Smaller means a smaller denominator, then a smaller numerator, then a sign less.
#[must_use]
pub fn smaller_rationals(q: &Rational) -> Vec<Rational> {
    let order = |q: &Rational| (q.denom().clone(), q.numer().clone().abs(), *q < 0);
    let sign = Rational::from(if *q < 0 { -1 } else { 1 });
    let whole = q.clone().trunc();
    let mut found = vec![Rational::new(), Rational::from(1), q.clone().abs(), whole.clone(), whole + sign];
    let mut step = Rational::from(q.numer()).abs() / 2u32;
    while step >= 1 {
        let part = step.clone().floor() / q.denom();
        found.push(if *q < 0 { q + part } else { q - part });
        step /= 2u32;
    }
    found.retain(|smaller| order(smaller) < order(q));
    found.sort_by_cached_key(order);
    found.dedup();
    found
}

/// Returns the neighbours of a graph that [cost](graph_cost) less, the cheapest first: those of [`graph_neighbours`], and
/// those with a simpler constant. Their free variables are among those of the graph.
#[must_use]
pub fn smaller_graphs(graph: &Graph) -> Vec<Graph> {
    let cost = graph_cost(graph);
    let mut found = graph_neighbours(graph);
    for node in graph_nodes(graph) {
        if let NodeOperation::Rational(q) = node.operation() {
            let simpler = smaller_rationals(q).into_iter().map(Graph::rational);
            found.extend(simpler.map(|by| replace_node(graph, &node, &by, &mut FxHashMap::default())));
        }
    }
    let mut smaller: Vec<_> = found.into_iter().map(|g| (graph_cost(&g), g)).filter(|(new, _)| *new < cost).collect();
    smaller.sort_by_key(|(cost, _)| *cost);
    smaller.into_iter().map(|(_, graph)| graph).collect()
}

/// Returns the smallest failing graph that is found by going to ever smaller neighbours. `fails` is not called on
/// `graph` itself.
pub fn shrink_graph(mut graph: Graph, mut fails: impl FnMut(&Graph) -> bool) -> Graph {
    // the cost decreases strictly in a well-founded order, so the search ends
    while let Some(smaller) = smaller_graphs(&graph).into_iter().find(|candidate| fails(candidate)) {
        graph = smaller;
    }
    graph
}

/// Draws a dyadic number in [−2, 2]: −1, 0 or 1 in half of the cases, otherwise a multiple of 1/16.
pub fn random_dyadic(random: &mut SplitMix64) -> Rational {
    if random.random_bool(50) {
        Rational::from(random.next_below(3) as i64 - 1)
    } else {
        Rational::from((random.next_below(65) as i64 - 32, 16))
    }
}

/// Draws a dyadic number in (−2, 2) that is no integer: an odd multiple of 1/32, off every usual kink.
pub fn random_odd_dyadic(random: &mut SplitMix64) -> Rational {
    Rational::from((2 * random.next_below(64) as i64 - 63, 32))
}

/// Draws a point of ℝⁿ with dyadic coordinates. A third of them equal the first, so that max(x, y) is on its kink.
pub fn random_point(random: &mut SplitMix64, n: usize) -> Vec<Rational> {
    let first = random_dyadic(random);
    (0..n).map(|_| if random.next_below(3) == 0 { first.clone() } else { random_dyadic(random) }).collect()
}

/// Draws a direction in ℝⁿ with integer coordinates in [−3, 3].
pub fn random_direction(random: &mut SplitMix64, n: usize) -> Vec<Rational> {
    (0..n).map(|_| Rational::from(random.next_below(7) as i64 - 3)).collect()
}
