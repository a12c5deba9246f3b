//! The commands `:law` and `:check`: tests of statements at the prompt.

use super::command::usage;
use super::prompt::{Done, Prompt};
use crate::cli::arguments::Format;
use crate::cli::check;
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::session::Diagnostic;
use crate::session::definitions::MODULE;
use crate::syntax::name::nearest;
use crate::theory::Theory;
use crate::theory::check::tasks;
use crate::theory::trial::{Effort, Standing, Trial};
use std::io;
use std::sync::Arc;

/// Tests a law over the definitions in scope, at once.
pub(super) fn law(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    if argument.is_empty() {
        return streams.refuse(&usage("law"));
    }
    let library = Arc::new(prompt.library.modules().clone());
    let theory = match prompt.library.theories().alone(&library, MODULE, prompt.source(argument)) {
        Ok(theory) => theory,
        Err(error) => return streams.refuse(&Diagnostic::wrong(error.render().trim_end())),
    };
    let effort = effort(prompt);
    let meaning = crate::meaning::named(crate::meaning::DEFAULT);
    // The default semantics always exists, and a text that parses has a law: the other case is a safeguard.
    let (Some(law), Some(meaning)) = (theory.laws.first(), meaning) else { return Ok(Done::Status(Status::Wrong)) };
    let trial = Trial::new(&library, &theory, meaning, &effort);
    let (text, status) = match trial.law(law) {
        Standing::Holds => ("holds: the normal forms are equal".to_owned(), Status::Reached),
        Standing::Survived(samples) => (format!("survived {samples} samples"), Status::Reached),
        Standing::Refuted(refuted) => {
            let at = refuted.program.map_or_else(String::new, |program| format!("\n  at    {program}"));
            (format!("refuted{at}\n  left  {}\n  right {}", refuted.left, refuted.right), Status::Refuted)
        }
        Standing::Vacuous(why) => (format!("vacuous: {why}"), Status::Nothing),
        Standing::Open(why) => (format!("open: {why}"), Status::Nothing),
        Standing::Lacks(what) => (format!("{} lacks {what}", meaning.name()), Status::Wrong),
    };
    streams.say(&text)?;
    Ok(Done::Status(status))
}

/// Tests the statements of a theory, or those of the loaded files.
pub(super) fn check(prompt: &mut Prompt<'_>, argument: &str, streams: &mut Streams<'_>) -> io::Result<Done> {
    let effort = effort(prompt);
    let all = prompt.library.theories();
    // A theory is from a loaded file if its source has the name of the file.
    let loaded =
        |theory: &&Theory| prompt.library.files().iter().any(|file| file.display().to_string() == theory.source.name);
    let chosen: Vec<&Theory> = match argument {
        "" => all.theories().iter().filter(loaded).collect(),
        name => all.theory(name).into_iter().collect(),
    };
    if chosen.is_empty() {
        let names = all.theories().iter().map(|theory| &*theory.name);
        let message = match (argument, nearest(argument, names)) {
            ("", _) => "error: no file was loaded; name a theory, as in :check Prelude".to_owned(),
            (name, Some(near)) => format!("error: there is no theory `{name}`\n  = help: did you mean `{near}`?"),
            (name, None) => {
                format!("error: there is no theory `{name}`\n  = help: :list shows them; :load reads files")
            }
        };
        return streams.refuse(&Diagnostic::wrong(message));
    }
    let library = Arc::new(all.library().clone());
    let status = check::print(Format::default(), false, &library, &tasks(&chosen, &[]), &effort, streams.out)?;
    Ok(Done::Status(status))
}

/// Returns the default effort, within the limit of time of the prompt.
fn effort(prompt: &Prompt<'_>) -> Effort {
    Effort { timeout: prompt.timeout.0, interrupted: prompt.interrupted.clone(), ..Effort::default() }
}
