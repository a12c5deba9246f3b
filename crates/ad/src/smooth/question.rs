//! Closed graphs as computable real numbers.

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

/// A program for the values of closed graphs, at any precision.
#[derive(Debug)]
pub struct Closed {
    pub(in crate::smooth) program: Arc<Program>,
}

/// The value of a closed graph, computed alone or together with others.
pub type Evaluation = Component<Closed>;

impl Closed {
    /// Compiles some graphs into one program.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if they have free variables.
    pub fn of(graphs: &[Graph]) -> Result<Self, SmoothError> {
        let (program, unbound) = Program::of(&[], graphs);
        match unbound.len() {
            0 => Ok(Self { program: Arc::new(program) }),
            found => Err(SmoothError::Dimension { expected: 0, found }),
        }
    }
}

/// Runs a program without inputs. Intermediate enclosures are passed to `followed`.
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
    // a replay of the spine computes all outputs again, with the enclosures of the solvers so far
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

/// Replaces numbers that are not certainly defined by ⊥.
pub(in crate::smooth) fn certain<C: Hooked>(context: &C, found: &[C::Num]) -> Vec<Enclosure> {
    let certain = |n: &C::Num| if context.is_defined(n) { context.to_enclosure(n) } else { Enclosure::bottom() };
    found.iter().map(certain).collect()
}

impl Evaluation {
    /// Returns the candidates that an optimum of the program does not separate, by one more pass. Returns `None` if
    /// there is no such optimum, or the budget runs out.
    #[must_use]
    pub fn tie(&self, budget: &Budget) -> Option<Tie> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(FINE_DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.of().program).seen_by(&witness);
        machine.run(&self.of().program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_tie().filter(|_| !budget.is_exhausted())
    }

    /// Diagnoses why the number is not certainly defined, by one more pass. Returns `None` if there is no diagnosis
    /// within the budget.
    #[must_use]
    pub fn undefined(&self, budget: &Budget) -> Option<Undefined> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) = (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.of().program).seen_by(&witness);
        machine.run(&self.of().program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_found().filter(|_| !budget.is_exhausted())
    }
}

/// The precision of a diagnosis, in bits. A choice, as the two tolerances: …
const DIAGNOSIS_BITS: u32 = 128;
/// … 2^-8 for an undefined number, so that the solvers that are to blame do some work.
const DIAGNOSIS: i64 = -8;
/// … 2^-40 for the candidates of an optimum: those closer together count as tied.
const FINE_DIAGNOSIS: i64 = -40;

impl Graph {
    /// Compiles a closed graph, to be evaluated pass by pass at a chosen precision and effort.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn evaluation(&self) -> Result<Evaluation, SmoothError> {
        Ok(Evaluation::alone(Closed::of(std::slice::from_ref(self))?))
    }

    /// Returns the real number that a closed graph denotes.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn real(&self) -> Result<Real<Evaluation>, SmoothError> {
        Ok(Real::new(self.evaluation()?))
    }
}

impl Guard {
    /// Decides a closed guard: the sign of its number, undecided on the boundary.
    ///
    /// # Errors
    /// Errors of [`Graph::real`] and of the evaluation.
    pub fn decide(&self, budget: &Budget) -> Result<Comparison, SmoothError> {
        self.number().real()?.sign(budget)
    }
}
