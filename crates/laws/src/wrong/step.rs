//! Steps of the machine with one rule replaced.
//!
//! Most steps are computed right and then changed. A wrong value keeps consistent Taylor coefficients, and a wrong
//! derivative is wrong in all directions. A solver's expansions then fit its ranges, and the answer is wrong and not
//! contradictory.

use super::Mutation;
use super::solver::run_solver;
use crate::number::context::Context;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::{EvalHooks, EvalStep, HookedContext, IntegrandKink, StepResult};
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::program::BlockRegister;
use crate::smooth::solve::optimum::peak::MaximiserCandidate;

impl<C: Context> EvalHooks<C> for Mutation {
    fn eval_step(&self, step: &EvalStep<C>, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>
    where
        C: HookedContext,
    {
        // rules of solvers replace the computation; the others change its result below
        let right = match *self {
            Self::Nested(rule) => rule.mutate_step(step, library),
            Self::Integral(rule) => run_solver(step, library, |solver, library| solver.mutate_integral(rule, library)),
            Self::Root(rule) => run_solver(step, library, |solver, library| solver.mutate_root(rule, library)),
            Self::Optimum(rule) => run_solver(step, library, |solver, library| solver.mutate_optimum(rule, library)),
            _ => library(),
        }?;
        let done = CompletedStep { step, jets: step.jet_arithmetic(), right: &right };
        let wrong = match *self {
            Self::Value(rule) => done.wrong_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::FunctionValue(rule) => done.function_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarValue(rule) => done.planar_value(rule).map(|wrong| done.with_value(&wrong)),
            Self::PlanarDerivative(rule) => done.planar_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Derivative(rule) => done.wrong_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::FunctionDerivative(rule) => done.function_derivative(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Chain(rule) => done.wrong_chain(rule).map(|wrong| done.with_slopes(&wrong)),
            Self::Kink(rule) => done.wrong_kink(rule),
            Self::Definedness(rule) => done.wrong_definedness(rule),
            _ => done.wrong_solution(*self),
        };
        Ok(wrong.unwrap_or(right))
    }

    fn derivative_expansion(&self, jets: &JetArithmetic<C>, expansion: Jet<C::Num>) -> Jet<C::Num> {
        match self {
            Self::Nested(rule) => rule.mutate_expansion(jets, expansion),
            _ => expansion,
        }
    }

    fn maximum_candidates(
        &self,
        context: &C,
        primitive: SecondOrder,
        peaks: Vec<MaximiserCandidate<C::Num>>,
    ) -> Vec<MaximiserCandidate<C::Num>> {
        match self {
            Self::Optimum(rule) => rule.mutate_peaks(context, primitive, peaks),
            _ => peaks,
        }
    }

    fn integral_kink(&self, kink: IntegrandKink<C::Num>) -> IntegrandKink<C::Num> {
        match self {
            Self::Integral(rule) => rule.mutate_kink(kink),
            _ => kink,
        }
    }
}

/// A step with its right result.
pub(super) struct CompletedStep<'s, C: HookedContext> {
    /// The step.
    pub(super) step: &'s EvalStep<'s, C>,
    /// The arithmetic of jets of the step.
    pub(super) jets: JetArithmetic<'s, C>,
    /// The right result.
    pub(super) right: &'s Jet<C::Num>,
}

impl<C: HookedContext> CompletedStep<'_, C> {
    /// Returns the operand in a register.
    pub(super) fn operand(&self, register: BlockRegister) -> &Jet<C::Num> {
        self.step.operand(register)
    }

    /// Returns the right result with the value of another one.
    pub(super) fn with_value(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take_orders(&self.jets, self.right, wrong, |order| order == 0)
    }

    /// Returns the right result with the derivatives of another one.
    pub(super) fn with_slopes(&self, wrong: &Jet<C::Num>) -> Jet<C::Num> {
        take_orders(&self.jets, self.right, wrong, |order| order > 0)
    }

    /// Returns twice the right result.
    pub(super) fn twice_right(&self) -> Jet<C::Num> {
        self.jets.map_coefficients(self.right, |c| self.jets.context.mul_integer(c, 2))
    }

    /// Returns the right result with the sign of its derivatives changed.
    pub(super) fn negate_slopes(&self) -> Jet<C::Num> {
        self.jets.subtract(&drop_derivatives(&self.jets, self.right), &drop_value(&self.jets, self.right))
    }
}

/// Returns the coefficients of the orders that `from_wrong` selects from the wrong jet, and the others from the right
/// one.
pub(super) fn take_orders<C: Context>(
    jets: &JetArithmetic<C>,
    right: &Jet<C::Num>,
    wrong: &Jet<C::Num>,
    from_wrong: impl Fn(u32) -> bool,
) -> Jet<C::Num> {
    // the jets may be cut off at different lengths; the coefficients beyond are 0
    let length = right.len().max(wrong.len()).min(jets.algebra.len());
    let source = |m: usize| if from_wrong(jets.algebra.derivative_order(m)) { wrong } else { right };
    Jet::new((0..length).map(|m| source(m).get(m).cloned()))
}

/// Returns the jet without its derivatives in any direction.
pub(super) fn drop_derivatives<C: Context>(jets: &JetArithmetic<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take_orders(jets, a, &Jet::zero(), |order| order > 0)
}

/// Returns the jet without its value: the derivatives alone.
pub(super) fn drop_value<C: Context>(jets: &JetArithmetic<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take_orders(jets, a, &Jet::zero(), |order| order == 0)
}

/// Returns `true` if the number is certainly exactly 0.
pub(super) fn is_zero<C: Context>(context: &C, x: &C::Num) -> bool {
    context.is_defined(x) && context.is_point(x) && context.contains_zero(x)
}
