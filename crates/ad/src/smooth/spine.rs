//! What is known of an answer while a pass over its program goes on.
//!
//! The *spine* of a program without inputs that move is its root: the block that runs once in a pass. A solver or a
//! derivative that stands there gives the same number in every pass, so what was found of it is kept in a [`Ledger`], and
//! intersected, over tolerances and precisions. While a solver works it [offers](Machine::offer) what it has; then the root
//! is run again with what is known of each of them in its place, a *replay*, and the enclosure of the answer that comes out
//! is told to whoever asked ([`Effort::tell`]). Derivatives are known only when they are done: they also ask what is
//! beside their point, and a solver at work has not seen that.
//!
//! When that happens is decided by the work done in the pass, never by the budget. So all budgets see one sequence of
//! enclosures, a larger one more of it, and the intersection of what was seen is never wider for more work.
//!
//! [`Effort::tell`]: crate::number::effort::Effort::tell

use crate::number::Enclosure;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::Machine;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// What all passes over one program have found of the solvers in its spine, by the instructions that lead to them.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<FxHashMap<Vec<usize>, Entry>>);

/// An enclosure of a jet.
#[derive(Debug)]
struct Entry {
    algebra: Arc<Algebra>,
    coefficients: Vec<Option<Enclosure>>,
}

/// Runs the spine once and tells what comes out.
type Replay<'s, C> = dyn Fn(&Machine<'_, C>) -> Result<(), SmoothError> + 's;

/// One pass over a spine.
pub struct Spine<'s, C: Hooked> {
    ledger: &'s Ledger,
    replay: &'s Replay<'s, C>,
    /// The instructions that the run is inside of.
    path: RefCell<Vec<usize>>,
    /// The algebra of the solver of the spine that is at work.
    solving: RefCell<Option<Arc<Algebra>>>,
    /// How many solvers are at work inside of each other.
    depth: Cell<u32>,
    replaying: Cell<bool>,
    /// The work of the blocks of the spine.
    own_work: Cell<u64>,
    /// The work of the solvers, and what it was at the last replay.
    solver_work: Cell<u64>,
    replayed_at: Cell<u64>,
}

/// Less work than this between two replays is not worth one…
const LEAST_WORK: u64 = 2_000;
/// …nor is this many times the work of the spine, …
const WORK_FOR_SPINE: u64 = 8;
/// …nor 2 to the power of minus this of all the solvers' work in the pass.
const PART: u32 = 4;

impl Ledger {
    fn entries(&self) -> std::sync::MutexGuard<'_, FxHashMap<Vec<usize>, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what was found of a solver. Where a branch was taken that could not be decided before, the algebra may be
    /// another, whose coefficients mean something else.
    fn add(&self, path: &[usize], algebra: &Arc<Algebra>, found: Vec<Option<Enclosure>>) -> Result<(), SmoothError> {
        let mut entries = self.entries();
        let known = entries.get(path).filter(|known| same(&known.algebra, algebra));
        let both = |(index, new): (usize, Option<Enclosure>)| {
            let (Some(old), Some(new)) = (known.and_then(|k| k.coefficients.get(index)?.as_ref()), &new) else {
                return Ok(new);
            };
            let both = old.intersection(new);
            Ok(Some(
                both.ok_or(SmoothError::Contradiction { construct: "what two passes found of a solver's result" })?,
            ))
        };
        let coefficients = found.into_iter().enumerate().map(both).collect::<Result<_, SmoothError>>()?;
        entries.insert(path.to_vec(), Entry { algebra: algebra.clone(), coefficients });
        Ok(())
    }
}

/// Whether the coefficients of two algebras mean the same.
fn same(a: &Arc<Algebra>, b: &Arc<Algebra>) -> bool {
    Arc::ptr_eq(a, b) || a.len() == b.len() && (0..a.len()).all(|m| a.exponents(m) == b.exponents(m))
}

