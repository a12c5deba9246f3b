//! Limited recursion (A §6.2): `letrecₙ`, and the n-th approximant `M⁽ⁿ⁾` of a term.
//!
//! A closure `cloₙ` may be unfolded n times within itself (Fig. 8); there is no rule for `clo₀`. So a program of
//! limited recursions always terminates, and its undefinedness is decidable.

use super::term::{Definition, Term, TermKind};
use crate::stack::deep;
use std::sync::Arc;

/// Returns `M⁽ⁿ⁾`: every `letrec` becomes `letrecₙ`.
#[must_use]
pub fn approximant(term: &Term, n: u64) -> Term {
    let mut kind = term.kind().map(&mut |part| deep(|| approximant(part, n)));
    if let TermKind::LetRec(definition, _) = &mut kind {
        *definition = Arc::new(Definition { limit: Some(n), ..(**definition).clone() });
    }
    Term::from(kind).at(term.site())
}
