//! The tape: one node for each operation whose result may depend on the inputs.

use super::code::Step;
use super::repeat::Loop;
use crate::trace::number::Arithmetic;

/// The index of the node that made a number, or [`NOWHERE`].
pub(super) type Place = u32;

/// The index for numbers that depend on no input.
pub(super) const NOWHERE: Place = u32::MAX;

/// A number, with the index of its node.
#[derive(Clone, Debug)]
pub(super) struct Slot<T> {
    pub(super) value: T,
    pub(super) place: Place,
}

impl<T> Slot<T> {
    /// Makes a number that depends on no input.
    pub(super) fn constant(value: T) -> Self {
        Slot { value, place: NOWHERE }
    }
}

/// The origin of a number on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// An input, or a constant argument of an operation: the sweep ends here.
    Leaf,
    /// A copy of another node, as an input of an inner derivative.
    Same(Place),
    /// An operation at the numbers of two nodes.
    Operation(Step, [Place; 2]),
    /// A result of a loop, by its position among the results, and the index of the loop.
    Result { number: u32, of: u32 },
}

/// A list of nodes with their values, and the loops among them.
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
    /// Returns the index of the next node.
    pub(super) fn end(&self) -> Place {
        self.nodes.len() as Place
    }

    /// Adds a node, and returns its index.
    #[inline]
    pub(super) fn push(&mut self, node: Node, value: T) -> Place {
        self.nodes.push(node);
        self.values.push(value);
        self.end() - 1
    }

    /// Adds a node for an operation, unless it depends on no input. Returns its index, or [`NOWHERE`].
    #[inline]
    pub(super) fn operation(&mut self, step: Step, arguments: [(&T, Place); 2], value: &T) -> Place {
        let [(a, at_a), (b, at_b)] = arguments;
        if at_a == NOWHERE && at_b == NOWHERE {
            return NOWHERE;
        }
        let places = match step {
            // These pull back a cotangent without the values of their arguments, so constants need no node.
            Step::Arithmetic(Arithmetic::Add | Arithmetic::Negate | Arithmetic::Subtract) => [at_a, at_b],
            _ => [self.kept(a, at_a), self.kept(b, at_b)],
        };
        self.push(Node::Operation(step, places), value.clone())
    }

    /// Returns the node of an argument of an operation. Adds one for a constant, whose value the sweep needs.
    #[inline]
    pub(super) fn kept(&mut self, value: &T, place: Place) -> Place {
        if place == NOWHERE { self.push(Node::Leaf, value.clone()) } else { place }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.loops.clear();
    }
}
