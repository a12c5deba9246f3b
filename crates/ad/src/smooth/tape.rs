//! Maps on plain `f64`: a list of operations on numbered memory cells, run forward for the value, backward for the
//! gradient.
//!
//! The numbers are not certified: they are the results of an ordinary program, at its speed, for training or search.
//! Certified ones come from [`Map::doubles_slice`](super::map::Map::doubles_slice) and
//! [`Map::vjp`](super::map::Map::vjp) of the same map.
//!
//! | part of a map | computation |
//! |---|---|
//! | equal subterms | once, as in every [program](super::program) |
//! | sums of products | one operation; the factors are stored contiguously if possible |
//! | elementary functions | rounded correctly, so the same on every machine |
//! | `max`, `min`, `abs` at a tie | the first argument, the positive side: the rules of `float` |
//! | a choice at its boundary | the second branch |
//! | derivatives inside | expanded by [reverse mode](super::reverse) beforehand |
//! | integrals, roots, optima, primitives from outside | unsupported: [`TapeError`] |
//!
//! A run allocates nothing: a [`Tape`] owns its memory and is run by one thread; clones share the operations.

mod carrier;
mod certified;
mod count;
mod hessian;
mod lower;
mod plain;
mod run;
mod series;

pub use certified::CertifiedTape;
pub use hessian::{EnclosedHessians, Hessians};
pub use series::Series;

use crate::number::balls::{self, MidpointArithmetic};
use crate::number::work;
use crate::smooth::graph::{Binary, Graph, RationalExponent, Unary, Variable};
use crate::smooth::program::ExactConstant;
use plain::FloatTape;
use run::TapeRun;
use std::sync::Arc;

/// The reason why a map has no tape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{construct} is not computed in plain f64; ask for an enclosure by `doubles_slice` or `vjp`")]
pub struct TapeError {
    /// The unsupported construct, as a noun phrase.
    pub construct: &'static str,
}

/// The index of a memory cell of a tape: inputs first, then constants, then results.
type CellIndex = u32;

/// An operation on memory cells. The cell of its result is stored beside it.
#[derive(Clone, Copy, Debug)]
enum TapeOperation {
    Unary(Unary, CellIndex),
    Binary(Binary, CellIndex, CellIndex),
    Power(CellIndex, RationalExponent),
    /// The directional derivative of max, min, abs or signum: at two numbers, along two others.
    Slope(KinkOperation, [CellIndex; 2], [CellIndex; 2]),
    /// The second cell where the first is positive, otherwise the third.
    Select(CellIndex, CellIndex, CellIndex),
    /// A sum of cells and of products of cells: its index in the list of sums.
    Sum(u32),
}

/// An operation with a kink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KinkOperation {
    Maximum,
    Minimum,
    Abs,
    Signum,
}

/// A sum of products.
#[derive(Clone, Debug)]
struct TapeSum {
    /// The summands that are cells.
    terms: Box<[CellIndex]>,
    products: ProductCells,
}

impl TapeSum {
    fn summand_count(&self) -> usize {
        self.terms.len() + self.products.len()
    }
}

/// The factors of a sum of products.
#[derive(Clone, Debug)]
enum ProductCells {
    /// Contiguous: the first cells of both rows, and their length.
    Rows(CellIndex, CellIndex, u32),
    /// Anywhere: pairs of cells.
    Pairs(Box<[(CellIndex, CellIndex)]>),
}

impl ProductCells {
    fn len(&self) -> usize {
        match self {
            Self::Rows(_, _, count) => *count as usize,
            Self::Pairs(pairs) => pairs.len(),
        }
    }

    /// Calls `product` for each product, with the cells of its factors.
    fn for_each_product(&self, mut product: impl FnMut(usize, usize)) {
        match self {
            Self::Rows(x, y, count) => (0..*count).for_each(|i| product((x + i) as usize, (y + i) as usize)),
            Self::Pairs(pairs) => pairs.iter().for_each(|(x, y)| product(*x as usize, *y as usize)),
        }
    }

    fn as_ball_factors(&self) -> balls::ProductTerms<'_> {
        match self {
            Self::Rows(x, y, count) => balls::ProductTerms::Rows(*x as usize, *y as usize, *count as usize),
            Self::Pairs(pairs) => balls::ProductTerms::Pairs(pairs),
        }
    }
}

