//! Power bounds of an integral, by those of its integrand on pieces of its own variable t.
//!
//! | the integrand, for t in a piece | its integral over the piece is |
//! |---|---|
//! | `sᵖ·N` for all these t | `sᵖ·N` times the length |
//! | `τ^q·N` for all these s and q > -1, τ being the share of the piece from one end on | `N/(q + 1)` times the length |
//! | both, with p and q of at most -1 | at most `s^(θp)·M` with a bounded M, for 0 < θ < 1 |
//!
//! The third row is for a singularity at a corner. A number of at most a and at most b is at most `a^θ·b^(1-θ)`. So 1/(x +
//! y) is at most 1/√(xy), which has an integral. With θ = q/(p + q) both exponents are pq/(p + q). That is above -1 where
//! these two rows bound the integrand like a power above -2 of the distance from the corner. An integrand that is infinite
//! there by both and of either sign is not seen to cancel. Otherwise θ is such that (1 - θ)q is -7/8, as in x·∫ 1/(x + y)²
//! dy, where the factor outside makes up for the rest. The same holds for each Taylor coefficient in the other inputs. The
//! pieces halve towards both ends, down to the length of the piece of s.

use super::exponential::AsymptoticBounds;
use super::{AsymptoticRun, OneSidedLimit, PieceRegisters, PowerBound};
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::number::work;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, RegisterFile};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};

/// The number of halvings towards an end, at most. A choice.
const MOST_HALVINGS: i64 = 64;

