//! Ranges of maps over boxes of draws: one pass of interval arithmetic, on intervals that may be unbounded.

use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::PassOptions;
use crate::number::{Double, Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;

/// The precision in bits of sums, and of endpoints that are no doubles. A choice: endpoints stay far below the other
/// errors.
pub const PRECISION_BITS: u32 = 192;

/// Returns the real line, ℝ.
#[must_use]
pub fn real_line() -> Enclosure {
    Enclosure::bottom().with_defined(true)
}

/// Returns the closed half-line [0, ∞).
#[must_use]
pub fn half_line() -> Enclosure {
    // the absolute value of the unbounded interval
    let context = Mpfr::new(PRECISION_BITS);
    context.to_enclosure(&context.abs(&context.bottom())).with_defined(true)
}

/// Encloses a rational number.
#[must_use]
pub fn enclose_rational(q: &Rational) -> Enclosure {
    let context = Mpfr::new(PRECISION_BITS);
    context.to_enclosure(&context.enclose_rational(q))
}

/// Encloses all values of a map on a box. Returns ⊥ if the map is not shown to be defined on all of it.
#[must_use]
pub fn enclose_range(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> Enclosure {
    let variables: Vec<Variable> = within.iter().map(|(v, _)| *v).collect();
    let (program, unbound) = CompiledMap::compile_open(&variables, std::slice::from_ref(graph));
    // a variable without an interval has no range
    if !unbound.is_empty() {
        return Enclosure::bottom();
    }
    let (context, real) = (Double, Algebra::real());
    // a choice: 2⁻²⁰ for solvers inside of the map, whose error is small beside that of the box
    let effort = PassOptions::new(Magnitude::power_of_two(-20), budget);
    let machine = JetEvaluator::new(&context, &effort, &real, &program);
    let inputs: Vec<Jet<_>> = within.iter().map(|(_, e)| Jet::constant(context.round_enclosure(e))).collect();
    let found =
        machine.eval_block(&program.root, &real, &inputs, &[], &mut BranchDecisions::default(), EvalTarget::Outputs);
    let Ok(found) = found else { return Enclosure::bottom() };
    // interval arithmetic proves definedness on the whole box or not at all
    let value = machine.jets(&real).value_of(&found[0]);
    if context.is_defined(&value) { context.to_enclosure(&value) } else { Enclosure::bottom() }
}
