//! Slopes of a double integral whose boundary curve turns.
//!
//! The interval falls into parts, on each of which the integral is known in one of both orders. The disc about 0 has its
//! boundary over x, and over y where that is steep. The parts do not depend on the integrand. Their ends are numbers at
//! which hardly any integrand is special, neither dyadic nor decimal.
//!
//! Both orders give the same number if the integrand is bounded (Fubini's theorem), for all inputs nearby. This is tested
//! by its range over the part. `c·(x² - y²)/(x² + y²)²` has an integral in each order over the unit square, and these are
//! c·π/4 and -c·π/4.

use super::{IntegralPanel, IntegrationInterval, PanelIter, refine_panels, sum_estimates, taylor_order};
use crate::number::Rational;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::switch::SolverEvents;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::compile::{CapturingBlock, SwappedIntegral};
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::panel::{PieceEnd, TaylorExpansions};
use std::sync::Arc;

/// The number of splits in a row that are tried in the first order. A choice.
const UNKNOWN_AFTER: u32 = 4;
/// The number of times that parts are split. A choice.
const DEEPEST: u32 = 3;
/// The position of a split as a share of the part: neither dyadic nor decimal.
const SPLIT_AT: (u32, u32) = (17, 36);

/// Computes the integral over [0, 1] with all its derivatives. Returns `None` if one of its parts is not known in either order.
///
/// # Errors
/// Those of [`over`](super::integrate_part).
pub fn integrate<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let Some(swapped) = &f.block.swapped else { return Ok(None) };
    // Without derivatives the first order is as good, and reference runs use no other.
    let moves = f.captures.iter().any(|c| c.coefficients().skip(1).flatten().next().is_some());
    let shortcuts = f.machine.effort.solver_options;
    if !moves || algebra.taylor_generator_count() > 0 || !shortcuts.kinks || !shortcuts.expansions {
        return Ok(None);
    }
    FubiniSearch { f, algebra, swapped }.integrate_part([Rational::from(0), Rational::from(1)], 0)
}

/// A search for parts of [0, 1] on which the integral is known in one order.
struct FubiniSearch<'s, 'f, 'm, C: HookedContext> {
    f: &'s SolverFunction<'f, 'm, C>,
    algebra: &'s Arc<Algebra>,
    swapped: &'s SwappedIntegral,
}

impl<C: HookedContext> FubiniSearch<'_, '_, '_, C> {
    /// Computes the integral over the part [a, b], splitting it at most [`DEEPEST`] times.
    fn integrate_part(&self, [a, b]: [Rational; 2], depth: u32) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let found = match self.integrate_known(self.f, [&a, &b], depth == 0)? {
            None => self.in_other_order([&a, &b])?,
            found => found,
        };
        if found.is_some() || depth == DEEPEST || self.f.machine.effort.budget.is_exhausted() {
            return Ok(found);
        }
        let between = Rational::from(&b - &a) * Rational::from(SPLIT_AT) + &a;
        let Some(left) = self.integrate_part([a, between.clone()], depth + 1)? else { return Ok(None) };
        let Some(right) = self.integrate_part([between, b], depth + 1)? else { return Ok(None) };
        Ok(Some(self.f.jets(self.algebra).add(&left, &right)))
    }

    /// Computes the integral of a function over a part by panels. Returns `None` unless every coefficient is defined and
    /// bounded.
    ///
    /// If the part `is_all` of the interval, intermediate enclosures are published.
    fn integrate_known(
        &self,
        f: &SolverFunction<C>,
        between: [&Rational; 2],
        is_all: bool,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let context = f.context();
        // Only 0 and 1 are ends of the interval of integration; the ends of parts are inner points.
        let ends = between.map(|end| if end.is_integer() { PieceEnd::Outer } else { PieceEnd::Inner });
        let place = IntegrationInterval {
            ends,
            ..IntegrationInterval::whole_domain(between.map(|end| Jet::constant(context.enclose_rational(end))))
        };
        let frames = TaylorExpansions::new(f, self.algebra, taylor_order(f, self.algebra));
        let has_hope = |panel: &IntegralPanel<C::Num>| !panel.diverges && panel.unbounded_for < UNKNOWN_AFTER;
        let offer = &mut |panels: PanelIter<'_, '_, C>| match is_all {
            true => f.machine.publish(|| Ok(sum_estimates(f, &frames, panels, 0))),
            false => Ok(()),
        };
        let panels = f.machine.effort.while_splitting(|| refine_panels(f, &frames, place, offer, has_hope))?;
        let Some(panels) = panels else { return Ok(None) };
        let sum = sum_estimates(f, &frames, &mut panels.iter(), 0);
        if !sum.coefficients().flatten().all(|c| context.is_defined(c) && context.is_bounded(c)) {
            return Ok(None);
        }
        for panel in &panels {
            panel.record_events(f, &frames)?;
        }
        Ok(Some(sum))
    }

    /// Computes the integral over the part [a, b] in the other order. Returns `None` if the integrand may be unbounded there.
    fn in_other_order(&self, [a, b]: [&Rational; 2]) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let (SolverFunction { machine, captures, site, .. }, context) = (self.f, self.f.context());
        let [left, right, zero, one] = [a, b, Rational::ZERO, Rational::ONE].map(|q| context.enclose_rational(q));
        let part = [left.clone(), context.sub(&right, &left)].map(Jet::constant);
        let all: Vec<_> = captures.iter().chain(&part).collect();
        let captured =
            |part: &CapturingBlock| -> Vec<_> { part.captures.iter().map(|place| all[*place].clone()).collect() };
        let SwappedIntegral { integral, integrand } = self.swapped;
        let places = [context.hull(&left, &right), context.hull(&zero, &one)].map(Jet::constant);
        let near = machine.widen_inputs(&captured(integrand));
        let (real, mut branches) = (machine.real.clone(), BranchDecisions::default());
        // Boundedness is enough: that the integral is defined follows from the order that is computed.
        let values = machine.eval_block(&integrand.block, &real, &places, &near, &mut branches, EvalTarget::Outputs)?;
        if !values[0].get(0).is_none_or(|value| context.is_bounded(value)) {
            return Ok(None);
        }
        let (captures, events) = (captured(integral), SolverEvents::default());
        let other = SolverFunction::new(machine, &integral.block, &captures, *site, &events);
        self.integrate_known(&other, [Rational::ZERO, Rational::ONE], false)
    }
}
