//! Monte Carlo samplers in `f64`, whose means are compared with certified values
//! ([Lew et al. 2021](crate::refs::LEW_2021), W §4).
//!
//! | module | content |
//! |---|---|
//! | [`tree`](mod@tree) | a program as a tree of draws and guards; each path is compiled once |
//! | this module | draws by the program, weighed by its scores; means, standard errors and effective numbers of samples; the rules that mutation tests replace |
//! | [`hmc`] | Hamiltonian Monte Carlo, along gradients of AD |
//! | [`involutive`] | proposals by involutions, with their factor 𝒥 |
//! | [`user_move`] | proposals by an involution that the user gives, also between values of different forms |
//!
//! No result of a sampler is certain. The z-score is the distance of a sample mean from the certified mean, in standard
//! errors. Two theorems say which errors change the sampled distribution:
//!
//! | error | effect |
//! |---|---|
//! | in the gradient of HMC, on a boundary or everywhere | none: the leapfrog is a product of shears for any field, so its factor is 1, and the negated momentum reverses it; fewer proposals are accepted |
//! | in the 𝒥 of an involutive proposal | another distribution is sampled |
//!
//! So the value that AD chooses on a boundary biases neither sampler. For the second, 𝒥 is needed on the support alone
//! ([`change`](crate::measure::change)).
//!
//! # The hook that replaces the acceptance rule of samplers
//!
//! The hook that replaces the acceptance rule of samplers, to test that a wrong rule is detected.
//!
//! # Means and standard errors from samples
//!
//! By batch means for a chain, by weights for independent samples.
//!
//! # Importance sampling
//!
//! Runs of the program, weighed by their scores.

pub mod hmc;
pub mod involutive;
pub mod tree;
pub mod user_move;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::measure::MeasureError;
use crate::measure::distribution::draw;
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::smooth::tape::TapeError;
use crate::syntax::term::Term;
use involutive::InvolutiveMove;
use std::fmt;
use std::sync::Arc;
use tree::{ExecutionTree, SampledRun};
use user_move::{InvolutionEvidence, MoveTree, UserMove};

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplingMethod {
    /// Draws by the program, weighed by its scores.
    Importance,
    /// Hamiltonian Monte Carlo.
    Hmc,
    /// Involutive Markov chain Monte Carlo.
    Involutive,
}

impl SamplingMethod {
    /// All samplers.
    pub const ALL: [Self; 3] = [Self::Importance, Self::Hmc, Self::Involutive];

    /// Returns the name, as on the command line.
    #[must_use]
    pub fn method_name(self) -> &'static str {
        match self {
            Self::Importance => "importance",
            Self::Hmc => "hmc",
            Self::Involutive => "involutive",
        }
    }
}

/// The field along which HMC moves momenta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MomentumField {
    /// The gradient of the logarithm of the density, by AD.
    Gradient,
    /// The gradient times a number.
    ScaledGradient(f64),
    /// The sine of five times each coordinate.
    SineField,
}

/// The settings of a sampler.
#[derive(Clone, Copy, Debug)]
pub struct SamplerSettings {
    /// The sampler.
    pub method: SamplingMethod,
    /// The number of samples.
    pub samples: usize,
    /// The seed. Equal seeds give equal samples on every machine.
    pub seed: u64,
    /// The field of HMC. Every field leaves the density invariant.
    pub field: MomentumField,
    /// The replaceable rules.
    pub hooks: &'static dyn SamplerHooks,
    /// The only move that is proposed; `None` for all moves. If set, no proposal is made by a run of the program.
    pub only_move: Option<InvolutiveMove>,
}

impl SamplerSettings {
    /// Creates settings with the correct field, rules and moves.
    #[must_use]
    pub fn new(method: SamplingMethod, samples: usize, seed: u64) -> Self {
        Self { method, samples, seed, field: MomentumField::Gradient, hooks: &DefaultSamplerHooks, only_move: None }
    }
}

/// An estimate of a mean from samples.
#[derive(Clone, Copy, Debug)]
pub struct SampleEstimate {
    /// The mean of the samples.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The effective number of samples: as many independent ones would have the same error.
    pub effective_samples: f64,
    /// The fraction of accepted proposals, in [0, 1]; `None` for importance sampling.
    pub acceptance_rate: Option<f64>,
    /// The number of samples that were taken.
    pub samples: usize,
}

impl SampleEstimate {
    /// Returns the z-score: the distance of the mean from `truth`, in standard errors.
    #[must_use]
    pub fn z_score(&self, truth: f64) -> f64 {
        (self.mean - truth) / self.standard_error
    }
}

