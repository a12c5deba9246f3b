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
//!
//! # Compilation of a map to a tape
//!
//! Finds sums of products, and assigns cells so that their factors are contiguous.
//!
//! # Execution of a tape
//!
//! Forward for the values, and a reverse sweep for the gradient.
//!
//! # Arithmetics that a tape runs
//!
//! Arithmetics that a tape runs on.
//!
//! A run forward and a sweep back are written once, over a `Carrier`: doubles, doubles with derivatives in several
//! directions (for Hessians), truncated power series, and enclosures. A carrier decides which operand of a kink
//! counts. It may answer that it does not know; then the tape has no answer.
//!
//! # Tapes on plain `f64`
//!
//! # Arithmetic on plain `f64` that counts its operations
//!
//! | operation | count |
//! |---|---|
//! | a sum, a product, a quotient, a square root, a comparison | 1 |
//! | another elementary function, a power that is not computed by these | `FUNCTION_COUNT` |
//! | a change of sign, a copy, an addition to a cotangent that is still 0 | 0 |

mod certified;
mod hessian;
mod series;

use crate::function::{Formula, FormulaStep, Function, Planar};
use crate::number::balls::MidpointArithmetic;
use crate::number::double::{Double, eval_binary_nearest, eval_nearest, eval_power_nearest};
use crate::number::{balls, budget};
use crate::smooth::graph::{Binary, Graph, RationalExponent, Unary, Variable};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, CompiledMap, ExactConstant};
use crate::smooth::reverse::{expands_exactly, without_derivatives};
pub use certified::CertifiedTape;
pub use hessian::{EnclosedHessians, Hessians};
use rustc_hash::FxHashMap;
pub use series::Series;
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

