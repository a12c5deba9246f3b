//! The one place where laws run on samples, by quickcheck.
//!
//! | law | its samples | shrunk by |
//! |---|---|---|
//! | a property of quickcheck's own form | [`arbitrary`](crate::arbitrary) | quickcheck |
//! | [`Property`] | closed terms of types that are known at run time | [`shrink`](super::term), here |
//! | [`SampledLaw`] | what its statement draws from a stream of random numbers | – |
//!
//! A law has three outcomes, and a vacuous sample is discarded. A [`LawSuite`] lists the laws of a structure by name: each can be
//! given to quickcheck alone, and [`check_suite`] runs all.
//!
//! # Laws quantified over terms
//!
//! The types of the binders are values at run time, so a [`Property`] is its own [`Testable`]. Quickcheck decides how
//! many samples are drawn, from which stream, and how many may be vacuous. The terms are drawn by [`generate`] and made
//! smaller by [`shrink`]. A failure reports the smallest refuting terms that were found, with both sides.
//!
//! [`generate`]: super::generate
//! [`shrink`]: super::term
//!
//! # The variables that a law quantifies over
//!
//! The variables that a law quantifies over, and how their samples are drawn.
//!
//! A sample is a closed well-typed term. A law may demand more than the type. A [`SampleCondition`] is met by construction and
//! is decidable on the term, so it can be checked after shrinking. Elements of a named type, such as integrals among
//! all functionals, are made by the [constructors](ConstructorSampler) that a theory declares for it.
//!
//! # Equality of two programs as a law
//!
//! `left ~ right` holds if their enclosures overlap at every tolerance.

use super::generate::{TermGenerator, TermVocabulary};
use super::term;
use super::term::{BinderId, ParsedProgram, TermHead, TestTerm};
use crate::function::Function;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::presheaf::observe::PresheafVerdict;
use crate::presheaf::{Stage, with_stage};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::{MapError, MapTestConfig, Space};
use crate::syntax::constant::Constant;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

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
                witness[i] = term::shrink_term(witness[i].clone(), SHRINK_ATTEMPTS, |smaller| {
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

/// The settings of a law that is tested on samples.
#[derive(Clone, Debug)]
pub struct SampleSettings {
    /// The number of samples that are drawn.
    pub drawn: u64,
    /// The least number of samples that must not be vacuous. With fewer, the verdict is vacuous.
    pub least: u64,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
    /// The settings for comparing elements.
    pub trial: MapTestConfig,
}

impl Default for SampleSettings {
    /// 12 samples, at least 8 of them informative; derivatives to order 2 at 4 points.
    fn default() -> Self {
        let trial = MapTestConfig { sample_points: 4, precisions: vec![53, 96], ..MapTestConfig::default() };
        Self { drawn: 12, least: 8, seed: 0, trial }
    }
}

impl SampleSettings {
    /// Makes a law of a statement about a sample, compared at points of its own.
    pub fn sampled_law<E: fmt::Display + 'static>(
        &self,
        statement: impl Fn(&mut SplitMix64, &MapTestConfig) -> Result<Verdict, E> + 'static,
    ) -> SampledLaw<E> {
        let trial = self.trial.clone();
        SampledLaw::new(self, move |random| {
            // every sample compares at points of its own
            let trial = MapTestConfig { seed: random.next(), ..trial.clone() };
            statement(random, &trial)
        })
    }

    /// Makes a law of a statement at a random stage with one or two coordinates.
    pub fn law_at_stages(
        &self,
        statement: impl for<'d> Fn(&mut SplitMix64, &Space<Stage<'d>>, &MapTestConfig) -> PresheafVerdict + 'static,
    ) -> SampledLaw<MapError> {
        self.sampled_law(move |random, trial| {
            with_stage(1 + random.next_below(2), |space| statement(random, space, trial))
        })
    }

    /// Tests a statement on samples: refuted if one refutes it, vacuous if too few are informative.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_statement<E: fmt::Display + 'static>(
        &self,
        statement: impl Fn(&mut SplitMix64, &MapTestConfig) -> Result<Verdict, E> + 'static,
    ) -> Result<Verdict, E> {
        self.sampled_law(statement).check_samples()
    }

    /// Like [`SampleSettings::check_statement`], but at a random stage with one or two coordinates.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_at_stages(
        &self,
        statement: impl for<'d> Fn(&mut SplitMix64, &Space<Stage<'d>>, &MapTestConfig) -> PresheafVerdict + 'static,
    ) -> PresheafVerdict {
        self.law_at_stages(statement).check_samples()
    }
}

