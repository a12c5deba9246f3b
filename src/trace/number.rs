//! What stands for real numbers when programs are run: ev and bev (A §3), over several kinds of numbers.
//!
//! | numbers | operations | comparisons |
//! |---|---|---|
//! | [`Rationals`] | `+ - * /` and integer powers | all decided |
//! | [`Doubles`] | all, rounded | decided as doubles are: nothing is certain |
//! | [`Certified`] | all, enclosed at one precision | undecided where the enclosures meet |
//! | [`Centred`] | the same, on a box of inputs, with slopes | the same for all of the box |
//!
//! A comparison of equal numbers is undefined, and so is an operation at the edge of its domain. Which of these it is, is
//! the [`Cause`]. Only a boundary and a point outside of a domain are certain.

mod centred;
mod certified;
mod double;
mod rational;

pub use centred::{Centred, Moving};
pub use certified::Certified;
pub use double::Doubles;
pub use rational::Rationals;

use super::error::{Obstacle, Undefined};
use super::operation::{Operation, Predicate, Side};
use super::rules::Rules;
use super::value::Value;
use crate::model::answer::Cause;
use crate::number::Rational;
use std::cmp::Ordering;
use std::fmt::Debug;

/// Numbers that programs can be run on.
pub trait Numbers {
    /// A number.
    type Number: Clone + Debug;

    /// The number of a rational number.
    fn rational(&self, q: &Rational) -> Self::Number;

    /// a + b
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    /// An operation at arguments that lie within its [bounds](Operation::bounds).
    ///
    /// # Errors
    /// [`Obstacle::Lacks`]; [`Obstacle::Undefined`] where it is defined on less than the bounds, or the result is too large.
    fn apply(&self, operation: &Operation, arguments: &[&Self::Number]) -> Result<Self::Number, Obstacle>;

    /// How two numbers compare; [`Ordering::Equal`] only where they certainly are.
    ///
    /// # Errors
    /// An exponent of 2, to within whose power they agree, where this was not decided.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Result<Ordering, Option<i64>>;

    /// A closed value as a term, where its numbers are rational.
    fn exactly(&self, number: &Self::Number) -> Option<Rational> {
        let _ = number;
        None
    }
}

fn undecided(operation: impl std::fmt::Display, agreement: Option<i64>) -> Obstacle {
    Undefined { agreement, ..Undefined::of(Cause::Undecided, operation) }.into()
}

/// ev(op, V)
///
/// # Errors
/// [`Obstacle::Undefined`] outside of Dom(op), which is open.
pub fn evaluate<N: Numbers>(
    numbers: &N,
    operation: &Operation,
    argument: &Value<N::Number>,
) -> Result<Value<N::Number>, Obstacle> {
    let arguments = argument.reals();
    if arguments.len() != operation.arity() {
        return Err(Obstacle::Stuck { construct: "an operation" });
    }
    for bound in operation.bounds() {
        let (edge, wrong) = match bound.side {
            Side::Above(edge) => (edge, Some(Ordering::Less)),
            Side::Below(edge) => (edge, Some(Ordering::Greater)),
            Side::Apart => (0, None),
        };
        let edge = numbers.rational(&Rational::from(edge));
        let place = arguments.get(bound.argument).ok_or(Obstacle::Stuck { construct: "an operation" })?;
        match numbers.compare(place, &edge) {
            Ok(Ordering::Equal) if bound.closed => return Err(Undefined::of(Cause::Boundary, operation).into()),
            Ok(Ordering::Equal) => return Err(Undefined::of(Cause::Domain, operation).into()),
            Ok(side) if Some(side) == wrong => return Err(Undefined::of(Cause::Domain, operation).into()),
            Ok(_) => {}
            Err(agreement) => return Err(undecided(operation, agreement)),
        }
    }
    numbers.apply(operation, &arguments).map(Value::Real)
}

/// bev(pred, V): undefined where the two numbers are equal.
///
/// # Errors
/// [`Obstacle::Undefined`] there, and where it was not decided.
pub fn decide<N: Numbers>(
    numbers: &N,
    rules: &dyn Rules,
    predicate: Predicate,
    argument: &Value<N::Number>,
) -> Result<bool, Obstacle> {
    let [a, b] = argument.reals()[..] else {
        return Err(Obstacle::Stuck { construct: "a comparison" });
    };
    match numbers.compare(a, b) {
        Ok(Ordering::Less) => Ok(predicate == Predicate::Less),
        Ok(Ordering::Greater) => Ok(predicate == Predicate::Greater),
        Ok(Ordering::Equal) => {
            rules.on_the_diagonal(predicate).ok_or_else(|| Undefined::of(Cause::Boundary, predicate).into())
        }
        Err(agreement) => Err(undecided(predicate, agreement)),
    }
}
