//! Modules: definitions and named types, in the order of the source and by name.

use crate::syntax::name::Name;
use crate::syntax::term::Definition;
use crate::syntax::ty::{Scheme, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A named type with parameters, `type Surface A = A -> Real` or `type Maybe A = Nothing | Just A`.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The name.
    pub name: Name,
    /// The type that the name stands for, with its parameters.
    pub scheme: Scheme,
    /// The constructors of a data type; empty for a synonym.
    pub constructors: Vec<Arc<Definition>>,
    /// The [fold](super::eliminator) of a recursive data type, `None` otherwise.
    pub fold: Option<Arc<Definition>>,
}

impl NamedType {
    /// Returns the definitions that the declaration makes apart from the type: constructors and fold.
    pub fn definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.constructors.iter().chain(&self.fold)
    }
}

/// Prints the declaration, as it is written.
impl fmt::Display for NamedType {
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
    contents: ModuleContents,
}

#[derive(Clone, Debug)]
enum ModuleContents {
    Loaded(ModuleItems),
    Lazy(Arc<LazyModule>),
}

/// The definitions and named types of a module.
#[derive(Clone, Debug, Default)]
struct ModuleItems {
    named_types: Vec<Arc<NamedType>>,
    definitions: Vec<Arc<Definition>>,
    by_name: FxHashMap<Name, usize>,
    named_types_by_name: FxHashMap<Name, usize>,
}

/// A module that is loaded at the first access to one of its names.
struct LazyModule {
    /// The names of its types and definitions. A superset: a name in it may lead to nothing.
    names: FxHashSet<Name>,
    load: Box<dyn Fn() -> Module + Send + Sync>,
    load_items: OnceLock<ModuleItems>,
}

impl fmt::Debug for LazyModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("names", &self.names).field("items", &self.load_items).finish_non_exhaustive()
    }
}

impl LazyModule {
    fn load_items(&self) -> &ModuleItems {
        // The closure runs once, whichever thread comes first; copies of the module share the result.
        self.load_items.get_or_init(|| match (self.load)().contents {
            ModuleContents::Loaded(items) => items,
            ModuleContents::Lazy(unread) => unread.load_items().clone(),
        })
    }
}

impl Module {
    pub(super) fn empty(name: Name, extends: Vec<Name>) -> Module {
        Module { name, extends, contents: ModuleContents::Loaded(ModuleItems::default()) }
    }

    /// Makes a module that is loaded by `read` at the first access to one of its names. All of them must be in `names`.
    #[doc(hidden)]
    pub fn new_lazy(
        name: Name,
        extends: Vec<Name>,
        names: FxHashSet<Name>,
        read: impl Fn() -> Module + Send + Sync + 'static,
    ) -> Module {
        let unread = LazyModule { names, load: Box::new(read), load_items: OnceLock::new() };
        Module { name, extends, contents: ModuleContents::Lazy(Arc::new(unread)) }
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
        &self.loaded_items().definitions
    }

    /// Returns the named types, in the order of the source. Loads the module.
    pub fn named_types(&self) -> &[Arc<NamedType>] {
        &self.loaded_items().named_types
    }

    /// Returns the definition of a name. `None` if the module has none.
    pub fn find_definition(&self, name: &str) -> Option<&Arc<Definition>> {
        let items = self.items_naming(name)?;
        items.by_name.get(name).map(|&index| &items.definitions[index])
    }

    /// Returns the named type of a name. `None` if the module has none.
    pub fn find_named_type(&self, name: &str) -> Option<&Arc<NamedType>> {
        let items = self.items_naming(name)?;
        items.named_types_by_name.get(name).map(|&index| &items.named_types[index])
    }

    /// Returns `true` if the module is loaded.
    pub fn is_loaded(&self) -> bool {
        match &self.contents {
            ModuleContents::Loaded(_) => true,
            ModuleContents::Lazy(unread) => unread.load_items.get().is_some(),
        }
    }

    fn loaded_items(&self) -> &ModuleItems {
        match &self.contents {
            ModuleContents::Loaded(items) => items,
            ModuleContents::Lazy(unread) => unread.load_items(),
        }
    }

    /// Returns the contents if they may include this name. A name that is not announced does not load the module.
    fn items_naming(&self, name: &str) -> Option<&ModuleItems> {
        match &self.contents {
            ModuleContents::Lazy(unread) if !unread.names.contains(name) => None,
            _ => Some(self.loaded_items()),
        }
    }

    fn items_mut(&mut self) -> &mut ModuleItems {
        // A change makes the module one of its own; other copies keep the shared contents.
        if let ModuleContents::Lazy(unread) = &self.contents {
            self.contents = ModuleContents::Loaded(unread.load_items().clone());
        }
        match &mut self.contents {
            ModuleContents::Loaded(items) => items,
            ModuleContents::Lazy(_) => unreachable!("it was read just now"),
        }
    }

    /// Inserts a definition, in place of one of the same name.
    pub(super) fn insert_definition(&mut self, definition: Arc<Definition>) {
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
    pub(super) fn insert_named_type(&mut self, alias: Arc<NamedType>) {
        let items = self.items_mut();
        match items.named_types_by_name.get(&alias.name) {
            Some(&place) => items.named_types[place] = alias,
            None => {
                items.named_types_by_name.insert(alias.name.clone(), items.named_types.len());
                items.named_types.push(alias);
            }
        }
    }
}
