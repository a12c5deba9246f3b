//! Products and disjoint unions of manifolds, by their atlases (H §6.3: manifolds have finite products and countable
//! coproducts, which agree with those of diffeological spaces).
//!
//! The charts of M × N are products of charts. The chart (i, j) has the index i·n + j if N has n charts. The charts of
//! M ⊎ N are those of M, followed by those of N; their dimensions may differ.

use super::atlas::{Atlas, AtlasError, Transition};
use super::error::DiffeologyError;
use super::manifold::{ChartPoint, Manifold};
use super::map::SmoothMap;
use super::open::OpenSet;
use super::piecewise::PiecewisePlot;
use super::reparametrisation::compose_graphs;
use super::smoothness::default_smoothness_test;
use crate::smooth::map::untyped::coordinate_graphs;

/// The product M × N as a manifold.
#[derive(Clone, Debug)]
pub struct ProductManifold {
    factors: [Manifold; 2],
    manifold: Manifold,
}

impl ProductManifold {
    /// Returns the product. Its atlas is tested.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn new(first: &Manifold, second: &Manifold) -> Result<Self, AtlasError> {
        let (m, n) = (first.atlas().charts(), second.atlas().charts());
        let (mut charts, mut transitions) = (Vec::new(), Vec::new());
        for (i, u) in m.iter().enumerate() {
            for (j, v) in n.iter().enumerate() {
                charts.push(u.product(v)?);
                // One set of coordinates for both factors: the first ones belong to M.
                let x = coordinate_graphs(u.dimension() + v.dimension());
                for (k, l) in (0..m.len()).flat_map(|k| (0..n.len()).map(move |l| (k, l))) {
                    let (from, to) = (i * n.len() + j, k * n.len() + l);
                    let both = first.atlas().transition_between(i, k).zip(second.atlas().transition_between(j, l));
                    let Some(((on, f), (also, g))) = both.filter(|_| from != to) else { continue };
                    let graphs =
                        [compose_graphs(&f, &x[..u.dimension()]), compose_graphs(&g, &x[u.dimension()..])].concat();
                    transitions.push(Transition { from, to, domain: on.product(&also)?, graphs });
                }
            }
        }
        let whole = Manifold::new(Atlas::new(charts, transitions, &default_smoothness_test())?);
        Ok(Self { factors: [first.clone(), second.clone()], manifold: whole })
    }

    /// Returns M × N.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the projection π₁ : M × N → M, or π₂ : M × N → N if `second` is `true`.
    #[must_use]
    pub fn projection(&self, second: bool) -> SmoothMap<Manifold, Manifold> {
        let charts = self.factors[1].atlas().charts().len();
        let dimensions: Vec<usize> = self.factors[0].atlas().charts().iter().map(OpenSet::dimension).collect();
        SmoothMap::new(&self.manifold, &self.factors[usize::from(second)], move |p| {
            p.try_map_pieces(|p| {
                let (i, j) = (p.chart / charts, p.chart % charts);
                let Some((x, y)) = dimensions.get(i).and_then(|n| p.coordinates.split_at_checked(*n)) else {
                    return Err(DiffeologyError::Shape {
                        expected: "a point in a chart of the product".to_owned(),
                        found: format!("chart {} with {} coordinates", p.chart, p.coordinates.len()),
                    });
                };
                let (chart, part) = if second { (j, y) } else { (i, x) };
                Ok(ChartPoint { chart, coordinates: part.to_vec() })
            })
        })
    }

    /// Returns ⟨p, q⟩ : U → M × N on the intersection of the domains.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there is no such chart; the errors of intersecting the domains.
    pub fn pair_plots(
        &self,
        p: &PiecewisePlot<ChartPoint>,
        q: &PiecewisePlot<ChartPoint>,
    ) -> Result<PiecewisePlot<ChartPoint>, DiffeologyError> {
        let (domain, charts) = (p.domain().intersection(q.domain())?, self.factors[1].atlas().charts().len());
        let mut pieces = Vec::new();
        // Each piece of p meets each piece of q; empty intersections are kept, and never contain a point.
        for (a, b) in p.pieces().iter().flat_map(|a| q.pieces().iter().map(move |b| (a, b))) {
            // Saturation turns an absurd index into one that no chart has.
            let chart = a.value.chart.saturating_mul(charts).saturating_add(b.value.chart);
            let graphs = [&a.value.coordinates[..], &b.value.coordinates].concat();
            pieces.push((a.region.intersect_with(&b.region), self.manifold.plot_in_chart(&domain, chart, &graphs)?));
        }
        Ok(PiecewisePlot::join_pieces(&domain, pieces))
    }
}

/// The disjoint union M ⊎ N as a manifold.
#[derive(Clone, Debug)]
pub struct SumManifold {
    summands: [Manifold; 2],
    manifold: Manifold,
}

impl SumManifold {
    /// Returns the disjoint union. Its atlas is tested.
    ///
    /// # Errors
    /// The errors of the atlas.
    pub fn new(first: &Manifold, second: &Manifold) -> Result<Self, AtlasError> {
        let count = first.atlas().charts().len();
        let charts = [first.atlas().charts(), second.atlas().charts()].concat();
        // No transition connects a chart of M with a chart of N.
        let later = |t: &Transition| Transition { from: t.from + count, to: t.to + count, ..t.clone() };
        let transitions = first.atlas().transitions().iter().cloned();
        let transitions = transitions.chain(second.atlas().transitions().iter().map(later)).collect();
        let whole = Manifold::new(Atlas::new(charts, transitions, &default_smoothness_test())?);
        Ok(Self { summands: [first.clone(), second.clone()], manifold: whole })
    }

    /// Returns M ⊎ N.
    #[must_use]
    pub fn manifold(&self) -> &Manifold {
        &self.manifold
    }

    /// Returns the injection M → M ⊎ N, or N → M ⊎ N if `second` is `true`.
    #[must_use]
    pub fn injection(&self, second: bool) -> SmoothMap<Manifold, Manifold> {
        let before = if second { self.summands[0].atlas().charts().len() } else { 0 };
        SmoothMap::new(&self.summands[usize::from(second)], &self.manifold, move |p| {
            Ok(p.map_pieces(|p| ChartPoint { chart: p.chart + before, coordinates: p.coordinates.clone() }))
        })
    }

    /// Returns the summand of a function into the disjoint union (`true` for N), and the function into it. A plot on a
    /// connected domain has a summand.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there are pieces in both summands, or no pieces.
    pub fn split_summand(
        &self,
        p: &PiecewisePlot<ChartPoint>,
    ) -> Result<(bool, PiecewisePlot<ChartPoint>), DiffeologyError> {
        let count = self.summands[0].atlas().charts().len();
        let mut seconds = p.pieces().iter().map(|piece| piece.value.chart >= count);
        let first = seconds.next();
        let Some(second) = first.filter(|first| seconds.all(|other| other == *first)) else {
            let found = if first.is_some() { "pieces in both" } else { "no piece" };
            return Err(DiffeologyError::Shape {
                expected: "pieces in one summand".to_owned(),
                found: found.to_owned(),
            });
        };
        let before = if second { count } else { 0 };
        let moved = |p: &ChartPoint| ChartPoint { chart: p.chart - before, coordinates: p.coordinates.clone() };
        Ok((second, p.map_pieces(moved)))
    }
}
