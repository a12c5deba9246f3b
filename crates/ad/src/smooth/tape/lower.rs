//! Compilation of a map to a tape: finds sums of products, and assigns cells so that their factors are contiguous.

use super::{Code, Formulas, Kink, Operation, Place, Products, Sum, Tape, TapeError};
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::smooth::program::{Block, Instruction, Program, Register};
use crate::smooth::reverse::{expands_exactly, without_derivatives};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The least number of products of a sum that becomes one operation. A choice: shorter sums gain nothing.
const FEWEST: usize = 4;

impl Tape {
    /// Compiles the map `inputs ↦ outputs`.
    ///
    /// # Errors
    /// [`TapeError`] for integrals, roots, optima and primitives from outside.
    pub fn of(inputs: &[Variable], outputs: &[Graph]) -> Result<Self, TapeError> {
        let written = without_derivatives(outputs);
        let program = Program::compile(inputs, &written);
        let block = &program.root;
        let mut lowering = Lowering {
            block,
            uses: uses(block),
            absorbed: vec![false; block.instructions.len()],
            sums: Vec::new(),
            sum_of: vec![None; block.instructions.len()],
        };
        lowering.find_sums();
        let code = lowering.code(&program, expands_exactly(outputs))?;
        Ok(Self::new(code, Arc::new(Formulas { inputs: inputs.to_vec(), outputs: written })))
    }
}

/// Counts the reads of each register, outputs included.
fn uses(block: &Block) -> Vec<u32> {
    let mut uses = vec![0; block.parameters + block.instructions.len()];
    let mut read = |r: Register| uses[r.0 as usize] += 1;
    for instruction in &block.instructions {
        instruction.reads(|register, _| read(register));
    }
    block.outputs.iter().for_each(|r| read(*r));
    uses
}

/// A sum of products of registers.
#[derive(Default)]
struct Found {
    terms: Vec<Register>,
    products: Vec<(Register, Register)>,
}

/// A function that selects one factor of a product.
type Side = fn(&(Register, Register)) -> Register;

const SIDES: [Side; 2] = [|pair| pair.0, |pair| pair.1];

struct Lowering<'b> {
    block: &'b Block,
    uses: Vec<u32>,
    /// `true` for instructions that are part of a sum.
    absorbed: Vec<bool>,
    sums: Vec<Found>,
    /// The index of the sum that an instruction computes.
    sum_of: Vec<Option<usize>>,
}

