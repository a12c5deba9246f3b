//! The constants that a program contains, and functions that mean another definition of their own name.

use super::constant::Constant;
use super::name::Name;
use super::source::Span;
use super::term::{Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Returns a constant that satisfies `wanted`, of the program or of the definitions that it uses. `None` if there is
/// none.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::constant::Constant;
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::mention::find_constant;
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
/// is reported once.
///
/// The functions are those that the program defines within itself, and the program itself if `own` is its name.
///
/// # Examples
/// ```
/// use smoothish_syntax::syntax::library::Library;
/// use smoothish_syntax::syntax::mention::find_shadowed_recursions;
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
                waiting.extend(kind.children().map(TraversalStep::Look));
                continue;
            }
        };
        if around.get(name).is_some_and(|count| *count > 0) && found.iter().all(|other| &*other.name != name) {
            found.push(ShadowedRecursion { name: name.into(), module: module.cloned(), span: term.span() });
        }
    }
    found
}
