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
use crate::smooth::jet::Jet;
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
struct SolverResult {
    algebra: Arc<Algebra>,
    coefficients: Vec<Option<Enclosure>>,
}

/// A function that runs the spine once and reports the result.
type ReplayFn<'s, C> = dyn Fn(&JetEvaluator<'_, C>) -> Result<(), SmoothError> + 's;

/// One pass over a spine.
pub struct AnytimeSolvers<'s, C: HookedContext> {
    ledger: &'s AnytimeResults,
    replay: &'s ReplayFn<'s, C>,
    /// The path of instructions to the current one.
    path: RefCell<Vec<usize>>,
    /// The algebra of the solver of the spine that is running.
    solving: RefCell<Option<Arc<Algebra>>>,
    /// The nesting depth of the solvers that are running.
    depth: Cell<u32>,
    replaying: Cell<bool>,
    /// The work of the blocks of the spine, in work units.
    own_work: Cell<u64>,
    /// The work of the solvers, and its value at the last replay.
    solver_work: Cell<u64>,
    replayed_at: Cell<u64>,
}

/// The least work of solvers between two replays …
const MIN_REPLAY_WORK: u64 = 2_000;
/// … in addition to this multiple of the work of the spine, …
const WORK_FOR_SPINE: u64 = 8;
/// … and to 2^-4 of the work of all solvers in the pass. Choices: replays take a small part of the work.
const REPLAY_SHARE_BITS: u32 = 4;

impl AnytimeResults {
    fn lock_entries(&self) -> std::sync::MutexGuard<'_, FxHashMap<Vec<usize>, SolverResult>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Intersects a recorded enclosure with a new one. If a branch was decided that was undecided before, the algebra
    /// may differ; the new enclosure then replaces the old.
    fn record_result(
        &self,
        path: &[usize],
        algebra: &Arc<Algebra>,
        found: Vec<Option<Enclosure>>,
    ) -> Result<(), SmoothError> {
        let mut entries = self.lock_entries();
        let known = entries.get(path).filter(|known| same_monomials(&known.algebra, algebra));
        let both =
            |(index, new): (usize, Option<Enclosure>)| {
                let (Some(old), Some(new)) = (known.and_then(|k| k.coefficients.get(index)?.as_ref()), &new) else {
                    return Ok(new);
                };
                let both = old.intersection(new);
                Ok(Some(both.ok_or(SmoothError::DisjointEnclosures {
                    construct: "what two passes found of a solver's result",
                })?))
            };
        let coefficients = found.into_iter().enumerate().map(both).collect::<Result<_, SmoothError>>()?;
        entries.insert(path.to_vec(), SolverResult { algebra: algebra.clone(), coefficients });
        Ok(())
    }
}

/// Returns `true` if the coefficients of two algebras belong to the same monomials.
fn same_monomials(a: &Arc<Algebra>, b: &Arc<Algebra>) -> bool {
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

    fn is_due(&self) -> bool {
        let done = self.solver_work.get();
        let least = MIN_REPLAY_WORK.saturating_add(self.own_work.get().saturating_mul(WORK_FOR_SPINE));
        done - self.replayed_at.get() >= least.saturating_add(done >> REPLAY_SHARE_BITS)
    }
}

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Attaches a spine: the run then publishes intermediate enclosures.
    #[must_use]
    pub fn with_anytime(mut self, spine: &'m AnytimeSolvers<'m, C>) -> Self {
        self.spine = Some(spine);
        self
    }

    /// Runs a solver or a derivative. In a replay, returns its recorded enclosure instead.
    pub(super) fn solve_or_replay(
        &self,
        instruction: usize,
        algebra: &Arc<Algebra>,
        solve: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let Some(spine) = self.spine else { return solve() };
        // inside another solver results depend on bound variables, so they are not recorded
        if spine.depth.get() > 0 {
            spine.depth.set(spine.depth.get() + 1);
            let result = solve();
            spine.depth.set(spine.depth.get() - 1);
            return result;
        }
        spine.path.borrow_mut().push(instruction);
        let result = (|| {
            if spine.replaying.get() {
                let entries = spine.ledger.lock_entries();
                let known = entries.get(&*spine.path.borrow()).filter(|known| same_monomials(&known.algebra, algebra));
                let jet = |known: &SolverResult| {
                    Jet::new(known.coefficients.iter().map(|c| c.as_ref().map(|c| self.context.round_enclosure(c))))
                };
                return Ok(known.map_or_else(|| self.jets(algebra).bottom_everywhere(), jet));
            }
            spine.solving.replace(Some(algebra.clone()));
            spine.depth.set(1);
            let result = solve();
            spine.depth.set(0);
            spine.solving.take();
            let result = result?;
            // an enclosure from a run that was cut short must not reach the ledger: a larger budget would see another
            // sequence
            if !self.effort.budget.was_exhausted() {
                spine.ledger.record_result(&spine.path.borrow(), algebra, self.jet_enclosures(&result))?;
            }
            Ok(result)
        })();
        spine.path.borrow_mut().pop();
        result
    }

    fn jet_enclosures(&self, jet: &Jet<C::Num>) -> Vec<Option<Enclosure>> {
        jet.coefficients().map(|c| c.map(|c| self.context.to_enclosure(c))).collect()
    }

    /// Publishes an intermediate enclosure of a solver. `found` is called only if the solver stands in the spine and
    /// enough work was done since the last replay.
    ///
    /// # Errors
    /// Errors of `found`; [`SmoothError::DisjointEnclosures`] if the enclosure is disjoint from the recorded one.
    pub fn publish(&self, found: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>) -> Result<(), SmoothError> {
        let Some(spine) = self.spine.filter(|spine| spine.depth.get() == 1 && spine.is_due()) else { return Ok(()) };
        let Some(algebra) = spine.solving.borrow().clone() else { return Ok(()) };
        if self.effort.budget.was_exhausted() {
            return Ok(());
        }
        // the work for a publication does not count as work of the solver
        let found = found()?;
        if self.effort.budget.was_exhausted() {
            return Ok(());
        }
        spine.ledger.record_result(&spine.path.borrow(), &algebra, self.jet_enclosures(&found))?;
        spine.replayed_at.set(spine.solver_work.get());
        let path = spine.path.take();
        spine.depth.set(0);
        spine.replaying.set(true);
        let result = (spine.replay)(self);
        spine.replaying.set(false);
        spine.depth.set(1);
        spine.path.replace(path);
        result
    }

    /// Publishes an intermediate enclosure of a number. Does nothing if the solver computes derivatives as well.
    ///
    /// # Errors
    /// As for [`JetEvaluator::publish`].
    pub fn publish_number(&self, found: impl FnOnce() -> Result<C::Num, SmoothError>) -> Result<(), SmoothError> {
        let is_number = |spine: &&AnytimeSolvers<'_, C>| spine.solving.borrow().as_ref().is_some_and(|a| a.len() == 1);
        match self.spine.filter(|spine| is_number(spine)) {
            Some(_) => self.publish(|| Ok(Jet::constant(found()?))),
            None => Ok(()),
        }
    }
}

impl<C: HookedContext> fmt::Debug for AnytimeSolvers<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spine").field("path", &self.path).finish_non_exhaustive()
    }
}
