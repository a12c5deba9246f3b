//! The jets against the towers: random graphs, at random points, half of them where kinks and edges lie.
//!
//! `SMOOTHISH_ROUNDS=100 cargo test --test analysis tower::jets` draws a hundred times as many.

use super::comparison::{Comparison, compare};
use super::sample::{Draw, GraphGenerator, SplitMix64, formula};
use super::support::*;
use smoothish_laws::number::accuracy::PassOptions;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::{Context, Magnitude, Rational};
use smoothish_laws::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish_laws::smooth::graph::{Graph, Variable};
use smoothish_laws::smooth::jet::Jet;
use smoothish_laws::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use smoothish_laws::smooth::program::CompiledMap;
use smoothish_laws::smooth::tower::Tower;
use std::sync::Arc;

#[derive(Default, Debug)]
struct Tally {
    narrow: usize,
    kinked: usize,
    bottom: usize,
    sharper: usize,
    stricter: usize,
    wider: usize,
    /// The inputs are intervals: two formulas for one function may then be wide in different ways.
    on_boxes: bool,
}

impl Tally {
    /// # Panics
    /// Where the jet excludes the tower, or is wider though the inputs are points.
    #[track_caller]
    fn count(&mut self, tower: &Num, jet: &Num, place: &dyn Fn() -> String) {
        match compare(tower, jet) {
            Comparison::Refines => {}
            Comparison::Wider if self.on_boxes => self.wider += 1,
            Comparison::Sharper => self.sharper += 1,
            Comparison::Stricter => self.stricter += 1,
            wrong => panic!("{wrong:?}: tower {:?}, jet {:?}\n{}", show(tower), show(jet), place()),
        }
        if is_narrow(tower) {
            self.narrow += 1;
        } else if is_bottom(tower) {
            self.bottom += 1;
        } else {
            self.kinked += 1;
        }
    }
}

fn numbers(q: &[Rational]) -> Vec<Num> {
    q.iter().map(|q| context().enclose_rational(q)).collect()
}

/// A random graph with its variables, a point, and its two meanings.
struct Sample {
    graph: Graph,
    inputs: Vec<Variable>,
    point: Vec<Rational>,
    tower: Map,
    jets: Map,
}

impl Sample {
    fn draw(random: &mut SplitMix64, graphs: &GraphGenerator, variables: usize) -> Self {
        let inputs: Vec<_> = (0..variables).map(|_| Variable::fresh()).collect();
        let operations = 2 + random.next_below(5);
        let graph = graphs.draw_graph(random, &inputs, operations);
        let tower = map(Tower::of_graph(&graph, &inputs));
        let jets = map(Tower::by_jets(std::slice::from_ref(&graph), &inputs));
        Self { point: random.point(variables), graph, inputs, tower, jets }
    }

    fn place(&self, what: &str) -> String {
        format!("{what} at {:?} of {}", self.point, formula(&self.graph))
    }
}

/// An algebra over ℝ and the indices of its generators.
fn algebra(generators: &[AlgebraGenerator]) -> (Arc<Algebra>, Vec<usize>) {
    let mut algebra = Algebra::real();
    let mut indices = Vec::new();
    for g in generators {
        algebra = algebra.adjoin(*g).unwrap();
        indices.push(algebra.last_generator());
    }
    (algebra, indices)
}

/// The jet of a graph at `x + Σ v_i ε_i`.
fn run(sample: &Sample, (algebra, generators): &(Arc<Algebra>, Vec<usize>), directions: &[Vec<Num>]) -> Jet<Num> {
    let c = context();
    let inputs = numbers(&sample.point).into_iter().enumerate().map(|(i, x)| {
        let mut jet = Jet::constant(x);
        generators.iter().zip(directions).for_each(|(g, v)| jet.set(*g, Some(v[i].clone())));
        jet
    });
    let budget = Budget::unlimited();
    let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget);
    let program = CompiledMap::compile(&sample.inputs, std::slice::from_ref(&sample.graph));
    let machine = JetEvaluator::new(&c, &effort, &Algebra::real(), &program);
    let inputs: Vec<_> = inputs.collect();
    machine
        .eval_block(&program.root, algebra, &inputs, &[], &mut BranchDecisions::default(), EvalTarget::Outputs)
        .unwrap()
        .swap_remove(0)
}

/// Every coefficient over an algebra, against the Taylor coefficients of the tower.
fn coefficients(
    seed: u64,
    graphs: &GraphGenerator,
    count: usize,
    variables: usize,
    generators: &[AlgebraGenerator],
) -> Tally {
    let mut random = SplitMix64::new(seed);
    let mut tally = Tally::default();
    let over = algebra(generators);
    for _ in 0..count {
        let sample = Sample::draw(&mut random, graphs, variables);
        let v: Vec<_> = generators.iter().map(|_| numbers(&random.direction(variables))).collect();
        let jet = run(&sample, &over, &v);
        let expected = sample.tower.jet_at(&numbers(&sample.point), &v, &over.0, &context()).unwrap().swap_remove(0);
        for m in 0..over.0.len() {
            let zero = number(0, 1);
            let place = || sample.place(&format!("coefficient {:?} along {v:?}", over.0.exponents(m)));
            tally.count(expected.get(m).unwrap(), jet.get(m).unwrap_or(&zero), &place);
        }
    }
    tally
}

