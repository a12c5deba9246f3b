//! The command `describe_for_doc`: the meaning of names, with an example and its answer; and the chapter of the book that lists
//! them.

pub mod example;

use super::eval;
use super::evaluator::TheorySession;
use super::output::Streams;
use super::repl::describe;
use super::status::Status;
use crate::session::Evaluate;
use crate::session::tolerance::{AccuracyGoal, Timeout};
use crate::session::{Diagnostic, Limits};
use crate::syntax::constant::{self, Constant, Topic};
use crate::syntax::idiom;
use crate::syntax::term::Definition;
use crate::theory::Theory;
use clap::Args;
use example::Example;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

/// The options of `describe_for_doc`.
#[derive(Debug, Args)]
pub struct DocOptions {
    /// The names to explain: of a function, a word, a theory, a law or a claim; without any, all functions by topic
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    pub names: Vec<String>,
}

/// Prints the meaning of each name. Without names, lists all.
///
/// # Errors
/// Errors of writing.
pub fn run_doc(options: &DocOptions, library: &mut TheorySession, streams: &mut Streams<'_>) -> io::Result<Status> {
    if options.names.is_empty() {
        write!(streams.out, "{}", list_names(library))?;
        return Ok(Status::Reached);
    }
    let mut worst = Status::default();
    for name in &options.names {
        match describe::describe_for_doc(library, name) {
            Ok(text) => writeln!(streams.out, "{text}")?,
            Err(refusal) => {
                writeln!(streams.err, "{}", refusal.report())?;
                worst = Status::worst_of([worst, Status::from(refusal.kind)]);
            }
        }
    }
    Ok(worst)
}

/// Answers an example, and formats the answer as `eval` does by default.
///
/// # Errors
/// A [`Diagnostic`] if there is no answer to the default accuracy without notes; every example should have one.
pub fn answer_example(library: &mut TheorySession, example: &str) -> Result<String, Diagnostic> {
    let to = AccuracyGoal::default().or_default(eval::DEFAULT_WIDTH_EXPONENT).accuracy();
    let limits = Limits::within_time(Timeout::default().0);
    let answer = library.ask(&Evaluate::new(example), &limits)?;
    if !answer.notes().is_empty() || !answer.is_reached() {
        return Err(Diagnostic::invalid_input(format!("error: the example `{example}` has no plain answer")));
    }
    Ok(eval::format_value(&eval::printable_value(&answer), &to))
}

/// Returns the constants of a topic, in the order of the table.
fn constants_of_topic(topic: Topic) -> impl Iterator<Item = Constant> {
    Constant::ALL.iter().copied().filter(move |constant| constant.topic() == topic)
}

/// Returns the definitions of theories under a topic, each with the name of its theory.
fn definitions_of_topic(
    library: &TheorySession,
    topic: Topic,
) -> impl Iterator<Item = (&'static str, Arc<Definition>)> {
    let all =
        topic.library_definitions().iter().flat_map(|(theory, names)| names.iter().map(move |name| (*theory, *name)));
    all.filter_map(|(theory, name)| Some((theory, library.modules().module(theory)?.find_definition(name)?.clone())))
}

/// Returns the definitions of a theory except for constructors, which the lines of their types show.
fn definitions_of_theory(library: &TheorySession, theory: &Theory) -> Vec<Arc<Definition>> {
    let module = library.modules().module(&theory.name);
    let all = module.into_iter().flat_map(|module| module.definitions().iter());
    all.filter(|definition| definition.constructor.is_none()).cloned().collect()
}

/// Lists all names with their types, by topic and by theory.
#[must_use]
pub fn list_names(library: &TheorySession) -> String {
    let mut text = String::new();
    for topic in Topic::ALL {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{topic}");
        for constant in constants_of_topic(topic) {
            let _ = writeln!(text, "  {} : {}", constant.name(), constant.scheme());
        }
        for (theory, definition) in definitions_of_topic(library, topic) {
            let _ = writeln!(text, "  {} : {}  (of {theory})", definition.name, definition.scheme);
        }
    }
    for theory in library.theories().theories() {
        let _ = writeln!(text, "{}", theory.name);
        for definition in definitions_of_theory(library, theory) {
            let _ = writeln!(text, "  {} : {}", definition.name, definition.scheme);
        }
    }
    text
}

