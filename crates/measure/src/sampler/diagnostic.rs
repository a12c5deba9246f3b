//! Means and standard errors from samples: by batch means for a chain, by weights for independent samples.

use super::{Estimate, FEWEST};

/// The number of batches. A choice: more batches estimate their spread better, longer ones depend less on each other.
const BATCHES: usize = 50;

/// Samples, with their weights.
#[derive(Clone, Debug)]
pub struct Moments {
    values: Vec<f64>,
    /// The logarithms of the weights, all 0 for a chain.
    weights: Vec<f64>,
    is_chain: bool,
    /// The fraction of accepted proposals, in [0, 1]; `None` for independent samples.
    pub accepted: Option<f64>,
}

impl Moments {
    /// Creates an empty list for a chain, whose samples depend on each other.
    #[must_use]
    pub fn chain() -> Self {
        Self { values: Vec::new(), weights: Vec::new(), is_chain: true, accepted: None }
    }

    /// Creates an empty list for independent samples.
    #[must_use]
    pub fn independent() -> Self {
        Self { is_chain: false, ..Self::chain() }
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

    /// Returns the mean, its standard error and the effective number of samples; `None` for fewer than [`FEWEST`] samples.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        if self.len() < FEWEST {
            return None;
        }
        let (mean, error, effective) = if self.is_chain { self.by_batches() } else { self.by_weights() };
        Some(Estimate { mean, error, effective, accepted: self.accepted, samples: self.len() })
    }

    /// Estimates by batch means (Glynn and Whitt 1991): their variance, divided by their number, is that of the mean.
    fn by_batches(&self) -> (f64, f64, f64) {
        // At least `FEWEST / BATCHES` = 2; samples before the first whole batch are left out, as the oldest ones.
        let length = self.len() / BATCHES;
        let values = &self.values[self.len() - length * BATCHES..];
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let means = values.chunks_exact(length).map(|batch| batch.iter().sum::<f64>() / length as f64);
        let spread = means.map(|own| (own - mean) * (own - mean)).sum::<f64>() / (BATCHES - 1) as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        // Independent samples would have batch means of the variance `variance / length`.
        let effective = if spread > 0.0 { (variance / spread * BATCHES as f64).min(n) } else { 0.0 };
        (mean, (spread / BATCHES as f64).sqrt(), effective)
    }

    /// Estimates a quotient of means, by the delta method. The effective number is that of Kong (1992).
    fn by_weights(&self) -> (f64, f64, f64) {
        // Weights are relative to the largest one, so that no exponential overflows.
        let most = self.weights.iter().fold(f64::NEG_INFINITY, |most, w| most.max(*w));
        let weight = |w: f64| crate::number::double::nearest(crate::function::Function::Exp, w - most);
        let weights: Vec<f64> = self.weights.iter().map(|w| weight(*w)).collect();
        let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        // A sample of weight 0 may have the value NaN, and 0·NaN would spoil the sum.
        let weighed = || self.values.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
        let mean = weighed().map(|(x, w)| x * w).sum::<f64>() / sum;
        let spread = weighed().map(|(x, w)| (w * (x - mean)) * (w * (x - mean))).sum::<f64>();
        (mean, spread.sqrt() / sum, sum * sum / squares)
    }
}
