//! Rewriting of programs before they are derived: a mutant of structure derives another program.

use crate::stack::with_stack;
use crate::syntax::substitution::alpha_equal;
use crate::syntax::term::{Definition, Term, TermKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Rewrites the parts of a program and of its definitions, each part after its own parts. `rule` gets a part and the
/// number of arguments that it is applied to. `None` leaves the part as it is.
pub(super) fn rewrite_program(program: &Term, rule: &dyn Fn(&Term, usize) -> Option<Term>) -> Term {
    TermRewriter { rule, known: FxHashMap::default() }.rewrite_term(program, 0)
}

/// The state of a rewriting.
struct TermRewriter<'r> {
    /// The rule.
    rule: &'r dyn Fn(&Term, usize) -> Option<Term>,
    /// The definitions that are rewritten already, by address.
    known: FxHashMap<usize, Arc<Definition>>,
}

impl TermRewriter<'_> {
    /// Rewrites a term that is applied to this number of arguments.
    fn rewrite_term(&mut self, term: &Term, arguments: usize) -> Term {
        let mut found = term.clone();
        match found.parts_mut().0 {
            TermKind::Global(definition) => *definition = self.rewrite_definition(definition),
            TermKind::Apply { function, argument } => {
                *function = with_stack(|| self.rewrite_term(function, arguments + 1));
                *argument = with_stack(|| self.rewrite_term(argument, 0));
            }
            kind => kind.children_mut().for_each(|child| *child = with_stack(|| self.rewrite_term(child, 0))),
        }
        (self.rule)(&found, arguments).unwrap_or(found)
    }

    /// Rewrites a definition, once for all its uses.
    fn rewrite_definition(&mut self, definition: &Arc<Definition>) -> Arc<Definition> {
        let address = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let term = with_stack(|| self.rewrite_term(&definition.term, 0));
        // an unchanged definition is kept, so that the program shares it with the original
        let found = match alpha_equal(&term, &definition.term) {
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
