//! Closed graphs as computable real numbers.

mod apart;
mod joint;
mod several;

pub use joint::{JointNumber, JointProgram, RunObserver};
pub use several::QueryBatch;

use crate::number::budget::Budget;
use crate::number::comparison::SignAnswer;
use crate::number::double::Double;
use crate::number::effort::PassOptions;
use crate::number::enclosure::Enclosure;
use crate::number::magnitude::Magnitude;
use crate::number::mpfr::Mpfr;
use crate::number::real::{Precision, RefinableReal};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Guard};
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::smooth::spine::AnytimeSolvers;
use crate::smooth::witness::{Diagnosis, NonuniqueMaximiser, UndefinedOperation};
use std::sync::Arc;

/// A program for the values of closed graphs, at any precision.
#[derive(Debug)]
pub struct ClosedProgram {
    pub(in crate::smooth) program: Arc<CompiledMap>,
}

/// The value of a closed graph, computed alone or together with others.
pub type GraphEvaluation = JointNumber<ClosedProgram>;

impl ClosedProgram {
    /// Compiles some graphs into one program.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if they have free variables.
    pub fn compile_graphs(graphs: &[Graph]) -> Result<Self, SmoothError> {
        let (program, unbound) = CompiledMap::compile_open(&[], graphs);
        match unbound.len() {
            0 => Ok(Self { program: Arc::new(program) }),
            found => Err(SmoothError::Dimension { expected: 0, found }),
        }
    }
}

/// Runs a program without inputs. Intermediate enclosures are passed to `followed`.
pub(in crate::smooth) fn run_program<C: HookedContext>(
    context: &C,
    program: &CompiledMap,
    effort: &PassOptions,
    followed: Option<RunObserver>,
) -> Result<Vec<Enclosure>, SmoothError> {
    let real = Algebra::real();
    let values = |machine: &JetEvaluator<C>| -> Result<Vec<Enclosure>, SmoothError> {
        let values =
            machine.eval_block(&program.root, &real, &[], &[], &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        let values: Vec<_> = values.iter().map(|jet| machine.jets(&real).value_of(jet)).collect();
        Ok(all_defined_or_bottom(context, &values))
    };
    let machine = JetEvaluator::new(context, effort, &real, program);
    let Some(followed) = followed else { return values(&machine) };
    // a replay of the spine computes all outputs again, with the enclosures of the solvers so far
    let replay = |machine: &JetEvaluator<C>| values(machine).map(|found| (followed.observe)(&found));
    values(&machine.with_anytime(&AnytimeSolvers::new(followed.results, &replay)))
}

impl JointProgram for ClosedProgram {
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        match tier {
            Precision::Double => run_program(&Double, &self.program, effort, Some(followed)),
            Precision::Mpfr(bits) => run_program(&Mpfr::new(bits), &self.program, effort, Some(followed)),
        }
    }

    fn output_count(&self) -> usize {
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
pub(in crate::smooth) fn all_defined_or_bottom<C: HookedContext>(context: &C, found: &[C::Num]) -> Vec<Enclosure> {
    let certain = |n: &C::Num| if context.is_defined(n) { context.to_enclosure(n) } else { Enclosure::bottom() };
    found.iter().map(certain).collect()
}

impl GraphEvaluation {
    /// Returns the candidates that an optimum of the program does not separate, by one more pass. Returns `None` if
    /// there is no such optimum, or the budget runs out.
    #[must_use]
    pub fn find_nonunique_maximiser(&self, budget: &Budget) -> Option<NonuniqueMaximiser> {
        let (witness, real) = (Diagnosis::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), PassOptions::new(Magnitude::power_of_two(MAXIMISER_TOLERANCE), budget));
        let machine =
            JetEvaluator::new(&context, &effort, &real, &self.joint_program().program).with_diagnosis(&witness);
        machine
            .eval_block(
                &self.joint_program().program.root,
                &real,
                &[],
                &[],
                &mut BranchDecisions::default(),
                EvalTarget::Outputs,
            )
            .ok()?;
        witness.into_nonunique_maximiser().filter(|_| !budget.is_exhausted())
    }

    /// Diagnoses why the number is not certainly defined, by one more pass. Returns `None` if there is no diagnosis
    /// within the budget.
    #[must_use]
    pub fn diagnose_undefined(&self, budget: &Budget) -> Option<UndefinedOperation> {
        let (witness, real) = (Diagnosis::default(), Algebra::real());
        let (context, effort) =
            (Mpfr::new(DIAGNOSIS_BITS), PassOptions::new(Magnitude::power_of_two(DIAGNOSIS_TOLERANCE), budget));
        let machine =
            JetEvaluator::new(&context, &effort, &real, &self.joint_program().program).with_diagnosis(&witness);
        machine
            .eval_block(
                &self.joint_program().program.root,
                &real,
                &[],
                &[],
                &mut BranchDecisions::default(),
                EvalTarget::Outputs,
            )
            .ok()?;
        witness.into_found().filter(|_| !budget.is_exhausted())
    }
}

/// The precision of a diagnosis, in bits. A choice, as the two tolerances: …
const DIAGNOSIS_BITS: u32 = 128;
/// … 2^-8 for an undefined number, so that the solvers that are to blame do some work.
const DIAGNOSIS_TOLERANCE: i64 = -8;
/// … 2^-40 for the candidates of an optimum: those closer together count as tied.
const MAXIMISER_TOLERANCE: i64 = -40;

impl Graph {
    /// Compiles a closed graph, to be evaluated pass by pass at a chosen precision and effort.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn compile_evaluation(&self) -> Result<GraphEvaluation, SmoothError> {
        Ok(GraphEvaluation::first_of(ClosedProgram::compile_graphs(std::slice::from_ref(self))?))
    }

    /// Returns the real number that a closed graph denotes.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn to_real(&self) -> Result<RefinableReal<GraphEvaluation>, SmoothError> {
        Ok(RefinableReal::new(self.compile_evaluation()?))
    }
}

impl Guard {
    /// Decides a closed guard: the sign of its number, undecided on the boundary.
    ///
    /// # Errors
    /// Errors of [`Graph::to_real`] and of the evaluation.
    pub fn decide(&self, budget: &Budget) -> Result<SignAnswer, SmoothError> {
        self.number().to_real()?.decide_sign(budget)
    }
}
