//! ⟦M⟧: the denotation of a core term as a partial map, in any arithmetic.
//!
//! The term is printed in the library's language and evaluated by the denotational semantics there. Independent of the
//! evaluators in [`trace`](crate::trace).

use crate::law::trace::Outcome;
use crate::meaning::partial::hooks::Hooks;
use crate::meaning::partial::{Element, Partial, Values};
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::smooth::jet::Jet;
use crate::trace::printer::in_language;
use crate::trace::term::{Term, Variable};
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use crate::value::{self, ValueError};
use std::sync::Arc;

/// The work units of one run. A choice.
const WORK: u64 = 400_000;

/// A denotational semantics for core terms, with its parameters.
#[derive(Clone, Debug)]
pub struct Denotation<C> {
    /// The arithmetic.
    pub context: C,
    /// The clauses of the semantics, which mutants replace.
    pub rules: Arc<dyn Hooks>,
    /// The number of unfoldings of recursive functions. `None` if it is not limited.
    pub unfoldings: Option<u64>,
}

impl<C: Context> Denotation<C> {
    /// Returns ⟦x : T ⊢ M⟧ at a value of x.
    pub fn at(&self, (x, ty): (&Variable, &Ty), term: &Term, point: &Value<C::Num>) -> Outcome<Value<C::Num>> {
        let function = in_language(&[(x.clone(), ty.clone())], term);
        let universe = Partial::new(self.context.clone(), Arc::new(Budget::new(WORK, None, None)));
        let model = Evaluator::new(universe.limited(self.unfoldings).under(self.rules.clone()));
        let found = model
            .value(&function)
            .and_then(|function: Values<C>| Ok(function.as_function()?.apply(&into::<C>(point))?));
        match found {
            Ok(found) => self.from(&found).map_or(Outcome::Undefined, Outcome::Defined),
            Err(MeaningError::Run(ValueError::Undefined(undefined))) if !undefined.certain => Outcome::Unknown,
            // any other failure, such as a value of a wrong kind, counts as undefined and so differs from every value
            Err(MeaningError::Run(_)) => Outcome::Undefined,
            Err(_) => Outcome::Unknown,
        }
    }

    /// Converts a value of the denotational semantics. Returns `None` if the core language has no such value.
    fn from(&self, found: &Values<C>) -> Option<Value<C::Num>> {
        Some(match found {
            value::Value::Real(x) => Value::Real(x.value(&self.context)),
            value::Value::Unit => Value::Unit,
            value::Value::Tuple(parts) => match &**parts {
                [left, right] => Value::pair(self.from(left)?, self.from(right)?),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Converts a value of the core language for the denotational semantics.
fn into<C: Context>(point: &Value<C::Num>) -> Values<C> {
    match point {
        Value::Real(x) => value::Value::Real(Element::new(Jet::constant(x.clone()))),
        Value::Unit => value::Value::Unit,
        Value::Pair(parts) => value::Value::tuple([into::<C>(&parts.0), into::<C>(&parts.1)]),
    }
}
