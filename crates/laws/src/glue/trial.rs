//! Trying a statement on random samples, and making what refutes it smaller.
//!
//! A sample is a few programs, a k, an R and a number from which everything else is drawn. It depends on the seed and its
//! own number and on nothing else, so that threads change no outcome: the sample that is reported is the first.

use super::content::{Contents, LOOKED_INTO, Uses};
use super::error::GlueError;
use super::judged::Judged;
use crate::law::shrink;
use crate::law::term::Term;
use crate::meaning::taylor::basis::Basis;
use crate::random::Random;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How a statement is tried.
#[derive(Clone, Debug)]
pub struct Trials {
    /// How many samples are drawn.
    pub samples: u64,
    /// What they depend on.
    pub seed: u64,
    /// k, where it is not drawn.
    pub directions: Option<usize>,
    /// R, where it is not drawn.
    pub order: Option<usize>,
    /// Whether it is found out what the first programs use.
    pub looks: bool,
    /// Stops everything when it becomes true.
    pub interrupted: Arc<AtomicBool>,
    /// How many samples have been tried.
    pub done: Arc<AtomicU64>,
}

impl Trials {
    /// So many samples of a seed.
    #[must_use]
    pub fn new(samples: u64, seed: u64) -> Self {
        let (interrupted, done) = (Arc::default(), Arc::default());
        Self { samples, seed, directions: None, order: None, looks: false, interrupted, done }
    }

    /// The same with k and R given.
    #[must_use]
    pub fn at(self, directions: usize, order: usize) -> Self {
        Self { directions: Some(directions), order: Some(order), ..self }
    }
}

/// What a statement is asked of.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The programs.
    pub terms: Vec<Term>,
    /// k and R.
    pub basis: Arc<Basis>,
    /// What else is drawn, is drawn from here.
    pub seed: u64,
    /// How large that is.
    pub size: usize,
}

/// The k and R for which a statement is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All; up to these ones are drawn.
    UpTo(usize, usize),
    /// Those of which the product is at most this.
    Levels(usize),
    /// These alone.
    Only(usize, usize),
}

/// What draws the programs of a sample.
pub type Draw<'s> = dyn Fn(&mut Random) -> Vec<Term> + Send + Sync + 's;
/// What judges a sample.
pub type Judge<'s> = dyn Fn(&Sample) -> Result<Judged, GlueError> + Send + Sync + 's;

/// A statement about samples.
pub struct Experiment<'s> {
    /// The k and R that are drawn.
    pub range: Range,
    /// The programs of a sample.
    pub draw: Box<Draw<'s>>,
    /// What becomes of it. A sample that cannot be asked about is an error, and counts as vacuous.
    pub judge: Box<Judge<'s>>,
}

/// A sample that refutes, made small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The number of the sample.
    pub index: u64,
    /// The programs.
    pub programs: Vec<String>,
    /// k and R.
    pub basis: (usize, usize),
    /// Where the sides differ: the coordinate and the point.
    pub witness: String,
    /// One side.
    pub left: String,
    /// The other.
    pub right: String,
}

/// What became of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Samples that were as stated.
    pub survived: u64,
    /// Of these, those with a derivative that is certainly not 0.
    pub moving: u64,
    /// Samples that said nothing.
    pub vacuous: u64,
    /// Of these, the first that could not be asked about, and why.
    pub unasked: Option<(u64, String)>,
    /// The first sample that was not, if there is one.
    pub refutation: Option<Refutation>,
    /// What the programs use, where that was asked for.
    pub contents: Contents,
    /// Whether not all samples were tried.
    pub interrupted: bool,
}

impl Tally {
    /// Whether nothing refutes the statement, and enough samples could have: at least [`LEAST`] of a hundred have a derivative
    /// that is not 0.
    #[must_use]
    pub fn holds(&self) -> bool {
        let tried = self.survived + self.vacuous;
        self.refutation.is_none() && self.moving > 0 && self.moving * 100 >= tried * LEAST && !self.interrupted
    }
}

/// What was found at one sample.
struct Found {
    index: u64,
    uses: Option<Uses>,
    judged: Result<Judged, GlueError>,
}

