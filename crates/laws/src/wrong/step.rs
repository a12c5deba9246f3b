//! Steps with one rule replaced.
//!
//! Most are done right first, and then changed. A value is replaced with its Taylor coefficients, and a derivative in all directions, so that a solver's expansions fit to
//! the range and the answer is wrong instead of contradictory.

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

/// A step that was done right.
pub(super) struct Done<'s, C: Hooked> {
    pub(super) step: &'s Step<'s, C>,
    pub(super) jets: Jets<'s, C>,
    pub(super) right: &'s Jet<C::Num>,
}

impl<C: Hooked> Done<'_, C> {
    /// What stands in a register.
    pub(super) fn operand(&self, register: Register) -> &Jet<C::Num> {
        self.step.operand(register)
    }

    /// The right result with the value of another.
    pub(super) fn with_value(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take(&self.jets, self.right, wrong, |order| order == 0)
    }

    /// The right result with the derivatives of another.
    pub(super) fn with_slopes(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take(&self.jets, self.right, wrong, |order| order > 0)
    }

    /// Twice the right result.
    pub(super) fn twice(&self) -> Jet<C::Num> {
        self.jets.map(self.right, |c| self.jets.context.scale(c, 2))
    }

    /// The right result with the sign of its derivatives changed.
    pub(super) fn backwards(&self) -> Jet<C::Num> {
        self.jets.subtract(&still(&self.jets, self.right), &moving(&self.jets, self.right))
    }
}

/// The coefficients of some orders of differentiation from the wrong jet, the others from the right one.
pub(super) fn take<C: Context>(
    jets: &Jets<C>,
    right: &Jet<C::Num>,
    wrong: &Jet<C::Num>,
    from_wrong: impl Fn(u32) -> bool,
) -> Jet<C::Num> {
    let length = right.len().max(wrong.len()).min(jets.algebra.len());
    let source = |m: usize| if from_wrong(jets.algebra.order(m)) { wrong } else { right };
    Jet::new((0..length).map(|m| source(m).get(m).cloned()))
}

/// The jet without its derivatives in any direction.
pub(super) fn still<C: Context>(jets: &Jets<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take(jets, a, &Jet::zero(), |order| order > 0)
}

/// The derivatives of the jet alone.
pub(super) fn moving<C: Context>(jets: &Jets<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take(jets, a, &Jet::zero(), |order| order == 0)
}

/// Whether a number is exactly 0.
pub(super) fn is_zero<C: Context>(context: &C, x: &C::Num) -> bool {
    context.is_defined(x) && context.is_point(x) && context.contains_zero(x)
}
