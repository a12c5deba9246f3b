//! Gradients of what solvers find: all partial derivatives by one search, held against one forward derivative for each.

use smoothish_laws::function::Function;
use smoothish_laws::law::graphs::GraphGenerator;
use smoothish_laws::number::accuracy::PassOptions;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::{Context, Double, Enclosure, Magnitude, Rational};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::algebra::Algebra;
use smoothish_laws::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish_laws::smooth::jet::Jet;
use smoothish_laws::smooth::machine::{BranchDecisions, JetEvaluator};
use smoothish_laws::smooth::map::{Map, coordinates};
use smoothish_laws::smooth::program::CompiledMap;
use typenum::{U1, U2};

/// The numbers that maps are at a point, to a width of 2^exponent, ⊥ where they are not known to be defined; and the work.
fn run(
    variables: &[Variable],
    graphs: &[Graph],
    point: &[Rational],
    exponent: i64,
    most: u64,
) -> Option<(Vec<Enclosure>, u64)> {
    let (program, real) = (CompiledMap::compile(variables, graphs), Algebra::real());
    let budget = Budget::new(most, None, None);
    let effort = PassOptions::new(Magnitude::power_of_two(exponent), &budget);
    let machine = JetEvaluator::new(&Double, &effort, &real, &program);
    let inputs: Vec<_> = point.iter().map(|q| Jet::constant(Double.enclose_rational(q))).collect();
    let found =
        machine.eval_derivatives(&program.root, &real, [&inputs, &[]], 0, &mut BranchDecisions::default()).ok()?;
    let enclosure = |jet: &Jet<_>| {
        let value = machine.jets(&real).value_of(jet);
        if Double.is_defined(&value) { Double.to_enclosure(&value) } else { Enclosure::bottom() }
    };
    Some((found.iter().map(enclosure).collect(), budget.work_done()))
}

/// The gradient in reverse, in variables of its own.
fn reverse(variables: &[Variable], map: &Graph) -> Vec<Graph> {
    let fresh: Vec<_> = variables.iter().map(|_| Variable::fresh()).collect();
    let renamed: Vec<_> = variables.iter().copied().zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
    let at: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    Graph::reverse_mode(&fresh, &[map.substitute(&renamed)], &at, &[Graph::integer(1)])
}

/// The gradient forward, one component after the other: what is differentiated is no integral, so that each is found by itself.
fn forward(variables: &[Variable], map: &Graph) -> Vec<Graph> {
    let at: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let map = binary(Binary::Add, map, &Graph::integer(0));
    (0..variables.len()).map(|i| Graph::partial(variables.to_vec(), map.clone(), at.clone(), i)).collect()
}

fn binary(f: Binary, a: &Graph, b: &Graph) -> Graph {
    Graph::binary(f, a, b)
}

/// `Σ cₖ·sin (t + k)` with so many c, and the numbers for them; t and the c.
fn waves(count: i64) -> (Variable, Vec<Variable>, Graph, Vec<Rational>) {
    let variables: Vec<_> = (0..count).map(|_| Variable::fresh()).collect();
    let t = Variable::fresh();
    let wave = |(k, c): (i64, &Variable)| {
        let angle = binary(Binary::Add, &Graph::integer(k), &Graph::variable(t));
        binary(Binary::Multiply, &Graph::variable(*c), &Graph::function(Function::Sin, &angle))
    };
    let sum = (1..).zip(&variables).map(wave).reduce(|a, b| binary(Binary::Add, &a, &b)).expect("some");
    let point = (0..count).map(|k| Rational::from((k * 7 % 11 - 5, 16 * (k + 1)))).collect();
    (t, variables, sum, point)
}

