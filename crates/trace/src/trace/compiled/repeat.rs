//! Loops on a tape: the states at some of their turns, and the rest is run again from there (A Prop. 3.4: it is the same run).
//!
//! The stride between two states doubles when the states become too many, so that a loop of T turns keeps about √T states, and
//! the longest part that is run again has about √T turns.

use super::tape::Place;

/// Arguments of a function.
#[derive(Clone, Debug)]
pub(super) struct State<T> {
    pub(super) function: u32,
    pub(super) arguments: Vec<T>,
}

/// States of a loop, at every so many turns.
#[derive(Debug)]
pub(super) struct Checkpoints<T> {
    pub(super) states: Vec<State<T>>,
    pub(super) stride: u64,
    turns: u64,
}

impl<T> Checkpoints<T> {
    pub(super) fn new(start: State<T>) -> Self {
        Checkpoints { states: vec![start], stride: 1, turns: 0 }
    }

    /// How many turns may begin before the state of one is kept.
    pub(super) fn turns_to_skip(&self) -> u64 {
        self.stride - 1 - self.turns % self.stride
    }

    /// So many turns have begun, none of which is kept.
    pub(super) fn skip(&mut self, turns: u64) {
        self.turns += turns;
    }

    /// One more turn begins; its state is kept if it is its turn.
    pub(super) fn turn(&mut self, state: impl FnOnce() -> State<T>) {
        self.turns += 1;
        if !self.turns.is_multiple_of(self.stride) {
            return;
        }
        self.states.push(state());
        if self.states.len() as u64 > 2 * self.stride.max(8) {
            let mut index = 0;
            self.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }
}

/// A loop that was run without a tape.
#[derive(Debug)]
pub(super) struct Loop<T> {
    pub(super) checkpoints: Checkpoints<T>,
    /// Where the arguments of its first turn were made.
    pub(super) inputs: Vec<Place>,
    pub(super) results: u32,
}
