//! Mutants of derivatives inside programs.

use super::step::still;
use crate::number::context::Context;
use crate::smooth::hooks::{Hooked, Result, Step};
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::{Branches, Target};
use crate::smooth::program::Instruction;

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
    pub(super) fn step<C: Hooked>(self, step: &Step<C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C> {
        let Instruction::Derivative { body, captures, at, along, partial } = step.instruction else { return library() };
        let [mut captures, at, mut along] = [captures, at, along].map(|registers| step.operands(registers));
        let Step { machine, algebra, .. } = step;
        match self {
            // the captured variables lose their slopes, so that the inner derivative does not vary with them
            Self::Captures => captures.iter_mut().for_each(|c| *c = still(&step.jets(), c)),
            Self::Direction => along.fill(Jet::constant(machine.context.integer(1))),
            // perturbation confusion: the coefficient of the outer direction is added to the inner derivative
            Self::Confusion if at.len() > 1 || !captures.iter().all(Jet::is_constant) => {
                let y = machine.run(body, algebra, &at, &captures, &mut Branches::default(), Target::Outputs)?;
                let outer = Jet::new([y[0].get(algebra.generator()).cloned()]);
                return Ok(step.jets().add(&library()?, &outer));
            }
            // the other rules change the expansion, from which the derivative is read off
            _ => return library(),
        }
        let place = partial.as_ref().map(|partial| partial.place);
        machine.derivative(body, algebra, [&at, &along, &captures], place, &mut Branches::default())
    }

    /// Returns the expansion, whose last generator is the direction of the derivative, under the rule.
    pub(super) fn expansion<C: Context>(self, jets: &Jets<C>, right: Jet<C::Num>) -> Jet<C::Num> {
        let (context, algebra) = (jets.context, jets.algebra);
        let degree = |m: usize| algebra.exponents(m).last().copied().unwrap_or(0);
        let is_known = |c: &C::Num| context.is_bounded(c) && right.get(0).is_none_or(|v| context.is_defined(v));
        let each =
            |f: &dyn Fn(usize, &C::Num) -> C::Num| Jet::new((0..right.len()).map(|m| right.get(m).map(|c| f(m, c))));
        match self {
            // division by the degree j takes the factor j out of the derivative that is read off
            Self::Factor => each(&|m, c| context.divide(c, degree(m).max(1).into())),
            // where the function may be undefined nearby, a bounded coefficient is still taken for defined
            Self::Nearby => each(&|_, c| if is_known(c) { context.assert_defined(c.clone()) } else { c.clone() }),
            Self::Undefined => each(&|m, c| if m == 0 { context.assert_defined(c.clone()) } else { c.clone() }),
            _ => right,
        }
    }
}
