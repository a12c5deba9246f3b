//! The test of all statements of theories, in all models that they name, on several threads.

use super::trial::{Effort, Standing, Trial};
use super::{Claim, Theory};
use crate::meaning;
use crate::model::answer::Meaning;
use crate::parallel::as_part;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::theory::law::{Law, Relation};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// A claim or a law.
#[derive(Clone, Copy, Debug)]
pub enum Item<'t> {
    /// A claim.
    Claim(&'t Claim),
    /// A law.
    Law(&'t Law),
}

impl Item<'_> {
    /// Returns the name in the theory.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Claim(claim) => &claim.name,
            Self::Law(law) => &law.name,
        }
    }

    /// Returns the place of the statement in the source of the theory.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Claim(claim) => claim.span,
            Self::Law(law) => law.span,
        }
    }

    /// Tests the statement in the model of `trial`.
    #[must_use]
    pub fn tried(&self, trial: &Trial<'_>) -> Standing {
        match self {
            Self::Claim(claim) => trial.claim(claim),
            Self::Law(law) => trial.law(law),
        }
    }

    /// Returns the reason that the theory gives; `None` if there is none.
    #[must_use]
    pub fn because(&self) -> Option<&str> {
        match self {
            Self::Claim(claim) => Some(&claim.because),
            Self::Law(law) => law.because.as_deref(),
        }
    }

    /// Returns `true` if the statement asserts equal normal forms, which is stronger than equal values.
    #[must_use]
    pub fn compares_programs(&self) -> bool {
        let statement = match self {
            Self::Claim(claim) => match &claim.statement {
                super::Statement::Related(related) => related,
                _ => return false,
            },
            Self::Law(law) => &law.statement,
        };
        statement.relation == Relation::NormalForm
    }

    /// Returns `true` if the theory marks the statement as false.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Law(law) if law.refuted)
    }
}

/// One statement with the model to test it in.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The theory that makes the statement.
    pub theory: &'t Theory,
    /// The claim or law.
    pub item: Item<'t>,
    /// The model.
    pub meaning: &'static dyn Meaning,
}

/// The report on one task.
pub struct Finding<'t> {
    /// The task.
    pub task: Task<'t>,
    /// The outcome.
    pub outcome: Standing,
    /// The time that the test took.
    pub elapsed: Duration,
}

/// Lists the tests of some theories in `models`, which may include the caller's own. If `models` is empty, each theory
/// is tested in the default model and in the models that it names. A statement that does not depend on the model is
/// tested in the default model alone.
#[must_use]
pub fn tasks<'t>(theories: &[&'t Theory], models: &[&'static dyn Meaning]) -> Vec<Task<'t>> {
    let asked = if models.is_empty() { meaning::all() } else { models };
    let mut tasks = Vec::new();
    for &theory in theories {
        let claims = theory.claims.iter().map(Item::Claim);
        for item in claims.chain(theory.laws.iter().map(Item::Law)) {
            // a floating-point semantics encloses nothing, so it can neither confirm nor refute
            for meaning in asked.iter().copied().filter(|meaning| meaning.encloses()) {
                let line = theory.models.iter().find(|line| *line.model == *meaning.name());
                let wanted = !models.is_empty() || meaning.name() == meaning::DEFAULT || line.is_some();
                let excepted = theory.excepts(meaning.name(), item.name());
                if wanted && !excepted && (meaning.name() == meaning::DEFAULT || needs_a_model(item)) {
                    tasks.push(Task { theory, item, meaning });
                }
            }
        }
    }
    tasks
}

/// Returns `true` if the outcome of the statement depends on the model.
pub(super) fn needs_a_model(item: Item<'_>) -> bool {
    let rejects = matches!(item, Item::Claim(claim) if matches!(claim.statement, super::Statement::Rejects { .. }));
    !rejects && !item.compares_programs()
}

/// Runs tasks on several threads. Calls `tell` with the reports in the order of the tasks.
pub fn run<'t>(
    library: &Arc<Library>,
    tasks: &[Task<'t>],
    effort: &Effort,
    threads: usize,
    tell: impl FnMut(Finding<'t>),
) {
    let tried = |task: &Task<'t>| {
        let start = Instant::now();
        let trial = Trial::new(library, task.theory, task.meaning, effort);
        Finding { task: *task, outcome: task.item.tried(&trial), elapsed: start.elapsed() }
    };
    in_parallel(tasks, &effort.interrupted, threads, tried, tell);
}

/// Maps `act` over `things` on several threads. Calls `tell` with the results in the order of `things`. After an
/// interruption, the results behind the first gap are dropped.
pub(super) fn in_parallel<T: Sync, R: Send>(
    things: &[T],
    interrupted: &AtomicBool,
    threads: usize,
    act: impl Fn(&T) -> R + Sync,
    mut tell: impl FnMut(R),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, things.len().max(1)) {
            let (sender, next, act) = (sender.clone(), &next, &act);
            let part = move || {
                loop {
                    // one shared counter: a free worker takes the next, so that slow items do not hold up a fixed share
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(index) else { break };
                    if interrupted.load(Ordering::Relaxed) || sender.send((index, act(thing))).is_err() {
                        break;
                    }
                }
            };
            scope.spawn(move || as_part(part));
        }
        // the receiver ends when the last worker has dropped its sender
        drop(sender);
        let mut waiting: Vec<Option<R>> = things.iter().map(|_| None).collect();
        let mut told = 0;
        // results arrive in any order; each waits until all before it have been reported
        for (index, result) in receiver {
            waiting[index] = Some(result);
            while let Some(result) = waiting.get_mut(told).and_then(Option::take) {
                tell(result);
                told += 1;
            }
        }
    });
}
