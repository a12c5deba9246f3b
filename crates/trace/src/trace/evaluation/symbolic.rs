//! Symbolic evaluation, `φ | ρ ⊢ M ⇝ C` (A Figs. 4 and 5), with the value of C.
//!
//! A rule with the conclusion `let x = C in D` puts its first part on a list of bindings, and the loop goes on with D.
//! Each call gets a copy of the function body with new bound variables, so that all bound variables of a trace are
//! different.

use super::observer::Rule;
use super::{Evaluator, Guard, Unfolding};
use crate::trace::context::{Focus, focus};
use crate::trace::environment::{Environment, Functions};
use crate::trace::error::Obstacle;
use crate::trace::number::{Numbers, decide};
use crate::trace::renaming::Renaming;
use crate::trace::term::{Boolean, Site, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use crate::trace::typing::type_of_value;
use crate::trace::value::Value;

/// A trace C and its value V.
type Traced<R> = (Term, Value<R>);

impl<N: Numbers> Evaluator<'_, N> {
    /// Evaluates a term symbolically; the environment is restored afterwards. All bound variables of the term must be
    /// different.
    pub(super) fn trace(
        &self,
        functions: &Functions,
        outer: &mut Environment<N::Number>,
        term: &Term,
    ) -> Result<Traced<N::Number>, Obstacle> {
        let mark = outer.mark();
        let mut bindings = Vec::new();
        let found = self.deeper(|| self.trace_here(functions.clone(), outer, term.clone(), &mut bindings));
        outer.return_to(mark);
        let (last, value) = found?;
        let wrap = |body: Term, (x, ty, bound): (Variable, Ty, Term)| Term::bind(&x, ty, bound, body);
        Ok((bindings.into_iter().rev().fold(last, wrap), value))
    }

    /// Evaluates a term symbolically. Collects the outer `let`s of the trace in `bindings`, and returns what stands
    /// within.
    fn trace_here(
        &self,
        mut functions: Functions,
        outer: &mut Environment<N::Number>,
        mut term: Term,
        bindings: &mut Vec<(Variable, Ty, Term)>,
    ) -> Result<Traced<N::Number>, Obstacle> {
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated.
        let mut call = Site::NOWHERE;
        loop {
            self.step().map_err(|error| error.at(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus(&mut context, term) {
                // V ⇝ V
                Focus::Value(value) => {
                    self.tell(|observer| observer.applied(Rule::Value, &value, &context));
                    let closed = environment.close(self.numbers, &value)?;
                    return Ok((self.kept(value, &closed), closed));
                }
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let value = environment.close(self.numbers, &argument)?;
                    let holds = decide(self.numbers, predicate, &value).map_err(|e| e.at(site))?;
                    self.tell(|observer| {
                        let condition = Boolean::Predicate(predicate, argument);
                        let whole = TermKind::If(condition, then.clone(), otherwise.clone());
                        observer.applied(Rule::Predicate(holds), &whole.into(), &context);
                    });
                    // A guard is recorded once per decision, in the order of evaluation; the validity of the trace
                    // depends on all of them.
                    self.guards.borrow_mut().push(Guard { predicate, holds, site });
                    term = Term::from(TermKind::If(Boolean::Value(holds), then, otherwise)).at(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R] ⇝ let x : T_V = C in D
                self.tell(|observer| observer.entered(&context));
                let traced = self.trace(&functions, environment, &redex);
                let (trace, value) = traced.map_err(|error| error.at(redex.site()).at(call))?;
                let x = Variable::fresh(&"c".into());
                self.tell(|observer| {
                    observer.left();
                    observer.bound(&x, &trace);
                });
                if self.keeps.get() {
                    bindings.push((x.clone(), type_of_value(&value), trace));
                }
                environment.set(&x, value);
                term = Term::variable(&x);
                continue;
            }
            self.tell(|observer| observer.applied(Rule::of(&redex), &redex, &context));
            term = match redex.kind() {
                TermKind::Let(x, ty, value, body) => {
                    let closed = environment.close(self.numbers, value)?;
                    let kept = self.kept(value.clone(), &closed);
                    self.tell(|observer| observer.bound(x, &kept));
                    if self.keeps.get() {
                        bindings.push((x.clone(), ty.clone(), kept));
                    }
                    environment.set(x, closed);
                    body.clone()
                }
                TermKind::If(Boolean::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    self.hooks.traced(taken, other).clone()
                }
                TermKind::LetRec(definition, rest) => {
                    functions = self.closure(&functions, definition);
                    rest.clone()
                }
                // f(V) ⇝ let x : T = V in C
                TermKind::Call(f, argument) => {
                    call = redex.site();
                    let closed = environment.close(self.numbers, argument)?;
                    match self.unfold(&functions, f) {
                        Ok((inside, definition)) => {
                            let x = definition.parameter.renamed();
                            // The definition is shared by all calls, so each call renames its parameter and, in
                            // substitution, all binders of the body.
                            let body =
                                Renaming::substitute(&definition.body, &definition.parameter, Term::variable(&x));
                            let kept = self.kept(argument.clone(), &closed);
                            self.tell(|observer| observer.bound(&x, &kept));
                            if self.keeps.get() {
                                bindings.push((x.clone(), definition.domain.clone(), kept));
                            }
                            inner = Some(Environment::of(&x, closed));
                            functions = inside;
                            body
                        }
                        Err(Unfolding::Instead(term)) => term,
                        Err(Unfolding::Obstacle(obstacle)) => return Err(obstacle.at(redex.site())),
                    }
                }
                // W.rd_V(x : T. N) ⇝ W.R_V(x : T. C)
                TermKind::Reverse { cotangent, point, variable, ty, body } => {
                    let closed = environment.close(self.numbers, point)?;
                    let mark = environment.mark();
                    environment.set(variable, closed);
                    self.tell(|observer| observer.entered(&[]));
                    // The trace of the body is needed for its derivative, even if the trace of the program is not.
                    let keeps = self.keeps.replace(true);
                    let traced = self.trace(&functions, environment, body);
                    self.keeps.set(keeps);
                    self.tell(|observer| observer.left());
                    environment.return_to(mark);
                    // Differentiated after the environment is restored: x is bound by the derivative, and V has its
                    // value outside.
                    let reverse = self.differentiate(cotangent, point, variable, ty, &traced?.0)?;
                    let value = self.evaluate(&Functions::default(), environment, &reverse)?;
                    return Ok((reverse, value));
                }
                _ => {
                    let value = self.contract(environment, &redex)?;
                    return Ok((redex, value));
                }
            };
        }
    }

    /// Returns a value as the trace shows it: with its variables, unless a hook replaces it.
    fn kept(&self, value: Term, closed: &Value<N::Number>) -> Term {
        self.hooks.value(value, self.as_term(closed))
    }

    /// Returns a closed value as a term. `None` if its numbers are not rational.
    pub(super) fn as_term(&self, value: &Value<N::Number>) -> Option<Term> {
        Some(match value {
            Value::Real(r) => Term::number(self.numbers.exactly(r)?),
            Value::Unit => Term::unit(),
            Value::Pair(parts) => {
                let (left, right) = (self.as_term(&parts.0)?, self.as_term(&parts.1)?);
                Term::pair(type_of_value(&parts.0), type_of_value(&parts.1), left, right)
            }
        })
    }
}
