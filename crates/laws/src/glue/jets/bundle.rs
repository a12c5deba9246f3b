//! Tests that jets of manifolds are a functor, and Lemma 7 for manifolds (H §6.3).
//!
//! The manifolds are spheres, Euclidean spaces, and products and disjoint unions of these. The maps are the antipodal map,
//! rotations, the double cover of the circle, inclusions and the inverses of charts.

use super::super::error::GlueError;
use super::super::judged::Judged;
use super::super::trial::{Experiment, Range, Sample};
use super::manifold::ManifoldJet;
use crate::diffeology::composite::{Factors, Summands};
use crate::diffeology::manifold::{InChart, Manifold};
use crate::diffeology::map::Smooth;
use crate::diffeology::sphere::{antipode, double_cover, inclusion, restricted, rotation, squared_norm, stereographic};
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::untyped::coordinates;
use crate::verdict::Verdict;
use std::sync::OnceLock;

type Map = Smooth<Manifold, Manifold>;

/// Draws two composable maps.
fn composable(random: &mut Random) -> Result<(Map, Map), GlueError> {
    let n = 1 + random.below(2);
    let own = |random: &mut Random| match random.below(3) {
        0 => antipode(n),
        1 => rotation(n),
        _ if n == 1 => double_cover(),
        // a reflection that exchanges the first and last axes
        _ => restricted(n, &coordinates(n + 1).into_iter().rev().collect::<Vec<_>>()),
    };
    Ok(match random.below(3) {
        0 => (own(random)?, inclusion(n)?),
        1 => (stereographic(n, random.below(2))?, own(random)?),
        _ => (own(random)?, own(random)?),
    })
}

/// Tests that the formula of Faà di Bruno gives J(f) at a jet, from each chart to each chart.
fn local(jet: &ManifoldJet, f: &Map, sample: &Sample) -> Result<Judged, GlueError> {
    let basis = &sample.basis;
    let image = jet.pushed(f)?;
    let mut all = Judged::from(Verdict::Survived);
    for from in jet.charts()? {
        for to in image.charts()? {
            all = all.both(jet.by_formula(f, from, to, basis)?.same(&image, basis)?);
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
pub fn functoriality() -> Experiment<'static> {
    let judge = |sample: &Sample| {
        let (basis, mut random) = (&sample.basis, Random::new(sample.seed));
        let (f, g) = composable(&mut random)?;
        let (jet, _, _) = ManifoldJet::draw(f.from(), basis, &mut random)?;
        let once = jet.pushed(&f)?;
        let charts = once.charts()?;
        // a point that no chart is known to contain has no coordinates to compare
        if charts.is_empty() {
            return Ok(Verdict::Vacuous.into());
        }
        let chart = *random.pick(&charts);
        let between = ManifoldJet::from_coordinates(f.to(), chart, &once.coordinates(chart, basis)?, basis)?;
        let other = jet.otherwise(basis)?.pushed(&f)?.otherwise(basis)?;
        Ok(once
            .same(&other, basis)?
            .both(local(&jet, &Smooth::identity(f.from()), sample)?)
            .both(local(&jet, &f, sample)?)
            .both(jet.pushed(&f.then(&g))?.same(&between.pushed(&g)?, basis)?)
            .both(norms(sample, &mut random)?))
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that J(ι) followed by J(|·|²) is J of the constant 1. For k = R = 1: tangents of a sphere are orthogonal to
/// the point.
fn norms(sample: &Sample, random: &mut Random) -> Result<Judged, GlueError> {
    let n = 1 + random.below(2);
    let (sphere, line) = (Manifold::sphere(n)?, Manifold::euclidean(1)?);
    let (jet, _, _) = ManifoldJet::draw(&sphere, &sample.basis, random)?;
    let one = Smooth::constant(&sphere, &line, &InChart { chart: 0, coordinates: vec![Graph::integer(1)] });
    let length = jet.pushed(&inclusion(n)?)?.pushed(&squared_norm(n + 1)?)?;
    length.same(&jet.pushed(&one)?, &sample.basis)
}

/// Lemma 7 (H) for manifolds. ⟨J(π₁), J(π₂)⟩ : J(M × N) → J(M) × J(N) has an inverse, which pairs plots. Each jet in M
/// ⊎ N is the image of one jet in one summand under J of an injection. M is the circle and N the sphere; M × N and M ⊎
/// N have atlases of their own.
#[must_use]
pub fn lemma_7() -> Experiment<'static> {
    // the two atlases are made once, for all samples
    let ready: OnceLock<Result<(Factors, Summands), GlueError>> = OnceLock::new();
    let judge = move |sample: &Sample| {
        let made = || {
            let (circle, sphere) = (Manifold::sphere(1)?, Manifold::sphere(2)?);
            Ok((Factors::new(&circle, &sphere)?, Summands::new(&circle, &sphere)?))
        };
        let (product, union) = ready.get_or_init(made).as_ref().map_err(Clone::clone)?;
        let (basis, mut random) = (&sample.basis, Random::new(sample.seed));
        let (pi, iota) = ([false, true].map(|i| product.projection(i)), [false, true].map(|i| union.injection(i)));
        let paired = |a: &ManifoldJet, b: &ManifoldJet| {
            Ok::<_, GlueError>(ManifoldJet::new(product.whole(), product.pair(a.curve(), b.curve())?))
        };
        // J(M) × J(N) → J(M × N) and back
        let [a, b] = [0, 1].map(|i: usize| ManifoldJet::draw(pi[i].to(), basis, &mut random));
        let ((a, ..), (b, ..)) = (a?, b?);
        let pair = paired(&a, &b)?;
        let parts = pair.pushed(&pi[0])?.same(&a, basis)?.both(pair.pushed(&pi[1])?.same(&b, basis)?);
        // J(M × N) → J(M) × J(N) and back, with other plots of the parts
        let (whole, ..) = ManifoldJet::draw(product.whole(), basis, &mut random)?;
        let [left, right] = [0, 1].map(|i: usize| whole.pushed(&pi[i])?.otherwise(basis));
        let there = paired(&left?, &right?)?.same(&whole, basis)?;
        // J(M ⊎ N) to a summand and back, and from a summand and back
        let (jet, ..) = ManifoldJet::draw(union.whole(), basis, &mut random)?;
        let (second, curve) = union.summand(jet.curve())?;
        let which = usize::from(second);
        let inside = ManifoldJet::new(iota[which].from(), curve);
        let again = inside.otherwise(basis)?.pushed(&iota[which])?.same(&jet, basis)?;
        let [in_first, in_second] = [a.pushed(&iota[0])?, b.pushed(&iota[1])?];
        // the summands are disjoint, so a jet of one must differ from a jet of the other
        if !in_first.same(&in_second, basis)?.is_refuted() {
            return Ok(Verdict::refuted("jets in two summands", "one jet", "two").into());
        }
        let back = ManifoldJet::new(iota[0].from(), union.summand(in_first.curve())?.1).same(&a, basis)?;
        Ok(parts.both(there).both(again).both(back))
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
