//! Products: plots are pairs of plots.

use super::{Chain, Ordered};
use crate::diffeology::analytic::{Analytic, CAnalytic, PapMap};
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use std::sync::Arc;

/// X × Y
#[derive(Clone, Debug)]
pub struct Pair<X, Y>(pub X, pub Y);

impl<X: Ordered, Y: Ordered> Diffeology<CAnalytic> for Pair<X, Y> {
    type Point = (X::Point, Y::Point);
    type Plot = (X::Plot, Y::Plot);

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        self.0.domain(&plot.0)
    }
    fn constant(&self, domain: &Analytic, x: &Self::Point) -> Self::Plot {
        (self.0.constant(domain, &x.0), self.1.constant(domain, &x.1))
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        (self.0.reparametrise(along, &plot.0), self.1.reparametrise(along, &plot.1))
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        let (first, second) = pieces.into_iter().map(|(set, (p, q))| ((set.clone(), p), (set, q))).unzip();
        (self.0.piecewise(domain, first), self.1.piecewise(domain, second))
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        Ok((self.0.at(&plot.0, u, trial)?, self.1.at(&plot.1, u, trial)?))
    }
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(self.0.same(&x.0, &y.0, trial)?.both(self.1.same(&x.1, &y.1, trial)?))
    }
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        Ok(self.0.is_plot(&plot.0, trial)?.both(self.1.is_plot(&plot.1, trial)?))
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        (self.0.draw_point(random), self.1.draw_point(random))
    }
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        (self.0.draw_plot(domain, random), self.1.draw_plot(domain, random))
    }
    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Analytic, Graph)> {
        if which.is_multiple_of(2) { self.0.observed(which / 2, &plot.0) } else { self.1.observed(which / 2, &plot.1) }
    }
    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        format!("({}, {})", self.0.told(&x.0, trial), self.1.told(&x.1, trial))
    }
}

impl<X: Ordered, Y: Ordered> Ordered for Pair<X, Y> {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(self.0.below(&x.0, &y.0, trial)?.both(self.1.below(&x.1, &y.1, trial)?))
    }
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        let other = chain.clone();
        (self.0.lub(domain, Arc::new(move |n| chain(n).0)), self.1.lub(domain, Arc::new(move |n| other(n).1)))
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let (first, second) = (self.0.draw_chain(domain, random), self.1.draw_chain(domain, random));
        Arc::new(move |n| (first(n), second(n)))
    }
}
