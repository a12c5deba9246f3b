//! The machine: runs instructions on numbers of some kind, with or without a tape.

use super::block::{Block, Nothing, Taping, compute, number};
use super::code::{CONSTANTS, Code, Function, Instruction, Register, Step};
use super::repeat::{Checkpoints, State};
use super::tape::{NOWHERE, Node, Place, Slot, Tape};
use crate::model::answer::Cause;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::number::{Numbers, Prepared};
use std::sync::Arc;

/// How many bytes of numbers a run may keep.
const ROOM: usize = 256 << 20;
/// How many calls lie between two looks at the clock.
const LOOK_EVERY: u64 = 256;

/// After so many instructions somebody looks at the memory, at the latest after one turn.
const OFTEN: u64 = 1 << 16;

impl Function {
    /// How many turns it may take before somebody looks at the clock and the memory.
    pub(super) fn turns_at_once(&self) -> u64 {
        (LOOK_EVERY - 1).min(OFTEN / self.instructions.len() as u64)
    }
}

/// A function that waits for the result of another.
struct Frame {
    function: Arc<Function>,
    /// Where it goes on.
    next: usize,
    /// Its first register.
    base: usize,
    /// The first register of the result.
    to: usize,
    /// The end of the tape when it began.
    mark: Place,
}

/// How the outermost function of a run is run.
pub(super) enum Turns<'t, T> {
    /// As often as it repeats itself; on a tape what is long becomes a loop.
    All,
    /// At most so often.
    Some(u64),
    /// As often as it repeats itself, and states are kept.
    Kept(&'t mut Checkpoints<T>),
}

/// How a run has ended.
pub(super) enum Ended<T> {
    Returned(Vec<Slot<T>>),
    /// Its turns were over.
    Repeating(Vec<Slot<T>>),
}

impl<T> Ended<T> {
    pub(super) fn slots(self) -> Vec<Slot<T>> {
        match self {
            Ended::Returned(slots) | Ended::Repeating(slots) => slots,
        }
    }
}

/// A run of some code.
pub(super) struct Machine<'m, N: Numbers> {
    pub(super) numbers: &'m N,
    budget: &'m Budget,
    pub(super) code: Code,
    pub(super) constants: Vec<N::Number>,
    pub(super) operations: Vec<Prepared<N::Number>>,
    pub(super) pullbacks: Vec<Option<u32>>,
    pub(super) zero: N::Number,
    values: Vec<N::Number>,
    places: Vec<Place>,
    frames: Vec<Frame>,
    pub(super) tape: Tape<N::Number>,
    /// Whether what is long becomes a loop: not where what is done on a tape is itself differentiated.
    pub(super) loops: bool,
    /// How many nodes are long.
    longest: u32,
    calls: u64,
    pub(super) levels: u32,
    /// What a number takes.
    bytes: usize,
}

/// Why a run stops: small, since nearly none does.
pub(super) type Stop = Box<Obstacle>;

pub(super) fn out_of(what: impl std::fmt::Display) -> Stop {
    Box::new(Undefined::of(Cause::Fuel, what).into())
}

impl<'m, N: Numbers> Machine<'m, N> {
    pub(super) fn new(numbers: &'m N, budget: &'m Budget, code: &Code, longest: u32) -> Self {
        let zero = numbers.rational(&Rational::new());
        let mut machine = Machine {
            numbers,
            budget,
            code: code.clone(),
            constants: Vec::new(),
            operations: Vec::new(),
            pullbacks: Vec::new(),
            bytes: numbers.bytes(),
            zero,
            values: Vec::new(),
            places: Vec::new(),
            frames: Vec::new(),
            tape: Tape::default(),
            loops: true,
            longest,
            calls: 0,
            levels: 0,
        };
        machine.prepare();
        machine
    }

    /// The constants and operations that are new in the code, for these numbers.
    pub(super) fn prepare(&mut self) {
        let known = self.constants.len();
        self.constants.extend(self.code.constants[known..].iter().map(|q| self.numbers.rational(q)));
        let known = self.operations.len();
        self.operations.extend(self.code.operations[known..].iter().map(|op| Prepared::new(self.numbers, op)));
        self.pullbacks.resize(self.operations.len(), None);
    }

    /// Counts calls, and looks at the clock and at the memory.
    #[inline]
    fn call(&mut self) -> Result<(), Stop> {
        self.calls += 1;
        if self.calls.is_multiple_of(LOOK_EVERY) {
            self.look()?;
        }
        self.has_room(0)
    }

    /// Whether there is room for so many registers more, with the numbers of instructions.
    #[inline]
    pub(super) fn has_room(&self, overwritten: usize) -> Result<(), Stop> {
        let node = size_of::<Node>() + self.bytes + size_of::<Option<Slot<N::Number>>>() + self.bytes;
        let registers = (self.values.len() + overwritten) * (self.bytes + size_of::<u64>());
        if registers + self.tape.values.len() * node + self.frames.len() * size_of::<Frame>() > ROOM {
            return Err(self.full(overwritten));
        }
        Ok(())
    }

