//! The order of ωPAP spaces (W §3.2), and the fourth axiom on chains of plots.

use super::suite::SampleSettings;
use crate::diffeology::analytic::{CAnalyticSet, CAnalyticSite};
use crate::diffeology::error::format_rational_point;
use crate::diffeology::omega::{CHAIN_LIMIT_INDEX, OrderedDiffeology, PlotChain};
use crate::diffeology::real::rational_point;
use crate::diffeology::site::Site;
use crate::diffeology::{DiffeologyError, DiffeologyVerdict};
use crate::random::SplitMix64;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

/// Tests that one plot lies below another, at sample points of their domain.
///
/// # Errors
/// The error of evaluating plots, here and in all laws.
pub fn check_below<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    p: &X::Plot,
    q: &X::Plot,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let mut all = Verdict::Vacuous;
    for point in CAnalyticSite::sample_points(domain, &mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
        let u = rational_point(&point);
        let here = space.test_below(&space.value_at(p, &u, trial)?, &space.value_at(q, &u, trial)?, trial)?;
        all = all.and(here.with_witness(|| format_rational_point(&point)));
    }
    Ok(all)
}

/// **Chains.** The least upper bound of a chain of plots is a plot and an upper bound, tested on plots 0, 1, 2 and
/// [`CHAIN_LIMIT_INDEX`]. It lies below every upper bound, tested on plot [`CHAIN_LIMIT_INDEX`]. The chain must be constant from [`CHAIN_LIMIT_INDEX`] on.
///
/// # Errors
/// As for [`check_below`].
pub fn chain_law<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    chain: &PlotChain<X::Plot>,
    trial: &MapTestConfig,
) -> DiffeologyVerdict {
    let bound = space.least_upper_bound(domain, chain.clone());
    let mut all = space.test_plot(&bound, trial)?;
    if all.is_refuted() {
        return Ok(all);
    }
    // a bound that is a plot is no evidence for the order, so the comparisons start without a claim
    all = Verdict::Vacuous;
    for n in [0, 1, 2, CHAIN_LIMIT_INDEX] {
        all = all.and(check_below(space, domain, &chain(n), &bound, trial)?);
    }
    Ok(all.and(check_below(space, domain, &bound, &chain(CHAIN_LIMIT_INDEX), trial)?))
}

/// Tests that random chains of a space increase, and that their least upper bounds satisfy the fourth axiom.
///
/// # Errors
/// As for [`check_below`].
pub fn check_order<X: OrderedDiffeology>(space: &X, samples: &SampleSettings) -> Result<Verdict, DiffeologyError> {
    samples.check_statement(|random, trial| {
        let domain = CAnalyticSite::draw_domain(random);
        let chain = space.draw_chain(&domain, random);
        let rises = check_below(space, &domain, &chain(0), &chain(1), trial)?.and(check_below(
            space,
            &domain,
            &chain(1),
            &chain(2),
            trial,
        )?);
        Ok(rises.and(chain_law(space, &domain, &chain, trial)?))
    })
}
