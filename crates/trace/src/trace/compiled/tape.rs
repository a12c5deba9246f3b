//! What a run has done: one node for each operation whose result may depend on the inputs.

use super::code::Step;
use super::repeat::Loop;
use crate::trace::number::Arithmetic;

/// Where a number was made: a node, or [`NOWHERE`].
pub(super) type Place = u32;

/// The place of what depends on no input.
pub(super) const NOWHERE: Place = u32::MAX;

/// A number, and where it was made.
#[derive(Clone, Debug)]
pub(super) struct Slot<T> {
    pub(super) value: T,
    pub(super) place: Place,
}

impl<T> Slot<T> {
    pub(super) fn constant(value: T) -> Self {
        Slot { value, place: NOWHERE }
    }
}

/// What made a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Nothing: an input, or a constant that an operation has for an argument.
    Leaf,
    /// It is another one, as the input of an inner derivative.
    Same(Place),
    Operation(Step, [Place; 2]),
    /// A result of a loop.
    Result {
        number: u32,
        of: u32,
    },
}

/// A list of nodes, with their numbers.
#[derive(Debug)]
pub(super) struct Tape<T> {
    pub(super) nodes: Vec<Node>,
    pub(super) values: Vec<T>,
    pub(super) loops: Vec<Loop<T>>,
}

impl<T> Default for Tape<T> {
    fn default() -> Self {
        Tape { nodes: Vec::new(), values: Vec::new(), loops: Vec::new() }
    }
}

impl<T: Clone> Tape<T> {
    pub(super) fn end(&self) -> Place {
        self.nodes.len() as Place
    }

    #[inline]
    pub(super) fn push(&mut self, node: Node, value: T) -> Place {
        self.nodes.push(node);
        self.values.push(value);
        self.end() - 1
    }

    /// The node of an operation at numbers, unless it depends on no input.
    #[inline]
    pub(super) fn operation(&mut self, step: Step, arguments: [(&T, Place); 2], value: &T) -> Place {
        let [(a, at_a), (b, at_b)] = arguments;
        if at_a == NOWHERE && at_b == NOWHERE {
            return NOWHERE;
        }
        let places = match step {
            // what these hand back does not depend on their arguments
            Step::Arithmetic(Arithmetic::Add | Arithmetic::Negate | Arithmetic::Subtract) => [at_a, at_b],
            _ => [self.kept(a, at_a), self.kept(b, at_b)],
        };
        self.push(Node::Operation(step, places), value.clone())
    }

    /// The place of a number that an operation has for an argument.
    #[inline]
    pub(super) fn kept(&mut self, value: &T, place: Place) -> Place {
        if place == NOWHERE { self.push(Node::Leaf, value.clone()) } else { place }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.loops.clear();
    }
}
