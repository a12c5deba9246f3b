//! Of `syntax::inductive`.

use smoothish_syntax::syntax::data::*;
use smoothish_syntax::syntax::library::Library;
use smoothish_syntax::syntax::parser::{PromptInput, parse_input};

fn declared(texts: &[&str]) -> Library {
    let mut library = Library::new();
    library.add_module("M".into(), Vec::new());
    for text in texts {
        let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) else { panic!("{text}") };
        library.define_type("M", text, &declaration).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    library
}

#[test]
fn least_values_have_these_heights() {
    let library = declared(&[
        "type Tree A = Leaf | Node (Tree A * A * Tree A)",
        "type Rose A = | Rose (A * List (Rose A))",
        "type Deep = Wrap (Tree Real) | More Deep",
    ]);
    for (name, expected) in [("Tree", 1), ("Rose", 2), ("Deep", 2)] {
        let ty = &library.module("M").unwrap().find_named_type(name).unwrap().scheme.ty;
        assert_eq!(least_height(ty, &[], u32::MAX, &mut HeightCache::default()), Some(expected), "{name}");
        assert_eq!(least_height(ty, &[], 1, &mut HeightCache::default()), Some(1), "{name}");
    }
}

/// A chain of declarations, each with two uses of the one before: walked once each.
#[test]
fn long_chains_of_declarations_are_walked_once() {
    let chain: Vec<String> =
        (1..60).map(|n| format!("type T{n} A = | C{n} (T{} A * T{} (T{} A))", n - 1, n - 1, n - 1)).collect();
    let texts: Vec<&str> = std::iter::once("type T0 A = | C0 A").chain(chain.iter().map(|text| &**text)).collect();
    let mut library = declared(&texts);
    let text = "type Last = End | Last (T59 Last)";
    let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) else { panic!("{text}") };
    library.define_type("M", text, &declaration).unwrap();
    assert_eq!(
        library.module("M").unwrap().find_definition("foldLast").unwrap().scheme.to_string(),
        "A -> (T59 A -> A) -> Last -> A"
    );
}