    /// How many turns a function may take before somebody has to look: at the clock, at the states to be kept, or at the tape.
    #[inline]
    fn turns<const TAPED: bool>(&self, function: &Function, outermost: bool, turns: &Turns<N::Number>) -> u64 {
        let before_the_clock = (LOOK_EVERY - 1 - self.calls % LOOK_EVERY).min(function.turns_at_once());
        let before_the_end = match turns {
            _ if !outermost => u64::MAX,
            Turns::All => u64::MAX,
            Turns::Some(left) => left - 1,
            Turns::Kept(checkpoints) => checkpoints.turns_to_skip(),
        };
        let may_be_long = TAPED && self.loops && !(outermost && matches!(turns, Turns::Some(_)));
        if may_be_long { 0 } else { before_the_clock.min(before_the_end) }
    }

    #[cold]
    fn full(&self, overwritten: usize) -> Stop {
        let (calls, room) = (self.frames.len(), ROOM >> 20);
        let operations = self.tape.values.len() + overwritten;
        out_of(match calls {
            0 => format!("a tape of {operations} operations takes more than {room} megabytes"),
            _ => format!("{calls} calls lie within each other, and take more than {room} megabytes"),
        })
    }

    pub(super) fn look(&self) -> Result<(), Stop> {
        if self.budget.spend(LOOK_EVERY) {
            return Ok(());
        }
        Err(out_of(format!("its time was up after {} calls", self.calls)))
    }

    /// The value of an operation.
    #[inline]
    pub(super) fn compute(&self, step: Step, a: &N::Number, b: &N::Number) -> Result<N::Number, Stop> {
        compute(self.numbers, &self.operations, step, a, b)
    }

    /// The value of an operation, and its node on the tape.
    #[inline]
    pub(super) fn operate<const TAPED: bool>(
        &mut self,
        step: Step,
        a: &Slot<N::Number>,
        b: &Slot<N::Number>,
    ) -> Result<Slot<N::Number>, Stop> {
        let value = self.compute(step, &a.value, &b.value)?;
        let place = match TAPED {
            true => self.tape.operation(step, [(&a.value, a.place), (&b.value, b.place)], &value),
            false => NOWHERE,
        };
        Ok(Slot { value, place })
    }

    fn register(&self, base: usize, r: Register) -> &N::Number {
        number(&self.constants, &self.values[base..], r)
    }

    fn slot<const TAPED: bool>(&self, base: usize, r: Register) -> Slot<N::Number> {
        let place = if TAPED && r < CONSTANTS { self.places[base + r as usize] } else { NOWHERE };
        Slot { value: self.register(base, r).clone(), place }
    }

    fn slots<const TAPED: bool>(&self, base: usize, list: &[Register]) -> Vec<Slot<N::Number>> {
        list.iter().map(|r| self.slot::<TAPED>(base, *r)).collect()
    }

    /// The parameters of a function.
    fn first<const TAPED: bool>(&self, base: usize, function: &Function) -> Vec<Slot<N::Number>> {
        (0..function.parameters).map(|r| self.slot::<TAPED>(base, r)).collect()
    }

    fn set<const TAPED: bool>(&mut self, at: usize, slot: Slot<N::Number>) {
        self.values[at] = slot.value;
        if TAPED {
            self.places[at] = slot.place;
        }
    }

    /// Room for the registers of a function from here on.
    fn room<const TAPED: bool>(&mut self, base: usize, function: &Function) {
        let end = base + function.registers as usize;
        if self.values.len() < end {
            self.values.resize(end, self.zero.clone());
        }
        if TAPED && self.places.len() < end {
            self.places.resize(end, NOWHERE);
        }
    }

    /// Runs a function to its end, or as often as is said.
    pub(super) fn run<const TAPED: bool>(
        &mut self,
        number: u32,
        arguments: Vec<Slot<N::Number>>,
        turns: Turns<N::Number>,
    ) -> Result<Ended<N::Number>, Stop> {
        let (bottom, depth) = (self.values.len(), self.frames.len());
        let found = self.run_above::<TAPED>(number, arguments, turns, (bottom, depth));
        self.values.truncate(bottom);
        self.places.truncate(bottom);
        self.frames.truncate(depth);
        found
    }

