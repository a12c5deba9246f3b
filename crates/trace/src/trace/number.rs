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
use super::operation::{Bound, Operation, Predicate, Side};
use super::value::Value;
use crate::model::answer::Cause;
use crate::number::Rational;
use std::cmp::Ordering;
use std::fmt::Debug;

/// The operations that most steps of a program are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// a + b
    Add,
    /// -a
    Negate,
    /// a - b
    Subtract,
    /// a · b
    Multiply,
    /// a / b
    Divide,
}

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

    /// bev(pred, ⟨r, r⟩): nothing (A §2).
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }

    /// The sum, difference, product or quotient of two numbers, or -a, where no care is needed: nothing where it has to be found
    /// out whether it is defined, which [`Numbers::apply`] and [`Numbers::compare`] do.
    #[inline]
    fn at_once(&self, operation: Arithmetic, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        let _ = (operation, a, b);
        None
    }

    /// Whether a < b, where that is decided without care: nothing for equal numbers.
    #[inline]
    fn is_less_at_once(&self, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        let _ = (a, b);
        None
    }

    /// About how much memory a number takes, in bytes.
    fn bytes(&self) -> usize {
        size_of::<Self::Number>()
    }

    /// A closed value as a term, where its numbers are rational.
    fn exactly(&self, number: &Self::Number) -> Option<Rational> {
        let _ = number;
        None
    }
}

fn undecided(operation: impl std::fmt::Display, agreement: Option<i64>) -> Obstacle {
    Undefined { agreement, ..Undefined::of(Cause::Undecided, operation) }.into()
}

/// An operation, with the edges of its domain as numbers of some kind.
#[derive(Clone, Debug)]
pub struct Prepared<T> {
    operation: Operation,
    bounds: Vec<(Bound, T)>,
}

impl<T: Clone + Debug> Prepared<T> {
    /// For these numbers.
    pub fn new<N: Numbers<Number = T>>(numbers: &N, operation: &Operation) -> Self {
        let edge = |bound: Bound| match bound.side {
            Side::Above(edge) | Side::Below(edge) => (bound, numbers.rational(&Rational::from(edge))),
            Side::Apart => (bound, numbers.rational(&Rational::new())),
        };
        Prepared { operation: operation.clone(), bounds: operation.bounds().into_iter().map(edge).collect() }
    }

    /// The operation at numbers, of which it takes as many as it has arguments.
    ///
    /// # Errors
    /// [`Obstacle::Undefined`] outside of Dom(op), which is open.
    pub fn at<N: Numbers<Number = T>>(&self, numbers: &N, arguments: [&T; 2]) -> Result<T, Obstacle> {
        let operation = &self.operation;
        for (bound, edge) in &self.bounds {
            let wrong = match bound.side {
                Side::Above(_) => Some(Ordering::Less),
                Side::Below(_) => Some(Ordering::Greater),
                Side::Apart => None,
            };
            match numbers.compare(arguments[bound.argument], edge) {
                Ok(Ordering::Equal) if bound.closed => return Err(Undefined::of(Cause::Boundary, operation).into()),
                Ok(Ordering::Equal) => return Err(Undefined::of(Cause::Domain, operation).into()),
                Ok(side) if Some(side) == wrong => return Err(Undefined::of(Cause::Domain, operation).into()),
                Ok(_) => {}
                Err(agreement) => return Err(undecided(operation, agreement)),
            }
        }
        numbers.apply(operation, &arguments[..operation.arity()])
    }
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
    let prepared = Prepared::new(numbers, operation);
    let found = match (operation.arity(), &argument.reals()[..]) {
        (1, [a]) => prepared.at(numbers, [a, a]),
        (2, [a, b]) => prepared.at(numbers, [a, b]),
        (0, []) => numbers.apply(operation, &[]),
        _ => return Err(Obstacle::Stuck { construct: "an operation" }),
    };
    found.map(Value::Real)
}

/// bev(pred, V): undefined where the two numbers are equal.
///
/// # Errors
/// [`Obstacle::Undefined`] there, and where it was not decided.
pub fn decide<N: Numbers>(numbers: &N, predicate: Predicate, argument: &Value<N::Number>) -> Result<bool, Obstacle> {
    match argument.reals()[..] {
        [a, b] => decided(numbers, predicate, [a, b]),
        _ => Err(Obstacle::Stuck { construct: "a comparison" }),
    }
}

/// The same of two numbers.
///
/// # Errors
/// As [`decide`].
pub fn decided<N: Numbers>(numbers: &N, predicate: Predicate, [a, b]: [&N::Number; 2]) -> Result<bool, Obstacle> {
    match numbers.compare(a, b) {
        Ok(Ordering::Less) => Ok(predicate == Predicate::Less),
        Ok(Ordering::Greater) => Ok(predicate == Predicate::Greater),
        Ok(Ordering::Equal) => {
            numbers.on_the_diagonal().ok_or_else(|| Undefined::of(Cause::Boundary, predicate).into())
        }
        Err(agreement) => Err(undecided(predicate, agreement)),
    }
}
