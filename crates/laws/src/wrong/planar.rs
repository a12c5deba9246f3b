//! Mutants of the elementary functions of two variables: each has a value and slopes that may be wrong.
//!
//! The right rules are the [rows](crate::function::BinaryFunctionSpec). This file holds plausible wrong ones.

use super::rows::rules_of_rows;
use super::step::CompletedStep;
use crate::function::Formula::*;
use crate::function::Function::Atan;
use crate::function::{Formula, Planar, planar_functions};
use crate::smooth::graph::Binary;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::program::BlockInstruction;

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

macro_rules! planar_lists {
    ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
        rules_of_rows! { Planar PlanarValue "The value of an elementary function of two variables; its derivatives stay right (S2, S22)." "_value" $($variant $name)* }
        rules_of_rows! { Planar PlanarDerivative "The slopes of an elementary function of two variables; its value stays right (S18)." "_derivative" $($variant $name)* }
    };
}

planar_functions!(planar_lists);

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
