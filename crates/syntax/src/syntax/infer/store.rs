//! Types under construction: an arena of nodes with unification.
//!
//! Types are graphs: parts are shared and unification merges nodes. A type of exponential size, written out, stays
//! small in memory until it is measured. Every traversal marks the nodes that it has visited, and counts its steps
//! against a limit.

use crate::syntax::data::Data;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::ty::Class;
use std::rc::Rc;

/// A type under construction, by the index of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::syntax) struct Id(pub(in crate::syntax) u32);

/// The level of quantified variables: each use makes a fresh copy.
pub(in crate::syntax) const QUANTIFIED: u32 = u32::MAX;

/// The largest number of steps of all traversals of one inference together. A choice: far above what programs need.
const STEPS: u64 = 20_000_000;

#[derive(Clone, Debug)]
pub(in crate::syntax) enum Node {
    /// An unknown type of a class. The level is the number of definitions around the place where it arose.
    Unknown {
        level: u32,
        class: Class,
    },
    /// A reference to an equal type.
    Link(Id),
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
    Tuple(Rc<[Id]>),
    Function(Id, Id),
    Tangent(Id),
    Iso(Id, Id),
    Data(Data, Rc<[Id]>),
}

/// The reason why unification fails.
#[derive(Clone, Debug)]
pub(in crate::syntax) enum Clash {
    /// The types differ, or one does not belong to the class of the other.
    Different,
    /// A type that must be a vector space is this one, which is none.
    NoVector(Id),
    /// One type would be a part of itself.
    Infinite,
    /// This type parameter would leave the definition that it belongs to.
    Escape(Name),
    /// A limit of size or of steps is passed.
    TooLarge,
}

#[derive(Debug)]
pub(in crate::syntax) struct Store {
    nodes: Vec<Node>,
    marks: Vec<u32>,
    epoch: u32,
    parts: usize,
    steps: u64,
    trail: Vec<(Id, Node)>,
    /// The node that `Nat` in an imported type becomes.
    pub(super) natural: Id,
}

impl Store {
    pub(in crate::syntax) const REAL: Id = Id(0);
    pub(in crate::syntax) const NAT: Id = Id(1);
    pub(in crate::syntax) const BOOL: Id = Id(2);
    pub(in crate::syntax) const UNIT: Id = Id(3);
    /// `Nat` as written in the program: differences of such numbers stop at 0. The type is the same as
    /// [`NAT`](Self::NAT).
    pub(in crate::syntax) const WRITTEN: Id = Id(4);

    pub(in crate::syntax) fn new() -> Store {
        let nodes = vec![Node::Real, Node::Nat, Node::Bool, Node::Unit, Node::Nat];
        Store {
            marks: vec![0; nodes.len()],
            nodes,
            epoch: 0,
            parts: 0,
            steps: 0,
            trail: Vec::new(),
            natural: Self::NAT,
        }
    }

    pub(in crate::syntax) fn make(&mut self, node: Node) -> Id {
        if let Node::Tuple(parts) | Node::Data(_, parts) = &node {
            self.parts += parts.len();
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node);
        self.marks.push(0);
        id
    }

    pub(in crate::syntax) fn unknown(&mut self, level: u32, class: Class) -> Id {
        self.make(Node::Unknown { level, class })
    }

    /// Returns `true` if the limits of size or of steps are passed.
    pub(in crate::syntax) fn is_exhausted(&self) -> bool {
        self.nodes.len() + self.parts > limit::TYPE_NODES || self.steps > STEPS
    }

    /// Counts steps of a traversal. Fails if a limit is passed.
    pub(in crate::syntax) fn step(&mut self, steps: usize) -> Result<(), Clash> {
        self.steps += steps as u64;
        if self.is_exhausted() { Err(Clash::TooLarge) } else { Ok(()) }
    }

