//! Samplers in `f64`, to be judged by certified values ([Lew et al. 2021](crate::refs::LEW_2021), W §4).
//!
//! | module | what it does |
//! |---|---|
//! | [`tree`](mod@tree) | a program as a tree of draws and guards, each path compiled once |
//! | [`importance`] | draws by the program, weighed by its scores |
//! | [`hmc`] | Hamiltonian Monte Carlo, along gradients of AD |
//! | [`involutive`] | proposals by involutions, with their factor 𝒥 |
//! | [`diagnostic`] | means, standard errors and effective numbers of samples |
//! | [`hooks`] | what they do, for mutants |
//!
//! Nothing here is certain; that is what the z-score is for: how many standard errors a mean is from the certified one. What it can see
//! and what it cannot is a theorem each:
//!
//! | what is wrong | what comes of it |
//! |---|---|
//! | the gradient of HMC, on a border or everywhere | nothing: the leapfrog is a product of shears for any field, so it has the factor 1 and is reversed by turning the momentum over; proposals are accepted less often |
//! | the 𝒥 of an involutive proposal | another distribution is sampled |
//!
//! So what AD chooses on a border biases neither, the second since 𝒥 is needed on the support only ([`change`](crate::measure::change)).

pub mod diagnostic;
pub mod hmc;
pub mod hooks;
pub mod importance;
pub mod involutive;
pub mod tree;

use crate::failure::{ErrorKind, Failure};
use crate::measure::Fault;
use crate::measure::distribution::draw;
use crate::number::budget::Budget;
use crate::random::Random;
use crate::smooth::tape::TapeError;
use crate::syntax::term::Term;
use diagnostic::Moments;
use hooks::{Hooks, Library};
use involutive::Move;
use std::sync::Arc;
use tree::{State, Tree};

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Draws by the program, weighed by its scores.
    Importance,
    /// Hamiltonian Monte Carlo.
    Hmc,
    /// Involutive Markov chain Monte Carlo.
    Involutive,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Importance, Self::Hmc, Self::Involutive];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Importance => "importance",
            Self::Hmc => "hmc",
            Self::Involutive => "involutive",
        }
    }
}

/// The field along which HMC moves momenta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    /// The gradient of the logarithm of the density, as AD has it.
    Gradient,
    /// That times a number.
    Times(f64),
    /// The sine of five times each coordinate.
    Sines,
}

/// How is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// By which sampler.
    pub by: By,
    /// How many samples are taken.
    pub samples: usize,
    /// The seed: the same seed gives the same samples, on every machine.
    pub seed: u64,
    /// The field of HMC. Every one is right.
    pub field: Field,
    /// What is asked where a rule may be replaced.
    pub hooks: &'static dyn Hooks,
    /// The one move that is proposed, where it is not all of them; then the program is not run again either.
    pub only: Option<Move>,
}

impl Settings {
    /// As it should be done.
    #[must_use]
    pub fn new(by: By, samples: usize, seed: u64) -> Self {
        Self { by, samples, seed, field: Field::Gradient, hooks: &Library, only: None }
    }
}

/// What samples say of a mean.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The mean of the samples.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// As many independent samples would have that error.
    pub effective: f64,
    /// Which part of the proposals was accepted; nothing for importance sampling.
    pub accepted: Option<f64>,
    /// How many samples were taken.
    pub samples: usize,
}

impl Estimate {
    /// How many standard errors the mean is from a number.
    #[must_use]
    pub fn z(&self, truth: f64) -> f64 {
        (self.mean - truth) / self.error
    }
}

/// Why there are no samples.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplerFault {
    /// The program.
    #[error(transparent)]
    Measure(#[from] Fault),
    /// It is not computed in plain numbers.
    #[error("the program cannot be sampled: {0}")]
    Tape(#[from] TapeError),
    /// Nothing that was drawn has a weight.
    #[error(
        "no run of {runs} had a positive weight\n  = help: what is seen may be too unlikely for what is drawn; `normaliser` encloses the mass"
    )]
    NoWeight {
        /// How many were tried.
        runs: usize,
    },
    /// A run is too long.
    #[error("a run of the program makes more than {most} draws")]
    TooLong {
        /// How many are made.
        most: usize,
    },
    /// The program takes too many paths to be compiled.
    #[error("the program has more than {most} steps on the paths that were sampled")]
    TooLarge {
        /// How many there may be.
        most: usize,
    },
    /// A run has no value.
    #[error("with some chance the program has no value: {0}")]
    Undefined(String),
    /// A run was not followed to its end.
    #[error("a run of the program was not followed to its end: {0}")]
    Unfinished(String),
    /// A score is negative.
    #[error("a score is negative, and weights are not")]
    NegativeScore,
    /// The time was up too early.
    #[error("the time was up before there were enough samples for an estimate")]
    Time,
}

