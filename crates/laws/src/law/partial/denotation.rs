//! ⟦M⟧: the denotation of a core term as a partial map, in any arithmetic.
//!
//! The term is printed in the library's language and evaluated by the denotational semantics there. Independent of the
//! evaluators in [`trace`](crate::trace).

use crate::law::trace::RunOutcome;
use crate::meaning::partial::hooks::PartialHooks;
use crate::meaning::partial::{JetElement, PartialUniverse, PartialValue};
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::smooth::jet::Jet;
use crate::trace::printer::to_language_program;
use crate::trace::term::{CoreTerm, CoreVariable};
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;
use crate::value::{self, ValueError};
use std::sync::Arc;

/// The work units of one run. A choice.
const WORK: u64 = 400_000;

/// A denotational semantics for core terms, with its parameters.
#[derive(Clone, Debug)]
pub struct TermDenotation<C> {
    /// The arithmetic.
    pub context: C,
    /// The clauses of the semantics, which mutants replace.
    pub rules: Arc<dyn PartialHooks>,
    /// The number of unfoldings of recursive functions. `None` if it is not limited.
    pub unfoldings: Option<u64>,
}

impl<C: Context> TermDenotation<C> {
    /// Returns ⟦x : T ⊢ M⟧ at a value of x.
    pub fn denote_at(
        &self,
        (x, ty): (&CoreVariable, &CoreTy),
        term: &CoreTerm,
        point: &CoreValue<C::Num>,
    ) -> RunOutcome<CoreValue<C::Num>> {
        let function = to_language_program(&[(x.clone(), ty.clone())], term);
        let universe = PartialUniverse::new(self.context.clone(), Arc::new(Budget::new(WORK, None, None)));
        let model = EvaluatorModel::new(universe.with_unfolding_limit(self.unfoldings).with_hooks(self.rules.clone()));
        let found = model
            .evaluate_closed(&function)
            .and_then(|function: PartialValue<C>| Ok(function.as_function()?.apply(&from_core_value::<C>(point))?));
        match found {
            Ok(found) => self.to_core_value(&found).map_or(RunOutcome::Undefined, RunOutcome::Defined),
            Err(SemanticsError::Run(ValueError::Undefined(undefined))) if !undefined.certain => RunOutcome::Unknown,
            // any other failure, such as a value of a wrong kind, counts as undefined and so differs from every value
            Err(SemanticsError::Run(_)) => RunOutcome::Undefined,
            Err(_) => RunOutcome::Unknown,
        }
    }

    /// Converts a value of the denotational semantics. Returns `None` if the core language has no such value.
    fn to_core_value(&self, found: &PartialValue<C>) -> Option<CoreValue<C::Num>> {
        Some(match found {
            value::Value::Real(x) => CoreValue::Real(x.value_in(&self.context)),
            value::Value::Unit => CoreValue::Unit,
            value::Value::Tuple(parts) => match &**parts {
                [left, right] => CoreValue::pair(self.to_core_value(left)?, self.to_core_value(right)?),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// Converts a value of the core language for the denotational semantics.
fn from_core_value<C: Context>(point: &CoreValue<C::Num>) -> PartialValue<C> {
    match point {
        CoreValue::Real(x) => value::Value::Real(JetElement::new(Jet::constant(x.clone()))),
        CoreValue::Unit => value::Value::Unit,
        CoreValue::Pair(parts) => {
            value::Value::tuple_of([from_core_value::<C>(&parts.0), from_core_value::<C>(&parts.1)])
        }
    }
}
