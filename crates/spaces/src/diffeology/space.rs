//! Diffeological spaces (H Def. 4.1), as a trait.
//!
//! A plot is given as a *candidate*: a function U → X with its domain. [`test_plot`](Diffeology::test_plot) tests whether
//! the candidate is a plot. The axioms are therefore statements that can fail, and tests of them refute a wrong space.
//! A [site](super::site) provides the domains and the covers.

use super::DiffeologyVerdict;
use super::error::DiffeologyError;
use super::real::rational_point;
use super::site::{OpenSetSite, Site};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// The largest number of plots in a family that is glued. A choice: all pairs of plots are compared.
pub const MAX_GLUED_PLOTS: usize = 128;

/// A diffeological space.
///
/// | law | equation |
/// |---|---|
/// | constants | `constant_plot(U, x)` is a plot, and x at every point |
/// | reparametrisation | `reparametrise(f, p)` is a plot, with `value_at(f;p, v) = value_at(p, f(v))` |
/// | functoriality | `id;p = p`, `(g;f);p = g;(f;p)` |
/// | gluing | `glue(U, (pᵢ))` is a plot, and restricts to each pᵢ |
/// | concreteness | `p = q` where `value_at(p, u) = value_at(q, u)` for all u: a plot is the function |
pub trait Diffeology<S: Site = OpenSetSite>: Clone + Send + Sync + 'static {
    /// The elements of the set X.
    type Point: Clone + Send + Sync;
    /// Functions U → X with their domains. They need not be plots.
    type Plot: Clone + Send + Sync;

    /// Returns the domain U of a plot.
    fn plot_domain(&self, plot: &Self::Plot) -> S::Domain;

    /// Returns the constant function with value `x`.
    fn constant_plot(&self, domain: &S::Domain, x: &Self::Point) -> Self::Plot;

    /// Returns the reparametrisation `f;p : V → X`, for f : V → U.
    fn reparametrise(&self, along: &S::Map, plot: &Self::Plot) -> Self::Plot;

    /// Returns the function that equals each given function on its region. A given function need not be defined
    /// elsewhere.
    fn glue_pieces(&self, domain: &S::Domain, pieces: Vec<(S::Part, Self::Plot)>) -> Self::Plot;

    /// Evaluates a plot at a point u of U. Real numbers are closed graphs.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if u has another dimension than U.
    /// - [`DiffeologyError::NoPiece`] if u is not known to lie in U.
    /// - The errors of evaluation.
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError>;

    /// Compares two points as far as they can be observed.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Tests whether a function is a plot. Only a certain fault refutes; the verdict is vacuous if the property is
    /// merely not shown.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Draws a point.
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point;

    /// Draws a plot with the given domain.
    fn draw_plot(&self, domain: &S::Domain, random: &mut SplitMix64) -> Self::Plot;

    /// Returns the composite of a plot with a smooth function X → ℝ, as pieces. `which` selects the function, so that
    /// functions on X can be drawn. The default function is constant.
    fn observe_plot(&self, _which: u64, _plot: &Self::Plot) -> Vec<(S::Part, Graph)> {
        vec![(S::whole_part(), Graph::integer(0))]
    }

    /// Formats a point for people.
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String;

    /// Glues a compatible family over a cover of U to a plot (the third axiom).
    ///
    /// # Errors
    /// - [`DiffeologyError::NotCovered`], with a point of U outside of all domains.
    /// - [`DiffeologyError::Incompatible`], with a point where two plots certainly differ, and both values.
    /// - [`DiffeologyError::TooManyParts`] for more than [`MAX_GLUED_PLOTS`] plots.
    /// - The errors of the site and of evaluation.
    fn glue(
        &self,
        whole: &S::Domain,
        family: &[Self::Plot],
        trial: &MapTestConfig,
    ) -> Result<Self::Plot, DiffeologyError> {
        if family.len() > MAX_GLUED_PLOTS {
            return Err(DiffeologyError::TooManyParts { found: family.len(), most: MAX_GLUED_PLOTS });
        }
        let domains: Vec<S::Domain> = family.iter().map(|plot| self.plot_domain(plot)).collect();
        if let Some(point) = S::find_uncovered_point(whole, &domains)? {
            return Err(DiffeologyError::NotCovered { whole: whole.to_string(), point });
        }
        let mut random = SplitMix64::new(trial.seed);
        for (second, q) in family.iter().enumerate() {
            for (first, p) in family[..second].iter().enumerate() {
                // Parts of the domains beyond U do not matter for the glued plot.
                let both = S::intersection(&S::intersection(whole, &domains[first])?, &domains[second])?;
                for point in S::sample_points(&both, &mut random, trial.sample_points as usize) {
                    let u = rational_point(&point);
                    let (x, y) = (self.value_at(p, &u, trial)?, self.value_at(q, &u, trial)?);
                    // Only a certain difference is an error; plots that are not shown equal are glued.
                    if let Verdict::Refuted { left, right, .. } = self.compare_points(&x, &y, trial)? {
                        return Err(DiffeologyError::Incompatible { first, second, point, left, right });
                    }
                }
            }
        }
        let pieces = domains.iter().map(S::as_part).zip(family.iter().cloned());
        Ok(self.glue_pieces(whole, pieces.collect()))
    }
}