/// How many samples of a hundred must have a derivative that is not 0.
pub const LEAST: u64 = 50;
/// What random programs, point and arguments have at most, in heads.
const SIZE: usize = 6;
/// How often a sample is drawn anew.
const ATTEMPTS: usize = 12;
/// The most coordinates of a jet that is tried.
const MOST_COORDINATES: usize = 130;
/// How many smaller programs are tried of one that refutes.
const PATIENCE: usize = 400;

impl Experiment<'_> {
    /// The sample of a number.
    ///
    /// # Errors
    /// [`GlueError::Basis`]
    pub fn sample(&self, trials: &Trials, index: u64) -> Result<Sample, GlueError> {
        let mut random = Random::of(trials.seed, index);
        let basis = match self.range {
            Range::UpTo(most_k, most_r) => {
                let (k, r) = (1 + random.below(most_k), 1 + random.below(most_r));
                Basis::new(trials.directions.unwrap_or(k), trials.order.unwrap_or(r))?
            }
            Range::Levels(most) => {
                let order = match (trials.order, trials.directions) {
                    (Some(order), _) => order,
                    (None, given) => 1 + random.below(most / given.unwrap_or(1).max(1)),
                };
                let directions = trials.directions.unwrap_or_else(|| 1 + random.below(most / order.max(1)));
                Basis::new(directions, order)?
            }
            Range::Only(k, r) => Basis::new(k, r)?,
        };
        let basis = Arc::new(basis);
        let mut draw = || {
            let terms = (self.draw)(&mut random);
            Sample { terms, basis: basis.clone(), seed: random.next(), size: 1 + random.below(SIZE) }
        };
        // what says nothing, and what ignores its inputs, is drawn anew
        let mut sample = draw();
        for _ in 0..ATTEMPTS {
            if self.moves(&sample) {
                break;
            }
            sample = draw();
        }
        Ok(sample)
    }

    /// Whether the statement can be asked of a k and an R that are given.
    fn fits(&self, trials: &Trials) -> Result<(), GlueError> {
        // neither may be 0
        Basis::new(trials.directions.unwrap_or(1), trials.order.unwrap_or(1))?;
        match self.range {
            Range::Only(directions, order)
                if trials.directions.is_some_and(|k| k != directions) || trials.order.is_some_and(|r| r != order) =>
            {
                Err(GlueError::Only { directions, order })
            }
            Range::Levels(most) if trials.directions.unwrap_or(1) * trials.order.unwrap_or(1) > most => {
                let (directions, order) = (trials.directions.unwrap_or(1), trials.order.unwrap_or(1));
                Err(GlueError::Levels { directions, order, most })
            }
            // what is not given is drawn, and must fit as well
            Range::UpTo(most_k, most_r) if trials.directions.is_some() || trials.order.is_some() => {
                let largest = Basis::new(trials.directions.unwrap_or(most_k), trials.order.unwrap_or(most_r))?;
                let (directions, order, found) = (largest.directions(), largest.order(), largest.len());
                if found > MOST_COORDINATES {
                    return Err(GlueError::Large { directions, order, found, most: MOST_COORDINATES });
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Judges the samples on several threads, up to the first that refutes; with the number of that one.
    fn judged(&self, trials: &Trials) -> Result<(Vec<Found>, u64), GlueError> {
        self.fits(trials)?;
        let threads = crate::parallel::cores().min(trials.samples.max(1) as usize);
        let next = AtomicU64::new(0);
        let first = AtomicU64::new(u64::MAX);
        let work = || {
            let mut found: Vec<Found> = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= trials.samples || index > first.load(Ordering::Relaxed) {
                    return found;
                }
                if trials.interrupted.load(Ordering::Relaxed) {
                    return found;
                }
                let mut uses = None;
                let judged = self.sample(trials, index).and_then(|sample| {
                    uses = if trials.looks && index < LOOKED_INTO { self.uses(&sample) } else { None };
                    (self.judge)(&sample)
                });
                if judged.as_ref().is_ok_and(|judged| judged.verdict.is_refuted()) {
                    first.fetch_min(index, Ordering::Relaxed);
                }
                found.push(Found { index, uses, judged });
                trials.done.fetch_add(1, Ordering::Relaxed);
            }
        };
        let mut found: Vec<Found> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(|| crate::parallel::as_part(work))).collect();
            let join = |handle: std::thread::ScopedJoinHandle<'_, _>| {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            handles.into_iter().flat_map(join).collect()
        });
        found.sort_by_key(|found| found.index);
        Ok((found, first.into_inner()))
    }

    /// The number of the first sample that refutes, as it was drawn.
    ///
    /// # Errors
    /// [`GlueError::Basis`], for a k or R that was given.
    pub fn refuted_at(&self, trials: &Trials) -> Result<Option<u64>, GlueError> {
        let (_, first) = self.judged(trials)?;
        Ok((first < u64::MAX).then_some(first))
    }

    /// Tries the samples, and makes what refutes smaller.
    ///
    /// # Errors
    /// [`GlueError::Basis`], for a k or R that was given.
    pub fn tried(&self, trials: &Trials) -> Result<Tally, GlueError> {
        let (found, first) = self.judged(trials)?;
        let mut outcome = Tally { interrupted: trials.interrupted.load(Ordering::Relaxed), ..Tally::default() };
        for Found { index, uses, judged } in found.into_iter().filter(|found| found.index <= first) {
            uses.into_iter().for_each(|uses| outcome.contents.count(uses));
            let moves = judged.as_ref().is_ok_and(Judged::moves);
            match judged.map(|judged| judged.verdict) {
                Ok(Verdict::Survived) => {
                    outcome.survived += 1;
                    outcome.moving += u64::from(moves);
                }
                Ok(Verdict::Vacuous) => outcome.vacuous += 1,
                Err(error) => {
                    outcome.vacuous += 1;
                    outcome.unasked.get_or_insert_with(|| (index, error.to_string()));
                }
                Ok(verdict @ Verdict::Refuted { .. }) => {
                    outcome.refutation = Some(self.smallest(index, self.sample(trials, index)?, verdict, trials));
                }
            }
        }
        Ok(outcome)
    }

    /// A smaller sample that refutes as well: smaller k and R first, then smaller programs.
    fn smallest(&self, index: u64, mut sample: Sample, verdict: Verdict, trials: &Trials) -> Refutation {
        let mut last = verdict;
        let mut refutes = |sample: &Sample| match (self.judge)(sample).map(|judged| judged.verdict) {
            Ok(verdict @ Verdict::Refuted { .. }) => {
                last = verdict;
                true
            }
            _ => false,
        };
        let (most_k, most_r) = (sample.basis.directions(), sample.basis.order());
        let all = (1..=most_k).flat_map(|k| (1..=most_r).map(move |r| (k, r)));
        for (k, r) in all {
            let given = trials.directions.is_some_and(|d| d != k)
                || trials.order.is_some_and(|o| o != r)
                || matches!(self.range, Range::Only(..));
            let Some(basis) = Basis::new(k, r).ok().filter(|_| !given) else { continue };
            let smaller = Sample { basis: Arc::new(basis), ..sample.clone() };
            if refutes(&smaller) {
                sample = smaller;
                break;
            }
        }
        for size in 1..sample.size {
            let smaller = Sample { size, ..sample.clone() };
            if refutes(&smaller) {
                sample = smaller;
                break;
            }
        }
        loop {
            let before: usize = sample.terms.iter().map(Term::size).sum();
            for place in 0..sample.terms.len() {
                let mut changed = sample.clone();
                sample.terms[place] = shrink::smallest(sample.terms[place].clone(), PATIENCE, |term| {
                    changed.terms[place] = term.clone();
                    refutes(&changed)
                });
            }
            if sample.terms.iter().map(Term::size).sum::<usize>() >= before {
                break;
            }
        }
        // the sides are those of the sample that is reported
        refutes(&sample);
        let basis = (sample.basis.directions(), sample.basis.order());
        let programs = sample.terms.iter().map(Term::to_string).collect();
        let (witness, left, right) = match last {
            Verdict::Refuted { witness, left, right } => (witness, left, right),
            Verdict::Survived | Verdict::Vacuous => Default::default(),
        };
        Refutation { index, programs, basis, witness, left, right }
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (k, r) = self.basis;
        for program in &self.programs {
            writeln!(f, "  program  {program}")?;
        }
        writeln!(f, "  k, R     {k}, {r}\n  where    {}", self.witness)?;
        write!(f, "  left     {}\n  right    {}", self.left, self.right)
    }
}
