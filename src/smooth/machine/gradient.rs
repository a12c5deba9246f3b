//! All partial derivatives of an integral at once.
//!
//! The adjoint of an integral asks for its derivative in each of what it captures. One adaptive search finds all of them, as the
//! integrals of the slopes of the integrand: they cost a small multiple of the integral, not one integral each. That is right where
//! the integrand is seen to be [smooth on each piece](crate::smooth::reverse). Everywhere else each partial derivative is found by
//! itself, by forward mode, which sees what jumps, what grows beyond bounds, and events of the block outside.

use super::{Branches, Frame, Machine, Target};
use crate::number::context::Context;
use crate::number::effort::Shortcuts;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Site;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::Events;
use crate::smooth::program::{Block, Gradient, Partial, Register};
use crate::smooth::solve::{Function, integral};
use std::sync::Arc;

/// What is known of a gradient, by the address of its program and its point.
pub(super) type Known<N> = ((usize, Vec<Register>), Option<Vec<Jet<N>>>);

impl<C: Context> Machine<'_, C> {
    /// A partial derivative, found together with the others of the same map at the same point; nothing where that is not possible.
    pub(super) fn at_once(
        &self,
        algebra: &Arc<Algebra>,
        frame: &Frame<C::Num>,
        partial: Option<&Partial>,
        at: &[Register],
        branches: &Branches,
        site: Site,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Some(Partial { place, gradient: Some(gradient), captures }) = partial else { return Ok(None) };
        let is_plain = self.rules.is_none() && self.witness.is_none() && !self.beside;
        if !is_plain || !branches.forced.is_empty() || self.effort.shortcuts != Shortcuts::ALL {
            return Ok(None);
        }
        let Some(integrand) = gradient.integrand.get() else { return Ok(None) };
        let Ok(own) = integrand.places.binary_search(place) else { return Ok(None) };
        let address = (Arc::as_ptr(gradient) as usize, at.to_vec());
        let known = |frame: &Frame<C::Num>| {
            let gradients = frame.gradients.borrow();
            gradients
                .iter()
                .find(|(other, _)| *other == address)
                .map(|(_, found)| found.as_ref().map(|all| all[*place].clone()))
        };
        if let Some(known) = known(frame) {
            return Ok(known);
        }
        let inputs = [at, captures].map(|registers| frame.collect(registers));
        let [at, captures] = [&inputs[0][..], &inputs[1]];
        let found =
            self.effort.attempted(|| self.gradient(gradient, &integrand.block, algebra, [at, captures], site))?;
        let result = found.as_ref().map(|all| all[own].clone());
        frame.gradients.borrow_mut().push((address, found));
        Ok(result)
    }

    fn gradient(
        &self,
        gradient: &Gradient,
        integrand: &Block,
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        site: Site,
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        let mut branches = Branches::default();
        let captures = self.run(&gradient.inputs, algebra, at, captures, &mut branches, Target::Outputs)?;
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        let events = Events::default();
        let function = Function { machine: self, block: integrand, captures: &captures, site, events: &events };
        let found = integral::smooth(&function, algebra)?;
        Ok(found.filter(|_| !self.edges.are_met()).map(|mut all| all.split_off(1)))
    }
}
