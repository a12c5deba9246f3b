//! Where a normal form lies: a list of nodes, each kept once, and of the types of its binders.
//!
//! A finished form is numbered in the order in which its parts are first met from the root. So two finished forms are
//! equal as lists exactly when they are the same term up to the names of bound variables.

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::name::Name;
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;

/// The number of a node. Nodes come after their parts.
pub(super) type Node = u32;
/// The number of a type.
pub(super) type Key = u32;

/// A node of a normal form. A variable is the number of binders outside its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Variable(u32),
    Constant(Constant),
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
    Inject(Constructor, Node),
    /// What is matched, and the answers, each under a variable.
    Match(Data, Node, Box<[Node]>),
}

/// A type of a binder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TypeShape {
    /// A type that the program leaves open, numbered in the order in which they are met.
    Unknown(u32),
    /// A parameter of the type of the whole.
    Parameter(usize),
    Real,
    Nat,
    Bool,
    Unit,
    Tuple(Box<[Key]>),
    Function(Key, Key),
    Tangent(Key),
    Iso(Key, Key),
    Data(Data, Box<[Key]>),
}

/// Nodes and types, each once.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) nodes: Vec<Shape>,
    /// What the variable of a binder was called; empty for other nodes.
    pub(super) names: Vec<Option<Name>>,
    depths: Vec<u32>,
    by_shape: FxHashMap<Shape, Node>,
    pub(super) types: Vec<TypeShape>,
    by_type: FxHashMap<TypeShape, Key>,
    components: usize,
}

impl Form {
    /// The node of a shape, with the name of the variable that it binds.
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
        self.depths.push(depth + 1);
        node
    }

    pub(super) fn put_type(&mut self, shape: TypeShape) -> Key {
        if let Some(&known) = self.by_type.get(&shape) {
            return known;
        }
        let key = self.types.len() as Key;
        if let TypeShape::Tuple(parts) | TypeShape::Data(_, parts) = &shape {
            self.components += parts.len();
        }
        self.by_type.insert(shape.clone(), key);
        self.types.push(shape);
        key
    }

    pub(super) fn shape(&self, node: Node) -> &Shape {
        &self.nodes[node as usize]
    }

    pub(super) fn depth(&self, node: Node) -> u32 {
        self.depths[node as usize]
    }

    /// The number of nodes, and of components of tuples.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.types.len() + self.components
    }

    /// What belongs to a root, renumbered in the order in which it is met; the root comes last.
    pub(super) fn finished(&self, root: Node) -> Form {
        let mut form = Form::default();
        let mut keys = Renumbering { old: self, known: FxHashMap::default(), open: 0 };
        let mut numbers: FxHashMap<Node, Node> = FxHashMap::default();
        let mut pending = vec![(root, false)];
        while let Some((node, parts_done)) = pending.pop() {
            if numbers.contains_key(&node) {
                continue;
            }
            let shape = self.shape(node);
            if !parts_done {
                pending.push((node, true));
                let first = pending.len();
                shape.parts(|part| pending.push((part, false)));
                pending[first..].reverse();
                continue;
            }
            let shape = shape.renumbered(|part| numbers[&part], |key| keys.key(&mut form, key));
            let number = form.put(shape, self.names[node as usize].as_ref());
            numbers.insert(node, number);
        }
        form
    }
}

/// The number of nodes with shared ones repeated.
pub(super) fn size(nodes: &[Shape]) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(nodes.len());
    for shape in nodes {
        let mut size = 1u64;
        shape.parts(|part| size = size.saturating_add(sizes[part as usize]));
        sizes.push(size);
    }
    sizes.last().copied().unwrap_or(0)
}