/// A gradient takes at most four times what the value takes, and does not grow with the number of its components but for products of
/// sums; one after the other, 50 take 149 times as much.
#[test]
fn one_search_finds_all_components() {
    for count in [2, 10, 50] {
        let (t, variables, sum, point) = waves(count);
        let map = Graph::integral(t, Graph::function(Function::Exp, &sum));
        let (value, work) = run(&variables, std::slice::from_ref(&map), &point, -30, 100_000_000).expect("no error");
        let (gradient, all) = run(&variables, &reverse(&variables, &map), &point, -30, 100_000_000).expect("no error");
        let (columns, one_by_one) =
            run(&variables, &forward(&variables, &map), &point, -30, 100_000_000).expect("no error");
        assert!(value[0].is_defined());
        for (a, b) in gradient.iter().zip(&columns) {
            assert!(a.is_defined() && b.is_defined() && a.overlaps(b), "{a:?}, forward {b:?}");
            assert!(a.has_width_at_most(&Rational::from((1, 1 << 28))), "{a:?}");
        }
        let times = |n: u64| n as f64 / work as f64;
        println!("{count}: value {work}, gradient {:.1} times, one by one {:.1} times", times(all), times(one_by_one));
        assert!(times(all) <= 4.0, "{count}: {} times the value", times(all));
        assert!(count < 10 || all * 3 < one_by_one, "{count}: {all} of {one_by_one}");
    }
}

/// The root or the optimum is looked for once. Where a maximum is attained its slopes are `sin (t + k)`, which is what Danskin says.
#[test]
fn one_search_finds_the_slopes_of_roots_and_optima() {
    let (t, variables, sum, point) = waves(12);
    let bent = binary(Binary::Multiply, &Graph::variable(t), &Graph::variable(t));
    let (half, three) = (Graph::rational(Rational::from((1, 2))), Graph::integer(3));
    let top = binary(Binary::Subtract, &binary(Binary::Add, &Graph::variable(t), &sum), &bent);
    let level = binary(Binary::Subtract, &binary(Binary::Add, &half, &sum), &binary(Binary::Multiply, &three, &bent));
    for (name, map) in [
        ("max01", Graph::maximum(t, top.clone())),
        ("argmax01", Graph::maximiser(t, top)),
        ("firstRoot", Graph::first_root(t, level)),
    ] {
        let (gradient, all) = run(&variables, &reverse(&variables, &map), &point, -30, 10_000_000).expect("no error");
        let (columns, one_by_one) =
            run(&variables, &forward(&variables, &map), &point, -30, 10_000_000).expect("no error");
        for (a, b) in gradient.iter().zip(&columns) {
            assert!(a.is_defined() && b.is_defined() && a.overlaps(b), "{name}: {a:?}, forward {b:?}");
            assert!(
                !a.contains(&Rational::new()) && a.has_width_at_most(&Rational::from((1, 1 << 20))),
                "{name}: {a:?}"
            );
        }
        println!("{name}: {all} at once, {one_by_one} one by one");
        assert!(all * 3 < one_by_one * 2, "{name}: {all} of {one_by_one}");
    }
}

/// What random maps showed.
#[derive(Debug, Default)]
struct Shares {
    compared: usize,
    not_zero: usize,
    only_forward: usize,
    only_reverse: usize,
    cheaper: usize,
}

/// An integral, or an optimum, of a random map of some variables: it may have kinks, edges and jumps, and an integral inside.
fn solver(random: &mut SplitMix64, variables: &[Variable]) -> Graph {
    let graphs = GraphGenerator { derivative_depth: 0, has_kinks: random.random_bool(40) };
    let (t, s) = (Variable::fresh(), Variable::fresh());
    let mut inside = variables.to_vec();
    inside.push(t);
    let operations = 2 + random.next_below(10);
    let mut body = graphs.draw_graph(random, &inside, operations);
    if random.random_bool(25) {
        inside.push(s);
        let inner = Graph::integral(s, graphs.draw_graph(random, &inside, 6));
        body = binary(*random.pick(&[Binary::Add, Binary::Multiply]), &body, &inner);
    }
    if random.random_bool(30) {
        let (t, c) = (Graph::variable(t), Graph::variable(*random.pick(variables)));
        let kink = match random.next_below(3) {
            0 => binary(Binary::Maximum, &t, &c),
            1 => Graph::unary(Unary::Abs, &binary(Binary::Subtract, &t, &c)),
            _ => Graph::select(&Guard::less_than(&t, &c), &Graph::integer(1), &Graph::integer(0)),
        };
        body = binary(*random.pick(&[Binary::Add, Binary::Multiply]), &body, &kink);
    }
    match random.next_below(8) {
        0 => Graph::maximum(t, body),
        1 => Graph::maximiser(t, body),
        2 => Graph::first_root(t, body),
        _ => Graph::integral(t, body),
    }
}

