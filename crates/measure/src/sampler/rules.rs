//! What samplers do where a plausible wrong way exists, for whoever wants to see what becomes of samples under it.

use std::fmt;

/// What is done at each of these places; what is not written is right.
///
/// *Theorem to keep*: the density of the program is one that the chain keeps. Nothing checks that: it is what laws are for.
pub trait Rules: fmt::Debug + Send + Sync {
    /// The logarithm of the ratio by which a proposal is accepted, of that of `π(x′)·q(u′)/(π(x)·q(u))` and that of 𝒥.
    fn ratio(&self, densities: f64, factor: f64) -> f64 {
        densities + factor
    }
}

/// The right ones.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl Rules for Paper {}
