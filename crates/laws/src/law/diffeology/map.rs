//! Laws of smooth maps between diffeological spaces: a category with products and exponentials (H §4.1, H20).

use crate::diffeology::closure::{curry, evaluation_map, first_projection, pair_maps, second_projection, uncurry};
use crate::diffeology::functional::FunctionSpace;
use crate::diffeology::map::SmoothMap;
use crate::diffeology::product::ProductDiffeology;
use crate::diffeology::{Diffeology, DiffeologyVerdict};
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// The number of arguments at which two maps are compared. A choice.
const COMPARED_ARGUMENTS: u64 = 4;

/// Compares two maps at random points.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn compare_maps<X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<X, Y>,
    g: &SmoothMap<X, Y>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    Verdict::all_samples((0..COMPARED_ARGUMENTS).map(|index| {
        let x = f.domain().draw_point(&mut SplitMix64::for_sample(trial.seed, index));
        // equality of maps is pointwise: a map has no structure beyond its values
        let verdict = f.codomain().compare_points(&f.value_at(&x, trial)?, &g.value_at(&x, trial)?, trial)?;
        Ok(verdict.with_witness(|| format!("the argument {}", f.domain().describe_point(&x, trial))))
    }))
}

/// **Category.** `id;f = f = f;id`, `(f;g);h = f;(g;h)`, and composites are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn category_laws<W: Diffeology, X: Diffeology, Y: Diffeology, Z: Diffeology>(
    f: &SmoothMap<W, X>,
    g: &SmoothMap<X, Y>,
    h: &SmoothMap<Y, Z>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let left = compare_maps(&SmoothMap::identity(f.domain()).then(f), f, trial)?;
    let right = compare_maps(&f.then(&SmoothMap::identity(f.codomain())), f, trial)?;
    let associative = compare_maps(&f.then(g).then(h), &f.then(&g.then(h)), trial)?;
    Ok(left.and_part(right).and_part(associative).and_part(f.then(g).test_smoothness(trial)?))
}

/// **Products.** `⟨f, g⟩;fst = f`, `⟨f, g⟩;snd = g`, and ⟨f, g⟩ and the projections are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn product_laws<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<Z, X>,
    g: &SmoothMap<Z, Y>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let both = pair_maps(f, g);
    let projections = compare_maps(&both.then(&first_projection(both.codomain())), f, trial)?.and_part(compare_maps(
        &both.then(&second_projection(both.codomain())),
        g,
        trial,
    )?);
    let smooth = both
        .test_smoothness(trial)?
        .and_part(first_projection(both.codomain()).test_smoothness(trial)?)
        .and_part(second_projection(both.codomain()).test_smoothness(trial)?);
    Ok(projections.and_part(smooth))
}

/// **Exponentials.** For f : Z × X → Y and g : Z → Diff(X, Y), `uncurry(curry f) = f` and `curry(uncurry g) = g`; both and
/// the evaluation are smooth.
///
/// # Errors
/// As for [`compare_maps`].
pub fn exponential_laws<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &SmoothMap<ProductDiffeology<Z, X>, Y>,
    g: &SmoothMap<Z, FunctionSpace<X, Y>>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let there = compare_maps(&uncurry(&curry(f)), f, trial)?;
    let back = compare_maps(&curry(&uncurry(g)), g, trial)?;
    let smooth = curry(f)
        .test_smoothness(trial)?
        .and_part(uncurry(g).test_smoothness(trial)?)
        .and_part(evaluation_map(g.codomain()).test_smoothness(trial)?);
    Ok(there.and_part(back).and_part(smooth))
}
