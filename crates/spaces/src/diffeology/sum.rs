//! Disjoint unions. A plot decomposes its domain into disjoint open sets, with a plot of a summand on each (H §5.2,
//! H28).
//!
//! The label is therefore locally constant, and constant on a connected domain. Two points of one component with
//! different labels refute a plot.

use super::Tried;
use super::error::DiffeologyError;
use super::open::Open;
use super::piecewise::Piecewise;
use super::real::exactly;
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::presheaf::sum::Either;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// The disjoint union X + Y.
#[derive(Clone, Debug)]
pub struct Sum<X, Y>(pub X, pub Y);

impl<X: Diffeology, Y: Diffeology> Diffeology for Sum<X, Y> {
    type Point = Either<X::Point, Y::Point>;
    /// Pieces with a function into one of the summands. The function is given on the whole domain and used on the
    /// piece.
    type Plot = Piecewise<Either<X::Plot, Y::Plot>>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Self::Point) -> Self::Plot {
        let constant = match x {
            Either::Left(x) => Either::Left(self.0.constant(domain, x)),
            Either::Right(y) => Either::Right(self.1.constant(domain, y)),
        };
        Piecewise::whole(domain, constant)
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |p| match p {
            Either::Left(p) => Either::Left(self.0.reparametrise(along, p)),
            Either::Right(p) => Either::Right(self.1.reparametrise(along, p)),
        })
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.at(u, trial)? {
            Either::Left(p) => Either::Left(self.0.at(p, u, trial)?),
            Either::Right(p) => Either::Right(self.1.at(p, u, trial)?),
        })
    }

    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        match (x, y) {
            (Either::Left(x), Either::Left(y)) => self.0.same(x, y, trial),
            (Either::Right(x), Either::Right(y)) => self.1.same(x, y, trial),
            _ => Ok(Verdict::refuted("the label", label(x), label(y))),
        }
    }

    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let constant = plot.is_constant(trial, label)?;
        // Different labels in one component are the clearest refutation, and the cheapest.
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.everywhere(
            trial,
            // The function of a piece need not be a plot outside of the piece, so it is tested on a neighbourhood
            // within.
            |piece, u, _| match (plot.near(piece, u, trial)?, &piece.value) {
                (Some(near), Either::Left(p)) => self.0.is_plot(&self.0.reparametrise(&near, p), trial),
                (Some(near), Either::Right(p)) => self.1.is_plot(&self.1.reparametrise(&near, p), trial),
                (None, _) => Ok(Verdict::Vacuous),
            },
            |p, q, u| {
                let at = |p: &Either<X::Plot, Y::Plot>| {
                    self.at(&Piecewise::whole(plot.domain(), p.clone()), &exactly(u), trial)
                };
                self.same(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.both(pieces))
    }

    fn draw_point(&self, random: &mut Random) -> Self::Point {
        if random.chance(50) {
            Either::Left(self.0.draw_point(random))
        } else {
            Either::Right(self.1.draw_point(random))
        }
    }

    /// Draws a label for each connected component.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let piece = |part: Open| {
            let value = if random.chance(50) {
                Either::Left(self.0.draw_plot(domain, random))
            } else {
                Either::Right(self.1.draw_plot(domain, random))
            };
            (Region::within(&part), Piecewise::whole(domain, value))
        };
        Piecewise::joined(domain, domain.components().into_iter().map(piece).collect())
    }

    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Region, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match &piece.value {
                Either::Left(p) => self.0.observed(which, p),
                Either::Right(p) => self.1.observed(which, p),
            };
            inner.into_iter().map(|(region, g)| (piece.region.and(&region), g))
        });
        parts.flatten().collect()
    }

    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        match x {
            Either::Left(x) => format!("Left {}", self.0.told(x, trial)),
            Either::Right(y) => format!("Right {}", self.1.told(y, trial)),
        }
    }
}

/// Returns the name of the summand.
fn label<A, B>(x: &Either<A, B>) -> &'static str {
    match x {
        Either::Left(_) => "Left",
        Either::Right(_) => "Right",
    }
}
