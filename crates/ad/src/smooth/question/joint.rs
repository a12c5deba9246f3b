//! Numbers that are computed together, in one run of a program.
//!
//! Each is a computable real number by itself. Finished runs are cached. The best enclosure of each number from any
//! run, finished or not, is kept as well: the number evaluated next starts from it, even if the budget is used up by
//! then.

use crate::number::Enclosure;
use crate::number::Magnitude;
use crate::number::effort::{PassOptions, SolverOptions, UnfinishedWork};
use crate::number::real::{ComputableReal, Precision};
use crate::smooth::error::SmoothError;
use crate::smooth::spine::AnytimeResults;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// A program that computes several numbers in one run.
pub trait JointProgram: Debug + Send + Sync {
    /// Returns the numbers; ⊥ for one that is not certainly defined.
    ///
    /// # Errors
    /// Errors of the program.
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError>;

    /// Returns the number of numbers.
    fn output_count(&self) -> usize;

    /// Returns a precision below which the numbers may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32;

    /// Returns `true` if the program contains solvers, which stop at a tolerance.
    fn has_solver(&self) -> bool;
}

/// The connections of a run: earlier results, and an observer of intermediate ones.
#[derive(Clone, Copy)]
pub struct RunObserver<'f> {
    /// Results of solvers from other runs.
    pub results: &'f AnytimeResults,
    /// Observer of intermediate enclosures.
    pub observe: &'f dyn Fn(&[Enclosure]),
}

/// One of several numbers that are computed together.
#[derive(Debug)]
pub struct JointNumber<R> {
    joint: Arc<SharedProgram<R>>,
    index: usize,
}

#[derive(Debug)]
struct SharedProgram<R> {
    run: R,
    ledger: AnytimeResults,
    known: Mutex<RunCache>,
}

impl<R> SharedProgram<R> {
    fn new(run: R) -> Self {
        Self { run, ledger: AnytimeResults::default(), known: Mutex::default() }
    }
}

/// The results of earlier runs.
#[derive(Debug, Default)]
struct RunCache {
    ended: VecDeque<FinishedRun>,
    /// For each number the intersection of all enclosures so far; empty before the first.
    best: Vec<Enclosure>,
    /// The numbers of the promises that the enclosures assume.
    assumed: Vec<u32>,
}

/// The largest number of cached runs. A choice: passes repeat within a few tolerances.
const MAX_CACHED_RUNS: usize = 16;

/// The parameters of a run: precision, tolerance, solver options, number of raised efforts.
type RunKey = (Precision, Magnitude, SolverOptions, u32);

/// A run that was not cut short: its enclosures, its unspent effort and the promises it assumes.
#[derive(Debug)]
struct FinishedRun {
    kind: RunKey,
    found: Vec<Enclosure>,
    left: UnfinishedWork,
    assumed: Vec<u32>,
}

impl RunCache {
    /// Records enclosures, unless the budget has cut short something that they might rest on. A disjoint enclosure
    /// replaces the old one: the contradiction is reported where the number is evaluated.
    fn record_enclosures(&mut self, found: &[Enclosure], effort: &PassOptions) {
        if effort.budget.was_exhausted() {
            return;
        }
        self.best.resize_with(found.len(), Enclosure::bottom);
        for (best, found) in self.best.iter_mut().zip(found) {
            *best = best.intersection(found).unwrap_or_else(|| found.clone());
        }
        let new = effort.assumed_promises().into_iter().filter(|site| !self.assumed.contains(site)).collect::<Vec<_>>();
        self.assumed.extend(new);
    }
}

impl<R: JointProgram> JointNumber<R> {
    /// Returns all numbers of a run.
    #[must_use]
    pub fn all_of(run: R) -> Vec<Self> {
        let count = run.output_count();
        let joint = Arc::new(SharedProgram::new(run));
        (0..count).map(|index| Self { joint: joint.clone(), index }).collect()
    }

    /// Returns the first number of a run.
    #[must_use]
    pub fn first_of(run: R) -> Self {
        Self { joint: Arc::new(SharedProgram::new(run)), index: 0 }
    }

    /// Returns the program.
    pub fn joint_program(&self) -> &R {
        &self.joint.run
    }

    /// Returns `true` if the run computes other numbers too.
    fn has_siblings(&self) -> bool {
        self.joint.run.output_count() > 1
    }
}

impl<R: JointProgram> ComputableReal for JointNumber<R> {
    type Error = SmoothError;

    fn enclose_in_pass(&self, tier: Precision, effort: &PassOptions) -> Result<Enclosure, SmoothError> {
        let kind = (tier, effort.tolerance(), effort.solver_options, effort.times_raised());
        // the lock is held for the whole run: another thread that needs a number of this program waits for it
        let known = RefCell::new(self.joint.known.lock().unwrap_or_else(PoisonError::into_inner));
        {
            let known = known.borrow();
            if let Some(best) = known.best.get(self.index) {
                effort.republish_enclosure(best, &known.assumed);
                if effort.budget.was_exhausted() {
                    return Ok(best.clone());
                }
            }
            if let Some(run) = known.ended.iter().find(|run| run.kind == kind) {
                effort.absorb_part(run.left, &run.assumed);
                return Ok(run.found[self.index].clone());
            }
        }
        let hear = |found: &[Enclosure]| {
            effort.publish_enclosure(&found[self.index]);
            if self.has_siblings() {
                known.borrow_mut().record_enclosures(found, effort);
            }
        };
        let found =
            self.joint.run.run_joint(tier, effort, RunObserver { results: &self.joint.ledger, observe: &hear })?;
        let component = found[self.index].clone();
        if !effort.budget.was_exhausted() {
            hear(&found);
            let known = &mut *known.borrow_mut();
            // a choice: the oldest run is dropped
            if known.ended.len() == MAX_CACHED_RUNS {
                known.ended.pop_front();
            }
            let (left, assumed) = (effort.unfinished(), effort.assumed_promises());
            known.ended.push_back(FinishedRun { kind, found, left, assumed });
        }
        Ok(component)
    }

    fn least_precision(&self) -> u32 {
        self.joint.run.least_precision()
    }

    fn contains_solver(&self) -> bool {
        self.joint.run.has_solver()
    }
}
