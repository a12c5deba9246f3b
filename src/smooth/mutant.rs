//! Steps of a program with one rule replaced: what a mutant does instead ([`Mutation`]).
//!
//! The machine does a step right; where a mutation concerns the step, the result is replaced here by one that is made from
//! it and from the operands. Values are replaced with their Taylor coefficients, and derivatives in all directions, so that
//! a solver's expansions fit to the range and the answer is wrong instead of contradictory.

mod chain;
mod definedness;
mod derivative;
mod kink;
mod second;
mod value;

use crate::mutation::Mutation;
use crate::number::context::Context;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::Machine;
use crate::smooth::program::{Instruction, Register};

/// A step that was done right.
struct Step<'s, C: Context, F> {
    jets: &'s Jets<'s, C>,
    instruction: &'s Instruction,
    operand: F,
    /// The branch that was taken, if the step is a kink.
    branch: Branch,
    right: &'s Jet<C::Num>,
}

/// The result of a step in a mutant, given the right one.
pub(super) fn disturb<'j, C: Context + 'j>(
    mutation: Mutation,
    jets: &Jets<C>,
    instruction: &Instruction,
    operand: impl Fn(Register) -> &'j Jet<C::Num>,
    branch: Branch,
    right: Jet<C::Num>,
) -> Jet<C::Num> {
    let step = Step { jets, instruction, operand, branch, right: &right };
    let wrong = match mutation {
        Mutation::Value(rule) => step.value(rule).map(|wrong| take(jets, &right, &wrong, |order| order == 0)),
        Mutation::FunctionValue(rule) => {
            step.function_value(rule).map(|wrong| take(jets, &right, &wrong, |order| order == 0))
        }
        Mutation::FunctionDerivative(rule) => {
            step.function_derivative(rule).map(|wrong| take(jets, &right, &wrong, |order| order > 0))
        }
        Mutation::Derivative(rule) => step.derivative(rule).map(|wrong| take(jets, &right, &wrong, |order| order > 0)),
        Mutation::Chain(rule) => step.chain(rule).map(|wrong| take(jets, &right, &wrong, |order| order > 0)),
        Mutation::Kink(rule) => step.kink(rule),
        Mutation::Definedness(rule) => step.definedness(rule),
        Mutation::Integral(rule) => step.integral(rule),
        Mutation::Root(rule) => step.root(rule),
        Mutation::Optimum(rule) => step.optimum(rule),
        Mutation::Bottom | Mutation::Nested(_) | Mutation::Tangent(_) | Mutation::Language(_) => None,
    };
    wrong.unwrap_or(right)
}

/// The coefficients of some orders of differentiation from the wrong jet, the others from the right one.
fn take<C: Context>(
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
fn moving<C: Context>(jets: &Jets<C>, a: &Jet<C::Num>) -> Jet<C::Num> {
    take(jets, a, &Jet::zero(), |order| order == 0)
}

/// Whether a number is exactly 0.
fn is_zero<C: Context>(context: &C, x: &C::Num) -> bool {
    context.is_defined(x) && context.is_point(x) && context.contains_zero(x)
}

impl<C: Context> Machine<'_, C> {
    /// The same machine with a rule replaced.
    #[must_use]
    pub fn with_mutation(mut self, mutation: Option<Mutation>) -> Self {
        self.mutation = mutation;
        self
    }

    /// Whether this rule is the one that is wrong.
    #[must_use]
    pub fn is_mutated(&self, rule: impl Into<Mutation>) -> bool {
        self.mutation.is_some_and(|mutation| mutation == rule.into())
    }
}
