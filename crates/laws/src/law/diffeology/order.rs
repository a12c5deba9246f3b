//! The order of ωPAP spaces (W §3.2): what the fourth axiom says of chains of plots.

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

/// One plot below another, at points of their domain.
///
/// # Errors
/// Those of evaluating plots, here and in all laws.
pub fn below<X: Ordered>(space: &X, domain: &Analytic, p: &X::Plot, q: &X::Plot, trial: &Trial) -> Tried {
    let mut all = Verdict::Vacuous;
    for point in CAnalytic::samples(domain, &mut Random::new(trial.seed), trial.samples as usize) {
        let u = exactly(&point);
        let here = space.below(&space.at(p, &u, trial)?, &space.at(q, &u, trial)?, trial)?;
        all = all.and(here.at(|| shown(&point)));
    }
    Ok(all)
}

/// **Chains.** The least upper bound of a chain of plots is a plot; it is above each of them (tried
/// of the first three and of number [`MOST`]), and below what is above all: here that of number [`MOST`], of a chain that stays from there
/// on. Of other chains the law is not.
///
/// # Errors
/// As for [`below`].
pub fn chains<X: Ordered>(space: &X, domain: &Analytic, chain: &Chain<X::Plot>, trial: &Trial) -> Tried {
    let bound = space.lub(domain, chain.clone());
    let mut all = space.is_plot(&bound, trial)?;
    if all.is_refuted() {
        return Ok(all);
    }
    all = Verdict::Vacuous;
    for n in [0, 1, 2, MOST] {
        all = all.and(below(space, domain, &chain(n), &bound, trial)?);
    }
    Ok(all.and(below(space, domain, &bound, &chain(MOST), trial)?))
}

/// Random chains of a space. They rise, and their bounds are as the fourth axiom says.
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
