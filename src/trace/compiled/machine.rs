//! The machine: runs instructions on numbers of some kind, with or without a tape.

use super::block::{Block, compute, number};
use super::code::{CONSTANTS, Code, Function, Instruction, Register, Step};
use super::repeat::{Checkpoints, Loop, State};
use super::tape::{NOWHERE, Node, Place, Slot, Tape};
use crate::model::answer::Cause;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::stack::deep;
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::number::{Numbers, Prepared};
use std::sync::Arc;

/// How many bytes of numbers a run may keep.
const ROOM: usize = 256 << 20;
/// How deeply derivatives may lie within derivatives while a program runs.
const LEVELS: u32 = 2_000;
/// How many calls lie between two looks at the clock.
const LOOK_EVERY: u64 = 256;

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
    code: Code,
    constants: Vec<N::Number>,
    operations: Vec<Prepared<N::Number>>,
    pullbacks: Vec<Option<u32>>,
    zero: N::Number,
    values: Vec<N::Number>,
    places: Vec<Place>,
    frames: Vec<Frame>,
    pub(super) tape: Tape<N::Number>,
    /// Whether what is long becomes a loop: not where what is done on a tape is itself differentiated.
    loops: bool,
    /// How many nodes are long.
    longest: u32,
    calls: u64,
    levels: u32,
    /// What a number takes.
    bytes: usize,
}

/// Why a run stops: small, since nearly none does.
pub(super) type Stop = Box<Obstacle>;

fn out_of(what: impl std::fmt::Display) -> Stop {
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
    fn prepare(&mut self) {
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
        let node = size_of::<Node>() + self.bytes + size_of::<Option<Slot<N::Number>>>() + self.bytes;
        let registers = self.values.len() * (self.bytes + size_of::<Place>());
        if registers + self.tape.values.len() * node + self.frames.len() * size_of::<Frame>() > ROOM {
            return Err(self.full());
        }
        Ok(())
    }

    #[cold]
    fn full(&self) -> Stop {
        let (calls, room) = (self.frames.len(), ROOM >> 20);
        out_of(match calls {
            0 => format!("a tape of {} operations takes more than {room} megabytes", self.tape.values.len()),
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
            let end = base + function.registers as usize;
            let places = if TAPED { &mut self.places[base..end] } else { &mut [] };
            let mut block = Block {
                numbers: self.numbers,
                operations: &self.operations,
                constants: &self.constants,
                values: &mut self.values[base..end],
                places,
                tape: &mut self.tape,
            };
            let instruction = block.run::<TAPED>(&function.instructions, &mut next)?;
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
                    let outermost = self.frames.len() == depth;
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

    /// Runs the rest of the turns of a function without a tape, and puts them on it as one loop.
    fn looped(&mut self, function: u32, arguments: Vec<Slot<N::Number>>) -> Result<Vec<Slot<N::Number>>, Stop> {
        let inputs: Vec<_> = arguments.iter().map(|slot| self.tape.kept(&slot.value, slot.place)).collect();
        let values: Vec<_> = arguments.into_iter().map(|slot| Slot::constant(slot.value)).collect();
        let start = State { function, arguments: values.iter().map(|slot| slot.value.clone()).collect() };
        let mut checkpoints = Checkpoints::new(start);
        let tape = std::mem::take(&mut self.tape);
        let found = deep(|| self.run::<false>(function, values, Turns::Kept(&mut checkpoints)));
        self.tape = tape;
        let values = found?.slots();
        let of = self.tape.loops.len() as u32;
        self.tape.loops.push(Loop { checkpoints, inputs, results: values.len() as u32 });
        let result = |(number, slot): (u32, Slot<N::Number>)| {
            let place = self.tape.push(Node::Result { number, of }, slot.value.clone());
            Slot { place, ..slot }
        };
        Ok((0..).zip(values).map(result).collect())
    }

    /// `W.R_V(x. N)`: where there is no tape yet, on one of its own; else on the one that is there, together with the sweep.
    fn inner<const TAPED: bool>(
        &mut self,
        body: u32,
        inside: &Function,
        mut arguments: Vec<Slot<N::Number>>,
        cotangent: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        if self.levels >= LEVELS {
            return Err(out_of(format!("derivatives lie more than {LEVELS} deep within each other")));
        }
        let from = self.tape.end();
        for slot in &mut arguments[..inside.moving as usize] {
            let node = if TAPED && slot.place != NOWHERE { Node::Same(slot.place) } else { Node::Leaf };
            slot.place = self.tape.push(node, slot.value.clone());
        }
        self.levels += 1;
        let loops = self.loops;
        self.loops = loops && !TAPED;
        let found = deep(|| {
            let results = self.run::<true>(body, arguments, Turns::All)?.slots();
            self.sweep::<TAPED>(from, inside.moving, &results, cotangent)
        });
        self.loops = loops;
        self.levels -= 1;
        if !TAPED {
            self.tape.clear();
        }
        found
    }

    /// The derivative of the outermost function, and its value.
    pub(super) fn differentiated(
        &mut self,
        function: u32,
        point: Vec<N::Number>,
        cotangent: Vec<N::Number>,
    ) -> Result<[Vec<N::Number>; 2], Stop> {
        let place = |value: N::Number| Slot { place: self.tape.push(Node::Leaf, value.clone()), value };
        let arguments: Vec<_> = point.into_iter().map(place).collect();
        let moving = arguments.len() as u32;
        let results = self.run::<true>(function, arguments, Turns::All)?.slots();
        let cotangent = cotangent.into_iter().map(Slot::constant).collect();
        let found = self.sweep::<false>(0, moving, &results, cotangent)?;
        Ok([results, found].map(|slots| slots.into_iter().map(|slot| slot.value).collect()))
    }

    /// How many arguments an operation of the list has.
    pub(super) fn arity(&self, number: u32) -> usize {
        self.code.operations[number as usize].arity()
    }

    /// What an operation hands back, as a function of its arguments, its value and its cotangent.
    pub(super) fn pullback(&mut self, number: u32) -> Result<u32, Stop> {
        let number = number as usize;
        if let Some(known) = self.pullbacks[number] {
            return Ok(known);
        }
        let operation = self.code.operations[number].clone();
        let made = super::pullback(&mut self.code, &operation)?;
        self.prepare();
        self.pullbacks[number] = Some(made);
        Ok(made)
    }
}
