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

use super::exponential::Found;
use super::{Growth, LOGARITHM, Run};
use crate::number::Rational;
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::program::{Instruction, Register};

/// The bound `k·log s + r`; see the [module](self).
#[derive(Clone, Debug)]
pub struct Logarithmic<N> {
    /// k
    scale: Jet<N>,
    /// r
    rest: Jet<N>,
}

impl<N> Logarithmic<N> {
    /// Applies a linear map to k and r.
    fn map(&self, f: impl Fn(&Jet<N>) -> Jet<N>) -> Self {
        Self { scale: f(&self.scale), rest: f(&self.rest) }
    }
}

impl<C: Hooked> Run<'_, '_, C> {
    /// Returns the logarithmic bound of a result, by its operands. `fixed` returns a value that is the same for all s.
    pub(super) fn logarithmic(
        &self,
        instruction: &Instruction,
        found: &[Found<C::Num>],
        fixed: impl Fn(Register) -> Option<Jet<C::Num>>,
    ) -> Option<Logarithmic<C::Num>> {
        let outer = &self.outer;
        let at = |r: Register| &found[r.0 as usize];
        let is_one = |r: Register| at(r).logarithmic.is_some();
        // A bounded value has k = 0; a positive power of s is bounded by its factor times [0, 1].
        let of = |r: Register| {
            let bounded = |growth: &Growth<C::Num>| match growth.power.cmp0() {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(growth.factor.clone()),
                std::cmp::Ordering::Greater => Some(self.damped(&growth.factor)),
            };
            let lifted = |rest| Logarithmic { scale: Jet::zero(), rest };
            at(r).logarithmic.clone().or_else(|| at(r).growth.as_ref().and_then(bounded).map(lifted))
        };
        match instruction {
            Instruction::Unary(Unary::Function(Function::Log), x) => {
                let a = at(*x).growth.as_ref().filter(|a| a.power != 0 && self.is_positive(&a.factor))?;
                let scale = Jet::constant(self.context().rational(&a.power));
                // The logarithm of N is taken for the first time here, so its boundary is noted here.
                self.machine.meet(outer, Function::Log, &a.factor);
                Some(Logarithmic { scale, rest: outer.function(Function::Log, &a.factor) })
            }
            Instruction::Unary(Unary::Negate, x) if is_one(*x) => Some(of(*x)?.map(|a| outer.negate(a))),
            Instruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => match f {
                Binary::Add | Binary::Subtract => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    let sum = |a, b| if *f == Binary::Add { outer.add(a, b) } else { outer.subtract(a, b) };
                    Some(Logarithmic { scale: sum(&a.scale, &b.scale), rest: sum(&a.rest, &b.rest) })
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
    pub(super) fn power_of(&self, a: &Logarithmic<C::Num>) -> Option<Growth<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let kappa = context.to_enclosure(&outer.value(&a.scale));
        let (lo, hi) = (kappa.lo().to_rational()?, kappa.hi().to_rational()?);
        if !kappa.is_defined() {
            return None;
        }
        let nilpotent = outer.nilpotent_part(&a.scale);
        let terms = outer.nilpotency(&nilpotent);
        // Of an interval of κ the lowest end lo is the power: s^(κ - lo) is in [0, 1], and so is s^((terms - 1 - j)·β).
        let one = context.integer(1);
        let unit = context.hull(&context.integer(0), &one);
        let bound = context.hull(&context.integer(-LOGARITHM), &context.integer(0));
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = if lo == hi { one } else { unit.clone() };
        for j in 0..u64::from(terms) {
            let is_last = j + 1 == u64::from(terms);
            // All terms get the power of the last one; the others make up for it by a factor in [0, 1].
            coefficients.push(Some(if is_last { coefficient.clone() } else { context.mul(&coefficient, &unit) }));
            coefficient = context.divide(&context.mul(&coefficient, &bound), j + 1);
        }
        let power = lo - Rational::from((terms - 1, LOGARITHM as u32));
        let factor = outer.compose(&coefficients, &nilpotent);
        self.growth(power, outer.multiply(&factor, &outer.function(Function::Exp, &a.rest)))
    }
}
