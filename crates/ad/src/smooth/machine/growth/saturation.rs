//! Limits at infinity of tanh, erf and arctan, and functions with the singularity of a logarithm or a pole.
//!
//! With `a = sᵖ·N` and the slope `f′(a) = s^q·M`, the coefficients of `f a` in the other inputs are those of the y with
//! `E y = f′(a)·E a`, E being Euler's operator: `s^(p+q)` times those for N and M. Where `p + q ≥ 0` they are bounded.
//!
//! | function | its slope at a |
//! |---|---|
//! | tanh | `4 e/(1 + e)²` with `e = exp (-2·\|a\|)` |
//! | erf, erfc | `±2/√π·exp (-a²)` |
//! | arctan | `1/(1 + a²)` |
//!
//! A function that is singular like a logarithm or a pole is computed from that logarithm or pole:
//!
//! | a value | where | is |
//! |---|---|---|
//! | `log1p a` | a → -1 | `log (1 + a)` |
//! | `atanh a` | a → 1, a → -1 | `(log (1 + a) - log (1 - a))/2` |
//! | `asinh a` | a → ∞ | `log a + log (1 + √(1 + a⁻²))`; of -a the negative |
//! | `acosh a` | a → ∞ | `log a + log (1 + √(1 - a⁻²))` |
//! | `lgamma a` | a → 0, a > 0 | `lgamma (1 + a) - log a` |
//! | the kth derivative of digamma | a → 0, a > 0 | `(-1)ᵏ⁺¹·k!/aᵏ⁺¹`, and its own at 1 + a |

use super::{Frames, Growth, Run};
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::Unary;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::program::{Instruction, Register};

/// Returns exp or log and the integer that is added to the result of exp, or to the argument of log. Other functions get 0.
pub(super) fn shifted(f: Function) -> (Function, i64) {
    match f {
        Function::Expm1 => (Function::Exp, -1),
        Function::Log1p => (Function::Log, 1),
        f => (f, 0),
    }
}

impl<C: Hooked> Run<'_, '_, C> {
    /// Bounds tanh, erf, erfc or arctan of an unbounded value: its whole range, with derivatives by its slope.
    pub(super) fn saturated(&self, f: Function, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let one = Growth { power: Rational::new(), factor: Jet::constant(context.integer(1)), settles: true };
        let square = || self.growth(Rational::from(&a.power * 2), outer.square(&a.factor));
        let slope = match f {
            Function::Tanh => {
                let twice = match context.sign(&outer.value(&a.factor)) {
                    Sign::Positive => context.integer(-2),
                    Sign::Negative => context.integer(2),
                    _ => return None,
                };
                let e = self.decay(&Growth { factor: outer.scale(&a.factor, &twice), ..a.clone() })?;
                let below = self.sum(&one, e.clone())?;
                self.growth(
                    e.power,
                    outer.divide(&outer.scale(&e.factor, &context.integer(4)), &outer.square(&below.factor)),
                )?
            }
            Function::Erf | Function::Erfc => {
                let square = square()?;
                let e = self.decay(&Growth { factor: outer.negate(&square.factor), ..square })?;
                let two = context.integer(if f == Function::Erf { 2 } else { -2 });
                let root = context.function(Function::Sqrt, &context.pi());
                self.growth(e.power, outer.scale(&e.factor, &context.div(&two, &root)))?
            }
            Function::Atan => {
                let below = self.sum(&square()?, one)?;
                self.growth(-below.power, outer.reciprocal(&below.factor))?
            }
            _ => return None,
        };
        let any = context.assert_defined(context.bottom());
        // Only the derivatives are taken from the antiderivative: the value may be any in the range.
        let mut found = outer.antiderivative(&a.factor, &slope.factor, context.integer(0));
        // A negative power would leave the derivatives unbounded.
        if slope.power + &a.power < 0 {
            return None;
        }
        found = self.damped(&found);
        found.set(0, Some(context.function(f, &any)));
        self.growth(0, found)
    }
}

