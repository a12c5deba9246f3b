//! ωPAP spaces (W §3.2): spaces of plots over the [site of c-analytic sets](super::analytic), with an order and least upper bounds.
//!
//! | space | plots U → X | order |
//! |---|---|---|
//! | [`OmegaLine`] | piecewise analytic functions | equality |
//! | [`Product`](super::product::ProductDiffeology) | pairs of plots | by components |
//! | [`OmegaSum`], [`OmegaList`] | on some analytic sets, a plot of one side, or a list of plots | within one side, or one length |
//! | subspaces and quotients of ℝⁿ | as in [`FlatSpace`] | equality |
//! | [`LiftedSpace`] | plots on a c-analytic subset of U, undefined elsewhere | definedness |
//! | [`PartialMapSpace`] | functions into the lifting that take plots to plots | at each argument |
//!
//! Reparametrisation is along piecewise analytic maps, and gluing over c-analytic partitions: pieces need not agree at
//! borders. A fourth axiom concerns chains: the least upper bound of plots p₀ ⊑ p₁ ⊑ … is a plot. The bound is defined
//! where one of them is, a countable union. Finitely many steps cannot show that a point lies outside of it. A chain is
//! a function of n, and its bound computes as many pieces as are requested. Chains are examined up to the index
//! [`CHAIN_LIMIT_INDEX`] only. If a chain grows later, as values of a lifting within a lifting may, the computed bound is too small;
//! for chains of numbers it is the plot with index `CHAIN_LIMIT_INDEX`.
//!
//! # The line ℝ
//!
//! The line ℝ, whose plots are the piecewise analytic functions.
//!
//! # Products as ordered spaces
//!
//! Order and bounds are componentwise.
//!
//! # Spaces with the order of equality
//!
//! ℝⁿ, its subsets, and quotients by a relation. The category of ωPAP spaces has all
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
//!
//! # Sums and lists as ordered spaces
//!
//! Plots that have one side, or one length, on each of some analytic sets.

mod partial;

