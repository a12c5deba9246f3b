//! Errors of whole command lines as JSON: one line for each question, whatever is wrong with an option or a file.
//!
//! The questions are read from the arguments that remain without those at fault.

use super::arguments::{Arguments, OutputFormat};
use super::eval::JSON_VERSION;
use super::eval::diagnostic_to_json;
use super::output::Streams;
use super::questions::{QuestionText, Questions};
use super::status::Status;
use crate::session::Diagnostic;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, Error, FromArgMatches};
use serde_json::{Value as Json, json};
use std::ffi::OsString;
use std::io;

/// The greatest number of arguments at fault that are removed. A choice.
const MOST_FAULTS: usize = 20;

/// Prints the diagnostic of a whole command line: for people, and also as JSON for each question if requested.
///
/// # Errors
/// Errors of writing.
pub fn refuse_command_line(
    arguments: &[OsString],
    refusal: &Diagnostic,
    streams: &mut Streams<'_>,
) -> io::Result<Status> {
    let matches = parse_without_faults(arguments);
    let format = matches.as_ref().and_then(output_format).unwrap_or_default();
    if format.is_json() {
        print_json_errors(matches.as_ref(), refusal, streams)?;
    }
    writeln!(streams.err, "{}", format.render_diagnostic(refusal))?;
    Ok(Status::from(refusal.kind))
}

/// Like [`refuse_command_line`] for a usage error, which clap has already printed: writes only the JSON, if it is requested.
///
/// # Errors
/// Errors of writing.
pub fn refuse_usage(arguments: &[OsString], error: &Error, streams: &mut Streams<'_>) -> io::Result<()> {
    let text = error.render().to_string();
    let head = text.lines().next().unwrap_or_default();
    // The lines below the first one list missing arguments.
    let missing =
        text.lines().skip(1).take_while(|line| !line.trim().is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
    let head = format!("{head} {missing}");
    let head = head.trim_end();
    let tip = text.lines().find_map(|line| line.trim_start().strip_prefix("tip: "));
    let help = tip.map_or_else(String::new, |tip| format!("\n  = help: {tip}"));
    let matches = parse_without_faults(arguments);
    let is_json = match &matches {
        Some(matches) => output_format(matches).is_some_and(OutputFormat::is_json),
        // Without any command that parses, the option is looked for as text.
        None => arguments.iter().any(|argument| argument == "--json"),
    };
    if is_json {
        print_json_errors(matches.as_ref(), &Diagnostic::invalid_input(format!("{head}{help}")), streams)
    } else {
        Ok(())
    }
}

/// Writes the error as JSON, once for each question, or once if no question is known.
fn print_json_errors(matches: Option<&ArgMatches>, refusal: &Diagnostic, streams: &mut Streams<'_>) -> io::Result<()> {
    let texts = matches.map(question_texts).filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![Json::Null]);
    for text in texts {
        writeln!(
            streams.out,
            "{}",
            json!({ "version": JSON_VERSION, "question": text, "error": diagnostic_to_json(refusal) })
        )?;
    }
    streams.out.flush()
}

/// Parses a command line without the arguments that are at fault. Returns `None` if that does not succeed.
fn parse_without_faults(arguments: &[OsString]) -> Option<ArgMatches> {
    let mut kept: Vec<OsString> = arguments.to_vec();
    for _ in 0..MOST_FAULTS {
        match Arguments::command().try_get_matches_from(&kept) {
            Ok(matches) => return matches.subcommand().map(|(_, matches)| matches.clone()),
            Err(error) => kept = remove_fault(&kept, &error)?,
        }
    }
    None
}

/// Removes the option that an error is about, and its value. Returns `None` if the error names no argument that is
/// there.
fn remove_fault(arguments: &[OsString], error: &Error) -> Option<Vec<OsString>> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.split(' ').next().unwrap_or_default().to_owned()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let name = text(ContextKind::InvalidArg)?;
    let value = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => Some(value.clone()),
        _ => None,
    };
    let at = arguments.iter().position(|argument| {
        let argument = argument.to_string_lossy();
        argument == name || argument.strip_prefix(&*name).is_some_and(|rest| rest.starts_with('='))
    })?;
    let mut kept = arguments.to_vec();
    kept.remove(at);
    if value.is_some() && kept.get(at).map(|argument| argument.to_string_lossy().into_owned()) == value {
        kept.remove(at);
    }
    Some(kept)
}

/// Returns the output format. `None` if the command has none.
fn output_format(matches: &ArgMatches) -> Option<OutputFormat> {
    // The arguments of a command without formats have no such name.
    matches.try_contains_id("message_format").ok()?;
    OutputFormat::from_arg_matches(matches).ok()
}

/// Returns the texts of the questions, `null` for a file or the standard input, which are not read.
fn question_texts(matches: &ArgMatches) -> Vec<Json> {
    let of = |question: &QuestionText| match question {
        QuestionText::Text(text) => json!(text),
        QuestionText::Input | QuestionText::File(_) => Json::Null,
    };
    // clap reports an unknown name of an argument as an error in debug builds only. So the questions may be empty as
    // well.
    if matches.try_contains_id(Questions::NAMES).is_ok()
        && let Ok(asked) = Questions::from_arg_matches(matches)
        && !asked.0.is_empty()
    {
        return asked.0.iter().map(of).collect();
    }
    // Other commands have one question: the first positional argument.
    let ids = ["expression", "map", "model"].into_iter();
    ids.filter_map(|id| matches.try_get_one::<String>(id).ok().flatten())
        .map(|text| of(&QuestionText::from_argument(text)))
        .take(1)
        .collect()
}