#[derive(Debug)]
struct TapeCode {
    inputs: usize,
    outputs: Vec<CellIndex>,
    /// The constants, in the cells after the inputs.
    constants: Vec<ExactConstant>,
    operations: Vec<(TapeOperation, CellIndex)>,
    sums: Vec<TapeSum>,
    places: usize,
    /// `true` if the tape has no value outside the domain of the map.
    exact: bool,
}

impl TapeCode {
    /// Returns `true` if a cell, or the row that begins there, holds constants. Their cotangents are not needed.
    #[inline]
    fn is_constant(&self, place: CellIndex) -> bool {
        (self.inputs..self.inputs + self.constants.len()).contains(&(place as usize))
    }

    /// Returns `true` if the tape has no branches.
    fn is_straight_line(&self) -> bool {
        let chooses = |operation: &TapeOperation| match operation {
            // the derivative of a kink is a choice between 1, 0 and -1
            TapeOperation::Slope(..) | TapeOperation::Select(..) => true,
            TapeOperation::Unary(f, _) => f.has_kink(),
            TapeOperation::Binary(f, ..) => f.has_kink() || matches!(f, Binary::Planar(_)),
            TapeOperation::Power(..) | TapeOperation::Sum(_) => false,
        };
        !self.operations.iter().any(|(operation, _)| chooses(operation))
    }

    /// Returns a lower bound of the number of sums and products in a run.
    fn operation_bound(&self) -> usize {
        self.operations.len() + self.sums.iter().map(TapeSum::summand_count).sum::<usize>()
    }
}

/// The maps of a tape, with derivatives expanded.
#[derive(Debug)]
struct TapeFormulas {
    inputs: Vec<Variable>,
    outputs: Vec<Graph>,
}

/// A map `ℝⁿ → ℝᵐ` on `f64`; see the [module](self).
#[derive(Clone, Debug)]
pub struct Tape {
    run: TapeRun<FloatTape>,
    formulas: Arc<TapeFormulas>,
}

impl Tape {
    fn new(code: TapeCode, formulas: Arc<TapeFormulas>) -> Self {
        Self { run: TapeRun::new(FloatTape, &Arc::new(code)), formulas }
    }

    fn code(&self) -> &TapeCode {
        &self.run.code
    }

