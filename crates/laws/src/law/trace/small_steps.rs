//! Ordinary evaluation by small steps, as an oracle for the big steps of the library: `E[R]` becomes `E[R′]`, on closed
//! terms.
//!
//! There are no environments. Values are substituted for variables, functions keep their definitions under names of
//! their own, and the term is decomposed anew at each step. Independent of [`Evaluator`] and of its
//! [rules](crate::trace::hooks), but for operations on numbers and for derivatives.

use super::{NUMBERS, Outcome, STEPS};
use crate::number::Rational;
use crate::trace::context::{Focus, decompose, plug};
use crate::trace::environment::{Environment, Functions};
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::evaluation::Evaluator;
use crate::trace::number::{Numbers, evaluate};
use crate::trace::operation::Predicate;
use crate::trace::renaming::Renaming;
use crate::trace::term::{Boolean, Definition, Term, TermKind, Variable};
use crate::trace::typing::type_of_value;
use crate::trace::value::Value;
use crate::value::Cause;
use std::cmp::Ordering;
use std::sync::Arc;

/// The greatest number of steps. A choice.
const MOST: usize = 4_000;

/// Evaluates a program at a value of its variable. Its functions have different names and no limits.
pub(super) fn value(term: &Term, x: &Variable, point: &Value<Rational>) -> Outcome<Value<Rational>> {
    let mut run = Run { definitions: Vec::new() };
    let mut term = Renaming::substitute(term, x, written(point));
    for _ in 0..MOST {
        let (context, focus) = decompose(&term);
        let stepped = match focus {
            Focus::Value(value) => return Outcome::of(closed(&value)),
            Focus::Redex(redex) => run.contract(&redex).map(|next| plug(&context, next)),
            Focus::Boolean { predicate, argument, then, otherwise, .. } => decided(predicate, &argument).map(|holds| {
                let choice = Term::from(TermKind::If(Boolean::Value(holds), then, otherwise));
                plug(&context, choice)
            }),
        };
        match stepped {
            Ok(next) => term = next,
            Err(obstacle) => return Outcome::of(Err(obstacle)),
        }
    }
    Outcome::Unknown
}

/// The state of a small-step run.
struct Run {
    /// The definitions met so far, outer ones first.
    definitions: Vec<Arc<Definition>>,
}

impl Run {
    /// Contracts the redex R to R′.
    fn contract(&mut self, redex: &Term) -> Result<Term, Obstacle> {
        Ok(match redex.kind() {
            TermKind::Add(left, right) => match (closed(left)?, closed(right)?) {
                (Value::Real(r), Value::Real(s)) => Term::number(NUMBERS.add(&r, &s)),
                _ => return stuck("+"),
            },
            TermKind::Operation(operation, argument) => written(&evaluate(&NUMBERS, operation, &closed(argument)?)?),
            TermKind::Let(x, _, value, body) => Renaming::substitute(body, x, value.clone()),
            TermKind::First(_, _, pair) | TermKind::Second(_, _, pair) => match pair.kind() {
                TermKind::Pair(_, _, left, _) if matches!(redex.kind(), TermKind::First(..)) => left.clone(),
                TermKind::Pair(_, _, _, right) => right.clone(),
                _ => return stuck("a projection"),
            },
            TermKind::If(Boolean::Value(holds), then, otherwise) => if *holds { then } else { otherwise }.clone(),
            TermKind::LetRec(definition, rest) => {
                // a recursive call meets its own definition again, which is kept once
                if self.definition(&definition.function).is_none() {
                    self.definitions.push(definition.clone());
                }
                rest.clone()
            }
            TermKind::Call(f, argument) => match self.definition(f) {
                Some(definition) => Renaming::substitute(&definition.body, &definition.parameter, argument.clone()),
                None => return stuck("a function variable"),
            },
            TermKind::Reverse { .. } => {
                // derivatives are evaluated by the library: small steps are an oracle for ordinary evaluation only
                let around = |term, definition: &Arc<Definition>| TermKind::LetRec(definition.clone(), term).into();
                let whole = self.definitions.iter().rev().fold(redex.clone(), around);
                let evaluator = Evaluator::new(&NUMBERS).within(STEPS);
                written(&evaluator.ordinary(&Functions::default(), &Environment::default(), &whole)?)
            }
            _ => return stuck("a redex"),
        })
    }

    /// Returns the definition of a function variable.
    fn definition(&self, f: &Variable) -> Option<&Arc<Definition>> {
        self.definitions.iter().find(|definition| definition.function == *f)
    }
}

/// Decides a predicate on a pair of numbers. Undefined if the numbers are equal (A §2).
fn decided(predicate: Predicate, argument: &Term) -> Result<bool, Obstacle> {
    match &closed(argument)? {
        Value::Pair(parts) => match (&parts.0, &parts.1) {
            (Value::Real(a), Value::Real(b)) => match a.cmp(b) {
                Ordering::Less => Ok(predicate == Predicate::Less),
                Ordering::Greater => Ok(predicate == Predicate::Greater),
                Ordering::Equal => Err(Undefined { certain: true, ..Undefined::of(Cause::Boundary, predicate) }.into()),
            },
            _ => stuck("a comparison"),
        },
        _ => stuck("a comparison"),
    }
}

/// Reads a closed value off a term.
fn closed(term: &Term) -> Result<Value<Rational>, Obstacle> {
    Environment::default().close(&NUMBERS, term)
}

/// Returns a value as a term.
fn written(value: &Value<Rational>) -> Term {
    match value {
        Value::Real(r) => Term::number(r.clone()),
        Value::Unit => Term::unit(),
        Value::Pair(parts) => {
            Term::pair(type_of_value(&parts.0), type_of_value(&parts.1), written(&parts.0), written(&parts.1))
        }
    }
}

/// Returns the error of a stuck term.
fn stuck<A>(construct: &'static str) -> Result<A, Obstacle> {
    Err(Obstacle::Stuck { construct })
}
