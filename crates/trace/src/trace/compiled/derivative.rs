//! Derivatives at run time: of the outermost function, of functions within, and of loops.

use super::code::Function;
use super::machine::{Machine, Stop, Turns, out_of};
use super::repeat::{Checkpoints, Loop, State};
use super::tape::{NOWHERE, Node, Slot};
use crate::stack::deep;
use crate::trace::number::Numbers;

/// The largest nesting of derivatives. A choice: each level takes a piece of stack.
const LEVELS: u32 = 2_000;

impl<N: Numbers> Machine<'_, N> {
    /// Runs the remaining iterations of a function without tape, and adds them to the tape as one loop.
    pub(super) fn looped(
        &mut self,
        function: u32,
        arguments: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        // The inputs of the loop get nodes, so that the sweep has places for their cotangents.
        let inputs: Vec<_> = arguments.iter().map(|slot| self.tape.kept(&slot.value, slot.place)).collect();
        let values: Vec<_> = arguments.into_iter().map(|slot| Slot::constant(slot.value)).collect();
        let start = State { function, arguments: values.iter().map(|slot| slot.value.clone()).collect() };
        let mut checkpoints = Checkpoints::new(start);
        // Within the loop there is no tape: it starts empty, and the outer one is put back even after an error.
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

    /// Computes `W.R_V(x. N)`: on a tape of its own, or if there is one already, on that, together with the sweep.
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
        // The inputs are copied to new nodes. The sweep back to them stops there, and so cannot reach nodes of outer
        // derivatives.
        let from = self.tape.end();
        for slot in &mut arguments[..inside.moving as usize] {
            let node = if TAPED && slot.place != NOWHERE { Node::Same(slot.place) } else { Node::Leaf };
            slot.place = self.tape.push(node, slot.value.clone());
        }
        self.levels += 1;
        // A loop runs without a tape, so it has no nodes that an outer derivative could differentiate again.
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

    /// Computes the value and the pullback of a cotangent, of the outermost function.
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

    /// Returns the number of arguments of an operation of the list.
    pub(super) fn arity(&self, number: u32) -> usize {
        self.code.operations[number as usize].arity()
    }

    /// Returns the function `op_r`, of the arguments, the value and the cotangent. Compiles it at its first use.
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
