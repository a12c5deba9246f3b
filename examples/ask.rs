//! Asking questions in the language, from Rust.
//!
//! `cargo run --example ask`

use smoothish::prelude::*;

fn main() -> Result<(), SessionError> {
    let session = Session::new();
    for question in [
        "deriv (\\c => integral01 (\\x => relu (x - c))) 0.6",
        "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)",
        "deriv relu 0",
    ] {
        let answer = session.enclose(question, 1e-9)?;
        let ends = answer.enclosure.print_decimals(&Rational::from((1, 1_000_000_000)));
        println!("{question}\n  ∈ {ends}, {}", if answer.reached { "reached" } else { "a set: not reached" });
    }
    Ok(())
}
