//! The jets against the towers: random graphs, at random points, half of them where kinks and edges lie.

use super::sample::{Graphs, Random, formula};
use super::support::*;
use smoothish::number::budget::Budget;
use smoothish::number::effort::Effort;
use smoothish::number::{Context, Function, Magnitude, Mpfr, Rational};
use smoothish::smooth::algebra::{Algebra, Generator};
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::smooth::jet::Jet;
use smoothish::smooth::machine::{Branches, Machine, Target};
use smoothish::smooth::program::Program;
use smoothish::smooth::tower::{Tower, TowerError, kink};
use std::sync::Arc;

/// How an enclosure by jets compares with the one by the tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    /// tower ⊑ jet, and where the tower knows the number the jet does.
    Refines,
    /// The same, and the jet knows a number that the tower does not.
    Sharper,
    /// tower ⊑ jet but for definedness: a narrow range that is not known to be defined.
    Stricter,
    /// The jet is wider.
    Wider,
    /// No number is in both.
    Disjoint,
}

fn compare(tower: &Num, jet: &Num) -> Comparison {
    let c = context();
    if !c.is_defined(tower) {
        return if is_narrow(jet) { Comparison::Sharper } else { Comparison::Refines };
    }
    if !overlap(tower, jet) {
        Comparison::Disjoint
    } else if !contains(tower, jet) || (is_narrow(tower) && !is_narrow(&c.assert_defined(jet.clone()))) {
        Comparison::Wider
    } else if !c.is_defined(jet) {
        Comparison::Stricter
    } else if is_narrow(jet) && !is_narrow(tower) {
        Comparison::Sharper
    } else {
        Comparison::Refines
    }
}

#[derive(Default, Debug)]
struct Tally {
    narrow: usize,
    kinked: usize,
    bottom: usize,
    sharper: usize,
    stricter: usize,
}

