//! Modules of definitions, and name resolution.
//!
//! A name resolves, in this order, to a variable; to a definition of the current module, or of those that it extends;
//! to a definition that exactly one loaded module has; to a constant of the language. `Module.name` always works.
//!
//! The names of [`TRACE`], for sampling programs, are common words. Inside a `do`, and where a distribution or a
//! sampling program is expected, they come right after the definitions of the module itself. Elsewhere they come after
//! those of all other modules. So do the names of [`EVERYDAY`], which a theory of a user may have as well.
//!
//! # Modules
//!
//! Definitions and named types, in the order of the source and by name.
//!
//! # The modules of the standard library

use super::error::SyntaxError;
use super::name::Name;
use super::source::Span;
use super::surface::{Declaration, Identifier, TypeDeclaration};
use super::term::{Definition, Term};
use super::ty::Ty;
use super::type_error::TypeError;
use super::{data, infer, parser};
use crate::syntax::ty::{Scheme, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// An error of a program before it runs.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgramError {
    /// An error of its syntax.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// An error of its names or types.
    #[error(transparent)]
    Type(#[from] TypeError),
}

impl ProgramError {
    /// Returns the span of the error. `None` for an input that is no text or too long.
    pub fn span(&self) -> Option<Span> {
        match self {
            ProgramError::Syntax(error) => error.span(),
            ProgramError::Type(error) => Some(error.span()),
        }
    }
}

/// The result of resolving a name.
#[derive(Clone, Debug)]
pub(crate) enum Lookup<T> {
    Found(T),
    Ambiguous(Vec<Name>),
    Missing,
}

/// The module of sampling programs, whose `bind` a `do` is made of.
pub const TRACE: &str = "Trace";

/// The module of the words that people type first. Its names give way to those of all other modules.
pub const EVERYDAY: &str = "Everyday";

/// The loaded modules, among which names are resolved.
#[derive(Clone, Debug, Default)]
pub struct Library {
    modules: Vec<Module>,
    by_name: FxHashMap<Name, usize>,
}

impl Library {
    /// Makes a library without modules: programs see only the constants of the language.
    pub fn new() -> Library {
        Library::default()
    }

    /// Returns the modules, in the order in which they were added.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Returns the module of a name. `None` if it is not loaded.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.by_name.get(name).map(|&index| &self.modules[index])
    }

    /// Parses a program and infers its type.
    ///
    /// # Errors
    /// The first error of its syntax, its names or its types.
    ///
    /// # Examples
    /// ```
    /// use smoothish_syntax::syntax::library::Library;
    /// let (term, ty) = Library::new().infer_expression("deriv (λ x ⇒ max 0 x)")?;
    /// assert_eq!(ty.to_string(), "Real -> Real");
    /// assert_eq!(term.to_string(), "deriv (\\x => max 0 x)");
    /// assert!(Library::new().infer_expression("deriv 2").is_err());
    /// # Ok::<(), smoothish_syntax::syntax::library::ProgramError>(())
    /// ```
    pub fn infer_expression(&self, text: &str) -> Result<(Term, Ty), ProgramError> {
        let expression = parser::parse_expression(text)?;
        Ok(infer::infer_expression(self, None, text, &expression, None)?)
    }

    /// Adds an empty module, to define names in. A module of the same name is replaced.
    pub fn add_module(&mut self, name: Name, extends: Vec<Name>) {
        self.insert_module(Module::empty(name, extends));
    }

    /// Adds a module, in place of one of the same name.
    #[doc(hidden)]
    pub fn insert_module(&mut self, module: Module) {
        match self.by_name.get(module.name()) {
            Some(&index) => self.modules[index] = module,
            None => {
                self.by_name.insert(module.name().clone(), self.modules.len());
                self.modules.push(module);
            }
        }
    }

    /// Infers the type of an expression in a module.
    ///
    /// # Errors
    /// The first error of its names or types.
    pub fn infer_in_module(
        &self,
        module: &str,
        text: &str,
        expression: &super::surface::Expression,
    ) -> Result<(Term, Ty), TypeError> {
        infer::infer_expression(self, Some(module), text, expression, None)
    }

    /// Elaborates an expression in a module, where a type without parameters is expected.
    ///
    /// # Errors
    /// The first error of its names or types.
    pub fn check_in_module(
        &self,
        module: &str,
        text: &str,
        expression: &super::surface::Expression,
        ty: &Ty,
    ) -> Result<Term, TypeError> {
        Ok(infer::infer_expression(self, Some(module), text, expression, Some(ty))?.0)
    }

    /// Infers the type of a definition and adds it to a module.
    ///
    /// # Errors
    /// The first error of its names or types; [`TypeError::DefinedTwice`]; [`TypeError::UnknownModule`].
    pub fn define(
        &mut self,
        module: &str,
        text: &str,
        declaration: &Declaration,
        doc: &str,
    ) -> Result<Arc<Definition>, TypeError> {
        let index = self.module_index(module, declaration.name.span)?;
        if self.modules[index].find_definition(&declaration.name.name).is_some() {
            return Err(self.defined_twice_error(index, &declaration.name.name, declaration.name.span));
        }
        let definition = self.elaborate(module, text, declaration, doc)?;
        self.insert_definition(definition.clone());
        Ok(definition)
    }

    /// Infers the type of a definition in a module, without adding it.
    ///
    /// # Errors
    /// The first error of its names or types.
    pub fn elaborate(
        &self,
        module: &str,
        text: &str,
        declaration: &Declaration,
        doc: &str,
    ) -> Result<Arc<Definition>, TypeError> {
        let (term, scheme) = infer::infer_declaration(self, module, text, declaration)?;
        let Identifier { name, span } = declaration.name.clone();
        let (module, doc) = (module.into(), doc.to_owned());
        Ok(Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None, foreign: None }))
    }

    /// Adds a definition to its module, in place of one of the same name. Terms that used the old one keep it.
    pub fn insert_definition(&mut self, definition: Arc<Definition>) {
        if !self.by_name.contains_key(&definition.module) {
            self.add_module(definition.module.clone(), Vec::new());
        }
        let target = self.by_name[&definition.module];
        self.modules[target].insert_definition(definition);
    }

    /// Infers the type that a name is declared for in a module, without adding it.
    ///
    /// # Errors
    /// The first error of the declaration.
    pub fn elaborate_type(
        &self,
        module: &str,
        text: &str,
        declaration: &TypeDeclaration,
    ) -> Result<Arc<NamedType>, TypeError> {
        let constructors = match declaration {
            TypeDeclaration::Alias(_) => &[],
            TypeDeclaration::Data(declaration) => &declaration.constructors[..],
        };
        // A basic type cannot be defined anew. Constructors share the namespace of types in a declaration.
        for Identifier { name, span } in constructors.iter().map(|(name, _)| name).chain([declaration.name()]) {
            if infer::is_basic_type(name) {
                let (name, span) = (name.to_string(), *span);
                return Err(TypeError::DefinedTwice { name, module: "the language".into(), span });
            }
        }
        let name = declaration.name().name.clone();
        let declaration = match declaration {
            TypeDeclaration::Alias(declaration) => {
                let scheme = infer::infer_alias(self, module, text, declaration)?;
                return Ok(Arc::new(NamedType { name, scheme, constructors: Vec::new(), fold: None }));
            }
            TypeDeclaration::Data(declaration) => declaration,
        };
        let data = infer::infer_data(self, module, text, declaration)?;
        let constructors = data.constructors().zip(constructors).map(|(constructor, (written, _))| {
            Arc::new(Definition {
                module: module.into(),
                name: written.name.clone(),
                scheme: constructor.scheme(),
                // A constructor is also a definition, a function of its argument, so that it can be passed on like any
                // other.
                term: infer::constructor_term(&constructor, constructor.argument(), data.generic_type(), written.span),
                doc: String::new(),
                span: written.span,
                constructor: Some(constructor),
                foreign: None,
            })
        });
        let fold = data::fold_definition(&data, declaration.name.span);
        Ok(Arc::new(NamedType { name, scheme: data.type_scheme(), constructors: constructors.collect(), fold }))
    }

    /// Adds a named type to a module, with its constructors and its fold, in place of those of the same names.
    pub fn insert_named_type(&mut self, module: &str, alias: Arc<NamedType>) {
        if !self.by_name.contains_key(module) {
            self.add_module(module.into(), Vec::new());
        }
        alias.definitions().for_each(|definition| self.insert_definition(definition.clone()));
        let target = self.by_name[module];
        self.modules[target].insert_named_type(alias);
    }

    /// Adds a named type to a module. Nothing is added if one of its names is already defined there.
    ///
    /// # Errors
    /// Those of [`Library::define`].
    pub fn define_type(&mut self, module: &str, text: &str, declaration: &TypeDeclaration) -> Result<(), TypeError> {
        let Identifier { name, span } = declaration.name();
        let index = self.module_index(module, *span)?;
        if self.modules[index].find_named_type(name).is_some() || infer::is_basic_type(name) {
            return Err(self.defined_twice_error(index, name, *span));
        }
        let alias = self.elaborate_type(module, text, declaration)?;
        for Definition { name, span, .. } in alias.definitions().map(|definition| &**definition) {
            if self.modules[index].find_definition(name).is_some() {
                return Err(self.defined_twice_error(index, name, *span));
            }
        }
        self.insert_named_type(module, alias);
        Ok(())
    }

    fn defined_twice_error(&self, index: usize, name: &Name, span: Span) -> TypeError {
        TypeError::DefinedTwice { name: name.to_string(), module: self.modules[index].name().clone(), span }
    }

    fn module_index(&self, module: &str, span: Span) -> Result<usize, TypeError> {
        self.by_name.get(module).copied().ok_or_else(|| TypeError::UnknownModule {
            module: module.to_owned(),
            suggestion: None,
            span,
        })
    }

    /// Resolves an unqualified name to a definition, in the module `current` or at the prompt. `in_do` prefers the
    /// names of [`TRACE`].
    pub(crate) fn resolve_definition(&self, current: Option<&str>, name: &str, in_do: bool) -> Lookup<Arc<Definition>> {
        let of = |module: &Module| module.find_definition(name).cloned();
        if in_do
            && let Some(found) = current.and_then(|name| of(self.module(name)?)).or_else(|| of(self.module(TRACE)?))
        {
            return Lookup::Found(found);
        }
        match self.resolve_with(current, |module| module.find_definition(name)) {
            // Ambiguous with these modules alone is not ambiguous: their common names give way to those of other modules.
            Lookup::Ambiguous(modules) if modules.iter().any(|module| gives_way(module)) => self
                .find_unique(self.modules.iter().filter(|module| !gives_way(module.name())), |module| {
                    module.find_definition(name)
                }),
            found => found,
        }
    }

    /// Resolves an unqualified name to a named type, in the module `current` or at the prompt.
    pub(crate) fn resolve_named_type(&self, current: Option<&str>, name: &str) -> Lookup<Arc<NamedType>> {
        self.resolve_with(current, |module| module.find_named_type(name))
    }

    fn resolve_with<T>(&self, current: Option<&str>, find: impl Fn(&Module) -> Option<&Arc<T>>) -> Lookup<Arc<T>> {
        if let Some(current) = current.and_then(|name| self.module(name)) {
            if let Some(found) = find(current) {
                return Lookup::Found(found.clone());
            }
            let above = self.extended_modules(current);
            // Several modules above may have the name: an error here, since a search in all modules would find no
            // fewer.
            match self.find_unique(above.iter().copied(), &find) {
                Lookup::Missing => {}
                found => return found,
            }
        }
        self.find_unique(self.modules.iter(), &find)
    }

    /// Returns the item that exactly one of these modules has.
    fn find_unique<'m, T: 'm>(
        &'m self,
        modules: impl Iterator<Item = &'m Module>,
        find: impl Fn(&Module) -> Option<&Arc<T>>,
    ) -> Lookup<Arc<T>> {
        let mut found: Option<Arc<T>> = None;
        let mut names = Vec::new();
        for module in modules {
            if let Some(item) = find(module) {
                // The search goes on behind the first module: an ambiguous name is an error that lists them all.
                found.get_or_insert_with(|| item.clone());
                names.push(module.name().clone());
            }
        }
        match found {
            Some(item) if names.len() == 1 => Lookup::Found(item),
            Some(_) => Lookup::Ambiguous(names),
            None => Lookup::Missing,
        }
    }

    /// Returns the modules that a module extends, directly or indirectly, each once.
    fn extended_modules(&self, module: &Module) -> Vec<&Module> {
        let mut seen: FxHashSet<&Name> = FxHashSet::default();
        let mut found = Vec::new();
        let mut pending: Vec<&Name> = module.extends().iter().rev().collect();
        while let Some(name) = pending.pop() {
            if let Some(above) = self.module(name)
                // Cyclic extensions would not end without this.
                && seen.insert(above.name())
            {
                found.push(above);
                pending.extend(above.extends().iter().rev());
            }
        }
        found
    }
}

