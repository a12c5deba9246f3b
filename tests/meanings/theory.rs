//! Laws of theories: what they say, what refutes them, and theories that are wrong.

mod derives;
mod layout;
mod mutants;
mod outcomes;
mod samples;
mod traces;

use smoothish::meaning;
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin;
use smoothish::theory::check::{self, CheckReport};
use smoothish::theory::loader::TheoryCollection;
use smoothish::theory::trial::{StatementOutcome, StatementTestConfig};
use std::sync::Arc;
use std::time::Duration;

/// The library's theories, and one more.
fn with(text: &str) -> Result<TheoryCollection, String> {
    let mut theories = builtin::load_theories();
    theories.load([SourceText::new("own.theory", text)]).map_err(|error| error.render())?;
    Ok(theories)
}

fn effort() -> StatementTestConfig {
    StatementTestConfig { timeout: Duration::from_secs(60), ..StatementTestConfig::default() }
}

/// What becomes of every statement of a theory, by name, in the models of these names.
fn tried_in(text: &str, models: &[&str], effort: &StatementTestConfig) -> Vec<(String, StatementOutcome)> {
    let theories = with(text).unwrap_or_else(|error| panic!("{error}"));
    let own = theories.theories().last().unwrap();
    let models: Vec<_> = models.iter().map(|name| meaning::semantics_named(name).unwrap()).collect();
    let tasks = check::list_tasks(&[own], &models);
    let library = Arc::new(theories.library().clone());
    let mut found = Vec::new();
    check::run_tasks(&library, &tasks, effort, 2, |CheckReport { task, outcome, .. }| {
        found.push((task.item.name().to_owned(), outcome));
    });
    found
}

/// The same in the default model.
fn tried(text: &str) -> Vec<(String, StatementOutcome)> {
    tried_in(text, &[], &effort())
}
