//! Substitution of terms for variables, and α-equivalence.
//!
//! ```
//! use smoothish_syntax::syntax::library::Library;
//! use smoothish_syntax::syntax::substitution::{alpha_equal, substitute_innermost};
//! use smoothish_syntax::syntax::term::TermKind;
//! let (function, _) = Library::new().infer_expression("\\x => \\y => x * y")?;
//! let (two, _) = Library::new().infer_expression("2")?;
//! let TermKind::Lambda { body, .. } = function.kind() else { unreachable!() };
//! let (expected, _) = Library::new().infer_expression("\\z => 2 * z")?;
//! assert!(alpha_equal(&substitute_innermost(body, &two), &expected));
//! # Ok::<(), smoothish_syntax::syntax::library::ProgramError>(())
//! ```
//!
//! # The constants that a program contains
//!
//! The constants that a program contains, and functions that mean another definition of their own name.

use super::constant::Constant;
use super::name::Name;
use super::source::Span;
use super::term::{Definition, MatchBranch, Term, TermKind};
use super::ty::Ty;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Weakens a term: shifts the variables from index `from` on by `by`, for use under that many more binders.
#[must_use]
pub fn weaken_from(term: &Term, from: usize, by: usize) -> Term {
    if by == 0 {
        return term.clone();
    }
    match term.kind() {
        TermKind::Variable { index, name } if *index >= from => {
            Term::variable(index + by, name.clone(), term.ty().clone(), term.span())
        }
        _ => map_subterms(term, &mut |part, binders| weaken_from(part, from + binders, by)),
    }
}

/// Substitutes `value` for the variable x of index 0, `t[s/x]`. Its binder is gone: larger indices shrink by one.
#[must_use]
pub fn substitute_innermost(term: &Term, value: &Term) -> Term {
    substitute_at_depth(term, 0, value)
}

fn substitute_at_depth(term: &Term, depth: usize, value: &Term) -> Term {
    match term.kind() {
        // The value was written outside of the `depth` binders that are passed: its variables shift by as many.
        TermKind::Variable { index, .. } if *index == depth => weaken_from(value, 0, depth),
        TermKind::Variable { index, name } if *index > depth => {
            Term::variable(index - 1, name.clone(), term.ty().clone(), term.span())
        }
        _ => map_subterms(term, &mut |part, binders| substitute_at_depth(part, depth + binders, value)),
    }
}

/// Rebuilds a term with `part` applied to its immediate subterms, which must keep their types. The second argument of
/// `part` is the number of binders above the subterm.
pub fn map_subterms(term: &Term, part: &mut dyn FnMut(&Term, usize) -> Term) -> Term {
    let mut of = |term: &Term, binders: usize| with_stack(|| part(term, binders));
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
                .map(|branch| MatchBranch { name: branch.name.clone(), body: of(&branch.body, 1) })
                .collect(),
        },
        _ => return term.clone(),
    };
    // The type is copied, not inferred again: for variables and binders it does not follow from the parts.
    Term::with_type(kind, term.ty().clone(), term.span())
}

/// Substitutes `arguments` for the type variables of a term: an instance of a program whose type has parameters.
#[must_use]
pub fn instantiate_types(term: &Term, arguments: &[Ty]) -> Term {
    let parts = map_subterms(term, &mut |part, _| instantiate_types(part, arguments));
    Term::with_type(parts.kind().clone(), term.ty().with_arguments(arguments), term.span())
}

/// Returns `true` if two terms are α-equivalent; spans do not count. Definitions are equal only if they are one object.
#[must_use]
pub fn alpha_equal(left: &Term, right: &Term) -> bool {
    alpha_equal_with(left, right, &Arc::ptr_eq)
}

/// Like [`alpha_equal`], but `one` decides which definitions count as equal.
#[must_use]
pub fn alpha_equal_with(left: &Term, right: &Term, one: &dyn Fn(&Arc<Definition>, &Arc<Definition>) -> bool) -> bool {
    if left.address() == right.address() {
        return true;
    }
    // Compares what the nodes hold apart from subterms; the arity of tuples shows below, where the children run out.
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
                (Some(a), Some(b)) if with_stack(|| alpha_equal_with(a, b, one)) => {}
                (None, None) => break true,
                _ => break false,
            }
        }
}

