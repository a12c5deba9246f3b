//! Manifolds as diffeological spaces (H §6.3): plots are locally smooth maps into charts, compatible along the
//! transitions.
//!
//! A point is given in a chart. Two points of one chart are equal if their coordinates are; two points of different
//! charts are equal if the transition maps one to the other. Outside of its domain they are different, unless a path
//! over other charts is not excluded: the cocycle condition of an atlas is tested at points only. Distinct points need
//! not have disjoint neighbourhoods: a line with two origins has an atlas as well.

use super::Tried;
use super::atlas::{Atlas, Transition};
use super::cartesian::Cartesian;
use super::error::DiffeologyError;
use super::open::{Interval, Open};
use super::piecewise::Piecewise;
use super::real::{Membership, exactly, membership, same, told_point};
use super::region::Region;
use super::reparametrisation::{Reparametrisation, composed};
use super::smoothness::trial;
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, coordinates, variables};
use crate::verdict::Verdict;
use std::sync::Arc;

/// A manifold, given by an atlas.
#[derive(Clone, Debug)]
pub struct Manifold {
    atlas: Arc<Atlas>,
}

/// A point in a chart, or a function into a chart.
#[derive(Clone, Debug)]
pub struct InChart {
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
    pub fn euclidean(n: usize) -> Result<Self, super::atlas::AtlasError> {
        Ok(Self::new(Atlas::new(vec![Open::whole(n)], Vec::new(), &trial())?))
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
        let half = |i: usize, side: Interval| {
            let mut sides = vec![Interval::line(); n];
            sides[i] = side;
            sides
        };
        // ℝⁿ without the origin is the union of 2n open half-spaces.
        let halves = (0..n).flat_map(|i| [half(i, Interval::below(0)), half(i, Interval::above(0))]).collect();
        let punctured = Open::new(n, halves)?;
        let x = coordinates(n);
        let norm = x
            .iter()
            .fold(Graph::integer(0), |sum, x| Graph::binary(Binary::Add, &sum, &Graph::binary(Binary::Multiply, x, x)));
        let inverted: Vec<Graph> = x.iter().map(|x| Graph::binary(Binary::Divide, x, &norm)).collect();
        let transition = |from, to| Transition { from, to, on: punctured.clone(), graphs: inverted.clone() };
        let atlas = Atlas::new(vec![Open::whole(n); 2], vec![transition(0, 1), transition(1, 0)], &trial())?;
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
    pub fn plot(&self, domain: &Open, chart: usize, graphs: &[Graph]) -> Result<Piecewise<InChart>, DiffeologyError> {
        let charts = self.atlas.charts();
        let Some(open) = charts.get(chart) else {
            let expected = format!("a chart below {}", charts.len());
            return Err(DiffeologyError::Shape { expected, found: format!("chart {chart}") });
        };
        DiffeologyError::fits("the list of graphs", open.dimension(), graphs.len())?;
        Untyped::of_graphs(&variables(domain.dimension()), graphs)?;
        Ok(Piecewise::whole(domain, InChart { chart, coordinates: graphs.to_vec() }))
    }

    /// Returns a chart as a Cartesian space; ℝ⁰ if there is no such chart.
    fn chart(&self, index: usize) -> Cartesian {
        Cartesian::new(self.atlas.charts().get(index).cloned().unwrap_or_else(|| Open::whole(0)))
    }
}

impl Diffeology for Manifold {
    type Point = InChart;
    type Plot = Piecewise<InChart>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &InChart) -> Self::Plot {
        Piecewise::whole(domain, x.clone())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |p| InChart { chart: p.chart, coordinates: along.pull(&p.coordinates) })
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<InChart, DiffeologyError> {
        let found = plot.at(u, trial)?;
        Ok(InChart { chart: found.chart, coordinates: composed(&found.coordinates, u) })
    }

    fn same(&self, x: &InChart, y: &InChart, trial: &Trial) -> Tried {
        let found = self.atlas.transition(x.chart, y.chart);
        if let Some((on, transition)) = &found {
            match membership(&x.coordinates, on, trial)? {
                Membership::Inside => return same(&composed(transition, &x.coordinates), &y.coordinates, trial),
                Membership::Unknown => return Ok(Verdict::Vacuous),
                Membership::Outside => {}
            }
        }
        // In an atlas that violates the cocycle condition, points may be identified over other charts.
        if self.atlas.may_lead((x.chart, &x.coordinates), (y.chart, &y.coordinates), trial)? {
            return Ok(Verdict::Vacuous);
        }
        Ok(match found {
            None => Verdict::refuted("two charts without a common point", x.chart, y.chart),
            Some(_) => Verdict::refuted(format!("chart {}", y.chart), self.told(x, trial), self.told(y, trial)),
        })
    }

    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        plot.everywhere(
            trial,
            |piece, u, _| {
                // The function of a piece need not be smooth outside of the piece.
                let Some(near) = plot.near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let chart = self.chart(piece.value.chart);
                let p = chart.plot(plot.domain(), &piece.value.coordinates)?;
                chart.is_plot(&chart.reparametrise(&near, &p), trial)
            },
            |p, q, u| {
                let at = |p: &InChart| InChart { chart: p.chart, coordinates: composed(&p.coordinates, &exactly(u)) };
                self.same(&at(p), &at(q), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut Random) -> InChart {
        let chart = random.below(self.atlas.charts().len());
        InChart { chart, coordinates: self.chart(chart).draw_point(random) }
    }

    /// Draws a plot in one chart. Where transitions are defined, pieces in the other charts overlap with it.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let chart = random.below(self.atlas.charts().len());
        let drawn = self.chart(chart).draw_plot(domain, random);
        let whole = drawn.each(|graphs| InChart { chart, coordinates: graphs.to_vec() });
        let mut pieces = vec![(Region::everything(), whole.clone())];
        for t in self.atlas.transitions().iter().filter(|t| t.from == chart) {
            for piece in whole.pieces() {
                let moved = InChart { chart: t.to, coordinates: composed(&t.graphs, &piece.value.coordinates) };
                let region = Region::where_map(piece.value.coordinates.clone(), &t.on);
                // The piece in the other chart comes first, so that the values there are taken in that chart.
                pieces.insert(0, (piece.region.and(&region), Piecewise::whole(domain, moved)));
            }
        }
        Piecewise::joined(domain, pieces)
    }

    fn told(&self, x: &InChart, trial: &Trial) -> String {
        format!("{} in chart {}", told_point(&x.coordinates, trial), x.chart)
    }
}
