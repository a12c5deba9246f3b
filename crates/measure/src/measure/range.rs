//! The values of maps where draws lie: one run in interval arithmetic, on intervals that may have no end.

use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::number::{Double, Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;

/// The precision of sums, and of ends that are no doubles.
pub const BITS: u32 = 192;

/// All real numbers.
#[must_use]
pub fn line() -> Enclosure {
    Enclosure::bottom().with_defined(true)
}

/// All numbers that are not negative.
#[must_use]
pub fn half_line() -> Enclosure {
    let context = Mpfr::new(BITS);
    context.to_enclosure(&context.abs(&context.bottom())).with_defined(true)
}

/// A number.
#[must_use]
pub fn number(q: &Rational) -> Enclosure {
    let context = Mpfr::new(BITS);
    context.to_enclosure(&context.rational(q))
}

/// An enclosure of all values of a map where its variables lie in these; ⊥ where it is not shown to be defined.
#[must_use]
pub fn range(graph: &Graph, within: &[(Variable, Enclosure)], budget: &Budget) -> Enclosure {
    let variables: Vec<Variable> = within.iter().map(|(v, _)| *v).collect();
    let (program, unbound) = Program::of(&variables, std::slice::from_ref(graph));
    if !unbound.is_empty() {
        return Enclosure::bottom();
    }
    let (context, real) = (Double, Algebra::real());
    let effort = Effort::new(Magnitude::power_of_two(-20), budget);
    let machine = Machine::new(&context, &effort, &real, &program);
    let inputs: Vec<Jet<_>> = within.iter().map(|(_, e)| Jet::constant(context.enclosure(e))).collect();
    let found = machine.run(&program.root, &real, &inputs, &[], &mut Branches::default(), Target::Outputs);
    let Ok(found) = found else { return Enclosure::bottom() };
    let value = machine.jets(&real).value(&found[0]);
    if context.is_defined(&value) { context.to_enclosure(&value) } else { Enclosure::bottom() }
}
