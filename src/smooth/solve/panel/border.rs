//! The integral over a piece on which a guard is not decided.
//!
//! For one input a guard may be decided everywhere but at its border, and for a box of inputs nowhere: the border moves over the
//! piece with them. Where some derivative of the guard's number in the variable, say the kth, is certainly not 0, whatever the inputs, each
//! of them has the border at k places at most (Rolle), which weigh nothing. So the integral exists where both sides do, and lies
//! between them. Of its derivatives this says nothing.

use super::{Frames, Panel};
use crate::number::context::{Context, Sign};
use crate::smooth::algebra::Generator;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

/// Of more guards than this not all sides are looked at.
const MOST_GUARDS: usize = 3;
/// The highest derivative of a guard's number that is looked at.
const HIGHEST: u32 = 4;

impl<N: Clone + Send + Sync> Panel<N> {
    /// The values of the integrals are defined where each guard that is not decided has its border at finitely many places.
    ///
    /// # Errors
    /// Those of the integrand; [`SmoothError::Contradiction`].
    pub(super) fn define_across_borders<C: Context<Num = N>>(
        &mut self,
        f: &Function<C>,
        frames: &Frames<N>,
        half: &Jet<N>,
    ) -> Result<(), SmoothError> {
        let context = f.context();
        let is_open = |estimate: &Jet<N>| estimate.get(0).is_some_and(|value| !context.is_defined(value));
        let guards: Vec<Switch> = self.undecided.iter().copied().filter(|switch| f.block.is_guard(*switch)).collect();
        if guards.is_empty() || guards.len() > MOST_GUARDS || !self.estimates.iter().any(is_open) {
            return Ok(());
        }
        let jets = f.jets(frames.outer);
        let base = f.with(&frames.base);
        let [left, right] = &self.piece.between;
        let span = context.hull(&jets.value(left), &jets.value(right));
        for guard in &guards {
            if !base.has_few_zeros(&span, &self.piece.forced, *guard)? {
                return Ok(());
            }
        }
        let mut hulls: Option<Vec<N>> = None;
        for sides in 0..1_u32 << guards.len() {
            let mut forced = self.piece.forced.clone();
            let side = |at: usize| if sides >> at & 1 == 0 { Branch::Left } else { Branch::Right };
            forced.extend(guards.iter().enumerate().map(|(at, guard)| (*guard, side(at))));
            let x = Jet::constant(span.clone());
            let outputs = base.all_at(&f.machine.real, x, &mut Branches::forced(forced), Target::Outputs)?;
            let ranges = outputs.iter().map(|output| output.get(0).cloned().unwrap_or_else(|| context.integer(0)));
            hulls = Some(match hulls {
                None => ranges.collect(),
                Some(hulls) => hulls.iter().zip(ranges).map(|(hull, range)| context.hull(hull, &range)).collect(),
            });
        }
        for (estimate, hull) in self.estimates.iter_mut().zip(hulls.into_iter().flatten()) {
            if !context.is_defined(&hull) {
                continue;
            }
            let over = context.mul(&jets.value(half), &context.scale(&hull, 2));
            let value = match estimate.get(0) {
                None => over,
                Some(value) => context
                    .intersect(value, &over)
                    .ok_or(SmoothError::Contradiction { construct: "the two sides of a border under an integral" })?,
            };
            estimate.set(0, Some(value));
        }
        Ok(())
    }
}

impl<C: Context> Function<'_, '_, C> {
    /// Whether a switch is 0 at finitely many places of a range, for whatever inputs. The captures must be
    /// [base captures](Self::base_captures).
    fn has_few_zeros(&self, span: &C::Num, forced: &[(Switch, Branch)], switch: Switch) -> Result<bool, SmoothError> {
        let context = self.context();
        let Some(algebra) = self.machine.real.adjoin(Generator::Taylor(HIGHEST)) else { return Ok(false) };
        let x = Jet::new([Some(span.clone()), Some(context.integer(1))]);
        let series = self.at(&algebra, x, &mut Branches::forced(forced.to_vec()), Target::Switch(switch))?;
        let exists = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
        let is_not_0 = |order| series.get(order).is_some_and(|c| exists(c) && context.sign(c) != Sign::Undecided);
        Ok(series.get(0).is_some_and(exists) && (1..=HIGHEST as usize).any(is_not_0))
    }
}
