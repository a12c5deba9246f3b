//! The test of a statement on random samples, and the shrinking of counterexamples.
//!
//! A sample consists of some programs, a k, an R, and a seed from which everything else is drawn. It depends on the
//! seed of the run and on its own index alone. So threads do not change the outcome: the reported sample is the first
//! that refutes.
//!
//! # Statistics of the samples
//!
//! The share of the random programs that use what they bind.
//!
//! A theorem tested on programs without functions says nothing about functions. The constructs that a program
//! [uses](UsedConstruct) are found by comparing it with [changed](super::trial) programs, over (1, 1), where that
//! costs little.
//!
//! # Programs with one value changed
//!
//! Programs with one value changed, which show from outside what a result depends on.
//!
//! The occurrence of a variable in a program says little: its value may be discarded. So the value is replaced by
//! another one, and the two programs are compared. Each number in it becomes `5/4 · x + 3/8`, and each function one
//! whose results are changed.
//!
//! # The result of a statement at one sample
//!
//! The verdict, and the numbers that it concerns.
//!
//! A statement about derivatives says little if all derivatives are 0, and nothing if there is no number. So the
//! numbers of the left side are kept beside the verdict. [`VerdictWithValues::has_nonzero_slope`] tells whether some derivative is certainly
//! not 0. [`content`](super::trial) compares the numbers of two programs.

use super::claim::GlueError;
use crate::law::property::judge_in_parallel;
use crate::law::term;
use crate::law::term::{BinderId, TermHead, TestTerm, branch_binder_types};
use crate::meaning::taylor::derive::DeriveError;
use crate::meaning::taylor::jet::Basis;
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::collections::BTreeSet;
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
    /// The number of samples that were not asked: the macro has no rule for an operation of their programs.
    pub not_asked: u64,
    /// The operations without a rule that were met, each as a noun phrase.
    pub without_rule: BTreeSet<String>,
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
            match self.judge_smallest(&sample) {
                Err(fault) if fault.is_of_representation() => return Err(fault),
                Ok(judged) if tells_slope(&judged) => break,
                _ => sample = draw(),
            }
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
        let judge = |index| {
            let mut uses = None;
            let judged = self.draw_sample(trials, index).and_then(|sample| {
                uses = if trials.counts_uses && index < SAMPLES_COUNTED { self.used_constructs(&sample) } else { None };
                (self.judge)(&sample)
            });
            SampleResult { index, uses, judged }
        };
        let ends_test = |found: &SampleResult| match &found.judged {
            Ok(judged) => judged.verdict.is_refuted(),
            Err(error) => error.is_of_representation(),
        };
        let shared = (&*trials.interrupted, &*trials.done);
        let (found, first) = judge_in_parallel(trials.samples, shared, judge, ends_test);
        let mut found: Vec<SampleResult> = found.into_iter().map(|(_, found)| found).collect();
        if let Some(place) =
            found.iter().position(|found| found.judged.as_ref().is_err_and(GlueError::is_of_representation))
        {
            // a fault of the representation says nothing about any theorem
            let _ = found.swap_remove(place).judged?;
        }
        Ok((found, first))
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
                Err(GlueError::Macro(DeriveError::NoRule { construct })) => {
                    outcome.not_asked += 1;
                    outcome.without_rule.insert(construct);
                }
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
        // if nothing at all was asked, there is no outcome
        match outcome.without_rule.first() {
            Some(construct) if outcome.survived + outcome.vacuous == 0 && outcome.refutation.is_none() => {
                Err(DeriveError::NoRule { construct: construct.clone() }.into())
            }
            _ => Ok(outcome),
        }
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
                sample.terms[place] = term::shrink_term(sample.terms[place].clone(), PATIENCE, |term| {
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

/// The number of changes of one program that are tested. A choice: it bounds the cost of the statistics.
const MOST_CHANGES: usize = 16;
/// The number of samples, from the first on, that enter the statistics. A choice.
pub const SAMPLES_COUNTED: u64 = 100;

/// For each construct, whether one program uses it, in the order of [`UsedConstruct::ALL`].
pub type ConstructUses = [bool; UsedConstruct::ALL.len()];

/// The number of programs that use each construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UseCounts {
    /// The number of programs.
    pub programs: u64,
    /// The number of programs that use each construct, in the order of [`UsedConstruct::ALL`].
    pub uses: [u64; UsedConstruct::ALL.len()],
}

impl UseCounts {
    /// Counts one more program.
    pub fn add_program(&mut self, uses: ConstructUses) {
        self.programs += 1;
        self.uses.iter_mut().zip(uses).for_each(|(count, uses)| *count += u64::from(uses));
    }

    /// Returns the share of the programs that use `of`, in percent; 0 without programs.
    #[must_use]
    pub fn percent_using(&self, of: UsedConstruct) -> f64 {
        self.uses[of as usize] as f64 * 100.0 / self.programs.max(1) as f64
    }
}

impl fmt::Display for UseCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<String> =
            UsedConstruct::ALL.iter().map(|of| format!("{} {:.0} %", of.name(), self.percent_using(*of))).collect();
        f.write_str(&shares.join(", "))
    }
}

