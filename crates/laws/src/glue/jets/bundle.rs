//! Tests that jets of manifolds are a functor, and Lemma 7 for manifolds (H §6.3).
//!
//! The manifolds are spheres, Euclidean spaces, and products and disjoint unions of these. The maps are the antipodal map,
//! rotations, the double cover of the circle, inclusions and the inverses of charts.

use super::super::trial::{BasisRange, TheoremSample, TheoremTest};
use super::ManifoldJet;
use crate::diffeology::manifold::{
    ChartPoint, Manifold, ProductManifold, SumManifold, antipodal_map, double_cover, restrict_to_sphere,
    sphere_inclusion, sphere_rotation, squared_norm, stereographic_inverse,
};
use crate::diffeology::map::SmoothMap;
use crate::glue::claim::GlueError;
use crate::glue::trial::VerdictWithValues;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::coordinate_graphs;
use crate::verdict::Verdict;
use std::sync::OnceLock;

type ManifoldMap = SmoothMap<Manifold, Manifold>;

/// Draws two composable maps.
fn draw_composable_maps(random: &mut SplitMix64) -> Result<(ManifoldMap, ManifoldMap), GlueError> {
    let n = 1 + random.next_below(2);
    let own = |random: &mut SplitMix64| match random.next_below(3) {
        0 => antipodal_map(n),
        1 => sphere_rotation(n),
        _ if n == 1 => double_cover(),
        // a reflection that exchanges the first and last axes
        _ => restrict_to_sphere(n, &coordinate_graphs(n + 1).into_iter().rev().collect::<Vec<_>>()),
    };
    Ok(match random.next_below(3) {
        0 => (own(random)?, sphere_inclusion(n)?),
        1 => (stereographic_inverse(n, random.next_below(2))?, own(random)?),
        _ => (own(random)?, own(random)?),
    })
}

/// Tests that the formula of Faà di Bruno gives J(f) at a jet, from each chart to each chart.
fn test_local_formula(
    jet: &ManifoldJet,
    f: &ManifoldMap,
    sample: &TheoremSample,
) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let image = jet.push_forward(f)?;
    let mut all = VerdictWithValues::from(Verdict::Survived);
    for from in jet.known_charts()? {
        for to in image.known_charts()? {
            all = all.both(jet.push_by_formula(f, from, to, basis)?.test_equal(&image, basis)?);
        }
    }
    Ok(all)
}