/// A statement about the sample of a stream of random numbers.
type SampleStatement<E> = dyn Fn(&mut SplitMix64) -> Result<Verdict, E>;

/// A law on samples, which is [`Testable`] by quickcheck.
///
/// Quickcheck decides how many samples are drawn. They are those of the seed of the law, from sample 0 on, so that a refutation can
/// be repeated. A clone goes on where the law is.
///
/// ```
/// use quickcheck::QuickCheck;
/// use smoothish_laws::law::property::{SampleSettings, SampledLaw};
/// use smoothish_laws::verdict::Verdict;
/// use std::convert::Infallible;
///
/// let samples = SampleSettings { drawn: 100, least: 50, ..SampleSettings::default() };
/// let law = SampledLaw::new(&samples, |random| {
///     let (a, b) = (random.next_below(9), random.next_below(9));
///     Ok::<_, Infallible>(match a + b == b + a {
///         _ if a == b => Verdict::Vacuous,
///         true => Verdict::Survived,
///         false => Verdict::refuted(format!("{a}, {b}"), a + b, b + a),
///     })
/// });
/// assert_eq!(law.check_samples(), Ok(Verdict::Survived));
/// QuickCheck::new().tests(10).min_tests_passed(10).quickcheck(law);
/// ```
pub struct SampledLaw<E> {
    statement: Rc<SampleStatement<E>>,
    drawn: u64,
    least: u64,
    seed: u64,
    state: Rc<RefCell<SampleRun<E>>>,
}

/// The state of a run of a law.
struct SampleRun<E> {
    /// The index of the next sample.
    next: u64,
    survived: u64,
    /// The refutation or the error with which the run ended.
    ended: Option<Result<Verdict, E>>,
}

impl<E> Default for SampleRun<E> {
    fn default() -> Self {
        Self { next: 0, survived: 0, ended: None }
    }
}

/// The laws of a structure by their names, each [`Testable`] by quickcheck.
pub type LawSuite<E> = Vec<(&'static str, SampledLaw<E>)>;

/// The verdict of each law, by its name.
pub type NamedVerdicts = Vec<(&'static str, Verdict)>;

/// The verdicts on samples, as counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleTally {
    /// The number of samples that the law survived.
    pub survived: u64,
    /// The number of vacuous samples.
    pub vacuous: u64,
    /// The first refutation, with which the run ended.
    pub refutation: Option<Verdict>,
}

impl<E> Clone for SampledLaw<E> {
    fn clone(&self) -> Self {
        Self { statement: self.statement.clone(), state: self.state.clone(), ..*self }
    }
}

impl<E> fmt::Debug for SampledLaw<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SampledLaw").field("drawn", &self.drawn).field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<E: fmt::Display + 'static> SampledLaw<E> {
    /// Makes the law of a statement about a sample.
    pub fn new(samples: &SampleSettings, statement: impl Fn(&mut SplitMix64) -> Result<Verdict, E> + 'static) -> Self {
        let SampleSettings { drawn, least, seed, .. } = *samples;
        Self { statement: Rc::new(statement), drawn, least, seed, state: Rc::default() }
    }

    /// Counts the verdicts on all samples, up to the first that refutes.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn tally_samples(&self) -> Result<SampleTally, E> {
        // an earlier run, or quickcheck itself, may have left the law behind its first samples
        self.state.take();
        let mut quickcheck = QuickCheck::new()
            .tests(self.drawn)
            .max_tests(self.drawn)
            .min_tests_passed(self.least)
            .rng(Gen::from_size_and_seed(1, self.seed));
        // the result holds text alone; the verdict is in the state, which the clone shares
        let _ = quickcheck.quicktest(self.clone());
        let SampleRun { next, survived, ended } = self.state.take();
        let refutation = ended.transpose()?;
        Ok(SampleTally { survived, vacuous: next - survived - u64::from(refutation.is_some()), refutation })
    }

    /// Returns the verdict on all samples: refuted if one refutes, vacuous if too few are informative.
    ///
    /// # Errors
    /// The error of the statement.
    pub fn check_samples(&self) -> Result<Verdict, E> {
        let SampleTally { survived, refutation, .. } = self.tally_samples()?;
        Ok(match refutation {
            Some(refuted) => refuted,
            None if survived >= self.least => Verdict::Survived,
            None => Verdict::Vacuous,
        })
    }
}

