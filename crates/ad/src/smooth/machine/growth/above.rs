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

use super::exponential::Found;
use super::{Frame, Growth, LOGARITHM, ORDER, Run};
use crate::function::Course;
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::program::{Instruction, Register};

/// The lower bound `sᵖ·m`, with m > 0; see the [module](self).
#[derive(Clone, Debug)]
pub struct Above<N> {
    /// The exponent p.
    pub(super) power: Rational,
    /// The number m, a point.
    least: N,
}

impl<C: Hooked> Run<'_, '_, C> {
    /// Returns a lower bound of a value by its power bound, or by its expansions over the piece and at the end.
    pub(super) fn rising(
        &self,
        growth: Option<&Growth<C::Num>>,
        [over, at]: [&Jet<C::Num>; 2],
    ) -> Option<Above<C::Num>> {
        if let Some(a) = growth.filter(|a| self.is_positive(&a.factor)) {
            return self.least(a.power.clone(), &self.outer.value(&a.factor));
        }
        let coefficient = |jet: &Jet<C::Num>, power: usize| self.outer.value(&self.slice(jet, power));
        // Taylor: value = c₀ + … + c₍ₖ₋₁₎s^(k-1) + s^k·(k-th coefficient over the piece), the c nonnegative.
        let starts = |power: &usize| self.is_never_negative(&coefficient(at, *power));
        let rises = |power: usize| {
            let least = coefficient(over, power);
            let is_known = self.context().is_defined(&coefficient(over, 0)) && self.context().is_defined(&least);
            if is_known { self.least(Rational::from(power), &least) } else { None }
        };
        (1..=ORDER as usize).take_while(|power| starts(&(power - 1))).find_map(rises)
    }

