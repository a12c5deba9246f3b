//! Mutants: the presheaf model with one rule replaced, to test that laws can refute.
//!
//! A mutant claims to enclose, as the model does, so that a law may refute it. A law that does not refute it survives
//! or is vacuous in it. Mutants are no semantics to evaluate programs with: [`all`](crate::meaning::all) does not list
//! them.
//!
//! ```
//! use smoothish_laws::wrong::named;
//! use smoothish_laws::model::answer::Meaning;
//! assert!(named("exp_derivative").unwrap().encloses());
//! assert!(named("presheaf").is_none());
//! ```

use super::Mutation;
use super::language::Elements;
use crate::meaning::presheaf::{self, Enclosed, Found, Interpreter};
use crate::model::answer::{Answer, Decision, Meaning, MeaningError};
use crate::model::universe::Evaluator;
use crate::number::Accuracy;
use crate::number::budget::Budget;
use crate::number::real::{self, Real};
use crate::presheaf::condition::Condition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Site};
use crate::smooth::hooks::Replaced;
use crate::smooth::question::Component;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{Change, Value};
use std::convert::Infallible;
use std::sync::Arc;

/// A mutant of the presheaf model. For a rule of the macro, the model itself is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant(pub Mutation);

impl Meaning for Mutant {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn about(&self) -> &'static str {
        self.0.instead()
    }
    fn encloses(&self) -> bool {
        true
    }
    fn answer_to(&self, term: &Term, _: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        if self.0 != Mutation::Bottom {
            let model = Evaluator::new(Elements::new(budget.clone(), self.0));
            // an element may nest deeply; it is measured before it is walked
            let element = presheaf::element_of(&model, term)?;
            element.measure()?;
            let mut asking = Asking { mutation: self.0, to, budget, sites: Vec::new() };
            let value = element.told(&mut asking).map_err(|error| MeaningError::Evaluation { error, place: None })?;
            // one assumption per place, however many numbers rest on it
            asking.sites.sort_unstable();
            asking.sites.dedup();
            let assumed = asking.sites.iter().filter_map(|site| model.0.place(Site(*site))).collect();
            return Ok(Found { value, assumed, undefined: None, remarks: Vec::new() }.answer());
        }
        let element = Interpreter::new(budget.clone()).interpret(term)?;
        element.measure()?;
        let Ok(value) = element.told(&mut Silence);
        // no natural number, truth value, constructor or length can stand for "unknown"
        if is_discrete(&value) {
            return Err(MeaningError::other("⊥"));
        }
        Ok(Found { value, assumed: Vec::new(), undefined: None, remarks: Vec::new() }.answer())
    }
}

/// The evaluator of the numbers of an answer, under the mutation. The reason of an undefined number says nothing about
/// the program, so it is not computed.
struct Asking<'a> {
    /// The mutation.
    mutation: Mutation,
    /// The accuracy asked for.
    to: &'a Accuracy,
    /// The budget of the answer.
    budget: &'a Budget,
    /// The sites of the assumptions that the answer rests on.
    sites: Vec<u32>,
}

impl Asking<'_> {
    /// Compiles a number under the mutation.
    fn number(&self, graph: &Graph) -> Result<Real<Component<Replaced<Mutation>>>, SmoothError> {
        Ok(Real::new(Replaced::of(graph, self.mutation)?))
    }
}

impl Change<Graph, Box<real::Refined>> for Asking<'_> {
    type Error = SmoothError;
    fn real(&mut self, graph: &Graph) -> Result<Box<real::Refined>, SmoothError> {
        // compiling a graph takes time as well, so it is skipped once the budget is spent
        let answer = match self.budget.is_exhausted() {
            true => real::Refined::unknown(),
            false => self.number(graph)?.enclose_to(self.to, self.budget)?,
        };
        self.sites.extend(&answer.assumed);
        Ok(Box::new(answer))
    }
    fn truth(&mut self, condition: &Condition) -> Result<Decision, SmoothError> {
        // guards are decided by mutated numbers too, so that a mutant stays consistent
        presheaf::decision(condition, |guard| {
            let comparison = self.number(guard)?.sign(self.budget)?;
            self.sites.extend(&comparison.answer.assumed);
            Ok(comparison.sign)
        })
    }
}

/// The evaluator that knows nothing of any number.
struct Silence;

impl Change<Graph, Box<real::Refined>> for Silence {
    type Error = Infallible;
    fn real(&mut self, _: &Graph) -> Result<Box<real::Refined>, Infallible> {
        // not exhausted: ⊥ is the final answer of this mutant, and more work changes nothing
        Ok(Box::new(real::Refined { exhausted: false, ..real::Refined::unknown() }))
    }
    fn truth(&mut self, _: &Condition) -> Result<Decision, Infallible> {
        Ok(Decision::Border("⊥".into()))
    }
}

/// Returns `true` if the value has parts that are not numbers.
fn is_discrete(value: &Enclosed) -> bool {
    match value {
        Value::Natural(_) | Value::Boolean(_) | Value::Variant(..) | Value::List(_) => true,
        Value::Tuple(parts) => parts.iter().any(is_discrete),
        _ => false,
    }
}

/// Returns all mutants, including the one that always answers ⊥.
#[must_use]
pub fn mutants() -> Vec<Mutant> {
    Mutation::all().into_iter().map(Mutant).collect()
}

/// Returns the mutant `name`. Returns `None` if there is no such mutant.
#[must_use]
pub fn named(name: &str) -> Option<Mutant> {
    Mutation::named(name).map(Mutant)
}
