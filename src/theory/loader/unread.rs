//! Theories that come with the library: each is read when somebody asks for one of its names, or for what it says.
//!
//! A program uses few of them, and to read them all takes longer than most questions.

use super::{Entry, Theories, program, say};
use crate::syntax::library::{Library, Module};
use crate::syntax::name::Name;
use crate::syntax::source::Source;
use crate::theory::Theory;
use crate::theory::error::TheoryError;
use crate::theory::format::{self, Header};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A theory whose header has been read.
pub(super) struct Unread {
    pub(super) name: Name,
    pub(super) source: Arc<Source>,
    extends: Vec<Name>,
    /// The theories before it, which are what it sees.
    before: Theories,
    defined: OnceLock<(Theory, Module)>,
}

impl fmt::Debug for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Unread {
    pub(super) fn new(source: Source, before: Theories) -> Unread {
        let source = Arc::new(source);
        let Header { name, extends } = right(format::header(&source.text).map_err(|error| program(&source, error)));
        let extends = extends.into_iter().map(|above| above.name).collect();
        Unread { name: name.name, source, extends, before, defined: OnceLock::new() }
    }

    /// Its module, which is read in its turn.
    pub(super) fn module(self: &Arc<Unread>) -> Module {
        let unread = self.clone();
        let names = format::announced(&self.source.text);
        Module::unread(self.name.clone(), self.extends.clone(), names, move || unread.read().1.clone())
    }

    /// The theory with its definitions; what it says is left out.
    pub(super) fn defined(&self) -> &Theory {
        &self.read().0
    }

    /// The theory with all that it says, typed over a library.
    pub(super) fn said(&self, over: &Library) -> Theory {
        let mut theory = self.defined().clone();
        // once more: what was read is not kept, since nobody may ask
        let document = right(format::parse(&self.source.text).map_err(|error| program(&self.source, error)));
        right(say(over, &mut theory, document.items));
        theory
    }

    fn read(&self) -> &(Theory, Module) {
        self.defined.get_or_init(|| {
            let mut theories = self.before.clone();
            right(theories.define([self.source.clone()]));
            match (theories.entries.pop(), theories.library.module(&self.name)) {
                (Some(Entry::Read(theory)), Some(module)) => (*theory, module.clone()),
                _ => unreachable!("`{}` was read just now", self.name),
            }
        })
    }
}

/// What came of a text that is compiled in, and that a test has read.
fn right<T>(result: Result<T, TheoryError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}