/// The reason why there is no estimate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplerError {
    /// An error of the program.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The program contains an operation that a tape of doubles lacks.
    #[error("the program cannot be sampled: {0}")]
    Tape(#[from] TapeError),
    /// No run had a positive weight.
    #[error(
        "no run of {runs} had a positive weight\n  = help: the observations may be too unlikely for the draws; `evidence` encloses the normalising constant"
    )]
    NoWeight {
        /// The number of runs.
        runs: usize,
    },
    /// A run makes too many draws.
    #[error("a run of the program makes more than {most} draws")]
    TooLong {
        /// The largest number of draws.
        most: usize,
    },
    /// The paths that were sampled have too many steps to be compiled.
    #[error("the program has more than {most} steps on the paths that were sampled")]
    TooLarge {
        /// The largest number of steps.
        most: usize,
    },
    /// A run has no value.
    #[error("with positive probability the program has no value: {0}")]
    Undefined(String),
    /// A run was not followed to its end.
    #[error("a run of the program was not followed to its end: {0}")]
    Unfinished(String),
    /// A move is not its own inverse.
    #[error(
        "T takes {start} to {image} and that to {back}\n  = help: a move has to be its own inverse, as \\(x, u) => (x + u, -u) and \\(x, u) => (x*u, 1/u) are"
    )]
    NotInvolution {
        /// A value.
        start: String,
        /// Its image.
        image: String,
        /// The image of that.
        back: String,
    },
    /// The factor 𝒥 of a move is 0 or not finite, or is not inverse to that at the image.
    #[error("the factor 𝒥 of T at {point} is {}, and at its image {}: both have to be positive, with the product 1", .factors[0], .factors[1])]
    MoveFactor {
        /// A value.
        point: String,
        /// The factors at the value and at its image.
        factors: [f64; 2],
    },
    /// A move takes values to values with another number of real draws.
    #[error(
        "T takes {start} to {image}, but the runs with these values have {before} and {after} real draws in them\n  = help: the value with fewer needs auxiliary numbers in the place of the others"
    )]
    MovedDraws {
        /// A value.
        start: String,
        /// The number of its real draws.
        before: usize,
        /// Its image.
        image: String,
        /// The number of the real draws of the image.
        after: usize,
    },
    /// A move changes a number that the program computes.
    #[error(
        "T takes {start} to {image}, and changes a number that is not drawn\n  = help: return the draws themselves, and compute with them in F"
    )]
    MovedConstant {
        /// A value.
        start: String,
        /// Its image.
        image: String,
    },
    /// A move changes the form of a value that does not determine its run.
    #[error(
        "T takes {start} to the other form {image}, but several runs have values of one of these forms\n  = help: return all draws of a run, real and discrete"
    )]
    AmbiguousForm {
        /// A value.
        start: String,
        /// Its image.
        image: String,
    },
    /// The values of a program with a move contain functions.
    #[error("a move takes values of numbers, truth values, tuples, variants and lists, not {0}")]
    MovedValue(&'static str),
    /// The program of auxiliary numbers weighs its runs.
    #[error(
        "the density of the auxiliary numbers is not known, as their program weighs its runs\n  = help: it draws by `sample` alone, without `score` and `observe`"
    )]
    WeighedAuxiliary,
    /// A score is negative.
    #[error("a score is negative: every weight must be at least 0")]
    NegativeScore,
    /// The time was up before there were [`MIN_SAMPLES`] samples.
    #[error("the time ran out before there were enough samples for an estimate")]
    TimeExhausted,
}

impl ErrorWithKind for SamplerError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Measure(fault) => fault.kind(),
            Self::Tape(_) => ErrorKind::Unsupported,
            Self::NegativeScore
            | Self::Undefined(_)
            | Self::NotInvolution { .. }
            | Self::MoveFactor { .. }
            | Self::MovedDraws { .. }
            | Self::MovedConstant { .. }
            | Self::AmbiguousForm { .. }
            | Self::MovedValue(_)
            | Self::WeighedAuxiliary => ErrorKind::InvalidInput,
            Self::NoWeight { .. }
            | Self::TooLong { .. }
            | Self::TooLarge { .. }
            | Self::Unfinished(_)
            | Self::TimeExhausted => ErrorKind::Limit,
        }
    }
}

/// The largest number of runs to find one with a positive weight. A choice.
const MAX_INITIAL_RUNS: usize = 20_000;
/// The smallest number of samples that gives an estimate. A choice: batches of fewer samples would say little of the error.
pub const MIN_SAMPLES: usize = 100;

/// Estimates the mean of a function `A -> Real` for a program of type `P A`. Calls `told` with the number of samples, once
/// in 256 samples.
///
/// # Errors
/// [`SamplerError`]: an error of the program, a run that has no value or a negative score, or too few samples.
pub fn estimate_mean(
    program: &Term,
    of: &Term,
    settings: &SamplerSettings,
    budget: &Arc<Budget>,
    told: &mut dyn FnMut(usize),
) -> Result<SampleEstimate, SamplerError> {
    let mut tree = ExecutionTree::new(program, of, budget)?;
    let mut random = SplitMix64::new(settings.seed);
    let mut chain = SamplerContext { tree: &mut tree, random: &mut random, settings, budget, progress: told };
    let moments = match settings.method {
        SamplingMethod::Importance => sample_importance(&mut chain)?,
        SamplingMethod::Hmc => hmc::sample_hmc(&mut chain)?,
        SamplingMethod::Involutive => involutive::sample_involutive(&mut chain)?,
    };
    moments.estimate().ok_or(SamplerError::TimeExhausted)
}

