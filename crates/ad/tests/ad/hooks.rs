//! Who asks hooks, and who does not.

use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::context::{Context, Function};
use smoothish_ad::number::real::Real;
use smoothish_ad::number::{Double, Mpfr, Rational};
use smoothish_ad::smooth::graph::{Graph, Unary};
use smoothish_ad::smooth::hooks::{Hooked, Hooks, Library, Replaced, Result, Step, Under};
use smoothish_ad::smooth::program::Instruction;

/// Whether a machine in an arithmetic asks anything.
fn asks<C: Hooked>() -> bool {
    C::ACTIVE
}

/// Whether hooks are asked by a machine that has them.
fn are_active<C: Context, H: Hooks<C>>() -> bool {
    H::ACTIVE
}

/// The compiler removes what stands behind a constant that is false: the machine of the library has no hooks.
#[test]
fn hooks_of_the_library_are_inactive() {
    assert!(!are_active::<Double, Library>() && !are_active::<Mpfr, Library>());
    assert!(!asks::<Double>() && !asks::<Mpfr>());
    assert!(asks::<Under<Double, Doubled>>() && asks::<Under<Mpfr, Doubled>>());
}

/// The sine, twice over.
#[derive(Clone, Debug)]
struct Doubled;

impl<C: Context> Hooks<C> for Doubled {
    fn step(&self, step: &Step<C>, library: &mut dyn FnMut() -> Result<C>) -> Result<C>
    where
        C: Hooked,
    {
        let right = library()?;
        Ok(match step.instruction {
            Instruction::Unary(Unary::Function(Function::Sin), _) => step.jets().add(&right, &right),
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
        let right = sine.real().unwrap().enclose(&eps, &budget).unwrap().enclosure;
        let wrong = Real::new(Replaced::of(&sine, Doubled).unwrap()).enclose(&eps, &budget).unwrap().enclosure;
        assert!(right.lo().to_f64() * 2.0 - wrong.lo().to_f64() < 0.01 && !right.overlaps(&wrong), "{right}, {wrong}");
    }
}
