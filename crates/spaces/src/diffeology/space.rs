//! Diffeological spaces (H Def. 4.1), as a trait.
//!
//! A plot is given as a *candidate*: a function U → X with its domain. [`is_plot`](Diffeology::is_plot) tests whether
//! the candidate is a plot. The axioms are therefore statements that can fail, and tests of them refute a wrong space.
//! A [site](super::site) provides the domains and the covers.

use super::Tried;
use super::error::DiffeologyError;
use super::real::exactly;
use super::site::{Opens, Site};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// The largest number of plots in a family that is glued. A choice: all pairs of plots are compared.
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
    /// Functions U → X with their domains. They need not be plots.
    type Plot: Clone + Send + Sync;

    /// Returns the domain U of a plot.
    fn domain(&self, plot: &Self::Plot) -> S::Domain;

    /// Returns the constant function with value `x`.
    fn constant(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot;

    /// Returns the reparametrisation `f;p : V → X`, for f : V → U.
    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot;

    /// Returns the function that equals each given function on its region. A given function need not be defined
    /// elsewhere.
    fn piecewise(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot;

    /// Evaluates a plot at a point u of U. Real numbers are closed graphs.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if u has another dimension than U.
    /// - [`DiffeologyError::NoPiece`] if u is not known to lie in U.
    /// - The errors of evaluation.
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError>;

    /// Compares two points as far as they can be observed.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried;

    /// Tests whether a function is a plot. Only a certain fault refutes; the verdict is vacuous if the property is
    /// merely not shown.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried;

    /// Draws a point.
    fn draw_point(&self, random: &mut Random) -> Self::Point;

    /// Draws a plot with the given domain.
    fn draw_plot(&self, domain: &S::Domain, random: &mut Random) -> Self::Plot;

    /// Returns the composite of a plot with a smooth function X → ℝ, as pieces. `which` selects the function, so that
    /// functions on X can be drawn. The default function is constant.
    fn observed(&self, _which: u64, _plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::everything(), Graph::integer(0))]
    }

    /// Formats a point for people.
    fn told(&self, x: &Self::Point, trial: &Trial) -> String;

    /// Glues a compatible family over a cover of U to a plot (the third axiom).
    ///
    /// # Errors
    /// - [`DiffeologyError::NotCovered`], with a point of U outside of all domains.
    /// - [`DiffeologyError::Incompatible`], with a point where two plots certainly differ, and both values.
    /// - [`DiffeologyError::TooManyParts`] for more than [`MOST_PARTS`] plots.
    /// - The errors of the site and of evaluation.
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
                // Parts of the domains beyond U do not matter for the glued plot.
                let both = S::intersection(&S::intersection(whole, &domains[first])?, &domains[second])?;
                for point in S::samples(&both, &mut random, trial.samples as usize) {
                    let u = exactly(&point);
                    let (x, y) = (self.at(p, &u, trial)?, self.at(q, &u, trial)?);
                    // Only a certain difference is an error; plots that are not shown equal are glued.
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
