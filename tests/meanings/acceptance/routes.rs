//! Ways from a program to its value, which share little: meanings, and evaluations of A's core language.

use smoothish::failure::{ErrorKind, ErrorWithKind};
use smoothish::meaning;
use smoothish::meaning::float;
use smoothish::meaning::partial::{PartialSemantics, PartialUniverse, PartialValue};
use smoothish::meaning::taylor::derive::derive_program;
use smoothish::meaning::taylor::jet::Basis;
use smoothish::model::answer::{AnswerNumber, Semantics, SemanticsError, UndefinedCause};
use smoothish::model::universe::EvaluatorModel;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Exact, Rational, decimal};
use smoothish::session::Session;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::trace::compiled::CompiledProgram;
use smoothish::trace::embed::{CoreProgram, embed_program};
use smoothish::trace::evaluation;
use smoothish::trace::evaluation::{Strategy, TraceError};
use smoothish::trace::number::Rationals;
use smoothish::trace::question::{TraceQuestion, evaluate_by_tape, trace_with_region};
use smoothish::trace::source::eliminate_reverse;
use smoothish::trace::term::{CoreValue as Core, approximant};
use smoothish::trace::typing::{CoreEnvironment, FunctionEnvironment};
use smoothish::value::{Value, ValueError};
use std::sync::{Arc, LazyLock};

/// A way to the value of a closed program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    Presheaf,
    Tower,
    /// The program that the Taylor macro makes, in presheaves.
    Taylor,
    Float,
    /// The denotation of A, over the rationals where they have the operations, and over certified numbers.
    Partial,
    /// Evaluation to traces, over the same numbers, with derivatives by the clauses of Fig. 6.
    Literal,
    /// The same by one sweep.
    Accumulated,
    /// By instructions and a tape.
    Tape,
    /// With derivatives written out as programs.
    Source,
}

/// What a route finds.
#[derive(Clone, Debug)]
pub enum Found {
    Exact(Vec<Rational>),
    Enclosed(Vec<Enclosure>),
    Rounded(Vec<f64>),
    Undefined(UndefinedCause),
    /// Undefined, and the route does not say why.
    Bottom,
    /// The route does not define this.
    Lacks(String),
    Failed(String),
}

/// The work that is enough for what ends here.
const WORK: u64 = 100_000;

fn budget() -> Arc<Budget> {
    Arc::new(Budget::new(WORK, None, None))
}

/// A decimal number or a fraction.
pub fn ratio(text: &str) -> Rational {
    decimal::parse(text).or_else(|_| text.parse().map_err(|_| ())).unwrap_or_else(|()| panic!("{text}"))
}

/// The width within which enclosures are asked for.
fn eps() -> Rational {
    ratio("1e-12")
}

static SESSION: LazyLock<Session> = LazyLock::new(Session::new);

