//! Steps of the machine with one rule replaced.
//!
//! Most steps are computed right and then changed. A wrong value keeps consistent Taylor coefficients, and a wrong
//! derivative is wrong in all directions. A solver's expansions then fit its ranges, and the answer is wrong and not
//! contradictory.

use super::Mutation;
use super::solver::solved;
use crate::number::context::Context;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::{Hooked, Hooks, Kink, Result, Step};
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::Register;
use crate::smooth::solve::optimum::peak::Peak;

impl<C: Context> Hooks<C> for Mutation {
    fn step(&self, step: &Step<C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C>
    where
        C: Hooked,
    {
        // rules of solvers replace the computation; the others change its result below
        let right = match *self {
            Self::Nested(rule) => rule.step(step, library),
            Self::Integral(rule) => solved(step, library, |solver, library| solver.integral(rule, library)),
            Self::Root(rule) => solved(step, library, |solver, library| solver.root(rule, library)),
            Self::Optimum(rule) => solved(step, library, |solver, library| solver.optimum(rule, library)),
            _ => library(),
        }?;
        let done = Done { step, jets: step.jets(), right: &right };
        let wrong = match *self {
            Self::Value(rule) => done.value(rule).map(|wrong| done.with_value(&wrong)),
            Self::FunctionValue(rule) => done.function_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarValue(rule) => done.planar_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarDerivative(rule) => done.planar_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Derivative(rule) => done.derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::FunctionDerivative(rule) => done.function_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Chain(rule) => done.chain(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Kink(rule) => done.kink(rule),
            Self::Definedness(rule) => done.definedness(rule),
            _ => done.solved(*self),
        };
        Ok(wrong.unwrap_or(right))
    }

    fn expansion(&self, jets: &Jets<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        match self {
            Self::Nested(rule) => rule.expansion(jets, expansion),
            _ => expansion,
        }
    }

    fn peaks(&self, context: &C, primitive: SecondOrder, peaks: Vec<Peak<C::Num>>) -> Vec<Peak<C::Num>> {
        match self {
            Self::Optimum(rule) => rule.peaks(context, primitive, peaks),
            _ => peaks,
        }
    }

    fn kink(&self, kink: Kink<C::Num>) -> Kink<C::Num> {
        match self {
            Self::Integral(rule) => rule.kink(kink),
            _ => kink,
        }
    }
}

/// A step with its right result.
pub(super) struct Done<'s, C: Hooked> {
    /// The step.
    pub(super) step: &'s Step<'s, C>,
    /// The arithmetic of jets of the step.
    pub(super) jets: Jets<'s, C>,
    /// The right result.
    pub(super) right: &'s Jet<C::Num>,
}

impl<C: Hooked> Done<'_, C> {
    /// Returns the operand in a register.
    pub(super) fn operand(&self, register: Register) -> &Jet<C::Num> {
        self.step.operand(register)
    }

    /// Returns the right result with the value of another one.
    pub(super) fn with_value(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take(&self.jets, self.right, wrong, |order| order == 0)
    }

    /// Returns the right result with the derivatives of another one.
    pub(super) fn with_slopes(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take(&self.jets, self.right, wrong, |order| order > 0)
    }

    /// Returns twice the right result.
    pub(super) fn twice(&self) -> Jet<C::Num> {
        self.jets.map(self.right, |c| self.jets.context.scale(c, 2))
    }

    /// Returns the right result with the sign of its derivatives changed.
    pub(super) fn backwards(&self) -> Jet<C::Num> {
        self.jets.subtract(&still(&self.jets, self.right), &moving(&self.jets, self.right))
    }
}

/// Returns the coefficients of the orders that `from_wrong` selects from the wrong jet, and the others from the right
/// one.
pub(super) fn take<C: Context>(
    jets: &Jets<C>,
    right: &Jet<C::Num>,
    wrong: &Jet<C::Num>,
    from_wrong: impl Fn(u32) -> bool,
) -> Jet<C::Num> {
    // the jets may be cut off at different lengths; the coefficients beyond are 0
    let length = right.len().max(wrong.len()).min(jets.algebra.len());
    let source = |m: usize| if from_wrong(jets.algebra.order(m)) { wrong } else { right };
    Jet::new((0..length).map(|m| source(m).get(m).cloned()))
}

/// Returns the jet without its derivatives in any direction.
pub(super) fn still<C: Context>(jets: &Jets<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take(jets, a, &Jet::zero(), |order| order > 0)
}

/// Returns the jet without its value: the derivatives alone.
pub(super) fn moving<C: Context>(jets: &Jets<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take(jets, a, &Jet::zero(), |order| order == 0)
}

/// Returns `true` if the number is certainly exactly 0.
pub(super) fn is_zero<C: Context>(context: &C, x: &C::Num) -> bool {
    context.is_defined(x) && context.is_point(x) && context.contains_zero(x)
}