impl<E: fmt::Display + 'static> Testable for SampledLaw<E> {
    fn result(&self, _: &mut Gen) -> TestResult {
        let index = {
            let mut state = self.state.borrow_mut();
            state.next += 1;
            state.next - 1
        };
        // the state is not borrowed meanwhile: a statement may run other laws
        let verdict = (self.statement)(&mut SplitMix64::for_sample(self.seed, index));
        let mut state = self.state.borrow_mut();
        let told = match &verdict {
            Ok(Verdict::Survived) => {
                state.survived += 1;
                return TestResult::passed();
            }
            Ok(Verdict::Vacuous) => return TestResult::discard(),
            Ok(refuted) => refuted.to_string(),
            Err(error) => error.to_string(),
        };
        state.ended = Some(verdict);
        TestResult::error(format!("sample {index} of seed {}: {told}", self.seed))
    }
}

/// Runs the laws of a suite, each on all of its samples.
///
/// # Errors
/// The first error of a law.
pub fn check_suite<E: fmt::Display + 'static>(suite: &LawSuite<E>) -> Result<NamedVerdicts, E> {
    suite.iter().map(|(name, law)| Ok((*name, law.check_samples()?))).collect()
}

/// Runs the laws of a suite as parts of one statement: refuted if one is refuted, vacuous if one is vacuous.
///
/// # Errors
/// As for [`check_suite`].
pub fn check_suite_as_one<E: fmt::Display + 'static>(suite: &LawSuite<E>) -> Result<Verdict, E> {
    Ok(check_suite(suite)?.into_iter().fold(Verdict::Survived, |all, (_, verdict)| all.and_part(verdict)))
}

