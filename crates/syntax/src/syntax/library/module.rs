//! Modules: definitions and named types, in the order of the source and by name.

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
    /// The type that the name stands for, with its parameters.
    pub scheme: Scheme,
    /// The constructors of a data type; empty for a synonym.
    pub constructors: Vec<Arc<Definition>>,
    /// The [fold](super::eliminator) of a recursive data type, `None` otherwise.
    pub fold: Option<Arc<Definition>>,
}

impl Alias {
    /// Returns the definitions that the declaration makes apart from the type: constructors and fold.
    pub fn definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.constructors.iter().chain(&self.fold)
    }
}

/// Prints the declaration, as it is written.
impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scheme { parameters, ty } = &self.scheme;
        match ty.kind() {
            // An alias of a data type has that data type as its body too, but no constructors.
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

/// The definitions and named types of a module.
#[derive(Clone, Debug, Default)]
struct Items {
    aliases: Vec<Arc<Alias>>,
    definitions: Vec<Arc<Definition>>,
    by_name: FxHashMap<Name, usize>,
    aliases_by_name: FxHashMap<Name, usize>,
}

/// A module that is loaded at the first access to one of its names.
struct Unread {
    /// The names of its types and definitions. A superset: a name in it may lead to nothing.
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
        // The closure runs once, whichever thread comes first; copies of the module share the result.
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

    /// Makes a module that is loaded by `read` at the first access to one of its names. All of them must be in `names`.
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

    /// Returns the name of the module.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Returns the modules that it extends directly, as declared.
    pub fn extends(&self) -> &[Name] {
        &self.extends
    }

    /// Returns the definitions, in the order of the source. Loads the module.
    pub fn definitions(&self) -> &[Arc<Definition>] {
        &self.items().definitions
    }

    /// Returns the named types, in the order of the source. Loads the module.
    pub fn aliases(&self) -> &[Arc<Alias>] {
        &self.items().aliases
    }

    /// Returns the definition of a name. `None` if the module has none.
    pub fn definition(&self, name: &str) -> Option<&Arc<Definition>> {
        let items = self.items_with(name)?;
        items.by_name.get(name).map(|&index| &items.definitions[index])
    }

    /// Returns the named type of a name. `None` if the module has none.
    pub fn alias(&self, name: &str) -> Option<&Arc<Alias>> {
        let items = self.items_with(name)?;
        items.aliases_by_name.get(name).map(|&index| &items.aliases[index])
    }

    /// Returns `true` if the module is loaded.
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

    /// Returns the contents if they may include this name. A name that is not announced does not load the module.
    fn items_with(&self, name: &str) -> Option<&Items> {
        match &self.contents {
            Contents::Unread(unread) if !unread.names.contains(name) => None,
            _ => Some(self.items()),
        }
    }

    fn items_mut(&mut self) -> &mut Items {
        // A change makes the module one of its own; other copies keep the shared contents.
        if let Contents::Unread(unread) = &self.contents {
            self.contents = Contents::Read(unread.items().clone());
        }
        match &mut self.contents {
            Contents::Read(items) => items,
            Contents::Unread(_) => unreachable!("it was read just now"),
        }
    }

    /// Inserts a definition, in place of one of the same name.
    pub(super) fn put(&mut self, definition: Arc<Definition>) {
        let items = self.items_mut();
        match items.by_name.get(&definition.name) {
            // In the old position: the order of the source stays.
            Some(&place) => items.definitions[place] = definition,
            None => {
                items.by_name.insert(definition.name.clone(), items.definitions.len());
                items.definitions.push(definition);
            }
        }
    }

    /// Inserts a named type, in place of one of the same name.
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
