//! Detection of mutants of the macro: which statements refute which mutant, and after how many samples.
//!
//! The samples of a seed are those on which the statement is tested when the macro is right. They are drawn once for
//! all mutants. If a mutant gives the same derived program as the right macro, the two cannot be told apart, and
//! nothing is evaluated.

use super::error::GlueError;
use super::lemma::GluingSetup;
use super::scope;
use super::theorems::Theorem;
use super::trial::{TheoremSample, TheoremTest, TheoremTestConfig};
use crate::meaning::taylor::derive::DerivedProgram;
use crate::meaning::taylor::hooks::TaylorHooks;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// The statements about the macro that depend on it only through the derived program of the first program of a sample.
/// Most mutants are functors, which is what `initiality` tests; so it is not among them.
pub const ABOUT_THE_MACRO: [&str; 6] =
    ["theorem-3", "fundamental-lemma", "diagram-4", "theorem-8", "uniqueness", "nested"];

/// The detection of one mutant by one statement: for each seed, the number of samples up to the first that refutes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantDetection {
    /// For each seed, that number; `None` if no sample refutes.
    pub needed: Vec<Option<u64>>,
}

impl MutantDetection {
    /// Tests a statement with mutants of the macro, with the seeds 0, 1, …. Unless `all` is set, a mutant is not tested
    /// further after a seed that does not refute it.
    ///
    /// # Errors
    /// [`GlueError::Basis`] for a k or R that was given.
    pub fn detect_mutants(
        theorem: &Theorem,
        macros: &[&'static dyn TaylorHooks],
        seeds: u64,
        all: bool,
        trials: &TheoremTestConfig,
    ) -> Result<Vec<Self>, GlueError> {
        let right = theorem.make_test(GluingSetup::default());
        let wrong: Vec<MutantTest> = macros.iter().map(|rules| MutantTest::new(theorem, *rules)).collect();
        let mut found = vec![Self::default(); macros.len()];
        for seed in 0..seeds {
            let trials = TheoremTestConfig { seed, ..trials.clone() };
            let asked: Vec<usize> =
                (0..macros.len()).filter(|place| all || found[*place].is_always_refuted()).collect();
            let needed = refuted_at(&right, &asked.iter().map(|place| &wrong[*place]).collect::<Vec<_>>(), &trials)?;
            for (place, needed) in asked.into_iter().zip(needed) {
                found[place].needed.push(needed);
            }
        }
        Ok(found)
    }

    /// Returns `true` if every seed refutes the mutant.
    #[must_use]
    pub fn is_always_refuted(&self) -> bool {
        self.needed.iter().all(Option::is_some)
    }

    /// Returns the median of the numbers of samples. Returns `None` if half of the seeds do not refute.
    #[must_use]
    pub fn median_samples(&self) -> Option<u64> {
        // a seed that does not refute counts as infinite
        let mut sorted: Vec<u64> = self.needed.iter().map(|n| n.unwrap_or(u64::MAX)).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().filter(|n| *n < u64::MAX)
    }
}

/// A mutant of the macro, with the statement about it.
struct MutantTest {
    setting: GluingSetup,
    statement: TheoremTest<'static>,
}

impl MutantTest {
    fn new(theorem: &Theorem, rules: &'static dyn TaylorHooks) -> Self {
        let setting = GluingSetup { hooks: Some(rules), ..GluingSetup::default() };
        Self { setting, statement: theorem.make_test(setting) }
    }

    /// Returns `true` if the sample refutes the mutant. `right` is the derived program of the right macro.
    fn is_refuted_by(&self, sample: &TheoremSample, right: Option<&DerivedProgram>) -> bool {
        // comparing derived programs is cheaper than evaluating them, and most mutants leave most programs as they are
        let is_right = right.is_some_and(|right| {
            derived_program(&self.setting, sample).is_some_and(|mine| mine.is_same_program(right))
        });
        !is_right && (self.statement.judge)(sample).is_ok_and(|judged| judged.is_refuted())
    }
}

/// Returns the derived program of the first program of a sample. Returns `None` if there is none.
fn derived_program(setting: &GluingSetup, sample: &TheoremSample) -> Option<DerivedProgram> {
    let program = sample.terms.first()?;
    setting.derive_program(&scope::core_term(program).ok()?, &program.ty, &sample.basis).ok()
}

/// Returns for each mutant the number of samples up to the first that refutes it. The result does not depend on
/// threads: a sample is tested with every mutant that no earlier sample has refuted so far.
fn refuted_at(
    right: &TheoremTest<'_>,
    wrong: &[&MutantTest],
    trials: &TheoremTestConfig,
) -> Result<Vec<Option<u64>>, GlueError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let first: Vec<AtomicU64> = wrong.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
    let failed = Mutex::new(None);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // a mutant is left out only once a smaller index has refuted it, so the minimum stays exact
            let asked = || wrong.iter().zip(&first).filter(|(_, first)| first.load(Ordering::Relaxed) > index);
            if index >= trials.samples || asked().next().is_none() || trials.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let sample = match right.draw_sample(trials, index) {
                Ok(sample) => sample,
                Err(error) => return *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
            };
            let made = derived_program(&GluingSetup::default(), &sample);
            for (wrong, first) in asked() {
                if wrong.is_refuted_by(&sample, made.as_ref()) {
                    first.fetch_min(index, Ordering::Relaxed);
                }
            }
            trials.done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| crate::parallel::run_as_part(work)))));
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(first
            .into_iter()
            .map(|first| Some(first.into_inner()).filter(|n| *n < u64::MAX).map(|n| n + 1))
            .collect()),
    }
}
