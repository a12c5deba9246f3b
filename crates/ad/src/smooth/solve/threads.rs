//! What solvers ask of a function at many places, on all cores.
//!
//! Each place has a machine of its own there. What it leaves open, assumes, meets and cannot decide is told to the machine of the solver in
//! the order of the places, so that answers do not depend on how many cores there are. What watches a run step by step, what hears of
//! enclosures in the meantime, and what has a limit of work, which has to end at the same step, stays on one thread.

use super::Function;
use crate::number::effort::{Effort, Left};
use crate::parallel::{cores, in_order};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::Machine;
use crate::smooth::machine::switch::Events;
use crate::smooth::nearby::Edges;

/// From so much work on, together, several threads are worth their while: about a millisecond.
const WORTH: u64 = 30_000;

/// What was made of a place, and what that left.
struct Made<R> {
    result: Result<R, SmoothError>,
    left: Left,
    assumed: Vec<u32>,
    edges: Edges,
    events: Events,
    work: u64,
}

impl<C: Hooked> Function<'_, '_, C> {
    /// What is made of each of some places, in their order, up to the first error. Where it is not known about what work each of them
    /// takes, the first of them shows it.
    ///
    /// # Errors
    /// The first one of what is made.
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
        for shared in self.shared(threads, places.collect(), make) {
            self.machine.effort.adopt(shared.left, &shared.assumed);
            self.machine.edges.join(&shared.edges);
            self.events.join(shared.events);
            self.machine.count(shared.work);
            made.push(shared.result?);
        }
        Ok(made)
    }

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
