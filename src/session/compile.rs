//! Programs as maps and as computable reals: read once as a text, evaluated many times.
//!
//! # The definitions of a session
//!
//! The definitions of a session, in order, each with its text.
//!
//! They form a module above the theories. A definition may have the name of an earlier one, and hides it. Terms that
//! use the earlier one keep it, as with lexical scoping. The program of the last question is a definition too, `ans`.

use crate::syntax::error::SyntaxError;
use crate::syntax::library::{Library, NamedType, ProgramError};
use crate::syntax::name::Name;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::theory::format::RESERVED;
use std::sync::Arc;

/// The name of the module of the session's definitions. Names of theories have capital initials, so none collides.
pub const SESSION_MODULE: &str = "session";
/// The name of the program of the last question.
pub const ANSWER_NAME: &str = "ans";

/// A definition of a session.
#[derive(Clone, Debug)]
pub struct SessionDefinition {
    /// The text: `let …`, `type …`, or the last question.
    pub source: Arc<SourceText>,
    /// The item that it defines.
    pub content: DefinitionKind,
}

/// The item that a text defines.
#[derive(Clone, Debug)]
pub enum DefinitionKind {
    /// `let f x = e`
    Value(Arc<Definition>),
    /// `type A = T`, with its constructors and its fold if it has any.
    Type(Arc<NamedType>),
    /// `ans`
    Answer(Arc<Definition>),
    /// A constant from outside: see [`Session::define_constant`](super::Session::define_constant).
    Foreign(Arc<Definition>),
}

impl SessionDefinition {
    /// Returns the defined name.
    #[must_use]
    pub fn name(&self) -> &Name {
        match &self.content {
            DefinitionKind::Value(definition)
            | DefinitionKind::Answer(definition)
            | DefinitionKind::Foreign(definition) => &definition.name,
            DefinitionKind::Type(alias) => &alias.name,
        }
    }

    /// Returns the definition of a value. `None` if the entry defines a type.
    #[must_use]
    pub fn definition(&self) -> Option<&Arc<Definition>> {
        match &self.content {
            DefinitionKind::Value(definition)
            | DefinitionKind::Answer(definition)
            | DefinitionKind::Foreign(definition) => Some(definition),
            DefinitionKind::Type(_) => None,
        }
    }

    /// Returns `true` for a constant or a type from outside, which has no text that could be read again.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        match &self.content {
            DefinitionKind::Foreign(_) => true,
            // A data type without constructors cannot be written.
            DefinitionKind::Type(alias) => {
                matches!(alias.scheme.ty.kind(), TyKind::Data(data, _) if data.constructor_count() == 0)
            }
            DefinitionKind::Value(_) | DefinitionKind::Answer(_) => false,
        }
    }

    /// Lists every defined name: a value, or a type with its constructors and its fold. The flag is `true` for the name
    /// of a type.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = (&Name, bool)> {
        let alias = match &self.content {
            DefinitionKind::Type(alias) => Some(alias),
            _ => None,
        };
        let own = (self.name(), self.definition().is_none());
        let brought = alias.into_iter().flat_map(|alias| alias.definitions());
        std::iter::once(own).chain(brought.map(|definition| (&definition.name, false)))
    }

    /// Returns the fold defined with a type, and its index in [`SessionDefinition::defined_names`]. `None` if there is none.
    pub(super) fn fold(&self) -> Option<(&Arc<Definition>, usize)> {
        match &self.content {
            DefinitionKind::Type(alias) => alias.fold.as_ref().map(|fold| (fold, 1 + alias.constructors.len())),
            _ => None,
        }
    }
}

/// The definitions of a session, over a library of theories.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    entries: Vec<SessionDefinition>,
}

impl Definitions {
    /// Returns every definition, hidden ones included, in the order in which they were made.
    #[must_use]
    pub fn entries(&self) -> &[SessionDefinition] {
        &self.entries
    }

