//! Spaces with the order of equality: ℝⁿ, its subsets, and quotients by a relation. The category of ωPAP spaces has all
//! limits and colimits (W §3.2, second footnote); these spaces are equalisers and coequalisers of such spaces.
//!
//! | space | plots U → X |
//! |---|---|
//! | [`Subspace`] of the points [`CAnalyticSubset`] a c-analytic set | the plots of X with values in the set |
//! | [`QuotientDiffeology`] | the plots of X, identified if their values are related |
//!
//! A plot of a quotient lifts on each part of a c-analytic partition. Lifts need not agree at borders, so together they
//! form a plot of X: over c-analytic sets every plot of a quotient has a global lift. Over open sets this fails, and
//! ℝ/ℤ is a circle. Here ℝ/ℤ is the interval [0, 1), with the isomorphism x ↦ x − ⌊x⌋.

use super::{CAnalyticPieces, CHAIN_LIMIT_INDEX, OmegaLine, OrderedDiffeology, PlotChain};
use crate::diffeology::analytic::{
    AnalyticSet, CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_partition, draw_polynomial, intersect_sets,
};
use crate::diffeology::error::DiffeologyError;
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::quotient::{EquivalenceRelation, QuotientDiffeology};
use crate::diffeology::real::format_point;
use crate::diffeology::reparametrisation::compose_graphs;
use crate::diffeology::subspace::{Subset, Subspace};
use crate::diffeology::{Diffeology, DiffeologyVerdict};
use crate::pieces::GuardCondition;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::sync::Arc;

/// A space ℝⁿ, built as a product of lines.
pub trait FlatSpace: OrderedDiffeology {
    /// Returns the dimension n.
    fn dimension(&self) -> usize;
    /// Returns the coordinates of a point.
    fn point_coordinates(&self, x: &Self::Point) -> Vec<Graph>;
    /// Returns the point with the given n coordinates.
    fn point_from_coordinates(&self, coordinates: &[Graph]) -> Self::Point;
    /// Returns the plot that is given by a list of n graphs on each of some analytic sets.
    fn plot_from_graphs(&self, domain: &CAnalyticSet, parts: &[(AnalyticSet, Vec<Graph>)]) -> Self::Plot;
}

impl FlatSpace for OmegaLine {
    fn dimension(&self) -> usize {
        1
    }
    fn point_coordinates(&self, x: &Graph) -> Vec<Graph> {
        vec![x.clone()]
    }
    fn point_from_coordinates(&self, coordinates: &[Graph]) -> Graph {
        coordinates[0].clone()
    }
    fn plot_from_graphs(&self, domain: &CAnalyticSet, parts: &[(AnalyticSet, Vec<Graph>)]) -> CAnalyticPieces<Graph> {
        let first = |(answers, graphs): &(AnalyticSet, Vec<Graph>)| (answers.clone(), graphs[0].clone());
        CAnalyticPieces { domain: domain.clone(), parts: parts.iter().map(first).collect() }
    }
}

impl<X: FlatSpace, Y: FlatSpace> FlatSpace for ProductDiffeology<X, Y> {
    fn dimension(&self) -> usize {
        self.0.dimension() + self.1.dimension()
    }
    fn point_coordinates(&self, (x, y): &Self::Point) -> Vec<Graph> {
        [self.0.point_coordinates(x), self.1.point_coordinates(y)].concat()
    }
    fn point_from_coordinates(&self, coordinates: &[Graph]) -> Self::Point {
        let (first, second) = coordinates.split_at(self.0.dimension());
        (self.0.point_from_coordinates(first), self.1.point_from_coordinates(second))
    }
    fn plot_from_graphs(&self, domain: &CAnalyticSet, parts: &[(AnalyticSet, Vec<Graph>)]) -> Self::Plot {
        let n = self.0.dimension();
        let half = |side: usize| {
            let cut = |(answers, graphs): &(AnalyticSet, Vec<Graph>)| {
                let (first, second) = graphs.split_at(n);
                (answers.clone(), if side == 0 { first.to_vec() } else { second.to_vec() })
            };
            parts.iter().map(cut).collect::<Vec<_>>()
        };
        (self.0.plot_from_graphs(domain, &half(0)), self.1.plot_from_graphs(domain, &half(1)))
    }
}

