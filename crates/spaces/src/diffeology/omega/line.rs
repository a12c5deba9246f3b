//! The line ℝ, whose plots are the piecewise analytic functions.

use super::{CAnalyticPieces, CHAIN_LIMIT_INDEX, OrderedDiffeology, PlotChain};
use crate::diffeology::analytic::{
    CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_partition, draw_polynomial, intersect_sets,
};
use crate::diffeology::real::{compare_points, enclose_number, format_number, rational_point};
use crate::diffeology::reparametrisation::compose_graphs;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::pieces::GuardCondition;
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::proof::{SetPoints, find_points};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::coordinate_variables;
use crate::verdict::Verdict;
use rustc_hash::FxHashSet;

/// The line ℝ with the order of equality.
#[derive(Clone, Copy, Debug)]
pub struct OmegaLine;

/// Tests whether the graphs of a plot are analytic on their parts. The verdict `Survived` is proven; a point refutes.
fn test_analytic(plot: &CAnalyticPieces<Graph>) -> Verdict {
    let coordinates = coordinate_variables(plot.domain.dimension());
    let mut all = Verdict::Survived;
    for (answers, g) in &plot.parts {
        let Ok(needs) = analyticity_conditions(g, &FxHashSet::default()) else {
            all = all.and_part(Verdict::Vacuous);
            continue;
        };
        for (need, part) in
            needs.iter().flat_map(|need| plot.domain.analytic_parts().iter().map(move |part| (need, part)))
        {
            // A need has sufficient alternatives, and it is violated only where all of them fail.
            let fails = need.any.iter().map(|decided| GuardCondition { holds: !decided.holds, ..decided.clone() });
            // The domain is a union: each of its parts is searched for a violation.
            match find_points(&intersect_sets(&intersect_sets(part, answers), &fails.collect()), &coordinates) {
                SetPoints::None => {}
                SetPoints::Unknown => all = all.and_part(Verdict::Vacuous),
                found => {
                    let what = format!("`{}`, which is not analytic there", need.operation);
                    return Verdict::refuted(found, what, "an analytic map");
                }
            }
        }
    }
    all
}

impl Diffeology<CAnalyticSite> for OmegaLine {
    type Point = Graph;
    type Plot = CAnalyticPieces<Graph>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Graph) -> Self::Plot {
        CAnalyticPieces::single_piece(domain, x.clone())
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |g, graphs| compose_graphs(std::slice::from_ref(g), graphs).swap_remove(0))
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        CAnalyticPieces::join_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Graph, DiffeologyError> {
        Ok(compose_graphs(std::slice::from_ref(plot.description_at(u, trial)?), u).swap_remove(0))
    }
    fn compare_points(&self, x: &Graph, y: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_points(std::slice::from_ref(x), std::slice::from_ref(y), trial)
    }
    /// Tests the graph of each piece: it must be proven analytic, and have a value and a directional derivative at
    /// sample points.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let is_analytic = test_analytic(plot);
        if is_analytic.is_refuted() {
            return Ok(is_analytic);
        }
        let n = plot.domain.dimension();
        let value = |g: &Graph, u: &[Graph]| compose_graphs(std::slice::from_ref(g), u).swap_remove(0);
        let tried = plot.test_everywhere(
            trial,
            true,
            |g, u| {
                // The derivative along (1, …, 1) is a cheap second test of definedness.
                let at = rational_point(u);
                let ones = vec![Graph::integer(1); n];
                let slope = Graph::derivative(coordinate_variables(n), g.clone(), at.clone(), ones);
                for number in [value(g, &at), slope] {
                    if !enclose_number(&number, trial)?.is_defined() {
                        return Ok(Verdict::Vacuous);
                    }
                }
                Ok(Verdict::Survived)
            },
            |g, h, u| {
                let u = rational_point(u);
                compare_points(&[value(g, &u)], &[value(h, &u)], trial)
            },
        )?;
        Ok(is_analytic.and_part(tried))
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Graph {
        Graph::integer(random.next_below(5) as i64 - 2)
    }
    /// Draws a polynomial, or one polynomial on each side of a guard.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let n = domain.dimension();
        if random.random_bool(40) {
            return CAnalyticPieces::single_piece(domain, draw_polynomial(random, n));
        }
        let parts = draw_partition(random, n).map(|side| (vec![side], draw_polynomial(random, n)));
        CAnalyticPieces { domain: domain.clone(), parts: parts.into() }
    }
    fn observe_plot(&self, _: u64, plot: &Self::Plot) -> Vec<(CAnalyticSet, Graph)> {
        let n = plot.domain.dimension();
        plot.parts.iter().map(|(answers, g)| (CAnalyticSet::new(n, vec![answers.clone()]), g.clone())).collect()
    }
    fn describe_point(&self, x: &Graph, trial: &MapTestConfig) -> String {
        format_number(x, trial)
    }
}

impl OrderedDiffeology for OmegaLine {
    /// Tests equality.
    fn test_below(&self, x: &Graph, y: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_points(x, y, trial)
    }
    /// Returns the plot with index `CHAIN_LIMIT_INDEX`: chains are constant in the order of equality.
    fn least_upper_bound(&self, _: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        chain(CHAIN_LIMIT_INDEX)
    }
    /// Draws a chain of a single function. All plots but the first are cut by a guard, with alternating order of the
    /// sides.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let plot = self.draw_plot(domain, random);
        let cut = draw_partition(random, domain.dimension());
        // The chain is constant as a sequence of functions, but its plots differ as data, so that bounds cannot rely on
        // equal pieces.
        std::sync::Arc::new(move |n| {
            if n == 0 {
                return plot.clone();
            }
            let [a, b] = if n.is_multiple_of(2) { [0, 1] } else { [1, 0] };
            let on = |side: &GuardCondition| {
                let here = vec![side.clone()];
                plot.parts.iter().map(|(answers, g)| (intersect_sets(answers, &here), g.clone())).collect::<Vec<_>>()
            };
            CAnalyticPieces { domain: plot.domain.clone(), parts: [on(&cut[a]), on(&cut[b])].concat() }
        })
    }
}