/// The reason why a map has no tape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{construct} has no value in plain f64: ask for an enclosure")]
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
    /// [budget].
    #[must_use]
    pub fn estimate_work(&self, bits: u32) -> u64 {
        // an estimate: sums, comparisons and copies are charged as products
        let limbs = budget::limb_count(bits);
        let cost = |operation: &TapeOperation| match operation {
            TapeOperation::Unary(Unary::Function(f), _) => budget::function_units(*f, limbs, 0),
            TapeOperation::Binary(Binary::Planar(_), ..) => budget::binary_function_units(limbs),
            TapeOperation::Binary(Binary::Divide, ..) => budget::quotient_units(limbs),
            TapeOperation::Power(_, e) => {
                budget::power_units(limbs, e.numerator.unsigned_abs()) + budget::root_units(limbs, e.denominator)
            }
            TapeOperation::Sum(number) => {
                self.code().sums[*number as usize].products.len() as u64 * budget::product_units(limbs)
            }
            _ => budget::product_units(limbs),
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
        count_executed(&self.run.code, x)
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
        // rows of no numbers hold none: `is_multiple_of(0)` is `true` for 0 alone
        assert!(gradient.len() == first && rows.len().is_multiple_of(width), "rows of another length");
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

/// The least number of products of a sum that becomes one operation. A choice: shorter sums gain nothing.
const MIN_SUM_PRODUCTS: usize = 4;

impl Tape {
    /// Compiles the map `inputs ↦ outputs`.
    ///
    /// # Errors
    /// [`TapeError`] for integrals, roots, optima and primitives from outside.
    pub fn compile_map(inputs: &[Variable], outputs: &[Graph]) -> Result<Self, TapeError> {
        let written = without_derivatives(outputs);
        let program = CompiledMap::compile(inputs, &written);
        let block = &program.root;
        let mut lowering = TapeLowering {
            block,
            uses: count_reads(block),
            absorbed: vec![false; block.instructions.len()],
            sums: Vec::new(),
            sum_of: vec![None; block.instructions.len()],
        };
        lowering.find_sums();
        let code = lowering.build_code(&program, expands_exactly(outputs))?;
        Ok(Self::new(code, Arc::new(TapeFormulas { inputs: inputs.to_vec(), outputs: written })))
    }
}

/// Counts the reads of each register, outputs included.
fn count_reads(block: &Block) -> Vec<u32> {
    let mut uses = vec![0; block.parameters + block.instructions.len()];
    let mut read = |r: BlockRegister| uses[r.0 as usize] += 1;
    for instruction in &block.instructions {
        instruction.for_each_read(|register, _| read(register));
    }
    block.outputs.iter().for_each(|r| read(*r));
    uses
}

/// A sum of products of registers.
#[derive(Default)]
struct RegisterSum {
    terms: Vec<BlockRegister>,
    products: Vec<(BlockRegister, BlockRegister)>,
}

/// A function that selects one factor of a product.
type FactorSelector = fn(&(BlockRegister, BlockRegister)) -> BlockRegister;

const FACTOR_SELECTORS: [FactorSelector; 2] = [|pair| pair.0, |pair| pair.1];

struct TapeLowering<'b> {
    block: &'b Block,
    uses: Vec<u32>,
    /// `true` for instructions that are part of a sum.
    absorbed: Vec<bool>,
    sums: Vec<RegisterSum>,
    /// The index of the sum that an instruction computes.
    sum_of: Vec<Option<usize>>,
}

impl TapeLowering<'_> {
    fn instruction_index(&self, r: BlockRegister) -> Option<usize> {
        (r.0 as usize).checked_sub(self.block.parameters)
    }

    fn instruction_at(&self, r: BlockRegister) -> Option<&BlockInstruction> {
        self.block.instructions.get(self.instruction_index(r)?)
    }

    /// Finds the sums from the end: the last addition of a sum comes after its summands.
    fn find_sums(&mut self) {
        for index in (0..self.block.instructions.len()).rev() {
            if self.absorbed[index]
                || !matches!(self.block.instructions[index], BlockInstruction::Binary(Binary::Add, ..))
            {
                continue;
            }
            let (found, inside) = self.collect_sum(index);
            if found.products.len() >= MIN_SUM_PRODUCTS {
                inside.into_iter().for_each(|part| self.absorbed[part] = true);
                self.sum_of[index] = Some(self.sums.len());
                self.sums.push(found);
            }
        }
    }

    /// Returns the summands of an addition, and the instructions that are used by it alone.
    fn collect_sum(&self, index: usize) -> (RegisterSum, Vec<usize>) {
        let (mut found, mut inside) = (RegisterSum::default(), Vec::new());
        let BlockInstruction::Binary(_, x, y) = self.block.instructions[index] else { return (found, inside) };
        // a stack with the left operand on top keeps the order of the summands
        let mut waiting = vec![y, x];
        while let Some(r) = waiting.pop() {
            let own = self.instruction_index(r).filter(|_| self.uses[r.0 as usize] == 1);
            match (own, self.instruction_at(r)) {
                (Some(part), Some(BlockInstruction::Binary(Binary::Add, x, y))) => {
                    inside.push(part);
                    waiting.extend([*y, *x]);
                }
                (Some(part), Some(BlockInstruction::Binary(Binary::Multiply, x, y))) => {
                    inside.push(part);
                    // the smaller register first: inputs and earlier results are often contiguous
                    let (a, b) = if y < x { (*y, *x) } else { (*x, *y) };
                    found.products.push((a, b));
                }
                _ => found.terms.push(r),
            }
        }
        (found, inside)
    }

    /// Returns the constants on one side of a sum of products. Returns `None` if some factor there is not a constant.
    fn constant_row(&self, found: &RegisterSum, side: FactorSelector) -> Option<Vec<u32>> {
        let constant = |pair| match self.instruction_at(side(pair)) {
            Some(BlockInstruction::Constant(number)) => Some(*number),
            _ => None,
        };
        found.products.iter().map(constant).collect()
    }

    fn build_code(&self, program: &CompiledMap, exact: bool) -> Result<TapeCode, TapeError> {
        let block = self.block;
        let inputs = block.parameters;
        // cells in this order: inputs, constants, rows of constants, factors of sums, other results
        let mut places: Vec<Option<CellIndex>> = vec![None; inputs + block.instructions.len()];
        let next: Cell<CellIndex> = Cell::new(0);
        let take = |count: usize| next.replace(next.get() + count as CellIndex);
        let give = |place: &mut Option<CellIndex>| {
            place.get_or_insert_with(|| take(1));
        };
        places[..inputs].iter_mut().for_each(give);
        let mut constants = Vec::new();
        for (place, instruction) in places[inputs..].iter_mut().zip(&block.instructions) {
            if let BlockInstruction::Constant(number) = instruction {
                give(place);
                constants.push(program.constants[*number as usize].clone());
            }
        }
        // data: a row of constants is stored contiguously, with repetitions; equal rows share one copy
        let mut data: FxHashMap<Vec<u32>, CellIndex> = FxHashMap::default();
        for row in
            self.sums.iter().flat_map(|found| FACTOR_SELECTORS.map(|side| self.constant_row(found, side))).flatten()
        {
            data.entry(row).or_insert_with_key(|row| {
                constants.extend(row.iter().map(|number| program.constants[*number as usize].clone()));
                take(row.len())
            });
        }
        // factors of sums side by side, if they have no cell yet
        for found in self.sums.iter().rev() {
            for side in FACTOR_SELECTORS {
                found.products.iter().for_each(|pair| give(&mut places[side(pair).0 as usize]));
            }
        }
        for (index, place) in places[inputs..].iter_mut().enumerate() {
            if !self.absorbed[index] {
                give(place);
            }
        }
        let at = |r: BlockRegister| places[r.0 as usize].unwrap_or(0);
        let mut operations = Vec::new();
        let mut sums = Vec::new();
        for (index, instruction) in block.instructions.iter().enumerate() {
            // absorbed instructions are part of a sum, constants are in memory before the run
            if self.absorbed[index] || matches!(instruction, BlockInstruction::Constant(_)) {
                continue;
            }
            let operation = match self.sum_of[index] {
                Some(number) => {
                    let found = &self.sums[number];
                    let row = |side| self.constant_row(found, side).and_then(|row| data.get(&row).copied());
                    sums.push(found.assign_cells(
                        at,
                        FACTOR_SELECTORS.map(row),
                        inputs as CellIndex + constants.len() as CellIndex,
                    ));
                    TapeOperation::Sum(sums.len() as u32 - 1)
                }
                None => lower_instruction(instruction, at)?,
            };
            operations.push((operation, at(BlockRegister((inputs + index) as u32))));
        }
        let outputs = block.outputs.iter().map(|r| at(*r)).collect();
        Ok(TapeCode { inputs, outputs, constants, operations, sums, places: next.get() as usize, exact })
    }
}

