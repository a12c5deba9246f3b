//! The register machine: it runs instructions on any kind of numbers, with or without a tape.

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

/// The memory that the numbers of a run may take, in bytes. A choice.
const ROOM: usize = 256 << 20;
/// The number of calls between two checks of the clock. A choice.
const LOOK_EVERY: u64 = 256;

/// The number of instructions after which memory is checked, or after one iteration if that is longer. A choice.
const OFTEN: u64 = 1 << 16;

impl Function {
    /// Returns the number of iterations between two checks of time and memory.
    pub(super) fn turns_at_once(&self) -> u64 {
        (LOOK_EVERY - 1).min(OFTEN / self.instructions.len() as u64)
    }
}

/// The frame of a function that waits for the result of a call.
struct Frame {
    function: Arc<Function>,
    /// The index of its next instruction.
    next: usize,
    /// The position of its first register.
    base: usize,
    /// The position of the first register for its result.
    to: usize,
    /// The end of the tape when the function was called.
    mark: Place,
}

/// The number of iterations for which the outermost function of a run is run.
pub(super) enum Turns<'t, T> {
    /// All of them. On a tape, a long run becomes a loop.
    All,
    /// At most this many.
    Some(u64),
    /// All of them; states are kept at checkpoints.
    Kept(&'t mut Checkpoints<T>),
}

/// The end of a run.
/// The function returned these results.
pub(super) enum Ended<T> {
    Returned(Vec<Slot<T>>),
    /// The iterations were used up; these are the arguments of the next one.
    Repeating(Vec<Slot<T>>),
}

impl<T> Ended<T> {
    /// Returns the numbers at the end.
    pub(super) fn slots(self) -> Vec<Slot<T>> {
        match self {
            Ended::Returned(slots) | Ended::Repeating(slots) => slots,
        }
    }
}

/// A register machine in the course of a run.
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
    /// `true` if long runs become loops. `false` on a tape that an outer derivative differentiates, where a loop has no
    /// nodes.
    pub(super) loops: bool,
    /// The number of tape nodes from which a run is long.
    longest: u32,
    calls: u64,
    pub(super) levels: u32,
    /// The memory of a number, in bytes.
    bytes: usize,
}

/// An error that stops a run. Boxed, since results are many and errors rare.
pub(super) type Stop = Box<Obstacle>;

/// Returns the error for a used up resource.
pub(super) fn out_of(what: impl std::fmt::Display) -> Stop {
    Box::new(Undefined::of(Cause::Fuel, what).into())
}

impl<'m, N: Numbers> Machine<'m, N> {
    /// Creates a machine for some code, and converts its constants.
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

    /// Converts the constants and operations that were added to the code since the last call.
    pub(super) fn prepare(&mut self) {
        let known = self.constants.len();
        self.constants.extend(self.code.constants[known..].iter().map(|q| self.numbers.rational(q)));
        let known = self.operations.len();
        self.operations.extend(self.code.operations[known..].iter().map(|op| Prepared::new(self.numbers, op)));
        self.pullbacks.resize(self.operations.len(), None);
    }

    /// Counts a call, and checks time and memory.
    #[inline]
    fn call(&mut self) -> Result<(), Stop> {
        self.calls += 1;
        if self.calls.is_multiple_of(LOOK_EVERY) {
            self.look()?;
        }
        self.has_room(0)
    }

    /// Checks that there is memory for the registers, the tape, the frames and `overwritten` entries of an undo log.
    #[inline]
    pub(super) fn has_room(&self, overwritten: usize) -> Result<(), Stop> {
        // Per node: its origin and value now, and the adjoint that the sweep adds, with memory of its own.
        let node = size_of::<Node>() + self.bytes + size_of::<Option<Slot<N::Number>>>() + self.bytes;
        let registers = (self.values.len() + overwritten) * (self.bytes + size_of::<u64>());
        if registers + self.tape.values.len() * node + self.frames.len() * size_of::<Frame>() > ROOM {
            return Err(self.full(overwritten));
        }
        Ok(())
    }

    /// Returns the number of iterations that the interpreter may take before the clock, the checkpoints or the tape
    /// need attention.
    #[inline]
    fn turns<const TAPED: bool>(&self, function: &Function, outermost: bool, turns: &Turns<N::Number>) -> u64 {
        let before_the_clock = (LOOK_EVERY - 1 - self.calls % LOOK_EVERY).min(function.turns_at_once());
        let before_the_end = match turns {
            _ if !outermost => u64::MAX,
            Turns::All => u64::MAX,
            Turns::Some(left) => left - 1,
            Turns::Kept(checkpoints) => checkpoints.turns_to_skip(),
        };
        // On a tape each iteration may be the one after which the tape is too long.
        let may_be_long = TAPED && self.loops && !(outermost && matches!(turns, Turns::Some(_)));
        if may_be_long { 0 } else { before_the_clock.min(before_the_end) }
    }

