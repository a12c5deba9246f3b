//! Parts of the sentences of type errors.

use crate::syntax::name::Name;

/// Returns the subject of the sentence for a type that is no vector space.
pub(super) fn works_on(construct: &Option<String>) -> String {
    construct.as_ref().map_or_else(|| "what is done here works on".to_owned(), |name| format!("`{name}` works on"))
}

/// Returns a remark on a type whose name a later declaration has taken; empty if there is none.
pub(super) fn redefinition_note(before: &Option<Name>) -> String {
    before.as_ref().map_or_else(String::new, |name| format!(" (`{name}` as it was before it was redefined)"))
}

/// Returns the missing cases, for the end of a sentence; empty if there are none.
pub(super) fn missing_cases_note(missing: &[String]) -> String {
    if missing.is_empty() { String::new() } else { format!("; missing here: {}", list_names(missing)) }
}

/// Returns constructors as the subject of a sentence, with its verb.
pub(super) fn constructors_need(constructors: &[String]) -> String {
    let verb = if constructors.len() == 1 { "needs" } else { "need" };
    format!("{} {verb}", list_names(constructors))
}

/// Lists names in a sentence, three at most. A choice: the sentence stays readable.
pub(super) fn list_names(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    match names.len() - shown.len() {
        0 => shown.join(" and "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
