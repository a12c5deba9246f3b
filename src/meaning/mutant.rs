//! Mutants: the presheaf model with one rule replaced, to show that laws bite.
//!
//! A mutant claims to enclose, as the model does, so a law may refute it, and every law that it does not refute it
//! survives or leaves vacuous. The [list of rules](crate::mutation) says what is replaced. Mutants are no meanings to ask
//! for an answer: [`all`](super::all) does not list them.
//!
//! ```
//! use smoothish::meaning::mutant;
//! use smoothish::model::answer::Meaning;
//! assert!(mutant::named("exp_derivative").unwrap().encloses());
//! assert!(mutant::named("presheaf").is_none());
//! ```

use super::presheaf::{Enclosed, Interpreter};
use crate::model::answer::{Answer, Meaning, MeaningError};
use crate::mutation::Mutation;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::Arc;

/// The presheaf model with one rule replaced.
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
    fn answer(&self, term: &Term, _: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        let interpreter = Interpreter::with_mutation(budget.clone(), Some(self.0));
        let found = interpreter.enclose(term, eps, budget)?;
        // no natural number, truth value, constructor or length stands for "unknown"
        if self.0 == Mutation::Bottom && is_discrete(&found.value) {
            return Err(MeaningError::other("⊥"));
        }
        Ok(found.answer())
    }
}

/// Whether a value has parts that are not numbers.
fn is_discrete(value: &Enclosed) -> bool {
    match value {
        Value::Natural(_) | Value::Boolean(_) | Value::Variant(..) | Value::List(_) => true,
        Value::Tuple(parts) => parts.iter().any(is_discrete),
        _ => false,
    }
}

/// All mutants, the one that always answers ⊥ among them.
#[must_use]
pub fn mutants() -> Vec<Mutant> {
    Mutation::all().into_iter().map(Mutant).collect()
}

/// The mutant of a name.
#[must_use]
pub fn named(name: &str) -> Option<Mutant> {
    Mutation::named(name).map(Mutant)
}
