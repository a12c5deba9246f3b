//! Arithmetics that a tape runs on.
//!
//! A run forward and a sweep back are written once, over a `Carrier`: doubles, doubles with derivatives in several
//! directions (for Hessians), truncated power series, and enclosures. A carrier decides which operand of a kink
//! counts. It may answer that it does not know; then the tape has no answer.

use super::{KinkOperation, ProductCells};
use crate::function::{Formula, FormulaStep, Function, Planar};
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
use std::fmt::Debug;

/// Numbers, and a memory of cells for them. If a method returns `None` or `false`, the run ends without an answer.
pub(super) trait TapeArithmetic: Clone + Debug {
    /// A number.
    type Number: Clone + Debug;
    /// The memory: numbers by cells.
    type Memory: Clone + Debug;

    /// Allocates `count` cells with the number 0.
    fn new_memory(&self, count: usize) -> Self::Memory;
    /// Sets all cells to 0.
    fn clear(&self, memory: &mut Self::Memory);
    /// Returns the number in a cell.
    fn get(&self, memory: &Self::Memory, place: usize) -> Self::Number;
    /// Stores a number in a cell.
    fn store_at(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// Adds a number to a cell.
    fn add_to(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// Returns `true` if the cell is 0, so that its cotangent contributes nothing.
    fn is_zero(&self, memory: &Self::Memory, place: usize) -> bool;
    /// Stores a sum of cells and of products of cells.
    fn store_sum(&self, memory: &mut Self::Memory, place: usize, terms: &[u32], products: &ProductCells) -> bool;
    /// Adds the cotangent in `place` to the terms of a sum and, times the other factor, to the factors of its products.
    /// Cells with `is_fixed` may be skipped.
    fn pull_back_sum(
        &self,
        cotangents: &mut Self::Memory,
        values: &Self::Memory,
        place: usize,
        terms: &[u32],
        products: &ProductCells,
        is_fixed: impl Fn(u32) -> bool,
    ) -> bool;

    /// Converts a constant of a program.
    fn convert_constant(&self, constant: &ExactConstant) -> Self::Number;
    /// Returns p/q.
    fn convert_fraction(&self, p: i64, q: u32) -> Self::Number;
    /// Returns π.
    fn pi(&self) -> Self::Number;
    /// Returns -a.
    fn negate(&self, a: &Self::Number) -> Self::Number;
    /// Returns a + b.
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Returns a - b.
    fn subtract(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Returns a·b.
    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Returns a².
    fn square(&self, a: &Self::Number) -> Self::Number {
        self.multiply(a, a)
    }
    /// Returns a/b.
    fn divide(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// Returns a^(p/q).
    fn rational_power(&self, a: &Self::Number, e: RationalExponent) -> Option<Self::Number>;
    /// Returns the derivative of x ↦ x^(p/q) at a, where its value is y; p is not 0.
    fn power_slope(&self, a: &Self::Number, y: &Self::Number, e: RationalExponent) -> Option<Self::Number> {
        let _ = y;
        Some(self.multiply(&self.convert_fraction(e.numerator, e.denominator), &self.rational_power(a, e.minus_one())?))
    }
    /// Applies an elementary function.
    fn apply_function(&self, f: Function, a: &Self::Number) -> Option<Self::Number>;
    /// Applies an elementary function of two variables.
    fn apply_binary(&self, f: Planar, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
    /// Returns the sign.
    fn signum(&self, a: &Self::Number) -> Option<Self::Number>;
    /// Returns `true` if the number is positive, for a choice.
    fn is_positive(&self, a: &Self::Number) -> Option<bool>;
    /// Returns `true` if the first argument is the max or min; for abs and signum, if it is not negative.
    fn first_wins(&self, kink: KinkOperation, a: &Self::Number, b: &Self::Number) -> Option<bool>;

    /// Returns the partial derivatives of an operation with a kink: 1, 0 or -1.
    fn kink_slopes(&self, kink: KinkOperation, a: &Self::Number, b: &Self::Number) -> Option<[i64; 2]> {
        Some(match (kink, self.first_wins(kink, a, b)?) {
            // a step function: its derivative is 0 away from 0
            (KinkOperation::Signum, _) => [0, 0],
            (KinkOperation::Abs, wins) => [if wins { 1 } else { -1 }, 0],
            (KinkOperation::Maximum | KinkOperation::Minimum, wins) => [i64::from(wins), i64::from(!wins)],
        })
    }

    /// Evaluates the formula of a derivative at arguments; y is the value of the function.
    fn evaluate_formula(&self, formula: &Formula, x: &[Self::Number], y: &Self::Number) -> Option<Self::Number> {
        let one = || self.convert_fraction(1, 1);
        formula.eval_with(&mut |step: FormulaStep<Option<Self::Number>>| {
            Some(match step {
                FormulaStep::Argument(index) => x[index].clone(),
                FormulaStep::Y => y.clone(),
                FormulaStep::Number(p, q) => self.convert_fraction(p.into(), q.into()),
                FormulaStep::Pi => self.pi(),
                FormulaStep::Negate(a) => self.negate(&a?),
                FormulaStep::Add(a, b) => self.add(&a?, &b?),
                FormulaStep::Subtract(a, b) => self.subtract(&a?, &b?),
                FormulaStep::Multiply(a, b) => self.multiply(&a?, &b?),
                FormulaStep::Divide(a, b) => self.divide(&a?, &b?),
                FormulaStep::Square(a) => self.square(&a?),
                FormulaStep::Inverse(a) => self.divide(&one(), &a?),
                FormulaStep::InverseRoot(a) => self.divide(&one(), &self.apply_function(Function::Sqrt, &a?)?),
                FormulaStep::Apply(f, a) => self.apply_function(f, &a?)?,
            })
        })
    }
}
