//! The order of ωPAP spaces (W §3.2), and the fourth axiom on chains of plots.

use super::suite::Samples;
use crate::diffeology::analytic::{Analytic, CAnalytic};
use crate::diffeology::error::shown;
use crate::diffeology::omega::{Chain, MOST, Ordered};
use crate::diffeology::real::exactly;
use crate::diffeology::site::Site;
use crate::diffeology::{DiffeologyError, Tried};
use crate::random::Random;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;

/// Tests that one plot lies below another, at sample points of their domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn below<X: Ordered>(space: &X, domain: &Analytic, p: &X::Plot, q: &X::Plot, trial: &Trial) -> Tried {
    let mut all = Verdict::Vacuous;
    for point in CAnalytic::samples(domain, &mut Random::new(trial.seed), trial.samples as usize) {
        let u = exactly(&point);
        let here = space.below(&space.at(p, &u, trial)?, &space.at(q, &u, trial)?, trial)?;
        all = all.and(here.at(|| shown(&point)));
    }
    Ok(all)
}

/// **Chains.** The least upper bound of a chain of plots is a plot and an upper bound, tested on plots 0, 1, 2 and
/// [`MOST`]. It lies below every upper bound, tested on plot [`MOST`]. The chain must be constant from [`MOST`] on.
///
/// # Errors
/// As for [`below`].
pub fn chains<X: Ordered>(space: &X, domain: &Analytic, chain: &Chain<X::Plot>, trial: &Trial) -> Tried {
    let bound = space.lub(domain, chain.clone());
    let mut all = space.is_plot(&bound, trial)?;
    if all.is_refuted() {
        return Ok(all);
    }
    // a bound that is a plot is no evidence for the order, so the comparisons start without a claim
    all = Verdict::Vacuous;
    for n in [0, 1, 2, MOST] {
        all = all.and(below(space, domain, &chain(n), &bound, trial)?);
    }
    Ok(all.and(below(space, domain, &bound, &chain(MOST), trial)?))
}

/// Tests that random chains of a space increase, and that their least upper bounds satisfy the fourth axiom.
///
/// # Errors
/// As for [`below`].
pub fn ordered<X: Ordered>(space: &X, samples: &Samples) -> Result<Verdict, DiffeologyError> {
    samples.tried(|random, trial| {
        let domain = CAnalytic::draw(random);
        let chain = space.draw_chain(&domain, random);
        let rises = below(space, &domain, &chain(0), &chain(1), trial)?.and(below(
            space,
            &domain,
            &chain(1),
            &chain(2),
            trial,
        )?);
        Ok(rises.and(chains(space, &domain, &chain, trial)?))
    })
}