/// Derivatives along random directions over ℝ[ε₁, …, ε_k]/(ε_i²), at points or on boxes.
fn mixed(seed: u64, graphs: &GraphGenerator, count: usize, variables: usize, orders: usize, boxes: bool) -> Tally {
    let c = context();
    let mut random = SplitMix64::new(seed);
    let mut tally = Tally { on_boxes: boxes, ..Tally::default() };
    for _ in 0..count {
        let sample = Sample::draw(&mut random, graphs, variables);
        let mut x = numbers(&sample.point);
        if boxes {
            x.iter_mut().for_each(|x| *x = c.hull(x, &c.add(x, &number(1, 16))));
        }
        for k in 0..=orders {
            let v: Vec<_> = (0..k).map(|_| numbers(&random.direction(variables))).collect();
            let place = || sample.place(&format!("along {v:?} (on a box: {boxes})"));
            tally.count(&derivative(&sample.tower, &x, &v), &derivative(&sample.jets, &x, &v), &place);
        }
    }
    tally
}

/// k nested derivative nodes, against f⁽ᵏ⁾(x; 1, …, 1).
fn nested(seed: u64, graphs: &GraphGenerator, count: usize, orders: usize) -> Tally {
    let mut random = SplitMix64::new(seed);
    let mut tally = Tally::default();
    for _ in 0..count {
        let sample = Sample::draw(&mut random, graphs, 1);
        let x = numbers(&sample.point);
        let variable = Graph::variable(sample.inputs[0]);
        let mut nest = sample.graph.clone();
        for k in 1..=orders {
            nest = Graph::derivative(sample.inputs.clone(), nest, vec![variable.clone()], vec![Graph::integer(1)]);
            let by_jets = map(Tower::by_jets(std::slice::from_ref(&nest), &sample.inputs));
            let value = derivative(&by_jets, &x, &[]);
            let place = || sample.place(&format!("{k} nested nodes"));
            tally.count(&along_one(&sample.tower, &x[0], k), &value, &place);
            if k <= 3 {
                let by_prime = map(Tower::of_graph(&nest, &sample.inputs));
                tally.count(&derivative(&by_prime, &x, &[]), &value, &place);
            }
        }
    }
    tally
}

/// A number of samples, times what the environment asks for.
fn samples(count: usize) -> usize {
    count * std::env::var("SMOOTHISH_ROUNDS").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

const SMOOTH: GraphGenerator = GraphGenerator { derivative_depth: 0, has_kinks: false };
const EDGES: GraphGenerator = GraphGenerator { derivative_depth: 0, has_kinks: true };

/// Nothing is vacuous: numbers, kinks and ⊥ all occur, and no jet is stricter than the tower.
#[track_caller]
fn is_varied(tally: &Tally) {
    assert!(tally.narrow > 2 * tally.bottom && tally.bottom > 10 && tally.kinked > 2, "{tally:?}");
    assert_eq!(tally.stricter, 0, "{tally:?}");
}

#[test]
fn smooth_graphs_agree_to_order_six() {
    let count = samples(8);
    let tally = coefficients(1, &SMOOTH, count, 1, &[AlgebraGenerator::Taylor(6)]);
    assert_eq!(tally.narrow, count * 7);
}

#[test]
fn graphs_with_edges_agree_to_order_four() {
    is_varied(&coefficients(2, &EDGES, samples(120), 1, &[AlgebraGenerator::Taylor(4)]));
}

#[test]
fn boxes_agree() {
    let tally = mixed(6, &EDGES, samples(120), 2, 3, true);
    assert!(tally.narrow > 100 && tally.kinked > 100 && tally.bottom > 20, "{tally:?}");
    assert!(100 * tally.wider <= tally.kinked, "{tally:?}");
}

#[test]
fn nested_nodes_agree() {
    let count = samples(20);
    let tally = nested(7, &SMOOTH, count, 4);
    assert_eq!(tally.narrow, count * 7);
    is_varied(&nested(8, &EDGES, samples(300), 3));
}

#[test]
fn graphs_with_derivative_nodes_agree() {
    let count = samples(30);
    let tally = mixed(9, &GraphGenerator { derivative_depth: 1, has_kinks: false }, count, 1, 3, false);
    assert_eq!((tally.narrow, tally.stricter), (count * 4, 0));
    for (derivatives, variables, orders) in [(1, 2, 2), (2, 2, 1), (3, 1, 1)] {
        let graphs = GraphGenerator { derivative_depth: derivatives, has_kinks: true };
        for boxes in [false, true] {
            let tally = mixed(10 + derivatives as u64, &graphs, samples(60), variables, orders, boxes);
            assert!(
                tally.narrow > 40 && tally.bottom > 5 && 20 * (tally.stricter + tally.wider) <= tally.narrow,
                "{tally:?}"
            );
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn several_variables_agree() {
        use AlgebraGenerator::{Direction, Taylor};
        is_varied(&coefficients(3, &EDGES, samples(120), 2, &[Taylor(3), Taylor(3)]));
        is_varied(&coefficients(4, &EDGES, samples(150), 3, &[Direction(1), Taylor(2), Direction(2)]));
        is_varied(&mixed(5, &EDGES, samples(300), 3, 3, false));
    }
}