use super::DiffeologyVerdict;
use super::analytic::{
    AnalyticSet, CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, contains_point, intersect_sets, least_part,
    substitute_graphs,
};
use super::smoothness::format_point;
use super::space::{Site, format_rational_point};
use crate::diffeology::analytic::{draw_partition, draw_polynomial};
use crate::diffeology::open::compose_graphs;
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::quotient::{EquivalenceRelation, QuotientDiffeology};
use crate::diffeology::smoothness::{compare_points, enclose_number, format_number, rational_point};
use crate::diffeology::subspace::{Subset, Subspace};
use crate::diffeology::{Diffeology, DiffeologyError};
use crate::number::Rational;
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::family::pair_members;
use crate::pieces::proof::{SetPoints, find_points};
use crate::pieces::{CountableFamily, GuardCondition};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{MapTestConfig, coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;
use OmegaSumPoint::{Left, Right};
pub use partial::{
    LiftedPlot, LiftedSpace, PartialMapSpace, PartialMorphism, PartialPoint, curry, evaluation_morphism,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A chain of plots: a function from n to the n-th plot.
pub type PlotChain<P> = Arc<dyn Fn(usize) -> P + Send + Sync>;

/// The index at which a chain is examined in place of its limit. A choice: drawn chains are constant after a few steps.
pub const CHAIN_LIMIT_INDEX: usize = 12;

/// A space with an order and least upper bounds of chains: an ωcpo whose plots are closed under these bounds.
#[doc(alias("ωPAP", "ωPAP space", "omegaPAP"))]
pub trait OrderedDiffeology: Diffeology<CAnalyticSite> {
    /// Tests x ⊑ y, as far as it can be observed.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Returns the least upper bound of a chain of plots on a domain.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot;

    /// Draws a chain.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot>;
}

/// A function that is given by a description of type `L` on each of countably many analytic sets. Of the sets that contain a point, the
/// least one counts.
#[derive(Clone, Debug)]
pub struct CAnalyticPieces<L> {
    /// The domain U.
    pub domain: CAnalyticSet,
    /// The analytic sets that are listed, with the descriptions of the function there.
    pub parts: Vec<(AnalyticSet, L)>,
    /// `true` if the function has parts that are not listed. Of a point outside of the listed ones nothing is known then.
    pub has_more: bool,
}

impl<L: Clone> CAnalyticPieces<L> {
    /// Returns the function with finitely many pieces.
    #[must_use]
    pub fn new(domain: &CAnalyticSet, parts: Vec<(AnalyticSet, L)>) -> Self {
        Self { domain: domain.clone(), parts, has_more: false }
    }

    /// Returns the function that is glued from a family of pieces.
    #[must_use]
    pub fn of_family(domain: &CAnalyticSet, family: &CountableFamily<(AnalyticSet, L)>) -> Self {
        let (parts, has_more) = family.searched();
        Self { domain: domain.clone(), parts, has_more }
    }

    /// Returns the function with a single piece.
    #[must_use]
    pub fn single_piece(domain: &CAnalyticSet, value: L) -> Self {
        Self::new(domain, vec![(AnalyticSet::new(), value)])
    }

    /// Adds parts that are not listed, if `has_more` is `true`.
    #[must_use]
    pub fn with_more(self, has_more: bool) -> Self {
        Self { has_more: self.has_more || has_more, ..self }
    }

    /// Returns the function that equals each of `pieces` on its c-analytic set.
    #[must_use]
    pub fn join_pieces(domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self)>) -> Self {
        let (mut parts, mut has_more) = (Vec::new(), domain.has_more());
        for (set, piece) in pieces {
            // A piece is a function on its own domain only.
            let here = set.intersection(&piece.domain);
            has_more |= here.has_more() || piece.has_more;
            let (sets, own) = (here.analytic_parts(), &piece.parts[..]);
            parts.extend(pair_members((sets, here.has_more()), (own, piece.has_more)).into_iter().map(|(i, j)| {
                let (more, value) = &own[j];
                (intersect_sets(&sets[i], more), value.clone())
            }));
        }
        Self { domain: domain.clone(), parts, has_more }
    }

    /// Reparametrises the function along `f`. `moved` reparametrises the description of a piece along the graphs of a
    /// piece of `f`.
    #[must_use]
    pub fn pull_back(&self, f: &PiecewiseAnalyticMap, moved: impl Fn(&L, &[Graph]) -> L) -> Self {
        let pieces: Vec<_> = f.pieces().collect();
        let pairs = pair_members((&pieces, f.has_more()), (&self.parts, self.has_more));
        let part = |(i, j): (usize, usize)| {
            let ((answers, graphs), (own, value)) = (pieces[i], &self.parts[j]);
            (intersect_sets(answers, &substitute_graphs(own, graphs)), moved(value, graphs))
        };
        let parts = pairs.into_iter().map(part).collect();
        Self::new(f.domain(), parts).with_more(self.has_more || f.has_more())
    }

    /// Glues the plots that `plot` selects from the pieces to a plot on a part of U. Pieces with `None` are left out.
    pub fn glue_within<X: OrderedDiffeology>(
        &self,
        space: &X,
        part: &CAnalyticSet,
        plot: impl Fn(&L) -> Option<X::Plot>,
    ) -> X::Plot {
        let n = self.domain.dimension();
        let pieces = self.parts.iter().filter_map(|(answers, value)| {
            // what is glued may have more parts as well
            let set = CAnalyticSet::new(n, vec![answers.clone()]).with_more(self.has_more);
            let inclusion = PiecewiseAnalyticMap::new(
                &part.intersection(&set),
                &self.domain,
                vec![(AnalyticSet::new(), coordinate_graphs(n))],
            );
            Some((set, space.reparametrise(&inclusion, &plot(value)?)))
        });
        space.glue_pieces(&part.clone().with_more(self.has_more), pieces.collect())
    }

    /// Returns the pieces that contain a sample point, with their inclusions in U.
    pub fn inhabited_pieces(&self, trial: &MapTestConfig) -> impl Iterator<Item = (PiecewiseAnalyticMap, &L)> {
        let found = |part: &PiecewiseAnalyticMap| {
            let mut random = SplitMix64::new(trial.seed);
            !CAnalyticSite::sample_points(part.domain(), &mut random, trial.sample_points as usize).is_empty()
        };
        let parts = self.parts.iter().map(|(answers, value)| (self.inclusion_of(answers), value));
        parts.filter(move |(part, _)| found(part))
    }

    /// Returns the inclusion of the points where the answers are right.
    #[must_use]
    pub fn inclusion_of(&self, answers: &AnalyticSet) -> PiecewiseAnalyticMap {
        let n = self.domain.dimension();
        let part = self.domain.intersection(&CAnalyticSet::new(n, vec![answers.clone()]));
        PiecewiseAnalyticMap::new(&part, &self.domain, vec![(AnalyticSet::new(), coordinate_graphs(n))])
    }

    /// Returns the pieces that certainly contain a point. The second component is `true` if the point certainly lies in
    /// no piece.
    #[must_use]
    pub fn pieces_containing(&self, u: &[Graph]) -> (Vec<&L>, bool) {
        let found: Vec<_> = self.parts.iter().map(|(answers, value)| (contains_point(answers, u), value)).collect();
        let outside = !self.has_more && found.iter().all(|(holds, _)| *holds == Some(false));
        (found.into_iter().filter(|(holds, _)| *holds == Some(true)).map(|(_, value)| value).collect(), outside)
    }

    /// Returns the description of the function at a point: that of the least piece that contains it.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] if no piece is known to contain the point, or if an earlier one may contain it.
    pub fn description_at(&self, u: &[Graph], trial: &MapTestConfig) -> Result<&L, DiffeologyError> {
        least_part(self.parts.iter().map(|(answers, value)| (answers, value)), u)
            .map(|(_, value)| value)
            .ok_or_else(|| DiffeologyError::NoPiece { point: format_point(u, trial) })
    }

    /// Tests a statement of the pieces at points of U, and the agreement of pieces that share a point. If `total` is
    /// `true`, a point in no piece refutes. The verdict is vacuous if no point of U is found.
    ///
    /// # Errors
    /// The errors of the statements.
    pub fn test_everywhere(
        &self,
        trial: &MapTestConfig,
        total: bool,
        mut holds: impl FnMut(&L, &[Rational]) -> DiffeologyVerdict,
        mut agree: impl FnMut(&L, &L, &[Rational]) -> DiffeologyVerdict,
    ) -> DiffeologyVerdict {
        let mut all = None;
        for u in
            CAnalyticSite::sample_points(&self.domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize)
        {
            let (pieces, outside) = self.pieces_containing(&super::smoothness::rational_point(&u));
            let mut here = match (pieces.is_empty(), outside, total) {
                (true, true, true) => return Ok(Verdict::refuted(format_rational_point(&u), "no value", "a value")),
                // Outside of all pieces, a partial function is undefined, and nothing can fail.
                (true, true, false) | (false, ..) => Verdict::Survived,
                (true, false, _) => Verdict::Vacuous,
            };
            for piece in &pieces {
                here = here.and_part(holds(piece, &u)?);
            }
            // Neighbours only, as in the other site: all pairs would be quadratic.
            for pair in pieces.windows(2) {
                here = here.and_part(agree(pair[0], pair[1], &u)?.with_witness(|| format_rational_point(&u)));
            }
            all = Some(all.map_or(here.clone(), |all: Verdict| all.and_part(here)));
        }
        Ok(all.unwrap_or(Verdict::Vacuous))
    }
}

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
        CAnalyticPieces::new(domain, parts.into())
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
            CAnalyticPieces::new(&plot.domain, [on(&cut[a]), on(&cut[b])].concat())
        })
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> OrderedDiffeology for ProductDiffeology<X, Y> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(self.0.test_below(&x.0, &y.0, trial)?.and_part(self.1.test_below(&x.1, &y.1, trial)?))
    }
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        // Each component takes the chain apart for itself.
        let other = chain.clone();
        (
            self.0.least_upper_bound(domain, Arc::new(move |n| chain(n).0)),
            self.1.least_upper_bound(domain, Arc::new(move |n| other(n).1)),
        )
    }
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let (first, second) = (self.0.draw_chain(domain, random), self.1.draw_chain(domain, random));
        Arc::new(move |n| (first(n), second(n)))
    }
}

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
        CAnalyticPieces::new(domain, parts.iter().map(first).collect())
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
            // on parts that are not listed two pieces may remain, which lift one function
            free = free.intersection(&part.complement_of_listed());
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

