//! Pieces at whose ends the integrand is singular: unbounded, 0/0, or without a bounded slope.
//!
//! At an end of the interval, and at the zero of a branch point, the integrand need not be defined: there it may be bounded
//! by a [power](crate::smooth::machine::power_bound_at_end). Its value at a single point does not change an integral; it has to be
//! defined on the rest of the piece.
//!
//! A piece that a kink carries along keeps its length. A change of length adds on one side of the cut as much as
//! it takes away on the other, and both may be unbounded.
//!
//! Inside of a piece nothing of the kind is assumed: there the integrand is certainly defined. In optima -∞ counts
//! as less than every number.

use super::{PanelPiece, PieceEnd, TaylorExpansions};
use crate::number::Rational;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::growth::OneSidedLimit;
use crate::smooth::machine::puiseux::PuiseuxExpansion;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;

impl<N: Clone> PanelPiece<N> {
    /// Returns the end that is the zero of a branch point. Returns `None` if there is none.
    pub(super) fn end_at_root(&self) -> Option<&Jet<N>> {
        self.between.iter().zip(self.ends).find_map(|(place, end)| matches!(end, PieceEnd::Root(_)).then_some(place))
    }

    /// Returns `true` if the integrand has no bounded slope on a piece whose end may be singular.
    ///
    /// For pieces with inner ends only the branches are computed. Branches that power bounds decide are forced from then on.
    pub(super) fn is_steep<C: HookedContext<Num = N>>(
        &mut self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        span: &N,
        branches: &mut BranchDecisions,
    ) -> Result<bool, SmoothError> {
        let base = f.with_captures(&frames.base);
        let value = base.value_over(span, branches, EvalTarget::Outputs)?;
        let shortcuts = f.machine.effort.solver_options;
        if self.ends == [PieceEnd::Inner; 2] || !shortcuts.kinks || !shortcuts.expansions {
            return Ok(false);
        }
        let context = f.context();
        let mut value = value;
        // An unbounded value may hide the sign of a number; a power bound still shows it. Blocks with binders would be too
        // expensive.
        if !branches.undecided.is_empty() && !is_known(context, &value) && f.block.depth <= 1 {
            let sides = self.branches_near_ends(f, frames)?;
            if !sides.is_empty() {
                self.forced.extend(sides);
                *branches = BranchDecisions::with_forced(self.forced.clone());
                value = base.value_over(span, branches, EvalTarget::Outputs)?;
            }
        }
        if !branches.undecided.is_empty() {
            return Ok(false);
        }
        Ok(!is_known(context, &value)
            || !is_known(context, &base.value_and_slope(span, branches, EvalTarget::Outputs)?.slope))
    }

    /// Returns the branches on the piece that power bounds near an end decide.
    fn branches_near_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Vec<(BranchPoint, KinkBranch)>, SmoothError> {
        let jets = f.jets(frames.outer);
        let [left, right] = &self.between;
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                PieceEnd::Inner => continue,
                PieceEnd::Outer => None,
                PieceEnd::Root(switch) => Some(switch),
            };
            let approach = OneSidedLimit { end, length: &jets.subtract(other, end), root };
            let given = BranchDecisions::with_forced(self.forced.clone());
            let sides = f.machine.branches_by_power_bounds(f.block, &approach, f.captures, &given)?;
            if !sides.is_empty() {
                return Ok(sides);
            }
        }
        Ok(Vec::new())
    }

    /// Narrows the integral over the piece by expansions and power bounds near its ends.
    pub(super) fn narrow_near_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        estimate: &mut Jet<N>,
        least: &mut Jet<Magnitude>,
    ) -> Result<(), SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let [left, right] = &self.between;
        let length = jets.subtract(right, left);
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                PieceEnd::Inner => continue,
                PieceEnd::Outer => None,
                PieceEnd::Root(switch) => Some(switch),
            };
            let approach = OneSidedLimit { end, length: &jets.subtract(other, end), root };
            let mut branches = BranchDecisions::with_forced(self.forced.clone());
            // Puiseux first: its remainder has a high order, where a power bound has the range alone.
            let expanded = f.machine.puiseux_expansion(
                f.block,
                (frames.outer, frames.order),
                &approach,
                f.captures,
                &mut branches,
            )?;
            if let Some(found) =
                expanded.map(|found| integrate_puiseux(context, frames.outer, &found)).transpose()?.flatten()
            {
                let [sum, floor] = found.map(|sum| jets.multiply(&length, &sum));
                let floor = Jet::new(floor.coefficients().map(|c| c.map(|c| context.width(c))));
                narrow_estimate(context, estimate, (least, &floor), &sum)?;
            }
            if estimate.coefficients().flatten().all(|c| is_known(context, c)) {
                return Ok(());
            }
            let Some(growth) =
                f.machine.power_bound_at_end(f.block, frames.outer, &approach, f.captures, &mut branches)?
            else {
                continue;
            };
            // ∫₀¹ sᵖ ds = 1/(p + 1) exists only for p > -1.
            let weight: Rational = growth.power + 1;
            if weight <= 0 {
                continue;
            }
            let over = context.enclose_rational(&weight.recip());
            let integral = jets.scale(&jets.multiply(&length, &growth.factor), &over);
            narrow_estimate(context, estimate, (least, &Jet::zero()), &integral)?;
        }
        Ok(())
    }
}

