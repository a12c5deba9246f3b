//! The operational semantics of A: the core language, both relations, traces and their derivatives.

mod command;
mod figures;
mod language;
mod laws;
mod limited;
mod neighbourhood;
mod source;
mod tape;
mod undecided;
mod wrong;

use smoothish::model::answer::Cause;
use smoothish::model::fragment::FragmentError;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::syntax::library::Library;
use smoothish::syntax::term;
use smoothish::trace::compiled::Compiled;
use smoothish::trace::embed::{Program, embed};
use smoothish::trace::environment::{Environment, Functions};
use smoothish::trace::error::Obstacle;
use smoothish::trace::evaluation::{Evaluator, Strategy};
use smoothish::trace::number::{Numbers, Rationals};
use smoothish::trace::term::Term;
use smoothish::trace::ty::Ty;
use smoothish::trace::value::Value;

/// The steps that are enough for what ends here.
const STEPS: u64 = 200_000;

fn library() -> Library {
    Session::new().library().clone()
}

/// A program, as the language's inference leaves it.
fn inferred(text: &str) -> term::Term {
    Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}")).0
}

fn embedded(text: &str) -> Result<Program, FragmentError> {
    embed(&inferred(text))
}

fn program(text: &str) -> Program {
    embedded(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The value of a closed program by ordinary evaluation, by a strategy.
fn run(text: &str, strategy: Strategy) -> Result<Value<Rational>, Obstacle> {
    run_term(&program(text).term, strategy)
}

fn run_term(term: &Term, strategy: Strategy) -> Result<Value<Rational>, Obstacle> {
    let numbers = Rationals::default();
    let evaluator = Evaluator::new(&numbers).by(strategy).within(STEPS);
    evaluator.ordinary(&Functions::default(), &Environment::default(), term)
}

/// The trace of a function at a point, and its value.
fn traced(text: &str, at: &str) -> Result<(Program, Term, Value<Rational>), Obstacle> {
    let program = program(text);
    let point = run(at, Strategy::default())?;
    let numbers = Rationals::default();
    let evaluator = Evaluator::new(&numbers).within(STEPS);
    let environment = environment(&program, point);
    let (trace, value) = evaluator.symbolic(&Functions::default(), &environment, &program.term)?;
    Ok((program, trace, value))
}

/// ρ, in which the one parameter of a program is a value.
fn environment<R: Clone>(program: &Program, value: Value<R>) -> Environment<R> {
    Environment::of(&program.parameters[0].0, value)
}

fn ratio(text: &str) -> Rational {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

/// A value as text: `3`, `(1/2, ())`.
fn shown(value: &Result<Value<Rational>, Obstacle>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(Obstacle::Undefined(undefined)) => undefined.cause.name().to_owned(),
        Err(other) => other.to_string(),
    }
}
