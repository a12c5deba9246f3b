//! Constructors and slopes of graphs, and the domains of the fold: each rule on random operations, at random points.

use smoothish_ad::number::arithmetic::Context;
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Double, Enclosure, Function, Mpfr, Rational};
use smoothish_ad::pieces::facts::{FactContext, FactDomain, MapFacts, SignSet};
use smoothish_ad::random::SplitMix64;
use smoothish_ad::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish_ad::smooth::program::CompiledMap;
use smoothish_ad::smooth::solve::analytic::polynomial_degree;
use smoothish_ad::verdict::Verdict;
use std::cmp::Ordering;

/// The operations of one operand and of two.
const UNARY: [Unary; 3] = [Unary::Negate, Unary::Abs, Unary::Signum];
const BINARY: [Binary; 6] =
    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Maximum, Binary::Minimum];
const EXPONENTS: [(i64, i64); 7] = [(2, 1), (3, 1), (-1, 1), (-2, 1), (1, 2), (-3, 2), (2, 3)];

/// A random map of some variables, without solvers; nodes are shared, so that it is a graph and not a tree.
fn random_graph(random: &mut SplitMix64, variables: &[Variable], size: usize) -> Graph {
    let mut nodes: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
    nodes.extend([-1, 0, 1, 2].map(Graph::integer));
    for _ in 0..size {
        let (a, b) = (random.pick(&nodes).clone(), random.pick(&nodes).clone());
        nodes.push(match random.next_below(9) {
            0 => Graph::unary(*random.pick(&UNARY), &a),
            8 => Graph::select(&Guard::positive(random.pick(&nodes)), &a, &b),
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

/// The degree of a random polynomial with choices of sides, as compiled. `None` where it is not seen.
fn degree_of(graph: &Graph, v: Variable) -> Option<u32> {
    polynomial_degree(&CompiledMap::compile(&[v], std::slice::from_ref(graph)).root, 0, &[])
}

/// Polynomials of degree n have no differences of order n + 1.
fn bounds_degrees(count: u64, degree: &dyn Fn(&Graph, Variable) -> Option<u32>) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for index in 0..count {
        let mut random = SplitMix64::for_sample(13, index);
        let v = Variable::fresh();
        let mut nodes = vec![Graph::variable(v), Graph::integer(2), Graph::rational(Rational::from((1, 3)))];
        for _ in 0..4 {
            let (a, b) = (random.pick(&nodes).clone(), random.pick(&nodes).clone());
            nodes.push(match random.next_below(7) {
                0 => Graph::unary(*random.pick(&UNARY), &a),
                1 => Graph::power(&a, &Rational::from(*random.pick(&[(2, 1), (3, 1), (-1, 1)]))).unwrap(),
                2 => Graph::function(Function::Exp, &a),
                _ => Graph::binary(*random.pick(&BINARY), &a, &b),
            });
        }
        let graph = nodes.pop().unwrap();
        let Some(n) = degree(&graph, v).filter(|n| *n <= 12) else { continue };
        // Σ (-1)ᵏ·C(n + 1, k)·f(k)
        let (mut sum, mut factor) = (Graph::integer(0), Rational::from(1));
        for k in 0..=n + 1 {
            let at = Graph::integer(i64::from(k) - i64::from(n / 2));
            sum = sum + Graph::rational(factor.clone()) * graph.substitute(&[(v, at)]);
            factor *= Rational::from((-i64::from(n + 1 - k), i64::from(k) + 1));
        }
        verdict = verdict.and(match value_at(&sum, &[]) {
            Some(found) if found.contains(&Rational::new()) => Verdict::Survived,
            None => Verdict::Vacuous,
            Some(found) => Verdict::refuted(format!("sample {index}, degree {n}"), found, 0),
        });
    }
    verdict
}

/// The degree of the product is a sum, and a quotient by a variable has none.
#[test]
fn degrees_bound_polynomials() {
    assert_eq!(bounds_degrees(2000, &degree_of), Verdict::Survived);
    let less = |g: &Graph, v: Variable| degree_of(g, v).map(|n| n.saturating_sub(1));
    assert!(bounds_degrees(2000, &less).is_refuted());
}

/// A box, and the variable in which maps may be monotone.
struct OpenBox {
    sides: Vec<(Variable, [Rational; 2])>,
    along: Variable,
}

impl FactContext for OpenBox {
    fn facts_of_variable(&self, v: Variable) -> MapFacts {
        let side = self.sides.iter().find(|(own, _)| *own == v).map(|(_, [a, b])| {
            let [a, b] = [a, b].map(|q| Mpfr::new(64).to_enclosure(&Mpfr::new(64).enclose_rational(q)));
            MapFacts::of_enclosure(&a.hull(&b))
        });
        side.unwrap_or(MapFacts::with_no_claim())
    }

    fn course_variable(&self) -> Option<Variable> {
        Some(self.along)
    }
}

/// Whether the facts about random maps on random boxes hold at random points.
fn facts_hold(count: u64, changed: &dyn Fn(MapFacts) -> MapFacts) -> [Verdict; 4] {
    let mut verdicts = [(); 4].map(|()| Verdict::Vacuous);
    for index in 0..count {
        let mut random = SplitMix64::for_sample(14, index);
        let [u, v] = [(); 2].map(|()| Variable::fresh());
        let size = 1 + random.next_below(4);
        let graph = random_graph(&mut random, &[u, v], size);
        let sides: Vec<_> = [u, v]
            .into_iter()
            .map(|v| {
                let mut ends = [(); 2].map(|()| random_number(&mut random));
                ends.sort();
                (v, ends)
            })
            .collect();
        let context = OpenBox { sides: sides.clone(), along: v };
        let facts = changed(FactDomain::over_graphs(context).facts_of(&graph));
        // a point of the box, and another one that differs in v alone; often at the ends
        let mut place = |[a, b]: &[Rational; 2]| {
            let t = Rational::from((random.next_below(5) as i64, 4));
            Rational::from(b - a) * t + a
        };
        let [x, y, z] = [&sides[0].1, &sides[1].1, &sides[1].1].map(&mut place);
        let at = |y: &Rational| [(u, Graph::rational(x.clone())), (v, Graph::rational(y.clone()))];
        let [here, there] = [&y, &z].map(|y| value_at(&graph, &at(y)));
        let witness = format!("sample {index}, {facts:?}, {here:?}, {there:?}");
        let judge = |holds: bool| if holds { Verdict::Survived } else { Verdict::refuted(&witness, "", "") };
        let mut found = [(); 4].map(|()| Verdict::Vacuous);
        if let Some(here) = &here {
            let range = Double.to_enclosure(&facts.range);
            found[0] = judge(range.overlaps(here));
            let signs = match () {
                () if *here.lo() > 0 => SignSet::POSITIVE,
                () if *here.hi() < 0 => SignSet::NEGATIVE,
                () if here.is_point() => SignSet::ZERO,
                () => SignSet::NONE,
            };
            found[1] = judge(signs.is_within(facts.signs));
        }
        if facts.is_defined {
            found[2] = judge(here.is_some());
        }
        if let (Some(course), Some(here), Some(there)) = (facts.course, &here, &there) {
            let (before, after) = if y < z { (here, there) } else { (there, here) };
            let is_same = here.overlaps(there) && here.is_point() && there.is_point();
            found[3] = judge(match course {
                _ if y == z => here.overlaps(there),
                Ordering::Equal => here.overlaps(there),
                Ordering::Greater => before.lo() <= after.hi() && !is_same,
                Ordering::Less => before.hi() >= after.lo() && !is_same,
            });
        }
        for (verdict, found) in verdicts.iter_mut().zip(found) {
            *verdict = std::mem::replace(verdict, Verdict::Vacuous).and(found);
        }
    }
    verdicts
}

/// Each part of the facts about a map holds at all points of the box. A part that claims more is refused.
#[test]
fn facts_hold_on_boxes() {
    assert_eq!(facts_hold(4000, &|facts| facts), [(); 4].map(|()| Verdict::Survived));
    let wrong: [&dyn Fn(MapFacts) -> MapFacts; 4] = [
        &|facts| MapFacts { range: Double.abs(&facts.range), ..facts },
        &|facts| MapFacts { signs: facts.signs.reverse_signs(), ..facts },
        &|facts| MapFacts { is_defined: true, ..facts },
        &|facts| MapFacts { course: facts.course.map(Ordering::reverse), ..facts },
    ];
    for (part, changed) in wrong.into_iter().enumerate() {
        assert!(facts_hold(4000, changed)[part].is_refuted(), "part {part}");
    }
}
