//! Subspaces: the plots of X with values in a subset, over every site.
//!
//! Membership in the subset is a condition that can be refuted. An example is a system of equations, as the [`Zeros`]
//! of some graphs.

use super::Tried;
use super::cartesian::{Cartesian, Plot};
use super::error::{DiffeologyError, shown};
use super::open::Open;
use super::piecewise::Piecewise;
use super::real::{exactly, same};
use super::reparametrisation::{composed, number};
use super::site::{Opens, Site};
use super::space::Diffeology;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, variables};
use crate::verdict::Verdict;

/// A subset of a space.
pub trait Subset<X: Diffeology<S>, S: Site = Opens>: Clone + Send + Sync + 'static {
    /// Tests whether the subset contains a point.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn contains(&self, space: &X, x: &X::Point, trial: &Trial) -> Tried;

    /// Draws a point of the subset.
    fn draw_point(&self, space: &X, random: &mut Random) -> X::Point;

    /// Draws a plot with values in the subset.
    fn draw_plot(&self, space: &X, domain: &S::Domain, random: &mut Random) -> X::Plot;
}

/// A subset, with the plots of the space that stay in it.
#[derive(Clone, Debug)]
pub struct Subspace<X, U> {
    /// The ambient space.
    pub space: X,
    /// The subset.
    pub subset: U,
}

impl<S: Site, X: Diffeology<S>, U: Subset<X, S>> Diffeology<S> for Subspace<X, U> {
    type Point = X::Point;
    type Plot = X::Plot;

    fn domain(&self, plot: &X::Plot) -> S::Domain {
        self.space.domain(plot)
    }

    fn constant(&self, domain: &S::Domain, x: &X::Point) -> X::Plot {
        self.space.constant(domain, x)
    }

    fn reparametrise(&self, along: &S::Map, plot: &X::Plot) -> X::Plot {
        self.space.reparametrise(along, plot)
    }

    fn piecewise(&self, domain: &S::Domain, pieces: Vec<(S::Part, X::Plot)>) -> X::Plot {
        self.space.piecewise(domain, pieces)
    }

    fn at(&self, plot: &X::Plot, u: &[Graph], trial: &Trial) -> Result<X::Point, DiffeologyError> {
        self.space.at(plot, u, trial)
    }

    fn same(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.space.same(x, y, trial)
    }

    fn is_plot(&self, plot: &X::Plot, trial: &Trial) -> Tried {
        let mut all = self.space.is_plot(plot, trial)?;
        for u in S::samples(&self.space.domain(plot), &mut Random::new(trial.seed), trial.samples as usize) {
            let x = self.space.at(plot, &exactly(&u), trial)?;
            // The witness shows the parameter and the point, since the fault may lie in either.
            let here = self.subset.contains(&self.space, &x, trial)?;
            all = all.both(here.at(|| format!("{}, which goes to {}", shown(&u), self.space.told(&x, trial))));
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut Random) -> X::Point {
        self.subset.draw_point(&self.space, random)
    }

    fn draw_plot(&self, domain: &S::Domain, random: &mut Random) -> X::Plot {
        self.subset.draw_plot(&self.space, domain, random)
    }

    fn observed(&self, which: u64, plot: &X::Plot) -> Vec<(S::Part, Graph)> {
        self.space.observed(which, plot)
    }

    fn told(&self, x: &X::Point, trial: &Trial) -> String {
        self.space.told(x, trial)
    }
}

/// The common zeros of graphs in ℝᵐ, with some curves on them from which points and plots are drawn.
#[derive(Clone, Debug)]
pub struct Zeros {
    equations: Vec<Graph>,
    curves: Vec<Vec<Graph>>,
}

impl Zeros {
    /// Returns the subspace of ℝᵐ on which the equations, over m coordinates, vanish. The curves are graphs over one
    /// coordinate. There must be at least one curve, and all are tested at sample points.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a curve does not have m components.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate.
    /// - [`DiffeologyError::Shape`] if there is no curve, or a curve certainly leaves the zeros or is not smooth.
    pub fn new(
        dimension: usize,
        equations: Vec<Graph>,
        curves: Vec<Vec<Graph>>,
        trial: &Trial,
    ) -> Result<Subspace<Cartesian, Self>, DiffeologyError> {
        Untyped::of_graphs(&variables(dimension), &equations)?;
        // Points of an algebraic set are hard to find, so curves on it are required.
        if curves.is_empty() {
            return Err(DiffeologyError::Shape { expected: "a curve to draw from".into(), found: "none".into() });
        }
        let (space, line) = (Cartesian::whole(dimension), Open::whole(1));
        let subspace = Subspace { space, subset: Self { equations, curves } };
        for curve in &subspace.subset.curves {
            let plot = subspace.space.plot(&line, curve)?;
            if let Verdict::Refuted { witness, .. } = subspace.is_plot(&plot, trial)? {
                return Err(DiffeologyError::Shape { expected: "a smooth curve in the zeros".into(), found: witness });
            }
        }
        Ok(subspace)
    }

    /// Draws a curve and evaluates it at `parameter`.
    fn curve(&self, random: &mut Random, parameter: Graph) -> Vec<Graph> {
        let curve: &Vec<Graph> = random.pick(&self.curves);
        composed(curve, &[parameter])
    }
}

impl Subset<Cartesian> for Zeros {
    fn contains(&self, _: &Cartesian, x: &Vec<Graph>, trial: &Trial) -> Tried {
        same(&composed(&self.equations, x), &vec![Graph::integer(0); self.equations.len()], trial)
    }

    fn draw_point(&self, _: &Cartesian, random: &mut Random) -> Vec<Graph> {
        let t = Graph::integer(random.below(5) as i64 - 2);
        self.curve(random, t)
    }

    fn draw_plot(&self, _: &Cartesian, domain: &Open, random: &mut Random) -> Plot {
        let t = number(random, domain.dimension());
        Piecewise::whole(domain, self.curve(random, t).into())
    }
}
