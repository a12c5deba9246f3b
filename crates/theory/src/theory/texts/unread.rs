//! Lazy theories: each is parsed and typed when one of its names is first looked up.
//!
//! A program uses few theories of the standard library, and reading all of them takes longer than answering most
//! questions.

use super::{TheoryText, TheoryTexts};
use crate::syntax::library::Module;
use crate::syntax::source::SourceText;
use crate::theory::format::{self, Header};
use crate::theory::unreadable::TextError;
use std::sync::{Arc, OnceLock};

/// A theory of which only the header is parsed.
pub(super) struct LazyTheory {
    /// The name, the source and the extended theories.
    pub(super) text: TheoryText,
    /// The theories before this one, which are those that it may extend.
    before: TheoryTexts,
    /// The module, once the theory is read.
    lazy_module: OnceLock<Module>,
}

impl LazyTheory {
    /// Parses the header of a theory that is known to be right.
    pub(super) fn new(source: SourceText, before: TheoryTexts) -> LazyTheory {
        let source = Arc::new(source);
        let header = format::parse_header(&source.text).map_err(|error| TextError::from_program(&source, error));
        let Header { name, extends } = expect_correct(header);
        let extends = extends.into_iter().map(|above| above.name).collect();
        LazyTheory { text: TheoryText { name: name.name, source, extends }, before, lazy_module: OnceLock::new() }
    }

    /// Returns the lazy module of the theory. The first lookup of one of its names reads the theory.
    pub(super) fn lazy_module(self: &Arc<LazyTheory>) -> Module {
        let unread = self.clone();
        let TheoryText { name, extends, source } = &self.text;
        Module::new_lazy(name.clone(), extends.clone(), format::announced_names(&source.text), move || {
            unread.read().clone()
        })
    }

    /// Parses and types the theory at the first call. Returns its module.
    fn read(&self) -> &Module {
        self.lazy_module.get_or_init(|| {
            // defined over a clone: readers on other threads keep the collection that they have
            let mut texts = self.before.clone();
            expect_correct(texts.define([self.text.source.clone()]));
            let module = texts.library.module(&self.text.name);
            module.unwrap_or_else(|| unreachable!("`{}` was read just now", self.text.name)).clone()
        })
    }
}

/// Unwraps the result of reading a theory that is known to be right. Panics with the rendered error otherwise.
fn expect_correct<T>(result: Result<T, TextError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}
