//! Products and disjoint unions of manifolds, by their atlases (H §6.3: manifolds have finite products and countable
//! coproducts, which agree with those of diffeological spaces).
//!
//! The charts of M × N are products of charts. The chart (i, j) has the index i·n + j if N has n charts. The charts of
//! M ⊎ N are those of M, followed by those of N; their dimensions may differ.

use super::atlas::{Atlas, AtlasError, Transition};
use super::error::DiffeologyError;
use super::manifold::{InChart, Manifold};
use super::map::Smooth;
use super::open::Open;
use super::piecewise::Piecewise;
use super::reparametrisation::composed;
use super::smoothness::trial;
use crate::smooth::map::untyped::coordinates;

/// The product M × N as a manifold.
#[derive(Clone, Debug)]
pub struct Factors {
    parts: [Manifold; 2],
    whole: Manifold,
}

impl Factors {
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
                let x = coordinates(u.dimension() + v.dimension());
                for (k, l) in (0..m.len()).flat_map(|k| (0..n.len()).map(move |l| (k, l))) {
                    let (from, to) = (i * n.len() + j, k * n.len() + l);
                    let both = first.atlas().transition(i, k).zip(second.atlas().transition(j, l));
                    let Some(((on, f), (also, g))) = both.filter(|_| from != to) else { continue };
                    let graphs = [composed(&f, &x[..u.dimension()]), composed(&g, &x[u.dimension()..])].concat();
                    transitions.push(Transition { from, to, on: on.product(&also)?, graphs });
                }
            }
        }
        let whole = Manifold::new(Atlas::new(charts, transitions, &trial())?);
        Ok(Self { parts: [first.clone(), second.clone()], whole })
    }

    /// Returns M × N.
    #[must_use]
    pub fn whole(&self) -> &Manifold {
        &self.whole
    }

    /// Returns the projection π₁ : M × N → M, or π₂ : M × N → N if `second` is `true`.
    #[must_use]
    pub fn projection(&self, second: bool) -> Smooth<Manifold, Manifold> {
        let charts = self.parts[1].atlas().charts().len();
        let dimensions: Vec<usize> = self.parts[0].atlas().charts().iter().map(Open::dimension).collect();
        Smooth::new(&self.whole, &self.parts[usize::from(second)], move |p| {
            p.try_each(|p| {
                let (i, j) = (p.chart / charts, p.chart % charts);
                let Some((x, y)) = dimensions.get(i).and_then(|n| p.coordinates.split_at_checked(*n)) else {
                    return Err(DiffeologyError::Shape {
                        expected: "a point in a chart of the product".to_owned(),
                        found: format!("chart {} with {} coordinates", p.chart, p.coordinates.len()),
                    });
                };
                let (chart, part) = if second { (j, y) } else { (i, x) };
                Ok(InChart { chart, coordinates: part.to_vec() })
            })
        })
    }

    /// Returns ⟨p, q⟩ : U → M × N on the intersection of the domains.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there is no such chart; the errors of intersecting the domains.
    pub fn pair(&self, p: &Piecewise<InChart>, q: &Piecewise<InChart>) -> Result<Piecewise<InChart>, DiffeologyError> {
        let (domain, charts) = (p.domain().intersection(q.domain())?, self.parts[1].atlas().charts().len());
        let mut pieces = Vec::new();
        // Each piece of p meets each piece of q; empty intersections are kept, and never contain a point.
        for (a, b) in p.pieces().iter().flat_map(|a| q.pieces().iter().map(move |b| (a, b))) {
            // Saturation turns an absurd index into one that no chart has.
            let chart = a.value.chart.saturating_mul(charts).saturating_add(b.value.chart);
            let graphs = [&a.value.coordinates[..], &b.value.coordinates].concat();
            pieces.push((a.region.and(&b.region), self.whole.plot(&domain, chart, &graphs)?));
        }
        Ok(Piecewise::joined(&domain, pieces))
    }
}

/// The disjoint union M ⊎ N as a manifold.
#[derive(Clone, Debug)]
pub struct Summands {
    parts: [Manifold; 2],
    whole: Manifold,
}

impl Summands {
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
        let whole = Manifold::new(Atlas::new(charts, transitions, &trial())?);
        Ok(Self { parts: [first.clone(), second.clone()], whole })
    }

    /// Returns M ⊎ N.
    #[must_use]
    pub fn whole(&self) -> &Manifold {
        &self.whole
    }

    /// Returns the injection M → M ⊎ N, or N → M ⊎ N if `second` is `true`.
    #[must_use]
    pub fn injection(&self, second: bool) -> Smooth<Manifold, Manifold> {
        let before = if second { self.parts[0].atlas().charts().len() } else { 0 };
        Smooth::new(&self.parts[usize::from(second)], &self.whole, move |p| {
            Ok(p.each(|p| InChart { chart: p.chart + before, coordinates: p.coordinates.clone() }))
        })
    }

    /// Returns the summand of a function into the disjoint union (`true` for N), and the function into it. A plot on a
    /// connected domain has a summand.
    ///
    /// # Errors
    /// [`DiffeologyError::Shape`] if there are pieces in both summands, or no pieces.
    pub fn summand(&self, p: &Piecewise<InChart>) -> Result<(bool, Piecewise<InChart>), DiffeologyError> {
        let count = self.parts[0].atlas().charts().len();
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
        let moved = |p: &InChart| InChart { chart: p.chart - before, coordinates: p.coordinates.clone() };
        Ok((second, p.each(moved)))
    }
}
