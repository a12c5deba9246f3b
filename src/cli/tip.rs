//! Usage errors: suggestions for arguments that no command accepts, and their form as JSON.
//!
//! # Errors of whole command lines as JSON
//!
//! One line for each question, whatever is wrong with an option or a file.
//!
//! The questions are read from the arguments that remain without those at fault.

use super::arguments::{Arguments, OutputFormat};
use super::eval::{JSON_VERSION, diagnostic_to_json};
use super::output::Streams;
use super::questions::{QuestionText, Questions};
use super::status::Status;
use crate::session::Diagnostic;
use crate::syntax::name::nearest_name;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, CommandFactory, Error, FromArgMatches};
use serde_json::{Value as Json, json};
use std::ffi::OsString;
use std::io;
use std::num::{IntErrorKind, ParseIntError};

/// Adds a suggestion to a usage error: the nearest option, the way to give an expression that begins with a minus, or
/// the way to save a table.
#[must_use]
pub fn with_tip(mut error: Error, arguments: &[String]) -> Error {
    if error.kind() == ErrorKind::InvalidSubcommand && error.get(ContextKind::SuggestedSubcommand).is_none() {
        if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
            // The word is suggested in quotes, which a quote in it would end.
            && !word.contains('\'')
        {
            let tip = format!("to evaluate an expression, write smoothish eval '{word}'");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        return error;
    }
    if let Some(whole) = whole_number_error(&error) {
        return whole;
    }
    if error.kind() == ErrorKind::WrongNumberOfValues || is_one_end(&error, arguments) {
        let tip = "an interval has two ends, with a space between them: --x -1 1 --y -1 1";
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return error };
    // clap reports only the first letter of an argument that looks like several short options.
    let whole = arguments.iter().find(|argument| *argument == unknown).or_else(|| {
        let begins = |argument: &&String| !unknown.starts_with("--") && argument.starts_with(unknown.as_str());
        arguments.iter().find(begins)
    });
    let unknown = whole.unwrap_or(unknown).clone();
    if let Some(tip) = suggest_argument(&unknown, arguments) {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::InvalidArg, ContextValue::String(unknown));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Explains the error of parsing a whole number. Returns `None` for any other error.
fn whole_number_error(error: &Error) -> Option<Error> {
    let source = std::error::Error::source(error)?.downcast_ref::<ParseIntError>()?;
    let (Some(ContextValue::String(found)), Some(ContextValue::String(option))) =
        (error.get(ContextKind::InvalidValue), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let wanted = match source.kind() {
        IntErrorKind::PosOverflow => "a smaller whole number",
        _ => "a whole number, such as 2",
    };
    // The text of the standard library speaks of digits and types of integers.
    let message =
        format!("invalid value '{found}' for '{option}': expected {wanted}\n\nFor more information, try '--help'.\n");
    Some(Error::raw(ErrorKind::ValueValidation, message))
}

/// Returns `true` if `--x` is given one end only, so that it takes the option `--y` for its other end.
fn is_one_end(error: &Error, arguments: &[String]) -> bool {
    let behind = |option: &str| arguments.iter().position(|argument| argument == option).map(|at| &arguments[at + 1..]);
    error.kind() == ErrorKind::UnknownArgument
        && behind("--x").is_some_and(|rest| rest.get(1).is_some_and(|next| next == "--y"))
}

/// Options of other programs, with the option of the same meaning here.
const FOREIGN_OPTIONS: &[(&[&str], &str)] = &[
    (&["precision", "prec", "decimals", "significant"], "digits"),
    (&["tol", "tolerance", "epsilon", "accuracy", "error", "abs", "atol"], "eps"),
    (&["rtol", "relative"], "rel"),
    (&["time", "time-limit", "limit", "seconds"], "timeout"),
    (&["n", "points", "count"], "steps"),
    (&["expr", "expression"], "expression"),
    (&["order", "derivative"], "deriv"),
    (&["out", "save"], "output"),
    (&["from", "to", "xlim", "xrange", "domain", "range"], "x"),
    (&["x", "xlim", "xrange", "domain", "range"], "from"),
    (&["ylim", "yrange"], "y"),
    (&["resolution", "width"], "columns"),
    (&["cmap", "colormap", "colors", "colours"], "palette"),
    (&["scale", "zoom", "pixel"], "size"),
    (&["ppi", "resolution"], "dpi"),
];

/// Suggests what to write in place of an unknown argument. Returns `None` if nothing is likely.
fn suggest_argument(unknown: &str, arguments: &[String]) -> Option<String> {
    let name = arguments.get(1)?;
    let whole = Arguments::command();
    let command = whole.find_subcommand(name)?;
    if name == "table" && matches!(unknown, "-o" | "--output") {
        return Some("a table goes to the standard output: smoothish table … --csv > table.csv".to_owned());
    }
    if let Some(word) = unknown.strip_prefix("--").filter(|word| !word.contains(' ')) {
        let options: Vec<&str> = command.get_arguments().filter_map(|argument| argument.get_long()).collect();
        let word = word.split('=').next().unwrap_or(word);
        // Only an option that this command has is suggested.
        let called = FOREIGN_OPTIONS.iter().find(|(words, here)| words.contains(&word) && options.contains(here));
        let near = called.map(|(_, here)| *here).or_else(|| nearest_name(word, options.iter().copied()));
        return Some(match near {
            Some(near) => format!("a similar option exists: --{near}"),
            None => format!(
                "the options are {}",
                options.iter().map(|option| format!("--{option}")).collect::<Vec<_>>().join(", ")
            ),
        });
    }
    if let Some(option) = explain_negative_number(unknown, command, arguments) {
        return Some(option);
    }
    let is_option = |letter: char| command.get_arguments().any(|argument| argument.get_short() == Some(letter));
    let takes_expression = command.get_positionals().any(|argument| {
        argument.get_value_names().is_some_and(|names| names.iter().any(|name| name.as_str() == "EXPR"))
    });
    // An argument whose first letter is a short option is a mistake in an option, not an expression.
    (takes_expression && !unknown.chars().nth(1).is_some_and(is_option)).then(|| {
        format!("an expression that begins with a minus stands in parentheses, '({unknown})', or last, behind --: -- '{unknown}'")
    })
}

/// Explains a negative number after an option that takes none, by the help of that option. `None` in any other case.
fn explain_negative_number(unknown: &str, command: &Command, arguments: &[String]) -> Option<String> {
    let is_number =
        unknown.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
    let at = arguments.iter().position(|argument| argument == unknown).filter(|_| is_number)?;
    let name = arguments.get(at.checked_sub(1)?)?.strip_prefix("--")?;
    let option = command.get_arguments().find(|argument| argument.get_long() == Some(name))?;
    let about = option.get_help()?.to_string();
    option.get_action().takes_values().then(|| format!("--{name} takes no negative number: {}", about))
}

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
    // A command without formats has no argument of this name: clap reports that in debug builds. In release builds the
    // conversion below fails.
    matches.try_contains_id("message_format").ok()?;
    OutputFormat::from_arg_matches(matches).ok()
}

/// Returns the texts of the questions, `null` for a file or the standard input, which are not read.
fn question_texts(matches: &ArgMatches) -> Vec<Json> {
    let of = |question: &QuestionText| match question {
        QuestionText::Text(text) => json!(text),
        QuestionText::Input | QuestionText::File(_) => Json::Null,
    };
    // clap reports an unknown argument in debug builds only. In release builds a command without questions has an empty
    // list of them.
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