/// Makes a suite of a table of laws on streams of random numbers. `judge` gives a law what it needs beside.
pub fn suite_of_table<L: Copy + 'static>(
    laws: &[(&'static str, L)],
    samples: &SampleSettings,
    judge: impl Fn(L, SplitMix64) -> Verdict + Clone + 'static,
) -> LawSuite<Infallible> {
    let law = |law: L| {
        let judge = judge.clone();
        SampledLaw::new(samples, move |random| Ok(judge(law, random.clone())))
    };
    laws.iter().map(|(name, statement)| (*name, law(*statement))).collect()
}

/// Compares two sides at points that are drawn from streams of one seed, up to the first that refutes: the points of one sample.
///
/// # Errors
/// The error of the comparison.
pub fn compare_at_points<E>(
    seed: u64,
    points: u64,
    compare: impl Fn(&mut SplitMix64) -> Result<Verdict, E>,
) -> Result<Verdict, E> {
    Verdict::all_samples((0..points).map(|index| compare(&mut SplitMix64::for_sample(seed, index))))
}

/// Returns the number of samples of a seed until the first that refutes. Returns `None` if `limit` are not enough.
pub fn samples_until_refuted(seed: u64, limit: u64, judge: impl Fn(SplitMix64) -> Verdict) -> Option<u64> {
    (0..limit).find(|index| judge(SplitMix64::for_sample(seed, *index)).is_refuted()).map(|index| index + 1)
}

/// The results of samples by their index, with the index of the first that ends the test, `u64::MAX` if there is none.
pub type JudgedSamples<R> = (Vec<(u64, R)>, u64);

/// Judges the samples of these indices on several threads, up to the first result that ends the test. Results behind it may be
/// missing. The flag stops the test, and the counter counts the samples for progress reports.
pub fn judge_in_parallel<R: Send>(
    samples: u64,
    (interrupted, done): (&AtomicBool, &AtomicU64),
    judge: impl Fn(u64) -> R + Sync,
    ends_test: impl Fn(&R) -> bool + Sync,
) -> JudgedSamples<R> {
    let threads = crate::parallel::available_threads().min(samples.max(1) as usize);
    let (next, first) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Relaxed);
            // samples behind a known refutation cannot be the first, and are left out
            if index >= samples || index > first.load(Relaxed) || interrupted.load(Relaxed) {
                return found;
            }
            let result = judge(index);
            if ends_test(&result) {
                first.fetch_min(index, Relaxed);
            }
            found.push((index, result));
            done.fetch_add(1, Relaxed);
        }
    };
    let mut found: Vec<(u64, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(|| crate::parallel::run_as_part(work))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().flat_map(join).collect()
    });
    // threads end in any order; the tally is in the order of the samples
    found.sort_by_key(|(index, _)| *index);
    (found, first.into_inner())
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

/// Returns the verdict of a law as the outcome of one sample of quickcheck, for laws of one's own in `quickcheck!`.
///
/// | verdict | outcome |
/// |---|---|
/// | survived | passed |
/// | refuted | failed, with the witness and both sides |
/// | vacuous | discarded: another sample is drawn |
/// | an error | failed, with its message |
///
/// Quickcheck does not shrink a seed in a useful way, and counts a test as passed if all its samples were discarded.
/// `QuickCheck::min_tests_passed` changes the latter; `quickcheck!` has it at 0.
///
/// # Examples
/// ```
/// use smoothish_laws::law::property::to_test_result;
/// use smoothish_laws::verdict::Verdict;
/// use std::convert::Infallible;
///
/// let refuted: Result<Verdict, Infallible> = Ok(Verdict::refuted("x = 0", 0, 1));
/// assert!(to_test_result(refuted).is_failure());
/// assert!(!to_test_result(Ok::<_, Infallible>(Verdict::Vacuous)).is_failure());
/// ```
pub fn to_test_result<E: fmt::Display>(verdict: Result<Verdict, E>) -> TestResult {
    match verdict {
        Ok(Verdict::Survived) => TestResult::passed(),
        Ok(Verdict::Vacuous) => TestResult::discard(),
        Ok(refuted @ Verdict::Refuted { .. }) => TestResult::error(refuted.to_string()),
        Err(error) => TestResult::error(error.to_string()),
    }
}

