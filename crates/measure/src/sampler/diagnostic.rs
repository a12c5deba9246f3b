//! What samples say of a mean: by batches, or by weights.

use super::{Estimate, FEWEST};

/// How many batches there are.
const BATCHES: usize = 50;

/// Samples, with their weights.
#[derive(Clone, Debug)]
pub struct Moments {
    values: Vec<f64>,
    /// The logarithms of the weights; those of a chain are all 0.
    weights: Vec<f64>,
    is_chain: bool,
    /// Which part of the proposals was accepted.
    pub accepted: Option<f64>,
}

impl Moments {
    /// Of a chain, whose samples depend on each other.
    #[must_use]
    pub fn chain() -> Self {
        Self { values: Vec::new(), weights: Vec::new(), is_chain: true, accepted: None }
    }

    /// Of independent samples.
    #[must_use]
    pub fn independent() -> Self {
        Self { is_chain: false, ..Self::chain() }
    }

    /// One more sample, with the logarithm of its weight.
    pub fn push(&mut self, value: f64, weight: f64) {
        self.values.push(value);
        self.weights.push(if self.is_chain { 0.0 } else { weight });
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The mean, its standard error and the effective number of samples; nothing for too few.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        if self.len() < FEWEST {
            return None;
        }
        let (mean, error, effective) = if self.is_chain { self.by_batches() } else { self.by_weights() };
        Some(Estimate { mean, error, effective, accepted: self.accepted, samples: self.len() })
    }

    /// Means of batches vary as the mean of all does, but for their number (Glynn and Whitt 1991).
    fn by_batches(&self) -> (f64, f64, f64) {
        let length = self.len() / BATCHES;
        let values = &self.values[self.len() - length * BATCHES..];
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let means = values.chunks_exact(length).map(|batch| batch.iter().sum::<f64>() / length as f64);
        let spread = means.map(|own| (own - mean) * (own - mean)).sum::<f64>() / (BATCHES - 1) as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        let effective = if spread > 0.0 { (variance / spread * BATCHES as f64).min(n) } else { 0.0 };
        (mean, (spread / BATCHES as f64).sqrt(), effective)
    }

    /// A quotient of means, by the delta method; the effective number by Kong (1992).
    fn by_weights(&self) -> (f64, f64, f64) {
        let most = self.weights.iter().fold(f64::NEG_INFINITY, |most, w| most.max(*w));
        let weight = |w: f64| crate::number::double::nearest(crate::function::Function::Exp, w - most);
        let weights: Vec<f64> = self.weights.iter().map(|w| weight(*w)).collect();
        let (sum, squares) = weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        // what has no weight need not have a value
        let weighed = || self.values.iter().zip(&weights).filter(|(_, w)| **w > 0.0);
        let mean = weighed().map(|(x, w)| x * w).sum::<f64>() / sum;
        let spread = weighed().map(|(x, w)| (w * (x - mean)) * (w * (x - mean))).sum::<f64>();
        (mean, spread.sqrt() / sum, sum * sum / squares)
    }
}