impl TheoremTest<'_> {
    /// Returns the sample over (1, 1), if the statement is made for several k and R; otherwise the sample itself.
    fn smallest_basis_sample(&self, sample: &TheoremSample) -> Option<TheoremSample> {
        match self.range {
            BasisRange::UpTo(..) | BasisRange::Levels(_) => {
                Some(TheoremSample { basis: Arc::new(Basis::new(1, 1).ok()?), ..sample.clone() })
            }
            BasisRange::Only(..) => Some(sample.clone()),
        }
    }

    /// Judges the sample over the smallest basis.
    fn judge_smallest(&self, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
        (self.judge)(&self.smallest_basis_sample(sample).unwrap_or_else(|| sample.clone()))
    }

    /// Returns the constructs that the first program of the sample uses. Returns `None` if there is no program.
    #[must_use]
    pub fn used_constructs(&self, sample: &TheoremSample) -> Option<ConstructUses> {
        let program = sample.terms.first()?;
        let mut uses = ConstructUses::default();
        // a program that cannot be judged counts as using nothing
        let Some(small) = self.smallest_basis_sample(sample) else { return Some(uses) };
        let Ok(before) = (self.judge)(&small) else { return Some(uses) };
        for change in list_changes(program).take(MOST_CHANGES) {
            // one change that shows is enough for a construct
            if uses[change.of as usize] {
                continue;
            }
            uses[change.of as usize] = change.programs.into_iter().all(|program| {
                let mut changed = small.clone();
                // each of its changed programs must differ, such as both parts of a fold
                changed.terms[0] = program;
                let after = (self.judge)(&changed);
                after.is_ok_and(|after| {
                    if change.of.is_of_slopes() { before.slopes_differ(&after) } else { before.numbers_differ(&after) }
                })
            });
        }
        Some(uses)
    }
}

/// Returns `true` if a derivative of the sample is certainly not 0, or the sample refutes.
fn tells_slope(judged: &VerdictWithValues) -> bool {
    judged.verdict != Verdict::Vacuous && (judged.verdict.is_refuted() || judged.has_nonzero_slope())
}

/// A construct that a program may be observed to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedConstruct {
    /// A variable of a function type: another function gives other derivatives.
    Function,
    /// A fold: the result changes with the state and with the elements.
    Fold,
    /// A match on data that hold numbers: the result changes with the numbers.
    Match,
    /// A match on a recursive type other than lists, under the same condition.
    Inductive,
}

impl UsedConstruct {
    /// All constructs.
    pub const ALL: [Self; 4] = [Self::Function, Self::Fold, Self::Match, Self::Inductive];

    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "functions",
            Self::Fold => "folds",
            Self::Match => "matches",
            Self::Inductive => "trees",
        }
    }

    /// Returns `true` if the derivatives must change; otherwise a change of the values is enough.
    #[must_use]
    pub fn is_of_slopes(self) -> bool {
        self == Self::Function
    }
}

/// A program changed in one place, in each of several ways.
#[derive(Clone, Debug)]
pub struct ProgramChange {
    /// The construct that the program uses if all the changed programs differ from it.
    pub of: UsedConstruct,
    /// The changed programs.
    pub programs: Vec<TestTerm>,
}

/// Returns the changes of a program, from the root on, lazily.
pub fn list_changes(program: &TestTerm) -> impl Iterator<Item = ProgramChange> {
    let mut mover = ProgramChanger { fresh: highest_binder(program) };
    subterm_paths(program).into_iter().flat_map(move |path| {
        let mut local = mover.changes_at_root(subterm_at(program, &path));
        // the local change is of the part alone; it is put back into the whole program
        for change in &mut local {
            for part in &mut change.programs {
                let moved = std::mem::replace(part, TestTerm::real_literal(Rational::new()));
                *part = replace_subterm(program, &path, moved);
            }
        }
        local
    })
}

