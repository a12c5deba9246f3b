//! The storage of normal forms: a hash-consed list of nodes.
//!
//! A finished form is numbered in the order in which its parts are first met from the root. So two finished forms are
//! equal as lists exactly if they are α-equivalent terms.

use super::types::{Key, TypeShape, Types};
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::name::Name;
use rustc_hash::FxHashMap;

/// The index of a node. Nodes come after their parts.
pub(super) type Node = u32;

/// A node of a normal form. Variables are de Bruijn levels: the number of binders outside their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Variable(u32),
    /// A constant, with its type if that does not follow from the constant.
    Constant(Constant, Option<Key>),
    Real(Rational),
    Nat(u64),
    Bool(bool),
    Unit,
    Lambda(Key, Node),
    /// `let rec f = value in f`
    LetRec(Key, Node),
    Apply(Node, Node),
    Tuple(Box<[Node]>),
    Project(Node, u32),
    If(Node, Node, Node),
    To(Node),
    From(Node),
    Inject(Constructor, Key, Node),
    /// A `match`: the scrutinee, and one body for each constructor, each under one variable.
    Match(Data, Node, Box<[Node]>),
}

/// A list of nodes, without duplicates.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) nodes: Vec<Shape>,
    /// The name of the variable that the node binds; `None` for other nodes.
    pub(super) names: Vec<Option<Name>>,
    depths: Vec<u32>,
    by_shape: FxHashMap<Shape, Node>,
    components: usize,
}

impl Form {
    /// Returns the node of a shape, which is added if it is new. The first name of its variable is kept.
    pub(super) fn put(&mut self, shape: Shape, name: Option<&Name>) -> Node {
        if let Some(&known) = self.by_shape.get(&shape) {
            return known;
        }
        let mut depth = 0;
        shape.parts(|part| depth = depth.max(self.depths[part as usize]));
        let node = self.nodes.len() as Node;
        if let Shape::Tuple(parts) | Shape::Match(_, _, parts) = &shape {
            self.components += parts.len();
        }
        self.by_shape.insert(shape.clone(), node);
        self.nodes.push(shape);
        self.names.push(name.cloned());
        // Stored for the check of the depth, which then needs no recursion over the form.
        self.depths.push(depth + 1);
        node
    }

    pub(super) fn depth(&self, node: Node) -> u32 {
        self.depths[node as usize]
    }

    /// Returns the number of nodes, plus that of the components of tuples and branches of `match`.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.components
    }

    /// Renumbers the nodes that belong to a root in the order in which they are met, and their types likewise. The root
    /// comes last.
    pub(super) fn finished(&self, root: Node, types: &Types) -> (Form, Vec<TypeShape>) {
        let (mut form, mut met) = (Form::default(), Met { types, known: FxHashMap::default(), shapes: Vec::new() });
        let mut numbers: FxHashMap<Node, Node> = FxHashMap::default();
        let mut pending = vec![(root, false)];
        while let Some((node, parts_done)) = pending.pop() {
            if numbers.contains_key(&node) {
                continue;
            }
            let shape = &self.nodes[node as usize];
            // First visit: the parts are numbered before the node.
            if !parts_done {
                pending.push((node, true));
                let first = pending.len();
                shape.parts(|part| pending.push((part, false)));
                // Reversed on the stack, so that the leftmost part is met first.
                pending[first..].reverse();
                continue;
            }
            let shape = shape.renumbered(|part| numbers[&part], |key| met.key(key));
            let number = form.put(shape, self.names[node as usize].as_ref());
            numbers.insert(node, number);
        }
        (form, met.shapes)
    }
}

/// A renumbering of types in the order in which they are met, parts first.
struct Met<'t> {
    types: &'t Types,
    known: FxHashMap<Key, Key>,
    shapes: Vec<TypeShape>,
}

impl Met<'_> {
    fn key(&mut self, key: Key) -> Key {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let shape = deep(|| self.types.shape(key).map(|part| self.key(part)));
        let number = self.shapes.len() as Key;
        self.shapes.push(shape);
        self.known.insert(key, number);
        number
    }
}

/// Returns the number of nodes with shared ones repeated; at most `u64::MAX`.
pub(super) fn size(nodes: &[Shape]) -> u64 {
    // One pass suffices, since nodes come after their parts.
    let mut sizes: Vec<u64> = Vec::with_capacity(nodes.len());
    for shape in nodes {
        let mut size = 1u64;
        shape.parts(|part| size = size.saturating_add(sizes[part as usize]));
        sizes.push(size);
    }
    sizes.last().copied().unwrap_or(0)
}

impl Shape {
    /// Visits the immediate parts, from left to right.
    pub(super) fn parts(&self, mut each: impl FnMut(Node)) {
        match self {
            Shape::Lambda(_, a)
            | Shape::LetRec(_, a)
            | Shape::Project(a, _)
            | Shape::To(a)
            | Shape::From(a)
            | Shape::Inject(_, _, a) => each(*a),
            Shape::Match(_, a, parts) => [a].into_iter().chain(parts.iter()).copied().for_each(each),
            Shape::Apply(a, b) => [*a, *b].into_iter().for_each(each),
            Shape::If(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
            Shape::Tuple(parts) => parts.iter().copied().for_each(each),
            _ => {}
        }
    }

    fn renumbered(&self, of: impl Fn(Node) -> Node, mut key: impl FnMut(Key) -> Key) -> Shape {
        match self {
            Shape::Constant(constant, ty) => Shape::Constant(*constant, ty.map(key)),
            Shape::Lambda(ty, a) => Shape::Lambda(key(*ty), of(*a)),
            Shape::LetRec(ty, a) => Shape::LetRec(key(*ty), of(*a)),
            Shape::Apply(a, b) => Shape::Apply(of(*a), of(*b)),
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(|part| of(*part)).collect()),
            Shape::Project(a, index) => Shape::Project(of(*a), *index),
            Shape::If(a, b, c) => Shape::If(of(*a), of(*b), of(*c)),
            Shape::To(a) => Shape::To(of(*a)),
            Shape::From(a) => Shape::From(of(*a)),
            Shape::Inject(constructor, ty, a) => Shape::Inject(constructor.clone(), key(*ty), of(*a)),
            Shape::Match(data, a, parts) => {
                Shape::Match(data.clone(), of(*a), parts.iter().map(|part| of(*part)).collect())
            }
            other => other.clone(),
        }
    }
}
