//! The product diffeology: plots are pairs of plots (H §4.1; W §3.2). It is defined over every site.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::site::Site;
use super::space::Diffeology;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;

/// The product X × Y.
#[derive(Clone, Debug)]
pub struct ProductDiffeology<X, Y>(pub X, pub Y);

impl<S: Site, X: Diffeology<S>, Y: Diffeology<S>> Diffeology<S> for ProductDiffeology<X, Y> {
    type Point = (X::Point, Y::Point);
    type Plot = (X::Plot, Y::Plot);

    /// Returns the domain of the first component.
    fn plot_domain(&self, plot: &Self::Plot) -> S::Domain {
        self.0.plot_domain(&plot.0)
    }

    fn constant_plot(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot {
        (self.0.constant_plot(domain, &x.0), self.1.constant_plot(domain, &x.1))
    }

    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot {
        (self.0.reparametrise(along, &plot.0), self.1.reparametrise(along, &plot.1))
    }

    fn glue_pieces(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot {
        // Both components are cut at the same regions.
        let (first, second) = pieces.into_iter().map(|(region, (p, q))| ((region.clone(), p), (region, q))).unzip();
        (self.0.glue_pieces(domain, first), self.1.glue_pieces(domain, second))
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok((self.0.value_at(&plot.0, u, trial)?, self.1.value_at(&plot.1, u, trial)?))
    }

    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        Ok(self.0.compare_points(&x.0, &y.0, trial)?.and_part(self.1.compare_points(&x.1, &y.1, trial)?))
    }

    /// Tests both components, whose domains must be the same set. The sets may be given by different boxes.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let (first, second) = (self.0.plot_domain(&plot.0), self.1.plot_domain(&plot.1));
        if !S::is_same_set(&first, &second)? {
            return Err(DiffeologyError::Shape {
                expected: format!("two functions on {first}"),
                found: second.to_string(),
            });
        }
        Ok(self.0.test_plot(&plot.0, trial)?.and_part(self.1.test_plot(&plot.1, trial)?))
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (self.0.draw_point(random), self.1.draw_point(random))
    }

    fn draw_plot(&self, domain: &S::Domain, random: &mut SplitMix64) -> Self::Plot {
        (self.0.draw_plot(domain, random), self.1.draw_plot(domain, random))
    }

    // Odd and even numbers select the component, the remaining bits the function on it.
    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        if which.is_multiple_of(2) {
            self.0.observe_plot(which / 2, &plot.0)
        } else {
            self.1.observe_plot(which / 2, &plot.1)
        }
    }

    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("({}, {})", self.0.describe_point(&x.0, trial), self.1.describe_point(&x.1, trial))
    }
}