    /// Returns the constants from outside, in the order in which they were defined.
    pub(super) fn foreign_definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.entries.iter().filter_map(|entry| match &entry.content {
            DefinitionKind::Foreign(definition) => Some(definition),
            _ => None,
        })
    }

    /// Returns `true` if some name of the definition is not hidden by a later one: of a type, its name or a
    /// constructor.
    #[must_use]
    pub fn is_visible(&self, index: usize) -> bool {
        self.visible_names(index).contains(&true)
    }

    /// Returns, for every name of an entry, `true` if no later definition hides it. A type hides types, and a value
    /// hides values.
    pub(super) fn visible_names(&self, index: usize) -> Vec<bool> {
        let (upto, after) = self.entries.split_at((index + 1).min(self.entries.len()));
        let is_visible =
            |name: (&Name, bool)| !after.iter().any(|later| later.defined_names().any(|other| other == name));
        upto.last().map(|entry| entry.defined_names().map(is_visible).collect()).unwrap_or_default()
    }

    /// Returns the text of a definition of the session. `None` if the session does not have it.
    #[must_use]
    pub fn source_of(&self, definition: &Arc<Definition>) -> Option<&Arc<SourceText>> {
        // Compared by address: a hidden definition may have the same name, and even the same text.
        let is_it = |entry: &&SessionDefinition| entry.definition().is_some_and(|other| Arc::ptr_eq(other, definition));
        self.entries.iter().rev().find(is_it).map(|entry| &entry.source)
    }

    /// Parses and types a definition, and adds it to the library. Nothing changes on an error.
    ///
    /// # Errors
    /// The first error of syntax, names or types; also if the text is an expression.
    pub fn define(
        &mut self,
        library: &mut Library,
        source: Arc<SourceText>,
    ) -> Result<&SessionDefinition, ProgramError> {
        let content = match parse_input(&source.text, RESERVED)? {
            PromptInput::Definition(declaration) => {
                DefinitionKind::Value(library.elaborate(SESSION_MODULE, &source.text, &declaration, "")?)
            }
            PromptInput::Type(declaration) => {
                DefinitionKind::Type(library.elaborate_type(SESSION_MODULE, &source.text, &declaration)?)
            }
            PromptInput::Empty | PromptInput::Expression(_) => {
                let (expected, found) = ("a definition, `let` or `type`".to_owned(), "an expression".to_owned());
                return Err(SyntaxError::Expected { expected, found, span: Span::default() }.into());
            }
        };
        Ok(self.push_entry(library, SessionDefinition { source, content }))
    }

    /// Adds a definition, as it is, to the library.
    pub(super) fn push_entry(&mut self, library: &mut Library, entry: SessionDefinition) -> &SessionDefinition {
        entry.add_to(library);
        let index = self.entries.len();
        self.entries.push(entry);
        &self.entries[index]
    }

    /// Binds `ans` to a program: to the term, not to its enclosure. An earlier `ans` that no definition uses is
    /// dropped.
    pub fn bind_answer(&mut self, library: &mut Library, source: Arc<SourceText>, term: Term, ty: Ty) {
        let span = term.span();
        let scheme = Scheme { parameters: Vec::new(), ty };
        let (module, name, doc) = (SESSION_MODULE.into(), ANSWER_NAME.into(), String::new());
        let definition =
            Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None, foreign: None });
        let entry = SessionDefinition { source, content: DefinitionKind::Answer(definition) };
        entry.add_to(library);
        // Without this every question of a long session would stay in memory.
        self.entries.retain(|old| match &old.content {
            // The entry itself holds one handle; any other belongs to a term that uses this `ans`.
            DefinitionKind::Answer(definition) => Arc::strong_count(definition) > 1,
            _ => true,
        });
        self.entries.push(entry);
    }

    /// Adds the definitions, as they are, to another library.
    pub fn add_to(&self, library: &mut Library) {
        library.add_module(SESSION_MODULE.into(), Vec::new());
        self.entries.iter().for_each(|entry| entry.add_to(library));
    }

    /// Parses and types every definition again, over another library. Returns those that are right there, and those
    /// that are wrong, with their errors.
    #[must_use]
    pub fn retype_in(&self, library: &mut Library) -> (Definitions, Vec<(SessionDefinition, ProgramError)>) {
        library.add_module(SESSION_MODULE.into(), Vec::new());
        // One by one, as they were typed: a definition sees only earlier ones, and a wrong one hides nothing.
        let (mut definitions, mut wrong) = (Definitions::default(), Vec::new());
        for entry in &self.entries {
            let result = match entry.content {
                DefinitionKind::Answer(_) => infer_expression(library, &entry.source.text).map(|(term, ty)| {
                    definitions.bind_answer(library, entry.source.clone(), term, ty);
                }),
                // It has no text that could be typed again.
                _ if entry.is_foreign() => {
                    definitions.push_entry(library, entry.clone());
                    Ok(())
                }
                _ => definitions.define(library, entry.source.clone()).map(|_| ()),
            };
            if let Err(error) = result {
                wrong.push((entry.clone(), error));
            }
        }
        (definitions, wrong)
    }
}

impl SessionDefinition {
    fn add_to(&self, library: &mut Library) {
        match &self.content {
            DefinitionKind::Value(definition)
            | DefinitionKind::Answer(definition)
            | DefinitionKind::Foreign(definition) => library.insert_definition(definition.clone()),
            DefinitionKind::Type(alias) => library.insert_named_type(SESSION_MODULE, alias.clone()),
        }
    }
}

/// Checks an expression against a type, in the scope of the session's definitions. Returns its term.
pub(super) fn infer_at(library: &Library, text: &str, ty: &Ty) -> Result<Term, ProgramError> {
    let expression = crate::syntax::parser::parse_expression(text)?;
    Ok(library.check_in_module(SESSION_MODULE, text, &expression, ty)?)
}

/// Infers the type of an expression in the scope of the session's definitions. Returns its term and the type.
pub(super) fn infer_expression(library: &Library, text: &str) -> Result<(Term, Ty), ProgramError> {
    let expression = crate::syntax::parser::parse_expression(text)?;
    Ok(library.infer_in_module(SESSION_MODULE, text, &expression)?)
}
