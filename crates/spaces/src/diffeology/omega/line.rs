//! The line ℝ, whose plots are the piecewise analytic functions.

use super::{Chain, MOST, Ordered, Pieces};
use crate::diffeology::analytic::{Analytic, CAnalytic, PapMap, and, polynomial, sides};
use crate::diffeology::real::{enclosure, exactly, same, told};
use crate::diffeology::reparametrisation::composed;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::pieces::Decided;
use crate::pieces::analytic::needs;
use crate::pieces::proof::{Points, points};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::variables;
use crate::verdict::Verdict;
use rustc_hash::FxHashSet;

/// The line ℝ with the order of equality.
#[derive(Clone, Copy, Debug)]
pub struct Line;

/// Tests whether the graphs of a plot are analytic on their parts. The verdict `Survived` is proven; a point refutes.
fn analytic(plot: &Pieces<Graph>) -> Verdict {
    let coordinates = variables(plot.domain.dimension());
    let mut all = Verdict::Survived;
    for (answers, g) in &plot.parts {
        let Ok(needs) = needs(g, &FxHashSet::default()) else {
            all = all.both(Verdict::Vacuous);
            continue;
        };
        for (need, part) in needs.iter().flat_map(|need| plot.domain.parts().iter().map(move |part| (need, part))) {
            // A need has sufficient alternatives, and it is violated only where all of them fail.
            let fails = need.any.iter().map(|decided| Decided { holds: !decided.holds, ..decided.clone() });
            // The domain is a union: each of its parts is searched for a violation.
            match points(&and(&and(part, answers), &fails.collect()), &coordinates) {
                Points::None => {}
                Points::Unknown => all = all.both(Verdict::Vacuous),
                found => {
                    let what = format!("`{}`, which is not analytic there", need.operation);
                    return Verdict::refuted(found, what, "an analytic map");
                }
            }
        }
    }
    all
}

impl Diffeology<CAnalytic> for Line {
    type Point = Graph;
    type Plot = Pieces<Graph>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        plot.domain.clone()
    }
    fn constant(&self, domain: &Analytic, x: &Graph) -> Self::Plot {
        Pieces::whole(domain, x.clone())
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |g, graphs| composed(std::slice::from_ref(g), graphs).swap_remove(0))
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        Pieces::joined(domain, pieces)
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Graph, DiffeologyError> {
        Ok(composed(std::slice::from_ref(plot.at(u, trial)?), u).swap_remove(0))
    }
    fn same(&self, x: &Graph, y: &Graph, trial: &Trial) -> Tried {
        same(std::slice::from_ref(x), std::slice::from_ref(y), trial)
    }
    /// Tests the graph of each piece: it must be proven analytic, and have a value and a directional derivative at
    /// sample points.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let is_analytic = analytic(plot);
        if is_analytic.is_refuted() {
            return Ok(is_analytic);
        }
        let n = plot.domain.dimension();
        let value = |g: &Graph, u: &[Graph]| composed(std::slice::from_ref(g), u).swap_remove(0);
        let tried = plot.everywhere(
            trial,
            true,
            |g, u| {
                // The derivative along (1, …, 1) is a cheap second test of definedness.
                let at = exactly(u);
                let ones = vec![Graph::integer(1); n];
                let slope = Graph::derivative(variables(n), g.clone(), at.clone(), ones);
                for number in [value(g, &at), slope] {
                    if !enclosure(&number, trial)?.is_defined() {
                        return Ok(Verdict::Vacuous);
                    }
                }
                Ok(Verdict::Survived)
            },
            |g, h, u| {
                let u = exactly(u);
                same(&[value(g, &u)], &[value(h, &u)], trial)
            },
        )?;
        Ok(is_analytic.both(tried))
    }
    fn draw_point(&self, random: &mut Random) -> Graph {
        Graph::integer(random.below(5) as i64 - 2)
    }
    /// Draws a polynomial, or one polynomial on each side of a guard.
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        let n = domain.dimension();
        if random.chance(40) {
            return Pieces::whole(domain, polynomial(random, n));
        }
        let parts = sides(random, n).map(|side| (vec![side], polynomial(random, n)));
        Pieces { domain: domain.clone(), parts: parts.into() }
    }
    fn observed(&self, _: u64, plot: &Self::Plot) -> Vec<(Analytic, Graph)> {
        let n = plot.domain.dimension();
        plot.parts.iter().map(|(answers, g)| (Analytic::new(n, vec![answers.clone()]), g.clone())).collect()
    }
    fn told(&self, x: &Graph, trial: &Trial) -> String {
        told(x, trial)
    }
}

impl Ordered for Line {
    /// Tests equality.
    fn below(&self, x: &Graph, y: &Graph, trial: &Trial) -> Tried {
        self.same(x, y, trial)
    }
    /// Returns the plot with index `MOST`: chains are constant in the order of equality.
    fn lub(&self, _: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        chain(MOST)
    }
    /// Draws a chain of a single function. All plots but the first are cut by a guard, with alternating order of the
    /// sides.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let plot = self.draw_plot(domain, random);
        let cut = sides(random, domain.dimension());
        // The chain is constant as a sequence of functions, but its plots differ as data, so that bounds cannot rely on
        // equal pieces.
        std::sync::Arc::new(move |n| {
            if n == 0 {
                return plot.clone();
            }
            let [a, b] = if n.is_multiple_of(2) { [0, 1] } else { [1, 0] };
            let on = |side: &Decided| {
                let here = vec![side.clone()];
                plot.parts.iter().map(|(answers, g)| (and(answers, &here), g.clone())).collect::<Vec<_>>()
            };
            Pieces { domain: plot.domain.clone(), parts: [on(&cut[a]), on(&cut[b])].concat() }
        })
    }
}
