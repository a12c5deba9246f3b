//! Instructions that call nothing: they see the frame of one function, and the tape.

use super::code::{CONSTANTS, Instruction, Register, Step};
use super::machine::Stop;
use super::tape::{NOWHERE, Place, Tape};
use crate::trace::error::Obstacle;
use crate::trace::number::{Arithmetic, Numbers, Prepared, decided};
use crate::trace::operation::{Operation, Predicate};
use crate::trace::term::Site;

/// The value of an operation.
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

#[inline(never)]
fn other<N: Numbers>(
    numbers: &N,
    operation: &Prepared<N::Number>,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, Stop> {
    Ok(operation.at(numbers, [a, b])?)
}

/// Says where it stands.
#[cold]
fn at_its_place(stop: Obstacle, site: Site) -> Stop {
    Box::new(stop.at(site))
}

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

/// The number of a register of a frame.
#[inline]
pub(super) fn number<'n, T>(constants: &'n [T], frame: &'n [T], r: Register) -> &'n T {
    match r.checked_sub(CONSTANTS) {
        Some(constant) => &constants[constant as usize],
        None => &frame[r as usize],
    }
}

/// What is written down of a run, beside its numbers.
pub(super) trait Record<T> {
    /// A register gets what another one has.
    #[inline(always)]
    fn moved(&mut self, to: Register, from: Register) {
        let _ = (to, from);
    }

    /// A register is about to get the value of an operation at registers, which have their numbers.
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

    /// What a register had, before the instruction of this number.
    #[inline(always)]
    fn overwritten(&mut self, instruction: usize, old: T) {
        let _ = (instruction, old);
    }
}

/// Nothing is written down.
pub(super) struct Nothing;

impl<T> Record<T> for Nothing {}

/// Operations go on a tape, and each register has a place there.
pub(super) struct Taping<'f, T> {
    pub(super) places: &'f mut [Place],
    pub(super) tape: &'f mut Tape<T>,
}

impl<T> Taping<'_, T> {
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

/// The part of a function that calls nothing.
pub(super) struct Block<'f, N: Numbers, R> {
    pub(super) numbers: &'f N,
    pub(super) operations: &'f [Prepared<N::Number>],
    pub(super) constants: &'f [N::Number],
    pub(super) values: &'f mut [N::Number],
    pub(super) record: R,
}

impl<N: Numbers, R: Record<N::Number>> Block<'_, N, R> {
    #[inline]
    fn number(&self, r: Register) -> &N::Number {
        number(self.constants, self.values, r)
    }

    #[inline(always)]
    fn set(&mut self, instruction: usize, to: Register, value: N::Number) {
        let old = std::mem::replace(&mut self.values[to as usize], value);
        self.record.overwritten(instruction, old);
    }

    /// Runs up to the next instruction of another kind, which is behind it then. As many turns of the function itself as
    /// there are left before somebody has to look are taken on the way.
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
                    self.set(at, to, value);
                }
                Instruction::Branch { predicate, arguments: [a, b], otherwise, site } => {
                    let (a, b) = (self.number(a), self.number(b));
                    let holds = match self.numbers.is_less_at_once(a, b) {
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
