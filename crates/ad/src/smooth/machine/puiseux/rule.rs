//! Puiseux terms of results by those of their operands.

use super::{PuiseuxRun, PuiseuxTerm};
use crate::function::Monotonicity;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::RegisterFile;
use crate::smooth::program::{BlockInstruction, BlockRegister};

impl<C: HookedContext> PuiseuxRun<'_, '_, C> {
    /// Returns the term of a result by those of its operands, or `None` if a plain expansion in x does.
    ///
    /// # Errors
    /// The factor by which k has to be multiplied for an expansion to exist.
    pub(super) fn term_by_rule(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frames: &[RegisterFile<C::Num>; 3],
        found: &[Option<PuiseuxTerm<C::Num>>],
    ) -> Result<Option<PuiseuxTerm<C::Num>>, u32> {
        let of = |r: &BlockRegister| found[r.0 as usize].as_ref();
        // A zero is looked for only where the value may be 0: this costs a pass over the coefficients.
        let nonzero = |r: &BlockRegister| {
            let term = found[r.0 as usize].clone()?;
            let may_vanish = self.context().contains_zero(&self.jets.value_of(&term.over));
            if may_vanish { self.divide_out_zero(term, Some(frames[2].get(*r))) } else { Some(term) }
        };
        let power_of = |r: &BlockRegister| of(r).map_or(0, |term| term.power);
        let same = |r: &BlockRegister| of(r).filter(|term| term.power != 0).cloned();
        Ok(match instruction {
            BlockInstruction::Unary(Unary::Negate, x) => {
                same(x).map(|a| self.map_expansions(&a, |jet| self.jets.negate(jet)))
            }
            BlockInstruction::Unary(Unary::Abs, x) => match branch {
                KinkBranch::Left => same(x),
                KinkBranch::Right => same(x).map(|a| self.map_expansions(&a, |jet| self.jets.negate(jet))),
                KinkBranch::Undecided => None,
            },
            BlockInstruction::Unary(Unary::Function(f), x) => match f.row().monotonicity {
                Monotonicity::Root(n) => match nonzero(x).filter(|a| a.power != 0) {
                    Some(a) => self.root_of_term(&a, *f, u32::from(n))?,
                    None => None,
                },
                _ => None,
            },
            BlockInstruction::Binary(Binary::Add | Binary::Subtract, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (nonzero(x), nonzero(y)) else { return Ok(None) };
                // Next to a limit other than 0, a vanishing summand is no power.
                if a.power.min(b.power) == 0 {
                    return Ok(None);
                }
                let is_sum = matches!(instruction, BlockInstruction::Binary(Binary::Add, ..));
                Some(self.add_terms(&a, &if is_sum { b } else { self.map_expansions(&b, |jet| self.jets.negate(jet)) }))
            }
            BlockInstruction::Binary(Binary::Multiply, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (of(x), of(y)) else { return Ok(None) };
                Some(PuiseuxTerm {
                    power: a.power + b.power,
                    over: self.multiply_or_square(x == y, &a.over, &b.over),
                    at: self.multiply_or_square(x == y, &a.at, &b.at),
                })
            }
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                let (Some(a), Some(b)) = (of(x), nonzero(y)) else { return Ok(None) };
                if a.power == 0 && b.power == 0 {
                    return Ok(None);
                }
                // In sin x / x the common zero cancels.
                let Some(a) = (if a.power == 0 { nonzero(x) } else { Some(a.clone()) }) else { return Ok(None) };
                Some(PuiseuxTerm {
                    power: a.power - b.power,
                    over: self.jets.divide(&a.over, &b.over),
                    at: self.jets.divide(&a.at, &b.at),
                })
            }
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) => match branch {
                _ if x == y => same(x),
                KinkBranch::Left => same(x),
                KinkBranch::Right => same(y),
                KinkBranch::Undecided => None,
            },
            BlockInstruction::Power(x, e) => {
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
                    self.machine.record_function_boundary(&self.jets, Function::Sqrt, &a.over);
                }
                let raised = self.map_expansions(&a, |jet| self.jets.power(jet, e.numerator, e.denominator));
                Some(PuiseuxTerm { power: steps / over, ..raised })
            }
            BlockInstruction::Guard(x) => same(x),
            BlockInstruction::Select { guard, then, otherwise } => match frames[0].guard_branch(*guard) {
                KinkBranch::Left => same(then),
                KinkBranch::Right => same(otherwise),
                KinkBranch::Undecided => None,
            },
            _ => None,
        })
    }

    /// Applies a map to both expansions of a term. The exponent stays.
    fn map_expansions(&self, a: &PuiseuxTerm<C::Num>, f: impl Fn(&Jet<C::Num>) -> Jet<C::Num>) -> PuiseuxTerm<C::Num> {
        PuiseuxTerm { power: a.power, over: f(&a.over), at: f(&a.at) }
    }

    /// Multiplies two jets; a square is never negative.
    fn multiply_or_square(&self, is_square: bool, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        if is_square { self.jets.square(a) } else { self.jets.multiply(a, b) }
    }

    /// Returns `true` if N is certainly positive on the whole piece.
    fn is_positive(&self, a: &PuiseuxTerm<C::Num>) -> bool {
        self.context().sign(&self.jets.value_of(&a.over)) == Sign::Positive
    }

    /// Returns the n-th root of a term.
    ///
    /// # Errors
    /// The factor n if n does not divide the exponent.
    fn root_of_term(&self, a: &PuiseuxTerm<C::Num>, f: Function, n: u32) -> Result<Option<PuiseuxTerm<C::Num>>, u32> {
        if n.is_multiple_of(2) && !self.is_positive(a) {
            return Ok(None);
        }
        if a.power % i64::from(n) != 0 {
            return Err(n);
        }
        self.machine.record_function_boundary(&self.jets, f, &a.over);
        let root = self.map_expansions(a, |jet| self.jets.apply_function(f, jet));
        Ok(Some(PuiseuxTerm { power: a.power / i64::from(n), ..root }))
    }

    /// Adds two terms, with the lesser of their exponents.
    fn add_terms(&self, a: &PuiseuxTerm<C::Num>, b: &PuiseuxTerm<C::Num>) -> PuiseuxTerm<C::Num> {
        let (low, high) = if a.power <= b.power { (a, b) } else { (b, a) };
        let further = high.power - low.power;
        let moved = |jet, everywhere| match further {
            0 => Jet::clone(jet),
            _ => self.jets.multiply(jet, &self.power_of_u(further, everywhere)),
        };
        PuiseuxTerm {
            power: low.power,
            over: self.jets.add(&low.over, &moved(&high.over, true)),
            at: self.jets.add(&low.at, &moved(&high.at, false)),
        }
    }
}