/// The sum X + Y.
#[derive(Clone, Debug)]
pub struct OmegaSum<X, Y>(pub X, pub Y);

/// An element of one side of a sum.
#[derive(Clone, Debug)]
pub enum OmegaSumPoint<A, B> {
    /// An element of the first side.
    Left(A),
    /// An element of the second side.
    Right(B),
}

impl<A: Clone, B: Clone> OmegaSumPoint<A, B> {
    /// Returns the element if it belongs to the first side. Returns `None` otherwise.
    fn as_left(&self) -> Option<A> {
        if let Left(a) = self { Some(a.clone()) } else { None }
    }

    /// Returns the element if it belongs to the second side. Returns `None` otherwise.
    fn as_right(&self) -> Option<B> {
        if let Right(b) = self { Some(b.clone()) } else { None }
    }
}

/// Compares two elements of a sum. Elements of different sides refute.
fn compare_sides<A, B, C, D>(
    x: &OmegaSumPoint<A, B>,
    y: &OmegaSumPoint<C, D>,
    left: impl FnOnce(&A, &C) -> DiffeologyVerdict,
    right: impl FnOnce(&B, &D) -> DiffeologyVerdict,
) -> DiffeologyVerdict {
    match (x, y) {
        (Left(x), Left(y)) => left(x, y),
        (Right(x), Right(y)) => right(x, y),
        (Left(_), Right(_)) => Ok(Verdict::refuted("the side", "the first", "the second")),
        (Right(_), Left(_)) => Ok(Verdict::refuted("the side", "the second", "the first")),
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> Diffeology<CAnalyticSite> for OmegaSum<X, Y> {
    type Point = OmegaSumPoint<X::Point, Y::Point>;
    type Plot = CAnalyticPieces<OmegaSumPoint<X::Plot, Y::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        let value = match x {
            Left(x) => Left(self.0.constant_plot(domain, x)),
            Right(y) => Right(self.1.constant_plot(domain, y)),
        };
        CAnalyticPieces::single_piece(domain, value)
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |side, _| match side {
            Left(p) => Left(self.0.reparametrise(along, p)),
            Right(q) => Right(self.1.reparametrise(along, q)),
        })
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        CAnalyticPieces::join_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.description_at(u, trial)? {
            Left(p) => Left(self.0.value_at(p, u, trial)?),
            Right(q) => Right(self.1.value_at(q, u, trial)?),
        })
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_sides(x, y, |x, y| self.0.compare_points(x, y, trial), |x, y| self.1.compare_points(x, y, trial))
    }
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = plot.test_everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = rational_point(u);
                let at = |side: &OmegaSumPoint<X::Plot, Y::Plot>| -> Result<Self::Point, DiffeologyError> {
                    Ok(match side {
                        Left(p) => Left(self.0.value_at(p, &u, trial)?),
                        Right(q) => Right(self.1.value_at(q, &u, trial)?),
                    })
                };
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        // A part without sample points is not tested: it may be empty.
        for (part, side) in plot.inhabited_pieces(trial) {
            all = all.and_part(match side {
                Left(p) => self.0.test_plot(&self.0.reparametrise(&part, p), trial)?,
                Right(q) => self.1.test_plot(&self.1.reparametrise(&part, q), trial)?,
            });
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        if random.random_bool(50) { Left(self.0.draw_point(random)) } else { Right(self.1.draw_point(random)) }
    }
    /// Draws a plot of the first side where a guard holds, and one of the second side where it fails.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let [yes, no] = draw_partition(random, domain.dimension());
        let (first, second) = (Left(self.0.draw_plot(domain, random)), Right(self.1.draw_plot(domain, random)));
        CAnalyticPieces::new(domain, vec![(vec![yes], first), (vec![no], second)])
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        match x {
            Left(x) => format!("left {}", self.0.describe_point(x, trial)),
            Right(y) => format!("right {}", self.1.describe_point(y, trial)),
        }
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> OrderedDiffeology for OmegaSum<X, Y> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_sides(x, y, |x, y| self.0.test_below(x, y, trial), |x, y| self.1.test_below(x, y, trial))
    }
    /// Returns the bound, whose sides are those of the first element: a chain never changes sides. On each part of the
    /// first element, the bound is that of plots of one side, each glued from the parts that the later elements have
    /// there.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let CAnalyticPieces { parts, has_more, .. } = chain(0);
        let parts = parts.into_iter().map(|(answers, side)| {
            let chain = chain.clone();
            let here = domain.intersection(&CAnalyticSet::new(domain.dimension(), vec![answers.clone()]));
            let bound = match side {
                Left(_) => {
                    let (x, part) = (self.0.clone(), here.clone());
                    Left(self.0.least_upper_bound(
                        &here,
                        Arc::new(move |n| chain(n).glue_within(&x, &part, |side| side.as_left())),
                    ))
                }
                Right(_) => {
                    let (y, part) = (self.1.clone(), here.clone());
                    Right(self.1.least_upper_bound(
                        &here,
                        Arc::new(move |n| chain(n).glue_within(&y, &part, |side| side.as_right())),
                    ))
                }
            };
            (answers, bound)
        });
        CAnalyticPieces::new(domain, parts.collect()).with_more(has_more)
    }
    /// Draws a chain of the first side where a guard holds, and of the second side where it fails. On each side,
    /// another guard cuts between two chains. The first element glues the two; later elements list them as parts, in a
    /// varying order.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let [guards, cut] = [(); 2].map(|()| draw_partition(random, domain.dimension()));
        let first = [(); 2].map(|()| self.0.draw_chain(domain, random));
        let second = [(); 2].map(|()| self.1.draw_chain(domain, random));
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let [yes, no] = &guards;
            let parts = if n == 0 {
                let (p, q) = (
                    glue_first_plots(&this.0, &domain, &cut, &first),
                    glue_first_plots(&this.1, &domain, &cut, &second),
                );
                vec![(vec![yes.clone()], Left(p)), (vec![no.clone()], Right(q))]
            } else {
                let left = cut.iter().zip(&first).map(|(side, p)| (vec![yes.clone(), side.clone()], Left(p(n))));
                let right = cut.iter().zip(&second).map(|(side, q)| (vec![no.clone(), side.clone()], Right(q(n))));
                rotate_parts(left.chain(right).collect(), n)
            };
            CAnalyticPieces::new(&domain, parts)
        })
    }
}