impl RegisterSum {
    /// Assigns cells to the sum; `data` are the first cells of sides that are rows of constants. A row must not cross
    /// `border`, between constants and results: only constants have no cotangent.
    fn assign_cells(
        &self,
        at: impl Fn(BlockRegister) -> CellIndex,
        data: [Option<CellIndex>; 2],
        border: CellIndex,
    ) -> TapeSum {
        let place = |side: usize, i: usize| match data[side] {
            Some(row) => row + i as CellIndex,
            None => at(FACTOR_SELECTORS[side](&self.products[i])),
        };
        let pairs: Box<[_]> = (0..self.products.len()).map(|i| (place(0, i), place(1, i))).collect();
        let follows = |a: CellIndex, b: CellIndex| a + 1 == b && b != border;
        let in_rows = pairs.windows(2).all(|two| follows(two[0].0, two[1].0) && follows(two[0].1, two[1].1));
        let products = match &pairs[..] {
            [(x, y), ..] if in_rows => ProductCells::Rows(*x, *y, pairs.len() as u32),
            _ => ProductCells::Pairs(pairs),
        };
        TapeSum { terms: self.terms.iter().map(|r| at(*r)).collect(), products }
    }
}

fn lower_instruction(
    instruction: &BlockInstruction,
    at: impl Fn(BlockRegister) -> CellIndex,
) -> Result<TapeOperation, TapeError> {
    Ok(match instruction {
        BlockInstruction::Unary(f, x) => TapeOperation::Unary(*f, at(*x)),
        BlockInstruction::Binary(f, x, y) => TapeOperation::Binary(*f, at(*x), at(*y)),
        BlockInstruction::Power(x, e) => TapeOperation::Power(at(*x), *e),
        // a guard is the number that decides; choosing between it and itself copies it
        BlockInstruction::Guard(x) => TapeOperation::Select(at(*x), at(*x), at(*x)),
        BlockInstruction::Select { guard, then, otherwise } => {
            TapeOperation::Select(at(*guard), at(*then), at(*otherwise))
        }
        BlockInstruction::Derivative { body, at: point, along, .. } => {
            let kink = kink_of_block(body).ok_or(TapeError {
                construct: "a derivative that is not written out, such as that of a primitive from outside,",
            })?;
            let both = |registers: &[BlockRegister]| [0, registers.len() - 1].map(|i| at(registers[i]));
            TapeOperation::Slope(kink, both(point), both(along))
        }
        BlockInstruction::Primitive(..) => return Err(TapeError { construct: "a primitive from outside" }),
        BlockInstruction::Second { .. } => return Err(TapeError { construct: "an integral, a root or an optimum" }),
        BlockInstruction::Constant(_) => return Err(TapeError { construct: "a constant" }),
    })
}

