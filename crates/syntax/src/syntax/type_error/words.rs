//! Words of the sentences that say what is wrong.

use crate::syntax::name::Name;

/// The subject of the sentence about what is no vector.
pub(super) fn works_on(construct: &Option<String>) -> String {
    construct.as_ref().map_or_else(|| "what is done here works on".to_owned(), |name| format!("`{name}` works on"))
}

/// What is said of a type whose name a later declaration has taken.
pub(super) fn earlier(before: &Option<Name>) -> String {
    before.as_ref().map_or_else(String::new, |name| format!(" (`{name}` as it was before it was redefined)"))
}

/// The cases that are missing, at the end of a sentence.
pub(super) fn remaining(missing: &[String]) -> String {
    if missing.is_empty() { String::new() } else { format!("; missing here: {}", list(missing)) }
}

/// Constructors as the subject of a sentence, with its verb.
pub(super) fn need(constructors: &[String]) -> String {
    let verb = if constructors.len() == 1 { "needs" } else { "need" };
    format!("{} {verb}", list(constructors))
}

/// Names in a sentence, not too many.
pub(super) fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    match names.len() - shown.len() {
        0 => shown.join(" and "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