    /// Returns the number n of inputs.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.code().inputs
    }

    /// Returns the number m of outputs.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.code().outputs.len()
    }

    /// Returns the same map on enclosures, in one precision.
    #[must_use]
    pub fn to_certified<T: MidpointArithmetic>(&self, tier: T) -> CertifiedTape<T> {
        CertifiedTape::new(tier, &self.run.code)
    }

    /// Returns a tape for the second derivatives of the first output, on plain `f64`.
    #[must_use]
    pub fn hessian_tape(&self) -> Hessians {
        Hessians::new(&self.run.code, &self.formulas)
    }

    /// Returns a tape for enclosures of the second derivatives of the first output. Returns `None` for maps that are
    /// large, have branches, or have no output.
    #[must_use]
    pub fn enclosed_hessians<T: MidpointArithmetic>(&self, tier: T) -> Option<EnclosedHessians<T>> {
        EnclosedHessians::new(tier, &self.run.code, &self.formulas)
    }

    /// Returns a tape for Taylor series up to an order, on plain `f64`: n derivatives take n² products, not 2ⁿ.
    #[must_use]
    pub fn taylor_series(&self, order: usize) -> Series {
        Series::new(&self.run.code, order)
    }

    /// Estimates the work of a run forward and back at a precision, in the work units of a
    /// [budget](crate::number::budget).
    #[must_use]
    pub fn estimate_work(&self, bits: u32) -> u64 {
        // an estimate: sums, comparisons and copies are charged as products
        let limbs = work::limb_count(bits);
        let cost = |operation: &TapeOperation| match operation {
            TapeOperation::Unary(Unary::Function(f), _) => work::function_units(*f, limbs, 0),
            TapeOperation::Binary(Binary::Planar(_), ..) => work::binary_function_units(limbs),
            TapeOperation::Binary(Binary::Divide, ..) => work::quotient_units(limbs),
            TapeOperation::Power(_, e) => {
                work::power_units(limbs, e.numerator.unsigned_abs()) + work::root_units(limbs, e.denominator)
            }
            TapeOperation::Sum(number) => {
                self.code().sums[*number as usize].products.len() as u64 * work::product_units(limbs)
            }
            _ => work::product_units(limbs),
        };
        self.code()
            .operations
            .iter()
            // value and gradient take at most four times the value (Baur and Strassen 1983)
            .map(|(operation, _)| cost(operation).saturating_mul(4))
            .fold(0, u64::saturating_add)
    }

    /// Returns the number of operations in a run; a sum of products is one.
    #[must_use]
    pub fn operation_count(&self) -> usize {
        self.code().operations.len()
    }

    /// Returns the number of sums and products for the value of the first output at x, and for value and gradient. An
    /// elementary function counts as eight. A gradient takes at most four times as many as the value, for any number of
    /// inputs (Baur and Strassen 1983); this is a law.
    ///
    /// # Panics
    /// If `x` has not n numbers, or there is no output.
    #[must_use]
    pub fn count_executed(&self, x: &[f64]) -> [u64; 2] {
        assert_eq!(x.len(), self.input_count(), "the point has another number of components");
        count::count_executed(&self.run.code, x)
    }

    /// Computes the value at x.
    ///
    /// # Panics
    /// If `x` has not n numbers, or `y` not m.
    pub fn value(&mut self, x: &[f64], y: &mut [f64]) {
        self.run_forward(x);
        assert_eq!(y.len(), self.output_count(), "the value has another number of components");
        for (y, place) in y.iter_mut().zip(&self.run.code.outputs) {
            *y = self.run.values[*place as usize];
        }
    }

    /// Computes `J(x)ᵗ·w` by one reverse sweep, after the value.
    ///
    /// # Panics
    /// If `x` or the gradient has not n numbers, or `w` not m.
    pub fn vjp(&mut self, x: &[f64], w: &[f64], gradient: &mut [f64]) {
        self.run_forward(x);
        assert_eq!(w.len(), self.output_count(), "the cotangent has another number of components");
        let code = self.run.code.clone();
        // an output that occurs twice gets both weights: seeds are added
        self.sweep_back(code.outputs.iter().copied().zip(w.iter().copied()));
        gradient.copy_from_slice(&self.run.cotangents[..code.inputs]);
    }

    /// Returns the first output, and computes its gradient.
    ///
    /// # Panics
    /// If `x` or the gradient has not n numbers, or there is no output.
    pub fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.run_forward(x);
        let output = self.run.code.outputs[0];
        self.sweep_back([(output, 1.0)]);
        gradient.copy_from_slice(&self.run.cotangents[..self.input_count()]);
        self.run.values[output as usize]
    }

    /// Returns the sum of the first output over rows of data, and computes its gradient in the parameters. The
    /// parameters are the first inputs; a row supplies the others. This is the loss of a minibatch.
    ///
    /// # Panics
    /// If there are more parameters than inputs, the rows are not whole, the gradient is not as long as the parameters,
    /// or there is no output.
    pub fn batch_gradient(&mut self, parameters: &[f64], rows: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, output) = (parameters.len(), self.run.code.outputs[0]);
        assert!(first <= self.input_count(), "more parameters than inputs");
        let width = self.input_count() - first;
        assert!(gradient.len() == first && rows.len().is_multiple_of(width.max(1)), "rows of another length");
        // the parameters stay in their cells: only the data are copied for each row
        gradient.fill(0.0);
        self.run.values[..first].copy_from_slice(parameters);
        let mut sum = 0.0;
        // chunks need a positive length, even if all inputs are parameters
        for row in rows.chunks_exact(width.max(1)) {
            self.run.values[first..first + width].copy_from_slice(row);
            self.evaluate_cells();
            sum += self.run.values[output as usize];
            self.sweep_back([(output, 1.0)]);
            gradient.iter_mut().zip(&self.run.cotangents).for_each(|(all, one)| *all += one);
        }
        sum
    }

    fn run_forward(&mut self, x: &[f64]) {
        let inputs = self.input_count();
        self.run.values[..inputs].copy_from_slice(x);
        self.evaluate_cells();
    }

    fn evaluate_cells(&mut self) {
        let done = self.run.run_forward(|| true);
        // every comparison of `f64` has an answer, also for NaN
        assert!(done.is_some(), "plain numbers decide everything");
    }

    fn sweep_back(&mut self, seeds: impl IntoIterator<Item = (CellIndex, f64)>) {
        let done = self.run.sweep_back(seeds, || true);
        assert!(done.is_some(), "plain numbers decide everything");
    }
}
