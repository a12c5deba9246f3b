//! Mutants of the elementary functions: each has a value and a slope that may be wrong.
//!
//! The right rules are the [rows](crate::function). This file holds plausible wrong ones. A function without an entry
//! is doubled, and so is its slope.
//!
//! # Mutants of the elementary functions of two variables
//!
//! Each has a value and slopes that may be wrong.
//!
//! The right rules are the [rows](crate::function::BinaryFunctionSpec). This file holds plausible wrong ones.

use super::rows::{rules_of_rows, snake_case};
use super::step::CompletedStep;
use crate::function::Formula::*;
use crate::function::Function::{Atan, *};
use crate::function::{Formula, Function, Planar};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::BlockInstruction;

/// The replacement of a value or a slope, in terms of x and the right value y.
#[derive(Clone, Copy, Debug)]
pub enum WrongFormula {
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
const BELL: Formula = Apply(Exp, &Negate(&Square(&X)));

/// Returns the value of another function and the slope of another one, neither merely scaled. Returns `None` if there
/// is no entry.
fn wrong_formulas(f: Function) -> Option<(&'static Formula, &'static Formula)> {
    Some(match f {
        Sqrt => (&Apply(Cbrt, &X), &Inverse(&Y)),
        Cbrt => (&Apply(Sqrt, &X), &Inverse(&Square(&Y))),
        Exp => (&Add(&Add(&ONE, &X), &Divide(&Square(&X), &TWO)), &Multiply(&X, &Apply(Exp, &Subtract(&X, &ONE)))),
        Log => (&Apply(Log, &Add(&ONE, &X)), &Inverse(&Square(&X))),
        Sin => (&Apply(Cos, &X), &Negate(&Apply(Cos, &X))),
        Cos => (&Apply(Sin, &X), &Apply(Sin, &X)),
        Tan => (&Inverse(&Apply(Tan, &X)), &Subtract(&ONE, &Square(&Y))),
        Asin => (&Apply(Acos, &X), &Inverse(&BELOW)),
        Acos => (&Apply(Asin, &X), &InverseRoot(&BELOW)),
        Atan => (&Apply(Asin, &X), &InverseRoot(&ABOVE)),
        Sinh => (&Apply(Cosh, &X), &Y),
        Cosh => (&Apply(Sinh, &X), &Negate(&Apply(Sinh, &X))),
        Tanh => (&Apply(Sinh, &X), &Add(&ONE, &Square(&Y))),
        Asinh => (&Apply(Acosh, &X), &Inverse(&ABOVE)),
        Acosh => (&Apply(Asinh, &X), &InverseRoot(&Add(&Square(&X), &ONE))),
        Atanh => (&Apply(Log, &Divide(&Add(&ONE, &X), &Subtract(&ONE, &X))), &Inverse(&ABOVE)),
        Expm1 => (&Apply(Exp, &X), &Y),
        Log1p => (&Apply(Log, &X), &Inverse(&X)),
        Erf => (&Apply(Tanh, &X), &BELL),
        Erfc => (&Apply(Erf, &X), &Multiply(&TWO, &BELL)),
        // Stirling's formula without its smaller terms, and the slope of that
        Function::LOG_GAMMA => (&Subtract(&Multiply(&X, &Apply(Log, &X)), &X), &Apply(Log, &X)),
        Function::DIGAMMA => (&Apply(Log, &X), &Inverse(&X)),
        // the next order, and the sign of J₁
        Function::BESSEL_J0 => (&Apply(Function::BESSEL_J1, &X), &Apply(Function::BESSEL_J1, &X)),
        Special(..) => return None,
    })
}

rules_of_rows! { Function FunctionValue "The value of an elementary function; its derivatives stay right (S2, S22)." "_value" }
rules_of_rows! { Function FunctionDerivative "The derivative of an elementary function; its value stays right (S18)." "_derivative" }

impl FunctionValue {
    /// Returns the replacement of the value.
    #[must_use]
    pub fn wrong_value(self) -> WrongFormula {
        wrong_formulas(self.0).map_or(WrongFormula::Twice, |(value, _)| WrongFormula::Formula(value))
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let f = self.0;
        let wrong = match self.wrong_value() {
            WrongFormula::Formula(formula) => formula.to_string(),
            WrongFormula::Twice => format!("2 * {f} x"),
        };
        (format!("{f} x"), wrong)
    }
}

impl FunctionDerivative {
    /// Returns the replacement of the slope.
    #[must_use]
    pub fn wrong_slope(self) -> WrongFormula {
        wrong_formulas(self.0).map_or(WrongFormula::Twice, |(_, slope)| WrongFormula::Formula(slope))
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let f = self.0;
        let with_value = |formula: &Formula| {
            let end = if formula.mentions_value() { format!(", where y = {f} x") } else { String::new() };
            format!("{formula}{end}")
        };
        let wrong = match self.wrong_slope() {
            WrongFormula::Formula(formula) => with_value(formula),
            WrongFormula::Twice => "twice that".to_owned(),
        };
        (format!("deriv {f} x = {}", with_value(&f.slope_formula())), wrong)
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong value of the function of the rule; `None` at another step.
    pub(super) fn function_value(&self, rule: FunctionValue) -> Option<Jet<C::Num>> {
        let BlockInstruction::Unary(Unary::Function(f), x) = *self.step.instruction else { return None };
        (f == rule.0).then(|| match rule.wrong_value() {
            WrongFormula::Formula(formula) => self.jets.evaluate_formula(formula, &[self.operand(x)], self.right),
            WrongFormula::Twice => self.twice_right(),
        })
    }

    /// Returns the jet with the wrong slope of the function of the rule; `None` at another step.
    pub(super) fn function_derivative(&self, rule: FunctionDerivative) -> Option<Jet<C::Num>> {
        let BlockInstruction::Unary(Unary::Function(f), x) = *self.step.instruction else { return None };
        let Self { jets, right, .. } = self;
        (f == rule.0).then(|| match rule.wrong_slope() {
            WrongFormula::Formula(formula) => {
                let x = self.operand(x);
                // the wrong slope is integrated along x, from the right value: all derivatives then belong to one
                // function
                jets.antiderivative(x, &jets.evaluate_formula(formula, &[x], right), jets.value_of(right))
            }
            WrongFormula::Twice => self.twice_right(),
        })
    }
}

/// The slope of an angle in its first argument, and its slope in the second with the wrong sign.
const SQUARE: Formula = Add(&Square(&X), &Square(&Second));
const RIGHT: Formula = Divide(&Second, &SQUARE);
const TURNED: Formula = Divide(&X, &SQUARE);

/// Returns the wrong value and the wrong slopes.
fn wrong_planar_formulas(f: Planar) -> (&'static Formula, &'static [Formula; 2]) {
    match f {
        Planar::Atan2 => (&Apply(Atan, &Divide(&X, &Second)), &[RIGHT, TURNED]),
    }
}

rules_of_rows! { Planar PlanarValue "The value of an elementary function of two variables; its derivatives stay right (S2, S22)." "_value" }
rules_of_rows! { Planar PlanarDerivative "The slopes of an elementary function of two variables; its value stays right (S18)." "_derivative" }

impl PlanarValue {
    /// Returns the replacement of the value.
    #[must_use]
    pub fn wrong_value(self) -> &'static Formula {
        wrong_planar_formulas(self.0).0
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let [first, second] = self.0.row().arguments;
        (
            format!("{} {first} {second}", self.0),
            self.wrong_value().display_with_names([first, second, "z"]).to_string(),
        )
    }
}

impl PlanarDerivative {
    /// Returns the replacement of the slopes.
    #[must_use]
    pub fn wrong_slopes(self) -> &'static [Formula; 2] {
        wrong_planar_formulas(self.0).1
    }

