//! Manifolds as diffeological spaces (H §6.3): plots are locally smooth maps into charts, compatible along the
//! transitions.
//!
//! A point is given in a chart. Two points of one chart are equal if their coordinates are; two points of different
//! charts are equal if the transition maps one to the other. Outside of its domain they are different, unless a path
//! over other charts is not excluded: the cocycle condition of an atlas is tested at points only. Distinct points need
//! not have disjoint neighbourhoods: a line with two origins has an atlas as well.

use super::DiffeologyVerdict;
use super::atlas::{Atlas, Transition};
use super::cartesian::CartesianDiffeology;
use super::error::DiffeologyError;
use super::open::{OpenInterval, OpenSet};
use super::piecewise::PiecewisePlot;
use super::real::{Membership, compare_points, format_point, point_membership, rational_point};
use super::region::PieceRegion;
use super::reparametrisation::{Reparametrisation, compose_graphs};
use super::smoothness::default_smoothness_test;
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::{DynMap, coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;
use std::sync::Arc;

/// A manifold, given by an atlas.
#[derive(Clone, Debug)]
pub struct Manifold {
    atlas: Arc<Atlas>,
}

/// A point in a chart, or a function into a chart.
#[derive(Clone, Debug)]
pub struct ChartPoint {
    /// The index of the chart, from 0.
    pub chart: usize,
    /// The coordinates in the chart, as closed graphs or as graphs over the domain of the function.
    pub coordinates: Vec<Graph>,
}

impl Manifold {
    /// Returns the manifold of an atlas.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        Self { atlas: Arc::new(atlas) }
    }

    /// Returns ℝⁿ with a single chart.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn euclidean_space(n: usize) -> Result<Self, super::atlas::AtlasError> {
        Ok(Self::new(Atlas::new(vec![OpenSet::whole_space(n)], Vec::new(), &default_smoothness_test())?))
    }

    /// Returns the sphere Sⁿ for n ≥ 1 with two stereographic charts. The transition x ↦ x/|x|² maps ℝⁿ without the
    /// origin to itself.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for n = 0, where the sphere is not connected; the errors of the atlas.
    pub fn sphere(n: usize) -> Result<Self, super::atlas::AtlasError> {
        if n == 0 {
            return Err(DiffeologyError::Dimension { what: "a sphere", expected: 1, found: 0 }.into());
        }
        let half = |i: usize, side: OpenInterval| {
            let mut sides = vec![OpenInterval::real_line(); n];
            sides[i] = side;
            sides
        };
        // ℝⁿ without the origin is the union of 2n open half-spaces.
        let halves =
            (0..n).flat_map(|i| [half(i, OpenInterval::ray_below(0)), half(i, OpenInterval::ray_above(0))]).collect();
        let punctured = OpenSet::new(n, halves)?;
        let x = coordinate_graphs(n);
        let norm = x
            .iter()
            .fold(Graph::integer(0), |sum, x| Graph::binary(Binary::Add, &sum, &Graph::binary(Binary::Multiply, x, x)));
        let inverted: Vec<Graph> = x.iter().map(|x| Graph::binary(Binary::Divide, x, &norm)).collect();
        let transition = |from, to| Transition { from, to, domain: punctured.clone(), graphs: inverted.clone() };
        let atlas = Atlas::new(
            vec![OpenSet::whole_space(n); 2],
            vec![transition(0, 1), transition(1, 0)],
            &default_smoothness_test(),
        )?;
        Ok(Self::new(atlas))
    }

    /// Returns the atlas.
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Returns the function into a chart with the given graphs over the coordinates of `domain`.
    ///
    /// # Errors
    /// - [`DiffeologyError::Shape`] if there is no such chart.
    /// - [`DiffeologyError::Dimension`] if the number of graphs is not the dimension of the chart.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate of `domain`.
    pub fn plot_in_chart(
        &self,
        domain: &OpenSet,
        chart: usize,
        graphs: &[Graph],
    ) -> Result<PiecewisePlot<ChartPoint>, DiffeologyError> {
        let charts = self.atlas.charts();
        let Some(open) = charts.get(chart) else {
            let expected = format!("a chart below {}", charts.len());
            return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") });
        };
        DiffeologyError::check_dimension("the list of graphs", open.dimension(), graphs.len())?;
        DynMap::of_graphs(&coordinate_variables(domain.dimension()), graphs)?;
        Ok(PiecewisePlot::single_piece(domain, ChartPoint { chart, coordinates: graphs.to_vec() }))
    }

    /// Returns a chart as a Cartesian space; ℝ⁰ if there is no such chart.
    fn chart_space(&self, index: usize) -> CartesianDiffeology {
        CartesianDiffeology::new(self.atlas.charts().get(index).cloned().unwrap_or_else(|| OpenSet::whole_space(0)))
    }
}

