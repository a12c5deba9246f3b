//! Mutants: the presheaf model with one rule replaced, to test that laws can refute.
//!
//! A mutant claims to enclose, as the model does, so that a law may refute it. A law that does not refute it survives
//! or is vacuous in it. Mutants are no semantics to evaluate programs with: [`all`](crate::meaning::all) does not list
//! them.
//!
//! ```
//! use smoothish_laws::wrong::named;
//! use smoothish_laws::model::answer::Semantics;
//! assert!(named("exp_derivative").unwrap().is_certified());
//! assert!(named("presheaf").is_none());
//! ```

use super::Mutation;
use super::language::MutantElements;
use crate::meaning::presheaf;
use crate::meaning::presheaf::{EnclosedAnswer, EnclosedValue, PresheafInterpreter};
use crate::model::answer::{AnswerTruth, ProgramAnswer, Semantics, SemanticsError};
use crate::model::universe::EvaluatorModel;
use crate::number::budget::Budget;
use crate::number::real::RefinableReal;
use crate::number::{Accuracy, real};
use crate::presheaf::dynamic::StageCondition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, SourceId};
use crate::smooth::hooks::HookedGraph;
use crate::smooth::question::JointNumber;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{TryMapReals, Value};
use std::convert::Infallible;
use std::sync::Arc;

/// A mutant of the presheaf model. For a rule of the macro, the model itself is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant(pub Mutation);

impl Semantics for Mutant {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn summary(&self) -> &'static str {
        self.0.instead()
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        if self.0 != Mutation::Bottom {
            let model = EvaluatorModel::new(MutantElements::new(budget.clone(), self.0));
            // an element may nest deeply; it is measured before it is walked
            let element = presheaf::interpret_element(&model, term)?;
            element.check_size()?;
            let mut asking = MutantEvaluator { mutation: self.0, to, budget, sites: Vec::new() };
            let value = element
                .try_map_reals(&mut asking)
                .map_err(|error| SemanticsError::Evaluation { error, place: None })?;
            // one assumption per place, however many numbers rest on it
            asking.sites.sort_unstable();
            asking.sites.dedup();
            let assumed = asking.sites.iter().filter_map(|site| model.0.operation_place(SourceId(*site))).collect();
            return Ok(EnclosedAnswer { value, promises: assumed, undefined: None, notes: Vec::new() }.into_answer());
        }
        let element = PresheafInterpreter::new(budget.clone()).interpret_program(term)?;
        element.check_size()?;
        let Ok(value) = element.try_map_reals(&mut BottomEvaluator);
        // no natural number, truth value, constructor or length can stand for "unknown"
        if is_discrete(&value) {
            return Err(SemanticsError::from_external("⊥"));
        }
        Ok(EnclosedAnswer { value, promises: Vec::new(), undefined: None, notes: Vec::new() }.into_answer())
    }
}

/// The evaluator of the numbers of an answer, under the mutation. The reason of an undefined number says nothing about
/// the program, so it is not computed.
struct MutantEvaluator<'a> {
    /// The mutation.
    mutation: Mutation,
    /// The accuracy asked for.
    to: &'a Accuracy,
    /// The budget of the answer.
    budget: &'a Budget,
    /// The sites of the assumptions that the answer rests on.
    sites: Vec<u32>,
}

impl MutantEvaluator<'_> {
    /// Compiles a number under the mutation.
    fn compile_number(&self, graph: &Graph) -> Result<RefinableReal<JointNumber<HookedGraph<Mutation>>>, SmoothError> {
        Ok(RefinableReal::new(HookedGraph::with_hooks(graph, self.mutation)?))
    }
}

impl TryMapReals<Graph, Box<real::RefinedEnclosure>> for MutantEvaluator<'_> {
    type Error = SmoothError;
    fn map_real(&mut self, graph: &Graph) -> Result<Box<real::RefinedEnclosure>, SmoothError> {
        // compiling a graph takes time as well, so it is skipped once the budget is spent
        let answer = match self.budget.is_exhausted() {
            true => real::RefinedEnclosure::unknown(),
            false => self.compile_number(graph)?.enclose_to(self.to, self.budget)?,
        };
        self.sites.extend(&answer.assumed);
        Ok(Box::new(answer))
    }
    fn map_truth(&mut self, condition: &StageCondition) -> Result<AnswerTruth, SmoothError> {
        // guards are decided by mutated numbers too, so that a mutant stays consistent
        presheaf::decide_condition(condition, |guard| {
            let comparison = self.compile_number(guard)?.decide_sign(self.budget)?;
            self.sites.extend(&comparison.answer.assumed);
            Ok(comparison.sign)
        })
    }
}

/// The evaluator that knows nothing of any number.
struct BottomEvaluator;

impl TryMapReals<Graph, Box<real::RefinedEnclosure>> for BottomEvaluator {
    type Error = Infallible;
    fn map_real(&mut self, _: &Graph) -> Result<Box<real::RefinedEnclosure>, Infallible> {
        // not exhausted: ⊥ is the final answer of this mutant, and more work changes nothing
        Ok(Box::new(real::RefinedEnclosure { exhausted: false, ..real::RefinedEnclosure::unknown() }))
    }
    fn map_truth(&mut self, _: &StageCondition) -> Result<AnswerTruth, Infallible> {
        Ok(AnswerTruth::Undecided("⊥".into()))
    }
}

/// Returns `true` if the value has parts that are not numbers.
fn is_discrete(value: &EnclosedValue) -> bool {
    match value {
        Value::Natural(_) | Value::Boolean(_) | Value::Variant(..) | Value::List(_) => true,
        Value::Tuple(parts) => parts.iter().any(is_discrete),
        _ => false,
    }
}

/// Returns all mutants, including the one that always answers ⊥.
#[must_use]
pub fn all_mutants() -> Vec<Mutant> {
    Mutation::all().into_iter().map(Mutant).collect()
}

/// Returns the mutant `name`. Returns `None` if there is no such mutant.
#[must_use]
pub fn named(name: &str) -> Option<Mutant> {
    Mutation::named(name).map(Mutant)
}
