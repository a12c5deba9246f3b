//! The plane with the wire diffeology: its plots are the functions that factor locally through ℝ.
//!
//! A candidate is a function of k parameters, which are functions of the point of U. With k ≤ 1 it factors, and is a
//! plot if it is smooth. With k > 1 it is refuted if a minor of its Jacobian is certainly not 0, because a function
//! that factors through ℝ has rank at most 1. If no minor refutes, the factorisation is not shown. The identity of the
//! plane is refuted, so the space is not the plane. Yet both have the same smooth functions to ℝ, by a theorem of
//! [Boman](crate::refs::BOMAN_1967): a function that is smooth along all smooth curves is smooth.

use super::open::{OpenSet, Reparametrisation, compose_graphs, draw_smooth_graph};
use super::piecewise::{PieceRegion, PiecewisePlot, PlotPiece};
use super::smoothness::{compare_points, draw_direction, enclose_number, format_point, rational_point};
use super::space::{Diffeology, DiffeologyError};
use super::{DiffeologyVerdict, smoothness};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_variables};
use crate::verdict::Verdict;

/// ℝ² with the wire diffeology.
#[derive(Clone, Copy, Debug)]
#[doc(alias("wires", "wire plane"))]
pub struct WirePlane;

/// A function U → ℝ² that factors through k parameters.
#[derive(Clone, Debug)]
pub struct FactoredMap {
    /// The parameters U → ℝᵏ, as graphs over the coordinates of U.
    parameters: Vec<Graph>,
    /// The map ℝᵏ → ℝ², as graphs over the coordinates of ℝᵏ.
    map: Vec<Graph>,
}

impl FactoredMap {
    /// Returns the composite, as graphs over the coordinates of U.
    #[must_use]
    pub fn composite_graphs(&self) -> Vec<Graph> {
        compose_graphs(&self.map, &self.parameters)
    }
}

impl WirePlane {
    /// Returns the function `u ↦ map(parameters(u))`.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the map does not have two components. [`DiffeologyError::Map`] if a graph
    /// mentions a variable that is no coordinate.
    pub fn plot_from_factors(
        domain: &OpenSet,
        parameters: &[Graph],
        map: &[Graph],
    ) -> Result<PiecewisePlot<FactoredMap>, DiffeologyError> {
        DiffeologyError::check_dimension("the list of graphs", 2, map.len())?;
        DynMap::of_graphs(&coordinate_variables(domain.dimension()), parameters)?;
        DynMap::of_graphs(&coordinate_variables(parameters.len()), map)?;
        Ok(PiecewisePlot::single_piece(domain, FactoredMap { parameters: parameters.to_vec(), map: map.to_vec() }))
    }

