//! Bounds of values that grow faster than any power, with their exponents.
//!
//! `exp (Σ c·a)·U`, with values a of the run that are unbounded at the end, rational c, and U a [`PowerBound`]. The a are kept as
//! registers: common parts of two exponents cancel exactly, so that `eˣ/(1 + eˣ)` is 1/(1 + e⁻ˣ), and not ∞/∞.
//!
//! | a value | is |
//! |---|---|
//! | `exp a` | itself, with U = 1 |
//! | a product, a quotient, a power, a root | by the exponents |
//! | a sum | `exp A·(U + exp (B - A)·V)`, where B - A certainly goes to -∞ |
//! | `log (exp A·U)` | `A + log U`, for U > 0 |
//! | `expm1`, `log1p` | by exp and log, and the number that is added |
//! | any value whose A certainly goes to -∞ | smaller than any power |
//! | exp, erf of such a value, any bounded function of it | a power of s times a bounded factor (`double`) |

use super::above::LowerPowerBound;
use super::logarithmic::LogBound;
use super::saturation::exp_or_log_with_shift;
use super::{AsymptoticRun, PowerBound, RegisterFile};
use crate::function::Monotonicity;
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::program::{BlockInstruction, BlockRegister};
use std::collections::BTreeMap;

/// The power of s by which a faster decay is replaced. A choice: higher powers make the factors greater.
pub(super) const DECAY: i64 = 12;

/// A sum of values of the run, each with a coefficient that is not 0.
type SymbolicExponent = BTreeMap<BlockRegister, Rational>;

/// The bound `exp A·U`; see the [module](self).
#[derive(Clone, Debug)]
pub struct ExpBound<N> {
    /// A, as a sum of registers.
    pub(super) exponent: SymbolicExponent,
    /// U
    pub(super) factor: PowerBound<N>,
}

/// The bounds of a value near the end: any number of these, or none.
#[derive(Clone, Debug)]
pub struct AsymptoticBounds<N> {
    /// An enclosure by a power of s.
    pub growth: Option<PowerBound<N>>,
    /// An enclosure by an exponential.
    pub exponential: Option<ExpBound<N>>,
    /// An enclosure by a logarithm.
    pub logarithmic: Option<LogBound<N>>,
    /// A lower bound by a power of s.
    pub above: Option<LowerPowerBound<N>>,
}

impl<N> AsymptoticBounds<N> {
    /// Returns bounds that consist of a power bound, or of nothing.
    pub fn from_power_bound(growth: Option<PowerBound<N>>) -> Self {
        Self { growth, exponential: None, logarithmic: None, above: None }
    }
}