/// Returns the verdict that all of several laws hold: refuted if one is, with its name; else vacuous if one is.
///
/// ```
/// use smoothish_laws::law::property::judge_all;
/// use smoothish_laws::verdict::Verdict;
///
/// let laws = vec![("identity", Verdict::Survived), ("fusion", Verdict::refuted("x = 0", 0, 1))];
/// assert_eq!(judge_all(laws).to_string(), "refuted at fusion, x = 0: 0 is not 1");
/// ```
pub fn judge_all(laws: impl IntoIterator<Item = (&'static str, Verdict)>) -> Verdict {
    let named = laws.into_iter().map(|(name, verdict)| match verdict {
        Verdict::Refuted { witness, left, right } => Verdict::refuted(format!("{name}, {witness}"), left, right),
        other => other,
    });
    named.fold(Verdict::Survived, Verdict::and_part)
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

/// A condition on the samples of a variable, beside being well-typed and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleCondition {
    /// No further condition.
    #[default]
    Total,
    /// A function without kinks.
    Smooth,
    /// A strictly increasing function of a real number.
    Increasing,
    /// A strictly increasing function without kinks.
    SmoothIncreasing,
    /// A real number above 0.
    Positive,
}

impl SampleCondition {
    /// Returns the conjunction of two conditions on samples of one type.
    #[must_use]
    pub fn combined_with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Total, demand) | (demand, Self::Total) => demand,
            // two different conditions on one function type are among `SmoothMap`, `Increasing` and both
            (first, second) if first == second => first,
            _ => Self::SmoothIncreasing,
        }
    }

    /// Returns the name of the condition in reports.
    #[must_use]
    pub fn condition_name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Smooth => "smooth",
            Self::Increasing => "increasing",
            Self::SmoothIncreasing => "smooth and increasing",
            Self::Positive => "positive",
        }
    }
}

/// A variable of a law, with what is required of its samples.
#[derive(Clone, Debug)]
pub struct LawBinder {
    /// The type of the samples.
    pub ty: Ty,
    /// The condition on the samples.
    pub condition: SampleCondition,
    /// The operations that samples are made of, if the condition is [`SampleCondition::Total`].
    pub vocabulary: TermVocabulary,
    /// The constructors of the samples. `None` if the type alone determines how they are made.
    pub sampler: Option<Arc<ConstructorSampler>>,
}

/// The constructors of a named type, from which its samples are built.
#[derive(Debug, Default)]
pub struct ConstructorSampler {
    /// The constructors. They are set after the sampler is made, since they may take elements of the type themselves.
    pub constructors: OnceLock<Vec<SampleConstructor>>,
}

/// A function whose results are samples of a named type.
#[derive(Clone, Debug)]
pub struct SampleConstructor {
    /// The program of the function.
    pub closed: Arc<ParsedProgram>,
    /// The type of the function.
    pub ty: Ty,
    /// The arguments it takes.
    pub arguments: Vec<SampleArgument>,
}

/// The kind of an argument of a constructor.
#[derive(Clone, Debug)]
pub enum SampleArgument {
    /// An element of the sampled type itself.
    SampledType,
    /// A sample of another variable.
    Other(LawBinder),
}

impl From<Ty> for LawBinder {
    fn from(ty: Ty) -> Self {
        Self { ty, condition: SampleCondition::Total, vocabulary: TermVocabulary::Total, sampler: None }
    }
}

impl LawBinder {
    /// Draws a sample with about `size` heads.
    #[must_use]
    pub fn draw_sample(&self, random: &mut SplitMix64, size: usize) -> TestTerm {
        if let Some(sampler) = &self.sampler {
            return sampler.draw_element(random, &self.ty, size);
        }
        // a stream of its own, so that a larger sample does not shift the samples after it
        let random = SplitMix64::new(random.next());
        match self.condition {
            SampleCondition::Total => {
                draw_sample_term(TermGenerator::with_vocabulary(random, self.vocabulary), &self.ty, size)
            }
            SampleCondition::Smooth => {
                draw_sample_term(TermGenerator::with_vocabulary(random, TermVocabulary::Smooth), &self.ty, size)
            }
            SampleCondition::Increasing => {
                draw_increasing(&mut TermGenerator::with_vocabulary(random, TermVocabulary::Total), size)
            }
            SampleCondition::SmoothIncreasing => {
                draw_increasing(&mut TermGenerator::with_vocabulary(random, TermVocabulary::Smooth), size)
            }
            SampleCondition::Positive => {
                TestTerm::real_literal(TermGenerator::with_vocabulary(random, TermVocabulary::Total).draw_positive())
            }
        }
    }

