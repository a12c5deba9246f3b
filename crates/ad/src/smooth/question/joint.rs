//! Numbers that are computed together, in one run of a program.
//!
//! Each is a computable real number by itself. Finished runs are cached. The best enclosure of each number from any
//! run, finished or not, is kept as well: the number evaluated next starts from it, even if the budget is used up by
//! then.

use crate::number::Enclosure;
use crate::number::Magnitude;
use crate::number::effort::{Effort, Left, Shortcuts};
use crate::number::real::{Approximation, Tier};
use crate::smooth::error::SmoothError;
use crate::smooth::spine::Ledger;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

/// A program that computes several numbers in one run.
pub trait Run: Debug + Send + Sync {
    /// Returns the numbers; ⊥ for one that is not certainly defined.
    ///
    /// # Errors
    /// Errors of the program.
    fn run(&self, tier: Tier, effort: &Effort, followed: Followed) -> Result<Vec<Enclosure>, SmoothError>;

    /// Returns the number of numbers.
    fn count(&self) -> usize;

    /// Returns a precision below which the numbers may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32;

    /// Returns `true` if the program contains solvers, which stop at a tolerance.
    fn has_solver(&self) -> bool;
}

/// The connections of a run: earlier results, and an observer of intermediate ones.
#[derive(Clone, Copy)]
pub struct Followed<'f> {
    /// Results of solvers from other runs.
    pub ledger: &'f Ledger,
    /// Observer of intermediate enclosures.
    pub hear: &'f dyn Fn(&[Enclosure]),
}

/// One of several numbers that are computed together.
#[derive(Debug)]
pub struct Component<R> {
    joint: Arc<Joint<R>>,
    index: usize,
}

#[derive(Debug)]
struct Joint<R> {
    run: R,
    ledger: Ledger,
    known: Mutex<Known>,
}

impl<R> Joint<R> {
    fn new(run: R) -> Self {
        Self { run, ledger: Ledger::default(), known: Mutex::default() }
    }
}

/// The results of earlier runs.
#[derive(Debug, Default)]
struct Known {
    ended: VecDeque<Ended>,
    /// For each number the intersection of all enclosures so far; empty before the first.
    best: Vec<Enclosure>,
    /// The numbers of the promises that the enclosures assume.
    assumed: Vec<u32>,
}

/// The largest number of cached runs. A choice: passes repeat within a few tolerances.
const RUNS: usize = 16;

/// The parameters of a run: precision, tolerance, solver options, number of raised efforts.
type Kind = (Tier, Magnitude, Shortcuts, u32);

/// A run that was not cut short: its enclosures, its unspent effort and the promises it assumes.
#[derive(Debug)]
struct Ended {
    kind: Kind,
    found: Vec<Enclosure>,
    left: Left,
    assumed: Vec<u32>,
}

impl Known {
    /// Records enclosures, unless the budget has cut short something that they might rest on. A disjoint enclosure
    /// replaces the old one: the contradiction is reported where the number is evaluated.
    fn learn(&mut self, found: &[Enclosure], effort: &Effort) {
        if effort.budget.is_cut() {
            return;
        }
        self.best.resize_with(found.len(), Enclosure::bottom);
        for (best, found) in self.best.iter_mut().zip(found) {
            *best = best.intersection(found).unwrap_or_else(|| found.clone());
        }
        let new = effort.assumed().into_iter().filter(|site| !self.assumed.contains(site)).collect::<Vec<_>>();
        self.assumed.extend(new);
    }
}

impl<R: Run> Component<R> {
    /// Returns all numbers of a run.
    #[must_use]
    pub fn all(run: R) -> Vec<Self> {
        let count = run.count();
        let joint = Arc::new(Joint::new(run));
        (0..count).map(|index| Self { joint: joint.clone(), index }).collect()
    }

    /// Returns the first number of a run.
    #[must_use]
    pub fn alone(run: R) -> Self {
        Self { joint: Arc::new(Joint::new(run)), index: 0 }
    }

    /// Returns the program.
    pub fn of(&self) -> &R {
        &self.joint.run
    }

    /// Returns `true` if the run computes other numbers too.
    fn has_company(&self) -> bool {
        self.joint.run.count() > 1
    }
}

impl<R: Run> Approximation for Component<R> {
    type Error = SmoothError;

    fn approximate(&self, tier: Tier, effort: &Effort) -> Result<Enclosure, SmoothError> {
        let kind = (tier, effort.tolerance(), effort.shortcuts, effort.times_raised());
        // the lock is held for the whole run: another thread that needs a number of this program waits for it
        let known = RefCell::new(self.joint.known.lock().unwrap_or_else(PoisonError::into_inner));
        {
            let known = known.borrow();
            if let Some(best) = known.best.get(self.index) {
                effort.recall(best, &known.assumed);
                if effort.budget.is_cut() {
                    return Ok(best.clone());
                }
            }
            if let Some(run) = known.ended.iter().find(|run| run.kind == kind) {
                effort.adopt(run.left, &run.assumed);
                return Ok(run.found[self.index].clone());
            }
        }
        let hear = |found: &[Enclosure]| {
            effort.tell(&found[self.index]);
            if self.has_company() {
                known.borrow_mut().learn(found, effort);
            }
        };
        let found = self.joint.run.run(tier, effort, Followed { ledger: &self.joint.ledger, hear: &hear })?;
        let component = found[self.index].clone();
        if !effort.budget.is_cut() {
            hear(&found);
            let known = &mut *known.borrow_mut();
            // a choice: the oldest run is dropped
            if known.ended.len() == RUNS {
                known.ended.pop_front();
            }
            let (left, assumed) = (effort.left(), effort.assumed());
            known.ended.push_back(Ended { kind, found, left, assumed });
        }
        Ok(component)
    }

    fn least_precision(&self) -> u32 {
        self.joint.run.least_precision()
    }

    fn has_solver(&self) -> bool {
        self.joint.run.has_solver()
    }
}
