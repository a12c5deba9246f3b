//! All statements of theories, in all models that they speak of, several at a time.

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

/// A law or a claim.
#[derive(Clone, Copy, Debug)]
pub enum Item<'t> {
    /// A claim.
    Claim(&'t Claim),
    /// A law.
    Law(&'t Law),
}

impl Item<'_> {
    /// Its name in the theory.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Claim(claim) => &claim.name,
            Self::Law(law) => &law.name,
        }
    }

    /// The place of what it says in the source of the theory.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Claim(claim) => claim.span,
            Self::Law(law) => law.span,
        }
    }

    /// What becomes of it.
    #[must_use]
    pub fn tried(&self, trial: &Trial<'_>) -> Standing {
        match self {
            Self::Claim(claim) => trial.claim(claim),
            Self::Law(law) => trial.law(law),
        }
    }

    /// The reason that the theory gives.
    #[must_use]
    pub fn because(&self) -> Option<&str> {
        match self {
            Self::Claim(claim) => Some(&claim.because),
            Self::Law(law) => law.because.as_deref(),
        }
    }

    /// Whether it says that two programs have one normal form, which is more than one value.
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

    /// Whether the theory says that it is wrong.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        matches!(self, Self::Law(law) if law.refuted)
    }
}

/// What is to be tried.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The theory.
    pub theory: &'t Theory,
    /// What it says.
    pub item: Item<'t>,
    /// Where.
    pub meaning: &'static dyn Meaning,
}

/// What was found.
pub struct Finding<'t> {
    /// What was tried.
    pub task: Task<'t>,
    /// What became of it.
    pub outcome: Standing,
    /// How long it took.
    pub elapsed: Duration,
}

/// The tasks of some theories, in these models, which may be of one's own. Without any, each theory is tried in the model that answers
/// questions, and in those that it names itself.
#[must_use]
pub fn tasks<'t>(theories: &[&'t Theory], models: &[&'static dyn Meaning]) -> Vec<Task<'t>> {
    let asked = if models.is_empty() { meaning::all() } else { models };
    let mut tasks = Vec::new();
    for &theory in theories {
        let claims = theory.claims.iter().map(Item::Claim);
        for item in claims.chain(theory.laws.iter().map(Item::Law)) {
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

/// Whether what becomes of a statement depends on the model.
pub(super) fn needs_a_model(item: Item<'_>) -> bool {
    let rejects = matches!(item, Item::Claim(claim) if matches!(claim.statement, super::Statement::Rejects { .. }));
    !rejects && !item.compares_programs()
}

/// Tries tasks on several threads, and tells what is found in the order of the tasks.
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

/// Does something to each of some things on several threads, and tells the results in their order.
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
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(index) else { break };
                    if interrupted.load(Ordering::Relaxed) || sender.send((index, act(thing))).is_err() {
                        break;
                    }
                }
            };
            scope.spawn(move || as_part(part));
        }
        drop(sender);
        let mut waiting: Vec<Option<R>> = things.iter().map(|_| None).collect();
        let mut told = 0;
        for (index, result) in receiver {
            waiting[index] = Some(result);
            while let Some(result) = waiting.get_mut(told).and_then(Option::take) {
                tell(result);
                told += 1;
            }
        }
    });
}
