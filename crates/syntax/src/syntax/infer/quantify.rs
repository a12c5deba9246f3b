//! Generalisation and instantiation, and conversion between types under construction and finished ones.

use super::store::{Clash, Id, Node, QUANTIFIED, Store};
use crate::stack::deep;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of nodes of a type in a message. A choice: larger types are cut short there.
const SHOWN: usize = 120;

impl Store {
    /// Quantifies the free variables of a type that arose above a level. Returns `true` if there are any. Unknowns of a
    /// class that is not open become `Real` instead.
    pub(super) fn generalise(&mut self, ty: Id, level: u32) -> Result<bool, Clash> {
        self.begin();
        let mut any = false;
        let mut pending = vec![ty];
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            self.step(1)?;
            if !self.mark(id) {
                continue;
            }
            match self.shape(id) {
                Node::Unknown { level: found, class } if found > level => {
                    if class.stays_open() {
                        any = true;
                        self.settle(id, Node::Unknown { level: QUANTIFIED, class });
                    } else {
                        self.settle(id, Node::Real);
                    }
                }
                Node::Parameter { level: found, name, class } if found > level => {
                    any = true;
                    self.settle(id, Node::Parameter { level: QUANTIFIED, name, class });
                }
                _ => self.parts_of(id, &mut pending),
            }
        }
        self.measure(ty)?;
        Ok(any)
    }

    /// Defaults an unresolved numeric type above `level` to `Nat`. Returns `true` if the type is known afterwards.
    pub(super) fn counts(&mut self, ty: Id, level: u32) -> bool {
        match self.shape(ty) {
            Node::Unknown { level: found, class } if found > level && class.has_naturals() => {
                let id = self.find(ty);
                self.settle(id, Node::Nat);
                true
            }
            Node::Unknown { .. } => false,
            _ => true,
        }
    }

    /// Returns two flags for a type of numbers: whether it contains `Nat`, and whether one of these is written in the
    /// program.
    pub(super) fn naturals(&mut self, ty: Id) -> (bool, bool) {
        let (mut any, mut written) = (false, false);
        let mut pending = vec![ty];
        self.begin();
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            if self.mark(id) {
                any |= matches!(self.shape(id), Node::Nat);
                written |= id == Self::WRITTEN;
                if let Node::Tuple(parts) = self.shape(id) {
                    pending.extend(parts.iter());
                }
            }
        }
        (any, written)
    }

    /// Checks the size and depth of a type, written out, against the limits.
    pub(super) fn measure(&mut self, ty: Id) -> Result<(), Clash> {
        let mut sizes: FxHashMap<Id, (usize, u32)> = FxHashMap::default();
        let mut pending = vec![(ty, false)];
        let mut parts = Vec::new();
        while let Some((id, done)) = pending.pop() {
            let id = self.find(id);
            if sizes.contains_key(&id) {
                continue;
            }
            self.step(1)?;
            parts.clear();
            self.parts_of(id, &mut parts);
            // Second visit: all parts are measured. Each node is measured once, however often it occurs.
            if done || parts.is_empty() {
                let (mut size, mut depth) = (1usize, 0);
                for &part in &parts {
                    let part = self.find(part);
                    // An unmeasured part would be a cycle, which unification excludes; it counts as too large.
                    let (inner, below) = sizes.get(&part).copied().unwrap_or((usize::MAX, limit::DEPTH));
                    size = size.saturating_add(inner);
                    depth = depth.max(below);
                }
                if size > limit::TYPE_NODES || depth >= limit::DEPTH {
                    return Err(Clash::TooLarge);
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
    pub(super) fn instance(&mut self, ty: Id, level: u32) -> Result<Id, Clash> {
        self.copy(ty, level, &mut FxHashMap::default())
    }

    fn copy(&mut self, ty: Id, level: u32, done: &mut FxHashMap<Id, Id>) -> Result<Id, Clash> {
        let ty = self.find(ty);
        if let Some(&copy) = done.get(&ty) {
            return Ok(copy);
        }
        self.step(1)?;
        let copy = match self.shape(ty) {
            Node::Unknown { level: QUANTIFIED, class } | Node::Parameter { level: QUANTIFIED, class, .. } => {
                self.unknown(level, class)
            }
            Node::Tuple(parts) => match self.copies(&parts, level, done)? {
                // Nothing quantified inside: the copy shares the original.
                copies if copies[..] == parts[..] => ty,
                copies => self.make(Node::Tuple(copies)),
            },
            Node::Data(data, parts) => match self.copies(&parts, level, done)? {
                copies if copies[..] == parts[..] => ty,
                copies => self.make(Node::Data(data, copies)),
            },
            Node::Function(a, b) | Node::Iso(a, b) => {
                let left = deep(|| self.copy(a, level, done))?;
                let right = deep(|| self.copy(b, level, done))?;
                match self.shape(ty) {
                    _ if (left, right) == (a, b) => ty,
                    Node::Iso(..) => self.make(Node::Iso(left, right)),
                    _ => self.make(Node::Function(left, right)),
                }
            }
            Node::Tangent(a) => {
                let inner = deep(|| self.copy(a, level, done))?;
                if inner == a { ty } else { self.make(Node::Tangent(inner)) }
            }
            _ => ty,
        };
        done.insert(ty, copy);
        Ok(copy)
    }

    fn copies(&mut self, parts: &[Id], level: u32, done: &mut FxHashMap<Id, Id>) -> Result<Rc<[Id]>, Clash> {
        parts.iter().map(|&part| deep(|| self.copy(part, level, done))).collect()
    }

    /// Imports a finished type, with `arguments` for its parameters.
    pub(in crate::syntax) fn import(&mut self, ty: &Ty, arguments: &[Id]) -> Result<Id, Clash> {
        self.import_shared(ty, arguments, &mut FxHashMap::default())
    }

    /// Imports a type that a written name stands for. Its `Nat`s count as written too.
    pub(super) fn import_written(&mut self, ty: &Ty, arguments: &[Id]) -> Result<Id, Clash> {
        self.natural = Self::WRITTEN;
        let result = self.import(ty, arguments);
        self.natural = Self::NAT;
        result
    }

    /// Imports a type scheme, instantiated with fresh unknowns of the classes of its parameters.
    pub(in crate::syntax) fn import_scheme(&mut self, scheme: &Scheme, level: u32) -> Result<Id, Clash> {
        let arguments: Vec<Id> = scheme.parameters.iter().map(|(_, class)| self.unknown(level, *class)).collect();
        self.import(&scheme.ty, &arguments)
    }

    fn import_shared(&mut self, ty: &Ty, arguments: &[Id], done: &mut FxHashMap<usize, Id>) -> Result<Id, Clash> {
        if let Some(&id) = done.get(&ty.address()) {
            return Ok(id);
        }
        self.step(1)?;
        let id = match ty.kind() {
            TyKind::Variable(index, _) => arguments.get(*index).copied().unwrap_or(Store::UNIT),
            TyKind::Real => Store::REAL,
            TyKind::Nat => self.natural,
            TyKind::Bool => Store::BOOL,
            TyKind::Unit => Store::UNIT,
            TyKind::Tuple(parts) | TyKind::Data(_, parts) => {
                let mut ids = Vec::with_capacity(parts.len());
                for part in parts {
                    ids.push(deep(|| self.import_shared(part, arguments, done))?);
                }
                self.make(match ty.kind() {
                    TyKind::Data(data, _) => Node::Data(data.clone(), ids.into()),
                    _ => Node::Tuple(ids.into()),
                })
            }
            TyKind::Function(a, b) | TyKind::Iso(a, b) => {
                let left = deep(|| self.import_shared(a, arguments, done))?;
                let right = deep(|| self.import_shared(b, arguments, done))?;
                let iso = matches!(ty.kind(), TyKind::Iso(..));
                self.make(if iso { Node::Iso(left, right) } else { Node::Function(left, right) })
            }
            TyKind::Tangent(inner) => {
                let inner = deep(|| self.import_shared(inner, arguments, done))?;
                self.make(Node::Tangent(inner))
            }
        };
        done.insert(ty.address(), id);
        Ok(id)
    }

    /// Exports a generalised type as a scheme. Its parameters are the quantified parts, first those in `order` and then
    /// in the order of occurrence.
    pub(super) fn export(&mut self, ty: Id, order: &[Id]) -> Scheme {
        let mut export = self.parameters(ty, order);
        self.scheme(ty, &mut export)
    }

    /// Collects the parameters of a generalised type, ordered as by [`Store::export`].
    pub(super) fn parameters(&mut self, ty: Id, order: &[Id]) -> Export {
        let mut export = Export { budget: usize::MAX, all: true, ..Export::default() };
        let mut taken: Vec<Name> = Vec::new();
        let mut parameters = Vec::new();
        self.collect(ty, order, &mut parameters);
        for &id in &parameters {
            if let Node::Parameter { name, .. } = self.shape(id) {
                taken.push(name);
            }
        }
        // Letters for parameters without a name, which no named parameter has.
        let mut letters = ('A'..='Z').map(String::from).chain((1..).map(|number| format!("A{number}")));
        for &id in &parameters {
            let shape = self.shape(id);
            let class = if let Node::Unknown { class, .. } | Node::Parameter { class, .. } = shape {
                class
            } else {
                Class::ANY
            };
            let name = match shape {
                Node::Parameter { name, .. } => name,
                _ => letters.find(|letter| !taken.iter().any(|name| **name == **letter)).unwrap_or_default().into(),
            };
            export.parameters.insert(id, export.names.len());
            export.names.push((name, class));
        }
        export.quantified = export.names.len();
        export
    }

    /// Exports a type with the parameters collected before.
    pub(super) fn scheme(&mut self, ty: Id, export: &mut Export) -> Scheme {
        let ty = self.export_shared(ty, export);
        Scheme { parameters: export.names[..export.quantified].to_vec(), ty }
    }

    /// Collects the quantified parts of a type, in order.
    fn collect(&mut self, ty: Id, order: &[Id], found: &mut Vec<Id>) {
        self.begin();
        let mut pending = vec![ty];
        pending.extend(order.iter().rev());
        // Parameters in `order` are visited first, so they come first even if they occur later or not at all.
        while let Some(id) = pending.pop() {
            let id = self.find(id);
            if !self.mark(id) {
                continue;
            }
            match self.shape(id) {
                Node::Unknown { .. } | Node::Parameter { .. } => found.push(id),
                _ => self.parts_of(id, &mut pending),
            }
        }
    }

    /// Exports a type for a message: unknown parts are `_`, and a large type is cut short.
    pub(super) fn show(&mut self, ty: Id) -> Ty {
        self.export_shared(ty, &mut Export { budget: SHOWN, ..Export::default() })
    }

    pub(super) fn export_shared(&mut self, ty: Id, export: &mut Export) -> Ty {
        let id = self.find(ty);
        if let Some(done) = export.done.get(&id) {
            export.budget = export.budget.saturating_sub(done.size());
            return done.clone();
        }
        if export.budget == 0 {
            return Ty::new(TyKind::Variable(usize::MAX, "…".into()));
        }
        export.budget -= 1;
        let kind = match self.shape(id) {
            Node::Unknown { .. } | Node::Parameter { .. } | Node::Link(_) => self.export_parameter(id, export),
            Node::Real => TyKind::Real,
            Node::Nat => TyKind::Nat,
            Node::Bool => TyKind::Bool,
            Node::Unit => TyKind::Unit,
            Node::Tuple(parts) => TyKind::Tuple(self.export_parts(&parts, export)),
            // A data type without some of its arguments would print as another type, so they ignore the budget.
            Node::Data(data, parts) => {
                TyKind::Data(data, parts.iter().map(|&part| deep(|| self.export_shared(part, export))).collect())
            }
            Node::Function(a, b) => {
                let left = deep(|| self.export_shared(a, export));
                TyKind::Function(left, deep(|| self.export_shared(b, export)))
            }
            Node::Iso(a, b) => {
                let left = deep(|| self.export_shared(a, export));
                TyKind::Iso(left, deep(|| self.export_shared(b, export)))
            }
            Node::Tangent(inner) => TyKind::Tangent(deep(|| self.export_shared(inner, export))),
        };
        let finished = Ty::new(kind);
        // A type that was cut short is no finished form of the node.
        if export.budget > 0 {
            export.done.insert(id, finished.clone());
        }
        finished
    }

    fn export_parts(&mut self, parts: &[Id], export: &mut Export) -> Vec<Ty> {
        let first = parts.first().map(|&part| self.find(part));
        // Equal components, as in `Real^10000`, are exported once.
        if parts.iter().all(|&part| Some(self.find(part)) == first) {
            let one = first.map(|part| deep(|| self.export_shared(part, export)));
            return one.into_iter().cycle().take(parts.len()).collect();
        }
        let mut exported = Vec::new();
        for &part in parts {
            exported.push(deep(|| self.export_shared(part, export)));
            if export.budget == 0 {
                break;
            }
        }
        exported
    }

    fn export_parameter(&mut self, id: Id, export: &mut Export) -> TyKind {
        if let Some(&index) = export.parameters.get(&id) {
            return TyKind::Variable(index, export.names[index].0.clone());
        }
        let shape = self.shape(id);
        let is_parameter = matches!(shape, Node::Parameter { .. });
        match shape {
            Node::Unknown { class, .. } | Node::Parameter { class, .. }
                if export.all && (class.stays_open() || is_parameter) =>
            {
                let index = export.names.len();
                let name = if let Node::Parameter { name, .. } = self.shape(id) { name } else { "_".into() };
                // An open part that is no parameter of the whole, as in a polymorphic `let` inside, gets a variable of
                // its own.
                export.parameters.insert(id, index);
                export.names.push((name.clone(), class));
                TyKind::Variable(index, name)
            }
            Node::Parameter { name, .. } => TyKind::Variable(usize::MAX, name),
            Node::Unknown { class, .. } if !class.stays_open() => TyKind::Real,
            // Different unknowns stay different types: the index encodes the node.
            _ => TyKind::Variable(usize::MAX - 1 - id.0 as usize, "_".into()),
        }
    }
}

/// The state of an export: the parameters found so far, and the types done.
#[derive(Default)]
pub(super) struct Export {
    parameters: FxHashMap<Id, usize>,
    names: Vec<(Name, Class)>,
    /// The number of names that are parameters of the whole type.
    quantified: usize,
    /// `true` if other open parts become variables too, each with its own index.
    all: bool,
    done: FxHashMap<Id, Ty>,
    budget: usize,
}
