//! Untyped expression graphs, with the sharing of the Rust program that built them.

use super::error::HostError;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::{Term, TermKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable with a unique identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    id: u64,
    /// The letter of its printed name.
    pub letter: char,
}

impl Binder {
    /// Creates a variable that differs from all others.
    pub fn fresh(letter: char) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Only uniqueness matters, so no order between threads is required.
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), letter }
    }
}

/// A node of an expression graph. Clones are cheap. Graphs of any depth may be dropped.
#[derive(Clone)]
pub struct Node(Arc<Inner>);

/// The shared content of a node, with a drop that does not recurse.
struct Inner(Kind);

/// The shape of an expression.
pub(super) enum Kind {
    /// A variable.
    Variable(Binder),
    /// A function: its variable and its body.
    Lambda(Binder, Node),
    /// An application: the function and the argument.
    Apply([Node; 2]),
    /// A recursive function. The binder stands for the function itself in the node, which is a `Lambda`.
    Recursion(Binder, Node),
    /// A tuple of components.
    Tuple(Vec<Node>),
    /// A component of a tuple, with its index from 0.
    Project(Node, usize),
    /// A conditional: the condition and the two branches.
    If([Node; 3]),
    /// One direction of an isomorphism: `to` if `true`, otherwise `from`.
    Side(Node, bool),
    /// A constructor with its argument.
    Inject(Constructor, Node),
    /// A case distinction: the data type, one variable for each branch, and the scrutinee followed by the branches.
    Match(Data, Vec<Binder>, Vec<Node>),
    /// A constant, a number, a truth value or the unit value.
    Leaf(TermKind),
    /// A program without free variables, as a term.
    Closed(Term),
    /// An error of construction. It is reported when the program is closed.
    Wrong(HostError),
}

impl Node {
    /// Creates a node.
    pub(super) fn new(kind: Kind) -> Self {
        Self(Arc::new(Inner(kind)))
    }

    /// Returns the shape.
    pub(super) fn kind(&self) -> &Kind {
        &self.0.0
    }

    /// Returns the address of the node. Two handles have the same address exactly if they share the node.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Returns the parts, from left to right.
    pub(super) fn children(&self) -> &[Node] {
        self.kind().children()
    }
}

impl Kind {
    /// Returns the parts, from left to right.
    fn children(&self) -> &[Node] {
        match self {
            Kind::Variable(_) | Kind::Leaf(_) | Kind::Closed(_) | Kind::Wrong(_) => &[],
            Kind::Lambda(_, part)
            | Kind::Recursion(_, part)
            | Kind::Project(part, _)
            | Kind::Side(part, _)
            | Kind::Inject(_, part) => std::slice::from_ref(part),
            Kind::Apply(parts) => parts,
            Kind::Tuple(parts) | Kind::Match(_, _, parts) => parts,
            Kind::If(parts) => parts,
        }
    }

    /// Moves the parts out of a node that is being dropped.
    fn take_children(&mut self) -> Vec<Node> {
        match std::mem::replace(self, Kind::Leaf(TermKind::Unit)) {
            Kind::Variable(_) | Kind::Leaf(_) | Kind::Closed(_) | Kind::Wrong(_) => Vec::new(),
            Kind::Lambda(_, part)
            | Kind::Recursion(_, part)
            | Kind::Project(part, _)
            | Kind::Side(part, _)
            | Kind::Inject(_, part) => vec![part],
            Kind::Apply(parts) => parts.into(),
            Kind::Tuple(parts) | Kind::Match(_, _, parts) => parts,
            Kind::If(parts) => parts.into(),
        }
    }
}

impl Drop for Inner {
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
