//! A module: definitions and named types, in the order of the source and by name.

use crate::syntax::name::Name;
use crate::syntax::term::Definition;
use crate::syntax::ty::{Scheme, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

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
    name: Name,
    extends: Vec<Name>,
    contents: Contents,
}

#[derive(Clone, Debug)]
enum Contents {
    Read(Items),
    Unread(Arc<Unread>),
}

/// What a module holds.
#[derive(Clone, Debug, Default)]
struct Items {
    aliases: Vec<Arc<Alias>>,
    definitions: Vec<Arc<Definition>>,
    by_name: FxHashMap<Name, usize>,
    aliases_by_name: FxHashMap<Name, usize>,
}

/// A module that is read when somebody asks for one of its names.
struct Unread {
    /// The names of its types and definitions; there may be more.
    names: FxHashSet<Name>,
    read: Box<dyn Fn() -> Module + Send + Sync>,
    items: OnceLock<Items>,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("names", &self.names).field("items", &self.items).finish_non_exhaustive()
    }
}

impl Unread {
    fn items(&self) -> &Items {
        self.items.get_or_init(|| match (self.read)().contents {
            Contents::Read(items) => items,
            Contents::Unread(unread) => unread.items().clone(),
        })
    }
}

impl Module {
    pub(super) fn empty(name: Name, extends: Vec<Name>) -> Module {
        Module { name, extends, contents: Contents::Read(Items::default()) }
    }

    /// A module that is read when somebody asks for one of its names, of which `names` has all.
    #[doc(hidden)]
    pub fn unread(
        name: Name,
        extends: Vec<Name>,
        names: FxHashSet<Name>,
        read: impl Fn() -> Module + Send + Sync + 'static,
    ) -> Module {
        let unread = Unread { names, read: Box::new(read), items: OnceLock::new() };
        Module { name, extends, contents: Contents::Unread(Arc::new(unread)) }
    }

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
        &self.items().definitions
    }

    /// The named types, in the order of the source.
    pub fn aliases(&self) -> &[Arc<Alias>] {
        &self.items().aliases
    }

    /// The definition of a name.
    pub fn definition(&self, name: &str) -> Option<&Arc<Definition>> {
        let items = self.items_with(name)?;
        items.by_name.get(name).map(|&index| &items.definitions[index])
    }

    /// The named type of a name.
    pub fn alias(&self, name: &str) -> Option<&Arc<Alias>> {
        let items = self.items_with(name)?;
        items.aliases_by_name.get(name).map(|&index| &items.aliases[index])
    }

    /// Whether it has been read.
    pub fn is_read(&self) -> bool {
        match &self.contents {
            Contents::Read(_) => true,
            Contents::Unread(unread) => unread.items.get().is_some(),
        }
    }

    fn items(&self) -> &Items {
        match &self.contents {
            Contents::Read(items) => items,
            Contents::Unread(unread) => unread.items(),
        }
    }

    /// What the module holds, if it may have something of this name.
    fn items_with(&self, name: &str) -> Option<&Items> {
        match &self.contents {
            Contents::Unread(unread) if !unread.names.contains(name) => None,
            _ => Some(self.items()),
        }
    }

    fn items_mut(&mut self) -> &mut Items {
        if let Contents::Unread(unread) = &self.contents {
            self.contents = Contents::Read(unread.items().clone());
        }
        match &mut self.contents {
            Contents::Read(items) => items,
            Contents::Unread(_) => unreachable!("it was read just now"),
        }
    }

    /// Adds a definition, in place of one of the same name.
    pub(super) fn put(&mut self, definition: Arc<Definition>) {
        let items = self.items_mut();
        match items.by_name.get(&definition.name) {
            Some(&place) => items.definitions[place] = definition,
            None => {
                items.by_name.insert(definition.name.clone(), items.definitions.len());
                items.definitions.push(definition);
            }
        }
    }

    /// Adds a named type, in place of one of the same name.
    pub(super) fn put_alias(&mut self, alias: Arc<Alias>) {
        let items = self.items_mut();
        match items.aliases_by_name.get(&alias.name) {
            Some(&place) => items.aliases[place] = alias,
            None => {
                items.aliases_by_name.insert(alias.name.clone(), items.aliases.len());
                items.aliases.push(alias);
            }
        }
    }
}
