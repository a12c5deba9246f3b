//! Closed graphs as real numbers that can be asked.

mod apart;
mod joint;
mod several;

pub use joint::{Component, Followed, Run};
pub use several::Several;

use crate::number::budget::Budget;
use crate::number::comparison::Comparison;
use crate::number::double::Double;
use crate::number::effort::Effort;
use crate::number::enclosure::Enclosure;
use crate::number::magnitude::Magnitude;
use crate::number::mpfr::Mpfr;
use crate::number::real::{Real, Tier};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Guard};
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;
use crate::smooth::spine::Spine;
use crate::smooth::witness::{Tie, Undefined, Witness};
use std::sync::Arc;

/// The values of closed graphs, run at any precision.
#[derive(Debug)]
pub struct Closed {
    pub(in crate::smooth) program: Arc<Program>,
}

/// The value of a closed graph, alone or beside others.
pub type Evaluation = Component<Closed>;

impl Closed {
    /// The values of some graphs, which are compiled together.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when they have free variables.
    pub fn of(graphs: &[Graph]) -> Result<Self, SmoothError> {
        let (program, unbound) = Program::of(&[], graphs);
        match unbound.len() {
            0 => Ok(Self { program: Arc::new(program) }),
            found => Err(SmoothError::Dimension { expected: 0, found }),
        }
    }
}

/// The values of a program without inputs, and on the way what follows the run hears of.
pub(in crate::smooth) fn run_program<C: Hooked>(
    context: &C,
    program: &Program,
    effort: &Effort,
    followed: Option<Followed>,
) -> Result<Vec<Enclosure>, SmoothError> {
    let real = Algebra::real();
    let values = |machine: &Machine<C>| -> Result<Vec<Enclosure>, SmoothError> {
        let values = machine.run(&program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs)?;
        let values: Vec<_> = values.iter().map(|jet| machine.jets(&real).value(jet)).collect();
        Ok(certain(context, &values))
    };
    let machine = Machine::new(context, effort, &real, program);
    let Some(followed) = followed else { return values(&machine) };
    let replay = |machine: &Machine<C>| values(machine).map(|found| (followed.hear)(&found));
    values(&machine.along(&Spine::new(followed.ledger, &replay)))
}

impl Run for Closed {
    fn run(&self, tier: Tier, effort: &Effort, followed: Followed) -> Result<Vec<Enclosure>, SmoothError> {
        match tier {
            Tier::Double => run_program(&Double, &self.program, effort, Some(followed)),
            Tier::Mpfr(bits) => run_program(&Mpfr::new(bits), &self.program, effort, Some(followed)),
        }
    }

    fn count(&self) -> usize {
        self.program.root.outputs.len()
    }

    fn least_precision(&self) -> u32 {
        self.program.least_precision()
    }

    fn has_solver(&self) -> bool {
        self.program.root.has_solver
    }
}

/// ⊥ for what is not shown to be defined.
pub(in crate::smooth) fn certain<C: Hooked>(context: &C, found: &[C::Num]) -> Vec<Enclosure> {
    let certain = |n: &C::Num| if context.is_defined(n) { context.to_enclosure(n) } else { Enclosure::bottom() };
    found.iter().map(certain).collect()
}

impl Evaluation {
    /// The places that an optimum of the program does not tell apart, by one more pass; nothing where that finds none within the
    /// budget.
    #[must_use]
    pub fn tie(&self, budget: &Budget) -> Option<Tie> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(FINE_DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.of().program).seen_by(&witness);
        machine.run(&self.of().program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_tie().filter(|_| !budget.is_exhausted())
    }

    /// Why the number is not shown to be defined, by one more pass; nothing where that does not find it within the budget.
    #[must_use]
    pub fn undefined(&self, budget: &Budget) -> Option<Undefined> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) = (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.of().program).seen_by(&witness);
        machine.run(&self.of().program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_found().filter(|_| !budget.is_exhausted())
    }
}

/// The precision of the pass that looks for what is undefined…
const DIAGNOSIS_BITS: u32 = 128;
/// …and its tolerance, as a power of two: what is found has to be found by solvers that have done some work.
const DIAGNOSIS: i64 = -8;
/// What is not told apart to 2 to this power ties, as far as it is told.
const FINE_DIAGNOSIS: i64 = -40;

impl Graph {
    /// The value of a closed graph as something that can be run pass by pass, at a tier and with an effort of one's choice.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when the graph has free variables.
    pub fn evaluation(&self) -> Result<Evaluation, SmoothError> {
        Ok(Evaluation::alone(Closed::of(std::slice::from_ref(self))?))
    }

    /// The real number that a closed graph denotes.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when the graph has free variables.
    pub fn real(&self) -> Result<Real<Evaluation>, SmoothError> {
        Ok(Real::new(self.evaluation()?))
    }
}

impl Guard {
    /// Whether a closed guard holds: the sign of its number, undecided on the border.
    ///
    /// # Errors
    /// Those of [`Graph::real`] and of the evaluation.
    pub fn decide(&self, budget: &Budget) -> Result<Comparison, SmoothError> {
        self.number().real()?.sign(budget)
    }
}
