//! Jets of manifolds given by atlases (H §6.3).
//!
//! A jet at x in M is a class \[γ\] of plots γ : ℝᵏ → M with γ(0) = x. H compares `γ;f` for all smooth f : M → ℝ. It is
//! enough to compare the coordinates in one chart around x. Any chart will do, since two charts are related by a smooth
//! transition. A [`ManifoldJet`] is represented by one of its plots, of which only a neighbourhood of 0 matters.
//!
//! | here | H §6.3 |
//! |---|---|
//! | [`ManifoldJet::pushed`] | `J(f)(x, [γ]) = (f x, [γ;f])` |
//! | [`ManifoldJet::same`] | γ₁ ~ γ₂, in every chart that contains both |
//! | [`ManifoldJet::coordinates`], [`ManifoldJet::from_coordinates`] | the chart of J(M) over a chart of M |
//! | [`ManifoldJet::by_formula`] | J(f) in local coordinates: the formula of Faà di Bruno |
//!
//! For f = id, the last row moves jets from one chart to another: by the Taylor representation of the transition.

use super::super::error::GlueError;
use super::super::judged::Judged;
use super::super::representation;
use super::super::stage::Plots;
use super::overlap;
use crate::diffeology::manifold::{InChart, Manifold};
use crate::diffeology::map::Smooth;
use crate::diffeology::open::Open;
use crate::diffeology::piecewise::Piecewise;
use crate::diffeology::real::{Membership, membership};
use crate::diffeology::region::Region;
use crate::diffeology::reparametrisation::composed;
use crate::diffeology::smoothness::trial;
use crate::diffeology::{Diffeology, DiffeologyError};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::faa_di_bruno::{Summand, summands};
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::map::untyped::{coordinates, variables};
use crate::verdict::Verdict;

/// The class at 0 of a plot ℝᵏ → M.
#[derive(Clone, Debug)]
pub struct ManifoldJet {
    manifold: Manifold,
    curve: Piecewise<InChart>,
}

/// The coordinates of a plot near a point, in a chart.
enum Seen {
    /// The graphs of the plot in the chart.
    Inside(Vec<Graph>),
    /// The point is certainly not in the chart.
    Outside,
    /// The point is not known to be in the chart, nor outside.
    Unknown,
}

/// Returns the coordinates of a plot of a manifold in a chart, near a point of its domain.
fn seen(manifold: &Manifold, plot: &Piecewise<InChart>, at: &[Graph], chart: usize) -> Result<Seen, GlueError> {
    let trial = trial();
    // only an open piece contains a neighbourhood of the point
    for piece in plot.around(at, &trial)?.0.into_iter().filter(|piece| piece.region.is_open()) {
        let Some((on, transition)) = manifold.atlas().transition(piece.value.chart, chart) else {
            return Ok(Seen::Outside);
        };
        match membership(&composed(&piece.value.coordinates, at), &on, &trial)? {
            Membership::Inside => return Ok(Seen::Inside(composed(&transition, &piece.value.coordinates))),
            Membership::Outside => return Ok(Seen::Outside),
            Membership::Unknown => {}
        }
    }
    Ok(Seen::Unknown)
}

