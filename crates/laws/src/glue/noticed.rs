//! Which statement notices which wrong rule of the macro, and after how many samples.
//!
//! The samples of a seed are those that the statement is tried on when the macro is right: they are drawn once for all wrong macros.
//! Where a wrong macro makes the program that the right one makes, nothing can tell them apart, and nothing is computed.

use super::error::GlueError;
use super::lemma::Setting;
use super::scope;
use super::theorems::Theorem;
use super::trial::{Experiment, Sample, Trials};
use crate::meaning::taylor::derive::Derived;
use crate::meaning::taylor::hooks::Hooks;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// The statements that are about the macro, and know of it what it makes of the first program of a sample. Most wrong macros are
/// functors, which is what `initiality` asks.
pub const ABOUT_THE_MACRO: [&str; 6] =
    ["theorem-3", "fundamental-lemma", "diagram-4", "theorem-8", "uniqueness", "nested"];

/// What one statement says of one wrong macro: for each seed, the number of samples up to the one that refutes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// For each seed, if it was refuted.
    pub needed: Vec<Option<u64>>,
}

impl Noticed {
    /// Tries a statement on wrong macros, with the seeds 0, 1, …; where `all` is not wanted, of each only up to the first seed
    /// with which nothing is refuted.
    ///
    /// # Errors
    /// [`GlueError::Basis`]
    pub fn by(
        theorem: &Theorem,
        macros: &[&'static dyn Hooks],
        seeds: u64,
        all: bool,
        trials: &Trials,
    ) -> Result<Vec<Self>, GlueError> {
        let right = theorem.statement(Setting::default());
        let wrong: Vec<Wrong> = macros.iter().map(|rules| Wrong::new(theorem, *rules)).collect();
        let mut found = vec![Self::default(); macros.len()];
        for seed in 0..seeds {
            let trials = Trials { seed, ..trials.clone() };
            let asked: Vec<usize> = (0..macros.len()).filter(|place| all || found[*place].always()).collect();
            let needed = refuted_at(&right, &asked.iter().map(|place| &wrong[*place]).collect::<Vec<_>>(), &trials)?;
            for (place, needed) in asked.into_iter().zip(needed) {
                found[place].needed.push(needed);
            }
        }
        Ok(found)
    }

    /// Whether it was refuted with every seed.
    #[must_use]
    pub fn always(&self) -> bool {
        self.needed.iter().all(Option::is_some)
    }

    /// The median of the numbers of samples; nothing where half of the seeds do not refute.
    #[must_use]
    pub fn median(&self) -> Option<u64> {
        let mut sorted: Vec<u64> = self.needed.iter().map(|n| n.unwrap_or(u64::MAX)).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().filter(|n| *n < u64::MAX)
    }
}

/// A wrong macro, and the statement about it.
struct Wrong {
    setting: Setting,
    statement: Experiment<'static>,
}

impl Wrong {
    fn new(theorem: &Theorem, rules: &'static dyn Hooks) -> Self {
        let setting = Setting { rules: Some(rules), ..Setting::default() };
        Self { setting, statement: theorem.statement(setting) }
    }

    /// Whether a sample refutes, given what the right macro makes of its program.
    fn is_refuted(&self, sample: &Sample, right: Option<&Derived>) -> bool {
        let is_right = right.is_some_and(|right| derived(&self.setting, sample).is_some_and(|mine| mine.is(right)));
        !is_right && (self.statement.judge)(sample).is_ok_and(|judged| judged.is_refuted())
    }
}

/// What a macro makes of the first program of a sample.
fn derived(setting: &Setting, sample: &Sample) -> Option<Derived> {
    let program = sample.terms.first()?;
    setting.derived(&scope::core(program).ok()?, &program.ty, &sample.basis).ok()
}

/// For each wrong macro the number of samples up to the first that refutes. Threads change nothing: each asks about a sample
/// all macros that no earlier one has refuted so far.
fn refuted_at(right: &Experiment<'_>, wrong: &[&Wrong], trials: &Trials) -> Result<Vec<Option<u64>>, GlueError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let first: Vec<AtomicU64> = wrong.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
    let failed = Mutex::new(None);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let asked = || wrong.iter().zip(&first).filter(|(_, first)| first.load(Ordering::Relaxed) > index);
            if index >= trials.samples || asked().next().is_none() || trials.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let sample = match right.sample(trials, index) {
                Ok(sample) => sample,
                Err(error) => return *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
            };
            let made = derived(&Setting::default(), &sample);
            for (wrong, first) in asked() {
                if wrong.is_refuted(&sample, made.as_ref()) {
                    first.fetch_min(index, Ordering::Relaxed);
                }
            }
            trials.done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| crate::parallel::as_part(work)))));
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(first
            .into_iter()
            .map(|first| Some(first.into_inner()).filter(|n| *n < u64::MAX).map(|n| n + 1))
            .collect()),
    }
}
