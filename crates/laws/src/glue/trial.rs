//! The test of a statement on random samples, and the shrinking of counterexamples.
//!
//! A sample consists of some programs, a k, an R, and a seed from which everything else is drawn. It depends on the
//! seed of the run and on its own index alone. So threads do not change the outcome: the reported sample is the first
//! that refutes.

use super::content::{ConstructUses, SAMPLES_COUNTED, UseCounts};
use super::error::GlueError;
use super::judged::VerdictWithValues;
use crate::law::shrink;
use crate::law::term::TestTerm;
use crate::meaning::taylor::basis::Basis;
use crate::random::SplitMix64;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The configuration of a test.
#[derive(Clone, Debug)]
pub struct TheoremTestConfig {
    /// The number of samples.
    pub samples: u64,
    /// The seed, on which the samples depend.
    pub seed: u64,
    /// The k of all samples; `None` if it is drawn.
    pub directions: Option<usize>,
    /// The R of all samples; `None` if it is drawn.
    pub order: Option<usize>,
    /// `true` if the constructs that the first programs use are counted.
    pub counts_uses: bool,
    /// The flag that stops the test when it is set.
    pub interrupted: Arc<AtomicBool>,
    /// The number of samples tested so far, for progress reports.
    pub done: Arc<AtomicU64>,
}

impl TheoremTestConfig {
    /// Makes a configuration of `samples` samples from a seed, with k and R drawn.
    #[must_use]
    pub fn new(samples: u64, seed: u64) -> Self {
        let (interrupted, done) = (Arc::default(), Arc::default());
        Self { samples, seed, directions: None, order: None, counts_uses: false, interrupted, done }
    }

    /// Sets k and R.
    #[must_use]
    pub fn with_basis(self, directions: usize, order: usize) -> Self {
        Self { directions: Some(directions), order: Some(order), ..self }
    }
}

/// A sample of a statement.
#[derive(Clone, Debug)]
pub struct TheoremSample {
    /// The programs.
    pub terms: Vec<TestTerm>,
    /// The basis, which determines k and R.
    pub basis: Arc<Basis>,
    /// The seed of everything else that the statement draws.
    pub seed: u64,
    /// The size of what is drawn from the seed.
    pub size: usize,
}

/// The k and R that a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasisRange {
    /// All k and R; those up to these bounds are drawn.
    UpTo(usize, usize),
    /// The k and R whose product is at most this.
    Levels(usize),
    /// This k and R alone.
    Only(usize, usize),
}

/// The generator of the programs of a sample.
pub type DrawPrograms<'s> = dyn Fn(&mut SplitMix64) -> Vec<TestTerm> + Send + Sync + 's;
/// The verdict of the statement on a sample.
pub type JudgeSample<'s> = dyn Fn(&TheoremSample) -> Result<VerdictWithValues, GlueError> + Send + Sync + 's;

/// A statement about samples, with the generator of its samples.
pub struct TheoremTest<'s> {
    /// The k and R that the statement is about.
    pub range: BasisRange,
    /// The generator of the programs of a sample.
    pub draw: Box<DrawPrograms<'s>>,
    /// The verdict on a sample. An error means that the statement cannot be tested on the sample; it counts as vacuous.
    pub judge: Box<JudgeSample<'s>>,
}

/// A counterexample, shrunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheoremRefutation {
    /// The index of the sample.
    pub index: u64,
    /// The programs.
    pub programs: Vec<String>,
    /// The k and R of the shrunk sample.
    pub basis: (usize, usize),
    /// The position at which the sides differ: the coordinate and the point.
    pub witness: String,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
}

/// The outcome of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TheoremOutcome {
    /// The number of samples that the statement survived.
    pub survived: u64,
    /// The number of these with a derivative that is certainly not 0.
    pub with_nonzero_slope: u64,
    /// The number of vacuous samples.
    pub vacuous: u64,
    /// The first sample on which the statement could not be tested, with the error. It counts as vacuous.
    pub untestable: Option<(u64, String)>,
    /// The first counterexample; `None` if there is none.
    pub refutation: Option<TheoremRefutation>,
    /// The constructs that the programs use, if they were counted.
    pub contents: UseCounts,
    /// `true` if the test was interrupted before all samples were tested.
    pub interrupted: bool,
}

impl TheoremOutcome {
    /// Returns `true` if nothing refutes the statement, and enough samples could have. At least [`LEAST_NONZERO_PERCENT`] percent of
    /// the samples must have a derivative that is certainly not 0.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let tried = self.survived + self.vacuous;
        self.refutation.is_none()
            && self.with_nonzero_slope > 0
            && self.with_nonzero_slope * 100 >= tried * LEAST_NONZERO_PERCENT
            && !self.interrupted
    }
}

/// The result of one sample.
struct SampleResult {
    /// The index of the sample.
    index: u64,
    /// The constructs that its first program uses, if they were counted.
    uses: Option<ConstructUses>,
    /// The verdict, or the reason why there is none.
    judged: Result<VerdictWithValues, GlueError>,
}

