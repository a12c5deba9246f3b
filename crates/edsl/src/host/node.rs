//! Untyped expression graphs, with the sharing of the Rust program that built them.

use super::error::EdslError;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::{Term, TermKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable with a unique identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UniqueVariable {
    id: u64,
    /// The letter of its printed name.
    pub letter: char,
}

impl UniqueVariable {
    /// Creates a variable that differs from all others.
    pub fn fresh(letter: char) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Only uniqueness matters, so no order between threads is required.
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), letter }
    }
}

/// A node of an expression graph. Clones are cheap. Graphs of any depth may be dropped.
#[derive(Clone)]
pub struct ProgramNode(Arc<ProgramNodeContent>);

/// The shared content of a node, with a drop that does not recurse.
struct ProgramNodeContent(ProgramNodeKind);

/// The shape of an expression.
pub(super) enum ProgramNodeKind {
    /// A variable.
    Variable(UniqueVariable),
    /// A function: its variable and its body.
    Lambda(UniqueVariable, ProgramNode),
    /// An application: the function and the argument.
    Apply([ProgramNode; 2]),
    /// A recursive function. The binder stands for the function itself in the node, which is a `Lambda`.
    Recursion(UniqueVariable, ProgramNode),
    /// A tuple of components.
    Tuple(Vec<ProgramNode>),
    /// A component of a tuple, with its index from 0.
    Project(ProgramNode, usize),
    /// A conditional: the condition and the two branches.
    If([ProgramNode; 3]),
    /// One direction of an isomorphism: `to` if `true`, otherwise `from`.
    IsoDirection(ProgramNode, bool),
    /// A constructor with its argument.
    Inject(Constructor, ProgramNode),
    /// A case distinction: the data type, one variable for each branch, and the scrutinee followed by the branches.
    Match(DataType, Vec<UniqueVariable>, Vec<ProgramNode>),
    /// A constant, a number, a truth value or the unit value.
    Leaf(TermKind),
    /// A program without free variables, as a term.
    Closed(Term),
    /// An error of construction. It is reported when the program is closed.
    Invalid(EdslError),
}

impl ProgramNode {
    /// Creates a node.
    pub(super) fn new(kind: ProgramNodeKind) -> Self {
        Self(Arc::new(ProgramNodeContent(kind)))
    }

    /// Returns the shape.
    pub(super) fn kind(&self) -> &ProgramNodeKind {
        &self.0.0
    }

    /// Returns the address of the node. Two handles have the same address exactly if they share the node.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns the parts, from left to right.
    pub(super) fn children(&self) -> &[ProgramNode] {
        self.kind().children()
    }
}

impl ProgramNodeKind {
    /// Returns the parts, from left to right.
    fn children(&self) -> &[ProgramNode] {
        match self {
            ProgramNodeKind::Variable(_)
            | ProgramNodeKind::Leaf(_)
            | ProgramNodeKind::Closed(_)
            | ProgramNodeKind::Invalid(_) => &[],
            ProgramNodeKind::Lambda(_, part)
            | ProgramNodeKind::Recursion(_, part)
            | ProgramNodeKind::Project(part, _)
            | ProgramNodeKind::IsoDirection(part, _)
            | ProgramNodeKind::Inject(_, part) => std::slice::from_ref(part),
            ProgramNodeKind::Apply(parts) => parts,
            ProgramNodeKind::Tuple(parts) | ProgramNodeKind::Match(_, _, parts) => parts,
            ProgramNodeKind::If(parts) => parts,
        }
    }

    /// Moves the parts out of a node that is being dropped.
    fn take_children(&mut self) -> Vec<ProgramNode> {
        match std::mem::replace(self, ProgramNodeKind::Leaf(TermKind::Unit)) {
            ProgramNodeKind::Variable(_)
            | ProgramNodeKind::Leaf(_)
            | ProgramNodeKind::Closed(_)
            | ProgramNodeKind::Invalid(_) => Vec::new(),
            ProgramNodeKind::Lambda(_, part)
            | ProgramNodeKind::Recursion(_, part)
            | ProgramNodeKind::Project(part, _)
            | ProgramNodeKind::IsoDirection(part, _)
            | ProgramNodeKind::Inject(_, part) => vec![part],
            ProgramNodeKind::Apply(parts) => parts.into(),
            ProgramNodeKind::Tuple(parts) | ProgramNodeKind::Match(_, _, parts) => parts,
            ProgramNodeKind::If(parts) => parts.into(),
        }
    }
}

impl Drop for ProgramNodeContent {
    fn drop(&mut self) {
        // A derived drop would recurse as deep as the graph. Nodes with other owners stay.
        let mut waiting = self.0.take_children();
        while let Some(node) = waiting.pop() {
            if let Some(mut inner) = Arc::into_inner(node.0) {
                waiting.append(&mut inner.0.take_children());
            }
        }
    }
}
