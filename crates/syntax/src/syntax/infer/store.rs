//! Types under construction: an arena of nodes with unification.
//!
//! Types are graphs: parts are shared and unification merges nodes. A type of exponential size, written out, stays
//! small in memory until it is measured. Every traversal marks the nodes that it has visited, and counts its steps
//! against a limit.

use crate::syntax::data::DataType;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::ty::Class;
use std::rc::Rc;

/// A type under construction, by the index of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::syntax) struct TypeRef(pub(in crate::syntax) u32);

/// The level of quantified variables: each use makes a fresh copy.
pub(in crate::syntax) const QUANTIFIED: u32 = u32::MAX;

/// The largest number of steps of all traversals of one inference together. A choice: far above what programs need.
const MAX_STEPS: u64 = 20_000_000;

#[derive(Clone, Debug)]
pub(in crate::syntax) enum ArenaNode {
    /// An unknown type of a class. The level is the number of definitions around the place where it arose.
    Unknown {
        level: u32,
        class: Class,
    },
    /// A reference to an equal type.
    Link(TypeRef),
    /// A type parameter with a name, inside the definition that it belongs to.
    Parameter {
        level: u32,
        name: Name,
        /// The class of types that its uses admit so far.
        class: Class,
    },
    Real,
    Nat,
    Bool,
    Unit,
    Tuple(Rc<[TypeRef]>),
    Function(TypeRef, TypeRef),
    Tangent(TypeRef),
    Iso(TypeRef, TypeRef),
    Data(DataType, Rc<[TypeRef]>),
}

/// The reason why unification fails.
#[derive(Clone, Debug)]
pub(in crate::syntax) enum UnificationError {
    /// The types differ, or one does not belong to the class of the other.
    Different,
    /// A type that must be a vector space is this one, which is none.
    NoVector(TypeRef),
    /// One type would be a part of itself.
    Infinite,
    /// This type parameter would leave the definition that it belongs to.
    Escape(Name),
    /// A limit of size or of steps is passed.
    TooLarge,
}

#[derive(Debug)]
pub(in crate::syntax) struct TypeArena {
    nodes: Vec<ArenaNode>,
    marks: Vec<u32>,
    epoch: u32,
    parts: usize,
    steps: u64,
    trail: Vec<(TypeRef, ArenaNode)>,
    /// The node that `Nat` in an imported type becomes.
    pub(super) natural: TypeRef,
}

impl TypeArena {
    pub(in crate::syntax) const REAL: TypeRef = TypeRef(0);
    pub(in crate::syntax) const NAT: TypeRef = TypeRef(1);
    pub(in crate::syntax) const BOOL: TypeRef = TypeRef(2);
    pub(in crate::syntax) const UNIT: TypeRef = TypeRef(3);
    /// `Nat` as written in the program: differences of such numbers stop at 0. The type is the same as
    /// [`NAT`](Self::NAT).
    pub(in crate::syntax) const WRITTEN_NAT: TypeRef = TypeRef(4);

    pub(in crate::syntax) fn new() -> TypeArena {
        let nodes = vec![ArenaNode::Real, ArenaNode::Nat, ArenaNode::Bool, ArenaNode::Unit, ArenaNode::Nat];
        TypeArena {
            marks: vec![0; nodes.len()],
            nodes,
            epoch: 0,
            parts: 0,
            steps: 0,
            trail: Vec::new(),
            natural: Self::NAT,
        }
    }

    pub(in crate::syntax) fn add_node(&mut self, node: ArenaNode) -> TypeRef {
        if let ArenaNode::Tuple(parts) | ArenaNode::Data(_, parts) = &node {
            self.parts += parts.len();
        }
        let id = TypeRef(self.nodes.len() as u32);
        self.nodes.push(node);
        self.marks.push(0);
        id
    }

    pub(in crate::syntax) fn add_unknown(&mut self, level: u32, class: Class) -> TypeRef {
        self.add_node(ArenaNode::Unknown { level, class })
    }

    /// Returns `true` if the limits of size or of steps are passed.
    pub(in crate::syntax) fn is_exhausted(&self) -> bool {
        self.nodes.len() + self.parts > limit::TYPE_NODES || self.steps > MAX_STEPS
    }

    /// Counts steps of a traversal. Fails if a limit is passed.
    pub(in crate::syntax) fn count_steps(&mut self, steps: usize) -> Result<(), UnificationError> {
        self.steps += steps as u64;
        if self.is_exhausted() { Err(UnificationError::TooLarge) } else { Ok(()) }
    }

    /// Returns the representative of a type, after all links.
    pub(in crate::syntax) fn find(&mut self, id: TypeRef) -> TypeRef {
        let mut root = id;
        while let ArenaNode::Link(next) = self.nodes[root.0 as usize] {
            root = next;
        }
        let mut at = id;
        while let ArenaNode::Link(next) = self.nodes[at.0 as usize] {
            // Links made since the last commit may be undone, so path compression applies to older ones only.
            if next != root && self.trail.is_empty() {
                self.nodes[at.0 as usize] = ArenaNode::Link(root);
            }
            at = next;
        }
        root
    }