/// The share of the samples that must have a derivative that is not 0, in percent. A choice.
pub const LEAST_NONZERO_PERCENT: u64 = 50;
/// The largest size of the random functions and arguments of a sample, in heads. A choice.
const SIZE: usize = 6;
/// The number of times that a vacuous sample is drawn again. A choice.
const ATTEMPTS: usize = 12;
/// The largest number of coordinates of a jet that is tested. A choice: it bounds the cost of a sample.
const MOST_COORDINATES: usize = 130;
/// The number of smaller programs tested for each program of a counterexample. A choice.
const PATIENCE: usize = 400;

impl TheoremTest<'_> {
    /// Draws the sample of an index.
    ///
    /// # Errors
    /// [`GlueError::Basis`] if k or R is 0 or too large.
    pub fn draw_sample(&self, trials: &TheoremTestConfig, index: u64) -> Result<TheoremSample, GlueError> {
        let mut random = SplitMix64::for_sample(trials.seed, index);
        let basis = match self.range {
            BasisRange::UpTo(most_k, most_r) => {
                let (k, r) = (1 + random.next_below(most_k), 1 + random.next_below(most_r));
                Basis::new(trials.directions.unwrap_or(k), trials.order.unwrap_or(r))?
            }
            BasisRange::Levels(most) => {
                let order = match (trials.order, trials.directions) {
                    (Some(order), _) => order,
                    (None, given) => 1 + random.next_below(most / given.unwrap_or(1).max(1)),
                };
                let directions = trials.directions.unwrap_or_else(|| 1 + random.next_below(most / order.max(1)));
                Basis::new(directions, order)?
            }
            BasisRange::Only(k, r) => Basis::new(k, r)?,
        };
        let basis = Arc::new(basis);
        let mut draw = || {
            let terms = (self.draw)(&mut random);
            TheoremSample { terms, basis: basis.clone(), seed: random.next(), size: 1 + random.next_below(SIZE) }
        };
        // a sample that is vacuous, or whose derivatives are all 0, is drawn again
        let mut sample = draw();
        for _ in 0..ATTEMPTS {
            if self.has_nonzero_derivative(&sample) {
                break;
            }
            sample = draw();
        }
        Ok(sample)
    }

    /// Checks that the statement is made for the k and R that are given.
    fn check_basis(&self, trials: &TheoremTestConfig) -> Result<(), GlueError> {
        // a basis exists only if neither is 0
        Basis::new(trials.directions.unwrap_or(1), trials.order.unwrap_or(1))?;
        match self.range {
            BasisRange::Only(directions, order)
                if trials.directions.is_some_and(|k| k != directions) || trials.order.is_some_and(|r| r != order) =>
            {
                Err(GlueError::Only { directions, order })
            }
            BasisRange::Levels(most) if trials.directions.unwrap_or(1) * trials.order.unwrap_or(1) > most => {
                let (directions, order) = (trials.directions.unwrap_or(1), trials.order.unwrap_or(1));
                Err(GlueError::Levels { directions, order, most })
            }
            // the bounds of the range apply to what is not given, and the largest such basis must be small enough
            BasisRange::UpTo(most_k, most_r) if trials.directions.is_some() || trials.order.is_some() => {
                let largest = Basis::new(trials.directions.unwrap_or(most_k), trials.order.unwrap_or(most_r))?;
                let (directions, order, found) = (largest.directions(), largest.order(), largest.len());
                if found > MOST_COORDINATES {
                    return Err(GlueError::LargeBasis { directions, order, found, most: MOST_COORDINATES });
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Judges the samples on several threads, up to the first that refutes. Returns the results and the index of that
    /// sample, `u64::MAX` if there is none.
    fn judge_samples(&self, trials: &TheoremTestConfig) -> Result<(Vec<SampleResult>, u64), GlueError> {
        self.check_basis(trials)?;
        let threads = crate::parallel::available_threads().min(trials.samples.max(1) as usize);
        let next = AtomicU64::new(0);
        let first = AtomicU64::new(u64::MAX);
        let work = || {
            let mut found: Vec<SampleResult> = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                // samples behind a known counterexample cannot be the first, and are left out
                if index >= trials.samples || index > first.load(Ordering::Relaxed) {
                    return found;
                }
                if trials.interrupted.load(Ordering::Relaxed) {
                    return found;
                }
                let mut uses = None;
                let judged = self.draw_sample(trials, index).and_then(|sample| {
                    uses = if trials.counts_uses && index < SAMPLES_COUNTED {
                        self.used_constructs(&sample)
                    } else {
                        None
                    };
                    (self.judge)(&sample)
                });
                if judged.as_ref().is_ok_and(|judged| judged.verdict.is_refuted()) {
                    first.fetch_min(index, Ordering::Relaxed);
                }
                found.push(SampleResult { index, uses, judged });
                trials.done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let mut found: Vec<SampleResult> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(|| crate::parallel::run_as_part(work))).collect();
            let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            handles.into_iter().flat_map(join).collect()
        });
        // threads finish in any order; the tally is made in the order of the samples
        found.sort_by_key(|found| found.index);
        Ok((found, first.into_inner()))
    }

    /// Returns the index of the first sample that refutes, before shrinking. Returns `None` if none does.
    ///
    /// # Errors
    /// [`GlueError`] if the statement is not made for the k and R that are given, or they are too large.
    pub fn refuted_at(&self, trials: &TheoremTestConfig) -> Result<Option<u64>, GlueError> {
        let (_, first) = self.judge_samples(trials)?;
        Ok((first < u64::MAX).then_some(first))
    }

    /// Tests the statement on all samples, and shrinks the first counterexample.
    ///
    /// # Errors
    /// [`GlueError`] if the statement is not made for the k and R that are given, or they are too large.
    pub fn run_test(&self, trials: &TheoremTestConfig) -> Result<TheoremOutcome, GlueError> {
        let (found, first) = self.judge_samples(trials)?;
        let mut outcome =
            TheoremOutcome { interrupted: trials.interrupted.load(Ordering::Relaxed), ..TheoremOutcome::default() };
        for SampleResult { index, uses, judged } in found.into_iter().filter(|found| found.index <= first) {
            uses.into_iter().for_each(|uses| outcome.contents.add_program(uses));
            let moves = judged.as_ref().is_ok_and(VerdictWithValues::has_nonzero_slope);
            match judged.map(|judged| judged.verdict) {
                Ok(Verdict::Survived) => {
                    outcome.survived += 1;
                    outcome.with_nonzero_slope += u64::from(moves);
                }
                Ok(Verdict::Vacuous) => outcome.vacuous += 1,
                Err(error) => {
                    outcome.vacuous += 1;
                    outcome.untestable.get_or_insert_with(|| (index, error.to_string()));
                }
                Ok(verdict @ Verdict::Refuted { .. }) => {
                    outcome.refutation =
                        Some(self.shrink_refutation(index, self.draw_sample(trials, index)?, verdict, trials));
                }
            }
        }
        Ok(outcome)
    }

    /// Returns a smaller sample that refutes as well: first a smaller k and R, then smaller random functions, then
    /// smaller programs.
    fn shrink_refutation(
        &self,
        index: u64,
        mut sample: TheoremSample,
        verdict: Verdict,
        trials: &TheoremTestConfig,
    ) -> TheoremRefutation {
        let mut last = verdict;
        let mut refutes = |sample: &TheoremSample| match (self.judge)(sample).map(|judged| judged.verdict) {
            Ok(verdict @ Verdict::Refuted { .. }) => {
                last = verdict;
                true
            }
            _ => false,
        };
        // the smallest basis that refutes; a k or R that was given is kept
        let (most_k, most_r) = (sample.basis.directions(), sample.basis.order());
        let all = (1..=most_k).flat_map(|k| (1..=most_r).map(move |r| (k, r)));
        for (k, r) in all {
            let given = trials.directions.is_some_and(|d| d != k)
                || trials.order.is_some_and(|o| o != r)
                || matches!(self.range, BasisRange::Only(..));
            let Some(basis) = Basis::new(k, r).ok().filter(|_| !given) else { continue };
            let smaller = TheoremSample { basis: Arc::new(basis), ..sample.clone() };
            if refutes(&smaller) {
                sample = smaller;
                break;
            }
        }
        for size in 1..sample.size {
            let smaller = TheoremSample { size, ..sample.clone() };
            if refutes(&smaller) {
                sample = smaller;
                break;
            }
        }
        // one program after another, until no program gets smaller
        loop {
            let before: usize = sample.terms.iter().map(TestTerm::size).sum();
            for place in 0..sample.terms.len() {
                let mut changed = sample.clone();
                sample.terms[place] = shrink::shrink_term(sample.terms[place].clone(), PATIENCE, |term| {
                    changed.terms[place] = term.clone();
                    refutes(&changed)
                });
            }
            if sample.terms.iter().map(TestTerm::size).sum::<usize>() >= before {
                break;
            }
        }
        // the last attempt may not have refuted, so both sides are computed again for the reported sample
        refutes(&sample);
        let basis = (sample.basis.directions(), sample.basis.order());
        let programs = sample.terms.iter().map(TestTerm::to_string).collect();
        let (witness, left, right) = match last {
            Verdict::Refuted { witness, left, right } => (witness, left, right),
            Verdict::Survived | Verdict::Vacuous => Default::default(),
        };
        TheoremRefutation { index, programs, basis, witness, left, right }
    }
}

impl fmt::Display for TheoremRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (k, r) = self.basis;
        for program in &self.programs {
            writeln!(f, "  program  {program}")?;
        }
        writeln!(f, "  k, R     {k}, {r}\n  where    {}", self.witness)?;
        write!(f, "  left     {}\n  right    {}", self.left, self.right)
    }
}
