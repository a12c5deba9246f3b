//! The subspace diffeology of a subset U ⊆ X, over any [site](super::space): its plots are the plots of X with values in U.
//!
//! Whether a plot stays in U is tested at sample points, so it can be refuted and is never proved. A subset is given by a
//! test of membership and by generators of points and plots, as a [`Subset`]. An example is a [`ZeroSet`] of equations.

use super::DiffeologyVerdict;
use super::open::{OpenSet, compose_graphs, draw_smooth_graph};
use super::piecewise::PiecewisePlot;
use super::product::{CartesianDiffeology, CartesianPlot};
use super::smoothness::{compare_points, rational_point};
use super::space::{Diffeology, DiffeologyError, OpenSetSite, Site, format_rational_point};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_variables};
use crate::verdict::Verdict;

/// A subset of a space, with generators of points and plots in it.
pub trait Subset<X: Diffeology<S>, S: Site = OpenSetSite>: Clone + Send + Sync + 'static {
    /// Tests whether the subset contains a point. The verdict is vacuous if that is undecided.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn test_membership(&self, space: &X, x: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict;

    /// Draws a point of the subset.
    fn draw_point(&self, space: &X, random: &mut SplitMix64) -> X::Point;

    /// Draws a plot with values in the subset.
    fn draw_plot(&self, space: &X, domain: &S::Domain, random: &mut SplitMix64) -> X::Plot;
}

/// The space of the points of a subset; its plots are the plots of the ambient space with values in it.
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

    fn plot_domain(&self, plot: &X::Plot) -> S::Domain {
        self.space.plot_domain(plot)
    }

    fn constant_plot(&self, domain: &S::Domain, x: &X::Point) -> X::Plot {
        self.space.constant_plot(domain, x)
    }

    fn reparametrise(&self, along: &S::Map, plot: &X::Plot) -> X::Plot {
        self.space.reparametrise(along, plot)
    }

    fn glue_pieces(&self, domain: &S::Domain, pieces: Vec<(S::Part, X::Plot)>) -> X::Plot {
        self.space.glue_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &X::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<X::Point, DiffeologyError> {
        self.space.value_at(plot, u, trial)
    }

    fn compare_points(&self, x: &X::Point, y: &X::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.space.compare_points(x, y, trial)
    }

    fn test_plot(&self, plot: &X::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = self.space.test_plot(plot, trial)?;
        if all.is_refuted() {
            // Such a plot need not have values, of which membership could be asked.
            return Ok(all);
        }
        for u in S::sample_points(
            &self.space.plot_domain(plot),
            &mut SplitMix64::new(trial.seed),
            trial.sample_points as usize,
        ) {
            let x = match self.space.value_at(plot, &rational_point(&u), trial) {
                // On a border that is not decided the plot has no value to ask, and says nothing.
                Err(DiffeologyError::NoPiece { .. }) => {
                    all = all.and_part(Verdict::Vacuous);
                    continue;
                }
                value => value?,
            };
            // The witness shows the parameter and the point, since the error may lie in either.
            let here = self.subset.test_membership(&self.space, &x, trial)?;
            all = all.and_part(here.with_witness(|| {
                format!("{}, which goes to {}", format_rational_point(&u), self.space.describe_point(&x, trial))
            }));
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut SplitMix64) -> X::Point {
        self.subset.draw_point(&self.space, random)
    }

    fn draw_plot(&self, domain: &S::Domain, random: &mut SplitMix64) -> X::Plot {
        self.subset.draw_plot(&self.space, domain, random)
    }

    fn observe_plot(&self, which: u64, plot: &X::Plot) -> Vec<(S::Part, Graph)> {
        self.space.observe_plot(which, plot)
    }

    fn describe_point(&self, x: &X::Point, trial: &MapTestConfig) -> String {
        self.space.describe_point(x, trial)
    }
}

/// The common zeros of graphs in ℝᵐ, with some curves on them from which points and plots are drawn.
///
/// The curves should be defined on all of ℝ.
#[derive(Clone, Debug)]
pub struct ZeroSet {
    /// The graphs over m coordinates that vanish on the set.
    equations: Vec<Graph>,
    /// The curves, each with m graphs over one coordinate.
    curves: Vec<Vec<Graph>>,
}

impl ZeroSet {
    /// Returns the subspace of ℝᵐ, for m = `dimension`, on which the equations vanish.
    ///
    /// | argument | shape |
    /// |---|---|
    /// | `equations` | any number of graphs over m coordinates |
    /// | `curves` | at least one curve, of m graphs over one coordinate |
    ///
    /// The curves are tested at sample points. A curve that is undefined at some of them is not refused.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if a curve does not have m components.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate.
    /// - [`DiffeologyError::Shape`] if there is no curve, or a curve certainly leaves the zeros or is certainly not smooth.
    /// - The errors of evaluation.
    pub fn subspace_of_zeros(
        dimension: usize,
        equations: Vec<Graph>,
        curves: Vec<Vec<Graph>>,
        trial: &MapTestConfig,
    ) -> Result<Subspace<CartesianDiffeology, Self>, DiffeologyError> {
        DynMap::of_graphs(&coordinate_variables(dimension), &equations)?;
        // Points of a zero set are hard to find, so curves on it are required.
        if curves.is_empty() {
            return Err(DiffeologyError::Shape { expected: "a curve to draw from".into(), found: "none".into() });
        }
        let (space, line) = (CartesianDiffeology::whole_space(dimension), OpenSet::whole_space(1));
        let subspace = Subspace { space, subset: Self { equations, curves } };
        for curve in &subspace.subset.curves {
            let plot = subspace.space.plot_from_graphs(&line, curve)?;
            if let Verdict::Refuted { witness, .. } = subspace.test_plot(&plot, trial)? {
                return Err(DiffeologyError::Shape { expected: "a smooth curve in the zeros".into(), found: witness });
            }
        }
        Ok(subspace)
    }

    /// Draws a curve, and substitutes `parameter` for its coordinate.
    fn draw_curve_point(&self, random: &mut SplitMix64, parameter: Graph) -> Vec<Graph> {
        let curve: &Vec<Graph> = random.pick(&self.curves);
        compose_graphs(curve, &[parameter])
    }
}

impl Subset<CartesianDiffeology> for ZeroSet {
    fn test_membership(&self, _: &CartesianDiffeology, x: &Vec<Graph>, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_points(&compose_graphs(&self.equations, x), &vec![Graph::integer(0); self.equations.len()], trial)
    }

    /// Draws a curve at an integer in [−2, 2]. A choice.
    fn draw_point(&self, _: &CartesianDiffeology, random: &mut SplitMix64) -> Vec<Graph> {
        let t = Graph::integer(random.next_below(5) as i64 - 2);
        self.draw_curve_point(random, t)
    }

    /// Draws a curve along a smooth function on the domain.
    fn draw_plot(&self, _: &CartesianDiffeology, domain: &OpenSet, random: &mut SplitMix64) -> CartesianPlot {
        let t = draw_smooth_graph(random, domain.dimension());
        PiecewisePlot::single_piece(domain, self.draw_curve_point(random, t).into())
    }
}
