//! The storage of normal forms: a hash-consed list of nodes.
//!
//! A finished form is numbered in the order in which its parts are first met from the root. So two finished forms are
//! equal as lists exactly if they are α-equivalent terms.

use super::types::{TypeKey, TypeShape, TypeTable};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use rustc_hash::FxHashMap;

/// The index of a node. Nodes come after their parts.
pub(super) type FormNode = u32;

/// A node of a normal form. Variables are de Bruijn levels: the number of binders outside their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum FormShape {
    Variable(u32),
    /// A constant, with its type if that does not follow from the constant.
    Constant(Constant, Option<TypeKey>),
    Real(Rational),
    Nat(u64),
    Bool(bool),
    Unit,
    Lambda(TypeKey, FormNode),
    /// `let rec f = value in f`
    LetRec(TypeKey, FormNode),
    Apply(FormNode, FormNode),
    Tuple(Box<[FormNode]>),
    Project(FormNode, u32),
    If(FormNode, FormNode, FormNode),
    To(FormNode),
    From(FormNode),
    Inject(Constructor, TypeKey, FormNode),
    /// A `match`: the scrutinee, and one body for each constructor, each under one variable.
    Match(DataType, FormNode, Box<[FormNode]>),
}

/// A list of nodes, without duplicates.
#[derive(Debug, Default)]
pub(super) struct NormalGraph {
    pub(super) nodes: Vec<FormShape>,
    /// The name of the variable that the node binds; `None` for other nodes.
    pub(super) names: Vec<Option<Name>>,
    depths: Vec<u32>,
    by_shape: FxHashMap<FormShape, FormNode>,
    components: usize,
}

impl NormalGraph {
    /// Returns the node of a shape, which is added if it is new. The first name of its variable is kept.
    pub(super) fn intern_shape(&mut self, shape: FormShape, name: Option<&Name>) -> FormNode {
        if let Some(&known) = self.by_shape.get(&shape) {
            return known;
        }
        let mut depth = 0;
        shape.for_each_part(|part| depth = depth.max(self.depths[part as usize]));
        let node = self.nodes.len() as FormNode;
        if let FormShape::Tuple(parts) | FormShape::Match(_, _, parts) = &shape {
            self.components += parts.len();
        }
        self.by_shape.insert(shape.clone(), node);
        self.nodes.push(shape);
        self.names.push(name.cloned());
        // Stored for the check of the depth, which then needs no recursion over the form.
        self.depths.push(depth + 1);
        node
    }

    pub(super) fn depth_of(&self, node: FormNode) -> u32 {
        self.depths[node as usize]
    }

    /// Returns the number of nodes, plus that of the components of tuples and branches of `match`.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() + self.components
    }

    /// Renumbers the nodes that belong to a root in the order in which they are met, and their types likewise. The root
    /// comes last.
    pub(super) fn renumber_from(&self, root: FormNode, types: &TypeTable) -> (NormalGraph, Vec<TypeShape>) {
        let (mut form, mut met) =
            (NormalGraph::default(), TypeRenumbering { types, known: FxHashMap::default(), shapes: Vec::new() });
        let mut numbers: FxHashMap<FormNode, FormNode> = FxHashMap::default();
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
                shape.for_each_part(|part| pending.push((part, false)));
                // Reversed on the stack, so that the leftmost part is met first.
                pending[first..].reverse();
                continue;
            }
            let shape = shape.renumber_parts(|part| numbers[&part], |key| met.renumber_key(key));
            let number = form.intern_shape(shape, self.names[node as usize].as_ref());
            numbers.insert(node, number);
        }
        (form, met.shapes)
    }
}

/// A renumbering of types in the order in which they are met, parts first.
struct TypeRenumbering<'t> {
    types: &'t TypeTable,
    known: FxHashMap<TypeKey, TypeKey>,
    shapes: Vec<TypeShape>,
}

impl TypeRenumbering<'_> {
    fn renumber_key(&mut self, key: TypeKey) -> TypeKey {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let shape = with_stack(|| self.types.shape(key).map_parts(|part| self.renumber_key(part)));
        let number = self.shapes.len() as TypeKey;
        self.shapes.push(shape);
        self.known.insert(key, number);
        number
    }
}

/// Returns the number of nodes with shared ones repeated; at most `u64::MAX`.
pub(super) fn written_size(nodes: &[FormShape]) -> u64 {
    // One pass suffices, since nodes come after their parts.
    let mut sizes: Vec<u64> = Vec::with_capacity(nodes.len());
    for shape in nodes {
        let mut size = 1u64;
        shape.for_each_part(|part| size = size.saturating_add(sizes[part as usize]));
        sizes.push(size);
    }
    sizes.last().copied().unwrap_or(0)
}

impl FormShape {
    /// Visits the immediate parts, from left to right.
    pub(super) fn for_each_part(&self, mut each: impl FnMut(FormNode)) {
        match self {
            FormShape::Lambda(_, a)
            | FormShape::LetRec(_, a)
            | FormShape::Project(a, _)
            | FormShape::To(a)
            | FormShape::From(a)
            | FormShape::Inject(_, _, a) => each(*a),
            FormShape::Match(_, a, parts) => [a].into_iter().chain(parts.iter()).copied().for_each(each),
            FormShape::Apply(a, b) => [*a, *b].into_iter().for_each(each),
            FormShape::If(a, b, c) => [*a, *b, *c].into_iter().for_each(each),
            FormShape::Tuple(parts) => parts.iter().copied().for_each(each),
            _ => {}
        }
    }

    fn renumber_parts(&self, of: impl Fn(FormNode) -> FormNode, mut key: impl FnMut(TypeKey) -> TypeKey) -> FormShape {
        match self {
            FormShape::Constant(constant, ty) => FormShape::Constant(*constant, ty.map(key)),
            FormShape::Lambda(ty, a) => FormShape::Lambda(key(*ty), of(*a)),
            FormShape::LetRec(ty, a) => FormShape::LetRec(key(*ty), of(*a)),
            FormShape::Apply(a, b) => FormShape::Apply(of(*a), of(*b)),
            FormShape::Tuple(parts) => FormShape::Tuple(parts.iter().map(|part| of(*part)).collect()),
            FormShape::Project(a, index) => FormShape::Project(of(*a), *index),
            FormShape::If(a, b, c) => FormShape::If(of(*a), of(*b), of(*c)),
            FormShape::To(a) => FormShape::To(of(*a)),
            FormShape::From(a) => FormShape::From(of(*a)),
            FormShape::Inject(constructor, ty, a) => FormShape::Inject(constructor.clone(), key(*ty), of(*a)),
            FormShape::Match(data, a, parts) => {
                FormShape::Match(data.clone(), of(*a), parts.iter().map(|part| of(*part)).collect())
            }
            other => other.clone(),
        }
    }
}
