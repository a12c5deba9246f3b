//! Jets of manifolds given by atlases (H §6.3).
//!
//! A jet at x in M is a class \[γ\] of plots γ : ℝᵏ → M with γ(0) = x. H compares `γ;f` for all smooth f : M → ℝ. It is
//! enough to compare the coordinates in one chart around x. Any chart will do, since two charts are related by a smooth
//! transition. A [`ManifoldJet`] is represented by one of its plots, of which only a neighbourhood of 0 matters.
//!
//! | here | H §6.3 |
//! |---|---|
//! | [`ManifoldJet::push_forward`] | `J(f)(x, [γ]) = (f x, [γ;f])` |
//! | [`ManifoldJet::test_equal`] | γ₁ ~ γ₂, in every chart that contains both |
//! | [`ManifoldJet::coordinates`], [`ManifoldJet::from_coordinates`] | the chart of J(M) over a chart of M |
//! | [`ManifoldJet::push_by_formula`] | J(f) in local coordinates: the formula of Faà di Bruno |
//!
//! For f = id, the last row moves jets from one chart to another: by the Taylor representation of the transition.

use super::super::error::GlueError;
use super::super::judged::VerdictWithValues;
use super::super::representation;
use super::super::stage::CompiledPlots;
use super::test_overlap;
use crate::diffeology::manifold::{ChartPoint, Manifold};
use crate::diffeology::map::SmoothMap;
use crate::diffeology::open::OpenSet;
use crate::diffeology::piecewise::PiecewisePlot;
use crate::diffeology::real::{Membership, point_membership};
use crate::diffeology::region::PieceRegion;
use crate::diffeology::reparametrisation::compose_graphs;
use crate::diffeology::smoothness::default_smoothness_test;
use crate::diffeology::{Diffeology, DiffeologyError};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::faa_di_bruno::{FaaDiBrunoTerm, formula_terms};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::untyped::{coordinate_graphs, coordinate_variables};
use crate::verdict::Verdict;

/// The class at 0 of a plot ℝᵏ → M.
#[derive(Clone, Debug)]
pub struct ManifoldJet {
    manifold: Manifold,
    curve: PiecewisePlot<ChartPoint>,
}

/// The coordinates of a plot near a point, in a chart.
enum ChartMembership {
    /// The graphs of the plot in the chart.
    Inside(Vec<Graph>),
    /// The point is certainly not in the chart.
    Outside,
    /// The point is not known to be in the chart, nor outside.
    Unknown,
}

/// Returns the coordinates of a plot of a manifold in a chart, near a point of its domain.
fn locate_in_chart(
    manifold: &Manifold,
    plot: &PiecewisePlot<ChartPoint>,
    at: &[Graph],
    chart: usize,
) -> Result<ChartMembership, GlueError> {
    let trial = default_smoothness_test();
    // only an open piece contains a neighbourhood of the point
    for piece in plot.pieces_containing(at, &trial)?.0.into_iter().filter(|piece| piece.region.is_open()) {
        let Some((on, transition)) = manifold.atlas().transition_between(piece.value.chart, chart) else {
            return Ok(ChartMembership::Outside);
        };
        match point_membership(&compose_graphs(&piece.value.coordinates, at), &on, &trial)? {
            Membership::Inside => {
                return Ok(ChartMembership::Inside(compose_graphs(&transition, &piece.value.coordinates)));
            }
            Membership::Outside => return Ok(ChartMembership::Outside),
            Membership::Unknown => {}
        }
    }
    Ok(ChartMembership::Unknown)
}

/// Returns all derivatives of graphs over the coordinates, at a point: `[j][α]`.
fn derivatives_at<I: AsRef<[usize]>>(graphs: &[Graph], indices: &[I], at: &[Graph]) -> Vec<Vec<Graph>> {
    // Graph::derivative binds variables, and coordinates may not be bound, so fresh variables replace them.
    let own: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
    let graphs = compose_graphs(graphs, &own.iter().map(|v| Graph::variable(*v)).collect::<Vec<_>>());
    let of = |g: &Graph| {
        indices.iter().map(|index| representation::partial_derivative(&own, g, &index.as_ref().to_vec(), at)).collect()
    };
    graphs.iter().map(of).collect()
}