impl<C: Hooked> Run<'_, '_, C> {
    /// Bounds a function near its singularity, by the table of the [module](self). Returns `None` for a function without one.
    pub(super) fn singular<'g>(
        &self,
        instruction: &Instruction,
        frames: &Frames<C::Num>,
        of: impl Fn(Register) -> Option<&'g Growth<C::Num>>,
    ) -> Option<Growth<C::Num>>
    where
        C::Num: 'g,
    {
        let Instruction::Unary(Unary::Function(f), x) = instruction else { return None };
        match f {
            Function::Log1p => {
                // Power 0 means no singularity: the rule for bounded values is tighter.
                let a = self.one_and(frames, *x, Sign::Positive).filter(|a| a.power != 0)?;
                self.function(Function::Log, &a)
            }
            Function::Atanh => {
                let [above, below] = [Sign::Positive, Sign::Negative].map(|sign| self.one_and(frames, *x, sign));
                let (above, below) = (above?, below?);
                // Neither logarithm is singular.
                if above.power == 0 && below.power == 0 {
                    return None;
                }
                let (a, b) = (self.function(Function::Log, &above)?, self.function(Function::Log, &below)?);
                let twice = self.sum(&a, self.opposite(&b)?)?;
                self.growth(
                    twice.power,
                    self.outer.scale(&twice.factor, &self.context().rational(&Rational::from((1, 2)))),
                )
            }
            Function::Asinh | Function::Acosh => self.inverse_hyperbolic(*f, of(*x).filter(|a| a.power < 0)?),
            Function::LogGamma => {
                let a = self.vanishing(of(*x))?;
                self.sum(&self.opposite(&self.function(Function::Log, a)?)?, self.beyond(*f, a)?)
            }
            Function::Digamma => self.pole(*f, 0, self.vanishing(of(*x))?),
            Function::Polygamma(order) => self.pole(*f, u32::from(order.get()), self.vanishing(of(*x))?),
            _ => None,
        }
    }

    /// Bounds 1 + a for a positive `sign`, 1 − a for a negative one.
    fn one_and(&self, Frames { over, at, near }: &Frames<C::Num>, a: Register, sign: Sign) -> Option<Growth<C::Num>> {
        let jets = self.machine.jets(self.extended);
        let one = Jet::constant(self.context().integer(1));
        let moved = |a: &Jet<C::Num>| match sign {
            Sign::Negative => jets.subtract(&one, a),
            _ => jets.add(&one, a),
        };
        let limit = moved(at.get(a));
        // Added before bounding: the zero at the end shows only in the sum.
        let beside = near.as_ref().map(|near| moved(near.get(a)));
        self.plain(&moved(over.get(a)), [&limit, beside.as_ref().unwrap_or(&limit)])
    }

    /// Returns the bound of −a.
    fn opposite(&self, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        self.growth(a.power.clone(), self.outer.negate(&a.factor))
    }

    /// Returns the bound if its value certainly goes to 0 from above.
    fn vanishing<'g>(&self, a: Option<&'g Growth<C::Num>>) -> Option<&'g Growth<C::Num>> {
        a.filter(|a| a.power > 0 && self.is_positive(&a.factor))
    }

    /// Bounds f (1 + a), for an a that goes to 0.
    fn beyond(&self, f: Function, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        let outer = &self.outer;
        let argument = outer.add(&Jet::constant(self.context().integer(1)), &self.damped(&a.factor));
        self.machine.meet(outer, f, &argument);
        self.growth(0, outer.function(f, &argument))
    }

    /// Bounds the k-th derivative of digamma at its pole 0.
    fn pole(&self, f: Function, k: u32, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        // ψ⁽ᵏ⁾(a) = ψ⁽ᵏ⁾(1 + a) + (-1)ᵏ⁺¹·k!/aᵏ⁺¹, the recurrence.
        let factorial = (1..=k).fold(Rational::from(1), |product, j| product * j);
        let signed = if k.is_multiple_of(2) { -factorial } else { factorial };
        let power = -(&a.power * Rational::from(k + 1));
        let inverse = self.outer.power(&a.factor, -i64::from(k + 1), 1);
        let pole = self.growth(power, self.outer.scale(&inverse, &self.context().rational(&signed)))?;
        self.sum(&pole, self.beyond(f, a)?)
    }

    /// Bounds asinh or acosh of a value that goes to ∞, or asinh of one that goes to −∞.
    fn inverse_hyperbolic(&self, f: Function, a: &Growth<C::Num>) -> Option<Growth<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let is_negative = match (context.sign(&outer.value(&a.factor)), f) {
            (Sign::Positive, _) => false,
            (Sign::Negative, Function::Asinh) => true,
            _ => return None,
        };
        // asinh is odd.
        let size = if is_negative { self.opposite(a)? } else { a.clone() };
        // 1/|a| is s^(-p) times 1/N, and its power is positive: in [0, 1].
        let one = Jet::constant(context.integer(1));
        let square = outer.square(&self.damped(&outer.reciprocal(&size.factor)));
        let under = if f == Function::Asinh { outer.add(&one, &square) } else { outer.subtract(&one, &square) };
        if !self.is_positive(&under) {
            return None;
        }
        let rest = outer.function(Function::Log, &outer.add(&one, &outer.function(Function::Sqrt, &under)));
        let whole = self.sum(&self.function(Function::Log, &size)?, self.growth(0, rest)?)?;
        if is_negative { self.opposite(&whole) } else { Some(whole) }
    }
}