    /// Returns the node of a type, which is never a link.
    pub(in crate::syntax) fn node_of(&mut self, id: TypeRef) -> ArenaNode {
        let root = self.find(id);
        self.nodes[root.0 as usize].clone()
    }

    fn set_undoable(&mut self, id: TypeRef, node: ArenaNode) {
        let old = std::mem::replace(&mut self.nodes[id.0 as usize], node);
        self.trail.push((id, old));
    }

    /// Changes a node without the possibility of undoing it.
    pub(in crate::syntax) fn set_permanently(&mut self, id: TypeRef, node: ArenaNode) {
        self.nodes[id.0 as usize] = node;
    }

    /// Begins a traversal: no node is marked.
    pub(in crate::syntax) fn begin_traversal(&mut self) {
        // A new epoch invalidates all marks at once, without a pass over the nodes.
        self.epoch += 1;
    }

    /// Marks a node. Returns `true` if it was not marked.
    pub(in crate::syntax) fn mark_visited(&mut self, id: TypeRef) -> bool {
        let mark = &mut self.marks[id.0 as usize];
        std::mem::replace(mark, self.epoch) != self.epoch
    }

    /// Appends the immediate parts of a type to a list, in reverse order for a stack.
    pub(in crate::syntax) fn parts_of(&self, id: TypeRef, into: &mut Vec<TypeRef>) {
        match &self.nodes[id.0 as usize] {
            ArenaNode::Tuple(parts) | ArenaNode::Data(_, parts) => into.extend(parts.iter().rev()),
            ArenaNode::Function(left, right) | ArenaNode::Iso(left, right) => into.extend([*right, *left]),
            ArenaNode::Tangent(inner) | ArenaNode::Link(inner) => into.push(*inner),
            _ => {}
        }
    }

    /// Unifies `component` with a component of `tuple` if the type of the tuple is known. Returns `true` if it is.
    pub(in crate::syntax) fn unify_component(
        &mut self,
        tuple: TypeRef,
        index: usize,
        component: TypeRef,
    ) -> Result<bool, UnificationError> {
        match self.node_of(tuple) {
            ArenaNode::Tuple(parts) => {
                self.unify(*parts.get(index).ok_or(UnificationError::Different)?, component)?;
                Ok(true)
            }
            ArenaNode::Unknown { class, .. } if class.has_tuples() => Ok(false),
            _ => Err(UnificationError::Different),
        }
    }

    /// Resolves the components in `waiting` from index `since` on, until nothing changes. Those that stay unknown
    /// remain in the list.
    pub(in crate::syntax) fn unify_components(
        &mut self,
        waiting: &mut Vec<(TypeRef, usize, TypeRef)>,
        since: usize,
    ) -> Result<(), UnificationError> {
        loop {
            let again = waiting.split_off(since);
            let count = again.len();
            for (tuple, index, component) in again {
                self.count_steps(1)?;
                if !self.unify_component(tuple, index, component)? {
                    waiting.push((tuple, index, component));
                }
            }
            // One component may make the tuple of another known, so a round that resolves any is followed by another.
            if waiting.len() - since == count {
                return Ok(());
            }
        }
    }

    /// Makes a data type with fresh unknowns for its parameters. Returns it with these arguments.
    pub(in crate::syntax) fn fresh_data_type(&mut self, data: &DataType, level: u32) -> (TypeRef, Rc<[TypeRef]>) {
        let arguments: Rc<[TypeRef]> = data.parameters().iter().map(|_| self.add_unknown(level, Class::ANY)).collect();
        (self.add_node(ArenaNode::Data(data.clone(), arguments.clone())), arguments)
    }

    /// Unifies two types. After an error both are as they were before.
    pub(in crate::syntax) fn unify(&mut self, left: TypeRef, right: TypeRef) -> Result<(), UnificationError> {
        self.trail.clear();
        let result = self.unify_all(left, right);
        // Undone in reverse order: a node may have changed several times.
        if result.is_err() {
            while let Some((id, node)) = self.trail.pop() {
                self.nodes[id.0 as usize] = node;
            }
        }
        self.trail.clear();
        result
    }

