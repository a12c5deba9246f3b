//! Partial derivatives of what a solver finds, at once.
//!
//! The adjoint of a solver asks for its derivative in each of what it captures.
//!
//! * One search finds all those of an integral, as the integrals of the slopes of the integrand: they cost a small multiple of the
//!   integral, not one integral each. That is right where the integrand is seen to be [smooth on each piece](crate::smooth::reverse).
//! * A root or an optimum is looked for once, and is then lifted to several directions [side by side](Generator::Directions).
//!
//! Where one of them is not known, and where the block outside has to be told of events, each is found by itself.

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

/// What is known of a gradient, by the address of its program and its point.
pub(super) type Known<N> = ((usize, Vec<Register>), Option<Vec<Jet<N>>>);

/// So many directions side by side: more take longer to multiply than a search.
const SIDE_BY_SIDE: usize = 8;

/// What is differentiated: where it stands, a block, and the registers of its point and of its captures.
pub(super) type Differentiated<'d> = (Site, &'d Block, [&'d [Register]; 2]);

impl<C: Hooked> Machine<'_, C> {
    /// A partial derivative, found together with the others of the same map at the same point; nothing where that is not possible.
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
        if !is_plain || !branches.forced.is_empty() || self.effort.shortcuts != Shortcuts::ALL {
            return Ok(None);
        }
        let Some(wanted) = gradient.wanted.get() else { return Ok(None) };
        let Ok(own) = wanted.places.binary_search(place) else { return Ok(None) };
        let address = (Arc::as_ptr(gradient) as usize, at.to_vec());
        if let Some((_, known)) = frame.gradients.borrow().iter().find(|(other, _)| *other == address) {
            return Ok(known.as_ref().map(|all| all[own].clone()));
        }
        let at = frame.collect(at);
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

    /// The integrals of slopes.
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
        Ok(found.filter(|_| !self.edges.are_met()).map(|mut all| all.split_off(1)))
    }

    /// The derivatives along some axes, several in one run.
    fn side_by_side(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        places: &[usize],
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
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
        let is_known = |c: &C::Num| self.context.is_defined(c) && self.context.is_bounded(c);
        Ok(Some(found).filter(|all| all.iter().flat_map(Jet::coefficients).flatten().all(is_known)))
    }
}
