//! Representations of real numbers for evaluation, with ev and bev (A §3) over each.
//!
//! | numbers | operations | comparisons |
//! |---|---|---|
//! | [`Rationals`] | `+ - * /` and integer powers | all decided |
//! | [`Doubles`] | all, rounded | decided as doubles are: nothing is certain |
//! | [`Doubles`] | all, rounded | decided on the doubles, uncertified |
//! | [`Certified`] | all, enclosed at one precision | undecided if the enclosures overlap |
//! | [`Centred`] | all, on a box of inputs, with slopes | for the whole box, undecided if it is cut |
//! A comparison of equal numbers is undefined, and so is an operation at the edge of its domain. The [`Cause`] tells
//! these cases apart. Only [`Cause::Boundary`] and [`Cause::Domain`] are certain.

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

/// The arithmetic operations, which are most steps of a program, and have a fast path.
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

/// A representation of real numbers, with the operations and comparisons of programs.
pub trait Numbers {
    /// A number.
    type Number: Clone + Debug;

    /// Returns the representation of a rational number.
    fn rational(&self, q: &Rational) -> Self::Number;

    /// a + b
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    /// Returns the value of an operation at arguments that satisfy its [bounds](Operation::bounds).
    ///
    /// # Errors
    /// [`Obstacle::Lacks`] if the representation lacks the operation. [`Obstacle::Undefined`] if it is not certainly
    /// defined at the arguments, or the result is too large.
    fn apply(&self, operation: &Operation, arguments: &[&Self::Number]) -> Result<Self::Number, Obstacle>;

    /// Compares two numbers. [`Ordering::Equal`] is returned only if they certainly are equal.
    ///
    /// # Errors
    /// If this is not decided: an exponent e such that the numbers differ by at most 2^e, if one is known.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Result<Ordering, Option<i64>>;

    /// Returns bev(pred, ⟨r, r⟩): `None`, since predicates are undefined on equal numbers (A §2).
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }

    /// Returns a sum, difference, product or quotient, or -a, if it is certainly defined. Returns `None` if
    /// [`Numbers::apply`] and [`Numbers::compare`] have to find out.
    #[inline]
    fn at_once(&self, operation: Arithmetic, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        let _ = (operation, a, b);
        None
    }

    /// Returns whether a < b if this is decided without effort. Returns `None` otherwise, and for equal numbers.
    #[inline]
    fn is_less_at_once(&self, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        let _ = (a, b);
        None
    }

    /// Returns the approximate memory of a number, in bytes.
    fn bytes(&self) -> usize {
        size_of::<Self::Number>()
    }

    /// Returns the rational number that `number` is; `None` if the representation is not rational.
    fn exactly(&self, number: &Self::Number) -> Option<Rational> {
        let _ = number;
        None
    }
}

/// Returns the error for an undecided comparison or condition.
fn undecided(operation: impl std::fmt::Display, agreement: Option<i64>) -> Obstacle {
    Undefined { agreement, ..Undefined::of(Cause::Undecided, operation) }.into()
}

/// An operation, with the edges of its domain converted to one representation.
#[derive(Clone, Debug)]
pub struct Prepared<T> {
    operation: Operation,
    bounds: Vec<(Bound, T)>,
}

impl<T: Clone + Debug> Prepared<T> {
    /// Prepares an operation for a representation.
    pub fn new<N: Numbers<Number = T>>(numbers: &N, operation: &Operation) -> Self {
        let edge = |bound: Bound| match bound.side {
            Side::Above(edge) | Side::Below(edge) => (bound, numbers.rational(&Rational::from(edge))),
            Side::Apart => (bound, numbers.rational(&Rational::new())),
        };
        Prepared { operation: operation.clone(), bounds: operation.bounds().into_iter().map(edge).collect() }
    }

    /// Returns the operation at numbers. It uses as many of them as it has arguments.
    ///
    /// # Errors
    /// [`Obstacle::Undefined`] outside of Dom(op), which is open, and if it is undecided whether the arguments lie in
    /// it; else as [`Numbers::apply`].
    pub fn at<N: Numbers<Number = T>>(&self, numbers: &N, arguments: [&T; 2]) -> Result<T, Obstacle> {
        let operation = &self.operation;
        for (bound, edge) in &self.bounds {
            let wrong = match bound.side {
                Side::Above(_) => Some(Ordering::Less),
                Side::Below(_) => Some(Ordering::Greater),
                Side::Apart => None,
            };
            match numbers.compare(arguments[bound.argument], edge) {
                // On a closed edge other semantics have a value, so the cause is the boundary and not the domain.
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

/// Returns ev(op, V).
///
/// # Errors
/// As [`Prepared::at`]; [`Obstacle::Stuck`] if V has another type.
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

/// Returns bev(pred, V). It is undefined if the two numbers are equal.
///
/// # Errors
/// [`Obstacle::Undefined`] for equal numbers, and if the comparison is undecided; [`Obstacle::Stuck`] if V is no pair
/// of numbers.
pub fn decide<N: Numbers>(numbers: &N, predicate: Predicate, argument: &Value<N::Number>) -> Result<bool, Obstacle> {
    match argument.reals()[..] {
        [a, b] => decided(numbers, predicate, [a, b]),
        _ => Err(Obstacle::Stuck { construct: "a comparison" }),
    }
}

/// Like [`decide`], for two numbers.
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
