//! Arithmetic on plain `f64` that counts its operations.
//!
//! | operation | count |
//! |---|---|
//! | a sum, a product, a quotient, a square root, a comparison | 1 |
//! | another elementary function, a power that is not computed by these | [`FUNCTION_COUNT`] |
//! | a change of sign, a copy, an addition to a cotangent that is still 0 | 0 |

use super::carrier::TapeArithmetic;
use super::plain::{self, FloatTape};
use super::run::TapeRun;
use super::{CellIndex, KinkOperation, ProductCells, TapeCode};
use crate::function::{Function, Planar};
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
use std::cell::Cell;
use std::sync::Arc;

/// The count of an elementary function, in products. Measured: 10 to 40; a smaller count makes the law on gradients
/// stronger.
const FUNCTION_COUNT: u64 = 8;

/// Counts the value of the first output at a point, and value and gradient together.
pub(super) fn count_executed(code: &Arc<TapeCode>, x: &[f64]) -> [u64; 2] {
    let mut run = TapeRun::new(CountingArithmetic::default(), code);
    run.values[..x.len()].copy_from_slice(x);
    let known = run.run_forward(|| true);
    let value = run.carrier.0.get();
    let done = known.and_then(|()| run.sweep_back([(code.outputs[0], 1.0)], || true));
    assert!(done.is_some(), "plain numbers decide everything");
    [value, run.carrier.0.get()]
}

#[derive(Clone, Debug, Default)]
struct CountingArithmetic(Cell<u64>);

impl CountingArithmetic {
    fn add_count(&self, operations: u64) {
        self.0.set(self.0.get() + operations);
    }

    fn count_power(&self, e: RationalExponent) {
        self.add_count(plain::products_of_power(e).unwrap_or(FUNCTION_COUNT));
    }
}

impl TapeArithmetic for CountingArithmetic {
    type Number = f64;
    type Memory = Vec<f64>;

    fn new_memory(&self, count: usize) -> Vec<f64> {
        FloatTape.new_memory(count)
    }

    fn clear(&self, memory: &mut Vec<f64>) {
        FloatTape.clear(memory);
    }

    fn get(&self, memory: &Vec<f64>, place: usize) -> f64 {
        FloatTape.get(memory, place)
    }

    fn store_at(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        FloatTape.store_at(memory, place, x)
    }

    fn add_to(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        // the first cotangent of a cell is copied, later ones are added
        self.add_count(u64::from(memory[place] != 0.0));
        FloatTape.add_to(memory, place, x)
    }

    fn is_zero(&self, memory: &Vec<f64>, place: usize) -> bool {
        FloatTape.is_zero(memory, place)
    }

    fn store_sum(&self, memory: &mut Vec<f64>, place: usize, terms: &[CellIndex], products: &ProductCells) -> bool {
        // n summands take n - 1 additions
        self.add_count((terms.len() + 2 * products.len()) as u64 - 1);
        FloatTape.store_sum(memory, place, terms, products)
    }

    fn pull_back_sum(
        &self,
        cotangents: &mut Vec<f64>,
        values: &Vec<f64>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
        is_fixed: impl Fn(CellIndex) -> bool,
    ) -> bool {
        // the first addition to a cotangent is a copy
        let adds = |place: usize| u64::from(cotangents[place] != 0.0);
        terms.iter().for_each(|term| self.add_count(adds(*term as usize)));
        let moving = |place: &usize| !is_fixed(*place as CellIndex);
        products.for_each_product(|x, y| [x, y].into_iter().filter(moving).for_each(|to| self.add_count(1 + adds(to))));
        FloatTape.pull_back_sum(cotangents, values, place, terms, products, is_fixed)
    }

    fn convert_constant(&self, constant: &ExactConstant) -> f64 {
        FloatTape.convert_constant(constant)
    }

    fn convert_fraction(&self, p: i64, q: u32) -> f64 {
        FloatTape.convert_fraction(p, q)
    }

    fn pi(&self) -> f64 {
        FloatTape.pi()
    }

    fn negate(&self, a: &f64) -> f64 {
        FloatTape.negate(a)
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        self.add_count(1);
        FloatTape.add(a, b)
    }

    fn subtract(&self, a: &f64, b: &f64) -> f64 {
        self.add_count(1);
        FloatTape.subtract(a, b)
    }

    fn multiply(&self, a: &f64, b: &f64) -> f64 {
        self.add_count(1);
        FloatTape.multiply(a, b)
    }

    fn divide(&self, a: &f64, b: &f64) -> f64 {
        self.add_count(1);
        FloatTape.divide(a, b)
    }

    fn rational_power(&self, a: &f64, e: RationalExponent) -> Option<f64> {
        self.count_power(e);
        FloatTape.rational_power(a, e)
    }

    fn power_slope(&self, a: &f64, y: &f64, e: RationalExponent) -> Option<f64> {
        match plain::has_quotient_for_slope(e) {
            // a quotient and a product
            true => self.add_count(2),
            false => {
                self.add_count(1);
                self.count_power(e.minus_one());
            }
        }
        FloatTape.power_slope(a, y, e)
    }

    fn apply_function(&self, f: Function, a: &f64) -> Option<f64> {
        self.add_count(if f == Function::Sqrt { 1 } else { FUNCTION_COUNT });
        FloatTape.apply_function(f, a)
    }

    fn apply_binary(&self, f: Planar, a: &f64, b: &f64) -> Option<f64> {
        self.add_count(FUNCTION_COUNT);
        FloatTape.apply_binary(f, a, b)
    }

    fn signum(&self, a: &f64) -> Option<f64> {
        self.add_count(1);
        FloatTape.signum(a)
    }

    fn is_positive(&self, a: &f64) -> Option<bool> {
        self.add_count(1);
        FloatTape.is_positive(a)
    }

    fn first_wins(&self, kink: KinkOperation, a: &f64, b: &f64) -> Option<bool> {
        self.add_count(1);
        FloatTape.first_wins(kink, a, b)
    }
}
