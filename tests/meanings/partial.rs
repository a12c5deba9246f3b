//! Partial maps: the denotational semantics of A.

mod hostile;
mod laws;

use smoothish::meaning::partial::PartialSemantics;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError, UndefinedCause};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::Session;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::value::Value;
use std::sync::Arc;

fn inferred(text: &str) -> (Term, Ty) {
    Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Enough for what ends here.
fn budget() -> Arc<Budget> {
    Arc::new(Budget::new(1_000_000, None, None))
}

fn ratio(text: &str) -> Rational {
    smoothish::number::decimal::parse(text)
        .or_else(|_| text.parse().map_err(|_| ()))
        .unwrap_or_else(|()| panic!("{text}"))
}

fn answer(text: &str) -> Result<ProgramAnswer, SemanticsError> {
    let (term, ty) = inferred(text);
    PartialSemantics::default().evaluate(&term, &ty, &ratio("1e-12"), &budget())
}

fn enclosures(value: &Value<AnswerNumber>) -> Vec<Enclosure> {
    match value {
        Value::Real(AnswerNumber::Enclosure(answer)) => vec![answer.enclosure.clone()],
        other => other.direct_parts().flat_map(enclosures).collect(),
    }
}

/// The causes for which a program has no value, by certified numbers.
fn cause(text: &str) -> Option<UndefinedCause> {
    match answer(text) {
        Err(SemanticsError::Undefined(undefined)) => Some(undefined.cause),
        Ok(_) => None,
        Err(other) => panic!("{text}: {other}"),
    }
}
