//! Substitution of terms for variables, and equality up to the names of bound variables.
//!
//! ```
//! use smoothish_syntax::syntax::library::Library;
//! use smoothish_syntax::syntax::substitution::{same, substituted};
//! use smoothish_syntax::syntax::term::TermKind;
//! let (function, _) = Library::new().infer_expression("\\x => \\y => x * y")?;
//! let (two, _) = Library::new().infer_expression("2")?;
//! let TermKind::Lambda { body, .. } = function.kind() else { unreachable!() };
//! let (expected, _) = Library::new().infer_expression("\\z => 2 * z")?;
//! assert!(same(&substituted(body, &two), &expected));
//! # Ok::<(), smoothish_syntax::syntax::library::Error>(())
//! ```

use super::term::{Branch, Definition, Term, TermKind};
use super::ty::Ty;
use crate::stack::deep;
use std::sync::Arc;

/// The term with the variables from index `from` on moved `by` binders outward: the same term under more binders.
#[must_use]
pub fn weakened(term: &Term, from: usize, by: usize) -> Term {
    if by == 0 {
        return term.clone();
    }
    match term.kind() {
        TermKind::Variable { index, name } if *index >= from => {
            Term::variable(index + by, name.clone(), term.ty().clone(), term.span())
        }
        _ => rebuilt(term, &mut |part, binders| weakened(part, from + binders, by)),
    }
}

/// `t[s/x]` for the variable x of index 0, which is gone from the result.
#[must_use]
pub fn substituted(term: &Term, value: &Term) -> Term {
    substituted_under(term, 0, value)
}

fn substituted_under(term: &Term, depth: usize, value: &Term) -> Term {
    match term.kind() {
        TermKind::Variable { index, .. } if *index == depth => weakened(value, 0, depth),
        TermKind::Variable { index, name } if *index > depth => {
            Term::variable(index - 1, name.clone(), term.ty().clone(), term.span())
        }
        _ => rebuilt(term, &mut |part, binders| substituted_under(part, depth + binders, value)),
    }
}

/// The term with something else, of the same type, for each of its immediate parts; `part` is told how many binders lie above it.
pub fn rebuilt(term: &Term, part: &mut dyn FnMut(&Term, usize) -> Term) -> Term {
    let mut of = |term: &Term, binders: usize| deep(|| part(term, binders));
    let kind = match term.kind() {
        TermKind::Lambda { name, body } => TermKind::Lambda { name: name.clone(), body: of(body, 1) },
        TermKind::Apply { function, argument } => {
            TermKind::Apply { function: of(function, 0), argument: of(argument, 0) }
        }
        TermKind::Let { name, value, body } => {
            TermKind::Let { name: name.clone(), value: of(value, 0), body: of(body, 1) }
        }
        TermKind::LetRec { name, value, body } => {
            TermKind::LetRec { name: name.clone(), value: of(value, 1), body: of(body, 1) }
        }
        TermKind::Tuple(parts) => TermKind::Tuple(parts.iter().map(|part| of(part, 0)).collect()),
        TermKind::Project { tuple, index } => TermKind::Project { tuple: of(tuple, 0), index: *index },
        TermKind::If { condition, then, otherwise } => {
            TermKind::If { condition: of(condition, 0), then: of(then, 0), otherwise: of(otherwise, 0) }
        }
        TermKind::To(iso) => TermKind::To(of(iso, 0)),
        TermKind::From(iso) => TermKind::From(of(iso, 0)),
        TermKind::Inject { constructor, argument } => {
            TermKind::Inject { constructor: constructor.clone(), argument: of(argument, 0) }
        }
        TermKind::Match { data, scrutinee, branches } => TermKind::Match {
            data: data.clone(),
            scrutinee: of(scrutinee, 0),
            branches: branches
                .iter()
                .map(|branch| Branch { name: branch.name.clone(), body: of(&branch.body, 1) })
                .collect(),
        },
        _ => return term.clone(),
    };
    Term::typed(kind, term.ty().clone(), term.span())
}

/// The term with these types for the first variables of its types: an instance of a program whose type has parameters.
#[must_use]
pub fn instantiated(term: &Term, arguments: &[Ty]) -> Term {
    let parts = rebuilt(term, &mut |part, _| instantiated(part, arguments));
    Term::typed(parts.kind().clone(), term.ty().with(arguments), term.span())
}

/// Whether two terms are the same but for the names of bound variables, and places in sources. Definitions are the same
/// only when they are one.
#[must_use]
pub fn same(left: &Term, right: &Term) -> bool {
    same_up_to(left, right, &Arc::ptr_eq)
}

/// The same where it is said which definitions count as one.
#[must_use]
pub fn same_up_to(left: &Term, right: &Term, one: &dyn Fn(&Arc<Definition>, &Arc<Definition>) -> bool) -> bool {
    if left.address() == right.address() {
        return true;
    }
    let kinds = match (left.kind(), right.kind()) {
        (TermKind::Variable { index: a, .. }, TermKind::Variable { index: b, .. }) => a == b,
        (TermKind::Global(a), TermKind::Global(b)) => one(a, b),
        (TermKind::Constant(a), TermKind::Constant(b)) => a == b,
        (TermKind::Real(a), TermKind::Real(b)) => a == b,
        (TermKind::Nat(a), TermKind::Nat(b)) => a == b,
        (TermKind::Bool(a), TermKind::Bool(b)) => a == b,
        (TermKind::Project { index: a, .. }, TermKind::Project { index: b, .. }) => a == b,
        (TermKind::Inject { constructor: a, .. }, TermKind::Inject { constructor: b, .. }) => a == b,
        (TermKind::Match { data: a, .. }, TermKind::Match { data: b, .. }) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let (mut a, mut b) = (left.kind().children(), right.kind().children());
    kinds
        && loop {
            match (a.next(), b.next()) {
                (Some(a), Some(b)) if deep(|| same_up_to(a, b, one)) => {}
                (None, None) => break true,
                _ => break false,
            }
        }
}