impl Failure for SamplerFault {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Measure(fault) => fault.kind(),
            Self::Tape(_) => ErrorKind::Unsupported,
            Self::NegativeScore | Self::Undefined(_) => ErrorKind::Wrong,
            Self::NoWeight { .. } | Self::TooLong { .. } | Self::TooLarge { .. } | Self::Unfinished(_) | Self::Time => {
                ErrorKind::Limit
            }
        }
    }
}

/// How many runs are made to find one with a weight.
const FIRST_RUNS: usize = 20_000;
/// The fewest samples of which anything is said.
pub const FEWEST: usize = 100;

/// Samples a program of type `P A` and takes the mean of a function `A -> Real`. It is told now and then how many samples there are.
///
/// # Errors
/// [`SamplerFault`]
pub fn infer(
    program: &Term,
    of: &Term,
    settings: &Settings,
    budget: &Arc<Budget>,
    told: &mut dyn FnMut(usize),
) -> Result<Estimate, SamplerFault> {
    let mut tree = Tree::new(program, of, budget)?;
    let mut random = Random::new(settings.seed);
    let mut chain = Chain { tree: &mut tree, random: &mut random, settings, budget, told };
    let moments = match settings.by {
        By::Importance => importance::sample(&mut chain)?,
        By::Hmc => hmc::sample(&mut chain)?,
        By::Involutive => involutive::sample(&mut chain)?,
    };
    moments.estimate().ok_or(SamplerFault::Time)
}

/// What a sampler works with.
pub(crate) struct Chain<'c, 'a> {
    pub tree: &'c mut Tree<'a>,
    pub random: &'c mut Random,
    pub settings: &'c Settings,
    pub budget: &'c Budget,
    pub told: &'c mut dyn FnMut(usize),
}

impl Chain<'_, '_> {
    /// A state with a positive weight.
    fn first(&mut self) -> Result<State, SamplerFault> {
        for runs in 0..FIRST_RUNS {
            let state = self.tree.drawn(self.random)?;
            if state.weight > f64::NEG_INFINITY {
                return Ok(state);
            }
            if !self.budget.spend(1 << 8) {
                return Err(SamplerFault::NoWeight { runs });
            }
        }
        Err(SamplerFault::NoWeight { runs: FIRST_RUNS })
    }

    /// Takes samples by steps of a chain, after others that are thrown away.
    fn steps(
        &mut self,
        mut step: impl FnMut(&mut Self, &mut State, bool) -> Result<bool, SamplerFault>,
    ) -> Result<Moments, SamplerFault> {
        let mut state = self.first()?;
        let warm_up = (self.settings.samples / 10).min(LONGEST_WARM_UP) + 500;
        let mut moments = Moments::chain();
        let mut accepted = 0usize;
        for index in 0..warm_up + self.settings.samples {
            let is_warm = index >= warm_up;
            let is_accepted = match index % TURN {
                // lengths and choices change by a run of the program itself
                0 if self.settings.only.is_none() => self.again(&mut state)?,
                _ => step(self, &mut state, is_warm)?,
            };
            if is_warm {
                accepted += usize::from(is_accepted);
                moments.push(state.value, 1.0);
            }
            if index % 256 == 0 {
                (self.told)(moments.len());
            }
            if !self.budget.spend(1 << 8) {
                break;
            }
        }
        moments.accepted = Some(accepted as f64 / moments.len().max(1) as f64);
        Ok(moments)
    }

    /// A proposal by a run of the program: the weights decide.
    fn again(&mut self, state: &mut State) -> Result<bool, SamplerFault> {
        let proposed = self.tree.drawn(self.random)?;
        let ratio = proposed.weight - state.weight;
        // what has no weight is never accepted
        let is_accepted = ratio > f64::NEG_INFINITY && self.accepts(ratio, 0.0);
        if is_accepted {
            *state = proposed;
        }
        Ok(is_accepted)
    }

    /// Decides whether a proposal is accepted, of the logarithms of the ratio of densities and of the factor 𝒥.
    fn accepts(&mut self, densities: f64, factor: f64) -> bool {
        let ratio = self.settings.hooks.ratio(densities, factor);
        draw::unit(self.random).ln_at_most(ratio)
    }
}

/// The most samples that are thrown away, but for a few.
const LONGEST_WARM_UP: usize = 20_000;
/// How often a chain makes a proposal by a run of the program.
const TURN: usize = 4;