/// Glues the first plots of two chains, each on one side of a guard.
fn glue_first_plots<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    cut: &[GuardCondition; 2],
    chains: &[PlotChain<X::Plot>; 2],
) -> X::Plot {
    let part = |(side, chain): (&GuardCondition, &PlotChain<X::Plot>)| {
        (CAnalyticSet::new(domain.dimension(), vec![vec![side.clone()]]), chain(0))
    };
    space.glue_pieces(domain, cut.iter().zip(chains).map(part).collect())
}

/// Rearranges parts in an order that depends on `n`. Bounds must not depend on the order of parts.
fn rotate_parts<T>(mut parts: Vec<T>, n: usize) -> Vec<T> {
    parts.reverse();
    let by = n % parts.len().max(1);
    parts.rotate_left(by);
    parts
}

/// The space of lists of elements of X.
#[derive(Clone, Debug)]
pub struct OmegaList<X>(pub X);

/// The greatest length of a random list. A choice: bounds multiply the work with each element.
const MAX_DRAWN_LENGTH: usize = 2;

impl<X: OrderedDiffeology> OmegaList<X> {
    /// Compares two lists element by element. Different lengths refute.
    fn compare_elementwise(
        &self,
        x: &[X::Point],
        y: &[X::Point],
        same: impl Fn(&X::Point, &X::Point) -> DiffeologyVerdict,
    ) -> DiffeologyVerdict {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        x.iter().zip(y).try_fold(Verdict::Survived, |all, (x, y)| Ok(all.and_part(same(x, y)?)))
    }
}