    /// Returns `true` if a term of the type meets the condition, also after shrinking.
    #[must_use]
    pub fn admits_term(&self, term: &TestTerm) -> bool {
        if let Some(sampler) = &self.sampler {
            return sampler.admits_element(term);
        }
        match self.condition {
            SampleCondition::Total => self.vocabulary.admits_term(term),
            SampleCondition::SmoothIncreasing => TermVocabulary::Smooth.admits_term(term) && is_increasing(term),
            SampleCondition::Smooth => TermVocabulary::Smooth.admits_term(term),
            SampleCondition::Increasing => is_increasing(term),
            SampleCondition::Positive => matches!(&term.head, TermHead::Real(q) if *q > 0),
        }
    }
}

/// The percentage of functions of several numbers that are drawn as functions combining two of them. A choice.
const JOINT_PERCENT: usize = 30;

/// Draws a term of type `ty`; for functions of several numbers, in some cases one that combines two of them.
fn draw_sample_term(mut generator: TermGenerator, ty: &Ty, size: usize) -> TestTerm {
    let met = generator.draw_joint_function(ty, size, JOINT_PERCENT);
    met.unwrap_or_else(|| generator.draw_term(ty, size))
}

impl ConstructorSampler {
    /// Draws an element: a constructor applied to smaller samples.
    fn draw_element(&self, random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
        let constructors = self.constructors.get().map_or(&[][..], Vec::as_slice);
        let is_leaf = |c: &&SampleConstructor| !c.arguments.iter().any(|a| matches!(a, SampleArgument::SampledType));
        let leaves: Vec<&SampleConstructor> = constructors.iter().filter(is_leaf).collect();
        // at small sizes only constructors that take no element of the type, so that the recursion ends
        let among: Vec<&SampleConstructor> = if size < 3 { leaves } else { constructors.iter().collect() };
        // no constructor is left only if the theory was refused, and then the sample is not used
        let Some(constructor) = (!among.is_empty()).then(|| *random.pick(&among)) else {
            return TestTerm::real_literal(0);
        };
        let each = size.saturating_sub(1) / constructor.arguments.len().max(1);
        let start = TestTerm::new(TermHead::Parsed(constructor.closed.clone()), constructor.ty.clone(), Vec::new());
        constructor.arguments.iter().fold(start, |function, argument| {
            let argument = match argument {
                SampleArgument::SampledType => self.draw_element(random, ty, each),
                SampleArgument::Other(binder) => binder.draw_sample(random, each.max(1)),
            };
            let applied = match function.ty.kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => ty.clone(),
            };
            TestTerm::new(TermHead::Apply, applied, vec![function, argument])
        })
    }
}

impl ConstructorSampler {
    /// Returns `true` if a term is a constructor applied to admitted arguments. Shrinking may make others of the same type.
    fn admits_element(&self, term: &TestTerm) -> bool {
        let (mut head, mut arguments) = (term, Vec::new());
        while let (TermHead::Apply, [function, argument]) = (&head.head, &head.parts[..]) {
            arguments.push(argument);
            head = function;
        }
        arguments.reverse();
        let TermHead::Parsed(closed) = &head.head else { return false };
        self.constructors.get().into_iter().flatten().any(|constructor| {
            Arc::ptr_eq(closed, &constructor.closed)
                && constructor.arguments.len() == arguments.len()
                && constructor.arguments.iter().zip(&arguments).all(|(expected, argument)| match expected {
                    SampleArgument::SampledType => self.admits_element(argument),
                    SampleArgument::Other(binder) => binder.admits_term(argument),
                })
        })
    }
}

/// Returns `true` if a constant is a strictly increasing function of one variable on the whole line.
fn is_increasing_constant(constant: Constant) -> bool {
    let Constant::Elementary(f) = constant else { return false };
    f.is_total() && f.direction() == Some(std::cmp::Ordering::Greater)
}

