//! What a person can do about an answer that is not what was wanted: one that is no number, or a 0 that hides a difference.

use super::ask::Value;
use crate::syntax::constant::Constant;
use crate::syntax::library::TRACE;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

/// What there is to do with a distribution.
const DISTRIBUTION: &str = "a distribution is sampled from, x <- sample (normal 0 1); the gamma function of x is exp (lgamma x), the beta function \
     exp (lgamma a + lgamma b - lgamma (a + b))";

/// How to come to numbers from a value of a type that has none to show.
#[must_use]
pub fn of_type(ty: &Ty, text: &str) -> String {
    let is_of_traces = |ty: &Ty| matches!(ty.kind(), TyKind::Data(data, _) if &**data.module() == TRACE);
    match ty.kind() {
        TyKind::Function(..) if text == "inf" => {
            "it is the infimum of a function on a set; numbers are finite".to_owned()
        }
        TyKind::Function(_, codomain) if is_of_traces(codomain) => DISTRIBUTION.to_owned(),
        TyKind::Data(..) if is_of_traces(ty) => DISTRIBUTION.to_owned(),
        TyKind::Function(domain, codomain) => {
            let matrix = match coordinates(codomain).filter(|_| coordinates(domain).is_some()) {
                Some(n) => format!(
                    "; the rows of the matrix of a linear map, as jacobian f p and hessian f p are, are rows{n} of it"
                ),
                None => String::new(),
            };
            format!("apply it to an argument of type {domain} to see a number{matrix}")
        }
        _ => "take it apart to see numbers".to_owned(),
    }
}

/// The number of coordinates, for ℝ² and ℝ³.
fn coordinates(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Tuple(parts) if (2..=3).contains(&parts.len()) && parts.iter().all(|part| *part == Ty::real()) => {
            Some(parts.len())
        }
        _ => None,
    }
}

/// What is told of an answer that is the natural number 0, if that may be a difference which has been cut off.
#[must_use]
pub fn of_zero(term: &Term, value: &Value) -> Option<String> {
    let mut waiting = vec![term];
    let mut subtracts = false;
    // in the question itself, not in what it uses
    while let Some(term) = waiting.pop() {
        subtracts |= matches!(term.kind(), TermKind::Constant(Constant::Subtract));
        waiting.extend(term.kind().children());
    }
    (subtracts && matches!(value, Value::Word(word) if word == "0")).then(|| {
        "natural numbers are subtracted down to 0 and no further; differences of real numbers, such as 5.0 or toReal n, are real".to_owned()
    })
}
