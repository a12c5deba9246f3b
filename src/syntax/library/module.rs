//! A module: definitions and named types, in the order of the source and by name.

use crate::syntax::name::Name;
use crate::syntax::term::Definition;
use crate::syntax::ty::{Scheme, TyKind};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// A named type with parameters, `type Surface A = A -> Real` or `type Maybe A = Nothing | Just A`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub scheme: Scheme,
    /// The constructors that the declaration brings with it; none where it only names a type.
    pub constructors: Vec<Arc<Definition>>,
    /// The [fold](super::eliminator) that it brings with it, if the type occurs in its own constructors.
    pub fold: Option<Arc<Definition>>,
}

impl Alias {
    /// What the declaration defines beside the type.
    pub fn definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.constructors.iter().chain(&self.fold)
    }
}

/// The declaration, as it is written.
impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scheme { parameters, ty } = &self.scheme;
        match ty.kind() {
            TyKind::Data(data, _) if !self.constructors.is_empty() => data.fmt(f),
            _ => {
                write!(f, "type {}", self.name)?;
                parameters.iter().try_for_each(|(name, _)| write!(f, " {name}"))?;
                write!(f, " = {ty}")
            }
        }
    }
}

/// A module: named types and definitions, in the order of the source.
#[derive(Clone, Debug)]
pub struct Module {
    pub(super) name: Name,
    pub(super) extends: Vec<Name>,
    pub(super) aliases: Vec<Arc<Alias>>,
    pub(super) definitions: Vec<Arc<Definition>>,
    pub(super) by_name: FxHashMap<Name, usize>,
    pub(super) aliases_by_name: FxHashMap<Name, usize>,
}

impl Module {
    /// The name of the module.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The modules that it extends, as declared.
    pub fn extends(&self) -> &[Name] {
        &self.extends
    }

    /// The definitions, in the order of the source.
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.definitions
    }

    /// The named types, in the order of the source.
    pub fn aliases(&self) -> &[Arc<Alias>] {
        &self.aliases
    }

    /// The definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Arc<Definition>> {
        self.by_name.get(name).map(|&index| &self.definitions[index])
    }

    /// The named type of a name.
    pub fn alias(&self, name: &str) -> Option<&Arc<Alias>> {
        self.aliases_by_name.get(name).map(|&index| &self.aliases[index])
    }
}
