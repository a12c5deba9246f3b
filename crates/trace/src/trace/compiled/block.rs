//! The interpreter of instructions without calls. It uses the frame of one function, and the tape.

use super::code::{CONSTANTS, Instruction, Register, Step};
use super::machine::Stop;
use super::tape::{NOWHERE, Place, Tape};
use crate::trace::error::Obstacle;
use crate::trace::number::{Arithmetic, Numbers, Prepared, decided};
use crate::trace::operation::{Operation, Predicate};
use crate::trace::term::Site;

/// Computes an operation.
#[inline(always)]
pub(super) fn compute<N: Numbers>(
    numbers: &N,
    operations: &[Prepared<N::Number>],
    step: Step,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, Stop> {
    match step {
        Step::Arithmetic(operation) => match numbers.at_once(operation, a, b) {
            Some(found) => Ok(found),
            None => carefully(numbers, operation, a, b),
        },
        Step::Other(number) => other(numbers, &operations[number as usize], a, b),
    }
}

/// Computes an operation of the list. Not inlined, so that the loop of the interpreter stays small.
#[inline(never)]
fn other<N: Numbers>(
    numbers: &N,
    operation: &Prepared<N::Number>,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, Stop> {
    Ok(operation.at(numbers, [a, b])?)
}

/// Adds its position to an error.
#[cold]
fn at_its_place(stop: Obstacle, site: Site) -> Stop {
    Box::new(stop.at(site))
}

/// Computes an arithmetic operation without fast path: it may be undefined, and then the error says why.
#[cold]
fn carefully<N: Numbers>(numbers: &N, operation: Arithmetic, a: &N::Number, b: &N::Number) -> Result<N::Number, Stop> {
    let of = |operation: &Operation| Prepared::new(numbers, operation).at(numbers, [a, b]);
    Ok(match operation {
        Arithmetic::Add => numbers.add(a, b),
        Arithmetic::Negate => of(&Operation::Negate)?,
        Arithmetic::Subtract => of(&Operation::Subtract)?,
        Arithmetic::Multiply => of(&Operation::Multiply)?,
        Arithmetic::Divide => of(&Operation::Divide)?,
    })
}

/// Returns the value of a register, or a constant.
#[inline]
pub(super) fn number<'n, T>(constants: &'n [T], frame: &'n [T], r: Register) -> &'n T {
    match r.checked_sub(CONSTANTS) {
        Some(constant) => &constants[constant as usize],
        None => &frame[r as usize],
    }
}

/// A record of a run, apart from the values of registers. The provided methods record nothing.
pub(super) trait Record<T> {
    /// Records that a register is copied to another one.
    #[inline(always)]
    fn moved(&mut self, to: Register, from: Register) {
        let _ = (to, from);
    }

    /// Records an operation on registers, before its result is stored. `at` returns the values of registers.
    #[inline(always)]
    fn operated<'n>(
        &mut self,
        step: Step,
        to: Register,
        [a, b]: [Register; 2],
        at: impl Fn(Register) -> &'n T,
        value: &T,
    ) where
        T: 'n,
    {
        let _ = (step, to, a, b, at, value);
    }

    /// Records the value that the instruction of this index has overwritten.
    #[inline(always)]
    fn overwritten(&mut self, instruction: usize, old: T) {
        let _ = (instruction, old);
    }
}

/// The record of runs without derivative.
pub(super) struct Nothing;

impl<T> Record<T> for Nothing {}

/// The record of runs on a tape: for each register, the index of its node.
pub(super) struct Taping<'f, T> {
    pub(super) places: &'f mut [Place],
    pub(super) tape: &'f mut Tape<T>,
}

impl<T> Taping<'_, T> {
    /// Returns the index of a register's node; constants have none.
    #[inline]
    fn place(&self, r: Register) -> Place {
        if r < CONSTANTS { self.places[r as usize] } else { NOWHERE }
    }
}

impl<T: Clone> Record<T> for Taping<'_, T> {
    #[inline(always)]
    fn moved(&mut self, to: Register, from: Register) {
        self.places[to as usize] = self.place(from);
    }

    #[inline(always)]
    fn operated<'n>(
        &mut self,
        step: Step,
        to: Register,
        [a, b]: [Register; 2],
        at: impl Fn(Register) -> &'n T,
        value: &T,
    ) where
        T: 'n,
    {
        let arguments = [(at(a), self.place(a)), (at(b), self.place(b))];
        self.places[to as usize] = self.tape.operation(step, arguments, value);
    }
}

/// The state of an interpreter: the frame of one function.
pub(super) struct Block<'f, N: Numbers, R> {
    pub(super) numbers: &'f N,
    pub(super) operations: &'f [Prepared<N::Number>],
    pub(super) constants: &'f [N::Number],
    pub(super) values: &'f mut [N::Number],
    pub(super) record: R,
}

impl<N: Numbers, R: Record<N::Number>> Block<'_, N, R> {
    /// Returns the value of a register.
    #[inline]
    fn number(&self, r: Register) -> &N::Number {
        number(self.constants, self.values, r)
    }

    /// Stores a value in a register, and records the one that it replaces.
    #[inline(always)]
    fn set(&mut self, instruction: usize, to: Register, value: N::Number) {
        let old = std::mem::replace(&mut self.values[to as usize], value);
        self.record.overwritten(instruction, old);
    }

    /// Runs to the next call, derivative or return, and returns it; `from` is then behind it. Also takes up to `turns`
    /// iterations of a tail call of the function `own` to itself.
    pub(super) fn run(
        &mut self,
        instructions: &[Instruction],
        from: &mut usize,
        (own, turns): (u32, &mut u64),
    ) -> Result<Instruction, Stop> {
        let mut next = *from;
        loop {
            let at = next;
            let instruction = &instructions[at];
            next += 1;
            match *instruction {
                Instruction::Move { to, from } => {
                    self.record.moved(to, from);
                    let value = self.number(from).clone();
                    self.set(at, to, value);
                }
                Instruction::Operate { step, to, arguments: [a, b], site } => {
                    let value = match compute(self.numbers, self.operations, step, self.number(a), self.number(b)) {
                        Ok(value) => value,
                        Err(stop) => return Err(at_its_place(*stop, site)),
                    };
                    let (constants, values) = (self.constants, &*self.values);
                    self.record.operated(step, to, [a, b], |r| number(constants, values, r), &value);
                    // The value is stored after the record is made, since `to` may be an argument, too.
                    self.set(at, to, value);
                }
                Instruction::Branch { predicate, arguments: [a, b], otherwise, site } => {
                    let (a, b) = (self.number(a), self.number(b));
                    let holds = match self.numbers.is_less_at_once(a, b) {
                        // On unequal numbers exactly one of `<` and `>` holds.
                        Some(is_less) => is_less == (predicate == Predicate::Less),
                        None => match decided(self.numbers, predicate, [a, b]) {
                            Ok(holds) => holds,
                            Err(stop) => return Err(at_its_place(stop, site)),
                        },
                    };
                    if !holds {
                        next = otherwise as usize;
                    }
                }
                Instruction::Jump(target) => next = target as usize,
                // The parameters are in place already, so an iteration is a jump to the first instruction.
                Instruction::Repeat(function) if function == own && *turns > 0 => {
                    *turns -= 1;
                    next = 0;
                }
                other => {
                    *from = next;
                    return Ok(other);
                }
            }
        }
    }
}
