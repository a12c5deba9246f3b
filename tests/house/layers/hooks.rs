//! How much of the library knows that its rules may be replaced.
//!
//! A *use of a hook* is a line of code outside of `crates/laws` that asks one, holds some or hands them on: it names `hooks`, `Hooks`, `ACTIVE` or
//! `on_the_diagonal`. The files `hooks.rs`, in which they are declared, are none, nor are imports. That an arithmetic has hooks is no use either:
//! `C: HookedContext` stands where `C: Context` would.

use super::source::{Token, tokens};
use super::{CRATES, files_of, root};
use std::fs;

/// So many there are. What takes some away lowers the number.
const MOST: usize = 166;

/// The lines of a source on which a hook is used.
fn uses(source: &str) -> Vec<usize> {
    let (mut found, mut last, mut import) = (Vec::new(), 0, "");
    let tokens = tokens(source);
    for (i, (line, token)) in tokens.iter().enumerate() {
        let begins = *line != last;
        last = *line;
        let word = |place: usize| match tokens.get(place) {
            Some((_, Token::Word(word))) => *word,
            _ => "",
        };
        if begins && import.is_empty() {
            let first = if word(i) == "pub" { word(i + 1) } else { word(i) };
            import = if matches!(first, "use" | "mod") { first } else { "" };
        }
        let is_named = matches!(token, Token::Word("hooks" | "Hooks" | "ACTIVE" | "on_the_diagonal"));
        if is_named && import.is_empty() && found.last() != Some(line) {
            found.push(*line);
        }
        if *token == Token::Mark(';') || (import == "mod" && *token == Token::Mark('{')) {
            import = "";
        }
    }
    found
}

#[test]
fn few_places_use_hooks() {
    let mut all = Vec::new();
    for (krate, _) in CRATES.iter().filter(|(krate, _)| *krate != "laws") {
        for path in files_of(krate).iter().filter(|path| !path.ends_with("hooks.rs")) {
            let source = fs::read_to_string(path).unwrap();
            let shown = path.strip_prefix(root()).unwrap().display().to_string();
            all.extend(uses(&source).into_iter().map(|line| format!("{shown}:{line}")));
        }
    }
    assert!(all.len() <= MOST, "{} places use hooks, not {MOST}:\n{}", all.len(), all.join("\n"));
    // the number is no higher than it has to be
    assert!(all.len() > MOST - 5, "{} places use hooks, fewer than {MOST}: lower the number", all.len());
}

#[test]
fn uses_are_told_from_imports_and_prose() {
    let source = "\
pub mod hooks;
use super::hooks::{
    self, Hooks,
};
/// Hooks that are asked.
fn f(hooks: &dyn Hooks) -> bool {
    let text = \"hooks\";
    C::ACTIVE && hooks.at(text)
}
";
    assert_eq!(uses(source), [6, 8]);
    assert_eq!(uses("mod deep {\n    fn f() -> Option<bool> { numbers.on_the_diagonal() }\n}\n"), [2]);
}
