//! Mutants of samplers (W §4, App. A.2).

use crate::sampler::hooks::SamplerHooks;

rules! {
    /// Samplers.
    Sampler {
        AcceptRatioInverted "accept_ratio_inverted", "a proposal is accepted by its density over that of the state" => "by the inverse of that";
        AcceptNoJacobian "accept_no_jacobian", "an involution is accepted with its factor 𝒥 (W App. A.2)" => "without";
    }
}

impl SamplerHooks for Sampler {
    fn log_acceptance_ratio(&self, densities: f64, factor: f64) -> f64 {
        match self {
            // both arguments are logarithms, so that the inverse ratio is the negative sum
            Self::AcceptRatioInverted => -densities - factor,
            Self::AcceptNoJacobian => densities,
        }
    }
}
