//! Quotients: functions that lift locally to plots of X, up to an equivalence relation.
//!
//! A candidate is given by its lifts, one on each piece. Two lifts agree where they overlap if their values are
//! related. So a quotient has plots without a global lift, for example a path around a circle, cut into pieces. Over
//! c-analytic sets there are [no such plots](super::omega).

use super::Tried;
use super::error::DiffeologyError;
use super::open::{Interval, Open};
use super::piecewise::Piecewise;
use super::real::exactly;
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use super::site::{Opens, Site};
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// An equivalence relation on a space.
pub trait Relation<X: Diffeology<S>, S: Site = Opens>: Clone + Send + Sync + 'static {
    /// Tests whether two points are related.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn related(&self, space: &X, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried;

    /// Returns a plot whose values are related to those of `plot`.
    fn moved(&self, space: &X, plot: &X::Plot, random: &mut Random) -> X::Plot;

    /// Returns the composite of a plot with a smooth function on X that is constant on classes. `which` selects the
    /// function.
    fn observed(&self, _space: &X, _which: u64, _plot: &X::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::everything(), Graph::integer(0))]
    }
}

/// The quotient X/∼.
#[derive(Clone, Debug)]
pub struct Quotient<X, R> {
    /// The space X.
    pub space: X,
    /// The relation ∼.
    pub relation: R,
}

impl<X: Diffeology, R: Relation<X>> Quotient<X, R> {
    /// Returns the function with the global lift `lift`.
    #[must_use]
    pub fn projected(&self, lift: &X::Plot) -> Piecewise<X::Plot> {
        Piecewise::whole(&self.space.domain(lift), lift.clone())
    }
}

impl<X: Diffeology, R: Relation<X>> Diffeology for Quotient<X, R> {
    /// A representative of a class.
    type Point = X::Point;
    /// Lifts of the function, one on each piece.
    type Plot = Piecewise<X::Plot>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &X::Point) -> Self::Plot {
        Piecewise::whole(domain, self.space.constant(domain, x))
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |p| self.space.reparametrise(along, p))
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<X::Point, DiffeologyError> {
        self.space.at(plot.at(u, trial)?, u, trial)
    }

    fn same(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.relation.related(&self.space, x, y, trial)
    }

    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        plot.everywhere(
            trial,
            // The lift of a piece need not be a plot outside of the piece.
            |piece, u, _| match plot.near(piece, u, trial)? {
                Some(near) => self.space.is_plot(&self.space.reparametrise(&near, &piece.value), trial),
                None => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let u = exactly(u);
                self.same(&self.space.at(p, &u, trial)?, &self.space.at(q, &u, trial)?, trial)
            },
        )
    }

    fn draw_point(&self, random: &mut Random) -> X::Point {
        self.space.draw_point(random)
    }

    /// Draws a plot with a global lift, or one with two related lifts on overlapping parts.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let lift = self.space.draw_plot(domain, random);
        let whole = self.projected(&lift);
        // A point has no two overlapping proper parts.
        if random.chance(50) || domain.dimension() == 0 {
            return whole;
        }
        let moved = self.projected(&self.relation.moved(&self.space, &lift, random));
        let half = |side| {
            let mut sides = vec![Interval::line(); domain.dimension()];
            sides[0] = side;
            Region::within(&Open::cuboid(sides))
        };
        Piecewise::joined(domain, vec![(half(Interval::below(1)), whole), (half(Interval::above(0)), moved)])
    }

    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Region, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = self.relation.observed(&self.space, which, &piece.value);
            inner.into_iter().map(|(region, g)| (piece.region.and(&region), g))
        });
        parts.flatten().collect()
    }

    fn told(&self, x: &X::Point, trial: &Trial) -> String {
        format!("the class of {}", self.space.told(x, trial))
    }
}
