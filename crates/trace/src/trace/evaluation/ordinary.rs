//! Ordinary evaluation, `φ | ρ ⊢ M ⇒ V` (A Figs. 2 and 3).
//!
//! If the value of the last premise of a rule is that of its conclusion, the loop goes on with that premise. So a call
//! in tail position takes no stack. Every other premise is a nested evaluation.

use super::{TraceEvaluator, UnfoldingFailure};
use crate::trace::context::{Focus, focus_next};
use crate::trace::environment::{CoreEnvironment, FunctionEnvironment};
use crate::trace::error::TraceError;
use crate::trace::number::{NumberSystem, decide_predicate};
use crate::trace::term::{BooleanTerm, CoreTerm, CoreTermKind, CoreVariable, SourceId};
use crate::trace::value::CoreValue;

impl<N: NumberSystem> TraceEvaluator<'_, N> {
    /// Evaluates a term; the environment is restored afterwards.
    pub(super) fn evaluate_term(
        &self,
        functions: &FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        let mark = outer.mark();
        let found = self.run_nested(|| self.evaluate_here(functions.clone(), outer, term.clone()));
        outer.restore_to(mark);
        found
    }

    /// Evaluates a term by repeated decomposition, and leaves its bindings in the environment.
    fn evaluate_here(
        &self,
        mut functions: FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        mut term: CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        // The environment of a function body, once a function was called.
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated; errors without a position of their own get it.
        let mut call = SourceId::NOWHERE;
        loop {
            self.count_step().map_err(|error| error.with_site(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus_next(&mut context, term) {
                // V ⇒ ρ(V)
                Focus::Value(value) => return environment.close_value(self.numbers, &value),
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let argument = environment.close_value(self.numbers, &argument)?;
                    let holds = decide_predicate(self.numbers, predicate, &argument).map_err(|e| e.with_site(site))?;
                    term = CoreTerm::from(CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise)).with_site(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R]: the redex is evaluated on its own, and a new variable takes its place in the context.
                let value = self
                    .evaluate_term(&functions, environment, &redex)
                    .map_err(|error| error.with_site(redex.site()).with_site(call))?;
                let x = CoreVariable::fresh(&"c".into());
                environment.bind_value(&x, value);
                term = CoreTerm::variable(&x);
                continue;
            }
            term = match redex.kind() {
                CoreTermKind::Let(x, _, value, body) => {
                    let value = environment.close_value(self.numbers, value)?;
                    environment.bind_value(x, value);
                    body.clone()
                }
                CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    if let Some(other) = self.hooks.also_evaluated(other) {
                        self.evaluate_term(&functions, environment, other)?;
                    }
                    taken.clone()
                }
                CoreTermKind::LetRec(definition, rest) => {
                    functions = self.add_closure(&functions, definition);
                    rest.clone()
                }
                CoreTermKind::Call(f, argument) => {
                    call = redex.site();
                    let argument = environment.close_value(self.numbers, argument)?;
                    match self.unfold_call(&functions, f) {
                        Ok((inside, definition)) => {
                            inner = Some(CoreEnvironment::of_variable(&definition.parameter, argument));
                            functions = inside;
                            definition.body.clone()
                        }
                        Err(UnfoldingFailure::Replaced(term)) => term,
                        Err(UnfoldingFailure::Error(obstacle)) => return Err(obstacle.with_site(redex.site())),
                    }
                }
                // Symbolic evaluation renames the redex apart, as it needs, and returns the value with the trace.
                CoreTermKind::Reverse { .. } => {
                    return self.evaluate_symbolic(&functions, environment, &redex).map(|(_, value)| value);
                }
                _ => return self.contract_redex(environment, &redex),
            };
        }
    }
}
