//! The reverse sweep over a tape: the cotangents of a node are added up, and propagated once (A Fig. 6).
//!
//! The sweep itself consists of operations. If a derivative lies within another, they are added to the tape, behind the
//! nodes that are swept. So there is one tape, and numbers need no tags. Perturbation confusion is impossible, as each
//! sweep ends at its own inputs.

use super::code::OperationCode;
use super::machine::{RegisterMachine, RunError, TripCount};
use super::repeat::{CheckpointedLoop, LoopState};
use super::tape::{NO_NODE, NodeIndex, TapeNode, TapedNumber};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::trace::number::{FastOperation, NumberSystem};

/// The number of nodes between two checks of the clock. A choice.
const NODES_PER_CLOCK_CHECK: u32 = 1 << 12;

/// The storage of a backward run: the values of arguments, and their adjoints. An index is a node or a register.
pub(super) trait AdjointStorage<N: NumberSystem> {
    /// Returns the value at an index during the forward run.
    fn forward_value<'n>(&'n self, machine: &'n RegisterMachine<'_, N>, at: u32) -> &'n N::Number;
    /// Returns the node of an index on the tape.
    fn node_index(&self, at: u32) -> NodeIndex;
    /// Returns the place for the adjoint of an index. `None` for constants, and for nodes before the inputs of the
    /// sweep.
    fn adjoint_mut(&mut self, at: u32) -> Option<&mut Option<TapedNumber<N::Number>>>;
}

/// The adjoints of the nodes from an index on.
struct Adjoints<T> {
    from: NodeIndex,
    slots: Vec<Option<TapedNumber<T>>>,
}

impl<T> Adjoints<T> {
    /// Removes the adjoint of a node.
    fn take(&mut self, place: NodeIndex) -> Option<TapedNumber<T>> {
        self.slots[(place - self.from) as usize].take()
    }
}

impl<N: NumberSystem> AdjointStorage<N> for Adjoints<N::Number> {
    fn forward_value<'n>(&'n self, machine: &'n RegisterMachine<'_, N>, at: u32) -> &'n N::Number {
        &machine.tape.values[at as usize]
    }

    fn node_index(&self, at: u32) -> NodeIndex {
        at
    }

    #[inline]
    fn adjoint_mut(&mut self, at: u32) -> Option<&mut Option<TapedNumber<N::Number>>> {
        if at == NO_NODE { None } else { Some(&mut self.slots[at.checked_sub(self.from)? as usize]) }
    }
}

