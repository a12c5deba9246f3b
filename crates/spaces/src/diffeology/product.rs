//! The product diffeology: plots are pairs of plots (H §4.1; W §3.2). It is defined over every site.

use super::Tried;
use super::error::DiffeologyError;
use super::site::Site;
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;

/// The product X × Y.
#[derive(Clone, Debug)]
pub struct Product<X, Y>(pub X, pub Y);

impl<S: Site, X: Diffeology<S>, Y: Diffeology<S>> Diffeology<S> for Product<X, Y> {
    type Point = (X::Point, Y::Point);
    type Plot = (X::Plot, Y::Plot);

    /// Returns the domain of the first component.
    fn domain(&self, plot: &Self::Plot) -> S::Domain {
        self.0.domain(&plot.0)
    }

    fn constant(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot {
        (self.0.constant(domain, &x.0), self.1.constant(domain, &x.1))
    }

    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot {
        (self.0.reparametrise(along, &plot.0), self.1.reparametrise(along, &plot.1))
    }

    fn piecewise(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot {
        // Both components are cut at the same regions.
        let (first, second) = pieces.into_iter().map(|(region, (p, q))| ((region.clone(), p), (region, q))).unzip();
        (self.0.piecewise(domain, first), self.1.piecewise(domain, second))
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        Ok((self.0.at(&plot.0, u, trial)?, self.1.at(&plot.1, u, trial)?))
    }

    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(self.0.same(&x.0, &y.0, trial)?.both(self.1.same(&x.1, &y.1, trial)?))
    }

    /// Tests both components, whose domains must be the same set. The sets may be given by different boxes.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let (first, second) = (self.0.domain(&plot.0), self.1.domain(&plot.1));
        if !S::is_same(&first, &second)? {
            return Err(DiffeologyError::Shape {
                expected: format!("two functions on {first}"),
                found: second.to_string(),
            });
        }
        Ok(self.0.is_plot(&plot.0, trial)?.both(self.1.is_plot(&plot.1, trial)?))
    }

    fn draw_point(&self, random: &mut Random) -> Self::Point {
        (self.0.draw_point(random), self.1.draw_point(random))
    }

    fn draw_plot(&self, domain: &S::Domain, random: &mut Random) -> Self::Plot {
        (self.0.draw_plot(domain, random), self.1.draw_plot(domain, random))
    }

    // Odd and even numbers select the component, the remaining bits the function on it.
    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        if which.is_multiple_of(2) { self.0.observed(which / 2, &plot.0) } else { self.1.observed(which / 2, &plot.1) }
    }

    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        format!("({}, {})", self.0.told(&x.0, trial), self.1.told(&x.1, trial))
    }
}
