//! Expressions without their types: a graph, which shares what Rust shares.

use super::error::HostError;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::{Term, TermKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable, with a name that no other has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binder {
    id: u64,
    /// What it is called, but for a number.
    pub letter: char,
}

impl Binder {
    pub fn fresh(letter: char) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), letter }
    }
}

/// A node of the graph. Cheap to clone, safe to drop at any depth.
#[derive(Clone)]
pub struct Node(Arc<Inner>);

struct Inner(Kind);

/// The shape of an expression.
pub(super) enum Kind {
    Variable(Binder),
    Lambda(Binder, Node),
    /// A function and its argument.
    Apply([Node; 2]),
    /// A function, in terms of itself: the binder stands for it in the node, which is a `Lambda`.
    Recursion(Binder, Node),
    Tuple(Vec<Node>),
    Project(Node, usize),
    If([Node; 3]),
    Side(Node, bool),
    Inject(Constructor, Node),
    /// The scrutinee and the branches, and the variables bound in these.
    Match(Data, Vec<Binder>, Vec<Node>),
    /// A constant, a number, a truth value or the unit value.
    Leaf(TermKind),
    /// A program without free variables.
    Closed(Term),
    /// Nothing: what was asked for does not exist.
    Wrong(HostError),
}

impl Node {
    pub(super) fn new(kind: Kind) -> Self {
        Self(Arc::new(Inner(kind)))
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.0.0
    }

    /// A number that two handles share exactly when they are the same node.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The parts, from left to right.
    pub(super) fn children(&self) -> &[Node] {
        self.kind().children()
    }
}

impl Kind {
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

    /// The parts, of a node that is about to go.
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
        let mut waiting = self.0.take_children();
        while let Some(node) = waiting.pop() {
            if let Some(mut inner) = Arc::into_inner(node.0) {
                waiting.append(&mut inner.0.take_children());
            }
        }
    }
}