/// Draws `\x => e` with `e` strictly increasing in `x`.
fn draw_increasing(generator: &mut TermGenerator, size: usize) -> TestTerm {
    let id = generator.fresh_id();
    let body = draw_increasing_body(generator, id, size.saturating_sub(1).max(1));
    TestTerm::new(TermHead::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![body])
}

/// Draws a number that increases strictly in the variable `id`. Each form is recognised by `is_increasing_in`.
fn draw_increasing_body(generator: &mut TermGenerator, id: BinderId, size: usize) -> TestTerm {
    if size < 3 {
        return TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new());
    }
    match generator.random.next_below(6) {
        0 => TestTerm::real_operation(
            Constant::Add,
            vec![draw_increasing_body(generator, id, size / 2), draw_increasing_body(generator, id, size / 2)],
        ),
        1 => TestTerm::real_operation(
            Constant::Add,
            vec![draw_increasing_body(generator, id, size - 2), TestTerm::real_literal(generator.draw_number())],
        ),
        2 => TestTerm::real_operation(
            Constant::Multiply,
            vec![TestTerm::real_literal(generator.draw_positive()), draw_increasing_body(generator, id, size - 2)],
        ),
        3 => TestTerm::new(
            TermHead::Power(Rational::from(3)),
            Ty::real(),
            vec![draw_increasing_body(generator, id, size - 1)],
        ),
        _ => {
            let all: Vec<_> =
                Constant::ALL.iter().copied().filter(|constant| is_increasing_constant(*constant)).collect();
            let constant = generator.pick_constant(&all);
            // nested exponentials exceed every exponent range, so their arguments are bounded by atan
            let part = if matches!(constant, Constant::Elementary(f) if f.row().outgrows_powers) {
                let atan = Constant::Elementary(Function::Atan);
                TestTerm::real_operation(atan, vec![draw_increasing_body(generator, id, size.saturating_sub(2).max(1))])
            } else {
                draw_increasing_body(generator, id, size - 1)
            };
            TestTerm::real_operation(constant, vec![part])
        }
    }
}

/// Returns `true` if a function is visibly strictly increasing: a sufficient condition on its syntax.
fn is_increasing(function: &TestTerm) -> bool {
    match (&function.head, &function.parts[..]) {
        (TermHead::Lambda(id, _), [body]) => is_increasing_in(body, *id),
        (TermHead::Call(c), []) => is_increasing_constant(*c),
        _ => false,
    }
}

/// Returns `true` if `term` visibly increases strictly in the variable `id`. The cases are the forms that `draw_increasing_body`
/// draws.
fn is_increasing_in(term: &TestTerm, id: BinderId) -> bool {
    match (&term.head, &term.parts[..]) {
        (TermHead::Variable(v), []) => *v == id,
        (TermHead::Call(Constant::Add), [a, b]) => {
            let still = |t: &TestTerm| matches!(t.head, TermHead::Real(_));
            (is_increasing_in(a, id) && (is_increasing_in(b, id) || still(b))) || (still(a) && is_increasing_in(b, id))
        }
        (TermHead::Call(Constant::Multiply), [a, b]) => {
            matches!(&a.head, TermHead::Real(q) if *q > 0) && is_increasing_in(b, id)
        }
        (TermHead::Power(q), [part]) => q.is_integer() && q.numer().is_odd() && *q > 0 && is_increasing_in(part, id),
        (TermHead::Call(c), [part]) => is_increasing_constant(*c) && is_increasing_in(part, id),
        _ => false,
    }
}

/// The tolerances. A survivor reaches the first one; the second is attempted for a sharper comparison. A choice.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// The time limit for one side at one tolerance. A choice: vacuous verdicts against long runs.
const SIDE_TIME_LIMIT: Duration = Duration::from_millis(200);

