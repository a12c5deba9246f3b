//! Functions of what goes to ∞ or -∞ that come to an end, tanh, erf and arctan; and those that are others but for a number.
//!
//! With `a = sᵖ·N` and the slope `f′(a) = s^q·M`, the coefficients of `f a` in the other inputs are those of the y with
//! `E y = f′(a)·E a`, E being Euler's operator: `s^(p+q)` times the ones for N and M. Where `p + q ≥ 0` they are bounded.
//!
//! | function | its slope at a |
//! |---|---|
//! | tanh | `4 e/(1 + e)²` with `e = exp (-2·\|a\|)` |
//! | erf, erfc | `±2/√π·exp (-a²)` |
//! | arctan | `1/(1 + a²)` |

use super::{Growth, Run};
use crate::number::Rational;
use crate::number::context::{Context, Function, Sign};
use crate::smooth::jet::Jet;

/// A function as another one and a number: that is added to what exp gives, or to what log takes.
pub(super) fn shifted(f: Function) -> (Function, i64) {
    match f {
        Function::Expm1 => (Function::Exp, -1),
        Function::Log1p => (Function::Log, 1),
        f => (f, 0),
    }
}

impl<C: Context> Run<'_, '_, C> {
    /// Such a function of a value without a bound.
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
        let mut found = outer.antiderivative(&a.factor, &slope.factor, context.integer(0));
        if slope.power + &a.power < 0 {
            return None;
        }
        found = self.damped(&found);
        found.set(0, Some(context.function(f, &any)));
        self.growth(0, found)
    }
}
