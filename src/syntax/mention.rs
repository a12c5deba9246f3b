//! Which constants a program mentions, in its own text or in the definitions that it uses.

use super::constant::Constant;
use super::term::{Term, TermKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A constant of some kind that a program mentions.
///
/// # Examples
/// ```
/// use smoothish::syntax::constant::Constant;
/// use smoothish::syntax::library::Library;
/// use smoothish::syntax::mention::mentioned;
/// let (term, _) = Library::new().infer_expression("\\x => if x > 0 then x else 0")?;
/// assert_eq!(mentioned(&term, Constant::compares_reals), Some(Constant::RealGreater));
/// # Ok::<(), smoothish::syntax::library::Error>(())
/// ```
pub fn mentioned(term: &Term, wanted: impl Fn(Constant) -> bool) -> Option<Constant> {
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
