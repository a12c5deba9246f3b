//! Derivatives while a program runs: of its outermost function, of those within, and of loops.

use super::code::Function;
use super::machine::{Machine, Stop, Turns, out_of};
use super::repeat::{Checkpoints, Loop, State};
use super::tape::{NOWHERE, Node, Slot};
use crate::stack::deep;
use crate::trace::number::Numbers;

/// How deeply derivatives may lie within derivatives while a program runs.
const LEVELS: u32 = 2_000;

impl<N: Numbers> Machine<'_, N> {
    /// Runs the rest of the turns of a function without a tape, and puts them on it as one loop.
    pub(super) fn looped(
        &mut self,
        function: u32,
        arguments: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
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
    pub(super) fn inner<const TAPED: bool>(
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
