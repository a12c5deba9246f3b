//! Cartesian diffeologies: an open subset of ℝᵐ with the smooth maps into it as plots (H §4.1, H16).
//!
//! A plot is a list of graphs over the coordinates of its domain, or consists of pieces of this form. Smoothness is
//! tested at sample points, along lines, up to the order of the trial (see [`smoothness`]). At order 4, x⁴·|x|
//! survives, although it has no fifth derivative.

use super::Tried;
use super::error::{DiffeologyError, shown};
use super::open::Open;
use super::piecewise::{Piece, Piecewise};
use super::real::{Membership, exactly, membership, same, told_point};
use super::region::Region;
use super::reparametrisation::{Reparametrisation, composed};
use super::smoothness::{self, direction};
use super::space::Diffeology;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, variables};
use crate::verdict::Verdict;
use std::sync::Arc;

/// An open subset of ℝᵐ with its smooth maps as plots. The empty set has no points, so its random points lie outside of
/// it.
#[derive(Clone, Debug)]
pub struct Cartesian(Open);

/// A function into ℝᵐ: pieces with m graphs over the coordinates of the domain.
pub type Plot = Piecewise<Arc<[Graph]>>;

impl Cartesian {
    /// Returns the space of an open set.
    #[must_use]
    pub fn new(open: Open) -> Self {
        Self(open)
    }

    /// Returns ℝᵐ.
    #[must_use]
    pub fn whole(dimension: usize) -> Self {
        Self(Open::whole(dimension))
    }

    /// Returns the open set.
    #[must_use]
    pub fn open(&self) -> &Open {
        &self.0
    }

    /// Returns the function with the given graphs over the coordinates of its domain.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the number of graphs is not m. [`DiffeologyError::Map`] if a graph mentions a
    /// variable that is no coordinate of the domain.
    pub fn plot(&self, domain: &Open, graphs: &[Graph]) -> Result<Plot, DiffeologyError> {
        DiffeologyError::fits("the list of graphs", self.0.dimension(), graphs.len())?;
        Untyped::of_graphs(&variables(domain.dimension()), graphs)?;
        Ok(Piecewise::whole(domain, graphs.into()))
    }

    /// Tests at an exact point whether a piece around it maps into the open set and is smooth along a random line.
    fn judged(
        &self,
        plot: &Plot,
        piece: &Piece<Arc<[Graph]>>,
        u: &[Rational],
        random: &mut Random,
        trial: &Trial,
    ) -> Tried {
        let value = composed(&piece.value, &exactly(u));
        let lands = match membership(&value, &self.0, trial)? {
            Membership::Inside => Verdict::Survived,
            Membership::Unknown => Verdict::Vacuous,
            Membership::Outside => {
                Verdict::refuted(shown(u), told_point(&value, trial), format!("a point of {}", self.0))
            }
        };
        // On a closed piece, the graphs near the point need not describe the function near it.
        if !piece.region.is_open() {
            return Ok(Verdict::Vacuous.both(lands));
        }
        let along = direction(random, u.len());
        // Kinks elsewhere on the line count only where this very piece is the function.
        let smooth = smoothness::on_line(&piece.value, u, &along, trial, |x| plot.has_inside(piece, x, trial))?;
        Ok(lands.both(smooth))
    }
}

impl Diffeology for Cartesian {
    type Point = Vec<Graph>;
    type Plot = Plot;

    fn domain(&self, plot: &Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Vec<Graph>) -> Plot {
        Piecewise::whole(domain, x.clone().into())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Plot) -> Plot {
        plot.along(along, |graphs| along.pull(graphs).into())
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Plot)>) -> Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Plot, u: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(composed(plot.at(u, trial)?, u))
    }

    fn same(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        same(x, y, trial)
    }

    fn is_plot(&self, plot: &Plot, trial: &Trial) -> Tried {
        plot.everywhere(
            trial,
            |piece, u, random| self.judged(plot, piece, u, random, trial),
            |p, q, u| {
                let u = exactly(u);
                same(&composed(p, &u), &composed(q, &u), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut Random) -> Vec<Graph> {
        exactly(&self.0.sample(random).unwrap_or_else(|| vec![Rational::new(); self.0.dimension()]))
    }

    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Plot {
        let graphs = Reparametrisation::draw(random, domain, &self.0)
            .map_or_else(|| vec![Graph::integer(0); self.0.dimension()], |f| f.graphs().to_vec());
        Piecewise::whole(domain, graphs.into())
    }

    /// Returns a coordinate.
    fn observed(&self, which: u64, plot: &Plot) -> Vec<(Region, Graph)> {
        let coordinate = |graphs: &[Graph]| match graphs.len() {
            0 => Graph::integer(0),
            n => graphs[(which % n as u64) as usize].clone(),
        };
        plot.pieces().iter().map(|p| (p.region.clone(), coordinate(&p.value))).collect()
    }

    fn told(&self, x: &Vec<Graph>, trial: &Trial) -> String {
        told_point(x, trial)
    }
}
