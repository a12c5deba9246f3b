//! The axioms of diffeological spaces, as functions that test them (H Def. 4.1, H19).
//!
//! Each law takes points and plots of a space and returns a verdict; [`suite`] draws them. A wrong space, such as one
//! without constants, is refuted by the law that it breaks.
//!
//! | law | source |
//! |---|---|
//! | [`constants`], [`reparametrisation`], [`gluing`] | the three axioms, H Def. 4.1 |
//! | [`order::chain_law`] | the fourth axiom of ωPAP spaces, W §3.2 |
//! | [`functoriality`], [`concreteness`] | plots are functions, and restrict by composition |

pub mod language;
pub mod map;
pub mod order;
pub mod predicate;
pub mod suite;

use crate::diffeology::error::format_rational_point;
use crate::diffeology::real::rational_point;
use crate::diffeology::site::Site;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// Compares two functions at sample points of a domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn compare_plots<S: Site, X: Diffeology<S>>(
    space: &X,
    domain: &S::Domain,
    p: &X::Plot,
    q: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let mut all = Verdict::Survived;
    for point in S::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let u = rational_point(&point);
        let here = space.compare_points(&space.value_at(p, &u, trial)?, &space.value_at(q, &u, trial)?, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
        if all.is_refuted() {
            // one difference refutes, so the other points are not evaluated
            break;
        }
    }
    Ok(all)
}

/// **Constants.** A constant function is a plot, and has its value everywhere.
///
/// # Errors
/// As for [`compare_plots`].
pub fn constants<S: Site, X: Diffeology<S>>(
    space: &X,
    domain: &S::Domain,
    x: &X::Point,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let p = space.constant_plot(domain, x);
    let mut all = space.test_plot(&p, trial)?;
    for point in S::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let here = space.compare_points(&space.value_at(&p, &rational_point(&point), trial)?, x, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Reparametrisation.** For f : V → U smooth and p a plot on U, `f;p` is a plot, and `at(f;p, v) = at(p, f(v))`.
///
/// # Errors
/// As for [`compare_plots`].
pub fn reparametrisation<S: Site, X: Diffeology<S>>(
    space: &X,
    f: &S::Map,
    p: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let composite = space.reparametrise(f, p);
    let mut all = space.test_plot(&composite, trial)?;
    for point in S::sample_points(S::map_domain(f), &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let v = rational_point(&point);
        let here = space.compare_points(
            &space.value_at(&composite, &v, trial)?,
            &space.value_at(p, &S::value_at(f, &v, trial)?, trial)?,
            trial,
        )?;
        all = all.and_part(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Functoriality.** `id;p = p` and `(g;f);p = g;(f;p)`.
///
/// # Errors
/// As for [`compare_plots`].
pub fn functoriality<S: Site, X: Diffeology<S>>(
    space: &X,
    g: &S::Map,
    f: &S::Map,
    p: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let identity = space.reparametrise(&S::identity_map(&space.plot_domain(p)), p);
    let identity = compare_plots(space, &space.plot_domain(p), &identity, p, trial)?;
    let left = space.reparametrise(&S::compose_maps(g, f)?, p);
    let right = space.reparametrise(g, &space.reparametrise(f, p));
    Ok(identity.and_part(compare_plots(space, S::map_domain(g), &left, &right, trial)?))
}

/// **Gluing.** A compatible family of plots over a cover glues to a plot, which restricts to each of them.
///
/// Vacuous if the family does not cover or is not compatible: the axiom makes no claim then.
///
/// # Errors
/// As for [`compare_plots`].
pub fn gluing<S: Site, X: Diffeology<S>>(
    space: &X,
    whole: &S::Domain,
    family: &[X::Plot],
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let glued = match space.glue(whole, family, trial) {
        Ok(glued) => glued,
        Err(DiffeologyError::NotCovered { .. } | DiffeologyError::Incompatible { .. }) => return Ok(Verdict::Vacuous),
        Err(error) => return Err(error),
    };
    let mut all = space.test_plot(&glued, trial)?;
    for piece in family {
        let part = S::intersection(&space.plot_domain(piece), whole)?;
        let restricted = space.reparametrise(&S::inclusion_map(&part, whole)?, &glued);
        all = all.and_part(compare_plots(space, &part, &restricted, piece, trial)?);
    }
    Ok(all)
}

/// **Concreteness.** A plot is the function u ↦ at(p, u). Glued from its own restrictions it is the same function, and
/// its value at u is that of its composite with u : ℝ⁰ → U.
///
/// # Errors
/// As for [`compare_plots`].
pub fn concreteness<S: Site, X: Diffeology<S>>(space: &X, p: &X::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
    let domain = space.plot_domain(p);
    let point = S::point_domain();
    let mut all = Verdict::Survived;
    for u in S::sample_points(&domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let exact = rational_point(&u);
        let at = S::constant_map(&point, &domain, &exact);
        let left = space.value_at(&space.reparametrise(&at, p), &[], trial)?;
        let here = space.compare_points(&left, &space.value_at(p, &exact, trial)?, trial)?;
        all = all.and_part(here.with_witness(|| format_rational_point(&u)));
    }
    // a plot is determined by its restrictions to a cover
    let parts = S::draw_cover(&domain, &mut SplitMix64::new(trial.seed))?;
    let restricted: Vec<X::Plot> = parts
        .iter()
        .map(|part| Ok(space.reparametrise(&S::inclusion_map(part, &domain)?, p)))
        .collect::<Result<_, DiffeologyError>>()?;
    let glued = space.glue(&domain, &restricted, trial)?;
    Ok(all.and_part(compare_plots(space, &domain, &glued, p, trial)?))
}
