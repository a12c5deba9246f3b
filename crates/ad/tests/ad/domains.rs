//! Constructors and slopes of graphs, and the domains of the fold: each rule on random operations, at random points.

use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Enclosure, Function, Rational};
use smoothish_ad::random::SplitMix64;
use smoothish_ad::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish_ad::verdict::Verdict;

/// Every operation of one operand and of two, without choices and solvers.
const UNARY: [Unary; 3] = [Unary::Negate, Unary::Abs, Unary::Signum];
const BINARY: [Binary; 6] =
    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Maximum, Binary::Minimum];
const EXPONENTS: [(i64, i64); 7] = [(2, 1), (3, 1), (-1, 1), (-2, 1), (1, 2), (-3, 2), (2, 3)];

/// A random map of some variables; nodes are shared, so that it is a graph and not a tree.
fn random_graph(random: &mut SplitMix64, variables: &[Variable], size: usize) -> Graph {
    let mut nodes: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
    nodes.extend([-1, 0, 1, 2].map(Graph::integer));
    for _ in 0..size {
        let (a, b) = (random.pick(&nodes).clone(), random.pick(&nodes).clone());
        nodes.push(match random.next_below(8) {
            0 => Graph::unary(*random.pick(&UNARY), &a),
            1 => Graph::power(&a, &Rational::from(*random.pick(&EXPONENTS))).unwrap(),
            2 | 3 => Graph::function(*random.pick(Function::ALL), &a),
            _ => Graph::binary(*random.pick(&BINARY), &a, &b),
        });
    }
    nodes.pop().unwrap()
}

/// A random coordinate, often one at which functions have an edge.
fn random_number(random: &mut SplitMix64) -> Rational {
    Rational::from((random.next_below(17) as i64 - 8, 1 + random.next_below(4) as i64))
}

/// The value at a point; `None` if the map is not shown to be defined there.
fn value_at(graph: &Graph, at: &[(Variable, Graph)]) -> Option<Enclosure> {
    let real = graph.substitute(at).to_real().ok()?;
    let found = real.enclose(&Rational::from((1, 1 << 20)), &Budget::new(200_000, None, None)).ok()?.enclosure;
    found.is_defined().then_some(found)
}

/// Whether a constructor has the value and the domain of the operation that it stands for.
fn keeps_value_and_domain(
    count: u64,
    constructor: &dyn Fn(Binary, &Graph, &Graph) -> Graph,
    operations: &[Binary],
) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for index in 0..count {
        let mut random = SplitMix64::for_sample(11, index);
        let v = Variable::fresh();
        // small maps, so that 0, 1 and -x are among them
        let [a, b] = [(); 2].map(|()| {
            let size = random.next_below(3);
            random_graph(&mut random, &[v], size)
        });
        let operation = *random.pick(operations);
        let (written, made) = (Graph::binary(operation, &a, &b), constructor(operation, &a, &b));
        let at = [(v, Graph::rational(random_number(&mut random)))];
        let found = [&written, &made].map(|g| value_at(g, &at));
        verdict = verdict.and(match found {
            [Some(x), Some(y)] if x.overlaps(&y) => Verdict::Survived,
            [None, None] => Verdict::Vacuous,
            [x, y] => Verdict::refuted(format!("{operation:?}, sample {index}"), format!("{x:?}"), format!("{y:?}")),
        });
    }
    verdict
}

/// The operators simplify without a change of the value or of the domain. `0·x` as 0 is refused: it has values where x has none.
#[test]
fn operators_keep_value_and_domain() {
    let simplified = |operation: Binary, a: &Graph, b: &Graph| match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Maximum => a.max(b),
        _ => a.min(b),
    };
    assert_eq!(keeps_value_and_domain(3000, &simplified, &BINARY), Verdict::Survived);
    let hiding = |_: Binary, a: &Graph, b: &Graph| a.times_where_defined(b);
    assert!(keeps_value_and_domain(3000, &hiding, &[Binary::Multiply]).is_refuted());
    let turned = |_: Binary, a: &Graph, b: &Graph| if a.is_constant(0) { b.clone() } else { a - b };
    assert!(keeps_value_and_domain(3000, &turned, &[Binary::Subtract]).is_refuted());
}

/// The constructors of one operand likewise: constants are carried out, and -(-x) is x.
#[test]
fn constructors_of_one_operand_are_literal() {
    let x = Graph::variable(Variable::fresh());
    assert_eq!((-(-&x)).address(), x.address());
    assert!(Graph::integer(-3).abs().is_constant(3) && Graph::integer(-3).max(&Graph::integer(2)).is_constant(2));
    assert!(
        Graph::integer(-3).min(&Graph::integer(2)).is_constant(-3) && (0 - &x + 0).operation().operands().len() == 1
    );
    assert!([1, 2, 3].map(Graph::integer).iter().sum::<Graph>().is_constant(6));
    assert!([2, 2, 3].map(Graph::integer).iter().product::<Graph>().is_constant(12));
}

/// Whether a rule gives the partial derivative wherever forward mode has it.
fn gives_slopes(count: u64, slope: &dyn Fn(&Graph, Variable) -> Graph) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for index in 0..count {
        let mut random = SplitMix64::for_sample(12, index);
        let [u, v] = [(); 2].map(|()| Variable::fresh());
        let graph = random_graph(&mut random, &[u, v], 5);
        let own = Variable::fresh();
        let body = graph.substitute(&[(v, Graph::variable(own))]);
        let forward = Graph::derivative(vec![own], body, vec![Graph::variable(v)], vec![Graph::integer(1)]);
        let at = [u, v].map(|v| (v, Graph::rational(random_number(&mut random))));
        verdict = verdict.and(match (value_at(&forward, &at), value_at(&slope(&graph, v), &at)) {
            (Some(x), Some(y)) if x.overlaps(&y) => Verdict::Survived,
            (None, _) => Verdict::Vacuous,
            (x, y) => Verdict::refuted(format!("sample {index}"), format!("{x:?}"), format!("{y:?}")),
        });
    }
    verdict
}

/// Slopes by the rows of the functions are those of forward mode, at points where it has them.
#[test]
fn slopes_are_those_of_forward_mode() {
    assert_eq!(gives_slopes(1500, &|g, v| g.slope(v)), Verdict::Survived);
    assert!(gives_slopes(1500, &|g, v| -g.slope(v)).is_refuted());
}
