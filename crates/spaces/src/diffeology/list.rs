//! Lists: the disjoint union of the powers X⁰, X¹, X², … (H §5.2). The length of a list is locally constant along a
//! plot.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::open::OpenSet;
use super::piecewise::PiecewisePlot;
use super::real::rational_point;
use super::region::PieceRegion;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// The space list(X).
#[derive(Clone, Debug)]
pub struct ListDiffeology<X>(pub X);

/// The greatest length of a random list. A choice.
const MAX_DRAWN_LENGTH: usize = 3;

impl<X: Diffeology> Diffeology for ListDiffeology<X> {
    type Point = Vec<X::Point>;
    /// Pieces with lists of functions, each given on the whole domain.
    type Plot = PiecewisePlot<Vec<X::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Self::Point) -> Self::Plot {
        PiecewisePlot::single_piece(domain, x.iter().map(|x| self.0.constant_plot(domain, x)).collect())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |list| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        plot.description_at(u, trial)?.iter().map(|p| self.0.value_at(p, u, trial)).collect()
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        let mut all = Verdict::Survived;
        for (x, y) in x.iter().zip(y) {
            all = all.and_part(self.0.compare_points(x, y, trial)?);
        }
        Ok(all)
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        // The length plays the part of the label of a disjoint union.
        let constant = plot.test_locally_constant(trial, |list| format!("a list of {}", list.len()))?;
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.test_everywhere(
            trial,
            |piece, u, _| {
                // The functions of a piece need not be plots outside of the piece.
                let Some(near) = plot.inclusion_near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let mut all = Verdict::Survived;
                for p in &piece.value {
                    all = all.and_part(self.0.test_plot(&self.0.reparametrise(&near, p), trial)?);
                }
                Ok(all)
            },
            |p, q, u| {
                let u = rational_point(u);
                let at =
                    |list: &[X::Plot]| list.iter().map(|p| self.0.value_at(p, &u, trial)).collect::<Result<_, _>>();
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.and_part(pieces))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_point(random)).collect()
    }

    /// Draws a length for each connected component.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let piece = |part: OpenSet| {
            let list = (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_plot(domain, random)).collect();
            (PieceRegion::of_open_set(&part), PiecewisePlot::single_piece(domain, list))
        };
        PiecewisePlot::join_pieces(domain, domain.connected_components().into_iter().map(piece).collect())
    }

    /// Observes the first element. An empty list is observed as its length 0.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match piece.value.first() {
                Some(p) => self.0.observe_plot(which, p),
                None => vec![(PieceRegion::without_conditions(), Graph::integer(0))],
            };
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("[{}]", x.iter().map(|x| self.0.describe_point(x, trial)).collect::<Vec<_>>().join(", "))
    }
}
