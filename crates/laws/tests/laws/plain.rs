//! Runs on numbers are runs on jets of length one: hooks that change nothing make every step a step on jets.

use smoothish_laws::law::graphs::GraphGenerator;
use smoothish_laws::number::arithmetic::Context;
use smoothish_laws::number::budget::Budget;
use smoothish_laws::number::real::RefinableReal;
use smoothish_laws::number::{Enclosure, Rational};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::smooth::graph::{Graph, Guard, SecondOrder, Variable};
use smoothish_laws::smooth::hooks::{EvalHooks, HookedGraph};

#[derive(Clone, Debug)]
struct AsItIs;

impl<C: Context> EvalHooks<C> for AsItIs {}

/// What is found at some tolerance, with so much work.
fn found(g: &Graph, is_on_jets: bool, work: u64) -> Result<(Enclosure, bool, u32), String> {
    let (eps, budget) = (Rational::from((1, 1u64 << 40)), Budget::new(work, None, None));
    let answer = match is_on_jets {
        true => {
            HookedGraph::with_hooks(g, AsItIs).and_then(|on_jets| RefinableReal::new(on_jets).enclose(&eps, &budget))
        }
        false => g.to_real().and_then(|plain| plain.enclose(&eps, &budget)),
    };
    let answer = answer.map_err(|e| e.to_string())?;
    Ok((answer.enclosure, answer.reached, answer.bits))
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn numbers_are_jets_of_length_one() {
        let (mut reached, mut precise, mut undefined, mut guarded, mut solved, mut cut) = (0, 0, 0, 0, 0, 0);
        for seed in 0..crate::drawn(1_200) {
            let mut random = SplitMix64::new(seed);
            let variables: Vec<_> = (0..1 + random.next_below(3)).map(|_| Variable::fresh()).collect();
            let graphs = GraphGenerator { derivative_depth: seed as usize % 2, has_kinks: seed % 3 == 0 };
            let mut draw = |size| graphs.draw_graph(&mut random, &variables, size);
            let mut graph = draw(4 + seed as usize % 20);
            if seed % 4 == 0 {
                let (guard, other) = (Guard::positive(&draw(3)), draw(5));
                graph = Graph::select(&guard, &graph, &other);
                guarded += 1;
            }
            if seed % 5 == 0 {
                let primitive =
                    [SecondOrder::Integral, SecondOrder::Maximum, SecondOrder::Maximiser][seed as usize % 3];
                graph = Graph::second_order(primitive, variables[0], graph);
                solved += 1;
            }
            let point = |v: &Variable| (*v, Graph::rational(Rational::from((random.next_below(17) as i64 - 8, 4))));
            let bindings: Vec<_> = variables.iter().map(point).collect();
            let graph = graph.substitute(&bindings);
            for work in [300_000, 500] {
                let [plain, on_jets] = [false, true].map(|is_on_jets| found(&graph, is_on_jets, work));
                // under hooks the solvers take no shortcuts
                let same = match (&plain, &on_jets) {
                    (Ok((a, ..)), Ok((b, ..))) if seed % 5 == 0 => a.overlaps(b),
                    _ => plain == on_jets,
                };
                assert!(same, "{seed}: {plain:?}, not {on_jets:?}");
                if let Ok((enclosure, is_reached, bits)) = plain {
                    reached += usize::from(is_reached);
                    precise += usize::from(bits > 53);
                    undefined += usize::from(!enclosure.is_defined());
                    cut += usize::from(!is_reached && work == 500);
                }
            }
        }
        println!(
            "{reached} reached, {precise} beyond doubles, {undefined} undefined, {guarded} with guards, {solved} with solvers, {cut} cut"
        );
        let share = |least| crate::drawn(least) as usize;
        assert!(reached > share(800) && precise > share(120) && undefined > share(120) && cut > share(120));
    }
}
