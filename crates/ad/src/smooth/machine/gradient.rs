//! All partial derivatives of a solver's result, computed together.
//!
//! The adjoint of a solver needs its derivative in each of its captures.
//!
//! * One search computes all those of an integral, as integrals of the slopes of the integrand. They cost a small multiple
//!   of the integral, not one integral each. This holds where the integrand is [smooth on each
//!   piece](crate::smooth::reverse).
//! * A root or an optimum is searched for once, and then lifted to several directions [side by side](Generator::Directions).
//!
//! Each derivative is computed by itself if one of them is unknown, or if the block outside has to learn of events.

use super::{Branches, Frame, Machine, Target};
use crate::number::effort::Shortcuts;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Site;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::Events;
use crate::smooth::program::{Block, Partial, Register};
use crate::smooth::solve::{Function, integral};
use std::sync::Arc;

/// A computed gradient, or `None` for one that cannot be computed at once; by the address of its program and its point.
pub(super) type Known<N> = ((usize, Vec<Register>), Option<Vec<Jet<N>>>);

/// The number of directions in one run, at most. A choice: more take longer to multiply than another search does.
const SIDE_BY_SIDE: usize = 8;

/// A differentiated block: its site, the block, the registers of its point and of its captures.
pub(super) type Differentiated<'d> = (Site, &'d Block, [&'d [Register]; 2]);

impl<C: Hooked> Machine<'_, C> {
    /// Returns a partial derivative, computed together with the others of the same map at the same point.
    ///
    /// Returns `None` if they cannot be computed together.
    pub(super) fn at_once(
        &self,
        algebra: &Arc<Algebra>,
        frame: &Frame<C::Num>,
        partial: Option<&Partial>,
        (site, body, [at, captures]): Differentiated,
        branches: &Branches,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Some(Partial { place, gradient: Some(gradient), captures: inner }) = partial else { return Ok(None) };
        let is_plain = !self.is_watched() && !self.beside;
        // Forced branches and reference runs take the plain way, and so does a neighbourhood, whose values alone matter.
        if !is_plain || !branches.forced.is_empty() || self.effort.shortcuts != Shortcuts::ALL {
            return Ok(None);
        }
        let Some(wanted) = gradient.wanted.get() else { return Ok(None) };
        let Ok(own) = wanted.places.binary_search(place) else { return Ok(None) };
        let address = (Arc::as_ptr(gradient) as usize, at.to_vec());
        // Failures are remembered too: the attempt costs a search.
        if let Some((_, known)) = frame.gradients.borrow().iter().find(|(other, _)| *other == address) {
            return Ok(known.as_ref().map(|all| all[own].clone()));
        }
        let at = frame.collect(at);
        // Should the attempt fail, the pass is not left open by it: the plain way follows.
        let found = self.effort.attempted(|| match (&gradient.inputs, &wanted.integrand) {
            (Some(inputs), Some(integrand)) => {
                self.integrals([inputs, integrand], algebra, [&at, &frame.collect(inner)], site)
            }
            _ => self.side_by_side(body, algebra, [&at, &frame.collect(captures)], &wanted.places),
        })?;
        let result = found.as_ref().map(|all| all[own].clone());
        frame.gradients.borrow_mut().push((address, found));
        Ok(result)
    }

    /// Returns the integrals of the slopes of the integrand. Returns `None` if a branch is undecided or a domain boundary
    /// is met.
    fn integrals(
        &self,
        [inputs, integrand]: [&Block; 2],
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        site: Site,
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        let mut branches = Branches::default();
        let captures = self.run(inputs, algebra, at, captures, &mut branches, Target::Outputs)?;
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        let events = Events::default();
        let function = Function::new(self, integrand, &captures, site, &events);
        let found = integral::smooth(&function, algebra)?;
        // At a domain boundary the slopes need a neighbourhood, which this search does not look at. The first output is the
        // integrand.
        Ok(found.filter(|_| !self.edges.are_met()).map(|mut all| all.split_off(1)))
    }

    /// Returns the derivatives along the axes at `places`, up to [`SIDE_BY_SIDE`] in one run. Returns `None` if one of them
    /// is unknown.
    fn side_by_side(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        places: &[usize],
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        // A single direction gains nothing.
        if places.len() < 2 {
            return Ok(None);
        }
        let (jets, one) = (self.jets(algebra), self.context.integer(1));
        let mut found = Vec::with_capacity(places.len());
        for places in places.chunks(SIDE_BY_SIDE) {
            let directions = Generator::Directions(places.len() as u32);
            let Some(extended) = algebra.adjoin(directions) else { return Ok(None) };
            let mut moved = at.to_vec();
            for (direction, place) in (1..).zip(places) {
                // x + ε₁e₁ + … + εₖeₖ, where all products of two ε vanish: the slices of the ε are the partial derivatives.
                for &(_, here) in extended.slice(direction).iter().take(1) {
                    moved[*place].set(here as usize, Some(one.clone()));
                }
            }
            let mut branches = Branches::default();
            let y = self.expanded(body, &extended, [&moved, captures], algebra.generator_count(), &mut branches)?;
            if !branches.undecided.is_empty() {
                return Ok(None);
            }
            for direction in 1..=places.len() {
                let slope = extended.slice(direction).iter().map(|&(_, here)| y.get(here as usize).cloned());
                found.push(jets.as_value(Jet::new(slope), y.get(0), at.iter().chain(captures)));
            }
        }
        // An undefined or unbounded one may be found more narrowly by itself.
        let is_known = |c: &C::Num| self.context.is_defined(c) && self.context.is_bounded(c);
        Ok(Some(found).filter(|all| all.iter().flat_map(Jet::coefficients).flatten().all(is_known)))
    }
}
