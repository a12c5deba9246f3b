//! The types under construction: an arena of nodes with unification.
//!
//! Types are graphs here: parts are shared, and unification merges nodes, so that a type of exponential size written
//! out stays small until it is measured. Every traversal marks what it has seen, and counts its steps against a bound.

use crate::syntax::data::Data;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::ty::Class;
use std::rc::Rc;

/// A type under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::syntax) struct Id(pub(in crate::syntax) u32);

/// The level of what is quantified: each use makes a fresh copy.
pub(in crate::syntax) const QUANTIFIED: u32 = u32::MAX;

/// How many steps all traversals of one inference may take together.
const STEPS: u64 = 20_000_000;

#[derive(Clone, Debug)]
pub(in crate::syntax) enum Node {
    /// A type still unknown, of a class. The level is the number of definitions around the place where it arose.
    Unknown {
        level: u32,
        class: Class,
    },
    /// The same as another type.
    Link(Id),
    /// A type parameter with a name, inside the definition that it belongs to.
    Parameter {
        level: u32,
        name: Name,
        /// What it may stand for, as far as its uses have shown.
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

/// Why two types cannot be made equal.
#[derive(Clone, Debug)]
pub(in crate::syntax) enum Clash {
    /// They differ, or one does not belong to the class of the other.
    Different,
    /// Something that must be a vector is of this type.
    NoVector(Id),
    /// One would be a part of itself.
    Infinite,
    /// This parameter would leave its definition.
    Escape(Name),
    /// A limit was passed.
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
    /// What `Nat` in a finished type becomes.
    pub(super) natural: Id,
}

impl Store {
    pub(in crate::syntax) const REAL: Id = Id(0);
    pub(in crate::syntax) const NAT: Id = Id(1);
    pub(in crate::syntax) const BOOL: Id = Id(2);
    pub(in crate::syntax) const UNIT: Id = Id(3);
    /// `Nat` where it is written: a difference of such numbers stops at 0. It is no other type than [`NAT`](Self::NAT).
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

    /// Whether the limits of size or of time are passed.
    pub(in crate::syntax) fn is_exhausted(&self) -> bool {
        self.nodes.len() + self.parts > limit::TYPE_NODES || self.steps > STEPS
    }

    /// Counts steps of a traversal.
    pub(in crate::syntax) fn step(&mut self, steps: usize) -> Result<(), Clash> {
        self.steps += steps as u64;
        if self.is_exhausted() { Err(Clash::TooLarge) } else { Ok(()) }
    }

    /// The node that a type is, after all links.
    pub(in crate::syntax) fn find(&mut self, id: Id) -> Id {
        let mut root = id;
        while let Node::Link(next) = self.nodes[root.0 as usize] {
            root = next;
        }
        let mut at = id;
        while let Node::Link(next) = self.nodes[at.0 as usize] {
            // Links made since the last commit may be undone, so only older ones are shortened.
            if next != root && self.trail.is_empty() {
                self.nodes[at.0 as usize] = Node::Link(root);
            }
            at = next;
        }
        root
    }

    /// The shape of a type: never a link.
    pub(in crate::syntax) fn shape(&mut self, id: Id) -> Node {
        let root = self.find(id);
        self.nodes[root.0 as usize].clone()
    }

    fn set(&mut self, id: Id, node: Node) {
        let old = std::mem::replace(&mut self.nodes[id.0 as usize], node);
        self.trail.push((id, old));
    }

    /// Changes a node for good.
    pub(in crate::syntax) fn settle(&mut self, id: Id, node: Node) {
        self.nodes[id.0 as usize] = node;
    }

    /// Begins a traversal: no node is marked.
    pub(in crate::syntax) fn begin(&mut self) {
        self.epoch += 1;
    }

    /// Marks a node, and says whether it was new.
    pub(in crate::syntax) fn mark(&mut self, id: Id) -> bool {
        let mark = &mut self.marks[id.0 as usize];
        std::mem::replace(mark, self.epoch) != self.epoch
    }

    /// The immediate parts of a type, added to a list.
    pub(in crate::syntax) fn parts_of(&self, id: Id, into: &mut Vec<Id>) {
        match &self.nodes[id.0 as usize] {
            Node::Tuple(parts) | Node::Data(_, parts) => into.extend(parts.iter().rev()),
            Node::Function(left, right) | Node::Iso(left, right) => into.extend([*right, *left]),
            Node::Tangent(inner) | Node::Link(inner) => into.push(*inner),
            _ => {}
        }
    }

    /// Makes a type that of a component of a tuple, as soon as the type of the tuple is known; whether it is.
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

    /// Components of what was not known to be a tuple, from some place on, until nothing changes.
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
            if waiting.len() - since == count {
                return Ok(());
            }
        }
    }

    /// A type given by its constructors, at arguments that are not known yet.
    pub(in crate::syntax) fn data(&mut self, data: &Data, level: u32) -> (Id, Rc<[Id]>) {
        let arguments: Rc<[Id]> = data.parameters().iter().map(|_| self.unknown(level, Class::ANY)).collect();
        (self.make(Node::Data(data.clone(), arguments.clone())), arguments)
    }

    /// Makes two types equal, or leaves both as they were.
    pub(in crate::syntax) fn unify(&mut self, left: Id, right: Id) -> Result<(), Clash> {
        self.trail.clear();
        let result = self.unify_all(left, right);
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

    /// Makes an unknown type equal to another one.
    fn bind(&mut self, unknown: Id, level: u32, class: Class, ty: Id, shape: Node) -> Result<(), Clash> {
        if let Node::Unknown { level: other_level, class: other_class } = shape {
            let class = class.and(other_class);
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

    /// Checks that an unknown of some level is not inside a type, and lowers the levels there to its own.
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

    /// Checks that a type belongs to a class, and narrows the unknowns in it.
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
                // a parameter may be any type of a class that has more than numbers, and stays one
                Node::Parameter { level, name, class: found } if class.has_tuples() => {
                    self.set(id, Node::Parameter { level, name, class: class.opened().and(found) });
                }
                _ if class.has_unit() => return Err(Clash::NoVector(id)),
                _ => return Err(Clash::Different),
            }
        }
        Ok(())
    }
}
