//! Compilation of a map to a tape: finds sums of products, and assigns cells so that their factors are contiguous.

use super::{CellIndex, KinkOperation, ProductCells, Tape, TapeCode, TapeError, TapeFormulas, TapeOperation, TapeSum};
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, CompiledMap};
use crate::smooth::reverse::{expands_exactly, without_derivatives};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

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
