//! Rewriting of programs before they are derived: a mutant of structure derives another program.

use crate::stack::deep;
use crate::syntax::substitution::same;
use crate::syntax::term::{Definition, Term, TermKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Rewrites the parts of a program and of its definitions, each part after its own parts. `rule` gets a part and the
/// number of arguments that it is applied to. `None` leaves the part as it is.
pub(super) fn rewritten(program: &Term, rule: &dyn Fn(&Term, usize) -> Option<Term>) -> Term {
    Rewriting { rule, known: FxHashMap::default() }.of(program, 0)
}

/// The state of a rewriting.
struct Rewriting<'r> {
    /// The rule.
    rule: &'r dyn Fn(&Term, usize) -> Option<Term>,
    /// The definitions that are rewritten already, by address.
    known: FxHashMap<usize, Arc<Definition>>,
}

impl Rewriting<'_> {
    /// Rewrites a term that is applied to this number of arguments.
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

    /// Rewrites a definition, once for all its uses.
    fn definition(&mut self, definition: &Arc<Definition>) -> Arc<Definition> {
        let address = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let term = deep(|| self.of(&definition.term, 0));
        // an unchanged definition is kept, so that the program shares it with the original
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
