//! ⟦M⟧: a term of the core language as a partial map, over any arithmetic.
//!
//! The term is written in the library's language, and evaluated by its denotational meaning; nothing of what runs it in
//! [`trace`](crate::trace) is used.

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

/// The work of one run.
const WORK: u64 = 400_000;

/// How terms are evaluated.
#[derive(Clone, Debug)]
pub struct Denotation<C> {
    /// By which arithmetic.
    pub context: C,
    /// By which clauses.
    pub rules: Arc<dyn Hooks>,
    /// How often recursive functions are unfolded, where that is limited.
    pub unfoldings: Option<u64>,
}

impl<C: Context> Denotation<C> {
    /// ⟦x : T ⊢ M⟧ at a value of x.
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
            // that there is a value of another kind is a failure as well, and differs from any value
            Err(MeaningError::Run(_)) => Outcome::Undefined,
            Err(_) => Outcome::Unknown,
        }
    }

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

fn into<C: Context>(point: &Value<C::Num>) -> Values<C> {
    match point {
        Value::Real(x) => value::Value::Real(Element::new(Jet::constant(x.clone()))),
        Value::Unit => value::Value::Unit,
        Value::Pair(parts) => value::Value::tuple([into::<C>(&parts.0), into::<C>(&parts.1)]),
    }
}
