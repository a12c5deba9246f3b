//! Programs that are derived in place of others.

use crate::stack::deep;
use crate::syntax::substitution::same;
use crate::syntax::term::{Definition, Term, TermKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Replaces parts of a program, of its definitions as well: each part after those that it has itself. A rule is given a part, and to how many
/// arguments it is applied where it stands; `None` leaves it as it is.
pub(super) fn rewritten(program: &Term, rule: &dyn Fn(&Term, usize) -> Option<Term>) -> Term {
    Rewriting { rule, known: FxHashMap::default() }.of(program, 0)
}

struct Rewriting<'r> {
    rule: &'r dyn Fn(&Term, usize) -> Option<Term>,
    /// What was made of definitions.
    known: FxHashMap<usize, Arc<Definition>>,
}

impl Rewriting<'_> {
    fn of(&mut self, term: &Term, arguments: usize) -> Term {
        let mut found = term.clone();
        match found.parts_mut().0 {
            TermKind::Global(definition) => *definition = self.definition(definition),
            TermKind::Apply { function, argument } => {
                *function = deep(|| self.of(function, arguments + 1));
                *argument = deep(|| self.of(argument, 0));
            }
            kind => kind.children_mut().for_each(|child| *child = deep(|| self.of(child, 0))),
        }
        (self.rule)(&found, arguments).unwrap_or(found)
    }

    fn definition(&mut self, definition: &Arc<Definition>) -> Arc<Definition> {
        let address = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let term = deep(|| self.of(&definition.term, 0));
        let found = match same(&term, &definition.term) {
            true => definition.clone(),
            false => Arc::new(Definition {
                module: definition.module.clone(),
                name: definition.name.clone(),
                scheme: definition.scheme.clone(),
                term,
                doc: definition.doc.clone(),
                span: definition.span,
                constructor: definition.constructor.clone(),
            }),
        };
        self.known.insert(address, found.clone());
        found
    }
}
