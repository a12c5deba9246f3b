//! The hook that replaces the acceptance rule of samplers, to test that a wrong rule is detected.

use std::fmt;

/// The replaceable rules of a sampler. The provided methods are the rules of the library.
///
/// *Theorem to keep*: the chain leaves the density of the program invariant. The laws test it.
pub trait SamplerHooks: fmt::Debug + Send + Sync {
    /// Returns the logarithm of the acceptance ratio, from the logarithms of `π(x′)·q(u′)/(π(x)·q(u))` and of 𝒥.
    fn log_acceptance_ratio(&self, densities: f64, factor: f64) -> f64 {
        densities + factor
    }
}

/// The hooks of the library's rules.
#[derive(Clone, Copy, Debug)]
pub struct DefaultSamplerHooks;

impl SamplerHooks for DefaultSamplerHooks {}
