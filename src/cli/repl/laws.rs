//! The commands `:law` and `:check`: tests of statements at the prompt.

use super::command::usage_error;
use super::prompt::{InputResult, Prompt};
use crate::cli::arguments::OutputFormat;
use crate::cli::check;
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::session::Diagnostic;
use crate::session::definitions::SESSION_MODULE;
use crate::syntax::name::nearest_name;
use crate::theory::Theory;
use crate::theory::check::list_tasks;
use crate::theory::trial::{StatementOutcome, StatementTest, StatementTestConfig};
use std::io;
use std::sync::Arc;

/// Tests a law over the definitions in scope, at once.
pub(super) fn print_law_test(
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<InputResult> {
    if argument.is_empty() {
        return streams.print_refusal(&usage_error("law"));
    }
    let library = Arc::new(prompt.library.modules().clone());
    let theory =
        match prompt.library.theories().elaborate_single_law(&library, SESSION_MODULE, prompt.input_source(argument)) {
            Ok(theory) => theory,
            Err(error) => return streams.print_refusal(&Diagnostic::invalid_input(error.render().trim_end())),
        };
    let effort = build_effort(prompt);
    let meaning = crate::meaning::semantics_named(crate::meaning::DEFAULT_SEMANTICS);
    // The default semantics always exists, and a text that parses has a law: the other case is a safeguard.
    let (Some(law), Some(meaning)) = (theory.laws.first(), meaning) else {
        return Ok(InputResult::Status(Status::Wrong));
    };
    let trial = StatementTest::new(&library, &theory, meaning, &effort);
    let (text, status) = match trial.test_law(law) {
        StatementOutcome::Holds => ("holds: the normal forms are equal".to_owned(), Status::Reached),
        StatementOutcome::Survived(samples) => (format!("survived {samples} samples"), Status::Reached),
        StatementOutcome::Refuted(refuted) => {
            let at = refuted.program.map_or_else(String::new, |program| format!("\n  at    {program}"));
            (format!("refuted{at}\n  left  {}\n  right {}", refuted.left, refuted.right), Status::Refuted)
        }
        StatementOutcome::Vacuous(why) => (format!("vacuous: {why}"), Status::Nothing),
        StatementOutcome::Undecided(why) => (format!("open: {why}"), Status::Nothing),
        StatementOutcome::Unsupported(what) => (format!("{} lacks {what}", meaning.name()), Status::Wrong),
    };
    streams.print_answer(&text)?;
    Ok(InputResult::Status(status))
}

/// Tests the statements of a theory, or those of the loaded files.
pub(super) fn print_check(
    prompt: &mut Prompt<'_>,
    argument: &str,
    streams: &mut Streams<'_>,
) -> io::Result<InputResult> {
    let effort = build_effort(prompt);
    let all = prompt.library.theories();
    // A theory is from a loaded file if its source has the name of the file.
    let loaded =
        |theory: &&Theory| prompt.library.files().iter().any(|file| file.display().to_string() == theory.source.name);
    let chosen: Vec<&Theory> = match argument {
        "" => all.theories().iter().filter(loaded).collect(),
        name => all.find_theory(name).into_iter().collect(),
    };
    if chosen.is_empty() {
        let names = all.theories().iter().map(|theory| &*theory.name);
        let message = match (argument, nearest_name(argument, names)) {
            ("", _) => "error: no file was loaded; name a theory, as in :check Prelude".to_owned(),
            (name, Some(near)) => format!("error: there is no theory `{name}`\n  = help: did you mean `{near}`?"),
            (name, None) => {
                format!("error: there is no theory `{name}`\n  = help: :list shows them; :load reads files")
            }
        };
        return streams.print_refusal(&Diagnostic::invalid_input(message));
    }
    let library = Arc::new(all.library().clone());
    let status = check::check_and_print(
        OutputFormat::default(),
        false,
        &library,
        &list_tasks(&chosen, &[]),
        &effort,
        streams.out,
    )?;
    Ok(InputResult::Status(status))
}

/// Returns the default effort, within the limit of time of the prompt.
fn build_effort(prompt: &Prompt<'_>) -> StatementTestConfig {
    StatementTestConfig {
        timeout: prompt.timeout.0,
        interrupted: prompt.interrupted.clone(),
        ..StatementTestConfig::default()
    }
}
