//! Mutants of the elementary functions: each has a value and a slope that may be wrong.
//!
//! The right rules are the [rows](crate::function). This file holds plausible wrong ones. A function without an entry
//! is doubled, and so is its slope.

use super::rows::rules_of_rows;
use super::step::Done;
use crate::function::Formula::*;
use crate::function::Function::*;
use crate::function::{Formula, Function, functions};
use crate::smooth::graph::Unary;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::program::Instruction;

/// The replacement of a value or a slope, in terms of x and the right value y.
#[derive(Clone, Copy, Debug)]
pub enum Wrong {
    /// A formula.
    Formula(&'static Formula),
    /// Twice the right one.
    Twice,
}

const ONE: Formula = Number(1, 1);
const TWO: Formula = Number(2, 1);
/// The formulas 1 - x² and 1 + x².
const BELOW: Formula = Subtract(&ONE, &Square(&X));
const ABOVE: Formula = Add(&ONE, &Square(&X));

/// The formula exp(-x²).
const BELL: Formula = Of(Exp, &Negate(&Square(&X)));

/// Returns the value of another function and the slope of another one, neither merely scaled. Returns `None` if there
/// is no entry.
fn wrong(f: Function) -> Option<(&'static Formula, &'static Formula)> {
    Some(match f {
        Sqrt => (&Of(Cbrt, &X), &Inverse(&Y)),
        Cbrt => (&Of(Sqrt, &X), &Inverse(&Square(&Y))),
        Exp => (&Add(&Add(&ONE, &X), &Divide(&Square(&X), &TWO)), &Multiply(&X, &Of(Exp, &Subtract(&X, &ONE)))),
        Log => (&Of(Log, &Add(&ONE, &X)), &Inverse(&Square(&X))),
        Sin => (&Of(Cos, &X), &Negate(&Of(Cos, &X))),
        Cos => (&Of(Sin, &X), &Of(Sin, &X)),
        Tan => (&Inverse(&Of(Tan, &X)), &Subtract(&ONE, &Square(&Y))),
        Asin => (&Of(Acos, &X), &Inverse(&BELOW)),
        Acos => (&Of(Asin, &X), &InverseRoot(&BELOW)),
        Atan => (&Of(Asin, &X), &InverseRoot(&ABOVE)),
        Sinh => (&Of(Cosh, &X), &Y),
        Cosh => (&Of(Sinh, &X), &Negate(&Of(Sinh, &X))),
        Tanh => (&Of(Sinh, &X), &Add(&ONE, &Square(&Y))),
        Asinh => (&Of(Acosh, &X), &Inverse(&ABOVE)),
        Acosh => (&Of(Asinh, &X), &InverseRoot(&Add(&Square(&X), &ONE))),
        Atanh => (&Of(Log, &Divide(&Add(&ONE, &X), &Subtract(&ONE, &X))), &Inverse(&ABOVE)),
        Expm1 => (&Of(Exp, &X), &Y),
        Log1p => (&Of(Log, &X), &Inverse(&X)),
        Erf => (&Of(Tanh, &X), &BELL),
        Erfc => (&Of(Erf, &X), &Multiply(&TWO, &BELL)),
        // Stirling's formula without its smaller terms, and the slope of that
        LogGamma => (&Subtract(&Multiply(&X, &Of(Log, &X)), &X), &Of(Log, &X)),
        Digamma => (&Of(Log, &X), &Inverse(&X)),
        Polygamma(_) => return None,
    })
}

macro_rules! lists {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        rules_of_rows! { Function FunctionValue "The value of an elementary function; its derivatives stay right (S2, S22)." "_value" $($variant $name)* }
        rules_of_rows! { Function FunctionDerivative "The derivative of an elementary function; its value stays right (S18)." "_derivative" $($variant $name)* }
    };
}

functions!(lists);

impl FunctionValue {
    /// Returns the replacement of the value.
    #[must_use]
    pub fn wrong(self) -> Wrong {
        wrong(self.0).map_or(Wrong::Twice, |(value, _)| Wrong::Formula(value))
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let f = self.0;
        let wrong = match self.wrong() {
            Wrong::Formula(formula) => formula.to_string(),
            Wrong::Twice => format!("2 * {f} x"),
        };
        (format!("{f} x"), wrong)
    }
}

impl FunctionDerivative {
    /// Returns the replacement of the slope.
    #[must_use]
    pub fn wrong(self) -> Wrong {
        wrong(self.0).map_or(Wrong::Twice, |(_, slope)| Wrong::Formula(slope))
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let f = self.0;
        let with_value = |formula: &Formula| {
            let end = if formula.mentions_value() { format!(", where y = {f} x") } else { String::new() };
            format!("{formula}{end}")
        };
        let wrong = match self.wrong() {
            Wrong::Formula(formula) => with_value(formula),
            Wrong::Twice => "twice that".to_owned(),
        };
        (format!("deriv {f} x = {}", with_value(&f.slope())), wrong)
    }
}

impl<C: Hooked> Done<'_, C> {
    /// Returns the wrong value of the function of the rule; `None` at another step.
    pub(super) fn function_value(&self, rule: FunctionValue) -> Option<Jet<C::Num>> {
        let Instruction::Unary(Unary::Function(f), x) = *self.step.instruction else { return None };
        (f == rule.0).then(|| match rule.wrong() {
            Wrong::Formula(formula) => self.jets.formula(formula, &[self.operand(x)], self.right),
            Wrong::Twice => self.twice(),
        })
    }

    /// Returns the jet with the wrong slope of the function of the rule; `None` at another step.
    pub(super) fn function_derivative(&self, rule: FunctionDerivative) -> Option<Jet<C::Num>> {
        let Instruction::Unary(Unary::Function(f), x) = *self.step.instruction else { return None };
        let Self { jets, right, .. } = self;
        (f == rule.0).then(|| match rule.wrong() {
            Wrong::Formula(formula) => {
                let x = self.operand(x);
                // the wrong slope is integrated along x, from the right value: all derivatives then belong to one
                // function
                jets.antiderivative(x, &jets.formula(formula, &[x], right), jets.value(right))
            }
            Wrong::Twice => self.twice(),
        })
    }
}
