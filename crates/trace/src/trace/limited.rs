//! Limited recursion (A §6.2): `letrecₙ`, and the n-th approximant `M⁽ⁿ⁾` of a term.
//!
//! A closure `cloₙ` may be unfolded n times within itself (Fig. 8); there is no rule for `clo₀`. So a program of
//! limited recursions always terminates, and its undefinedness is decidable.

use super::term::{CoreDefinition, CoreTerm, CoreTermKind};
use crate::stack::with_stack;
use std::sync::Arc;

/// Returns `M⁽ⁿ⁾`: every `letrec` becomes `letrecₙ`.
#[must_use]
pub fn approximant(term: &CoreTerm, n: u64) -> CoreTerm {
    let mut kind = term.kind().map_children(&mut |part| with_stack(|| approximant(part, n)));
    if let CoreTermKind::LetRec(definition, _) = &mut kind {
        *definition = Arc::new(CoreDefinition { limit: Some(n), ..(**definition).clone() });
    }
    CoreTerm::from(kind).with_site(term.site())
}
