//! Derivatives at run time: of the outermost function, of functions within, and of loops.

use super::code::CompiledFunction;
use super::machine::{RegisterMachine, RunError, TripCount, resource_error};
use super::repeat::{CheckpointedLoop, Checkpoints, LoopState};
use super::tape::{NO_NODE, TapeNode, TapedNumber};
use crate::stack::with_stack;
use crate::trace::number::NumberSystem;

/// The largest nesting of derivatives. A choice: each level takes a piece of stack.
const LEVELS: u32 = 2_000;

impl<N: NumberSystem> RegisterMachine<'_, N> {
    /// Runs the remaining iterations of a function without tape, and adds them to the tape as one loop.
    pub(super) fn run_as_loop(
        &mut self,
        function: u32,
        arguments: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        // The inputs of the loop get nodes, so that the sweep has places for their cotangents.
        let inputs: Vec<_> = arguments.iter().map(|slot| self.tape.node_or_leaf(&slot.value, slot.node)).collect();
        let values: Vec<_> = arguments.into_iter().map(|slot| TapedNumber::constant(slot.value)).collect();
        let start = LoopState { function, arguments: values.iter().map(|slot| slot.value.clone()).collect() };
        let mut checkpoints = Checkpoints::new(start);
        // Within the loop there is no tape: it starts empty, and the outer one is put back even after an error.
        let tape = std::mem::take(&mut self.tape);
        let found =
            with_stack(|| self.run_function::<false>(function, values, TripCount::Checkpointed(&mut checkpoints)));
        self.tape = tape;
        let values = found?.into_numbers();
        let of = self.tape.loops.len() as u32;
        self.tape.loops.push(CheckpointedLoop { checkpoints, inputs, results: values.len() as u32 });
        let result = |(number, slot): (u32, TapedNumber<N::Number>)| {
            let place = self.tape.push(TapeNode::Result { number, of }, slot.value.clone());
            TapedNumber { node: place, ..slot }
        };
        Ok((0..).zip(values).map(result).collect())
    }

    /// Computes `W.R_V(x. N)`: on a tape of its own, or if there is one already, on that, together with the sweep.
    pub(super) fn differentiate_inner<const TAPED: bool>(
        &mut self,
        body: u32,
        inside: &CompiledFunction,
        mut arguments: Vec<TapedNumber<N::Number>>,
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        if self.derivative_depth >= LEVELS {
            return Err(resource_error(format!("derivatives lie more than {LEVELS} deep within each other")));
        }
        // The inputs are copied to new nodes. The sweep back to them stops there, and so cannot reach nodes of outer
        // derivatives.
        let from = self.tape.next_index();
        for slot in &mut arguments[..inside.differentiated as usize] {
            let node = if TAPED && slot.node != NO_NODE { TapeNode::Copied(slot.node) } else { TapeNode::Leaf };
            slot.node = self.tape.push(node, slot.value.clone());
        }
        self.derivative_depth += 1;
        // A loop runs without a tape, so it has no nodes that an outer derivative could differentiate again.
        let loops = self.allows_loops;
        self.allows_loops = loops && !TAPED;
        let found = with_stack(|| {
            let results = self.run_function::<true>(body, arguments, TripCount::All)?.into_numbers();
            self.sweep_back::<TAPED>(from, inside.differentiated, &results, cotangent)
        });
        self.allows_loops = loops;
        self.derivative_depth -= 1;
        if !TAPED {
            self.tape.clear();
        }
        found
    }

    /// Computes the value and the pullback of a cotangent, of the outermost function.
    pub(super) fn differentiate_outermost(
        &mut self,
        function: u32,
        point: Vec<N::Number>,
        cotangent: Vec<N::Number>,
    ) -> Result<[Vec<N::Number>; 2], RunError> {
        let place = |value: N::Number| TapedNumber { node: self.tape.push(TapeNode::Leaf, value.clone()), value };
        let arguments: Vec<_> = point.into_iter().map(place).collect();
        let moving = arguments.len() as u32;
        let results = self.run_function::<true>(function, arguments, TripCount::All)?.into_numbers();
        let cotangent = cotangent.into_iter().map(TapedNumber::constant).collect();
        let found = self.sweep_back::<false>(0, moving, &results, cotangent)?;
        Ok([results, found].map(|slots| slots.into_iter().map(|slot| slot.value).collect()))
    }

    /// Returns the number of arguments of an operation of the list.
    pub(super) fn operation_arity(&self, number: u32) -> usize {
        self.code.operations[number as usize].arity()
    }

    /// Returns the function `operation_pullback`, of the arguments, the value and the cotangent. Compiles it at its first use.
    pub(super) fn pullback_function(&mut self, number: u32) -> Result<u32, RunError> {
        let number = number as usize;
        if let Some(known) = self.pullbacks[number] {
            return Ok(known);
        }
        let operation = self.code.operations[number].clone();
        let made = super::compile_pullback(&mut self.code, &operation)?;
        self.convert_new_code();
        self.pullbacks[number] = Some(made);
        Ok(made)
    }
}
