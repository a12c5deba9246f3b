//! Manifolds as diffeological spaces (H §6.3): the plots are locally smooth maps into charts, compatible through the
//! transitions.
//!
//! A point is given in a chart. Two points of one chart are one when their coordinates are, and two points of different
//! charts when the transition takes one to the other. Where it is not defined they are two, unless a path over other charts
//! is not excluded: that there is none then is tried of an atlas at points only. That distinct points have disjoint neighbourhoods is not asked:
//! a line with two origins has an atlas, too.

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

/// A manifold, by an atlas.
#[derive(Clone, Debug)]
pub struct Manifold {
    atlas: Arc<Atlas>,
}

/// A point in a chart, or a function into one: the number of the chart, and the coordinates there.
#[derive(Clone, Debug)]
pub struct InChart {
    /// The number of the chart.
    pub chart: usize,
    /// The coordinates.
    pub coordinates: Vec<Graph>,
}

impl Manifold {
    /// The manifold of an atlas.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        Self { atlas: Arc::new(atlas) }
    }

    /// ℝⁿ, in one chart.
    ///
    /// # Errors
    /// Those of the atlas.
    pub fn euclidean(n: usize) -> Result<Self, super::atlas::AtlasError> {
        Ok(Self::new(Atlas::new(vec![Open::whole(n)], Vec::new(), &trial())?))
    }

    /// The sphere of dimension n ≥ 1, for n = 1 the circle, by two stereographic charts: ℝⁿ without the origin goes to itself by x ↦ x/|x|².
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for n = 0, which is no connected sphere; those of the atlas.
    pub fn sphere(n: usize) -> Result<Self, super::atlas::AtlasError> {
        if n == 0 {
            return Err(DiffeologyError::Dimension { what: "a sphere", expected: 1, found: 0 }.into());
        }
        let half = |i: usize, side: Interval| {
            let mut sides = vec![Interval::line(); n];
            sides[i] = side;
            sides
        };
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

    /// The atlas.
    #[must_use]
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The function into a chart.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] when there is no such chart; [`DiffeologyError::Dimension`] when there are not as many
    /// graphs as it has coordinates; [`DiffeologyError::Map`] when one mentions another variable.
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
        // points may be one over other charts, of an atlas that does not fit together
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

    /// In one chart, or also in a second one where the transition is defined.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let chart = random.below(self.atlas.charts().len());
        let drawn = self.chart(chart).draw_plot(domain, random);
        let whole = drawn.each(|graphs| InChart { chart, coordinates: graphs.to_vec() });
        let mut pieces = vec![(Region::everything(), whole.clone())];
        for t in self.atlas.transitions().iter().filter(|t| t.from == chart) {
            for piece in whole.pieces() {
                let moved = InChart { chart: t.to, coordinates: composed(&t.graphs, &piece.value.coordinates) };
                let region = Region::where_map(piece.value.coordinates.clone(), &t.on);
                pieces.insert(0, (piece.region.and(&region), Piecewise::whole(domain, moved)));
            }
        }
        Piecewise::joined(domain, pieces)
    }

    fn told(&self, x: &InChart, trial: &Trial) -> String {
        format!("{} in chart {}", told_point(&x.coordinates, trial), x.chart)
    }
}
