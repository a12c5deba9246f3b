//! Compiled evaluation of programs at a point, compared with step-by-step floating-point evaluation.
//!
//! | row of `agree --at` | what is compiled, once | what runs |
//! |---|---|---|
//! | `float, compiled` | the program | a [`Tape`]: its value, a sweep back, its second derivatives, its [series](Tape::taylor_series) |
//! | `taylor, compiled` | the program that the macro derives | a tape at the jets of the point |
//!
//! Both share their graphs with the presheaf semantics, but none of its arithmetic. They compute the same as `float`
//! and the derived program in `float`, in another order. So their numbers are judged by the
//! [estimate](crate::meaning::float) of those: the change when every rounding goes the other way. Sums in another order
//! have no more roundings. This is a guess that tests support, not a bound.

use super::derivatives::DerivativesError;
use crate::meaning::float::nearest_double;
use crate::meaning::presheaf::map::map_of_program;
use crate::meaning::taylor::basis::{Basis, MultiIndex};
use crate::meaning::taylor::derive::DerivedProgram;
use crate::model::answer::{AnswerNumber, ProgramAnswer, SemanticsError};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::dimension::Dyn;
use crate::smooth::graph::Graph;
use crate::smooth::map::Map;
use crate::smooth::map::untyped::{DynMap, coordinate_variables};
use crate::smooth::tape::{Tape, TapeError};
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::Arc;

/// The reason why a program does not run compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompiledError {
    /// The program has no tape.
    #[error("{} is not compiled", .0.construct)]
    Tape(#[from] TapeError),
    /// No compiled run computes derivatives of this order.
    #[error("of several variables, derivatives of an order above 2 are not compiled")]
    Order,
}

impl crate::failure::ErrorWithKind for CompiledError {
    fn kind(&self) -> crate::failure::ErrorKind {
        crate::failure::ErrorKind::Unsupported
    }
}

/// Computes the derivatives of a function of n real numbers at a point, for each number of its value and each
/// multi-index. Each number has a tape of its own.
///
/// # Errors
/// The errors of [`map_of_program`], [`CompiledError`] as an error of the semantics' own, and [`DerivativesError::NotAFunction`].
pub fn compiled_derivatives(
    term: &Term,
    ty: &Ty,
    point: &[Rational],
    basis: &Basis,
    budget: &Arc<Budget>,
) -> Result<Vec<f64>, SemanticsError> {
    let map = interpret_map(term, ty, budget)?;
    let coordinates = coordinate_variables(map.as_dyn().input_count());
    let of = |number: &Graph| {
        let alone = DynMap::of_graphs(&coordinates, std::slice::from_ref(number));
        derivatives_of_number(
            &Map::from_dyn(alone.map_err(|error| SemanticsError::from_external(error.to_string()))?),
            point,
            basis,
        )
    };
    let each: Result<Vec<_>, _> = map.as_dyn().outputs().iter().map(of).collect();
    Ok(each?.concat())
}

/// Computes the derivatives of one number of the value.
fn derivatives_of_number(map: &Map<Dyn, Dyn>, point: &[Rational], basis: &Basis) -> Result<Vec<f64>, SemanticsError> {
    let mut tape = compile_tape(map)?;
    let x: Vec<f64> = point.iter().map(nearest_double).collect();
    let order = basis.indices().iter().map(|index| index.iter().sum()).max().unwrap_or(0);
    match (x.len(), order) {
        // in one variable a series has every order; in several, sweeps give gradient and Hessian only
        (1, _) => Ok(series_derivatives(&tape, &x, order)),
        (_, 0..=2) => {
            let n = x.len();
            let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
            let value = tape.gradient(&x, &mut gradient);
            if order == 2 {
                tape.hessian_tape().hessian_at(&x, &mut hessian);
            }
            let derivative = |index: &MultiIndex| {
                let directions: Vec<usize> =
                    index.iter().enumerate().flat_map(|(i, k)| std::iter::repeat_n(i, *k)).collect();
                match directions[..] {
                    [] => value,
                    [i] => gradient[i],
                    // the order is at most 2 in this branch
                    [i, j, ..] => hessian[i * n + j],
                }
            };
            Ok(basis.indices().iter().map(derivative).collect())
        }
        _ => Err(SemanticsError::from_failure(CompiledError::Order)),
    }
}

/// Returns the derivatives `k!·cₖ` up to `order` from the coefficients of the series along the line.
fn series_derivatives(tape: &Tape, x: &[f64], order: usize) -> Vec<f64> {
    let mut coefficients = vec![0.0; order + 1];
    tape.taylor_series(order).expand_along(x, &[1.0], &mut coefficients);
    // the running product is 0! = 1, 1!, 2!, …
    let factorials = (0..=order).scan(1.0, |factorial, k| {
        *factorial *= k.max(1) as f64;
        Some(*factorial)
    });
    coefficients.iter().zip(factorials).map(|(c, factorial)| c * factorial).collect()
}

/// Computes the derivatives by the derived program, at the jets of the point.
///
/// # Errors
/// The errors of [`compiled_derivatives`].
pub fn macro_derivatives(
    derived: &DerivedProgram,
    point: &[Rational],
    basis: &Basis,
    budget: &Arc<Budget>,
) -> Result<Vec<f64>, SemanticsError> {
    let mut tape = compile_tape(&interpret_map(&derived.term, &derived.ty, budget)?)?;
    let jet = |(direction, q): (usize, &Rational)| {
        let part = move |index: &MultiIndex| match index.iter().sum() {
            0 => nearest_double(q),
            1 if index[direction] == 1 => 1.0,
            _ => 0.0,
        };
        basis.indices().iter().map(part).collect::<Vec<_>>()
    };
    let x: Vec<f64> = point.iter().enumerate().flat_map(jet).collect();
    let mut y = vec![0.0; tape.output_count()];
    tape.value(&x, &mut y);
    Ok(y)
}

/// Interprets a function of real numbers as a map.
fn interpret_map(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Map<Dyn, Dyn>, SemanticsError> {
    map_of_program(term, ty, budget)?
        .ok_or_else(|| SemanticsError::from_external(DerivativesError::NotAFunction(ty.clone())))
}

/// Compiles a map to a tape.
fn compile_tape(map: &Map<Dyn, Dyn>) -> Result<Tape, SemanticsError> {
    map.tape().map_err(|error| SemanticsError::from_failure(CompiledError::from(error)))
}

/// Makes an answer of numbers, with the errors of the answer `beside`. The errors are infinite if it has another number
/// of numbers.
#[must_use]
pub fn float_answer(numbers: Vec<f64>, beside: Option<&ProgramAnswer>) -> ProgramAnswer {
    let others = beside.and_then(|answer| answer.value.coordinates().ok()).filter(|other| other.len() == numbers.len());
    let error = |place: usize| match others.as_ref().map(|others| others[place]) {
        Some(AnswerNumber::Float { error, .. }) => *error,
        _ => f64::INFINITY,
    };
    let numbers = numbers.into_iter().enumerate();
    let parts = numbers.map(|(place, value)| Value::Real(AnswerNumber::Float { value, error: error(place) }));
    ProgramAnswer::from_value(Value::Tuple(parts.collect()))
}