/// Returns the operation with a kink that a block consists of, applied to its parameters. Returns `None` for another
/// block.
fn kink_of_block(block: &Block) -> Option<KinkOperation> {
    match (&block.instructions[..], block.captures) {
        ([BlockInstruction::Unary(Unary::Abs, BlockRegister(0))], 0) => Some(KinkOperation::Abs),
        ([BlockInstruction::Unary(Unary::Signum, BlockRegister(0))], 0) => Some(KinkOperation::Signum),
        ([BlockInstruction::Binary(Binary::Maximum, BlockRegister(0), BlockRegister(1))], 0) => {
            Some(KinkOperation::Maximum)
        }
        ([BlockInstruction::Binary(Binary::Minimum, BlockRegister(0), BlockRegister(1))], 0) => {
            Some(KinkOperation::Minimum)
        }
        _ => None,
    }
}

/// The number of operations between two checks of the budget. A choice: a check is cheap, but not free.
const CHECK_STRIDE: usize = 16;

/// The memory of a tape in one arithmetic.
#[derive(Clone, Debug)]
struct TapeRun<C: TapeArithmetic> {
    carrier: C,
    code: Arc<TapeCode>,
    values: C::Memory,
    cotangents: C::Memory,
    /// `true` if the memory could store the constants of the map.
    has_constants: bool,
}

impl<C: TapeArithmetic> TapeRun<C> {
    fn new(carrier: C, code: &Arc<TapeCode>) -> Self {
        let mut values = carrier.new_memory(code.places);
        let mut has_constants = true;
        for (place, constant) in (code.inputs..).zip(&code.constants) {
            has_constants &= carrier.store_at(&mut values, place, &carrier.convert_constant(constant));
        }
        let cotangents = carrier.new_memory(code.places);
        Self { carrier, code: code.clone(), values, cotangents, has_constants }
    }

    fn value_at(&self, place: CellIndex) -> C::Number {
        self.carrier.get(&self.values, place as usize)
    }

