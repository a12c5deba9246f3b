//! Importance sampling: runs of the program, weighed by their scores.

use super::diagnostic::Moments;
use super::{Chain, SamplerFault};

/// Takes samples.
pub(super) fn sample(chain: &mut Chain<'_, '_>) -> Result<Moments, SamplerFault> {
    let mut moments = Moments::independent();
    let mut has_weight = false;
    for index in 0..chain.settings.samples {
        let state = chain.tree.drawn(chain.random)?;
        has_weight |= state.weight > f64::NEG_INFINITY;
        moments.push(state.value, state.weight);
        if index % 256 == 0 {
            (chain.told)(moments.len());
        }
        if !chain.budget.spend(1 << 8) {
            break;
        }
    }
    match has_weight {
        true => Ok(moments),
        false => Err(SamplerFault::NoWeight { runs: moments.len() }),
    }
}
