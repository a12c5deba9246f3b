//! Power bounds of results by those of their operands: products, quotients, powers, roots, sums, and functions of bounded
//! values.

use super::{Growth, LOGARITHM, Run};
use crate::function::Course;
use crate::number::Rational;
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::Frame;
use crate::smooth::program::{Instruction, Register};

impl<C: Hooked> Run<'_, '_, C> {
    /// Returns the power bound of a result, by those of its operands. Returns `None` if no rule applies.
    pub(super) fn rule<'g>(
        &self,
        instruction: &Instruction,
        branch: Branch,
        frame: &Frame<C::Num>,
        of: impl Fn(Register) -> Option<&'g Growth<C::Num>>,
    ) -> Option<Growth<C::Num>>
    where
        C::Num: 'g,
    {
        let chosen = |a: Register, b: Register| match branch {
            Branch::Left => of(a).cloned(),
            Branch::Right => of(b).cloned(),
            Branch::Undecided => None,
        };
        match instruction {
            Instruction::Unary(f, x) => {
                let a = of(*x)?;
                let negative = || self.growth(a.power.clone(), self.outer.negate(&a.factor));
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, Branch::Right) => negative(),
                    (Unary::Abs, Branch::Left) => Some(a.clone()),
                    (Unary::Function(f), _) => self.function(*f, a),
                    _ => None,
                }
            }
            Instruction::Binary(f, x, y) => match f {
                Binary::Add => self.sum(of(*x)?, of(*y)?.clone()),
                Binary::Subtract => {
                    let b = of(*y)?;
                    self.sum(of(*x)?, Growth { factor: self.outer.negate(&b.factor), ..b.clone() })
                }
                // As a square N² is never negative.
                Binary::Multiply if x == y => {
                    let a = of(*x)?;
                    self.growth(Rational::from(&a.power * 2), self.outer.square(&a.factor))
                }
                Binary::Multiply => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.growth(Rational::from(&a.power + &b.power), self.outer.multiply(&a.factor, &b.factor))
                }
                Binary::Divide => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.growth(Rational::from(&a.power - &b.power), self.outer.divide(&a.factor, &b.factor))
                }
                Binary::Maximum | Binary::Minimum if x == y => of(*x).cloned(),
                // The branch holds on the whole piece, or it is undecided.
                Binary::Maximum | Binary::Minimum => chosen(*x, *y),
                Binary::Planar(_) => None,
            },
            Instruction::Power(x, e) => {
                let a = of(*x)?;
                let power = Rational::from(&a.power * e.numerator) / e.denominator;
                // An even root needs N > 0: s^p itself is positive.
                let even = e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor);
                if even { None } else { self.growth(power, self.outer.power(&a.factor, e.numerator, e.denominator)) }
            }
            Instruction::Guard(x) => of(*x).cloned(),
            Instruction::Select { guard, then, otherwise } => match frame.branch(*guard) {
                Branch::Left => of(*then).cloned(),
                Branch::Right => of(*otherwise).cloned(),
                Branch::Undecided => None,
            },
            _ => None,
        }
    }

    /// Returns the jet times [0, 1].
    pub(super) fn damped(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let unit = self.context().hull(&self.context().integer(0), &self.context().integer(1));
        self.outer.scale(a, &unit)
    }

    /// Adds two power bounds.
    pub(super) fn sum(&self, a: &Growth<C::Num>, b: Growth<C::Num>) -> Option<Growth<C::Num>> {
        // s^q = sᵖ·s^(q-p), and the last factor is in [0, 1].
        let (low, high) = if a.power <= b.power { (a, &b) } else { (&b, a) };
        let high = if low.power == high.power { high.factor.clone() } else { self.damped(&high.factor) };
        self.growth(low.power.clone(), self.outer.add(&low.factor, &high))
    }

    /// Applies an elementary function to a power bound. Returns `None` if no rule applies.
    pub(super) fn function(&self, f: Function, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        let at = |factor: &Jet<C::Num>| {
            self.machine.meet(&self.outer, f, factor);
            self.outer.function(f, factor)
        };
        match (f, f.row().course) {
            // Roots and logarithms are exact in the power; all other functions need a bounded value.
            (_, Course::Root(n)) if n % 2 == 1 || self.is_positive(&a.factor) => {
                self.growth(Rational::from(&a.power / u32::from(n)), at(&a.factor))
            }
            (Function::Log, _) if self.is_positive(&a.factor) => {
                let logarithm = at(&a.factor);
                if a.power == 0 {
                    return self.growth(0, logarithm);
                }
                // log s = s^(-β)·[-1/β, 0], and log N is times s^β, which is in [0, 1].
                let bound = self.context().hull(&self.context().integer(-LOGARITHM), &self.context().integer(0));
                let first = self.context().mul(&self.context().rational(&a.power), &bound);
                let factor = self.outer.add(&Jet::constant(first), &self.damped(&logarithm));
                self.growth(Rational::from((-1, LOGARITHM)), factor)
            }
            _ if a.power == 0 => self.growth(0, at(&a.factor)),
            // 0 < s^p ≤ 1: the range includes the limit at 0.
            _ if a.power > 0 => self.growth(0, at(&self.damped(&a.factor))),
            (Function::Exp, _) => self.decay(a),
            // Unbounded: only a bounded function has a range, and only its limits give derivatives.
            _ if a.factor.is_constant() => self.anywhere(f),
            _ => self.saturated(f, a),
        }
    }

    /// Returns the range of a bounded function on all of ℝ, without a limit.
    pub(super) fn anywhere(&self, f: Function) -> Option<Growth<C::Num>> {
        self.oscillates.set(true);
        let any = self.context().assert_defined(self.context().bottom());
        self.growth(0, Jet::constant(self.context().function(f, &any)))
    }
}