impl<X: OrderedDiffeology> Diffeology<CAnalyticSite> for OmegaList<X> {
    type Point = Vec<X::Point>;
    type Plot = CAnalyticPieces<Vec<X::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        CAnalyticPieces::single_piece(domain, x.iter().map(|x| self.0.constant_plot(domain, x)).collect())
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |list, _| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        CAnalyticPieces::join_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        plot.description_at(u, trial)?.iter().map(|p| self.0.value_at(p, u, trial)).collect()
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_elementwise(x, y, |x, y| self.0.compare_points(x, y, trial))
    }
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = plot.test_everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = rational_point(u);
                let at =
                    |list: &[X::Plot]| list.iter().map(|p| self.0.value_at(p, &u, trial)).collect::<Result<_, _>>();
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        for (part, list) in plot.inhabited_pieces(trial) {
            for p in list {
                all = all.and_part(self.0.test_plot(&self.0.reparametrise(&part, p), trial)?);
            }
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_point(random)).collect()
    }
    /// Draws lists of one length where a guard holds, and of one length where it fails. The lengths may be equal.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let parts = draw_partition(random, domain.dimension()).map(|side| {
            (
                vec![side],
                (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_plot(domain, random)).collect(),
            )
        });
        CAnalyticPieces::new(domain, parts.into())
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("[{}]", x.iter().map(|x| self.0.describe_point(x, trial)).collect::<Vec<_>>().join(", "))
    }
}

