//! Pieces at whose ends the integrand is singular: unbounded, 0/0, or without a bounded slope.
//!
//! At an end of the interval, and at the zero of a branch point, the integrand need not be defined: there it may be bounded
//! by a [power](crate::smooth::machine::growth). Its value at a single point does not change an integral; it has to be
//! defined on the rest of the piece.

use super::{End, Frames, Piece};
use crate::number::Rational;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::growth::Approach;
use crate::smooth::machine::puiseux::Puiseux;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

impl<N: Clone> Piece<N> {
    /// Returns the end that is the zero of a branch point. Returns `None` if there is none.
    pub(super) fn root(&self) -> Option<&Jet<N>> {
        self.between.iter().zip(self.ends).find_map(|(place, end)| matches!(end, End::Root(_)).then_some(place))
    }

    /// Returns `true` if the integrand has no bounded slope on a piece whose end may be singular.
    ///
    /// For pieces with inner ends only the branches are computed. Branches that power bounds decide are forced from then on.
    pub(super) fn is_steep<C: Hooked<Num = N>>(
        &mut self,
        f: &Function<C>,
        frames: &Frames<N>,
        span: &N,
        branches: &mut Branches,
    ) -> Result<bool, SmoothError> {
        let base = f.with(&frames.base);
        let value = base.value(span, branches, Target::Outputs)?;
        let shortcuts = f.machine.effort.shortcuts;
        if self.ends == [End::Inner; 2] || !shortcuts.kinks || !shortcuts.expansions {
            return Ok(false);
        }
        let context = f.context();
        let mut value = value;
        // An unbounded value may hide the sign of a number; a power bound still shows it. Blocks with binders would be too
        // expensive.
        if !branches.undecided.is_empty() && !is_known(context, &value) && f.block.depth <= 1 {
            let sides = self.sides_beside_ends(f, frames)?;
            if !sides.is_empty() {
                self.forced.extend(sides);
                *branches = Branches::forced(self.forced.clone());
                value = base.value(span, branches, Target::Outputs)?;
            }
        }
        if !branches.undecided.is_empty() {
            return Ok(false);
        }
        Ok(!is_known(context, &value) || !is_known(context, &base.line(span, branches, Target::Outputs)?.slope))
    }

    /// Returns the branches on the piece that power bounds near an end decide.
    fn sides_beside_ends<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
    ) -> Result<Vec<(Switch, Branch)>, SmoothError> {
        let jets = f.jets(frames.outer);
        let [left, right] = &self.between;
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                End::Inner => continue,
                End::Outer => None,
                End::Root(switch) => Some(switch),
            };
            let approach = Approach { end, length: &jets.subtract(other, end), root };
            let given = Branches::forced(self.forced.clone());
            let sides = f.machine.sides_by_growth(f.block, &approach, f.captures, &given)?;
            if !sides.is_empty() {
                return Ok(sides);
            }
        }
        Ok(Vec::new())
    }

    /// Narrows the integral over the piece by expansions and power bounds near its ends.
    pub(super) fn narrow<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        estimate: &mut Jet<N>,
        least: &mut Jet<Magnitude>,
    ) -> Result<(), SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let [left, right] = &self.between;
        let length = jets.subtract(right, left);
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                End::Inner => continue,
                End::Outer => None,
                End::Root(switch) => Some(switch),
            };
            let approach = Approach { end, length: &jets.subtract(other, end), root };
            let mut branches = Branches::forced(self.forced.clone());
            // Puiseux first: its remainder has a high order, where a power bound has the range alone.
            let expanded =
                f.machine.puiseux(f.block, (frames.outer, frames.order), &approach, f.captures, &mut branches)?;
            if let Some(found) =
                expanded.map(|found| expanded_sum(context, frames.outer, &found)).transpose()?.flatten()
            {
                let [sum, floor] = found.map(|sum| jets.multiply(&length, &sum));
                let floor = Jet::new(floor.coefficients().map(|c| c.map(|c| context.width(c))));
                narrowed(context, estimate, (least, &floor), &sum)?;
            }
            if estimate.coefficients().flatten().all(|c| is_known(context, c)) {
                return Ok(());
            }
            let Some(growth) = f.machine.growth(f.block, frames.outer, &approach, f.captures, &mut branches)? else {
                continue;
            };
            // ∫₀¹ sᵖ ds = 1/(p + 1) exists only for p > -1.
            let weight: Rational = growth.power + 1;
            if weight <= 0 {
                continue;
            }
            let over = context.rational(&weight.recip());
            let integral = jets.scale(&jets.multiply(&length, &growth.factor), &over);
            narrowed(context, estimate, (least, &Jet::zero()), &integral)?;
        }
        Ok(())
    }
}

/// Returns `true` if a coefficient is certainly defined and bounded.
pub(super) fn is_known<C: Hooked>(context: &C, c: &C::Num) -> bool {
    context.is_defined(c) && context.is_bounded(c)
}

/// Narrows an estimate. Where nothing was known, it also sets the part that no splitting narrows.
fn narrowed<C: Hooked>(
    context: &C,
    estimate: &mut Jet<C::Num>,
    (least, floor): (&mut Jet<Magnitude>, &Jet<Magnitude>),
    integral: &Jet<C::Num>,
) -> Result<(), SmoothError> {
    for monomial in 0..estimate.len() {
        let found = integral.get(monomial).cloned().unwrap_or_else(|| context.integer(0));
        let Some(all) = estimate.get(monomial).filter(|_| is_known(context, &found)) else { continue };
        let both = if is_known(context, all) {
            let both = context.intersect(all, &found);
            both.ok_or(SmoothError::Contradiction { construct: "an integral beside an end" })?
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
fn expanded_sum<C: Hooked>(
    context: &C,
    outer: &Algebra,
    Puiseux { ramification, power, algebra, over, at }: &Puiseux<C::Num>,
) -> Result<Option<[Jet<C::Num>; 2]>, SmoothError> {
    let weight = |j: usize| u64::try_from(power + i64::from(*ramification) + j as i64).ok().filter(|w| *w > 0);
    if weight(0).is_none() {
        return Ok(None);
    }
    let (mut sum, mut floor) = (Jet::zero(), Jet::zero());
    for (monomial, column) in algebra.columns(outer.len()).iter().enumerate() {
        let (mut partial, mut best): (_, Option<C::Num>) = (context.integer(0), None);
        let mut is_present = false;
        for (j, &index) in column.iter().enumerate() {
            let Some(weight) = weight(j) else { continue };
            is_present |= over.get(index).is_some() || at.get(index).is_some();
            let rest = over.get(index).map_or_else(|| context.integer(0), |c| context.divide(c, weight));
            let candidate = context.add(&partial, &rest);
            // Every order gives an enclosure: the partial sum at 0, and the remainder over all u.
            best = Some(match best {
                None => candidate,
                Some(best) => context
                    .intersect(&best, &candidate)
                    .ok_or(SmoothError::Contradiction { construct: "the expansions of an integral beside an end" })?,
            });
            if let Some(c) = at.get(index) {
                partial = context.add(&partial, &context.divide(c, weight));
            }
            if is_known(context, &partial) {
                floor.set(monomial, Some(partial.clone()));
            }
        }
        if let Some(best) = best.filter(|_| is_present) {
            sum.set(monomial, Some(best));
        }
    }
    let times =
        |jet: Jet<C::Num>| Jet::new(jet.coefficients().map(|c| c.map(|c| context.scale(c, i64::from(*ramification)))));
    Ok(Some([sum, floor].map(times)))
}