    /// Computes the values, with the inputs in place. Returns `None` if an operation fails, or the run is stopped.
    fn run_forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.has_constants.then_some(())?;
        let code = self.code.clone();
        for (index, (operation, out)) in code.operations.iter().enumerate() {
            (index % CHECK_STRIDE != 0 || may_go_on()).then_some(())?;
            let out = *out as usize;
            let known = match *operation {
                TapeOperation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    self.carrier.store_sum(&mut self.values, out, &sum.terms, &sum.products)
                }
                // by value: the result is stored after the operands were read
                operation => {
                    let value = self.apply_operation(operation)?;
                    self.carrier.store_at(&mut self.values, out, &value)
                }
            };
            known.then_some(())?;
        }
        Some(())
    }

    #[inline]
    fn apply_operation(&self, operation: TapeOperation) -> Option<C::Number> {
        let (carrier, at) = (&self.carrier, |place| self.value_at(place));
        Some(match operation {
            TapeOperation::Unary(Unary::Negate, x) => carrier.negate(&at(x)),
            TapeOperation::Unary(Unary::Abs, x) => {
                let x = at(x);
                if carrier.first_wins(KinkOperation::Abs, &x, &x)? { x } else { carrier.negate(&x) }
            }
            TapeOperation::Unary(Unary::Signum, x) => carrier.signum(&at(x))?,
            TapeOperation::Unary(Unary::Function(f), x) => carrier.apply_function(f, &at(x))?,
            TapeOperation::Binary(f, x, y) => match f {
                Binary::Add => carrier.add(&at(x), &at(y)),
                Binary::Subtract => carrier.subtract(&at(x), &at(y)),
                Binary::Multiply if x == y => carrier.square(&at(x)),
                Binary::Multiply => carrier.multiply(&at(x), &at(y)),
                Binary::Divide => carrier.divide(&at(x), &at(y)),
                Binary::Maximum => at(self.winning_cell(KinkOperation::Maximum, x, y)?),
                Binary::Minimum => at(self.winning_cell(KinkOperation::Minimum, x, y)?),
                Binary::Planar(f) => carrier.apply_binary(f, &at(x), &at(y))?,
            },
            TapeOperation::Power(x, e) => carrier.rational_power(&at(x), e)?,
            TapeOperation::Slope(kink, x, along) => {
                let slopes = carrier.kink_slopes(kink, &at(x[0]), &at(x[1]))?;
                let [a, b] = slopes.map(|slope| carrier.convert_fraction(slope, 1));
                carrier.add(&carrier.multiply(&a, &at(along[0])), &carrier.multiply(&b, &at(along[1])))
            }
            TapeOperation::Select(guard, then, otherwise) => {
                at(if carrier.is_positive(&at(guard))? { then } else { otherwise })
            }
            TapeOperation::Sum(_) => return None,
        })
    }

    fn winning_cell(&self, kink: KinkOperation, x: CellIndex, y: CellIndex) -> Option<CellIndex> {
        Some(if self.carrier.first_wins(kink, &self.value_at(x), &self.value_at(y))? { x } else { y })
    }

    /// Computes the cotangents of the inputs from those of some cells, after the values. Returns `None` if an operation
    /// fails, or the run is stopped.
    fn sweep_back(
        &mut self,
        seeds: impl IntoIterator<Item = (CellIndex, C::Number)>,
        may_go_on: impl Fn() -> bool,
    ) -> Option<()> {
        self.carrier.clear(&mut self.cotangents);
        for (place, seed) in seeds {
            self.add_cotangent(place, &seed)?;
        }
        let code = self.code.clone();
        // cotangents that are 0 are skipped, so a branch that is not taken contributes nothing, not even 0·∞
        for (index, (operation, out)) in code.operations.iter().enumerate().rev() {
            (index % CHECK_STRIDE != 0 || may_go_on()).then_some(())?;
            if self.carrier.is_zero(&self.cotangents, *out as usize) {
                continue;
            }
            match *operation {
                TapeOperation::Sum(number) => {
                    let (sum, out) = (&code.sums[number as usize], *out as usize);
                    let Self { carrier, values, cotangents, .. } = self;
                    let is_fixed = |place| code.is_constant(place);
                    carrier.pull_back_sum(cotangents, values, out, &sum.terms, &sum.products, is_fixed).then_some(())?;
                }
                operation => {
                    let w = self.carrier.get(&self.cotangents, *out as usize);
                    self.pull_back(operation, *out, &w)?;
                }
            }
        }
        Some(())
    }

    /// Adds to the cotangent of a cell. Does nothing if the cell is a constant.
    fn add_cotangent(&mut self, place: CellIndex, cotangent: &C::Number) -> Option<()> {
        let is_fixed = self.code.is_constant(place);
        (is_fixed || self.carrier.add_to(&mut self.cotangents, place as usize, cotangent)).then_some(())
    }

    /// Adds the cotangent w of an operation, times the partial derivatives, to its operands.
    #[inline]
    fn pull_back(&mut self, operation: TapeOperation, out: CellIndex, w: &C::Number) -> Option<()> {
        match operation {
            TapeOperation::Unary(Unary::Signum, _) | TapeOperation::Sum(_) => Some(()),
            TapeOperation::Unary(Unary::Negate, x) => self.add_cotangent(x, &self.carrier.negate(w)),
            TapeOperation::Unary(Unary::Abs, x) => self.add_kink_cotangents(KinkOperation::Abs, [x, x], [x, x], w),
            TapeOperation::Unary(Unary::Function(f), x) => {
                let slope =
                    self.carrier.evaluate_formula(&f.slope_formula(), &[self.value_at(x)], &self.value_at(out))?;
                self.add_cotangent(x, &self.carrier.multiply(w, &slope))
            }
            TapeOperation::Binary(f, x, y) => self.pull_back_binary(f, [x, y], out, w),
            TapeOperation::Power(_, e) if e.numerator == 0 => Some(()),
            TapeOperation::Power(x, e) => {
                let slope = self.carrier.power_slope(&self.value_at(x), &self.value_at(out), e)?;
                self.add_cotangent(x, &self.carrier.multiply(w, &slope))
            }
            TapeOperation::Slope(kink, x, along) => self.add_kink_cotangents(kink, x, along, w),
            TapeOperation::Select(guard, then, otherwise) => {
                let side = self.carrier.is_positive(&self.value_at(guard))?;
                self.add_cotangent(if side { then } else { otherwise }, w)
            }
        }
    }

    /// Adds w times the partial derivatives of an operation with a kink.
    fn add_kink_cotangents(
        &mut self,
        kink: KinkOperation,
        x: [CellIndex; 2],
        to: [CellIndex; 2],
        w: &C::Number,
    ) -> Option<()> {
        let slopes = self.carrier.kink_slopes(kink, &self.value_at(x[0]), &self.value_at(x[1]))?;
        for (place, slope) in to.into_iter().zip(slopes) {
            match slope {
                0 => {}
                1 => self.add_cotangent(place, w)?,
                _ => self.add_cotangent(place, &self.carrier.negate(w))?,
            }
        }
        Some(())
    }

    #[inline]
    fn pull_back_binary(&mut self, f: Binary, [x, y]: [CellIndex; 2], out: CellIndex, w: &C::Number) -> Option<()> {
        let carrier = &self.carrier;
        let [first, second] = match f {
            Binary::Add => [w.clone(), w.clone()],
            Binary::Subtract => [w.clone(), carrier.negate(w)],
            Binary::Multiply => [carrier.multiply(w, &self.value_at(y)), carrier.multiply(w, &self.value_at(x))],
            // the quotient is the value in `out`: ∂(a/b)/∂b = -(a/b)/b
            Binary::Divide => {
                let quotient = carrier.divide(w, &self.value_at(y));
                let second = carrier.negate(&carrier.multiply(&quotient, &self.value_at(out)));
                [quotient, second]
            }
            Binary::Maximum => return self.add_cotangent(self.winning_cell(KinkOperation::Maximum, x, y)?, w),
            Binary::Minimum => return self.add_cotangent(self.winning_cell(KinkOperation::Minimum, x, y)?, w),
            Binary::Planar(f) => {
                let (at, value, [first, second]) =
                    ([self.value_at(x), self.value_at(y)], self.value_at(out), f.slope_formulas());
                let slope = |slope| Some(carrier.multiply(w, &carrier.evaluate_formula(slope, &at, &value)?));
                [slope(first)?, slope(second)?]
            }
        };
        self.add_cotangent(x, &first)?;
        self.add_cotangent(y, &second)
    }
}