impl<X: OrderedDiffeology> OrderedDiffeology for OmegaList<X> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_elementwise(x, y, |x, y| self.0.test_below(x, y, trial))
    }
    /// Returns the bound, whose lengths are those of the first element: a chain never changes lengths. On each part of
    /// the first element, the bound at each place is that of plots that are glued from the parts of the later elements.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let CAnalyticPieces { parts, has_more, .. } = chain(0);
        let parts = parts.into_iter().map(|(answers, list)| {
            let here = domain.intersection(&CAnalyticSet::new(domain.dimension(), vec![answers.clone()]));
            let length = list.len();
            let bound = |place: usize| {
                let (chain, x, part) = (chain.clone(), self.0.clone(), here.clone());
                // Parts of other lengths lie elsewhere.
                let element = move |list: &Vec<X::Plot>| list.get(place).filter(|_| list.len() == length).cloned();
                self.0.least_upper_bound(&here, Arc::new(move |n| chain(n).glue_within(&x, &part, element)))
            };
            (answers, (0..length).map(bound).collect())
        });
        CAnalyticPieces::new(domain, parts.collect()).with_more(has_more)
    }
    /// Draws a chain of one length where a guard holds, and of one length where it fails. At each place, another guard
    /// cuts between two chains, as in a sum.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let cut = draw_partition(random, domain.dimension());
        let lists = draw_partition(random, domain.dimension()).map(|side| {
            let places = 0..random.next_below(MAX_DRAWN_LENGTH + 1);
            let list: Vec<_> = places.map(|_| [(); 2].map(|()| self.0.draw_chain(domain, random))).collect();
            (side, list)
        });
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let mut parts = Vec::new();
            for (guard, list) in &lists {
                if n == 0 {
                    let list = list.iter().map(|chains| glue_first_plots(&this.0, &domain, &cut, chains)).collect();
                    parts.push((vec![guard.clone()], list));
                } else {
                    parts.extend(cut.iter().enumerate().map(|(which, side)| {
                        let list = list.iter().map(|chains| chains[which](n)).collect();
                        (vec![guard.clone(), side.clone()], list)
                    }));
                }
            }
            CAnalyticPieces::new(&domain, if n == 0 { parts } else { rotate_parts(parts, n) })
        })
    }
}