    /// Returns a lower bound of a result by the lower bounds of its operands.
    pub(super) fn above(
        &self,
        instruction: &Instruction,
        frame: &Frame<C::Num>,
        found: &[Found<C::Num>],
    ) -> Option<Above<C::Num>> {
        let of = |r: Register| found[r.0 as usize].above.as_ref();
        let context = self.context();
        match instruction {
            Instruction::Binary(Binary::Add, x, y) => match (of(*x), of(*y)) {
                // Both bounds hold for the sum, each summand being positive: the lesser power is the greater for small s.
                (Some(a), Some(b)) => Some(if a.power <= b.power { a.clone() } else { b.clone() }),
                (Some(a), None) if self.is_never_negative(&self.range(*y, frame)) => Some(a.clone()),
                (None, Some(b)) if self.is_never_negative(&self.range(*x, frame)) => Some(b.clone()),
                _ => None,
            },
            Instruction::Binary(Binary::Multiply, x, y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                self.least(Rational::from(&a.power + &b.power), &context.mul(&a.least, &b.least))
            }
            Instruction::Binary(Binary::Divide, x, y) => {
                // Positive over positive: the divisor at its greatest makes the quotient least.
                let (a, _, most) = (of(*x)?, of(*y)?, context.upper(&self.range(*y, frame))?);
                self.least(a.power.clone(), &context.div(&a.least, &most))
            }
            Instruction::Power(x, e) if e.numerator > 0 => self.to(of(*x)?, e.numerator, e.denominator),
            Instruction::Unary(Unary::Function(f), x) => match f.row().course {
                Course::Root(n) => self.to(of(*x)?, 1, n.into()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns a power bound of an inverse, a negative power or a logarithm, by the lower bound of the operand.
    pub(super) fn below(
        &self,
        instruction: &Instruction,
        frame: &Frame<C::Num>,
        found: &[Found<C::Num>],
    ) -> Option<Growth<C::Num>> {
        let of = |r: Register| found[r.0 as usize].above.as_ref();
        let context = self.context();
        let operand = match instruction {
            Instruction::Binary(Binary::Divide, _, y) => *y,
            Instruction::Power(x, e) if e.numerator < 0 => *x,
            Instruction::Unary(Unary::Function(Function::Log), x) => *x,
            _ => return None,
        };
        let a = of(operand)?;
        let parts: Vec<_> = (0..=ORDER as usize).map(|power| self.slice(frame.get(operand), power)).collect();
        // 0 < 1/v ≤ s⁻ᵖ/m.
        let inverse = |a: &Above<C::Num>| {
            let unit = context.hull(&context.integer(0), &context.integer(1));
            self.growth(Rational::from(-&a.power), self.alone(context.div(&unit, &a.least), &parts))
        };
        let bounded = match instruction {
            Instruction::Binary(_, x, _) => {
                let (dividend, inverse) = (found[x.0 as usize].growth.as_ref()?, inverse(a)?);
                let power = Rational::from(&dividend.power + &inverse.power);
                self.growth(power, self.outer.multiply(&dividend.factor, &inverse.factor))?
            }
            Instruction::Power(_, e) => inverse(&self.to(a, -e.numerator, e.denominator)?)?,
            // p·log s + log m ≤ log v ≤ log of the upper end, where s^β·log s ∈ [-1/β, 0] and β = 1/LOGARITHM.
            _ => {
                let logarithm = |v: &C::Num| context.function(Function::Log, v);
                let most = logarithm(&context.upper(&self.range(operand, frame))?);
                let bound = context.hull(&context.integer(-LOGARITHM), &context.integer(0));
                let least = context.mul(&context.rational(&a.power), &bound);
                // A number c is s^(-β)·c·s^β, and s^β is in [0, 1].
                let other = context.hull(&context.integer(0), &logarithm(&a.least));
                let most = context.hull(&context.integer(0), &most);
                let all = context.hull(&context.add(&least, &other), &most);
                self.growth(Rational::from((-1, LOGARITHM)), self.alone(all, &parts))?
            }
        };
        // Only a bound is known, so there need be no limit.
        self.oscillates.set(true);
        // It need not be defined for inputs beside those given.
        self.machine.edges.note(&self.outer, &parts);
        Some(bounded)
    }

    /// Returns the range of a register over the piece.
    fn range(&self, r: Register, frame: &Frame<C::Num>) -> C::Num {
        self.outer.value(&self.slice(frame.get(r), 0))
    }

    /// Returns `true` if a range is certainly defined and has no negative number.
    fn is_never_negative(&self, range: &C::Num) -> bool {
        let least = self.context().lower(range).filter(|_| self.context().is_defined(range));
        least.is_some_and(|least| self.context().sign(&least) != Sign::Negative && self.context().is_point(&least))
    }

    /// Returns a jet with this value whose derivatives in the inputs of `parts` are unknown.
    fn alone(&self, value: C::Num, parts: &[Jet<C::Num>]) -> Jet<C::Num> {
        let (algebra, moved) = (self.outer.algebra, self.outer.support(parts));
        let depends = |monomial: usize| algebra.generators(monomial).all(|generator| moved[generator]);
        let beside = (1..algebra.len()).map(|monomial| depends(monomial).then(|| self.context().bottom()));
        Jet::new(std::iter::once(Some(value)).chain(beside))
    }

    /// Returns `sᵖ` times the lower end of `value`. Returns `None` unless that end is positive.
    fn least(&self, power: Rational, value: &C::Num) -> Option<Above<C::Num>> {
        let least = self.context().lower(value)?;
        (self.context().sign(&least) == Sign::Positive).then_some(Above { power, least })
    }

    /// Raises a lower bound to a positive rational power.
    fn to(&self, a: &Above<C::Num>, numerator: i64, denominator: u32) -> Option<Above<C::Num>> {
        // m > 0, so m^q = exp (q·log m).
        let context = self.context();
        let exponent = Rational::from((numerator, denominator));
        let raised = context.mul(&context.rational(&exponent), &context.function(Function::Log, &a.least));
        self.least(Rational::from(&a.power * &exponent), &context.function(Function::Exp, &raised))
    }
}