    /// Returns the right and the wrong rule in words.
    fn written(self) -> (String, String) {
        let [first, second] = self.0.row().arguments;
        let named = |[a, b]: &'static [Formula; 2]| {
            let names = [first, second, "z"];
            format!("{} and {}", a.display_with_names(names), b.display_with_names(names))
        };
        let right = format!(
            "the slopes of {} {first} {second} in {first} and {second} are {}",
            self.0,
            named(self.0.slope_formulas())
        );
        (right, named(self.wrong_slopes()))
    }
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the wrong value of the function of the rule; `None` at another step.
    pub(super) fn planar_value(&self, rule: PlanarValue) -> Option<Jet<C::Num>> {
        let BlockInstruction::Binary(Binary::Planar(f), x, y) = *self.step.instruction else { return None };
        (f == rule.0)
            .then(|| self.jets.evaluate_formula(rule.wrong_value(), &[self.operand(x), self.operand(y)], self.right))
    }

    /// Returns the jet with the wrong slopes of the function of the rule; `None` at another step.
    pub(super) fn planar_derivative(&self, rule: PlanarDerivative) -> Option<Jet<C::Num>> {
        let BlockInstruction::Binary(Binary::Planar(f), x, y) = *self.step.instruction else { return None };
        let Self { jets, right, .. } = self;
        // the right value with slopes of the wrong formulas
        (f == rule.0)
            .then(|| jets.integrate_slopes(rule.wrong_slopes(), self.operand(x), self.operand(y), jets.value_of(right)))
    }
}
