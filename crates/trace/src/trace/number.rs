//! Representations of real numbers for evaluation, with ev and bev (A §3) over each.
//!
//! | numbers | operations | comparisons |
//! |---|---|---|
//! | [`Rationals`] | `+ - * /` and integer powers | all decided |
//! | [`Doubles`] | all, rounded | decided as doubles are: nothing is certain |
//! | [`Doubles`] | all, rounded | decided on the doubles, uncertified |
//! | [`CertifiedReals`] | all, enclosed at one precision | undecided if the enclosures overlap |
//! | [`CentredForms`] | all, on a box of inputs, with slopes | for the whole box, undecided if it is cut |
//! A comparison of equal numbers is undefined, and so is an operation at the edge of its domain. The [`UndefinedCause`] tells
//! these cases apart. Only [`UndefinedCause::Boundary`] and [`UndefinedCause::Domain`] are certain.

mod centred;
mod certified;
mod double;
mod rational;

pub use centred::{CentredForm, CentredForms};
pub use certified::CertifiedReals;
pub use double::Doubles;
pub use rational::Rationals;

use super::error::{TraceError, UndefinedValue};
use super::operation::{ArgumentRange, DomainCondition, OperationSymbol, PredicateSymbol};
use super::value::CoreValue;
use crate::model::answer::UndefinedCause;
use crate::number::Rational;
use std::cmp::Ordering;
use std::fmt::Debug;

/// The arithmetic operations, which are most steps of a program, and have a fast path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastOperation {
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
pub trait NumberSystem {
    /// A number.
    type Number: Clone + Debug;

    /// Returns the representation of a rational number.
    fn represent_rational(&self, q: &Rational) -> Self::Number;

    /// a + b
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;

    /// Returns the value of an operation at arguments that satisfy its [bounds](OperationSymbol::domain_conditions).
    ///
    /// # Errors
    /// [`TraceError::MissingOperation`] if the representation lacks the operation. [`TraceError::Undefined`] if it is not certainly
    /// defined at the arguments, or the result is too large.
    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&Self::Number],
    ) -> Result<Self::Number, TraceError>;

    /// Compares two numbers. [`Ordering::Equal`] is returned only if they certainly are equal.
    ///
    /// # Errors
    /// If this is not decided: an exponent e such that the numbers differ by at most 2^e, if one is known.
    fn compare(&self, a: &Self::Number, b: &Self::Number) -> Result<Ordering, Option<i64>>;

    /// Returns bev(pred, ⟨r, r⟩): `None`, since predicates are undefined on equal numbers (A §2).
    fn decide_equal(&self) -> Option<bool> {
        None
    }

    /// Returns a sum, difference, product or quotient, or -a, if it is certainly defined. Returns `None` if
    /// [`NumberSystem::apply_operation`] and [`NumberSystem::compare`] have to find out.
    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        let _ = (operation, a, b);
        None
    }

    /// Returns whether a < b if this is decided without effort. Returns `None` otherwise, and for equal numbers.
    #[inline]
    fn is_less_fast(&self, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        let _ = (a, b);
        None
    }

    /// Returns the approximate memory of a number, in bytes.
    fn memory_bytes(&self) -> usize {
        size_of::<Self::Number>()
    }

    /// Returns the rational number that `number` is; `None` if the representation is not rational.
    fn exact_rational(&self, number: &Self::Number) -> Option<Rational> {
        let _ = number;
        None
    }
}

/// Returns the error for an undecided comparison or condition.
fn undecided_error(operation: impl std::fmt::Display, agreement: Option<i64>) -> TraceError {
    UndefinedValue { agreement, ..UndefinedValue::of_operation(UndefinedCause::Undecided, operation) }.into()
}

/// An operation, with the edges of its domain converted to one representation.
#[derive(Clone, Debug)]
pub struct PreparedOperation<T> {
    operation: OperationSymbol,
    bounds: Vec<(DomainCondition, T)>,
}