fn tried(range: std::ops::Range<u64>) -> Shares {
    let mut shares = Shares::default();
    for index in range {
        let mut random = SplitMix64::for_sample(41, index);
        let variables: Vec<_> = (0..2 + random.next_below(4)).map(|_| Variable::fresh()).collect();
        let map = solver(&mut random, &variables);
        let mut number = || Rational::from((random.next_below(9) as i64 - 4, 4));
        let point: Vec<_> = variables.iter().map(|_| number()).collect();
        let found = run(&variables, &reverse(&variables, &map), &point, -20, 100_000);
        let columns = run(&variables, &forward(&variables, &map), &point, -20, 300_000);
        let (Some((found, all)), Some((columns, one_by_one))) = (found, columns) else { continue };
        shares.cheaper += usize::from(all < one_by_one);
        for (place, (a, b)) in found.iter().zip(&columns).enumerate() {
            match (a.is_defined(), b.is_defined()) {
                (true, true) => {
                    assert!(a.overlaps(b), "{index}: {a:?}, forward {b:?}");
                    shares.compared += 1;
                    shares.not_zero += usize::from(!a.contains(&Rational::new()));
                }
                (false, true) => shares.only_forward += 1,
                // or forward mode has had too little time
                (true, false) => {
                    let again = run(&variables, &forward(&variables, &map), &point, -20, 30_000_000);
                    shares.only_reverse += usize::from(again.is_none_or(|(again, _)| !again[place].is_defined()));
                }
                (false, false) => {}
            }
        }
    }
    shares
}

/// The slope of |x| at 0 is a set, however long it is looked at; what it takes of the budget takes nothing away from the components
/// behind it, which every run has computed too.
#[test]
fn a_tie_starves_no_component_behind_it() {
    let [x, y] = coordinates::<U2, 2>();
    let f: Map<U2, U1> = x.abs() + y.clone() * y.exp();
    let point = [Rational::new(), Rational::from((1, 3))];
    let eps = Rational::from((1, 1_000_000_000));
    // (1 + y)·eʸ by hand
    let slopes = [18_608_165_667_i64, 18_608_165_668].map(|n| Rational::from((n, 10_000_000_000_i64)));
    for work in [300, 1_000, 10_000, 100_000] {
        let found = f.gradient_at(&point, &eps, &Budget::new(work, None, None)).unwrap();
        let [tie, smooth] = &found.components[..] else { unreachable!("ℝ² has two coordinates") };
        assert!(
            tie.enclosure.contains(&Rational::from(-1)) && tie.enclosure.contains(&Rational::from(1)) && !tie.reached
        );
        let near = smooth.enclosure.clone();
        assert!(smooth.reached && near.has_width_at_most(&eps), "{work}: {near:?}, {tie:?}");
        assert!(*near.lo() <= slopes[1] && *near.hi() >= slopes[0], "{work}: {near:?}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn gradients_of_random_solvers() {
        let shares = tried(0..150);
        println!("{shares:?}");
        assert_eq!(shares.only_reverse, 0);
        assert!(shares.compared > 250 && shares.not_zero > 50 && shares.cheaper > 60, "{shares:?}");
    }
}