    /// Searches for a 2 × 2 minor of the Jacobian at `u` that is certainly not 0. Returns the refutation, or `None` if
    /// no minor refutes.
    fn nonzero_minor(
        value: &[Graph],
        u: &[Rational],
        trial: &MapTestConfig,
    ) -> Result<Option<Verdict>, DiffeologyError> {
        let (n, at) = (u.len(), rational_point(u));
        let unit = |i: usize| (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
        let partial =
            |k: usize, i: usize| Graph::derivative(coordinate_variables(n), value[k].clone(), at.clone(), unit(i));
        let times = |a: &Graph, b: &Graph| a * b;
        for i in 0..n {
            for j in 0..i {
                let minor = Graph::binary(
                    Binary::Subtract,
                    &times(&partial(0, j), &partial(1, i)),
                    &times(&partial(0, i), &partial(1, j)),
                );
                let found = enclose_number(&minor, trial)?;
                // Rank at most 1 means that all minors vanish.
                if found.is_defined() && (*found.lo() > 0 || *found.hi() < 0) {
                    let witness = format!("{}, columns {j} and {i}", super::space::format_rational_point(u));
                    return Ok(Some(Verdict::refuted(witness, format!("a minor in {found}"), "a rank of at most 1")));
                }
            }
        }
        Ok(None)
    }

    /// Tests a piece at a point: smoothness, rank and factorisation.
    fn test_at_point(
        plot: &PiecewisePlot<FactoredMap>,
        piece: &PlotPiece<FactoredMap>,
        u: &[Rational],
        random: &mut SplitMix64,
        trial: &MapTestConfig,
    ) -> DiffeologyVerdict {
        let value = piece.value.composite_graphs();
        DiffeologyError::check_dimension("a point of the plane", 2, value.len())?;
        // On a closed piece, the graphs near the point need not describe the function near it.
        if !piece.region.is_open() {
            return Ok(Verdict::Vacuous);
        }
        let along = draw_direction(random, u.len());
        let mut all = smoothness::test_smoothness_on_line(&value, u, &along, trial, |x| {
            plot.certainly_contains(piece, x, trial)
        })?;
        if let Some(refuted) = Self::nonzero_minor(&value, u, trial)? {
            return Ok(refuted);
        }
        if piece.value.parameters.len() > 1 {
            return Ok(Verdict::Vacuous.and_part(all));
        }
        // The function factors through at most one parameter. Its factors are tested for smoothness.
        let factors = smoothness::test_smoothness_at(&piece.value.parameters, u, &along, trial)?;
        // At a parameter that is not rational, the curve is tested at a random integer instead.
        let known: Option<Vec<_>> = compose_graphs(&piece.value.parameters, &rational_point(u))
            .iter()
            .map(|g| g.as_rational().cloned())
            .collect();
        let t = known.unwrap_or_else(|| {
            piece.value.parameters.iter().map(|_| Rational::from(random.next_below(5) as i64 - 2)).collect()
        });
        let curve = smoothness::test_smoothness_at(&piece.value.map, &t, &vec![Rational::from(1); t.len()], trial)?;
        for factor in [factors, curve] {
            // A kink of a factor need not be a kink of the composite, so it refutes nothing.
            let shown = if Verdict::from(factor) == Verdict::Survived { Verdict::Survived } else { Verdict::Vacuous };
            all = shown.and_part(all);
        }
        Ok(all)
    }
}

impl Diffeology for WirePlane {
    type Point = Vec<Graph>;
    type Plot = PiecewisePlot<FactoredMap>;

    fn plot_domain(&self, plot: &Self::Plot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Vec<Graph>) -> Self::Plot {
        // No parameters at all: a constant function factors through ℝ.
        PiecewisePlot::single_piece(domain, FactoredMap { parameters: Vec::new(), map: x.clone() })
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |p| FactoredMap { parameters: along.pull_back(&p.parameters), map: p.map.clone() })
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, Self::Plot)>) -> Self::Plot {
        PiecewisePlot::join_pieces(domain, pieces)
    }

    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(compose_graphs(&plot.description_at(u, trial)?.composite_graphs(), u))
    }

    fn compare_points(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_points(x, y, trial)
    }

    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        plot.test_everywhere(
            trial,
            |piece, u, random| Self::test_at_point(plot, piece, u, random, trial),
            |p, q, u| {
                let u = rational_point(u);
                compare_points(
                    &compose_graphs(&p.composite_graphs(), &u),
                    &compose_graphs(&q.composite_graphs(), &u),
                    trial,
                )
            },
        )
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Vec<Graph> {
        (0..2).map(|_| Graph::integer(random.next_below(5) as i64 - 2)).collect()
    }

    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> Self::Plot {
        let parameters = vec![draw_smooth_graph(random, domain.dimension())];
        let map = (0..2).map(|_| draw_smooth_graph(random, 1)).collect();
        PiecewisePlot::single_piece(domain, FactoredMap { parameters, map })
    }

    fn observe_plot(&self, which: u64, plot: &Self::Plot) -> Vec<(PieceRegion, Graph)> {
        let coordinate = |p: &FactoredMap| {
            p.composite_graphs().get((which % 2) as usize).cloned().unwrap_or_else(|| Graph::integer(0))
        };
        plot.pieces().iter().map(|p| (p.region.clone(), coordinate(&p.value))).collect()
    }

    fn describe_point(&self, x: &Vec<Graph>, trial: &MapTestConfig) -> String {
        format_point(x, trial)
    }
}
