//! Bounds of values that grow faster than any power, with their exponents.
//!
//! `exp (Σ c·a)·U`, with values a of the run that are unbounded at the end, rational c, and U a [`Growth`]. The a are kept as
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

use super::above::Above;
use super::logarithmic::Logarithmic;
use super::saturation::shifted;
use super::{Frame, Growth, Run};
use crate::function::Course;
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Instruction, Register};
use std::collections::BTreeMap;

/// The power of s by which a faster decay is replaced. A choice: higher powers make the factors greater.
pub(super) const DECAY: i64 = 12;

/// A sum of values of the run, each with a coefficient that is not 0.
type Exponent = BTreeMap<Register, Rational>;

/// The bound `exp A·U`; see the [module](self).
#[derive(Clone, Debug)]
pub struct Exponential<N> {
    /// A, as a sum of registers.
    pub(super) exponent: Exponent,
    /// U
    pub(super) factor: Growth<N>,
}

/// The bounds of a value near the end: any number of these, or none.
#[derive(Clone, Debug)]
pub struct Found<N> {
    /// An enclosure by a power of s.
    pub growth: Option<Growth<N>>,
    /// An enclosure by an exponential.
    pub exponential: Option<Exponential<N>>,
    /// An enclosure by a logarithm.
    pub logarithmic: Option<Logarithmic<N>>,
    /// A lower bound by a power of s.
    pub above: Option<Above<N>>,
}

impl<N> Found<N> {
    /// Returns bounds that consist of a power bound, or of nothing.
    pub fn plain(growth: Option<Growth<N>>) -> Self {
        Self { growth, exponential: None, logarithmic: None, above: None }
    }
}

/// Returns a + c·b, without the registers that cancel.
fn combined(a: &Exponent, c: &Rational, b: &Exponent) -> Exponent {
    let mut sum = a.clone();
    for (register, own) in b {
        *sum.entry(*register).or_default() += Rational::from(c * own);
    }
    sum.retain(|_, c| *c != 0);
    sum
}

