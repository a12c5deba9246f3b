//! The command `doc`: the meaning of names, with an example and its answer; and the chapter of the book that lists
//! them.

pub mod example;

use super::eval;
use super::evaluator::Workbench;
use super::output::Streams;
use super::repl::describe;
use super::status::Status;
use crate::session::Evaluate;
use crate::session::tolerance::{Goal, Timeout};
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

/// The options of `doc`.
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
pub fn run(options: &DocOptions, library: &mut Workbench, streams: &mut Streams<'_>) -> io::Result<Status> {
    if options.names.is_empty() {
        write!(streams.out, "{}", index(library))?;
        return Ok(Status::Reached);
    }
    let mut worst = Status::default();
    for name in &options.names {
        match describe::doc(library, name) {
            Ok(text) => writeln!(streams.out, "{text}")?,
            Err(refusal) => {
                writeln!(streams.err, "{}", refusal.report())?;
                worst = Status::worst([worst, Status::from(refusal.kind)]);
            }
        }
    }
    Ok(worst)
}

/// Answers an example, and formats the answer as `eval` does by default.
///
/// # Errors
/// A [`Diagnostic`] if there is no answer to the default accuracy without notes; every example should have one.
pub fn answered(library: &mut Workbench, example: &str) -> Result<String, Diagnostic> {
    let to = Goal::default().or_power(eval::USUAL).accuracy();
    let limits = Limits::within(Timeout::default().0);
    let answer = library.ask(&Evaluate::new(example), &limits)?;
    if !answer.notes().is_empty() || !answer.is_reached() {
        return Err(Diagnostic::wrong(format!("error: the example `{example}` has no plain answer")));
    }
    Ok(eval::shown(&eval::shown_value(&answer), &to))
}

/// Returns the constants of a topic, in the order of the table.
fn of_topic(topic: Topic) -> impl Iterator<Item = Constant> {
    Constant::ALL.iter().copied().filter(move |constant| constant.topic() == topic)
}

/// Returns the definitions of theories under a topic, each with the name of its theory.
fn defined(library: &Workbench, topic: Topic) -> impl Iterator<Item = (&'static str, Arc<Definition>)> {
    let all = topic.defined().iter().flat_map(|(theory, names)| names.iter().map(move |name| (*theory, *name)));
    all.filter_map(|(theory, name)| Some((theory, library.modules().module(theory)?.definition(name)?.clone())))
}

/// Returns the definitions of a theory except for constructors, which the lines of their types show.
fn definitions(library: &Workbench, theory: &Theory) -> Vec<Arc<Definition>> {
    let module = library.modules().module(&theory.name);
    let all = module.into_iter().flat_map(|module| module.definitions().iter());
    all.filter(|definition| definition.constructor.is_none()).cloned().collect()
}

/// Lists all names with their types, by topic and by theory.
#[must_use]
pub fn index(library: &Workbench) -> String {
    let mut text = String::new();
    for topic in Topic::ALL {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "{topic}");
        for constant in of_topic(topic) {
            let _ = writeln!(text, "  {} : {}", constant.name(), constant.scheme());
        }
        for (theory, definition) in defined(library, topic) {
            let _ = writeln!(text, "  {} : {}  (of {theory})", definition.name, definition.scheme);
        }
    }
    for theory in library.theories().theories() {
        let _ = writeln!(text, "{}", theory.name);
        for definition in definitions(library, theory) {
            let _ = writeln!(text, "  {} : {}", definition.name, definition.scheme);
        }
    }
    text
}

/// Formats a text as one cell of a Markdown table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// Renders the chapter of the book: every name by topic, with its type, its meaning, and an example with its answer.
///
/// # Errors
/// The [`Diagnostic`] of an example without a plain answer.
pub fn chapter(library: &mut Workbench) -> Result<String, Diagnostic> {
    let mut text = CHAPTER.to_owned();
    for topic in Topic::ALL {
        let _ = writeln!(text, "\n## {topic}");
        for constant in of_topic(topic) {
            let others = constant.names().iter().skip(1).map(|name| format!(", `{name}`")).collect::<String>();
            let (name, ty) = (constant.name(), constant.scheme());
            let _ = write!(text, "\n`{name}`{others} : `{ty}`\n\n{} [{}]\n", constant.about(), constant.source());
            if let Some(example) = constant.example() {
                let _ = write!(text, "\n```smoothish\n> {example}\n{}\n```\n", answered(library, &example)?);
            }
        }
        let defined = defined(library, topic).map(|(theory, definition)| {
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
        let (name, about) = (&theory.name, theory.about.split_whitespace().collect::<Vec<_>>().join(" "));
        let _ = write!(text, "\n### {name}\n\n{about}\n");
        let rows = definitions(library, theory);
        if rows.is_empty() {
            continue;
        }
        let _ = write!(text, "\n| name | type | meaning | for example | answer |\n|---|---|---|---|---|\n");
        for definition in rows {
            let Example { question, answer, model } = example::of(library, &theory.name, &definition.name)?;
            let (name, ty, doc) = (&definition.name, cell(&definition.scheme.to_string()), cell(&definition.doc));
            let model = model.map_or_else(String::new, |model| format!(", in the [model](models.md) `{model}`"));
            let _ =
                writeln!(text, "| `{name}` | `{ty}` | {doc} | `{}` | `{}`{model} |", cell(&question), cell(&answer));
        }
    }
    let _ = write!(text, "{ELSEWHERE}");
    for (names, here) in constant::ELSEWHERE.iter().chain(idiom::NAMES).chain(idiom::LIBRARIES) {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "| {names} | {} |", cell(here));
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
