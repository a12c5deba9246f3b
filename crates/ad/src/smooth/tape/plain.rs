//! Tapes on plain `f64`.

use super::carrier::TapeArithmetic;
use super::{CellIndex, KinkOperation, ProductCells};
use crate::function::{Function, Planar};
use crate::number::balls::MidpointArithmetic;
use crate::number::double::{Double, eval_binary_nearest, eval_nearest, eval_power_nearest};
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;

/// Arithmetic on `f64`, not certified.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatTape;

impl TapeArithmetic for FloatTape {
    type Number = f64;
    type Memory = Vec<f64>;

    fn new_memory(&self, count: usize) -> Vec<f64> {
        vec![0.0; count]
    }

    fn clear(&self, memory: &mut Vec<f64>) {
        memory.fill(0.0);
    }

    #[inline(always)]
    fn get(&self, memory: &Vec<f64>, place: usize) -> f64 {
        memory[place]
    }

    #[inline(always)]
    fn store_at(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        memory[place] = *x;
        true
    }

    #[inline(always)]
    fn add_to(&self, memory: &mut Vec<f64>, place: usize, x: &f64) -> bool {
        memory[place] += x;
        true
    }

    #[inline(always)]
    fn is_zero(&self, memory: &Vec<f64>, place: usize) -> bool {
        memory[place] == 0.0
    }

    fn store_sum(&self, v: &mut Vec<f64>, place: usize, terms: &[CellIndex], products: &ProductCells) -> bool {
        let terms: f64 = terms.iter().map(|term| v[*term as usize]).sum();
        v[place] = terms
            + match products {
                ProductCells::Rows(x, y, count) => Double.dot_rows(cell_row(v, *x, *count), cell_row(v, *y, *count)),
                ProductCells::Pairs(pairs) => pairs.iter().map(|(x, y)| v[*x as usize] * v[*y as usize]).sum(),
            };
        true
    }

    fn pull_back_sum(
        &self,
        g: &mut Vec<f64>,
        v: &Vec<f64>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
        is_fixed: impl Fn(CellIndex) -> bool,
    ) -> bool {
        let w = g[place];
        terms.iter().for_each(|term| g[*term as usize] += w);
        match products {
            ProductCells::Rows(x, y, count) => {
                for (to, from) in [(*x, *y), (*y, *x)].into_iter().filter(|(to, _)| !is_fixed(*to)) {
                    let to = &mut g[to as usize..][..*count as usize];
                    to.iter_mut().zip(cell_row(v, from, *count)).for_each(|(to, x)| *to += w * x);
                }
            }
            ProductCells::Pairs(pairs) => {
                for (x, y) in pairs {
                    g[*x as usize] += w * v[*y as usize];
                    g[*y as usize] += w * v[*x as usize];
                }
            }
        }
        true
    }

    fn convert_constant(&self, constant: &ExactConstant) -> f64 {
        let enclosure = constant.enclose_in(&Double);
        // the middle; halves first, so that the largest constants do not overflow
        0.5 * enclosure.lo() + 0.5 * enclosure.hi()
    }

    fn convert_fraction(&self, p: i64, q: u32) -> f64 {
        p as f64 / f64::from(q)
    }

    fn pi(&self) -> f64 {
        std::f64::consts::PI
    }

    #[inline(always)]
    fn negate(&self, a: &f64) -> f64 {
        -a
    }

    #[inline(always)]
    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    #[inline(always)]
    fn subtract(&self, a: &f64, b: &f64) -> f64 {
        a - b
    }

    #[inline(always)]
    fn multiply(&self, a: &f64, b: &f64) -> f64 {
        a * b
    }

    #[inline(always)]
    fn divide(&self, a: &f64, b: &f64) -> f64 {
        a / b
    }

    fn rational_power(&self, a: &f64, e: RationalExponent) -> Option<f64> {
        Some(float_power(*a, e))
    }

    fn power_slope(&self, a: &f64, y: &f64, e: RationalExponent) -> Option<f64> {
        let factor = self.convert_fraction(e.numerator, e.denominator);
        Some(match () {
            // e·y/x, where that is cheaper than another power; at 0 the limit
            () if !has_quotient_for_slope(e) => factor * float_power(*a, e.minus_one()),
            () if *a != 0.0 || e.numerator < 0 => factor * (y / a),
            () if factor > 1.0 => 0.0,
            () => f64::INFINITY,
        })
    }

    fn apply_function(&self, f: Function, a: &f64) -> Option<f64> {
        Some(eval_nearest(f, *a))
    }

    fn apply_binary(&self, f: Planar, a: &f64, b: &f64) -> Option<f64> {
        Some(eval_binary_nearest(f, *a, *b))
    }

    fn signum(&self, a: &f64) -> Option<f64> {
        // `f64::signum` of 0 is 1; here it is 0, with the sign of the zero
        Some(if *a == 0.0 || a.is_nan() { *a } else { a.signum() })
    }

    #[inline(always)]
    fn is_positive(&self, a: &f64) -> Option<bool> {
        Some(*a > 0.0)
    }

    /// NaN wins, so that it is not lost.
    #[inline(always)]
    fn first_wins(&self, kink: KinkOperation, a: &f64, b: &f64) -> Option<bool> {
        Some(match kink {
            KinkOperation::Maximum => *a >= *b || a.is_nan(),
            KinkOperation::Minimum => *a <= *b || a.is_nan(),
            KinkOperation::Abs | KinkOperation::Signum => *a >= 0.0 || a.is_nan(),
        })
    }
}

fn cell_row(v: &[f64], from: CellIndex, count: u32) -> &[f64] {
    &v[from as usize..][..count as usize]
}

/// Returns x^(p/q). Negative numbers have a power if q is odd.
pub(super) fn float_power(x: f64, e: RationalExponent) -> f64 {
    match (e.numerator, e.denominator) {
        // correctly rounded powers take longest where the result is exact, so these are multiplied out
        (0, 1) => 1.0,
        (1, 1) => x,
        (-1, 1) => 1.0 / x,
        (-2, 1) => 1.0 / (x * x),
        (2, 1) => x * x,
        (3, 1) => x * x * x,
        (p, 1) => eval_power_nearest(x, p as f64),
        (1, 2) => x.sqrt(),
        (-1, 2) => 1.0 / x.sqrt(),
        (3, 2) => x * x.sqrt(),
        (p, q) => {
            let y = p as f64 / f64::from(q);
            match (x < 0.0, q % 2, p % 2) {
                (false, ..) => eval_power_nearest(x, y),
                (true, 0, _) => f64::NAN,
                (true, _, 0) => eval_power_nearest(-x, y),
                (true, ..) => -eval_power_nearest(-x, y),
            }
        }
    }
}

/// Returns the number of products, quotients and square roots in [`power`]. Returns `None` for other powers.
pub(super) fn products_of_power(e: RationalExponent) -> Option<u64> {
    match (e.numerator, e.denominator) {
        (0 | 1, 1) => Some(0),
        (-1 | 2, 1) | (1, 2) => Some(1),
        (-2 | 3, 1) | (-1 | 3, 2) => Some(2),
        _ => None,
    }
}

/// Returns `true` if the derivative of x^e is computed as e·y/x, for its value y, away from 0: where another power
/// would take more.
pub(super) fn has_quotient_for_slope(e: RationalExponent) -> bool {
    products_of_power(e.minus_one()).is_none_or(|products| products > 1)
}
