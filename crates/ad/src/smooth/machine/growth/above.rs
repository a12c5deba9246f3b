//! Lower bounds by a power of s, for values that no power encloses: `x + s` for all x ≥ 0 lies between s and its range.
//!
//! `value ≥ sᵖ·m` for 0 < s ≤ 1, with a number m > 0. Such is a sum of a value that vanishes at the end and of an input
//! that goes to 0 as well, as at a corner of a square: `∬ 1/√(x + y)`, `∬ xy/(x + y)`, `∬ (x + y) log (x + y)`.
//!
//! | a value | is |
//! |---|---|
//! | `sᵖ·N` with N > 0 | bounded below by `sᵖ·N` |
//! | `c + s·N` with c ≥ 0, the value at the end, and N > 0; likewise to order 2 | bounded below by `s·N` (Taylor) |
//! | a sum with a nonnegative value, a product, a square, a root, a positive power | bounded below, by their powers |
//! | a quotient by a positive value with an upper bound | bounded below, by that bound |
//! | `1/v`, a negative power of v ≥ `sᵖ·m` | in `s⁻ᵖ·[0, 1/m]` |
//! | `log v` | between `p·log s + log m` and the logarithm of its range |
//!
//! The Taylor coefficients in the other inputs are unknown: they are ⊥. There is no limit at the end either unless the
//! power is positive: for inputs near 0 it differs from that for 0 itself. All this holds for the inputs given alone, and
//! is noted as a domain boundary: `x + c` is above x for c = 0, and reaches 0 on the way for c < 0.

use super::exponential::AsymptoticBounds;
use super::{AsymptoticRun, LOG_DENOMINATOR, ORDER, PowerBound, RegisterFile};
use crate::function::Monotonicity;
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::{BlockInstruction, BlockRegister};

/// The lower bound `sᵖ·m`, with m > 0; see the [module](self).
#[derive(Clone, Debug)]
pub struct LowerPowerBound<N> {
    /// The exponent p.
    pub(super) power: Rational,
    /// The number m, a point.
    least: N,
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns a lower bound of a value by its power bound, or by its expansions over the piece and at the end.
    pub(super) fn lower_bound_by_expansion(
        &self,
        growth: Option<&PowerBound<C::Num>>,
        [over, at]: [&Jet<C::Num>; 2],
    ) -> Option<LowerPowerBound<C::Num>> {
        if let Some(a) = growth.filter(|a| self.is_positive(&a.factor)) {
            return self.lower_power_bound(a.power.clone(), &self.outer.value_of(&a.factor));
        }
        let coefficient = |jet: &Jet<C::Num>, power: usize| self.outer.value_of(&self.coefficient_in_s(jet, power));
        // Taylor: value = c₀ + … + c₍ₖ₋₁₎s^(k-1) + s^k·(k-th coefficient over the piece), the c nonnegative.
        let starts = |power: &usize| self.is_never_negative(&coefficient(at, *power));
        let rises = |power: usize| {
            let least = coefficient(over, power);
            let is_known = self.context().is_defined(&coefficient(over, 0)) && self.context().is_defined(&least);
            if is_known { self.lower_power_bound(Rational::from(power), &least) } else { None }
        };
        (1..=ORDER as usize).take_while(|power| starts(&(power - 1))).find_map(rises)
    }

