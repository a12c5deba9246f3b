//! The test of all statements of theories, in all models that they name, on several threads.

use super::trial::{StatementOutcome, StatementTest, StatementTestConfig};
use super::{Theory, TheoryClaim};
use crate::meaning;
use crate::model::answer::Semantics;
use crate::parallel::run_as_part;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::theory::law::{StatementRelation, TheoryLaw};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// A claim or a law.
#[derive(Clone, Copy, Debug)]
pub enum StatementRef<'t> {
    /// A claim.
    Claim(&'t TheoryClaim),
    /// A law.
    Law(&'t TheoryLaw),
}

impl StatementRef<'_> {
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
    pub fn test_in(&self, trial: &StatementTest<'_>) -> StatementOutcome {
        match self {
            Self::Claim(claim) => trial.test_claim(claim),
            Self::Law(law) => trial.test_law(law),
        }
    }

    /// Returns the reason that the theory gives; `None` if there is none.
    #[must_use]
    pub fn given_reason(&self) -> Option<&str> {
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
                super::ClaimStatement::Related(related) => related,
                _ => return false,
            },
            Self::Law(law) => &law.statement,
        };
        statement.relation == StatementRelation::NormalForm
    }

    /// Returns `true` if the theory marks the statement as false.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Law(law) if law.refuted)
    }
}

/// One statement with the model to test it in.
#[derive(Clone, Copy)]
pub struct CheckTask<'t> {
    /// The theory that makes the statement.
    pub theory: &'t Theory,
    /// The claim or law.
    pub item: StatementRef<'t>,
    /// The model.
    pub meaning: &'static dyn Semantics,
}

/// The report on one task.
pub struct CheckReport<'t> {
    /// The task.
    pub task: CheckTask<'t>,
    /// The outcome.
    pub outcome: StatementOutcome,
    /// The time that the test took.
    pub elapsed: Duration,
}

/// Lists the tests of some theories in `models`, which may include the caller's own. If `models` is empty, each theory
/// is tested in the default model and in the models that it names. A statement that does not depend on the model is
/// tested in the default model alone.
#[must_use]
pub fn list_tasks<'t>(theories: &[&'t Theory], models: &[&'static dyn Semantics]) -> Vec<CheckTask<'t>> {
    let asked = if models.is_empty() { meaning::all_semantics() } else { models };
    let mut tasks = Vec::new();
    for &theory in theories {
        let claims = theory.claims.iter().map(StatementRef::Claim);
        for item in claims.chain(theory.laws.iter().map(StatementRef::Law)) {
            // a floating-point semantics encloses nothing, so it can neither confirm nor refute
            for meaning in asked.iter().copied().filter(|meaning| meaning.is_certified()) {
                let line = theory.models.iter().find(|line| *line.model == *meaning.name());
                let wanted = !models.is_empty() || meaning.name() == meaning::DEFAULT_SEMANTICS || line.is_some();
                let excepted = theory.excepts_statement(meaning.name(), item.name());
                if wanted && !excepted && (meaning.name() == meaning::DEFAULT_SEMANTICS || needs_a_model(item)) {
                    tasks.push(CheckTask { theory, item, meaning });
                }
            }
        }
    }
    tasks
}

/// Returns `true` if the outcome of the statement depends on the model.
pub(super) fn needs_a_model(item: StatementRef<'_>) -> bool {
    let rejects =
        matches!(item, StatementRef::Claim(claim) if matches!(claim.statement, super::ClaimStatement::Rejects { .. }));
    !rejects && !item.compares_programs()
}

/// Runs tasks on several threads. Calls `tell` with the reports in the order of the tasks.
pub fn run_tasks<'t>(
    library: &Arc<Library>,
    tasks: &[CheckTask<'t>],
    effort: &StatementTestConfig,
    threads: usize,
    tell: impl FnMut(CheckReport<'t>),
) {
    let tried = |task: &CheckTask<'t>| {
        let start = Instant::now();
        let trial = StatementTest::new(library, task.theory, task.meaning, effort);
        CheckReport { task: *task, outcome: task.item.test_in(&trial), elapsed: start.elapsed() }
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
            scope.spawn(move || run_as_part(part));
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