pub fn inferred(text: &str) -> (Term, Ty) {
    SESSION.infer(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// What each kind of number finds on the way.
pub fn along(route: Route, text: &str) -> Vec<Found> {
    let (term, ty) = inferred(text);
    match route {
        Route::Presheaf => vec![asked(&meaning::presheaf::PresheafSemantics, &term, &ty)],
        Route::Tower => vec![asked(&meaning::tower::TowerSemantics, &term, &ty)],
        Route::Float => vec![asked(&float::FloatSemantics, &term, &ty)],
        Route::Taylor => vec![by_taylor(&term, &ty)],
        Route::Partial => {
            let exactly = exactly(&term, None);
            over([exactly, asked(&PartialSemantics { unfolding_limit: None }, &term, &ty)])
        }
        Route::Literal | Route::Accumulated | Route::Tape | Route::Source => match embed_program(&term) {
            Err(refused) => vec![Found::Lacks(refused.to_string())],
            Ok(program) if route == Route::Source => match eliminate_reverse(&program) {
                Ok(written) => over(by_steps(route, &written)),
                Err(refused) => vec![Found::Lacks(refused.to_string())],
            },
            Ok(program) => over(by_steps(route, &program)),
        },
    }
}

/// The rationals know nothing of what is not rational.
fn over([rational, certified]: [Found; 2]) -> Vec<Found> {
    match rational {
        Found::Lacks(_) | Found::Undefined(UndefinedCause::Undecided) => vec![certified],
        _ => vec![rational, certified],
    }
}

fn asked(meaning: &dyn Semantics, term: &Term, ty: &Ty) -> Found {
    match meaning.evaluate(term, ty, &eps(), &budget()) {
        Ok(answer) => {
            let mut numbers = Vec::new();
            collect(&answer.value, &mut numbers);
            let (mut enclosures, mut rounded) = (Vec::new(), Vec::new());
            numbers.into_iter().for_each(|number| match number {
                AnswerNumber::Enclosure(found) => enclosures.push(found.enclosure),
                AnswerNumber::Float { value, .. } => rounded.push(value),
            });
            match (answer.undefined, enclosures.iter().all(Enclosure::is_defined)) {
                (Some(undefined), false) => Found::Undefined(undefined.cause),
                (None, false) => Found::Bottom,
                _ if enclosures.is_empty() => Found::Rounded(rounded),
                _ => Found::Enclosed(enclosures),
            }
        }
        Err(SemanticsError::Undefined(undefined)) => Found::Undefined(undefined.cause),
        Err(error) => match error.unsupported_construct() {
            Some(lacking) => Found::Lacks(lacking.construct.to_string()),
            None if error.kind() == ErrorKind::Limit => Found::Undefined(UndefinedCause::Fuel),
            None => Found::Failed(error.to_string()),
        },
    }
}

fn collect(value: &Value<AnswerNumber>, numbers: &mut Vec<AnswerNumber>) {
    match value {
        Value::Real(number) => numbers.push(number.clone()),
        other => other.direct_parts().for_each(|part| collect(part, numbers)),
    }
}

/// The first coefficient of the derived program of a number.
fn by_taylor(term: &Term, ty: &Ty) -> Found {
    let basis = Basis::new(1, 1).expect("a basis");
    let derived = match derive_program(term, ty, &basis) {
        Ok(derived) => derived,
        Err(error) => return Found::Lacks(error.to_string()),
    };
    let (term, ty) = inferred(&format!("({})[0]", derived.format_program().expect("a text")));
    asked(&meaning::presheaf::PresheafSemantics, &term, &ty)
}

/// The denotation over the rationals, with recursions unfolded so often.
pub fn exactly(term: &Term, unfoldings: Option<u64>) -> Found {
    let model = EvaluatorModel::new(PartialUniverse::new(Exact::default(), budget()).with_unfolding_limit(unfoldings));
    match model.evaluate_closed(term) {
        Ok(value) => {
            let mut numbers = Vec::new();
            rationals(&value, &mut numbers);
            Found::Exact(numbers)
        }
        Err(SemanticsError::Run(ValueError::Undefined(undefined))) => Found::Undefined(undefined.cause),
        Err(error) if error.unsupported_construct().is_some() => Found::Lacks(error.to_string()),
        Err(error) => Found::Failed(error.to_string()),
    }
}

fn rationals(value: &PartialValue<Exact>, numbers: &mut Vec<Rational>) {
    match value {
        Value::Real(x) => numbers.push(x.value_in(&Exact::default()).expect("a number")),
        other => other.direct_parts().for_each(|part| rationals(part, numbers)),
    }
}

fn by_steps(route: Route, program: &CoreProgram) -> [Found; 2] {
    let strategy = if route == Route::Literal { Strategy::Literal } else { Strategy::Accumulated };
    let (numbers, budget) = (Rationals::default(), budget());
    let question = TraceQuestion { program, point: None, strategy, record: None, budget: &budget };
    if route == Route::Tape {
        let rational =
            CompiledProgram::from_program(program).and_then(|compiled| compiled.value_at(&numbers, &budget, &[]));
        let certified = evaluate_by_tape(&question, false, &eps()).map(|found| enclosures(&found.value));
        return [rational.map_or_else(failed, Found::Exact), certified.map_or_else(failed, Found::Enclosed)];
    }
    let certified = trace_with_region(&question).map(|found| enclosures(&found.value));
    [run(program, strategy), certified.map_or_else(failed, Found::Enclosed)]
}

fn run(program: &CoreProgram, strategy: Strategy) -> Found {
    let numbers = Rationals::default();
    let evaluator = evaluation::TraceEvaluator::new(&numbers).with_strategy(strategy).with_step_limit(WORK);
    let found =
        evaluator.evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &program.term);
    found.map_or_else(failed, |value| Found::Exact(value.real_components().into_iter().cloned().collect()))
}

/// The n-th approximant, run over the rationals.
pub fn limited(term: &Term, n: u64) -> Found {
    let mut program = embed_program(term).expect("a program of A's language");
    program.term = approximant(&program.term, n);
    run(&program, Strategy::Accumulated)
}

fn enclosures(value: &Core<Enclosure>) -> Vec<Enclosure> {
    value.real_components().into_iter().cloned().collect()
}

fn failed(obstacle: TraceError) -> Found {
    match &obstacle {
        TraceError::Undefined(undefined) => Found::Undefined(undefined.cause),
        TraceError::MissingOperation { .. } => Found::Lacks(obstacle.to_string()),
        _ => Found::Failed(obstacle.to_string()),
    }
}

impl Found {
    /// Whether this is what is expected: numbers; a cause; `none` where nothing is found out; `⊥` without a cause; or what is
    /// lacking, after `no`.
    pub fn is(&self, expected: &str) -> bool {
        match self {
            Found::Undefined(UndefinedCause::Fuel | UndefinedCause::Undecided) if expected == "none" => return true,
            Found::Undefined(cause) => return cause.name() == expected,
            Found::Bottom => return expected == "⊥",
            Found::Failed(why) => return expected == why,
            Found::Lacks(what) => return expected.strip_prefix("no ").is_some_and(|lacking| what.contains(lacking)),
            _ => {}
        }
        let words = expected.split(|c| "(), ".contains(c)).filter(|word| !word.is_empty());
        if words.clone().any(|word| !word.starts_with(|c: char| c == '-' || c.is_ascii_digit())) {
            return false;
        }
        let expected: Vec<Rational> = words.map(ratio).collect();
        let all = |len: usize, holds: &dyn Fn(usize) -> bool| len == expected.len() && (0..len).all(holds);
        match self {
            Found::Exact(found) => *found == expected,
            Found::Enclosed(found) => all(found.len(), &|i| {
                let narrow = found[i].has_width_at_most(&(ratio("1e-9") * (expected[i].clone().abs() + 1)));
                found[i].is_defined() && narrow && found[i].contains(&expected[i])
            }),
            Found::Rounded(found) => all(found.len(), &|i| {
                let expected = expected[i].to_f64();
                (found[i] - expected).abs() <= 1e-9 * (1.0 + expected.abs())
            }),
            _ => false,
        }
    }
}