/// Numbers, and a memory of cells for them. If a method returns `None` or `false`, the run ends without an answer.
trait TapeArithmetic: Clone + Debug {
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

/// Arithmetic on `f64`, not certified.
#[derive(Clone, Copy, Debug)]
struct FloatTape;

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
fn float_power(x: f64, e: RationalExponent) -> f64 {
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
fn products_of_power(e: RationalExponent) -> Option<u64> {
    match (e.numerator, e.denominator) {
        (0 | 1, 1) => Some(0),
        (-1 | 2, 1) | (1, 2) => Some(1),
        (-2 | 3, 1) | (-1 | 3, 2) => Some(2),
        _ => None,
    }
}

/// Returns `true` if the derivative of x^e is computed as e·y/x, for its value y, away from 0: where another power
/// would take more.
fn has_quotient_for_slope(e: RationalExponent) -> bool {
    products_of_power(e.minus_one()).is_none_or(|products| products > 1)
}

/// The count of an elementary function, in products. Measured: 10 to 40; a smaller count makes the law on gradients
/// stronger.
const FUNCTION_COUNT: u64 = 8;

/// Counts the value of the first output at a point, and value and gradient together.
fn count_executed(code: &Arc<TapeCode>, x: &[f64]) -> [u64; 2] {
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
        self.add_count(products_of_power(e).unwrap_or(FUNCTION_COUNT));
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
        match has_quotient_for_slope(e) {
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