impl<C: Hooked> Run<'_, '_, C> {
    /// Returns the exponential bound of a result, if an operand has one or the result is an exponential itself.
    pub(super) fn exponential(
        &self,
        instruction: &Instruction,
        branch: Branch,
        frame: &Frame<C::Num>,
        found: &[Found<C::Num>],
    ) -> Option<Exponential<C::Num>> {
        let at = |r: Register| &found[r.0 as usize];
        let is_one = |r: Register| at(r).exponential.is_some();
        // An operand without an exponent is one with the empty exponent.
        let of = |r: Register| {
            let lifted = |factor| Exponential { exponent: Exponent::new(), factor };
            at(r).exponential.clone().or_else(|| at(r).growth.clone().map(lifted))
        };
        match instruction {
            Instruction::Unary(Unary::Function(f), x) if shifted(*f).0 == Function::Exp => {
                // A bounded argument needs no exponent: its exponential has a power bound.
                at(*x).growth.as_ref().filter(|a| a.power < 0)?;
                let a = Exponential { exponent: Exponent::from([(*x, 1.into())]), ..self.number(1)? };
                self.shifted(a, shifted(*f).1, found)
            }
            Instruction::Unary(f, x) if is_one(*x) => {
                let a = of(*x)?;
                match (f, branch) {
                    (Unary::Negate, _) | (Unary::Abs, Branch::Right) => self.negated(a),
                    (Unary::Abs, Branch::Left) => Some(a),
                    (Unary::Function(f), _) => match f.row().course {
                        Course::Root(n) => {
                            let factor = self.function(*f, &a.factor)?;
                            let exponent = combined(&Exponent::new(), &Rational::from((1, u32::from(n))), &a.exponent);
                            Some(Exponential { exponent, factor })
                        }
                        _ if shifted(*f).0 == Function::Log => {
                            self.logarithm(&self.shifted(a, shifted(*f).1, found)?, found)
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            Instruction::Binary(f, x, y) if is_one(*x) || is_one(*y) => {
                let (a, b) = (of(*x)?, of(*y)?);
                let product = |c: i64, power: Rational, factor| {
                    let exponent = combined(&a.exponent, &c.into(), &b.exponent);
                    Some(Exponential { exponent, factor: self.growth(power, factor)? })
                };
                let (p, q) = (&a.factor.power, &b.factor.power);
                match f {
                    Binary::Add => self.added(a, b, found),
                    Binary::Subtract => self.added(a, self.negated(b)?, found),
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
                        Branch::Left => Some(a),
                        Branch::Right => Some(b),
                        Branch::Undecided => None,
                    },
                    Binary::Planar(_) => None,
                }
            }
            Instruction::Power(x, e) if is_one(*x) => {
                let a = of(*x)?;
                // The power certainly exists only if U has a sign; exp A is positive.
                if e.denominator.is_multiple_of(2) && !self.is_positive(&a.factor.factor) {
                    return None;
                }
                let scale = Rational::from((e.numerator, e.denominator));
                let factor = self.outer.power(&a.factor.factor, e.numerator, e.denominator);
                let factor = self.growth(Rational::from(&a.factor.power * &scale), factor)?;
                Some(Exponential { exponent: combined(&Exponent::new(), &scale, &a.exponent), factor })
            }
            Instruction::Guard(x) if is_one(*x) => of(*x),
            Instruction::Select { guard, then, otherwise } => match frame.branch(*guard) {
                Branch::Left if is_one(*then) => of(*then),
                Branch::Right if is_one(*otherwise) => of(*otherwise),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the bound as a power bound. Returns `None` unless the exponent is empty, or certainly goes to −∞.
    pub(super) fn settled(&self, a: &Exponential<C::Num>, found: &[Found<C::Num>]) -> Option<Growth<C::Num>> {
        if a.exponent.is_empty() {
            return Some(a.factor.clone());
        }
        self.small(&self.exponent(&a.exponent, found)?, &a.factor)
    }

    /// Bounds `exp a·u` by a power. Returns `None` unless a certainly goes to −∞.
    fn small(&self, a: &Growth<C::Num>, u: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        let decay = if a.power < 0 { self.decay(a)? } else { return None };
        self.growth(decay.power + &u.power, self.outer.multiply(&decay.factor, &u.factor))
    }

    /// Returns a power bound of an exponent. Returns `None` if a register in it has none.
    pub(super) fn exponent(&self, exponent: &Exponent, found: &[Found<C::Num>]) -> Option<Growth<C::Num>> {
        let mut sum: Option<Growth<C::Num>> = None;
        for (register, c) in exponent {
            let own = found[register.0 as usize].growth.as_ref()?;
            let factor = self.outer.scale(&own.factor, &self.context().rational(c));
            let own = self.growth(own.power.clone(), factor)?;
            sum = Some(match sum {
                Some(sum) => self.sum(&sum, own)?,
                None => own,
            });
        }
        sum
    }

    /// Returns the integer `n` as a bound with the empty exponent.
    fn number(&self, n: i64) -> Option<Exponential<C::Num>> {
        let factor = self.growth(0, Jet::constant(self.context().integer(n)))?;
        Some(Exponential { exponent: Exponent::new(), factor })
    }

    /// Adds an integer to an exponential bound.
    fn shifted(&self, a: Exponential<C::Num>, n: i64, found: &[Found<C::Num>]) -> Option<Exponential<C::Num>> {
        if n == 0 { Some(a) } else { self.added(a, self.number(n)?, found) }
    }

    /// Returns `A + log U`, a bound with the empty exponent. Returns `None` unless U is certainly positive.
    fn logarithm(&self, a: &Exponential<C::Num>, found: &[Found<C::Num>]) -> Option<Exponential<C::Num>> {
        if !self.is_positive(&a.factor.factor) {
            return None;
        }
        let own = self.function(Function::Log, &a.factor)?;
        let factor = if a.exponent.is_empty() { own } else { self.sum(&self.exponent(&a.exponent, found)?, own)? };
        Some(Exponential { exponent: Exponent::new(), factor })
    }

    /// Returns the bound of −a.
    fn negated(&self, a: Exponential<C::Num>) -> Option<Exponential<C::Num>> {
        let factor = self.growth(a.factor.power.clone(), self.outer.negate(&a.factor.factor))?;
        Some(Exponential { factor, ..a })
    }

    /// Adds two exponential bounds. Returns `None` if neither exponent certainly exceeds the other.
    fn added(
        &self,
        a: Exponential<C::Num>,
        b: Exponential<C::Num>,
        found: &[Found<C::Num>],
    ) -> Option<Exponential<C::Num>> {
        // B - A: where it goes to -∞ the sum is exp A·(U + exp (B - A)·V), and the other way round for ∞.
        let difference = combined(&b.exponent, &Rational::from(-1), &a.exponent);
        if difference.is_empty() {
            return Some(Exponential { factor: self.sum(&a.factor, b.factor)?, ..a });
        }
        let difference = self.exponent(&difference, found)?;
        match self.context().sign(&self.outer.value(&difference.factor)) {
            Sign::Negative => {
                let small = self.small(&difference, &b.factor)?;
                Some(Exponential { factor: self.sum(&a.factor, small)?, ..a })
            }
            Sign::Positive => {
                let opposite = self.growth(difference.power.clone(), self.outer.negate(&difference.factor))?;
                let small = self.small(&opposite, &a.factor)?;
                Some(Exponential { factor: self.sum(&b.factor, small)?, ..b })
            }
            _ => None,
        }
    }

    /// Bounds `exp a` by the power [`DECAY`] of s, for a that certainly goes to −∞.
    ///
    /// `exp (s^(-q)·(N + n)) = exp (s^(-q)·N)·Σ s^(-qj)·nʲ/j!`, where N is a number below 0 and n is nilpotent. With `y =
    /// s^(-q)` and a the least of `-N`, `s^(-k)·exp (-a·y) = y^(k/q)·exp (-a·y)`, which is greatest at `y = k/(q·a)`.
    pub(super) fn decay(&self, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        self.decay_to(a, &Rational::from(DECAY))
    }

    /// Like [`decay`](Self::decay), for any other power of s. Returns `None` unless the factor of `a` is certainly negative.
    pub(super) fn decay_to(&self, a: &Growth<C::Num>, power: &Rational) -> Option<Growth<C::Num>> {
        let context = self.context();
        // The slowest decay: -N at its least.
        let rate = context.neg(&context.upper(&self.outer.value(&a.factor))?);
        if context.sign(&rate) != Sign::Positive {
            return None;
        }
        let slowness = Rational::from(-&a.power);
        let nilpotent = self.outer.nilpotent_part(&a.factor);
        let terms = self.outer.nilpotency(&nilpotent);
        // The terms of the series grow by s^(-qj): the decay makes up for all of them and the wanted power.
        let all = Rational::from(&slowness * (terms - 1)) + power;
        let exponent = context.rational(&Rational::from(&all / &slowness));
        // (k/(q·a·e))^(k/q), the greatest value.
        let base = context.div(&exponent, &context.mul(&rate, &context.euler()));
        let most = context.function(Function::Exp, &context.mul(&exponent, &context.function(Function::Log, &base)));
        let bound = context.hull(&context.integer(0), &most);
        let mut coefficients = Vec::with_capacity(terms as usize);
        let mut coefficient = bound;
        for j in 0..u64::from(terms) {
            coefficients.push(Some(coefficient.clone()));
            coefficient = context.divide(&coefficient, j + 1);
        }
        self.growth(power.clone(), self.outer.compose(&coefficients, &nilpotent))
    }
}
