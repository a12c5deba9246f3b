//! Faà di Bruno's formula for several variables, as in H §3.2 (after Savits 2006): the reference for [`jet`](super::jet).
//!
//! For α ≠ 0, with α¹, …, α^q all the multi-indices ≤ α but 0 (E29: the superscript r on the factors, and n arguments),
//!
//! `D^α op = α! Σ_β ∂_β op (x₀) Σ_e Π_r Π_j (1/e^r_j!) (x^j_{α^r} / α^r!)^{e^r_j}`
//!
//! where e ranges over the matrices of natural numbers with `Σ_r (Σ_j e^r_j) α^r = α`, and `β_j = Σ_r e^r_j`. There is a
//! term for each way to write α as a sum of coloured multi-indices. So this is slow, but evidently the formula of the paper.

use super::basis::{Basis, MultiIndex};
use super::block::{BlockValue, JetBlock};
use super::partial::SmoothOperation;
use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::term::Term;

/// Builds the function on jets for an operation, term by term.
#[must_use]
pub fn lift_operation(basis: &Basis, operation: &SmoothOperation) -> Term {
    let mut block = JetBlock::default();
    let arity = operation.arity();
    let point: Vec<BlockValue> = (0..arity).map(|argument| block.input(argument, 0)).collect();
    let mut result = Vec::with_capacity(basis.len());
    for index in basis.indices() {
        // the formula is for α ≠ 0; the first coordinate is the value
        if index.iter().all(|entry| *entry == 0) {
            result.push(operation.build_value(&mut block, &point));
            continue;
        }
        let mut terms = Vec::new();
        for summand in formula_terms(basis, index, arity) {
            let mut factors = block.rational(1);
            for (place, argument, exponent) in &summand.powers {
                let coordinate = block.input(*argument, *place);
                let power = block.power(coordinate, *exponent);
                factors = block.multiply(factors, power);
            }
            let partial = operation.build_partial(&mut block, &summand.beta, &point);
            let coefficient = block.rational(summand.coefficient);
            let scaled = block.multiply(coefficient, factors);
            terms.push(block.multiply(partial, scaled));
        }
        result.push(block.sum(&terms));
    }
    let names = [Name::from("x"), Name::from("y")];
    block.to_function(&names[..arity], basis.len(), &result)
}

/// Returns the number of terms of the formula for one multi-index and `arity` arguments.
#[must_use]
pub fn count_terms(basis: &Basis, index: &[usize], arity: usize) -> usize {
    exponent_matrices(basis, index, arity).len()
}

/// A term of the formula: `coefficient · ∂_β op (x₀) · Π (x^j_{α^r})^{e^r_j}`, without the partial derivative.
#[derive(Clone, Debug)]
pub struct FaaDiBrunoTerm {
    /// `α! Π 1/(e^r_j! (α^r!)^{e^r_j})`
    pub coefficient: Rational,
    /// β, the order of the partial derivative in each argument of the operation.
    pub beta: Vec<usize>,
    /// The exponents e^r_j ≠ 0, as (position of α^r in the basis, j, e^r_j).
    pub powers: Vec<(usize, usize, usize)>,
}

/// Returns the terms of the formula for a multi-index α ≠ 0 and `arity` arguments.
///
/// For α = 0 it returns one term with β = 0 and no powers, the value.
#[must_use]
pub fn formula_terms(basis: &Basis, index: &[usize], arity: usize) -> Vec<FaaDiBrunoTerm> {
    let summand = |exponents: ExponentMatrix| {
        let mut coefficient = multi_factorial(index);
        for (place, _, exponent) in &exponents.entries {
            coefficient /= multi_factorial(&[*exponent]);
            let below = multi_factorial(&basis.indices()[*place]);
            for _ in 0..*exponent {
                coefficient /= &below;
            }
        }
        FaaDiBrunoTerm { coefficient, beta: exponents.beta, powers: exponents.entries }
    };
    exponent_matrices(basis, index, arity).into_iter().map(summand).collect()
}

/// The entries ≠ 0 of one matrix e, as (position of α^r, j, e^r_j), with its β.
#[derive(Clone, Debug)]
struct ExponentMatrix {
    entries: Vec<(usize, usize, usize)>,
    beta: Vec<usize>,
}

/// Returns all matrices e for α.
fn exponent_matrices(basis: &Basis, index: &[usize], arity: usize) -> Vec<ExponentMatrix> {
    let below: Vec<usize> = (1..basis.len()).filter(|place| is_at_most(&basis.indices()[*place], index)).collect();
    let cells: Vec<(usize, usize)> = below.iter().flat_map(|place| (0..arity).map(|j| (*place, j))).collect();
    let mut found = Vec::new();
    let start = ExponentMatrix { entries: Vec::new(), beta: vec![0; arity] };
    extend_choice(basis, &cells, index.to_vec(), start, &mut found);
    found
}

/// Extends a choice for the previous cells, where `left` of α remains to be written as a sum.
fn extend_choice(
    basis: &Basis,
    cells: &[(usize, usize)],
    left: MultiIndex,
    chosen: ExponentMatrix,
    found: &mut Vec<ExponentMatrix>,
) {
    let Some((&(place, argument), rest)) = cells.split_first() else {
        if left.iter().all(|entry| *entry == 0) {
            found.push(chosen);
        }
        return;
    };
    let step = &basis.indices()[place];
    // exponent 0 for this cell, then 1, 2, … as long as the multi-index fits
    extend_choice(basis, rest, left.clone(), chosen.clone(), found);
    let mut left = left;
    for exponent in 1.. {
        if !is_at_most(step, &left) {
            return;
        }
        left.iter_mut().zip(step).for_each(|(left, step)| *left -= step);
        let mut chosen = chosen.clone();
        chosen.entries.push((place, argument, exponent));
        chosen.beta[argument] += exponent;
        extend_choice(basis, rest, left.clone(), chosen, found);
    }
}

fn is_at_most(small: &[usize], large: &[usize]) -> bool {
    small.iter().zip(large).all(|(a, b)| a <= b)
}

/// Returns α!.
fn multi_factorial(index: &[usize]) -> Rational {
    index.iter().flat_map(|entry| 1..=*entry).fold(Rational::from(1), |product, i| product * i as u64)
}