/// Returns the paths to all subterms, the root first.
fn subterm_paths(term: &TestTerm) -> Vec<Vec<usize>> {
    fn visit(term: &TestTerm, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        found.push(path.clone());
        for (place, part) in term.parts.iter().enumerate() {
            path.push(place);
            visit(part, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    visit(term, &mut Vec::new(), &mut found);
    found
}

/// Returns the subterm at the end of a path.
fn subterm_at<'t>(term: &'t TestTerm, path: &[usize]) -> &'t TestTerm {
    path.iter().fold(term, |term, place| &term.parts[*place])
}

/// Returns the term with the subterm at the end of a path replaced.
fn replace_subterm(term: &TestTerm, path: &[usize], part: TestTerm) -> TestTerm {
    let mut whole = term.clone();
    let place = path.iter().fold(&mut whole, |term, place| &mut term.parts[*place]);
    *place = part;
    whole
}

/// Returns the highest identifier of a binder in the term, 0 if there is none.
fn highest_binder(term: &TestTerm) -> BinderId {
    let own = match &term.head {
        TermHead::Variable(id) | TermHead::Lambda(id, _) | TermHead::Let(id) | TermHead::CutRoot(id, _) => *id,
        TermHead::Iterate { function, counter, state } => *function.max(counter).max(state),
        TermHead::LetRec { function, argument, .. } => *function.max(argument),
        TermHead::Match(_, binders) => binders.iter().flatten().copied().max().unwrap_or(0),
        _ => 0,
    };
    term.parts.iter().map(highest_binder).fold(own, BinderId::max)
}

/// A source of identifiers that occur nowhere in the program.
struct ProgramChanger {
    fresh: BinderId,
}

fn variable_term(id: BinderId, ty: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new())
}

fn lambda_term(id: BinderId, domain: &Ty, body: TestTerm) -> TestTerm {
    let ty = Ty::function(domain.clone(), body.ty.clone());
    TestTerm::new(TermHead::Lambda(id, domain.clone()), ty, vec![body])
}

fn apply_term(function: TestTerm, argument: TestTerm, codomain: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Apply, codomain.clone(), vec![function, argument])
}

/// Returns `5/4 · x + rest`.
fn scale_and_add(x: TestTerm, rest: TestTerm) -> TestTerm {
    // a choice: with 3/8 for `rest`, −3/2 is the only number that is not changed
    let larger = TestTerm::real_operation(Constant::Multiply, vec![TestTerm::real_literal(Rational::from((5, 4))), x]);
    TestTerm::real_operation(Constant::Add, vec![larger, rest])
}