/// Returns the jets of graphs over n coordinates after n jets, by the formula of Faà di Bruno.
///
/// | argument | shape | meaning |
/// |---|---|---|
/// | `graphs` | m | f : ℝⁿ → ℝᵐ |
/// | `jets` | n, each as long as the basis | x_α |
/// | result | m, each as long as the basis | `α! Σ_β ∂_β f (x₀) Σ_e …` |
///
/// # Errors
/// [`DiffeologyError::Dimension`] for a jet that is not as long as the basis.
pub fn faa_di_bruno_jets(
    basis: &Basis,
    graphs: &[Graph],
    jets: &[Vec<Graph>],
) -> Result<Vec<Vec<Graph>>, DiffeologyError> {
    jets.iter().try_for_each(|jet| DiffeologyError::check_dimension("a jet", basis.len(), jet.len()))?;
    // the derivatives of f are taken at the values of the jets
    let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
    let terms: Vec<_> = basis.indices().iter().map(|index| formula_terms(basis, index, jets.len())).collect();
    let coordinate = |g: &Graph| {
        let of = |terms: &Vec<FaaDiBrunoTerm>| {
            terms.iter().fold(Graph::integer(0), |sum, term| {
                let partial = derivatives_at(std::slice::from_ref(g), &[&term.beta], &point)[0][0].clone();
                let scaled = Graph::binary(Binary::Multiply, &Graph::rational(term.coefficient.clone()), &partial);
                let powers = term.powers.iter().flat_map(|(place, j, e)| (0..*e).map(|_| &jets[*j][*place]));
                let product = powers.fold(scaled, |product, x| Graph::binary(Binary::Multiply, &product, x));
                Graph::binary(Binary::Add, &sum, &product)
            })
        };
        terms.iter().map(of).collect()
    };
    Ok(graphs.iter().map(coordinate).collect())
}

/// Returns the origin of ℝᵏ.
fn origin_graphs(directions: usize) -> Vec<Graph> {
    vec![Graph::integer(0); directions]
}

impl ManifoldJet {
    /// Makes the class \[γ\] of a plot γ on a neighbourhood of 0 in ℝᵏ. The caller guarantees that it is a plot.
    #[must_use]
    pub fn new(manifold: &Manifold, curve: PiecewisePlot<ChartPoint>) -> Self {
        Self { manifold: manifold.clone(), curve }
    }

    /// Returns the jet of `t ↦ Σ x_α t^α/α!` in a chart, on the region where the polynomial lies in the chart.
    ///
    /// # Errors
    /// [`GlueError::Space`] when there is no such chart, or it has another dimension.
    pub fn from_coordinates(
        manifold: &Manifold,
        chart: usize,
        jets: &[Vec<Graph>],
        basis: &Basis,
    ) -> Result<Self, GlueError> {
        let domain = OpenSet::whole_space(basis.directions());
        let t = coordinate_graphs(basis.directions());
        let graphs: Vec<Graph> = jets.iter().map(|jet| representation::taylor_polynomial(basis, jet, &t)).collect();
        let plot = manifold.plot_in_chart(&domain, chart, &graphs)?;
        let region = PieceRegion::preimage_of(graphs, &manifold.atlas().charts()[chart]);
        Ok(Self::new(manifold, manifold.glue_pieces(&domain, vec![(region, plot)])))
    }

    /// Draws a jet in a chart. Returns it with the chart and its coordinates there.
    ///
    /// # Errors
    /// Those of [`ManifoldJet::from_coordinates`].
    pub fn draw_in_chart(
        manifold: &Manifold,
        basis: &Basis,
        random: &mut SplitMix64,
    ) -> Result<(Self, usize, Vec<Vec<Graph>>), GlueError> {
        // the point itself must lie in the chart; the derivatives may be any numbers
        let x = manifold.draw_point(random);
        let mut number =
            || Graph::rational(Rational::from((random.next_below(9) as i64 - 4, *random.pick(&[1, 2, 4]))));
        let mut jet = |x| std::iter::once(x).chain((1..basis.len()).map(|_| number())).collect::<Vec<_>>();
        let jets: Vec<_> = x.coordinates.into_iter().map(&mut jet).collect();
        Ok((Self::from_coordinates(manifold, x.chart, &jets, basis)?, x.chart, jets))
    }

    /// Returns M.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the plot γ.
    #[must_use]
    pub fn curve(&self) -> &PiecewisePlot<ChartPoint> {
        &self.curve
    }

    /// Returns the coordinates of the plot in a chart, near 0.
    fn locate_at_zero(&self, chart: usize) -> Result<ChartMembership, GlueError> {
        locate_in_chart(&self.manifold, &self.curve, &origin_graphs(self.curve.domain().dimension()), chart)
    }

    /// Returns the charts that are known to contain the point.
    ///
    /// # Errors
    /// [`GlueError::Space`] if the plot cannot be evaluated.
    pub fn known_charts(&self) -> Result<Vec<usize>, GlueError> {
        let mut charts = Vec::new();
        for chart in 0..self.manifold.atlas().charts().len() {
            if let ChartMembership::Inside(_) = self.locate_at_zero(chart)? {
                charts.push(chart);
            }
        }
        Ok(charts)
    }

    /// Makes the error for a chart that is not known to contain the point.
    fn outside_chart_error(&self, chart: usize) -> GlueError {
        let at = origin_graphs(self.curve.domain().dimension());
        let found = self
            .manifold
            .value_at(&self.curve, &at, &default_smoothness_test())
            .map(|x| self.manifold.describe_point(&x, &default_smoothness_test()));
        GlueError::Chart { point: found.unwrap_or_else(|error| error.to_string()), chart }
    }

