//! Hamiltonian Monte Carlo (Duane et al. 1987; Neal 2011) on the real draws of a run.
//!
//! Momenta are drawn, the leapfrog is run, and its end is accepted by the density there and the kinetic energy. Its steps
//! are shears `(q, p) ↦ (q, p + ½εg(q))` and `(q, p) ↦ (q + εp, p)`. They preserve volume for every field g, and negating p
//! reverses them. So the chain leaves the density invariant for *any* function g of q. A wrong gradient, on a boundary or
//! everywhere, only costs acceptance.
//!
//! A proposal is rejected if its run would need more draws, or draws of other families.

use super::tree::SampledRun;
use super::{MomentumField, SamplerContext, SamplerError, WeightedSamples};
use crate::measure::distribution::draw::{normal, unit};

/// The number of leapfrog steps of a trajectory. A choice.
const LEAPFROG_STEPS: usize = 8;
/// The number of runs that estimate the standard deviations of draws. A choice.
const SCALE_RUNS: usize = 200;

/// Samples a chain by Hamiltonian trajectories.
pub(super) fn sample_hmc(chain: &mut SamplerContext<'_, '_>) -> Result<WeightedSamples, SamplerError> {
    let scales = estimate_scales(chain)?;
    let mut length = 0.4;
    chain.run_chain(|chain, state, is_warm| {
        let is_accepted = propose_trajectory(chain, state, length, &scales)?;
        if !is_warm {
            // The factors balance where ¾ of the proposals are accepted. Tuning ends with the warm-up: later it would bias
            // the chain.
            length = if is_accepted { length * 1.06 } else { length * 0.84 };
            length = length.clamp(1e-4, 1.5);
        }
        Ok(is_accepted)
    })
}

/// Returns the standard deviations of the first 1000 real draws, by their position in a run, from runs of the program.
fn estimate_scales(chain: &mut SamplerContext<'_, '_>) -> Result<Vec<f64>, SamplerError> {
    let mut sums: Vec<[f64; 3]> = Vec::new();
    for _ in 0..SCALE_RUNS {
        let state = chain.tree.draw_run(chain.random)?;
        for (i, x) in state.real_draws().enumerate().take(1000) {
            if sums.len() <= i {
                sums.push([0.0; 3]);
            }
            let [n, sum, squares] = &mut sums[i];
            (*n, *sum, *squares) = (*n + 1.0, *sum + x, *squares + x * x);
        }
    }
    let scale = |[n, sum, squares]: &[f64; 3]| {
        let variance = squares / n - (sum / n) * (sum / n);
        // A scale only affects efficiency, so 1 does for constants and for draws of infinite variance.
        if variance.is_finite() && variance > 1e-12 { variance.sqrt() } else { 1.0 }
    };
    Ok(sums.iter().map(scale).collect())
}

/// Proposes the end of a leapfrog trajectory. Returns `true` if it is accepted.
fn propose_trajectory(
    chain: &mut SamplerContext<'_, '_>,
    state: &mut SampledRun,
    length: f64,
    scales: &[f64],
) -> Result<bool, SamplerError> {
    let n = state.real_draws().count();
    if n == 0 {
        return Ok(false);
    }
    let scale = |i: usize| scales.get(i).copied().unwrap_or(1.0);
    // Random step sizes avoid periodic trajectories, which return to their start.
    let epsilon = length * (0.8 + 0.4 * unit(chain.random).0);
    let mut p: Vec<f64> = (0..n).map(|_| normal(chain.random)).collect();
    let energy = |p: &[f64]| p.iter().map(|p| 0.5 * p * p).sum::<f64>();
    let before = state.log_density() - energy(&p);
    let mut here = state.clone();
    let mut field = vec![0.0; n];
    let mut kick = |chain: &mut SamplerContext<'_, '_>, here: &SampledRun, p: &mut [f64], part: f64| {
        chain.tree.log_density_gradient(here, &mut field);
        for (i, (p, g)) in p.iter_mut().zip(&field).enumerate() {
            let own = match chain.settings.field {
                MomentumField::Gradient => *g,
                MomentumField::ScaledGradient(factor) => factor * g,
                MomentumField::SineField => {
                    crate::number::double::eval_nearest(crate::function::Function::Sin, 5.0 * here.real_draw(i))
                }
            };
            // Outside of the support there is no gradient; any field is right, so 0 is.
            *p += part * scale(i) * if own.is_finite() { own } else { 0.0 };
        }
    };
    // A half step of p at both ends makes each step symmetric, as reversal requires.
    for _ in 0..LEAPFROG_STEPS {
        kick(chain, &here, &mut p, 0.5 * epsilon);
        let moved: Vec<f64> =
            here.real_draws().zip(&p).enumerate().map(|(i, (q, p))| q + epsilon * scale(i) * p).collect();
        match chain.tree.rerun_with(&here, &moved)? {
            Some(next) => here = next,
            None => return Ok(false),
        }
        kick(chain, &here, &mut p, 0.5 * epsilon);
    }
    let after = here.log_density() - energy(&p);
    let is_accepted = after > f64::NEG_INFINITY && chain.accept_proposal(after - before, 0.0);
    if is_accepted {
        *state = here;
    }
    Ok(is_accepted)
}
