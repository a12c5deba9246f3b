//! The theorems about the Taylor macro, tried: one that is right, one with a wrong macro, and one that is printed and wrong.
//!
//! `cargo run --example gluing`

use smoothish::glue::GlueError;
use smoothish::glue::lemma::GluingSetup;
use smoothish::glue::theorems::find_theorem;
use smoothish::glue::trial::TheoremTestConfig;
use smoothish::wrong::Taylor;

fn main() -> Result<(), GlueError> {
    let trials = TheoremTestConfig::new(100, 1);
    for (name, wrong) in [
        ("theorem-3", None),
        ("theorem-3", Some(&Taylor::CrossTerm)),
        ("proposition-10", None),
        ("proposition-10-mended", None),
    ] {
        let Some(theorem) = find_theorem(name) else { continue };
        println!("{name}: {}", theorem.summary);
        let mut setting = GluingSetup::default();
        if let Some(rule) = wrong {
            println!("with a macro in which {}; instead: {}", rule.rule(), rule.instead());
            setting.hooks = Some(rule);
        }
        let outcome = theorem.make_test(setting).run_test(&trials)?;
        match outcome.refutation {
            None => println!("holds of {} samples\n", outcome.survived),
            Some(refutation) => println!("refuted at sample {}\n{refutation}\n", refutation.index),
        }
    }
    Ok(())
}
