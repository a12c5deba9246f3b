//! Instructions that call nothing: they see the frame of one function, and the tape.

use super::code::{CONSTANTS, Instruction, Register, Step};
use super::machine::Stop;
use super::tape::{NOWHERE, Place, Tape};
use crate::trace::number::{Arithmetic, Numbers, Prepared, decided};
use crate::trace::operation::{Operation, Predicate};
use crate::trace::rules::Paper;

/// The value of an operation.
#[inline]
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
        Step::Other(number) => Ok(operations[number as usize].at(numbers, [a, b])?),
    }
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

/// The part of a function that calls nothing.
pub(super) struct Block<'f, N: Numbers> {
    pub(super) numbers: &'f N,
    pub(super) operations: &'f [Prepared<N::Number>],
    pub(super) constants: &'f [N::Number],
    pub(super) values: &'f mut [N::Number],
    pub(super) places: &'f mut [Place],
    pub(super) tape: &'f mut Tape<N::Number>,
}

impl<N: Numbers> Block<'_, N> {
    #[inline]
    fn number(&self, r: Register) -> &N::Number {
        number(self.constants, self.values, r)
    }

    #[inline]
    fn place(&self, r: Register) -> Place {
        if r < CONSTANTS { self.places[r as usize] } else { NOWHERE }
    }

    /// Runs up to the next instruction of another kind, which is behind it then.
    pub(super) fn run<const TAPED: bool>(
        &mut self,
        instructions: &[Instruction],
        from: &mut usize,
    ) -> Result<Instruction, Stop> {
        let mut next = *from;
        loop {
            let instruction = &instructions[next];
            next += 1;
            match *instruction {
                Instruction::Move { to, from } => {
                    self.values[to as usize] = self.number(from).clone();
                    if TAPED {
                        self.places[to as usize] = self.place(from);
                    }
                }
                Instruction::Operate { step, to, arguments: [a, b], site } => {
                    let found = compute(self.numbers, self.operations, step, self.number(a), self.number(b));
                    let value = found.map_err(|stop| Box::new(stop.at(site)))?;
                    if TAPED {
                        let places = [a, b].map(|r| self.place(r));
                        self.places[to as usize] = NOWHERE;
                        if places != [NOWHERE; 2] {
                            let tape = &mut *self.tape;
                            let [a, b] = [a, b].map(|r| number(self.constants, self.values, r));
                            let arguments = [(a, places[0]), (b, places[1])];
                            self.places[to as usize] = tape.operation(step, arguments, &value);
                        }
                    }
                    self.values[to as usize] = value;
                }
                Instruction::Branch { predicate, arguments: [a, b], otherwise, site } => {
                    let (a, b) = (self.number(a), self.number(b));
                    let holds = match self.numbers.is_less_at_once(a, b) {
                        Some(is_less) => is_less == (predicate == Predicate::Less),
                        None => decided(self.numbers, &Paper, predicate, [a, b]).map_err(|stop| stop.at(site))?,
                    };
                    if !holds {
                        next = otherwise as usize;
                    }
                }
                Instruction::Jump(target) => next = target as usize,
                other => {
                    *from = next;
                    return Ok(other);
                }
            }
        }
    }
}