/// Returns `true` if the names of a module come after those of all others.
fn gives_way(module: &str) -> bool {
    matches!(module, TRACE | EVERYDAY)
}

/// A named type with parameters, `type Surface A = A -> Real` or `type Maybe A = Nothing | Just A`.
#[derive(Clone, Debug)]
pub struct NamedType {
    /// The name.
    pub name: Name,
    /// The type that the name stands for, with its parameters.
    pub scheme: Scheme,
    /// The constructors of a data type; empty for a synonym.
    pub constructors: Vec<Arc<Definition>>,
    /// The [fold](crate::syntax::data) of a recursive data type, `None` otherwise.
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
    fn empty(name: Name, extends: Vec<Name>) -> Module {
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
    fn insert_definition(&mut self, definition: Arc<Definition>) {
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
    fn insert_named_type(&mut self, alias: Arc<NamedType>) {
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

/// The names of the modules of the standard library, in the order in which they are loaded. A test compares them with
/// the sources.
pub const STANDARD: [&str; 31] = [
    "Prelude",
    "Data",
    "Trace",
    "Tree",
    "Network",
    "Category",
    "OrderedField",
    "SecondOrder",
    "Smooth",
    "Reverse",
    "Matrix",
    "Partial",
    "Pap",
    "Domain",
    "Clarke",
    "CartesianDifferential",
    "Integral",
    "Rounding",
    "Taylor",
    "Tangents",
    "Surface",
    "Maximizer",
    "SmoothBool",
    "Distributions",
    "Estimators",
    "Measure",
    "Support",
    "Solid",
    "Shapes",
    "Compact",
    EVERYDAY,
];

/// Returns `true` if a type of the language has this name, which no declaration can have.
#[must_use]
pub fn is_basic_type(name: &str) -> bool {
    infer::is_basic_type(name)
}

/// Returns `true` if a module belongs to the standard library.
#[must_use]
pub fn is_standard(module: &str) -> bool {
    STANDARD.contains(&module)
}