/// Returns all derivatives of graphs over the coordinates, at a point: `[j][α]`.
fn derivatives<I: AsRef<[usize]>>(graphs: &[Graph], indices: &[I], at: &[Graph]) -> Vec<Vec<Graph>> {
    // Graph::derivative binds variables, and coordinates may not be bound, so fresh variables replace them.
    let own: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
    let graphs = composed(graphs, &own.iter().map(|v| Graph::variable(*v)).collect::<Vec<_>>());
    let of = |g: &Graph| {
        indices.iter().map(|index| representation::derivative(&own, g, &index.as_ref().to_vec(), at)).collect()
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
pub fn formula(basis: &Basis, graphs: &[Graph], jets: &[Vec<Graph>]) -> Result<Vec<Vec<Graph>>, DiffeologyError> {
    jets.iter().try_for_each(|jet| DiffeologyError::fits("a jet", basis.len(), jet.len()))?;
    // the derivatives of f are taken at the values of the jets
    let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
    let terms: Vec<_> = basis.indices().iter().map(|index| summands(basis, index, jets.len())).collect();
    let coordinate = |g: &Graph| {
        let of = |terms: &Vec<Summand>| {
            terms.iter().fold(Graph::integer(0), |sum, term| {
                let partial = derivatives(std::slice::from_ref(g), &[&term.beta], &point)[0][0].clone();
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
fn origin(directions: usize) -> Vec<Graph> {
    vec![Graph::integer(0); directions]
}

impl ManifoldJet {
    /// Makes the class \[γ\] of a plot γ on a neighbourhood of 0 in ℝᵏ. The caller guarantees that it is a plot.
    #[must_use]
    pub fn new(manifold: &Manifold, curve: Piecewise<InChart>) -> Self {
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
        let domain = Open::whole(basis.directions());
        let t = coordinates(basis.directions());
        let graphs: Vec<Graph> = jets.iter().map(|jet| representation::polynomial(basis, jet, &t)).collect();
        let plot = manifold.plot(&domain, chart, &graphs)?;
        let region = Region::where_map(graphs, &manifold.atlas().charts()[chart]);
        Ok(Self::new(manifold, manifold.piecewise(&domain, vec![(region, plot)])))
    }

    /// Draws a jet in a chart. Returns it with the chart and its coordinates there.
    ///
    /// # Errors
    /// Those of [`ManifoldJet::from_coordinates`].
    pub fn draw(
        manifold: &Manifold,
        basis: &Basis,
        random: &mut Random,
    ) -> Result<(Self, usize, Vec<Vec<Graph>>), GlueError> {
        // the point itself must lie in the chart; the derivatives may be any numbers
        let x = manifold.draw_point(random);
        let mut number = || Graph::rational(Rational::from((random.below(9) as i64 - 4, *random.pick(&[1, 2, 4]))));
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
    pub fn curve(&self) -> &Piecewise<InChart> {
        &self.curve
    }

    /// Returns the coordinates of the plot in a chart, near 0.
    fn seen(&self, chart: usize) -> Result<Seen, GlueError> {
        seen(&self.manifold, &self.curve, &origin(self.curve.domain().dimension()), chart)
    }

    /// Returns the charts that are known to contain the point.
    ///
    /// # Errors
    /// [`GlueError::Space`] if the plot cannot be evaluated.
    pub fn charts(&self) -> Result<Vec<usize>, GlueError> {
        let mut charts = Vec::new();
        for chart in 0..self.manifold.atlas().charts().len() {
            if let Seen::Inside(_) = self.seen(chart)? {
                charts.push(chart);
            }
        }
        Ok(charts)
    }

    /// Makes the error for a chart that is not known to contain the point.
    fn outside(&self, chart: usize) -> GlueError {
        let at = origin(self.curve.domain().dimension());
        let found = self.manifold.at(&self.curve, &at, &trial()).map(|x| self.manifold.told(&x, &trial()));
        GlueError::Chart { point: found.unwrap_or_else(|error| error.to_string()), chart }
    }

    /// Returns the derivatives at 0 in a chart, `[j][α]`.
    ///
    /// # Errors
    /// [`GlueError::Chart`] if the chart is not known to contain the point; [`GlueError::Space`].
    pub fn coordinates(&self, chart: usize, basis: &Basis) -> Result<Vec<Vec<Graph>>, GlueError> {
        let Seen::Inside(graphs) = self.seen(chart)? else { return Err(self.outside(chart)) };
        Ok(derivatives(&graphs, basis.indices(), &origin(basis.directions())))
    }

    /// Returns J(f)(x, \[γ\]) = (f x, \[γ;f\]).
    ///
    /// # Errors
    /// Those of the map.
    pub fn pushed(&self, f: &Smooth<Manifold, Manifold>) -> Result<Self, GlueError> {
        Ok(Self::new(f.to(), f.after(&self.curve)?))
    }

    /// Returns J(f)(x, \[γ\]) by the formula of Faà di Bruno, from coordinates in a chart around x to a chart around
    /// f(x).
    ///
    /// # Errors
    /// [`GlueError::Chart`], [`GlueError::Space`], and those of the map.
    pub fn by_formula(
        &self,
        f: &Smooth<Manifold, Manifold>,
        from: usize,
        to: usize,
        basis: &Basis,
    ) -> Result<Self, GlueError> {
        let jets = self.coordinates(from, basis)?;
        let point: Vec<Graph> = jets.iter().map(|jet| jet[0].clone()).collect();
        let open = &self.manifold.atlas().charts()[from];
        // the inverse of the chart, as a plot of M over the chart: f after it is f in local coordinates
        let inverse = self.manifold.plot(open, from, &coordinates(open.dimension()))?;
        let Seen::Inside(local) = seen(f.to(), &f.after(&inverse)?, &point, to)? else {
            return Err(self.pushed(f)?.outside(to));
        };
        Self::from_coordinates(f.to(), to, &formula(basis, &local, &jets)?, basis)
    }

    /// Returns another plot of the same class: `t₁^{R+1}` is added to every coordinate.
    ///
    /// # Errors
    /// [`GlueError::Space`]
    pub fn otherwise(&self, basis: &Basis) -> Result<Self, GlueError> {
        let t = coordinates(basis.directions());
        let beyond = (0..basis.order()).fold(t[0].clone(), |power, _| Graph::binary(Binary::Multiply, &power, &t[0]));
        let charts = self.manifold.atlas().charts();
        let mut pieces = Vec::new();
        for piece in self.curve.pieces() {
            let (chart, x) = (piece.value.chart, &piece.value.coordinates);
            let moved: Vec<Graph> = x.iter().map(|x| Graph::binary(Binary::Add, x, &beyond)).collect();
            let plot = self.manifold.plot(self.curve.domain(), chart, &moved)?;
            // the moved plot must stay in the chart, which holds near 0
            pieces.push((piece.region.and(&Region::where_map(moved, &charts[chart])), plot));
        }
        Ok(Self::new(&self.manifold, Piecewise::joined(self.curve.domain(), pieces)))
    }

    /// Tests whether two jets of one manifold are equal: in each chart that contains both points, the derivatives of
    /// order at most R agree.
    ///
    /// The verdict is *refuted* if the derivatives differ in any chart, or if a chart certainly contains only one of
    /// the points. It is *vacuous* if no chart is known to contain both points.
    ///
    /// # Errors
    /// [`GlueError::Space`], [`GlueError::Number`].
    pub fn same(&self, other: &Self, basis: &Basis) -> Result<Judged, GlueError> {
        let variables = variables(basis.directions());
        let mut all = Judged::from(Verdict::Vacuous);
        for chart in 0..self.manifold.atlas().charts().len() {
            all = all.and(match (self.seen(chart)?, other.seen(chart)?) {
                (Seen::Inside(left), Seen::Inside(right)) => {
                    let (left, right) = (Plots::new(&variables, &left)?, Plots::new(&variables, &right)?);
                    overlap(&left, &right, basis, &format!("chart {chart}, coordinate"))?
                }
                (Seen::Inside(_), Seen::Outside) => {
                    Verdict::refuted(format!("chart {chart}"), "inside", "outside").into()
                }
                (Seen::Outside, Seen::Inside(_)) => {
                    Verdict::refuted(format!("chart {chart}"), "outside", "inside").into()
                }
                _ => Verdict::Vacuous.into(),
            });
        }
        Ok(all)
    }
}
