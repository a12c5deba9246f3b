//! Partial maps: the denotational semantics of A.

mod acceptance;
mod hostile;
mod laws;
mod wrong;

use smoothish::meaning::partial::{Partial, Partially, Values};
use smoothish::model::answer::{Answer, Cause, Meaning, MeaningError, Number};
use smoothish::model::universe::Evaluator;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Exact, Rational};
use smoothish::session::Session;
use smoothish::syntax::term::Term;
use smoothish::syntax::ty::Ty;
use smoothish::value::{Value, ValueError};
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

fn answer(text: &str, unfoldings: Option<u64>) -> Result<Answer, MeaningError> {
    let (term, ty) = inferred(text);
    Partially { unfoldings }.answer(&term, &ty, &ratio("1e-12"), &budget())
}

/// The value over the rationals, as text, `3`, `(1/2, ())`; or why there is none.
fn exactly(text: &str, unfoldings: Option<u64>) -> String {
    let (term, _) = inferred(text);
    let model = Evaluator::new(Partial::new(Exact::default(), budget()).limited(unfoldings));
    match model.value(&term) {
        Ok(value) => written(&value),
        Err(MeaningError::Run(ValueError::Undefined(undefined))) => undefined.cause.name().to_owned(),
        Err(other) => other.to_string(),
    }
}

fn written(value: &Values<Exact>) -> String {
    match value {
        Value::Real(x) => x.value(&Exact::default()).map_or("⊥".to_owned(), |q| q.to_string()),
        Value::Unit => "()".to_owned(),
        Value::Tuple(parts) => format!("({})", parts.iter().map(written).collect::<Vec<_>>().join(", ")),
        other => other.kind().name().to_owned(),
    }
}

fn enclosures(value: &Value<Number>) -> Vec<Enclosure> {
    match value {
        Value::Real(Number::Enclosure(answer)) => vec![answer.enclosure.clone()],
        other => other.parts().flat_map(enclosures).collect(),
    }
}

/// The causes for which a program has no value, by certified numbers.
fn cause(text: &str) -> Option<Cause> {
    match answer(text, None) {
        Err(MeaningError::Undefined(undefined)) => Some(undefined.cause),
        Ok(_) => None,
        Err(other) => panic!("{text}: {other}"),
    }
}

/// The value is this: over the rationals exactly, and within enclosures of certified numbers; or it is undefined for this cause.
#[track_caller]
fn is(text: &str, expected: &str) {
    assert_eq!(exactly(text, None), expected, "{text}");
    encloses(text, expected);
}

/// Certified numbers alone say so.
#[track_caller]
fn encloses(text: &str, expected: &str) {
    let causes = [Cause::Boundary, Cause::Domain, Cause::Undecided, Cause::Fuel];
    match causes.into_iter().find(|cause| cause.name() == expected) {
        Some(expected) => assert_eq!(cause(text), Some(expected), "{text}"),
        None => {
            let found = answer(text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
            let expected: Vec<Rational> =
                expected.split(|c| "(), ".contains(c)).filter(|word| !word.is_empty()).map(ratio).collect();
            let found = enclosures(&found.value);
            assert_eq!(found.len(), expected.len(), "{text}");
            for (found, expected) in found.iter().zip(&expected) {
                let narrow = found.is_defined() && found.is_within(&ratio("1e-12"));
                assert!(narrow && found.contains(expected), "{text}: {found} and {expected}");
            }
        }
    }
}
