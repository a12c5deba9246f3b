//! Laws quantified over terms, tested by quickcheck.
//!
//! The types of the binders are values at run time, so a [`Property`] is its own [`Testable`]. Quickcheck decides how
//! many samples are drawn, from which stream, and how many may be vacuous. The terms are drawn by [`generate`] and made
//! smaller by [`shrink`]. A failure reports the smallest refuting terms that were found, with both sides.
//!
//! [`generate`]: super::generate
//! [`shrink`]: super::shrink

use super::generate::TermVocabulary;
use super::sampling::LawBinder;
use super::shrink;
use super::term::TestTerm;
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The statement of a law: a verdict on each tuple of terms.
pub type LawStatement = dyn Fn(&[TestTerm]) -> Verdict + Send + Sync;

/// A law: a statement for all closed terms of these types.
#[derive(Clone)]
pub struct Property {
    binders: Vec<LawBinder>,
    statement: Arc<LawStatement>,
    /// Returns `true` if no further samples are to be tried.
    is_over: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The refutation that the last run found.
    last_refutation: Arc<Mutex<Option<TermRefutation>>>,
    count: Arc<SampleCounts>,
}

/// The counts of samples of one run.
#[derive(Debug, Default)]
struct SampleCounts {
    drawn: AtomicU64,
    informative: AtomicU64,
    /// The number of samples after which a run without any informative sample stops.
    vacuous_limit: AtomicU64,
}

/// The effort with which a law is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestConfig {
    /// The number of samples that must survive.
    pub samples: u64,
    /// The greatest number of samples drawn for that, vacuous ones included. Fewer are drawn if the first ones are all
    /// vacuous.
    pub max_samples: u64,
    /// The largest size, in heads, that is asked of the generator.
    pub size: usize,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
}

impl Default for TestConfig {
    /// 100 informative samples among at most 1000, of size at most 12.
    fn default() -> Self {
        Self { samples: 100, max_samples: 1000, size: 12, seed: 0 }
    }
}

/// Terms that refute a law, with both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct TermRefutation {
    /// One term for each binder.
    pub witness: Vec<TestTerm>,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
}

/// The outcome of testing a law.
#[derive(Clone, Debug, PartialEq)]
pub enum TestOutcome {
    /// Some terms refute the law.
    Refuted(Box<TermRefutation>),
    /// The required number of samples survived.
    Survived,
    /// No sample refutes the law, but too few were informative.
    Vacuous {
        /// The number of samples drawn.
        drawn: u64,
    },
}

/// The greatest number of candidates that the shrinker tries for one binder in one round. A choice: time against the
/// size of the report.
const SHRINK_ATTEMPTS: usize = 400;

/// The factor of the limit after which a silent law is vacuous, `VACUITY_FACTOR · max_samples / samples` draws. A law needs the share
/// `p = samples / max_samples` of informative samples. With that share, `10 / p` draws are all vacuous with probability `(1 −
/// p)^(10/p) ≤ e⁻¹⁰`.
const VACUITY_FACTOR: u64 = 10;

impl Property {
    /// Makes the law that a statement holds for all closed terms of these types, in the full vocabulary. The statement
    /// must be vacuous where it makes no sense: the shrinker also tries ill-typed terms.
    #[must_use]
    pub fn new(binders: Vec<Ty>, statement: impl Fn(&[TestTerm]) -> Verdict + Send + Sync + 'static) -> Self {
        let full = |ty: Ty| LawBinder { vocabulary: TermVocabulary::Full, ..ty.into() };
        Self::with_binders(binders.into_iter().map(full).collect(), statement)
    }

    /// Like [`Property::new`], but for terms that are drawn with demands.
    #[must_use]
    pub fn with_binders(
        binders: Vec<LawBinder>,
        statement: impl Fn(&[TestTerm]) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        Self {
            binders,
            statement: Arc::new(statement),
            is_over: Arc::new(|| false),
            last_refutation: Arc::default(),
            count: Arc::default(),
        }
    }