/// Substitutes `by` for a variable. Binders are unique, so nothing is captured.
fn substitute_variable(term: &TestTerm, id: BinderId, by: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return by.clone();
    }
    let parts = term.parts.iter().map(|part| substitute_variable(part, id, by)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

impl ProgramChanger {
    /// Returns an identifier that is not in use.
    fn fresh_id(&mut self) -> BinderId {
        self.fresh += 1;
        self.fresh
    }

    /// Returns the changes at the root of a term.
    fn changes_at_root(&mut self, term: &TestTerm) -> Vec<ProgramChange> {
        match (&term.head, &term.parts[..]) {
            (TermHead::Lambda(id, domain), [_]) => {
                self.change_function_variable(term, 0, *id, domain).into_iter().collect()
            }
            (TermHead::Let(id), [value, _]) => {
                self.change_function_variable(term, 1, *id, &value.ty).into_iter().collect()
            }
            (TermHead::Call(Constant::Fold), [step, _, _]) => self.change_fold(term, step).into_iter().collect(),
            (TermHead::Match(data, binders), [scrutinee, ..]) => {
                self.change_match_variables(term, data, binders, &scrutinee.ty)
            }
            _ => Vec::new(),
        }
    }

    /// Changes a variable of a function type in one part of the term. Returns `None` for a variable of another type.
    fn change_function_variable(
        &mut self,
        term: &TestTerm,
        place: usize,
        id: BinderId,
        ty: &Ty,
    ) -> Option<ProgramChange> {
        let TyKind::Function(..) = ty.kind() else { return None };
        Some(ProgramChange { of: UsedConstruct::Function, programs: vec![self.change_variable(term, place, id, ty)?] })
    }

    /// Changes a variable in one part of the term. Returns `None` if its value holds no number that can be reached.
    fn change_variable(&mut self, term: &TestTerm, place: usize, id: BinderId, ty: &Ty) -> Option<TestTerm> {
        let mut changed = term.clone();
        changed.parts[place] =
            substitute_variable(&term.parts[place], id, &self.change_numbers(variable_term(id, ty), &mut Vec::new())?);
        Some(changed)
    }

    /// Changes the state, and the elements, of a fold. Returns `None` if either holds no number.
    fn change_fold(&mut self, term: &TestTerm, step: &TestTerm) -> Option<ProgramChange> {
        let TyKind::Function(element, rest) = step.ty.kind() else { return None };
        let (x, y) = (self.fresh_id(), self.fresh_id());
        let mut with = |moves_state: bool| {
            let (mut a, mut b) = (variable_term(x, element), variable_term(y, &term.ty));
            if moves_state {
                b = self.change_numbers(b, &mut Vec::new())?;
            } else {
                a = self.change_numbers(a, &mut Vec::new())?;
            }
            let body = apply_term(apply_term(step.clone(), a, rest), b, &term.ty);
            let mut changed = term.clone();
            changed.parts[0] = lambda_term(x, element, lambda_term(y, &term.ty, body));
            Some(changed)
        };
        Some(ProgramChange { of: UsedConstruct::Fold, programs: vec![with(true)?, with(false)?] })
    }

    /// Changes the variables that a match binds, one at a time.
    fn change_match_variables(
        &mut self,
        term: &TestTerm,
        data: &DataType,
        binders: &[Vec<BinderId>],
        scrutinee: &Ty,
    ) -> Vec<ProgramChange> {
        let TyKind::Data(_, arguments) = scrutinee.kind() else { return Vec::new() };
        let mut found = Vec::new();
        for (index, constructor) in data.constructors().enumerate() {
            for (id, ty) in binders[index].iter().zip(branch_binder_types(&constructor, arguments)) {
                let Some(program) = self.change_variable(term, index + 1, *id, &ty) else { continue };
                if let TyKind::Function(..) = ty.kind() {
                    found.push(ProgramChange { of: UsedConstruct::Function, programs: vec![program.clone()] });
                }
                if data.is_recursive() && !data.is_list() {
                    found.push(ProgramChange { of: UsedConstruct::Inductive, programs: vec![program.clone()] });
                }
                found.push(ProgramChange { of: UsedConstruct::Match, programs: vec![program] });
            }
        }
        found
    }

    /// Returns the term with all numbers in it changed that can be reached. Returns `None` if there are none. `open`
    /// holds the recursive types around it.
    fn change_numbers(&mut self, term: TestTerm, open: &mut Vec<Ty>) -> Option<TestTerm> {
        let ty = term.ty.clone();
        match ty.kind() {
            TyKind::Real => Some(scale_and_add(term, TestTerm::real_literal(Rational::from((3, 8))))),
            TyKind::Function(domain, codomain) => {
                let x = self.fresh_id();
                let (argument, is_real) = (variable_term(x, domain), matches!(domain.kind(), TyKind::Real));
                let result = apply_term(term, argument.clone(), codomain);
                let body = match codomain.kind() {
                    // adding the argument changes the derivative too, even of a constant function
                    TyKind::Real if is_real => scale_and_add(result, argument),
                    _ => self.change_numbers(result, open)?,
                };
                Some(lambda_term(x, domain, body))
            }
            TyKind::Tuple(types) => {
                let x = self.fresh_id();
                // the tuple is bound, so that its term is not copied into every component
                let whole = variable_term(x, &ty);
                let part = |i: usize, ty: &Ty| TestTerm::new(TermHead::Project(i), ty.clone(), vec![whole.clone()]);
                let parts = types.iter().enumerate().map(|(i, ty)| self.change_or_keep(part(i, ty), open));
                let parts: Vec<(bool, TestTerm)> = parts.collect();
                if !parts.iter().any(|(is_moved, _)| *is_moved) {
                    return None;
                }
                let tuple =
                    TestTerm::new(TermHead::Tuple, ty.clone(), parts.into_iter().map(|(_, part)| part).collect());
                Some(TestTerm::new(TermHead::Let(x), ty.clone(), vec![term, tuple]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let (x, rest) = (self.fresh_id(), self.fresh_id());
                let head = self.change_numbers(variable_term(x, &arguments[0]), open)?;
                let cons = TestTerm::new(
                    TermHead::Inject(Constructor::cons()),
                    ty.clone(),
                    vec![head, variable_term(rest, &ty)],
                );
                let step = lambda_term(x, &arguments[0], lambda_term(rest, &ty, cons));
                let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), ty.clone(), Vec::new());
                Some(TestTerm::apply_constant(Constant::Fold, ty.clone(), vec![step, nil, term]))
            }
            // of a recursive type only the outermost layer is changed: `open` stops the recursion
            TyKind::Data(data, arguments) if !open.contains(&ty) => {
                open.push(ty.clone());
                let (mut parts, mut binders, mut any) = (vec![term], Vec::new(), false);
                for constructor in data.constructors() {
                    let ids: Vec<(BinderId, Ty)> = branch_binder_types(&constructor, arguments)
                        .into_iter()
                        .map(|ty| (self.fresh_id(), ty))
                        .collect();
                    let arguments = ids.iter().map(|(id, ty)| {
                        let (is_moved, part) = self.change_or_keep(variable_term(*id, ty), open);
                        any = any || is_moved;
                        part
                    });
                    let arguments = arguments.collect();
                    parts.push(TestTerm::new(TermHead::Inject(constructor), ty.clone(), arguments));
                    binders.push(ids.into_iter().map(|(id, _)| id).collect());
                }
                open.pop();
                any.then(|| TestTerm::new(TermHead::Match(data.clone(), binders), ty.clone(), parts))
            }
            _ => None,
        }
    }

    /// Returns the changed term and `true`, or the term itself and `false` if it cannot be changed.
    fn change_or_keep(&mut self, term: TestTerm, open: &mut Vec<Ty>) -> (bool, TestTerm) {
        match self.change_numbers(term.clone(), open) {
            Some(moved) => (true, moved),
            None => (false, term),
        }
    }
}

/// A verdict at one sample, with the numbers of the left side.
#[derive(Clone, Debug)]
#[must_use = "a verdict that nobody reads refutes nothing"]
pub struct VerdictWithValues {
    /// The verdict.
    pub verdict: Verdict,
    /// Enclosures of the numbers that are values.
    pub values: Vec<Enclosure>,
    /// Enclosures of the numbers that are derivatives.
    pub slopes: Vec<Enclosure>,
}

impl From<Verdict> for VerdictWithValues {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, values: Vec::new(), slopes: Vec::new() }
    }
}

