//! Bounds of values that are unbounded like log s: `k·log s + r`, where k is the same for all s, and r is bounded.
//!
//! Its exponential is a power whose exponent may be any number, and may move with an input: with `k = κ + n`, n nilpotent,
//!
//! `exp (k·log s + r) = s^κ·Σ nʲ (log s)ʲ/j!·exp r`, where `-1/β ≤ s^β·log s ≤ 0` for every β > 0.
//!
//! | a value | is |
//! |---|---|
//! | `log (sᵖ·N)`, for N > 0 | `p·log s + log N` |
//! | the product of such a value and one that is the same for all s, the quotient by it | by its parts |
//! | a sum of such values, or of one and a bounded value | by its parts |
//! | `exp (k·log s + r)` | as above |

use super::exponential::AsymptoticBounds;
use super::{AsymptoticRun, LOG_DENOMINATOR, PowerBound};
use crate::number::Rational;
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::{BlockInstruction, BlockRegister};

/// The bound `k·log s + r`; see the [module](self).
#[derive(Clone, Debug)]
pub struct LogBound<N> {
    /// k
    scale: Jet<N>,
    /// r
    rest: Jet<N>,
}

impl<N> LogBound<N> {
    /// Applies a linear map to k and r.
    fn map(&self, f: impl Fn(&Jet<N>) -> Jet<N>) -> Self {
        Self { scale: f(&self.scale), rest: f(&self.rest) }
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the logarithmic bound of a result, by its operands. `fixed` returns a value that is the same for all s.
    pub(super) fn log_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        found: &[AsymptoticBounds<C::Num>],
        fixed: impl Fn(BlockRegister) -> Option<Jet<C::Num>>,
    ) -> Option<LogBound<C::Num>> {
        let outer = &self.outer;
        let at = |r: BlockRegister| &found[r.0 as usize];
        let is_one = |r: BlockRegister| at(r).logarithmic.is_some();
        // A bounded value has k = 0; a positive power of s is bounded by its factor times [0, 1].
        let of = |r: BlockRegister| {
            let bounded = |growth: &PowerBound<C::Num>| match growth.power.cmp0() {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(growth.factor.clone()),
                std::cmp::Ordering::Greater => Some(self.times_unit_interval(&growth.factor)),
            };
            let lifted = |rest| LogBound { scale: Jet::zero(), rest };
            at(r).logarithmic.clone().or_else(|| at(r).growth.as_ref().and_then(bounded).map(lifted))
        };
        match instruction {
            BlockInstruction::Unary(Unary::Function(Function::Log), x) => {
                let a = at(*x).growth.as_ref().filter(|a| a.power != 0 && self.is_positive(&a.factor))?;
                let scale = Jet::constant(self.context().enclose_rational(&a.power));
                // The logarithm of N is taken for the first time here, so its boundary is noted here.
                self.machine.record_function_boundary(outer, Function::Log, &a.factor);
                Some(LogBound { scale, rest: outer.apply_function(Function::Log, &a.factor) })
            }
            BlockInstruction::Unary(Unary::Negate, x) if is_one(*x) => Some(of(*x)?.map(|a| outer.negate(a))),
            BlockInstruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => match f {
                Binary::Add | Binary::Subtract => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    let sum = |a, b| if *f == Binary::Add { outer.add(a, b) } else { outer.subtract(a, b) };
                    Some(LogBound { scale: sum(&a.scale, &b.scale), rest: sum(&a.rest, &b.rest) })
                }
                Binary::Multiply => {
                    // c·(k·log s + r) keeps its form only if c does not move with s.
                    let (own, c) = if is_one(*x) { (*x, *y) } else { (*y, *x) };
                    let c = fixed(c)?;
                    Some(of(own)?.map(|a| outer.multiply(a, &c)))
                }
                Binary::Divide if is_one(*x) => {
                    let c = fixed(*y)?;
                    Some(of(*x)?.map(|a| outer.divide(a, &c)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a power bound of `exp (k·log s + r)`. Returns `None` if the value of k is undefined or unbounded.
    pub(super) fn exp_of_log_bound(&self, a: &LogBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let kappa = context.to_enclosure(&outer.value_of(&a.scale));
        let (lo, hi) = (kappa.lo().to_rational()?, kappa.hi().to_rational()?);
        if !kappa.is_defined() {
            return None;
        }
        let nilpotent = outer.nilpotent_part(&a.scale);
        let terms = outer.nilpotency_bound(&nilpotent);
        // Of an interval of κ the lowest end lo is the power: s^(κ - lo) is in [0, 1], and so is s^((terms - 1 - j)·β).
        let one = context.enclose_integer(1);
        let unit = context.hull(&context.enclose_integer(0), &one);
        let bound = context.hull(&context.enclose_integer(-LOG_DENOMINATOR), &context.enclose_integer(0));
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = if lo == hi { one } else { unit.clone() };
        for j in 0..u64::from(terms) {
            let is_last = j + 1 == u64::from(terms);
            // All terms get the power of the last one; the others make up for it by a factor in [0, 1].
            coefficients.push(Some(if is_last { coefficient.clone() } else { context.mul(&coefficient, &unit) }));
            coefficient = context.div_integer(&context.mul(&coefficient, &bound), j + 1);
        }
        let power = lo - Rational::from((terms - 1, LOG_DENOMINATOR as u32));
        let factor = outer.compose(&coefficients, &nilpotent);
        self.power_bound(power, outer.multiply(&factor, &outer.apply_function(Function::Exp, &a.rest)))
    }
}
