//! Quotients: functions that lift locally to plots of X, up to an equivalence relation.
//!
//! A candidate is given by its lifts, one on each piece. Two lifts agree where they overlap if their values are
//! related. So a quotient has plots without a global lift, for example a path around a circle, cut into pieces. Over
//! c-analytic sets there are [no such plots](super::omega).

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::open::{OpenInterval, OpenSet};
use super::piecewise::PiecewisePlot;
use super::real::rational_point;
use super::region::PieceRegion;
use super::reparametrisation::Reparametrisation;
use super::site::{OpenSetSite, Site};
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// An equivalence relation on a space.
pub trait EquivalenceRelation<X: Diffeology<S>, S: Site = OpenSetSite>: Clone + Send + Sync + 'static {
    /// Tests whether two points are related.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn test_related(&self, space: &X, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Returns a plot whose values are related to those of `plot`.
    fn draw_related_plot(&self, space: &X, plot: &X::Plot, random: &mut SplitMix64) -> X::Plot;

    /// Returns the composite of a plot with a smooth function on X that is constant on classes. `which` selects the
    /// function.
    fn observe_class_function(&self, _space: &X, _which: u64, _plot: &X::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::whole_part(), Graph::integer(0))]
    }
}

/// The quotient X/∼.
#[derive(Clone, Debug)]
pub struct QuotientDiffeology<X, R> {
    /// The space X.
    pub space: X,
    /// The relation ∼.
    pub relation: R,
}

impl<X: Diffeology, R: EquivalenceRelation<X>> QuotientDiffeology<X, R> {
    /// Returns the function with the global lift `lift`.
    #[must_use]
    pub fn project_plot(&self, lift: &X::Plot) -> PiecewisePlot<X::Plot> {
        PiecewisePlot::single_piece(&self.space.plot_domain(lift), lift.clone())
    }
}

impl<X: Diffeology, R: EquivalenceRelation<X>> Diffeology for QuotientDiffeology<X, R> {
    /// A representative of a class.
    type Point = X::Point;
    /// Lifts of the function, one on each piece.
    type Plot = PiecewisePlot<X::Plot>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &X::Point) -> Self::Plot {
        PiecewisePlot::single_piece(domain, self.space.constant_plot(domain, x))
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| self.space.reparametrise(along, p))
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<X::Point, DiffeologyError> {
        self.space.value_at(plot.description_at(u, trial)?, u, trial)
    }

    fn compare_points(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.relation.test_related(&self.space, x, y, trial)
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            // The lift of a piece need not be a plot outside of the piece.
            |piece, u, _| match plot.inclusion_near(piece, u, trial)? {
                Some(near) => self.space.test_plot(&self.space.reparametrise(&near, &piece.value), trial),
                None => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let u = rational_point(u);
                self.compare_points(&self.space.value_at(p, &u, trial)?, &self.space.value_at(q, &u, trial)?, trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> X::Point {
        self.space.draw_point(random)
    }

    /// Draws a plot with a global lift, or one with two related lifts on overlapping parts.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let lift = self.space.draw_plot(domain, random);
        let whole = self.project_plot(&lift);
        // A point has no two overlapping proper parts.
        if random.random_bool(50) || domain.dimension() == 0 {
            return whole;
        }
        let moved = self.project_plot(&self.relation.draw_related_plot(&self.space, &lift, random));
        let half = |side| {
            let mut sides = vec![OpenInterval::real_line(); domain.dimension()];
            sides[0] = side;
            PieceRegion::of_open_set(&OpenSet::from_box(sides))
        };
        PiecewisePlot::join_pieces(
            domain,
            vec![(half(OpenInterval::ray_below(1)), whole), (half(OpenInterval::ray_above(0)), moved)],
        )
    }

    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = self.relation.observe_class_function(&self.space, which, &piece.value);
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &X::Point, trial: &MapTestConfig) -> String {
        format!("the class of {}", self.space.describe_point(x, trial))
    }
}
