//! Importance sampling: runs of the program, weighed by their scores.

use super::diagnostic::WeightedSamples;
use super::{SamplerContext, SamplerError};

/// Samples independent runs of the program, with their scores as weights.
pub(super) fn sample_importance(chain: &mut SamplerContext<'_, '_>) -> Result<WeightedSamples, SamplerError> {
    let mut moments = WeightedSamples::of_independent();
    let mut has_weight = false;
    for index in 0..chain.settings.samples {
        let state = chain.tree.draw_run(chain.random)?;
        has_weight |= state.weight > f64::NEG_INFINITY;
        moments.push(state.value, state.weight);
        if index % 256 == 0 {
            // Progress once in 256 samples: a choice.
            (chain.progress)(moments.len());
        }
        if !chain.budget.spend(1 << 8) {
            break;
        }
    }
    // With weights 0 alone the quotient of means is 0/0.
    match has_weight {
        true => Ok(moments),
        false => Err(SamplerError::NoWeight { runs: moments.len() }),
    }
}
