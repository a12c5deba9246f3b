//! Laws of theories: what they say, what refutes them, and theories that are wrong.

mod derives;
mod errors;
mod layout;
mod mutants;
mod outcomes;
mod samples;
mod traces;

use smoothish::meaning;
use smoothish::syntax::source::Source;
use smoothish::theory::builtin;
use smoothish::theory::check::{self, Finding};
use smoothish::theory::loader::Theories;
use smoothish::theory::trial::{Effort, Standing};
use std::sync::Arc;
use std::time::Duration;

/// The library's theories, and one more.
fn with(text: &str) -> Result<Theories, String> {
    let mut theories = builtin::load();
    theories.load([Source::new("own.theory", text)]).map_err(|error| error.render())?;
    Ok(theories)
}

fn effort() -> Effort {
    Effort { timeout: Duration::from_secs(60), ..Effort::default() }
}

/// What becomes of every statement of a theory, by name, in the models of these names.
fn tried_in(text: &str, models: &[&str], effort: &Effort) -> Vec<(String, Standing)> {
    let theories = with(text).unwrap_or_else(|error| panic!("{error}"));
    let own = theories.theories().last().unwrap();
    let models: Vec<_> = models.iter().map(|name| meaning::named(name).unwrap()).collect();
    let tasks = check::tasks(&[own], &models);
    let library = Arc::new(theories.library().clone());
    let mut found = Vec::new();
    check::run(&library, &tasks, effort, 2, |Finding { task, outcome, .. }| {
        found.push((task.item.name().to_owned(), outcome));
    });
    found
}

/// The same in the default model.
fn tried(text: &str) -> Vec<(String, Standing)> {
    tried_in(text, &[], &effort())
}