/// The points of a c-analytic set, with some curves in it from which points and plots are drawn. The curves are defined
/// on all of ℝ.
#[derive(Clone, Debug)]
pub struct CAnalyticSubset {
    set: CAnalyticSet,
    curves: Vec<Vec<Graph>>,
}

impl CAnalyticSubset {
    /// Returns the subspace of the points that lie in a set of ℝⁿ, where n is the dimension of `space`. The curves
    /// consist of n graphs over one coordinate. There must be at least one curve, and all are tested at points.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the set or a curve has another dimension.
    /// - [`DiffeologyError::Shape`] if there is no curve, or a curve certainly leaves the set.
    pub fn new<X: FlatSpace>(
        space: X,
        set: CAnalyticSet,
        curves: Vec<Vec<Graph>>,
        trial: &MapTestConfig,
    ) -> Result<Subspace<X, Self>, DiffeologyError> {
        DiffeologyError::check_dimension("the set", space.dimension(), set.dimension())?;
        if curves.is_empty() {
            return Err(DiffeologyError::Shape { expected: "a curve to draw from".into(), found: "none".into() });
        }
        let subspace = Subspace { space, subset: Self { set, curves } };
        for curve in &subspace.subset.curves {
            DiffeologyError::check_dimension("a curve", subspace.space.dimension(), curve.len())?;
            let plot =
                subspace.space.plot_from_graphs(&CAnalyticSet::whole_space(1), &[(AnalyticSet::new(), curve.clone())]);
            if let Verdict::Refuted { witness, .. } = Diffeology::<CAnalyticSite>::test_plot(&subspace, &plot, trial)? {
                return Err(DiffeologyError::Shape { expected: "a curve in the set".into(), found: witness });
            }
        }
        Ok(subspace)
    }

    /// Draws a curve and evaluates it at `parameter`.
    fn draw_curve_point(&self, parameter: Graph, random: &mut SplitMix64) -> Vec<Graph> {
        let curve: &Vec<Graph> = random.pick(&self.curves);
        compose_graphs(curve, &[parameter])
    }
}

impl<X: FlatSpace> Subset<X, CAnalyticSite> for CAnalyticSubset {
    fn test_membership(&self, space: &X, x: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        let at = space.point_coordinates(x);
        Ok(match self.set.contains(&at) {
            Some(true) => Verdict::Survived,
            Some(false) => Verdict::refuted(format_point(&at, trial), "outside", "in the set"),
            None => Verdict::Vacuous,
        })
    }
    fn draw_point(&self, space: &X, random: &mut SplitMix64) -> X::Point {
        let t = Graph::integer(random.next_below(7) as i64 - 3);
        space.point_from_coordinates(&self.draw_curve_point(t, random))
    }
    /// Draws a curve of the set along a polynomial, on each side of a guard.
    fn draw_plot(&self, space: &X, domain: &CAnalyticSet, random: &mut SplitMix64) -> X::Plot {
        let n = domain.dimension();
        let parts = draw_partition(random, n).map(|side| {
            let t = draw_polynomial(random, n);
            (vec![side], self.draw_curve_point(t, random))
        });
        space.plot_from_graphs(domain, &parts)
    }
}

/// Returns the complement of a set, as a union of finitely many analytic sets.
fn complement_of(set: &CAnalyticSet) -> CAnalyticSet {
    let others = set.analytic_parts().iter().map(|answers| {
        // The first wrong answer is at `at`; those before it are right. So the parts of the complement are disjoint.
        let wrong = |at: usize| {
            let other = GuardCondition { holds: !answers[at].holds, ..answers[at].clone() };
            intersect_sets(&answers[..at].to_vec(), &vec![other])
        };
        CAnalyticSet::new(set.dimension(), (0..answers.len()).map(wrong).collect())
    });
    others.fold(CAnalyticSet::whole_space(set.dimension()), |all, other| all.intersection(&other))
}

