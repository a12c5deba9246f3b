//! All partial derivatives of a solver's result, computed together.
//!
//! The adjoint of a solver needs its derivative in each of its captures.
//!
//! * One search computes all those of an integral, as integrals of the slopes of the integrand. They cost a small multiple
//!   of the integral, not one integral each. This holds where the integrand is [smooth on each
//!   piece](crate::integrate_smooth_outputs::reverse).
//! * A root or an optimum is searched for once, and then lifted to several directions [side by side](AlgebraGenerator::Directions).
//!
//! Each derivative is computed by itself if one of them is unknown, or if the block outside has to learn of events.
//!
//! Integrals of slopes are not always the slopes of an integral. `d/dt ∫₀¹ [u < t] du` is 1, and its integrand has
//! the slope 0 on both sides. So this is no rule of the adjoint, which stays a graph of partial derivatives. It is
//! a way to run them, and counts only if the search has shown these: the integrand and its slopes are bounded and
//! defined on every piece, every kink is decided there, and no domain boundary is met.
//!
//! The directions side by side are those of one algebra in which no two of them have a product. So eight
//! derivatives cost less than eight runs.

use super::{BranchDecisions, EvalTarget, JetEvaluator, RegisterFile};
use crate::number::effort::SolverOptions;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SourceId;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::program::{Block, BlockRegister, PartialDerivative};
use crate::smooth::solve::{SolverFunction, integral};
use std::sync::Arc;

/// A computed gradient, or `None` for one that cannot be computed at once; by the address of its program and its point.
pub(super) type GradientEntry<N> = ((usize, Vec<BlockRegister>), Option<Vec<Jet<N>>>);

/// The number of directions in one run, at most. A choice: more take longer to multiply than another search does.
const MAX_DIRECTIONS: usize = 8;

/// A differentiated block: its site, the block, the registers of its point and of its captures.
pub(super) type Differentiated<'d> = (SourceId, &'d Block, [&'d [BlockRegister]; 2]);

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns a partial derivative, computed together with the others of the same map at the same point.
    ///
    /// Returns `None` if they cannot be computed together.
    pub(super) fn partial_from_gradient(
        &self,
        algebra: &Arc<Algebra>,
        frame: &RegisterFile<C::Num>,
        partial: Option<&PartialDerivative>,
        (site, body, [at, captures]): Differentiated,
        branches: &BranchDecisions,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Some(PartialDerivative { place, gradient: Some(gradient), captures: inner }) = partial else {
            return Ok(None);
        };
        let is_plain = !self.is_watched() && !self.is_widened;
        // Forced branches and reference runs take the plain way, and so does a neighbourhood, whose values alone matter.
        if !is_plain || !branches.forced.is_empty() || self.effort.solver_options != SolverOptions::ALL {
            return Ok(None);
        }
        let Some(wanted) = gradient.requested.get() else { return Ok(None) };
        let Ok(own) = wanted.places.binary_search(place) else { return Ok(None) };
        let address = (Arc::as_ptr(gradient) as usize, at.to_vec());
        // Failures are remembered too: the attempt costs a search.
        if let Some((_, known)) = frame.gradients.borrow().iter().find(|(other, _)| *other == address) {
            return Ok(known.as_ref().map(|all| all[own].clone()));
        }
        let at = frame.get_all(at);
        // Should the attempt fail, the pass is not left open by it: the plain way follows.
        let found = self.effort.run_attempt(|| match (&gradient.inputs, &wanted.integrand) {
            (Some(inputs), Some(integrand)) => {
                self.integrate_slopes([inputs, integrand], algebra, [&at, &frame.get_all(inner)], site)
            }
            _ => self.partials_along_axes(body, algebra, [&at, &frame.get_all(captures)], &wanted.places),
        })?;
        let result = found.as_ref().map(|all| all[own].clone());
        frame.gradients.borrow_mut().push((address, found));
        Ok(result)
    }

    /// Returns the integrals of the slopes of the integrand. Returns `None` if a branch is undecided or a domain boundary
    /// is met.
    fn integrate_slopes(
        &self,
        [inputs, integrand]: [&Block; 2],
        algebra: &Arc<Algebra>,
        [at, captures]: [&[Jet<C::Num>]; 2],
        site: SourceId,
    ) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
        let mut branches = BranchDecisions::default();
        let captures = self.eval_block(inputs, algebra, at, captures, &mut branches, EvalTarget::Outputs)?;
        if !branches.undecided.is_empty() {
            return Ok(None);
        }
        let events = SolverEvents::default();
        let function = SolverFunction::new(self, integrand, &captures, site, &events);
        let found = integral::integrate_smooth_outputs(&function, algebra)?;
        // At a domain boundary the slopes need a neighbourhood, which this search does not look at. The first output is the
        // integrand.
        Ok(found.filter(|_| !self.edges.is_met()).map(|mut all| all.split_off(1)))
    }

    /// Returns the derivatives along the axes at `places`, up to [`MAX_DIRECTIONS`] in one run. Returns `None` if one of them
    /// is unknown.
    fn partials_along_axes(
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
        let (jets, one) = (self.jets(algebra), self.context.enclose_integer(1));
        let mut found = Vec::with_capacity(places.len());
        for places in places.chunks(MAX_DIRECTIONS) {
            let directions = AlgebraGenerator::Directions(places.len() as u32);
            let Some(extended) = algebra.adjoin(directions) else { return Ok(None) };
            let mut moved = at.to_vec();
            for (direction, place) in (1..).zip(places) {
                // x + ε₁e₁ + … + εₖeₖ, where all products of two ε vanish: the slices of the ε are the partial derivatives.
                for &(_, here) in extended.power_slice(direction).iter().take(1) {
                    moved[*place].set(here as usize, Some(one.clone()));
                }
            }
            let mut branches = BranchDecisions::default();
            let y =
                self.eval_expansion(body, &extended, [&moved, captures], algebra.generator_count(), &mut branches)?;
            if !branches.undecided.is_empty() {
                return Ok(None);
            }
            for direction in 1..=places.len() {
                let slope = extended.power_slice(direction).iter().map(|&(_, here)| y.get(here as usize).cloned());
                found.push(jets.as_value(Jet::new(slope), y.get(0), at.iter().chain(captures)));
            }
        }
        // An undefined or unbounded one may be found more narrowly by itself.
        let is_known = |c: &C::Num| self.context.is_defined(c) && self.context.is_bounded(c);
        Ok(Some(found).filter(|all| all.iter().flat_map(Jet::coefficients).flatten().all(is_known)))
    }
}
