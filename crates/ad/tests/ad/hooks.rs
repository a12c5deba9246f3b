//! Who asks hooks, and who does not.

use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::real::RefinableReal;
use smoothish_ad::number::{Double, Mpfr, Rational};
use smoothish_ad::smooth::graph::{Graph, Unary};
use smoothish_ad::smooth::hooks::{
    EvalHooks, EvalStep, HookedContext, HookedGraph, StandardEvalHooks, StepResult, WithHooks,
};
use smoothish_ad::smooth::program::BlockInstruction;

/// Whether a machine in an arithmetic asks anything.
fn asks<C: HookedContext>() -> bool {
    C::ACTIVE
}

/// Whether hooks are asked by a machine that has them.
fn are_active<C: Context, H: EvalHooks<C>>() -> bool {
    H::ACTIVE
}

/// The compiler removes what stands behind a constant that is false: the machine of the library has no hooks.
#[test]
fn hooks_of_the_library_are_inactive() {
    assert!(!are_active::<Double, StandardEvalHooks>() && !are_active::<Mpfr, StandardEvalHooks>());
    assert!(!asks::<Double>() && !asks::<Mpfr>());
    assert!(asks::<WithHooks<Double, Doubled>>() && asks::<WithHooks<Mpfr, Doubled>>());
}

/// The sine, twice over.
#[derive(Clone, Debug)]
struct Doubled;

impl<C: Context> EvalHooks<C> for Doubled {
    fn eval_step(&self, step: &EvalStep<C>, library: &mut dyn FnMut() -> StepResult<C>) -> StepResult<C>
    where
        C: HookedContext,
    {
        let right = library()?;
        Ok(match step.instruction {
            BlockInstruction::Unary(Unary::Function(Function::Sin), _) => step.jet_arithmetic().add(&right, &right),
            _ => right,
        })
    }
}

/// Hooks are asked at both precisions.
#[test]
fn a_rule_is_replaced() {
    let sine = Graph::function(Function::Sin, &Graph::rational(Rational::from((1, 2))));
    for eps in [Rational::from((1, 1_000)), Rational::from((1, 1u64 << 60)) >> 60] {
        let budget = Budget::unlimited();
        let right = sine.to_real().unwrap().enclose(&eps, &budget).unwrap().enclosure;
        let wrong = RefinableReal::new(HookedGraph::with_hooks(&sine, Doubled).unwrap())
            .enclose(&eps, &budget)
            .unwrap()
            .enclosure;
        assert!(right.lo().to_f64() * 2.0 - wrong.lo().to_f64() < 0.01 && !right.overlaps(&wrong), "{right}, {wrong}");
    }
}