/// Returns a + c·b, without the registers that cancel.
fn add_multiple(a: &SymbolicExponent, c: &Rational, b: &SymbolicExponent) -> SymbolicExponent {
    let mut sum = a.clone();
    for (register, own) in b {
        *sum.entry(*register).or_default() += Rational::from(c * own);
    }
    sum.retain(|_, c| *c != 0);
    sum
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Returns the exponential bound of a result, if an operand has one or the result is an exponential itself.
    pub(super) fn exp_bound_by_rule(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frame: &RegisterFile<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<ExpBound<C::Num>> {
        let at = |r: BlockRegister| &found[r.0 as usize];
        let is_one = |r: BlockRegister| at(r).exponential.is_some();
        // An operand without an exponent is one with the empty exponent.
        let of = |r: BlockRegister| {
            let lifted = |factor| ExpBound { exponent: SymbolicExponent::new(), factor };
            at(r).exponential.clone().or_else(|| at(r).growth.clone().map(lifted))
        };
        match instruction {
            BlockInstruction::Unary(Unary::Function(f), x) if exp_or_log_with_shift(*f).0 == Function::Exp => {
                // A bounded argument needs no exponent: its exponential has a power bound.
                at(*x).growth.as_ref().filter(|a| a.power < 0)?;
                let a =
                    ExpBound { exponent: SymbolicExponent::from([(*x, 1.into())]), ..self.integer_as_exp_bound(1)? };
                self.add_integer(a, exp_or_log_with_shift(*f).1, found)
            }
            BlockInstruction::Unary(f, x) if is_one(*x) => {
                let a = of(*x)?;
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, KinkBranch::Right) => self.negate_exp_bound(a),
                    (Unary::Abs, KinkBranch::Left) => Some(a),
                    (Unary::Function(f), _) => match f.row().monotonicity {
                        Monotonicity::Root(n) => {
                            let factor = self.apply_function(*f, &a.factor)?;
                            let exponent =
                                add_multiple(&SymbolicExponent::new(), &Rational::from((1, u32::from(n))), &a.exponent);
                            Some(ExpBound { exponent, factor })
                        }
                        _ if exp_or_log_with_shift(*f).0 == Function::Log => {
                            self.log_of_exp_bound(&self.add_integer(a, exp_or_log_with_shift(*f).1, found)?, found)
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            BlockInstruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                let product = |c: i64, power: Rational, factor| {
                    let exponent = add_multiple(&a.exponent, &c.into(), &b.exponent);
                    Some(ExpBound { exponent, factor: self.power_bound(power, factor)? })
                };
                let (p, q) = (&a.factor.power, &b.factor.power);
                match f {
                    Binary::Add => self.add_exp_bounds(a, b, found),
                    Binary::Subtract => self.add_exp_bounds(a, self.negate_exp_bound(b)?, found),
                    Binary::Multiply if x == y => {
                        product(1, Rational::from(p * 2), self.outer.square(&a.factor.factor))
                    }
                    Binary::Multiply => {
                        product(1, Rational::from(p + q), self.outer.multiply(&a.factor.factor, &b.factor.factor))
                    }
                    Binary::Divide => {
                        product(-1, Rational::from(p - q), self.outer.divide(&a.factor.factor, &b.factor.factor))
                    }
                    Binary::Maximum | Binary::Minimum => match branch {
                        KinkBranch::Left => Some(a),
                        KinkBranch::Right => Some(b),
                        KinkBranch::Undecided => None,
                    },
                    Binary::Planar(_) => None,
                }
            }
            BlockInstruction::Power(x, e) if is_one(*x) => {
                let a = of(*x)?;
                // The power certainly exists only if U has a sign; exp A is positive.
                if e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor.factor) {
                    return None;
                }
                let scale = Rational::from((e.numerator, e.denominator));
                let factor = self.outer.power(&a.factor.factor, e.numerator, e.denominator);
                let factor = self.power_bound(Rational::from(&a.factor.power * &scale), factor)?;
                Some(ExpBound { exponent: add_multiple(&SymbolicExponent::new(), &scale, &a.exponent), factor })
            }
            BlockInstruction::Guard(x) if is_one(*x) => of(*x),
            BlockInstruction::Select { guard, then, otherwise } => match frame.guard_branch(*guard) {
                KinkBranch::Left if is_one(*then) => of(*then),
                KinkBranch::Right if is_one(*otherwise) => of(*otherwise),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the bound as a power bound. Returns `None` unless the exponent is empty, or certainly goes to −∞.
    pub(super) fn exp_as_power_bound(
        &self,
        a: &ExpBound<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        if a.exponent.is_empty() {
            return Some(a.factor.clone());
        }
        self.decaying_product(&self.bound_exponent(&a.exponent, found)?, &a.factor)
    }

    /// Bounds `exp a·u` by a power. Returns `None` unless a certainly goes to −∞.
    fn decaying_product(&self, a: &PowerBound<C::Num>, u: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let decay = if a.power < 0 { self.bound_decay(a)? } else { return None };
        self.power_bound(decay.power + &u.power, self.outer.multiply(&decay.factor, &u.factor))
    }

    /// Returns a power bound of an exponent. Returns `None` if a register in it has none.
    pub(super) fn bound_exponent(
        &self,
        exponent: &SymbolicExponent,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<PowerBound<C::Num>> {
        let mut sum: Option<PowerBound<C::Num>> = None;
        for (register, c) in exponent {
            let own = found[register.0 as usize].growth.as_ref()?;
            let factor = self.outer.scale(&own.factor, &self.context().enclose_rational(c));
            let own = self.power_bound(own.power.clone(), factor)?;
            sum = Some(match sum {
                Some(sum) => self.add_power_bounds(&sum, own)?,
                None => own,
            });
        }
        sum
    }

    /// Returns the integer `n` as a bound with the empty exponent.
    fn integer_as_exp_bound(&self, n: i64) -> Option<ExpBound<C::Num>> {
        let factor = self.power_bound(0, Jet::constant(self.context().enclose_integer(n)))?;
        Some(ExpBound { exponent: SymbolicExponent::new(), factor })
    }

    /// Adds an integer to an exponential bound.
    fn add_integer(&self, a: ExpBound<C::Num>, n: i64, found: &[AsymptoticBounds<C::Num>]) -> Option<ExpBound<C::Num>> {
        if n == 0 { Some(a) } else { self.add_exp_bounds(a, self.integer_as_exp_bound(n)?, found) }
    }

    /// Returns `A + log U`, a bound with the empty exponent. Returns `None` unless U is certainly positive.
    fn log_of_exp_bound(&self, a: &ExpBound<C::Num>, found: &[AsymptoticBounds<C::Num>]) -> Option<ExpBound<C::Num>> {
        if !self.is_positive(&a.factor.factor) {
            return None;
        }
        let own = self.apply_function(Function::Log, &a.factor)?;
        let factor = if a.exponent.is_empty() {
            own
        } else {
            self.add_power_bounds(&self.bound_exponent(&a.exponent, found)?, own)?
        };
        Some(ExpBound { exponent: SymbolicExponent::new(), factor })
    }

    /// Returns the bound of −a.
    fn negate_exp_bound(&self, a: ExpBound<C::Num>) -> Option<ExpBound<C::Num>> {
        let factor = self.power_bound(a.factor.power.clone(), self.outer.negate(&a.factor.factor))?;
        Some(ExpBound { factor, ..a })
    }

    /// Adds two exponential bounds. Returns `None` if neither exponent certainly exceeds the other.
    fn add_exp_bounds(
        &self,
        a: ExpBound<C::Num>,
        b: ExpBound<C::Num>,
        found: &[AsymptoticBounds<C::Num>],
    ) -> Option<ExpBound<C::Num>> {
        // B - A: where it goes to -∞ the sum is exp A·(U + exp (B - A)·V), and the other way round for ∞.
        let difference = add_multiple(&b.exponent, &Rational::from(-1), &a.exponent);
        if difference.is_empty() {
            return Some(ExpBound { factor: self.add_power_bounds(&a.factor, b.factor)?, ..a });
        }
        let difference = self.bound_exponent(&difference, found)?;
        match self.context().sign(&self.outer.value_of(&difference.factor)) {
            Sign::Negative => {
                let small = self.decaying_product(&difference, &b.factor)?;
                Some(ExpBound { factor: self.add_power_bounds(&a.factor, small)?, ..a })
            }
            Sign::Positive => {
                let opposite = self.power_bound(difference.power.clone(), self.outer.negate(&difference.factor))?;
                let small = self.decaying_product(&opposite, &a.factor)?;
                Some(ExpBound { factor: self.add_power_bounds(&b.factor, small)?, ..b })
            }
            _ => None,
        }
    }

    /// Bounds `exp a` by the power [`DECAY`] of s, for a that certainly goes to −∞.
    ///
    /// `exp (s^(-q)·(N + n)) = exp (s^(-q)·N)·Σ s^(-qj)·nʲ/j!`, where N is a number below 0 and n is nilpotent. With `y =
    /// s^(-q)` and a the least of `-N`, `s^(-k)·exp (-a·y) = y^(k/q)·exp (-a·y)`, which is greatest at `y = k/(q·a)`.
    pub(super) fn bound_decay(&self, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        self.bound_decay_by_power(a, &Rational::from(DECAY))
    }

    /// Like [`bound_decay`](Self::decay), for any other power of s. Returns `None` unless the factor of `a` is certainly negative.
    pub(super) fn bound_decay_by_power(&self, a: &PowerBound<C::Num>, power: &Rational) -> Option<PowerBound<C::Num>> {
        let context = self.context();
        // The slowest decay: -N at its least.
        let rate = context.neg(&context.upper(&self.outer.value_of(&a.factor))?);
        if context.sign(&rate) != Sign::Positive {
            return None;
        }
        let slowness = Rational::from(-&a.power);
        let nilpotent = self.outer.nilpotent_part(&a.factor);
        let terms = self.outer.nilpotency_bound(&nilpotent);
        // The terms of the series grow by s^(-qj): the decay makes up for all of them and the wanted power.
        let all = Rational::from(&slowness * (terms - 1)) + power;
        let exponent = context.enclose_rational(&Rational::from(&all / &slowness));
        // (k/(q·a·e))^(k/q), the greatest value.
        let base = context.div(&exponent, &context.mul(&rate, &context.enclose_euler()));
        let most = context
            .apply_function(Function::Exp, &context.mul(&exponent, &context.apply_function(Function::Log, &base)));
        let bound = context.hull(&context.enclose_integer(0), &most);
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = bound;
        for j in 0..u64::from(terms) {
            coefficients.push(Some(coefficient.clone()));
            coefficient = context.div_integer(&coefficient, j + 1);
        }
        self.power_bound(power.clone(), self.outer.compose(&coefficients, &nilpotent))
    }
}
