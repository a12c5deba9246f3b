//! Arithmetics that a tape runs on.

use super::{Kink, Products};
use crate::function::{Formula, Function, Planar, Step};
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use std::fmt::Debug;

/// Numbers, and a memory of cells for them. If a method returns `None` or `false`, the run ends without an answer.
pub(super) trait Carrier: Clone + Debug {
    /// A number.
    type Number: Clone + Debug;
    /// The memory: numbers by cells.
    type Memory: Clone + Debug;

    /// Allocates `count` cells with the number 0.
    fn memory(&self, count: usize) -> Self::Memory;
    /// Sets all cells to 0.
    fn clear(&self, memory: &mut Self::Memory);
    /// Returns the number in a cell.
    fn get(&self, memory: &Self::Memory, place: usize) -> Self::Number;
    /// Stores a number in a cell.
    fn put(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// Adds a number to a cell.
    fn add_to(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// Returns `true` if the cell is 0, so that its cotangent contributes nothing.
    fn is_zero(&self, memory: &Self::Memory, place: usize) -> bool;
    /// Stores a sum of cells and of products of cells.
    fn put_sum(&self, memory: &mut Self::Memory, place: usize, terms: &[u32], products: &Products) -> bool;
    /// Adds the cotangent in `place` to the terms of a sum and, times the other factor, to the factors of its products.
    /// Cells with `is_fixed` may be skipped.
    fn pull_sum(
        &self,
        cotangents: &mut Self::Memory,
        values: &Self::Memory,
        place: usize,
        terms: &[u32],
        products: &Products,
        is_fixed: impl Fn(u32) -> bool,
    ) -> bool;

    /// Converts a constant of a program.
    fn constant(&self, constant: &Constant) -> Self::Number;
    /// Returns p/q.
    fn fraction(&self, p: i64, q: u32) -> Self::Number;
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
    fn power(&self, a: &Self::Number, e: Exponent) -> Option<Self::Number>;
    /// Returns the derivative of x ↦ x^(p/q) at a, where its value is y; p is not 0.
    fn power_slope(&self, a: &Self::Number, y: &Self::Number, e: Exponent) -> Option<Self::Number> {
        let _ = y;
        Some(self.multiply(&self.fraction(e.numerator, e.denominator), &self.power(a, e.less())?))
    }
    /// Applies an elementary function.
    fn function(&self, f: Function, a: &Self::Number) -> Option<Self::Number>;
    /// Applies an elementary function of two variables.
    fn planar(&self, f: Planar, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
    /// Returns the sign.
    fn signum(&self, a: &Self::Number) -> Option<Self::Number>;
    /// Returns `true` if the number is positive, for a choice.
    fn is_positive(&self, a: &Self::Number) -> Option<bool>;
    /// Returns `true` if the first argument is the max or min; for abs and signum, if it is not negative.
    fn first_wins(&self, kink: Kink, a: &Self::Number, b: &Self::Number) -> Option<bool>;

    /// Returns the partial derivatives of an operation with a kink: 1, 0 or -1.
    fn slopes(&self, kink: Kink, a: &Self::Number, b: &Self::Number) -> Option<[i64; 2]> {
        Some(match (kink, self.first_wins(kink, a, b)?) {
            // a step function: its derivative is 0 away from 0
            (Kink::Signum, _) => [0, 0],
            (Kink::Abs, wins) => [if wins { 1 } else { -1 }, 0],
            (Kink::Maximum | Kink::Minimum, wins) => [i64::from(wins), i64::from(!wins)],
        })
    }

    /// Evaluates the formula of a derivative at arguments; y is the value of the function.
    fn formula(&self, formula: &Formula, x: &[Self::Number], y: &Self::Number) -> Option<Self::Number> {
        let one = || self.fraction(1, 1);
        formula.evaluate(&mut |step: Step<Option<Self::Number>>| {
            Some(match step {
                Step::Argument(index) => x[index].clone(),
                Step::Y => y.clone(),
                Step::Number(p, q) => self.fraction(p.into(), q.into()),
                Step::Pi => self.pi(),
                Step::Negate(a) => self.negate(&a?),
                Step::Add(a, b) => self.add(&a?, &b?),
                Step::Subtract(a, b) => self.subtract(&a?, &b?),
                Step::Multiply(a, b) => self.multiply(&a?, &b?),
                Step::Divide(a, b) => self.divide(&a?, &b?),
                Step::Square(a) => self.square(&a?),
                Step::Inverse(a) => self.divide(&one(), &a?),
                Step::InverseRoot(a) => self.divide(&one(), &self.function(Function::Sqrt, &a?)?),
                Step::Of(f, a) => self.function(f, &a?)?,
            })
        })
    }
}