/// Two closed programs of the same type `T₁ -> … -> Tₙ -> R`, where R consists of real numbers and tuples: a law over
/// their arguments.
#[derive(Clone, Debug)]
pub struct ProgramEquation {
    left: Core,
    right: Core,
    binders: Vec<Ty>,
}

impl ProgramEquation {
    /// Makes the law `left ~ right` over the first `binders` arguments of both sides.
    ///
    /// # Errors
    /// Returns a message if a side has no type, if the types differ, or if there are fewer than `binders` arguments.
    pub fn new(library: &Library, binders: usize, left: &str, right: &str) -> Result<Self, String> {
        let infer = |text: &str| library.infer_expression(text).map_err(|e| format!("{text}: {e}"));
        let ((left, ty), (right, other)) = (infer(left)?, infer(right)?);
        if ty != other {
            return Err(format!("the sides have different types: {ty}, and {other}"));
        }
        let mut rest = ty.clone();
        let mut types = Vec::with_capacity(binders);
        for _ in 0..binders {
            let TyKind::Function(domain, codomain) = rest.kind() else {
                return Err(format!("expected {binders} arguments, found the type {ty}"));
            };
            types.push(domain.clone());
            rest = codomain.clone();
        }
        Ok(Self { left, right, binders: types })
    }

    /// Returns the law as a property that can be tested.
    #[must_use]
    pub fn as_property(&self) -> Property {
        let this = self.clone();
        Property::new(self.binders.clone(), move |terms| this.check_at(terms))
    }

    /// Returns the verdict on these arguments. Vacuous if an argument is not closed or a side has no value.
    pub fn check_at(&self, arguments: &[TestTerm]) -> Verdict {
        let cores: Option<Vec<Core>> = arguments.iter().map(TestTerm::to_core).collect();
        let Some(cores) = cores else { return Verdict::Vacuous };
        let [left, right] = [&self.left, &self.right]
            .map(|side| cores.iter().fold(side.clone(), |f, x| Core::apply(f, x.clone(), Span::default())));
        let mut verdict = Verdict::Vacuous;
        for (index, tolerance) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let (Some(left), Some(right)) = (enclose_numbers(&left, &tolerance), enclose_numbers(&right, &tolerance))
            else {
                break;
            };
            let mut reached = !left.is_empty();
            // an undefined enclosure says nothing about the value, so only two defined ones can refute
            for ((left, known), (right, also_known)) in left.iter().zip(&right) {
                if left.is_defined() && right.is_defined() && !left.overlaps(right) {
                    let witness: Vec<String> = arguments.iter().map(TestTerm::to_string).collect();
                    return Verdict::refuted(witness.join(", "), left, right);
                }
                reached &= *known && *also_known;
            }
            // a survivor must reach the first tolerance; the second one may only refute
            match (index, reached) {
                (0, true) => verdict = Verdict::Survived,
                (0, false) => break,
                _ => {}
            }
        }
        verdict
    }
}

/// Encloses the numbers of a program, each with `true` if it is as narrow as asked. Returns `None` if a number is not
/// enclosed or the value has other parts.
fn enclose_numbers(term: &Core, tolerance: &Rational) -> Option<Vec<(Enclosure, bool)>> {
    let budget = Arc::new(Budget::with_time_limit(SIDE_TIME_LIMIT));
    let element = PresheafInterpreter::new(budget.clone()).interpret_program(term).ok()?;
    let mut found = Vec::new();
    for graph in real_components(&element)? {
        let answer = graph.to_real().ok()?.enclose(tolerance, &budget).ok()?;
        found.push((answer.enclosure, answer.reached));
    }
    Some(found)
}

/// Returns the numbers that an element consists of. Returns `None` if it has other parts.
fn real_components(element: &Element) -> Option<Vec<Graph>> {
    match element {
        Element::Real(graph) => Some(vec![graph.clone()]),
        Element::Unit => Some(Vec::new()),
        Element::Tuple(parts) => {
            let all: Option<Vec<_>> = parts.iter().map(real_components).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}
