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

mod flat;
mod lift;
mod line;
mod pair;
mod partial;
mod variant;

pub use flat::{CAnalyticSubset, FlatSpace};
pub use lift::{LiftedPlot, LiftedSpace, PartialPoint};
pub use line::OmegaLine;
pub use partial::{PartialMapSpace, PartialMorphism, curry, evaluation_morphism};
pub use variant::{OmegaList, OmegaSum, OmegaSumPoint};

use super::analytic::{
    AnalyticSet, CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, contains_point, intersect_sets, substitute_graphs,
};
use super::error::DiffeologyError;
use super::real::format_point;
use super::site::Site;
use super::space::Diffeology;
use super::{DiffeologyVerdict, error::format_rational_point};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::coordinate_graphs;
use crate::verdict::Verdict;
use std::sync::Arc;

/// A chain of plots: a function from n to the n-th plot.
pub type PlotChain<P> = Arc<dyn Fn(usize) -> P + Send + Sync>;

/// The index at which a chain is examined in place of its limit. A choice: drawn chains are constant after a few steps.
pub const CHAIN_LIMIT_INDEX: usize = 12;

/// A space with an order and least upper bounds of chains: an ωcpo whose plots are closed under these bounds.
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

/// A function that is given by a description of type `L` on each of finitely many analytic sets.
#[derive(Clone, Debug)]
pub struct CAnalyticPieces<L> {
    /// The domain U.
    pub domain: CAnalyticSet,
    /// The analytic sets, with the descriptions of the function there.
    pub parts: Vec<(AnalyticSet, L)>,
}

impl<L: Clone> CAnalyticPieces<L> {
    /// Returns the function with a single piece.
    #[must_use]
    pub fn single_piece(domain: &CAnalyticSet, value: L) -> Self {
        Self { domain: domain.clone(), parts: vec![(AnalyticSet::new(), value)] }
    }

    /// Returns the function that equals each of `pieces` on its c-analytic set.
    #[must_use]
    pub fn join_pieces(domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self)>) -> Self {
        let mut parts = Vec::new();
        for (set, piece) in pieces {
            for answers in set.analytic_parts() {
                // A piece is a function on its own domain only.
                for own in piece.domain.analytic_parts() {
                    let here = intersect_sets(answers, own);
                    parts.extend(piece.parts.iter().map(|(more, value)| (intersect_sets(&here, more), value.clone())));
                }
            }
        }
        Self { domain: domain.clone(), parts }
    }

    /// Reparametrises the function along `f`. `moved` reparametrises the description of a piece along the graphs of a
    /// piece of `f`.
    #[must_use]
    pub fn pull_back(&self, f: &PiecewiseAnalyticMap, moved: impl Fn(&L, &[Graph]) -> L) -> Self {
        let mut parts = Vec::new();
        for (answers, graphs) in f.pieces() {
            parts.extend(
                self.parts.iter().map(|(own, value)| {
                    (intersect_sets(answers, &substitute_graphs(own, graphs)), moved(value, graphs))
                }),
            );
        }
        Self { domain: f.domain().clone(), parts }
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
            let set = CAnalyticSet::new(n, vec![answers.clone()]);
            let inclusion = PiecewiseAnalyticMap::new(
                &part.intersection(&set),
                &self.domain,
                vec![(AnalyticSet::new(), coordinate_graphs(n))],
            );
            Some((set, space.reparametrise(&inclusion, &plot(value)?)))
        });
        space.glue_pieces(part, pieces.collect())
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
        let outside = found.iter().all(|(holds, _)| *holds == Some(false));
        (found.into_iter().filter(|(holds, _)| *holds == Some(true)).map(|(_, value)| value).collect(), outside)
    }

    /// Returns the description of the function at a point: that of the first piece that certainly contains it.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] if no piece is known to contain the point.
    pub fn description_at(&self, u: &[Graph], trial: &MapTestConfig) -> Result<&L, DiffeologyError> {
        self.pieces_containing(u)
            .0
            .first()
            .copied()
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
            let (pieces, outside) = self.pieces_containing(&super::real::rational_point(&u));
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
