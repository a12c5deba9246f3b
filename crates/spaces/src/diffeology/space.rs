//! Diffeological spaces (H Def. 4.1), as a trait.
//!
//! A plot is given as a *candidate*: a function U → X with its open domain, of which
//! [`is_plot`](Diffeology::is_plot) decides as far as it can whether it is a plot. So the axioms are statements that can
//! fail, and a wrong space is refuted by them. On what sets plots are defined, and what covers, is the business of a [site](super::site).

use super::Tried;
use super::error::DiffeologyError;
use super::real::exactly;
use super::site::{Opens, Site};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// The most plots of a family that is glued: each two of them are compared.
pub const MOST_PARTS: usize = 128;

/// A diffeological space.
///
/// | law | equation |
/// |---|---|
/// | constants | `constant(U, x)` is a plot, and x at every point |
/// | reparametrisation | `reparametrise(f, p)` is a plot, with `at(f;p, v) = at(p, f(v))` |
/// | functoriality | `id;p = p`, `(g;f);p = g;(f;p)` |
/// | gluing | `glue(U, (pᵢ))` is a plot, and restricts to each pᵢ |
/// | concreteness | `p = q` where `at(p, u) = at(q, u)` for all u: a plot is the function |
pub trait Diffeology<S: Site = Opens>: Clone + Send + Sync + 'static {
    /// The elements of the set X.
    type Point: Clone + Send + Sync;
    /// Functions U → X with their domain, plots or not.
    type Plot: Clone + Send + Sync;

    /// U
    fn domain(&self, plot: &Self::Plot) -> S::Domain;

    /// The constant function.
    fn constant(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot;

    /// `f;p : V → X`, for f : V → U.
    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot;

    /// The function that is each of several on a region. Each is a function there, and need not be one elsewhere.
    fn piecewise(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot;

    /// p(u), for a point u of U. Real numbers are closed graphs.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] and [`DiffeologyError::NoPiece`] for what is not known to be a point of U; those of
    /// evaluation.
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError>;

    /// Whether two points are one, as far as can be observed.
    ///
    /// # Errors
    /// Those of evaluation.
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried;

    /// Whether a function is a plot: refuted only by what is certain, and vacuous where it is merely not shown.
    ///
    /// # Errors
    /// Those of evaluation.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried;

    /// A random point.
    fn draw_point(&self, random: &mut Random) -> Self::Point;

    /// A random plot.
    fn draw_plot(&self, domain: &S::Domain, random: &mut Random) -> Self::Plot;

    /// A smooth function X → ℝ after a plot, in pieces; another for each number, so that functions out of X can be drawn.
    /// Where nothing better is said it is constant.
    fn observed(&self, _which: u64, _plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::everything(), Graph::integer(0))]
    }

    /// The point, for a person to read.
    fn told(&self, x: &Self::Point, trial: &Trial) -> String;

    /// The plot that a compatible family over a cover of U glues to (the third axiom).
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`], with a point of U that is in no domain; [`DiffeologyError::Incompatible`], with a
    /// point at which two plots certainly differ, and both values; [`DiffeologyError::TooManyParts`] for more than
    /// [`MOST_PARTS`]; those of the site and of evaluation.
    fn glue(&self, whole: &S::Domain, family: &[Self::Plot], trial: &Trial) -> Result<Self::Plot, DiffeologyError> {
        if family.len() > MOST_PARTS {
            return Err(DiffeologyError::TooManyParts { found: family.len(), most: MOST_PARTS });
        }
        let domains: Vec<S::Domain> = family.iter().map(|plot| self.domain(plot)).collect();
        if let Some(point) = S::uncovered(whole, &domains)? {
            return Err(DiffeologyError::NotCovered { whole: whole.to_string(), point });
        }
        let mut random = Random::new(trial.seed);
        for (second, q) in family.iter().enumerate() {
            for (first, p) in family[..second].iter().enumerate() {
                let both = S::intersection(&S::intersection(whole, &domains[first])?, &domains[second])?;
                for point in S::samples(&both, &mut random, trial.samples as usize) {
                    let u = exactly(&point);
                    let (x, y) = (self.at(p, &u, trial)?, self.at(q, &u, trial)?);
                    if let Verdict::Refuted { left, right, .. } = self.same(&x, &y, trial)? {
                        return Err(DiffeologyError::Incompatible { first, second, point, left, right });
                    }
                }
            }
        }
        let pieces = domains.iter().map(S::part).zip(family.iter().cloned());
        Ok(self.piecewise(whole, pieces.collect()))
    }
}
