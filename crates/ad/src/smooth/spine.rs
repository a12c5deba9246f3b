//! Intermediate enclosures of an answer, while a pass over its program runs.
//!
//! The *spine* of a closed program is its root, the block that runs once per pass. A solver or a derivative in it gives
//! the same number in every pass. So its enclosures are kept in an [`AnytimeResults`], and intersected over tolerances and
//! precisions. A working solver [publishes](JetEvaluator::publish) its enclosure so far. Then the root is run again with the
//! recorded enclosure for each solver, a *replay*, and the resulting enclosure of the answer is reported to the
//! observer ([`PassOptions::publish_enclosure`]). Derivatives are published only when they are done: they need a neighbourhood of their
//! point, which a working solver has not searched.
//!
//! Replays are triggered by the work done in the pass, never by the budget. So all budgets see one sequence of
//! enclosures, a larger one more of it, and the intersection of those seen is never wider for more work.
//!
//! [`PassOptions::publish_enclosure`]: crate::number::accuracy::PassOptions::publish_enclosure
//!
//! A pass that the budget cut short does not count. An inner solver has given up by then, and the result of its
//! outer solver is sometimes narrow and sometimes ⊥. So a question whose next pass is long has no better answer
//! until a solver publishes one.

use crate::number::Enclosure;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::JetEvaluator;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The enclosures of the solvers in the spine of one program, from all passes. The key is the path of instructions to a
/// solver.
#[derive(Debug, Default)]
pub struct AnytimeResults(Mutex<FxHashMap<Vec<usize>, SolverResult>>);

/// An enclosure of a jet.
#[derive(Debug)]
pub(crate) struct SolverResult {
    pub(crate) algebra: Arc<Algebra>,
    pub(crate) coefficients: Vec<Option<Enclosure>>,
}

/// A function that runs the spine once and reports the result.
type ReplayFn<'s, C> = dyn Fn(&JetEvaluator<'_, C>) -> Result<(), SmoothError> + 's;

/// One pass over a spine.
pub struct AnytimeSolvers<'s, C: HookedContext> {
    pub(crate) ledger: &'s AnytimeResults,
    pub(crate) replay: &'s ReplayFn<'s, C>,
    /// The path of instructions to the current one.
    pub(crate) path: RefCell<Vec<usize>>,
    /// The algebra of the solver of the spine that is running.
    pub(crate) solving: RefCell<Option<Arc<Algebra>>>,
    /// The nesting depth of the solvers that are running.
    pub(crate) depth: Cell<u32>,
    pub(crate) replaying: Cell<bool>,
    /// The work of the blocks of the spine, in work units.
    own_work: Cell<u64>,
    /// The work of the solvers, and its value at the last replay.
    pub(crate) solver_work: Cell<u64>,
    pub(crate) replayed_at: Cell<u64>,
}

/// The least work of solvers between two replays …
const MIN_REPLAY_WORK: u64 = 2_000;
/// … in addition to this multiple of the work of the spine, …
const WORK_FOR_SPINE: u64 = 8;
/// … and to 2^-4 of the work of all solvers in the pass. Choices: replays take a small part of the work.
const REPLAY_SHARE_BITS: u32 = 4;

impl AnytimeResults {
    pub(crate) fn lock_entries(&self) -> std::sync::MutexGuard<'_, FxHashMap<Vec<usize>, SolverResult>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Intersects a recorded enclosure with a new one. If a branch was decided that was undecided before, the algebra
    /// may differ; the new enclosure then replaces the old.
    pub(crate) fn record_result(
        &self,
        path: &[usize],
        algebra: &Arc<Algebra>,
        found: Vec<Option<Enclosure>>,
    ) -> Result<(), SmoothError> {
        let mut entries = self.lock_entries();
        let known = entries.get(path).filter(|known| same_monomials(&known.algebra, algebra));
        let both = |(index, new): (usize, Option<Enclosure>)| {
            let (Some(old), Some(new)) = (known.and_then(|k| k.coefficients.get(index)?.as_ref()), &new) else {
                return Ok(new);
            };
            let both = old.intersection(new);
            Ok(Some(both.ok_or(SmoothError::DisjointEnclosures { construct: "two passes of a solver" })?))
        };
        let coefficients = found.into_iter().enumerate().map(both).collect::<Result<_, SmoothError>>()?;
        entries.insert(path.to_vec(), SolverResult { algebra: algebra.clone(), coefficients });
        Ok(())
    }
}

/// Returns `true` if the coefficients of two algebras belong to the same monomials.
pub(crate) fn same_monomials(a: &Arc<Algebra>, b: &Arc<Algebra>) -> bool {
    Arc::ptr_eq(a, b) || a.len() == b.len() && (0..a.len()).all(|m| a.exponents(m) == b.exponents(m))
}

impl<'s, C: HookedContext> AnytimeSolvers<'s, C> {
    /// Creates a pass. `replay` runs the spine and reports the result.
    #[must_use]
    pub fn new(ledger: &'s AnytimeResults, replay: &'s ReplayFn<'s, C>) -> Self {
        let zero = || Cell::new(0);
        Self {
            ledger,
            replay,
            path: RefCell::default(),
            solving: RefCell::default(),
            depth: Cell::new(0),
            replaying: Cell::new(false),
            own_work: zero(),
            solver_work: zero(),
            replayed_at: zero(),
        }
    }

    /// Adds the work of a block to that of the spine or of the solvers.
    pub(super) fn count_work(&self, work: u64) {
        if !self.replaying.get() {
            let counter = if self.depth.get() == 0 { &self.own_work } else { &self.solver_work };
            counter.set(counter.get().saturating_add(work));
        }
    }

    pub(crate) fn is_due(&self) -> bool {
        let done = self.solver_work.get();
        let least = MIN_REPLAY_WORK.saturating_add(self.own_work.get().saturating_mul(WORK_FOR_SPINE));
        done - self.replayed_at.get() >= least.saturating_add(done >> REPLAY_SHARE_BITS)
    }
}

impl<C: HookedContext> fmt::Debug for AnytimeSolvers<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spine").field("path", &self.path).finish_non_exhaustive()
    }
}
