//! Ordinary evaluation by small steps, as an oracle for the big steps of the library: `E[R]` becomes `E[R′]`, on closed
//! terms.
//!
//! There are no environments. Values are substituted for variables, functions keep their definitions under names of
//! their own, and the term is decomposed anew at each step. Independent of [`TraceEvaluator`] and of its
//! [rules](crate::trace::hooks), but for operations on numbers and for derivatives.

use super::{MAX_STEPS, NUMBERS, RunOutcome};
use crate::number::Rational;
use crate::trace::context::{Focus, decompose, plug_context};
use crate::trace::environment::{CoreEnvironment, FunctionEnvironment};
use crate::trace::error::{TraceError, UndefinedValue};
use crate::trace::evaluation::TraceEvaluator;
use crate::trace::number::{NumberSystem, evaluate_operation};
use crate::trace::operation::PredicateSymbol;
use crate::trace::renaming::Renaming;
use crate::trace::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use crate::trace::typing::type_of_value;
use crate::trace::value::CoreValue;
use crate::value::UndefinedCause;
use std::cmp::Ordering;
use std::sync::Arc;

/// The greatest number of steps. A choice.
const MAX_SMALL_STEPS: usize = 4_000;

/// Evaluates a program at a value of its variable. Its functions have different names and no limits.
pub(super) fn run_small_steps(
    term: &CoreTerm,
    x: &CoreVariable,
    point: &CoreValue<Rational>,
) -> RunOutcome<CoreValue<Rational>> {
    let mut run = SmallStepRun { definitions: Vec::new() };
    let mut term = Renaming::substitute(term, x, value_term(point));
    for _ in 0..MAX_SMALL_STEPS {
        let (context, focus) = decompose(&term);
        let stepped = match focus {
            Focus::Value(value) => return RunOutcome::from_result(read_value(&value)),
            Focus::Redex(redex) => run.contract_redex(&redex).map(|next| plug_context(&context, next)),
            Focus::Boolean { predicate, argument, then, otherwise, .. } => {
                decide_predicate(predicate, &argument).map(|holds| {
                    let choice = CoreTerm::from(CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise));
                    plug_context(&context, choice)
                })
            }
        };
        match stepped {
            Ok(next) => term = next,
            Err(obstacle) => return RunOutcome::from_result(Err(obstacle)),
        }
    }
    RunOutcome::Unknown
}

/// The state of a small-step run.
struct SmallStepRun {
    /// The definitions met so far, outer ones first.
    definitions: Vec<Arc<CoreDefinition>>,
}

impl SmallStepRun {
    /// Contracts the redex R to R′.
    fn contract_redex(&mut self, redex: &CoreTerm) -> Result<CoreTerm, TraceError> {
        Ok(match redex.kind() {
            CoreTermKind::Add(left, right) => match (read_value(left)?, read_value(right)?) {
                (CoreValue::Real(r), CoreValue::Real(s)) => CoreTerm::number(NUMBERS.add(&r, &s)),
                _ => return stuck_error("+"),
            },
            CoreTermKind::Operation(operation, argument) => {
                value_term(&evaluate_operation(&NUMBERS, operation, &read_value(argument)?)?)
            }
            CoreTermKind::Let(x, _, value, body) => Renaming::substitute(body, x, value.clone()),
            CoreTermKind::First(_, _, pair) | CoreTermKind::Second(_, _, pair) => match pair.kind() {
                CoreTermKind::Pair(_, _, left, _) if matches!(redex.kind(), CoreTermKind::First(..)) => left.clone(),
                CoreTermKind::Pair(_, _, _, right) => right.clone(),
                _ => return stuck_error("a projection"),
            },
            CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                if *holds { then } else { otherwise }.clone()
            }
            CoreTermKind::LetRec(definition, rest) => {
                // a recursive call meets its own definition again, which is kept once
                if self.find_definition(&definition.function).is_none() {
                    self.definitions.push(definition.clone());
                }
                rest.clone()
            }
            CoreTermKind::Call(f, argument) => match self.find_definition(f) {
                Some(definition) => Renaming::substitute(&definition.body, &definition.parameter, argument.clone()),
                None => return stuck_error("a function variable"),
            },
            CoreTermKind::Reverse { .. } => {
                // derivatives are evaluated by the library: small steps are an oracle for ordinary evaluation only
                let around =
                    |term, definition: &Arc<CoreDefinition>| CoreTermKind::LetRec(definition.clone(), term).into();
                let whole = self.definitions.iter().rev().fold(redex.clone(), around);
                let evaluator = TraceEvaluator::new(&NUMBERS).with_step_limit(MAX_STEPS);
                value_term(&evaluator.evaluate_ordinary(
                    &FunctionEnvironment::default(),
                    &CoreEnvironment::default(),
                    &whole,
                )?)
            }
            _ => return stuck_error("a redex"),
        })
    }

    /// Returns the definition of a function variable.
    fn find_definition(&self, f: &CoreVariable) -> Option<&Arc<CoreDefinition>> {
        self.definitions.iter().find(|definition| definition.function == *f)
    }
}

/// Decides a predicate on a pair of numbers. Undefined if the numbers are equal (A §2).
fn decide_predicate(predicate: PredicateSymbol, argument: &CoreTerm) -> Result<bool, TraceError> {
    match &read_value(argument)? {
        CoreValue::Pair(parts) => match (&parts.0, &parts.1) {
            (CoreValue::Real(a), CoreValue::Real(b)) => match a.cmp(b) {
                Ordering::Less => Ok(predicate == PredicateSymbol::Less),
                Ordering::Greater => Ok(predicate == PredicateSymbol::Greater),
                Ordering::Equal => Err(UndefinedValue {
                    certain: true,
                    ..UndefinedValue::of_operation(UndefinedCause::Boundary, predicate)
                }
                .into()),
            },
            _ => stuck_error("a comparison"),
        },
        _ => stuck_error("a comparison"),
    }
}

/// Reads a closed value off a term.
fn read_value(term: &CoreTerm) -> Result<CoreValue<Rational>, TraceError> {
    CoreEnvironment::default().close_value(&NUMBERS, term)
}

/// Returns a value as a term.
fn value_term(value: &CoreValue<Rational>) -> CoreTerm {
    match value {
        CoreValue::Real(r) => CoreTerm::number(r.clone()),
        CoreValue::Unit => CoreTerm::unit(),
        CoreValue::Pair(parts) => {
            CoreTerm::pair(type_of_value(&parts.0), type_of_value(&parts.1), value_term(&parts.0), value_term(&parts.1))
        }
    }
}

/// Returns the error of a stuck term.
fn stuck_error<A>(construct: &'static str) -> Result<A, TraceError> {
    Err(TraceError::Stuck { construct })
}
