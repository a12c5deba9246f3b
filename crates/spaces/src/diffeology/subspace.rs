//! Subspaces: the plots of X that stay in a subset, over every site.
//!
//! Whether a point is in the subset is a condition that can be refuted, for instance a system of equations, the
//! [`Zeros`] of some graphs.

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
    /// Whether a point is in it.
    ///
    /// # Errors
    /// Those of evaluation.
    fn contains(&self, space: &X, x: &X::Point, trial: &Trial) -> Tried;

    /// A random point of it.
    fn draw_point(&self, space: &X, random: &mut Random) -> X::Point;

    /// A random plot in it.
    fn draw_plot(&self, space: &X, domain: &S::Domain, random: &mut Random) -> X::Plot;
}

/// A subset with the plots that stay in it.
#[derive(Clone, Debug)]
pub struct Subspace<X, U> {
    /// The space around it.
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

/// The common zeros of graphs in ℝᵐ, with some curves in it to draw points and plots from.
#[derive(Clone, Debug)]
pub struct Zeros {
    equations: Vec<Graph>,
    curves: Vec<Vec<Graph>>,
}

impl Zeros {
    /// The subspace of ℝᵐ where the equations, over m coordinates, are 0. The curves, over one coordinate, are tried at
    /// points; there must be one.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for a curve that has not m components; [`DiffeologyError::Map`] for a variable that is
    /// no coordinate; [`DiffeologyError::Shape`] for a curve that certainly leaves the zeros, and where there is none.
    pub fn new(
        dimension: usize,
        equations: Vec<Graph>,
        curves: Vec<Vec<Graph>>,
        trial: &Trial,
    ) -> Result<Subspace<Cartesian, Self>, DiffeologyError> {
        Untyped::of_graphs(&variables(dimension), &equations)?;
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