    fn run_above<const TAPED: bool>(
        &mut self,
        number: u32,
        arguments: Vec<Slot<N::Number>>,
        mut turns: Turns<N::Number>,
        (bottom, depth): (usize, usize),
    ) -> Result<Ended<N::Number>, Stop> {
        let mut current = number;
        let mut function = self.code.functions[number as usize].clone();
        let (mut base, mut next, mut to) = (bottom, 0, bottom);
        let mut mark = self.tape.end();
        if TAPED {
            self.places.resize(bottom, NOWHERE);
        }
        self.room::<TAPED>(base, &function);
        for (at, slot) in (base..).zip(arguments) {
            self.set::<TAPED>(at, slot);
        }
        loop {
            let outermost = self.frames.len() == depth;
            let may_take = self.turns::<TAPED>(&function, outermost, &turns);
            let mut left = may_take;
            let end = base + function.registers as usize;
            let (instructions, credit) = (&function.instructions, (current, &mut left));
            let (numbers, operations, constants) = (self.numbers, &self.operations[..], &self.constants[..]);
            let values = &mut self.values[base..end];
            let instruction = if TAPED {
                let record = Taping { places: &mut self.places[base..end], tape: &mut self.tape };
                Block { numbers, operations, constants, values, record }.run(instructions, &mut next, credit)?
            } else {
                Block { numbers, operations, constants, values, record: Nothing }.run(
                    instructions,
                    &mut next,
                    credit,
                )?
            };
            let taken = may_take - left;
            self.calls += taken;
            match &mut turns {
                Turns::Some(left) if outermost => *left -= taken,
                Turns::Kept(checkpoints) if outermost => checkpoints.skip(taken),
                _ => {}
            }
            match instruction {
                // these were run
                Instruction::Move { .. }
                | Instruction::Operate { .. }
                | Instruction::Branch { .. }
                | Instruction::Jump(_) => {}
                Instruction::Call { function: called, arguments, to: result } => {
                    self.call()?;
                    let callee = self.code.functions[called as usize].clone();
                    let above = base + function.registers as usize;
                    self.room::<TAPED>(above, &callee);
                    for (at, r) in (above..).zip(function.list(arguments, callee.parameters)) {
                        let slot = self.slot::<TAPED>(base, *r);
                        self.set::<TAPED>(at, slot);
                    }
                    let frame = Frame { function, next, base, to, mark };
                    self.frames.push(frame);
                    (function, base, next, to, mark) = (callee, above, 0, base + result as usize, self.tape.end());
                    current = called;
                }
                Instruction::Repeat(called) => {
                    self.call()?;
                    if called != current {
                        function = self.code.functions[called as usize].clone();
                        self.room::<TAPED>(base, &function);
                        current = called;
                    }
                    next = 0;
                    if outermost {
                        match &mut turns {
                            Turns::All => {}
                            Turns::Kept(checkpoints) => {
                                let arguments = &self.values[base..base + function.parameters as usize];
                                checkpoints.turn(|| State { function: called, arguments: arguments.to_vec() });
                            }
                            Turns::Some(left) => {
                                *left -= 1;
                                if *left == 0 {
                                    return Ok(Ended::Repeating(self.first::<TAPED>(base, &function)));
                                }
                            }
                        }
                    }
                    let is_long = TAPED && self.loops && self.tape.end() - mark > self.longest;
                    if is_long && !(outermost && matches!(turns, Turns::Some(_))) {
                        let arguments = self.first::<TAPED>(base, &function);
                        let results = self.looped(called, arguments)?;
                        match self.returned::<TAPED>(results, depth, to) {
                            Ok(frame) => Frame { function, next, base, to, mark } = frame,
                            Err(slots) => return Ok(Ended::Returned(slots)),
                        }
                        current = u32::MAX;
                    }
                }
                Instruction::Return { from } => {
                    let slots = self.slots::<TAPED>(base, function.list(from, function.results));
                    match self.returned::<TAPED>(slots, depth, to) {
                        Ok(frame) => Frame { function, next, base, to, mark } = frame,
                        Err(slots) => return Ok(Ended::Returned(slots)),
                    }
                    // the function that goes on is not the one that has returned
                    current = u32::MAX;
                }
                Instruction::Reverse { body, arguments, cotangent, to } => {
                    let inside = self.code.functions[body as usize].clone();
                    let arguments = self.slots::<TAPED>(base, function.list(arguments, inside.parameters));
                    let cotangent = self.slots::<TAPED>(base, function.list(cotangent, inside.results));
                    let found = self.inner::<TAPED>(body, &inside, arguments, cotangent)?;
                    for (at, slot) in (base + to as usize..).zip(found) {
                        self.set::<TAPED>(at, slot);
                    }
                }
            }
        }
    }

    /// Hands a result to the frame that waits for it; back to who has run the outermost function, where none does.
    fn returned<const TAPED: bool>(
        &mut self,
        slots: Vec<Slot<N::Number>>,
        depth: usize,
        to: usize,
    ) -> Result<Frame, Vec<Slot<N::Number>>> {
        if self.frames.len() == depth {
            return Err(slots);
        }
        let Some(frame) = self.frames.pop() else { return Err(slots) };
        for (at, slot) in (to..).zip(slots) {
            self.set::<TAPED>(at, slot);
        }
        Ok(frame)
    }
}