/// Formats a text as one cell of a Markdown table.
fn escape_cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// Renders the chapter of the book: every name by topic, with its type, its meaning, and an example with its answer.
///
/// # Errors
/// The [`Diagnostic`] of an example without a plain answer.
pub fn render_chapter(library: &mut TheorySession) -> Result<String, Diagnostic> {
    let mut text = CHAPTER.to_owned();
    for topic in Topic::ALL {
        let _ = writeln!(text, "\n## {topic}");
        for constant in constants_of_topic(topic) {
            let others = constant.names().iter().skip(1).map(|name| format!(", `{name}`")).collect::<String>();
            let (name, ty) = (constant.name(), constant.scheme());
            let _ = write!(text, "\n`{name}`{others} : `{ty}`\n\n{} [{}]\n", constant.summary(), constant.source());
            if let Some(example) = constant.example() {
                let _ = write!(text, "\n```smoothish\n> {example}\n{}\n```\n", answer_example(library, &example)?);
            }
        }
        let defined = definitions_of_topic(library, topic).map(|(theory, definition)| {
            format!("`{}` : `{}` of [{theory}](#{})", definition.name, definition.scheme, theory.to_lowercase())
        });
        let defined = defined.collect::<Vec<_>>();
        if !defined.is_empty() {
            let _ = write!(text, "\nDefined in the theories: {}.\n", defined.join("; "));
        }
    }
    let _ = write!(text, "{DEFINITIONS}");
    // A copy, since answering an example needs the library mutably.
    let theories: Vec<Theory> = library.theories().theories().to_vec();
    for theory in &theories {
        let (name, about) = (&theory.name, theory.summary.split_whitespace().collect::<Vec<_>>().join(" "));
        let _ = write!(text, "\n### {name}\n\n{about}\n");
        let rows = definitions_of_theory(library, theory);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "\n| name | type | meaning | for example | answer |\n|---|---|---|---|---|\n");
        for definition in rows {
            let Example { question, answer, model } = example::find_example(library, &theory.name, &definition.name)?;
            let (name, ty, doc) =
                (&definition.name, escape_cell(&definition.scheme.to_string()), escape_cell(&definition.doc));
            let model = model.map_or_else(String::new, |model| format!(", in the [model](models.md) `{model}`"));
            let _ = writeln!(
                text,
                "| `{name}` | `{ty}` | {doc} | `{}` | `{}`{model} |",
                escape_cell(&question),
                escape_cell(&answer)
            );
        }
    }
    let _ = write!(text, "{ELSEWHERE}");
    for (names, here) in constant::FOREIGN_NAMES.iter().chain(idiom::NAMES).chain(idiom::LIBRARIES) {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {names} | {} |", escape_cell(here));
    }
    Ok(text)
}

/// The beginning of the chapter.
const CHAPTER: &str = "\
# Reference

What the language has, by topic, and what the theories define. `:doc NAME` at [the prompt](the-prompt.md) and `smoothish doc NAME` on
the command line say the same of one name, `smoothish doc` lists all. This chapter is written by a test from the table of the
constants and from the theories; in brackets stands where a constant is from, S being the λ_S paper. A function has a value for all arguments
of its type, unless its meaning says for which.
";

/// The introduction to the definitions of theories.
const DEFINITIONS: &str = "
## Definitions

What follows is defined in the language itself, in [the theories](the-theories.md). An example is the program of a claim of the theory, which
says what it is and why; the claims are tried whenever the tests run, and the answers are those of this library.
";

/// The head of the table of names that other systems use.
const ELSEWHERE: &str = "
## What is called something else here

| elsewhere | here |
|---|---|
";