impl Tally {
    /// # Panics
    /// Where the jet excludes the tower, or is wider.
    #[track_caller]
    fn count(&mut self, tower: &Num, jet: &Num, place: &dyn Fn() -> String) {
        match compare(tower, jet) {
            Comparison::Refines => {}
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
    q.iter().map(|q| context().rational(q)).collect()
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
    fn draw(random: &mut Random, graphs: &Graphs, variables: usize) -> Self {
        let inputs: Vec<_> = (0..variables).map(|_| Variable::fresh()).collect();
        let operations = 2 + random.below(5);
        let graph = graphs.draw(random, &inputs, operations);
        let tower = map(Tower::of_graph(&graph, &inputs));
        let jets = map(Tower::by_jets(std::slice::from_ref(&graph), &inputs));
        Self { point: random.point(variables), graph, inputs, tower, jets }
    }

    fn place(&self, what: &str) -> String {
        format!("{what} at {:?} of {}", self.point, formula(&self.graph))
    }
}

/// An algebra over ℝ and the indices of its generators.
fn algebra(generators: &[Generator]) -> (Arc<Algebra>, Vec<usize>) {
    let mut algebra = Algebra::real();
    let mut indices = Vec::new();
    for g in generators {
        algebra = algebra.adjoin(*g);
        indices.push(algebra.generator());
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
    let effort = Effort::new(Magnitude::power_of_two(-100), &budget);
    let program = Program::compile(&sample.inputs, std::slice::from_ref(&sample.graph));
    let machine = Machine::new(&c, &effort, &Algebra::real(), &program);
    let inputs: Vec<_> = inputs.collect();
    machine.run(&program.root, algebra, &inputs, &[], &mut Branches::default(), Target::Outputs).unwrap().swap_remove(0)
}

/// Every coefficient over an algebra, against the Taylor coefficients of the tower.
fn coefficients(seed: u64, graphs: &Graphs, count: usize, variables: usize, generators: &[Generator]) -> Tally {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let over = algebra(generators);
    for _ in 0..count {
        let sample = Sample::draw(&mut random, graphs, variables);
        let v: Vec<_> = generators.iter().map(|_| numbers(&random.direction(variables))).collect();
        let jet = run(&sample, &over, &v);
        let expected = sample.tower.jet(&numbers(&sample.point), &v, &over.0, &context()).unwrap().swap_remove(0);
        for m in 0..over.0.len() {
            let zero = number(0, 1);
            let place = || sample.place(&format!("coefficient {:?} along {v:?}", over.0.exponents(m)));
            tally.count(expected.get(m).unwrap(), jet.get(m).unwrap_or(&zero), &place);
        }
    }
    tally
}

/// Derivatives along random directions over ℝ[ε₁, …, ε_k]/(ε_i²), at points or on boxes.
fn mixed(seed: u64, graphs: &Graphs, count: usize, variables: usize, orders: usize, boxes: bool) -> Tally {
    let c = context();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
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
fn nested(seed: u64, graphs: &Graphs, count: usize, orders: usize) -> Tally {
    let mut random = Random::new(seed);
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

const SMOOTH: Graphs = Graphs { derivatives: 0, edges: false };
const EDGES: Graphs = Graphs { derivatives: 0, edges: true };

/// Nothing is vacuous: numbers, kinks and ⊥ all occur, and no jet is stricter than the tower.
#[track_caller]
fn is_varied(tally: &Tally) {
    assert!(tally.narrow > 2 * tally.bottom && tally.bottom > 10 && tally.kinked > 2, "{tally:?}");
    assert_eq!(tally.stricter, 0, "{tally:?}");
}

#[test]
fn smooth_graphs_agree_to_order_six() {
    let tally = coefficients(1, &SMOOTH, 8, 1, &[Generator::Taylor(6)]);
    assert_eq!(tally.narrow, 8 * 7);
}

#[test]
fn graphs_with_edges_agree_to_order_four() {
    is_varied(&coefficients(2, &EDGES, 120, 1, &[Generator::Taylor(4)]));
}

#[test]
fn several_variables_agree() {
    use Generator::{Infinitesimal, Taylor};
    is_varied(&coefficients(3, &EDGES, 60, 2, &[Taylor(3), Taylor(3)]));
    is_varied(&coefficients(4, &EDGES, 60, 3, &[Infinitesimal, Taylor(2), Infinitesimal]));
    is_varied(&mixed(5, &EDGES, 120, 3, 3, false));
}

#[test]
fn boxes_agree() {
    let tally = mixed(6, &EDGES, 120, 2, 3, true);
    assert!(tally.narrow > 100 && tally.kinked > 100 && tally.bottom > 20, "{tally:?}");
}

#[test]
fn nested_nodes_agree() {
    let tally = nested(7, &SMOOTH, 20, 4);
    assert_eq!(tally.narrow, 20 * 7);
    is_varied(&nested(8, &EDGES, 100, 3));
}

#[test]
fn graphs_with_derivative_nodes_agree() {
    let tally = mixed(9, &Graphs { derivatives: 1, edges: false }, 30, 1, 3, false);
    assert_eq!((tally.narrow, tally.stricter), (30 * 4, 0));
    for (derivatives, variables, orders) in [(1, 2, 2), (2, 2, 1), (3, 1, 1)] {
        let graphs = Graphs { derivatives, edges: true };
        for boxes in [false, true] {
            let tally = mixed(10 + derivatives as u64, &graphs, 60, variables, orders, boxes);
            assert!(tally.narrow > 40 && tally.bottom > 5 && tally.stricter <= 4, "{tally:?}");
        }
    }
}

#[test]
fn a_structural_zero_says_more() {
    // the tower multiplies ⊥ by a direction that is 0 (E42); jets do so only where the zero is a number like any other
    let (x, y, t) = (Variable::fresh(), Variable::fresh(), Variable::fresh());
    let (gx, gy, gt) = (Graph::variable(x), Graph::variable(y), Graph::variable(t));
    let root = |g: &Graph| Graph::function(Function::Sqrt, g);
    let plus_root = |g: &Graph| Graph::binary(Binary::Add, g, &root(&gx));
    let partial = Graph::derivative(vec![t], plus_root(&gt), vec![gy.clone()], vec![Graph::integer(1)]);
    let times_root = Graph::binary(Binary::Multiply, &gx, &root(&Graph::integer(0)));
    let cases = [
        (plus_root(&gy), vector(&[0, 0]), vec![vector(&[0, 1])], Comparison::Refines),
        (partial, vector(&[0, 0]), vec![], Comparison::Sharper),
        (times_root, vector(&[1, 0]), vec![vector(&[1, 0])], Comparison::Sharper),
    ];
    for (g, point, directions, expected) in cases {
        let tower = derivative(&map(Tower::of_graph(&g, &[x, y])), &point, &directions);
        let jet = derivative(&map(Tower::by_jets(&[g], &[x, y])), &point, &directions);
        assert_bottom(&tower, "tower");
        assert_eq!(compare(&tower, &jet), expected);
    }
}

/// A derivative at a point that does not exist: `linear(f)⁽¹⁾(⊥; v) = f v` does not look at the point; a derivative node of
/// the jets is defined only where its body is.
#[test]
fn jets_are_stricter_about_points_that_do_not_exist() {
    let (x, u) = (Variable::fresh(), Variable::fresh());
    let nowhere = Graph::function(Function::Log, &Graph::variable(x));
    let minus = Graph::unary(Unary::Negate, &Graph::variable(u));
    let node = Graph::derivative(vec![u], minus, vec![nowhere], vec![Graph::integer(1)]);
    let tower = derivative(&map(Tower::of_graph(&node, &[x])), &vector(&[-1]), &[]);
    let jet = derivative(&map(Tower::by_jets(&[node], &[x])), &vector(&[-1]), &[]);
    assert_identical(&tower, &number(-1, 1), "tower");
    assert_identical(&jet, &context().undefined(number(-1, 1)), "jet");
    assert_eq!(compare(&tower, &jet), Comparison::Stricter);
}

#[test]
fn powers_are_as_smooth_at_zero_as_they_should_be() {
    // x^{4/3} is C¹ with derivative (4/3)·x^{1/3}: dividing by the base would answer ⊥
    let x = Variable::fresh();
    let at = |p: i64, q: i64, x0: Num, k: usize| {
        let power = Graph::power(&Graph::variable(x), &Rational::from((p, q))).unwrap();
        derivative(&map(Tower::by_jets(&[power], &[x])), &[x0], &vec![vector(&[1]); k])
    };
    assert_identical(&at(4, 3, number(0, 1), 1), &number(0, 1), "x^{4/3}");
    assert_bottom(&at(4, 3, number(0, 1), 2), "x^{4/3}");
    assert_identical(&at(7, 3, number(0, 1), 2), &number(0, 1), "x^{7/3}");
    assert_bottom(&at(7, 3, number(0, 1), 3), "x^{7/3}");
    assert_bottom(&at(3, 2, number(0, 1), 1), "x^{3/2}");
    assert_bottom(&at(1, 3, number(0, 1), 1), "x^{1/3}");
    // and on a box as tight as the formula: the derivatives of x³ on [1, 2] are 3x², 6x, 6
    for (k, lo, hi) in [(1, 3, 12), (2, 6, 12), (3, 6, 6), (4, 0, 0)] {
        assert_identical(&at(3, 1, interval(1, 2), k), &interval(lo, hi), &format!("x³, order {k}"));
    }
    let slope = at(3, 2, interval(1, 4), 1);
    let expected = context().hull(&number(3, 2), &number(3, 1));
    assert!(contains(&slope, &expected) && contains(&expected, &slope), "x^{{3/2}}: {}", show(&slope));
}

#[test]
fn a_wrong_tower_is_caught_by_the_jets() {
    let (x, y) = (Variable::fresh(), Variable::fresh());
    let max = Graph::binary(Binary::Maximum, &Graph::variable(x), &Graph::variable(y));
    let jets = map(Tower::by_jets(&[max], &[x, y]));
    let right: Map = kink::maximum();
    // max⁽¹⁾ = dx always; 0 at order 2, on the diagonal too
    let wrong = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        match vs {
            [] => right.at(x, c),
            [v] => Ok(vec![v[0].clone()]),
            _ => Ok(vec![c.integer(0)]),
        }
    });
    let v = [vector(&[1, 2]), vector(&[3, 4])];
    let verdict = |x: &[i64], k: usize| {
        compare(&derivative(&wrong, &vector(x), &v[..k]), &derivative(&jets, &vector(x), &v[..k]))
    };
    assert_eq!(verdict(&[2, 1], 1), Comparison::Refines);
    assert_eq!(verdict(&[1, 2], 1), Comparison::Disjoint);
    assert_eq!(verdict(&[1, 1], 1), Comparison::Wider);
    assert_eq!(verdict(&[1, 1], 2), Comparison::Wider);
}
