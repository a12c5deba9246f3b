//! Evaluation of a function at many places, on all cores.
//!
//! On threads each place has an evaluator of its own. Its notes (open, assumed, met, undecided) are merged in the order of
//! the places, so that results do not depend on the number of cores. A run with a diagnosis stays on one thread, and so does
//! one with a limit of work, which has to end at the same step. Intermediate enclosures are published by the solver's thread
//! alone.

use super::Function;
use crate::number::effort::{Effort, Left};
use crate::parallel::{cores, in_order};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::Machine;
use crate::smooth::machine::switch::Events;
use crate::smooth::nearby::Edges;

/// The work units, of all places together, from which on several threads pay: about a millisecond.
const WORTH: u64 = 30_000;

/// The result at a place, with the notes of its evaluator.
struct Made<R> {
    result: Result<R, SmoothError>,
    left: Left,
    assumed: Vec<u32>,
    edges: Edges,
    events: Events,
    work: u64,
}

impl<C: Hooked> Function<'_, '_, C> {
    /// Calls `make` for each place, and returns the results in their order, up to the first error.
    ///
    /// `work` is the expected work of a place. If it is `None`, the first place is evaluated here, and shows it.
    ///
    /// # Errors
    /// The first error of `make`, in the order of the places.
    pub fn each<T: Send, R: Send>(
        &self,
        places: Vec<T>,
        work: Option<u64>,
        make: impl Fn(&Function<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Result<Vec<R>, SmoothError> {
        let budget = self.machine.effort.budget;
        let mut made = Vec::with_capacity(places.len());
        let mut places = places.into_iter();
        let before = budget.work_done();
        if work.is_none() {
            made.extend(places.next().map(|first| make(self, first)).transpose()?);
        }
        let work = work.unwrap_or_else(|| budget.work_done().saturating_sub(before));
        let is_long = places.len() > 1 && work.saturating_mul(places.len() as u64) > WORTH;
        let may_share = self.machine.witness.is_none() && !budget.limits_work();
        let threads = if is_long && may_share { cores() } else { 1 };
        if threads == 1 {
            for place in places {
                made.push(make(self, place)?);
            }
            return Ok(made);
        }
        // Merged in order: the first error ends the merge where one thread would have stopped.
        for shared in self.shared(threads, places.collect(), make) {
            self.machine.effort.adopt(shared.left, &shared.assumed);
            self.machine.edges.join(&shared.edges);
            self.events.join(shared.events);
            self.machine.count(shared.work);
            made.push(shared.result?);
        }
        Ok(made)
    }

    /// Calls `make` for each place on several threads, each place with an evaluator of its own.
    fn shared<T: Send, R: Send>(
        &self,
        threads: usize,
        places: Vec<T>,
        make: impl Fn(&Function<C>, T) -> Result<R, SmoothError> + Sync,
    ) -> Vec<Made<R>> {
        let (outer, block, captures, site) = (self.machine, self.block, self.captures, self.site);
        let Machine { context, real, beside, .. } = outer;
        let constants = outer.constants();
        let (tolerance, budget, shortcuts) = (outer.effort.tolerance(), outer.effort.budget, outer.effort.shortcuts);
        let (is_splitting, raised) = (outer.effort.is_splitting(), outer.effort.times_raised());
        let places: Vec<_> = places.into_iter().map(|place| (place, self.events.copy())).collect();
        in_order(threads, places, |part| {
            let one = |(place, events)| {
                let effort = Effort::new(tolerance, budget).with_shortcuts(shortcuts);
                let effort = effort.for_parts(is_splitting).raised(raised);
                let mut machine = Machine::with_constants(*context, &effort, real, constants.to_vec());
                machine.beside = *beside;
                let f = Function::new(&machine, block, captures, site, &events);
                let result = make(&f, place);
                let (left, assumed) = (effort.left(), effort.assumed());
                let work = machine.counted();
                Made { result, left, assumed, edges: machine.edges, events, work }
            };
            part.into_iter().map(one).collect()
        })
    }
}
