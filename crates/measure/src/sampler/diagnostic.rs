//! Means and standard errors from samples: by batch means for a chain, by weights for independent samples.

use super::{MIN_SAMPLES, SampleEstimate};

/// The number of batches. A choice: more batches estimate their spread better, longer ones depend less on each other.
const BATCH_COUNT: usize = 50;

/// Samples, with their weights.
#[derive(Clone, Debug)]
pub struct WeightedSamples {
    values: Vec<f64>,
    /// The logarithms of the weights, all 0 for a chain.
    weights: Vec<f64>,
    is_chain: bool,
    /// The fraction of accepted proposals, in [0, 1]; `None` for independent samples.
    pub acceptance_rate: Option<f64>,
}

impl WeightedSamples {
    /// Creates an empty list for a chain, whose samples depend on each other.
    #[must_use]
    pub fn of_chain() -> Self {
        Self { values: Vec::new(), weights: Vec::new(), is_chain: true, acceptance_rate: None }
    }

    /// Creates an empty list for independent samples.
    #[must_use]
    pub fn of_independent() -> Self {
        Self { is_chain: false, ..Self::of_chain() }
    }

    /// Adds a sample, with the logarithm of its weight. A chain ignores the weight.
    pub fn push(&mut self, value: f64, weight: f64) {
        self.values.push(value);
        self.weights.push(if self.is_chain { 0.0 } else { weight });
    }

    /// Returns the number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the mean, its standard error and the effective number of samples; `None` for fewer than [`MIN_SAMPLES`] samples.
    #[must_use]
    pub fn estimate(&self) -> Option<SampleEstimate> {
        if self.len() < MIN_SAMPLES {
            return None;
        }
        let (mean, error, effective) =
            if self.is_chain { self.estimate_by_batches() } else { self.estimate_by_weights() };
        Some(SampleEstimate {
            mean,
            standard_error: error,
            effective_samples: effective,
            acceptance_rate: self.acceptance_rate,
            samples: self.len(),
        })
    }

    /// Estimates by batch means (Glynn and Whitt 1991): their variance, divided by their number, is that of the mean.
    fn estimate_by_batches(&self) -> (f64, f64, f64) {
        // At least `MIN_SAMPLES / BATCH_COUNT` = 2; samples before the first whole batch are left out, as the oldest ones.
        let length = self.len() / BATCH_COUNT;
        let values = &self.values[self.len() - length * BATCH_COUNT..];
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let means = values.chunks_exact(length).map(|batch| batch.iter().sum::<f64>() / length as f64);
        let spread = means.map(|own| (own - mean) * (own - mean)).sum::<f64>() / (BATCH_COUNT - 1) as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        // Independent samples would have batch means of the variance `variance / length`.
        let effective = if spread > 0.0 { (variance / spread * BATCH_COUNT as f64).min(n) } else { 0.0 };
        (mean, (spread / BATCH_COUNT as f64).sqrt(), effective)
    }

    /// Estimates a quotient of means, by the delta method. The effective number is that of Kong (1992).
    fn estimate_by_weights(&self) -> (f64, f64, f64) {
        // Weights are relative to the largest one, so that no exponential overflows.
        let most = self.weights.iter().fold(f64::NEG_INFINITY, |most, w| most.max(*w));
        let weight = |w: f64| crate::number::double::eval_nearest(crate::function::Function::Exp, w - most);
        let weights: Vec<f64> = self.weights.iter().map(|w| weight(*w)).collect();
        let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        // A sample of weight 0 may have the value NaN, and 0·NaN would spoil the sum.
        let weighed = || self.values.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
        let mean = weighed().map(|(x, w)| x * w).sum::<f64>() / sum;
        let spread = weighed().map(|(x, w)| (w * (x - mean)) * (w * (x - mean))).sum::<f64>();
        (mean, spread.sqrt() / sum, sum * sum / squares)
    }
}