/// Returns a constant that satisfies `wanted`, of the program or of the definitions that it uses. `None` if there is
/// none.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::constant::Constant;
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::substitution::find_constant;
/// let (term, _) = Library::new().infer_expression("\\x => if x > 0 then x else 0")?;
/// assert_eq!(find_constant(&term, Constant::compares_reals), Some(Constant::RealGreater));
/// # Ok::<(), smoothish_syntax::syntax::library::ProgramError>(())
/// ```
pub fn find_constant(term: &Term, wanted: impl Fn(Constant) -> bool) -> Option<Constant> {
    // A stack and not recursion: definitions may be chained more deeply than a program is nested. Each is visited once.
    let (mut waiting, mut seen) = (vec![term], FxHashSet::default());
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Constant(constant) if wanted(*constant) => return Some(*constant),
            TermKind::Global(definition) if seen.insert(Arc::as_ptr(definition) as usize) => {
                waiting.push(&definition.term);
            }
            kind => waiting.extend(kind.children()),
        }
    }
    None
}

/// An earlier definition, or a constant, that a function without `rec` refers to by its own name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShadowedRecursion {
    /// The name.
    pub name: Name,
    /// The module that defines it; `None` for a constant of the language.
    pub module: Option<Name>,
    /// The span of the reference.
    pub span: Span,
}

/// Returns the references of functions without `rec` to earlier definitions or constants of their own name. Each name
/// is reported once, at its first reference.
///
/// The functions are those that the program defines within itself, and the program itself if `own` is its name.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::substitution::find_shadowed_recursions;
/// let (term, _) = Library::new().infer_expression("let sin x = 2 * sin x in sin 1")?;
/// assert_eq!(&*find_shadowed_recursions(None, &term)[0].name, "sin");
/// let (term, _) = Library::new().infer_expression("let sine x = 2 * sin x in sine 1")?;
/// assert!(find_shadowed_recursions(None, &term).is_empty());
/// # Ok::<(), smoothish_syntax::syntax::library::ProgramError>(())
/// ```
pub fn find_shadowed_recursions(own: Option<&Name>, term: &Term) -> Vec<ShadowedRecursion> {
    enum TraversalStep<'t> {
        Look(&'t Term),
        Enter(&'t Name),
        Leave(&'t Name),
    }
    let is_function = |value: &Term| matches!(value.kind(), TermKind::Lambda { .. });
    // The last of the stack is visited first: a scope is entered before its term is visited.
    let mut waiting = vec![TraversalStep::Look(term)];
    waiting.extend(own.filter(|_| is_function(term)).map(TraversalStep::Enter));
    // For each name, the number of its function values around the current term.
    let mut around: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<ShadowedRecursion> = Vec::new();
    while let Some(step) = waiting.pop() {
        let term = match step {
            TraversalStep::Look(term) => term,
            TraversalStep::Enter(name) => {
                *around.entry(name).or_default() += 1;
                continue;
            }
            TraversalStep::Leave(name) => {
                around.entry(name).and_modify(|count| *count -= 1);
                continue;
            }
        };
        let (name, module): (&str, _) = match term.kind() {
            // The function's value lies between `Enter` and `Leave`; in the body the name is a variable, not a
            // reference.
            TermKind::Let { name, value, body } if is_function(value) => {
                waiting.extend([
                    TraversalStep::Look(body),
                    TraversalStep::Leave(name),
                    TraversalStep::Look(value),
                    TraversalStep::Enter(name),
                ]);
                continue;
            }
            TermKind::Constant(constant) => (constant.name(), None),
            TermKind::Global(definition) => (&definition.name, Some(&definition.module)),
            kind => {
                // The last on the stack is visited first, so the children go there in reverse.
                let first = waiting.len();
                waiting.extend(kind.children().map(TraversalStep::Look));
                waiting[first..].reverse();
                continue;
            }
        };
        if around.get(name).is_some_and(|count| *count > 0) && found.iter().all(|other| &*other.name != name) {
            found.push(ShadowedRecursion { name: name.into(), module: module.cloned(), span: term.span() });
        }
    }
    found
}
