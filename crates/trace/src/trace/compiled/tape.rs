//! The tape: one node for each operation whose result may depend on the inputs.

use super::code::OperationCode;
use super::repeat::CheckpointedLoop;
use crate::trace::number::FastOperation;

/// The index of the node that made a number, or [`NO_NODE`].
pub(super) type NodeIndex = u32;

/// The index for numbers that depend on no input.
pub(super) const NO_NODE: NodeIndex = u32::MAX;

/// A number, with the index of its node.
#[derive(Clone, Debug)]
pub(super) struct TapedNumber<T> {
    pub(super) value: T,
    pub(super) node: NodeIndex,
}

impl<T> TapedNumber<T> {
    /// Makes a number that depends on no input.
    pub(super) fn constant(value: T) -> Self {
        TapedNumber { value, node: NO_NODE }
    }
}

/// The origin of a number on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) enum TapeNode {
    /// An input, or a constant argument of an operation: the sweep ends here.
    Leaf,
    /// A copy of another node, as an input of an inner derivative.
    Copied(NodeIndex),
    /// An operation at the numbers of two nodes.
    Operation(OperationCode, [NodeIndex; 2]),
    /// A result of a loop, by its position among the results, and the index of the loop.
    Result { number: u32, of: u32 },
}

/// A list of nodes with their values, and the loops among them.
#[derive(Debug)]
pub(super) struct NodeTape<T> {
    pub(super) nodes: Vec<TapeNode>,
    pub(super) values: Vec<T>,
    pub(super) loops: Vec<CheckpointedLoop<T>>,
}

impl<T> Default for NodeTape<T> {
    fn default() -> Self {
        NodeTape { nodes: Vec::new(), values: Vec::new(), loops: Vec::new() }
    }
}

impl<T: Clone> NodeTape<T> {
    /// Returns the index of the next node.
    pub(super) fn next_index(&self) -> NodeIndex {
        self.nodes.len() as NodeIndex
    }

    /// Adds a node, and returns its index.
    #[inline]
    pub(super) fn push(&mut self, node: TapeNode, value: T) -> NodeIndex {
        self.nodes.push(node);
        self.values.push(value);
        self.next_index() - 1
    }

    /// Adds a node for an operation, unless it depends on no input. Returns its index, or [`NO_NODE`].
    #[inline]
    pub(super) fn push_operation(
        &mut self,
        step: OperationCode,
        arguments: [(&T, NodeIndex); 2],
        value: &T,
    ) -> NodeIndex {
        let [(a, at_a), (b, at_b)] = arguments;
        if at_a == NO_NODE && at_b == NO_NODE {
            return NO_NODE;
        }
        let places = match step {
            // These pull back a cotangent without the values of their arguments, so constants need no node.
            OperationCode::Fast(FastOperation::Add | FastOperation::Negate | FastOperation::Subtract) => [at_a, at_b],
            _ => [self.node_or_leaf(a, at_a), self.node_or_leaf(b, at_b)],
        };
        self.push(TapeNode::Operation(step, places), value.clone())
    }

    /// Returns the node of an argument of an operation. Adds one for a constant, whose value the sweep needs.
    #[inline]
    pub(super) fn node_or_leaf(&mut self, value: &T, place: NodeIndex) -> NodeIndex {
        if place == NO_NODE { self.push(TapeNode::Leaf, value.clone()) } else { place }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.loops.clear();
    }
}