    /// Returns the error for used up memory.
    #[cold]
    fn full(&self, overwritten: usize) -> Stop {
        let (calls, room) = (self.frames.len(), ROOM >> 20);
        let operations = self.tape.values.len() + overwritten;
        out_of(match calls {
            0 => format!("a tape of {operations} operations takes more than {room} megabytes"),
            _ => format!("{calls} calls lie within each other, and take more than {room} megabytes"),
        })
    }

    /// Checks the time, and pays for the calls since the last check.
    pub(super) fn look(&self) -> Result<(), Stop> {
        if self.budget.spend(LOOK_EVERY) {
            return Ok(());
        }
        Err(out_of(format!("its time was up after {} calls", self.calls)))
    }

    /// Computes an operation.
    #[inline]
    pub(super) fn compute(&self, step: Step, a: &N::Number, b: &N::Number) -> Result<N::Number, Stop> {
        compute(self.numbers, &self.operations, step, a, b)
    }

    /// Computes an operation, and adds its node to the tape.
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

    /// Returns the value of a register of the frame at `base`.
    fn register(&self, base: usize, r: Register) -> &N::Number {
        number(&self.constants, &self.values[base..], r)
    }

    /// Returns the value and the node of a register.
    fn slot<const TAPED: bool>(&self, base: usize, r: Register) -> Slot<N::Number> {
        let place = if TAPED && r < CONSTANTS { self.places[base + r as usize] } else { NOWHERE };
        Slot { value: self.register(base, r).clone(), place }
    }

    /// Returns the values and nodes of a list of registers.
    fn slots<const TAPED: bool>(&self, base: usize, list: &[Register]) -> Vec<Slot<N::Number>> {
        list.iter().map(|r| self.slot::<TAPED>(base, *r)).collect()
    }

    /// Returns the parameters of a function, from its frame.
    fn first<const TAPED: bool>(&self, base: usize, function: &Function) -> Vec<Slot<N::Number>> {
        (0..function.parameters).map(|r| self.slot::<TAPED>(base, r)).collect()
    }

    /// Stores a value with its node.
    fn set<const TAPED: bool>(&mut self, at: usize, slot: Slot<N::Number>) {
        self.values[at] = slot.value;
        if TAPED {
            self.places[at] = slot.place;
        }
    }

    /// Makes room for the registers of a function at `base`.
    fn room<const TAPED: bool>(&mut self, base: usize, function: &Function) {
        let end = base + function.registers as usize;
        if self.values.len() < end {
            self.values.resize(end, self.zero.clone());
        }
        if TAPED && self.places.len() < end {
            self.places.resize(end, NOWHERE);
        }
    }

    /// Runs a function to its end, or for some iterations. Afterwards the frames are as before, even after an error.
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

    /// Runs a function above the frames that are there.
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
        // A run without tape may have grown the values, but not the nodes.
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
            // The parts of the machine are borrowed one by one, so that the interpreter can change the frame and the
            // tape.
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
                // The interpreter ran these.
                Instruction::Move { .. }
                | Instruction::Operate { .. }
                | Instruction::Branch { .. }
                | Instruction::Jump(_) => {}
                Instruction::Call { function: called, arguments, to: result } => {
                    // The arguments are copied to the frame above, which begins behind the caller's registers.
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
                    // For iterations of the same function the frame is large enough already.
                    if called != current {
                        function = self.code.functions[called as usize].clone();
                        self.room::<TAPED>(base, &function);
                        current = called;
                    }
                    next = 0;
                    if outermost {
                        match &mut turns {
                            // The parameters are in the first registers again: this is the state at the start of the
                            // iteration.
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
                    // A part of a loop that is being run again must stay on the tape, for its sweep.
                    if is_long && !(outermost && matches!(turns, Turns::Some(_))) {
                        let arguments = self.first::<TAPED>(base, &function);
                        let results = self.looped(called, arguments)?;
                        match self.returned::<TAPED>(results, depth, to) {
                            Ok(frame) => Frame { function, next, base, to, mark } = frame,
                            Err(slots) => return Ok(Ended::Returned(slots)),
                        }
                        // As after a return below.
                        current = u32::MAX;
                    }
                }
                Instruction::Return { from } => {
                    let slots = self.slots::<TAPED>(base, function.list(from, function.results));
                    match self.returned::<TAPED>(slots, depth, to) {
                        Ok(frame) => Frame { function, next, base, to, mark } = frame,
                        Err(slots) => return Ok(Ended::Returned(slots)),
                    }
                    // The frame does not know the number of its function. With an invalid one, the next tail call looks
                    // it up.
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

    /// Stores a result in the frame of its caller, and returns that. Returns the result itself if the outermost
    /// function has ended.
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