/// An integral inside a run: its integrand, and the registers of its captures.
type InnerIntegral<'i> = (&'i Block, &'i [BlockRegister]);

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a power bound of an integral. Returns `None` for any other instruction, or if the integrand has no bound on
    /// some piece.
    pub(super) fn bound_integral(
        &self,
        instruction: &BlockInstruction,
        frames: &PieceRegisters<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
        moving: &[bool],
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let BlockInstruction::Second { primitive: SecondOrder::Integral, body, captures } = instruction else {
            return Ok(None);
        };
        let inner = (&**body, &**captures);
        // Pieces much shorter than that of s gain nothing: there the integrand varies with s.
        let halvings = 1_i64.saturating_sub(self.length.floor_log2()).clamp(2, MOST_HALVINGS);
        // [0, 2⁻ᵏ], …, [1/4, 1/2], and their mirror images towards 1.
        let breaks: Vec<_> = (1..=halvings).rev().map(|k| Rational::from((1, 1_u128 << k))).collect();
        let mut sum: Option<PowerBound<C::Num>> = None;
        for from_right in [false, true] {
            for (i, right) in breaks.iter().enumerate() {
                let left = i.checked_sub(1).map(|i| &breaks[i]);
                let ends = [left.unwrap_or(Rational::ZERO), right].map(|t| {
                    let t = if from_right { Rational::from(1 - t) } else { t.clone() };
                    self.context().enclose_rational(&t)
                });
                let mut part = self.integrand_on_piece(inner, &ends, frames, (found, moving))?;
                let is_at_end = left.is_none();
                // A bound for all t that has no integral in s, or none at all: only a corner may still help.
                if is_at_end && part.as_ref().is_none_or(|uniform| uniform.power <= -1) {
                    part = self.mean_at_corner(inner, &ends, frames, part)?;
                }
                // An enclosure of all values encloses their mean.
                let Some(mean) = part else { return Ok(None) };
                let length = self.context().abs(&self.context().sub(&ends[1], &ends[0]));
                let part = PowerBound { factor: self.outer.scale(&mean.factor, &length), ..mean };
                let both = match &sum {
                    Some(sum) => self.add_power_bounds(sum, part),
                    None => Some(part),
                };
                let Some(both) = both else { return Ok(None) };
                sum = Some(both);
            }
        }
        // A mean is enclosed, not its limit.
        self.may_oscillate.set(true);
        Ok(sum)
    }

    /// Returns a power bound of the integrand for all t of a piece.
    fn integrand_on_piece(
        &self,
        (body, captures): InnerIntegral,
        [from, to]: &[C::Num; 2],
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        (found, moving): (&[AsymptoticBounds<C::Num>], &[bool]),
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let limbs = work::limb_count(self.context().precision());
        if !self.machine.effort.budget.spend(2 * body.instructions.len() as u64 * self.extended.product_count() * limbs)
        {
            return Ok(None);
        }
        let place = [Jet::constant(self.context().hull(from, to))];
        let (of_over, of_at) = (over.get_all(captures), at.get_all(captures));
        let of_near = near.as_ref().map(|near| near.get_all(captures));
        let frame = |captures| RegisterFile::new([&place[..], captures], Vec::new(), body, EvalTarget::Outputs);
        let frames =
            PieceRegisters { over: frame(&of_over[..]), at: frame(&of_at[..]), near: of_near.as_deref().map(frame) };
        // Exponents are sums of registers of another block, so exponentials cannot be handed on.
        let known = captures.iter().map(|r| &found[r.0 as usize]);
        let known = known.map(|a| AsymptoticBounds {
            above: a.above.clone(),
            ..AsymptoticBounds::from_power_bound(a.growth.clone())
        });
        let found = std::iter::once(self.bounds_of_input(&frames, BlockRegister(0))).chain(known).collect();
        // t takes all values of the piece at once: for a given t it does not move with s.
        let moving = std::iter::once(false).chain(captures.iter().map(|r| moving[r.0 as usize])).collect();
        self.bound_block(body, frames, (found, moving), &[], &mut BranchDecisions::with_forced(Vec::new()))
    }

    /// Returns a power bound of the mean of the integrand over a piece that begins at 0 or 1.
    ///
    /// `uniform` is the bound for all t of the piece. The other bound is that of the integrand near the end, for all s.
    fn mean_at_corner(
        &self,
        (body, captures): InnerIntegral,
        [end, other]: &[C::Num; 2],
        frames: &PieceRegisters<C::Num>,
        uniform: Option<PowerBound<C::Num>>,
    ) -> Result<Option<PowerBound<C::Num>>, SmoothError> {
        let context = self.context();
        let captured: Vec<_> = captures.iter().map(|r| self.coefficient_in_s(frames.over.get(*r), 0)).collect();
        let length = Jet::constant(context.sub(other, end));
        let approach = OneSidedLimit { end: &Jet::constant(end.clone()), length: &length, root: None };
        let mut branches = BranchDecisions::with_forced(Vec::new());
        let own = self.machine.power_bound_at_end(body, self.inputs, &approach, &captured, &mut branches)?;
        let Some(own) = own else { return Ok(None) };
        // Integrable by itself: ∫₀¹ τ^q dτ = 1/(q + 1).
        if own.power > -1 {
            let weight = Rational::from(&own.power + 1);
            return Ok(self.power_bound(0, self.outer.scale(&own.factor, &context.enclose_rational(&weight.recip()))));
        }
        let Some(uniform) = uniform else { return Ok(None) };
        // 1 - θ: equal powers of s and τ, but a power of τ of at least -7/8.
        let sum = Rational::from(&uniform.power + &own.power);
        let same = Rational::from(&uniform.power / &sum);
        let enough = Rational::from((-7, 8)) / &own.power;
        let own_share = same.min(enough);
        let weight: Rational = Rational::from(&own_share * &own.power) + 1;
        let share = Rational::from(1 - &own_share);
        let power = Rational::from(&share * &uniform.power);
        // |a|^θ·|b|^(1-θ), times the integral 1/(1 + (1-θ)q) of the power of τ.
        let shares = [share, own_share].map(|share| context.enclose_rational(&share));
        let over = context.enclose_rational(&weight.recip());
        let between = |[a, b]: [&C::Num; 2]| {
            let raised = |value: &C::Num, share: &C::Num| {
                let most = context.upper(&context.abs(value)).filter(|_| context.is_defined(value))?;
                match context.sign(&most) {
                    Sign::Positive => {
                        let logarithm = context.apply_function(Function::Log, &most);
                        Some(context.apply_function(Function::Exp, &context.mul(share, &logarithm)))
                    }
                    // An exact 0 has no logarithm; an undefined end has no power at all.
                    _ => context.is_point(&most).then_some(most),
                }
            };
            let (Some(first), Some(second)) = (raised(a, &shares[0]), raised(b, &shares[1])) else {
                return context.bottom();
            };
            let most = context.mul(&context.mul(&first, &second), &over);
            // Where one bound has no negative number, the integrand has none either.
            let is_positive = [a, b].iter().any(|v| context.is_nonnegative(v));
            let least = if is_positive { context.enclose_integer(0) } else { context.neg(&most) };
            context.hull(&least, &most)
        };
        let monomials = 0..uniform.factor.len().min(own.factor.len());
        let bound = monomials.map(|m| Some(between([uniform.factor.get(m)?, own.factor.get(m)?])));
        Ok(self.power_bound(power, Jet::new(bound)))
    }
}
