//! Ordinary evaluation, `φ | ρ ⊢ M ⇒ V` (A Figs. 2 and 3).
//!
//! A rule whose last premise has the value of its conclusion is a turn of the loop, so that a call in tail position takes
//! no stack. Every other premise is an evaluation within this one.

use super::{Evaluator, Unfolding};
use crate::trace::context::{Focus, focus};
use crate::trace::environment::{Environment, Functions};
use crate::trace::error::Obstacle;
use crate::trace::number::{Numbers, decide};
use crate::trace::term::{Boolean, Site, Term, TermKind, Variable};
use crate::trace::value::Value;

impl<N: Numbers> Evaluator<'_, N> {
    /// The relation, in an environment that is afterwards as it was.
    pub(super) fn evaluate(
        &self,
        functions: &Functions,
        outer: &mut Environment<N::Number>,
        term: &Term,
    ) -> Result<Value<N::Number>, Obstacle> {
        let mark = outer.mark();
        let found = self.deeper(|| self.evaluate_here(functions.clone(), outer, term.clone()));
        outer.return_to(mark);
        found
    }

    fn evaluate_here(
        &self,
        mut functions: Functions,
        outer: &mut Environment<N::Number>,
        mut term: Term,
    ) -> Result<Value<N::Number>, Obstacle> {
        // that of a function, once one was entered
        let mut inner = None;
        let mut context = Vec::new();
        // the call in whose body it goes on
        let mut call = Site::NOWHERE;
        loop {
            self.step().map_err(|error| error.at(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus(&mut context, term) {
                // V ⇒ ρ(V)
                Focus::Value(value) => return environment.close(self.numbers, &value),
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let argument = environment.close(self.numbers, &argument)?;
                    let holds = decide(self.numbers, predicate, &argument).map_err(|e| e.at(site))?;
                    term = Term::from(TermKind::If(Boolean::Value(holds), then, otherwise)).at(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R]
                let value =
                    self.evaluate(&functions, environment, &redex).map_err(|error| error.at(redex.site()).at(call))?;
                let x = Variable::fresh(&"c".into());
                environment.set(&x, value);
                term = Term::variable(&x);
                continue;
            }
            term = match redex.kind() {
                TermKind::Let(x, _, value, body) => {
                    let value = environment.close(self.numbers, value)?;
                    environment.set(x, value);
                    body.clone()
                }
                TermKind::If(Boolean::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    if let Some(other) = self.hooks.besides(other) {
                        self.evaluate(&functions, environment, other)?;
                    }
                    taken.clone()
                }
                TermKind::LetRec(definition, rest) => {
                    functions = self.closure(&functions, definition);
                    rest.clone()
                }
                TermKind::Call(f, argument) => {
                    call = redex.site();
                    let argument = environment.close(self.numbers, argument)?;
                    match self.unfold(&functions, f) {
                        Ok((inside, definition)) => {
                            inner = Some(Environment::of(&definition.parameter, argument));
                            functions = inside;
                            definition.body.clone()
                        }
                        Err(Unfolding::Instead(term)) => term,
                        Err(Unfolding::Obstacle(obstacle)) => return Err(obstacle.at(redex.site())),
                    }
                }
                // the trace is a term without variables of its own names, and its value is found with it
                TermKind::Reverse { .. } => {
                    return self.symbolic(&functions, environment, &redex).map(|(_, value)| value);
                }
                _ => return self.contract(environment, &redex),
            };
        }
    }
}