/// Returns a chain of a single plot, which is cut by a guard in all elements but the first. In the order of equality
/// all chains are constant.
fn cut_chain<X: Diffeology<CAnalyticSite>>(space: &X, plot: X::Plot, random: &mut SplitMix64) -> PlotChain<X::Plot> {
    let domain = space.plot_domain(&plot);
    let sides =
        draw_partition(random, domain.dimension()).map(|side| CAnalyticSet::new(domain.dimension(), vec![vec![side]]));
    let cut = space.glue_pieces(&domain, sides.map(|side| (side, plot.clone())).into());
    Arc::new(move |n| if n == 0 { plot.clone() } else { cut.clone() })
}

impl<X: FlatSpace> OrderedDiffeology for Subspace<X, CAnalyticSubset> {
    /// Tests the order of X.
    fn test_below(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.space.test_below(x, y, trial)
    }
    /// Returns the bound in X. Its values are those of the chain, so they lie in the subset.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<X::Plot>) -> X::Plot {
        self.space.least_upper_bound(domain, chain)
    }
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<X::Plot> {
        let plot = Diffeology::<CAnalyticSite>::draw_plot(self, domain, random);
        cut_chain(&self.space, plot, random)
    }
}

impl<X: FlatSpace, R: EquivalenceRelation<X, CAnalyticSite>> Diffeology<CAnalyticSite> for QuotientDiffeology<X, R> {
    /// A representative of a class.
    type Point = X::Point;
    /// A global lift.
    type Plot = X::Plot;

    fn plot_domain(&self, plot: &X::Plot) -> CAnalyticSet {
        self.space.plot_domain(plot)
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &X::Point) -> X::Plot {
        self.space.constant_plot(domain, x)
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &X::Plot) -> X::Plot {
        self.space.reparametrise(along, plot)
    }
    /// Glues lifts. Where pieces overlap, the first one counts: they lift the same function there, but may be different
    /// lifts.
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, X::Plot)>) -> X::Plot {
        // X itself would refute pieces that disagree on an overlap, so the pieces are made disjoint.
        let mut free = CAnalyticSet::whole_space(domain.dimension());
        let mut apart = Vec::new();
        for (part, plot) in pieces {
            apart.push((free.intersection(&part), plot));
            free = free.intersection(&complement_of(&part));
        }
        self.space.glue_pieces(domain, apart)
    }
    fn value_at(&self, plot: &X::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<X::Point, DiffeologyError> {
        self.space.value_at(plot, u, trial)
    }
    fn compare_points(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.relation.test_related(&self.space, x, y, trial)
    }
    /// Tests the lift.
    fn test_plot(&self, plot: &X::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.space.test_plot(plot, trial)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> X::Point {
        self.space.draw_point(random)
    }
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> X::Plot {
        let lift = self.space.draw_plot(domain, random);
        if random.random_bool(50) { lift } else { self.relation.draw_related_plot(&self.space, &lift, random) }
    }
    fn observe_plot(&self, which: u64, plot: &X::Plot) -> Vec<(CAnalyticSet, Graph)> {
        self.relation.observe_class_function(&self.space, which, plot)
    }
    fn describe_point(&self, x: &X::Point, trial: &MapTestConfig) -> String {
        format!("the class of {}", self.space.describe_point(x, trial))
    }
}

impl<X: FlatSpace, R: EquivalenceRelation<X, CAnalyticSite>> OrderedDiffeology for QuotientDiffeology<X, R> {
    /// Tests equality of classes.
    fn test_below(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_points(x, y, trial)
    }
    /// Returns the plot with index `CHAIN_LIMIT_INDEX`: chains are constant in the order of equality.
    fn least_upper_bound(&self, _: &CAnalyticSet, chain: PlotChain<X::Plot>) -> X::Plot {
        chain(CHAIN_LIMIT_INDEX)
    }
    /// Draws a chain of a single function. From the second element on it is given by another lift.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<X::Plot> {
        let lift = self.space.draw_plot(domain, random);
        let moved = self.relation.draw_related_plot(&self.space, &lift, random);
        Arc::new(move |n| if n == 0 { lift.clone() } else { moved.clone() })
    }
}
