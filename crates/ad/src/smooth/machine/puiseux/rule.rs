//! Puiseux terms of results by those of their operands.

use super::{Run, Term};
use crate::function::Course;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::Frame;
use crate::smooth::program::{Instruction, Register};

impl<C: Hooked> Run<'_, '_, C> {
    /// Returns the term of a result by those of its operands, or `None` if a plain expansion in x does.
    ///
    /// # Errors
    /// The factor by which k has to be multiplied for an expansion to exist.
    pub(super) fn rule(
        &self,
        instruction: &Instruction,
        branch: Branch,
        frames: &[Frame<C::Num>; 3],
        found: &[Option<Term<C::Num>>],
    ) -> Result<Option<Term<C::Num>>, u32> {
        let of = |r: &Register| found[r.0 as usize].as_ref();
        // A zero is looked for only where the value may be 0: this costs a pass over the coefficients.
        let nonzero = |r: &Register| {
            let term = found[r.0 as usize].clone()?;
            let may_vanish = self.context().contains_zero(&self.jets.value(&term.over));
            if may_vanish { self.factored(term, Some(frames[2].get(*r))) } else { Some(term) }
        };
        let power_of = |r: &Register| of(r).map_or(0, |term| term.power);
        let same = |r: &Register| of(r).filter(|term| term.power != 0).cloned();
        Ok(match instruction {
            Instruction::Unary(Unary::Negate, x) => same(x).map(|a| self.each(&a, |jet| self.jets.negate(jet))),
            Instruction::Unary(Unary::Abs, x) => match branch {
                Branch::Left => same(x),
                Branch::Right => same(x).map(|a| self.each(&a, |jet| self.jets.negate(jet))),
                Branch::Undecided => None,
            },
            Instruction::Unary(Unary::Function(f), x) => match f.row().course {
                Course::Root(n) => match nonzero(x).filter(|a| a.power != 0) {
                    Some(a) => self.root(&a, *f, u32::from(n))?,
                    None => None,
                },
                _ => None,
            },
            Instruction::Binary(Binary::Add | Binary::Subtract, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (nonzero(x), nonzero(y)) else { return Ok(None) };
                // Next to a limit other than 0, a vanishing summand is no power.
                if a.power.min(b.power) == 0 {
                    return Ok(None);
                }
                let is_sum = matches!(instruction, Instruction::Binary(Binary::Add, ..));
                Some(self.sum(&a, &if is_sum { b } else { self.each(&b, |jet| self.jets.negate(jet)) }))
            }
            Instruction::Binary(Binary::Multiply, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (of(x), of(y)) else { return Ok(None) };
                Some(Term {
                    power: a.power + b.power,
                    over: self.product(x == y, &a.over, &b.over),
                    at: self.product(x == y, &a.at, &b.at),
                })
            }
            Instruction::Binary(Binary::Divide, x, y) => {
                let (Some(a), Some(b)) = (of(x), nonzero(y)) else { return Ok(None) };
                if a.power == 0 && b.power == 0 {
                    return Ok(None);
                }
                // In sin x / x the common zero cancels.
                let Some(a) = (if a.power == 0 { nonzero(x) } else { Some(a.clone()) }) else { return Ok(None) };
                Some(Term {
                    power: a.power - b.power,
                    over: self.jets.divide(&a.over, &b.over),
                    at: self.jets.divide(&a.at, &b.at),
                })
            }
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) => match branch {
                _ if x == y => same(x),
                Branch::Left => same(x),
                Branch::Right => same(y),
                Branch::Undecided => None,
            },
            Instruction::Power(x, e) => {
                let Some(a) = nonzero(x).filter(|a| a.power != 0) else { return Ok(None) };
                let steps = a.power * e.numerator;
                // u^(w·p/q) needs an integer exponent, that is, a larger k.
                let over = i64::from(e.denominator);
                if steps % over != 0 {
                    return Err(e.denominator);
                }
                // An even root needs N > 0, and its domain ends at 0.
                if e.denominator.is_multiple_of(2) {
                    if !self.is_positive(&a) {
                        return Ok(None);
                    }
                    self.machine.meet(&self.jets, Function::Sqrt, &a.over);
                }
                let raised = self.each(&a, |jet| self.jets.power(jet, e.numerator, e.denominator));
                Some(Term { power: steps / over, ..raised })
            }
            Instruction::Guard(x) => same(x),
            Instruction::Select { guard, then, otherwise } => match frames[0].branch(*guard) {
                Branch::Left => same(then),
                Branch::Right => same(otherwise),
                Branch::Undecided => None,
            },
            _ => None,
        })
    }

    /// Applies a map to both expansions of a term. The exponent stays.
    fn each(&self, a: &Term<C::Num>, f: impl Fn(&Jet<C::Num>) -> Jet<C::Num>) -> Term<C::Num> {
        Term { power: a.power, over: f(&a.over), at: f(&a.at) }
    }

    /// Multiplies two jets; a square is never negative.
    fn product(&self, is_square: bool, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        if is_square { self.jets.square(a) } else { self.jets.multiply(a, b) }
    }

    /// Returns `true` if N is certainly positive on the whole piece.
    fn is_positive(&self, a: &Term<C::Num>) -> bool {
        self.context().sign(&self.jets.value(&a.over)) == Sign::Positive
    }

    /// Returns the n-th root of a term.
    ///
    /// # Errors
    /// The factor n if n does not divide the exponent.
    fn root(&self, a: &Term<C::Num>, f: Function, n: u32) -> Result<Option<Term<C::Num>>, u32> {
        if n.is_multiple_of(2) && !self.is_positive(a) {
            return Ok(None);
        }
        if a.power % i64::from(n) != 0 {
            return Err(n);
        }
        self.machine.meet(&self.jets, f, &a.over);
        let root = self.each(a, |jet| self.jets.function(f, jet));
        Ok(Some(Term { power: a.power / i64::from(n), ..root }))
    }

    /// Adds two terms, with the lesser of their exponents.
    fn sum(&self, a: &Term<C::Num>, b: &Term<C::Num>) -> Term<C::Num> {
        let (low, high) = if a.power <= b.power { (a, b) } else { (b, a) };
        let further = high.power - low.power;
        let moved = |jet, everywhere| match further {
            0 => Jet::clone(jet),
            _ => self.jets.multiply(jet, &self.power_of_u(further, everywhere)),
        };
        Term {
            power: low.power,
            over: self.jets.add(&low.over, &moved(&high.over, true)),
            at: self.jets.add(&low.at, &moved(&high.at, false)),
        }
    }
}
