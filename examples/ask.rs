//! Asking questions in the language, from Rust.
//!
//! `cargo run --example ask`

use smoothish::number::budget::Budget;
use smoothish::number::decimal;
use smoothish::session::{Reply, Session, SessionError};
use smoothish::theory::builtin;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), SessionError> {
    let session =
        Session::with(builtin::load().expect("the theories that come with the library load").library().clone());
    let eps = decimal::parse("1e-9").expect("a decimal");
    for question in [
        "deriv (\\c => integral01 (\\x => relu (x - c))) 0.6",
        "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)",
        "deriv relu 0",
    ] {
        let budget = Arc::new(Budget::within(Duration::from_secs(10)));
        let outcome = session.ask(question, &eps, &budget)?;
        if let Reply::Real(answer) = outcome.reply {
            let ends = answer.enclosure.decimals(&eps);
            println!("{question}\n  ∈ {ends}, {}", if answer.reached { "reached" } else { "a set: not reached" });
        }
    }
    Ok(())
}
