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
/// use smoothish_syntax::syntax::mention::mentioned;
/// let (term, _) = Library::new().infer_expression("\\x => if x > 0 then x else 0")?;
/// assert_eq!(mentioned(&term, Constant::compares_reals), Some(Constant::RealGreater));
/// # Ok::<(), smoothish_syntax::syntax::library::Error>(())
/// ```
pub fn mentioned(term: &Term, wanted: impl Fn(Constant) -> bool) -> Option<Constant> {
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
pub struct Namesake {
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
/// use smoothish_syntax::syntax::mention::namesakes;
/// let (term, _) = Library::new().infer_expression("let sin x = 2 * sin x in sin 1")?;
/// assert_eq!(&*namesakes(None, &term)[0].name, "sin");
/// let (term, _) = Library::new().infer_expression("let sine x = 2 * sin x in sine 1")?;
/// assert!(namesakes(None, &term).is_empty());
/// # Ok::<(), smoothish_syntax::syntax::library::Error>(())
/// ```
pub fn namesakes(own: Option<&Name>, term: &Term) -> Vec<Namesake> {
    enum Step<'t> {
        Look(&'t Term),
        Enter(&'t Name),
        Leave(&'t Name),
    }
    let is_function = |value: &Term| matches!(value.kind(), TermKind::Lambda { .. });
    // The last of the stack is visited first: a scope is entered before its term is visited.
    let mut waiting = vec![Step::Look(term)];
    waiting.extend(own.filter(|_| is_function(term)).map(Step::Enter));
    // For each name, the number of its function values around the current term.
    let mut around: FxHashMap<&str, usize> = FxHashMap::default();
    let mut found: Vec<Namesake> = Vec::new();
    while let Some(step) = waiting.pop() {
        let term = match step {
            Step::Look(term) => term,
            Step::Enter(name) => {
                *around.entry(name).or_default() += 1;
                continue;
            }
            Step::Leave(name) => {
                around.entry(name).and_modify(|count| *count -= 1);
                continue;
            }
        };
        let (name, module): (&str, _) = match term.kind() {
            // The function's value lies between `Enter` and `Leave`; in the body the name is a variable, not a
            // reference.
            TermKind::Let { name, value, body } if is_function(value) => {
                waiting.extend([Step::Look(body), Step::Leave(name), Step::Look(value), Step::Enter(name)]);
                continue;
            }
            TermKind::Constant(constant) => (constant.name(), None),
            TermKind::Global(definition) => (&definition.name, Some(&definition.module)),
            kind => {
                waiting.extend(kind.children().map(Step::Look));
                continue;
            }
        };
        if around.get(name).is_some_and(|count| *count > 0) && found.iter().all(|other| &*other.name != name) {
            found.push(Namesake { name: name.into(), module: module.cloned(), span: term.span() });
        }
    }
    found
}
