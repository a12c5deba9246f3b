//! Arithmetic on plain `f64` that counts its operations.
//!
//! | operation | count |
//! |---|---|
//! | a sum, a product, a quotient, a square root, a comparison | 1 |
//! | another elementary function, a power that is not computed by these | [`FUNCTION`] |
//! | a change of sign, a copy, an addition to a cotangent that is still 0 | 0 |

use super::carrier::Carrier;
use super::plain::{self, Plain};
use super::run::Run;
use super::{Code, Kink, Place, Products};
use crate::function::{Function, Planar};
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use std::cell::Cell;
use std::sync::Arc;

/// The count of an elementary function, in products. Measured: 10 to 40; a smaller count makes the law on gradients
/// stronger.
const FUNCTION: u64 = 8;

/// Counts the value of the first output at a point, and value and gradient together.
pub(super) fn executed(code: &Arc<Code>, x: &[f64]) -> [u64; 2] {
    let mut run = Run::new(Counting::default(), code);
    run.values[..x.len()].copy_from_slice(x);
    let known = run.forward(|| true);
    let value = run.carrier.0.get();
    let done = known.and_then(|()| run.sweep([(code.outputs[0], 1.0)], || true));
    assert!(done.is_some(), "plain numbers decide everything");
    [value, run.carrier.0.get()]
}

#[derive(Clone, Debug, Default)]
struct Counting(Cell<u64>);

impl Counting {
    fn count(&self, operations: u64) {
        self.0.set(self.0.get() + operations);
    }

    fn count_power(&self, e: Exponent) {
        self.count(plain::products_of_power(e).unwrap_or(FUNCTION));
    }
}

impl Carrier for Counting {
    type Number = f64;
    type Memory = Vec<f64>;

    fn memory(&self, count: usize) -> Vec<f64> {
        Plain.memory(count)
    }

    fn clear(&self, memory: &mut Vec<f64>) {
        Plain.clear(memory);
    }

    fn get(&self, memory: &Vec<f64>, place: usize) -> f64 {
        Plain.get(memory, place)
    }

    fn put(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        Plain.put(memory, place, x)
    }

    fn add_to(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        // the first cotangent of a cell is copied, later ones are added
        self.count(u64::from(memory[place] != 0.0));
        Plain.add_to(memory, place, x)
    }

    fn is_zero(&self, memory: &Vec<f64>, place: usize) -> bool {
        Plain.is_zero(memory, place)
    }

    fn put_sum(&self, memory: &mut Vec<f64>, place: usize, terms: &[Place], products: &Products) -> bool {
        // n summands take n - 1 additions
        self.count((terms.len() + 2 * products.len()) as u64 - 1);
        Plain.put_sum(memory, place, terms, products)
    }

    fn pull_sum(
        &self,
        cotangents: &mut Vec<f64>,
        values: &Vec<f64>,
        place: usize,
        terms: &[Place],
        products: &Products,
        is_fixed: impl Fn(Place) -> bool,
    ) -> bool {
        // the first addition to a cotangent is a copy
        let adds = |place: usize| u64::from(cotangents[place] != 0.0);
        terms.iter().for_each(|term| self.count(adds(*term as usize)));
        let moving = |place: &usize| !is_fixed(*place as Place);
        products.each(|x, y| [x, y].into_iter().filter(moving).for_each(|to| self.count(1 + adds(to))));
        Plain.pull_sum(cotangents, values, place, terms, products, is_fixed)
    }

    fn constant(&self, constant: &Constant) -> f64 {
        Plain.constant(constant)
    }

    fn fraction(&self, p: i64, q: u32) -> f64 {
        Plain.fraction(p, q)
    }

    fn pi(&self) -> f64 {
        Plain.pi()
    }

    fn negate(&self, a: &f64) -> f64 {
        Plain.negate(a)
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        self.count(1);
        Plain.add(a, b)
    }

    fn subtract(&self, a: &f64, b: &f64) -> f64 {
        self.count(1);
        Plain.subtract(a, b)
    }

    fn multiply(&self, a: &f64, b: &f64) -> f64 {
        self.count(1);
        Plain.multiply(a, b)
    }

    fn divide(&self, a: &f64, b: &f64) -> f64 {
        self.count(1);
        Plain.divide(a, b)
    }

    fn power(&self, a: &f64, e: Exponent) -> Option<f64> {
        self.count_power(e);
        Plain.power(a, e)
    }

    fn power_slope(&self, a: &f64, y: &f64, e: Exponent) -> Option<f64> {
        match plain::has_quotient_for_slope(e) {
            // a quotient and a product
            true => self.count(2),
            false => {
                self.count(1);
                self.count_power(e.less());
            }
        }
        Plain.power_slope(a, y, e)
    }

    fn function(&self, f: Function, a: &f64) -> Option<f64> {
        self.count(if f == Function::Sqrt { 1 } else { FUNCTION });
        Plain.function(f, a)
    }

    fn planar(&self, f: Planar, a: &f64, b: &f64) -> Option<f64> {
        self.count(FUNCTION);
        Plain.planar(f, a, b)
    }

    fn signum(&self, a: &f64) -> Option<f64> {
        self.count(1);
        Plain.signum(a)
    }

    fn is_positive(&self, a: &f64) -> Option<bool> {
        self.count(1);
        Plain.is_positive(a)
    }

    fn first_wins(&self, kink: Kink, a: &f64, b: &f64) -> Option<bool> {
        self.count(1);
        Plain.first_wins(kink, a, b)
    }
}
