//! The language: what its programs mean to the type checker, what it refuses, and how.

mod bad;
mod corpus;
mod elsewhere;
mod good;
mod habits;
mod idioms;
mod inductive;
mod limits;
mod newcomers;
mod paper;
mod phrases;
mod round_trip;
mod sampling;
mod theories;
mod variants;

use smoothish::syntax::library::Library;
use smoothish::syntax::source;
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin;

/// The library of the built-in theories.
fn library() -> Library {
    builtin::library()
}

/// The type of a program, or the report of what is wrong with it.
fn answer(library: &Library, text: &str) -> String {
    match library.infer_expression(text) {
        Ok((_, ty)) => ty.to_string(),
        Err(error) => source::render_error(&SourceText::new("question", text), &error),
    }
}