impl Diffeology for Manifold {
    type Point = ChartPoint;
    type Plot = PiecewisePlot<ChartPoint>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &ChartPoint) -> Self::Plot {
        PiecewisePlot::single_piece(domain, x.clone())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| ChartPoint { chart: p.chart, coordinates: along.pull_back(&p.coordinates) })
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<ChartPoint, DiffeologyError> {
        let found = plot.description_at(u, trial)?;
        Ok(ChartPoint { chart: found.chart, coordinates: compose_graphs(&found.coordinates, u) })
    }

    fn compare_points(&self, x: &ChartPoint, y: &ChartPoint, trial: &MapTestConfig) -> DiffeologyVerdict {
        let found = self.atlas.transition_between(x.chart, y.chart);
        if let Some((on, transition)) = &found {
            match point_membership(&x.coordinates, on, trial)? {
                Membership::Inside => {
                    return compare_points(&compose_graphs(transition, &x.coordinates), &y.coordinates, trial);
                }
                Membership::Unknown => return Ok(Verdict::Vacuous),
                Membership::Outside => {}
            }
        }
        // In an atlas that violates the cocycle condition, points may be identified over other charts.
        if self.atlas.may_connect((x.chart, &x.coordinates), (y.chart, &y.coordinates), trial)? {
            return Ok(Verdict::Vacuous);
        }
        Ok(match found {
            None => Verdict::refuted("two charts without a common point", x.chart, y.chart),
            Some(_) => Verdict::refuted(
                format!("chart {}", y.chart),
                self.describe_point(x, trial),
                self.describe_point(y, trial),
            ),
        })
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            |piece, u, _| {
                // The function of a piece need not be smooth outside of the piece.
                let Some(near) = plot.inclusion_near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let chart = self.chart_space(piece.value.chart);
                let p = chart.plot_from_graphs(plot.domain(), &piece.value.coordinates)?;
                chart.test_plot(&chart.reparametrise(&near, &p), trial)
            },
            |p, q, u| {
                let at = |p: &ChartPoint| ChartPoint {
                    chart: p.chart,
                    coordinates: compose_graphs(&p.coordinates, &rational_point(u)),
                };
                self.compare_points(&at(p), &at(q), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> ChartPoint {
        let chart = random.next_below(self.atlas.charts().len());
        ChartPoint { chart, coordinates: self.chart_space(chart).draw_point(random) }
    }

    /// Draws a plot in one chart. Where transitions are defined, pieces in the other charts overlap with it.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let chart = random.next_below(self.atlas.charts().len());
        let drawn = self.chart_space(chart).draw_plot(domain, random);
        let whole = drawn.map_pieces(|graphs| ChartPoint { chart, coordinates: graphs.to_vec() });
        let mut pieces = vec![(PieceRegion::without_conditions(), whole.clone())];
        for t in self.atlas.transitions().iter().filter(|t| t.from == chart) {
            for piece in whole.pieces() {
                let moved =
                    ChartPoint { chart: t.to, coordinates: compose_graphs(&t.graphs, &piece.value.coordinates) };
                let region = PieceRegion::preimage_of(piece.value.coordinates.clone(), &t.domain);
                // The piece in the other chart comes first, so that the values there are taken in that chart.
                pieces.insert(0, (piece.region.intersect_with(&region), PiecewisePlot::single_piece(domain, moved)));
            }
        }
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn describe_point(&self, x: &ChartPoint, trial: &MapTestConfig) -> String {
        format!("{} in chart {}", format_point(&x.coordinates, trial), x.chart)
    }
}
