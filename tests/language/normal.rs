//! βη-normal forms: known pairs, the equations on random programs, what is preserved, and what is refused.

mod inductive;
mod limits;
mod pairs;
mod random;
mod variants;

use smoothish::syntax::library::Library;
use smoothish::syntax::normal::{BetaEtaNormalForm, NormalError, normalise};
use smoothish::theory::builtin;

/// The library of the built-in theories.
fn library() -> Library {
    builtin::library()
}

/// The normal form of a program.
fn normal_in(library: &Library, text: &str) -> Result<BetaEtaNormalForm, NormalError> {
    let (term, _) = library.infer_expression(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    normalise(&term)
}

/// The normal form of a program that uses the constants of the language only.
fn normal(text: &str) -> BetaEtaNormalForm {
    normal_in(&Library::new(), text)
        .unwrap_or_else(|error| panic!("{}: {error}", text.chars().take(200).collect::<String>()))
}
