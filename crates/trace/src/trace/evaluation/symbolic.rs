//! Symbolic evaluation, `φ | ρ ⊢ M ⇝ C` (A Figs. 4 and 5), with the value of C.
//!
//! A rule with the conclusion `let x = C in D` puts its first part on a list of bindings, and the loop goes on with D.
//! Each call gets a copy of the function body with new bound variables, so that all bound variables of a trace are
//! different.

use super::observer::SymbolicRule;
use super::{DecidedComparison, TraceEvaluator, UnfoldingFailure};
use crate::trace::context::{Focus, focus_next};
use crate::trace::environment::{CoreEnvironment, FunctionEnvironment};
use crate::trace::error::TraceError;
use crate::trace::number::{NumberSystem, decide_predicate};
use crate::trace::renaming::Renaming;
use crate::trace::term::{BooleanTerm, CoreTerm, CoreTermKind, CoreVariable, SourceId};
use crate::trace::ty::CoreTy;
use crate::trace::typing::type_of_value;
use crate::trace::value::CoreValue;

/// A trace C and its value V.
type TraceAndValue<R> = (CoreTerm, CoreValue<R>);

impl<N: NumberSystem> TraceEvaluator<'_, N> {
    /// Evaluates a term symbolically; the environment is restored afterwards. All bound variables of the term must be
    /// different.
    pub(super) fn trace_term(
        &self,
        functions: &FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<TraceAndValue<N::Number>, TraceError> {
        let mark = outer.mark();
        let mut bindings = Vec::new();
        let found = self.run_nested(|| self.trace_here(functions.clone(), outer, term.clone(), &mut bindings));
        outer.restore_to(mark);
        let (last, value) = found?;
        let wrap =
            |body: CoreTerm, (x, ty, bound): (CoreVariable, CoreTy, CoreTerm)| CoreTerm::bind(&x, ty, bound, body);
        Ok((bindings.into_iter().rev().fold(last, wrap), value))
    }

    /// Evaluates a term symbolically. Collects the outer `let`s of the trace in `bindings`, and returns what stands
    /// within.
    fn trace_here(
        &self,
        mut functions: FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        mut term: CoreTerm,
        bindings: &mut Vec<(CoreVariable, CoreTy, CoreTerm)>,
    ) -> Result<TraceAndValue<N::Number>, TraceError> {
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated.
        let mut call = SourceId::NOWHERE;
        loop {
            self.count_step().map_err(|error| error.with_site(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus_next(&mut context, term) {
                // V ⇝ V
                Focus::Value(value) => {
                    self.notify_observer(|observer| observer.rule_applied(SymbolicRule::Value, &value, &context));
                    let closed = environment.close_value(self.numbers, &value)?;
                    return Ok((self.traced_value(value, &closed), closed));
                }
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let value = environment.close_value(self.numbers, &argument)?;
                    let holds = decide_predicate(self.numbers, predicate, &value).map_err(|e| e.with_site(site))?;
                    self.notify_observer(|observer| {
                        let condition = BooleanTerm::Predicate(predicate, argument);
                        let whole = CoreTermKind::If(condition, then.clone(), otherwise.clone());
                        observer.rule_applied(SymbolicRule::Predicate(holds), &whole.into(), &context);
                    });
                    // A guard is recorded once per decision, in the order of evaluation; the validity of the trace
                    // depends on all of them.
                    self.guards.borrow_mut().push(DecidedComparison { predicate, holds, site });
                    term = CoreTerm::from(CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise)).with_site(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R] ⇝ let x : T_V = C in D
                self.notify_observer(|observer| observer.evaluation_entered(&context));
                let traced = self.trace_term(&functions, environment, &redex);
                let (trace, value) = traced.map_err(|error| error.with_site(redex.site()).with_site(call))?;
                let x = CoreVariable::fresh(&"c".into());
                self.notify_observer(|observer| {
                    observer.evaluation_left();
                    observer.binding_added(&x, &trace);
                });
                if self.writes_traces.get() {
                    bindings.push((x.clone(), type_of_value(&value), trace));
                }
                environment.bind_value(&x, value);
                term = CoreTerm::variable(&x);
                continue;
            }
            self.notify_observer(|observer| observer.rule_applied(SymbolicRule::of_redex(&redex), &redex, &context));
            term = match redex.kind() {
                CoreTermKind::Let(x, ty, value, body) => {
                    let closed = environment.close_value(self.numbers, value)?;
                    let kept = self.traced_value(value.clone(), &closed);
                    self.notify_observer(|observer| observer.binding_added(x, &kept));
                    if self.writes_traces.get() {
                        bindings.push((x.clone(), ty.clone(), kept));
                    }
                    environment.bind_value(x, closed);
                    body.clone()
                }
                CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    self.hooks.traced_branch(taken, other).clone()
                }
                CoreTermKind::LetRec(definition, rest) => {
                    functions = self.add_closure(&functions, definition);
                    rest.clone()
                }
                // f(V) ⇝ let x : T = V in C
                CoreTermKind::Call(f, argument) => {
                    call = redex.site();
                    let closed = environment.close_value(self.numbers, argument)?;
                    match self.unfold_call(&functions, f) {
                        Ok((inside, definition)) => {
                            let x = definition.parameter.renamed();
                            // The definition is shared by all calls, so each call renames its parameter and, in
                            // substitution, all binders of the body.
                            let body =
                                Renaming::substitute(&definition.body, &definition.parameter, CoreTerm::variable(&x));
                            let kept = self.traced_value(argument.clone(), &closed);
                            self.notify_observer(|observer| observer.binding_added(&x, &kept));
                            if self.writes_traces.get() {
                                bindings.push((x.clone(), definition.domain.clone(), kept));
                            }
                            inner = Some(CoreEnvironment::of_variable(&x, closed));
                            functions = inside;
                            body
                        }
                        Err(UnfoldingFailure::Replaced(term)) => term,
                        Err(UnfoldingFailure::Error(obstacle)) => return Err(obstacle.with_site(redex.site())),
                    }
                }
                // W.rd_V(x : T. N) ⇝ W.R_V(x : T. C)
                CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                    let closed = environment.close_value(self.numbers, point)?;
                    let mark = environment.mark();
                    environment.bind_value(variable, closed);
                    self.notify_observer(|observer| observer.evaluation_entered(&[]));
                    // The trace of the body is needed for its derivative, even if the trace of the program is not.
                    let keeps = self.writes_traces.replace(true);
                    let traced = self.trace_term(&functions, environment, body);
                    self.writes_traces.set(keeps);
                    self.notify_observer(|observer| observer.evaluation_left());
                    environment.restore_to(mark);
                    // Differentiated after the environment is restored: x is bound by the derivative, and V has its
                    // value outside.
                    let reverse = self.differentiate(cotangent, point, variable, ty, &traced?.0)?;
                    let value = self.evaluate_term(&FunctionEnvironment::default(), environment, &reverse)?;
                    return Ok((reverse, value));
                }
                _ => {
                    let value = self.contract_redex(environment, &redex)?;
                    return Ok((redex, value));
                }
            };
        }
    }

    /// Returns a value as the trace shows it: with its variables, unless a hook replaces it.
    fn traced_value(&self, value: CoreTerm, closed: &CoreValue<N::Number>) -> CoreTerm {
        self.hooks.traced_value(value, self.as_term(closed))
    }

    /// Returns a closed value as a term. `None` if its numbers are not rational.
    pub(super) fn as_term(&self, value: &CoreValue<N::Number>) -> Option<CoreTerm> {
        Some(match value {
            CoreValue::Real(r) => CoreTerm::number(self.numbers.exact_rational(r)?),
            CoreValue::Unit => CoreTerm::unit(),
            CoreValue::Pair(parts) => {
                let (left, right) = (self.as_term(&parts.0)?, self.as_term(&parts.1)?);
                CoreTerm::pair(type_of_value(&parts.0), type_of_value(&parts.1), left, right)
            }
        })
    }
}
