//! Ordinary evaluation, `φ | ρ ⊢ M ⇒ V` (A Figs. 2 and 3).
//!
//! If the value of the last premise of a rule is that of its conclusion, the loop goes on with that premise. So a call
//! in tail position takes no stack. Every other premise is a nested evaluation.

use super::{Evaluator, Unfolding};
use crate::trace::context::{Focus, focus};
use crate::trace::environment::{Environment, Functions};
use crate::trace::error::Obstacle;
use crate::trace::number::{Numbers, decide};
use crate::trace::term::{Boolean, Site, Term, TermKind, Variable};
use crate::trace::value::Value;

impl<N: Numbers> Evaluator<'_, N> {
    /// Evaluates a term; the environment is restored afterwards.
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

    /// Evaluates a term by repeated decomposition, and leaves its bindings in the environment.
    fn evaluate_here(
        &self,
        mut functions: Functions,
        outer: &mut Environment<N::Number>,
        mut term: Term,
    ) -> Result<Value<N::Number>, Obstacle> {
        // The environment of a function body, once a function was called.
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated; errors without a position of their own get it.
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
                // E[R]: the redex is evaluated on its own, and a new variable takes its place in the context.
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
                // Symbolic evaluation renames the redex apart, as it needs, and returns the value with the trace.
                TermKind::Reverse { .. } => {
                    return self.symbolic(&functions, environment, &redex).map(|(_, value)| value);
                }
                _ => return self.contract(environment, &redex),
            };
        }
    }
}
