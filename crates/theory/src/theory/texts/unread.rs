//! Theories of which each is read when somebody asks for one of its names.
//!
//! A program uses few of those that come with the library, and to read them all takes longer than most questions.

use super::{Text, Texts};
use crate::syntax::library::Module;
use crate::syntax::source::Source;
use crate::theory::format::{self, Header};
use crate::theory::unreadable::TextError;
use std::sync::{Arc, OnceLock};

/// A theory whose header has been read.
pub(super) struct Unread {
    pub(super) text: Text,
    /// The theories before it, which are what it sees.
    before: Texts,
    module: OnceLock<Module>,
}

impl Unread {
    pub(super) fn new(source: Source, before: Texts) -> Unread {
        let source = Arc::new(source);
        let header = format::header(&source.text).map_err(|error| TextError::program(&source, error));
        let Header { name, extends } = right(header);
        let extends = extends.into_iter().map(|above| above.name).collect();
        Unread { text: Text { name: name.name, source, extends }, before, module: OnceLock::new() }
    }

    /// Its module, which is read in its turn.
    pub(super) fn module(self: &Arc<Unread>) -> Module {
        let unread = self.clone();
        let Text { name, extends, source } = &self.text;
        Module::unread(name.clone(), extends.clone(), format::announced(&source.text), move || unread.read().clone())
    }

    fn read(&self) -> &Module {
        self.module.get_or_init(|| {
            let mut texts = self.before.clone();
            right(texts.define([self.text.source.clone()]));
            let module = texts.library.module(&self.text.name);
            module.unwrap_or_else(|| unreachable!("`{}` was read just now", self.text.name)).clone()
        })
    }
}

/// What came of a text that is known to be right.
fn right<T>(result: Result<T, TextError>) -> T {
    result.unwrap_or_else(|error| unreachable!("{}", error.render()))
}
