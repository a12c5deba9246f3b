//! The hook of samplers, with which their rule is replaced: to see what becomes of samples under a wrong one.

use std::fmt;

/// What a sampler asks where a rule may be replaced. What is not written is the rule of the library.
///
/// *Theorem to keep*: the density of the program is one that the chain keeps. Nothing checks that: it is what laws are for.
pub trait Hooks: fmt::Debug + Send + Sync {
    /// The logarithm of the ratio by which a proposal is accepted, of that of `π(x′)·q(u′)/(π(x)·q(u))` and that of 𝒥.
    fn ratio(&self, densities: f64, factor: f64) -> f64 {
        densities + factor
    }
}

/// That of the library.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