/// Every type, its parameters by these names; nothing for one in which something is open.
pub(super) fn exported(shapes: &[TypeShape], parameters: &[Name]) -> Vec<Option<Ty>> {
    let mut types: Vec<Option<Ty>> = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let of = |key: &Key| types[*key as usize].clone();
        let kind = match shape {
            TypeShape::Unknown(_) => None,
            TypeShape::Parameter(index) => parameters.get(*index).map(|name| TyKind::Variable(*index, name.clone())),
            TypeShape::Real => Some(TyKind::Real),
            TypeShape::Nat => Some(TyKind::Nat),
            TypeShape::Bool => Some(TyKind::Bool),
            TypeShape::Unit => Some(TyKind::Unit),
            TypeShape::Tuple(parts) => parts.iter().map(of).collect::<Option<_>>().map(TyKind::Tuple),
            TypeShape::Function(a, b) => of(a).zip(of(b)).map(|(a, b)| TyKind::Function(a, b)),
            TypeShape::Iso(a, b) => of(a).zip(of(b)).map(|(a, b)| TyKind::Iso(a, b)),
            TypeShape::Tangent(inner) => of(inner).map(TyKind::Tangent),
            TypeShape::Data(data, parts) => {
                parts.iter().map(of).collect::<Option<_>>().map(|parts| TyKind::Data(data.clone(), parts))
            }
        };
        types.push(kind.map(Ty::new));
    }
    types
}

/// Gives types new numbers, in the order in which they are met.
struct Renumbering<'f> {
    old: &'f Form,
    known: FxHashMap<Key, Key>,
    open: u32,
}

impl Renumbering<'_> {
    fn key(&mut self, form: &mut Form, root: Key) -> Key {
        let mut pending = vec![(root, false)];
        while let Some((key, parts_done)) = pending.pop() {
            if self.known.contains_key(&key) {
                continue;
            }
            let parts: Vec<Key> = match &self.old.types[key as usize] {
                TypeShape::Tuple(parts) | TypeShape::Data(_, parts) => parts.to_vec(),
                TypeShape::Function(a, b) | TypeShape::Iso(a, b) => vec![*a, *b],
                TypeShape::Tangent(of) => vec![*of],
                _ => Vec::new(),
            };
            if !parts_done {
                pending.push((key, true));
                pending.extend(parts.iter().rev().map(|&part| (part, false)));
                continue;
            }
            let of = |part: &Key| self.known[part];
            let shape = match &self.old.types[key as usize] {
                TypeShape::Unknown(_) => {
                    self.open += 1;
                    TypeShape::Unknown(self.open - 1)
                }
                TypeShape::Tuple(parts) => TypeShape::Tuple(parts.iter().map(of).collect()),
                TypeShape::Function(a, b) => TypeShape::Function(of(a), of(b)),
                TypeShape::Iso(a, b) => TypeShape::Iso(of(a), of(b)),
                TypeShape::Tangent(a) => TypeShape::Tangent(of(a)),
                TypeShape::Data(data, parts) => TypeShape::Data(data.clone(), parts.iter().map(of).collect()),
                other => other.clone(),
            };
            let number = form.put_type(shape);
            self.known.insert(key, number);
        }
        self.known[&root]
    }
}

impl Shape {
    /// The immediate parts, from left to right.
    pub(super) fn parts(&self, mut each: impl FnMut(Node)) {
        match self {
            Shape::Lambda(_, a)
            | Shape::LetRec(_, a)
            | Shape::Project(a, _)
            | Shape::To(a)
            | Shape::From(a)
            | Shape::Inject(_, a) => each(*a),
            Shape::Match(_, a, parts) => [a].into_iter().chain(parts.iter()).copied().for_each(each),
            Shape::Apply(a, b) => [*a, *b].into_iter().for_each(each),
            Shape::If(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
            Shape::Tuple(parts) => parts.iter().copied().for_each(each),
            _ => {}
        }
    }

    fn renumbered(&self, of: impl Fn(Node) -> Node, mut key: impl FnMut(Key) -> Key) -> Shape {
        match self {
            Shape::Lambda(ty, a) => Shape::Lambda(key(*ty), of(*a)),
            Shape::LetRec(ty, a) => Shape::LetRec(key(*ty), of(*a)),
            Shape::Apply(a, b) => Shape::Apply(of(*a), of(*b)),
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(|part| of(*part)).collect()),
            Shape::Project(a, index) => Shape::Project(of(*a), *index),
            Shape::If(a, b, c) => Shape::If(of(*a), of(*b), of(*c)),
            Shape::To(a) => Shape::To(of(*a)),
            Shape::From(a) => Shape::From(of(*a)),
            Shape::Inject(constructor, a) => Shape::Inject(constructor.clone(), of(*a)),
            Shape::Match(data, a, parts) => {
                Shape::Match(data.clone(), of(*a), parts.iter().map(|part| of(*part)).collect())
            }
            other => other.clone(),
        }
    }
}
