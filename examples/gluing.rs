//! The theorems about the Taylor macro, tried: one that is right, one with a wrong macro, and one that is printed and wrong.
//!
//! `cargo run --example gluing`

use smoothish::glue::GlueError;
use smoothish::glue::lemma::Setting;
use smoothish::glue::theorems::named;
use smoothish::glue::trial::Trials;
use smoothish::mutation::Taylor;

fn main() -> Result<(), GlueError> {
    let trials = Trials::new(100, 1);
    let wrong = Setting { rule: Some(Taylor::CrossTerm), ..Setting::default() };
    for (name, setting) in [
        ("theorem-3", Setting::default()),
        ("theorem-3", wrong),
        ("proposition-10", Setting::default()),
        ("proposition-10-mended", Setting::default()),
    ] {
        let Some(theorem) = named(name) else { continue };
        println!("{name}: {}", theorem.says);
        if let Some(rule) = setting.rule {
            println!("with a macro in which {}; instead: {}", rule.rule(), rule.instead());
        }
        let outcome = theorem.statement(setting).tried(&trials)?;
        match outcome.refutation {
            None => println!("holds of {} samples\n", outcome.survived),
            Some(refutation) => println!("refuted at sample {}\n{refutation}\n", refutation.index),
        }
    }
    Ok(())
}
