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

use super::{AsymptoticRun, PieceRegisters, PowerBound};
use crate::number::Rational;
use crate::number::context::{Function, Sign};
use crate::smooth::graph::Unary;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::{BlockInstruction, BlockRegister};

/// Returns exp or log and the integer that is added to the result of exp, or to the argument of log. Other functions get 0.
pub(super) fn exp_or_log_with_shift(f: Function) -> (Function, i64) {
    match f {
        Function::Expm1 => (Function::Exp, -1),
        Function::Log1p => (Function::Log, 1),
        f => (f, 0),
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Bounds tanh, erf, erfc or arctan of an unbounded value: its whole range, with derivatives by its slope.
    pub(super) fn function_with_limits(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let one =
            PowerBound { power: Rational::new(), factor: Jet::constant(context.enclose_integer(1)), has_limit: true };
        let square = || self.power_bound(Rational::from(&a.power * 2), outer.square(&a.factor));
        let slope = match f {
            Function::Tanh => {
                let twice = match context.sign(&outer.value_of(&a.factor)) {
                    Sign::Positive => context.enclose_integer(-2),
                    Sign::Negative => context.enclose_integer(2),
                    _ => return None,
                };
                let e = self.bound_decay(&PowerBound { factor: outer.scale(&a.factor, &twice), ..a.clone() })?;
                let below = self.add_power_bounds(&one, e.clone())?;
                self.power_bound(
                    e.power,
                    outer.divide(&outer.scale(&e.factor, &context.enclose_integer(4)), &outer.square(&below.factor)),
                )?
            }
            Function::Erf | Function::Erfc => {
                let square = square()?;
                let e = self.bound_decay(&PowerBound { factor: outer.negate(&square.factor), ..square })?;
                let two = context.enclose_integer(if f == Function::Erf { 2 } else { -2 });
                let root = context.apply_function(Function::Sqrt, &context.pi());
                self.power_bound(e.power, outer.scale(&e.factor, &context.div(&two, &root)))?
            }
            Function::Atan => {
                let below = self.add_power_bounds(&square()?, one)?;
                self.power_bound(-below.power, outer.reciprocal(&below.factor))?
            }
            _ => return None,
        };
        let any = context.mark_defined(context.bottom());
        // Only the derivatives are taken from the antiderivative: the value may be any in the range.
        let mut found = outer.antiderivative(&a.factor, &slope.factor, context.enclose_integer(0));
        // A negative power would leave the derivatives unbounded.
        if slope.power + &a.power < 0 {
            return None;
        }
        found = self.times_unit_interval(&found);
        found.set(0, Some(context.apply_function(f, &any)));
        self.power_bound(0, found)
    }
}

impl<C: HookedContext> AsymptoticRun<'_, '_, C> {
    /// Bounds a function near its singularity, by the table of the [module](self). Returns `None` for a function without one.
    pub(super) fn function_at_singularity<'g>(
        &self,
        instruction: &BlockInstruction,
        frames: &PieceRegisters<C::Num>,
        of: impl Fn(BlockRegister) -> Option<&'g PowerBound<C::Num>>,
    ) -> Option<PowerBound<C::Num>>
    where
        C::Num: 'g,
    {
        let BlockInstruction::Unary(Unary::Function(f), x) = instruction else { return None };
        match f {
            Function::Log1p => {
                // Power 0 means no singularity: the rule for bounded values is tighter.
                let a = self.one_plus_or_minus(frames, *x, Sign::Positive).filter(|a| a.power != 0)?;
                self.apply_function(Function::Log, &a)
            }
            Function::Atanh => {
                let [above, below] =
                    [Sign::Positive, Sign::Negative].map(|sign| self.one_plus_or_minus(frames, *x, sign));
                let (above, below) = (above?, below?);
                // Neither logarithm is singular.
                if above.power == 0 && below.power == 0 {
                    return None;
                }
                let (a, b) = (self.apply_function(Function::Log, &above)?, self.apply_function(Function::Log, &below)?);
                let twice = self.add_power_bounds(&a, self.negate_power_bound(&b)?)?;
                self.power_bound(
                    twice.power,
                    self.outer.scale(&twice.factor, &self.context().enclose_rational(&Rational::from((1, 2)))),
                )
            }
            Function::Asinh | Function::Acosh => self.inverse_hyperbolic(*f, of(*x).filter(|a| a.power < 0)?),
            Function::LogGamma => {
                let a = self.if_vanishing(of(*x))?;
                self.add_power_bounds(
                    &self.negate_power_bound(&self.apply_function(Function::Log, a)?)?,
                    self.function_past_one(*f, a)?,
                )
            }
            Function::Digamma => self.polygamma_at_pole(*f, 0, self.if_vanishing(of(*x))?),
            Function::Polygamma(order) => {
                self.polygamma_at_pole(*f, u32::from(order.get()), self.if_vanishing(of(*x))?)
            }
            _ => None,
        }
    }

    /// Bounds 1 + a for a positive `sign`, 1 − a for a negative one.
    fn one_plus_or_minus(
        &self,
        PieceRegisters { over, at, near }: &PieceRegisters<C::Num>,
        a: BlockRegister,
        sign: Sign,
    ) -> Option<PowerBound<C::Num>> {
        let jets = self.machine.jets(self.extended);
        let one = Jet::constant(self.context().enclose_integer(1));
        let moved = |a: &Jet<C::Num>| match sign {
            Sign::Negative => jets.subtract(&one, a),
            _ => jets.add(&one, a),
        };
        let limit = moved(at.get(a));
        // Added before bounding: the zero at the end shows only in the sum.
        let beside = near.as_ref().map(|near| moved(near.get(a)));
        self.bound_by_taylor(&moved(over.get(a)), [&limit, beside.as_ref().unwrap_or(&limit)])
    }

    /// Returns the bound of −a.
    fn negate_power_bound(&self, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        self.power_bound(a.power.clone(), self.outer.negate(&a.factor))
    }

    /// Returns the bound if its value certainly goes to 0 from above.
    fn if_vanishing<'g>(&self, a: Option<&'g PowerBound<C::Num>>) -> Option<&'g PowerBound<C::Num>> {
        a.filter(|a| a.power > 0 && self.is_positive(&a.factor))
    }

    /// Bounds f (1 + a), for an a that goes to 0.
    fn function_past_one(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let outer = &self.outer;
        let argument =
            outer.add(&Jet::constant(self.context().enclose_integer(1)), &self.times_unit_interval(&a.factor));
        self.machine.record_function_boundary(outer, f, &argument);
        self.power_bound(0, outer.apply_function(f, &argument))
    }

    /// Bounds the k-th derivative of digamma at its pole 0.
    fn polygamma_at_pole(&self, f: Function, k: u32, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        // ψ⁽ᵏ⁾(a) = ψ⁽ᵏ⁾(1 + a) + (-1)ᵏ⁺¹·k!/aᵏ⁺¹, the recurrence.
        let factorial = (1..=k).fold(Rational::from(1), |product, j| product * j);
        let signed = if k.is_multiple_of(2) { -factorial } else { factorial };
        let power = -(&a.power * Rational::from(k + 1));
        let inverse = self.outer.power(&a.factor, -i64::from(k + 1), 1);
        let pole = self.power_bound(power, self.outer.scale(&inverse, &self.context().enclose_rational(&signed)))?;
        self.add_power_bounds(&pole, self.function_past_one(f, a)?)
    }

    /// Bounds asinh or acosh of a value that goes to ∞, or asinh of one that goes to −∞.
    fn inverse_hyperbolic(&self, f: Function, a: &PowerBound<C::Num>) -> Option<PowerBound<C::Num>> {
        let (context, outer) = (self.context(), &self.outer);
        let is_negative = match (context.sign(&outer.value_of(&a.factor)), f) {
            (Sign::Positive, _) => false,
            (Sign::Negative, Function::Asinh) => true,
            _ => return None,
        };
        // asinh is odd.
        let size = if is_negative { self.negate_power_bound(a)? } else { a.clone() };
        // 1/|a| is s^(-p) times 1/N, and its power is positive: in [0, 1].
        let one = Jet::constant(context.enclose_integer(1));
        let square = outer.square(&self.times_unit_interval(&outer.reciprocal(&size.factor)));
        let under = if f == Function::Asinh { outer.add(&one, &square) } else { outer.subtract(&one, &square) };
        if !self.is_positive(&under) {
            return None;
        }
        let rest = outer.apply_function(Function::Log, &outer.add(&one, &outer.apply_function(Function::Sqrt, &under)));
        let whole = self.add_power_bounds(&self.apply_function(Function::Log, &size)?, self.power_bound(0, rest)?)?;
        if is_negative { self.negate_power_bound(&whole) } else { Some(whole) }
    }
}
