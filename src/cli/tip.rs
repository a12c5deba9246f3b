//! Suggestions for an argument that no command accepts.

use super::arguments::Arguments;
use crate::syntax::name::nearest_name;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
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
            let tip = format!("an expression is asked by eval: smoothish eval '{word}'");
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
    let command = whole.get_subcommands().find(|command| command.get_name() == name)?;
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