impl<N: NumberSystem> RegisterMachine<'_, N> {
    /// Pulls the cotangents of `results` back to the first `inputs` nodes after `from`, and returns their adjoints. If
    /// `TAPED`, the operations of the sweep are added to the tape.
    pub(super) fn sweep_back<const TAPED: bool>(
        &mut self,
        from: NodeIndex,
        inputs: u32,
        results: &[TapedNumber<N::Number>],
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        // Only nodes before this end are swept; the sweep may add others behind it.
        let end = self.tape.next_index();
        let mut handed = Adjoints { from, slots: vec![None; (end - from) as usize] };
        for (result, slot) in results.iter().zip(cotangent) {
            self.add_cotangent::<TAPED>(&mut handed, result.node, slot)?;
        }
        for place in (from + inputs..end).rev() {
            if place.is_multiple_of(NODES_PER_CLOCK_CHECK) {
                self.check_time()?;
            }
            match self.tape.nodes[place as usize] {
                // All results of a loop are propagated together, at the first of them, where all are complete.
                TapeNode::Result { number, .. } if number > 0 => {}
                TapeNode::Result { of, .. } => self.sweep_loop(&mut handed, place, of)?,
                TapeNode::Leaf => {}
                TapeNode::Copied(other) => {
                    if let Some(w) = handed.take(place) {
                        self.add_cotangent::<TAPED>(&mut handed, other, w)?;
                    }
                }
                TapeNode::Operation(step, arguments) => {
                    if let Some(w) = handed.take(place) {
                        self.pull_back_operation::<TAPED>(&mut handed, step, arguments, place, w)?;
                    }
                }
            }
        }
        let zero = || TapedNumber::constant(self.numbers.represent_rational(&Rational::new()));
        Ok((from..from + inputs).map(|place| handed.take(place).unwrap_or_else(zero)).collect())
    }

    /// Adds a cotangent to the adjoint of an index.
    #[inline(always)]
    pub(super) fn add_cotangent<const TAPED: bool>(
        &mut self,
        way: &mut impl AdjointStorage<N>,
        to: u32,
        w: TapedNumber<N::Number>,
    ) -> Result<(), RunError> {
        let Some(handed) = way.adjoint_mut(to) else { return Ok(()) };
        *handed = Some(match handed.take() {
            Some(so_far) => self.compute_taped::<TAPED>(OperationCode::ADD, &so_far, &w)?,
            None => w,
        });
        Ok(())
    }

    /// Computes an operation at a cotangent and a value of the forward run.
    #[inline(always)]
    fn operate_with<const TAPED: bool>(
        &mut self,
        way: &impl AdjointStorage<N>,
        step: OperationCode,
        w: &TapedNumber<N::Number>,
        at: u32,
    ) -> Result<TapedNumber<N::Number>, RunError> {
        if TAPED {
            let other = self.forward_number(way, at);
            return self.compute_taped::<TAPED>(step, w, &other);
        }
        Ok(TapedNumber::constant(self.compute_operation(step, &w.value, way.forward_value(self, at))?))
    }

    /// Returns a value of the forward run, with its node.
    fn forward_number(&self, way: &impl AdjointStorage<N>, at: u32) -> TapedNumber<N::Number> {
        TapedNumber { value: way.forward_value(self, at).clone(), node: way.node_index(at) }
    }

    /// Propagates the cotangent of an operation to its arguments, by `operation_pullback`.
    #[inline(always)]
    pub(super) fn pull_back_operation<const TAPED: bool>(
        &mut self,
        way: &mut impl AdjointStorage<N>,
        step: OperationCode,
        [a, b]: [u32; 2],
        result: u32,
        w: TapedNumber<N::Number>,
    ) -> Result<(), RunError> {
        match step {
            OperationCode::Fast(FastOperation::Add) => {
                self.add_cotangent::<TAPED>(way, a, w.clone())?;
                self.add_cotangent::<TAPED>(way, b, w)
            }
            OperationCode::Fast(FastOperation::Negate) => {
                let negative = self.compute_taped::<TAPED>(step, &w, &w)?;
                self.add_cotangent::<TAPED>(way, a, negative)
            }
            OperationCode::Fast(FastOperation::Subtract) => {
                // A product or quotient is not computed for an argument that takes no cotangent, as constants.
                if way.adjoint_mut(b).is_some() {
                    let negative = self.compute_taped::<TAPED>(OperationCode::NEGATE, &w, &w)?;
                    self.add_cotangent::<TAPED>(way, b, negative)?;
                }
                self.add_cotangent::<TAPED>(way, a, w)
            }
            OperationCode::Fast(FastOperation::Multiply) => {
                for (to, other) in [(a, b), (b, a)] {
                    if way.adjoint_mut(to).is_some() {
                        let product = self.operate_with::<TAPED>(way, step, &w, other)?;
                        self.add_cotangent::<TAPED>(way, to, product)?;
                    }
                }
                Ok(())
            }
            OperationCode::Fast(FastOperation::Divide) => {
                // w/b is shared by both components: -(w/b)·y is the other.
                let first = self.operate_with::<TAPED>(way, step, &w, b)?;
                if way.adjoint_mut(b).is_some() {
                    let second = self.operate_with::<TAPED>(way, OperationCode::MULTIPLY, &first, result)?;
                    let second = self.compute_taped::<TAPED>(OperationCode::NEGATE, &second, &second)?;
                    self.add_cotangent::<TAPED>(way, b, second)?;
                }
                self.add_cotangent::<TAPED>(way, a, first)
            }
            // Any other operation has its `operation_pullback` as compiled code, so the list of operations needs no rules here.
            OperationCode::Listed(number) => {
                let body = self.pullback_function(number)?;
                let two = if self.operation_arity(number) == 2 { &[a, b][..] } else { &[a][..] };
                let mut arguments: Vec<_> = two.iter().map(|at| self.forward_number(way, *at)).collect();
                arguments.extend([self.forward_number(way, result), w]);
                let found = self.run_function::<TAPED>(body, arguments, TripCount::All)?.into_numbers();
                for (at, slot) in two.iter().zip(found) {
                    self.add_cotangent::<TAPED>(way, *at, slot)?;
                }
                Ok(())
            }
        }
    }

    /// Propagates through a loop: from the last checkpoint to the first, the iterations behind each are run again.
    fn sweep_loop(&mut self, handed: &mut Adjoints<N::Number>, first: NodeIndex, of: u32) -> Result<(), RunError> {
        let CheckpointedLoop { checkpoints, inputs, results } = &mut self.tape.loops[of as usize];
        let cotangent: Vec<_> = (first..first + *results).map(|place| handed.take(place)).collect();
        if cotangent.iter().all(Option::is_none) {
            return Ok(());
        }
        let (stride, inputs) = (checkpoints.stride, std::mem::take(inputs));
        let states = std::mem::take(&mut checkpoints.states);
        let zero = || TapedNumber::constant(self.numbers.represent_rational(&Rational::new()));
        let mut cotangent: Vec<_> = cotangent.into_iter().map(|w| w.unwrap_or_else(zero)).collect();
        // The outer tape is set aside, as the iterations are run on a tape of their own.
        let outer = std::mem::take(&mut self.tape);
        let found: Result<(), RunError> = states.into_iter().rev().try_for_each(|state| {
            let handed = std::mem::take(&mut cotangent);
            // An undo log takes less memory and time than a tape, but it cannot record calls.
            cotangent = match self.code.functions[state.function as usize].is_call_free(state.function) {
                true => self.pull_back_by_undo(state, stride, handed)?,
                false => with_stack(|| self.pull_back_on_tape(state, stride, handed))?,
            };
            Ok(())
        });
        self.tape = outer;
        found?;
        for (place, slot) in inputs.into_iter().zip(cotangent) {
            self.add_cotangent::<false>(handed, place, slot)?;
        }
        Ok(())
    }

    /// Pulls a cotangent back through `turns` iterations from a state on, by a tape.
    fn pull_back_on_tape(
        &mut self,
        state: LoopState<N::Number>,
        turns: u64,
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        let place = |value: N::Number| TapedNumber { node: self.tape.push(TapeNode::Leaf, value.clone()), value };
        let arguments: Vec<_> = state.arguments.into_iter().map(place).collect();
        let count = arguments.len() as u32;
        let results = self.run_function::<true>(state.function, arguments, TripCount::AtMost(turns))?.into_numbers();
        let found = self.sweep_back::<false>(0, count, &results, cotangent);
        self.tape.clear();
        found
    }
}
