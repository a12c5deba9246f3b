//! Power bounds of results by those of their operands: products, quotients, powers, roots, sums, and functions of bounded
//! values.

use super::{AsymptoticRun, LOG_DENOMINATOR, PowerBound};
use crate::function::Monotonicity;
use crate::number::Rational;
use crate::number::context::Function;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::RegisterFile;
use crate::smooth::program::{BlockInstruction, BlockRegister};

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the power bound of a result, by those of its operands. Returns `None` if no rule applies.
    pub(super) fn power_bound_by_rule<'g>(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frame: &RegisterFile<C::Num>,
        of: impl Fn(BlockRegister) -> Option<&'g PowerBound<C::Num>>,
    ) -> Option<PowerBound<C::Num>>
    where
        C::Num: 'g,
    {
        let chosen = |a: BlockRegister, b: BlockRegister| match branch {
            KinkBranch::Left => of(a).cloned(),
            KinkBranch::Right => of(b).cloned(),
            KinkBranch::Undecided => None,
        };
        match instruction {
            BlockInstruction::Unary(f, x) => {
                let a = of(*x)?;
                let negative = || self.power_bound(a.power.clone(), self.outer.negate(&a.factor));
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, KinkBranch::Right) => negative(),
                    (Unary::Abs, KinkBranch::Left) => Some(a.clone()),
                    (Unary::Function(f), _) => self.apply_function(*f, a),
                    _ => None,
                }
            }
            BlockInstruction::Binary(f, x, y) => match f {
                Binary::Add => self.add_power_bounds(of(*x)?, of(*y)?.clone()),
                Binary::Subtract => {
                    let b = of(*y)?;
                    self.add_power_bounds(of(*x)?, PowerBound { factor: self.outer.negate(&b.factor), ..b.clone() })
                }
                // As a square N² is never negative.
                Binary::Multiply if x == y => {
                    let a = of(*x)?;
                    self.power_bound(Rational::from(&a.power * 2), self.outer.square(&a.factor))
                }
                Binary::Multiply => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.power_bound(Rational::from(&a.power + &b.power), self.outer.multiply(&a.factor, &b.factor))
                }
                Binary::Divide => {
                    let (a, b) = (of(*x)?, of(*y)?);
                    self.power_bound(Rational::from(&a.power - &b.power), self.outer.divide(&a.factor, &b.factor))
                }
                Binary::Maximum | Binary::Minimum if x == y => of(*x).cloned(),
                // The branch holds on the whole piece, or it is undecided.
                Binary::Maximum | Binary::Minimum => chosen(*x, *y),
                Binary::Planar(_) => None,
            },
            BlockInstruction::Power(x, e) => {
                let a = of(*x)?;
                let power = Rational::from(&a.power * e.numerator) / e.denominator;
                // An even root needs N > 0: s^p itself is positive.
                let even = e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor);
                if even {
                    None
                } else {
                    self.power_bound(power, self.outer.power(&a.factor, e.numerator, e.denominator))
                }
            }
            BlockInstruction::Guard(x) => of(*x).cloned(),
            BlockInstruction::Select { guard, then, otherwise } => match frame.guard_branch(*guard) {
                KinkBranch::Left => of(*then).cloned(),
                KinkBranch::Right => of(*otherwise).cloned(),
                KinkBranch::Undecided => None,
            },
            _ => None,
        }
    }

    /// Returns the jet times [0, 1].
    pub(super) fn times_unit_interval(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let unit = self.context().hull(&self.context().enclose_integer(0), &self.context().enclose_integer(1));
        self.outer.scale(a, &unit)
    }

    /// Adds two power bounds.
    pub(super) fn add_power_bounds(&self, a: &PowerBound<C::Num>, b: PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        // s^q = sᵖ·s^(q-p), and the last factor is in [0, 1].
        let (low, high) = if a.power <= b.power { (a, &b) } else { (&b, a) };
        let high = if low.power == high.power { high.factor.clone() } else { self.times_unit_interval(&high.factor) };
        self.power_bound(low.power.clone(), self.outer.add(&low.factor, &high))
    }

    /// Applies an elementary function to a power bound. Returns `None` if no rule applies.
    pub(super) fn apply_function(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let at = |factor: &Jet<C::Num>| {
            self.machine.record_function_boundary(&self.outer, f, factor);
            self.outer.apply_function(f, factor)
        };
        match (f, f.row().monotonicity) {
            // Roots and logarithms are exact in the power; all other functions need a bounded value.
            (_, Monotonicity::Root(n)) if n % 2 == 1 || self.is_positive(&a.factor) => {
                self.power_bound(Rational::from(&a.power / u32::from(n)), at(&a.factor))
            }
            (Function::Log, _) if self.is_positive(&a.factor) => {
                let logarithm = at(&a.factor);
                if a.power == 0 {
                    return self.power_bound(0, logarithm);
                }
                // log s = s^(-β)·[-1/β, 0], and log N is times s^β, which is in [0, 1].
                let bound = self
                    .context()
                    .hull(&self.context().enclose_integer(-LOG_DENOMINATOR), &self.context().enclose_integer(0));
                let first = self.context().mul(&self.context().enclose_rational(&a.power), &bound);
                let factor = self.outer.add(&Jet::constant(first), &self.times_unit_interval(&logarithm));
                self.power_bound(Rational::from((-1, LOG_DENOMINATOR)), factor)
            }
            _ if a.power == 0 => self.power_bound(0, at(&a.factor)),
            // 0 < s^p ≤ 1: the range includes the limit at 0.
            _ if a.power > 0 => self.power_bound(0, at(&self.times_unit_interval(&a.factor))),
            (Function::Exp, _) => self.bound_decay(a),
            // Unbounded: only a bounded function has a range, and only its limits give derivatives.
            _ if a.factor.is_constant() => self.range_everywhere(f),
            _ => self.function_with_limits(f, a),
        }
    }

    /// Returns the range of a bounded function on all of ℝ, without a limit.
    pub(super) fn range_everywhere(&self, f: Function) -> Option<PowerBound<C::Num>> {
        self.may_oscillate.set(true);
        let any = self.context().mark_defined(self.context().bottom());
        self.power_bound(0, Jet::constant(self.context().apply_function(f, &any)))
    }
}