impl Lowering<'_> {
    fn index(&self, r: Register) -> Option<usize> {
        (r.0 as usize).checked_sub(self.block.parameters)
    }

    fn instruction(&self, r: Register) -> Option<&Instruction> {
        self.block.instructions.get(self.index(r)?)
    }

    /// Finds the sums from the end: the last addition of a sum comes after its summands.
    fn find_sums(&mut self) {
        for index in (0..self.block.instructions.len()).rev() {
            if self.absorbed[index] || !matches!(self.block.instructions[index], Instruction::Binary(Binary::Add, ..)) {
                continue;
            }
            let (found, inside) = self.sum(index);
            if found.products.len() >= FEWEST {
                inside.into_iter().for_each(|part| self.absorbed[part] = true);
                self.sum_of[index] = Some(self.sums.len());
                self.sums.push(found);
            }
        }
    }

    /// Returns the summands of an addition, and the instructions that are used by it alone.
    fn sum(&self, index: usize) -> (Found, Vec<usize>) {
        let (mut found, mut inside) = (Found::default(), Vec::new());
        let Instruction::Binary(_, x, y) = self.block.instructions[index] else { return (found, inside) };
        // a stack with the left operand on top keeps the order of the summands
        let mut waiting = vec![y, x];
        while let Some(r) = waiting.pop() {
            let own = self.index(r).filter(|_| self.uses[r.0 as usize] == 1);
            match (own, self.instruction(r)) {
                (Some(part), Some(Instruction::Binary(Binary::Add, x, y))) => {
                    inside.push(part);
                    waiting.extend([*y, *x]);
                }
                (Some(part), Some(Instruction::Binary(Binary::Multiply, x, y))) => {
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
    fn constants(&self, found: &Found, side: Side) -> Option<Vec<u32>> {
        let constant = |pair| match self.instruction(side(pair)) {
            Some(Instruction::Constant(number)) => Some(*number),
            _ => None,
        };
        found.products.iter().map(constant).collect()
    }

    fn code(&self, program: &Program, exact: bool) -> Result<Code, TapeError> {
        let block = self.block;
        let inputs = block.parameters;
        // cells in this order: inputs, constants, rows of constants, factors of sums, other results
        let mut places: Vec<Option<Place>> = vec![None; inputs + block.instructions.len()];
        let next: Cell<Place> = Cell::new(0);
        let take = |count: usize| next.replace(next.get() + count as Place);
        let give = |place: &mut Option<Place>| {
            place.get_or_insert_with(|| take(1));
        };
        places[..inputs].iter_mut().for_each(give);
        let mut constants = Vec::new();
        for (place, instruction) in places[inputs..].iter_mut().zip(&block.instructions) {
            if let Instruction::Constant(number) = instruction {
                give(place);
                constants.push(program.constants[*number as usize].clone());
            }
        }
        // data: a row of constants is stored contiguously, with repetitions; equal rows share one copy
        let mut data: FxHashMap<Vec<u32>, Place> = FxHashMap::default();
        for row in self.sums.iter().flat_map(|found| SIDES.map(|side| self.constants(found, side))).flatten() {
            data.entry(row).or_insert_with_key(|row| {
                constants.extend(row.iter().map(|number| program.constants[*number as usize].clone()));
                take(row.len())
            });
        }
        // factors of sums side by side, if they have no cell yet
        for found in self.sums.iter().rev() {
            for side in SIDES {
                found.products.iter().for_each(|pair| give(&mut places[side(pair).0 as usize]));
            }
        }
        for (index, place) in places[inputs..].iter_mut().enumerate() {
            if !self.absorbed[index] {
                give(place);
            }
        }
        let at = |r: Register| places[r.0 as usize].unwrap_or(0);
        let mut operations = Vec::new();
        let mut sums = Vec::new();
        for (index, instruction) in block.instructions.iter().enumerate() {
            // absorbed instructions are part of a sum, constants are in memory before the run
            if self.absorbed[index] || matches!(instruction, Instruction::Constant(_)) {
                continue;
            }
            let operation = match self.sum_of[index] {
                Some(number) => {
                    let found = &self.sums[number];
                    let row = |side| self.constants(found, side).and_then(|row| data.get(&row).copied());
                    sums.push(found.placed(at, SIDES.map(row), inputs as Place + constants.len() as Place));
                    Operation::Sum(sums.len() as u32 - 1)
                }
                None => operation(instruction, at)?,
            };
            operations.push((operation, at(Register((inputs + index) as u32))));
        }
        let outputs = block.outputs.iter().map(|r| at(*r)).collect();
        Ok(Code { inputs, outputs, constants, operations, sums, places: next.get() as usize, exact })
    }
}

impl Found {
    /// Assigns cells to the sum; `data` are the first cells of sides that are rows of constants. A row must not cross
    /// `border`, between constants and results: only constants have no cotangent.
    fn placed(&self, at: impl Fn(Register) -> Place, data: [Option<Place>; 2], border: Place) -> Sum {
        let place = |side: usize, i: usize| match data[side] {
            Some(row) => row + i as Place,
            None => at(SIDES[side](&self.products[i])),
        };
        let pairs: Box<[_]> = (0..self.products.len()).map(|i| (place(0, i), place(1, i))).collect();
        let follows = |a: Place, b: Place| a + 1 == b && b != border;
        let in_rows = pairs.windows(2).all(|two| follows(two[0].0, two[1].0) && follows(two[0].1, two[1].1));
        let products = match &pairs[..] {
            [(x, y), ..] if in_rows => Products::Rows(*x, *y, pairs.len() as u32),
            _ => Products::Pairs(pairs),
        };
        Sum { terms: self.terms.iter().map(|r| at(*r)).collect(), products }
    }
}

fn operation(instruction: &Instruction, at: impl Fn(Register) -> Place) -> Result<Operation, TapeError> {
    Ok(match instruction {
        Instruction::Unary(f, x) => Operation::Unary(*f, at(*x)),
        Instruction::Binary(f, x, y) => Operation::Binary(*f, at(*x), at(*y)),
        Instruction::Power(x, e) => Operation::Power(at(*x), *e),
        // a guard is the number that decides; choosing between it and itself copies it
        Instruction::Guard(x) => Operation::Select(at(*x), at(*x), at(*x)),
        Instruction::Select { guard, then, otherwise } => Operation::Select(at(*guard), at(*then), at(*otherwise)),
        Instruction::Derivative { body, at: point, along, .. } => {
            let kink = kink(body).ok_or(TapeError {
                construct: "a derivative that is not written out, such as that of a primitive from outside,",
            })?;
            let both = |registers: &[Register]| [0, registers.len() - 1].map(|i| at(registers[i]));
            Operation::Slope(kink, both(point), both(along))
        }
        Instruction::Primitive(..) => return Err(TapeError { construct: "a primitive from outside" }),
        Instruction::Second { .. } => return Err(TapeError { construct: "an integral, a root or an optimum" }),
        Instruction::Constant(_) => return Err(TapeError { construct: "a constant" }),
    })
}

/// Returns the operation with a kink that a block consists of, applied to its parameters. Returns `None` for another
/// block.
fn kink(block: &Block) -> Option<Kink> {
    match (&block.instructions[..], block.captures) {
        ([Instruction::Unary(Unary::Abs, Register(0))], 0) => Some(Kink::Abs),
        ([Instruction::Unary(Unary::Signum, Register(0))], 0) => Some(Kink::Signum),
        ([Instruction::Binary(Binary::Maximum, Register(0), Register(1))], 0) => Some(Kink::Maximum),
        ([Instruction::Binary(Binary::Minimum, Register(0), Register(1))], 0) => Some(Kink::Minimum),
        _ => None,
    }
}
