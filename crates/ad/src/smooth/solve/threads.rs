//! Evaluation of a function at many places, on all cores.
//!
//! On threads each place has an evaluator of its own. Its notes (open, assumed, met, undecided) are merged in the order of
//! the places, so that results do not depend on the number of cores. A run with a diagnosis stays on one thread, and so does
//! one with a limit of work, which has to end at the same step. Intermediate enclosures are published by the solver's thread
//! alone.

use super::SolverFunction;
use crate::number::effort::{PassOptions, UnfinishedWork};
use crate::parallel::{available_threads, par_map};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::JetEvaluator;
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::nearby::DomainBoundary;

/// The work units, of all places together, from which on several threads pay: about a millisecond.
const MIN_PARALLEL_WORK: u64 = 30_000;

/// The result at a place, with the notes of its evaluator.
struct PlaceOutcome<R> {
    result: Result<R, SmoothError>,
    left: UnfinishedWork,
    assumed: Vec<u32>,
    edges: DomainBoundary,
    events: SolverEvents,
    work: u64,
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Calls `make` for each place, and returns the results in their order, up to the first error.
    ///
    /// `work` is the expected work of a place. If it is `None`, the first place is evaluated here, and shows it.
    ///
    /// # Errors
    /// The first error of `make`, in the order of the places.
    pub fn map_places<T: Send, R: Send>(
        &self,
        places: Vec<T>,
        work: Option<u64>,
        make: impl Fn(&SolverFunction<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Result<Vec<R>, SmoothError> {
        let budget = self.machine.effort.budget;
        let mut made = Vec::with_capacity(places.len());
        let mut places = places.into_iter();
        let before = budget.work_done();
        if work.is_none() {
            made.extend(places.next().map(|first| make(self, first)).transpose()?);
        }
        let work = work.unwrap_or_else(|| budget.work_done().saturating_sub(before));
        let is_long = places.len() > 1 && work.saturating_mul(places.len() as u64) > MIN_PARALLEL_WORK;
        let may_share = self.machine.witness.is_none() && !budget.has_work_limit();
        let threads = if is_long && may_share { available_threads() } else { 1 };
        if threads == 1 {
            for place in places {
                made.push(make(self, place)?);
            }
            return Ok(made);
        }
        // Merged in order: the first error ends the merge where one thread would have stopped.
        for shared in self.map_on_threads(threads, places.collect(), make) {
            self.machine.effort.absorb_part(shared.left, &shared.assumed);
            self.machine.edges.merge_boundaries(&shared.edges);
            self.events.merge_undecided(shared.events);
            self.machine.count_work(shared.work);
            made.push(shared.result?);
        }
        Ok(made)
    }

    /// Calls `make` for each place on several threads, each place with an evaluator of its own.
    fn map_on_threads<T: Send, R: Send>(
        &self,
        threads: usize,
        places: Vec<T>,
        make: impl Fn(&SolverFunction<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Vec<PlaceOutcome<R>> {
        let (outer, block, captures, site) = (self.machine, self.block, self.captures, self.site);
        let JetEvaluator { context, real, is_widened: beside, .. } = outer;
        let constants = outer.constants();
        let (tolerance, budget, shortcuts) =
            (outer.effort.tolerance(), outer.effort.budget, outer.effort.solver_options);
        let (is_splitting, raised) = (outer.effort.is_splitting(), outer.effort.times_raised());
        let places: Vec<_> = places.into_iter().map(|place| (place, self.events.with_given_signs())).collect();
        par_map(threads, places, |part| {
            let one = |(place, events)| {
                let effort = PassOptions::new(tolerance, budget).with_solver_options(shortcuts);
                let effort = effort.with_splitting(is_splitting).with_raised_limits(raised);
                let mut machine = JetEvaluator::with_constants(*context, &effort, real, constants.to_vec());
                machine.is_widened = *beside;
                let f = SolverFunction::new(&machine, block, captures, site, &events);
                let result = make(&f, place);
                let (left, assumed) = (effort.unfinished(), effort.assumed_promises());
                let work = machine.work_done();
                PlaceOutcome { result, left, assumed, edges: machine.edges, events, work }
            };
            part.into_iter().map(one).collect()
        })
    }
}
