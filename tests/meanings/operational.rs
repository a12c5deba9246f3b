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

use smoothish::model::answer::UndefinedCause;
use smoothish::model::fragment::FragmentError;
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::Session;
use smoothish::syntax::library::Library;
use smoothish::syntax::term;
use smoothish::trace::compiled::CompiledProgram;
use smoothish::trace::embed::{CoreProgram, embed_program};
use smoothish::trace::evaluation::{Strategy, TraceError, TraceEvaluator};
use smoothish::trace::number::{NumberSystem, Rationals};
use smoothish::trace::term::{CoreTerm, CoreTy, CoreValue};
use smoothish::trace::typing::{CoreEnvironment, FunctionEnvironment};

/// The steps that are enough for what ends here.
const STEPS: u64 = 200_000;

fn library() -> Library {
    Session::new().library().clone()
}

/// A program, as the language's inference leaves it.
fn inferred(text: &str) -> term::Term {
    Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}")).0
}

fn embedded(text: &str) -> Result<CoreProgram, FragmentError> {
    embed_program(&inferred(text))
}

fn program(text: &str) -> CoreProgram {
    embedded(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The value of a closed program by ordinary evaluation, by a strategy.
fn run(text: &str, strategy: Strategy) -> Result<CoreValue<Rational>, TraceError> {
    run_term(&program(text).term, strategy)
}

fn run_term(term: &CoreTerm, strategy: Strategy) -> Result<CoreValue<Rational>, TraceError> {
    let numbers = Rationals::default();
    let evaluator = TraceEvaluator::new(&numbers).with_strategy(strategy).with_step_limit(STEPS);
    evaluator.evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), term)
}

/// The trace of a function at a point, and its value.
fn traced(text: &str, at: &str) -> Result<(CoreProgram, CoreTerm, CoreValue<Rational>), TraceError> {
    let program = program(text);
    let point = run(at, Strategy::default())?;
    let numbers = Rationals::default();
    let evaluator = TraceEvaluator::new(&numbers).with_step_limit(STEPS);
    let environment = environment(&program, point);
    let (trace, value) = evaluator.evaluate_symbolic(&FunctionEnvironment::default(), &environment, &program.term)?;
    Ok((program, trace, value))
}

/// ρ, in which the one parameter of a program is a value.
fn environment<R: Clone>(program: &CoreProgram, value: CoreValue<R>) -> CoreEnvironment<R> {
    CoreEnvironment::of_variable(&program.parameters[0].0, value)
}

fn ratio(text: &str) -> Rational {
    text.parse().unwrap_or_else(|_| panic!("{text}"))
}

/// A value as text: `3`, `(1/2, ())`.
fn shown(value: &Result<CoreValue<Rational>, TraceError>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(TraceError::Undefined(undefined)) => undefined.cause.name().to_owned(),
        Err(other) => other.to_string(),
    }
}
