//! How long graphs of thousands of inputs take to build, to compose, to compile and to run.
//!
//! `cargo bench --bench graphs` prints medians in milliseconds for a sum of products of n inputs, n a hundred to tens of
//! thousands: where each step is linear, ten times the inputs take ten times as long. The last two columns are one run of the
//! program in `f64` at numbers, and at numbers that move along one direction.

use smoothish::number::accuracy::PassOptions;
use smoothish::number::budget::Budget;
use smoothish::number::{Context, Double, Magnitude};
use smoothish::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::smooth::jet::Jet;
use smoothish::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use smoothish::smooth::program::CompiledMap;
use std::time::Instant;

const RUNS: usize = 9;

/// The median of a few runs, in milliseconds, and what the last one gave.
fn timed<T>(mut run: impl FnMut() -> T) -> (f64, T) {
    let mut times = Vec::with_capacity(RUNS);
    loop {
        let start = Instant::now();
        let result = run();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if times.len() == RUNS {
            times.sort_by(f64::total_cmp);
            return (times[RUNS / 2], result);
        }
    }
}

/// `|x₀|·(x₁ + x₀) + |x₁|·(x₂ + x₁) + …`
fn sum_of_products(inputs: &[Variable]) -> Graph {
    let xs: Vec<_> = inputs.iter().map(|v| Graph::variable(*v)).collect();
    let term = |pair: &[Graph]| {
        let sum = Graph::binary(Binary::Add, &pair[1], &pair[0]);
        Graph::binary(Binary::Multiply, &Graph::unary(Unary::Abs, &pair[0]), &sum)
    };
    xs.windows(2).map(term).fold(Graph::integer(0), |sum, t| Graph::binary(Binary::Add, &sum, &t))
}

fn main() {
    println!("{:>7} {:>10} {:>10} {:>10} {:>10} {:>10}", "inputs", "build", "compose", "compile", "run", "run along");
    for n in [100, 840, 8_400, 84_000] {
        let inputs: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let (build, graph) = timed(|| sum_of_products(&inputs));
        let moved = |v: &Variable| (*v, Graph::unary(Unary::Negate, &Graph::variable(*v)));
        let bindings: Vec<_> = inputs.iter().map(moved).collect();
        let (compose, _) = timed(|| graph.substitute(&bindings));
        let (compile, program) = timed(|| CompiledMap::compile(&inputs, std::slice::from_ref(&graph)));
        let budget = Budget::unlimited();
        let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
        let real = Algebra::real();
        let machine = JetEvaluator::new(&Double, &effort, &real, &program);
        let run = |algebra, point: &[Jet<_>]| {
            timed(|| {
                machine.eval_block(
                    &program.root,
                    algebra,
                    point,
                    &[],
                    &mut BranchDecisions::default(),
                    EvalTarget::Outputs,
                )
            })
            .0
        };
        let value = |i: i64| Some(Double.div_integer(&Double.enclose_integer(i), 7));
        let plain: Vec<_> = (0..n).map(|i| Jet::new([value(i)])).collect();
        let along: Vec<_> = (0..n).map(|i| Jet::new([value(i), Some(Double.enclose_integer(1))])).collect();
        let line = real.adjoin(AlgebraGenerator::Direction(1)).expect("a small algebra");
        let (plain, along) = (run(&real, &plain), run(&line, &along));
        println!("{n:>7} {build:>10.3} {compose:>10.3} {compile:>10.3} {plain:>10.3} {along:>10.3}");
    }
}
