//! Models: one functor, several meanings, and what they must have in common.

mod agreement;
mod beta;
mod command;
mod confusion;
mod equations;
mod exponents;
mod functor;
mod guards;
mod inductive;
mod limits;
#[expect(dead_code, reason = "an example, of which some parts are tried")]
#[path = "../../examples/own_model.rs"]
mod own_model;
mod unsupported;
mod variants;

use smoothish::law::agreement::{ModelAnswer, PartComparison, compare_answers};
use smoothish::meaning;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

/// The term and the type of a program over the theories.
pub fn infer(program: &str) -> (Term, Ty) {
    let theories = builtin::load_theories();
    theories.library().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"))
}

/// The tolerance of most tests.
pub fn eps() -> Rational {
    decimal::parse("1e-9").expect("a decimal")
}

/// The answer of a model.
pub fn ask(model: &str, program: &str) -> Result<ProgramAnswer, SemanticsError> {
    let (term, ty) = infer(program);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    meaning::semantics_named(model).expect("a model").evaluate(&term, &ty, &eps(), &budget)
}

/// The enclosure that a model answers.
#[track_caller]
pub fn enclosure(model: &str, program: &str) -> Enclosure {
    match ask(model, program).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Enclosure(answer))) => answer.enclosure,
        other => panic!("{model}: {program}: {other:?}"),
    }
}

/// Whether all numbers of an answer are defined.
pub fn is_defined(answer: &ProgramAnswer) -> bool {
    let mut defined = true;
    answer.value.map_reals(&mut |number: &AnswerNumber| {
        defined &= match number {
            AnswerNumber::Enclosure(found) => found.enclosure.is_defined(),
            AnswerNumber::Float { value, .. } => !value.is_nan(),
        };
        number.clone()
    });
    defined
}

/// The floating-point number that a program is.
#[track_caller]
pub fn float(program: &str) -> f64 {
    match ask("float", program).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Float { value, .. })) => value,
        other => panic!("float: {program}: {other:?}"),
    }
}

/// Returns what every model says of a program, each with this much work.
pub fn statements(term: &Term, ty: &Ty, eps: &Rational, work: u64) -> Vec<ModelAnswer> {
    let state = |meaning: &&dyn Semantics| {
        // the clock is for what takes far more time than work
        let budget = Budget::new(work, Some(Duration::from_secs(10)), None);
        ModelAnswer::answer_of(*meaning, term, ty, eps, &Arc::new(budget))
    };
    meaning::all_semantics().iter().map(state).collect()
}

/// The judgements on a model's answer, among those of all models.
pub fn judgements(statements: &[ModelAnswer], model: &str) -> Option<Vec<PartComparison>> {
    let row = statements.iter().position(|statement| statement.name == model)?;
    compare_answers(statements).swap_remove(row)
}