/// Returns `true` if a coefficient is certainly defined and bounded.
pub(super) fn is_known<C: HookedContext>(context: &C, c: &C::Num) -> bool {
    context.is_defined(c) && context.is_bounded(c)
}

/// Narrows an estimate. Where nothing was known, it also sets the part that no splitting narrows.
fn narrow_estimate<C: HookedContext>(
    context: &C,
    estimate: &mut Jet<C::Num>,
    (least, floor): (&mut Jet<Magnitude>, &Jet<Magnitude>),
    integral: &Jet<C::Num>,
) -> Result<(), SmoothError> {
    for monomial in 0..estimate.len() {
        let found = integral.get(monomial).cloned().unwrap_or_else(|| context.enclose_integer(0));
        let Some(all) = estimate.get(monomial).filter(|_| is_known(context, &found)) else { continue };
        let both = if is_known(context, all) {
            let both = context.intersect(all, &found);
            both.ok_or(SmoothError::DisjointEnclosures { construct: "an integral beside an end" })?
        } else {
            least.set(monomial, Some(floor.get(monomial).copied().unwrap_or(Magnitude::ZERO)));
            found
        };
        estimate.set(monomial, Some(both));
    }
    Ok(())
}

/// Encloses `k·∫₀¹ u^(w+k-1)·N(u) du`, and returns the part that no splitting narrows. Returns `None` if the exponent is
/// too small.
fn integrate_puiseux<C: HookedContext>(
    context: &C,
    outer: &Algebra,
    PuiseuxExpansion { ramification, power, algebra, over, at }: &PuiseuxExpansion<C::Num>,
) -> Result<Option<[Jet<C::Num>; 2]>, SmoothError> {
    let weight = |j: usize| u64::try_from(power + i64::from(*ramification) + j as i64).ok().filter(|w| *w > 0);
    if weight(0).is_none() {
        return Ok(None);
    }
    let (mut sum, mut floor) = (Jet::zero(), Jet::zero());
    for (monomial, column) in algebra.generator_columns(outer.len()).iter().enumerate() {
        let (mut partial, mut best): (_, Option<C::Num>) = (context.enclose_integer(0), None);
        let mut is_present = false;
        for (j, &index) in column.iter().enumerate() {
            let Some(weight) = weight(j) else { continue };
            is_present |= over.get(index).is_some() || at.get(index).is_some();
            let rest = over.get(index).map_or_else(|| context.enclose_integer(0), |c| context.div_integer(c, weight));
            let candidate = context.add(&partial, &rest);
            // Every order gives an enclosure: the partial sum at 0, and the remainder over all u.
            best = Some(match best {
                None => candidate,
                Some(best) => context.intersect(&best, &candidate).ok_or(SmoothError::DisjointEnclosures {
                    construct: "the expansions of an integral beside an end",
                })?,
            });
            if let Some(c) = at.get(index) {
                partial = context.add(&partial, &context.div_integer(c, weight));
            }
            if is_known(context, &partial) {
                floor.set(monomial, Some(partial.clone()));
            }
        }
        if let Some(best) = best.filter(|_| is_present) {
            sum.set(monomial, Some(best));
        }
    }
    let times = |jet: Jet<C::Num>| {
        Jet::new(jet.coefficients().map(|c| c.map(|c| context.mul_integer(c, i64::from(*ramification)))))
    };
    Ok(Some([sum, floor].map(times)))
}
