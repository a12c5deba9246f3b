//! Plateaus: maxima that are attained, nearly or exactly, on a continuum. No piece of it can be dropped or resolved.
//! Splitting only narrows the values there, by the square of the length if they are enclosed by slopes.
//!
//! Taylor's formula of order n narrows them by its n-th power. With m the middle of a piece, `c_k` the coefficients at m
//! and `C_n` that over the whole piece,
//!
//! `f(m + h)  ∈  c_0 + c_1 h + … + c_{n-1} h^{n-1} + C_n h^n`.
//!
//! It costs as much as several slopes, so it is used only if many pieces are left.

use super::search::MaximumSearch;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;
use std::sync::Arc;

/// The number of pieces that count as a plateau. A choice.
const BROAD: usize = 8;
/// The bits of the tolerance for each order n. With coefficients about 1, pieces with half a length of 2 to the power of
/// minus this are then short enough. A choice.
const BITS_PER_ORDER: i64 = 5;
/// The least order and the greatest. A choice.
const ORDERS: [i64; 2] = [4, 24];

/// Returns the order of Taylor's formula for this number of pieces; 1 if they are few.
pub(super) fn taylor_order(tolerance: Magnitude, pieces: usize) -> usize {
    if pieces < BROAD || tolerance.is_zero() || !tolerance.is_finite() {
        return 1;
    }
    let [least, greatest] = ORDERS;
    usize::try_from((-tolerance.floor_log2() / BITS_PER_ORDER).clamp(least, greatest)).unwrap_or(1)
}

/// Counts the bounded coefficients over an interval, in a row from the first power on.
///
/// The function is differentiable so many times there, or its derivative of one order less is Lipschitz.
pub(super) fn count_bounded<C: HookedContext>(context: &C, all: &[C::Num]) -> usize {
    all.iter().skip(1).take_while(|c| context.is_bounded(c)).count()
}

/// Evaluates Taylor's formula of order n: `c_0 + … + c_{n-1} h^{n-1} + C_n h^n` for all h of an interval around 0.
///
/// `centre` are the coefficients at the middle, `all` those over the interval. Returns `None` if one at the middle is not
/// bounded. The function has to be defined on the interval: bounded coefficients alone do not show it.
pub(super) fn taylor_formula<C: HookedContext>(
    context: &C,
    n: usize,
    [centre, all]: [&[C::Num]; 2],
    h: &C::Num,
) -> Option<C::Num> {
    let lower = centre.get(..n).filter(|lower| lower.iter().all(|c| context.is_bounded(c)))?;
    let square = context.square(h);
    let mut power = context.enclose_integer(1);
    // Even and odd powers are summed apart: a square is never negative.
    let mut halves = [context.enclose_integer(0), context.enclose_integer(0)];
    for (k, c) in lower.iter().chain(all.get(n)).enumerate() {
        if k > 0 && k % 2 == 0 {
            power = context.mul(&power, &square);
        }
        context.mul_add(&mut halves[k % 2], c, &power);
    }
    let [mut even, odd] = halves;
    context.mul_add(&mut even, &odd, h);
    Some(even)
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Encloses the values on a piece by Taylor's formula round its middle, at which the value is known. Returns `None` if
    /// the order is below 2, or only the first coefficient, the slope, is bounded.
    pub(super) fn range_by_taylor(
        &self,
        [span, middle, height]: [&C::Num; 3],
        branches: &BranchDecisions,
    ) -> Result<Option<C::Num>, SmoothError> {
        if self.order < 2 {
            return Ok(None);
        }
        let (f, context) = (self.f, self.f.context());
        let at = |order: usize, x: &C::Num| {
            let mut columns = f.taylor_columns(&f.machine.real, order, x, &mut branches.clone())?;
            Ok::<_, SmoothError>(columns.swap_remove(0))
        };
        let all = at(self.order, span)?;
        let n = count_bounded(context, &all);
        // With n = 1 it is the mean value form, which the search has already.
        if n < 2 {
            return Ok(None);
        }
        let mut centre = at(n - 1, middle)?;
        centre[0] = height.clone();
        Ok(taylor_formula(context, n, [&centre, &all], &context.sub(span, middle)))
    }
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns for each monomial of an algebra its coefficients in the powers of x - x₀, up to this order. The order is 1
    /// if there would be too many monomials.
    pub(super) fn taylor_columns(
        &self,
        algebra: &Arc<Algebra>,
        order: usize,
        x: &C::Num,
        branches: &mut BranchDecisions,
    ) -> Result<Vec<Vec<C::Num>>, SmoothError> {
        let adjoin = |order: usize| algebra.adjoin(AlgebraGenerator::Direction(u32::try_from(order).ok()?));
        let extended = if order == 0 { None } else { adjoin(order).or_else(|| adjoin(1)) };
        let mut place = Jet::constant(x.clone());
        if let Some(extended) = &extended {
            place.set(extended.last_generator(), Some(self.context().enclose_integer(1)));
        }
        let jet = self.eval_jet(extended.as_ref().unwrap_or(algebra), place, branches, EvalTarget::Outputs)?;
        let coefficient = |here: usize| jet.get(here).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        let monomials = algebra.len();
        Ok(match extended {
            Some(extended) => extended
                .generator_columns(monomials)
                .into_iter()
                .map(|c| c.into_iter().map(coefficient).collect())
                .collect(),
            None => (0..monomials).map(|m| vec![coefficient(m)]).collect(),
        })
    }
}