impl PartialEq<Verdict> for VerdictWithValues {
    fn eq(&self, verdict: &Verdict) -> bool {
        self.verdict == *verdict
    }
}

impl fmt::Display for VerdictWithValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verdict.fmt(f)
    }
}

impl VerdictWithValues {
    /// Makes a verdict on numbers, each marked `true` if it is a derivative and `false` if it is a value.
    pub fn with_numbers(verdict: Verdict, numbers: impl IntoIterator<Item = (bool, Enclosure)>) -> Self {
        let mut judged = Self::from(verdict);
        for (is_slope, number) in numbers {
            if is_slope { &mut judged.slopes } else { &mut judged.values }.push(number);
        }
        judged
    }

    /// Returns `true` if the verdict is a refutation.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.verdict.is_refuted()
    }

    /// Returns `true` if some derivative is certainly not 0.
    #[must_use]
    pub fn has_nonzero_slope(&self) -> bool {
        self.slopes.iter().any(|slope| slope.is_defined() && !slope.contains(&Rational::new()))
    }

    /// Returns `true` if some derivative certainly differs from that of `other`.
    #[must_use]
    pub fn slopes_differ(&self, other: &Self) -> bool {
        certainly_differ(&self.slopes, &other.slopes)
    }

    /// Returns `true` if some number certainly differs from that of `other`.
    #[must_use]
    pub fn numbers_differ(&self, other: &Self) -> bool {
        self.slopes_differ(other) || certainly_differ(&self.values, &other.values)
    }

    /// Combines the verdicts by [`Verdict::and`], and keeps the numbers of both.
    pub fn and(self, other: Self) -> Self {
        self.join_with(other, Verdict::and)
    }

    /// Combines the verdicts by [`Verdict::and_part`], and keeps the numbers of both.
    pub fn both(self, other: Self) -> Self {
        self.join_with(other, Verdict::and_part)
    }

    fn join_with(mut self, other: Self, join: fn(Verdict, Verdict) -> Verdict) -> Self {
        self.verdict = join(self.verdict, other.verdict);
        self.values.extend(other.values);
        self.slopes.extend(other.slopes);
        self
    }
}

/// Returns `true` if the lists have different lengths, or two defined enclosures are disjoint.
fn certainly_differ(left: &[Enclosure], right: &[Enclosure]) -> bool {
    let apart = |(a, b): (&Enclosure, &Enclosure)| a.is_defined() && b.is_defined() && !a.overlaps(b);
    left.len() != right.len() || left.iter().zip(right).any(apart)
}
