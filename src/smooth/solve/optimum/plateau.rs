//! Plateaus: a maximum that is attained on a continuum, or nearly. No piece of it can be dropped, and none resolved; all that
//! splitting does is to narrow the values there, by the square of the length where these are enclosed by slopes.
//!
//! Taylor's formula of order n narrows them by its n-th power. With m the middle of a piece, `c_k` the coefficients at m and `C_n`
//! that of the whole piece,
//!
//! `f(m + h)  ∈  c_0 + c_1 h + … + c_{n-1} h^{n-1} + C_n h^n`.
//!
//! It costs as much as several slopes, so it is asked for only where many pieces are left.

use super::search::Search;
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Generator;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

/// As many pieces are a plateau.
const BROAD: usize = 8;
/// Bits of the tolerance for each order n: where coefficients are about 1, pieces of half a length of 2 to the power of minus this are
/// short enough then.
const BITS_PER_ORDER: i64 = 5;
/// The least order, and the greatest.
const ORDERS: [i64; 2] = [4, 24];

/// The order of Taylor's formula by which to look at so many pieces; 1 where they are few.
pub(super) fn order(tolerance: Magnitude, pieces: usize) -> u32 {
    if pieces < BROAD || tolerance.is_zero() || !tolerance.is_finite() {
        return 1;
    }
    let [least, greatest] = ORDERS;
    u32::try_from((-tolerance.log2() / BITS_PER_ORDER).clamp(least, greatest)).unwrap_or(1)
}

/// `c_0 + c_1 h + … + c_{n-1} h^{n-1} + c_n h^n` for all h of an interval around 0, given these coefficients.
pub(super) fn polynomial<'c, C: Context>(
    context: &C,
    coefficients: impl IntoIterator<Item = &'c C::Num>,
    h: &C::Num,
) -> C::Num
where
    C::Num: 'c,
{
    let square = context.square(h);
    let mut power = context.integer(1);
    // the even powers and the odd ones apart: a square is not negative
    let mut halves = [context.integer(0), context.integer(0)];
    for (k, c) in coefficients.into_iter().enumerate() {
        if k > 0 && k % 2 == 0 {
            power = context.mul(&power, &square);
        }
        context.mul_add(&mut halves[k % 2], c, &power);
    }
    let [mut even, odd] = halves;
    context.mul_add(&mut even, &odd, h);
    even
}

impl<C: Context> Search<'_, '_, '_, C> {
    /// The values on a piece by Taylor's formula, if it is looked at so, given those at its middle. Solvers inside are run as
    /// narrowly as is asked of the search itself: where they stop sooner they have no derivatives.
    pub(super) fn expanded(&self, piece: [&C::Num; 3], branches: &Branches) -> Result<Option<C::Num>, SmoothError> {
        if self.order < 2 {
            return Ok(None);
        }
        self.f.machine.effort.aiming_at(self.tolerance, || self.f.expanded(self.order, piece, branches))
    }
}

impl<C: Context> Function<'_, '_, C> {
    /// The values on an interval by Taylor's formula round its middle, at which the value is known; `None` where no coefficient
    /// from the second on is bounded. The captures must be [base captures](Self::base_captures), and the function defined on the interval:
    /// bounded coefficients alone do not say so.
    fn expanded(
        &self,
        order: u32,
        [span, middle, height]: [&C::Num; 3],
        branches: &Branches,
    ) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context();
        let Some(algebra) = self.machine.real.adjoin(Generator::Direction(order)) else { return Ok(None) };
        let at = |x: &C::Num| {
            let x = Jet::new([Some(x.clone()), Some(context.integer(1))]);
            self.at(&algebra, x, &mut branches.clone(), Target::Outputs)
        };
        let coefficient = |jet: &Jet<C::Num>, k: usize| jet.get(k).cloned().unwrap_or_else(|| context.integer(0));
        let all = at(span)?;
        let highest = (1..=order as usize).take_while(|&k| context.is_bounded(&coefficient(&all, k))).last();
        let Some(highest) = highest.filter(|&k| k > 1) else { return Ok(None) };
        let centre = at(middle)?;
        let mut coefficients = vec![height.clone()];
        coefficients.extend((1..highest).map(|k| coefficient(&centre, k)));
        coefficients.push(coefficient(&all, highest));
        Ok(Some(polynomial(context, &coefficients, &context.sub(span, middle))))
    }
}