/// J is a functor on manifolds, and acts on classes (H §6.3).
///
/// - J(f) does not depend on the plot that represents the jet.
/// - `J(id) = id`, also when the jet is moved to another chart by the formula for the transition.
/// - `J(f;g) = J(f);J(g)`, where only the coordinates of J(f)(x, \[γ\]) in one chart are kept in between.
/// - In any two charts, J(f) is given by the formula of Faà di Bruno.
/// - The jets of |x|² on a sphere are those of the constant 1.
#[must_use]
pub fn functoriality() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let (basis, mut random) = (&sample.basis, SplitMix64::new(sample.seed));
        let (f, g) = draw_composable_maps(&mut random)?;
        let (jet, _, _) = ManifoldJet::draw_in_chart(f.domain(), basis, &mut random)?;
        let once = jet.push_forward(&f)?;
        let charts = once.known_charts()?;
        // a point that no chart is known to contain has no coordinates to compare
        if charts.is_empty() {
            return Ok(Verdict::Vacuous.into());
        }
        let chart = *random.pick(&charts);
        let between = ManifoldJet::from_coordinates(f.codomain(), chart, &once.coordinates(chart, basis)?, basis)?;
        let other = jet.equivalent_jet(basis)?.push_forward(&f)?.equivalent_jet(basis)?;
        Ok(once
            .test_equal(&other, basis)?
            .both(test_local_formula(&jet, &SmoothMap::identity(f.domain()), sample)?)
            .both(test_local_formula(&jet, &f, sample)?)
            .both(jet.push_forward(&f.then(&g))?.test_equal(&between.push_forward(&g)?, basis)?)
            .both(test_sphere_norms(sample, &mut random)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that J(ι) followed by J(|·|²) is J of the constant 1. For k = R = 1: tangents of a sphere are orthogonal to
/// the point.
fn test_sphere_norms(sample: &TheoremSample, random: &mut SplitMix64) -> Result<VerdictWithValues, GlueError> {
    let n = 1 + random.next_below(2);
    let (sphere, line) = (Manifold::sphere(n)?, Manifold::euclidean_space(1)?);
    let (jet, _, _) = ManifoldJet::draw_in_chart(&sphere, &sample.basis, random)?;
    let one = SmoothMap::constant(&sphere, &line, &ChartPoint { chart: 0, coordinates: vec![Graph::integer(1)] });
    let length = jet.push_forward(&sphere_inclusion(n)?)?.push_forward(&squared_norm(n + 1)?)?;
    length.test_equal(&jet.push_forward(&one)?, &sample.basis)
}

/// Lemma 7 (H) for manifolds. ⟨J(π₁), J(π₂)⟩ : J(M × N) → J(M) × J(N) has an inverse, which pairs plots. Each jet in M
/// ⊎ N is the image of one jet in one summand under J of an injection. M is the circle and N the sphere; M × N and M ⊎
/// N have atlases of their own.
#[must_use]
pub fn lemma_7() -> TheoremTest<'static> {
    // the two atlases are made once, for all samples
    let ready: OnceLock<Result<(ProductManifold, SumManifold), GlueError>> = OnceLock::new();
    let judge = move |sample: &TheoremSample| {
        let made = || {
            let (circle, sphere) = (Manifold::sphere(1)?, Manifold::sphere(2)?);
            Ok((ProductManifold::new(&circle, &sphere)?, SumManifold::new(&circle, &sphere)?))
        };
        let (product, union) = ready.get_or_init(made).as_ref().map_err(Clone::clone)?;
        let (basis, mut random) = (&sample.basis, SplitMix64::new(sample.seed));
        let (pi, iota) = ([false, true].map(|i| product.projection(i)), [false, true].map(|i| union.injection(i)));
        let paired = |a: &ManifoldJet, b: &ManifoldJet| {
            Ok::<_, GlueError>(ManifoldJet::new(product.manifold(), product.pair_plots(a.curve(), b.curve())?))
        };
        // J(M) × J(N) → J(M × N) and back
        let [a, b] = [0, 1].map(|i: usize| ManifoldJet::draw_in_chart(pi[i].codomain(), basis, &mut random));
        let ((a, ..), (b, ..)) = (a?, b?);
        let pair = paired(&a, &b)?;
        let parts =
            pair.push_forward(&pi[0])?.test_equal(&a, basis)?.both(pair.push_forward(&pi[1])?.test_equal(&b, basis)?);
        // J(M × N) → J(M) × J(N) and back, with other plots of the parts
        let (whole, ..) = ManifoldJet::draw_in_chart(product.manifold(), basis, &mut random)?;
        let [left, right] = [0, 1].map(|i: usize| whole.push_forward(&pi[i])?.equivalent_jet(basis));
        let there = paired(&left?, &right?)?.test_equal(&whole, basis)?;
        // J(M ⊎ N) to a summand and back, and from a summand and back
        let (jet, ..) = ManifoldJet::draw_in_chart(union.manifold(), basis, &mut random)?;
        let (second, curve) = union.split_summand(jet.curve())?;
        let which = usize::from(second);
        let inside = ManifoldJet::new(iota[which].domain(), curve);
        let again = inside.equivalent_jet(basis)?.push_forward(&iota[which])?.test_equal(&jet, basis)?;
        let [in_first, in_second] = [a.push_forward(&iota[0])?, b.push_forward(&iota[1])?];
        // the summands are disjoint, so a jet of one must differ from a jet of the other
        if !in_first.test_equal(&in_second, basis)?.is_refuted() {
            return Ok(Verdict::refuted("jets in two summands", "one jet", "two").into());
        }
        let back =
            ManifoldJet::new(iota[0].domain(), union.split_summand(in_first.curve())?.1).test_equal(&a, basis)?;
        Ok(parts.both(there).both(again).both(back))
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
