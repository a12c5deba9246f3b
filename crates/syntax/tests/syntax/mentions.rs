//! Of `syntax::substitution`: references to an earlier definition of the own name.

use smoothish_syntax::syntax::library::Library;
use smoothish_syntax::syntax::substitution::find_shadowed_recursions;

/// The report points at the first reference in the text, whatever construct the references stand in.
#[test]
fn the_first_reference_of_a_shadowed_name_is_reported() {
    for text in [
        "let sin x = sin x + sin 2 in sin 1",
        "let sin x = 2 * fst (sin x, sin 2) in sin 1",
        "let sin x = if sin x > 0 then sin 2 else sin 3 in sin 1",
        "let sin x = (let y = sin x in y + sin 2) in sin 1",
        "let sin x = (let f y = sin y in f (sin x)) in sin 1",
        "let cos x = cos x in let sin x = sin (sin x) in sin 1",
    ] {
        let (term, _) = Library::new().infer_expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = find_shadowed_recursions(None, &term);
        let sine = found.iter().find(|found| &*found.name == "sin").unwrap_or_else(|| panic!("{text}: {found:?}"));
        // The first `sin` of the text is the name that the `let` gives.
        let (own, _) = text.match_indices("sin").next().expect("it is named");
        let (first, _) = text.match_indices("sin").nth(1).expect("it is mentioned");
        assert!(own < first);
        assert_eq!(sine.span.start as usize, first, "{text}");
    }
}
