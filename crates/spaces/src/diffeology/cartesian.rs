//! Cartesian diffeologies: an open subset of ℝᵐ with the smooth maps into it as plots (H §4.1, H16).
//!
//! A plot is a list of graphs over the coordinates of its domain, or consists of pieces of this form. Smoothness is
//! tested at sample points, along lines, up to the order of the trial (see [`smoothness`]). At order 4, x⁴·|x|
//! survives, although it has no fifth derivative.

use super::DiffeologyVerdict;
use super::error::{DiffeologyError, format_rational_point};
use super::open::OpenSet;
use super::piecewise::{PiecewisePlot, PlotPiece};
use super::real::{Membership, compare_points, format_point, point_membership, rational_point};
use super::region::PieceRegion;
use super::reparametrisation::{Reparametrisation, compose_graphs};
use super::smoothness::{self, draw_direction};
use super::space::Diffeology;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::{DynMap, coordinate_variables};
use crate::verdict::Verdict;
use std::sync::Arc;

/// An open subset of ℝᵐ with its smooth maps as plots. The empty set has no points, so its random points lie outside of
/// it.
#[derive(Clone, Debug)]
pub struct CartesianDiffeology(OpenSet);

/// A function into ℝᵐ: pieces with m graphs over the coordinates of the domain.
pub type CartesianPlot = PiecewisePlot<Arc<[Graph]>>;

impl CartesianDiffeology {
    /// Returns the space of an open set.
    #[must_use]
    pub fn new(open: OpenSet) -> Self {
        Self(open)
    }

    /// Returns ℝᵐ.
    #[must_use]
    pub fn whole_space(dimension: usize) -> Self {
        Self(OpenSet::whole_space(dimension))
    }

    /// Returns the open set.
    #[must_use]
    pub fn open_set(&self) -> &OpenSet {
        &self.0
    }

    /// Returns the function with the given graphs over the coordinates of its domain.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the number of graphs is not m. [`DiffeologyError::Map`] if a graph mentions a
    /// variable that is no coordinate of the domain.
    pub fn plot_from_graphs(&self, domain: &OpenSet, graphs: &[Graph]) -> Result<CartesianPlot, DiffeologyError> {
        DiffeologyError::check_dimension("the list of graphs", self.0.dimension(), graphs.len())?;
        DynMap::of_graphs(&coordinate_variables(domain.dimension()), graphs)?;
        Ok(PiecewisePlot::single_piece(domain, graphs.into()))
    }

    /// Tests at an exact point whether a piece around it maps into the open set and is smooth along a random line.
    fn test_at_point(
        &self,
        plot: &CartesianPlot,
        piece: &PlotPiece<Arc<[Graph]>>,
        u: &[Rational],
        random: &mut SplitMix64,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let value = compose_graphs(&piece.value, &rational_point(u));
        let lands = match point_membership(&value, &self.0, trial)? {
            Membership::Inside => Verdict::Survived,
            Membership::Unknown => Verdict::Vacuous,
            Membership::Outside => Verdict::refuted(
                format_rational_point(u),
                format_point(&value, trial),
                format!("a point of {}", self.0),
            ),
        };
        // On a closed piece, the graphs near the point need not describe the function near it.
        if !piece.region.is_open() {
            return Ok(Verdict::Vacuous.and_part(lands));
        }
        let along = draw_direction(random, u.len());
        // Kinks elsewhere on the line count only where this very piece is the function.
        let smooth = smoothness::test_smoothness_on_line(&piece.value, u, &along, trial, |x| {
            plot.certainly_contains(piece, x, trial)
        })?;
        Ok(lands.and_part(smooth))
    }
}

impl Diffeology for CartesianDiffeology {
    type Point = Vec<Graph>;
    type Plot = CartesianPlot;

    fn plot_domain(&self, plot: &CartesianPlot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Vec<Graph>) -> CartesianPlot {
        PiecewisePlot::single_piece(domain, x.clone().into())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &CartesianPlot) -> CartesianPlot {
        plot.pull_back(along, |graphs| along.pull_back(graphs).into())
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, CartesianPlot)>) -> CartesianPlot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(
        &self,
        plot: &CartesianPlot,
        u: &[Graph],
        trial: &MapTestConfig,
    ) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(compose_graphs(plot.description_at(u, trial)?, u))
    }

    fn compare_points(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_points(x, y, trial)
    }

    fn test_plot(&self, plot: &CartesianPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            |piece, u, random| self.test_at_point(plot, piece, u, random, trial),
            |p, q, u| {
                let u = rational_point(u);
                compare_points(&compose_graphs(p, &u), &compose_graphs(q, &u), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Vec<Graph> {
        rational_point(&self.0.draw_point(random).unwrap_or_else(|| vec![Rational::new(); self.0.dimension()]))
    }

    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> CartesianPlot {
        let graphs = Reparametrisation::draw_map(random, domain, &self.0)
            .map_or_else(|| vec![Graph::integer(0); self.0.dimension()], |f| f.graphs().to_vec());
        PiecewisePlot::single_piece(domain, graphs.into())
    }

    /// Returns a coordinate.
    fn observe_plot(&self, which: u64, plot: &CartesianPlot) -> Vec<(PieceRegion, Graph)> {
        let coordinate = |graphs: &[Graph]| match graphs.len() {
            0 => Graph::integer(0),
            n => graphs[(which % n as u64) as usize].clone(),
        };
        plot.pieces().iter().map(|p| (p.region.clone(), coordinate(&p.value))).collect()
    }

    fn describe_point(&self, x: &Vec<Graph>, trial: &MapTestConfig) -> String {
        format_point(x, trial)
    }
}