    fn unify_all(&mut self, left: TypeRef, right: TypeRef) -> Result<(), UnificationError> {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            self.count_steps(1)?;
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let (a, b) = (self.nodes[left.0 as usize].clone(), self.nodes[right.0 as usize].clone());
            match (a, b) {
                (ArenaNode::Unknown { level, class }, other) => self.bind_unknown(left, level, class, right, other)?,
                (other, ArenaNode::Unknown { level, class }) => self.bind_unknown(right, level, class, left, other)?,
                (ArenaNode::Tuple(a), ArenaNode::Tuple(b)) if a.len() == b.len() => {
                    self.count_steps(a.len())?;
                    pending.extend(a.iter().copied().zip(b.iter().copied()).rev());
                    // The nodes are merged before their parts are compared: on shared graphs each pair is compared
                    // once.
                    self.set_undoable(left, ArenaNode::Link(right));
                }
                (ArenaNode::Data(one, a), ArenaNode::Data(other, b)) if one == other => {
                    self.count_steps(a.len())?;
                    pending.extend(a.iter().copied().zip(b.iter().copied()).rev());
                    self.set_undoable(left, ArenaNode::Link(right));
                }
                (ArenaNode::Function(a, b), ArenaNode::Function(c, d))
                | (ArenaNode::Iso(a, b), ArenaNode::Iso(c, d)) => {
                    pending.extend([(b, d), (a, c)]);
                    self.set_undoable(left, ArenaNode::Link(right));
                }
                (ArenaNode::Tangent(a), ArenaNode::Tangent(b)) => {
                    pending.push((a, b));
                    self.set_undoable(left, ArenaNode::Link(right));
                }
                (ArenaNode::Real, ArenaNode::Real)
                | (ArenaNode::Nat, ArenaNode::Nat)
                | (ArenaNode::Bool, ArenaNode::Bool)
                | (ArenaNode::Unit, ArenaNode::Unit) => {}
                _ => return Err(UnificationError::Different),
            }
        }
        Ok(())
    }

    /// Binds an unknown type to another one.
    fn bind_unknown(
        &mut self,
        unknown: TypeRef,
        level: u32,
        class: Class,
        ty: TypeRef,
        shape: ArenaNode,
    ) -> Result<(), UnificationError> {
        if let ArenaNode::Unknown { level: other_level, class: other_class } = shape {
            let class = class.intersection(other_class);
            // The reals are the only type common to all classes, so a class of reals alone is decided.
            let node = if class == Class::REAL {
                ArenaNode::Real
            } else {
                ArenaNode::Unknown { level: level.min(other_level), class }
            };
            self.set_undoable(ty, node);
        } else {
            self.check_occurs(unknown, level, ty)?;
            if class != Class::ANY {
                self.restrict_to_class(ty, class).map_err(|clash| match clash {
                    UnificationError::NoVector(_) => UnificationError::NoVector(ty),
                    other => other,
                })?;
            }
        }
        self.set_undoable(unknown, ArenaNode::Link(ty));
        Ok(())
    }

    /// Checks that an unknown does not occur in a type, and lowers the levels of the unknowns there to its own.
    fn check_occurs(&mut self, unknown: TypeRef, level: u32, ty: TypeRef) -> Result<(), UnificationError> {
        self.begin_traversal();
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.count_steps(1)?;
            if id == unknown {
                return Err(UnificationError::Infinite);
            }
            if !self.mark_visited(id) {
                continue;
            }
            match &self.nodes[id.0 as usize] {
                ArenaNode::Unknown { level: found, class } if *found > level => {
                    // The type is reachable from the scope of the outer unknown now, and must not be quantified further
                    // inside.
                    let class = *class;
                    self.set_undoable(id, ArenaNode::Unknown { level, class });
                }
                ArenaNode::Parameter { level: found, name, .. } if *found > level => {
                    return Err(UnificationError::Escape(name.clone()));
                }
                _ => self.parts_of(id, &mut pending),
            }
        }
        Ok(())
    }

    /// Checks that a type belongs to a class, and narrows the classes of the unknowns in it.
    fn restrict_to_class(&mut self, ty: TypeRef, class: Class) -> Result<(), UnificationError> {
        self.begin_traversal();
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.count_steps(1)?;
            if !self.mark_visited(id) {
                continue;
            }
            match self.nodes[id.0 as usize].clone() {
                ArenaNode::Real => {}
                ArenaNode::Nat if class.has_naturals() => {}
                ArenaNode::Unit if class.has_unit() => {}
                ArenaNode::Tuple(parts) if class.has_tuples() => pending.extend(parts.iter().rev()),
                ArenaNode::Unknown { level, class: found } => {
                    let class = class.intersection(found);
                    let node = if class == Class::REAL { ArenaNode::Real } else { ArenaNode::Unknown { level, class } };
                    self.set_undoable(id, node);
                }
                // A type parameter is restricted and stays polymorphic, if the class has more than numbers.
                ArenaNode::Parameter { level, name, class: found } if class.has_tuples() => {
                    self.set_undoable(
                        id,
                        ArenaNode::Parameter { level, name, class: class.as_open().intersection(found) },
                    );
                }
                // Only the classes of vectors have the unit type: the message for them names the offending part.
                _ if class.has_unit() => return Err(UnificationError::NoVector(id)),
                _ => return Err(UnificationError::Different),
            }
        }
        Ok(())
    }
}
