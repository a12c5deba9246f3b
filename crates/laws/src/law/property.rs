//! Laws quantified over terms, tried by quickcheck.
//!
//! The types of the binders are values at run time, so a [`Property`] is its own [`Testable`]: quickcheck decides how many
//! samples are drawn, from what stream, and how many may be vacuous; the terms are drawn by [`generate`], made
//! smaller by [`shrink`], and what is reported is the smallest terms that refute, with both sides.
//!
//! [`generate`]: super::generate
//! [`shrink`]: super::shrink

use super::generate::Vocabulary;
use super::sampling::Binder;
use super::shrink;
use super::term::Term;
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What is said of the terms: a verdict on each tuple of them.
pub type Predicate = dyn Fn(&[Term]) -> Verdict + Send + Sync;

/// A law: for all closed terms of these types, a statement.
#[derive(Clone)]
pub struct Property {
    binders: Vec<Binder>,
    statement: Arc<Predicate>,
    /// Whether nothing more is to be tried.
    is_over: Arc<dyn Fn() -> bool + Send + Sync>,
    /// What the last run found.
    found: Arc<Mutex<Option<Refutation>>>,
    count: Arc<Count>,
}

/// What a run has drawn.
#[derive(Debug, Default)]
struct Count {
    drawn: AtomicU64,
    said: AtomicU64,
    /// As many that say nothing, and none that does, are enough.
    silent: AtomicU64,
}

/// How hard a law is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trials {
    /// How many samples must survive.
    pub samples: u64,
    /// How many are drawn for that at most, vacuous ones included; fewer where none of many says anything.
    pub most: u64,
    /// How many heads a term has, at most.
    pub size: usize,
    /// What the samples depend on, and nothing else.
    pub seed: u64,
}

impl Default for Trials {
    /// 100 samples that are not vacuous among 1000, with at most 12 heads.
    fn default() -> Self {
        Self { samples: 100, most: 1000, size: 12, seed: 0 }
    }
}

/// Terms that refute a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// A term for each binder.
    pub witness: Vec<Term>,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
}

/// What became of a law.
#[derive(Clone, Debug, PartialEq)]
pub enum Conclusion {
    /// It is wrong.
    Refuted(Box<Refutation>),
    /// As many samples as were asked for survived.
    Survived,
    /// Nothing refuted it, but too few samples said anything.
    Vacuous {
        /// How many were drawn.
        drawn: u64,
    },
}

/// Smaller terms are looked for this often, for each binder.
const PATIENCE: usize = 400;

/// A law needs a certain share of samples that say something. With that share, there would be none among this many times its reciprocal
/// once in e¹⁰ runs: after these, and as many as must survive, it is vacuous.
const SILENCE: u64 = 10;

impl Property {
    /// The law that a statement holds for all closed terms of these types. A statement that cannot be asked of some terms
    /// is vacuous of them: the shrinker tries terms that are ill-typed.
    #[must_use]
    pub fn new(binders: Vec<Ty>, statement: impl Fn(&[Term]) -> Verdict + Send + Sync + 'static) -> Self {
        let full = |ty: Ty| Binder { vocabulary: Vocabulary::Full, ..ty.into() };
        Self::of(binders.into_iter().map(full).collect(), statement)
    }

    /// The same for terms that are drawn with demands.
    #[must_use]
    pub fn of(binders: Vec<Binder>, statement: impl Fn(&[Term]) -> Verdict + Send + Sync + 'static) -> Self {
        Self {
            binders,
            statement: Arc::new(statement),
            is_over: Arc::new(|| false),
            found: Arc::default(),
            count: Arc::default(),
        }
    }

    /// The law, of which nothing more is tried as soon as this holds.
    #[must_use]
    pub fn until(self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { is_over: Arc::new(is_over), ..self }
    }

    /// Tries the law.
    #[must_use]
    pub fn tried(&self, trials: Trials) -> Conclusion {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.count.drawn.store(0, Relaxed);
        self.count.said.store(0, Relaxed);
        let rare = SILENCE.saturating_mul(trials.most.div_ceil(trials.samples.max(1)));
        self.count.silent.store(rare.max(trials.samples), Relaxed);
        let result = QuickCheck::new()
            .tests(trials.samples)
            .max_tests(trials.most)
            .min_tests_passed(trials.samples)
            .rng(Gen::from_size_and_seed(trials.size, trials.seed))
            .quicktest(self.clone());
        match (self.found.lock().unwrap_or_else(PoisonError::into_inner).take(), result) {
            (Some(refutation), _) => Conclusion::Refuted(Box::new(refutation)),
            (None, Ok(passed)) if passed >= trials.samples => Conclusion::Survived,
            (None, _) => Conclusion::Vacuous { drawn: self.count.drawn.load(Relaxed) },
        }
    }

    /// The smallest terms that can be reached from some, one binder at a time, and still refute.
    fn shrunk(&self, mut witness: Vec<Term>, mut last: (String, String)) -> Refutation {
        let refutes = |terms: &[Term]| match (self.statement)(terms) {
            Verdict::Refuted { left, right, .. } => Some((left, right)),
            Verdict::Survived | Verdict::Vacuous => None,
        };
        loop {
            let before: usize = witness.iter().map(Term::size).sum();
            for i in 0..witness.len() {
                let mut others = witness.clone();
                witness[i] = shrink::smallest(witness[i].clone(), PATIENCE, |smaller| {
                    others[i] = smaller.clone();
                    let found = refutes(&others);
                    found.is_some_and(|sides| {
                        last = sides;
                        true
                    })
                });
            }
            if witness.iter().map(Term::size).sum::<usize>() >= before {
                break;
            }
        }
        let (left, right) = last;
        Refutation { witness, left, right }
    }
}

impl Testable for Property {
    fn result(&self, g: &mut Gen) -> TestResult {
        let Count { drawn, said, silent } = &*self.count;
        let is_silent = said.load(Relaxed) == 0 && drawn.load(Relaxed) >= silent.load(Relaxed);
        if is_silent || (self.is_over)() {
            return TestResult::discard();
        }
        drawn.fetch_add(1, Relaxed);
        let size = g.size();
        let mut random = Random::new(u64::arbitrary(g));
        let draw = |binder: &Binder| {
            let size = 1 + random.below(size);
            binder.draw(&mut random, size)
        };
        let terms: Vec<Term> = self.binders.iter().map(draw).collect();
        match (self.statement)(&terms) {
            Verdict::Survived => {
                said.fetch_add(1, Relaxed);
                TestResult::passed()
            }
            Verdict::Vacuous => TestResult::discard(),
            Verdict::Refuted { left, right, .. } => {
                let refutation = self.shrunk(terms, (left, right));
                let message = refutation.to_string();
                *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(refutation);
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

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.witness.iter().map(Term::to_string).collect();
        write!(f, "at {}: {} is not {}", terms.join(" and "), self.left, self.right)
    }
}
