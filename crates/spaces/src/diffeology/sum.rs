//! Disjoint unions. A plot decomposes its domain into disjoint open sets, with a plot of a summand on each (H §5.2,
//! H28).
//!
//! The label is therefore locally constant, and constant on a connected domain. Two points of one component with
//! different labels refute a plot.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::open::OpenSet;
use super::piecewise::PiecewisePlot;
use super::real::rational_point;
use super::region::PieceRegion;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::presheaf::sum::SumElement;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// The disjoint union X + Y.
#[derive(Clone, Debug)]
pub struct SumDiffeology<X, Y>(pub X, pub Y);

impl<X: Diffeology, Y: Diffeology> Diffeology for SumDiffeology<X, Y> {
    type Point = SumElement<X::Point, Y::Point>;
    /// Pieces with a function into one of the summands. The function is given on the whole domain and used on the
    /// piece.
    type Plot = PiecewisePlot<SumElement<X::Plot, Y::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Self::Point) -> Self::Plot {
        let constant = match x {
            SumElement::Left(x) => SumElement::Left(self.0.constant_plot(domain, x)),
            SumElement::Right(y) => SumElement::Right(self.1.constant_plot(domain, y)),
        };
        PiecewisePlot::single_piece(domain, constant)
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| match p {
            SumElement::Left(p) => SumElement::Left(self.0.reparametrise(along, p)),
            SumElement::Right(p) => SumElement::Right(self.1.reparametrise(along, p)),
        })
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.description_at(u, trial)? {
            SumElement::Left(p) => SumElement::Left(self.0.value_at(p, u, trial)?),
            SumElement::Right(p) => SumElement::Right(self.1.value_at(p, u, trial)?),
        })
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        match (x, y) {
            (SumElement::Left(x), SumElement::Left(y)) => self.0.compare_points(x, y, trial),
            (SumElement::Right(x), SumElement::Right(y)) => self.1.compare_points(x, y, trial),
            _ => Ok(Verdict::refuted("the label", summand_label(x), summand_label(y))),
        }
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let constant = plot.test_locally_constant(trial, summand_label)?;
        // Different labels in one component are the clearest refutation, and the cheapest.
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.test_everywhere(
            trial,
            // The function of a piece need not be a plot outside of the piece, so it is tested on a neighbourhood
            // within.
            |piece, u, _| match (plot.inclusion_near(piece, u, trial)?, &piece.value) {
                (Some(near), SumElement::Left(p)) => self.0.test_plot(&self.0.reparametrise(&near, p), trial),
                (Some(near), SumElement::Right(p)) => self.1.test_plot(&self.1.reparametrise(&near, p), trial),
                (None, _) => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let at = |p: &SumElement<X::Plot, Y::Plot>| {
                    self.value_at(&PiecewisePlot::single_piece(plot.domain(), p.clone()), &rational_point(u), trial)
                };
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.and_part(pieces))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        if random.random_bool(50) {
            SumElement::Left(self.0.draw_point(random))
        } else {
            SumElement::Right(self.1.draw_point(random))
        }
    }

    /// Draws a label for each connected component.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let piece = |part: OpenSet| {
            let value = if random.random_bool(50) {
                SumElement::Left(self.0.draw_plot(domain, random))
            } else {
                SumElement::Right(self.1.draw_plot(domain, random))
            };
            (PieceRegion::of_open_set(&part), PiecewisePlot::single_piece(domain, value))
        };
        PiecewisePlot::join_pieces(domain, domain.connected_components().into_iter().map(piece).collect())
    }

    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match &piece.value {
                SumElement::Left(p) => self.0.observe_plot(which, p),
                SumElement::Right(p) => self.1.observe_plot(which, p),
            };
            inner.into_iter().map(|(region, g)| (piece.region.intersect_with(&region), g))
        });
        parts.flatten().collect()
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        match x {
            SumElement::Left(x) => format!("Left {}", self.0.describe_point(x, trial)),
            SumElement::Right(y) => format!("Right {}", self.1.describe_point(y, trial)),
        }
    }
}

/// Returns the name of the summand.
fn summand_label<A, B>(x: &SumElement<A, B>) -> &'static str {
    match x {
        SumElement::Left(_) => "Left",
        SumElement::Right(_) => "Right",
    }
}