    /// Returns the law with a condition that stops the run: as soon as it holds, no further sample is tried.
    #[must_use]
    pub fn stop_when(self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { is_over: Arc::new(is_over), ..self }
    }

    /// Tests the law, and returns the refutation with smallest terms if there is one.
    #[must_use]
    pub fn run_tests(&self, trials: TestConfig) -> TestOutcome {
        // the fields are shared with the clone that quickcheck runs, so results of earlier runs are removed first
        *self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.count.drawn.store(0, Relaxed);
        self.count.informative.store(0, Relaxed);
        let rare = VACUITY_FACTOR.saturating_mul(trials.max_samples.div_ceil(trials.samples.max(1)));
        self.count.vacuous_limit.store(rare.max(trials.samples), Relaxed);
        let result = QuickCheck::new()
            .tests(trials.samples)
            .max_tests(trials.max_samples)
            .min_tests_passed(trials.samples)
            .rng(Gen::from_size_and_seed(trials.size, trials.seed))
            .quicktest(self.clone());
        match (self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner).take(), result) {
            (Some(refutation), _) => TestOutcome::Refuted(Box::new(refutation)),
            (None, Ok(passed)) if passed >= trials.samples => TestOutcome::Survived,
            (None, _) => TestOutcome::Vacuous { drawn: self.count.drawn.load(Relaxed) },
        }
    }

    /// Shrinks the terms one binder at a time while they refute the law, until a round makes none of them smaller.
    fn shrink_witness(&self, mut witness: Vec<TestTerm>, mut last: (String, String)) -> TermRefutation {
        let refutes = |terms: &[TestTerm]| match (self.statement)(terms) {
            Verdict::Refuted { left, right, .. } => Some((left, right)),
            Verdict::Survived | Verdict::Vacuous => None,
        };
        loop {
            let before: usize = witness.iter().map(TestTerm::size).sum();
            for i in 0..witness.len() {
                let mut others = witness.clone();
                witness[i] = shrink::shrink_term(witness[i].clone(), SHRINK_ATTEMPTS, |smaller| {
                    others[i] = smaller.clone();
                    let found = refutes(&others);
                    found.is_some_and(|sides| {
                        last = sides;
                        true
                    })
                });
            }
            if witness.iter().map(TestTerm::size).sum::<usize>() >= before {
                break;
            }
        }
        let (left, right) = last;
        TermRefutation { witness, left, right }
    }
}

impl Testable for Property {
    fn result(&self, g: &mut Gen) -> TestResult {
        let SampleCounts { drawn, informative: said, vacuous_limit: silent } = &*self.count;
        // quickcheck cannot be stopped early, but a discarded sample costs nothing
        let is_silent = said.load(Relaxed) == 0 && drawn.load(Relaxed) >= silent.load(Relaxed);
        if is_silent || (self.is_over)() {
            return TestResult::discard();
        }
        drawn.fetch_add(1, Relaxed);
        let size = g.size();
        let mut random = SplitMix64::new(u64::arbitrary(g));
        let draw = |binder: &LawBinder| {
            let size = 1 + random.next_below(size);
            binder.draw_sample(&mut random, size)
        };
        let terms: Vec<TestTerm> = self.binders.iter().map(draw).collect();
        match (self.statement)(&terms) {
            Verdict::Survived => {
                said.fetch_add(1, Relaxed);
                TestResult::passed()
            }
            Verdict::Vacuous => TestResult::discard(),
            Verdict::Refuted { left, right, .. } => {
                // shrunk here, not by quickcheck: its shrinker needs an `Arbitrary` type for each binder
                let refutation = self.shrink_witness(terms, (left, right));
                let message = refutation.to_string();
                *self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner) = Some(refutation);
                TestResult::error(message)
            }
        }
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Property").field("binders", &self.binders).finish_non_exhaustive()
    }
}

impl fmt::Display for TermRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.witness.iter().map(TestTerm::to_string).collect();
        write!(f, "at {}: {} is not {}", terms.join(" and "), self.left, self.right)
    }
}
