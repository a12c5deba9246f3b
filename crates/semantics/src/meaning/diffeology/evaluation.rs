//! No Euclidean space is the space of functions ℝ → ℝ (H §4, App. A; H17, E39).
//!
//! The polynomials `tₙ(c)(x) = c₀ + c₁x + … + cₙxⁿ` are a smooth map ℝⁿ⁺¹ → Diff(ℝ, ℝ), and evaluation at n + 1 points is a
//! smooth linear map back to ℝⁿ⁺¹. If the matrix of the composite has rank n + 1, the composite is invertible. If Diff(ℝ, ℝ) were
//! isomorphic to ℝᵐ, the derivative of the composite would factor through ℝᵐ, so n + 1 ≤ m. This for all n is a contradiction.
//! Types whose denotations are manifolds are therefore not closed under functions.

use crate::diffeology::DiffeologyError;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::Graph;
use crate::syntax::library::Library;
use std::sync::Arc;

/// The largest n; a choice.
pub const MAX_POLYNOMIAL_DEGREE: usize = 60;

/// Returns the program of tₙ: a function of n + 1 coefficients and of x.
#[must_use]
pub fn polynomial_program(n: usize) -> String {
    let names: Vec<String> = (0..=n).map(|k| format!("c{k}")).collect();
    // Horner's scheme
    let body = names
        .iter()
        .rev()
        .fold(String::new(), |rest, c| if rest.is_empty() { c.clone() } else { format!("({c} + x * {rest})") });
    let binders: String = names.iter().map(|c| format!("\\({c} : Real) => ")).collect();
    format!("{binders}\\(x : Real) => {body}")
}

/// Returns the matrix of evaluation after tₙ, computed by the interpreter: row i is tₙ of each unit vector at the point xᵢ.
///
/// # Errors
/// [`DiffeologyError::Shape`] for n beyond [`MAX_POLYNOMIAL_DEGREE`], and for a value that is not rational;
/// [`DiffeologyError::Presheaf`] of the interpreter.
pub fn evaluation_matrix(n: usize, points: &[Rational]) -> Result<Vec<Vec<Rational>>, DiffeologyError> {
    let shape = |expected: &str, found: String| DiffeologyError::Shape { expected: expected.to_owned(), found };
    if n > MAX_POLYNOMIAL_DEGREE {
        return Err(shape("a degree of at most 60", n.to_string()));
    }
    let library = Library::default();
    let (term, _) = library.infer_expression(&polynomial_program(n)).map_err(|e| shape("a program", e.to_string()))?;
    let family = PresheafInterpreter::new(Arc::new(Budget::unlimited())).interpret_program(&term)?;
    let at = |unit: usize, x: &Rational| {
        let mut function = family.clone();
        for k in 0..=n {
            function = function.as_function()?.apply(&Element::Real(Graph::integer(i64::from(k == unit))))?;
        }
        let value = function.as_function()?.apply(&Element::Real(Graph::rational(x.clone())))?;
        // at rational arguments the graph folds to a constant
        let exact = value.as_real()?.as_rational().cloned();
        exact.ok_or_else(|| shape("a rational number", "another".to_owned()))
    };
    points.iter().map(|x| (0..=n).map(|unit| at(unit, x)).collect()).collect()
}

/// Returns the rank of a matrix of rational numbers, by Gaussian elimination.
#[must_use]
pub fn matrix_rank(mut rows: Vec<Vec<Rational>>) -> usize {
    let width = rows.iter().map(Vec::len).min().unwrap_or(0);
    let mut rank = 0;
    for column in 0..width {
        let Some(pivot) = (rank..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(rank, pivot);
        let (done, below) = rows.split_at_mut(rank + 1);
        for row in below {
            let factor = Rational::from(&row[column] / &done[rank][column]);
            for k in column..width {
                let change = Rational::from(&factor * &done[rank][k]);
                row[k] -= change;
            }
        }
        rank += 1;
    }
    rank
}
