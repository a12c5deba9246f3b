//! The axioms of diffeological spaces, as functions that test them (H Def. 4.1, H19).
//!
//! Each law takes points and plots of a space and returns a verdict; [`suite`] draws them. A wrong space, such as one
//! without constants, is refuted by the law that it breaks.
//!
//! | law | source |
//! |---|---|
//! | [`constants`], [`reparametrisation`], [`gluing`] | the three axioms, H Def. 4.1 |
//! | [`order::chains`] | the fourth axiom of ωPAP spaces, W §3.2 |
//! | [`functoriality`], [`concreteness`] | plots are functions, and restrict by composition |

pub mod language;
pub mod map;
pub mod order;
pub mod predicate;
pub mod suite;

use crate::diffeology::error::shown;
use crate::diffeology::real::exactly;
use crate::diffeology::site::Site;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// Compares two functions at sample points of a domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn agree<S: Site, X: Diffeology<S>>(
    space: &X,
    domain: &S::Domain,
    p: &X::Plot,
    q: &X::Plot,
    trial: &Trial,
) -> Tried {
    let mut all = Verdict::Survived;
    for point in S::samples(domain, &mut Random::new(trial.seed), trial.samples as usize) {
        let u = exactly(&point);
        let here = space.same(&space.at(p, &u, trial)?, &space.at(q, &u, trial)?, trial)?;
        all = all.both(here.at(|| shown(&point)));
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
/// As for [`agree`].
pub fn constants<S: Site, X: Diffeology<S>>(space: &X, domain: &S::Domain, x: &X::Point, trial: &Trial) -> Tried {
    let p = space.constant(domain, x);
    let mut all = space.is_plot(&p, trial)?;
    for point in S::samples(domain, &mut Random::new(trial.seed), trial.samples as usize) {
        let here = space.same(&space.at(&p, &exactly(&point), trial)?, x, trial)?;
        all = all.both(here.at(|| shown(&point)));
    }
    Ok(all)
}

/// **Reparametrisation.** For f : V → U smooth and p a plot on U, `f;p` is a plot, and `at(f;p, v) = at(p, f(v))`.
///
/// # Errors
/// As for [`agree`].
pub fn reparametrisation<S: Site, X: Diffeology<S>>(space: &X, f: &S::Map, p: &X::Plot, trial: &Trial) -> Tried {
    let composite = space.reparametrise(f, p);
    let mut all = space.is_plot(&composite, trial)?;
    for point in S::samples(S::source(f), &mut Random::new(trial.seed), trial.samples as usize) {
        let v = exactly(&point);
        let here = space.same(&space.at(&composite, &v, trial)?, &space.at(p, &S::at(f, &v, trial)?, trial)?, trial)?;
        all = all.both(here.at(|| shown(&point)));
    }
    Ok(all)
}

/// **Functoriality.** `id;p = p` and `(g;f);p = g;(f;p)`.
///
/// # Errors
/// As for [`agree`].
pub fn functoriality<S: Site, X: Diffeology<S>>(
    space: &X,
    g: &S::Map,
    f: &S::Map,
    p: &X::Plot,
    trial: &Trial,
) -> Tried {
    let identity = space.reparametrise(&S::identity(&space.domain(p)), p);
    let identity = agree(space, &space.domain(p), &identity, p, trial)?;
    let left = space.reparametrise(&S::then(g, f)?, p);
    let right = space.reparametrise(g, &space.reparametrise(f, p));
    Ok(identity.both(agree(space, S::source(g), &left, &right, trial)?))
}

/// **Gluing.** A compatible family of plots over a cover glues to a plot, which restricts to each of them.
///
/// Vacuous if the family does not cover or is not compatible: the axiom makes no claim then.
///
/// # Errors
/// As for [`agree`].
pub fn gluing<S: Site, X: Diffeology<S>>(space: &X, whole: &S::Domain, family: &[X::Plot], trial: &Trial) -> Tried {
    let glued = match space.glue(whole, family, trial) {
        Ok(glued) => glued,
        Err(DiffeologyError::NotCovered { .. } | DiffeologyError::Incompatible { .. }) => return Ok(Verdict::Vacuous),
        Err(error) => return Err(error),
    };
    let mut all = space.is_plot(&glued, trial)?;
    for piece in family {
        let part = S::intersection(&space.domain(piece), whole)?;
        let restricted = space.reparametrise(&S::inclusion(&part, whole)?, &glued);
        all = all.both(agree(space, &part, &restricted, piece, trial)?);
    }
    Ok(all)
}

/// **Concreteness.** A plot is the function u ↦ at(p, u). Glued from its own restrictions it is the same function, and
/// its value at u is that of its composite with u : ℝ⁰ → U.
///
/// # Errors
/// As for [`agree`].
pub fn concreteness<S: Site, X: Diffeology<S>>(space: &X, p: &X::Plot, trial: &Trial) -> Tried {
    let domain = space.domain(p);
    let point = S::point();
    let mut all = Verdict::Survived;
    for u in S::samples(&domain, &mut Random::new(trial.seed), trial.samples as usize) {
        let exact = exactly(&u);
        let at = S::constant(&point, &domain, &exact);
        let left = space.at(&space.reparametrise(&at, p), &[], trial)?;
        let here = space.same(&left, &space.at(p, &exact, trial)?, trial)?;
        all = all.both(here.at(|| shown(&u)));
    }
    // a plot is determined by its restrictions to a cover
    let parts = S::cover(&domain, &mut Random::new(trial.seed))?;
    let restricted: Vec<X::Plot> = parts
        .iter()
        .map(|part| Ok(space.reparametrise(&S::inclusion(part, &domain)?, p)))
        .collect::<Result<_, DiffeologyError>>()?;
    let glued = space.glue(&domain, &restricted, trial)?;
    Ok(all.both(agree(space, &domain, &glued, p, trial)?))
}
