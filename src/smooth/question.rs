//! A closed graph as a real number that can be asked.

use crate::number::budget::Budget;
use crate::number::comparison::Comparison;
use crate::number::context::Context;
use crate::number::double::Double;
use crate::number::effort::Effort;
use crate::number::enclosure::Enclosure;
use crate::number::magnitude::Magnitude;
use crate::number::mpfr::Mpfr;
use crate::number::real::{Approximation, Real, Tier};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Guard};
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::{Constant, Program};
use crate::smooth::rules::{Rulebook, Rules};
use crate::smooth::spine::{Ledger, Spine};
use crate::smooth::witness::{Tie, Undefined, Witness};
use std::sync::Arc;

/// The value of a closed graph, run at any precision.
#[derive(Debug)]
pub struct Evaluation {
    program: Program,
    ledger: Ledger,
    rules: Option<Arc<dyn Rulebook>>,
}

impl Evaluation {
    /// The number computed by other rules.
    #[must_use]
    pub fn under(self, rules: Option<Arc<dyn Rulebook>>) -> Self {
        Self { rules, ..self }
    }

    fn run<C: Context>(
        &self,
        context: &C,
        effort: &Effort,
        rules: Option<&dyn Rules<C>>,
    ) -> Result<Enclosure, SmoothError> {
        let real = Algebra::real();
        let value = |machine: &Machine<C>| -> Result<Enclosure, SmoothError> {
            let root = &self.program.root;
            let value = machine.run(root, &real, &[], &[], &mut Branches::default(), Target::Outputs)?;
            let value = machine.jets(&real).value(&value[0]);
            Ok(if context.is_defined(&value) { context.to_enclosure(&value) } else { Enclosure::bottom() })
        };
        let replay = |machine: &Machine<C>| value(machine).map(|found| effort.tell(&found));
        let spine = Spine::new(&self.ledger, &replay);
        let machine = Machine::new(context, effort, &real, &self.program);
        // what a solver offers in the meantime is found by the rules of the library
        value(&if rules.is_some() { machine.under(rules) } else { machine.along(&spine) })
    }
}

impl Evaluation {
    /// The places that an optimum of the program does not tell apart, by one more pass; nothing where that finds none within the
    /// budget.
    #[must_use]
    pub fn tie(&self, budget: &Budget) -> Option<Tie> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(FINE_DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.program).seen_by(&witness);
        machine.run(&self.program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_tie().filter(|_| !budget.is_exhausted())
    }

    /// Why the number is not shown to be defined, by one more pass; nothing where that does not find it within the budget.
    #[must_use]
    pub fn undefined(&self, budget: &Budget) -> Option<Undefined> {
        let (witness, real) = (Witness::default(), Algebra::real());
        let (context, effort) = (Mpfr::new(DIAGNOSIS_BITS), Effort::new(Magnitude::power_of_two(DIAGNOSIS), budget));
        let machine = Machine::new(&context, &effort, &real, &self.program).seen_by(&witness);
        machine.run(&self.program.root, &real, &[], &[], &mut Branches::default(), Target::Outputs).ok()?;
        witness.into_found().filter(|_| !budget.is_exhausted())
    }
}

/// The precision of the pass that looks for what is undefined…
const DIAGNOSIS_BITS: u32 = 128;
/// …and its tolerance, as a power of two: what is found has to be found by solvers that have done some work.
const DIAGNOSIS: i64 = -8;
/// What is not told apart to 2 to this power ties, as far as it is told.
const FINE_DIAGNOSIS: i64 = -40;

impl Approximation for Evaluation {
    type Error = SmoothError;

    fn approximate(&self, tier: Tier, effort: &Effort) -> Result<Enclosure, SmoothError> {
        let rules = self.rules.as_deref();
        match tier {
            Tier::Double => self.run(&Double, effort, rules.map(|rules| rules as _)),
            Tier::Mpfr(bits) => self.run(&Mpfr::new(bits), effort, rules.map(|rules| rules as _)),
        }
    }

    fn least_precision(&self) -> u32 {
        let size = |c: &Constant| match c {
            Constant::Rational(q) => q.numer().significant_bits(),
            Constant::Pi | Constant::Euler => 2,
        };
        self.program.constants.iter().map(size).max().unwrap_or(53)
    }
}

impl Graph {
    /// The value of a closed graph as something that can be run pass by pass, at a tier and with an effort of one's choice.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when the graph has free variables.
    pub fn evaluation(&self) -> Result<Evaluation, SmoothError> {
        let (program, unbound) = Program::of(&[], std::slice::from_ref(self));
        match unbound.len() {
            0 => Ok(Evaluation { program, ledger: Ledger::default(), rules: None }),
            found => Err(SmoothError::Dimension { expected: 0, found }),
        }
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
