//! What a tape runs on.

use super::{Kink, Products};
use crate::function::{Formula, Function, Planar, Step};
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use std::fmt::Debug;

/// Numbers, and a memory of them by places. Where a method answers `None` or `false` the run is over, without an answer.
pub(super) trait Carrier: Clone + Debug {
    /// A number.
    type Number: Clone + Debug;
    /// Numbers by places.
    type Memory: Clone + Debug;

    /// So many times 0.
    fn memory(&self, count: usize) -> Self::Memory;
    /// All become 0.
    fn clear(&self, memory: &mut Self::Memory);
    /// The number at a place.
    fn get(&self, memory: &Self::Memory, place: usize) -> Self::Number;
    /// A number is put at a place.
    fn put(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// A number is added to the one at a place.
    fn add_to(&self, memory: &mut Self::Memory, place: usize, x: &Self::Number) -> bool;
    /// Whether the number at a place is 0, so that there is nothing to be handed on.
    fn is_zero(&self, memory: &Self::Memory, place: usize) -> bool;
    /// The sum of numbers and of products of numbers is put at a place.
    fn put_sum(&self, memory: &mut Self::Memory, place: usize, terms: &[u32], products: &Products) -> bool;
    /// What stands at a place is added to the terms of a sum, and, times the other factor, to the factors of its products;
    /// `is_fixed` are the places that nothing is added to.
    fn pull_sum(
        &self,
        cotangents: &mut Self::Memory,
        values: &Self::Memory,
        place: usize,
        terms: &[u32],
        products: &Products,
        is_fixed: impl Fn(u32) -> bool,
    ) -> bool;

    /// A constant of a program.
    fn constant(&self, constant: &Constant) -> Self::Number;
    /// p/q
    fn fraction(&self, p: i64, q: u32) -> Self::Number;
    /// π
    fn pi(&self) -> Self::Number;
    /// -a
    fn negate(&self, a: &Self::Number) -> Self::Number;
    /// a + b
    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a - b
    fn subtract(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a·b
    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a²
    fn square(&self, a: &Self::Number) -> Self::Number {
        self.multiply(a, a)
    }
    /// a/b
    fn divide(&self, a: &Self::Number, b: &Self::Number) -> Self::Number;
    /// a^(p/q)
    fn power(&self, a: &Self::Number, e: Exponent) -> Option<Self::Number>;
    /// The slope of x ↦ x^(p/q) at a, where it has the value y; p is not 0.
    fn power_slope(&self, a: &Self::Number, y: &Self::Number, e: Exponent) -> Option<Self::Number> {
        let _ = y;
        Some(self.multiply(&self.fraction(e.numerator, e.denominator), &self.power(a, e.less())?))
    }
    /// An elementary function.
    fn function(&self, f: Function, a: &Self::Number) -> Option<Self::Number>;
    /// An elementary function of two variables.
    fn planar(&self, f: Planar, a: &Self::Number, b: &Self::Number) -> Option<Self::Number>;
    /// The sign.
    fn signum(&self, a: &Self::Number) -> Option<Self::Number>;
    /// Whether a number is positive, for a choice.
    fn is_positive(&self, a: &Self::Number) -> Option<bool>;
    /// Whether the first number wins a max or a min, or is not negative.
    fn first_wins(&self, kink: Kink, a: &Self::Number, b: &Self::Number) -> Option<bool>;

    /// The partial derivatives of an operation with a kink, which are 1, 0 or -1.
    fn slopes(&self, kink: Kink, a: &Self::Number, b: &Self::Number) -> Option<[i64; 2]> {
        Some(match (kink, self.first_wins(kink, a, b)?) {
            (Kink::Signum, _) => [0, 0],
            (Kink::Abs, wins) => [if wins { 1 } else { -1 }, 0],
            (Kink::Maximum | Kink::Minimum, wins) => [i64::from(wins), i64::from(!wins)],
        })
    }

    /// A formula at arguments, where the function whose slope it is has the value y.
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