impl<'s, C: Hooked> Spine<'s, C> {
    /// A pass that `replay` runs and tells of.
    #[must_use]
    pub fn new(ledger: &'s Ledger, replay: &'s Replay<'s, C>) -> Self {
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

    /// Notes that a block is run.
    pub(super) fn count(&self, work: u64) {
        if !self.replaying.get() {
            let counter = if self.depth.get() == 0 { &self.own_work } else { &self.solver_work };
            counter.set(counter.get().saturating_add(work));
        }
    }

    fn is_due(&self) -> bool {
        let done = self.solver_work.get();
        let least = LEAST_WORK.saturating_add(self.own_work.get().saturating_mul(WORK_FOR_SPINE));
        done - self.replayed_at.get() >= least.saturating_add(done >> PART)
    }
}

impl<'m, C: Hooked> Machine<'m, C> {
    /// The same machine, for a run whose answer is of interest before the run is over.
    #[must_use]
    pub fn along(mut self, spine: &'m Spine<'m, C>) -> Self {
        self.spine = Some(spine);
        self
    }

    /// Runs a solver or a derivative, or gives what is known of it in a replay.
    pub(super) fn solved(
        &self,
        instruction: usize,
        algebra: &Arc<Algebra>,
        solve: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let Some(spine) = self.spine else { return solve() };
        if spine.depth.get() > 0 {
            spine.depth.set(spine.depth.get() + 1);
            let result = solve();
            spine.depth.set(spine.depth.get() - 1);
            return result;
        }
        spine.path.borrow_mut().push(instruction);
        let result = (|| {
            if spine.replaying.get() {
                let entries = spine.ledger.entries();
                let known = entries.get(&*spine.path.borrow()).filter(|known| same(&known.algebra, algebra));
                let jet = |known: &Entry| {
                    Jet::new(known.coefficients.iter().map(|c| c.as_ref().map(|c| self.context.enclosure(c))))
                };
                return Ok(known.map_or_else(|| self.jets(algebra).bottom_everywhere(), jet));
            }
            spine.solving.replace(Some(algebra.clone()));
            spine.depth.set(1);
            let result = solve();
            spine.depth.set(0);
            spine.solving.take();
            let result = result?;
            if !self.effort.budget.is_cut() {
                spine.ledger.add(&spine.path.borrow(), algebra, self.enclosures(&result))?;
            }
            Ok(result)
        })();
        spine.path.borrow_mut().pop();
        result
    }

    fn enclosures(&self, jet: &Jet<C::Num>) -> Vec<Option<Enclosure>> {
        jet.coefficients().map(|c| c.map(|c| self.context.to_enclosure(c))).collect()
    }

    /// Offers what a solver has found so far. It is asked for it only if the solver stands in the spine and enough work was
    /// done since the last replay.
    ///
    /// # Errors
    /// Those of making the offer; [`SmoothError::Contradiction`] where it has nothing in common with what was known.
    pub fn offer(&self, found: impl FnOnce() -> Result<Jet<C::Num>, SmoothError>) -> Result<(), SmoothError> {
        let Some(spine) = self.spine.filter(|spine| spine.depth.get() == 1 && spine.is_due()) else { return Ok(()) };
        let Some(algebra) = spine.solving.borrow().clone() else { return Ok(()) };
        if self.effort.budget.is_cut() {
            return Ok(());
        }
        // what is looked at for the offer alone stands for no work of the solver
        let found = found()?;
        if self.effort.budget.is_cut() {
            return Ok(());
        }
        spine.ledger.add(&spine.path.borrow(), &algebra, self.enclosures(&found))?;
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

    /// The same for a number, where there are no derivatives that it leaves out.
    ///
    /// # Errors
    /// As for [`Machine::offer`].
    pub fn offer_number(&self, found: impl FnOnce() -> Result<C::Num, SmoothError>) -> Result<(), SmoothError> {
        let is_number = |spine: &&Spine<'_, C>| spine.solving.borrow().as_ref().is_some_and(|a| a.len() == 1);
        match self.spine.filter(|spine| is_number(spine)) {
            Some(_) => self.offer(|| Ok(Jet::constant(found()?))),
            None => Ok(()),
        }
    }
}

impl<C: Hooked> fmt::Debug for Spine<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spine").field("path", &self.path).finish_non_exhaustive()
    }
}
