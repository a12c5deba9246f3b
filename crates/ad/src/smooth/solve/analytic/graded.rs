//! Graded meshes: parts that halve towards an end at which the function is singular.

use super::{AnalyticPart, DEEPEST, EllipseSearch};
use crate::number::Rational;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::BranchDecisions;
use crate::smooth::machine::complex::has_integrals;
use crate::smooth::machine::growth::OneSidedLimit;
use crate::smooth::solve::{DOUBLE_BITS, SolverFunction};
use std::sync::Arc;

/// The depth at first: the piece beside an end has the length 2 to the power of minus this…
const FIRST_DEPTH: u32 = 5;
/// …its increase each time, at most…
const DEEPER: u32 = 24;
/// …and the greatest depth. All are choices.
const MOST_DEPTH: u32 = 400;
/// The greatest depth at 1: rectangles in doubles cannot tell closer numbers from 1.
const MOST_DEPTH_AT_1: u32 = 50;

/// The parts, and the integral over the pieces beside the ends.
type GradedParts<N> = (Vec<AnalyticPart>, Jet<N>);

/// The depth of the piece beside an end, and the integral over it.
type EndIntegral<N> = (u32, Jet<N>);

impl EllipseSearch<'_> {
    /// Splits [0, 1] into parts that halve towards its ends. Returns `None` if some part or end has no bound.
    ///
    /// In doubles an integrand without integrals inside has power expansions at its ends on panels, so it is left to panels.
    ///
    /// # Errors
    /// Those of the integrand.
    pub(super) fn graded_mesh<C: HookedContext>(
        &self,
        f: &SolverFunction<C>,
        algebra: &Arc<Algebra>,
    ) -> Result<Option<GradedParts<C::Num>>, SmoothError> {
        let is_dear = has_integrals(f.block) || f.context().precision() > DOUBLE_BITS;
        if !is_dear || !f.machine.effort.solver_options.kinks {
            return Ok(None);
        }
        let (mut parts, mut ends) = (Vec::new(), Jet::zero());
        for is_right in [false, true] {
            let dyadic = |numerator: u32, exponent: u32| Rational::from(numerator) >> exponent;
            let place = |t: Rational| if is_right { 1 - t } else { t };
            // A half without a singular end needs no grading.
            if let Some(half) = self.split_into_parts(&place(dyadic(1, 2)), &dyadic(1, 2), 1, DEEPEST) {
                parts.extend(half);
                continue;
            }
            // The interval from 2⁻ᵏ⁻¹ to 2⁻ᵏ.
            let mut between = |k: u32| {
                let found = self.split_into_parts(&place(dyadic(3, k + 2)), &dyadic(1, k + 2), k + 1, k + 1 + DEEPEST);
                found.map(|found| parts.extend(found)).is_some()
            };
            if !(1..FIRST_DEPTH).all(&mut between) {
                return Ok(None);
            }
            let Some((depth, end)) = self.integral_near_end(f, algebra, is_right)? else { return Ok(None) };
            if !(FIRST_DEPTH..depth).all(between) {
                return Ok(None);
            }
            ends = f.jets(algebra).add(&ends, &end);
        }
        Ok(Some((parts, ends)))
    }

    /// Returns the integral over the piece beside an end, and its depth: as great as makes the integral narrow enough.
    fn integral_near_end<C: HookedContext>(
        &self,
        f: &SolverFunction<C>,
        algebra: &Arc<Algebra>,
        is_right: bool,
    ) -> Result<Option<EndIntegral<C::Num>>, SmoothError> {
        let (context, jets) = (f.context(), f.jets(algebra));
        let most = if is_right { MOST_DEPTH_AT_1 } else { MOST_DEPTH };
        let (mut depth, mut before) = (FIRST_DEPTH, None);
        loop {
            let length = Rational::from(1) >> depth;
            let [end, away] = if is_right { [1, -1] } else { [0, 1] };
            let approach = OneSidedLimit {
                end: &Jet::constant(context.enclose_integer(end)),
                length: &Jet::constant(context.enclose_rational(&Rational::from(&length * away))),
                root: None,
            };
            let growth = f.machine.power_bound_at_end(
                f.block,
                algebra,
                &approach,
                f.captures,
                &mut BranchDecisions::default(),
            )?;
            let Some(growth) = growth.filter(|growth| growth.power > -1) else { return Ok(None) };
            let integral = jets.scale(&growth.factor, &context.enclose_rational(&(length / (growth.power + 1))));
            let is_known = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
            if !integral.coefficients().flatten().all(is_known) {
                return Ok(None);
            }
            let width = integral.coefficients().flatten().map(|c| context.width(c)).max();
            let Some(width) = width.filter(|width| *width > self.tolerance.mul_exp2(-1)) else {
                return Ok(Some((depth, integral)));
            };
            // Extrapolates the depth that is needed, by a line through the last two widths.
            let width = width.floor_log2();
            let gain =
                before.map_or(1.0, |(old, at): (i64, u32)| old.saturating_sub(width) as f64 / f64::from(depth - at));
            let missing = width.saturating_sub(self.tolerance.floor_log2()).saturating_add(1).max(1) as f64;
            // Less than a tenth of a bit for each halving is hopeless: a choice.
            if gain < 0.1 || depth == most {
                return Ok(None);
            }
            before = Some((width, depth));
            depth = (depth + ((missing / gain).ceil() as u32).clamp(1, DEEPER)).min(most);
        }
    }
}
