//! Numbers that are computed together: what one of them makes a program compute, the others have.
//!
//! Each is a real number that can be asked by itself. The runs that ended are kept, and so is the best that any run, whether it
//! ended or not, has found of each; so the next to be asked has that much at least, also where the first has used up the budget.

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

/// What computes several numbers in one run.
pub trait Run: Debug + Send + Sync {
    /// The numbers, ⊥ where one is not shown to be defined.
    ///
    /// # Errors
    /// Those of the program.
    fn run(&self, tier: Tier, effort: &Effort, followed: Followed) -> Result<Vec<Enclosure>, SmoothError>;

    /// How many numbers there are.
    fn count(&self) -> usize;

    /// A precision below which the numbers may be worthless: the size of the largest constant, in bits.
    fn least_precision(&self) -> u32;

    /// Whether solvers have a part in them, which a tolerance stops.
    fn has_solver(&self) -> bool;
}

/// What follows a run on its way.
#[derive(Clone, Copy)]
pub struct Followed<'f> {
    /// What other runs have found of the solvers.
    pub ledger: &'f Ledger,
    /// Who hears of the numbers before the run is over.
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

/// What runs have found.
#[derive(Debug, Default)]
struct Known {
    ended: VecDeque<Ended>,
    /// The intersections of all that was found of each number, once there is something.
    best: Vec<Enclosure>,
    /// The numbered places whose promise these rest on.
    assumed: Vec<u32>,
}

/// How many runs are kept.
const RUNS: usize = 16;

/// On what terms a run was made.
type Kind = (Tier, Magnitude, Shortcuts, u32);

/// What a run that was not cut short gave, and what it said about its effort.
#[derive(Debug)]
struct Ended {
    kind: Kind,
    found: Vec<Enclosure>,
    left: Left,
    assumed: Vec<u32>,
}

impl Known {
    /// Adds what was found, unless the budget has cut something short that it might rest on. What is disjoint from what was
    /// known is noticed where the number is asked.
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
    /// All numbers that a run gives.
    #[must_use]
    pub fn all(run: R) -> Vec<Self> {
        let count = run.count();
        let joint = Arc::new(Joint::new(run));
        (0..count).map(|index| Self { joint: joint.clone(), index }).collect()
    }

    /// The first number that a run gives.
    #[must_use]
    pub fn alone(run: R) -> Self {
        Self { joint: Arc::new(Joint::new(run)), index: 0 }
    }

    /// What computes it.
    pub fn of(&self) -> &R {
        &self.joint.run
    }

    /// Whether there are others, to whom it makes a difference what is found.
    fn has_company(&self) -> bool {
        self.joint.run.count() > 1
    }
}

impl<R: Run> Approximation for Component<R> {
    type Error = SmoothError;

    fn approximate(&self, tier: Tier, effort: &Effort) -> Result<Enclosure, SmoothError> {
        let kind = (tier, effort.tolerance(), effort.shortcuts, effort.times_raised());
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