    /// Returns the representative of a type, after all links.
    pub(in crate::syntax) fn find(&mut self, id: Id) -> Id {
        let mut root = id;
        while let Node::Link(next) = self.nodes[root.0 as usize] {
            root = next;
        }
        let mut at = id;
        while let Node::Link(next) = self.nodes[at.0 as usize] {
            // Links made since the last commit may be undone, so path compression applies to older ones only.
            if next != root && self.trail.is_empty() {
                self.nodes[at.0 as usize] = Node::Link(root);
            }
            at = next;
        }
        root
    }

    /// Returns the node of a type, which is never a link.
    pub(in crate::syntax) fn shape(&mut self, id: Id) -> Node {
        let root = self.find(id);
        self.nodes[root.0 as usize].clone()
    }

    fn set(&mut self, id: Id, node: Node) {
        let old = std::mem::replace(&mut self.nodes[id.0 as usize], node);
        self.trail.push((id, old));
    }

    /// Changes a node without the possibility of undoing it.
    pub(in crate::syntax) fn settle(&mut self, id: Id, node: Node) {
        self.nodes[id.0 as usize] = node;
    }

    /// Begins a traversal: no node is marked.
    pub(in crate::syntax) fn begin(&mut self) {
        // A new epoch invalidates all marks at once, without a pass over the nodes.
        self.epoch += 1;
    }

    /// Marks a node. Returns `true` if it was not marked.
    pub(in crate::syntax) fn mark(&mut self, id: Id) -> bool {
        let mark = &mut self.marks[id.0 as usize];
        std::mem::replace(mark, self.epoch) != self.epoch
    }

    /// Appends the immediate parts of a type to a list, in reverse order for a stack.
    pub(in crate::syntax) fn parts_of(&self, id: Id, into: &mut Vec<Id>) {
        match &self.nodes[id.0 as usize] {
            Node::Tuple(parts) | Node::Data(_, parts) => into.extend(parts.iter().rev()),
            Node::Function(left, right) | Node::Iso(left, right) => into.extend([*right, *left]),
            Node::Tangent(inner) | Node::Link(inner) => into.push(*inner),
            _ => {}
        }
    }

    /// Unifies `component` with a component of `tuple` if the type of the tuple is known. Returns `true` if it is.
    pub(in crate::syntax) fn component(&mut self, tuple: Id, index: usize, component: Id) -> Result<bool, Clash> {
        match self.shape(tuple) {
            Node::Tuple(parts) => {
                self.unify(*parts.get(index).ok_or(Clash::Different)?, component)?;
                Ok(true)
            }
            Node::Unknown { class, .. } if class.has_tuples() => Ok(false),
            _ => Err(Clash::Different),
        }
    }

