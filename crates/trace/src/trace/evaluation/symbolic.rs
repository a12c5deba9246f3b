//! Symbolic evaluation, `φ | ρ ⊢ M ⇝ C` (A Figs. 4 and 5), with the value of C.
//!
//! Where a rule has `let x = C in D` for its conclusion, the first part is put aside and D is what the loop goes on with. A
//! function body is given bound variables of its own each time it is entered, so that all those of a trace are different.

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

/// C and V
type Traced<R> = (Term, Value<R>);

impl<N: Numbers> Evaluator<'_, N> {
    /// The relation, in an environment that is afterwards as it was. All bound variables of the term are different.
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

    fn trace_here(
        &self,
        mut functions: Functions,
        outer: &mut Environment<N::Number>,
        mut term: Term,
        bindings: &mut Vec<(Variable, Ty, Term)>,
    ) -> Result<Traced<N::Number>, Obstacle> {
        let mut inner = None;
        let mut context = Vec::new();
        // the call in whose body it goes on
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
                    // it is differentiated
                    let keeps = self.keeps.replace(true);
                    let traced = self.trace(&functions, environment, body);
                    self.keeps.set(keeps);
                    self.tell(|observer| observer.left());
                    environment.return_to(mark);
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

    /// A value as it stands in a trace: with its variables.
    fn kept(&self, value: Term, closed: &Value<N::Number>) -> Term {
        self.hooks.value(value, self.as_term(closed))
    }

    /// A closed value as a term, where its numbers are rational.
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
