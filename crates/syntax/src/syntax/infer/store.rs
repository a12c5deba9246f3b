//! Types under construction: an arena of nodes with unification.
//!
//! Types are graphs: parts are shared and unification merges nodes. A type of exponential size, written out, stays
//! small in memory until it is measured. Every traversal marks the nodes that it has visited, and counts its steps
//! against a limit.
//!
//! # Generalisation and instantiation
//!
//! Generalisation and instantiation, and conversion between types under construction and finished ones.

use crate::stack::with_stack;
use crate::syntax::data::DataType;
use crate::syntax::error;
use crate::syntax::name::Name;
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashMap;
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
        self.nodes.len() + self.parts > error::TYPE_NODES || self.steps > MAX_STEPS
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

/// The number of nodes of a type in a message. A choice: larger types are cut short there.
const MAX_SHOWN_NODES: usize = 120;

impl TypeArena {
    /// Quantifies the free variables of a type that arose above a level. Returns `true` if there are any. Unknowns of a
    /// class that is not open become `Real` instead.
    pub(super) fn generalise(&mut self, ty: TypeRef, level: u32) -> Result<bool, UnificationError> {
        self.begin_traversal();
        let mut any = false;
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.count_steps(1)?;
            if !self.mark_visited(id) {
                continue;
            }
            match self.node_of(id) {
                ArenaNode::Unknown { level: found, class } if found > level => {
                    if class.is_open() {
                        any = true;
                        self.set_permanently(id, ArenaNode::Unknown { level: QUANTIFIED, class });
                    } else {
                        self.set_permanently(id, ArenaNode::Real);
                    }
                }
                ArenaNode::Parameter { level: found, name, class } if found > level => {
                    any = true;
                    self.set_permanently(id, ArenaNode::Parameter { level: QUANTIFIED, name, class });
                }
                _ => self.parts_of(id, &mut pending),
            }
        }
        self.check_size(ty)?;
        Ok(any)
    }

    /// Defaults an unresolved numeric type above `level` to `Nat`. Returns `true` if the type is known afterwards.
    pub(super) fn default_to_nat(&mut self, ty: TypeRef, level: u32) -> bool {
        match self.node_of(ty) {
            ArenaNode::Unknown { level: found, class } if found > level && class.has_naturals() => {
                let id = self.find(ty);
                self.set_permanently(id, ArenaNode::Nat);
                true
            }
            ArenaNode::Unknown { .. } => false,
            _ => true,
        }
    }

    /// Returns two flags for a type of numbers: whether it contains `Nat`, and whether one of these is written in the
    /// program.
    pub(super) fn find_naturals(&mut self, ty: TypeRef) -> (bool, bool) {
        let (mut any, mut written) = (false, false);
        let mut pending = vec![ty];
        self.begin_traversal();
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            if self.mark_visited(id) {
                any |= matches!(self.node_of(id), ArenaNode::Nat);
                written |= id == Self::WRITTEN_NAT;
                if let ArenaNode::Tuple(parts) = self.node_of(id) {
                    pending.extend(parts.iter());
                }
            }
        }
        (any, written)
    }

    /// Checks the size and depth of a type, written out, against the limits.
    pub(super) fn check_size(&mut self, ty: TypeRef) -> Result<(), UnificationError> {
        let mut sizes: FxHashMap<TypeRef, (usize, u32)> = FxHashMap::default();
        let mut pending = vec![(ty, false)];
        let mut parts = Vec::new();
        while let Some((id, done)) = pending.pop() {
            let id = self.find(id);
            if sizes.contains_key(&id) {
                continue;
            }
            self.count_steps(1)?;
            parts.clear();
            self.parts_of(id, &mut parts);
            // Second visit: all parts are measured. Each node is measured once, however often it occurs.
            if done || parts.is_empty() {
                let (mut size, mut depth) = (1usize, 0);
                for &part in &parts {
                    let part = self.find(part);
                    // An unmeasured part would be a cycle, which unification excludes; it counts as too large.
                    let (inner, below) = sizes.get(&part).copied().unwrap_or((usize::MAX, error::DEPTH));
                    size = size.saturating_add(inner);
                    depth = depth.max(below);
                }
                if size > error::TYPE_NODES || depth >= error::DEPTH {
                    return Err(UnificationError::TooLarge);
                }
                sizes.insert(id, (size, depth + 1));
            } else {
                pending.push((id, true));
                pending.extend(parts.iter().map(|&part| (part, false)));
            }
        }
        Ok(())
    }

    /// Instantiates a type: a copy with fresh unknowns for quantified variables. Its size was checked by
    /// generalisation.
    pub(super) fn instantiate(&mut self, ty: TypeRef, level: u32) -> Result<TypeRef, UnificationError> {
        self.copy_type(ty, level, &mut FxHashMap::default())
    }

    fn copy_type(
        &mut self,
        ty: TypeRef,
        level: u32,
        done: &mut FxHashMap<TypeRef, TypeRef>,
    ) -> Result<TypeRef, UnificationError> {
        let ty = self.find(ty);
        if let Some(&copy) = done.get(&ty) {
            return Ok(copy);
        }
        self.count_steps(1)?;
        let copy = match self.node_of(ty) {
            ArenaNode::Unknown { level: QUANTIFIED, class } | ArenaNode::Parameter { level: QUANTIFIED, class, .. } => {
                self.add_unknown(level, class)
            }
            ArenaNode::Tuple(parts) => match self.copy_types(&parts, level, done)? {
                // Nothing quantified inside: the copy shares the original.
                copies if copies[..] == parts[..] => ty,
                copies => self.add_node(ArenaNode::Tuple(copies)),
            },
            ArenaNode::Data(data, parts) => match self.copy_types(&parts, level, done)? {
                copies if copies[..] == parts[..] => ty,
                copies => self.add_node(ArenaNode::Data(data, copies)),
            },
            ArenaNode::Function(a, b) | ArenaNode::Iso(a, b) => {
                let left = with_stack(|| self.copy_type(a, level, done))?;
                let right = with_stack(|| self.copy_type(b, level, done))?;
                match self.node_of(ty) {
                    _ if (left, right) == (a, b) => ty,
                    ArenaNode::Iso(..) => self.add_node(ArenaNode::Iso(left, right)),
                    _ => self.add_node(ArenaNode::Function(left, right)),
                }
            }
            ArenaNode::Tangent(a) => {
                let inner = with_stack(|| self.copy_type(a, level, done))?;
                if inner == a { ty } else { self.add_node(ArenaNode::Tangent(inner)) }
            }
            _ => ty,
        };
        done.insert(ty, copy);
        Ok(copy)
    }

    fn copy_types(
        &mut self,
        parts: &[TypeRef],
        level: u32,
        done: &mut FxHashMap<TypeRef, TypeRef>,
    ) -> Result<Rc<[TypeRef]>, UnificationError> {
        parts.iter().map(|&part| with_stack(|| self.copy_type(part, level, done))).collect()
    }

    /// Imports a finished type, with `arguments` for its parameters.
    pub(in crate::syntax) fn import_type(
        &mut self,
        ty: &Ty,
        arguments: &[TypeRef],
    ) -> Result<TypeRef, UnificationError> {
        self.import_shared(ty, arguments, &mut FxHashMap::default())
    }

    /// Imports a type that a written name stands for. Its `Nat`s count as written too.
    pub(super) fn import_written(&mut self, ty: &Ty, arguments: &[TypeRef]) -> Result<TypeRef, UnificationError> {
        self.natural = Self::WRITTEN_NAT;
        let result = self.import_type(ty, arguments);
        self.natural = Self::NAT;
        result
    }

    /// Imports a type scheme, instantiated with fresh unknowns of the classes of its parameters.
    pub(in crate::syntax) fn import_scheme(
        &mut self,
        scheme: &Scheme,
        level: u32,
    ) -> Result<TypeRef, UnificationError> {
        let arguments: Vec<TypeRef> =
            scheme.parameters.iter().map(|(_, class)| self.add_unknown(level, *class)).collect();
        self.import_type(&scheme.ty, &arguments)
    }

    fn import_shared(
        &mut self,
        ty: &Ty,
        arguments: &[TypeRef],
        done: &mut FxHashMap<usize, TypeRef>,
    ) -> Result<TypeRef, UnificationError> {
        if let Some(&id) = done.get(&ty.address()) {
            return Ok(id);
        }
        self.count_steps(1)?;
        let id = match ty.kind() {
            TyKind::Variable(index, _) => arguments.get(*index).copied().unwrap_or(TypeArena::UNIT),
            TyKind::Real => TypeArena::REAL,
            TyKind::Nat => self.natural,
            TyKind::Bool => TypeArena::BOOL,
            TyKind::Unit => TypeArena::UNIT,
            TyKind::Tuple(parts) | TyKind::Data(_, parts) => {
                let mut ids = Vec::with_capacity(parts.len());
                for part in parts {
                    ids.push(with_stack(|| self.import_shared(part, arguments, done))?);
                }
                self.add_node(match ty.kind() {
                    TyKind::Data(data, _) => ArenaNode::Data(data.clone(), ids.into()),
                    _ => ArenaNode::Tuple(ids.into()),
                })
            }
            TyKind::Function(a, b) | TyKind::Iso(a, b) => {
                let left = with_stack(|| self.import_shared(a, arguments, done))?;
                let right = with_stack(|| self.import_shared(b, arguments, done))?;
                let iso = matches!(ty.kind(), TyKind::Iso(..));
                self.add_node(if iso { ArenaNode::Iso(left, right) } else { ArenaNode::Function(left, right) })
            }
            TyKind::Tangent(inner) => {
                let inner = with_stack(|| self.import_shared(inner, arguments, done))?;
                self.add_node(ArenaNode::Tangent(inner))
            }
        };
        done.insert(ty.address(), id);
        Ok(id)
    }

    /// Exports a generalised type as a scheme. Its parameters are the quantified parts, first those in `order` and then
    /// in the order of occurrence.
    pub(super) fn export_scheme(&mut self, ty: TypeRef, order: &[TypeRef]) -> Scheme {
        let mut export = self.collect_parameters(ty, order);
        self.export_with(ty, &mut export)
    }

    /// Collects the parameters of a generalised type, ordered as by [`TypeArena::export_scheme`].
    pub(super) fn collect_parameters(&mut self, ty: TypeRef, order: &[TypeRef]) -> ExportState {
        let mut export = ExportState { budget: usize::MAX, all: true, ..ExportState::default() };
        let mut taken: Vec<Name> = Vec::new();
        let mut parameters = Vec::new();
        self.collect_variables(ty, order, &mut parameters);
        for &id in &parameters {
            if let ArenaNode::Parameter { name, .. } = self.node_of(id) {
                taken.push(name);
            }
        }
        // Letters for parameters without a name, which no named parameter has.
        let mut letters = ('A'..='Z').map(String::from).chain((1..).map(|number| format!("A{number}")));
        for &id in &parameters {
            let shape = self.node_of(id);
            let class = if let ArenaNode::Unknown { class, .. } | ArenaNode::Parameter { class, .. } = shape {
                class
            } else {
                Class::ANY
            };
            let name = match shape {
                ArenaNode::Parameter { name, .. } => name,
                _ => letters.find(|letter| !taken.iter().any(|name| **name == **letter)).unwrap_or_default().into(),
            };
            export.parameters.insert(id, export.names.len());
            export.names.push((name, class));
        }
        export.quantified = export.names.len();
        export
    }

    /// Exports a type with the parameters collected before.
    pub(super) fn export_with(&mut self, ty: TypeRef, export: &mut ExportState) -> Scheme {
        let ty = self.export_shared(ty, export);
        Scheme { parameters: export.names[..export.quantified].to_vec(), ty }
    }

    /// Collects the quantified parts of a type, in order.
    fn collect_variables(&mut self, ty: TypeRef, order: &[TypeRef], found: &mut Vec<TypeRef>) {
        self.begin_traversal();
        let mut pending = vec![ty];
        pending.extend(order.iter().rev());
        // Parameters in `order` are visited first, so they come first even if they occur later or not at all.
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            if !self.mark_visited(id) {
                continue;
            }
            match self.node_of(id) {
                ArenaNode::Unknown { .. } | ArenaNode::Parameter { .. } => found.push(id),
                _ => self.parts_of(id, &mut pending),
            }
        }
    }

    /// Exports a type for a message: unknown parts are `_`, and a large type is cut short.
    pub(super) fn export_for_message(&mut self, ty: TypeRef) -> Ty {
        self.export_shared(ty, &mut ExportState { budget: MAX_SHOWN_NODES, ..ExportState::default() })
    }

    pub(super) fn export_shared(&mut self, ty: TypeRef, export: &mut ExportState) -> Ty {
        let id = self.find(ty);
        if let Some(done) = export.done.get(&id) {
            export.budget = export.budget.saturating_sub(done.size());
            return done.clone();
        }
        if export.budget == 0 {
            return Ty::new(TyKind::Variable(usize::MAX, "…".into()));
        }
        export.budget -= 1;
        let kind = match self.node_of(id) {
            ArenaNode::Unknown { .. } | ArenaNode::Parameter { .. } | ArenaNode::Link(_) => {
                self.export_parameter(id, export)
            }
            ArenaNode::Real => TyKind::Real,
            ArenaNode::Nat => TyKind::Nat,
            ArenaNode::Bool => TyKind::Bool,
            ArenaNode::Unit => TyKind::Unit,
            ArenaNode::Tuple(parts) => TyKind::Tuple(self.export_parts(&parts, export)),
            // A data type without some of its arguments would print as another type, so they ignore the budget.
            ArenaNode::Data(data, parts) => {
                TyKind::Data(data, parts.iter().map(|&part| with_stack(|| self.export_shared(part, export))).collect())
            }
            ArenaNode::Function(a, b) => {
                let left = with_stack(|| self.export_shared(a, export));
                TyKind::Function(left, with_stack(|| self.export_shared(b, export)))
            }
            ArenaNode::Iso(a, b) => {
                let left = with_stack(|| self.export_shared(a, export));
                TyKind::Iso(left, with_stack(|| self.export_shared(b, export)))
            }
            ArenaNode::Tangent(inner) => TyKind::Tangent(with_stack(|| self.export_shared(inner, export))),
        };
        let finished = Ty::new(kind);
        // A type that was cut short is no finished form of the node.
        if export.budget > 0 {
            export.done.insert(id, finished.clone());
        }
        finished
    }

    fn export_parts(&mut self, parts: &[TypeRef], export: &mut ExportState) -> Vec<Ty> {
        let first = parts.first().map(|&part| self.find(part));
        // Equal components, as in `Real^10000`, are exported once.
        if parts.iter().all(|&part| Some(self.find(part)) == first) {
            let one = first.map(|part| with_stack(|| self.export_shared(part, export)));
            return one.into_iter().cycle().take(parts.len()).collect();
        }
        let mut exported = Vec::new();
        for &part in parts {
            exported.push(with_stack(|| self.export_shared(part, export)));
            if export.budget == 0 {
                break;
            }
        }
        exported
    }

    fn export_parameter(&mut self, id: TypeRef, export: &mut ExportState) -> TyKind {
        if let Some(&index) = export.parameters.get(&id) {
            return TyKind::Variable(index, export.names[index].0.clone());
        }
        let shape = self.node_of(id);
        let is_parameter = matches!(shape, ArenaNode::Parameter { .. });
        match shape {
            ArenaNode::Unknown { class, .. } | ArenaNode::Parameter { class, .. }
                if export.all && (class.is_open() || is_parameter) =>
            {
                let index = export.names.len();
                let name = if let ArenaNode::Parameter { name, .. } = self.node_of(id) { name } else { "_".into() };
                // An open part that is no parameter of the whole, as in a polymorphic `let` inside, gets a variable of
                // its own.
                export.parameters.insert(id, index);
                export.names.push((name.clone(), class));
                TyKind::Variable(index, name)
            }
            ArenaNode::Parameter { name, .. } => TyKind::Variable(usize::MAX, name),
            ArenaNode::Unknown { class, .. } if !class.is_open() => TyKind::Real,
            // Different unknowns stay different types: the index encodes the node.
            _ => TyKind::Variable(usize::MAX - 1 - id.0 as usize, "_".into()),
        }
    }
}

/// The state of an export: the parameters found so far, and the types done.
#[derive(Default)]
pub(super) struct ExportState {
    parameters: FxHashMap<TypeRef, usize>,
    names: Vec<(Name, Class)>,
    /// The number of names that are parameters of the whole type.
    quantified: usize,
    /// `true` if other open parts become variables too, each with its own index.
    all: bool,
    done: FxHashMap<TypeRef, Ty>,
    budget: usize,
}