impl<T: Clone + Debug> PreparedOperation<T> {
    /// Prepares an operation for a representation.
    pub fn new<N: NumberSystem<Number = T>>(numbers: &N, operation: &OperationSymbol) -> Self {
        let edge = |bound: DomainCondition| match bound.allowed_range {
            ArgumentRange::Above(edge) | ArgumentRange::Below(edge) => {
                (bound, numbers.represent_rational(&Rational::from(edge)))
            }
            ArgumentRange::NonZero => (bound, numbers.represent_rational(&Rational::new())),
        };
        PreparedOperation {
            operation: operation.clone(),
            bounds: operation.domain_conditions().into_iter().map(edge).collect(),
        }
    }

    /// Returns the operation at numbers. It uses as many of them as it has arguments.
    ///
    /// # Errors
    /// [`TraceError::Undefined`] outside of Dom(op), which is open, and if it is undecided whether the arguments lie in
    /// it; else as [`NumberSystem::apply_operation`].
    pub fn evaluate_at<N: NumberSystem<Number = T>>(&self, numbers: &N, arguments: [&T; 2]) -> Result<T, TraceError> {
        let operation = &self.operation;
        for (bound, edge) in &self.bounds {
            let wrong = match bound.allowed_range {
                ArgumentRange::Above(_) => Some(Ordering::Less),
                ArgumentRange::Below(_) => Some(Ordering::Greater),
                ArgumentRange::NonZero => None,
            };
            match numbers.compare(arguments[bound.argument], edge) {
                // On a closed edge other semantics have a value, so the cause is the boundary and not the domain.
                Ok(Ordering::Equal) if bound.has_value_at_edge => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Boundary, operation).into());
                }
                Ok(Ordering::Equal) => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Domain, operation).into());
                }
                Ok(side) if Some(side) == wrong => {
                    return Err(UndefinedValue::of_operation(UndefinedCause::Domain, operation).into());
                }
                Ok(_) => {}
                Err(agreement) => return Err(undecided_error(operation, agreement)),
            }
        }
        numbers.apply_operation(operation, &arguments[..operation.arity()])
    }
}

/// Returns ev(op, V).
///
/// # Errors
/// As [`PreparedOperation::evaluate_at`]; [`TraceError::Stuck`] if V has another type.
pub fn evaluate_operation<N: NumberSystem>(
    numbers: &N,
    operation: &OperationSymbol,
    argument: &CoreValue<N::Number>,
) -> Result<CoreValue<N::Number>, TraceError> {
    let prepared = PreparedOperation::new(numbers, operation);
    let found = match (operation.arity(), &argument.real_components()[..]) {
        (1, [a]) => prepared.evaluate_at(numbers, [a, a]),
        (2, [a, b]) => prepared.evaluate_at(numbers, [a, b]),
        (0, []) => numbers.apply_operation(operation, &[]),
        _ => return Err(TraceError::Stuck { construct: "an operation" }),
    };
    found.map(CoreValue::Real)
}

/// Returns bev(pred, V). It is undefined if the two numbers are equal.
///
/// # Errors
/// [`TraceError::Undefined`] for equal numbers, and if the comparison is undecided; [`TraceError::Stuck`] if V is no pair
/// of numbers.
pub fn decide_predicate<N: NumberSystem>(
    numbers: &N,
    predicate: PredicateSymbol,
    argument: &CoreValue<N::Number>,
) -> Result<bool, TraceError> {
    match argument.real_components()[..] {
        [a, b] => decide_comparison(numbers, predicate, [a, b]),
        _ => Err(TraceError::Stuck { construct: "a comparison" }),
    }
}

/// Like [`decide_predicate`], for two numbers.
///
/// # Errors
/// As [`decide_predicate`].
pub fn decide_comparison<N: NumberSystem>(
    numbers: &N,
    predicate: PredicateSymbol,
    [a, b]: [&N::Number; 2],
) -> Result<bool, TraceError> {
    match numbers.compare(a, b) {
        Ok(Ordering::Less) => Ok(predicate == PredicateSymbol::Less),
        Ok(Ordering::Greater) => Ok(predicate == PredicateSymbol::Greater),
        Ok(Ordering::Equal) => numbers
            .decide_equal()
            .ok_or_else(|| UndefinedValue::of_operation(UndefinedCause::Boundary, predicate).into()),
        Err(agreement) => Err(undecided_error(predicate, agreement)),
    }
}
