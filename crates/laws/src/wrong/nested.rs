//! Mutants of derivatives inside programs.

use super::step::drop_derivatives;
use crate::number::context::Context;
use crate::smooth::hooks::{EvalStep, HookedContext, StepResult};
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::BlockInstruction;

rules! {
    /// Derivatives inside programs.
    Nested {
        Factor "nested_factor_dropped", "the derivative of xʲ is j xʲ⁻¹" => "xʲ⁻¹";
        Direction "direction_dropped", "D f(x)·v is linear in v (S §4.3.3)" => "v is taken for 1";
        Captures "captures_fixed", "an inner derivative varies with what its body mentions (S32)" => "that stays fixed";
        Confusion "directions_confused", "each derivative has a direction of its own (X6, T13)" => "the outer one counts as well";
        Nearby "derivative_undefined_nearby", "a derivative is ⊥ where the function is undefined nearby (S §4.1)" => "that of the branch that is taken";
        Undefined "derivative_without_value", "a function without a value has no derivative" => "a part that is undefined and constant is forgotten";
    }
}

impl Nested {
    /// Computes a derivative instruction under the rule; other instructions are left to the library.
    pub(super) fn mutate_step<C: HookedContext>(
        self,
        step: &EvalStep<C>,
        library: &mut dyn FnMut() -> StepResult<C>,
    ) -> StepResult<C> {
        let BlockInstruction::Derivative { body, captures, at, along, partial } = step.instruction else {
            return library();
        };
        let [mut captures, at, mut along] = [captures, at, along].map(|registers| step.operands(registers));
        let EvalStep { machine, algebra, .. } = step;
        match self {
            // the captured variables lose their slopes, so that the inner derivative does not vary with them
            Self::Captures => captures.iter_mut().for_each(|c| *c = drop_derivatives(&step.jet_arithmetic(), c)),
            Self::Direction => along.fill(Jet::constant(machine.context.enclose_integer(1))),
            // perturbation confusion: the coefficient of the outer direction is added to the inner derivative
            Self::Confusion if at.len() > 1 || !captures.iter().all(Jet::is_constant) => {
                let y = machine.eval_block(
                    body,
                    algebra,
                    &at,
                    &captures,
                    &mut BranchDecisions::default(),
                    EvalTarget::Outputs,
                )?;
                let outer = Jet::new([y[0].get(algebra.last_generator()).cloned()]);
                return Ok(step.jet_arithmetic().add(&library()?, &outer));
            }
            // the other rules change the expansion, from which the derivative is read off
            _ => return library(),
        }
        let place = partial.as_ref().map(|partial| partial.place);
        machine.directional_derivative(body, algebra, [&at, &along, &captures], place, &mut BranchDecisions::default())
    }

    /// Returns the expansion, whose last generator is the direction of the derivative, under the rule.
    pub(super) fn mutate_expansion<C: Context>(self, jets: &JetArithmetic<C>, right: Jet<C::Num>) -> Jet<C::Num> {
        let (context, algebra) = (jets.context, jets.algebra);
        let degree = |m: usize| algebra.exponents(m).last().copied().unwrap_or(0);
        let is_known = |c: &C::Num| context.is_bounded(c) && right.get(0).is_none_or(|v| context.is_defined(v));
        let each =
            |f: &dyn Fn(usize, &C::Num) -> C::Num| Jet::new((0..right.len()).map(|m| right.get(m).map(|c| f(m, c))));
        match self {
            // division by the degree j takes the factor j out of the derivative that is read off
            Self::Factor => each(&|m, c| context.div_integer(c, degree(m).max(1).into())),
            // where the function may be undefined nearby, a bounded coefficient is still taken for defined
            Self::Nearby => each(&|_, c| if is_known(c) { context.mark_defined(c.clone()) } else { c.clone() }),
            Self::Undefined => each(&|m, c| if m == 0 { context.mark_defined(c.clone()) } else { c.clone() }),
            _ => right,
        }
    }
}
