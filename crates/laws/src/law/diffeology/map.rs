//! Laws of smooth maps between diffeological spaces: a category with products and exponentials (H §4.1, H20).

use crate::diffeology::closure::{curry, evaluate, first, pair, second, uncurry};
use crate::diffeology::functional::Functional;
use crate::diffeology::map::Smooth;
use crate::diffeology::product::Product;
use crate::diffeology::{Diffeology, Tried};
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// The number of arguments at which two maps are compared. A choice.
const ARGUMENTS: u64 = 4;

/// Compares two maps at random points.
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn same_map<X: Diffeology, Y: Diffeology>(f: &Smooth<X, Y>, g: &Smooth<X, Y>, trial: &Trial) -> Tried {
    Verdict::all((0..ARGUMENTS).map(|index| {
        let x = f.from().draw_point(&mut Random::of(trial.seed, index));
        // equality of maps is pointwise: a map has no structure beyond its values
        let verdict = f.to().same(&f.at(&x, trial)?, &g.at(&x, trial)?, trial)?;
        Ok(verdict.at(|| format!("the argument {}", f.from().told(&x, trial))))
    }))
}

/// **Category.** `id;f = f = f;id`, `(f;g);h = f;(g;h)`, and composites are smooth.
///
/// # Errors
/// As for [`same_map`].
pub fn composition<W: Diffeology, X: Diffeology, Y: Diffeology, Z: Diffeology>(
    f: &Smooth<W, X>,
    g: &Smooth<X, Y>,
    h: &Smooth<Y, Z>,
    trial: &Trial,
) -> Tried {
    let left = same_map(&Smooth::identity(f.from()).then(f), f, trial)?;
    let right = same_map(&f.then(&Smooth::identity(f.to())), f, trial)?;
    let associative = same_map(&f.then(g).then(h), &f.then(&g.then(h)), trial)?;
    Ok(left.both(right).both(associative).both(f.then(g).tried(trial)?))
}

/// **Products.** `⟨f, g⟩;fst = f`, `⟨f, g⟩;snd = g`, and ⟨f, g⟩ and the projections are smooth.
///
/// # Errors
/// As for [`same_map`].
pub fn products<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &Smooth<Z, X>,
    g: &Smooth<Z, Y>,
    trial: &Trial,
) -> Tried {
    let both = pair(f, g);
    let projections =
        same_map(&both.then(&first(both.to())), f, trial)?.both(same_map(&both.then(&second(both.to())), g, trial)?);
    let smooth = both.tried(trial)?.both(first(both.to()).tried(trial)?).both(second(both.to()).tried(trial)?);
    Ok(projections.both(smooth))
}

/// **Exponentials.** For f : Z × X → Y and g : Z → Diff(X, Y), `uncurry(curry f) = f` and `curry(uncurry g) = g`; both and
/// the evaluation are smooth.
///
/// # Errors
/// As for [`same_map`].
pub fn exponential<Z: Diffeology, X: Diffeology, Y: Diffeology>(
    f: &Smooth<Product<Z, X>, Y>,
    g: &Smooth<Z, Functional<X, Y>>,
    trial: &Trial,
) -> Tried {
    let there = same_map(&uncurry(&curry(f)), f, trial)?;
    let back = same_map(&curry(&uncurry(g)), g, trial)?;
    let smooth = curry(f).tried(trial)?.both(uncurry(g).tried(trial)?).both(evaluate(g.to()).tried(trial)?);
    Ok(there.both(back).both(smooth))
}
