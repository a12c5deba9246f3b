//! Programs in pieces (W): the model `pap`, pieces, and intensional derivatives. True values are derived by hand, over the rationals.

mod boxes;
mod exact;
mod families;
mod foreign;
mod laws;
mod partition;
mod point;
mod unfolding;
mod univariate;

use smoothish::meaning::pap::PiecewiseSemantics;
use smoothish::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError, UndefinedCause};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::session::Session;
use smoothish::value::Value;
use std::sync::Arc;

fn ratio(text: &str) -> Rational {
    smoothish::number::decimal::parse(text)
        .or_else(|_| text.parse().map_err(|_| ()))
        .unwrap_or_else(|()| panic!("{text}"))
}

/// Enough for what ends here.
fn budget() -> Arc<Budget> {
    Arc::new(Budget::new(300_000, None, None))
}

fn answer(text: &str) -> Result<ProgramAnswer, SemanticsError> {
    let (term, ty) = Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    PiecewiseSemantics::default().evaluate(&term, &ty, &ratio("1e-12"), &budget())
}

fn enclosures(value: &Value<AnswerNumber>) -> Vec<Enclosure> {
    match value {
        Value::Real(AnswerNumber::Enclosure(answer)) => vec![answer.enclosure.clone()],
        other => other.direct_parts().flat_map(enclosures).collect(),
    }
}

/// The numbers of a program are these, and it says so many things of them.
#[track_caller]
fn is(text: &str, numbers: &[&str], remarks: usize) {
    let found = answer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let all = enclosures(&found.value);
    assert_eq!(all.len(), numbers.len(), "{text}");
    for (found, number) in all.iter().zip(numbers) {
        assert!(
            found.is_defined() && found.contains(&ratio(number)) && found.has_width_at_most(&ratio("1e-11")),
            "{text}: {found}"
        );
    }
    assert_eq!(found.notes.len(), remarks, "{text}: {:?}", found.notes);
}

/// Why a program has no answer.
#[track_caller]
fn fails(text: &str) -> (Option<UndefinedCause>, String) {
    match answer(text) {
        Ok(found) => panic!("{text}: {:?}", found.value),
        Err(SemanticsError::Undefined(found)) => (Some(found.cause), found.message.clone()),
        Err(error) => (None, error.to_string()),
    }
}
