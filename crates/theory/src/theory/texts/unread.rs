//! Lazy theories: each is parsed and typed when one of its names is first looked up.
//!
//! A program uses few theories of the standard library, and reading all of them takes longer than answering most
//! questions.

use super::{Text, Texts};
use crate::syntax::library::Module;
use crate::syntax::source::Source;
use crate::theory::format::{self, Header};
use crate::theory::unreadable::TextError;
use std::sync::{Arc, OnceLock};

/// A theory of which only the header is parsed.
pub(super) struct Unread {
    /// The name, the source and the extended theories.
    pub(super) text: Text,
    /// The theories before this one, which are those that it may extend.
    before: Texts,
    /// The module, once the theory is read.
    module: OnceLock<Module>,
}

impl Unread {
    /// Parses the header of a theory that is known to be right.
    pub(super) fn new(source: Source, before: Texts) -> Unread {
        let source = Arc::new(source);
        let header = format::header(&source.text).map_err(|error| TextError::program(&source, error));
        let Header { name, extends } = right(header);
        let extends = extends.into_iter().map(|above| above.name).collect();
        Unread { text: Text { name: name.name, source, extends }, before, module: OnceLock::new() }
    }

    /// Returns the lazy module of the theory. The first lookup of one of its names reads the theory.
    pub(super) fn module(self: &Arc<Unread>) -> Module {
        let unread = self.clone();
        let Text { name, extends, source } = &self.text;
        Module::unread(name.clone(), extends.clone(), format::announced(&source.text), move || unread.read().clone())
    }

    /// Parses and types the theory at the first call. Returns its module.
    fn read(&self) -> &Module {
        self.module.get_or_init(|| {
            // defined over a clone: readers on other threads keep the collection that they have
            let mut texts = self.before.clone();
            right(texts.define([self.text.source.clone()]));
            let module = texts.library.module(&self.text.name);
            module.unwrap_or_else(|| unreachable!("`{}` was read just now", self.text.name)).clone()
        })
    }
}

/// Unwraps the result of reading a theory that is known to be right. Panics with the rendered error otherwise.
fn right<T>(result: Result<T, TextError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}
