//! What is defined in a session: the definitions that were typed, in order, each with its text.
//!
//! They form a module that lies over the theories. A definition may have the name of an earlier one, and hides it; what
//! used the earlier one uses it still, as a variable that is bound again does not change what was bound before. The value
//! of the last question is a definition too, `ans`.

use crate::syntax::error::SyntaxError;
use crate::syntax::library::{Alias, Error as ProgramError, Library};
use crate::syntax::name::Name;
use crate::syntax::parser::{Input, parse_input};
use crate::syntax::source::{Source, Span};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::{Scheme, Ty};
use crate::theory::format::RESERVED;
use std::sync::Arc;

/// The module of the session's definitions. No theory has this name: theirs have capital initials.
pub const MODULE: &str = "session";
/// The name of the value of the last question.
pub const ANSWER: &str = "ans";

/// A definition of a session.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The text that was typed: `let …`, `type …`, or the last question.
    pub source: Arc<Source>,
    /// What it defines.
    pub content: Content,
}

/// What a text defines.
#[derive(Clone, Debug)]
pub enum Content {
    /// `let f x = e`
    Value(Arc<Definition>),
    /// `type A = T`, with its constructors and its fold if it has any.
    Type(Arc<Alias>),
    /// `ans`
    Answer(Arc<Definition>),
}

impl Entry {
    /// The name that is defined.
    #[must_use]
    pub fn name(&self) -> &Name {
        match &self.content {
            Content::Value(definition) | Content::Answer(definition) => &definition.name,
            Content::Type(alias) => &alias.name,
        }
    }

    /// The definition, if it is one of a value.
    #[must_use]
    pub fn definition(&self) -> Option<&Arc<Definition>> {
        match &self.content {
            Content::Value(definition) | Content::Answer(definition) => Some(definition),
            Content::Type(_) => None,
        }
    }

    /// Every name that is defined: a value, or a type, its constructors and its fold; with whether it is that of a type.
    pub(super) fn names(&self) -> impl Iterator<Item = (&Name, bool)> {
        let alias = match &self.content {
            Content::Type(alias) => Some(alias),
            _ => None,
        };
        let own = (self.name(), self.definition().is_none());
        let brought = alias.into_iter().flat_map(|alias| alias.definitions());
        std::iter::once(own).chain(brought.map(|definition| (&definition.name, false)))
    }

    /// The fold that is defined with a type, and its place among the names.
    pub(super) fn fold(&self) -> Option<(&Arc<Definition>, usize)> {
        match &self.content {
            Content::Type(alias) => alias.fold.as_ref().map(|fold| (fold, 1 + alias.constructors.len())),
            _ => None,
        }
    }
}

/// The definitions of a session, over a library of theories.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    entries: Vec<Entry>,
}

impl Definitions {
    /// Every definition, hidden ones included, in the order in which they were made.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether later definitions leave something to see of this one: of a type, its name or a constructor.
    #[must_use]
    pub fn is_visible(&self, index: usize) -> bool {
        self.visible(index).contains(&true)
    }

    /// For every name that an entry defines, whether no later definition hides it: of two types, or two values, of the same
    /// name, the second hides the first.
    pub(super) fn visible(&self, index: usize) -> Vec<bool> {
        let (upto, after) = self.entries.split_at((index + 1).min(self.entries.len()));
        let is_visible = |name: (&Name, bool)| !after.iter().any(|later| later.names().any(|other| other == name));
        upto.last().map(|entry| entry.names().map(is_visible).collect()).unwrap_or_default()
    }

    /// The text in which a definition of the session stands.
    #[must_use]
    pub fn source_of(&self, definition: &Arc<Definition>) -> Option<&Arc<Source>> {
        let is_it = |entry: &&Entry| entry.definition().is_some_and(|other| Arc::ptr_eq(other, definition));
        self.entries.iter().rev().find(is_it).map(|entry| &entry.source)
    }

    /// Reads and types a definition, and adds it to the library; nothing changes where it is wrong.
    ///
    /// # Errors
    /// The first thing that is wrong with its form, its names or its types, an expression in its place included.
    pub fn define(&mut self, library: &mut Library, source: Arc<Source>) -> Result<&Entry, ProgramError> {
        let content = match parse_input(&source.text, RESERVED)? {
            Input::Definition(declaration) => {
                Content::Value(library.elaborate(MODULE, &source.text, &declaration, "")?)
            }
            Input::Type(declaration) => Content::Type(library.elaborate_type(MODULE, &source.text, &declaration)?),
            Input::Nothing | Input::Expression(_) => {
                let (expected, found) = ("a definition, `let` or `type`".to_owned(), "an expression".to_owned());
                return Err(SyntaxError::Expected { expected, found, span: Span::default() }.into());
            }
        };
        let entry = Entry { source, content };
        entry.put(library);
        let index = self.entries.len();
        self.entries.push(entry);
        Ok(&self.entries[index])
    }

    /// Makes a question the meaning of `ans`: the program, not its enclosure. One that nothing uses any more is forgotten.
    pub fn remember(&mut self, library: &mut Library, source: Arc<Source>, term: Term, ty: Ty) {
        let span = term.span();
        let scheme = Scheme { parameters: Vec::new(), ty };
        let (module, name, doc) = (MODULE.into(), ANSWER.into(), String::new());
        let definition = Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None });
        let entry = Entry { source, content: Content::Answer(definition) };
        entry.put(library);
        self.entries.retain(|old| match &old.content {
            // One handle is the entry's own.
            Content::Answer(definition) => Arc::strong_count(definition) > 1,
            _ => true,
        });
        self.entries.push(entry);
    }

    /// Adds the definitions, as they are, to another library.
    pub fn put(&self, library: &mut Library) {
        library.add_module(MODULE.into(), Vec::new());
        self.entries.iter().for_each(|entry| entry.put(library));
    }

    /// Reads and types every definition again, over another library; with those that are wrong there, and why.
    #[must_use]
    pub fn replayed(&self, library: &mut Library) -> (Definitions, Vec<(Entry, ProgramError)>) {
        library.add_module(MODULE.into(), Vec::new());
        let (mut definitions, mut wrong) = (Definitions::default(), Vec::new());
        for entry in &self.entries {
            let result = match entry.content {
                Content::Answer(_) => infer(library, &entry.source.text).map(|(term, ty)| {
                    definitions.remember(library, entry.source.clone(), term, ty);
                }),
                _ => definitions.define(library, entry.source.clone()).map(|_| ()),
            };
            if let Err(error) = result {
                wrong.push((entry.clone(), error));
            }
        }
        (definitions, wrong)
    }
}

impl Entry {
    fn put(&self, library: &mut Library) {
        match &self.content {
            Content::Value(definition) | Content::Answer(definition) => library.put(definition.clone()),
            Content::Type(alias) => library.put_alias(MODULE, alias.clone()),
        }
    }
}

/// The term of an expression that sees the definitions of the session, where a type is expected.
pub(super) fn infer_at(library: &Library, text: &str, ty: &Ty) -> Result<Term, ProgramError> {
    let expression = crate::syntax::parser::parse_expression(text)?;
    Ok(library.infer_at(MODULE, text, &expression, ty)?)
}

/// The term and the type of an expression that sees the definitions of the session.
pub(super) fn infer(library: &Library, text: &str) -> Result<(Term, Ty), ProgramError> {
    let expression = crate::syntax::parser::parse_expression(text)?;
    Ok(library.infer_in(MODULE, text, &expression)?)
}