/// Estimates the mean as [`estimate_mean`] does, by a chain of a user's moves. Also says how it is known that the move is its own
/// inverse. The method of `settings` is not read.
///
/// # Errors
/// [`SamplerError`], also for a move that is not its own inverse.
pub fn estimate_mean_by_move(
    program: &Term,
    of: &Term,
    own: UserMove<'_>,
    settings: &SamplerSettings,
    budget: &Arc<Budget>,
    told: &mut dyn FnMut(usize),
) -> Result<(SampleEstimate, InvolutionEvidence), SamplerError> {
    let mut tree = ExecutionTree::new(program, of, budget)?;
    let mut moves = MoveTree::new(own, budget)?;
    let mut random = SplitMix64::new(settings.seed);
    let mut chain = SamplerContext { tree: &mut tree, random: &mut random, settings, budget, progress: told };
    let moments = user_move::sample_by_move(&mut chain, &mut moves)?;
    let found = moments.estimate().ok_or(SamplerError::TimeExhausted)?;
    Ok((found, moves.involution_evidence()))
}

/// The state that all samplers share.
pub(crate) struct SamplerContext<'c, 'a> {
    pub tree: &'c mut ExecutionTree<'a>,
    pub random: &'c mut SplitMix64,
    pub settings: &'c SamplerSettings,
    pub budget: &'c Budget,
    pub progress: &'c mut dyn FnMut(usize),
}

impl SamplerContext<'_, '_> {
    /// Draws runs until one has a positive weight.
    fn draw_weighted(&mut self) -> Result<SampledRun, SamplerError> {
        for runs in 0..MAX_INITIAL_RUNS {
            let state = self.tree.draw_run(self.random)?;
            if state.weight > f64::NEG_INFINITY {
                return Ok(state);
            }
            // A run costs 256 work units, whatever its length. A choice.
            if !self.budget.spend(1 << 8) {
                return Err(SamplerError::NoWeight { runs });
            }
        }
        Err(SamplerError::NoWeight { runs: MAX_INITIAL_RUNS })
    }

    /// Takes samples by steps of a chain, after a warm-up whose samples are discarded.
    ///
    /// `step` gets `true` after the warm-up, and returns whether its proposal was accepted.
    fn run_chain(
        &mut self,
        mut step: impl FnMut(&mut Self, &mut SampledRun, bool) -> Result<bool, SamplerError>,
    ) -> Result<WeightedSamples, SamplerError> {
        let mut state = self.draw_weighted()?;
        // A choice: a tenth of the samples, within bounds; samplers tune their step sizes in it.
        let warm_up = (self.settings.samples / 10).min(MAX_WARM_UP) + 500;
        let mut moments = WeightedSamples::of_chain();
        let mut accepted = 0usize;
        for index in 0..warm_up + self.settings.samples {
            let is_warm = index >= warm_up;
            let is_accepted = match index % RERUN_PERIOD {
                // Other moves change real draws alone; only a new run changes the number of draws and the discrete ones.
                0 if self.settings.only_move.is_none() => self.propose_rerun(&mut state)?,
                _ => step(self, &mut state, is_warm)?,
            };
            if is_warm {
                accepted += usize::from(is_accepted);
                moments.push(state.value, 1.0);
            }
            if index % 256 == 0 {
                (self.progress)(moments.len());
            }
            if !self.budget.spend(1 << 8) {
                break;
            }
        }
        moments.acceptance_rate = Some(accepted as f64 / moments.len().max(1) as f64);
        Ok(moments)
    }

    /// Proposes an independent run of the program. Draws come from the prior, so the ratio is that of the weights alone.
    fn propose_rerun(&mut self, state: &mut SampledRun) -> Result<bool, SamplerError> {
        let proposed = self.tree.draw_run(self.random)?;
        let ratio = proposed.weight - state.weight;
        // The weights are logarithms. A run of weight 0 is never accepted, also if the ratio is NaN.
        let is_accepted = ratio > f64::NEG_INFINITY && self.accept_proposal(ratio, 0.0);
        if is_accepted {
            *state = proposed;
        }
        Ok(is_accepted)
    }

    /// Accepts a proposal at random (Metropolis–Hastings), by the logarithms of the ratio of densities and of the factor 𝒥.
    fn accept_proposal(&mut self, densities: f64, factor: f64) -> bool {
        let ratio = self.settings.hooks.log_acceptance_ratio(densities, factor);
        draw::unit(self.random).ln_at_most(ratio)
    }
}

/// The largest length of the warm-up, up to 500 samples more. A choice.
const MAX_WARM_UP: usize = 20_000;
/// One in this many proposals of a chain is a run of the program. A choice.
const RERUN_PERIOD: usize = 4;

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

/// Samples independent runs of the program, with their scores as weights.
fn sample_importance(chain: &mut SamplerContext<'_, '_>) -> Result<WeightedSamples, SamplerError> {
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
