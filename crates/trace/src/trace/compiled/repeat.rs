//! Checkpointed loops: the states at some iterations are kept, and the others are run again from these. By A Prop. 3.4
//! the second run is the same as the first.
//!
//! The stride between two states doubles if there are too many. So a loop of T iterations keeps about √T states, and
//! the longest part that is run again has about √T iterations.

use super::tape::NodeIndex;

/// The state of a loop at the start of an iteration: a function and its arguments.
#[derive(Clone, Debug)]
pub(super) struct LoopState<T> {
    pub(super) function: u32,
    pub(super) arguments: Vec<T>,
}

/// The states of a loop, one for each `stride` iterations.
#[derive(Debug)]
pub(super) struct Checkpoints<T> {
    pub(super) states: Vec<LoopState<T>>,
    pub(super) stride: u64,
    turn_count: u64,
}

impl<T> Checkpoints<T> {
    /// Starts with the state before the first iteration.
    pub(super) fn new(start: LoopState<T>) -> Self {
        Checkpoints { states: vec![start], stride: 1, turn_count: 0 }
    }

    /// Returns the number of iterations that may begin before one whose state is kept.
    pub(super) fn turns_to_skip(&self) -> u64 {
        self.stride - 1 - self.turn_count % self.stride
    }

    /// Counts iterations whose states are not kept.
    pub(super) fn skip_turns(&mut self, turns: u64) {
        self.turn_count += turns;
    }

    /// Counts an iteration, and keeps its state if it is a multiple of the stride.
    pub(super) fn count_turn(&mut self, state: impl FnOnce() -> LoopState<T>) {
        self.turn_count += 1;
        if !self.turn_count.is_multiple_of(self.stride) {
            return;
        }
        self.states.push(state());
        // States and stride stay within a factor of 2 of each other, which balances memory and repetition at √T. Up to 16
        // states are always kept; a choice.
        if self.states.len() as u64 > 2 * self.stride.max(8) {
            let mut index = 0;
            // Every other state is dropped, beginning with the second; the first is the start of the loop.
            self.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }
}

/// A loop that ran without a tape.
#[derive(Debug)]
pub(super) struct CheckpointedLoop<T> {
    pub(super) checkpoints: Checkpoints<T>,
    /// The nodes of the arguments of its first iteration.
    pub(super) inputs: Vec<NodeIndex>,
    pub(super) results: u32,
}
