//! Lists: the disjoint union of the powers X⁰, X¹, X², … (H §5.2). The length of a list is locally constant along a
//! plot.

use super::Tried;
use super::error::DiffeologyError;
use super::open::Open;
use super::piecewise::Piecewise;
use super::real::exactly;
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// The space list(X).
#[derive(Clone, Debug)]
pub struct List<X>(pub X);

/// The greatest length of a random list. A choice.
const LONGEST: usize = 3;

impl<X: Diffeology> Diffeology for List<X> {
    type Point = Vec<X::Point>;
    /// Pieces with lists of functions, each given on the whole domain.
    type Plot = Piecewise<Vec<X::Plot>>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Self::Point) -> Self::Plot {
        Piecewise::whole(domain, x.iter().map(|x| self.0.constant(domain, x)).collect())
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |list| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        plot.at(u, trial)?.iter().map(|p| self.0.at(p, u, trial)).collect()
    }

    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        let mut all = Verdict::Survived;
        for (x, y) in x.iter().zip(y) {
            all = all.both(self.0.same(x, y, trial)?);
        }
        Ok(all)
    }

    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        // The length plays the part of the label of a disjoint union.
        let constant = plot.is_constant(trial, |list| format!("a list of {}", list.len()))?;
        if constant.is_refuted() {
            return Ok(constant);
        }
        let pieces = plot.everywhere(
            trial,
            |piece, u, _| {
                // The functions of a piece need not be plots outside of the piece.
                let Some(near) = plot.near(piece, u, trial)? else { return Ok(Verdict::Vacuous) };
                let mut all = Verdict::Survived;
                for p in &piece.value {
                    all = all.both(self.0.is_plot(&self.0.reparametrise(&near, p), trial)?);
                }
                Ok(all)
            },
            |p, q, u| {
                let u = exactly(u);
                let at = |list: &[X::Plot]| list.iter().map(|p| self.0.at(p, &u, trial)).collect::<Result<_, _>>();
                self.same(&at(p)?, &at(q)?, trial)
            },
        )?;
        Ok(constant.both(pieces))
    }

    fn draw_point(&self, random: &mut Random) -> Self::Point {
        (0..random.below(LONGEST + 1)).map(|_| self.0.draw_point(random)).collect()
    }

    /// Draws a length for each connected component.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let piece = |part: Open| {
            let list = (0..random.below(LONGEST + 1)).map(|_| self.0.draw_plot(domain, random)).collect();
            (Region::within(&part), Piecewise::whole(domain, list))
        };
        Piecewise::joined(domain, domain.components().into_iter().map(piece).collect())
    }

    /// Observes the first element. An empty list is observed as its length 0.
    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Region, Graph)> {
        let parts = plot.pieces().iter().map(|piece| {
            let inner = match piece.value.first() {
                Some(p) => self.0.observed(which, p),
                None => vec![(Region::everything(), Graph::integer(0))],
            };
            inner.into_iter().map(|(region, g)| (piece.region.and(&region), g))
        });
        parts.flatten().collect()
    }

    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        format!("[{}]", x.iter().map(|x| self.0.told(x, trial)).collect::<Vec<_>>().join(", "))
    }
}