    /// Resolves the components in `waiting` from index `since` on, until nothing changes. Those that stay unknown
    /// remain in the list.
    pub(in crate::syntax) fn components(
        &mut self,
        waiting: &mut Vec<(Id, usize, Id)>,
        since: usize,
    ) -> Result<(), Clash> {
        loop {
            let again = waiting.split_off(since);
            let count = again.len();
            for (tuple, index, component) in again {
                self.step(1)?;
                if !self.component(tuple, index, component)? {
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
    pub(in crate::syntax) fn data(&mut self, data: &Data, level: u32) -> (Id, Rc<[Id]>) {
        let arguments: Rc<[Id]> = data.parameters().iter().map(|_| self.unknown(level, Class::ANY)).collect();
        (self.make(Node::Data(data.clone(), arguments.clone())), arguments)
    }

    /// Unifies two types. After an error both are as they were before.
    pub(in crate::syntax) fn unify(&mut self, left: Id, right: Id) -> Result<(), Clash> {
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

    fn unify_all(&mut self, left: Id, right: Id) -> Result<(), Clash> {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            self.step(1)?;
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            let (a, b) = (self.nodes[left.0 as usize].clone(), self.nodes[right.0 as usize].clone());
            match (a, b) {
                (Node::Unknown { level, class }, other) => self.bind(left, level, class, right, other)?,
                (other, Node::Unknown { level, class }) => self.bind(right, level, class, left, other)?,
                (Node::Tuple(a), Node::Tuple(b)) if a.len() == b.len() => {
                    self.step(a.len())?;
                    pending.extend(a.iter().copied().zip(b.iter().copied()).rev());
                    // The nodes are merged before their parts are compared: on shared graphs each pair is compared
                    // once.
                    self.set(left, Node::Link(right));
                }
                (Node::Data(one, a), Node::Data(other, b)) if one == other => {
                    self.step(a.len())?;
                    pending.extend(a.iter().copied().zip(b.iter().copied()).rev());
                    self.set(left, Node::Link(right));
                }
                (Node::Function(a, b), Node::Function(c, d)) | (Node::Iso(a, b), Node::Iso(c, d)) => {
                    pending.extend([(b, d), (a, c)]);
                    self.set(left, Node::Link(right));
                }
                (Node::Tangent(a), Node::Tangent(b)) => {
                    pending.push((a, b));
                    self.set(left, Node::Link(right));
                }
                (Node::Real, Node::Real)
                | (Node::Nat, Node::Nat)
                | (Node::Bool, Node::Bool)
                | (Node::Unit, Node::Unit) => {}
                _ => return Err(Clash::Different),
            }
        }
        Ok(())
    }

    /// Binds an unknown type to another one.
    fn bind(&mut self, unknown: Id, level: u32, class: Class, ty: Id, shape: Node) -> Result<(), Clash> {
        if let Node::Unknown { level: other_level, class: other_class } = shape {
            let class = class.and(other_class);
            // The reals are the only type common to all classes, so a class of reals alone is decided.
            let node =
                if class == Class::REAL { Node::Real } else { Node::Unknown { level: level.min(other_level), class } };
            self.set(ty, node);
        } else {
            self.restrain(unknown, level, ty)?;
            if class != Class::ANY {
                self.admit(ty, class).map_err(|clash| match clash {
                    Clash::NoVector(_) => Clash::NoVector(ty),
                    other => other,
                })?;
            }
        }
        self.set(unknown, Node::Link(ty));
        Ok(())
    }

    /// Checks that an unknown does not occur in a type, and lowers the levels of the unknowns there to its own.
    fn restrain(&mut self, unknown: Id, level: u32, ty: Id) -> Result<(), Clash> {
        self.begin();
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.step(1)?;
            if id == unknown {
                return Err(Clash::Infinite);
            }
            if !self.mark(id) {
                continue;
            }
            match &self.nodes[id.0 as usize] {
                Node::Unknown { level: found, class } if *found > level => {
                    // The type is reachable from the scope of the outer unknown now, and must not be quantified further
                    // inside.
                    let class = *class;
                    self.set(id, Node::Unknown { level, class });
                }
                Node::Parameter { level: found, name, .. } if *found > level => {
                    return Err(Clash::Escape(name.clone()));
                }
                _ => self.parts_of(id, &mut pending),
            }
        }
        Ok(())
    }

    /// Checks that a type belongs to a class, and narrows the classes of the unknowns in it.
    fn admit(&mut self, ty: Id, class: Class) -> Result<(), Clash> {
        self.begin();
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.step(1)?;
            if !self.mark(id) {
                continue;
            }
            match self.nodes[id.0 as usize].clone() {
                Node::Real => {}
                Node::Nat if class.has_naturals() => {}
                Node::Unit if class.has_unit() => {}
                Node::Tuple(parts) if class.has_tuples() => pending.extend(parts.iter().rev()),
                Node::Unknown { level, class: found } => {
                    let class = class.and(found);
                    let node = if class == Class::REAL { Node::Real } else { Node::Unknown { level, class } };
                    self.set(id, node);
                }
                // A type parameter is restricted and stays polymorphic, if the class has more than numbers.
                Node::Parameter { level, name, class: found } if class.has_tuples() => {
                    self.set(id, Node::Parameter { level, name, class: class.opened().and(found) });
                }
                // Only the classes of vectors have the unit type: the message for them names the offending part.
                _ if class.has_unit() => return Err(Clash::NoVector(id)),
                _ => return Err(Clash::Different),
            }
        }
        Ok(())
    }
}