    /// Returns the derivatives at 0 in a chart, `[j][α]`.
    ///
    /// # Errors
    /// [`GlueError::Chart`] if the chart is not known to contain the point; [`GlueError::Space`].
    pub fn coordinates(&self, chart: usize, basis: &Basis) -> Result<Vec<Vec<Graph>>, GlueError> {
        let ChartMembership::Inside(graphs) = self.locate_at_zero(chart)? else {
            return Err(self.outside_chart_error(chart));
        };
        Ok(derivatives_at(&graphs, basis.indices(), &origin_graphs(basis.directions())))
    }

    /// Returns J(f)(x, \[γ\]) = (f x, \[γ;f\]).
    ///
    /// # Errors
    /// Those of the map.
    pub fn push_forward(&self, f: &SmoothMap<Manifold, Manifold>) -> Result<Self, GlueError> {
        Ok(Self::new(f.codomain(), f.compose_plot(&self.curve)?))
    }

    /// Returns J(f)(x, \[γ\]) by the formula of Faà di Bruno, from coordinates in a chart around x to a chart around
    /// f(x).
    ///
    /// # Errors
    /// [`GlueError::Chart`], [`GlueError::Space`], and those of the map.
    pub fn push_by_formula(
        &self,
        f: &SmoothMap<Manifold, Manifold>,
        from: usize,
        to: usize,
        basis: &Basis,
    ) -> Result<Self, GlueError> {
        let jets = self.coordinates(from, basis)?;
        let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
        let open = &self.manifold.atlas().charts()[from];
        // the inverse of the chart, as a plot of M over the chart: f after it is f in local coordinates
        let inverse = self.manifold.plot_in_chart(open, from, &coordinate_graphs(open.dimension()))?;
        let ChartMembership::Inside(local) = locate_in_chart(f.codomain(), &f.compose_plot(&inverse)?, &point, to)?
        else {
            return Err(self.push_forward(f)?.outside_chart_error(to));
        };
        Self::from_coordinates(f.codomain(), to, &faa_di_bruno_jets(basis, &local, &jets)?, basis)
    }

    /// Returns another plot of the same class: `t₁^{R+1}` is added to every coordinate.
    ///
    /// # Errors
    /// [`GlueError::Space`]
    pub fn equivalent_jet(&self, basis: &Basis) -> Result<Self, GlueError> {
        let t = coordinate_graphs(basis.directions());
        let beyond = (0..basis.order()).fold(t[0].clone(), |power, _| Graph::binary(Binary::Multiply, &power, &t[0]));
        let charts = self.manifold.atlas().charts();
        let mut pieces = Vec::new();
        for piece in self.curve.pieces() {
            let (chart, x) = (piece.value.chart, &piece.value.coordinates);
            let moved: Vec<Graph> = x.iter().map(|x| Graph::binary(Binary::Add, x, &beyond)).collect();
            let plot = self.manifold.plot_in_chart(self.curve.domain(), chart, &moved)?;
            // the moved plot must stay in the chart, which holds near 0
            pieces.push((piece.region.intersect_with(&PieceRegion::preimage_of(moved, &charts[chart])), plot));
        }
        Ok(Self::new(&self.manifold, PiecewisePlot::join_pieces(self.curve.domain(), pieces)))
    }

    /// Tests whether two jets of one manifold are equal: in each chart that contains both points, the derivatives of
    /// order at most R agree.
    ///
    /// The verdict is *refuted* if the derivatives differ in any chart, or if a chart certainly contains only one of
    /// the points. It is *vacuous* if no chart is known to contain both points.
    ///
    /// # Errors
    /// [`GlueError::Space`], [`GlueError::Number`].
    pub fn test_equal(&self, other: &Self, basis: &Basis) -> Result<VerdictWithValues, GlueError> {
        let variables = coordinate_variables(basis.directions());
        let mut all = VerdictWithValues::from(Verdict::Vacuous);
        for chart in 0..self.manifold.atlas().charts().len() {
            all = all.and(match (self.locate_at_zero(chart)?, other.locate_at_zero(chart)?) {
                (ChartMembership::Inside(left), ChartMembership::Inside(right)) => {
                    let (left, right) =
                        (CompiledPlots::new(&variables, &left)?, CompiledPlots::new(&variables, &right)?);
                    test_overlap(&left, &right, basis, &format!("chart {chart}, coordinate"))?
                }
                (ChartMembership::Inside(_), ChartMembership::Outside) => {
                    Verdict::refuted(format!("chart {chart}"), "inside", "outside").into()
                }
                (ChartMembership::Outside, ChartMembership::Inside(_)) => {
                    Verdict::refuted(format!("chart {chart}"), "outside", "inside").into()
                }
                _ => Verdict::Vacuous.into(),
            });
        }
        Ok(all)
    }
}