    /// Returns a lower bound of a result by the lower bounds of its operands.
    pub(super) fn lower_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<LowerPowerBound<C::Num>> {
        let of = |r: BlockRegister| found[r.0 as usize].above.as_ref();
        let context = self.context();
        match instruction {
            BlockInstruction::Binary(Binary::Add, x, y) => match (of(*x), of(*y)) {
                // Both bounds hold for the sum, each summand being positive: the lesser power is the greater for small s.
                (Some(a), Some(b)) => Some(if a.power <= b.power { a.clone() } else { b.clone() }),
                (Some(a), None) if self.is_never_negative(&self.range_of(*y, frame)) => Some(a.clone()),
                (None, Some(b)) if self.is_never_negative(&self.range_of(*x, frame)) => Some(b.clone()),
                _ => None,
            },
            BlockInstruction::Binary(Binary::Multiply, x, y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                self.lower_power_bound(Rational::from(&a.power + &b.power), &context.mul(&a.least, &b.least))
            }
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                // Positive over positive: the divisor at its greatest makes the quotient least.
                let (a, _, most) = (of(*x)?, of(*y)?, context.upper(&self.range_of(*y, frame))?);
                self.lower_power_bound(a.power.clone(), &context.div(&a.least, &most))
            }
            BlockInstruction::Power(x, e) if e.numerator > 0 => {
                self.raise_lower_bound(of(*x)?, e.numerator, e.denominator)
            }
            BlockInstruction::Unary(Unary::Function(f), x) => match f.row().monotonicity {
                Monotonicity::Root(n) => self.raise_lower_bound(of(*x)?, 1, n.into()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a power bound of an inverse, a negative power or a logarithm, by the lower bound of the operand.
    pub(super) fn bound_by_lower_bound(
        &self,
        instruction: &BlockInstruction,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        let of = |r: BlockRegister| found[r.0 as usize].above.as_ref();
        let context = self.context();
        let operand = match instruction {
            BlockInstruction::Binary(Binary::Divide, _, y) => *y,
            BlockInstruction::Power(x, e) if e.numerator < 0 => *x,
            BlockInstruction::Unary(Unary::Function(Function::Log), x) => *x,
            _ => return None,
        };
        let a = of(operand)?;
        let parts: Vec<_> =
            (0..=ORDER as usize).map(|power| self.coefficient_in_s(frame.get(operand), power)).collect();
        // 0 < 1/v ≤ s⁻ᵖ/m.
        let inverse = |a: &LowerPowerBound<C::Num>| {
            let unit = context.hull(&context.enclose_integer(0), &context.enclose_integer(1));
            self.power_bound(
                Rational::from(-&a.power),
                self.with_unknown_derivatives(context.div(&unit, &a.least), &parts),
            )
        };
        let bounded = match instruction {
            BlockInstruction::Binary(_, x, _) => {
                let (dividend, inverse) = (found[x.0 as usize].growth.as_ref()?, inverse(a)?);
                let power = Rational::from(&dividend.power + &inverse.power);
                self.power_bound(power, self.outer.multiply(&dividend.factor, &inverse.factor))?
            }
            BlockInstruction::Power(_, e) => inverse(&self.raise_lower_bound(a, -e.numerator, e.denominator)?)?,
            // p·log s + log m ≤ log v ≤ log of the upper end, where s^β·log s ∈ [-1/β, 0] and β = 1/LOGARITHM.
            _ => {
                let logarithm = |v: &C::Num| context.apply_function(Function::Log, v);
                let most = logarithm(&context.upper(&self.range_of(operand, frame))?);
                let bound = context.hull(&context.enclose_integer(-LOG_DENOMINATOR), &context.enclose_integer(0));
                let least = context.mul(&context.enclose_rational(&a.power), &bound);
                // A number c is s^(-β)·c·s^β, and s^β is in [0, 1].
                let other = context.hull(&context.enclose_integer(0), &logarithm(&a.least));
                let most = context.hull(&context.enclose_integer(0), &most);
                let all = context.hull(&context.add(&least, &other), &most);
                self.power_bound(Rational::from((-1, LOG_DENOMINATOR)), self.with_unknown_derivatives(all, &parts))?
            }
        };
        // Only a bound is known, so there need be no limit.
        self.may_oscillate.set(true);
        // It need not be defined for inputs beside those given.
        self.machine.edges.record_boundary(&self.outer, &parts);
        Some(bounded)
    }

    /// Returns the range of a register over the piece.
    fn range_of(&self, r: BlockRegister, frame: &RegisterFile<C::Num>) -> C::Num {
        self.outer.value_of(&self.coefficient_in_s(frame.get(r), 0))
    }

    /// Returns `true` if a range is certainly defined and has no negative number.
    fn is_never_negative(&self, range: &C::Num) -> bool {
        let least = self.context().lower(range).filter(|_| self.context().is_defined(range));
        least.is_some_and(|least| self.context().sign(&least) != Sign::Negative && self.context().is_point(&least))
    }

    /// Returns a jet with this value whose derivatives in the inputs of `parts` are unknown.
    fn with_unknown_derivatives(&self, value: C::Num, parts: &[Jet<C::Num>]) -> Jet<C::Num> {
        let (algebra, moved) = (self.outer.algebra, self.outer.generator_support(parts));
        let depends = |monomial: usize| algebra.generators_of(monomial).all(|generator| moved[generator]);
        let beside = (1..algebra.len()).map(|monomial| depends(monomial).then(|| self.context().bottom()));
        Jet::new(std::iter::once(Some(value)).chain(beside))
    }

    /// Returns `sᵖ` times the lower end of `value`. Returns `None` unless that end is positive.
    fn lower_power_bound(&self, power: Rational, value: &C::Num) -> Option<LowerPowerBound<C::Num>> {
        let least = self.context().lower(value)?;
        (self.context().sign(&least) == Sign::Positive).then_some(LowerPowerBound { power, least })
    }

    /// Raises a lower bound to a positive rational power.
    fn raise_lower_bound(
        &self,
        a: &LowerPowerBound<C::Num>,
        numerator: i64,
        denominator: u32,
    ) -> Option<LowerPowerBound<C::Num>> {
        // m > 0, so m^q = exp (q·log m).
        let context = self.context();
        let exponent = Rational::from((numerator, denominator));
        let raised =
            context.mul(&context.enclose_rational(&exponent), &context.apply_function(Function::Log, &a.least));
        self.lower_power_bound(Rational::from(&a.power * &exponent), &context.apply_function(Function::Exp, &raised))
    }
}
